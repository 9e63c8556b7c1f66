//! What is promised in numbers, measured on this machine. It must have nothing else to do:
//!
//! `cargo test --release -p desktop --test it figures:: -- --ignored --nocapture --test-threads=1`
//!
//! Debian:
//! `apt-get install xvfb xdotool mesa-vulkan-drivers libvulkan1 libx11-6 libx11-xcb1 libxkbcommon-x11-0 libxcursor1 libxi6 pulseaudio pulseaudio-utils libasound2-plugins`.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nes::fm2::{FrameInput, Movie};
use nes::{Buttons, Cartridge, Config, Console};

use crate::display::{BLUE, Display, Running, example, write_cartridge};

mod piece;
mod sound;
mod spectrum;

use sound::SoundServer;
use spectrum::{place, thirds};

/// The built-in cartridge.
const IMAGE: &[u8] = include_bytes!("../../../../../roms/maxout.nes");

/// 39,375,000 / 655,171 (NESdev: Cycle reference chart).
const FRAME_RATE: f64 = 39_375_000.0 / 655_171.0;

/// Into the game by Start, and then nothing: the music plays until the pile is full.
fn movie(frames: usize) -> Movie {
    let held = |frame: usize| if frame % 60 < 3 && frame < 600 { Buttons::START } else { Buttons::empty() };
    let input = |frame| FrameInput { pads: [held(frame), Buttons::empty()], ..FrameInput::default() };
    Movie { frames: (0..frames).map(input).collect(), ..Movie::default() }
}

/// The sound of `movie` without a window, at 48 kHz.
fn headless(movie: &Movie) -> Vec<f64> {
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).expect("the cartridge"), config);
    for frame in &movie.frames {
        let _ = console.run_frame(&mut frame.pads.clone(), &mut ());
    }
    console.samples().iter().map(|&sample| f64::from(sample)).collect()
}

#[test]
#[ignore = "needs pulseaudio, parec and libasound2-plugins: cargo xtask test --window"]
fn what_is_heard_has_the_spectrum_of_what_is_made_to_a_decibel() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rom, script, heard) =
        (folder.path().join("maxout.nes"), folder.path().join("play.fm2"), folder.path().join("heard.wav"));
    let movie = movie(1500);
    fs::write(&rom, IMAGE).expect("the cartridge");
    fs::write(&script, movie.to_string()).expect("the movie");
    let example = example("listen");
    let sound = SoundServer::start(folder.path());
    let recorder = sound.record(&heard);
    thread::sleep(Duration::from_millis(500));
    let output = Command::new(example)
        .args([&rom, &script])
        .args(["24", "40"])
        .env("XDG_RUNTIME_DIR", &sound.folder)
        .output()
        .expect("it plays");
    drop(recorder);
    print!("{}", String::from_utf8_lossy(&output.stdout));
    let file = fs::read(&heard).expect("what was recorded");
    // A recorder that is stopped leaves the lengths in the header unwritten: 44 bytes, then
    // samples.
    let samples: Vec<f64> = file[44..]
        .chunks_exact(2)
        .map(|bytes| f64::from(i16::from_le_bytes([bytes[0], bytes[1]])) / 32_768.0)
        .collect();
    let made = headless(&movie);
    // The music repeats itself; twelve seconds of it do not.
    let piece = 5 * 48_000..17 * 48_000;
    let place = place(&made[piece.clone()], &samples);
    println!("made at {:.3} s, heard at {:.3} s", piece.start as f64 / 48e3, place as f64 / 48e3);
    let (heard, made) = (&samples[place..], &made[piece.start..]);
    let length = (17 * 48_000).min(heard.len()).min(made.len());
    assert!(length > 12 * 48_000, "only {length} samples were heard");
    let (heard, made) = (thirds(&heard[..length]), thirds(&made[..length]));
    let loudest = made.iter().copied().fold(f64::MIN, f64::max);
    let mut worst = 0.0_f64;
    for (third, (heard, made)) in heard.iter().zip(&made).enumerate() {
        let hertz = 50.0 * 2_f64.powf(third as f64 / 3.0);
        println!("{hertz:6.0} Hz: made {:6.1} dB, heard {:+.2}", made - loudest, heard - made);
        // What is a hundredth as strong as the loudest third is not heard beside it.
        if *made > loudest - 40.0 {
            worst = worst.max((heard - made).abs());
        }
    }
    assert!(worst < 1.0, "{worst} dB");
}

