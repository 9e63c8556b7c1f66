//! `maxout run`: headless, at full speed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use draft::Draft;
use emulator::{Emulator, Pieces};
use nes::{Config, Console, Frame, IgnoredWrites, Palette};
use serde::Serialize;

use crate::digest::Digest;
use crate::sequence::Sequence;
use cli::error::{Error, wrong};
use cli::machine::PowerOn;
use cli::progress::Progress;
use cli::session::{HeadlessRun, read_movie};
use cli::source::Patches;
use cli::wave::{self, WaveFile};
use cli::{built_in, image_file, output, screenshot};

/// Run a cartridge headless and print the results.
///
/// Prints frames, speed, hashes of the last picture, of all sound and of the machine's state, and
/// the CPU's registers. Apart from the speed, the same input gives the same output on any machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout run --frames 7200 --screenshot out.png      the built-in cartridge
  maxout run game.nes --frames 600 --screenshot out.png --wav out.wav
  maxout run game.nes --input movie.fm2 --json
  maxout run --frames 100000 --no-video --no-sound   at full speed
  maxout run --input game.fm2 --randomizer tgm3 --seed 7   other pieces, same cartridge

Movies are FCEUX's, in step with it: its line n, counted from 0, is held in the console's frame n - 1, a frame ending where
vblank begins (docs/movies.md).")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Frames to run [default: 600, or the movie's length].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    #[command(flatten)]
    power_on: PowerOn,
    /// Movie to play: .fm2, .fm3, .bk2 or .mmo.
    #[arg(long, visible_alias = "movie", value_name = "MOVIE")]
    input: Option<PathBuf>,
    /// Write the last picture.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Write the sound, 16-bit mono at 48 kHz.
    #[arg(long, value_name = "OUT.wav")]
    wav: Option<PathBuf>,
    /// Draw no picture: faster, without effect on emulation.
    #[arg(long, conflicts_with = "screenshot")]
    no_video: bool,
    /// Make no sound: faster, without effect on emulation.
    #[arg(long, conflicts_with = "wav")]
    no_sound: bool,
    /// Write the 2 KiB of RAM at the end.
    #[arg(long, value_name = "OUT.bin")]
    dump_ram: Option<PathBuf>,
    /// Colours of the screenshot: 64 or 512 RGB triples (192 or 1,536 bytes).
    #[arg(long, value_name = "FILE.pal")]
    palette: Option<PathBuf>,
    /// Begin from a saved state instead of power-on.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Save the state at the end.
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    #[command(flatten)]
    sequence: Sequence,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

const DEFAULT_FRAMES: u64 = 600;

/// What came out.
#[derive(Serialize)]
struct RunResult<'a> {
    /// `None` for the built-in cartridge.
    rom: Option<&'a Path>,
    frames: u64,
    cycles: u64,
    frames_per_second: f64,
    /// `None` without video.
    picture: Option<String>,
    /// `None` without sound.
    sound: Option<String>,
    state: String,
    cpu: Registers,
    /// `None` where the PPU took every write.
    ignored_writes: Option<Ignored>,
}

/// Writes that the PPU ignored before the end of its first vertical blank.
#[derive(Serialize)]
struct Ignored {
    count: u32,
    /// Of the first of them.
    register: u16,
    value: u8,
    cycle: u64,
    text: String,
}

impl From<IgnoredWrites> for Ignored {
    fn from(writes: IgnoredWrites) -> Self {
        let IgnoredWrites { register, value, cycle, count } = writes;
        Self { count, register, value, cycle, text: writes.to_string() }
    }
}

#[derive(Serialize)]
struct Registers {
    pc: u16,
    a: u8,
    x: u8,
    y: u8,
    p: u8,
    sp: u8,
    jammed: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    // A state may be saved over the one that was loaded: it was read whole by then.
    let inputs = [
        ("ROM", arguments.rom.as_deref()),
        ("--input", arguments.input.as_deref()),
        ("--palette", arguments.palette.as_deref()),
    ];
    image_file::check_outputs(
        &[&inputs[..], &arguments.patches.named()].concat(),
        &[
            ("--screenshot", arguments.screenshot.as_deref()),
            ("--wav", arguments.wav.as_deref()),
            ("--dump-ram", arguments.dump_ram.as_deref()),
            ("--save-state", arguments.save_state.as_deref()),
        ],
    )?;
    let source = arguments.patches.over(arguments.rom.as_deref());
    let cartridge = built_in::or_file_announced(source)?;
    let pieces = arguments.sequence.substitution(source)?;
    let palette = arguments.palette.as_deref().map_or_else(|| Ok(Palette::ntsc()), palette)?;
    let movie = arguments.input.as_deref().map(|path| read_movie(path, &cartridge)).transpose()?;
    let rate = (!arguments.no_sound).then_some(wave::RATE);
    let config = Config { video: !arguments.no_video, ..arguments.power_on.config_of(rate, movie.as_ref()) };
    let mut session = HeadlessRun::begin(cartridge, config, movie, arguments.load_state.as_deref())?;
    let frames = arguments.frames.or(session.length()).unwrap_or(DEFAULT_FRAMES);

