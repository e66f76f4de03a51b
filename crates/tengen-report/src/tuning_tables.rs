//! The CSV files of a tuning run, whose columns depend on the parameters.

use crate::Summary;
use std::io;
use tengen_optimize::methods::trial::Sample;
use tengen_optimize::tuning::Candidate;
use tengen_optimize::tuning::EstimateAt;
use tengen_optimize::tuning::Tuning;
use tengen_stats::{Elo, Interval};

/// The text of a CSV file.
fn csv_text(rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn names(candidate: &Candidate, of: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    candidate.space().parameters().iter().flat_map(|parameter| of(parameter.name())).collect()
}

/// `samples.csv`: a row for each trial, which is a colour-swapped pair of games, in
/// the order of the schedule: number of the trial and of its opening, the values of the
/// first side and those of the second (empty where that is the opponent or the default),
/// games won and lost by the first, a jigo being half of each.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn samples(tuning: &Tuning, samples: &[Sample]) -> io::Result<String> {
    let candidate = tuning.candidate();
    let mut header = vec!["trial".to_owned(), "opening".to_owned()];
    header.extend(names(candidate, |name| vec![name.to_owned()]));
    header.extend(names(candidate, |name| vec![format!("{name}_opponent")]));
    header.extend(["wins", "losses"].map(str::to_owned));
    let text = |point: &[f64]| candidate.values(point).into_iter().map(|value| value.to_string());
    let row = |(number, sample): (usize, &Sample)| {
        let mut row = vec![number.to_string(), sample.trial.opening.to_string()];
        row.extend(text(&sample.trial.first));
        match &sample.trial.second {
            Some(point) => row.extend(text(point)),
            None => row.resize(row.len() + tuning.dimensions(), String::new()),
        }
        row.extend([sample.score.wins, sample.score.losses].map(|count| count.to_string()));
        row
    };
    csv_text(std::iter::once(header).chain(samples.iter().enumerate().map(row)))
}

/// `estimate.csv`: the estimate of the optimum after more and more games, with the 95 %
/// interval of each parameter and whether it is flat.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn estimates(tuning: &Tuning, estimates: &[EstimateAt]) -> io::Result<String> {
    let mut header = vec!["games".to_owned()];
    let columns = |name: &str| {
        ["", "_low", "_high", "_flat"].iter().map(|end| format!("{name}{end}")).collect()
    };
    header.extend(names(tuning.candidate(), columns));
    let row = |at: &EstimateAt| {
        let mut row = vec![at.games.to_string()];
        for parameter in tengen_optimize::tuning::parameters(tuning, &at.estimate) {
            let Interval { low, high } = parameter.interval;
            row.extend([parameter.best, low, high].map(|value| value.to_string()));
            row.push(parameter.is_flat.to_string());
        }
        row
    };
    csv_text(std::iter::once(header).chain(estimates.iter().map(row)))
}

/// `validation.csv`: a row for each opponent of the tuned bot in the match on fresh
/// openings.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn validation(summary: &Summary) -> io::Result<String> {
    let header = "bot,opponent,games,wins,losses,jigo,win_rate,low,high,elo,elo_low,elo_high";
    let row = |line: &crate::Line| {
        let mut row = vec![line.bot.clone(), line.opponent.clone().unwrap_or_default()];
        let games = line.games;
        row.extend([games.count(), games.wins, games.losses, games.draws].map(|n| n.to_string()));
        let digits = |value: f64, digits: usize| format!("{value:.digits$}");
        let interval = line.interval();
        let shares = [line.win_rate(), interval.map(|i| i.low), interval.map(|i| i.high)];
        row.extend(shares.map(|share| share.map_or(String::new(), |share| digits(share, 4))));
        let elo = line.elo();
        let ends = |end: fn(Interval<Elo>) -> Elo| elo.map(|(_, interval)| end(interval));
        let elos = [elo.map(|(elo, _)| elo), ends(|i| i.low), ends(|i| i.high)];
        row.extend(elos.map(|elo| elo.map_or(String::new(), |Elo(elo)| digits(elo, 1))));
        row
    };
    let header = header.split(',').map(str::to_owned).collect();
    csv_text(std::iter::once(header).chain(summary.pairings.iter().map(row)))
}
