//! A running game, as a front end of libretro needs it.

use autopilot::Substitution;
use emulator::{Attached, Emulator, Pieces};
use nes::cartridge::Cartridge;
use nes::fm2::RamInit;
use nes::ppu::Quirks;
use nes::{Buttons, Config, Frame, Memory, Palette, Region, RomError};
use tetris::{Feature, Profile};
use thiserror::Error;

use crate::Options;

/// The cartridge that needs no file.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");

/// Samples of sound a second.
pub const SAMPLE_RATE: u32 = 48_000;

/// Why a game cannot begin.
#[derive(Debug, Error)]
pub enum CoreError {
    /// The bytes are no cartridge image that this machine takes.
    #[error(transparent)]
    Rom(#[from] RomError),
}

/// A memory that a front end reads and writes between two frames, at a place that stays as long as
/// the game.
#[derive(Debug)]
struct Shared {
    bytes: Box<[u8]>,
    /// What the console has.
    seen: Box<[u8]>,
}

/// A running game.
pub struct Core {
    emulator: Emulator,
    image: Vec<u8>,
    options: Options,
    palette: Palette,
    ram: Shared,
    battery: Shared,
    /// The first byte of PRG-RAM that the battery keeps.
    battery_begin: usize,
    rgba: Vec<u8>,
    picture: Vec<u32>,
    sound: Vec<i16>,
    state_size: usize,
}

impl Shared {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), seen: bytes.into() }
    }

    /// Returns the bytes that the front end has changed, with their offsets.
    fn changed(&self) -> Vec<(usize, u8)> {
        if self.bytes == self.seen {
            return vec![];
        }
        let pairs = self.bytes.iter().zip(&self.seen).enumerate();
        pairs.filter(|(_, (new, old))| new != old).map(|(at, (new, _))| (at, *new)).collect()
    }

    fn show(&mut self, bytes: &[u8]) {
        self.bytes.copy_from_slice(bytes);
        self.seen.copy_from_slice(bytes);
    }
}

impl Core {
    /// Inserts the cartridge `image` from a file of the name `name`, or the built-in one, and
    /// switches the console on.
    ///
    /// # Errors
    /// The image is none that this machine takes.
    pub fn load(image: std::option::Option<&[u8]>, name: &str, options: &Options) -> Result<Self, CoreError> {
        let image = image.unwrap_or(BUILT_IN).to_vec();
        let cartridge = Cartridge::from_bytes(&image)?.named(name);
        let battery_begin = cartridge.info().battery_ram.start;
        let config = Config {
            sample_rate: Some(SAMPLE_RATE),
            region: options.region,
            quirks: Quirks { strict_start: options.strict_ppu_start, ..Quirks::default() },
            ..Config::default()
        };
        let emulator = Emulator::bare(cartridge, config);
        let mut core = Self {
            state_size: emulator.save().len(),
            ram: Shared::new(emulator.state().ram()),
            battery: Shared::new(emulator.battery_ram()),
            emulator,
            image,
            options: options.clone(),
            palette: Palette::ntsc(),
            battery_begin,
            rgba: vec![0; 4 * Frame::WIDTH * Frame::HEIGHT],
            picture: Vec::new(),
            sound: Vec::new(),
        };
        core.deal();
        core.draw();
        Ok(core)
    }

    /// Takes over what the player has set. The region and the PPU's start wait for the next
    /// power-on.
    pub fn set(&mut self, options: &Options) {
        let dealt = |options: &Options| (options.randomizer, options.seed);
        let others = dealt(&self.options) != dealt(options);
        self.options = options.clone();
        if others {
            self.deal();
        }
        self.draw();
    }

    /// Deals other pieces, if they are asked for and the cartridge is one of Tetris.
    fn deal(&mut self) {
        let Options { randomizer, seed, .. } = &self.options;
        let pieces = randomizer.and_then(|kind| {
            let profile = Profile::for_feature(&self.image, Feature::Pieces).ok()?;
            let substitution = Substitution::new(profile, kind.seeded(*seed));
            Some(Pieces::new(substitution, format!("--randomizer {kind} --seed {seed}")))
        });
        self.emulator.set_pieces(pieces);
    }

