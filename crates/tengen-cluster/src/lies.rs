//! False games: which of them merging notices, and which a replay on another worker.

use super::games;
use super::run::{ClusterError, FINGERPRINT, Simulated};
use super::settings::Settings;
use super::simulation::{Load, simulate};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use tengen_go::seed::mix;
use tengen_results::{Fingerprint, Outcome, PlayedGame, RunLock};
use tengen_stats::{Elo, Interval, Level, Pairs};
use tengen_tournament::{LOCK, SessionError, merge};

/// A way in which the chunk of a worker is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// None: the chunk is right.
    Nothing,
    /// The games were played under other settings.
    Settings,
    /// The games were played by a program whose bots play otherwise.
    Program,
    /// A game has the seed of another.
    Seed,
    /// A game is missing.
    Missing,
    /// The winner of a game is another than that of the game played.
    Winner,
}

impl Lie {
    /// All, in the order in which the table has them.
    pub const ALL: [Self; 6] =
        [Self::Nothing, Self::Settings, Self::Program, Self::Seed, Self::Missing, Self::Winner];
}

/// Writes a tournament of two chunks, the second of which holds `lie`, and merges it.
/// Returns what merging says; none if it notices nothing.
///
/// # Errors
/// If a file cannot be written.
///
/// # Panics
/// If the tournament of `simulated` has fewer than two pairs.
pub fn merged(
    simulated: &Simulated,
    lie: Lie,
    scratch: &Path,
) -> Result<Option<String>, ClusterError> {
    let Simulated { tournament, schedule, fingerprint, .. } = simulated;
    let folder = tempfile::tempdir_in(scratch)?;
    let (settings, behavior) = FINGERPRINT.split_at(FINGERPRINT.len() / 2);
    let other = match lie {
        Lie::Settings => format!("{}{behavior}", settings.replace('9', "8")),
        Lie::Program => format!("{settings}{}", behavior.replace('7', "8")),
        _ => FINGERPRINT.to_owned(),
    };
    let own: Fingerprint = other.parse().expect("a fingerprint");
    let honest = |game: usize| {
        let plan = schedule.plan(game);
        games::played(tournament, &plan, &simulated.games[game])
    };
    let turned = |mut game: PlayedGame| {
        let outcome = &mut game.row.outcome;
        *outcome = if *outcome == Outcome::Black { Outcome::White } else { Outcome::Black };
        game
    };
    for (number, by) in [(1, *fingerprint), (2, own)] {
        let chunk: tengen_tournament::Chunk = format!("{number}/2").parse().expect("a chunk");
        let Some(mut file) = chunk.open(tournament, by, folder.path())? else { continue };
        let is_false = number == 2;
        for (place, game) in chunk.games(schedule.games()).enumerate() {
            let mut row = honest(game);
            match lie {
                Lie::Seed if is_false && place == 0 => row.row.seed ^= 1,
                Lie::Winner if is_false && place == 0 => row = turned(row),
                _ => {}
            }
            file.append(&row)?;
        }
        file.close()?;
        if is_false && lie == Lie::Missing {
            let path = chunk.path(folder.path());
            let text = fs::read_to_string(&path)?;
            let last = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
            fs::write(&path, &text[..last])?;
        }
    }
    let lock = RunLock::take(folder.path(), LOCK).map_err(SessionError::from)?;
    match merge(tournament, *fingerprint, &lock) {
        Ok(()) => Ok(None),
        Err(fault @ (SessionError::Foreign(_) | SessionError::Missing(_))) => {
            let folder = folder.path().display().to_string();
            let said = fault.to_string().replace(&format!("{folder}/"), "");
            Ok(Some(said.replace(&folder, "the folder")))
        }
        Err(fault) => Err(fault.into()),
    }
}

/// What replaying a share of the games finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LieFound {
    /// The share of the games that were played again.
    pub replayed: f64,
    /// Workers that reported a false game, and those of them that were found.
    pub liars: (usize, usize),
    /// The share that is found on average: the mean of 1 − (1 − q)^m over the liars, where
    /// a liar reported m false games and q is the share that is played again.
    pub expected: f64,
    /// Elo of the first bot with all games.
    pub all: Option<Interval<Elo>>,
    /// Elo of the first bot without the games of the liars found.
    pub cleaned: Option<Interval<Elo>>,
}

