//! CMA-ES: the evolution strategy that learns the shape of the landscape as a covariance matrix.
//!
//! Names and constants are those of Hansen, "The CMA Evolution Strategy: A Tutorial" (arXiv
//! 1604.00772), with positive weights only.

use serde::{Deserialize, Serialize};
use tetris::SplitMix64;

use crate::array::{matrix, vector, vectors};
use crate::random;
use crate::symmetric::{axes, identity};

/// Width of the first generation, beside means from -1 to 1.
const FIRST_SIGMA: f64 = 0.5;
/// Least variance of an axis in terms of the widest: keeps rounding from making it negative.
const FLATTEST: f64 = 1e-14;

/// The distribution from which candidates are drawn, the paths that it went, and the candidates at
/// hand: vectors of `N` coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cma<const N: usize> {
    chance: SplitMix64,
    generation: u32,
    #[serde(with = "vector")]
    mean: [f64; N],
    sigma: f64,
    #[serde(with = "matrix")]
    covariance: [[f64; N]; N],
    #[serde(with = "vector")]
    sigma_path: [f64; N],
    #[serde(with = "vector")]
    covariance_path: [f64; N],
    #[serde(with = "vectors")]
    candidates: Vec<[f64; N]>,
}

/// What follows from the numbers of candidates and coordinates alone.
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
}

impl Constants {
    fn new(candidates: usize, n: f64) -> Self {
        let parents = (candidates / 2).max(1);
        let mut weights: Vec<f64> =
            (1..=parents).map(|rank| (parents as f64 + 0.5).ln() - (rank as f64).ln()).collect();
        let sum: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= sum;
        }
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
        let c_1 = 2.0 / ((n + 1.3).powi(2) + mu_eff);
        let c_mu = (2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0).powi(2) + mu_eff)).min(1.0 - c_1);
        Self { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu }
    }
}

impl<const N: usize> Cma<N> {
    /// So many candidates about a random mean of the cube from -1 to 1.
    pub(crate) fn new(candidates: usize, seed: u64) -> Self {
        let mut chance = random::sequence(seed);
        let mean = random::cube(&mut chance);
        Self::about(candidates, mean, FIRST_SIGMA, chance)
    }

    /// So many candidates about a mean, of a standard deviation along every axis.
    pub(crate) fn about(candidates: usize, mean: [f64; N], sigma: f64, chance: SplitMix64) -> Self {
        let mut strategy = Self {
            chance,
            generation: 0,
            mean,
            sigma,
            covariance: identity(),
            sigma_path: [0.0; N],
            covariance_path: [0.0; N],
            candidates: vec![mean; candidates],
        };
        strategy.draw();
        strategy
    }

    pub(crate) fn candidates(&self) -> &[[f64; N]] {
        &self.candidates
    }

    /// The middle of the distribution: the candidate to keep, because luck has no part in it.
    pub(crate) fn mean(&self) -> [f64; N] {
        self.mean
    }

    /// Standard deviations along the axes, and the axes as columns.
    fn shape(&self) -> ([f64; N], [[f64; N]; N]) {
        let (variances, vectors) = axes(self.covariance);
        let widest = variances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        (variances.map(|variance| variance.max(FLATTEST * widest).sqrt()), vectors)
    }

    fn draw(&mut self) {
        let (lengths, vectors) = self.shape();
        for candidate in &mut self.candidates {
            let normal: [f64; N] = random::normal(&mut self.chance);
            *candidate = std::array::from_fn(|row| {
                let step: f64 = (0..N).map(|axis| vectors[row][axis] * lengths[axis] * normal[axis]).sum();
                self.mean[row] + self.sigma * step
            });
        }
    }

    /// Moves and shapes the distribution, given the fitness of each candidate; higher is better.
    pub(crate) fn tell(&mut self, fitness: &[f64]) {
        let Constants { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu } =
            Constants::new(self.candidates.len(), N as f64);
        let n = N as f64;
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        // Stable: of equals the first drawn comes first.
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let steps: Vec<[f64; N]> = order
            .iter()
            .take(weights.len())
            .map(|&index| std::array::from_fn(|at| (self.candidates[index][at] - self.mean[at]) / self.sigma))
            .collect();
        let step: [f64; N] = std::array::from_fn(|at| {
            steps.iter().zip(&weights).map(|(step, weight)| weight * step[at]).sum()
        });
        let (lengths, vectors) = self.shape();
        let along: [f64; N] = std::array::from_fn(|axis| {
            (0..N).map(|row| vectors[row][axis] * step[row]).sum::<f64>() / lengths[axis]
        });
        let pull = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for row in 0..N {
            self.mean[row] += self.sigma * step[row];
            let round: f64 = (0..N).map(|axis| vectors[row][axis] * along[axis]).sum();
            self.sigma_path[row] = (1.0 - c_sigma) * self.sigma_path[row] + pull * round;
        }
        self.generation = self.generation.saturating_add(1);
        let length = self.sigma_path.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Expected length of a standard normal vector.
        let usual = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let settled = (1.0 - (1.0 - c_sigma).powi(2 * self.generation.min(1_000_000) as i32)).sqrt();
        let moving = if length / settled < (1.4 + 2.0 / (n + 1.0)) * usual { 1.0 } else { 0.0 };
        let pull = moving * (c_c * (2.0 - c_c) * mu_eff).sqrt();
        for (path, step) in self.covariance_path.iter_mut().zip(step) {
            *path = (1.0 - c_c) * *path + pull * step;
        }
        let keep = 1.0 - c_1 - c_mu + (1.0 - moving) * c_1 * c_c * (2.0 - c_c);
        for row in 0..N {
            for column in 0..=row {
                let ranks: f64 =
                    steps.iter().zip(&weights).map(|(step, weight)| weight * step[row] * step[column]).sum();
                let one = self.covariance_path[row] * self.covariance_path[column];
                let cell = keep * self.covariance[row][column] + c_1 * one + c_mu * ranks;
                self.covariance[row][column] = cell;
                self.covariance[column][row] = cell;
            }
        }
        self.sigma *= (c_sigma / d_sigma * (length / usual - 1.0)).exp();
        self.draw();
    }
}
