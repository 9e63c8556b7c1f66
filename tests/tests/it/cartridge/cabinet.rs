//! The cartridge in a console, with hands on its pads and in its RAM.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use nes::{Attachment, Break, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer};

/// The image that every command embeds.
pub(crate) const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

/// Addresses in RAM: those of the player are the block at $60, which holds between frames.
pub(crate) mod ram {
    pub(crate) const LFSR: usize = 0x17;
    pub(crate) const LAST_PIECE: usize = 0x19;
    pub(crate) const SPAWN_COUNT: usize = 0x1A;
    pub(crate) const PIECE_X: usize = 0x60;
    pub(crate) const PIECE_Y: usize = 0x61;
    pub(crate) const ORIENTATION: usize = 0x62;
    pub(crate) const LEVEL: usize = 0x64;
    pub(crate) const FALL_TIMER: usize = 0x65;
    pub(crate) const DAS: usize = 0x66;
    pub(crate) const START_LEVEL: usize = 0x67;
    pub(crate) const PLAY_STATE: usize = 0x68;
    pub(crate) const VRAM_ROW: usize = 0x69;
    pub(crate) const DOWN_REPEAT: usize = 0x6E;
    pub(crate) const SOFT_DROP_ROWS: usize = 0x6F;
    pub(crate) const LINES: usize = 0x70;
    pub(crate) const SCORE: usize = 0x73;
    pub(crate) const LINES_COMPLETED: usize = 0x76;
    pub(crate) const DIRTY: usize = 0xA3;
    pub(crate) const MODE_STATE: usize = 0xA7;
    pub(crate) const FRAME_COUNTER: usize = 0xB1;
    pub(crate) const RENDER_MODE: usize = 0xBD;
    pub(crate) const NEXT_PIECE: usize = 0xBF;
    pub(crate) const GAME_MODE: usize = 0xC0;
    pub(crate) const GAME_TYPE: usize = 0xC1;
    /// BCD counts of singles to four-line clears.
    pub(crate) const LINE_COUNTS: usize = 0xD8;
    /// Seven words T J Z O S L I: BCD tens and ones, hundreds in binary.
    pub(crate) const STATISTICS: usize = 0x3F0;
    /// Twenty rows of ten cells, the top one first.
    pub(crate) const PLAYFIELD: usize = 0x400;
    /// Names, scores and levels of the eight best games.
    pub(crate) const HIGH_SCORES: std::ops::Range<usize> = 0x700..0x750;
    pub(crate) const WARM_MAGIC: usize = 0x750;
}

/// What `ram::GAME_MODE` says.
pub(crate) mod mode {
    pub(crate) const LEGAL: u8 = 0;
    pub(crate) const TITLE: u8 = 1;
    pub(crate) const LEVEL_MENU: u8 = 3;
    pub(crate) const PLAY: u8 = 4;
    pub(crate) const DEMO: u8 = 5;
}

/// What `ram::PLAY_STATE` says.
pub(crate) mod play_state {
    pub(crate) const NONE: u8 = 0;
    pub(crate) const ACTIVE: u8 = 1;
    pub(crate) const LOCK: u8 = 2;
    pub(crate) const LINES: u8 = 5;
    pub(crate) const B_GOAL: u8 = 6;
    pub(crate) const SPAWN: u8 = 8;
    pub(crate) const CURTAIN: u8 = 10;
}

/// Tiles of the playfield.
pub(crate) const EMPTY: u8 = 0xEF;
pub(crate) const BLOCK: u8 = 0x7B;

/// Orientation ids.
pub(crate) const T_DOWN: u8 = 0x02;
pub(crate) const O: u8 = 0x0A;
pub(crate) const I_UPRIGHT: u8 = 0x11;
pub(crate) const I_FLAT: u8 = 0x12;

/// A value of `ram::VRAM_ROW`: the nametable shows the whole playfield.
pub(crate) const ALL_ROWS_SHOWN: u8 = 0x20;

/// A value of `ram::MODE_STATE`: a frame of play begins.
const COUNTERS: u8 = 2;

/// Two decimal digits as the game keeps them.
pub(crate) fn bcd(two_digits: usize) -> u8 {
    u8::try_from(two_digits / 10 % 10 * 16 + two_digits % 10).expect("two digits fit a byte")
}

/// The number that a BCD byte means.
pub(crate) fn decimal(bcd: u8) -> usize {
    usize::from(bcd >> 4) * 10 + usize::from(bcd & 15)
}

