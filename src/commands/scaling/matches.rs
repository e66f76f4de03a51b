//! `--part doubling` and `--part parallel`: tournaments between searches that differ
//! only in the number of simulations, or also in their kind of parallelism.

use super::{Arguments, Failure, Host, refused};
use crate::bots::NamedBot;
use crate::commands::front::{self, Front};
use crate::commands::tournament::Play;
use crate::commands::{cores, run as runs};
use crate::report::plots;
use crate::report::text::Align::{Left, Right};
use crate::report::text::{TextTable, csv_text, elo_texts};
use crate::run::{Concurrency, Experiment, RunDirectory};
use crate::scaling::{
    Doubling, Entrant, Opponent, Parallel, Scheme, Speedup, Speedups, Work, doublings, draw_curve,
    draw_doublings, draw_speedups,
};
use crate::settings::{SettingError, Settings};
use crate::stats::Interval;
use crate::tournament::report::Summary;
use crate::tournament::report::summarize;
use crate::tournament::{GameRow, Outline, Tournament};
use crate::training::Recorded;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// The two experiments that play matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each number of simulations per move against twice as many.
    Doubling,
    /// Parallel and sequential searches against one opponent, by default a sequential search.
    Parallel,
}

impl Kind {
    /// The key `kind` of its runs, and their name.
    const fn name(self) -> &'static str {
        match self {
            Self::Doubling => "scaling-doubling",
            Self::Parallel => "scaling-parallel",
        }
    }

    /// The kind of `tournament`; none if it is not one of these.
    fn of(tournament: &Tournament) -> Option<Self> {
        [Self::Doubling, Self::Parallel].into_iter().find(|kind| kind.name() == tournament.kind)
    }

    /// The format of its tournaments, as settings write it.
    const fn format(self) -> &'static str {
        match self {
            Self::Doubling => "neighbors",
            Self::Parallel => "gauntlet",
        }
    }
}

/// Begins a new run of `kind` and plays it.
pub fn run(arguments: &Arguments, kind: Kind, host: &mut Host<'_>) -> Result<(), Failure> {
    let matches = &arguments.matches;
    let (opponent, entrants) = match kind {
        Kind::Doubling => (None, doubling(arguments)?),
        Kind::Parallel => parallel(arguments)?,
    };
    let more = matches.bot_settings.as_deref();
    let is_search = |bot: &&NamedBot| Entrant::of(bot).is_some();
    if let Some(bot) = opponent.as_ref().filter(is_search) {
        let name = &bot.name;
        refuse!(
            "--opponent is named `{name}`, as this experiment names its searches: give it another \
             name by NAME=SPEC"
        );
    }
    let has_clock =
        more.is_some_and(|more| more.split(',').any(|s| s.trim().starts_with("seconds")));
    if has_clock {
        refuse!("--bot-settings sets seconds, but this compares numbers of simulations");
    }
    let searches: Result<Vec<NamedBot>, _> =
        entrants.iter().map(|entrant| entrant.spec(more).parse()).collect();
    let mut bots: Vec<NamedBot> = opponent.into_iter().collect();
    bots.extend(searches.map_err(|fault| refused(&fault))?);
    let mut settings = Table::from_iter([
        ("bot".to_owned(), Value::try_from(&bots)?),
        ("pairs".to_owned(), Value::try_from(matches.pairs.unwrap_or(100))?),
        ("format".to_owned(), kind.format().into()),
        ("kind".to_owned(), kind.name().into()),
        ("name".to_owned(), kind.name().into()),
    ]);
    let given = [
        ("size", arguments.size.first().map(Value::try_from).transpose()?),
        ("komi", arguments.komi.map(Value::try_from).transpose()?),
        ("seed", arguments.seed.map(Value::try_from).transpose()?),
    ];
    settings.extend(given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    let tournament =
        Tournament::from_table(settings).map_err(|error| Failure::Usage(error.to_string()))?;
    let (front, on) = (Play::default(), concurrency(arguments));
    let played = Recorded::new(tournament, false);
    front.check(&played, on, None)?;
    // Bots that cannot play are refused before anything is written.
    let provenance = played.provenance()?;
    let mut run = front::begin(&played, arguments.out.as_deref(), host.caller)?;
    front::play(&front, &mut run, played, &provenance, on, false, host)
}

/// Resumes the run in the folder of `--resume`.
pub fn resume(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Some(folder) = &arguments.matches.resume else {
        refuse!("--part is missing");
    };
    if arguments.threads.len() > 1 {
        refuse!("--threads takes one value with --resume");
    }
    let (front, run) = (Play::default(), runs::open(folder, host.caller)?);
    let refused = |error: SettingError| Failure::Usage(error.to_string());
    let played = front::resumed(&front, &run, Table::new(), arguments.matches.extend, &refused)?;
    if Kind::of(&played.tournament).is_none() {
        let folder = folder.display();
        refuse!("{folder} holds no matches of scaling");
    }
    front::go_on(&front, run, played, concurrency(arguments), false, host)
}

fn concurrency(arguments: &Arguments) -> Concurrency<'static> {
    Concurrency {
        threads: arguments.threads.first().map_or_else(cores, |&threads| threads.into()),
        games_per_thread: arguments.matches.games_per_thread.map_or(1, usize::from),
        blocks: None,
    }
}

