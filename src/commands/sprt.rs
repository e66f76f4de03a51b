//! `tengen sprt`: computes a sequential test from the counts of a match.

use super::{Failure, refused};
use crate::report::text::json_of_elo;
use crate::stats::{Elo, Games, Interval, Level, Moments, Pairs, Sprt, State, StoppedElo};
use serde_json::{Value, json};
use std::io::Write;

/// Compute a sequential probability ratio test (SPRT) from results
///
/// For a match that another program played: give either single games (--wins, --losses, --draws) or
/// colour-swapped pairs of games by their score (--pairs). All counts are those of the first
/// player. A positive Elo difference means that the first player is stronger.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Pairs are counted by the points of the first player in both games: 0, 1, 2 \
without draws (three counts), or 0, ½, 1, 1½, 2 (five counts). Where the pairs \
are known use them: their variance is estimated better than that of single games.

Example: tengen sprt --pairs 20,55,40 --elo0 0 --elo1 50")]
pub struct Arguments {
    /// Number of games that the first player won
    #[arg(long, required_unless_present = "pairs")]
    wins: Option<u64>,
    /// Number of games that the first player lost
    #[arg(long, required_unless_present = "pairs")]
    losses: Option<u64>,
    /// Number of jigo (drawn games)
    #[arg(long, default_value_t = 0, conflicts_with = "pairs")]
    draws: u64,
    /// Numbers of pairs by the points of the first player, three or five counts
    ///
    /// Three counts are the pairs with 0, 1 and 2 points. Five counts are the pairs with 0, ½, 1,
    /// 1½ and 2 points. Example: 20,55,40.
    #[arg(long, value_name = "A,B,C[,D,E]", conflicts_with_all = ["wins", "losses"])]
    pairs: Option<String>,
    /// Elo difference of the null hypothesis H0, -1000 to 1000
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference of the alternative H1, above --elo0 and at most 1000
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 if H0 is true (type I error), above 0 and below 0.5
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting H0 if H1 is true (type II error), above 0 and below 0.5
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Model of the likelihood ratio: logistic, normalized or wald
    ///
    /// logistic: generalized test on logistic Elo. normalized: generalized test on normalized Elo.
    /// wald: Wald's test of single games that are won or lost; a jigo counts as half a win and half
    /// a loss.
    #[arg(long, default_value = "logistic")]
    model: String,
    /// Print one JSON object instead of the text
    #[arg(long)]
    json: bool,
}

enum Counts {
    Games(Games),
    Pairs(Pairs),
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let Arguments { elo0, elo1, alpha, beta, model, .. } = arguments;
    let text = format!("elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}");
    let sprt: Sprt = text.parse().map_err(|fault| refused(&fault))?;
    let counts = counts(arguments)?;
    let llr = match &counts {
        Counts::Games(games) => sprt.llr_of_games(games),
        Counts::Pairs(pairs) => sprt.llr(pairs),
    };
    let llr = llr.ok_or_else(|| {
        Failure::usage(format!(
            "the {model} model cannot be fitted to counts this large: expected at most 10^9 games or \
             pairs, or --model logistic"
        ))
    })?;
    let bounds = sprt.bounds();
    let said = match sprt.state(llr) {
        State::Continue => "go on: neither hypothesis is accepted",
        State::AcceptH0 => "stop: elo0 is accepted",
        State::AcceptH1 => "stop: elo1 is accepted",
    };
    let stopped = match &counts {
        Counts::Pairs(pairs) if sprt.can_have_stopped(pairs) => sprt.estimate(pairs, Level::P95),
        _ => None,
    };
    if arguments.json {
        let (elo, interval) = counts.elo().unzip();
        let object = json!({
            "test": sprt.to_string(),
            "llr": llr,
            "lower": bounds.lower,
            "upper": bounds.upper,
            "verdict": said,
            "score": counts.moments().map(|moments| moments.mean),
            "elo": elo.map(json_of_elo),
            "elo_interval": interval.map(ends),
            "elo_after_test": stopped.map(|stopped| json_of_elo(stopped.elo)),
            "elo_after_test_interval": stopped.map(|stopped| ends(stopped.interval)),
        });
        writeln!(output, "{object}")?;
        return Ok(());
    }
    writeln!(output, "test   {sprt}")?;
    writeln!(output, "LLR    {llr:.4}, bounds {:.4} and {:.4}", bounds.lower, bounds.upper)?;
    writeln!(output, "       {said}")?;
    describe(&counts, stopped, output)
}