/// A console with the cartridge in it, between two frames.
#[derive(Clone)]
pub(crate) struct Cabinet {
    pub(crate) console: Console,
}

impl Cabinet {
    pub(crate) fn power_on() -> Self {
        let cartridge = Cartridge::from_bytes(IMAGE).expect("the built-in image is a cartridge");
        Self { console: Console::new(cartridge, Config::default()) }
    }

    /// The level menu, a few frames after its picture came up; the A-type is chosen.
    pub(crate) fn level_menu() -> Self {
        static MENU: OnceLock<Cabinet> = OnceLock::new();
        let menu = || {
            let mut cabinet = Self::power_on();
            for frame in 0..3_000 {
                cabinet.hold(if frame % 6 == 0 { Buttons::START } else { Buttons::empty() });
                if cabinet.at(ram::GAME_MODE) == mode::LEVEL_MENU {
                    cabinet.wait(10);
                    return cabinet;
                }
            }
            panic!("Start every six frames did not lead to the level menu");
        };
        MENU.get_or_init(menu).clone()
    }

    /// A game at `level`, its first frame of play about to run. Levels up to 19 are chosen as a player would.
    pub(crate) fn start(level: u8) -> Self {
        let mut cabinet = Self::level_menu();
        let menu_level = if level < 20 { level } else { 0 };
        cabinet.poke(ram::START_LEVEL, menu_level % 10);
        for frame in 0..60 {
            let before = cabinet.clone();
            let tens = if menu_level >= 10 && frame < 4 { Buttons::A } else { Buttons::empty() };
            let start = if frame == 2 { Buttons::START } else { Buttons::empty() };
            cabinet.hold(tens | start);
            if cabinet.at(ram::GAME_MODE) == mode::PLAY && cabinet.at(ram::MODE_STATE) == COUNTERS {
                let mut start = before;
                start.poke(ram::START_LEVEL, level);
                start.poke(ram::LEVEL, level);
                return start;
            }
        }
        panic!("Start did not begin a game at level {level}");
    }

    /// A game at level 0 after 100 frames: the first piece has begun to fall, the field is empty.
    pub(crate) fn in_play() -> Self {
        static PLAY: OnceLock<Cabinet> = OnceLock::new();
        let play = || {
            let mut cabinet = Self::start(0);
            cabinet.wait(100);
            cabinet
        };
        PLAY.get_or_init(play).clone()
    }

    /// Runs a frame with `buttons` held on the first pad.
    pub(crate) fn hold(&mut self, buttons: Buttons) {
        self.watch(buttons, &mut ());
    }