/// Sequential searches, each with twice the simulations of the one before.
fn doubling(arguments: &Arguments) -> Result<Vec<Entrant>, Failure> {
    let first = arguments.simulations.unwrap_or(125);
    let doublings = arguments.matches.doublings.unwrap_or(6);
    let fault =
        || Failure::usage("--simulations and --doublings lead beyond 1000000000 simulations");
    (0..=doublings)
        .map(|k| {
            let simulations =
                first.checked_shl(k).filter(|simulations| *simulations <= 1_000_000_000);
            simulations.map(Entrant::sequential).ok_or_else(fault)
        })
        .collect()
}

/// The opponent that `--opponent` gives, if any, and the searches: sequential searches, then
/// parallel ones. Without `--opponent` the first sequential search is the opponent.
fn parallel(arguments: &Arguments) -> Result<(Option<NamedBot>, Vec<Entrant>), Failure> {
    let matches = &arguments.matches;
    let base = arguments.simulations.unwrap_or(500);
    let simulations = |option: &str, factor: f64| {
        let allowed = (1e-6..=1e6).contains(&factor);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in range
        let simulations = (base as f64 * factor).round() as u64;
        if allowed && simulations > 0 {
            Ok(simulations)
        } else {
            let fault =
                format!("{option} is {factor}: of {base} simulations one or more must be left");
            Err(Failure::usage(fault))
        }
    };
    let factors = if matches.factors.is_empty() {
        &[0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0][..]
    } else {
        &matches.factors
    };
    let reference = simulations("--reference", matches.reference.unwrap_or(1.0))?;
    let curve: Result<BTreeSet<u64>, _> =
        factors.iter().map(|&factor| simulations("--factors", factor)).collect();
    let mut curve = Vec::from_iter(curve?);
    if matches.opponent.is_none() {
        curve.retain(|&simulations| simulations != reference);
        curve.insert(0, reference);
    }
    if curve.len() == 1 {
        match matches.opponent {
            None => refuse!("--factors has none beside --reference: a curve needs two"),
            Some(_) => refuse!("--factors has one: a curve needs two"),
        }
    }
    let mut entrants: Vec<Entrant> = curve.into_iter().map(Entrant::sequential).collect();
    let sizes: BTreeSet<u32> = if matches.parallel.is_empty() {
        [2, 4, 8, 16].into()
    } else {
        matches.parallel.iter().copied().collect()
    };
    for scheme in given_or_all(&matches.schemes, Scheme::VARIANTS) {
        for &n in &sizes {
            for work in given_or_all(&matches.work, Work::VARIANTS) {
                entrants.push(Entrant::parallel(Parallel { scheme, n, work }, base));
            }
        }
    }
    Ok((matches.opponent.clone(), entrants))
}

/// The values of `given`, each once and in the order of `all`; all if it is empty.
fn given_or_all<T: Copy + PartialEq>(given: &[T], all: &[T]) -> impl Iterator<Item = T> {
    all.iter().copied().filter(|value| given.is_empty() || given.contains(value))
}

