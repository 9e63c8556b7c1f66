//! A player of the whole game, by seed.

use super::placement::best;
use super::pokes::{Pokes, new_game};
use crate::buttons::{A, B, DIRECTIONS, DOWN, LEFT, RESET, RIGHT, SELECT, START};
use crate::ram::{self, game_mode, play_state};
use crate::{Placement, SplitMix64, View};

/// What to do in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Buttons to hold on the first pad.
    pub buttons: u8,
    /// Addresses of RAM and what to write there before the frame; rarely any.
    pub pokes: Vec<(u16, u8)>,
}

/// How it plays for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Places pieces with some sense.
    Stacks,
    /// The same, but does not hurry pieces down.
    Waits,
    /// Presses whatever comes.
    Random,
    /// Holds Left, Right and Down.
    Slow,
    /// Touches nothing.
    Idle,
}

/// A player of the whole game: the same seed and the same machine make the same play.
#[derive(Clone, Debug)]
pub struct Explorer {
    random: SplitMix64,
    style: Style,
    frames: u32,
    held: u8,
    plan: Option<Placement>,
    planned_row: u8,
    begun: bool,
}

impl Explorer {
    /// The player of a seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            random: SplitMix64::new(seed),
            style: Style::Stacks,
            frames: 0,
            held: 0,
            plan: None,
            planned_row: 0,
            begun: false,
        }
    }

    /// What to do in the coming frame, `view` being the machine's RAM after the last.
    pub fn turn(&mut self, view: View) -> Turn {
        self.frames = self.frames.checked_sub(1).unwrap_or_else(|| self.change_style());
        let pokes = self.pokes(view);
        let in_play = view.in_game() && view.in_play();
        self.held = if self.random.one_in(15_000) {
            RESET
        } else if in_play {
            self.play(view)
        } else {
            self.walk(view)
        };
        Turn { buttons: self.held, pokes }
    }

    fn change_style(&mut self) -> u32 {
        self.style = match self.random.below(16) {
            0..=7 => Style::Stacks,
            8..=9 => Style::Waits,
            10..=13 => Style::Random,
            14 => Style::Slow,
            _ => Style::Idle,
        };
        let longest = if matches!(self.style, Style::Stacks | Style::Waits) { 6_000 } else { 600 };
        1 + self.random.below(longest)
    }

    /// Pokes for a game in its first frames, once.
    fn pokes(&mut self, view: View) -> Pokes {
        let begins = view.in_game() && view.byte(ram::DOWN_REPEAT) & 0x80 != 0;
        if begins == self.begun {
            return Pokes::new();
        }
        self.begun = begins;
        if begins { new_game(&mut self.random, view.byte(ram::GAME_TYPE) != 0) } else { Pokes::new() }
    }

    /// Menus, title, demo, endings and names.
    fn walk(&mut self, view: View) -> u8 {
        if view.game_mode() == game_mode::TITLE && self.style == Style::Waits {
            return 0;
        }
        if view.game_mode() == game_mode::DEMO {
            return if self.random.one_in(2_500) { START } else { self.held & !START };
        }
        match self.random.below(24) {
            0 => START,
            1 if view.game_mode() == game_mode::LEVEL_MENU => START | A,
            2 => A,
            3 => DOWN,
            4 => LEFT,
            5 => RIGHT,
            6 => DIRECTIONS & !(DOWN | LEFT | RIGHT),
            7 if self.random.one_in(3) => B,
            8 if self.random.one_in(3) => self.random.next_u64() as u8,
            9..=12 => self.held & !START,
            _ => 0,
        }
    }

    fn play(&mut self, view: View) -> u8 {
        if self.random.one_in(3_000) {
            return START | self.random.next_u64() as u8 & 0x8F;
        }
        if view.play_state() == play_state::CURTAIN {
            return if self.random.one_in(60) { START } else { self.random() & !START };
        }
        match self.style {
            Style::Stacks | Style::Waits => self.steer(view),
            Style::Random => self.random(),
            Style::Slow => LEFT | RIGHT | DOWN,
            Style::Idle => 0,
        }
    }

    /// Any buttons, held for a few frames; Start seldom.
    fn random(&mut self) -> u8 {
        if self.random.one_in(3) {
            let toggled = 1 << self.random.below(8);
            let buttons = self.held ^ toggled;
            return if self.random.one_in(40) { buttons } else { buttons & !START };
        }
        self.held
    }

    /// Turns, then shifts, then drops: a press every second frame.
    fn steer(&mut self, view: View) -> u8 {
        if view.play_state() != play_state::ACTIVE {
            self.plan = None;
            return if self.random.one_in(200) { SELECT } else { self.held & (LEFT | RIGHT) };
        }
        let row = view.byte(ram::PIECE_Y);
        if self.plan.is_none() || row < self.planned_row {
            self.plan = best(view);
        }
        self.planned_row = row;
        let (Some(plan), Some(now)) = (self.plan, view.orientation()) else { return self.random() };
        let (mut buttons, free) = (0, !self.held);
        if now != plan.orientation {
            let wanted = if now.counterclockwise() == plan.orientation { B } else { A };
            buttons |= wanted & free;
        }
        let column = view.byte(ram::PIECE_X) as i8;
        buttons |= match column.cmp(&(plan.x as i8)) {
            std::cmp::Ordering::Less => RIGHT & free,
            std::cmp::Ordering::Greater => LEFT & free,
            std::cmp::Ordering::Equal => 0,
        };
        let arrived = now == plan.orientation && column == plan.x as i8;
        if arrived && self.style == Style::Stacks { DOWN } else { buttons }
    }
}
