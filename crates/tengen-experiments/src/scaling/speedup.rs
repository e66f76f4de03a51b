//! Strength-speedup of a parallel search: how many times the base simulations a
//! sequential search needs for the same Elo.
//!
//! All searches meet one opponent. The sequential searches give the doubling curve:
//! Elo over the opponent by the logarithm of the simulations. [`RisingCurve::fit`]
//! makes it monotone (weights are numbers of pairs); it is straight between its
//! points. If the opponent is a sequential search itself, it is a point of the curve
//! too, with 0 Elo by definition.
//! The strength-speedup of a parallel search is where the curve reaches the
//! search's Elo, as a factor of the base simulations. It is unknown beyond the ends
//! of the curve, and where the whole curve is level.
//!
//! A score of 0 or 100 % has no finite Elo, so curve and searches are compared by
//! [`Pairs::smoothed_elo`], which adds half a pair won and half a pair lost. The
//! interval is the percentile interval of 1,000 resamples of the pairs of the curve
//! and of the search. A resample beyond an end of the curve counts as infinite: if
//! more than 2.5 % of the resamples lie beyond one end, the interval is open there.
//! An opponent that always loses cannot distinguish the searches: a search that wins
//! all games lies beyond a curve whose last points win all games. Choose an opponent
//! near the middle of the strengths.

use super::Entrant;
use crate::report::text::{CsvRow, cells, estimate_cells};
use crate::tournament::report::Line;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt;
use tengen_stats::seed::mix;
use tengen_stats::{Crossing, Interval, Level, Pairs, RisingCurve, percentile_interval};

/// Number of bootstrap resamples for an interval.
const RESAMPLES: usize = 1_000;

/// Weight of the opponent's own point of the curve: 0 Elo over itself has no error.
const SURE: f64 = 1e12;

/// The common opponent of all searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A sequential search of the same kind, with this number of simulations per move.
    Sequential(u64),
    /// Any other bot, by its name.
    Other(String),
}

impl fmt::Display for Opponent {
    /// What it is, for the label of an axis.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequential(simulations) => write!(f, "{simulations} simulations"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// The match of an entrant against the opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The search.
    pub entrant: Entrant,
    /// The results of the search.
    pub line: Line,
    /// Strength-speedup of the entrant; none for a sequential search.
    pub speedup: Option<Speedup>,
}

/// A strength-speedup with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// The logarithm to base 2 of the factor.
    pub log2: Crossing,
    /// 95 % interval of that logarithm; an infinite end lies beyond the curve.
    pub interval: Interval,
}

impl Speedup {
    /// The factor, if it lies on the curve.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        if let Crossing::At(log2) = self.log2 { Some(log2.exp2()) } else { None }
    }
}

/// The matches of all entrants, and the doubling curve from which their
/// strength-speedups are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Speedups {
    /// Simulations per move that count as factor 1.
    pub base: u64,
    /// The common opponent of all searches.
    pub opponent: Opponent,
    /// Sequential and parallel searches, in the order of the tournament.
    pub matches: Vec<Match>,
    /// Smoothed Elo over the opponent by log2 of the factor.
    pub curve: RisingCurve,
}

impl Speedups {
    /// The strength-speedups of a gauntlet of `opponent` against the bots `entrants`, with
    /// the summary `pairings` of its pairings; none without a parallel search. `seed` is the
    /// random seed of the bootstrap.
    #[must_use]
    pub fn of(
        opponent: Opponent,
        entrants: &[Entrant],
        pairings: &[Line],
        seed: u64,
    ) -> Option<Self> {
        let base = entrants.iter().find_map(Entrant::base)?;
        let mut matches: Vec<Match> = entrants
            .iter()
            .zip(pairings)
            .map(|(&entrant, line)| Match { entrant, line: line.reversed(), speedup: None })
            .collect();
        let factor = |simulations: u64| (simulations as f64 / base as f64).log2();
        let is_sequential = |met: &&Match| met.entrant.parallel.is_none();
        let sequential: Vec<(f64, Pairs)> = matches
            .iter()
            .filter(is_sequential)
            .map(|met| (factor(met.entrant.simulations), met.line.pairs))
            .collect();
        let own = match opponent {
            Opponent::Sequential(simulations) => Some(factor(simulations)),
            Opponent::Other(_) => None,
        };
        let curve = DoublingCurve { sequential, opponent: own };
        for (number, met) in (0..).zip(&mut matches) {
            if met.entrant.parallel.is_some() && met.line.pairs.count() > 0 {
                met.speedup = curve.speedup(&met.line.pairs, mix(seed, number));
            }
        }
        let curve = curve.fit();
        Some(Self { base, opponent, matches, curve })
    }
}

