//! What a session does before a frame.

use nes::{Buttons, Console};
use tetris::kill_screen::Lock;
use tetris::ram::{self, mode_state, play_state};
use tetris::{Orientation, Placement};

use super::{RamAccess, Session, place};
use crate::state::Burst;
use crate::{Crash, Kind, Outcome};

/// Fall timers that the frame brings to a fall at any speed, and to none.
const FALL: u8 = 0x7E;
const NO_FALL: u8 = 0xFF;
/// The counter of the auto shift, one before it shifts.
const ALMOST: u8 = 15;
/// The highest level that the menus lead to.
pub(crate) const LAST_LEVEL: u8 = 19;
/// Below it no frame is late.
const LATE_LEVEL: u8 = 100;
/// Frames without a tap that end a burst, and taps that it has at most.
const BURST_PAUSE: u8 = 16;
const BURST_MOST: u8 = 15;
/// Frames since the first tap of a burst before which the second, third and so on is faster than
/// the auto shift.
const DAS_FRAMES: [u16; 8] = [4, 11, 18, 24, 30, 36, 42, 48];
const PAL_DAS_FRAMES: [u16; 8] = [3, 7, 12, 16, 20, 24, 28, 32];

impl Session {
    /// Before a frame: writes what the coming frame is to find. Out: the buttons that the console
    /// gets for those that the player holds.
    pub fn prepare(&mut self, console: &mut Console, buttons: Buttons) -> Buttons {
        let held = std::mem::replace(&mut self.memory.held, buttons.bits());
        self.choose_screen(console);
        let view = self.view();
        if !(self.memory.playing && view.in_game() && view.in_play()) {
            return buttons;
        }
        let mut buttons = if self.options.goofy { swapped(buttons) } else { buttons };
        let held = if self.options.goofy { swapped(Buttons::from_bits_retain(held)).bits() } else { held };
        let state = view.play_state();
        if self.options.no_pause && state != play_state::CURTAIN {
            buttons.remove(Buttons::START);
        }
        if self.options.no_next && self.mode.kind() != Kind::HardDrop {
            // All that it does is to show the next piece again.
            buttons.remove(Buttons::SELECT);
        }
        if self.options.das_only && state == play_state::ACTIVE {
            buttons = self.without_fast_taps(buttons, held);
        }
        if matches!(self.options.crash, Crash::Show | Crash::TopOut) {
            self.look_for_crash(console, buttons);
        }
        if state != play_state::ACTIVE {
            return buttons;
        }
        if self.mode.kind() == Kind::HardDrop {
            buttons = self.drop_hard(console, buttons, held);
        }
        self.bend_shift(console, buttons);
        self.bend_fall(console);
        buttons
    }

    /// What holds from the moment on in which the game's screen is drawn: a level that the menus do
    /// not lead to, and no next piece.
    fn choose_screen(&self, console: &mut Console) {
        let view = self.view();
        if self.options.no_next && view.in_game() {
            RamAccess::new(&self.profile, console).set(ram::HIDE_NEXT, 1);
        }
        let drawn = view.in_game() && view.byte(ram::MODE_STATE) <= mode_state::GAME;
        if drawn && self.options.level > LAST_LEVEL {
            RamAccess::new(&self.profile, console).set(ram::START_LEVEL, self.options.level);
        }
    }

    /// The counter is set so that the game shifts when it is to.
    fn bend_shift(&mut self, console: &mut Console, buttons: Buttons) {
        let Some((delay, again)) = self.auto_shift() else { return };
        let sides = Buttons::LEFT | Buttons::RIGHT;
        let pressed = buttons.bits() & !self.view().held();
        let mut hands = RamAccess::new(&self.profile, console);
        self.memory.shifting = false;
        if buttons.contains(Buttons::DOWN) || !buttons.intersects(sides) {
            return;
        }
        self.memory.shifting = true;
        if pressed & sides.bits() != 0 {
            self.memory.charge = 0;
            return;
        }
        let charge = (self.memory.charge as i8).saturating_add(1);
        let shifts = charge >= delay;
        hands.set(ram::DAS, if shifts { ALMOST } else { 0 });
        self.memory.charge = if shifts { again } else { charge } as u8;
    }

    /// The same of the fall timer.
    fn bend_fall(&mut self, console: &mut Console) {
        let Some(frames) = self.frames_per_row() else { return };
        if self.view().byte(ram::DOWN_REPEAT) & 0x80 != 0 {
            return;
        }
        self.memory.falls = self.falls_double() || self.memory.fall.saturating_add(1) >= frames;
        RamAccess::new(&self.profile, console)
            .set(ram::FALL_TIMER, if self.memory.falls { FALL } else { NO_FALL });
    }

