//! Bytes that somebody, or a bad disk, has changed: typed errors, no panic, no large allocation.
//!
//! The mutations are a fixed sequence, so a failure repeats. A few run with every test; a million
//! run with the command on the ignored test. All check the peak memory of their process, where the
//! system tells it: each runs in a process of its own.

use std::fmt::Write;
use std::process::Command;

use nes::fm2::Movie;
use nes::{Buttons, Cartridge, Config, Console};
use tetris::SplitMix64;

/// Peak memory of the whole test process.
const MEMORY_LIMIT: u64 = 64 << 20;

/// Magic, version and cartridge of a saved state.
const STATE_HEADER: usize = 10;

/// Returns a number below `limit`, or 0 where that is 0.
fn below(random: &mut SplitMix64, limit: usize) -> usize {
    random.below(limit.max(1) as u32) as usize
}

/// Values at which lengths and fields go wrong.
const EDGES: [u8; 8] = [0x00, 0x01, 0x0F, 0x7F, 0x80, 0xF0, 0xFE, 0xFF];

/// Damages `bytes` in one to eight ways, near the front more often than elsewhere.
fn mutate(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    for _ in 0..=below(random, 8) {
        let length = bytes.len();
        let at = place(length, random);
        match below(random, 8) {
            0 if length > 0 => bytes.truncate(at),
            1 => bytes.extend(std::iter::repeat_n(random.next_u64() as u8, below(random, 600))),
            2 if length > 0 => drop(bytes.remove(at)),
            3 => bytes.insert(at.min(length), random.next_u64() as u8),
            _ => overwrite(bytes, random),
        }
    }
}

/// Damages up to eight bytes, or runs of eight as long as a time stamp, where they stand.
fn mutate_in_place(bytes: &mut [u8], random: &mut SplitMix64) {
    for _ in 0..=below(random, 8) {
        overwrite(bytes, random);
        if below(random, 4) == 0 {
            let at = place(bytes.len(), random);
            let value = EDGES[below(random, EDGES.len())];
            bytes[at..].iter_mut().take(8).for_each(|byte| *byte = value);
        }
    }
}

fn place(length: usize, random: &mut SplitMix64) -> usize {
    let reach = if below(random, 2) == 0 { length.min(64) } else { length };
    below(random, reach)
}

fn overwrite(bytes: &mut [u8], random: &mut SplitMix64) {
    let at = place(bytes.len(), random);
    let Some(byte) = bytes.get_mut(at) else { return };
    match below(random, 4) {
        0 => *byte = random.next_u64() as u8,
        1 => *byte ^= 1 << below(random, 8),
        _ => *byte = EDGES[below(random, EDGES.len())],
    }
}

/// Images of every supported board, in both header formats, small.
fn images() -> Vec<Vec<u8>> {
    let mut images = Vec::new();
    for mapper in [0u8, 1, 2, 3, 7] {
        for nes2 in [false, true] {
            let chr = u8::from(matches!(mapper, 0 | 1 | 3));
            let prg = if mapper == 7 { 2 } else { 1 };
            let flags = mapper & 0xF0 | if nes2 { 0x08 } else { 0 };
            let mut image = vec![b'N', b'E', b'S', 0x1A, prg, chr, mapper << 4, flags];
            image.extend([0, 0, 0, if nes2 && chr == 0 { 7 } else { 0 }, 0, 0, 0, 0]);
            image.resize(16 + usize::from(prg) * 0x4000 + usize::from(chr) * 0x2000, 0xEA);
            images.push(image);
        }
    }
    images
}

fn movie() -> Vec<u8> {
    let mut text =
        String::from("version 3\nemuVersion 20607\nrerecordCount 12\npalFlag 0\nromFilename game\n");
    text += "romChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\nguid 0\nfourscore 0\nmicrophone 0\nport0 1\nport1 1\nport2 0\n";
    text += "FDS 0\nNewPPU 0\nRAMInitOption 3\nRAMInitSeed 17\nlength 50\ncomment author nobody\n";
    for frame in 0..60 {
        let _ = writeln!(text, "|{}|RLDUTSBA|........||", u8::from(frame == 30));
    }
    text.into_bytes()
}

/// The same as bytes.
fn binary_movie() -> Vec<u8> {
    let text = movie();
    let header = text.iter().position(|&byte| byte == b'|').expect("a line of input");
    let records = (0..60).flat_map(|frame| [u8::from(frame == 30), 0xFF, 0]);
    text[..header].iter().copied().chain(*b"binary 1\n|").chain(records).collect()
}