    let wave = arguments.wav.as_deref().map(WaveFile::new).transpose()?;
    let mut sound = Sound { digest: Digest::new(), wave };
    let progress = Progress::new(frames, "frames");
    let begun = Instant::now();
    session.emulator.set_pieces(pieces.map(|pieces| Pieces::new(pieces, arguments.sequence.options())));
    let played = session.play(frames, |emulator, frame, _| {
        if frame % 64 == 63 {
            progress.reach(frame + 1);
        }
        sound.listen(emulator.sound())
    });
    progress.finish();
    played?;
    let seconds = begun.elapsed().as_secs_f64();
    let sound = sound.finish()?;
    write(arguments, &session.emulator, &palette)?;
    let console = session.emulator.state();
    let mut outcome = RunResult::of(arguments.rom.as_deref(), frames, console);
    outcome.frames_per_second = frames as f64 / seconds.max(1e-9);
    outcome.picture = (!arguments.no_video).then(|| hex(picture(console.picture())));
    outcome.sound = (!arguments.no_sound).then(|| hex(sound.value()));
    output::print(&outcome, arguments.json, |out| outcome.text(out))?;
    Ok(ExitCode::SUCCESS)
}

/// The files that were asked for, but for the sound, which is written while it plays.
fn write(arguments: &Arguments, emulator: &Emulator, palette: &Palette) -> Result<(), Error> {
    if let Some(path) = &arguments.screenshot {
        screenshot::write(path, emulator.picture(), palette)?;
    }
    if let Some(path) = &arguments.dump_ram {
        Draft::write_file(path, emulator.state().ram())?;
    }
    if let Some(path) = &arguments.save_state {
        Draft::write_file(path, &emulator.saved().write(emulator.picture(), palette))?;
    }
    Ok(())
}

impl<'a> RunResult<'a> {
    /// Of a console after its frames: neither speed, picture nor sound.
    fn of(rom: Option<&'a Path>, frames: u64, console: &Console) -> Self {
        let cpu = &console.cpu;
        Self {
            rom,
            frames,
            cycles: console.cycle(),
            frames_per_second: 0.0,
            picture: None,
            sound: None,
            state: hex(console.state_hash()),
            cpu: Registers {
                pc: cpu.pc,
                a: cpu.a,
                x: cpu.x,
                y: cpu.y,
                p: cpu.p.bits(),
                sp: cpu.sp,
                jammed: cpu.jammed,
            },
            ignored_writes: console.board.ignored_writes().map(Into::into),
        }
    }
}

impl RunResult<'_> {
    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Registers { pc, a, x, y, p, sp, jammed } = self.cpu;
        writeln!(out, "frames     {}", self.frames)?;
        writeln!(out, "cycles     {}", self.cycles)?;
        writeln!(out, "speed      {:.1} frames/s", self.frames_per_second)?;
        writeln!(out, "picture    {}", self.picture.as_deref().unwrap_or("not drawn"))?;
        writeln!(out, "sound      {}", self.sound.as_deref().unwrap_or("not made"))?;
        writeln!(out, "state      {}", self.state)?;
        let jam = if jammed { " jammed" } else { "" };
        writeln!(out, "registers  PC:{pc:04X} A:{a:02X} X:{x:02X} Y:{y:02X} P:{p:02X} SP:{sp:02X}{jam}")?;
        match &self.ignored_writes {
            Some(Ignored { text, .. }) => writeln!(out, "warning    {text}"),
            None => Ok(()),
        }
    }
}

/// All sound so far.
struct Sound {
    digest: Digest,
    wave: Option<WaveFile>,
}

impl Sound {
    /// Takes the sound of a frame.
    fn listen(&mut self, samples: &[f32]) -> Result<(), Error> {
        let samples = samples.iter().copied().map(nes::apu::pcm16);
        self.digest.bytes(samples.clone().flat_map(i16::to_le_bytes));
        self.wave.as_mut().map_or(Ok(()), |wave| wave.add(samples))
    }

    /// Completes the file; the digest is left.
    fn finish(self) -> Result<Digest, Error> {
        let Self { digest, wave } = self;
        wave.map_or(Ok(()), WaveFile::finish)?;
        Ok(digest)
    }
}

fn palette(path: &Path) -> Result<Palette, Error> {
    Palette::from_bytes(&image_file::read(path)?).map_err(wrong(path))
}

fn picture(frame: &Frame) -> u64 {
    let mut digest = Digest::new();
    digest.bytes(frame.pixels().iter().flat_map(|pixel| pixel.to_le_bytes()));
    digest.value()
}

fn hex(value: u64) -> String {
    format!("{value:016x}")
}
