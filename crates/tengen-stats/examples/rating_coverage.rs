//! How often the intervals of ratings, of their differences and of the advantage of the first move
//! cover the truth, and how far the ratings are off on average.
//!
//! ```sh
//! cargo run --release -p tengen-stats --example rating_coverage > rating_coverage.csv
//! ```
//!
//! 4,000 tournaments are simulated for each row, from seed 1, and rated by each method. A table of
//! the worst coverage and the largest bias goes to stderr.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_stats::linear::Cholesky;
use tengen_stats::ratings::{Estimate, PairRecord, Record};
use tengen_stats::{Elo, Games, Interval, Level, Outcome, rate_in_pairs};

const TOURNAMENTS: u32 = 4_000;
const LEVEL: Level = Level::P95;
/// The advantage of the first move in every tournament, in Elo.
const ADVANTAGE: f64 = 30.0;

/// A tournament: the true ratings, who meets whom in how many pairs, and the correlation of the two
/// results that a player has in a pair.
struct Tournament {
    name: &'static str,
    truth: Vec<f64>,
    is_neighbours: bool,
    pairs: u32,
    correlation: f64,
}

fn tournaments() -> Vec<Tournament> {
    let ladder = |bots: u32| (0..bots).map(|bot| 320.0 * f64::from(bot)).collect::<Vec<f64>>();
    let equal = |bots: usize| vec![0.0; bots];
    // The ratings of the README's tournament.
    let readme = || vec![-962.0, -385.0, 56.0, 178.0, 229.0, 405.0, 479.0];
    let of = |name, truth, is_neighbours, pairs, correlation| Tournament {
        name,
        truth,
        is_neighbours,
        pairs,
        correlation,
    };
    vec![
        of("ladder-4", ladder(4), false, 100, 0.0),
        of("ladder-4", ladder(4), false, 100, 0.3),
        of("ladder-4", ladder(4), false, 100, -0.3),
        of("ladder-4", ladder(4), false, 10, 0.0),
        of("ladder-4", ladder(4), false, 10, 0.3),
        of("ladder-8", ladder(8), false, 100, 0.0),
        of("ladder-8", ladder(8), false, 10, 0.0),
        of("neighbours-4", ladder(4), true, 100, 0.0),
        of("neighbours-4", ladder(4), true, 100, 0.3),
        of("neighbours-4", ladder(4), true, 10, 0.0),
        of("neighbours-8", ladder(8), true, 100, 0.0),
        of("neighbours-8", ladder(8), true, 10, 0.0),
        of("readme-7", readme(), false, 20, 0.0),
        of("readme-7", readme(), false, 20, -0.3),
        of("equal-2", equal(2), false, 10, 0.0),
        of("equal-4", equal(4), false, 100, 0.0),
        of("equal-4", equal(4), false, 100, 0.6),
        of("equal-4", equal(4), false, 100, -0.6),
        of("equal-4", equal(4), false, 10, 0.0),
        of("equal-4", equal(4), false, 10, 0.6),
        of("equal-8", equal(8), false, 10, 0.0),
        of("hopeless-4", vec![-1600.0, 0.0, 100.0, 200.0], false, 50, 0.0),
    ]
}

impl Tournament {
    fn pairings(&self) -> Vec<(usize, usize)> {
        let bots = 0..self.truth.len();
        let all = bots.clone().flat_map(|one| bots.clone().map(move |other| (one, other)));
        let meets = |&(one, other): &(usize, usize)| {
            one < other && (!self.is_neighbours || other == one + 1)
        };
        all.filter(meets).collect()
    }

    fn play(&self, stream: &mut Xoshiro256PlusPlus) -> (Vec<Record>, Vec<PairRecord>) {
        let (mut records, mut pairs) = (Vec::new(), Vec::new());
        for (one, other) in self.pairings() {
            let lead = self.truth[one] - self.truth[other];
            let [p, q] = [ADVANTAGE, -ADVANTAGE].map(|more| Elo(lead + more).score());
            // Both games won, with the correlation, or with the nearest that is possible.
            let both = p * q + self.correlation * (p * (1.0 - p) * q * (1.0 - q)).sqrt();
            let both = both.clamp((p + q - 1.0).max(0.0), p.min(q));
            let (mut there, mut back) = (Games::default(), Games::default());
            let mut paired = PairRecord::new(one, other);
            for _ in 0..self.pairs {
                let drawn = stream.random::<f64>();
                let is_won = [drawn < p, drawn < both || (p..p + q - both).contains(&drawn)];
                let result = |is_won| if is_won { Outcome::Win } else { Outcome::Loss };
                let [first, second] = is_won.map(result);
                paired.record(first, second);
                there.record(first);
                back.record(second.reversed());
            }
            records.push(Record { first_mover: one, second_mover: other, games: there });
            records.push(Record { first_mover: other, second_mover: one, games: back });
            pairs.push(paired);
        }
        (records, pairs)
    }
}

