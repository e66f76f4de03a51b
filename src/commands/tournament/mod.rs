//! The program `tournament`: plays a tournament, writes its folder and prints a table.

mod merge;
mod standing;
mod training;

use super::memory::MemoryArgument;
use super::run::{self, Made, stop, stopped};
use super::settings::{self, SettingsFile};
use super::{Caller, Failure, Host, cores};
use crate::analysis::tournament as report;
use crate::bots::{BotConfig, SideBySide};
use crate::commands::setting_options::Options;
use crate::harness::training::{LEAVE_OUT, Recorded, check_file, check_kept};
use crate::run::{Chunk, Concurrency, Execution, Experiment, Plan, Provenance, Run, SCHEMA};
use crate::settings::{CliOptions, Setting, SettingError, Settings, parse, refuse_unknown};
use crate::tournament::{
    GameRow, Outline, Tournament, settings_digest, settings_digest_with_paths,
};
use anyhow::Context;
use merge::merge_chunks;
use standing::Standing;
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// The tournament that is played without `--bot` and `--config`.
const DEFAULT: &str = include_str!("../../../experiments/configs/default.toml");

/// Play a tournament between bots, with win rates, Elo and ratings
///
/// Plays colour-swapped pairs of games from random openings, both games of a
/// pair from the same one, and writes a folder: games.csv (one row per game),
/// summary.csv (one row per bot and one per pairing, with 95 % intervals),
/// plots and report.html, and config.toml and manifest.toml, with which the run
/// can be repeated.
#[derive(Debug, clap::Parser)]
#[command(
    name = "tournament",
    version,
    after_help = format!("\
Kinds of bots:\n{}

Without --bot and --config the program plays its default tournament on 5x5: \
random moves, two plies of minimax, and UCT at several exploration constants and with RAVE.

`tengen analyze --bot SPEC` shows one search.

A run that was stopped, by Ctrl-C, a kill or a full disk, is resumed by \
--resume DIR; its games are those of an uninterrupted run.

Examples: does c = 0.4 beat c = 1.0 at 1,000 simulations per move on 9x9?
  tournament --size 9 --pairs 200 --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0
and stopping as soon as that is known:
  tournament --size 9 --sprt \"elo0=0 elo1=50\" --bot c0.4=uct:exploration=0.4 \
--bot c1.0=uct:exploration=1.0",
        BotConfig::help()
    )
)]
pub struct Arguments {
    /// Read the settings from a TOML file; options on the command line take precedence.
    /// The config.toml of an earlier run repeats that run
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// As --config, of a plan: the file is refused unless its rule, the key `rule`, is part of it and
    /// git has it as it is, so that the verdicts on the rule can be proved to be planned
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "resume", "merge", "report"])]
    plan: Option<PathBuf>,
    /// Resume the stopped run in DIR
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "chunk", "merge", "report"])]
    resume: Option<PathBuf>,
    /// With --resume: extend the run to this number of pairs per pairing
    #[arg(long, value_name = "PAIRS", requires = "resume")]
    extend: Option<usize>,
    /// Play only chunk K of N of the schedule; all chunks write into the same
    /// folder --out, from any machine that has it
    #[arg(long, value_name = "K/N", conflicts_with_all = ["merge", "report", "sprt"])]
    chunk: Option<Chunk>,
    /// Merge the chunks in DIR into one run; no other option but --memory and --training is
    /// allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend", "report"])]
    merge: Option<PathBuf>,
    /// Rebuild summary, plots and report of the run in DIR; no other option
    /// but --memory and --training is allowed with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["config", "extend"])]
    report: Option<PathBuf>,
    /// Write each position in which a bot made a search, with the visits of its moves and the
    /// result of the game, to FILE.npz for numpy when the run is over
    #[arg(long, value_name = "FILE.npz")]
    training: Option<PathBuf>,
    /// Print one JSON object with summary, ratings and test in place of the tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    options: Options<Known>,
}

/// The kinds of runs that are tournaments.
pub(super) const KINDS: &[&str] = &["tournament", "scaling-doubling", "scaling-parallel"];

