//! The plan of a run: what was committed before the first game, and where it can be looked up.

use super::Manifest;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The commit of the file with the settings of a run, and with the rule by which it is decided.
///
/// It proves what was planned to whoever has the repository: the commit holds the file as it was
/// played, and its hash covers all commits before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The file, from the root of the repository.
    pub file: String,
    /// The last commit that changed it.
    pub commit: String,
    /// Time of that commit, UTC.
    pub committed: String,
}

impl Plan {
    /// The plan in `file`; none if it is in no git repository, or differs from the last commit.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        let file = file.canonicalize().ok()?;
        let (folder, name) = (file.parent()?, file.file_name()?.to_str()?);
        let git = |arguments: &[&str]| -> Option<String> {
            let mut command = Command::new("git");
            let found = command.current_dir(folder).args(arguments).args(["--", name]).output();
            let found = found.ok().filter(|found| found.status.success())?;
            Some(String::from_utf8(found.stdout).ok()?.trim().to_owned())
        };
        if !git(&["status", "--porcelain", "--ignored"])?.is_empty() {
            return None;
        }
        let file = git(&["ls-files", "--full-name"]).filter(|file| !file.is_empty())?;
        let log = git(&["log", "-1", "--format=%H %ct"])?;
        let (commit, seconds) = log.split_once(' ')?;
        let committed = OffsetDateTime::from_unix_timestamp(seconds.parse().ok()?).ok()?;
        let committed = committed.format(&Rfc3339).ok()?;
        Some(Self { file, commit: commit.to_owned(), committed })
    }
}

impl Manifest {
    /// A sentence that says that the run was planned; none if its plan was committed after the first
    /// session began. Times are whole seconds: a run may begin in the second of its commit.
    #[must_use]
    pub fn planned(&self) -> Option<String> {
        let Plan { file, commit, committed } = self.plan.as_ref()?;
        let started = &self.sessions.first()?.started;
        let short = commit.get(..10).unwrap_or(commit);
        // Both are written alike, in UTC.
        (committed <= started).then(|| {
            format!(
                "planned in {file} of commit {short}, {committed}, before the first game, {started}"
            )
        })
    }

    /// The numbers of units after which the result of the run was known, the present one last: one
    /// number, or more if the run was extended. Empty where no session recorded its number.
    #[must_use]
    pub fn looks(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.sessions.iter().filter_map(|s| s.scheduled).collect();
        lengths.dedup();
        lengths
    }

    /// A sentence on how often the run was extended after its result was known; none if it never
    /// was.
    #[must_use]
    pub fn extended(&self) -> Option<String> {
        let lengths = self.looks();
        let [before @ .., last] = &lengths[..] else { return None };
        (!before.is_empty()).then(|| {
            let before: Vec<String> = before.iter().map(usize::to_string).collect();
            format!(
                "{} looks: extended after {} games to {last}, so that the intervals of the tables, \
                 which are for one look, are too narrow",
                lengths.len(),
                before.join(" and ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Build, SessionRecord};

    fn manifest(plan: Option<Plan>, sessions: &[(&str, usize)]) -> Manifest {
        let session = |&(started, scheduled): &(&str, usize)| SessionRecord {
            started: started.to_owned(),
            scheduled: Some(scheduled),
            ..SessionRecord::begin(1, Build::default())
        };
        let sessions = sessions.iter().map(session).collect();
        Manifest { plan, sessions, ..Manifest::default() }
    }

    #[test]
    fn planned_is_said_only_of_what_was_planned_before() {
        let plan = Plan {
            file: "question.toml".to_owned(),
            commit: "0123456789abcdef".to_owned(),
            committed: "2026-11-22T10:00:00Z".to_owned(),
        };
        let said =
            |plan: &Option<Plan>, started| manifest(plan.clone(), &[(started, 10)]).planned();
        let plan = Some(plan);
        let found = said(&plan, "2026-11-22T10:00:01Z").unwrap();
        assert!(found.contains("question.toml of commit 0123456789,"), "{found}");
        assert!(said(&plan, "2026-11-22T10:00:00Z").is_some(), "committed in the same second");
        assert_eq!(said(&plan, "2026-11-22T09:59:59Z"), None);
        assert_eq!(said(&None, "2026-11-22T10:00:01Z"), None);
    }

    #[test]
    fn looks_are_counted() {
        let at = "2026-11-22T10:00:00Z";
        let said = |lengths: &[usize]| {
            let sessions: Vec<_> = lengths.iter().map(|&length| (at, length)).collect();
            manifest(None, &sessions).extended()
        };
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[100, 100]), None, "a run that was stopped is no look");
        let found = said(&[100, 200, 200, 400]).unwrap();
        assert!(found.starts_with("3 looks: extended after 100 and 200 games to 400"), "{found}");
        let sessions = [(at, 100), (at, 200), (at, 200)];
        assert_eq!(manifest(None, &sessions).looks(), [100, 200]);
    }
}
