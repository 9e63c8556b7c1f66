//! What a session does after a frame.

use std::sync::Arc;

use nes::Console;
use tetris::events::{Event, Record};
use tetris::ram::{self, play_state};
use tetris::rules::score_after;
use tetris::scoring::points;
use tetris::{SplitMix64, View};

use super::before::fall_again;
use super::{RamAccess, Session};
use crate::modes;
use crate::ram_access::pieces;
use crate::state::Memory;
use crate::tiles::FLOOR;
use crate::{CapAt, CapEffect, Crash, Kind, Outcome};

/// Points of a B-type game that was lost which keep the bonus.
const KEEPS_BONUS: u32 = 30_000;

impl Session {
    /// After a frame: sees what has happened, and writes what follows from it. Out: what happened,
    /// as [`Watcher`](tetris::events::Watcher) says it.
    pub fn finish(&mut self, console: &mut Console) -> Vec<Record> {
        self.region = console.region();
        let now = self.profile.as_mapped(console.ram());
        let mut records = self.watcher.observe(console.frame_number(), &now);
        for record in &mut records {
            // A watcher that came later has not counted from the first.
            if let Event::Spawn { number, .. } = &mut record.event {
                *number = pieces(View::new(&now));
            }
        }
        let before = std::mem::replace(&mut *self.last, now);
        let (before, after) = (View::new(&before), View::new(&now));
        let begins = records.iter().any(|record| matches!(record.event, Event::Spawn { number: 1, .. }));
        let leaves = !(after.in_game() && (after.shows_play() || after.is_paused()));
        if begins && after.in_game() {
            self.begin_game(after, console);
        } else if leaves {
            self.memory.playing &= after.in_game();
        } else if self.memory.playing && before.in_play() && after.in_play() {
            self.follow(before, after, console);
        } else {
            return records;
        }
        *self.last = self.profile.as_mapped(console.ram());
        records
    }

    fn begin_game(&mut self, after: View, console: &mut Console) {
        let seed = u64::from(after.lfsr()) << 24
            | u64::from(after.frame_counter()) << 8
            | u64::from(after.byte(ram::SPAWN_COUNT));
        self.memory = Memory {
            playing: true,
            score: after.score(),
            level: after.level(),
            start_level: after.level(),
            chance: SplitMix64::mix(seed),
            last_pick: self.memory.last_pick,
            held: self.memory.held,
            target: modes::NOWHERE,
            charge: after.das(),
            ..Memory::default()
        };
        let profile = Arc::clone(&self.profile);
        let mut hands = RamAccess::new(&profile, console);
        modes::begin(self.mode, &self.options, &mut self.memory, &mut hands, after);
    }

    /// A frame of play.
    fn follow(&mut self, before: View, after: View, console: &mut Console) {
        let (was, is) = (before.play_state(), after.play_state());
        if was == play_state::ACTIVE {
            self.follow_piece(before, after, console);
        }
        let profile = Arc::clone(&self.profile);
        let mut hands = RamAccess::new(&profile, console);
        if was == play_state::LOCK && is == play_state::ROW_CHECK {
            self.memory.due = true;
            if !modes::lock(self.mode, &mut self.memory, before, after) {
                self.memory.outcome = Outcome::AboveLine;
                hands.drop_curtain();
                return;
            }
        }
        self.follow_rows(is, after, &mut hands);
        let counted = matches!(was, play_state::LINES | play_state::CLEAR) && is == play_state::B_GOAL;
        if counted {
            self.follow_count(before, after, &mut hands);
        }
        let over = matches!(self.memory.outcome, Outcome::Halted | Outcome::Crashed)
            || self.mode.kind() == Kind::Checkerboard && self.memory.outcome == Outcome::Goal;
        if counted && over {
            hands.drop_curtain();
            return;
        }
        let between =
            matches!(is, play_state::LINES | play_state::B_GOAL | play_state::GARBAGE | play_state::SPAWN);
        if self.memory.due && between {
            self.memory.due = false;
            modes::between(self.mode, &self.options, &mut self.memory, &mut hands, after);
        }
        if is == play_state::SPAWN && self.memory.delay > 0 {
            self.memory.delay -= 1;
            hands.redraw();
        }
        if is == play_state::CURTAIN && was != play_state::CURTAIN {
            self.end_above(&mut hands);
        }
    }

    /// The piece in play: timers that are not the game's own, and a second row.
    fn follow_piece(&mut self, before: View, after: View, console: &mut Console) {
        let profile = Arc::clone(&self.profile);
        let mut hands = RamAccess::new(&profile, console);
        let hangs = before.byte(ram::DOWN_REPEAT) & 0x80 != 0;
        let active = after.play_state() == play_state::ACTIVE;
        if let Some((delay, _)) = self.auto_shift() {
            if self.memory.shifting && after.das() == 16 {
                self.memory.charge = delay as u8;
            }
            hands.set(ram::DAS, (self.memory.charge as i8).max(0) as u8);
        }
        if self.frames_per_row().is_some() {
            if before.row() != after.row() || !active {
                self.memory.fall = 0;
            } else if after.byte(ram::FALL_TIMER) != 0xFF {
                self.memory.fall = self.memory.fall.saturating_add(1);
            }
        }
        if active && !hangs && self.falls_double() {
            fall_again(&mut hands);
        }
    }

