//! What decides the games of a run: its settings, and how this program and its
//! bots play.
//!
//! A run may be played in several sessions, on several machines and by several
//! builds. Its rows belong together only if all of these would play the same
//! games, and comparing commits or versions does not show that: most changes of a
//! program change no game. So each bot plays small games to their end, whose digest is compared.

use super::config::Tournament;
use super::opening::Openings;
use super::openings;
use super::preflight::preflight;
use crate::run::{BotSignature, Digest, Provenance, RunError, WeightsOf, files};
use tengen_bots::{
    BotConfig, BotFailure, Decision, FailureKind, NamedBot, RandomConfig, SolverConfig,
};
use tengen_go::{Game, Move, Rules, Size, default_komi, default_max_plies};
use tengen_search::{Resource, ResourceFault, UctConfig};
use tengen_settings::Settings as _;
use toml::Table;

/// The longest side of the board of the games that a bot plays for its signature.
const SIDE: usize = 5;

/// Most simulations per move in the first plies of the game against itself, enough for a tree of some
/// depth, and the number of these plies.
const PLAYOUTS: u64 = 160;
const PLIES: usize = 16;

/// Most simulations per move after these plies, and in the game against random moves: how a bot
/// ends a game needs no deep tree.
const LATER_PLAYOUTS: u64 = 40;

/// Most simulations of the one move on a board of the run's own size.
const PLAYOUTS_AT_SIZE: u64 = 48;

/// Most positions that the solver examines per move.
const NODES: u64 = 20_000;

const SEED: u64 = 2026;

/// The end of a game in which the bot panics.
const PANICKED: &str = "panic";

/// The provenance of the games that this program plays for `tournament`; `programs`
/// has name and version of the GTP engine behind each bot, none for other bots.
///
/// A bot's signature is a digest of two games on a board of at most 5x5, both to their end: one
/// against itself and one against random moves, with fixed seeds. It covers every move, what the
/// searches found at the root, and how the games end. The bot has its own settings, but few
/// simulations per move and no clock, so that no signature depends on threads, instruction set or
/// machine.
pub fn provenance(
    tournament: &Tournament,
    programs: &[Option<String>],
) -> Result<Provenance, RunError> {
    Ok(Provenance {
        settings: settings_digest(&Table::try_from(tournament)?),
        openings: openings(tournament)?,
        bots: signatures_in(tournament, programs)?,
    })
}

/// The signatures of the bots of `tournament`.
fn signatures_in(
    tournament: &Tournament,
    programs: &[Option<String>],
) -> Result<Vec<BotSignature>, RunError> {
    let signature = |(number, bot): (usize, &NamedBot)| -> Result<_, RunError> {
        let signature = match &bot.config {
            config if config.kind() == "gtp" => {
                programs.get(number).cloned().flatten().unwrap_or_default()
            }
            config => match played(config, tournament) {
                Ok(digest) => digest.to_string(),
                Err(fault) if fault.resource() == Resource::RegisteredCode => {
                    let name = &bot.name;
                    return Err(RunError::Input(format!("bot {name} cannot play: {fault}")));
                }
                Err(fault) => return Err(fault.into()),
            },
        };
        let weights = WeightsOf::bot(&bot.config);
        Ok(BotSignature { name: bot.name.clone(), signature, weights })
    };
    tournament.bots.iter().enumerate().map(signature).collect()
}

/// The signatures of `bots`, any number of them, on boards of `size`, for an experiment of one's own; each bot
/// is prepared for a game, and plays games as for [`provenance`].
///
/// # Errors
/// A bot cannot play on this board.
pub fn signatures(bots: &[NamedBot], size: Size) -> Result<Vec<BotSignature>, RunError> {
    let text = format!("size = '{size}'\nbot = ['random', 'two-ply']");
    let any = Tournament::from_toml(&text).map_err(|error| RunError::Input(error.to_string()))?;
    let tournament = Tournament { bots: bots.to_vec(), ..any };
    signatures_in(&tournament, &preflight(&tournament)?)
}

/// The digest of the settings `config` that decide a game, and of the version of the files' format.
#[must_use]
pub fn settings_digest(config: &Table) -> Digest {
    Digest::of_settings(config.clone(), Tournament::ALL)
}

/// The digest of `config` as an earlier version computed it, when digests still included the paths of
/// weights files; `bots` gives those paths.
#[must_use]
pub fn settings_digest_with_paths(config: &Table, bots: &[BotSignature]) -> Digest {
    let mut table = config.clone();
    files::each(&mut table, &mut |name, _| {
        let bot = bots.iter().find(|bot| bot.name == name)?;
        Some(bot.weights.as_ref()?.file.clone())
    });
    Digest::of_settings_with_paths(table, Tournament::ALL)
}

