//! The features of a full quadratic in d coordinates: 1, vᵢ, and vᵢvⱼ for i ≤ j.

/// How many features there are.
#[must_use]
pub const fn count(dimensions: usize) -> usize {
    1 + dimensions + dimensions * (dimensions + 1) / 2
}

/// Appends the features of `point` to `features`.
pub fn append(point: &[f64], features: &mut Vec<f64>) {
    features.push(1.0);
    features.extend_from_slice(point);
    for (i, a) in point.iter().enumerate() {
        features.extend(point[..=i].iter().map(|b| a * b));
    }
}

/// The features of `point`.
#[must_use]
pub fn features(point: &[f64]) -> Vec<f64> {
    let mut features = Vec::with_capacity(count(point.len()));
    append(point, &mut features);
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_by_hand() {
        assert_eq!(features(&[3.0]), [1.0, 3.0, 9.0]);
        assert_eq!(features(&[2.0, 5.0]), [1.0, 2.0, 5.0, 4.0, 10.0, 25.0]);
        for dimensions in 1..6 {
            assert_eq!(features(&vec![0.5; dimensions]).len(), count(dimensions));
        }
    }
}