fn powered_on(image: &[u8]) -> Console {
    let cartridge = Cartridge::from_bytes(image).unwrap_or_else(|error| panic!("an unharmed image: {error}"));
    Console::new(cartridge, Config::default())
}

fn run(console: &mut Console, instructions: u32) {
    for _ in 0..instructions {
        let _ = console.step(&mut [Buttons::empty(); 2], &mut ());
    }
}

/// Feeds `count` damaged inputs of each kind in turn to whoever reads them.
fn batter(count: u32) {
    let mut random = SplitMix64::new(0x4D61_786F_7574);
    let images = images();
    let movies = [movie(), binary_movie()];
    let frames = movies.each_ref().map(|movie| Movie::parse(movie).expect("an unharmed movie").frames);
    assert_eq!(frames[0], frames[1]);
    let mut consoles: Vec<_> = images.iter().map(|image| powered_on(image)).collect();
    for console in &mut consoles {
        run(console, 20_000);
    }
    let states: Vec<_> = consoles.iter().map(Console::save).collect();
    for round in 0..count {
        let which = below(&mut random, images.len());
        match round % 3 {
            0 => {
                let mut image = images[which].clone();
                mutate(&mut image, &mut random);
                if let Ok(cartridge) = Cartridge::from_bytes(&image) {
                    run(&mut Console::new(cartridge, Config::default()), 50);
                }
            }
            1 => {
                let mut state = states[which].clone();
                if below(&mut random, 4) == 0 {
                    mutate(&mut state, &mut random);
                } else {
                    // Behind the header, with a checksum that fits, so that it reaches the fields.
                    mutate_in_place(&mut state[STATE_HEADER..], &mut random);
                    mend_checksum(&mut state);
                }
                let mut console = consoles[which].clone();
                if console.load(&state).is_ok() {
                    run(&mut console, 500);
                    let _ = console.save();
                }
            }
            _ => {
                let mut movie = movies[below(&mut random, movies.len())].clone();
                mutate(&mut movie, &mut random);
                if let Ok(movie) = Movie::parse(&movie) {
                    let _ = movie.frame(u64::from(round));
                    let written = Movie::parse(movie.to_string().as_bytes());
                    assert_eq!(written.map(|written| written.frames), Ok(movie.frames));
                }
            }
        }
    }
    if let Some(peak) = peak_memory() {
        assert!(peak < MEMORY_LIMIT, "peak memory {} KiB", peak >> 10);
    }
}

/// Makes the damage pass the checksum.
fn mend_checksum(state: &mut [u8]) {
    if let Some(end) = state.len().checked_sub(4) {
        let sum = crc32fast::hash(&state[..end]).to_le_bytes();
        state[end..].copy_from_slice(&sum);
    }
}

/// The most memory that this process has ever held, in bytes, where the system keeps count.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Runs an ignored test of this module alone, in a process of its own.
fn alone(name: &str) {
    let mut program = Command::new(std::env::current_exe().expect("this test is a file"));
    program.args(["--ignored", "--exact", &format!("hostile_input::{name}")]);
    let output = program.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn damaged_images_states_and_movies_end_in_errors_and_promises_allocate_nothing() {
    alone("thirty_thousand_mutations_of_images_states_and_movies_end_in_errors_not_in_panics");
    alone("a_header_that_promises_gigabytes_allocates_nothing");
}

#[test]
#[ignore = "measures its process: cargo test -p maxout-tests --test it hostile_input::damaged"]
fn thirty_thousand_mutations_of_images_states_and_movies_end_in_errors_not_in_panics() {
    batter(30_000);
}

#[test]
#[ignore = "minutes: cargo test --release -p maxout-tests --test it hostile_input::a_million -- --ignored"]
fn a_million_mutations_of_images_states_and_movies_end_in_errors_not_in_panics() {
    batter(1_000_000);
}

#[test]
#[ignore = "measures its process: cargo test -p maxout-tests --test it hostile_input::damaged"]
fn a_header_that_promises_gigabytes_allocates_nothing() {
    for (prg, chr) in [([0xFF, 0x0F], [0xFF, 0x0F]), ([0xFC, 0x0F], [0, 0]), ([0xFB, 0x0F], [0xFC, 0x0F])] {
        let mut image = b"NES\x1A\0\0\0\x08\0\0\0\0\0\0\0\0".to_vec();
        (image[4], image[5], image[9]) = (prg[0], chr[0], prg[1] | chr[1] << 4);
        image.resize(16 + 0x6000, 0);
        assert!(Cartridge::from_bytes(&image).is_err());
    }
    if let Some(peak) = peak_memory() {
        assert!(peak < MEMORY_LIMIT, "peak memory {} KiB", peak >> 10);
    }
}
