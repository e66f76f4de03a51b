//! How the two games of a pair depend on each other, and so how often its scores are 0, ¼, ½, ¾
//! and 1 at any true score.

use super::elo::OutOfRange;
use super::pairs::PSEUDO_PAIRS;
use super::tally::{Games, Moments, Pairs};

/// The correlation of the two games of a pair, and the share of games that nobody wins.
///
/// The results of a pair are a mixture of two independent games and of two games that are as
/// dependent as possible: of equal results for a positive correlation, of results that differ as
/// much as they can for a negative one. Without jigo every distribution of a pair is such a mixture.
///
/// # Examples
/// ```
/// use tengen_stats::PairKind;
///
/// let cells = PairKind::INDEPENDENT.cells(0.6);
/// assert_eq!(cells.map(|cell| format!("{cell:.2}")), ["0.16", "0.00", "0.48", "0.00", "0.36"]);
/// let kind = PairKind::of_split(0.8, 0.0).ok_or("too few split pairs")?;
/// assert_eq!(format!("{:.2}", kind.correlation()), "-0.60");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairKind {
    correlation: f64,
    jigo: f64,
}

impl Default for PairKind {
    /// [`Self::INDEPENDENT`].
    fn default() -> Self {
        Self::INDEPENDENT
    }
}

impl PairKind {
    /// Two independent games without jigo: half of the pairs between equal players are split.
    pub const INDEPENDENT: Self = Self { correlation: 0.0, jigo: 0.0 };

    /// Pairs with a `correlation` of −1 to 1 and a share `jigo` of drawn games, at least 0 and
    /// below 1; else `None`.
    ///
    /// At a score far from ½ the lowest correlation is above −1, and few games can be drawn. There
    /// the pairs have the lowest correlation and the greatest share of jigo that are possible.
    #[must_use]
    pub fn new(correlation: f64, jigo: f64) -> Option<Self> {
        let is_one = (-1.0..=1.0).contains(&correlation) && (0.0..1.0).contains(&jigo);
        is_one.then_some(Self { correlation, jigo })
    }

    /// Pairs of which each player wins one game with the probability `split` if both are equally
    /// strong; `None` if `split` is not 0 to 1 − `jigo`, or `jigo` is not a share below 1.
    #[must_use]
    pub fn of_split(split: f64, jigo: f64) -> Option<Self> {
        let independent = Self::new(0.0, jigo)?.split();
        // The share is 1 - j at the lowest correlation, and 0 at the highest.
        let correlation = if split >= independent {
            (independent - split) / (1.0 - jigo - independent)
        } else {
            1.0 - split / independent
        };
        Self::new(correlation, jigo)
    }

    /// The pairs of a plan: of a share `split` of split pairs ([`Self::of_split`]), or without it of a
    /// `correlation` ([`Self::new`]).
    pub fn planned(split: Option<f64>, correlation: f64, jigo: f64) -> Result<Self, OutOfRange> {
        if Self::new(0.0, jigo).is_none() {
            return Err(OutOfRange::new("jigo", jigo, "expected a share from 0 and below 1"));
        }
        match split {
            Some(split) => Self::of_split(split, jigo).ok_or_else(|| {
                let expected = format!("expected a share from 0 to {}", 1.0 - jigo);
                OutOfRange::new("split", split, expected)
            }),
            None => Self::new(correlation, jigo)
                .ok_or_else(|| OutOfRange::new("correlation", correlation, "expected -1 to 1")),
        }
    }

    /// Pairs as those of `matches`, each the pairs of two players and all their games; `None`
    /// without a pair.
    ///
    /// The correlation compares the variances of pairs and of games, both with [`PSEUDO_PAIRS`].
    #[must_use]
    pub fn of_matches(matches: &[(Pairs, Games)]) -> Option<Self> {
        let (mut of_pairs, mut of_games, mut jigo, mut count) = (0.0, 0.0, 0, 0);
        for (pairs, games) in matches.iter().filter(|(pairs, _)| pairs.count() > 0) {
            let [lost, split, won] = PSEUDO_PAIRS.by_result();
            let with_pseudo = Games {
                losses: games.losses + 2 * lost + split,
                draws: games.draws,
                wins: games.wins + 2 * won + split,
            };
            let weight = pairs.count() as f64;
            of_pairs += weight * pairs.with(&PSEUDO_PAIRS).moments()?.variance;
            of_games += weight * with_pseudo.moments()?.variance;
            jigo += games.draws;
            count += games.count();
        }
        // The variance of the mean of two games with the correlation ρ is (1 + ρ)/2 that of one.
        let correlation = (2.0 * of_pairs / of_games - 1.0).clamp(-1.0, 1.0);
        Self::new(correlation, jigo as f64 / count as f64)
    }

