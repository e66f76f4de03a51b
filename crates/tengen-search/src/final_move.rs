//! The final move: which move is played after a search.

use super::report::SearchReport;
use super::root_move::RootMove;
use super::tree::Proof;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{
    Bits, Board, BuiltIn, Color, Game, Made, Move, Named, Registry, RegistryError, Score,
    registered_setting, safe_area, with_words,
};
use tengen_stats::{Interval, Level, wilson};

/// The rule by which the move is chosen when the search is over.
///
/// The rule gives each move a worth, and the move of highest worth is played; among equals the move
/// with more visits, then the move of higher value. As text:
///
/// | text | worth |
/// |---|---|
/// | `visits` | the visits |
/// | `value` | the mean value; least for a move without a visit |
/// | `lower-bound` | the lower end of the 95 % Wilson interval of the value ("secure child", Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008) |
///
/// or the text of a rule that the program registers ([`register`]).
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Komi, Preset, Rules};
/// use tengen_search::{FinalMove, UctConfig, final_move, shared};
///
/// let board = Board::from_diagram("...../XXX../OOX../.OX../.X...", Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let game = Game::from_position(board, rules);
/// let config = UctConfig { final_move: FinalMove::built_in("lower-bound"), ..UctConfig::default() };
/// let (report, _) = shared::search(&game, &config, 1, Vec::new(), None)?;
/// let best = final_move::choose(&game, &report, config.final_move);
/// assert_eq!(best.to_string(), "A2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalMove(Named<FinalRule>);

registered_setting!(FinalMove, "rule for the final move", RULES);

impl Default for FinalMove {
    fn default() -> Self {
        Self::built_in("visits")
    }
}

/// A rule for the final move: the worth of a visited move at the root, given the report of the
/// whole search. The move of the highest worth is played. Values are for the player to move. The
/// worth must not be `NaN`, which can count as the highest.
pub type FinalRule = dyn Fn(&RootMove, &SearchReport) -> f64 + Send + Sync;

/// The rules for the final move.
static RULES: Registry<FinalRule> = Registry::new(
    "rule for the final move",
    &[
        BuiltIn {
            name: "visits",
            parameters: "",
            make: |_| Made::only(Box::new(|root_move, _| root_move.visits as f64)),
        },
        BuiltIn {
            name: "value",
            parameters: "",
            make: |_| Made::only(Box::new(|root_move, _| root_move.value().unwrap_or(-1.0))),
        },
        BuiltIn {
            name: "lower-bound",
            parameters: "",
            make: |_| Made::only(Box::new(|root_move, _| lower_bound(root_move))),
        },
    ],
);

/// Registers a rule for the final move under `name` in `version`: from now on `NAME`, or
/// `NAME:PARAMETERS`, is a value of the setting `final_move`. `make` makes the rule from the parameters,
/// empty if there are none; its error is shown to the user.
///
/// # Examples
/// The highest value among the moves that have at least the share SHARE of all visits:
/// ```
/// use tengen_search::{FinalMove, RootMove, SearchReport, final_move};
///
/// final_move::register("frequent", "1", |share| {
///     let share: f64 = share.parse().map_err(|_| "frequent:SHARE, a number".to_owned())?;
///     Ok(move |root_move: &RootMove, report: &SearchReport| {
///         let is_frequent = root_move.visits as f64 >= share * report.visits() as f64;
///         if is_frequent { root_move.value().unwrap_or(0.0) } else { -1.0 }
///     })
/// })?;
/// let rule: FinalMove = "frequent:0.1".parse()?;
/// assert_eq!(rule.to_string(), "frequent:0.1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register<F>(
    name: impl Into<String>,
    version: impl Into<String>,
    make: impl Fn(&str) -> Result<F, String> + Send + Sync + 'static,
) -> Result<(), RegistryError>
where
    F: Fn(&RootMove, &SearchReport) -> f64 + Send + Sync + 'static,
{
    let make = move |parameters: &str| Ok(Box::new(make(parameters)?) as Box<FinalRule>);
    RULES.register(name, version, make)
}

