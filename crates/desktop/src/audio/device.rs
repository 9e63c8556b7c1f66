//! The sound device, on a thread of its own: opened, watched, and opened again when it dies.

use std::sync::atomic::{AtomicBool, Ordering};
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
use crate::messages::status::MessageKind;
use crate::spare::ask_for_files;

/// Samples that the device is first asked to take at a time: 21 ms.
const BLOCK: u32 = 1024;

/// A device that stumbles is opened again with blocks twice as large, up to this.
const BLOCK_MOST: u32 = 4096;

/// Files that a device takes, at most.
const FILES: usize = 16;

/// So often may a stream run dry.
const STUMBLES: u64 = 3;

/// How often the stream is looked at.
const WATCH: Duration = Duration::from_millis(250);

/// A device that asks for nothing this long is dead.
const DEAD: Duration = Duration::from_secs(2);

/// How often a device is tried again soon: each try waits longer, 3.5 seconds in all.
const TRIES: u32 = 3;

/// How long each further try waits. There is no last one: a headset or a sound server comes back
/// whenever it does.
const RETRY: Duration = Duration::from_secs(5);

/// How long a device is left alone that does not keep time: what is heard of it is noise.
const RETRY_UNPACED: Duration = Duration::from_secs(60);

/// A stream that lived this long has its tries back.
const LASTING: Duration = Duration::from_secs(60);

/// How often the thread looks whether the player wants sound to be opened again.
const LOOK: Duration = Duration::from_millis(250);

/// What ends a time of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    Elapsed,
    /// The player wants the device to be opened again.
    Again,
    /// The game is over.
    Over,
}

