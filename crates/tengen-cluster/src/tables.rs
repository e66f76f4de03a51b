//! The results as Markdown.

use super::decision::{Handout, decide, one_machine};
use super::games::GameModel;
use super::lies::{Lie, detection, merged};
use super::run::{self, ClusterError, RunResult, Simulated, play};
use super::settings::Settings;
use super::worker::HOUR;
use std::fmt::Write;
use std::path::Path;
use tengen_go::seed::mix;
use tengen_stats::{Elo, Interval};
use tengen_text::percent;

const MEGABYTE: f64 = 1e6;

/// Makes all simulations of `settings`, with files below `scratch`, and returns the tables.
/// `told` is called with a line after each step. The tables are a function of the settings
/// and the rows of the published run; times of this machine go to `told` alone.
///
/// # Errors
/// If the rows cannot be read, or a file cannot be written.
pub fn write_tables(
    settings: &Settings,
    scratch: &Path,
    mut told: impl FnMut(String),
) -> Result<String, ClusterError> {
    let model = run::model(settings)?;
    let simulated = Simulated::new(settings, model, settings.seed, settings.test.elo);
    let mut text = described(settings, &simulated);
    text += "\n";
    text += &row(&[
        "workers",
        "jobs",
        "dispatched per s",
        "limit, min",
        "minutes",
        "hours",
        "speedup",
        "useful",
        "lost",
        "starting",
        "dispatch",
        "stalled",
        "idle",
        "jobs broken off",
        "most attempts",
        "games, MB",
        "programs, MB",
    ]);
    text += &rule("---:|", 17);
    for &workers in &settings.workers {
        let many = settings.job.per_worker * workers;
        let mut fast = settings.clone();
        fast.job.dispatched_per_second = settings.job.fast_dispatched_per_second;
        fast.job.limit = settings.job.short_limit;
        let mut before = 0;
        for (settings, least) in [(settings, 1), (settings, many), (&fast, many)] {
            if least > 1 && least <= before {
                // There are as many jobs by their time.
                continue;
            }
            let result = play(settings, &simulated, workers, least, scratch)?;
            before = before.max(if least == 1 { result.chunks } else { 0 });
            text += &run_row(settings, &result);
            told(format!(
                "{workers} workers, {} chunks: merged {} games in {:.2} s",
                result.chunks,
                simulated.games.len(),
                result.merge_seconds
            ));
        }
    }
    text += "\n";
    text += &tests(settings, model, &mut told);
    text += "\n";
    text += &row(&["the second of two chunks", "merging says"]);
    text += &rule("---|", 2);
    for lie in Lie::ALL {
        let said = merged(&simulated, lie, scratch)?;
        text += &row(&[named(lie), said.as_deref().unwrap_or("nothing")]);
    }
    text += "\n";
    text += &replays(settings, &simulated);
    Ok(text)
}

/// A row of a Markdown table.
fn row<S: AsRef<str>>(cells: &[S]) -> String {
    cells.iter().fold("|".to_owned(), |row, cell| row + " " + cell.as_ref() + " |") + "\n"
}

/// The line below the heading of a Markdown table.
fn rule(column: &str, columns: usize) -> String {
    format!("|{}\n", column.repeat(columns))
}

/// The model of the games and the size of the tournament.
fn described(settings: &Settings, simulated: &Simulated) -> String {
    let model = simulated.model;
    let work: f64 = simulated.seconds.iter().sum();
    format!(
        "{} games of {:.1} ± {:.1} plies and {:.1} s of one core each (mean), White ahead by \
         {:.0} Elo, as the {} games of `{}` are but {} times as long: {:.1} hours of one core.\n",
        simulated.games.len(),
        model.plies.0,
        model.plies.1,
        model.mean_seconds(),
        model.white,
        model.rows,
        settings.games.display(),
        settings.longer,
        work / HOUR,
    )
}

