//! The events of a frame by themselves: two looks at RAM, nothing remembered.

use super::event::letter_at;
use super::{Event, Mode};
use crate::buttons::{LEFT, RIGHT};
use crate::ram::play_state::{ACTIVE, CURTAIN, ENDED, LOCK, ROW_CHECK, SPAWN};
use crate::ram::{self, game_mode, render_mode};
use crate::{Orientation, View};

/// What happened between two frames, in the order in which the game does it. [`Event::Spawn`] is
/// not among them: it counts.
pub(super) fn events(before: View, after: View) -> Vec<Event> {
    let mut events = Vec::new();
    let changed = |place: ram::Variable| before.byte(place) != after.byte(place);
    if after.is_late() {
        events.push(Event::Lag {});
    }
    if changed(ram::PAD_HELD) {
        events.push(Event::Input { held: after.held(), pressed: after.byte(ram::PAD_PRESSED) });
    }
    if changed(ram::GAME_MODE) {
        modes(before, after, &mut events);
    }
    if changed(ram::HIDE_NEXT) && after.in_play() {
        events.push(Event::NextBox { hidden: after.byte(ram::HIDE_NEXT) != 0 });
    }
    if before.in_play() && (after.in_play() || after.is_paused()) {
        play(before, after, &mut events);
    }
    if before.is_paused() != after.is_paused() {
        events.push(Event::Pause { on: after.is_paused() });
    }
    if changed(ram::RENDER_MODE) && after.game_mode() == game_mode::PLAY {
        screens(after, &mut events);
    }
    events
}

fn modes(before: View, after: View, events: &mut Vec<Event>) {
    events.push(Event::Mode { from: before.game_mode().into(), to: after.game_mode().into() });
    match after.game_mode() {
        game_mode::LEGAL if before.game_mode() == game_mode::PLAY => events.push(Event::Reset {}),
        mode @ (game_mode::PLAY | game_mode::DEMO) => events.push(Event::GameStart {
            game_type: after.byte(ram::GAME_TYPE).into(),
            demo: mode == game_mode::DEMO,
            start_level: after.byte(ram::START_LEVEL),
            start_height: after.byte(ram::START_HEIGHT),
            music: after.byte(ram::MUSIC_TYPE),
            lfsr: after.lfsr(),
            spawn_count: after.byte(ram::SPAWN_COUNT),
            frame_phase: after.frame_counter() as u8 & 3,
        }),
        _ => {}
    }
}

/// A frame of play.
fn play(before: View, after: View, events: &mut Vec<Event>) {
    match (before.play_state(), after.play_state()) {
        (ACTIVE, _) => active(before, after, events),
        (LOCK, ROW_CHECK) => events.push(Event::Lock {
            piece: letter_at(before, ram::ORIENTATION),
            orientation: before.byte(ram::ORIENTATION),
            column: before.column(),
            row: before.row(),
            soft_rows: before.byte(ram::SOFT_DROP_ROWS),
        }),
        (LOCK, CURTAIN) => events.push(Event::TopOut { row: before.row() }),
        (ROW_CHECK, state) if state != ROW_CHECK && after.byte(ram::LINES_COMPLETED) > 0 => {
            let rows = after.bytes(ram::CLEARED_ROWS).iter().copied().filter(|&row| row != 0).collect();
            events.push(Event::Clear { count: after.byte(ram::LINES_COMPLETED), rows });
        }
        (state, ENDED) if state != ENDED => events.push(Event::GameOver {
            goal: state != CURTAIN,
            score: after.score(),
            lines: after.lines(),
            level: after.level(),
        }),
        _ => {}
    }
    counts(before, after, events);
}

/// The piece in play: shift, rotation and drop, in this order.
fn active(before: View, after: View, events: &mut Vec<Event>) {
    let steps = after.column().wrapping_sub(before.column()) as i8;
    if steps != 0 {
        let auto = after.byte(ram::PRESSED) & (LEFT | RIGHT) == 0;
        events.push(Event::Shift { column: after.column(), direction: steps.signum(), auto });
    }
    if before.byte(ram::ORIENTATION) != after.byte(ram::ORIENTATION) {
        let clockwise = before.orientation().map(Orientation::clockwise);
        events.push(Event::Rotate {
            orientation: after.byte(ram::ORIENTATION),
            clockwise: clockwise == after.orientation() && after.byte(ram::PRESSED) & crate::buttons::A != 0,
        });
    }
    if after.row() == before.row().wrapping_add(1) {
        let soft = after.byte(ram::SOFT_DROP_ROWS) > before.byte(ram::SOFT_DROP_ROWS);
        events.push(Event::Drop { row: after.row(), soft });
    }
}

/// What the locks win.
fn counts(before: View, after: View, events: &mut Vec<Event>) {
    if before.lines() != after.lines() {
        events.push(Event::Lines { lines: after.lines() });
    }
    if before.level() != after.level() {
        events.push(Event::Level { level: after.level() });
    }
    if before.score() != after.score() {
        let points = i64::from(after.score()) - i64::from(before.score());
        events.push(Event::Score { points, score: after.score() });
    }
    let fast = |view: View| view.byte(ram::FAST_MUSIC) != 0;
    if fast(before) != fast(after) {
        events.push(Event::FastMusic { on: fast(after) });
    }
}

/// Endings and names.
fn screens(after: View, events: &mut Vec<Event>) {
    match after.byte(ram::RENDER_MODE) {
        render_mode::ENDING => events.push(Event::Ending { game_type: after.byte(ram::GAME_TYPE).into() }),
        render_mode::SCORES => events.push(Event::HighScore {
            place: after.byte(ram::NAME_ROW) & 3,
            score: after.score(),
            level: after.level(),
        }),
        _ => {}
    }
}

/// Did a piece come in? Either the spawning state is over, or a game's first frame has been played;
/// it may have been paused at once.
pub(super) fn spawns(before: View, after: View) -> bool {
    let is_on = |view: View| view.in_play() || view.is_paused();
    is_on(after) && after.play_state() == ACTIVE && (!is_on(before) || before.play_state() == SPAWN)
}

/// Does the count of pieces begin anew?
pub(super) fn is_new_game(event: &Event) -> bool {
    matches!(event, Event::GameStart { .. } | Event::Mode { to: Mode::Legal | Mode::Title, .. })
}