/// The settings that the program knows.
#[derive(Clone, Debug)]
struct Known;

impl CliOptions for Known {
    const HEADING: &'static str = "Tournament (each also a key of the TOML file)";

    fn settings() -> Vec<Setting> {
        [Tournament::ALL, Execution::ALL].concat()
    }

    fn defaults() -> Table {
        let mut defaults = Tournament::filled(&Table::new());
        defaults.extend(Execution::filled(&Table::new()));
        defaults
    }
}

/// The settings that the command takes, and their defaults.
pub(super) fn settings() -> (Vec<Setting>, Table) {
    (Known::settings(), Known::defaults())
}

/// Plays, resumes, merges or reports a tournament.
///
/// # Errors
/// If a setting is wrong, or a file cannot be written.
pub fn run(arguments: Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    if !arguments.json {
        return work(arguments, host).map(drop);
    }
    let quiet = &mut Host { output: &mut io::sink(), caller: host.caller };
    let Some(folder) = work(arguments, quiet)? else { return Ok(()) };
    let run = Run::open(&folder)?;
    let outline = Outline::of(&run.config()?)?;
    let (rows, test) = outline.counted(outline.read(&folder)?);
    let object = report::json(&run.directory, &outline, &rows, test.as_ref());
    Ok(host.output.write_all(object.as_bytes())?)
}

/// Does what `arguments` ask for, and returns the folder of the run that is over.
fn work(arguments: Arguments, host: &mut Host<'_>) -> Result<Option<PathBuf>, Failure> {
    let Arguments {
        config,
        plan,
        resume,
        extend,
        chunk,
        merge,
        report,
        training,
        json: _,
        memory,
        options,
    } = arguments;
    memory.limit();
    let training = training.as_deref();
    // Refused before any game; what the chunks keep is written when they are merged.
    if let (Some(file), None) = (training, chunk) {
        check_file(file)?;
    }
    if let Some(folder) = report {
        settings::refuse_given("--report", &options.given)?;
        let run = run::open(&folder, host.caller)?;
        training.map_or(Ok(()), |_| check_kept(&run.directory, LEAVE_OUT))?;
        report_again(&run, training, host)?;
        return Ok(Some(folder));
    }
    if let Some(folder) = merge {
        settings::refuse_given("--merge", &options.given)?;
        merge_chunks(&folder, training, host)?;
        return Ok(Some(folder));
    }
    let is_plan = plan.is_some();
    let config = plan.or(config);
    let file = config.as_deref().map(|path| SettingsFile::read(path, KINDS)).transpose()?;
    let below = match &file {
        Some(file) => file.table.clone(),
        None if resume.is_some() || options.given.contains_key("bot") => Table::new(),
        None => parse(DEFAULT).context("the default tournament")?,
    };
    let refused = |error: SettingError| settings::refused(&error, &options.given, file.as_ref());
    let mut given = Tournament::over(options.given.clone(), below);
    refuse_unknown(&given, Tournament::OWNER, Known::settings().iter()).map_err(refused)?;
    // Folder and concurrency: no game depends on them, and config.toml has neither.
    let execution = Execution::take(&mut given).map_err(refused)?;
    let on = execution.concurrency(cores());
    if let Some(folder) = resume {
        let mut run = run::open(&folder, host.caller)?;
        let tournament = resumed(&run, &folder, given, extend)?;
        refuse_idle_games_per_thread(&tournament, on)?;
        play(&mut run, &tournament, &tournament.provenance()?, on, training, host)?;
        return Ok(Some(folder));
    }
    let out = execution.out;
    let tournament = Tournament::from_table(given).map_err(refused)?;
    refuse_idle_games_per_thread(&tournament, on)?;
    if let Some(path) = config.as_deref().filter(|_| is_plan) {
        check_plan(&tournament, path, file.as_ref())?;
    }
    if chunk.is_some() && tournament.sprt.is_some() {
        return Err(Failure::usage(
            "a sequential test cannot be cut into chunks: leave --chunk out",
        ));
    }
    // Bots that cannot play are refused before anything is written.
    let provenance = tournament.provenance()?;
    if let Some(chunk) = chunk {
        let out = out.as_deref();
        if training.is_some() {
            let recorded = Recorded::new(&tournament, out.unwrap_or(Path::new("")), Some(chunk));
            run::chunk(&recorded, out, chunk, &provenance, on, host)?;
        } else {
            run::chunk(&tournament, out, chunk, &provenance, on, host)?;
        }
        return Ok(None);
    }
    let (name, out) = (&tournament.name, out.as_deref());
    let mut run = if training.is_some() {
        let recorded = Recorded::new(&tournament, Path::new(""), None);
        run::begin(&recorded, name, out, host.caller)?
    } else {
        run::begin(&tournament, name, out, host.caller)?
    };
    if plays_file(&tournament, file.as_ref()) {
        run.manifest.plan = config.as_deref().and_then(Plan::of);
    }
    play(&mut run, &tournament, &provenance, on, training, host)?;
    Ok(Some(run.directory.path().to_path_buf()))
}

