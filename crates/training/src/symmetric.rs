//! Axes of a symmetric matrix, by Jacobi's rotations.

/// The matrix that changes nothing.
pub(crate) const fn identity<const N: usize>() -> [[f64; N]; N] {
    let mut matrix = [[0.0; N]; N];
    let mut at = 0;
    while at < N {
        matrix[at][at] = 1.0;
        at += 1;
    }
    matrix
}

/// Sweeps after which some dozens of axes have long converged; usual are six to eight.
const SWEEPS: usize = 50;

/// The eigenvalues, and as columns the eigenvectors that belong to them.
pub(crate) fn axes<const N: usize>(mut matrix: [[f64; N]; N]) -> ([f64; N], [[f64; N]; N]) {
    let mut vectors = identity();
    for _ in 0..SWEEPS {
        let pairs = || (0..N).flat_map(|p| (p + 1..N).map(move |q| (p, q)));
        if pairs().all(|(p, q)| matrix[p][q] == 0.0) {
            break;
        }
        for (p, q) in pairs() {
            // Golub and Van Loan, Matrix Computations, 8.5.2: the smaller of the two angles.
            if matrix[p][q] == 0.0 {
                continue;
            }
            let tau = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
            let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = tangent * cosine;
            for row in &mut matrix {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            let (upper, lower) = (matrix[p], matrix[q]);
            matrix[p] = std::array::from_fn(|at| cosine * upper[at] - sine * lower[at]);
            matrix[q] = std::array::from_fn(|at| sine * upper[at] + cosine * lower[at]);
            (matrix[p][q], matrix[q][p]) = (0.0, 0.0);
            for row in &mut vectors {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
        }
    }
    (std::array::from_fn(|at| matrix[at][at]), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SIZE;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_and_axes_make_the_matrix_again(cells in prop::array::uniform6(prop::array::uniform6(-1.0..1.0))) {
            let matrix: [[f64; SIZE]; SIZE] = std::array::from_fn(|i| {
                std::array::from_fn(|j| cells[i.min(j)][i.max(j)])
            });
            let (values, vectors) = axes(matrix);
            for i in 0..SIZE {
                for j in 0..SIZE {
                    let again: f64 = (0..SIZE).map(|k| vectors[i][k] * values[k] * vectors[j][k]).sum();
                    let product: f64 = (0..SIZE).map(|k| vectors[k][i] * vectors[k][j]).sum();
                    prop_assert!((again - matrix[i][j]).abs() < 1e-12);
                    prop_assert!((product - identity::<SIZE>()[i][j]).abs() < 1e-12);
                }
            }
        }
    }
}
