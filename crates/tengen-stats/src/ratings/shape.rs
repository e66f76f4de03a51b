//! The shape of a likelihood along one parameter, and its interval.

/// A step in logits below which the shape is a parabola with a small correction: the logarithm
/// that follows would lose its digits.
const NEARLY_NORMAL: f64 = 1e-3;

/// The ends of the interval of a parameter: where its profile likelihood, as far below the maximum
/// as the normal likelihood at `reach` standard errors, lies on either side of the maximum, in
/// standard errors.
///
/// The profile has the standardised third derivative `skewness`. Its shape is that of the
/// logarithm of a Poisson mean, the one family with two parameters that is right at both
/// extremes: normal without skewness, and Poisson where a few lost games decide.
/// With β = -`skewness`, the logarithm of the likelihood falls at y standard errors by
/// `(e^(βy) - 1 - βy) / β²`.
pub(super) fn ends(skewness: f64, reach: f64) -> [f64; 2] {
    let tau = skewness.abs() * reach;
    if tau < NEARLY_NORMAL {
        // The first two terms of the series in `skewness`.
        let shift = skewness * reach * reach / 6.0;
        return [shift - reach, shift + reach];
    }
    // The distances from the maximum, times β, at which e^x - 1 - x is τ²/2.
    let fall = tau * tau / 2.0;
    let steep = root(|x| (x.exp_m1() - x, x.exp_m1()), (1.0 + tau + fall).ln().min(tau), fall);
    let gentle = root(|x| ((-x).exp_m1() + x, -(-x).exp_m1()), tau + fall, fall);
    let [steep, gentle] = [steep, gentle].map(|x| x / skewness.abs());
    if skewness > 0.0 { [-steep, gentle] } else { [-gentle, steep] }
}

/// Where a convex function, given with its derivative, rises to `target`: by Newton's method from
/// `start`, which lies beyond.
fn root(function: impl Fn(f64) -> (f64, f64), start: f64, target: f64) -> f64 {
    let mut x = start;
    loop {
        let (value, slope) = function(x);
        let next = x - (value - target) / slope;
        // Newton's method falls towards the root of a convex function, until rounding stops it.
        if next >= x || x - next < 1e-12 * x {
            return x;
        }
        x = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_skewness_it_is_normal() {
        assert_eq!(ends(0.0, 1.96), [-1.96, 1.96]);
        let [low, high] = ends(1e-9, 1.96);
        assert!((low + 1.96).abs() < 1e-8 && (high - 1.96).abs() < 1e-8);
    }

    #[test]
    fn the_logarithm_of_a_poisson_mean_by_brute_force() {
        // k events: k ln λ - λ in ln λ has at ln k the second derivative -k, and the third -k.
        for k in [0.5, 1.0, 3.0, 20.0, 400.0] {
            let value = |log: f64| k * log - log.exp();
            let deviation = 1.0 / f64::sqrt(k);
            let found = ends(-k * deviation.powi(3), 1.96);
            let least = value(f64::ln(k)) - 1.96_f64.powi(2) / 2.0;
            for (end, direction) in found.into_iter().zip([-1.0, 1.0]) {
                // Steps of 1e-5 until the likelihood is low enough.
                let mut at = f64::ln(k);
                while value(at) > least {
                    at += direction * 1e-5;
                }
                let expected = (at - f64::ln(k)) / deviation;
                assert!((end - expected).abs() < 1e-3, "{k}: {found:?}, {expected}");
            }
        }
    }

    #[test]
    fn the_other_sign_is_the_mirror_image_and_both_formulas_meet() {
        for skewness in [1e-7, 5.1e-4, 0.01, 0.3, 2.0, 50.0] {
            let ([a, b], [c, d]) = (ends(skewness, 2.0), ends(-skewness, 2.0));
            assert!((a + d).abs() < 1e-12 && (b + c).abs() < 1e-12);
            // The slow side of the likelihood has the longer way.
            assert!(b > -a && b >= 2.0 && -a <= 2.0, "{skewness}: {a} {b}");
        }
        let [series, exact] = [0.499_999, 0.500_001].map(|part| ends(part * NEARLY_NORMAL, 2.0));
        assert!((series[0] - exact[0]).abs() < 1e-7 && (series[1] - exact[1]).abs() < 1e-7);
    }
}
