//! Random vectors. The generator's whole state is one word, so that a checkpoint holds it.

use tetris::SplitMix64;

/// Returns the sequence of a seed; that of the seed after it has nothing in common with it.
pub(crate) const fn sequence(seed: u64) -> SplitMix64 {
    SplitMix64::new(SplitMix64::mix(seed))
}

/// Returns a vector whose coordinates are each from -1 to 1.
pub(crate) fn cube<const N: usize>(random: &mut SplitMix64) -> [f64; N] {
    std::array::from_fn(|_| 2.0 * random.fraction() - 1.0)
}

/// Returns a vector of coordinates of the standard normal distribution, by Marsaglia's polar
/// method.
pub(crate) fn normal<const N: usize>(random: &mut SplitMix64) -> [f64; N] {
    let mut vector = [0.0; N];
    for pair in vector.chunks_mut(2) {
        let (x, y, square) = loop {
            let (x, y) = (2.0 * random.fraction() - 1.0, 2.0 * random.fraction() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                break (x, y, square);
            }
        };
        let length = (-2.0 * square.ln() / square).sqrt();
        for (part, coordinate) in pair.iter_mut().zip([x, y]) {
            *part = coordinate * length;
        }
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut random = sequence(1);
        let numbers: Vec<f64> = (0..20_000).flat_map(|_| normal::<5>(&mut random)).collect();
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