/// The ends of an interval in JSON.
fn ends(interval: Interval<Elo>) -> Value {
    json!([json_of_elo(interval.low), json_of_elo(interval.high)])
}

impl Counts {
    fn moments(&self) -> Option<Moments> {
        match self {
            Self::Games(games) => games.moments(),
            Self::Pairs(pairs) => pairs.moments(),
        }
    }

    /// The Elo difference and its 95 % interval: for a match of fixed length.
    fn elo(&self) -> Option<(Elo, Interval<Elo>)> {
        let interval = match self {
            Self::Games(games) => games.interval(Level::P95),
            Self::Pairs(pairs) => pairs.interval(Level::P95),
        };
        Some((Elo::from_score(self.moments()?.mean), Elo::interval(interval?)))
    }
}

fn describe(
    counts: &Counts,
    stopped: Option<StoppedElo>,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let (Some(moments), Some((elo, interval))) = (counts.moments(), counts.elo()) else {
        return Ok(());
    };
    let unit = if matches!(counts, Counts::Pairs(_)) { "pairs" } else { "games" };
    writeln!(output, "score  {:.2} % of {} {unit}", 100.0 * moments.mean, moments.units)?;
    let Interval { low, high } = interval;
    writeln!(output, "Elo    {elo:+.2} (95 % interval {low:+.2} to {high:+.2})")?;
    if let Some(StoppedElo { elo, interval: Interval { low, high } }) = stopped {
        writeln!(
            output,
            "       {elo:+.2} (95 % interval {low:+.2} to {high:+.2}), median-unbiased, if this test \
             stopped the match"
        )?;
    }
    let interval = match counts {
        Counts::Games(games) => games.normalized_elo_interval(Level::P95),
        Counts::Pairs(pairs) => pairs.normalized_elo_interval(Level::P95),
    };
    let normalized = moments.normalized_elo().zip(interval);
    if let Some((elo, Interval { low, high })) = normalized {
        writeln!(output, "nElo   {elo:+.2} (95 % interval {low:+.2} to {high:+.2})")?;
    }
    if let Some(los) = moments.los() {
        writeln!(
            output,
            "LOS    {:.2} %, valid only if the length of the match was fixed beforehand",
            100.0 * los
        )?;
    }
    Ok(())
}

fn counts(arguments: &Arguments) -> Result<Counts, Failure> {
    let Some(text) = &arguments.pairs else {
        let (wins, losses) = (arguments.wins.unwrap_or(0), arguments.losses.unwrap_or(0));
        return Ok(Counts::Games(Games { losses, draws: arguments.draws, wins }));
    };
    let fault = || {
        Failure::usage(format!(
            "invalid counts of pairs `{text}`: expected three or five whole numbers, such as 20,55,40"
        ))
    };
    let numbers: Vec<u64> = text
        .split(',')
        .map(|number| number.trim().parse().map_err(|_| fault()))
        .collect::<Result<_, _>>()?;
    if let Ok(cells) = <[u64; 3]>::try_from(numbers.as_slice()) {
        Ok(Counts::Pairs(Pairs::without_draws(cells)))
    } else if let Ok(cells) = <[u64; 5]>::try_from(numbers.as_slice()) {
        Ok(Counts::Pairs(Pairs::from_cells(cells)))
    } else {
        Err(fault())
    }
}
