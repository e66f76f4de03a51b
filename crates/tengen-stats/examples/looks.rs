//! How often intervals cover the true score of a match that is extended after looks at its result,
//! and how wide they are.
//!
//! ```sh
//! cargo run --release -p tengen-stats --example looks > looks.csv
//! ```
//!
//! Simulated matches begin with 100 pairs. Each is extended four times, by 100 pairs or to twice
//! its pairs. `all` is the share of matches whose intervals at all looks so far hold the true score.
//! `shown` is the share in which the last interval holds it, where a match is extended only while
//! its interval contains ½, and the first look has the interval of a fixed length. A table goes to
//! stderr.

use tengen_stats::coverage::{PairModel, games_of};
use tengen_stats::pairs::PSEUDO_PAIRS;
use tengen_stats::seed::{mix, uniform};
use tengen_stats::{Interval, Level, Moments, Pairs};

const MATCHES: u64 = 10_000;
const FIRST: u64 = 100;
const LOOKS: u32 = 5;

/// The name of an interval, and the function that computes it from the pairs and the look.
type Method = (&'static str, fn(&Pairs, u32) -> Option<Interval>);

/// `fixed` ignores the looks. `pocock` has the constant of a test with as many looks, planned
/// beforehand (Pocock 1977, "Group sequential methods in the design and analysis of clinical
/// trials"). `halving` is the interval of extended runs: the error α/2^k at look k. `product` has
/// the error α/(k(k+1)). `mixture` is valid after every pair.
const METHODS: [Method; 5] = [
    ("fixed", |pairs, _| pairs.interval(Level::P95)),
    ("pocock", |pairs, look| pairs.interval(pocock(look)?)),
    ("halving", |pairs, look| match look {
        1 => pairs.interval(Level::new(0.975)?),
        _ => pairs.interval(Level::P95.at_look(look)),
    }),
    ("product", |pairs, look| {
        pairs.interval(Level::new(1.0 - 0.05 / f64::from(look * (look + 1)))?)
    }),
    ("mixture", mixture),
];

fn pocock(looks: u32) -> Option<Level> {
    let constants = [1.960, 2.178, 2.289, 2.361, 2.413];
    let constant = constants[looks as usize - 1];
    Level::new(1.0 - 2.0 * tengen_stats::interval::normal_cdf(-constant))
}

/// The two-sided normal-mixture confidence sequence (Howard and others 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences", §3.2), narrowest at the second
/// look of matches that double, with the variance of these pairs and of [`PSEUDO_PAIRS`].
fn mixture(pairs: &Pairs, _: u32) -> Option<Interval> {
    let Moments { units, mean, .. } = pairs.moments()?;
    let variance = pairs.with(&PSEUDO_PAIRS).moments()?.variance;
    let alpha: f64 = 0.05;
    // `v/rho` that minimises the boundary at v solves x = ln((1 + x)/α²).
    let mut ratio = 8.0_f64;
    for _ in 0..50 {
        ratio = ((1.0 + ratio) / alpha.powi(2)).ln();
    }
    let rho = 2.0 * FIRST as f64 * variance / ratio;
    let spent = units * variance;
    let half = ((spent + rho) * ((spent + rho) / (rho * alpha.powi(2))).ln()).sqrt() / units;
    Some(Interval { low: mean - half, high: mean + half })
}

/// A row of the CSV.
struct Row {
    method: &'static str,
    score: f64,
    look: u32,
    all: f64,
    shown: f64,
    width: f64,
}

/// What is counted for a method at a look.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u64,
    shown: u64,
    width: f64,
}

/// The counts of `MATCHES` matches, by method and look.
fn simulate(model: &PairModel, lengths: &[u64], seed: u64) -> Vec<Vec<Count>> {
    let cells = model.cells();
    let mut counts = vec![vec![Count::default(); lengths.len()]; METHODS.len()];
    for number in 0..MATCHES {
        let own = mix(seed, number);
        let mut pairs = Pairs::default();
        let mut played = 0;
        // For each method: whether all intervals held, and whether the last shown held, once decided.
        let mut states = [(true, None); METHODS.len()];
        for (at, &length) in lengths.iter().enumerate() {
            for pair in played..length {
                let [one, other] = games_of(cells, uniform(own, pair));
                pairs.record(one, other);
            }
            played = length;
            let look = u32::try_from(at + 1).expect("few looks");
            let fixed = pairs.interval(Level::P95).expect("pairs");
            for ((_, interval), ((all, decided), counts)) in
                METHODS.iter().zip(states.iter_mut().zip(&mut counts))
            {
                let found = interval(&pairs, look).expect("pairs");
                *all &= found.contains(&model.score);
                let shown = if at == 0 { fixed } else { found };
                let holds = shown.contains(&model.score);
                if decided.is_none() && !shown.contains(&0.5) {
                    *decided = Some(holds);
                }
                let count = &mut counts[at];
                count.all += u64::from(*all);
                count.shown += u64::from(decided.unwrap_or(holds));
                count.width += found.high - found.low;
            }
        }
    }
    counts
}

fn main() {
    let models = [(0.5, 0.0), (0.5, -0.5), (0.5, 0.6), (0.53, 0.0), (0.6, -0.3), (0.9, 0.0)];
    let steps: [(&str, Vec<u64>); 2] = [
        ("equal", (1..=u64::from(LOOKS)).map(|look| look * FIRST).collect()),
        ("doubling", (0..LOOKS).map(|look| FIRST << look).collect()),
    ];
    println!("method,steps,score,correlation,looks,all,shown,width");
    eprintln!(
        "| interval | looks | all, worst | shown, worst | shown at 50 %, mean | width, times fixed |"
    );
    eprintln!("|---|---|---|---|---|---|");
    let mut found = Vec::new();
    for (name, lengths) in &steps {
        for (number, &(score, correlation)) in (1_u64..).zip(&models) {
            let counts = simulate(&PairModel { score, correlation }, lengths, number);
            for ((method, _), counts) in METHODS.iter().zip(&counts) {
                for (look, Count { all, shown, width }) in (1..).zip(counts) {
                    let share = |count: u64| count as f64 / MATCHES as f64;
                    let (all, shown) = (share(*all), share(*shown));
                    let width = width / MATCHES as f64;
                    println!(
                        "{method},{name},{score},{correlation},{look},{all:.4},{shown:.4},{width:.5}"
                    );
                    found.push(Row { method, score, look, all, shown, width });
                }
            }
        }
    }
    let fixed: Vec<f64> =
        found.iter().filter(|row| row.method == "fixed").map(|row| row.width).collect();
    for (method, _) in METHODS {
        let own: Vec<_> = found.iter().filter(|row| row.method == method).zip(&fixed).collect();
        for look in 1..=LOOKS {
            let own: Vec<_> = own.iter().filter(|(row, _)| row.look == look).collect();
            let worst = |value: fn(&Row) -> f64| {
                100.0 * own.iter().map(|(row, _)| value(row)).fold(1.0, f64::min)
            };
            let even: Vec<f64> =
                own.iter().filter(|(row, _)| row.score == 0.5).map(|(row, _)| row.shown).collect();
            let even = 100.0 * even.iter().sum::<f64>() / even.len() as f64;
            let ratio = own.iter().map(|(row, fixed)| row.width / **fixed).sum::<f64>();
            eprintln!(
                "| {method} | {look} | {:.1} | {:.1} | {even:.1} | {:.2} |",
                worst(|row| row.all),
                worst(|row| row.shown),
                ratio / own.len() as f64
            );
        }
    }
}