/// The digest of one random opening and, for balanced openings, of games of the search that
/// evaluates them. Empty for openings that the settings give, since the digest of the settings
/// covers these.
fn openings(tournament: &Tournament) -> Result<Digest, ResourceFault> {
    let mut digest = Digest::default();
    if tournament.openings == Openings::Given {
        return Ok(digest);
    }
    let drawn = Tournament { openings: Openings::Random, ..tournament.clone() };
    // Random openings never fail.
    let game = openings::begin(&drawn, &drawn.schedule().plan(0));
    game.iter().flat_map(Game::moves).for_each(|(_, mv)| take_move(&mut digest, mv));
    if tournament.openings == Openings::Balanced {
        digest.text(&played(&UctConfig::plain().into(), tournament)?.to_string());
    }
    Ok(digest)
}

/// The signature of a bot: the digest of its games on a board of at most 5x5 and, for UCT in a run
/// on a larger board, of one move on a board of that size.
fn played(config: &BotConfig, tournament: &Tournament) -> Result<Digest, ResourceFault> {
    let mut digest = Digest::default();
    config.versions().iter().for_each(|version| digest.text(version));
    let rules = |size| Rules {
        komi: default_komi(size),
        max_plies: tournament.max_plies.min(default_max_plies(size)),
        ..tournament.rules()
    };
    let side = |side: usize| u8::try_from(side.min(SIDE)).unwrap_or(1);
    let (width, height) = (side(tournament.size.width()), side(tournament.size.height()));
    let small = Size::new(width, height).unwrap_or(tournament.size);
    let games = play_small(&mut digest, config, &Game::new(small, rules(small)));
    // A bot, or the network that judges its leaves, may not support a small board.
    let is_own = |fault: &ResourceFault| {
        matches!(fault.resource(), Resource::RegisteredCode | Resource::Evaluator)
    };
    let is_at_once = games.as_ref().is_err_and(is_own);
    if is_at_once && small != tournament.size {
        digest.text(PANICKED);
    } else {
        games?;
    }
    let plays_at_size = config.uct().is_some() || is_at_once;
    if plays_at_size && small != tournament.size {
        let game = Game::new(tournament.size, rules(tournament.size));
        let one = short(config, PLAYOUTS_AT_SIZE);
        play(&mut digest, [&one, &one], game, 1)?;
    }
    Ok(digest)
}

/// Adds to `digest` the game of the bot against itself from `start`, and its game against random moves.
fn play_small(digest: &mut Digest, config: &BotConfig, start: &Game) -> Result<(), ResourceFault> {
    let (thorough, quick) = (short(config, PLAYOUTS), short(config, LATER_PLAYOUTS));
    let random = RandomConfig {}.into();
    if let Some(game) = play(digest, [&thorough, &thorough], start.clone(), PLIES)? {
        play(digest, [&quick, &quick], game, usize::MAX)?;
    }
    play(digest, [&quick, &random], start.clone(), usize::MAX)?;
    Ok(())
}

/// The bot's configuration with at most `playouts` simulations per move, four workers
/// and no clock.
fn short(config: &BotConfig, playouts: u64) -> BotConfig {
    if let Some(uct) = config.uct() {
        let workers = uct.workers.min(4);
        let simulations = uct.simulations.unwrap_or(u64::MAX).min(playouts).max(workers.into());
        let simulations = Some(simulations);
        return UctConfig { simulations, seconds: None, workers, ..uct.clone() }.into();
    }
    if let Some(solver) = config.settings_of::<SolverConfig>() {
        return SolverConfig { nodes: solver.nodes.min(NODES), ..solver.clone() }.into();
    }
    config.clone()
}

/// Adds to `digest` at most `plies` plies from the position of `game`, played by bots with these
/// configurations, Black's first, and how the game ends; returns the game if it can go on.
fn play(
    digest: &mut Digest,
    configs: [&BotConfig; 2],
    mut game: Game,
    plies: usize,
) -> Result<Option<Game>, ResourceFault> {
    let [black, white] = configs;
    let mut bots = [black.build(SEED, None), white.build(SEED + 1, None)];
    for _ in 0..plies {
        if game.end().is_some() {
            break;
        }
        let player = game.to_play();
        let turn = match bots[player.index()].genmove(&game) {
            Ok(turn) => turn,
            Err(BotFailure::Resource(fault)) => return Err(fault),
            Err(BotFailure::Forfeit { kind: FailureKind::Panic, reason }) if game.ply() < 2 => {
                return Err(ResourceFault::because(Resource::RegisteredCode, reason));
            }
            // The message of a panic may contain a memory address.
            Err(BotFailure::Forfeit { kind: FailureKind::Panic, .. }) => {
                digest.text(PANICKED);
                return Ok(None);
            }
            Err(failure) => {
                digest.text(&failure.to_string());
                return Ok(None);
            }
        };
        digest.number(turn.simulations.unwrap_or(0));
        for found in turn.report.iter().flat_map(|report| &report.moves) {
            take_move(digest, found.mv);
            digest.number(found.visits);
            digest.number(found.reward.to_bits());
        }
        match turn.decision {
            Decision::Resign => {
                digest.text("resign");
                return Ok(None);
            }
            Decision::Move(mv) => {
                take_move(digest, mv);
                if let Err(fault) = game.play(player, mv) {
                    digest.text(&fault.to_string());
                    return Ok(None);
                }
            }
        }
    }
    digest.text(&game.score().to_result());
    Ok(Some(game).filter(|game| game.end().is_none()))
}

