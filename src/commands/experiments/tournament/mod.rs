//! The program `tournament`: plays a tournament, writes its folder and prints a table.

mod standing;

use crate::bots::{BotConfig, SideBySide};
use crate::commands::front::{Answer, Front, General, Told, is_of_file, not_over, saved};
use crate::commands::scaling::matches::tables as scaling;
use crate::commands::settings::SettingsFile;
use crate::commands::{Caller, Failure};
use crate::kind::Kind;
use crate::run::{
    CONFIG, Concurrency, Experiment, FileFault, Manifest, Plan, Provenance, Rows, Run, RunError,
    SCHEMA, SEARCHES,
};
use crate::settings::{SettingError, Settings};
use crate::tournament::report;
use crate::tournament::{
    GameRow, Outline, Tournament, settings_digest, settings_digest_with_paths,
};
use crate::training::{self, LEAVE_OUT, Recorded, check_file, check_kept};
use standing::Standing;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use toml::Table;

/// Play a tournament between bots, with win rates, Elo and ratings
///
/// The bots play colour-swapped pairs of games from random openings; both games of a pair begin
/// with one opening. The command writes a folder: games.csv (one row per game), summary.csv (one
/// row per bot and one per pairing, with 95 % intervals), plots, report.html, and config.toml and
/// manifest.toml, which repeat the run.
#[derive(Debug, Default, clap::Args)]
#[command(
    after_help = format!("\
Kinds of bots:\n{}

Without --bot and --config the program plays its default tournament on 5x5: \
random moves, two plies of minimax, and UCT at several exploration constants and with RAVE.

`tengen analyze --bot SPEC` shows one search.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games equal those of an uninterrupted run.

Examples: does c = 0.4 beat c = 1.0 at 1,000 simulations per move on 9x9?
  tournament --size 9 --pairs 200 --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0
and stopping as soon as that is known:
  tournament --size 9 --sprt \"elo0=0 elo1=50\" --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0",
        BotConfig::help()
    )
)]
pub struct Play {
    /// Read the settings from a plan: a committed TOML file with the key `rule`
    ///
    /// --plan replaces --config. The command refuses FILE unless it has the key `rule` and is
    /// committed unmodified, and refuses options that change a setting of FILE. The commit then
    /// proves that the rule was planned before the games.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "resume", "merge", "report"])]
    plan: Option<PathBuf>,
    /// Write each searched position to FILE.npz for numpy when the run is over
    ///
    /// A position has the visits of its moves and the result of its game. Give --training again
    /// with --resume, with --merge and with every --chunk. --report DIR --training FILE.npz writes
    /// the positions of the games so far.
    #[arg(long, value_name = "FILE.npz")]
    training: Option<PathBuf>,
}