/// Whether a pass wins the game at once: the opponent has just passed, and the player to
/// move is ahead on the board as it stands.
#[must_use]
pub fn wins_by_passing(game: &Game) -> bool {
    game.board().passes() == 1 && game.score().for_player(game.to_play()) > 0
}

/// Whether the game is decided: every point is unconditionally one player's
/// ([`safe_area`]), and the score of these areas has the same winner as the board as it
/// stands.
#[must_use]
pub fn is_finished(game: &Game) -> bool {
    with_words!(game.size(), W => {
        let board: Board<W> = game.board().repacked();
        let suicide = game.rules().suicide;
        let [black, white] = Color::BOTH.map(|color| safe_area(&board, color, suicide));
        let score = Score::from_points(black.count().cast_signed() - white.count().cast_signed());
        (black | white) == Bits::board(board.size())
            && (score - game.rules().komi).winner() == game.score().winner()
    })
}

/// The move to play after a search of `game`.
///
/// While the player is behind on the board as it stands, a pass is played only if there is no other
/// move: the opponent's pass would end the game. A move that is proven to win is played, however
/// seldom it was visited; a move that is proven to lose is played only if all moves are.
#[must_use]
pub fn choose(game: &Game, report: &SearchReport, rule: FinalMove) -> Move {
    let candidates = candidates(game, report);
    let worth = |root_move: &RootMove| rule.0.call(|rule| rule(root_move, report));
    // The last maximum of the reversed order is the first in the sorted one.
    let best = candidates.iter().rev().max_by(|a, b| worth(a).total_cmp(&worth(b)));
    best.map_or(Move::Pass, |best| best.mv)
}

/// The move to play after a search of `game`, drawn by `seed`: a move of n visits with a
/// probability proportional to n^(1 / `temperature`). The candidates are the same as in [`choose`],
/// by the rules for the pass and for proofs.
#[must_use]
pub fn draw(game: &Game, report: &SearchReport, temperature: f64, seed: u64) -> Move {
    let candidates = candidates(game, report);
    let logs = candidates.iter().map(|candidate| libm::log(candidate.visits as f64) / temperature);
    let logs: Vec<f64> = logs.collect();
    // Relative to the greatest, so that no power overflows.
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - greatest)).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut left = random.random::<f64>() * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    let drawn = drawn.and_then(|drawn| candidates.get(drawn)).or(candidates.first());
    drawn.map_or(Move::Pass, |drawn| drawn.mv)
}

/// The moves that may be played after a search of `game`, in the order of the report: without the
/// pass while the player is behind (without candidates, the player passes); a proven win alone; and
/// without proven losses unless all moves are proven losses. If the search has visited no move,
/// since all its simulations judged the root, returns the unvisited move of the highest prior.
fn candidates<'a>(game: &Game, report: &'a SearchReport) -> Vec<&'a RootMove> {
    let behind = game.score().for_player(game.to_play()) < 0;
    let allowed = |candidate: &&RootMove| candidate.mv != Move::Pass || !behind;
    let mut candidates: Vec<&RootMove> = report.moves.iter().filter(allowed).collect();
    if report.moves.is_empty() {
        let prior = |candidate: &&RootMove| candidate.prior.unwrap_or(0.0);
        let known = report.unvisited.iter().filter(allowed);
        // The last maximum of the reversed order is the first.
        let highest = known.rev().max_by(|a, b| prior(a).total_cmp(&prior(b)));
        return highest.into_iter().collect();
    }
    if let Some(won) = candidates.iter().find(|candidate| candidate.proof == Some(Proof::Win)) {
        return vec![won];
    }
    if candidates.iter().any(|candidate| candidate.proof.is_none()) {
        candidates.retain(|candidate| candidate.proof.is_none());
    }
    candidates
}

/// Whether the player should resign: the 95 % interval of the value of the most visited move lies
/// below `threshold`, and no move is a proven win. Proven losses are left out unless all moves are
/// proven losses.
///
/// So the player does not resign while the interval contains the threshold, as it does after few
/// visits: 0 reward in n visits has the upper end `3.84 / (n + 3.84)`, which is below 0.05 from 73
/// visits on.
#[must_use]
pub fn is_hopeless(report: &SearchReport, threshold: f64) -> bool {
    let first = |proof| report.moves.iter().find(move |root_move| root_move.proof == proof);
    if first(Some(Proof::Win)).is_some() {
        return false;
    }
    let best = first(None).or(report.moves.first());
    best.and_then(interval).is_some_and(|interval| interval.high < threshold)
}

