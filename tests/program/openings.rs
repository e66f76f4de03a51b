//! Openings that cannot be had.

use crate::common::{Csv, Scratch, TOURNAMENT, printed, read};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tengen::commands;
use tengen::run::{Experiment, Run, Session};
use tengen::tournament::{GameRow, Outcome, Termination};
use tengen::tournament::{Tournament, provenance};

/// White is 40 points ahead on nine: no opening is balanced.
const ODD: &str = "bot = ['random', 'two-ply', 'r=random']\nsize = 3\nkomi = 40\npairs = 1\n\
                   opening_plies = 2\nformat = 'gauntlet'\nopenings = 'balanced'\n";

fn played(tournament: &Tournament, folder: &Path, threads: usize) -> Vec<GameRow> {
    let mut run = Run::begin(tournament, folder).unwrap();
    let provenance = provenance(tournament, &[]).unwrap();
    let mut session = Session::open(tournament, &mut run, &provenance, &commands::build()).unwrap();
    let stop = AtomicBool::new(false);
    session.play(commands::build(), threads.into(), &stop, |_| {}).unwrap();
    assert!(session.is_over());
    let rows = tournament.counted(session.rows().clone());
    session.finish().unwrap();
    rows
}

/// A pair without a balanced opening is not played on another one in silence.
#[test]
fn a_pair_without_a_balanced_opening_counts_nowhere_and_is_told() {
    let folder = Scratch::new();
    let tournament: Tournament = ODD.parse().unwrap();
    let rows = played(&tournament, &folder.join("run"), 1);
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert_eq!((row.outcome, row.termination), (Outcome::Void, Termination::Unplayed));
        assert!(row.reason.contains("none of 200 random openings is balanced"), "{}", row.reason);
        assert_eq!((row.score, row.plies, row.moves.as_str()), (None, 0, ""));
    }
    // The threads make no difference, and neither do more pairs.
    let mut more = tournament.clone();
    more.pairs = 2;
    let extended = played(&more, &folder.join("more"), 2);
    let told = |rows: &[GameRow]| -> Vec<_> {
        rows.iter().map(|row| (row.game, row.reason.clone())).collect()
    };
    assert_eq!(told(&extended)[..4], told(&rows));

    let said = printed(TOURNAMENT, &folder, "--report run");
    assert!(said.contains("4 of 4 games were not played"), "{said}");
    assert!(!said.contains("are different"), "games that were not played repeat none: {said}");
    let report = read(&folder.join("run/report.html"));
    assert!(report.contains("4 of 4 games were not played") && report.contains("4 unplayed"));
    assert!(report.contains("0 of 0 games are different."));
    let summary = Csv::read(&folder.join("run/summary.csv"));
    for row in 0..summary.len() {
        assert_eq!((summary.get(row, "games"), summary.get(row, "pairs")), ("0", "0"));
        assert_eq!(summary.get(row, "win_rate"), "");
    }
}
