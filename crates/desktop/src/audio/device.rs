//! The sound device, on a thread of its own: opened, watched, and opened again when it dies.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{
    BufferSize, ErrorKind, SampleFormat, Stream, StreamConfig, SupportedBufferSize, SupportedStreamConfig,
};

use crate::audio::ring::{RingCounters, SampleConsumer, SampleProducer, ring};
use crate::messages::machine_message::MachineMessage;

/// Samples that the device is first asked to take at a time: 21 ms.
const BLOCK: u32 = 1024;

/// A device that stumbles is opened again with blocks twice as large, up to this.
const BLOCK_MOST: u32 = 4096;

/// So often may a stream run dry.
const STUMBLES: u64 = 3;

/// How often the stream is looked at.
const WATCH: Duration = Duration::from_millis(250);

/// A device that asks for nothing this long is dead.
const DEAD: Duration = Duration::from_secs(2);

/// How often a device that died is tried again; each try waits longer, 31 seconds in all.
const TRIES: u32 = 6;

/// How often a device that was never there is tried again: for 1.5 seconds.
const TRIES_AT_START: u32 = 2;

/// A stream that lived this long has its tries back.
const LASTING: Duration = Duration::from_secs(60);

/// The thread that holds the sound device.
#[derive(Debug)]
pub(crate) struct Sound {
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Sound {
    /// Opens the default device and hands the ring's end to `machine`. `clock` is the start of all
    /// times.
    pub(crate) fn start(clock: Instant, machine: Sender<MachineMessage>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let body = move || {
            // The ALSA library tells the terminal a page about a card that is missing; one line of
            // ours will do.
            #[cfg(target_os = "linux")]
            let _messages = alsa::Output::local_error_handler();
            let over = |time| !matches!(stopped.recv_timeout(time), Err(RecvTimeoutError::Timeout));
            keep_playing(clock, &machine, over);
        };
        let thread = thread::Builder::new().name("sound".into()).spawn(body).ok();
        Self { stop, thread }
    }

    /// Closes the device.
    pub(crate) fn stop(self) {
        drop(self.stop);
        // A sound server that hangs must not keep the window from closing.
        let Some(thread) = self.thread else { return };
        for _ in 0..50 {
            if thread.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Opens and watches until `over` answers that the game is; it waits as long as it is told before
/// it answers.
fn keep_playing(clock: Instant, machine: &Sender<MachineMessage>, over: impl Fn(Duration) -> bool) {
    let (mut block, mut tries, mut heard) = (BLOCK, 0, false);
    loop {
        let end = match open(clock, block) {
            Ok((line, producer)) => {
                if machine.send(MachineMessage::Sound(Box::new(producer))).is_err() {
                    return;
                }
                heard = true;
                let opened = Instant::now();
                let Some(end) = line.health.watch(clock, &over) else { return };
                drop(line);
                if machine.send(MachineMessage::Silence).is_err() {
                    return;
                }
                if opened.elapsed() > LASTING {
                    tries = 0;
                }
                end
            }
            // Nobody has heard it yet; it may be that it is still starting.
            Err(error) if !heard && tries == TRIES_AT_START => {
                return report_error(machine, format!("no sound device ({error}); playing without sound"));
            }
            Err(error) => End::Dead(error.to_string()),
        };
        match end {
            End::Unpaced => {
                return report_error(
                    machine,
                    "the sound device does not keep time; playing without sound".into(),
                );
            }
            End::Stumbling => block *= 2,
            End::Dead(reason) if tries == TRIES => {
                return report_error(
                    machine,
                    format!("the sound device is gone ({reason}); playing without sound"),
                );
            }
            End::Dead(_) => {
                tries += 1;
                if over(Duration::from_millis(250) * 2_u32.pow(tries)) {
                    return;
                }
            }
        }
    }
}

/// One line for the player, once: after it there is no more sound.
fn report_error(machine: &Sender<MachineMessage>, message: String) {
    let _ = machine.send(MachineMessage::Warn(message)); // fails when the game is over
}

/// Why a stream was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    /// It ran dry too often: its blocks are too small for this computer.
    Stumbling,
    /// It takes whatever it can get, as a device that is none does.
    Unpaced,
    /// It failed, for this reason, or asks for nothing any more.
    Dead(String),
}

/// An open stream and how it does.
struct Line {
    _stream: Stream,
    health: Health,
}

/// How a stream does.
#[derive(Debug)]
struct Health {
    rate: u32,
    block: u32,
    meter: Arc<RingCounters>,
    trouble: Arc<Trouble>,
}

/// What the device's thread reports.
#[derive(Debug, Default)]
struct Trouble {
    /// Its last words, however often it repeats them.
    failure: OnceLock<String>,
}

impl Trouble {
    fn fail(&self, error: &cpal::Error) {
        let _ = self.failure.set(error.to_string());
    }
}

impl Health {
    /// Looks at the stream until it has to be given up; `None` when the game is over before.
    fn watch(&self, clock: Instant, over: &impl Fn(Duration) -> bool) -> Option<End> {
        let opened = Instant::now();
        while !over(WATCH) {
            let end = self.end(clock.elapsed(), opened.elapsed());
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Returns what is wrong at `now`, `age` after opening.
    fn end(&self, now: Duration, age: Duration) -> Option<End> {
        // A second that a device may take ahead of time, and then twice what it should.
        let most = f64::from(self.rate) * (1.0 + 2.0 * age.as_secs_f64());
        if self.meter.taken() as f64 > most {
            Some(End::Unpaced)
        } else if let Some(reason) = self.trouble.failure.get() {
            Some(End::Dead(reason.clone()))
        } else if self.meter.silence(now).unwrap_or(age) > DEAD {
            Some(End::Dead("it takes no samples".into()))
        } else if self.meter.stumbles() > STUMBLES && self.block < BLOCK_MOST {
            Some(End::Stumbling)
        } else {
            None
        }
    }
}

fn open(clock: Instant, block: u32) -> Result<(Line, SampleProducer), cpal::Error> {
    let device = cpal::default_host()
        .default_output_device()
        .ok_or_else(|| cpal::Error::new(ErrorKind::DeviceNotAvailable))?;
    let supported = device.default_output_config()?;
    let (rate, block) = (supported.sample_rate(), nearest_block(&supported, block));
    let (producer, consumer, meter) = ring(rate);
    let trouble = Arc::new(Trouble::default());
    let config = StreamConfig { buffer_size: BufferSize::Fixed(block), ..supported.config() };
    let stream = match supported.sample_format() {
        SampleFormat::F32 => build::<f32>(&device, config, consumer, clock, &trouble, &meter),
        SampleFormat::I16 => build::<i16>(&device, config, consumer, clock, &trouble, &meter),
        SampleFormat::U16 => build::<u16>(&device, config, consumer, clock, &trouble, &meter),
        SampleFormat::I32 => build::<i32>(&device, config, consumer, clock, &trouble, &meter),
        SampleFormat::I24 => build::<cpal::I24>(&device, config, consumer, clock, &trouble, &meter),
        SampleFormat::F64 => build::<f64>(&device, config, consumer, clock, &trouble, &meter),
        _ => Err(cpal::Error::new(ErrorKind::UnsupportedConfig)),
    }?;
    stream.play()?;
    Ok((Line { _stream: stream, health: Health { rate, block, meter, trouble } }, producer))
}

fn nearest_block(supported: &SupportedStreamConfig, block: u32) -> u32 {
    match *supported.buffer_size() {
        SupportedBufferSize::Range { min, max } => block.min(max).max(min),
        SupportedBufferSize::Unknown => block,
    }
}

fn build<T: cpal::SizedSample + cpal::FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mut consumer: SampleConsumer,
    clock: Instant,
    trouble: &Arc<Trouble>,
    meter: &Arc<RingCounters>,
) -> Result<Stream, cpal::Error> {
    let (trouble, meter) = (Arc::clone(trouble), Arc::clone(meter));
    let channels = usize::from(config.channels);
    device.build_output_stream(
        config,
        move |data: &mut [T], _| consumer.fill(data, channels, clock.elapsed()),
        move |error| match error.kind() {
            ErrorKind::Xrun => {
                meter.stumble();
            }
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            _ => trouble.fail(&error),
        },
        Some(DEAD),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn health(block: u32) -> (Health, SampleConsumer) {
        let (_, consumer, meter) = ring(48_000);
        (Health { rate: 48_000, block, meter, trouble: Arc::default() }, consumer)
    }

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Takes `blocks` of 1024 samples at `now`.
    fn take(consumer: &mut SampleConsumer, blocks: usize, now: Duration) {
        (0..blocks).for_each(|_| consumer.fill(&mut [0.0_f32; 1024], 1, now));
    }

    #[test]
    fn a_device_that_keeps_time_is_left_alone() {
        let (health, mut consumer) = health(BLOCK);
        take(&mut consumer, 4, at(100)); // it fills its own buffer first
        assert_eq!(health.end(at(350), at(250)), None);
        take(&mut consumer, 47, at(1100));
        assert_eq!(health.end(at(1100), at(1000)), None);
    }

    #[test]
    fn a_device_that_takes_whatever_it_can_get_is_given_up() {
        let (health, mut consumer) = health(BLOCK);
        take(&mut consumer, 1000, at(100));
        assert_eq!(health.end(at(350), at(250)), Some(End::Unpaced));
    }

    #[test]
    fn a_device_that_failed_or_asks_for_nothing_is_dead() {
        let (silent, mut consumer) = health(BLOCK);
        assert_eq!(silent.end(at(1000), at(1000)), None, "some take a second to start");
        assert!(matches!(silent.end(at(2500), at(2500)), Some(End::Dead(_))));
        take(&mut consumer, 1, at(2500));
        assert_eq!(silent.end(at(4000), at(4000)), None);
        silent.trouble.fail(&cpal::Error::new(ErrorKind::DeviceNotAvailable));
        assert!(matches!(silent.end(at(4000), at(4000)), Some(End::Dead(_))));
    }

    #[test]
    fn a_device_that_runs_dry_gets_larger_blocks_until_they_are_large_enough() {
        let (small, _drain) = health(BLOCK);
        (0..=STUMBLES).for_each(|_| small.meter.stumble());
        assert_eq!(small.end(at(100), at(100)), Some(End::Stumbling));
        let (large, _drain) = health(BLOCK_MOST);
        (0..=STUMBLES).for_each(|_| large.meter.stumble());
        assert_eq!(large.end(at(100), at(100)), None);
    }
}