/// The matches that give the doubling curve.
///
/// # Examples
/// ```
/// use tengen_experiments::scaling::DoublingCurve;
/// use tengen_stats::Pairs;
///
/// // A sequential search, with half and twice its simulations against itself.
/// let sequential = vec![
///     (-1.0, Pairs::without_draws([40, 40, 20])),
///     (1.0, Pairs::without_draws([20, 40, 40])),
/// ];
/// let curve = DoublingCurve { sequential, opponent: Some(0.0) };
/// let parallel = Pairs::without_draws([20, 40, 40]);
/// let speedup = curve.speedup(&parallel, 1).and_then(|speedup| speedup.factor());
/// assert_eq!(speedup, Some(2.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DoublingCurve {
    /// The sequential searches: the logarithm to base 2 of simulations / base simulations, and the
    /// pairs against the opponent.
    pub sequential: Vec<(f64, Pairs)>,
    /// The same logarithm for the opponent, if the opponent is a sequential search itself.
    pub opponent: Option<f64>,
}

impl DoublingCurve {
    /// The curve: smoothed Elo over the opponent by log2 of the factor.
    #[must_use]
    pub fn fit(&self) -> RisingCurve {
        self.fit_to(self.sequential.iter().copied())
    }

    fn fit_to(&self, sequential: impl Iterator<Item = (f64, Pairs)>) -> RisingCurve {
        let mut points: Vec<(f64, f64, f64)> = sequential
            .filter(|(_, pairs)| pairs.count() > 0)
            .map(|(factor, pairs)| (factor, pairs.smoothed_elo().0, pairs.count() as f64))
            .collect();
        points.extend(self.opponent.map(|factor| (factor, 0.0, SURE)));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        RisingCurve::fit(&points)
    }

    /// The strength-speedup of a search with these `pairs` against the opponent; `seed` is the random
    /// seed of the bootstrap.
    #[must_use]
    pub fn speedup(&self, pairs: &Pairs, seed: u64) -> Option<Speedup> {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let resamples = (0..RESAMPLES).map(|_| {
            let again = self.sequential.iter().map(|(at, p)| (*at, p.resampled(&mut stream)));
            let curve = self.fit_to(again);
            ends(curve.crossing(pairs.resampled(&mut stream).smoothed_elo().0))
        });
        let (lows, highs) = resamples.unzip();
        let low = percentile_interval(lows, Level::P95)?.low;
        let high = percentile_interval(highs, Level::P95)?.high;
        let interval = Interval { low, high };
        Some(Speedup { log2: self.fit().crossing(pairs.smoothed_elo().0), interval })
    }
}