    /// Runs `frames` frames with nothing held.
    pub(crate) fn wait(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.hold(Buttons::empty()));
    }

    /// Runs a frame with `attachment`, which must not break it off.
    pub(crate) fn watch(&mut self, buttons: Buttons, attachment: &mut impl Attachment) {
        let done = self.console.run_frame(&mut [buttons, Buttons::empty()], attachment);
        assert!(done.is_continue(), "the attachment broke a frame off");
    }

    /// Runs frames until `arrived`, and counts them.
    pub(crate) fn wait_until(&mut self, limit: usize, arrived: impl Fn(&Self) -> bool) -> usize {
        for frame in 1..=limit {
            self.wait(1);
            if arrived(self) {
                return frame;
            }
        }
        panic!("not there after {limit} frames");
    }

    /// Runs the routine at `address` to its return, all interrupts being off, and says what it leaves in A.
    pub(crate) fn call(&mut self, address: u16, x: u8, y: u8) -> u8 {
        const RETURN: u16 = 0xFF00;
        let [low, high] = (RETURN - 1).to_le_bytes();
        self.poke(0x1FE, low);
        self.poke(0x1FF, high);
        let cpu = &mut self.console.cpu;
        (cpu.pc, cpu.sp, cpu.x, cpu.y) = (address, 0xFD, x, y);
        for _ in 0..10_000 {
            let _ = self.console.step(&mut [Buttons::empty(); 2], &mut ());
            if self.console.cpu.pc == RETURN {
                return self.console.cpu.a;
            }
        }
        panic!("the routine at ${address:04X} did not return");
    }

    pub(crate) fn at(&self, address: usize) -> u8 {
        self.console.ram()[address]
    }

    pub(crate) fn poke(&mut self, address: usize, value: u8) {
        self.console.ram_mut()[address] = value;
    }

    pub(crate) fn state(&self) -> u8 {
        self.at(ram::PLAY_STATE)
    }

    /// The LFSR, first byte high.
    pub(crate) fn lfsr(&self) -> u16 {
        u16::from_be_bytes([self.at(ram::LFSR), self.at(ram::LFSR + 1)])
    }

    pub(crate) fn seed(&mut self, lfsr: u16) {
        self.console.ram_mut()[ram::LFSR..][..2].copy_from_slice(&lfsr.to_be_bytes());
    }

    pub(crate) fn score(&self) -> usize {
        (0..3).rev().fold(0, |score, byte| score * 100 + decimal(self.at(ram::SCORE + byte)))
    }

    pub(crate) fn set_score(&mut self, score: usize) {
        (0..3)
            .zip([1, 100, 10_000])
            .for_each(|(byte, unit)| self.poke(ram::SCORE + byte, bcd(score / unit % 100)));
    }

    pub(crate) fn lines(&self) -> usize {
        usize::from(self.at(ram::LINES + 1)) * 100 + decimal(self.at(ram::LINES))
    }

    pub(crate) fn set_lines(&mut self, lines: usize) {
        self.poke(ram::LINES, bcd(lines % 100));
        self.poke(ram::LINES + 1, u8::try_from(lines / 100).expect("hundreds of lines fit a byte"));
    }

    /// How often each of T J Z O S L I has come.
    pub(crate) fn statistics(&self) -> [usize; 7] {
        let word = |piece: usize| ram::STATISTICS + 2 * piece;
        std::array::from_fn(|piece| {
            usize::from(self.at(word(piece) + 1)) * 100 + decimal(self.at(word(piece)))
        })
    }

    /// Counts of singles to four-line clears.
    pub(crate) fn line_counts(&self) -> [usize; 4] {
        std::array::from_fn(|count| decimal(self.at(ram::LINE_COUNTS + count)))
    }

    /// The two hundred cells, row by row from the top.
    pub(crate) fn playfield(&self) -> &[u8] {
        &self.console.ram()[ram::PLAYFIELD..][..200]
    }

    /// A row of the playfield as a picture: `#` block, `.` empty.
    pub(crate) fn row(&self, row: usize) -> String {
        let cells = &self.console.ram()[ram::PLAYFIELD + 10 * row..][..10];
        cells.iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect()
    }

    pub(crate) fn clear_playfield(&mut self) {
        self.console.ram_mut()[ram::PLAYFIELD..][..200].fill(EMPTY);
    }

    /// Sets a row of the playfield from a picture.
    pub(crate) fn set_row(&mut self, row: usize, picture: &str) {
        assert_eq!(picture.len(), 10, "a row has ten cells");
        for (column, cell) in picture.bytes().enumerate() {
            self.poke(ram::PLAYFIELD + 10 * row + column, if cell == b'#' { BLOCK } else { EMPTY });
        }
    }

    /// The falling piece: `orientation` with its pivot at column `x`, row `y`, about to fall a row by gravity.
    pub(crate) fn set_piece(&mut self, orientation: u8, x: u8, y: u8) {
        const LONGER_THAN_ANY_ROW: u8 = 100;
        self.poke(ram::ORIENTATION, orientation);
        self.poke(ram::PIECE_X, x);
        self.poke(ram::PIECE_Y, y);
        self.poke(ram::DOWN_REPEAT, 0);
        self.poke(ram::FALL_TIMER, LONGER_THAN_ANY_ROW);
    }

    /// A byte of the nametable that is shown (mirroring is single-screen), by its address at $2000.
    pub(crate) fn nametable(&self, address: usize) -> u8 {
        self.console.ciram()[address & 0x3FF]
    }
}

/// Counts the instructions begun at each of some addresses.
pub(crate) struct Visits<const N: usize> {
    pub(crate) places: [u16; N],
    pub(crate) counts: [usize; N],
}

impl<const N: usize> Visits<N> {
    pub(crate) fn to(places: [u16; N]) -> Self {
        Self { places, counts: [0; N] }
    }
}

impl<const N: usize> Observer for Visits<N> {
    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if let Some(place) = self.places.iter().position(|&place| place == cpu.pc) {
            self.counts[place] += 1;
        }
        ControlFlow::Continue(())
    }
}