    /// Up brings the piece down and locks it, Select only brings it down. Neither reaches the game.
    fn drop_hard(&self, console: &mut Console, mut buttons: Buttons, held: u8) -> Buttons {
        let pressed = Buttons::from_bits_retain(buttons.bits() & !held);
        buttons.remove(Buttons::UP | Buttons::SELECT);
        let Some((x, y, orientation)) = place(self.view()) else { return buttons };
        if !pressed.intersects(Buttons::UP | Buttons::SELECT) {
            return buttons;
        }
        let mut hands = RamAccess::new(&self.profile, console);
        let landed = hands.field().playfield().fall(Placement { orientation, x, y });
        hands.set(ram::PIECE_Y, landed.y);
        if self.view().byte(ram::DOWN_REPEAT) & 0x80 != 0 {
            hands.set(ram::DOWN_REPEAT, 0);
        }
        if pressed.contains(Buttons::UP) {
            hands.set(ram::FALL_TIMER, FALL);
            return Buttons::empty();
        }
        hands.set(ram::FALL_TIMER, NO_FALL);
        buttons
    }

    /// Taps that the auto shift could not have made, without their direction for as long as they
    /// are held.
    fn without_fast_taps(&mut self, buttons: Buttons, held: u8) -> Buttons {
        let sides = Buttons::LEFT | Buttons::RIGHT;
        let pressed = Buttons::from_bits_retain(buttons.bits() & !held) & sides;
        let limits = if self.options.pal { PAL_DAS_FRAMES } else { DAS_FRAMES };
        let burst = &mut self.memory.burst;
        burst.since_first = burst.since_first.saturating_add(1);
        burst.since_last = burst.since_last.saturating_add(1);
        if !pressed.is_empty() {
            let side = pressed.bits();
            if side != burst.side || burst.since_last >= BURST_PAUSE || burst.taps >= BURST_MOST {
                *burst = Burst { side, ..Burst::default() };
            }
            burst.taps += 1;
            burst.since_last = 0;
            burst.withheld = match burst.taps {
                0 | 1 => false,
                taps => limits.get(usize::from(taps) - 2).is_none_or(|&limit| burst.since_first < limit),
            };
        }
        if !buttons.intersects(sides) {
            burst.withheld = false;
        }
        if burst.withheld { buttons - sides } else { buttons }
    }

    /// Has a copy of the machine tell whether the lock that comes would crash it.
    fn look_for_crash(&mut self, console: &Console, buttons: Buttons) {
        if self.memory.level < LATE_LEVEL || self.memory.outcome != Outcome::Playing {
            return;
        }
        let select = buttons.bits() & !self.view().held() & Buttons::SELECT.bits() != 0;
        let Some(lock) = Lock::coming(&self.last, select) else { return };
        let strict =
            self.options.strict && self.profile.timing().is_some_and(|timing| timing.may_crash(&lock));
        if strict || crashes(console, buttons) {
            self.memory.crash_frame = console.frame_number() + 1;
        }
    }
}

/// Frames within which a game that is only late waits for the interrupt again, and bytes of the
/// loop in which it waits.
const LATE_FRAMES: u32 = 8;
const WAIT: u16 = 16;

/// Does the console crash in the next frame, with these buttons held and no hand to keep it from
/// that? It does if it never comes back to where it waits now.
fn crashes(console: &Console, buttons: Buttons) -> bool {
    let (pc, sp) = (console.cpu.pc, console.cpu.sp);
    let mut ahead = console.clone();
    ahead.set_video(false);
    ahead.set_sound(false);
    !(0..LATE_FRAMES).any(|frame| {
        let _ = ahead.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        let waits = ahead.cpu.pc.wrapping_sub(pc.wrapping_sub(WAIT)) <= 2 * WAIT && ahead.cpu.sp == sp;
        frame > 0 && waits && !ahead.cpu.jammed
    })
}

/// A for B, Start for Select, each direction for its opposite.
fn swapped(buttons: Buttons) -> Buttons {
    let bits = buttons.bits();
    Buttons::from_bits_retain((bits & 0xAA) >> 1 | (bits & 0x55) << 1)
}

/// A second row in the same frame.
pub(super) fn fall_again(hands: &mut RamAccess) {
    let (x, y) = (hands.get(ram::PIECE_X), hands.get(ram::PIECE_Y));
    let Some(orientation) = Orientation::from_id(hands.get(ram::ORIENTATION)) else { return };
    if hands.field().playfield().fits(Placement { orientation, x, y: y + 1 }) {
        hands.set(ram::PIECE_Y, y + 1);
        hands.lower_sprites(1);
    } else {
        hands.set(ram::PLAY_STATE, play_state::LOCK);
        let row = hands.get(ram::VRAM_ROW).min(y.saturating_sub(2));
        hands.set(ram::VRAM_ROW, row);
    }
}