    /// Runs a frame in which these buttons are held.
    pub fn frame(&mut self, mut pads: [Buttons; 2]) {
        self.take_changes();
        self.emulator.frame(&mut pads, Attached::default());
        self.sound.clear();
        for sample in self.emulator.sound() {
            let sample = nes::apu::pcm16(*sample);
            self.sound.extend([sample, sample]);
        }
        self.show_memory();
        self.draw();
    }

    /// Presses the reset button before the next frame.
    pub fn reset(&mut self) {
        self.emulator.reset();
    }

    /// Hands what the front end has changed to the console.
    fn take_changes(&mut self) {
        for (at, value) in self.ram.changed() {
            self.emulator.console().poke(Memory::Ram, at, value);
        }
        for (at, value) in self.battery.changed() {
            self.emulator.console().poke(Memory::PrgRam, self.battery_begin + at, value);
        }
    }

    fn show_memory(&mut self) {
        self.ram.show(self.emulator.state().ram());
        self.battery.show(self.emulator.battery_ram());
    }

    fn draw(&mut self) {
        self.palette.paint(self.emulator.picture().pixels(), &mut self.rgba);
        let rows = self.options.overscan..Frame::HEIGHT - self.options.overscan;
        let pixels = &self.rgba[4 * Frame::WIDTH * rows.start..4 * Frame::WIDTH * rows.end];
        self.picture.clear();
        self.picture
            .extend(pixels.chunks_exact(4).map(|dot| u32::from_be_bytes([0, dot[0], dot[1], dot[2]])));
    }

    /// Returns the picture, row by row from the top: red, green and blue in the lower three bytes.
    pub fn picture(&self) -> &[u32] {
        &self.picture
    }

    /// Returns the picture's width in pixels.
    pub fn width(&self) -> usize {
        Frame::WIDTH
    }

    /// Returns the picture's height in pixels.
    pub fn height(&self) -> usize {
        Frame::HEIGHT - 2 * self.options.overscan
    }

    /// Returns the shape of the picture on a television: a pixel is 8:7 on an NTSC console, and
    /// wider on a PAL one.
    pub fn aspect(&self) -> f32 {
        let pixel = if self.region() == Region::Pal { 1.386 } else { 8.0 / 7.0 };
        self.width() as f32 * pixel / self.height() as f32
    }

    /// Returns the sound of the last frame at [`SAMPLE_RATE`], left and right by turns.
    pub fn sound(&self) -> &[i16] {
        &self.sound
    }

    /// Returns the console's region.
    pub fn region(&self) -> Region {
        self.emulator.region()
    }

    /// Returns the work RAM, 2 KiB, for a front end to read and write.
    pub fn ram(&mut self) -> &mut [u8] {
        &mut self.ram.bytes
    }

    /// Returns what the battery keeps, for a front end to read and write; empty without one.
    pub fn battery(&mut self) -> &mut [u8] {
        &mut self.battery.bytes
    }

    /// Returns the length of a state in bytes, the same as long as the game.
    pub fn state_size(&self) -> usize {
        self.state_size
    }

    /// Returns the state.
    pub fn save(&mut self) -> Vec<u8> {
        self.take_changes();
        self.show_memory();
        self.emulator.save()
    }

    /// Goes to a state. Returns whether it was one of this cartridge.
    pub fn restore(&mut self, state: &[u8]) -> bool {
        let loaded = self.emulator.load(state, vec![], RamInit::default()).is_ok();
        if loaded {
            self.show_memory();
            self.draw();
        }
        loaded
    }

    /// Returns a hash of the state, as `maxout run` prints it.
    pub fn state_hash(&self) -> u64 {
        self.emulator.state_hash()
    }

