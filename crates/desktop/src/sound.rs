//! The sound device, on a thread of its own: opened, watched, and opened again when it dies.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{
    BufferSize, ErrorKind, SampleFormat, Stream, StreamConfig, SupportedBufferSize, SupportedStreamConfig,
};

use crate::machine::Command;
use crate::ring::{Drain, Feed, Meter, ring};

/// Samples that the device is first asked to take at a time: 21 ms.
const BLOCK: u32 = 1024;

/// A device that stumbles is opened again with blocks twice as large, up to this.
const BLOCK_MOST: u32 = 4096;

/// Stumbles of the device between two looks at it that are one too many.
const STUMBLES: u64 = 3;

/// How often the stream is looked at.
const WATCH: Duration = Duration::from_millis(500);

/// A device that asks for nothing this long is dead.
const DEAD: Duration = Duration::from_secs(2);

/// How often a device that died is tried again; each try waits longer.
const TRIES: u32 = 6;

/// The thread that holds the sound device.
#[derive(Debug)]
pub(crate) struct Sound {
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Sound {
    /// Opens the default device and hands the ring's end to `machine`. `clock` is the start of all times.
    pub(crate) fn start(clock: Instant, machine: Sender<Command>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let body = move || {
            // The ALSA library tells the terminal a page about a card that is missing; one line of ours will do.
            #[cfg(target_os = "linux")]
            let _messages = alsa::Output::local_error_handler();
            let wait = |time| !matches!(stopped.recv_timeout(time), Err(RecvTimeoutError::Timeout));
            keep_playing(clock, &machine, wait);
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

/// Opens and watches until `wait` answers that the game is over.
fn keep_playing(clock: Instant, machine: &Sender<Command>, wait: impl Fn(Duration) -> bool) {
    let (mut block, mut tries) = (BLOCK, 0);
    loop {
        match open(clock, block) {
            Ok((line, feed)) => {
                if machine.send(Command::Sound(Box::new(feed))).is_err() {
                    return;
                }
                let opened = Instant::now();
                let verdict = loop {
                    if wait(WATCH) {
                        return;
                    }
                    if let Some(verdict) = line.verdict(clock.elapsed(), opened.elapsed()) {
                        break verdict;
                    }
                };
                drop(line);
                if machine.send(Command::Silence).is_err() {
                    return;
                }
                if opened.elapsed() > Duration::from_secs(60) {
                    tries = 0; // it worked for a while: another device, another day
                }
                match verdict {
                    Verdict::Stumbles => {
                        block *= 2;
                        continue; // larger blocks cost no try: there are only two sizes left
                    }
                    Verdict::Unpaced => {
                        return complain("the sound device does not keep time; playing without sound");
                    }
                    Verdict::Dead => {}
                }
            }
            // Not asked again: each attempt makes the system's sound library complain on its own.
            Err(error) if tries == 0 => {
                return complain(format_args!("no sound device ({error}); playing without sound"));
            }
            Err(_) => {}
        }
        tries += 1;
        if tries > TRIES {
            return complain("the sound device does not come back; playing without sound");
        }
        if wait(Duration::from_millis(250) * 2_u32.pow(tries)) {
            return;
        }
    }
}

fn complain(message: impl Display) {
    eprintln!("maxout: {message}");
}

/// What is wrong with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It ran dry too often: its blocks are too small for this machine.
    Stumbles,
    /// It takes whatever it can get, as a device that is none does.
    Unpaced,
    /// It reported a failure, or asks for nothing any more.
    Dead,
}

/// An open stream and what is known of it.
struct Line {
    _stream: Stream,
    rate: u32,
    block: u32,
    meter: Arc<Meter>,
    trouble: Arc<Trouble>,
}

/// What the device's thread reports.
#[derive(Debug, Default)]
struct Trouble {
    failed: AtomicBool,
    stumbles: AtomicU64,
}

impl Line {
    /// What is wrong at `now`, `age` after opening.
    fn verdict(&self, now: Duration, age: Duration) -> Option<Verdict> {
        let stumbles = self.trouble.stumbles.swap(0, Ordering::Relaxed);
        let silence = self.meter.silence(now).unwrap_or(age);
        // What a device may take ahead of time, plus twice what it should.
        let most = f64::from(self.rate) * (1.0 + 2.0 * age.as_secs_f64());
        if self.meter.taken() as f64 > most {
            Some(Verdict::Unpaced)
        } else if self.trouble.failed.load(Ordering::Relaxed) || silence > DEAD {
            Some(Verdict::Dead)
        } else if stumbles > STUMBLES && self.block < BLOCK_MOST {
            Some(Verdict::Stumbles)
        } else {
            None
        }
    }
}

fn open(clock: Instant, block: u32) -> Result<(Line, Feed), cpal::Error> {
    let device = cpal::default_host()
        .default_output_device()
        .ok_or_else(|| cpal::Error::new(ErrorKind::DeviceNotAvailable))?;
    let supported = device.default_output_config()?;
    let (rate, block) = (supported.sample_rate(), nearest_block(&supported, block));
    let (feed, drain, meter) = ring(rate);
    let trouble = Arc::new(Trouble::default());
    let config = StreamConfig { buffer_size: BufferSize::Fixed(block), ..supported.config() };
    let stream = match supported.sample_format() {
        SampleFormat::F32 => build::<f32>(&device, config, drain, clock, &trouble),
        SampleFormat::I16 => build::<i16>(&device, config, drain, clock, &trouble),
        SampleFormat::U16 => build::<u16>(&device, config, drain, clock, &trouble),
        SampleFormat::I32 => build::<i32>(&device, config, drain, clock, &trouble),
        SampleFormat::I24 => build::<cpal::I24>(&device, config, drain, clock, &trouble),
        SampleFormat::F64 => build::<f64>(&device, config, drain, clock, &trouble),
        _ => Err(cpal::Error::new(ErrorKind::UnsupportedConfig)),
    }?;
    stream.play()?;
    Ok((Line { _stream: stream, rate, block, meter, trouble }, feed))
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
    mut drain: Drain,
    clock: Instant,
    trouble: &Arc<Trouble>,
) -> Result<Stream, cpal::Error> {
    let trouble = Arc::clone(trouble);
    let channels = usize::from(config.channels);
    device.build_output_stream(
        config,
        move |data: &mut [T], _| drain.fill(data, channels, clock.elapsed()),
        move |error| match error.kind() {
            ErrorKind::Xrun => {
                trouble.stumbles.fetch_add(1, Ordering::Relaxed);
            }
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            // Said once, however often the device's thread repeats it.
            _ if trouble.failed.swap(true, Ordering::Relaxed) => {}
            _ => complain(format_args!("the sound device failed ({error})")),
        },
        Some(DEAD),
    )
}