#[test]
#[ignore = "ten minutes of a machine that does nothing else, with Xvfb and pulseaudio: cargo test --release -p desktop --test it figures:: -- --ignored --nocapture --test-threads=1"]
fn ten_minutes_pass_without_a_gap_and_at_the_right_speed() {
    let minutes: f64 = std::env::var("MAXOUT_MINUTES").map_or(10.0, |text| text.parse().expect("minutes"));
    let frames = (minutes * 60.0 * FRAME_RATE).ceil() as u64 + 60;
    let folder = tempfile::tempdir().expect("a folder");
    let rom = folder.path().join("maxout.nes");
    fs::write(&rom, IMAGE).expect("the cartridge");
    fs::write(folder.path().join("config.toml"), "[sound]\nlatency = 40\n").expect("the settings");
    let (display, sound) = (Display::start(folder.path()), SoundServer::start(folder.path()));
    let mut program = Command::new(example("window"));
    program.arg(&rom).arg(frames.to_string()).arg(folder.path()).env("XDG_RUNTIME_DIR", &sound.folder);
    let output = output(open(&display, &mut program));
    print!("{output}");
    let number = |before: &str| -> f64 {
        let text = output.split(before).nth(1).unwrap_or_else(|| panic!("no {before:?} in {output}"));
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text[..end].parse().unwrap_or_else(|_| panic!("no number after {before:?} in {output}"))
    };
    assert!(number("gaps after the first second: ") < 0.5, "{output}");
    let rate = number("frames a second by the sound: ");
    assert!((rate / FRAME_RATE - 1.0).abs() < 0.0002, "{rate}");
}

#[test]
#[ignore = "needs Xvfb, xdotool and a machine that does nothing else: cargo test --release -p desktop --test it figures:: -- --ignored --nocapture --test-threads=1"]
fn the_first_picture_is_there_within_half_a_second_and_a_pause_costs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let rom = write_cartridge(folder.path(), "backdrop", BLUE);
    // Someone who has settings is not shown the keys.
    fs::write(folder.path().join("config.toml"), "").expect("the settings");
    let (display, example) = (Display::start(folder.path()), example("window"));
    let mut times = vec![];
    for _ in 0..4 {
        let begun = Instant::now();
        let mut window = open(&display, Command::new(&example).arg(&rom).arg("3600").arg(folder.path()));
        while display.share(BLUE) < 0.3 {
            assert!(window.0.try_wait().expect("its state").is_none(), "it ended before it showed a picture");
        }
        times.push(begun.elapsed().as_secs_f64());
        let id = display.xdotool(&["search", "--name", "Maxout.*backdrop"]);
        display.xdotool(&["windowfocus", &id]);
        if times.len() == 4 {
            display.xdotool(&["key", "p"]);
            thread::sleep(Duration::from_secs(2));
            let before = processor_time(window.0.id());
            thread::sleep(Duration::from_secs(10));
            let share = (processor_time(window.0.id()) - before) / 10.0;
            println!("paused: {:.2} % of a processor", 100.0 * share);
            assert!(share < 0.02, "{share}");
        }
        display.xdotool(&["key", "ctrl+q"]);
        output(window);
    }
    println!("first picture after {times:.2?} s");
    let warm = times[1..].iter().copied().fold(f64::MAX, f64::min);
    assert!(warm < 0.5, "{warm}");
}

/// Starts `program` on `display`.
fn open(display: &Display, program: &mut Command) -> Running {
    program.env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY").stdout(Stdio::piped());
    Running(program.spawn().expect("the program starts"))
}

/// Waits for the end, which must be a good one; answers what was printed.
fn output(mut program: Running) -> String {
    let mut output = String::new();
    program.0.stdout.take().expect("piped").read_to_string(&mut output).expect("text");
    assert!(program.0.wait().expect("it ends").success());
    output
}

/// Seconds of processor time that the process `id` has taken (proc(5): fields 14 and 15, in
/// hundredths).
fn processor_time(id: u32) -> f64 {
    let stat = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat")).expect("it runs");
    let fields: Vec<&str> = stat.rsplit(") ").next().expect("a name in brackets").split(' ').collect();
    let ticks = |field: usize| fields[field - 3].parse::<f64>().expect("a number");
    (ticks(14) + ticks(15)) / 100.0
}