/// The thread that holds the sound device.
#[derive(Debug)]
pub(crate) struct Sound {
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Sound {
    /// Opens the default device and hands the ring's end to `machine`. `clock` is the start of all
    /// times.
    /// Each time that `again` becomes true the device is opened anew.
    pub(crate) fn start(clock: Instant, machine: Sender<MachineMessage>, again: Arc<AtomicBool>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let body = move || {
            // The ALSA library tells the terminal a page about a card that is missing; one line of
            // ours will do.
            #[cfg(target_os = "linux")]
            let _messages = alsa::Output::local_error_handler();
            let wait = |time: Duration| {
                let mut left = time;
                loop {
                    tty::panics::where_asked();
                    let part = left.min(LOOK);
                    if !matches!(stopped.recv_timeout(part), Err(RecvTimeoutError::Timeout)) {
                        return Wait::Over;
                    }
                    if again.swap(false, Ordering::Relaxed) {
                        return Wait::Again;
                    }
                    left -= part;
                    if left.is_zero() {
                        return Wait::Elapsed;
                    }
                }
            };
            keep_playing(clock, &machine, |block| open(clock, block), wait);
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

/// Opens and watches until `wait` answers that the game is over; it waits as long as it is told
/// before it answers.
fn keep_playing(
    clock: Instant,
    machine: &Sender<MachineMessage>,
    mut open: impl FnMut(u32) -> Result<(Line, SampleProducer), cpal::Error>,
    wait: impl Fn(Duration) -> Wait,
) {
    let tell = |kind, text: String| machine.send(MachineMessage::Say(kind, text)).is_ok();
    let (mut block, mut tries, mut is_told, mut is_asked) = (BLOCK, 0_u32, false, false);
    loop {
        let end = match open(block) {
            Ok((line, producer)) => {
                if machine.send(MachineMessage::Sound(Box::new(producer))).is_err() {
                    return;
                }
                let opened = Instant::now();
                if (is_told || is_asked) && !tell(MessageKind::Note, "Sound is back.".into()) {
                    return;
                }
                (is_told, is_asked) = (false, false);
                let end = line.health.watch(clock, &wait);
                drop(line);
                if end == End::Over || machine.send(MachineMessage::Silence).is_err() {
                    return;
                }
                if opened.elapsed() > LASTING {
                    tries = 0;
                }
                end
            }
            Err(error) => End::Dead(error.kind()),
        };
        let pause = match end {
            End::Over => return,
            End::Again => {
                (tries, is_asked) = (0, true);
                continue;
            }
            End::Stumbling => {
                block *= 2;
                continue;
            }
            End::Unpaced => RETRY_UNPACED,
            End::Dead(_) if tries < TRIES => Duration::from_millis(500) * 2_u32.pow(tries),
            End::Dead(_) => RETRY,
        };
        if is_asked || !is_told && (end == End::Unpaced || tries == TRIES) {
            (is_told, is_asked) = (true, false);
            if !tell(MessageKind::Warning, reason(&end)) {
                return;
            }
        }
        tries = tries.saturating_add(1);
        match wait(pause) {
            Wait::Elapsed => {}
            Wait::Again => is_asked = true,
            Wait::Over => return,
        }
    }
}

/// Returns what has happened and what can be done, for the player.
fn reason(end: &End) -> String {
    let what = match end {
        End::Unpaced => "The sound device's timing is unstable.",
        End::Dead(ErrorKind::DeviceBusy) => "Another program has exclusive use of the sound device.",
        End::Dead(ErrorKind::PermissionDenied) => "The system denies Maxout access to the sound device.",
        End::Dead(ErrorKind::UnsupportedConfig) => "The sound device does not support this sound format.",
        _ => "No sound device responds.",
    };
    format!("{what} The game continues without sound and retries by itself. To retry now: Settings, Sound.")
}

/// Why a stream was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    /// It ran dry too often: its blocks are too small for this computer.
    Stumbling,
    /// It takes whatever it can get, as a device that is none does.
    Unpaced,
    /// It failed in this way, or asks for nothing any more.
    Dead(ErrorKind),
    /// The player wants it to be opened again.
    Again,
    /// The game is over.
    Over,
}

/// An open stream and how it does.
struct Line {
    /// None in tests.
    _stream: Option<Stream>,
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
    failure: OnceLock<ErrorKind>,
}

impl Trouble {
    fn fail(&self, error: &cpal::Error) {
        let _ = self.failure.set(error.kind());
    }
}

impl Health {
    /// Looks at the stream until it has to be given up.
    fn watch(&self, clock: Instant, wait: &impl Fn(Duration) -> Wait) -> End {
        let opened = Instant::now();
        loop {
            match wait(WATCH) {
                Wait::Elapsed => {}
                Wait::Again => return End::Again,
                Wait::Over => return End::Over,
            }
            if let Some(end) = self.end(clock.elapsed(), opened.elapsed()) {
                return end;
            }
        }
    }

    /// Returns what is wrong at `now`, `age` after opening.
    fn end(&self, now: Duration, age: Duration) -> Option<End> {
        // A second that a device may take ahead of time, and then twice what it should.
        let most = f64::from(self.rate) * (1.0 + 2.0 * age.as_secs_f64());
        if self.meter.taken() as f64 > most {
            Some(End::Unpaced)
        } else if let Some(reason) = self.trouble.failure.get() {
            Some(End::Dead(*reason))
        } else if self.meter.silence(now).unwrap_or(age) > DEAD {
            Some(End::Dead(ErrorKind::DeviceNotAvailable))
        } else if self.meter.stumbles() > STUMBLES && self.block < BLOCK_MOST {
            Some(End::Stumbling)
        } else {
            None
        }
    }
}

fn open(clock: Instant, block: u32) -> Result<(Line, SampleProducer), cpal::Error> {
    // The library panics where it can open no pipe.
    ask_for_files(FILES).map_err(|_| cpal::Error::new(ErrorKind::DeviceNotAvailable))?;
    // The library's default host panics where none can be made, as with a mistake in ~/.asoundrc.
    let host = cpal::ALL_HOSTS.iter().find_map(|&id| cpal::host_from_id(id).ok());
    let device = host
        .and_then(|host| host.default_output_device())
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
    Ok((Line { _stream: Some(stream), health: Health { rate, block, meter, trouble } }, producer))
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

    /// Returns what the machine is told while the device answers as `opens` says, one try after the
    /// other, and how long was waited in all.
    fn told(opens: &[bool], wait: impl Fn(usize) -> Wait) -> (Vec<String>, Duration) {
        let (sender, queue) = mpsc::channel();
        let (tries, waited) = (std::cell::Cell::new(0), std::cell::Cell::new(Duration::ZERO));
        let open = |_| {
            let at = tries.get();
            tries.set(at + 1);
            if !opens.get(at).copied().unwrap_or(false) {
                return Err(cpal::Error::new(ErrorKind::DeviceNotAvailable));
            }
            let (health, _) = health(BLOCK);
            let _ = health.trouble.failure.set(ErrorKind::DeviceBusy); // and dies at the first look
            Ok((Line { _stream: None, health }, ring(48_000).0))
        };
        let wait = |time| {
            waited.set(waited.get() + time);
            if tries.get() >= opens.len() { Wait::Over } else { wait(tries.get()) }
        };
        keep_playing(Instant::now(), &sender, open, wait);
        drop(sender);
        let said = queue.iter().map(|message| match message {
            MachineMessage::Sound(_) => "sound".to_owned(),
            MachineMessage::Silence => "silence".to_owned(),
            MachineMessage::Say(_, text) => text,
            _ => unreachable!("nothing else is told"),
        });
        (said.collect(), waited.get())
    }

    #[test]
    fn a_device_that_is_gone_is_tried_for_ever_and_its_return_is_told() {
        let mut opens = vec![false; 1000];
        opens.push(true);
        let (said, waited) = told(&opens, |_| Wait::Elapsed);
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(
            said[0].starts_with("No sound device responds. The game continues without sound"),
            "{said:?}"
        );
        assert_eq!(said[1..], ["sound".to_owned(), "Sound is back.".to_owned()]);
        let most = RETRY * 1000;
        assert!(waited + RETRY * 6 > most && waited < most + RETRY, "{waited:?}");
    }

    #[test]
    fn a_device_that_comes_back_at_once_is_not_spoken_of() {
        let (said, _) = told(&[true, false, true], |_| Wait::Elapsed);
        assert_eq!(said, ["sound", "silence", "sound"]);
    }

    #[test]
    fn the_player_can_have_it_opened_again_at_once() {
        let mut opens = vec![false; 20];
        opens.push(true);
        let (said, waited) = told(&opens, |tries| if tries > 5 { Wait::Again } else { Wait::Elapsed });
        assert_eq!(said.last().map(String::as_str), Some("Sound is back."));
        assert!(waited >= RETRY, "{waited:?}");
    }

    #[test]
    fn no_reason_that_a_player_reads_has_a_number() {
        for kind in [ErrorKind::DeviceBusy, ErrorKind::DeviceNotAvailable, ErrorKind::PermissionDenied] {
            let text = reason(&End::Dead(kind));
            assert!(!text.contains(|letter: char| letter.is_ascii_digit() || letter == '('), "{text}");
        }
    }
}
