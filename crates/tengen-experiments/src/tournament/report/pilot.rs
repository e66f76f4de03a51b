//! What a played run says about a run that is planned: how its pairs come out, and how long its
//! games take.

use crate::run::{Experiment, MANIFEST, RunError, manifest_at, rows};
use crate::tournament::{GameRow, Tournament};
use std::collections::BTreeMap;
use std::path::Path;
use tengen_stats::{Games, Outcome, PairKind, Pairs};

/// A played run as a pilot of a planned one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// How the games of its pairs depend on each other, all pairings together.
    pub kind: PairKind,
    /// Number of its pairs.
    pub pairs: u64,
    /// Seconds of one thread per game; none if the run has no manifest.
    pub seconds_per_game: Option<f64>,
}

impl Pilot {
    /// The run at `path`, its folder or its `games.csv`, also packed as `games.csv.xz`. Refuses a
    /// run without a complete pair.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let file =
            if path.is_dir() { rows::find(path, Tournament::ROWS) } else { Some(path.to_owned()) };
        let refused = |what: &str| RunError::Input(format!("{}: {what}", path.display()));
        let file = file.ok_or_else(|| refused("no games.csv in this folder"))?;
        let signed = rows::read_file::<GameRow>(&file)?;
        let games: Vec<GameRow> = signed.into_iter().map(|signed| signed.row).collect();
        let matches = matches(&games);
        let pairs = matches.iter().map(|(pairs, _)| pairs.count()).sum();
        let kind =
            PairKind::of_matches(&matches).ok_or_else(|| refused("no complete pair of games"))?;
        let manifest = file.with_file_name(MANIFEST);
        let seconds_per_game = if manifest.exists() { seconds(&manifest)? } else { None };
        Ok(Self { kind, pairs, seconds_per_game })
    }
}

/// The pairs and the games of each pairing, seen from the bot that is Black in its first game.
fn matches(games: &[GameRow]) -> Vec<(Pairs, Games)> {
    let mut matches = BTreeMap::<usize, (Pairs, Games)>::new();
    let mut waiting = BTreeMap::<(usize, usize), Outcome>::new();
    for row in games {
        let Some(result) = row.of_first() else { continue };
        let (pairs, games) = matches.entry(row.pairing).or_default();
        games.record(result);
        match waiting.remove(&(row.pairing, row.pair)) {
            Some(other) => pairs.record(other, result),
            None => drop(waiting.insert((row.pairing, row.pair), result)),
        }
    }
    matches.into_values().collect()
}

/// Seconds of one thread per game, from the sessions of the manifest `path`.
fn seconds(path: &Path) -> Result<Option<f64>, RunError> {
    let sessions = manifest_at(path)?.sessions;
    let ended = sessions.iter().filter_map(|session| {
        Some((session.seconds? * session.threads as f64, session.units? as f64))
    });
    let (seconds, games) = ended.fold((0.0, 0.0), |(all, games), (s, g)| (all + s, games + g));
    Ok((games > 0.0).then(|| seconds / games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Outcome as Winner;

    #[test]
    fn pairs_are_counted_by_pairing_from_one_seat() {
        let row = |game: usize, pairing, pair, outcome| GameRow {
            game,
            pairing,
            pair,
            outcome,
            ..GameRow::example()
        };
        // Black wins both games of the first pair: it is split. The first bot wins the other pair.
        let games = [
            row(0, 0, 0, Winner::Black),
            row(2, 1, 0, Winner::Jigo),
            row(1, 0, 0, Winner::Black),
            row(3, 1, 0, Winner::Void),
            row(4, 0, 1, Winner::Black),
            row(5, 0, 1, Winner::White),
        ];
        let found = matches(&games);
        assert_eq!(found[0].0, Pairs::without_draws([0, 1, 1]));
        assert_eq!(found[0].1, Games { losses: 1, draws: 0, wins: 3 });
        assert_eq!(found[1], (Pairs::default(), Games { losses: 0, draws: 1, wins: 0 }));
    }
}
