//! The ring between the console's thread and the sound device's.
//!
//! [`SampleProducer`] puts samples in, [`SampleConsumer`] takes them out inside the device's
//! callback without lock or allocation, and both share a [`RingCounters`]. What is regulated is the
//! *low water*: what the ring would hold if the device had taken its samples one by one since its
//! last callback, instead of a block at a time. It does not depend on the size of the blocks, nor
//! on the moment at which it is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use cpal::{FromSample, Sample};
use rtrb::{Consumer, Producer, RingBuffer};

use crate::audio::resample::Resampler;
use crate::messages::status::SoundStatus;

/// Mean time in the ring until the player says otherwise.
const LATENCY: u16 = 20;

/// Half a frame: so much more than its low water a ring holds on average, because it is filled a
/// frame at a time.
const HALF_FRAME: Duration = Duration::from_micros(8_320);

/// What the two threads may wake late at the least.
const TARGET_LEAST: Duration = Duration::from_millis(2);

/// Each gap that was heard raises the low water by this …
const TARGET_STEP: Duration = Duration::from_millis(5);

/// … up to this much more than the player's wish.
const RAISE_MOST: Duration = Duration::from_millis(60);

/// More than this beyond the target would be heard as delay: then frames are left out.
const EXCESS: Duration = Duration::from_millis(60);

/// A device that has not asked for this long does not keep time.
const STALLED: Duration = Duration::from_millis(250);

/// What the two ends of the ring know of each other. Times are nanoseconds since a common start.
#[derive(Debug, Default)]
pub(crate) struct RingCounters {
    /// When the device last asked; 0 before it ever did.
    asked: AtomicU64,
    /// Samples that the device has been given, silence included.
    taken: AtomicU64,
    /// Callbacks that found too little while the game was running.
    gaps: AtomicU64,
    /// How often the device says that it ran dry.
    stumbles: AtomicU64,
    /// Is the console feeding the ring? While it is not, silence is no gap.
    live: AtomicBool,
}

impl RingCounters {
    /// Samples that the device has been given so far, a channel.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Callbacks that found too little while the game was running.
    pub(crate) fn gaps(&self) -> u64 {
        self.gaps.load(Ordering::Relaxed)
    }

    /// The device says that it ran dry.
    pub(crate) fn stumble(&self) {
        self.stumbles.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often it did.
    pub(crate) fn stumbles(&self) -> u64 {
        self.stumbles.load(Ordering::Relaxed)
    }

    /// Returns how long ago, at `now`, the device last asked; `None` before it ever did.
    pub(crate) fn silence(&self, now: Duration) -> Option<Duration> {
        match self.asked.load(Ordering::Acquire) {
            0 => None,
            nanos => Some(now.saturating_sub(Duration::from_nanos(nanos))),
        }
    }
}

/// Makes a ring for a device of `rate` samples a second, fed with samples at
/// [`crate::SAMPLE_RATE`].
pub(crate) fn ring(rate: u32) -> (SampleProducer, SampleConsumer, Arc<RingCounters>) {
    let (producer, consumer) = RingBuffer::new(rate as usize);
    let meter = Arc::new(RingCounters::default());
    let feed = SampleProducer {
        producer,
        meter: Arc::clone(&meter),
        rate: f64::from(rate),
        resampler: Resampler::new(crate::SAMPLE_RATE, rate),
        base: low_water(LATENCY),
        raise: Duration::ZERO,
        gaps: 0,
        breaks: 0,
    };
    (feed, SampleConsumer { consumer, meter: Arc::clone(&meter), last: 0.0 }, meter)
}

/// The console's end.
#[derive(Debug)]
pub(crate) struct SampleProducer {
    producer: Producer<f32>,
    meter: Arc<RingCounters>,
    rate: f64,
    resampler: Resampler,
    /// Low water as the player wishes it.
    base: Duration,
    /// Low water added after gaps.
    raise: Duration,
    gaps: u64,
    /// How often the device stalled, or took nothing until too much had piled up.
    breaks: u64,
}

/// Returns the low water at which a sample is `latency` milliseconds in the ring, on average.
fn low_water(latency: u16) -> Duration {
    Duration::from_millis(latency.clamp(10, 100).into()).saturating_sub(HALF_FRAME).max(TARGET_LEAST)
}

impl SampleProducer {
    /// Returns what the ring holds beyond its target at `now`, in seconds; `None` while nothing is
    /// there to regulate: the device does not keep time, or nothing has been played since the last
    /// pause.
    pub(crate) fn surplus(&self, now: Duration) -> Option<f64> {
        if self.is_live() { self.excess(now) } else { None }
    }