impl Front for Play {
    type Experiment = Recorded;
    const KINDS: &'static [Kind] = &[Kind::TOURNAMENT, Kind::SCALING];
    const DEFAULT: &'static str = include_str!("../../../../experiments/configs/default.toml");
    const INSTEAD_OF_DEFAULT: &'static [&'static str] = &["bot"];
    const SHOWN_FIRST: &'static [&'static str] = &["bot", "size", "pairs", "seed"];
    const EXTENT: Result<&'static str, &'static str> = Ok("pairs");

    fn prepare(&self, general: &mut General) -> Result<(), Failure> {
        if let Some(plan) = &self.plan {
            general.config = Some(plan.clone());
        }
        // Refused before any game; a chunk writes no training file: merging the chunks does.
        if let (Some(file), None) = (&self.training, general.chunk) {
            check_file(file)?;
        }
        Ok(())
    }

    fn read(&self, table: Table) -> Result<Recorded, SettingError> {
        Ok(Recorded::new(Tournament::from_table(table)?, self.training.is_some()))
    }

    #[cfg(feature = "serve")]
    fn extent(&self, played: &Recorded) -> Result<(String, Option<f64>), SettingError> {
        let games = played.most_units();
        Ok((format!("{games} games"), played.tournament.estimated_seconds(games)))
    }

    fn check(
        &self,
        played: &Recorded,
        on: Concurrency<'_>,
        file: Option<&SettingsFile>,
    ) -> Result<(), Failure> {
        let Recorded { tournament, .. } = played;
        let has_program =
            tournament.bots.iter().any(|bot| bot.config.side_by_side() == SideBySide::PerProcess);
        if on.games_per_thread > 1 && !has_program {
            refuse!("--games-per-thread applies only to a tournament with a bot of kind gtp");
        }
        let Some(path) = &self.plan else { return Ok(()) };
        let refused = |expected: &str| {
            Err(Failure::usage(format!("--plan {}: expected {expected}", path.display())))
        };
        if tournament.rule.is_empty() {
            return refused("the key `rule`, such as rule = [\"new > old + 20\"]");
        }
        if !is_of_file(self, played, file) {
            return refused("no other setting on the command line, since the plan has them all");
        }
        if Plan::of(path).is_none() {
            return refused("a file in a git repository, committed unmodified");
        }
        Ok(())
    }

    fn watch<'a>(
        &self,
        played: &'a Recorded,
        caller: &dyn Caller,
        there: &Rows<GameRow>,
    ) -> Told<'a, GameRow> {
        let mut standing = Standing::new(caller, &played.tournament, there);
        Box::new(move |rows| rows.iter().for_each(|row| standing.finished(row)))
    }

    /// GTP engines need not be installed here to merge games that they played elsewhere.
    fn merged(&self, run: &Run, played: &mut Recorded) -> Result<Provenance, Failure> {
        let folder = run.directory.path();
        if let Some(path) = edited_config(run)? {
            let path = path.display();
            refuse!("{path} is not what the run was begun with: undo the change");
        }
        if self.training.is_some() {
            check_kept(&run.directory, LEAVE_OUT)?;
        }
        played.keeps_searches |= folder.join(SEARCHES).exists();
        Ok(match &run.manifest.provenance {
            Some(provenance) => provenance.clone(),
            None => played.provenance()?.seen_from(folder),
        })
    }

    /// Finishes runs of any version.
    fn finish(&self, run: &Run, caller: &dyn Caller) -> Result<Answer, Failure> {
        if self.training.is_some() {
            check_kept(&run.directory, LEAVE_OUT)?;
        }
        let folder = run.directory.path();
        if let Some(path) = edited_config(run)? {
            let path = path.display();
            caller.say(&format!("warning: {path} is not what the games were played under"));
        }
        let outline = Outline::of(&run.config()?)?;
        let found = outline.read(folder)?;
        let there = found.len();
        let (rows, test) = outline.counted(found);
        let (mut printed, json) = report::write(&run.directory, &outline, &rows, test.as_ref())?;
        let all = outline.schedule().games();
        // The tables of the games need no settings that this version may not know.
        if let Ok(Recorded { tournament, .. }) = saved(self, run) {
            warn_of_unlike_machines(&tournament, &run.manifest, caller);
            if rows.len() == all {
                printed += &scaling(&tournament, &outline, &rows, &run.directory)?;
            }
        }
        if rows.len() < all && outline.sprt.is_none() && outline.eliminate.is_none() {
            let counted = rows.len();
            let count = if counted < there {
                let waiting = there - counted;
                format!(
                    " ({counted} count, {waiting} wait for missing earlier games of their pairings)"
                )
            } else {
                String::new()
            };
            writeln!(printed, "{}", not_over(&format!("{there} of {all} games{count}"), folder))?;
        }
        let Some(file) = &self.training else { return Ok(Answer { text: printed, json }) };
        let count =
            training::write(file, &outline, &rows, folder).map_err(|fault| match fault {
                RunError::File(fault) if !fault.is_input => {
                    let (folder, file) = (folder.display(), file.display());
                    let again = format!("write it again with --report {folder} --training {file}");
                    let said = format!("{fault}; the games are kept: {again}");
                    RunError::File(FileFault { said, ..fault })
                }
                other => other,
            })?;
        writeln!(printed, "{count} positions in {}", file.display())?;
        Ok(Answer { text: printed, json })
    }

    fn resumed_with(&self) -> String {
        let option = |file: &PathBuf| format!(" --training {}", file.display());
        self.training.as_ref().map(option).unwrap_or_default()
    }
}

/// Warns if bots whose play depends on the speed of the machine were played on different
/// processors.
fn warn_of_unlike_machines(tournament: &Tournament, manifest: &Manifest, caller: &dyn Caller) {
    let timed = tournament.bots.iter().filter(|bot| bot.config.side_by_side() != SideBySide::Any);
    let timed: Vec<&str> = timed.map(|bot| bot.name.as_str()).collect();
    let sessions = manifest.sessions.iter().filter(|session| session.units != Some(0));
    let cpus: BTreeSet<&str> =
        sessions.filter_map(|session| session.machine.cpu.as_deref()).collect();
    if !timed.is_empty() && cpus.len() > 1 {
        caller.say(&format!(
            "warning: the games were played on unlike processors ({}), and {} may play stronger \
             on a faster one",
            cpus.into_iter().collect::<Vec<_>>().join(", "),
            timed.join(", ")
        ));
    }
}

/// The path of the `config.toml` of `run` if it was edited: its settings differ from the
/// manifest's. None for runs of other versions, which computed the digest in another way. Paths of
/// files may differ.
fn edited_config(run: &Run) -> Result<Option<PathBuf>, Failure> {
    let Some(provenance) =
        run.manifest.provenance.as_ref().filter(|_| run.manifest.schema == SCHEMA)
    else {
        return Ok(None);
    };
    let config = run.config()?;
    let digests = [settings_digest(&config), settings_digest_with_paths(&config, &provenance.bots)];
    let is_edited = !digests.contains(&provenance.settings);
    Ok(is_edited.then(|| run.directory.path().join(CONFIG)))
}
