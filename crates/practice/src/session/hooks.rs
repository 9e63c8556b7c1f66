//! What a session does within a frame.

use core::ops::ControlFlow;

use nes::{Attachment, Break, Console};
use tetris::ram::{self, EMPTY};
use tetris::{HEIGHT, Orientation, Piece, picker::Picker};

use super::{Addresses, Pieces, RamAccess, Session};
use crate::ram_access::PICTURE_IS_WHOLE;
use crate::tiles::FLOOR;
use crate::{Crash, Kind, modes};

/// Turns of the loop of points that the frame has time for in any case.
const MOST_TURNS: u16 = 30;
/// Picks after which a drought takes what comes. A register that has died would choose I for ever.
const MOST_PICKS: u32 = 64;

impl Attachment for Session {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn due(&self) -> bool {
        match &self.pieces {
            Pieces::Game => false,
            Pieces::Sequence(pieces) => pieces.due(),
            Pieces::Drought(passage) => passage.is_due(),
        }
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        let (low, span) = self.span;
        pc.wrapping_sub(low) < span && self.is_hook(pc)
    }

    #[inline]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        let passed = match &mut self.pieces {
            Pieces::Game => false,
            Pieces::Sequence(pieces) => {
                pieces.step(console)?;
                false
            }
            Pieces::Drought(passage) => passage.passes(&console.cpu),
        };
        if passed {
            self.withhold(console);
        }
        self.count(console);
        ControlFlow::Continue(())
    }
}

impl Session {
    /// Is this one of the addresses?
    fn is_hook(&self, pc: u16) -> bool {
        let at_piece = match &self.pieces {
            Pieces::Game => false,
            Pieces::Sequence(pieces) => pieces.selects_step(pc),
            Pieces::Drought(passage) => passage.is_at(pc),
        };
        let Addresses { rows, lines, points } = self.addresses;
        at_piece || pc == rows || pc == lines || pc == points
    }

    /// The looks at lines and points.
    fn count(&mut self, console: &mut Console) {
        let pc = console.cpu.pc;
        if !self.memory.playing || pc == 0 {
            return;
        }
        if pc == self.addresses.rows {
            self.at_rows(console);
        } else if pc == self.addresses.lines {
            self.at_lines(console);
        } else if pc == self.addresses.points {
            self.at_points(console);
        }
    }

    /// A row is about to be looked at, if the picture is whole: rows that never clear are not
    /// complete from here on until all are looked at. The picture takes no row meanwhile.
    fn at_rows(&mut self, console: &mut Console) {
        let mut hands = RamAccess::new(&self.profile, console);
        let masked = self.memory.masked.iter().any(|&tile| tile != 0);
        if masked || hands.get_in_hand(ram::VRAM_ROW) < PICTURE_IS_WHOLE {
            return;
        }
        let mut field = hands.field();
        let floor = HEIGHT - usize::from(self.memory.floor).min(HEIGHT);
        for row in 0..HEIGHT {
            let stays = modes::never_clears(self.mode)
                || row >= floor && field.row(row).iter().all(|&tile| tile == FLOOR);
            if stays && field.is_full(row) {
                self.memory.masked[row] = field.at(row, 0);
                field.set(row, 0, EMPTY);
            }
        }
        hands.set_cells(&field);
    }

    /// Lines are about to be counted: the level that is compared, and the turns of the loop of
    /// points. An interrupt can bring it here twice, so all of it follows from what holds between
    /// frames.
    fn at_lines(&mut self, console: &mut Console) {
        let mut hands = RamAccess::new(&self.profile, console);
        let mut completed = hands.get(ram::LINES_COMPLETED);
        if self.memory.unflashed {
            completed = 4;
            hands.set_in_hand(ram::LINES_COMPLETED, completed);
        }
        let view = tetris::View::new(&self.last);
        let lines = view.lines() + u32::from(completed);
        let rolls = view.lines() / 10 < lines / 10;
        // Tens and hundreds are BCD taken for binary, and the comparison is signed.
        let reached = (lines / 100 * 16 + lines / 10 % 10) as u8;
        let level = self.memory.level;
        let rises = rolls && (level.wrapping_sub(reached) as i8) < 0;
        match (self.mode.kind(), self.mode.value()) {
            (Kind::Marathon, 0) => {
                if rises {
                    hands.set_in_hand(ram::LEVEL, reached);
                    self.memory.level_bent = true;
                }
                self.memory.turns = u16::from(self.memory.start_level) + 2;
            }
            (Kind::Marathon, 1 | 2) => self.memory.turns = u16::from(self.memory.start_level) + 2,
            (Kind::Transition, 16) if rolls && !rises => {
                hands.set_in_hand(ram::LEVEL, reached.wrapping_sub(1));
                self.memory.level_bent = true;
                self.memory.turns = u16::from(level.wrapping_add(1)) + 2;
            }
            _ => {}
        }
    }

    /// The top of the loop of points.
    fn at_points(&mut self, console: &mut Console) {
        let mut hands = RamAccess::new(&self.profile, console);
        if self.memory.turns > 0 {
            // 256 turns are written as 0.
            hands.set(ram::TEMPORARIES, (self.memory.turns - 1) as u8);
            self.memory.turns = 0;
        }
        if self.options.crash != Crash::Crash {
            let turns = hands.get(ram::TEMPORARIES);
            if u16::from(turns.wrapping_sub(1)) >= MOST_TURNS {
                hands.set(ram::TEMPORARIES, MOST_TURNS as u8);
            }
        }
    }

    /// Has the picker choose again while it chooses an I that is not to come.
    fn withhold(&mut self, console: &mut Console) {
        let view = tetris::View::new(&self.last);
        let first = !(view.in_play() || view.is_paused());
        let mut hands = RamAccess::new(&self.profile, console);
        let mapped = hands.mapped();
        let now = tetris::View::new(&mapped);
        // The first pick of a game has none before it.
        let new_game = first && crate::ram_access::pieces(now) == 0;
        let prior = if new_game { 0 } else { self.memory.last_pick };
        let mut picker =
            Picker { lfsr: now.lfsr(), spawn_count: now.byte(ram::SPAWN_COUNT), spawn_orientation: prior };
        let mut chosen = hands.console.cpu.a;
        let long = Orientation::spawn(Piece::I).id();
        let value = self.mode.value() as u8;
        let mut picks = 0;
        while chosen == long && picks < MOST_PICKS && (picker.lfsr as u8 & 15) + 2 < value {
            picker.spawn_orientation = prior;
            chosen = Orientation::spawn(picker.pick()).id();
            picks += 1;
        }
        if picks > 0 {
            hands.set_bytes(ram::LFSR, &picker.lfsr.to_be_bytes());
            hands.set(ram::SPAWN_COUNT, picker.spawn_count);
            hands.set(ram::LAST_PIECE, chosen);
            hands.console.cpu.a = chosen;
        }
        self.memory.last_pick = chosen;
    }
}