/// Writes the CSV file and the plots of a run of scaling into `directory`, and returns its table.
/// `rows` are the games of `tournament`. Empty for any other tournament.
pub fn tables(
    tournament: &Tournament,
    outline: &Outline,
    rows: &[GameRow],
    directory: &RunDirectory,
) -> Result<String, Failure> {
    let Some((first, others)) = tournament.bots.split_first() else { return Ok(String::new()) };
    let searches: Option<Vec<Entrant>> = others.iter().map(Entrant::of).collect();
    let (Some(kind), Some(searches)) = (Kind::of(tournament), searches) else {
        return Ok(String::new());
    };
    let opponent = match (kind, Entrant::of(first)) {
        (Kind::Doubling, Some(entrant)) => {
            let searches = [&[entrant], &searches[..]].concat();
            return write_doublings(tournament, &searches, &summarize(outline, rows), directory);
        }
        (Kind::Parallel, Some(entrant)) => Opponent::Sequential(entrant.simulations),
        (Kind::Parallel, None)
            if searches.iter().filter(|search| search.parallel.is_none()).count() >= 2 =>
        {
            Opponent::Other(first.name.clone())
        }
        (_, None) => return Ok(String::new()),
    };
    write_speedups(tournament, opponent, &searches, &summarize(outline, rows), directory)
}

/// The conditions of the run in one line, with the settings of the first search.
fn conditions(tournament: &Tournament) -> Result<String, Failure> {
    let conditions = Outline::of(&Table::try_from(tournament)?)?.conditions();
    Ok(match tournament.bots.iter().find(|bot| Entrant::of(bot).is_some()) {
        Some(bot) => format!("{conditions}; first search {}", bot.config),
        None => conditions,
    })
}

fn write_doublings(
    tournament: &Tournament,
    entrants: &[Entrant],
    summary: &Summary,
    directory: &RunDirectory,
) -> Result<String, Failure> {
    let rows = doublings(entrants, &summary.pairings);
    directory.write("doubling.csv", csv_text(rows.iter().map(Doubling::csv_row))?)?;
    let drawing = draw_doublings(&rows, &conditions(tournament)?);
    plots::save(directory, [("doubling", drawing)])?;
    let [elo, ends] =
        [0, 1].map(|part| move |row: &&Doubling| elo_texts(row.line.elo(), "..")[part].clone());
    let table = TextTable::of(
        &rows,
        &[
            ("simulations", Right, &|row| row.simulations.to_string()),
            ("against", Right, &|row| row.opponent_simulations.to_string()),
            ("games", Right, &|row| row.line.games.count().to_string()),
            ("Elo", Right, &elo),
            ("95 % interval", Right, &ends),
        ],
    );
    Ok(format!("\n{table}"))
}

fn write_speedups(
    tournament: &Tournament,
    opponent: Opponent,
    searches: &[Entrant],
    summary: &Summary,
    directory: &RunDirectory,
) -> Result<String, Failure> {
    let speedups = Speedups::of(opponent, searches, &summary.pairings, tournament.seed);
    let Some(speedups) = speedups else {
        return Err(anyhow::anyhow!("no bot is a parallel search").into());
    };
    directory.write("parallel.csv", csv_text(speedups.csv_rows())?)?;
    let conditions = conditions(tournament)?;
    let mut drawn = vec![("doubling_curve".to_owned(), draw_curve(&speedups, &conditions))];
    for work in Work::VARIANTS {
        if searches.iter().any(|search| search.parallel.is_some_and(|p| p.work == *work)) {
            let drawing = draw_speedups(&speedups, *work, &conditions);
            drawn.push((format!("speedup_{}", work.name()), drawing));
        }
    }
    plots::save(directory, drawn)?;
    let factor =
        |speedup: Speedup| speedup.factor().map_or("-".to_owned(), |factor| format!("{factor:.2}"));
    let end = |log2: f64| match log2 {
        f64::NEG_INFINITY | f64::INFINITY => "open".to_owned(),
        log2 => format!("{:.2}", log2.exp2()),
    };
    let ends =
        |Speedup { interval: Interval { low, high }, .. }| format!("{} .. {}", end(low), end(high));
    let table = TextTable::of(
        &speedups.matches,
        &[
            ("bot", Left, &|met| met.entrant.to_string()),
            ("simulations", Right, &|met| met.entrant.simulations.to_string()),
            ("games", Right, &|met| met.line.games.count().to_string()),
            ("Elo", Right, &|met| elo_texts(met.line.elo(), "..")[0].clone()),
            ("strength-speedup", Right, &|met| met.speedup.map_or(String::new(), factor)),
            ("95 % interval", Right, &|met| met.speedup.map_or(String::new(), ends)),
            ("note", Left, &|met| speedups.note(met)),
        ],
    );
    Ok(format!("\n{table}"))
}