fn run_row(settings: &Settings, result: &RunResult) -> String {
    let totals = result.totals;
    let shares = totals.shares;
    let of = |part: f64| percent(part / shares.present());
    let programs = settings.job.program_megabytes * totals.arrivals as f64;
    row(&[
        result.workers.to_string(),
        result.chunks.to_string(),
        settings.job.dispatched_per_second.to_string(),
        format!("{:.0}", settings.job.limit * settings.job.minutes),
        format!("{:.1}", result.minutes),
        format!("{:.2}", totals.seconds / HOUR),
        format!("{:.1}", result.work / totals.seconds),
        of(shares.useful),
        of(shares.lost),
        of(shares.starting),
        of(shares.dispatch),
        of(shares.stalled),
        of(shares.idle),
        totals.broken.to_string(),
        totals.most_attempts.to_string(),
        format!("{:.0}", (result.chunk_bytes + result.run_bytes) as f64 / MEGABYTE),
        format!("{programs:.0}"),
    ])
}

/// The times to the decision of the sequential test.
fn tests(settings: &Settings, model: GameModel, told: &mut impl FnMut(String)) -> String {
    let repeats = (1..=settings.test.repeats).map(|repeat| {
        Simulated::new(settings, model, mix(settings.seed, repeat), settings.test.elo)
    });
    let repeats: Vec<Simulated> = repeats.collect();
    let alone: Vec<_> = repeats.iter().map(|one| one_machine(settings, one)).collect();
    let decided = alone.iter().filter(|one| one.is_conclusive).count();
    let median_of = |value: &dyn Fn(usize) -> f64| {
        let mut values: Vec<f64> = (0..repeats.len()).map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let mut text = format!(
        "{}, the first bot {:+} Elo stronger; {decided} of {} tests decided; medians. One \
         machine: {:.1} hours, {:.0} games.\n\n",
        settings.test.sprt,
        settings.test.elo,
        repeats.len(),
        median_of(&|repeat| alone[repeat].seconds / HOUR),
        median_of(&|repeat| alone[repeat].counted as f64),
    );
    text +=
        &row(&["workers", "jobs are", "hours", "speedup", "games finished", "games that count"]);
    text += "|---:|---|---:|---:|---:|---:|\n";
    for &workers in &settings.workers {
        for handout in [Handout::Chunks, Handout::Pairs, Handout::Blocks] {
            let tests: Vec<_> =
                repeats.iter().map(|one| decide(settings, one, workers, handout)).collect();
            let name = match handout {
                Handout::Chunks => format!("chunks of {} min", settings.job.minutes),
                Handout::Pairs => "pairs in order".to_owned(),
                Handout::Blocks => format!("blocks of {} pairs", settings.job.block),
            };
            text += &row(&[
                workers.to_string(),
                name,
                format!("{:.2}", median_of(&|repeat| tests[repeat].seconds / HOUR)),
                format!("{:.1}", median_of(&|one| alone[one].seconds / tests[one].seconds)),
                format!("{:.0}", median_of(&|repeat| tests[repeat].finished as f64)),
                format!("{:.0}", median_of(&|repeat| tests[repeat].counted as f64)),
            ]);
        }
        told(format!("{workers} workers: sequential tests done"));
    }
    text
}

const fn named(lie: Lie) -> &'static str {
    match lie {
        Lie::Nothing => "is right",
        Lie::Settings => "was played under other settings",
        Lie::Program => "was played by a program whose bots play otherwise",
        Lie::Seed => "has a game with a wrong seed",
        Lie::Missing => "lacks a game",
        Lie::Winner => "has a game with the wrong winner",
    }
}

/// What replaying some of the games finds.
fn replays(settings: &Settings, simulated: &Simulated) -> String {
    let lies = &settings.lies;
    let workers = settings.workers.get(settings.workers.len() / 2).copied().unwrap_or(1);
    let found = detection(settings, simulated, workers);
    let mut text = format!(
        "{workers} workers, of which {} lie: each reports {} of the games that the first bot lost \
         as won.\n\n",
        percent(lies.liars),
        percent(lies.falsified),
    );
    text += &row(&[
        "games replayed",
        "liars found",
        "share",
        "expected share",
        "Elo of all games",
        "Elo without the liars found",
    ]);
    text += &rule("---:|", 6);
    let elo = |interval: Option<Interval<Elo>>| {
        let mut text = String::new();
        if let Some(Interval { low, high }) = interval {
            let _ = write!(text, "{:+.1} to {:+.1}", low.0, high.0);
        }
        text
    };
    for one in found {
        let (liars, found) = one.liars;
        text += &row(&[
            percent(one.replayed),
            format!("{found} of {liars}"),
            percent(found as f64 / liars.max(1) as f64),
            percent(one.expected),
            elo(one.all),
            elo(one.cleaned),
        ]);
    }
    text
}
