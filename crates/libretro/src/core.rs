//! A running game, as a front end of libretro needs it.

use std::collections::VecDeque;

use autopilot::{Autopilot, Substitution};
use emulator::{Attached, Computer, Emulator, Pieces, Practice, draw_input};
use nes::cartridge::Cartridge;
use nes::fm2::RamInit;
use nes::ppu::Quirks;
use nes::{Config, Devices, Frame, Held, Memory, Palette, Region, RomError};
use practice::{Kind, Session};
use tetris::{Feature, Profile};
use thiserror::Error;
use value::NetSource;

use crate::Options;

/// The cartridge that needs no file.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");

/// Frames from one state in the log to the next.
const LOG_EVERY: u64 = 60;

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
    /// Bytes of the console's state, and of what the practice session remembers behind it.
    state_size: [usize; 2],
    /// The last states that were saved, with what the computer meant to do then, which is not in
    /// them.
    recent: VecDeque<(Vec<u8>, Autopilot)>,
}

/// States for which the computer's plans are kept: run-ahead saves one a frame.
const RECENT: usize = 4;

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
            devices: options.devices,
            ..Config::default()
        };
        let emulator = Emulator::bare(cartridge, config);
        let mut core = Self {
            state_size: [emulator.save().len(), 0],
            recent: VecDeque::new(),
            ram: Shared::new(emulator.state().ram()),
            battery: Shared::new(emulator.battery_ram()),
            emulator,
            image,
            options: options.clone(),
            palette: options.colours.palette(options.palette_file.as_deref()),
            battery_begin,
            rgba: vec![0; 4 * Frame::WIDTH * Frame::HEIGHT],
            picture: Vec::new(),
            sound: Vec::new(),
        };
        core.deal();
        core.practise();
        core.seat_computer();
        core.show_memory();
        core.draw();
        Ok(core)
    }

    /// Takes over what the player has set. The region, the PPU's start, the controllers and
    /// practice wait for the next power-on.
    pub fn set(&mut self, options: &Options) {
        let dealt = |options: &Options| (options.randomizer, options.seed);
        let others = dealt(&self.options) != dealt(options);
        let computer = self.options.computer != options.computer;
        self.options = options.clone();
        self.palette = options.colours.palette(options.palette_file.as_deref());
        if others {
            self.deal();
        }
        if computer {
            self.seat_computer();
        }
        self.draw();
    }

    /// Begins the game that practice is, with what is hidden in it. A cartridge that is not known
    /// plays as it is.
    fn practise(&mut self) {
        let Options { practice, level, hides_next, seed, .. } = self.options;
        let Ok(profile) = Profile::for_feature(&self.image, Feature::Practice) else { return };
        if practice.is_none() && !hides_next {
            return;
        }
        let mode = practice.unwrap_or_else(|| Kind::Tetris.usual());
        let options = practice::Options { level, no_next: hides_next, ..practice::Options::default() };
        let Ok(session) = Session::new(profile.clone(), mode, options) else { return };
        if !session.leaves_pieces_to_the_game() {
            self.emulator.set_pieces(None);
        }
        let way_in = practice::way_in(&session, seed);
        self.state_size[1] = session.save().len();
        self.emulator.set_practice(Some(Practice::bare(session)));
        if practice.is_some() {
            self.emulator.begin_game(way_in, &profile);
            self.emulator.look_here();
        }
    }

    /// Seats the computer at the first pad, or lets the player have it.
    fn seat_computer(&mut self) {
        self.recent.clear();
        let player = self.options.computer.and_then(|computer| self.player(computer));
        self.emulator.set_computer(player);
    }

    fn player(&self, computer: Computer) -> std::option::Option<Autopilot> {
        let profile = Profile::for_feature(&self.image, Feature::Computer).ok()?;
        Some(computer.player(profile, &NetSource::default(), self.options.level, self.options.seed as u32))
    }

    /// Deals other pieces, if they are asked for and the cartridge is one of Tetris.
    fn deal(&mut self) {
        let Options { randomizer, seed, .. } = &self.options;
        let session = self.emulator.practice().map(Practice::session);
        if session.is_some_and(|session| !session.leaves_pieces_to_the_game()) {
            return;
        }
        let pieces = randomizer.and_then(|kind| {
            let profile = Profile::for_feature(&self.image, Feature::Pieces).ok()?;
            let substitution = Substitution::new(profile, kind.seeded(*seed));
            Some(Pieces::new(substitution, format!("--randomizer {kind} --seed {seed}")))
        });
        self.emulator.set_pieces(pieces);
    }

    /// Runs a frame in which this is held.
    pub fn frame(&mut self, held: impl Into<Held>) {
        self.take_changes();
        self.emulator.frame(&mut held.into(), Attached::default());
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
        if let Some(practice) = self.emulator.practice() {
            practice::draw(&practice.session().overlay(), &mut self.rgba);
        }
        draw_input(&self.emulator.buttons()[..self.options.shown_pads.min(2)], &mut self.rgba);
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

    /// Returns what is plugged into the ports.
    pub fn devices(&self) -> Devices {
        self.emulator.devices()
    }

    /// Returns whether the state's hash goes into the log now.
    pub fn logs_state(&self) -> bool {
        self.options.logs_states && self.frame_number().is_multiple_of(LOG_EVERY)
    }

    /// Returns the length of a state in bytes, the same as long as the game.
    pub fn state_size(&self) -> usize {
        self.state_size.iter().sum()
    }

    /// Returns the state.
    pub fn save(&mut self) -> Vec<u8> {
        self.take_changes();
        self.show_memory();
        let mut state = self.emulator.save();
        if let Some(practice) = self.emulator.practice() {
            state.extend(practice.session().save());
        }
        if let Some(computer) = self.emulator.computer() {
            self.recent.push_back((state.clone(), computer.clone()));
            let more = self.recent.len().saturating_sub(RECENT);
            self.recent.drain(..more);
        }
        state
    }

    /// Goes to a state. Returns whether it was one of this cartridge. A state that was saved
    /// without practice leaves the session to find its way.
    pub fn restore(&mut self, state: &[u8]) -> bool {
        let [console, session] = self.state_size;
        let Some((console, memory)) = state.split_at_checked(console) else { return false };
        let known = |practice: &Practice| {
            practice.session().clone().load(memory, self.emulator.state()).is_ok() && memory.len() == session
        };
        let fits = memory.is_empty() || self.emulator.practice().is_some_and(known);
        if !fits || self.emulator.load(console, vec![], RamInit::default()).is_err() {
            return false;
        }
        if !memory.is_empty() && self.emulator.restore_practice(memory).is_err() {
            return false;
        }
        if let Some(computer) = self.options.computer {
            let recent = self.recent.iter().find(|(saved, _)| saved == state);
            let player = recent.map(|(_, player)| player.clone()).or_else(|| self.player(computer));
            self.emulator.set_computer(player);
        }
        self.show_memory();
        self.draw();
        true
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
    use nes::{Buttons, Extra};

    use super::*;
    use crate::Colours;

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
            (0..700).for_each(|frame| core.frame(pads(frame)));
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

    fn with(options: &Options) -> Core {
        Core::load(None, "", options).unwrap()
    }

    fn practising(mode: &str) -> Options {
        Options { practice: Some(mode.parse().unwrap()), level: 18, ..Options::default() }
    }

    /// A frame that is also run ahead, as a front end does it: a state, the frame, back.
    fn ahead(core: &mut Core, held: [Buttons; 2]) {
        core.frame(held);
        let state = core.save();
        core.frame(held);
        core.frame(held);
        assert!(core.restore(&state));
    }

    #[test]
    fn practice_begins_in_a_game_and_its_memory_is_in_the_state() {
        let mut core = with(&practising("floor=3"));
        let session = |core: &Core| core.emulator.practice().unwrap().session().clone();
        assert!(session(&core).is_playing());
        assert_eq!((session(&core).level(), session(&core).mode().to_string()), (18, "floor=3".into()));
        assert!(core.frame_number() > 100, "it went through the menus");
        let plain = with(&Options::default()).state_size();
        assert!(core.state_size() > plain);
        let mut other = with(&practising("floor=3"));
        for frame in 0..400 {
            let held = pads(460 + frame);
            core.frame(held);
            ahead(&mut other, held);
        }
        assert_eq!(core.state_hash(), other.state_hash());
        assert_eq!(session(&core).save(), session(&other).save());
        let state = core.save();
        assert_eq!(state.len(), core.state_size());
        assert!(core.restore(&state[..plain]), "a state without practice");
        assert!(!core.restore(&state[..=plain]));
        // A cartridge of something else plays as it is.
        let image = nes_testing::Image::nrom(&[0x4C, 0x00, 0x80]).bytes();
        let unknown = Core::load(Some(&image), "", &practising("floor=3")).unwrap();
        assert_eq!((unknown.frame_number(), unknown.emulator.practice().is_none()), (0, true));
    }

    #[test]
    fn the_next_box_is_hidden_without_practice_too() {
        let hidden = |hides_next| {
            let mut core = with(&Options { hides_next, ..Options::default() });
            assert_eq!(core.frame_number(), 0, "the menus are the player's");
            (0..900).for_each(|frame| core.frame(pads(frame)));
            let memory = Profile::of_image(BUILT_IN).unwrap().as_mapped(core.emulator.state().ram());
            assert!(tetris::View::new(&memory).in_play());
            tetris::View::new(&memory).bytes(tetris::ram::HIDE_NEXT)[0]
        };
        assert_eq!((hidden(false), hidden(true)), (0, 1));
    }

    #[test]
    fn the_computer_plays_on_through_run_ahead_and_gives_the_pad_back() {
        let options = Options { computer: Some(Computer::Survival), level: 18, ..Options::default() };
        let (mut plain, mut other) = (with(&options), with(&options));
        for _ in 0..600 {
            plain.frame(NONE);
            ahead(&mut other, NONE);
        }
        let memory = Profile::of_image(BUILT_IN).unwrap().as_mapped(plain.emulator.state().ram());
        assert!(tetris::View::new(&memory).in_play());
        assert_eq!((plain.state_hash(), plain.frame_number()), (other.state_hash(), 600));
        // A state that it does not remember begins a plan anew.
        let state = plain.save();
        (0..100).for_each(|_| drop((plain.frame(NONE), plain.save())));
        assert!(plain.restore(&state) && plain.emulator.has_computer());
        plain.set(&Options { computer: None, ..options });
        assert!(!plain.emulator.has_computer());
    }

    #[test]
    fn colours_and_the_pads_that_are_shown_change_at_once() {
        let mut core = with(&Options::default());
        (0..100).for_each(|_| core.frame(NONE));
        let plain = core.picture().to_vec();
        let mut seen = vec![plain.clone()];
        let file = Some([7; 192].to_vec());
        for colours in [Colours::Vivid, Colours::Muted, Colours::Grey, Colours::File] {
            core.set(&Options { colours, palette_file: file.clone(), ..Options::default() });
            assert!(!seen.contains(&core.picture().to_vec()), "{colours:?}");
            seen.push(core.picture().to_vec());
        }
        assert!(core.picture().iter().all(|dot| *dot == 0x07_0707));
        core.set(&Options { colours: Colours::File, ..Options::default() });
        assert!(core.picture() == plain, "without a file they are the television's");
        core.set(&Options { shown_pads: 1, ..Options::default() });
        let changed =
            |core: &Core| core.picture().iter().zip(&plain).filter(|(now, then)| now != then).count();
        // 48 x 18 dots, of which some may be as they were.
        assert!((400..=864).contains(&changed(&core)), "{}", changed(&core));
        let one = core.picture().to_vec();
        core.set(&Options { shown_pads: 2, ..Options::default() });
        assert!(changed(&core) > 864);
        core.set(&Options { shown_pads: 1, ..Options::default() });
        core.frame([Buttons::A, Buttons::empty()]);
        assert!(core.picture() != one, "A lights up");
    }

    #[test]
    fn four_pads_and_a_zapper_reach_the_game_by_the_option() {
        // Strobe, 24 reads of $4016 into $0200, and stay.
        let program = [
            0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40, 0xA2, 0x00, 0xAD, 0x16, 0x40, 0x9D,
            0x00, 0x02, 0xE8, 0xE0, 0x18, 0xD0, 0xF5, 0xAD, 0x17, 0x40, 0x85, 0x00, 0x4C, 0x17, 0x80,
        ];
        let image = nes_testing::Image::nrom(&program).bytes();
        let held = |devices, extra| {
            let options = Options { devices, ..Options::default() };
            let mut core = Core::load(Some(&image), "", &options).unwrap();
            assert_eq!(core.devices(), devices);
            core.frame(Held { pads: [Buttons::A, Buttons::empty()], extra });
            let state = core.save();
            assert_eq!(state.len(), core.state_size());
            assert!(core.restore(&state));
            let word = core.ram()[0x200..0x218].iter().fold(0, |word, read| word << 1 | u32::from(read & 1));
            (word, core.ram()[0])
        };
        let third = Extra::Pads([Buttons::START, Buttons::empty()]);
        assert_eq!(held(Devices::FourScore, third).0, 0x80_1010);
        assert_eq!(held(Devices::Pads, third).0, 0x80_FFFF);
        let pulled = Extra::Zapper(nes::Aim { x: 9, y: 9, trigger: true });
        assert_eq!(held(Devices::Zapper, pulled).1 & 0x18, 0x18);
    }
}