/// The ratings with a prior of two virtual draws of each player against a player of rating zero,
/// and two for the advantage, with normal intervals: what [`rate_in_pairs`] is compared with.
struct TwoDraws {
    x: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl TwoDraws {
    fn new(players: usize, records: &[Record]) -> Self {
        let mut x = vec![0.0; players + 1];
        // As many steps as any of these tournaments takes, and more.
        for _ in 0..50 {
            let mut information = vec![vec![0.0; players + 1]; players + 1];
            let mut gradient = vec![0.0; players + 1];
            let mut add = |parts: &[(usize, f64)], wins: f64, games: f64| {
                let logit: f64 = parts.iter().map(|&(i, sign)| sign * x[i]).sum();
                let p = Elo(logit * Elo::PER_LOGIT).score();
                for &(i, sign) in parts {
                    gradient[i] += sign * (wins - games * p);
                    for &(j, other) in parts {
                        information[i][j] += sign * other * games * p * (1.0 - p);
                    }
                }
            };
            for Record { first_mover, second_mover, games } in records {
                let parts = [(players, 1.0), (*first_mover, 1.0), (*second_mover, -1.0)];
                add(&parts, games.wins as f64, games.count() as f64);
            }
            (0..=players).for_each(|place| add(&[(place, 1.0)], 1.0, 2.0));
            let cholesky = Cholesky::new(&information).expect("the prior makes it regular");
            let step = cholesky.solve(&gradient);
            // Whole steps overshoot far from the maximum.
            let longest = step.iter().fold(1.0_f64, |longest, s| longest.max(s.abs()));
            x.iter_mut().zip(&step).for_each(|(x, s)| *x += s / longest);
            if step.iter().all(|s| s.abs() < 1e-9) {
                return Self { x, covariance: cholesky.inverse() };
            }
        }
        panic!("the steps do not end");
    }

    /// The estimate and interval of the sum of the parameters with these weights.
    fn estimate(&self, weights: &[f64]) -> (f64, Interval<Elo>) {
        let dot = |row: &[f64]| -> f64 { row.iter().zip(weights).map(|(a, b)| a * b).sum() };
        let rows: Vec<f64> = self.covariance.iter().map(|row| dot(row)).collect();
        let value = dot(&self.x) * Elo::PER_LOGIT;
        (value, normal(value, dot(&rows).sqrt() * Elo::PER_LOGIT))
    }
}

fn normal(value: f64, deviation: f64) -> Interval<Elo> {
    let half = LEVEL.z() * deviation;
    Interval { low: Elo(value - half), high: Elo(value + half) }
}

/// A figure whose interval is to cover its truth.
#[derive(Clone, Copy)]
enum Figure {
    Rating(usize),
    Difference(usize, usize),
    Advantage,
}

/// What became of one figure under one method.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Tournaments whose interval contains the truth.
    covered: u32,
    /// Tournaments whose interval has an infinite end.
    open: u32,
    /// Sums of the errors of the estimate, and of their squares.
    bias: f64,
    squares: f64,
}

impl Counts {
    fn add(&mut self, value: f64, interval: Interval<Elo>, truth: f64) {
        self.covered += u32::from(interval.contains(&Elo(truth)));
        self.open += u32::from(!(interval.low.0.is_finite() && interval.high.0.is_finite()));
        self.bias += value - truth;
        self.squares += (value - truth).powi(2);
    }
}

const METHODS: [&str; 3] = ["tengen", "normal", "two-draws"];