fn take_move(digest: &mut Digest, mv: Move) {
    digest.number(match mv {
        Move::Play(vertex) => u64::from(vertex.row) * 32 + u64::from(vertex.col),
        Move::Pass => u64::MAX,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_bots::{Bot, BotKind, MoveAnswer};
    use tengen_go::Bits;

    fn provenance_of(text: &str) -> Provenance {
        let tournament = text.parse::<Tournament>().unwrap();
        provenance(&tournament, &[]).unwrap()
    }

    const PLAIN: &str = "size = '9x9'\nbot = ['a=uct:simulations=50', 'b=random']\n";

    #[test]
    fn what_decides_no_game_is_none_of_it() {
        let plain = provenance_of(PLAIN);
        assert_eq!(plain, provenance_of(PLAIN));
        let rest = "pairs = 3\nname = 'x'\ncomments = true\n[sprt]\nelo0 = 0\nelo1 = 30";
        assert_eq!(plain, provenance_of(&format!("{PLAIN}{rest}")));
        for setting in ["komi = 0.5", "ko = 'simple'", "max_plies = 9", "seed = 2"] {
            let other = provenance_of(&format!("{PLAIN}{setting}"));
            assert_ne!(plain.settings, other.settings, "{setting}");
            assert_ne!(plain.fingerprint(), other.fingerprint(), "{setting}");
        }
    }

    #[test]
    fn any_number_of_bots_has_signatures() {
        let bots = PLAIN.parse::<Tournament>().unwrap().bots;
        let expected = provenance_of(PLAIN).bots;
        for count in 0..=2 {
            let found = signatures(&bots[..count], "9x9".parse().unwrap()).unwrap();
            assert_eq!(found, expected[..count]);
        }
    }

    #[test]
    fn bots_that_play_otherwise_have_other_signatures() {
        let settings = "simulations=61 exploration=0.3 policy=capture-escape:0.8 stop=mercy:10 \
                        workers=2 reuse=true final_move=value resign=0.9";
        let uct = settings.split(' ').map(|setting| format!("uct:{setting}"));
        let bots = ["random", "two-ply", "uct"].map(str::to_owned).into_iter().chain(uct);
        let list: Vec<String> = bots.map(|bot| format!("'{bot}'")).collect();
        let of = |size| provenance_of(&format!("size = '{size}'\nbot = [{}]", list.join(",")));
        for size in ["2x2", "1x7", "5x5", "19x19"] {
            assert_eq!(of(size), of(size), "{size}");
        }
        let signatures = of("5x5").bots;
        for (place, one) in signatures.iter().enumerate() {
            for other in &signatures[place + 1..] {
                assert_ne!(one.signature, other.signature, "{} and {}", one.name, other.name);
            }
        }
    }

    tengen_settings::settings! {
        "patient"
        /// Plays the first legal point, and from some ply on passes.
        #[derive(Clone)]
        struct Patient {
            /// That ply
            passes_from: u32 = 0, "PLY" One;
        }
    }

    impl BotKind for Patient {
        fn help() -> &'static str {
            "patient"
        }

        fn build<'pool>(
            &self,
            _: u64,
            _: Option<&'pool rayon::ThreadPool>,
        ) -> Box<dyn Bot + 'pool> {
            Box::new(self.clone())
        }
    }

    impl Bot for Patient {
        fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
            let first = game.sensible_points().iter().map(Bits::<6>::vertex).next();
            let mv = first.filter(|_| game.ply() < self.passes_from).map_or(Move::Pass, Move::Play);
            Ok(MoveAnswer::without_search(mv))
        }
    }

    #[test]
    fn how_a_bot_ends_a_game_is_part_of_its_signature() {
        tengen_bots::register::<Patient>("patient", "1").unwrap();
        let plies = [20, 21, 30, 31];
        for size in ["5x5", "9x9"] {
            let bots = plies.map(|ply| format!("'patient:passes_from={ply}'")).join(",");
            let bots = provenance_of(&format!("size = '{size}'\nbot = [{bots}]")).bots;
            let signatures: HashSet<String> = bots.into_iter().map(|bot| bot.signature).collect();
            assert_eq!(signatures.len(), plies.len(), "{size}");
        }
    }

    #[test]
    fn clocks_are_no_part_of_a_signature() {
        let of = |bot: &str| {
            let other = "b=uct:simulations=160";
            let text = format!("size = '5x5'\nbot = ['a={bot}', '{other}']");
            provenance_of(&text).bots[0].signature.clone()
        };
        assert_eq!(of("uct:seconds=0.5"), of("uct:simulations=1000000"));
    }
}
