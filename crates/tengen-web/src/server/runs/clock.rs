//! How long a run took, and how long it will take.

use super::folder::RunFolder;
use serde::Serialize;
use tengen_harness::run::{MANIFEST, Manifest};

/// Wall-clock times of a run, in seconds; none if its files do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Clock {
    /// The time of its sessions; the present session counts until its last game.
    pub elapsed: Option<f64>,
    /// The time left, if games take as long as in the present session.
    pub left: Option<f64>,
}

impl Clock {
    /// The clock of `run`, which has `finished` of its `expected` games or rounds; `rows` is its
    /// file of rows.
    pub fn of(run: &RunFolder, rows: &str, finished: usize, expected: usize) -> Self {
        let manifest = run.file(MANIFEST).ok().and_then(|path| Manifest::read(&path).ok());
        let sessions = manifest.map(|manifest| manifest.sessions).unwrap_or_default();
        let Some((last, before)) = sessions.split_last() else { return Self::default() };
        // A killed session has not written its end.
        let known = before.iter().map(|session| Some((session.seconds?, session.units?)));
        let known = known.collect::<Option<Vec<(f64, usize)>>>();
        let sums = known.map(|all| {
            all.into_iter()
                .fold((0.0, 0), |(time, units), (more, made)| (time + more, units + made))
        });
        let now = last.seconds.or_else(|| {
            // The manifest is written when a session begins.
            let [begun, played] = [MANIFEST, rows].map(|name| run.stamp(name));
            Some(played?.changed.saturating_sub(begun?.changed) as f64 / 1e3)
        });
        let (Some((time, units)), Some(now)) = (sums, now) else { return Self::default() };
        let made = finished.saturating_sub(units);
        let goes_on = last.finished.is_none() && made > 0;
        let left = expected.saturating_sub(finished) as f64 * now / made as f64;
        Self { elapsed: Some(time + now), left: goes_on.then_some(left) }
    }
}