/// The least and the greatest logarithm to base 2 of the factor at a crossing; infinite beyond the
/// curve.
const fn ends(crossing: Crossing) -> (f64, f64) {
    match crossing {
        Crossing::Below => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        Crossing::At(log2) => (log2, log2),
        Crossing::Above => (f64::INFINITY, f64::INFINITY),
        Crossing::Anywhere => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Speedups {
    /// The rows of `parallel.csv`, one per match: a search against the common opponent, by
    /// scheme, degree of parallelism `n` and number of simulations (`work`). An unknown value is
    /// empty, and the `note` says why.
    pub fn csv_rows(&self) -> impl Iterator<Item = CsvRow> {
        self.matches.iter().map(|met| {
            let parallel = met.entrant.parallel;
            let mut row = cells([
                ("scheme", &parallel.map_or("sequential", |parallel| parallel.scheme.name())),
                ("n", &parallel.map_or(1, |parallel| parallel.n)),
                ("work", &parallel.map_or("", |parallel| parallel.work.name())),
                ("playouts", &met.entrant.simulations),
                ("games", &met.line.games.count()),
            ]);
            let (elo, ends) = met.line.elo().unzip();
            row.extend(estimate_cells("elo", elo, ends, 1));
            let cell = |factor: Option<f64>| factor.map_or(String::new(), |it| format!("{it:.3}"));
            let end = |end: fn(Interval) -> f64| {
                let log2 = met.speedup.map(|speedup| end(speedup.interval));
                cell(log2.filter(|log2| log2.is_finite()).map(f64::exp2))
            };
            row.extend(cells([
                ("speedup", &cell(met.speedup.and_then(|speedup| speedup.factor()))),
                ("speedup_low", &end(|interval| interval.low)),
                ("speedup_high", &end(|interval| interval.high)),
                ("note", &self.note(met)),
            ]));
            row
        })
    }

    /// Why cells of the strength-speedup of `met` are empty; empty if none is.
    #[must_use]
    pub fn note(&self, met: &Match) -> String {
        let Some(Speedup { log2, interval }) = met.speedup else {
            let is_parallel = met.entrant.parallel.is_some();
            return if is_parallel { "no pairs" } else { "doubling curve" }.to_owned();
        };
        let mut notes = Vec::new();
        match log2 {
            Crossing::Below => notes.push("weaker than the curve reaches"),
            Crossing::Above => notes.push("stronger than the curve reaches"),
            Crossing::Anywhere => notes.push("the curve is level"),
            Crossing::At(_) => {}
        }
        if interval.low == f64::NEG_INFINITY {
            notes.push("interval open below");
        }
        if interval.high == f64::INFINITY {
            notes.push("interval open above");
        }
        notes.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Parallel, Scheme, Work};
    use super::*;
    use crate::report::text::csv_text;
    use tengen_stats::{Elo, Games};

    fn tree(n: u32) -> Entrant {
        let parallel = Parallel { scheme: Scheme::Tree, n, work: Work::FixedTime };
        Entrant::parallel(parallel, 100)
    }

    /// A pairing in which the opponent lost, halved and won these numbers of pairs.
    fn line(lost: u64, halved: u64, won: u64) -> Line {
        Line {
            games: Games { losses: 2 * lost + halved, draws: 0, wins: 2 * won + halved },
            pairs: Pairs::without_draws([lost, halved, won]),
            ..Line::default()
        }
    }

    fn speedups(seed: u64) -> Speedups {
        let sequential = [50, 200, 400].map(Entrant::sequential);
        let entrants = [&sequential[..], &[tree(2), tree(4), tree(8), tree(16)]].concat();
        let lines = [
            line(10, 30, 60), // 50 simulations win a quarter
            line(50, 40, 10), // 200 win 70 %
            line(80, 18, 2),  // 400 win 89 %
            line(30, 60, 10), // between 100 and 200
            line(50, 40, 10), // as 200
            line(0, 2, 98),
            line(99, 1, 0),
        ];
        Speedups::of(Opponent::Sequential(100), &entrants, &lines, seed).unwrap()
    }

    #[test]
    fn a_search_as_strong_as_a_point_has_its_factor() {
        let speedups = speedups(1);
        let factors: Vec<_> =
            speedups.matches.iter().map(|met| met.speedup.map(|s| s.factor())).collect();
        assert_eq!(factors[..3], [None; 3]);
        let first = factors[3].flatten().unwrap();
        // 60 % against 0 Elo at factor 1 and 70 % at factor 2, smoothed.
        let elo = |points: f64| Elo::from_score((points + 0.5) / 101.0).0;
        assert!((first - (elo(60.0) / elo(70.0)).exp2()).abs() < 1e-9, "{first}");
        assert!((factors[4].flatten().unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(factors[5..], [Some(None); 2]);
    }

    #[test]
    fn a_level_curve_tells_no_factor() {
        let entrants = [Entrant::sequential(50), Entrant::sequential(100), tree(2)];
        let all_won = [(); 3].map(|()| line(0, 0, 20));
        let other = Opponent::Other("random".to_owned());
        let speedups = Speedups::of(other, &entrants, &all_won, 1).unwrap();
        let met = &speedups.matches[2];
        let speedup = met.speedup.unwrap();
        assert_eq!((speedup.factor(), speedup.log2), (None, Crossing::Anywhere));
        let note = "the curve is level; interval open below; interval open above";
        assert_eq!(speedups.note(met), note);
        let row = csv_text(speedups.csv_rows()).unwrap();
        assert!(row.lines().last().unwrap().ends_with(&format!(",,,,{note}")), "{row}");
    }

    #[test]
    fn intervals_hold_the_estimate_and_follow_the_seed() {
        let (one, same, other) = (speedups(1), speedups(1), speedups(2));
        assert_eq!(one, same);
        assert_ne!(one, other);
        for met in &one.matches[3..5] {
            let Some(Speedup { log2: Crossing::At(log2), interval }) = met.speedup else {
                panic!("{met:?}")
            };
            assert!(interval.contains(&log2), "{met:?}");
            assert!(interval.half_width() > 0.05 && interval.half_width() < 1.0, "{met:?}");
        }
    }

    /// An opponent of another kind is no point of the curve: here the whole curve lies below 0 Elo.
    #[test]
    fn any_bot_can_be_the_opponent() {
        let entrants = [Entrant::sequential(100), Entrant::sequential(400), tree(2)];
        let lines = [line(2, 16, 82), line(20, 40, 40), line(10, 30, 60)];
        let other = Opponent::Other("gnugo".to_owned());
        let speedups = Speedups::of(other, &entrants, &lines, 1).unwrap();
        assert_eq!(speedups.curve.points().len(), 2);
        // 10, 40 and 25 %, smoothed.
        let elo = |points: f64| Elo::from_score((points + 0.5) / 101.0).0;
        let share = (elo(25.0) - elo(10.0)) / (elo(40.0) - elo(10.0));
        let factor = speedups.matches[2].speedup.unwrap().factor().unwrap();
        assert!((factor - (2.0 * share).exp2()).abs() < 1e-9, "{factor}");
        let svg = super::super::draw_curve(&speedups, "").to_svg();
        assert!(svg.contains("Elo over gnugo"));
    }

    #[test]
    fn beyond_the_curve_cells_are_empty_and_say_why() {
        let text = csv_text(speedups(1).csv_rows()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "scheme,n,work,playouts,games,elo,elo_low,elo_high,\
             speedup,speedup_low,speedup_high,note"
        );
        assert!(lines[1].starts_with("sequential,1,,50,200,-190.8,"), "{text}");
        assert!(lines[1].ends_with(",,,,doubling curve"), "{text}");
        assert!(lines[5].starts_with("tree,4,fixed_time,400,200,147.2,"), "{text}");
        assert!(lines[6].ends_with(",,,,weaker than the curve reaches; interval open below"));
        assert!(lines[7].contains(",,stronger than the curve reaches") || lines[7].contains(",,,"));
        assert!(lines[7].ends_with("interval open above"), "{text}");
    }

    #[test]
    fn nothing_played_says_nothing() {
        let entrants = [Entrant::sequential(200), tree(2)];
        let opponent = Opponent::Sequential(100);
        let none = [Line::default(), Line::default()];
        let speedups = Speedups::of(opponent.clone(), &entrants, &none, 1).unwrap();
        assert_eq!(speedups.curve.points(), [(0.0, 0.0)]);
        assert!(
            csv_text(speedups.csv_rows())
                .unwrap()
                .ends_with("tree,2,fixed_time,200,0,,,,,,,no pairs\n")
        );
        assert_eq!(Speedups::of(opponent, &entrants[..1], &none, 1), None);
    }
}
