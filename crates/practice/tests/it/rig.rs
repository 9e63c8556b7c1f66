//! A session on a cartridge, with hands.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use nes::{Buttons, Cartridge, Config, Console};
use practice::{Options, Session};
use tetris::events::Record;
use tetris::ram::{self, EMPTY, play_state};
use tetris::{Orientation, View};

/// Both cartridges.
pub(crate) const IMAGES: [&[u8]; 2] =
    [include_bytes!("../../../../roms/maxout.nes"), include_bytes!("../../../../roms/maxout-slow.nes")];

/// A session and its console.
#[derive(Clone)]
pub(crate) struct Rig {
    pub(crate) console: Console,
    pub(crate) session: Session,
    pub(crate) records: Vec<Record>,
}

/// A session on both cartridges, in the first frame of a game.
pub(crate) fn both(words: &str) -> [Rig; 2] {
    IMAGES.map(|image| Rig::new(image, words))
}

impl Rig {
    /// A session of a mode and options, as `floor=3 level=18`. The way to a game is gone once for
    /// equal words.
    pub(crate) fn new(image: &'static [u8], words: &str) -> Self {
        static BEGUN: OnceLock<Mutex<HashMap<(usize, String), Rig>>> = OnceLock::new();
        let begun = BEGUN.get_or_init(Mutex::default);
        let key = (image.as_ptr() as usize, words.to_owned());
        if let Some(rig) = begun.lock().unwrap().get(&key) {
            return rig.clone();
        }
        let mut parts = words.split_whitespace();
        let mode = parts.next().unwrap().parse().unwrap();
        let mut options = Options::default();
        parts.for_each(|part| options.set(part).unwrap());
        let mut session = Session::of_image(image, mode, options).unwrap();
        let config = Config { video: false, ..Config::default() };
        let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), config);
        practice::begin(&mut console, &mut session, 0).unwrap();
        let rig = Self { console, session, records: Vec::new() };
        begun.lock().unwrap().insert(key, rig.clone());
        rig
    }

    /// RAM.
    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.console.ram())
    }

    /// A frame with these buttons.
    pub(crate) fn hold(&mut self, buttons: Buttons) {
        let records = self.session.frame(&mut self.console, buttons);
        self.records.extend(records);
    }

    /// Frames with nothing held until something is seen. Out: how many.
    pub(crate) fn until(&mut self, limit: u32, seen: impl Fn(View) -> bool) -> u32 {
        for frame in 0..limit {
            if seen(self.view()) {
                return frame;
            }
            self.hold(Buttons::empty());
        }
        panic!("not seen in {limit} frames: play state {}", self.view().play_state());
    }

    /// Frames until a piece is in play.
    pub(crate) fn until_active(&mut self) -> u32 {
        self.until(800, |view| view.play_state() == play_state::ACTIVE)
    }

    /// The piece in play goes to this column and orientation at once, as if it had been steered
    /// there, and down.
    pub(crate) fn place(&mut self, column: u8, orientation: u8) {
        self.until_active();
        let turned = Orientation::from_id(orientation).unwrap();
        let fits = |row: u8| {
            turned.cells().iter().all(|cell| {
                let (x, y) = (column as i8 + cell.column, row as i8 + cell.row);
                y < 20 && (0..10).contains(&x) && (y < 0 || !self.view().is_taken(y as usize, x as usize))
            })
        };
        let row = (2..20).take_while(|&row| fits(row)).last().unwrap_or(0);
        self.put(column, row, orientation);
    }

    /// The piece in play goes there and locks; then the next one is waited for, or the end.
    pub(crate) fn put(&mut self, column: u8, row: u8, orientation: u8) {
        self.until_active();
        let ram = self.console.ram_mut();
        ram[ram::PIECE_X.at()] = column;
        ram[ram::PIECE_Y.at()] = row;
        ram[ram::ORIENTATION.at()] = orientation;
        ram[ram::DOWN_REPEAT.at()] = 0;
        for _ in 0..200 {
            if self.view().play_state() != play_state::ACTIVE {
                break;
            }
            self.console.ram_mut()[ram::FALL_TIMER.at()] = 0x60;
            self.hold(Buttons::empty());
        }
        self.until(800, |view| !matches!(view.play_state(), play_state::LOCK..=play_state::SPAWN));
    }

    /// Lays the rows of the field from the bottom up; a dot is free.
    pub(crate) fn lay(&mut self, rows: &[&str]) {
        let ram = self.console.ram_mut();
        ram[ram::PLAYFIELD.at()..][..200].fill(EMPTY);
        for (number, text) in rows.iter().rev().enumerate() {
            for (column, cell) in text.bytes().enumerate() {
                let at = ram::PLAYFIELD.at() + 10 * (19 - number) + column;
                ram[at] = if cell == b'.' { EMPTY } else { 0x7B };
            }
        }
    }

    /// Taken cells of each row.
    pub(crate) fn counts(&self) -> [u32; 20] {
        self.view().rows().map(u16::count_ones)
    }
}