/// Refuses a plan in the file `path`, which holds `file`, that cannot be proved or decides nothing.
fn check_plan(
    tournament: &Tournament,
    path: &Path,
    file: Option<&SettingsFile>,
) -> Result<(), Failure> {
    let refused = |expected: &str| {
        Err(Failure::usage(format!("--plan {}: expected {expected}", path.display())))
    };
    if tournament.rule.is_empty() {
        return refused("the key `rule`, such as rule = [\"new > old + 20\"]");
    }
    if !plays_file(tournament, file) {
        return refused("no other setting on the command line, since the plan has them all");
    }
    if Plan::of(path).is_none() {
        return refused("a file in a git repository, committed as it is");
    }
    Ok(())
}

/// Whether `tournament` is that of `file`, without another setting from the command line.
fn plays_file(tournament: &Tournament, file: Option<&SettingsFile>) -> bool {
    let Some(mut table) = file.map(|file| file.table.clone()) else { return false };
    Execution::take(&mut table).is_ok()
        && Tournament::from_table(table).is_ok_and(|planned| planned == *tournament)
}

/// The tournament of `run` in `folder`, extended to `extend` pairs. An error if the settings that are
/// `given` with `--resume` differ from its own.
fn resumed(
    run: &Run,
    folder: &Path,
    given: Table,
    extend: Option<usize>,
) -> Result<Tournament, Failure> {
    let mut tournament = saved(run, folder)?;
    if !given.is_empty() {
        let own = Table::try_from(&tournament)?;
        let wanted = Tournament::from_table(Tournament::over(given, own))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let differences = tournament.differences(&wanted)?;
        if !differences.is_empty() {
            return Err(Failure::Usage(format!(
                "{} cannot be resumed under other settings ({}): begin a new run, or use --extend for more pairs",
                folder.display(),
                differences.join("; ")
            )));
        }
    }
    if extend.is_none() {
        let remedy = "undo the change, or use --extend PAIRS";
        run::refuse_other_units(run, tournament.units(), ("pairs", "games"), remedy)?;
    }
    if let Some(pairs) = extend {
        let there = tournament.pairs;
        if pairs < there {
            return Err(Failure::Usage(format!(
                "--extend is {pairs}, but the run has {there} pairs"
            )));
        }
        tournament.pairs = pairs;
        let refused = |fault| Failure::Usage(format!("--extend {pairs}: {fault}"));
        tournament.validate().map_err(refused)?;
    }
    Ok(tournament)
}

/// The tournament of `run` in `folder`, to be continued.
pub(super) fn saved(run: &Run, folder: &Path) -> Result<Tournament, Failure> {
    settings::saved(run, folder, KINDS, Tournament::from_table)
}

/// Writes the files that follow from the games of `run` again, and says whether games are missing.
fn report_again(run: &Run, training: Option<&Path>, host: &mut Host<'_>) -> Result<(), Failure> {
    let rows = finish(run, host)?;
    let outline = Outline::of(&run.config()?)?;
    let games = outline.schedule().games();
    if rows.len() < games && outline.sprt.is_none() {
        let folder = run.directory.path();
        let (there, counted) = (outline.read(folder)?.len(), rows.len());
        let count = if counted < there {
            let waiting = there - counted;
            format!(
                ", of which {counted} count and {waiting} wait for missing earlier games of their pairings"
            )
        } else {
            String::new()
        };
        let folder = folder.display();
        writeln!(
            host.output,
            "{there} of {games} games{count}: the run is not over, --resume {folder} plays the missing \
             games"
        )?;
    }
    training.map_or(Ok(()), |file| training::write(file, run, &rows, host.output))
}

