//! `maxout trace`: a line for each instruction.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use emulator::{Attached, Emulator};
use nes::{Break, Buttons, Cpu, Mainboard, Observer};
use nes_debug::view::{Format, Listing};

use cli::built_in;
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::machine::{PowerOn, hex_address};
use cli::source::Patches;

/// Print each instruction before it is executed.
#[derive(clap::Args)]
#[command(after_help = "Example: the log published with nestest\n  \
                        maxout trace nestest.nes --start C000 --instructions 8991 | diff - nestest.log")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Start at this address, in hexadecimal, instead of the reset vector.
    #[arg(long, value_parser = hex_address, value_name = "PC")]
    start: Option<u16>,
    /// Lines to print.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    instructions: u64,
    /// Log format.
    #[arg(long, value_enum, default_value_t = LogFormat::Nestest)]
    format: LogFormat,
    #[command(flatten)]
    power_on: PowerOn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// Nintendulator's, as published with nestest.
    Nestest,
    /// Mesen's.
    Mesen,
    /// FCEUX's.
    Fceux,
}

/// Writes a line at each step and breaks after the last.
struct Log<W> {
    out: W,
    listing: Listing,
    left: u64,
    error: Option<std::io::Error>,
}

impl<W: Write> Observer for Log<W> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.left == 0 {
            return ControlFlow::Break(Break);
        }
        self.left -= 1;
        if let Err(error) = writeln!(self.out, "{}", self.listing.line(cpu, board)) {
            self.error = Some(error);
            return ControlFlow::Break(Break);
        }
        ControlFlow::Continue(())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let cartridge = built_in::or_file_announced(arguments.patches.over(arguments.rom.as_deref()))?;
    let mut emulator = Emulator::bare(cartridge, arguments.power_on.config(None));
    if let Some(start) = arguments.start {
        emulator.console().cpu.pc = start;
    }
    let format = match arguments.format {
        LogFormat::Nestest => Format::Nestest,
        LogFormat::Mesen => Format::Mesen,
        LogFormat::Fceux => Format::Fceux,
    };
    let out = BufWriter::new(std::io::stdout().lock());
    let listing = Listing::new(format);
    let mut log = Log { out, listing, left: arguments.instructions, error: None };
    let interrupt = Interrupt::listen();
    let mut pads = [Buttons::empty(); 2];
    while !interrupt.asked() && emulator.frame_with(&mut pads, Attached::default(), &mut log).is_over {}
    if let Some(error) = log.error {
        return Err(Error::Output(error));
    }
    log.out.flush().map_err(Error::Output)?;
    interrupt.check()?;
    Ok(ExitCode::SUCCESS)
}
