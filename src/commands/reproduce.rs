//! `tengen reproduce`: plays games of a run again, and compares them with its rows.

use super::front::Front;
use super::progress::Progress;
use super::settings::{SettingsFile, refuse_measurement};
use super::tournament::Play;
use super::{Failure, Host, cores};
use crate::bots::{NamedBot, SideBySide};
use crate::go::Game;
use crate::run::{CONFIG, MANIFEST, Manifest, checkout, manifest_at};
use crate::seed::mix;
use crate::settings::Settings as _;
use crate::tournament::{GameRow, Outline, Tournament, play_games};
use anyhow::anyhow;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Play games of a run again, and compare them with its rows
///
/// The command plays games of a tournament again from the config.toml of the run. It compares
/// moves, score, winner, end and simulations with the rows. It names the commit of the run, and
/// each later commit that changed how bots play. The exit code is 1 if a game differs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen reproduce results/2026-11-25-reuse-9x9 --games 20")]
pub struct Arguments {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of games to play, evenly spread over the rows
    #[arg(long, value_name = "GAMES", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

/// The commits that changed how bots play, from the first.
const CHANGES: &str = include_str!("changes.csv");

/// A commit that changed the games of bots.
#[derive(Debug, Deserialize)]
struct Change {
    commit: String,
    /// When it was committed, UTC.
    date: String,
    what: String,
}

/// Plays games of the run again.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Arguments { folder, games } = arguments;
    let file = SettingsFile::read(&folder.join(CONFIG), Play::KINDS)?;
    refuse_measurement(folder)?;
    let outline = Outline::of(&file.table)?;
    let tournament = Tournament::from_table(file.table.clone())
        .map_err(|error| Failure::usage(format!("{}: {error}", folder.join(CONFIG).display())))?;
    let manifest = manifest_at(&folder.join(MANIFEST))?;
    let schedule = tournament.schedule();
    let found = outline.read(folder)?.into_iter().map(|row| (row.game, row));
    let mut rows: BTreeMap<usize, GameRow> = found.collect();
    let all = rows.len();
    let why_not = why_not(&tournament);
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    rows.retain(|&game, _| {
        let plan = schedule.plan(game);
        let bots = [plan.bots.first, plan.bots.second];
        let reason = bots.iter().find_map(|&bot| why_not[bot].as_deref());
        reason.map(|reason| *left_out.entry(reason).or_default() += 1).is_none()
    });
    for (reason, count) in left_out {
        writeln!(host.output, "{count} of {all} games cannot be compared: {reason}")?;
    }
    describe(&manifest, host)?;
    let there: Vec<usize> = rows.keys().copied().collect();
    let count = there.len().min(*games as usize);
    if count == 0 {
        return Err(anyhow!("{} has no game that can be compared", folder.display()).into());
    }
    let due: Vec<usize> = spread(there.len(), count).map(|place| there[place]).collect();
    let without_moves = due.iter().filter(|game| !rows[game].has_moves()).count();
    if without_moves > 0 {
        writeln!(host.output, "{without_moves} rows have no moves: all else is compared")?;
    }
    let differing = play_again(&tournament, &rows, &due, host)?;
    let different = differing.len();
    let equal = count - different;
    writeln!(host.output, "{equal} of {count} games are equal, {different} differ")?;
    let Some((game, what)) = differing.first_key_value() else { return Ok(()) };
    writeln!(host.output, "the first that differs is game {game}: {what}")?;
    let folder = folder.display();
    Err(anyhow!("{different} of {count} games differ from the games in {folder}").into())
}

/// `count` of `all` places: a random one in each of `count` equal parts, the same at every call.
/// Equal steps would meet one pairing again and again, since a schedule goes through all pairings
/// in turn.
fn spread(all: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |part| {
        let [begin, end] = [part, part + 1].map(|part| part * all / count);
        let place = mix(all as u64, part as u64) % (end - begin) as u64;
        begin + usize::try_from(place).unwrap_or_default()
    })
}

/// Plays the games `due`; returns the difference for each game that differs from its row.
fn play_again(
    tournament: &Tournament,
    rows: &BTreeMap<usize, GameRow>,
    due: &[usize],
    host: &Host<'_>,
) -> Result<BTreeMap<usize, String>, Failure> {
    let stop = host.caller.stop()?;
    let mut progress = Progress::new(host.caller, due.len(), 0, "games");
    let (mut differing, mut played) = (BTreeMap::new(), 0);
    play_games(tournament, cores(), due, &stop, |game| {
        progress.advance();
        played += 1;
        if let Some(what) = difference(&rows[&game.row.game], &game.row) {
            differing.insert(game.row.game, what);
        }
        Ok::<(), anyhow::Error>(())
    })?;
    if played < due.len() {
        return Err(anyhow!("stopped after {played} of {} games", due.len()).into());
    }
    Ok(differing)
}

