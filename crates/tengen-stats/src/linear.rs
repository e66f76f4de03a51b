//! Linear algebra for ratings and regressions: symmetric positive definite matrices,
//! stored as vectors of rows.

/// The Cholesky decomposition of a symmetric positive definite matrix A: the lower
/// triangle L with L·Lᵀ = A. For n rows, making it takes n³/6 multiplications, and
/// solving a system of equations n².
///
/// # Examples
/// ```
/// use tengen_stats::linear::Cholesky;
///
/// let matrix = [vec![4.0, 2.0], vec![2.0, 5.0]];
/// let cholesky = Cholesky::new(&matrix).ok_or("not positive definite")?;
/// assert_eq!(cholesky.solve(&[8.0, 8.0]), [1.5, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    factor: Vec<Vec<f64>>,
}

impl Cholesky {
    /// The decomposition of `matrix`, of which only the lower triangle is read; `None` if
    /// the matrix is not positive definite.
    #[must_use]
    pub fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let size = matrix.len();
        let mut factor = vec![vec![0.0; size]; size];
        for i in 0..size {
            for j in 0..=i {
                let (above, own) = factor.split_at(i);
                let other = if j == i { &own[0] } else { &above[j] };
                let known: f64 = own[0][..j].iter().zip(&other[..j]).map(|(a, b)| a * b).sum();
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
        Some(Self { factor })
    }

    /// The solution x of A·x = `right`.
    #[must_use]
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        // L y = right, then Lᵀ x = y.
        let mut y = right.to_vec();
        for (i, row) in self.factor.iter().enumerate() {
            let known: f64 = row[..i].iter().zip(&y).map(|(a, b)| a * b).sum();
            y[i] = (y[i] - known) / row[i];
        }
        self.solve_transposed(&y)
    }

    /// The solution x of Lᵀ·x = `right`. If `right` are independent standard normal
    /// numbers, x is a draw from the normal distribution with the precision matrix A.
    #[must_use]
    pub fn solve_transposed(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for (i, row) in self.factor.iter().enumerate().rev() {
            x[i] /= row[i];
            let known = x[i];
            for (value, entry) in x[..i].iter_mut().zip(row) {
                *value -= entry * known;
            }
        }
        x
    }

    /// The logarithm of the determinant of A.
    #[must_use]
    pub fn log_determinant(&self) -> f64 {
        2.0 * self.factor.iter().enumerate().map(|(i, row)| row[i].ln()).sum::<f64>()
    }

    /// The inverse of A.
    #[must_use]
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.factor.len();
        // A⁻¹ is symmetric: its columns are its rows.
        (0..size)
            .map(|column| {
                let unit = |row| f64::from(u8::from(row == column));
                self.solve(&(0..size).map(unit).collect::<Vec<f64>>())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of a matrix and a vector.
    fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
        let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        matrix.iter().map(dot).collect()
    }

    fn matrix() -> Vec<Vec<f64>> {
        vec![vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]]
    }

    #[test]
    fn the_determinant_by_hand() {
        // 4·5 - 2·2.
        let cholesky = Cholesky::new(&[vec![4.0, 2.0], vec![2.0, 5.0]]).expect("positive definite");
        assert!((cholesky.log_determinant() - 16.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let cholesky = Cholesky::new(&matrix()).expect("positive definite");
        let there = product(&matrix(), &[1.0, -2.0, 3.0]);
        let back = [product(&cholesky.inverse(), &there), cholesky.solve(&there)];
        for found in back {
            for (found, expected) in found.iter().zip([1.0, -2.0, 3.0]) {
                assert!((found - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn transposed_solutions_have_the_inverse_as_covariance() {
        // Of the unit vectors e: Σ (L⁻ᵀ e)(L⁻ᵀ e)ᵀ = L⁻ᵀ L⁻¹ = A⁻¹.
        let cholesky = Cholesky::new(&matrix()).expect("positive definite");
        let mut sum = vec![vec![0.0; 3]; 3];
        for unit in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let x = cholesky.solve_transposed(&unit);
            for i in 0..3 {
                for j in 0..3 {
                    sum[i][j] += x[i] * x[j];
                }
            }
        }
        for (found, expected) in sum.iter().flatten().zip(cholesky.inverse().iter().flatten()) {
            assert!((found - expected).abs() < 1e-12, "{sum:?}");
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_none() {
        assert_eq!(Cholesky::new(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(Cholesky::new(&[vec![f64::NAN]]), None);
    }
}
