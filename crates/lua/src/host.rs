//! What a script reaches of the world: the console, the pads, the picture over the game's, movies
//! and states.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use mlua::{AppDataRefMut, Function, Lua};
use nes::fm2::{Commands, FrameInput, Movie};
use nes::{Buttons, Cartridge, Config, Console, Devices, Extra, Held, Memory, Palette};
use nes_script::Overlay;

use crate::error::short;
use crate::folder::Folder;
use crate::hooks::Hooks;
use crate::joypads::Wish;

/// The console as it is before it is switched on: what `emu.poweron` and movies begin from.
#[derive(Clone, Debug)]
pub struct Power {
    /// The cartridge that is inserted.
    pub cartridge: Cartridge,
    /// How the console wakes up.
    pub config: Config,
    /// The first 16 bytes of the cartridge's image, which `rom.readbyte` shows.
    pub header: [u8; 16],
}

/// Something that a script says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A line of `print`.
    Line(String),
    /// A text of `emu.message`, to be shown over the picture for a while.
    Message(String),
}

/// How fast a script wants the emulation to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// As fast as the console.
    #[default]
    Normal,
    /// `nothrottle` and `turbo`: as fast as it goes.
    Turbo,
    /// `maximum`: the same, and pictures may be left out.
    Maximum,
}

/// Keys and pointer, as `input.get` shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The pointer in pixels of the picture.
    pub pointer: (i32, i32),
    /// What is held, by FCEUX's names: `A`, `space`, `F1`, `leftclick`.
    pub held: Vec<String>,
}

/// Bytes of output that are kept until somebody takes them.
const OUTPUT_LIMIT: usize = 4 << 20;

/// Slots and names of states, at most.
const SLOTS: usize = 256;

/// Bytes of the name of a state, at most.
const SLOT_NAME: usize = 128;

/// Files that a script may write, and bytes in them; one that is written anew counts again.
const FILES: u32 = 10_000;
const FILE_BYTES: u64 = 256 << 20;

/// What a file costs that is written: it has to be on the disk before the script goes on.
const FILE_WORK: u64 = 1_000_000;

/// A movie that plays or is being recorded.
pub(crate) struct Film {
    pub(crate) movie: Movie,
    pub(crate) name: String,
    pub(crate) recording: bool,
    /// Frames of it before the power last came on: the console counts from there.
    before: u64,
    /// What the script does to a console that is recorded, until the next frame.
    commands: Commands,
}

/// Functions that are called at certain times.
#[derive(Default)]
pub(crate) struct Callbacks {
    pub(crate) before: Option<Function>,
    pub(crate) after: Option<Function>,
    pub(crate) gui: Option<Function>,
    pub(crate) exit: Option<Function>,
    /// The player has saved a state, or loaded one.
    pub(crate) saved: Option<Function>,
    pub(crate) loaded: Option<Function>,
}

/// The state behind the functions of the interface. It holds the console while the script runs.
pub(crate) struct Host {
    /// Boxed, because it comes and goes with every frame.
    pub(crate) console: Option<Box<Console>>,
    pub(crate) power: Option<Power>,
    /// What the player holds in this frame, or the movie.
    pub(crate) player: Held,
    /// What the script wants of the four pads.
    pub(crate) wishes: [Wish; 4],
    /// What the game got of the first two in this frame, once that is known.
    pub(crate) held: [Buttons; 2],
    /// The script changed the console by more than buttons.
    pub(crate) meddled: bool,
    pub(crate) hooks: Hooks,
    /// The cycle from which on `debugger.getcyclescount` counts.
    pub(crate) cycles_from: u64,
    pub(crate) instructions: Arc<AtomicU64>,
    pub(crate) callbacks: Callbacks,
    pub(crate) canvas: Overlay,
    /// What the opacity of everything that is drawn is multiplied by.
    pub(crate) opacity: f64,
    pub(crate) palette: Palette,
    output: Vec<Output>,
    output_bytes: usize,
    pub(crate) film: Option<Film>,
    pub(crate) read_only: bool,
    pub(crate) counts_rerecords: bool,
    pub(crate) folder: Option<Folder>,
    pub(crate) slots: BTreeMap<String, Vec<u8>>,
    pub(crate) screenshots: u32,
    pub(crate) lag: u64,
    pub(crate) lagged: bool,
    pub(crate) paused: bool,
    pub(crate) speed: Speed,
    /// The status that `emu.exit` asked for.
    pub(crate) exit: Option<u8>,
    pub(crate) input: Input,
    pub(crate) name: String,
    /// What the function that is being called has done, in instructions, for the meter.
    pub(crate) work: u64,
    /// Files written so far, and bytes.
    written: (u32, u64),
}

/// The host of a script that is running.
pub(crate) fn host(lua: &Lua) -> mlua::Result<AppDataRefMut<'_, Host>> {
    match lua.try_app_data_mut::<Host>() {
        Ok(Some(host)) => Ok(host),
        _ => Err(mlua::Error::runtime("the machine cannot be reached from here")),
    }
}

