//! The cartridge in a console, with hands on its pads and in its RAM.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use nes::{Attachment, Break, Buttons, Cartridge, Config, Console, Cpu, Mainboard, Observer};
use tetris::ram::{self, game_mode, mode_state};

/// The image of the built-in cartridge.
pub const MAXOUT: &[u8] = include_bytes!("../../../roms/maxout.nes");

pub use tetris::ram::EMPTY;

/// A block of a piece that was locked.
pub const BLOCK: u8 = 0x7B;

/// The T as it spawns.
pub const T_DOWN: u8 = 0x02;
/// The O.
pub const O: u8 = 0x0A;
/// The I upright.
pub const I_UPRIGHT: u8 = 0x11;
/// The I as it spawns.
pub const I_FLAT: u8 = 0x12;

/// A value of `ram::VRAM_ROW.at()`: the nametable shows the whole playfield.
pub const ALL_ROWS_SHOWN: u8 = 0x20;

/// Two decimal digits as the game keeps them.
pub fn bcd(two_digits: usize) -> u8 {
    u8::try_from(two_digits / 10 % 10 * 16 + two_digits % 10).expect("two digits fit a byte")
}

/// The number that a BCD byte means.
pub fn decimal(bcd: u8) -> usize {
    usize::from(bcd >> 4) * 10 + usize::from(bcd & 15)
}

/// A console with the cartridge in it, between two frames.
#[derive(Clone)]
pub struct Game {
    /// The console.
    pub console: Console,
}

impl Game {
    /// The console just powered on.
    pub fn power_on() -> Self {
        let cartridge = Cartridge::from_bytes(MAXOUT).expect("the built-in image is a cartridge");
        Self { console: Console::new(cartridge, Config::default()) }
    }

    /// The level menu, a few frames after its picture came up; the A-type is chosen.
    pub fn level_menu() -> Self {
        static MENU: OnceLock<Game> = OnceLock::new();
        let menu = || {
            let mut game = Self::power_on();
            for frame in 0..3_000 {
                game.hold(if frame % 6 == 0 { Buttons::START } else { Buttons::empty() });
                if game.at(ram::GAME_MODE.at()) == game_mode::LEVEL_MENU {
                    game.wait(10);
                    return game;
                }
            }
            panic!("Start every six frames did not lead to the level menu");
        };
        MENU.get_or_init(menu).clone()
    }

    /// A game at `level`, its first frame of play about to run. Levels up to 19 are chosen as a
    /// player would.
    pub fn start(level: u8) -> Self {
        let mut game = Self::level_menu();
        let menu_level = if level < 20 { level } else { 0 };
        game.poke(ram::START_LEVEL.at(), menu_level % 10);
        for frame in 0..60 {
            let before = game.clone();
            let tens = if menu_level >= 10 && frame < 4 { Buttons::A } else { Buttons::empty() };
            let start = if frame == 2 { Buttons::START } else { Buttons::empty() };
            game.hold(tens | start);
            if game.at(ram::GAME_MODE.at()) == game_mode::PLAY
                && game.at(ram::MODE_STATE.at()) == mode_state::COUNTERS
            {
                let mut start = before;
                start.poke(ram::START_LEVEL.at(), level);
                start.poke(ram::LEVEL.at(), level);
                return start;
            }
        }
        panic!("Start did not begin a game at level {level}");
    }

    /// A game at level 0 after 100 frames: the first piece has begun to fall, the field is empty.
    pub fn in_play() -> Self {
        static PLAY: OnceLock<Game> = OnceLock::new();
        let play = || {
            let mut game = Self::start(0);
            game.wait(100);
            game
        };
        PLAY.get_or_init(play).clone()
    }

    /// Runs a frame with `buttons` held on the first pad.
    pub fn hold(&mut self, buttons: Buttons) {
        self.watch(buttons, &mut ());
    }

