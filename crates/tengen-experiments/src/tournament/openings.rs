//! The opening of each pair: the moves before the bots begin.

use super::config::Tournament;
use super::opening::Openings;
use super::schedule::GamePlan;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Bits, Color, Game, Move};
use tengen_search::{ResourceFault, RootMove, SearchResult, UctConfig, driver, root_parallel};
use tengen_stats::seed::mix;

/// Simulations of the search that decides whether an opening is balanced.
const JUDGE_PLAYOUTS: u64 = 2_000;

/// Black's win rates between which an opening counts as balanced.
const BALANCED: std::ops::RangeInclusive<f64> = 0.35..=0.65;

/// Most openings tried to find a balanced one; if none is balanced, the pair is not played.
const TRIES: u64 = 200;

/// The number of openings searched side by side.
const AT_ONCE: usize = 16;

/// A pair that has no opening.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum BeginError {
    /// No random opening is balanced: each gives Black a win rate below 35 or above
    /// 65 %.
    #[error(
        "none of {TRIES} random openings is balanced: they give Black {:.0} to {:.0} %",
        100.0 * low,
        100.0 * high
    )]
    NoBalance { low: f64, high: f64 },
    /// The searches that evaluate openings lack memory.
    #[error(transparent)]
    Memory(#[from] ResourceFault),
}

/// The game of `plan` after its opening, which both games of a pair share. Fails if no balanced
/// opening is found; then neither game of the pair is played.
pub fn begin(tournament: &Tournament, plan: &GamePlan) -> Result<Game, BeginError> {
    let empty = Game::new(tournament.size, tournament.rules());
    let seed = plan.opening_seed();
    match tournament.openings {
        Openings::Shared => {
            let seed = tournament.schedule().shared_opening_seed(plan.pair);
            Ok(random_opening(empty, tournament.opening_plies, seed))
        }
        Openings::Random | Openings::None | Openings::Path(_) => {
            Ok(random_opening(empty, tournament.opening_plies, seed))
        }
        Openings::Balanced => balanced(&empty, tournament.opening_plies, seed),
        // Each opening was played once when the configuration was checked.
        Openings::Given => {
            let given = tournament.opening[plan.pair].game(tournament.size, tournament.rules());
            Ok(given.unwrap_or(empty))
        }
    }
}

/// `game` after `plies` random plies, or fewer if no legal play is left that fills no own eye or the
/// game ends. Each such play is equally likely, by the random numbers of `seed`.
#[must_use]
pub fn random_opening(mut game: Game, plies: u32, seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..plies {
        let points = game.sensible_points();
        if points.is_empty() {
            break;
        }
        let index = points.nth(random.random_range(0..points.count()));
        let mv = Move::Play(Bits::<6>::vertex(index));
        if game.play(game.to_play(), mv).is_err() {
            break;
        }
    }
    game
}

/// `game` after the first of at most [`TRIES`] random openings that a search finds
/// balanced.
fn balanced(game: &Game, plies: u32, seed: u64) -> Result<Game, BeginError> {
    let (mut low, mut high) = (1.0_f64, 0.0_f64);
    let mut attempts = 0..TRIES;
    loop {
        let open = |attempt| random_opening(game.clone(), plies, mix(seed, attempt));
        let opened: Vec<Game> = attempts.by_ref().take(AT_ONCE).map(open).collect();
        if opened.is_empty() {
            return Err(BeginError::NoBalance { low, high });
        }
        let values = black_win_rates(&opened, seed)?;
        for (game, value) in opened.into_iter().zip(values) {
            let Some(value) = value else { continue };
            if BALANCED.contains(&value) {
                return Ok(game);
            }
            (low, high) = (low.min(value), high.max(value));
        }
    }
}

