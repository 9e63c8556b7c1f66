//! A game of two, each on a console of their own: rows that go from each to the other.
//!
//! The rules are those of the original's hidden mode for two players: of two, three and four rows
//! cleared at once, one, two and four come up in the other's playfield from below, before the next
//! piece appears, with one hole in the column that the game drew in its level menu (`tetris::ram`:
//! `GARBAGE_HOLE`).

use nes::Console;
use tetris::ram::{self, play_state};
use tetris::{HEIGHT, Profile, View, WIDTH};

use crate::{Rise, raise};

/// Rows sent for so many cleared (`$9B53` of the original).
const SENT: [usize; 5] = [0, 0, 1, 2, 4];

/// What is known of one of the two.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Is a game on?
    pub playing: bool,
    /// Its lines.
    pub lines: u32,
    /// Rows that come up before the next piece.
    pub pending: usize,
    /// Rows that were sent to the other.
    pub sent: u32,
    /// Rows that have come up since somebody took this.
    pub risen: Option<Rise>,
}

/// What happened to one of the two in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// A game has begun.
    pub begun: bool,
    /// It is over, by the curtain.
    pub over: bool,
    /// Rows that go to the other.
    pub sent: usize,
}

impl Side {
    /// What has happened since the last look.
    pub fn look(&mut self, console: &Console, profile: &Profile) -> Happened {
        let memory = profile.as_mapped(console.ram());
        let view = View::new(&memory);
        if !view.in_game() {
            self.playing = false;
            return Happened::default();
        }
        if !view.in_play() {
            return Happened::default(); // a pause, or the screen of a game that comes
        }
        if !self.playing {
            let begun = view.play_state() == play_state::ACTIVE;
            *self = Self { playing: begun, lines: view.lines(), ..Self::default() };
            return Happened { begun, ..Happened::default() };
        }
        if view.play_state() == play_state::CURTAIN {
            self.playing = false;
            return Happened { over: true, ..Happened::default() };
        }
        // The B-type counts down.
        let cleared = view.lines().abs_diff(self.lines) as usize;
        self.lines = view.lines();
        Happened { sent: SENT[cleared.min(4)], ..Happened::default() }
    }

    /// Which rows come up now: what is pending, if it is the time for it, after the rows are
    /// counted and before the next piece.
    fn due(&mut self, console: &Console, profile: &Profile) -> Option<Rise> {
        let memory = profile.as_mapped(console.ram());
        let view = View::new(&memory);
        if self.pending == 0 || view.play_state() != play_state::SPAWN || view.is_late() || !view.in_play() {
            return None;
        }
        let rows = std::mem::take(&mut self.pending).min(HEIGHT);
        let hole = view.byte(ram::GARBAGE_HOLE).min(WIDTH as u8 - 1);
        Some(Rise { rows: rows as u8, hole })
    }

    /// Lets what is pending come up, if it is the time for it.
    pub fn rise(&mut self, console: &mut Console, profile: &Profile) {
        if let Some(rise) = self.due(console, profile) {
            raise(profile, console, rise);
            self.risen = Some(rise);
        }
    }
}