    /// The correlation of the two games: 1 where the second game repeats the first, 0 where they
    /// are independent, negative where their results tend to differ.
    #[must_use]
    pub const fn correlation(&self) -> f64 {
        self.correlation
    }

    /// The share of games that nobody wins.
    #[must_use]
    pub const fn jigo(&self) -> f64 {
        self.jigo
    }

    /// The share of pairs of which each of two equally strong players wins one game.
    #[must_use]
    pub fn split(&self) -> f64 {
        let decided = 1.0 - self.jigo;
        let independent = decided * decided / 2.0;
        // A mixture with pairs that each win, or with pairs that one player wins.
        let extreme = if self.correlation < 0.0 { decided } else { 0.0 };
        let weight = self.correlation.abs();
        (1.0 - weight) * independent + weight * extreme
    }

    /// The probabilities of the scores 0, ¼, ½, ¾ and 1 of a pair whose expected score is `score`.
    ///
    /// # Panics
    /// If `score` is not 0 to 1.
    #[must_use]
    pub fn cells(&self, score: f64) -> [f64; 5] {
        assert!((0.0..=1.0).contains(&score), "a score of {score}: expected 0 to 1");
        let jigo = self.jigo.min(2.0 * score.min(1.0 - score));
        let game = [1.0 - score - jigo / 2.0, jigo, score - jigo / 2.0].map(|p| p.max(0.0));
        let mut independent = [0.0; 5];
        for (one, p) in game.iter().enumerate() {
            for (other, q) in game.iter().enumerate() {
                independent[one + other] += p * q;
            }
        }
        let (extreme, weight) = if self.correlation < 0.0 {
            let opposed = opposed(game);
            let lowest = correlation(&game, &opposed);
            // Games without spread have no correlation.
            (opposed, if lowest < 0.0 { (self.correlation / lowest).min(1.0) } else { 0.0 })
        } else {
            ([game[0], 0.0, game[1], 0.0, game[2]], self.correlation)
        };
        std::array::from_fn(|i| (1.0 - weight) * independent[i] + weight * extreme[i])
    }

    /// The standard deviation of the score of a pair whose expected score is `score`.
    ///
    /// # Panics
    /// As [`Self::cells`].
    #[must_use]
    pub fn deviation(&self, score: f64) -> f64 {
        let moments = Moments::of_weights(&self.cells(score), 2);
        moments.map_or(0.0, |moments| moments.variance.sqrt())
    }
}

/// The probabilities of a pair's scores where the result of the second game falls as much as
/// possible while that of the first rises: the worst results of one go with the best of the other.
fn opposed(game: [f64; 3]) -> [f64; 5] {
    let (mut first, mut second, mut cells) = (game, game, [0.0; 5]);
    let (mut low, mut high) = (0, 2);
    loop {
        let both = first[low].min(second[high]);
        cells[low + high] += both;
        first[low] -= both;
        second[high] -= both;
        match (first[low] <= second[high], low, high) {
            (true, 2, _) | (false, _, 0) => return cells,
            (true, ..) => low += 1,
            (false, ..) => high -= 1,
        }
    }
}

