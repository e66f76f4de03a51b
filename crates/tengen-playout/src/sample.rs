//! A sample of playouts from a position: who owns each point at the end, and the scores.

use crate::lanes::{Lanes, Ticket};
use crate::{Isa, Job, PlayoutConfig};
use std::collections::BTreeMap;
use tengen_go::{Bits, Board, Score, Size, Vertex, with_words};
use tengen_stats::seed::mix;

/// The owners of points and the scores at the end of playouts of a position. They are a function
/// of the positions, the settings, the seed and the number of playouts: playout n begins at
/// `starts[n % starts.len()]` and has the seed `mix(seed, n)`.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color};
/// use tengen_playout::{BuiltInPolicy, Sample};
///
/// let board = Board::from_diagram("OOOOO/...../XXXXX/.X.X./XXXXX", Color::White)?;
/// let sample = Sample::of(&[board], BuiltInPolicy::Uniform {}, 1, 100);
/// assert_eq!(sample.scores().values().sum::<u64>(), 100);
/// // From A1 on, by rows from the bottom: B2 is a black stone that nobody can take.
/// assert_eq!(sample.ownership()[6], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Number of playouts.
    playouts: u64,
    /// Number of columns of the board.
    width: usize,
    /// How many more playouts gave each point to Black than to White, in the order of
    /// [`Vertex::all`].
    margins: Vec<i64>,
    /// How many playouts ended with each score, before komi.
    scores: BTreeMap<Score, u64>,
}

impl Sample {
    /// Plays `playouts` playouts by `playout_config` from `starts` in turn; none if `starts` is
    /// empty.
    ///
    /// # Panics
    /// If `starts` are of several sizes.
    #[must_use]
    pub fn of(
        starts: &[Board<6>],
        playout_config: impl Into<PlayoutConfig>,
        seed: u64,
        playouts: u64,
    ) -> Self {
        let mut sample =
            Self { playouts: 0, width: 1, margins: Vec::new(), scores: BTreeMap::new() };
        if let Some(size) = starts.first().map(Board::size) {
            (sample.width, sample.margins) = (size.width(), vec![0; size.points()]);
            let playout_config = playout_config.into();
            with_words!(size, W => sample.play::<W>(size, starts, playout_config, seed, playouts));
        }
        sample
    }

    fn play<const W: usize>(
        &mut self,
        size: Size,
        starts: &[Board<6>],
        playout_config: PlayoutConfig,
        seed: u64,
        playouts: u64,
    ) {
        let starts: Vec<Board<W>> = starts.iter().map(Board::repacked).collect();
        let points: Vec<usize> = Vertex::all(size).map(Bits::<W>::index).collect();
        let mut numbers = (0..playouts).zip(starts.iter().cycle());
        let next =
            || numbers.next().map(|(n, &start)| (Ticket(n), Job { start, seed: mix(seed, n) }));
        let mut lanes = Lanes::with_config(size, Isa::of_program(), playout_config).with_area();
        lanes.run(next, |_, playout| {
            let [black, white] = playout.area.unwrap_or([Bits::EMPTY; 2]);
            for (margin, &index) in self.margins.iter_mut().zip(&points) {
                *margin += i64::from(black.contains(index)) - i64::from(white.contains(index));
            }
            *self.scores.entry(playout.score).or_default() += 1;
            self.playouts += 1;
        });
    }

    /// Number of playouts.
    #[must_use]
    pub const fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The mean owner of each point, in the order of [`Vertex::all`]: a playout counts 1 for a
    /// point of Black's, −1 for a point of White's, and 0 for any other.
    #[must_use]
    pub fn ownership(&self) -> Vec<f64> {
        self.margins.iter().map(|&margin| margin as f64 / self.playouts.max(1) as f64).collect()
    }

    /// [`Sample::ownership`] by rows from the top, each from the left.
    #[must_use]
    pub fn ownership_from_top(&self) -> Vec<f64> {
        self.ownership().chunks(self.width).rev().flatten().copied().collect()
    }

    /// The scores, before komi, and how many playouts ended with each.
    #[must_use]
    pub const fn scores(&self) -> &BTreeMap<Score, u64> {
        &self.scores
    }

    /// The mean score before komi, in points; none without playouts.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.sum(Score::points) / self.playouts as f64)
    }

    /// The standard deviation of the scores of these playouts, in points, with their number as
    /// divisor; none without playouts.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares = self.sum(|score| (score.points() - mean).powi(2));
        Some((squares / self.playouts as f64).sqrt())
    }

    /// The sum of `value` over all playouts.
    fn sum(&self, value: impl Fn(Score) -> f64) -> f64 {
        self.scores.iter().map(|(&score, &count)| count as f64 * value(score)).sum()
    }
}