    /// Returns the frames since power-on.
    pub fn frame_number(&self) -> u64 {
        self.emulator.frame_number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: &[u8] = include_bytes!("../../../roms/maxout-slow.nes");
    const NONE: [Buttons; 2] = [Buttons::empty(); 2];

    fn core(image: std::option::Option<&[u8]>) -> Core {
        Core::load(image, "", &Options::default()).unwrap()
    }

    /// Buttons that lead into a game of either cartridge, and on.
    fn pads(frame: u64) -> [Buttons; 2] {
        let held = match frame {
            0..410 if frame % 40 < 2 => Buttons::START,
            460.. if frame % 40 > 1 => Buttons::DOWN,
            _ => Buttons::empty(),
        };
        [held, Buttons::empty()]
    }

    #[test]
    fn a_game_comes_to_the_state_of_the_console_alone_on_both_cartridges() {
        for image in [BUILT_IN, SLOW] {
            let mut core = core(Some(image));
            let cartridge = Cartridge::from_bytes(image).unwrap();
            let mut console = nes::Console::new(cartridge, Config::default());
            for frame in 0..900 {
                core.frame(pads(frame));
                let _ = console.run_frame(&mut pads(frame), &mut ());
            }
            assert_eq!((core.state_hash(), core.frame_number()), (console.state_hash(), 900));
            assert_eq!(core.picture().len(), 256 * 240);
            assert!(core.picture().iter().any(|dot| *dot != core.picture()[0]));
            let samples = core.sound().len() / 2;
            assert!((798..=799).contains(&samples), "{samples}");
        }
    }

    #[test]
    fn states_have_one_size_and_a_game_goes_on_from_them_as_it_did() {
        for image in [BUILT_IN, SLOW] {
            let mut core = core(Some(image));
            let mut saved = Vec::new();
            for frame in 0..700 {
                if frame == 600 {
                    saved = core.save();
                }
                assert!(frame % 50 != 0 || core.save().len() == core.state_size());
                core.frame(pads(frame));
            }
            // Picture and sound are output: the filters of the sound go on from where they were.
            let (hash, picture) = (core.state_hash(), core.picture().to_vec());
            // Run-ahead and rewind go to and fro all the time.
            for _ in 0..2 {
                assert!(core.restore(&saved));
                (600..700).for_each(|frame| core.frame(pads(frame)));
                assert_eq!(core.state_hash(), hash);
                assert!(core.picture() == picture);
            }
            assert!(!core.restore(&saved[1..]));
            assert!(!core.restore(b""));
            assert_eq!(core.state_hash(), hash);
        }
    }

    #[test]
    fn what_a_front_end_writes_into_the_memories_is_in_the_console_and_back() {
        // C000 INC $6000; JMP $C000
        let image =
            nes_testing::Image::ines(0, 1, 0).with(6, 2).put(0, &[0xEE, 0x00, 0x60, 0x4C, 0x00, 0xC0]);
        let mut core = core(Some(&image.vectors(0xFFFF, 0xC000, 0xFFFF).bytes()));
        let place = core.battery().as_ptr();
        assert_eq!((core.battery().len(), core.ram().len()), (0x2000, 0x800));
        core.battery()[1] = 7;
        core.ram()[5] = 9;
        core.frame(NONE);
        assert_eq!((core.battery()[1], core.ram()[5]), (7, 9));
        assert_ne!(core.battery()[0], 0);
        let state = core.save();
        core.battery()[1] = 8;
        core.frame(NONE);
        assert_eq!(core.battery()[1], 8);
        assert!(core.restore(&state));
        assert_eq!((core.battery()[1], core.battery().as_ptr()), (7, place));
    }

    #[test]
    fn options_change_region_rows_and_pieces() {
        let pal = Options { region: Some(Region::Pal), overscan: 8, ..Options::default() };
        let mut pal = Core::load(None, "", &pal).unwrap();
        pal.frame(NONE);
        assert_eq!((pal.region(), pal.height(), pal.picture().len()), (Region::Pal, 224, 256 * 224));
        assert_eq!(
            Core::load(Some(&nes_testing::Image::ines(0, 1, 1).bytes()), "x (Europe)", &Options::default())
                .unwrap()
                .region(),
            Region::Pal
        );
        let played = |randomizer, seed| {
            let mut core = Core::load(None, "", &Options { randomizer, seed, ..Options::default() }).unwrap();
            (0..1_200).for_each(|frame| core.frame(pads(frame)));
            core.state_hash()
        };
        let kind = Some(randomizers::Kind::Tgm3);
        assert_eq!(played(kind, 1), played(kind, 1));
        assert_ne!(played(kind, 1), played(kind, 2));
        assert_ne!(played(kind, 1), played(None, 0));
        // In the middle of a game, too.
        let mut core = core(None);
        (0..600).for_each(|frame| core.frame(pads(frame)));
        core.set(&Options { randomizer: kind, seed: 1, overscan: 16, ..Options::default() });
        assert_eq!((core.height(), core.picture().len()), (208, 256 * 208));
        assert!(Core::load(Some(b"NES"), "", &Options::default()).is_err());
    }
}