/// Why the games of each bot cannot be compared; none for a bot that repeats its games.
fn why_not(tournament: &Tournament) -> Vec<Option<String>> {
    let reason = |bot: &NamedBot| {
        let NamedBot { name, config } = bot;
        if config.side_by_side() == SideBySide::One {
            return Some(format!("{name} has a clock"));
        }
        let game = Game::new(tournament.size, tournament.rules());
        let begun = config.build(tournament.seed, None).begin(&game, "reproduce");
        begun.err().map(|failure| format!("{name} cannot play here: {failure}"))
    };
    tournament.bots.iter().map(reason).collect()
}

/// Names the commit that made the run, and the later commits that changed how bots play.
fn describe(manifest: &Manifest, host: &mut Host<'_>) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (manifest.sessions.first(), manifest.sessions.last()) else {
        writeln!(host.output, "the manifest names no commit")?;
        return Ok(());
    };
    let (started, build) = (&first.started, &last.build);
    let dirty = if build.dirty == Some(true) { " with changes" } else { "" };
    let commit = &build.commit;
    let how = if manifest.is_by(&super::build()) {
        "this program was built from that commit".to_owned()
    } else {
        checkout(commit)
    };
    writeln!(host.output, "the run was made by commit {commit}{dirty}, {started}: {how}")?;
    for change in csv::Reader::from_reader(CHANGES.as_bytes()).deserialize() {
        let Change { commit, date, what } = change?;
        // Both dates have the same form, in UTC.
        if *started < date {
            writeln!(host.output, "changed since: commit {commit} of {date}: {what}")?;
        }
    }
    Ok(())
}

/// What differs between a row of a run and the same game played again; none if only times differ.
fn difference(row: &GameRow, again: &GameRow) -> Option<String> {
    if row.has_moves() && row.moves != again.moves {
        let [before, after] = [row, again].map(|row| row.moves.split_whitespace());
        let ply = 1 + before.clone().zip(after.clone()).take_while(|(a, b)| a == b).count();
        let at = |mut moves: std::str::SplitWhitespace<'_>| {
            moves.nth(ply - 1).map_or("the end".to_owned(), str::to_owned)
        };
        let (before, after) = (at(before), at(after));
        return Some(format!("ply {ply}: {before} in the run, {after} now"));
    }
    let figures = |row: &GameRow| {
        let number = |number: Option<String>| number.unwrap_or_else(|| "none".to_owned());
        [
            ("the number of plies", row.plies.to_string()),
            ("the winner", <&str>::from(row.outcome).to_owned()),
            ("the termination", row.termination.to_string()),
            ("the score", number(row.score.map(|score| score.to_string()))),
            ("the size", row.size.to_string()),
            ("the komi", row.komi.to_string()),
            ("Black's simulations", number(row.black_simulations.map(|n| n.to_string()))),
            ("White's simulations", number(row.white_simulations.map(|n| n.to_string()))),
        ]
    };
    let mut both = figures(row).into_iter().zip(figures(again));
    let ((what, before), (_, after)) = both.find(|(before, after)| before != after)?;
    Some(format!("{what}: {before} in the run, {after} now"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn changes_are_in_order() {
        let changes: Vec<Change> = csv::Reader::from_reader(CHANGES.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(changes.is_sorted_by(|one, other| one.date < other.date), "{changes:?}");
        let is_date = |change: &Change| change.date.len() == 20 && change.date.ends_with('Z');
        assert!(changes.iter().all(|change| is_date(change) && !change.what.is_empty()));
    }

    #[test]
    fn games_are_spread_over_all_pairings() {
        assert!(spread(18, 18).eq(0..18));
        let places: Vec<usize> = spread(840, 42).collect();
        assert!(places.iter().enumerate().all(|(part, place)| place / 20 == part), "{places:?}");
        // 7 bots have 21 pairings, with two games for each in turn.
        let pairings: BTreeSet<usize> = places.iter().map(|place| place / 2 % 21).collect();
        assert!(pairings.len() > 14, "{pairings:?}");
    }

    #[test]
    fn the_first_difference_is_named() {
        let row = GameRow::example();
        let seconds = GameRow { black_seconds: 9.0, run: "other".into(), ..row.clone() };
        assert_eq!(difference(&row, &seconds), None);
        let moves = |moves: &str| GameRow { moves: moves.into(), ..row.clone() };
        let said = |again: &GameRow| difference(&row, again).unwrap();
        assert_eq!(said(&moves("C3 A1 B1 pass pass")), "ply 3: B2 in the run, B1 now");
        assert_eq!(said(&moves("C3 A1")), "ply 3: B2 in the run, the end now");
        let score = GameRow { score: Some(-1.5), ..row.clone() };
        assert_eq!(said(&score), "the score: -2.5 in the run, -1.5 now");
        let fewer = GameRow { black_simulations: Some(149), ..row.clone() };
        assert_eq!(said(&fewer), "Black's simulations: 150 in the run, 149 now");
        // A row without moves.
        assert_eq!(difference(&moves(""), &row), None);
        assert!(difference(&moves(""), &score).is_some());
    }
}