/// A share of `settings.lies.liars` of `workers` workers reports lost games of the first bot
/// as won. For each share of games that is played again: how many liars are found, and what
/// is left of their effect. A game is chosen for a replay by its seed, whoever played it.
#[must_use]
pub fn detection(settings: &Settings, simulated: &Simulated, workers: usize) -> Vec<LieFound> {
    let (_, chunks) = simulated.chunks(settings.job.minutes, settings.job.per_worker * workers);
    let load = Load { chunks: &chunks, seconds: &simulated.seconds };
    let mut player = vec![0; simulated.games.len()];
    let (_, _) = simulate::<()>(settings, load, workers, |ended| {
        ended.games.iter().for_each(|&game| player[game] = ended.worker);
        ControlFlow::Continue(())
    });
    let below = |number: u64, share: f64| (number >> 11) as f64 / 2_f64.powi(53) < share;
    let lies = &settings.lies;
    let is_liar = |worker: usize| below(mix(settings.seed, worker as u64), lies.liars);
    let honest =
        |game: usize| simulated.games[game].of_first(&simulated.schedule.plan(game)).halves() == 2;
    // Draw number `draw` about a game.
    let draw =
        |game: usize, draw: u64| mix(mix(simulated.schedule.plan(game).seed, game as u64), draw);
    let is_false = |game: usize| {
        is_liar(player[game]) && !honest(game) && below(draw(game, 0), lies.falsified)
    };
    let mut told = BTreeMap::<usize, Vec<usize>>::new();
    for game in (0..player.len()).filter(|&game| is_false(game)) {
        told.entry(player[game]).or_default().push(game);
    }
    let elo = |without: &BTreeSet<usize>| {
        let mut pairs = Pairs::default();
        for first in (0..player.len()).step_by(2) {
            let both = [first, first + 1];
            if both.iter().all(|&game| !without.contains(&player[game])) {
                let [one, other] = both.map(|game| {
                    let won = honest(game) || is_false(game);
                    if won { tengen_stats::Outcome::Win } else { tengen_stats::Outcome::Loss }
                });
                pairs.record(one, other);
            }
        }
        pairs.elo_interval(Level::P95)
    };
    let found = |replayed: f64| {
        let is_found = |games: &Vec<usize>| games.iter().any(|&g| below(draw(g, 1), replayed));
        let found: BTreeSet<usize> =
            told.iter().filter(|(_, games)| is_found(games)).map(|(&worker, _)| worker).collect();
        let chance = |games: &Vec<usize>| {
            1.0 - (games.len() as f64 * (1.0 - replayed).max(f64::MIN_POSITIVE).ln()).exp()
        };
        LieFound {
            replayed,
            liars: (told.len(), found.len()),
            expected: told.values().map(chance).sum::<f64>() / told.len().max(1) as f64,
            all: elo(&BTreeSet::new()),
            cleaned: elo(&found),
        }
    };
    lies.replayed.iter().map(|&replayed| found(replayed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{MODEL, restless};

    #[test]
    fn merging_notices_all_but_a_false_winner() {
        let simulated = Simulated::new(&restless(), MODEL, 3, 0.0);
        let scratch = tempfile::tempdir().unwrap();
        let says = |lie| merged(&simulated, lie, scratch.path()).unwrap();
        assert_eq!(says(Lie::Nothing), None);
        for (lie, part) in [
            (Lie::Settings, "chunk-2-of-2.csv has the fingerprint of other settings"),
            (Lie::Program, "chunk-2-of-2.csv has the fingerprint of a program whose bots"),
            (Lie::Seed, "game 2 of chunk-2-of-2.csv is not the one of this configuration"),
            (
                Lie::Missing,
                "1 game is in no finished chunk of the folder: chunk-2-of-2.csv has lost",
            ),
        ] {
            let said = says(lie).unwrap();
            assert!(said.contains(part), "{lie:?}: {said}");
        }
        assert_eq!(says(Lie::Winner), None);
    }

    #[test]
    fn replaying_all_games_finds_all_liars() {
        let settings = restless();
        let simulated = Simulated::new(&settings, MODEL, 3, 0.0);
        let [none, some, all] = detection(&settings, &simulated, 20)[..] else { panic!() };
        let (liars, found) = all.liars;
        assert!(liars > 2 && found == liars, "{all:?}");
        assert!((all.expected - 1.0).abs() < 1e-9);
        assert_eq!((none.liars.1, none.expected), (0, 0.0));
        assert!(some.expected > 0.0 && some.expected < 1.0);
        // Lies make the first bot stronger than it is.
        let (before, after) = (all.all.unwrap(), all.cleaned.unwrap());
        assert!(before.low.0 > after.low.0, "{before:?} {after:?}");
        assert!(after.contains(&Elo(0.0)), "{after:?}");
    }
}