/// The lower end of the interval of a move's value; below all values without visits.
fn lower_bound(root_move: &RootMove) -> f64 {
    interval(root_move).map_or(-1.0, |interval| interval.low)
}

/// The 95 % Wilson interval of a move's value over its visits; none without visits.
fn interval(root_move: &RootMove) -> Option<Interval> {
    wilson(root_move.value()?.clamp(0.0, 1.0), root_move.visits as f64, Level::P95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Komi, Preset, Rules};

    fn game(rows: &str, to_play: Color) -> Game {
        let board = Board::from_diagram(rows, to_play).unwrap();
        let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
        Game::from_position(board, rules)
    }

    fn report(to_play: Color, moves: &[(&str, u64, f64)]) -> SearchReport {
        let root_move = |&(mv, visits, reward): &(&str, u64, f64)| RootMove {
            visits,
            reward,
            ..RootMove::new(mv.parse().unwrap())
        };
        let moves = moves.iter().map(root_move).collect();
        SearchReport { moves, ..SearchReport::nothing(to_play) }
    }

    fn rules() -> [FinalMove; 3] {
        ["visits", "value", "lower-bound"].map(FinalMove::built_in)
    }

    #[test]
    fn each_rule_by_hand() {
        let empty = game("...../...../...../...../.....", Color::Black);
        // Lower ends of the third: 0.5 of 1000: 0.469; 0.6 of 100: 0.502; 1 of 2: 0.342.
        for (moves, chosen) in [
            (&[("C3", 60, 30.0), ("B2", 40, 30.0)][..], ["C3", "B2", "B2"]),
            (&[("C3", 40, 30.0), ("B2", 40, 30.0)], ["C3", "C3", "C3"]),
            (&[("C3", 1_000, 500.0), ("B2", 100, 60.0), ("A1", 2, 2.0)], ["C3", "A1", "B2"]),
        ] {
            let found = report(Color::Black, moves);
            assert_eq!(rules().map(|rule| choose(&empty, &found, rule).to_string()), chosen);
        }
    }

    #[test]
    fn never_passes_into_a_loss_while_there_is_another_move() {
        let found = report(Color::White, &[("pass", 90, 85.0), ("A1", 10, 0.5)]);
        let behind = game("XX./XX./...", Color::White);
        assert_eq!(choose(&behind, &found, FinalMove::built_in("visits")).to_string(), "A1");
        let ahead = game("OO./OO./...", Color::White);
        assert_eq!(choose(&ahead, &found, FinalMove::built_in("visits")), Move::Pass);
        let only = report(Color::White, &[("pass", 90, 0.0)]);
        assert_eq!(choose(&behind, &only, FinalMove::built_in("visits")), Move::Pass);
    }

    #[test]
    fn a_finished_game_is_seen() {
        // Black has the whole board, or each player has a part.
        assert!(is_finished(&game(".X./XXX/.X.", Color::White)));
        assert!(is_finished(&game(".X.X./XXXXX/OOOOO/.O.O./OOOOO", Color::Black)));
        // An open board, and dead stones whose points decide.
        assert!(!is_finished(&game("..../..../..../....", Color::Black)));
        let dead = ".X.O./XXXXX/OOOOO/.O.O./OOOOO";
        let winner = |rows, komi: &str| {
            let board = Board::from_diagram(rows, Color::Black).unwrap();
            let rules = Rules::new(Preset::Tengen, board.size(), komi.parse().unwrap());
            is_finished(&Game::from_position(board, rules))
        };
        // Ten points are Black's, but the board counts seven against sixteen.
        assert!(winner(dead, "2.5"), "White wins either way");
        assert!(!winner(dead, "-6.5"), "Black must take the stone to win");
    }

    #[test]
    fn a_proof_is_worth_more_than_visits() {
        let empty = game("..../..../....", Color::Black);
        let mut found = report(Color::Black, &[("B2", 90, 80.0), ("C2", 40, 30.0), ("A1", 3, 0.0)]);
        found.moves[0].proof = Some(Proof::Loss);
        assert_eq!(choose(&empty, &found, FinalMove::built_in("visits")).to_string(), "C2");
        found.moves[2].proof = Some(Proof::Win);
        for rule in rules() {
            assert_eq!(choose(&empty, &found, rule).to_string(), "A1");
        }
        found.moves[0].reward = 0.0;
        assert!(!is_hopeless(&found, 0.5));
        found.moves[2].proof = None;
        // The move that will be played is C2, of 0.75.
        assert!(!is_hopeless(&found, 0.5));
        found.moves[1].reward = 5.0;
        assert!(is_hopeless(&found, 0.5));
        // If all moves lose, the usual rule holds.
        for root_move in &mut found.moves {
            root_move.proof = Some(Proof::Loss);
        }
        assert_eq!(choose(&empty, &found, FinalMove::built_in("visits")).to_string(), "B2");
    }

    #[test]
    fn resigns_only_where_the_interval_is_below_the_threshold() {
        let resigns = |visits: u64, reward: f64, threshold| {
            is_hopeless(&report(Color::Black, &[("B2", visits, reward), ("A1", 1, 0.0)]), threshold)
        };
        for visits in [1, 2, 72] {
            assert!(!resigns(visits, 0.0, 0.05), "{visits}");
        }
        assert!(resigns(73, 0.0, 0.05));
        // 0.04 of 1,000 visits has the interval 0.030 to 0.054, and of 3,000 0.034 to 0.048.
        assert!(!resigns(1000, 40.0, 0.05) && resigns(3000, 120.0, 0.05));
        assert!(!resigns(1_000_000, 0.0, 0.0) && !resigns(100, 100.0, 1.0));
        assert!(!is_hopeless(&report(Color::Black, &[]), 0.5), "nothing was searched");
    }

    #[test]
    fn drawn_moves_have_probabilities_by_visits() {
        let behind = game("O..../...../...../...../.....", Color::Black);
        let found = report(Color::Black, &[("C3", 40, 1.0), ("B2", 20, 19.0), ("pass", 20, 0.0)]);
        let share = |temperature: f64, mv: &str| {
            let drawn = (0..20_000).map(|seed| draw(&behind, &found, temperature, seed));
            drawn.filter(|drawn| drawn.to_string() == mv).count() as f64 / 20_000.0
        };
        // Without the pass: 2 to 1, 4 to 1 and √2 to 1.
        for (temperature, expected) in [(1.0, 2.0 / 3.0), (0.5, 0.8), (2.0, 0.585_786)] {
            let found = share(temperature, "C3");
            assert!((found - expected).abs() < 0.015, "{temperature}: {found}");
            assert_eq!(share(temperature, "pass"), 0.0);
        }
        assert_eq!(share(0.01, "C3"), 1.0);
        assert!((share(100.0, "B2") - 0.5).abs() < 0.015);

        let mut proven = found;
        proven.moves[0].proof = Some(Proof::Loss);
        let all = |report: &SearchReport| -> Vec<String> {
            let mut all: Vec<_> =
                (0..100).map(|seed| draw(&behind, report, 1.0, seed).to_string()).collect();
            all.dedup();
            all
        };
        assert_eq!(all(&proven), ["B2"]);
        proven.moves[0].proof = Some(Proof::Win);
        assert_eq!(all(&proven), ["C3"]);
        assert_eq!(all(&report(Color::Black, &[("pass", 9, 0.0)])), ["pass"]);
        assert_eq!(all(&report(Color::Black, &[])), ["pass"]);
    }

    #[test]
    fn passes_to_win_after_a_pass_only() {
        let mut won = game("OO./OO./...", Color::Black);
        assert!(!wins_by_passing(&won));
        won.play(Color::Black, Move::Pass).unwrap();
        assert!(wins_by_passing(&won));
        let mut lost = game("OO./OO./...", Color::White);
        lost.play(Color::White, Move::Pass).unwrap();
        assert!(!wins_by_passing(&lost));
    }
}