impl Host {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            console: None,
            power: None,
            player: Held::default(),
            wishes: <[Wish; 4]>::default(),
            held: [Buttons::empty(); 2],
            meddled: false,
            hooks: Hooks::default(),
            cycles_from: 0,
            instructions: Arc::default(),
            callbacks: Callbacks::default(),
            canvas: Overlay::default(),
            opacity: 1.0,
            palette: Palette::ntsc(),
            output: Vec::new(),
            output_bytes: 0,
            film: None,
            read_only: false,
            counts_rerecords: true,
            folder: None,
            slots: BTreeMap::new(),
            screenshots: 0,
            lag: 0,
            lagged: false,
            paused: false,
            speed: Speed::default(),
            exit: None,
            input: Input::default(),
            name: name.to_owned(),
            work: 0,
            written: (0, 0),
        }
    }

    /// The console of the frame that the script is in.
    pub(crate) fn console(&mut self) -> mlua::Result<&mut Console> {
        self.console.as_deref_mut().ok_or_else(|| mlua::Error::runtime("no console is running"))
    }

    /// The same, for a change that is none of the player's.
    pub(crate) fn meddle(&mut self) -> mlua::Result<&mut Console> {
        self.meddled = true;
        self.console()
    }

    /// Frames since power-on.
    pub(crate) fn frame_number(&self) -> u64 {
        self.console.as_ref().map_or(0, |console| console.frame_number())
    }

    /// Switches the console off and on; a movie that is recorded has it.
    pub(crate) fn power_on(&mut self) -> mlua::Result<()> {
        let frame = self.frame_number();
        if let Some(film) = &mut self.film {
            film.before = if film.recording { film.before + frame } else { 0 };
            film.commands |= Commands::POWER;
        }
        self.switch_on()
    }

    /// Presses the reset button; a movie that is recorded has it.
    pub(crate) fn reset(&mut self) -> mlua::Result<()> {
        self.meddle()?.reset_between_frames();
        if let Some(film) = &mut self.film {
            film.commands |= Commands::RESET;
        }
        Ok(())
    }

    /// Has a movie begin at power-on.
    pub(crate) fn begin_film(&mut self, film: Film) -> mlua::Result<()> {
        self.film = Some(film);
        self.switch_on()
    }

    /// Has the movie begin anew.
    pub(crate) fn replay_film(&mut self) -> mlua::Result<()> {
        match self.film.take() {
            Some(Film { movie, name, .. }) => self.begin_film(Film::new(movie, name, false)),
            None => Ok(()),
        }
    }

    fn switch_on(&mut self) -> mlua::Result<()> {
        let Some(power) = &self.power else {
            return Err(mlua::Error::runtime("no cartridge is known to power on with"));
        };
        let mut config = power.config;
        if let Some(Film { movie, .. }) = &self.film {
            (config.ram_fill, config.devices) = (movie.ram.into(), movie.devices);
        }
        self.work += 10_000;
        self.console = Some(Box::new(Console::new(power.cartridge.clone(), config)));
        self.meddled = true;
        self.lag = 0;
        Ok(())
    }

    /// Frames of the movie so far; of the console's, if there is none.
    pub(crate) fn film_frame(&self) -> u64 {
        self.film.as_ref().map_or(0, |film| film.before) + self.frame_number()
    }

    /// Writes a byte of PRG-ROM or CHR-ROM, here and for the next power-on.
    pub(crate) fn patch(&mut self, memory: Memory, offset: usize, value: u8) {
        self.meddled = true;
        if let Some(console) = &mut self.console {
            console.poke(memory, offset, value);
        }
        if let Some(Power { cartridge, .. }) = &mut self.power {
            match memory {
                Memory::PrgRom => cartridge.poke_prg_rom(offset, value),
                _ => cartridge.poke_chr(offset, value),
            };
        }
    }

    /// Keeps something that the script says.
    pub(crate) fn say(&mut self, output: Output) -> mlua::Result<()> {
        let (Output::Line(text) | Output::Message(text)) = &output;
        self.room_for(text.len())?;
        self.output_bytes += text.len() + 1;
        self.output.push(output);
        Ok(())
    }

    /// Whether so many bytes more may be said in this frame.
    pub(crate) fn room_for(&self, bytes: usize) -> mlua::Result<()> {
        if bytes < OUTPUT_LIMIT - self.output_bytes.min(OUTPUT_LIMIT) {
            return Ok(());
        }
        Err(mlua::Error::runtime("more than 4 MiB of output in one frame"))
    }

    pub(crate) fn take_output(&mut self) -> Vec<Output> {
        self.output_bytes = 0;
        core::mem::take(&mut self.output)
    }

    /// The buttons and commands of a frame: of the movie that plays, or the player's.
    pub(crate) fn begin_frame(&mut self, player: Held) -> mlua::Result<()> {
        let frame = self.film_frame();
        let playing = self.film.as_ref().filter(|film| !film.recording && frame < film.length());
        let own = FrameInput { pads: player.pads, extra: player.extra, ..FrameInput::default() };
        let input = playing.map_or(own, |film| film.movie.frame(frame));
        if input.commands.contains(Commands::POWER) && frame > 0 {
            self.switch_on()?;
            if let Some(film) = &mut self.film {
                film.before = frame;
            }
        }
        if input.commands.contains(Commands::RESET) {
            self.meddle()?.reset_between_frames();
        }
        self.player = Held { pads: input.pads, extra: input.extra.on(self.devices()) };
        self.held = input.pads;
        Ok(())
    }

    /// What the game gets in this frame, what the script wants of it included; that is forgotten.
    pub(crate) fn pads(&mut self) -> Held {
        let [first, second, third, fourth] = core::mem::take(&mut self.wishes);
        let Held { pads, mut extra } = self.player;
        let pads = [first.apply(pads[0]), second.apply(pads[1])];
        if self.devices().has_four_pads() {
            let others = extra.pads();
            let others = Extra::Pads([third.apply(others[0]), fourth.apply(others[1])]);
            extra = others.on(self.devices());
        }
        self.held = pads;
        let frame = self.film_frame();
        if let Some(Film { movie, recording: true, commands, .. }) = &mut self.film {
            let commands = core::mem::take(commands);
            movie.frames.truncate(usize::try_from(frame).unwrap_or(usize::MAX));
            movie.frames.push(FrameInput { commands, pads, extra });
        }
        Held { pads, extra }
    }

    /// What is plugged in.
    pub(crate) fn devices(&self) -> Devices {
        self.console.as_ref().map_or(Devices::default(), |console| console.devices())
    }

    /// The picture of the last frame with what is drawn over it, four bytes a pixel.
    pub(crate) fn picture(&mut self) -> mlua::Result<Vec<u8>> {
        let Self { console, palette, canvas, .. } = self;
        let console = console.as_ref().ok_or_else(|| mlua::Error::runtime("no console is running"))?;
        let pixels = console.picture().pixels();
        let mut rgba = vec![0; 4 * pixels.len()];
        palette.paint(pixels, &mut rgba);
        canvas.paint(&mut rgba);
        Ok(rgba)
    }

    /// Puts a state into its slot.
    pub(crate) fn keep(&mut self, slot: &str, bytes: Vec<u8>) -> mlua::Result<()> {
        if slot.len() > SLOT_NAME {
            let found = slot.len();
            return Err(mlua::Error::runtime(format!(
                "expected a name of at most {SLOT_NAME} bytes for a state, found {found}"
            )));
        }
        if self.slots.len() >= SLOTS && !self.slots.contains_key(slot) {
            return Err(mlua::Error::runtime(format!("more than {SLOTS} states with names")));
        }
        self.slots.insert(slot.to_owned(), bytes);
        Ok(())
    }

    /// The folder for files.
    pub(crate) fn folder(&self) -> mlua::Result<&Folder> {
        self.folder.as_ref().ok_or_else(|| {
            mlua::Error::runtime(
                "scripts reach no files here: name a folder for them (maxout lua --files FOLDER)",
            )
        })
    }

    /// Writes a file of the folder.
    pub(crate) fn write_file(&mut self, name: &str, bytes: &[u8]) -> mlua::Result<()> {
        let (files, size) = (self.written.0 + 1, self.written.1 + bytes.len() as u64);
        if files > FILES || size > FILE_BYTES {
            return Err(mlua::Error::runtime(format!(
                "{}: a script may write {FILES} files of {} MiB in all, no more",
                short(name),
                FILE_BYTES >> 20
            )));
        }
        self.work += FILE_WORK + bytes.len() as u64 / 16;
        let written = self.folder()?.write(name, bytes);
        written.map_err(|error| mlua::Error::runtime(format!("{}: {error}", short(name))))?;
        self.written = (files, size);
        Ok(())
    }

    /// Ends a movie; one that was being recorded becomes a file.
    pub(crate) fn stop_movie(&mut self) -> mlua::Result<()> {
        match self.film.take() {
            Some(Film { movie, name, recording: true, .. }) => {
                let text = movie.to_string();
                self.write_file(&name, text.as_bytes())
            }
            _ => Ok(()),
        }
    }
}

impl Film {
    /// A movie at its beginning.
    pub(crate) fn new(movie: Movie, name: String, recording: bool) -> Self {
        Self { movie, name, recording, before: 0, commands: Commands::empty() }
    }

    /// Whether the power was switched in it: no state says on which side of that it was saved.
    pub(crate) fn has_switched(&self) -> bool {
        self.before > 0
    }

    /// Frames.
    pub(crate) fn length(&self) -> u64 {
        self.movie.frames.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_a_budget() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = Host::new("test.lua");
        host.folder = Some(Folder::new(folder.path()));
        for nearly in [(FILES - 1, 0), (0, FILE_BYTES - 4)] {
            host.written = nearly;
            host.write_file("a", b"abc").unwrap();
            let error = host.write_file("b", b"abc").unwrap_err().to_string();
            assert!(error.contains("a script may write 10000 files of 256 MiB in all, no more"), "{error}");
        }
        assert!(host.work >= 2 * FILE_WORK);
        // Only "a" was written, twice.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