    /// Runs `frames` frames with nothing held.
    pub fn wait(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.hold(Buttons::empty()));
    }

    /// Runs a frame with `attachment`, which must not break it off.
    pub fn watch(&mut self, buttons: Buttons, attachment: &mut impl Attachment) {
        let done = self.console.run_frame(&mut [buttons, Buttons::empty()], attachment);
        assert!(done.is_continue(), "the attachment broke a frame off");
    }

    /// Runs frames until `arrived`, and counts them.
    pub fn wait_until(&mut self, limit: usize, arrived: impl Fn(&Self) -> bool) -> usize {
        for frame in 1..=limit {
            self.wait(1);
            if arrived(self) {
                return frame;
            }
        }
        panic!("not there after {limit} frames");
    }

    /// Runs the routine at `address` to its return, all interrupts being off, and says what it
    /// leaves in A.
    pub fn call(&mut self, address: u16, x: u8, y: u8) -> u8 {
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

    /// Returns a byte of RAM.
    pub fn at(&self, address: usize) -> u8 {
        self.console.ram()[address]
    }

    /// Writes a byte of RAM.
    pub fn poke(&mut self, address: usize, value: u8) {
        self.console.ram_mut()[address] = value;
    }

    /// Returns what the play is at, one of [`play_state`].
    pub fn state(&self) -> u8 {
        self.at(ram::PLAY_STATE.at())
    }

    /// The LFSR, first byte high.
    pub fn lfsr(&self) -> u16 {
        u16::from_be_bytes([self.at(ram::LFSR.at()), self.at(ram::LFSR.at() + 1)])
    }

    /// Sets the LFSR.
    pub fn seed(&mut self, lfsr: u16) {
        self.console.ram_mut()[ram::LFSR.at()..][..2].copy_from_slice(&lfsr.to_be_bytes());
    }

    /// Returns the score.
    pub fn score(&self) -> usize {
        (0..3).rev().fold(0, |score, byte| score * 100 + decimal(self.at(ram::SCORE.at() + byte)))
    }

    /// Sets the score, at most 999,999.
    pub fn set_score(&mut self, score: usize) {
        (0..3)
            .zip([1, 100, 10_000])
            .for_each(|(byte, unit)| self.poke(ram::SCORE.at() + byte, bcd(score / unit % 100)));
    }

    /// Returns the lines cleared.
    pub fn lines(&self) -> usize {
        usize::from(self.at(ram::LINES.at() + 1)) * 100 + decimal(self.at(ram::LINES.at()))
    }

    /// Sets the lines cleared.
    pub fn set_lines(&mut self, lines: usize) {
        self.poke(ram::LINES.at(), bcd(lines % 100));
        self.poke(ram::LINES.at() + 1, u8::try_from(lines / 100).expect("hundreds of lines fit a byte"));
    }

    /// How often each of T J Z O S L I has come.
    pub fn statistics(&self) -> [usize; 7] {
        let word = |piece: usize| ram::PIECE_COUNTS.at() + 2 * piece;
        std::array::from_fn(|piece| {
            usize::from(self.at(word(piece) + 1)) * 100 + decimal(self.at(word(piece)))
        })
    }

    /// Counts of singles to four-line clears.
    pub fn line_counts(&self) -> [usize; 4] {
        std::array::from_fn(|count| decimal(self.at(ram::LINE_COUNTS.at() + count)))
    }

    /// The two hundred cells, row by row from the top.
    pub fn playfield(&self) -> &[u8] {
        &self.console.ram()[ram::PLAYFIELD.at()..][..200]
    }

    /// A row of the playfield as a picture: `#` block, `.` empty.
    pub fn row(&self, row: usize) -> String {
        let cells = &self.console.ram()[ram::PLAYFIELD.at() + 10 * row..][..10];
        cells.iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect()
    }

    /// Empties the playfield.
    pub fn clear_playfield(&mut self) {
        self.console.ram_mut()[ram::PLAYFIELD.at()..][..200].fill(EMPTY);
    }

    /// Sets a row of the playfield from a picture.
    pub fn set_row(&mut self, row: usize, picture: &str) {
        assert_eq!(picture.len(), 10, "a row has ten cells");
        for (column, cell) in picture.bytes().enumerate() {
            self.poke(ram::PLAYFIELD.at() + 10 * row + column, if cell == b'#' { BLOCK } else { EMPTY });
        }
    }

    /// The falling piece: `orientation` with its pivot at column `x`, row `y`, about to fall a row
    /// by gravity.
    pub fn set_piece(&mut self, orientation: u8, x: u8, y: u8) {
        const LONGER_THAN_ANY_ROW: u8 = 100;
        self.poke(ram::ORIENTATION.at(), orientation);
        self.poke(ram::PIECE_X.at(), x);
        self.poke(ram::PIECE_Y.at(), y);
        self.poke(ram::DOWN_REPEAT.at(), 0);
        self.poke(ram::FALL_TIMER.at(), LONGER_THAN_ANY_ROW);
    }

    /// A byte of the nametable that is shown (mirroring is single-screen), by its address at $2000.
    pub fn nametable(&self, address: usize) -> u8 {
        self.console.ciram()[address & 0x3FF]
    }
}

/// Counts the instructions begun at each of some addresses.
pub struct Visits<const N: usize> {
    /// The addresses.
    pub places: [u16; N],
    /// Instructions begun at each.
    pub counts: [usize; N],
}

impl<const N: usize> Visits<N> {
    /// Returns a counter for these addresses.
    pub fn to(places: [u16; N]) -> Self {
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