    /// Rows that were kept from clearing are whole again, before the picture takes them.
    fn follow_rows(&mut self, is: u8, after: View, hands: &mut RamAccess) {
        let masked = self.memory.masked.iter().any(|&tile| tile != 0);
        if is != play_state::ROW_CHECK && masked {
            let mut field = hands.field();
            for (row, tile) in std::mem::take(&mut self.memory.masked).into_iter().enumerate() {
                if tile != 0 {
                    field.set(row, 0, tile);
                }
            }
            hands.set_field(&field);
        }
        let four = is == play_state::CLEAR && after.byte(ram::LINES_COMPLETED) == 4;
        if self.options.no_flash && four && !self.memory.unflashed {
            self.memory.unflashed = true;
            // The interrupt reads the working copy.
            hands.set(ram::LINES_COMPLETED, 3);
            hands.set_in_hand(ram::LINES_COMPLETED, 3);
        }
    }

    /// A lock was counted: score, level, cap.
    fn follow_count(&mut self, before: View, after: View, hands: &mut RamAccess) {
        let rows =
            if std::mem::take(&mut self.memory.unflashed) { 4 } else { before.byte(ram::LINES_COMPLETED) };
        let soft_rows = before.byte(ram::SOFT_DROP_ROWS);
        let (kind, value) = (self.mode.kind(), self.mode.value());
        let level_before = self.memory.level;
        if std::mem::take(&mut self.memory.level_bent) {
            if kind == Kind::Transition {
                self.memory.level = self.memory.level.wrapping_add(1);
            }
            // The number that the game has is not the one to be drawn.
            hands.set_level(self.memory.level);
        } else {
            self.memory.level = after.level();
        }
        let level = match (kind, value) {
            (Kind::Marathon, 0..=2) => self.memory.start_level,
            _ => self.memory.level,
        };
        let score = self.memory.score;
        let natural = score_after(score, level, rows, soft_rows);
        let own = match kind {
            Kind::TSpins if self.memory.was_hit => Some(natural + points(2, level.into())),
            Kind::TapQuantity if self.memory.was_hit => Some(score + points(4, level.into())),
            Kind::TSpins | Kind::TapQuantity => Some(0),
            Kind::Checkerboard => Some(score.saturating_sub(10 * u32::from(rows))),
            _ => None,
        };
        self.memory.score = own.unwrap_or(natural);
        let guarded = self.options.crash != Crash::Crash && level >= 29;
        if own.is_some() || guarded {
            hands.set_score(self.memory.score);
        }
        self.follow_ends(before, after, rows);
        let crash = self.memory.crash_frame == hands.console.frame_number();
        if crash && self.options.crash == Crash::TopOut {
            self.memory.outcome = Outcome::Crashed;
        }
        let reached = match self.options.cap {
            Some(CapAt::Level(level)) => self.memory.level >= level,
            Some(CapAt::Lines(lines)) => after.lines() >= u32::from(lines) && !self.mode.is_b_type(),
            None => false,
        };
        let sets_in = reached && !self.memory.capped;
        self.memory.capped |= reached;
        if self.caps(CapEffect::Floor) && (sets_in || self.memory.level != level_before) {
            let mut field = hands.field();
            field.lift(FLOOR, None);
            hands.set_field(&field);
            self.memory.floor = (self.memory.floor + 1).min(20);
        }
        if self.caps(CapEffect::Halt) && self.memory.outcome == Outcome::Playing {
            self.memory.outcome = Outcome::Halted;
        }
    }

    /// What the mode asks for is done.
    fn follow_ends(&mut self, before: View, after: View, rows: u8) {
        let done = match self.mode.kind() {
            Kind::BType => after.lines() == 0,
            Kind::Checkerboard => rows > 0 && before.bytes(ram::CLEARED_ROWS).contains(&19),
            _ => false,
        };
        if done {
            self.memory.outcome = Outcome::Goal;
            self.add_bonus();
        }
    }

    /// A thousand for each level, by its last digit, and for each step of the height.
    fn add_bonus(&mut self) {
        if self.mode.is_b_type() {
            self.memory.score += 1_000 * (u32::from(self.memory.level % 10) + self.mode.value());
        }
    }

    fn end_above(&mut self, hands: &mut RamAccess) {
        if self.memory.outcome != Outcome::Playing {
            return;
        }
        self.memory.outcome = Outcome::ToppedOut;
        match self.mode.kind() {
            Kind::BType if self.memory.score >= KEEPS_BONUS => self.add_bonus(),
            Kind::Checkerboard => {
                self.memory.score = 0;
                hands.set_score(0);
            }
            _ => {}
        }
        if self.caps(CapEffect::Invisible) || self.mode.kind() == Kind::Invisible {
            hands.redraw();
        }
    }
}
