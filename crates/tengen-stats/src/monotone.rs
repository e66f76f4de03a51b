//! Monotone regression: of all curves that never fall the one nearest to some measurements, and its
//! inverse.

/// The isotonic regression of `values`: of all sequences that never fall the one with the least sum
/// of weighted squared differences.
///
/// It is computed by pool-adjacent-violators (Ayer et al. 1955, "An empirical
/// distribution function for sampling with incomplete information"): wherever a value is
/// below the one before it, both become their weighted mean. Weights are positive; a
/// value with a huge weight stays where it is.
///
/// # Panics
/// If there are not as many weights as values.
#[must_use]
pub fn pool_adjacent_violators(values: &[f64], weights: &[f64]) -> Vec<f64> {
    assert_eq!(values.len(), weights.len());
    // Mean, weight and number of values of each pool.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&value, &weight) in values.iter().zip(weights) {
        let mut pool = (value, weight, 1);
        while let Some(before) = pools.pop_if(|before| before.0 > pool.0) {
            let weight = before.1 + pool.1;
            let mean = (before.0 * before.1 + pool.0 * pool.1) / weight;
            pool = (mean, weight, before.2 + pool.2);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count)).collect()
}

/// The `x` at which a curve takes a given value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// At an `x` left of the measured range, if at any.
    Below,
    /// At this `x`.
    At(f64),
    /// At an `x` right of the measured range, if at any.
    Above,
    /// At every measured `x`, since the curve is level.
    Anywhere,
}

/// A monotone curve: it never falls, and is linear between its points.
///
/// # Examples
/// ```
/// use tengen_stats::{Crossing, RisingCurve};
///
/// let measured = [(1.0, 0.25, 1.0), (2.0, 0.75, 1.0), (3.0, 0.25, 1.0), (4.0, 1.0, 1.0)];
/// let curve = RisingCurve::fit(&measured);
/// assert_eq!(curve.points(), [(1.0, 0.25), (2.0, 0.5), (3.0, 0.5), (4.0, 1.0)]);
/// assert_eq!(curve.crossing(0.75), Crossing::At(3.5));
/// assert_eq!(curve.crossing(0.1), Crossing::Below);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RisingCurve {
    /// The points (x, y), ascending in x and never falling in y.
    points: Vec<(f64, f64)>,
}

impl RisingCurve {
    /// The curve nearest to `points`, each `(x, y, weight)` with ascending `x`:
    /// [`pool_adjacent_violators`].
    #[must_use]
    pub fn fit(points: &[(f64, f64, f64)]) -> Self {
        let ys: Vec<f64> = points.iter().map(|point| point.1).collect();
        let weights: Vec<f64> = points.iter().map(|point| point.2).collect();
        let fitted = pool_adjacent_violators(&ys, &weights);
        Self { points: points.iter().map(|point| point.0).zip(fitted).collect() }
    }

    /// The points of the curve, ascending.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The `x` at which the curve takes the value `y`.
    ///
    /// Where the curve is level at `y`, it is the middle of the level stretch. But if the stretch
    /// reaches an end of the curve, the curve may take `y` beyond this end too: the result is
    /// [`Crossing::Below`] or [`Crossing::Above`], as for a `y` that the curve does not reach, or
    /// [`Crossing::Anywhere`] for a curve of several points that is level throughout.
    #[must_use]
    pub fn crossing(&self, y: f64) -> Crossing {
        let (Some(&first), Some(&last)) = (self.points.first(), self.points.last()) else {
            return Crossing::Below;
        };
        if y < first.1 {
            return Crossing::Below;
        }
        if y > last.1 {
            return Crossing::Above;
        }
        let reached = self.points.partition_point(|point| point.1 < y);
        let passed = self.points.partition_point(|point| point.1 <= y);
        let (reaches_first, reaches_last) = (reached == 0, passed == self.points.len());
        match (reaches_first, reaches_last) {
            (true, true) if passed > 1 => return Crossing::Anywhere,
            (true, false) if passed > 1 => return Crossing::Below,
            (false, true) if reached + 1 < passed => return Crossing::Above,
            _ => {}
        }
        let left = match reached {
            0 => first.0,
            _ => between(self.points[reached - 1], self.points[reached], y),
        };
        let right = match self.points.get(passed) {
            None => last.0,
            // A point is at `y` or below, since the first one is.
            Some(&after) => between(self.points[passed - 1], after, y),
        };
        Crossing::At(f64::midpoint(left, right))
    }
}

