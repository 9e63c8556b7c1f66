//! Samples as files of sound have them.

/// Returns a sample of -1 to 1 as 16 bits, where 1 is 32,767; one beyond that is cut off. Halves
/// are rounded away from 0, as [`f32::round`] does, without a call of it for each sample where the
/// processor has no instruction for that.
#[inline]
pub fn pcm16(sample: f32) -> i16 {
    // The largest number below 0.5: with 0.5 itself, the number before a half would become the
    // half.
    let half = 0.5_f32.next_down();
    let scaled = sample.clamp(-1.0, 1.0) * f32::from(i16::MAX);
    (scaled + half.copysign(scaled)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_rounded_as_the_library_does() {
        let round = |sample: f32| (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
        // Those around each half, where the two could differ, and others at even distances.
        let halves = (0..=i16::MAX).flat_map(|number| {
            let half = (f32::from(number) + 0.5) / f32::from(i16::MAX);
            [half.next_down().next_down(), half.next_down(), half, half.next_up(), half.next_up().next_up()]
        });
        let others = (0..0x1000_u32).map(|number| f32::from_bits(number << 20));
        for sample in halves.chain(others).flat_map(|sample| [sample, -sample]) {
            assert_eq!(pcm16(sample), round(sample), "{sample}");
        }
        assert_eq!([1.5, -1.5, f32::INFINITY, f32::NAN].map(pcm16), [32_767, -32_767, 32_767, 0]);
    }
}
