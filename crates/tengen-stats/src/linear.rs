//! The little linear algebra that ratings need: symmetric positive definite
//! matrices, row by row.

/// The inverse of the symmetric positive definite `matrix`, by Cholesky's
/// decomposition; `None` if it is not positive definite.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let factor = cholesky(matrix)?;
    let mut inverse = vec![vec![0.0; size]; size];
    for column in 0..size {
        // L y = e, then Lᵀ x = y.
        let mut x = vec![0.0; size];
        for i in column..size {
            let known: f64 = (column..i).map(|k| factor[i][k] * x[k]).sum();
            x[i] = (f64::from(u8::from(i == column)) - known) / factor[i][i];
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|k| factor[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        for (row, value) in inverse.iter_mut().zip(x) {
            row[column] = value;
        }
    }
    Some(inverse)
}

/// The lower triangle L with `L·Lᵀ = matrix`.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut factor = vec![vec![0.0; size]; size];
    for i in 0..size {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = matrix[i][j] - known;
            factor[i][j] = if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / factor[j][j]
            };
        }
    }
    Some(factor)
}

/// The product of a matrix and a vector.
pub(super) fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = vec![vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]];
        let inverse = inverse(&matrix).expect("positive definite");
        let there = product(&matrix, &[1.0, -2.0, 3.0]);
        for (found, expected) in product(&inverse, &there).iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_none() {
        assert_eq!(inverse(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(inverse(&[vec![f64::NAN]]), None);
    }
}