/// The `x` of the height `y` on the straight line between two points.
fn between(from: (f64, f64), to: (f64, f64), y: f64) -> f64 {
    from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_by_hand() {
        let ones = |count| vec![1.0; count];
        let pooled = |values: &[f64]| pool_adjacent_violators(values, &ones(values.len()));
        assert_eq!(pooled(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(pooled(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        // The pool of 4 and 2 is 3, which joins the 3.5 before it.
        assert_eq!(pooled(&[1.0, 3.5, 4.0, 2.0]), [1.0, 19.0 / 6.0, 19.0 / 6.0, 19.0 / 6.0]);
        assert_eq!(pooled(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
        assert_eq!(pooled(&[]), [0.0; 0]);
        assert_eq!(pool_adjacent_violators(&[4.0, 0.0], &[3.0, 1.0]), [3.0, 3.0]);
    }

    #[test]
    fn a_huge_weight_pins_its_value() {
        let fitted = pool_adjacent_violators(&[30.0, 0.0, -20.0, 50.0], &[1.0, 1e12, 1.0, 1.0]);
        assert!(fitted[..3].iter().all(|value| value.abs() < 1e-9), "{fitted:?}");
        assert_eq!(fitted[3], 50.0);
    }

    #[test]
    fn reads_backwards_by_hand() {
        let curve = RisingCurve::fit(&[
            (-2.0, -400.0, 1.0),
            (0.0, 0.0, 1.0),
            (1.0, 200.0, 1.0),
            (3.0, 300.0, 1.0),
        ]);
        assert_eq!(curve.crossing(-400.5), Crossing::Below);
        assert_eq!(curve.crossing(-400.0), Crossing::At(-2.0));
        assert_eq!(curve.crossing(-100.0), Crossing::At(-0.5));
        assert_eq!(curve.crossing(0.0), Crossing::At(0.0));
        assert_eq!(curve.crossing(50.0), Crossing::At(0.25));
        assert_eq!(curve.crossing(250.0), Crossing::At(2.0));
        assert_eq!(curve.crossing(300.0), Crossing::At(3.0));
        assert_eq!(curve.crossing(300.5), Crossing::Above);
    }

    #[test]
    fn where_it_is_level_the_middle_counts() {
        let level =
            RisingCurve::fit(&[(0.0, 0.0, 1.0), (1.0, 9.0, 1.0), (2.0, 3.0, 1.0), (3.0, 8.0, 1.0)]);
        assert_eq!(level.points(), [(0.0, 0.0), (1.0, 6.0), (2.0, 6.0), (3.0, 8.0)]);
        assert_eq!(level.crossing(6.0), Crossing::At(1.5));
        assert_eq!(level.crossing(3.0), Crossing::At(0.5));
        assert_eq!(level.crossing(7.0), Crossing::At(2.5));
        let flat = RisingCurve::fit(&[(0.0, 5.0, 1.0), (4.0, 5.0, 1.0)]);
        assert_eq!(flat.crossing(5.0), Crossing::Anywhere);
        assert_eq!(flat.crossing(4.0), Crossing::Below);
        assert_eq!(RisingCurve::fit(&[(3.0, 5.0, 1.0)]).crossing(5.0), Crossing::At(3.0));
        // All games won at 1 and at 2: a search that wins all may be anywhere
        // beyond 1.
        let end = |x: f64, y: f64| (x, y, 1.0);
        let high = RisingCurve::fit(&[end(0.0, 0.0), end(1.0, 6.0), end(2.0, 6.0)]);
        assert_eq!(high.crossing(6.0), Crossing::Above);
        assert_eq!(high.crossing(5.0), Crossing::At(5.0 / 6.0));
        let low = RisingCurve::fit(&[end(0.0, 6.0), end(1.0, 6.0), end(2.0, 7.0)]);
        assert_eq!(low.crossing(6.0), Crossing::Below);
        assert_eq!(low.crossing(6.5), Crossing::At(1.5));
        assert_eq!(RisingCurve::fit(&[]).crossing(0.0), Crossing::Below);
    }
}
