//! The two resistor ladders that mix the channels.

use crate::Channel;

/// Full scale of a level: what the formulas call 1.0.
pub(crate) const FULL_SCALE: i32 = 1 << 15;

/// Levels of both pulses by the sum of their outputs, 0–30.
static PULSES: [u16; 31] = pulses();

/// Levels of triangle, noise and DMC: `[dmc][triangle][noise]`.
static OTHERS: [[[u16; 16]; 16]; 128] = others();

/// `gain / (1 / conductance + 100)`, rounded to a level (NESdev: APU Mixer).
const fn ladder(gain: f64, conductance: f64) -> u16 {
    (gain * conductance / (1.0 + 100.0 * conductance) * FULL_SCALE as f64 + 0.5) as u16
}

const fn pulses() -> [u16; 31] {
    let mut table = [0; 31];
    let mut sum = 0;
    while sum < 31 {
        table[sum] = ladder(95.88, sum as f64 / 8128.0);
        sum += 1;
    }
    table
}

#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
const fn others() -> [[[u16; 16]; 16]; 128] {
    let mut table = [[[0; 16]; 16]; 128];
    let mut index = 0;
    while index < 128 * 256 {
        let (dmc, triangle, noise) = (index >> 8, index >> 4 & 15, index & 15);
        let conductance = triangle as f64 / 8227.0 + noise as f64 / 12241.0 + dmc as f64 / 22638.0;
        table[dmc][triangle][noise] = ladder(159.79, conductance);
        index += 1;
    }
    table
}

/// How loud each channel is mixed, in percent of what the chip puts out, in the order of
/// [`Channel::ALL`](crate::Channel::ALL): 100 is the console's sound, 0 mutes a channel.
///
/// It belongs to what is heard, as the sample rate does, and not to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelLevels(pub [u8; 5]);

impl Default for ChannelLevels {
    fn default() -> Self {
        Self([100; 5])
    }
}

impl ChannelLevels {
    /// The console's sound without these channels.
    pub fn without(muted: impl IntoIterator<Item = Channel>) -> Self {
        let mut levels = Self::default();
        for channel in muted {
            levels.0[channel as usize] = 0;
        }
        levels
    }

    /// The mixed level of `outputs` as [`mix`] has it, each channel as loud as it is to be.
    pub(crate) fn mix(self, outputs: [u8; 5]) -> i32 {
        let [pulse1, pulse2, triangle, noise, dmc] =
            core::array::from_fn(|index| f64::from(outputs[index]) * f64::from(self.0[index]) / 100.0);
        let pulses = ladder(95.88, (pulse1 + pulse2) / 8128.0);
        let others = ladder(159.79, triangle / 8227.0 + noise / 12241.0 + dmc / 22638.0);
        (i32::from(pulses) + i32::from(others)).min(FULL_SCALE)
    }
}

/// The mixed level of the channels' outputs, 0 up to [`FULL_SCALE`]: pulses, triangle and noise
/// 0–15, DMC 0–127.
#[inline(always)]
pub(crate) fn mix([pulse1, pulse2, triangle, noise, dmc]: [u8; 5]) -> i32 {
    let sum = usize::from(pulse1 & 15) + usize::from(pulse2 & 15);
    let ladder = &OTHERS[usize::from(dmc & 127)];
    i32::from(PULSES[sum]) + i32::from(ladder[usize::from(triangle & 15)][usize::from(noise & 15)])
}

/// The level of two pulses alone.
pub(crate) fn pulse_level([first, second]: [u8; 2]) -> i32 {
    PULSES[usize::from(first & 15) + usize::from(second & 15)].into()
}

/// The level of the DMC alone.
pub(crate) fn dmc_level(output: u8) -> i32 {
    OTHERS[usize::from(output & 127)][0][0].into()
}

#[cfg(test)]
mod tests {
    use super::{ChannelLevels, FULL_SCALE, mix};
    use crate::Channel;

    fn wiki(pulses: [u8; 2], triangle: u8, noise: u8, dmc: u8) -> f64 {
        let sum = f64::from(pulses[0] + pulses[1]);
        let other = f64::from(triangle) / 8227.0 + f64::from(noise) / 12241.0 + f64::from(dmc) / 22638.0;
        let pulse = if sum > 0.0 { 95.88 / (8128.0 / sum + 100.0) } else { 0.0 };
        pulse + if other > 0.0 { 159.79 / (1.0 / other + 100.0) } else { 0.0 }
    }

    #[test]
    fn levels_are_the_wikis_formulas() {
        for dmc in (0..128).step_by(9) {
            for channels in 0..=0xFFFF_u16 {
                let [p1, p2, t, n] = [0, 4, 8, 12].map(|shift| (channels >> shift & 15) as u8);
                let expected = wiki([p1, p2], t, n, dmc) * f64::from(FULL_SCALE);
                assert!((f64::from(mix([p1, p2, t, n, dmc])) - expected).abs() <= 1.0);
            }
        }
    }

    #[test]
    fn everything_at_its_loudest_stays_within_full_scale() {
        let loudest = mix([15, 15, 15, 15, 127]);
        assert!(loudest <= FULL_SCALE && loudest > FULL_SCALE * 99 / 100, "{loudest}");
    }

    #[test]
    fn silence_is_zero() {
        assert_eq!(mix([0; 5]), 0);
    }

    /// Many outputs of the channels.
    fn outputs() -> impl Iterator<Item = [u8; 5]> {
        (0..0x7FFF_u32)
            .step_by(13)
            .map(|n| [n & 15, n >> 4 & 15, n >> 8 & 15, n >> 11 & 15, n % 128].map(|n| n as u8))
    }

    #[test]
    fn a_muted_channel_is_mixed_as_one_that_puts_out_nothing() {
        for muted in 0..32_usize {
            let is_muted = |channel: Channel| muted >> channel as usize & 1 != 0;
            let levels =
                ChannelLevels::without(Channel::ALL.into_iter().filter(|&channel| is_muted(channel)));
            for outputs in outputs() {
                let rest =
                    Channel::ALL.map(|channel| if is_muted(channel) { 0 } else { outputs[channel as usize] });
                assert_eq!(levels.mix(outputs), mix(rest), "{outputs:?} without {muted:05b}");
            }
        }
    }

    #[test]
    fn a_channel_at_more_percent_is_louder_and_full_scale_is_never_passed() {
        for outputs in outputs() {
            for channel in 0..5 {
                let at = |percent| {
                    let mut levels = ChannelLevels::default();
                    levels.0[channel] = percent;
                    levels.mix(outputs)
                };
                let heard = [0, 1, 50, 100, 200, 255].map(at);
                assert!(heard.is_sorted() && heard[5] <= FULL_SCALE, "{outputs:?}, {channel}: {heard:?}");
            }
        }
    }
}
