//! Playouts of many positions side by side, as numpy arrays.

mod tally;

use crate::arguments::{check_positive, first, positions};
use crate::arrays::shaped;
use crate::ending::detach;
use crate::errors::{RunError, check_room, invalid};
use crate::interrupt::interruptible;
use crate::position::Position;
use crate::raised;
use crate::search::range;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use tally::{Sums, Tally, Wanted};
use tengen::go::{Board, Komi, Size, with_words};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{EarlyStop, Isa, Job, PlayoutConfig, Policy};
use tengen::search::on_threads;
use tengen::seed::mix;

/// Largest number of playouts times points of a short call: it takes a few milliseconds, so that
/// Ctrl-C can wait for its end, and the start of a thread would cost a part of its time.
const SHORT: usize = 1 << 20;

/// The playouts of a call.
struct Request<'a> {
    size: Size,
    positions: &'a [Position],
    /// Playouts of each position.
    n: usize,
    seed: u64,
    config: PlayoutConfig,
    wanted: Wanted,
}

/// The results of the playouts of a range, and the sums of each of its positions.
struct Part {
    scores: Vec<i16>,
    lengths: Vec<i16>,
    sums: Vec<(usize, Sums)>,
}

/// Plays `n` playouts from each position: the arrays `scores`, `lengths`, and where they are wanted `ownership`,
/// `first_plays` and `first_play_wins`, by name.
#[pyfunction]
#[pyo3(signature = (positions, n, *, seed, policy, stop, ownership, first_plays, threads))]
#[allow(clippy::too_many_arguments)] // keywords
pub fn playouts<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    n: usize,
    seed: u64,
    policy: &str,
    stop: &str,
    ownership: bool,
    first_plays: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (positions, is_one) = self::positions(positions)?;
    let policy: Policy = policy.parse().map_err(invalid)?;
    let stop: EarlyStop = stop.parse().map_err(invalid)?;
    let first = first(&positions)?;
    check_positive("n", n, "1 playout")?;
    check_positive("threads", threads, "1")?;
    let (size, komi) = (first.size_of_board(), first.game().rules().komi);
    if stop != EarlyStop::Never
        && let Some(other) = positions.iter().find(|other| other.game().rules().komi != komi)
    {
        return Err(invalid(format!(
            "the positions have different komi, {komi} and {}: stop `{stop}` needs one komi",
            other.game().rules().komi
        )));
    }
    let config = PlayoutConfig { policy, stop, komi };
    let wanted = Wanted { ownership, first_plays };
    let request = Request { size, positions: &positions, n, seed, config, wanted };
    let all = positions.len().checked_mul(n).filter(|&all| all < usize::MAX >> 16);
    let Some(all) = all else {
        return Err(invalid(format!("{n} playouts of {} positions are too many", positions.len())));
    };
    // Scores and lengths, of each thread and then of all.
    check_room(all.saturating_mul(2 * size_of::<[i16; 2]>()))?;
    let play = |stop: &AtomicBool| request.play(all, threads, stop);
    let parts = if threads == 1 && all * size.points() <= SHORT {
        detach(py, || raised::caught(|| play(&AtomicBool::new(false))))?
    } else {
        interruptible(py, play)?
    };
    let parts = parts.map_err(|error| RunError::new_err(error.to_string()))?;
    request.arrays(py, parts, is_one)
}