    /// Adds a frame's samples at `now`. At the start, and after a pause, a gap or a device that
    /// stalled, the ring is first brought to its target: by silence, or by leaving frames out until
    /// what was left has been played.
    pub(crate) fn push(&mut self, samples: &[f32], now: Duration) {
        let gaps = self.meter.gaps();
        if gaps != self.gaps {
            self.gaps = gaps;
            self.raise = (self.raise + TARGET_STEP).min(RAISE_MOST);
            self.rest();
        }
        let excess = self.excess(now);
        if excess.is_none_or(|seconds| seconds > EXCESS.as_secs_f64()) {
            self.breaks += u64::from(self.is_live());
            self.rest();
        }
        let Some(excess) = excess else { return };
        if !self.is_live() {
            if excess > 0.0 {
                return;
            }
            for _ in 0..(-excess * self.rate) as usize {
                let _ = self.producer.push(0.0); // full only if the device slept a second, which is a stall
            }
            self.meter.live.store(true, Ordering::Relaxed);
        }
        let Self { producer, resampler, .. } = self;
        for &sample in samples {
            resampler.push(sample, |sample| {
                let _ = producer.push(sample);
            });
        }
    }

    /// Gaps heard so far, whether the ring was empty, the device came too late for it, or it
    /// stalled.
    pub(crate) fn gaps(&self) -> u64 {
        self.meter.gaps() + self.meter.stumbles() + self.breaks
    }

    /// The mean time that a sample is to be in the ring: 10 to 100 milliseconds.
    pub(crate) fn set_latency(&mut self, latency: u16) {
        (self.base, self.raise) = (low_water(latency), Duration::ZERO);
    }

    /// Leans the rate by so much, as a fraction, where the console cannot follow the device.
    pub(crate) fn bend(&mut self, bend: f64) {
        self.resampler.bend(bend);
    }

    /// Returns how the device does at `now`, just after a frame.
    pub(crate) fn status(&self, now: Duration) -> SoundStatus {
        let half_frame = HALF_FRAME.as_secs_f64();
        let target = self.target().as_secs_f64();
        let held = target + self.surplus(now).unwrap_or(2.0 * half_frame);
        let since = self.meter.silence(now).unwrap_or_default().min(STALLED);
        SoundStatus {
            rate: self.rate as u32,
            // It takes a block at a time, but plays one sample after the other.
            taken: self.meter.taken() + (since.as_secs_f64() * self.rate) as u64,
            gaps: self.gaps(),
            latency: 1000.0 * (held - half_frame),
            target: 1000.0 * (target + half_frame),
        }
    }

    fn target(&self) -> Duration {
        self.base + self.raise
    }

    /// The console pauses: silence is no gap until the next push.
    pub(crate) fn rest(&mut self) {
        self.meter.live.store(false, Ordering::Relaxed);
    }

    fn is_live(&self) -> bool {
        self.meter.live.load(Ordering::Relaxed)
    }