/// Refuses a number of games per thread for `tournament` if no bot is another program.
pub(super) fn refuse_idle_games_per_thread(
    tournament: &Tournament,
    on: Concurrency,
) -> Result<(), Failure> {
    let has_program =
        tournament.bots.iter().any(|bot| bot.config.side_by_side() == SideBySide::PerProcess);
    if on.games_per_thread > 1 && !has_program {
        let fault = "--games-per-thread applies only to a tournament with a bot of kind gtp";
        return Err(Failure::usage(fault));
    }
    Ok(())
}

/// Plays the missing games of `run`, then writes summary, plots and report, and the positions to the
/// file `training` if there is one; returns the games that count.
pub(super) fn play(
    run: &mut Run,
    tournament: &Tournament,
    provenance: &Provenance,
    on: Concurrency,
    training: Option<&Path>,
    host: &mut Host<'_>,
) -> Result<Vec<GameRow>, Failure> {
    let Some(file) = training else {
        play_missing(run, tournament, tournament, provenance, on, "", host.caller)?;
        return finish(run, host);
    };
    let folder = run.directory.path().to_path_buf();
    let recorded = Recorded::new(tournament, &folder, None);
    let more = format!(" --training {}", file.display());
    play_missing(run, &recorded, tournament, provenance, on, &more, host.caller)?;
    let rows = finish(run, host)?;
    training::write(file, run, &rows, host.output)?;
    Ok(rows)
}

/// Plays the missing games of `run`, which is of `experiment`, the games of `tournament`. `more` are
/// the options with which it is resumed.
fn play_missing<E: Experiment<Row = GameRow>>(
    run: &mut Run,
    experiment: &E,
    tournament: &Tournament,
    provenance: &Provenance,
    on: Concurrency,
    more: &str,
    caller: &dyn Caller,
) -> Result<(), Failure> {
    let stop = stop(caller)?;
    let Made { session, lacking } = run::make(experiment, run, provenance, on, &stop, |session| {
        let mut standing = Standing::new(caller, tournament, session.rows());
        move |rows: &[GameRow]| rows.iter().for_each(|row| standing.finished(row))
    })?;
    let made = session.rows().len();
    if !session.is_over() {
        let all = tournament.schedule().games();
        return Err(stopped(run.directory.path(), more, lacking, (made, all, "game")));
    }
    Ok(session.finish()?)
}

/// Writes summary, plots and report of the games of `run`, whichever version made it, prints the
/// table, and returns the games that count.
fn finish(run: &Run, host: &mut Host<'_>) -> Result<Vec<GameRow>, Failure> {
    if !has_settings_of_its_rows(run)? {
        let path = run.directory.path().join(crate::run::CONFIG);
        let path = path.display();
        host.caller.say(&format!("warning: {path} is not what the games were played under"));
    }
    let outline = Outline::of(&run.config()?)?;
    let (rows, test) = outline.counted(outline.read(run.directory.path())?);
    let tables = report::write(&run.directory, &outline, &rows, test.as_ref())?;
    host.output.write_all(tables.as_bytes())?;
    Ok(rows)
}

/// Whether the settings of `run` are those of its manifest, as far as this version can tell: others
/// computed the digest otherwise. Paths of files may be other ones.
fn has_settings_of_its_rows(run: &Run) -> Result<bool, Failure> {
    let Some(provenance) =
        run.manifest.provenance.as_ref().filter(|_| run.manifest.schema == SCHEMA)
    else {
        return Ok(true);
    };
    let config = run.config()?;
    let digests = [settings_digest(&config), settings_digest_with_paths(&config, &provenance.bots)];
    Ok(digests.contains(&provenance.settings))
}