impl Request<'_> {
    /// Plays `all` playouts on `threads` threads until `stop`: their parts, in order.
    fn play(
        &self,
        all: usize,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Part>, tengen::search::ResourceFault> {
        let threads = threads.min(all);
        let work = |thread: usize| {
            let range = range(all, threads, thread);
            with_words!(self.size, W => self.play_range::<W>(range, stop))
        };
        on_threads(threads, work)
    }

    /// Plays the playouts of `range`; playout `i` of position `p` has the number `p * n + i`.
    fn play_range<const W: usize>(&self, range: Range<usize>, stop: &AtomicBool) -> Part {
        let n = self.n;
        let first = range.start / n;
        let own = &self.positions[first..range.end.div_ceil(n)];
        let starts: Vec<(Board<W>, Komi, u64)> = (first..)
            .zip(own)
            .map(|(place, position)| {
                let game = position.game();
                (game.board().repacked(), game.rules().komi, mix(self.seed, place as u64))
            })
            .collect();
        let counts = self.wanted.ownership || self.wanted.first_plays;
        let mut tallies = vec![Tally::<W>::new(); if counts { own.len() } else { 0 }];
        let (mut scores, mut lengths) = (vec![0; range.len()], vec![0; range.len()]);
        let mut lanes = Lanes::<W>::with_config(self.size, Isa::of_program(), self.config);
        if self.wanted.ownership {
            lanes = lanes.with_area();
        }
        let mut numbers = range.clone();
        lanes.run(
            || {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let number = numbers.next()?;
                let (start, _, seed) = starts[number / n - first];
                let seed = mix(seed, (number % n) as u64);
                Some((Ticket(number as u64), Job { start, seed }))
            },
            |Ticket(number), playout| {
                #[allow(clippy::cast_possible_truncation)] // it was a usize
                let number = number as usize;
                #[allow(clippy::cast_possible_truncation)] // at most 361 points and 1,133 plies
                {
                    scores[number - range.start] = (playout.score.half_points() / 2) as i16;
                    lengths[number - range.start] = playout.plies as i16;
                }
                if counts {
                    let place = number / n - first;
                    tallies[place].add(&playout, self.wanted, starts[place].1);
                }
            },
        );
        let sums = (first..).zip(tallies).map(|(place, tally)| {
            let mut sums = self.no_sums();
            tally.add_to(self.size, &mut sums);
            (place, sums)
        });
        Part { scores, lengths, sums: sums.collect() }
    }

    fn no_sums(&self) -> Sums {
        std::array::from_fn(|_| std::array::from_fn(|_| vec![0; self.size.points()]))
    }

    /// The arrays of `parts`, without the axis of positions if there `is_one` position only.
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        parts: Vec<Part>,
        is_one: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (positions, size) = (self.positions.len(), self.size);
        let arrays = PyDict::new(py);
        let set = |name: &str, array: Bound<'py, PyAny>| {
            arrays.set_item(name, if is_one { array.get_item(0)? } else { array })
        };
        let mut scores = Vec::with_capacity(positions * self.n);
        let mut lengths = Vec::with_capacity(positions * self.n);
        let mut sums = vec![self.no_sums(); positions];
        for part in parts {
            scores.extend(part.scores);
            lengths.extend(part.lengths);
            for (place, part) in part.sums {
                let all = sums[place].iter_mut().flatten().flatten();
                all.zip(part.iter().flatten().flatten()).for_each(|(sum, part)| *sum += part);
            }
        }
        let komi = self.positions.iter().map(|position| position.game().rules().komi.into());
        set("komi", shaped::<f64>(py, komi.collect(), &[positions])?)?;
        set("scores", shaped(py, scores, &[positions, self.n])?)?;
        set("lengths", shaped(py, lengths, &[positions, self.n])?)?;
        let (height, width) = (size.height(), size.width());
        if self.wanted.ownership {
            #[allow(clippy::cast_possible_truncation)] // a share
            let share =
                |(black, white): (&i64, &i64)| ((black - white) as f64 / self.n as f64) as f32;
            let owned = sums.iter().flat_map(|[[black, white], ..]| black.iter().zip(white));
            let ownership = owned.map(share).collect();
            set("ownership", shaped(py, ownership, &[positions, height, width])?)?;
        }
        if self.wanted.first_plays {
            let shape = [positions, 2, height, width];
            let plays = sums.iter().flat_map(|[_, plays, _]| plays).flatten().copied();
            set("first_plays", shaped::<i64>(py, plays.collect(), &shape)?)?;
            let results = sums.iter().flat_map(|[.., results]| results).flatten();
            let wins = results.map(|&halves| halves as f64 / 2.0).collect();
            set("first_play_wins", shaped::<f64>(py, wins, &shape)?)?;
        }
        Ok(arrays)
    }
}