    fn excess(&self, now: Duration) -> Option<f64> {
        let silence = self.meter.silence(now).filter(|&silence| silence < STALLED)?;
        let held = self.producer.buffer().capacity() - self.producer.slots();
        Some(held as f64 / self.rate - silence.as_secs_f64() - self.target().as_secs_f64())
    }
}

/// The device's end.
#[derive(Debug)]
pub(crate) struct SampleConsumer {
    consumer: Consumer<f32>,
    meter: Arc<RingCounters>,
    last: f32,
}

impl SampleConsumer {
    /// Fills what the device asks for at `now`: `channels` interleaved copies of the one channel.
    /// Where the ring is empty the last sample fades out, because a step to silence would click.
    pub(crate) fn fill<T: Sample + FromSample<f32>>(
        &mut self,
        data: &mut [T],
        channels: usize,
        now: Duration,
    ) {
        let mut short = false;
        for frame in data.chunks_mut(channels.max(1)) {
            self.last = self.consumer.pop().unwrap_or_else(|_| {
                short = true;
                self.last * 0.99
            });
            frame.fill(T::from_sample(self.last.clamp(-1.0, 1.0)));
        }
        if short && self.meter.live.load(Ordering::Relaxed) {
            self.meter.gaps.fetch_add(1, Ordering::Relaxed);
        }
        self.meter.taken.fetch_add((data.len() / channels.max(1)) as u64, Ordering::Relaxed);
        self.meter.asked.store((now.as_nanos() as u64).max(1), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: [f32; 800] = [0.5; 800];

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn before_the_device_asks_nothing_is_kept() {
        let (mut feed, ..) = ring(48_000);
        feed.push(&FRAME, at(1));
        assert_eq!(feed.surplus(at(1)), None);
        assert_eq!(feed.producer.slots(), 48_000);
    }

    #[test]
    fn the_first_frame_comes_on_top_of_the_target() {
        let (mut feed, mut drain, meter) = ring(48_000);
        drain.fill(&mut [0.0_f32; 1024], 2, at(100));
        feed.push(&FRAME, at(103));
        let surplus = feed.surplus(at(103)).unwrap();
        assert!((surplus - 800.0 / 48_000.0).abs() < 1e-3, "{surplus}");
        assert_eq!((meter.taken(), meter.gaps()), (512, 0));
    }

    #[test]
    fn low_water_does_not_depend_on_the_block_or_the_moment() {
        let (mut feed, mut drain, _) = ring(48_000);
        drain.fill(&mut [0.0_f32; 2], 2, at(100));
        feed.push(&FRAME, at(100));
        let before = feed.surplus(at(110)).unwrap();
        drain.fill(&mut [0.0_f32; 960], 2, at(110)); // 480 samples: just the 10 ms that went by
        assert!((feed.surplus(at(110)).unwrap() - before).abs() < 1e-6);
    }

    #[test]
    fn a_gap_fades_out_is_counted_and_raises_the_target() {
        let (mut feed, mut drain, meter) = ring(48_000);
        drain.fill(&mut [0_i16; 2], 2, at(100));
        feed.push(&FRAME, at(100));
        let mut data = [0_i16; 4096];
        drain.fill(&mut data, 2, at(140));
        assert_eq!(meter.gaps(), 1);
        assert_eq!(data[2000], 16384, "the frame is played");
        assert!(data[4095] < 1000 && data[4095] >= 0, "and fades");
        feed.push(&FRAME, at(141));
        assert_eq!(feed.raise, TARGET_STEP);
        assert!(feed.surplus(at(141)).unwrap() > 0.0);
    }

    #[test]
    fn the_players_latency_is_the_mean_time_in_the_ring() {
        for latency in [10, 20, 40, 100, 5000] {
            let (mut feed, mut drain, _) = ring(48_000);
            feed.set_latency(latency);
            let mut mean = 0.0;
            for frame in 0..600_u32 {
                let now = Duration::from_secs_f64(1.0 + f64::from(frame) / 60.0);
                drain.fill(&mut [0.0_f32; 800], 1, now);
                feed.push(&FRAME, now);
                mean += feed.status(now).latency / 600.0;
            }
            let expected = f64::from(latency.min(100));
            assert!((mean - expected).abs() < 1.0, "{latency}: {mean}");
            assert!((feed.status(at(0)).target - expected.max(10.3)).abs() < 0.1);
        }
    }

    #[test]
    fn the_devices_clock_goes_on_between_its_blocks() {
        let (feed, mut drain, _) = ring(48_000);
        drain.fill(&mut vec![0.0_f32; 4800], 1, at(100));
        assert_eq!(feed.status(at(100)).taken, 4800);
        assert_eq!(feed.status(at(150)).taken, 4800 + 2400);
        assert_eq!(feed.status(at(5000)).taken, 4800 + 12_000, "a device that stalls has none");
    }

    #[test]
    fn silence_in_a_pause_is_no_gap() {
        let (mut feed, mut drain, meter) = ring(48_000);
        drain.fill(&mut [0.0_f32; 2], 2, at(100));
        feed.push(&FRAME, at(100));
        feed.rest();
        drain.fill(&mut vec![0.0_f32; 96_000], 2, at(110));
        assert_eq!(meter.gaps(), 0);
    }

    #[test]
    fn a_device_that_stalls_does_not_keep_time() {
        let (mut feed, mut drain, _) = ring(48_000);
        drain.fill(&mut [0.0_f32; 2], 2, at(100));
        feed.push(&FRAME, at(100));
        assert!(feed.surplus(at(300)).is_some());
        assert_eq!(feed.surplus(at(400)), None);
    }

    #[test]
    fn what_piled_up_while_a_device_stalled_is_not_heard_as_delay() {
        let (mut feed, mut drain, _) = ring(48_000);
        drain.fill(&mut [0.0_f32; 2], 2, at(100));
        for frame in 0..60 {
            feed.push(&FRAME, at(100 + frame * 1000 / 60)); // the device sleeps for a second
        }
        for frame in 60..120 {
            let now = at(100 + frame * 1000 / 60);
            drain.fill(&mut [0.0_f32; 1600], 2, now);
            feed.push(&FRAME, now);
        }
        let surplus = feed.surplus(at(100 + 119 * 1000 / 60)).unwrap();
        assert!(surplus.abs() < 0.025, "{surplus}");
        assert!(feed.gaps() > 0, "a stall is heard, and counts");
    }

    #[test]
    fn both_channels_and_both_formats_carry_the_sample() {
        let (mut feed, mut drain, _) = ring(48_000);
        drain.fill(&mut [0.0_f32; 2], 2, at(100));
        feed.base = Duration::ZERO;
        feed.push(&[-1.0, 2.0], at(100));
        let mut data = [0_i16; 4];
        drain.fill(&mut data, 2, at(100));
        assert_eq!(data, [-32768, -32768, 32767, 32767]);
    }
}