fn main() {
    println!(
        "tournament,pairs,correlation,method,level,figure,bot,opponent,truth,coverage,\
         standard_error,open,bias,bias_standard_error"
    );
    eprintln!(
        "| tournament | pairs | correlation | method | ratings, worst | differences, worst | mean \
         | advantage | largest bias |\n|---|---|---|---|---|---|---|---|---|"
    );
    for tournament in tournaments() {
        run(&tournament);
    }
}

fn run(tournament: &Tournament) {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
    let Tournament { name, truth, pairs: count, correlation, .. } = tournament;
    let players = truth.len();
    let names: Vec<String> = (0..players).map(|bot| bot.to_string()).collect();
    let mut figures: Vec<Figure> = (0..players).map(Figure::Rating).collect();
    for one in 0..players {
        figures.extend((one + 1..players).map(|other| Figure::Difference(one, other)));
    }
    figures.push(Figure::Advantage);
    let mut counts = vec![[Counts::default(); METHODS.len()]; figures.len()];
    for _ in 0..TOURNAMENTS {
        let (records, pairs) = tournament.play(&mut stream);
        let ratings = rate_in_pairs(&names, &records, &pairs).expect("connected");
        let prior = TwoDraws::new(players, &records);
        let reference = ratings.reference();
        let mean = |of: &[usize]| of.iter().map(|&bot| truth[bot]).sum::<f64>() / of.len() as f64;
        let all: Vec<usize> = (0..players).collect();
        for (figure, counts) in figures.iter().zip(&mut counts) {
            let mut weights = vec![0.0; players + 1];
            let (estimate, truths): (Estimate, [f64; 2]) = match *figure {
                Figure::Rating(bot) => {
                    weights[..players].fill(-1.0 / players as f64);
                    weights[bot] += 1.0;
                    (ratings.rating(bot), [reference, &all].map(|of| truth[bot] - mean(of)))
                }
                Figure::Difference(one, other) => {
                    (weights[one], weights[other]) = (1.0, -1.0);
                    (ratings.difference(one, other), [truth[one] - truth[other]; 2])
                }
                Figure::Advantage => {
                    weights[players] = 1.0;
                    (ratings.advantage(), [ADVANTAGE; 2])
                }
            };
            let value = estimate.value.0;
            counts[0].add(value, estimate.interval(LEVEL), truths[0]);
            counts[1].add(value, normal(value, estimate.standard_error.0), truths[0]);
            let (value, interval) = prior.estimate(&weights);
            counts[2].add(value, interval, truths[1]);
        }
    }
    let n = f64::from(TOURNAMENTS);
    for (method, name_of_method) in METHODS.iter().enumerate() {
        let (mut worst, mut bias, mut sum) = ([1.0_f64; 3], 0.0_f64, 0.0);
        for (figure, counts) in figures.iter().zip(&counts) {
            let found = counts[method];
            let coverage = f64::from(found.covered) / n;
            let error = (coverage * (1.0 - coverage) / n).sqrt();
            let mean = found.bias / n;
            let deviation = ((found.squares / n - mean * mean).max(0.0) / n).sqrt();
            let (kind, place, bot, opponent, truth) = match *figure {
                Figure::Rating(bot) => {
                    let middle = truth.iter().sum::<f64>() / players as f64;
                    ("rating", 0, bot.to_string(), String::new(), truth[bot] - middle)
                }
                Figure::Difference(one, other) => {
                    ("difference", 1, one.to_string(), other.to_string(), truth[one] - truth[other])
                }
                Figure::Advantage => ("advantage", 2, String::new(), String::new(), ADVANTAGE),
            };
            worst[place] = worst[place].min(coverage);
            sum += coverage;
            if place == 0 && mean.abs() > bias.abs() {
                bias = mean;
            }
            println!(
                "{name},{count},{correlation},{name_of_method},0.95,{kind},{bot},{opponent},\
                 {truth:.1},{coverage:.4},{error:.4},{:.4},{mean:.1},{deviation:.1}",
                f64::from(found.open) / n
            );
        }
        let [ratings, differences, advantage] = worst.map(|worst| 100.0 * worst);
        let mean = 100.0 * sum / figures.len() as f64;
        eprintln!(
            "| {name} | {count} | {correlation} | {name_of_method} | {ratings:.1} | \
             {differences:.1} | {mean:.1} | {advantage:.1} | {bias:+.1} |"
        );
    }
}