/// The correlation of two games with these results whose pairs have these `cells`.
fn correlation(game: &[f64; 3], cells: &[f64; 5]) -> f64 {
    let variance = |cells: &[f64]| Moments::of_weights(cells, 1).map_or(0.0, |it| it.variance);
    2.0 * variance(cells) / variance(game) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9
    }

    /// All combinations, with scores at which they are possible.
    fn all() -> Vec<(PairKind, f64)> {
        let mut all = Vec::new();
        for correlation in [-1.0, -0.6, -0.25, 0.0, 0.1, 0.7, 1.0] {
            for jigo in [0.0, 0.05, 0.4] {
                for score in [0.21, 0.4, 0.5, 0.68] {
                    let kind = PairKind::new(correlation, jigo).expect("a kind");
                    all.push((kind, score));
                }
            }
        }
        all
    }

    #[test]
    fn cells_have_the_score_the_jigo_and_the_correlation() {
        for (kind, score) in all() {
            let cells = kind.cells(score);
            let moments = Moments::of_weights(&cells, 2).expect("weights");
            assert!(near(cells.iter().sum(), 1.0) && near(moments.mean, score), "{kind:?} {score}");
            assert!(cells.iter().all(|&cell| cell >= 0.0), "{kind:?} {score}: {cells:?}");
            // By hand: the variance of a game is w + j/4 - s².
            let game = score - kind.jigo / 2.0 + kind.jigo / 4.0 - score * score;
            let found = 2.0 * moments.variance / game - 1.0;
            // Below the lowest correlation the pairs have the lowest.
            let is_possible = score == 0.5 || kind.correlation >= -0.25;
            let is_right = near(found, kind.correlation);
            assert!(
                is_right || !is_possible && found > kind.correlation,
                "{kind:?} {score} {found}"
            );
        }
    }

    #[test]
    fn pairs_without_jigo_by_hand() {
        // LL = (1 - s)² + ρs(1 - s), WW = s² + ρs(1 - s).
        let cells = PairKind::new(-0.3, 0.0).expect("a kind").cells(0.7);
        for (found, expected) in cells.into_iter().zip([0.027, 0.0, 0.546, 0.0, 0.427]) {
            assert!(near(found, expected), "{cells:?}");
        }
        // The lowest correlation at 0.9 is -1/9: no pair is lost.
        let cells = PairKind::new(-1.0, 0.0).expect("a kind").cells(0.9);
        assert!(near(cells[0], 0.0) && near(cells[2], 0.2) && near(cells[4], 0.8), "{cells:?}");
    }

    #[test]
    fn opposed_games_with_jigo_by_hand() {
        // Lost 0.2, drawn 0.3, won 0.5: the lost 0.2 goes with won games, the drawn 0.3 too, and the
        // won 0.5 with the lost 0.2 and the drawn 0.3.
        let cells = opposed([0.2, 0.3, 0.5]);
        for (found, expected) in cells.into_iter().zip([0.0, 0.0, 0.4, 0.6, 0.0]) {
            assert!(near(found, expected), "{cells:?}");
        }
    }

    #[test]
    fn split_pairs_give_the_correlation_and_come_back() {
        for (kind, _) in all() {
            let again = PairKind::of_split(kind.split(), kind.jigo).expect("a kind");
            assert!(near(again.correlation, kind.correlation), "{kind:?} {again:?}");
        }
        assert_eq!(PairKind::of_split(0.5, 0.0), Some(PairKind::INDEPENDENT));
        // Of pairs without jigo the split ones score ½.
        let kind = PairKind::new(-0.35, 0.0).expect("a kind");
        assert!(near(kind.split(), kind.cells(0.5)[2]));
        for (split, jigo) in [(1.1, 0.0), (-0.1, 0.0), (0.8, 0.3), (0.5, 1.0), (f64::NAN, 0.0)] {
            assert_eq!(PairKind::of_split(split, jigo), None, "{split} {jigo}");
        }
    }

    #[test]
    fn matches_give_their_correlation() {
        // Half of 40 pairs and of the four pseudo-pairs are split: games are independent.
        let games = Games { losses: 40, draws: 0, wins: 40 };
        let even = (Pairs::without_draws([10, 20, 10]), games);
        assert_eq!(PairKind::of_matches(&[even]), Some(PairKind::INDEPENDENT));
        // 42 of 44 pairs are split: 2 · (2/44)/4 / (1/4) - 1.
        let split = (Pairs::without_draws([0, 40, 0]), games);
        let kind = PairKind::of_matches(&[split, (Pairs::default(), games)]).expect("pairs");
        assert!(near(kind.correlation, 4.0 / 44.0 - 1.0), "{kind:?}");
        // Each match has its own mean: players of 10 and of 90 % make no correlation.
        let strong = Games { losses: 20, draws: 0, wins: 180 };
        let weak = Games { losses: 180, draws: 0, wins: 20 };
        let both = [
            (Pairs::without_draws([1, 18, 81]), strong),
            (Pairs::without_draws([81, 18, 1]), weak),
        ];
        let kind = PairKind::of_matches(&both).expect("pairs");
        // Four pseudo-pairs of 50 % among 104 make 0.06.
        assert!(kind.correlation.abs() < 0.1, "{kind:?}");
        let drawn = (Pairs::from_cells([0, 0, 3, 5, 2]), Games { losses: 1, draws: 9, wins: 10 });
        assert_eq!(PairKind::of_matches(&[drawn]).map(|kind| kind.jigo), Some(0.45));
        assert_eq!(PairKind::of_matches(&[]), None);
    }
}