/// Black's win rate in each of `games`: the value of the best move, by one UCT search
/// per game with `seed`; none where there is no move. The searches share the lanes,
/// which changes none of their results.
fn black_win_rates(games: &[Game], seed: u64) -> Result<Vec<Option<f64>>, ResourceFault> {
    let Some(first) = games.first() else { return Ok(Vec::new()) };
    let judge = UctConfig { simulations: Some(JUDGE_PLAYOUTS), ..UctConfig::plain() };
    let begin = |game: &Game| root_parallel::begin(game, &judge, seed, Vec::new());
    let results = driver::run(first.size(), games.iter().flat_map(begin).collect())?;
    let value = |(game, result): (&Game, SearchResult)| {
        let (report, _) = root_parallel::report(game, vec![result], 0.0);
        let value = report.moves.first().and_then(RootMove::value)?;
        Some(if game.to_play() == Color::Black { value } else { 1.0 - value })
    };
    Ok(games.iter().zip(results).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use tengen_search::shared;

    fn tournament(text: &str) -> Tournament {
        let bots = "bot = ['random', 'two-ply']\n";
        format!("{bots}{text}").parse().unwrap()
    }

    fn refused(text: &str) -> String {
        let bots = "bot = ['random', 'two-ply']\n";
        format!("{bots}{text}").parse::<Tournament>().unwrap_err().to_string()
    }

    fn moves(game: &Game) -> String {
        game.moves().map(|(_, mv)| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn both_games_of_a_pair_share_a_random_opening() {
        let tournament = tournament("size = '9x9'\npairs = 20");
        let schedule = tournament.schedule();
        let mut seen = BTreeSet::new();
        for pair in 0..20 {
            let [one, two] = [2 * pair, 2 * pair + 1]
                .map(|game| moves(&begin(&tournament, &schedule.plan(game)).unwrap()));
            assert_eq!(one, two);
            assert_eq!(one.split(' ').count(), 4);
            seen.insert(one);
        }
        assert_eq!(seen.len(), 20);
    }

    #[test]
    fn all_pairings_share_openings() {
        let opened = |source: &str, bots: usize, game| {
            let bots = ["'random'", "'two-ply'", "'uct'"][..bots].join(", ");
            let text = format!("bot = [{bots}]\nopenings = '{source}'\nsize = '9x9'\npairs = 3");
            let tournament: Tournament = text.parse().unwrap();
            moves(&begin(&tournament, &tournament.schedule().plan(game)).unwrap())
        };
        let shared = |game| opened("shared", 3, game);
        // Three pairings: games 0, 2 and 4 begin pair 0 of each, and game 6 pair 1 of the first.
        assert_eq!([2, 4].map(shared), [0, 1].map(shared));
        assert_ne!(shared(0), shared(6));
        assert_ne!(opened("random", 3, 0), opened("random", 3, 2));
        // More pairings change no opening.
        assert_eq!(shared(6), opened("shared", 2, 2));
    }

    #[test]
    fn balanced_openings_are_balanced() {
        // On 5x5 Black's first stone in the centre decides: few random ones
        // are balanced, and the search says which.
        let text = "size = '5x5'\nopening_plies = 3\npairs = 4\nkomi = 2.5\n";
        let balanced = tournament(&format!("{text}openings = 'balanced'"));
        let judge = UctConfig { simulations: Some(4_000), ..UctConfig::plain() };
        for pair in 0..4 {
            let game = begin(&balanced, &balanced.schedule().plan(2 * pair)).unwrap();
            let (report, _) = shared::search(&game, &judge, 77, Vec::new(), None).unwrap();
            let value = report.moves[0].value().unwrap();
            // Another search, with other errors.
            assert!((0.25..=0.75).contains(&value), "{} gives {value}", moves(&game));
        }
    }

    #[test]
    fn an_opening_judged_with_others_is_judged_as_if_alone() {
        for size in ["5x5", "9x9", "3x11"] {
            let tournament = tournament(&format!("size = '{size}'"));
            let empty = Game::new(tournament.size, tournament.rules());
            let games: Vec<Game> =
                (0..5).map(|seed| random_opening(empty.clone(), 3, seed)).collect();
            let together = black_win_rates(&games, 9).unwrap();
            for (game, value) in games.iter().zip(together) {
                let judge = UctConfig { simulations: Some(JUDGE_PLAYOUTS), ..UctConfig::plain() };
                let (report, _) = shared::search(game, &judge, 9, Vec::new(), None).unwrap();
                // White is to move after three plies.
                assert_eq!(value, report.moves[0].value().map(|value| 1.0 - value), "{size}");
            }
        }
    }

    #[test]
    fn records_of_another_board_are_refused_by_file() {
        let scratch = tempfile::tempdir().unwrap();
        let refused = |record: &str, more: &str| {
            fs::write(scratch.path().join("it.sgf"), record).unwrap();
            let path = scratch.path().display();
            refused(&format!("size = '9x9'\nopenings = '{path}'\n{more}"))
        };
        for (record, fault) in [
            ("(;SZ[19];B[dp];W[dq])", "its board is 19x19 and not 9x9"),
            ("(;SZ[7:9];B[aa])", "its board is 7x9 and not 9x9"),
            ("(;SZ[5]AB[aa];W[bb])", "its board is 5x5 and not 9x9"),
            ("(;B[aa];W[bb])", "it has no SZ, which means 19x19, and not 9x9"),
        ] {
            let said = refused(record, "");
            assert!(said.contains("it.sgf: ") && said.contains(fault), "{record}: {said}");
        }
        // An error that only the run's rules find names the file too.
        let said = refused("(;SZ[9];B[aa];W[];B[])", "");
        assert!(said.contains("it.sgf: the game is over after it"), "{said}");
        let said = refused("(;SZ[9];B[aa];W[bb])", "max_plies = 2");
        assert!(said.contains("it.sgf: the game is over after it"), "{said}");
    }

    #[test]
    fn openings_come_from_records() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(scratch.path().join(name), text).unwrap();
        write("b.sgf", "(;SZ[5];B[cc];W[bb])");
        write("a.sgf", "(;SZ[5]AB[aa][ee]PL[W];W[cc])");
        write("notes.txt", "no record");
        let path = scratch.path().display();
        let tournament = tournament(&format!("size = '5x5'\nopenings = '{path}'"));
        assert_eq!((tournament.pairs, tournament.opening.len()), (2, 2));
        let first = begin(&tournament, &tournament.schedule().plan(0)).unwrap();
        assert_eq!(first.board().to_rows(), "X..../...../..O../...../....X");
        assert_eq!(first.to_play(), Color::Black);
        let second = begin(&tournament, &tournament.schedule().plan(2)).unwrap();
        assert_eq!(moves(&second), "C3 B4");
        // The saved settings no longer need the files.
        let text = toml::to_string(&tournament).unwrap();
        scratch.close().unwrap();
        let again = text.parse::<Tournament>().unwrap();
        assert_eq!(again, tournament);
    }
}
