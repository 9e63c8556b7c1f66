//! `maxout tetris parity --trace`: the model beside recordings of a cartridge that is not at hand.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use draft::Draft;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use tetris::parity::{Away, Trace};
use tetris::ram::{self, Use};
use tetris::rules::{Game, Memory};
use tetris::{Rom, View};

use super::parity::{Byte, NOT_COMPARED};
use cli::error::{Error, wrong};
use cli::{image_file, output};

/// Bytes of a trace, unpacked: a day of it.
const LIMIT: u64 = 256 << 20;
/// What gzip begins with.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// What came out of a trace.
#[derive(Serialize)]
struct TraceResult {
    trace: PathBuf,
    frames: u64,
    /// Frames in which a byte differed.
    differences: u64,
    /// Frames that took longer than a frame.
    late: u64,
    /// Frames of which the trace said where they ended, because the sound engine's time or a few
    /// cycles decided that.
    told: u64,
    /// Bytes not compared, because the machine was writing them as the frame ended.
    bytes_left_out: u64,
    /// Frames not compared, because an interrupt in the middle of a jump had sent the machine
    /// astray.
    crashed: u64,
    /// The first of them.
    crashed_at: Option<u64>,
    /// Frames not compared, because one was late in no way that the model knows.
    lost: u64,
    first: Option<Difference>,
}

#[derive(Serialize)]
struct Difference {
    frame: u64,
    level: u8,
    places: Vec<Byte>,
}

/// Compares each of `paths`; with `pack`, writes those places that can be compared to a file of the
/// same name there.
pub(super) fn run(paths: &[PathBuf], pack: Option<&Path>, json: bool) -> Result<ExitCode, Error> {
    let mut outcomes = Vec::new();
    for path in paths {
        let trace = read(path)?;
        if let Some(folder) = pack {
            write(&trace, &folder.join(path.file_name().unwrap_or_default()))?;
        }
        outcomes.push(TraceResult::of(path, &trace));
    }
    let differs = outcomes.iter().any(|outcome| outcome.differences > 0);
    output::print(&outcomes, json, |out| {
        outcomes.iter().try_for_each(|outcome| outcome.text(out))?;
        writeln!(out, "not compared: {NOT_COMPARED}; the demo's buttons and pieces are taken from the trace")
    })?;
    Ok(ExitCode::from(u8::from(differs)))
}

fn read(path: &Path) -> Result<Trace, Error> {
    let mut bytes = image_file::read(path)?;
    if bytes.starts_with(&GZIP) {
        let mut unpacked = Vec::new();
        let read = MultiGzDecoder::new(&bytes[..]).take(LIMIT + 1).read_to_end(&mut unpacked);
        let size = read.map_err(|source| Error::Read { path: path.into(), source })? as u64;
        if size > LIMIT {
            return Err(Error::TooLarge { path: path.into(), size, limit: LIMIT });
        }
        bytes = unpacked;
    }
    Trace::parse(&bytes).map_err(wrong(path))
}

fn write(trace: &Trace, path: &Path) -> Result<(), Error> {
    let packed = trace.filtered(is_compared).to_columns();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let done = encoder.write_all(&packed).and_then(|()| encoder.finish());
    let bytes = done.map_err(|source| Error::Write { path: path.into(), source })?;
    Draft::write_file(path, &bytes)?;
    Ok(())
}

/// Does the address hold something that the model knows at times, or has to know of the machine?
fn is_compared(address: u16) -> bool {
    let holds = |place: ram::Variable| place.range().contains(&usize::from(address));
    ram::MAP.iter().any(|&place| place.purpose == Use::Game && holds(place))
        || [ram::TEMPORARIES, ram::MUSIC_PLAYING].into_iter().any(holds)
}

impl TraceResult {
    fn of(path: &Path, trace: &Trace) -> Self {
        let rom = trace.with_demo(&Rom::US);
        let mut game = Game::power_on(&rom);
        let mut replay = trace.replay();
        let mut outcome = Self {
            trace: path.into(),
            frames: 0,
            differences: 0,
            late: 0,
            told: 0,
            bytes_left_out: 0,
            crashed: 0,
            crashed_at: None,
            lost: 0,
            first: None,
        };
        while let Some(judged) = replay.step(&mut game) {
            outcome.frames += 1;
            outcome.told += u64::from(judged.told);
            match judged.memory {
                Ok(memory) => outcome.compare(&memory, replay.machine(), game.is_late()),
                Err(Away::Crashed) => {
                    outcome.crashed += 1;
                    outcome.crashed_at.get_or_insert(outcome.frames);
                }
                Err(Away::Late) => outcome.lost += 1,
            }
        }
        outcome
    }

    fn compare(&mut self, memory: &Memory, machine: &[u8; 0x800], late: bool) {
        self.late += u64::from(late);
        self.bytes_left_out += memory.left_out() as u64;
        if memory.agrees(machine) {
            return;
        }
        self.differences += 1;
        self.first.get_or_insert_with(|| Difference {
            frame: self.frames,
            level: View::new(machine).level(),
            places: Byte::differing(memory, machine),
        });
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self {
            trace, frames, differences, late, told, bytes_left_out, crashed, crashed_at, lost, ..
        } = self;
        writeln!(out, "{}: {frames} frames, {differences} with a difference", trace.display())?;
        if *late > 0 || *told > 0 {
            writeln!(
                out,
                "  {late} took longer than a frame; of {told} frames the trace said where they ended, as the sound engine's time or a few cycles decided"
            )?;
        }
        if *bytes_left_out > 0 {
            writeln!(
                out,
                "  {bytes_left_out} bytes left out, which the machine was writing as a frame ended"
            )?;
        }
        if let Some(first) = crashed_at {
            writeln!(
                out,
                "  {crashed} frames left out, from frame {first} on, in which the game had crashed: an interrupt came in the middle of a jump"
            )?;
        }
        if *lost > 0 {
            writeln!(
                out,
                "  {lost} frames left out behind a late frame that ended where the model does not know"
            )?;
        }
        let Some(Difference { frame, level, places }) = &self.first else { return Ok(()) };
        writeln!(out, "  first difference: frame {frame}, level {level}")?;
        for Byte { address, place, model, machine } in places {
            let place = place.unwrap_or("?");
            writeln!(
                out,
                "    ${address:04X} {place}: expected ${model:02X} by the model, found ${machine:02X}"
            )?;
        }
        Ok(())
    }
}
