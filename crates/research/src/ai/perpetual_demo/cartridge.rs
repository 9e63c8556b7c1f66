//! The rounds played on a running cartridge, by buttons alone.

use autopilot::{Autopilot, Settings, Substitution};
use emulator::{Attached, Emulator, Pieces};
use nes::fm2::FrameInput;
use nes::{Buttons, Config};
use tetris::ram::play_state::{ACTIVE, CURTAIN};
use tetris::{Playfield, View};

use super::circle::Circle;
use cli::error::Error;
use cli::game::Known;
use cli::interrupt::Interrupt;

/// What was held, frame by frame, and the frames at which the rounds began and the last one ended.
pub(super) struct Played {
    pub(super) movie: Vec<FrameInput>,
    pub(super) starts: Vec<u64>,
}

/// Frames within which a piece locks at the slowest: 20 rows of 48 frames, and a clear.
const LONGEST_PIECE: u64 = 1_100;
/// Frames of the first screens and menus.
const LONGEST_WAY: u64 = 10_000;
/// Frames between two looks at Ctrl-C.
const PORTION: u64 = 256;

/// Plays all rounds from power-on; `None` where a board is not the model's. A game that crashes is
/// an error.
pub(super) fn play(
    game: &Known,
    settings: Settings,
    circle: &Circle,
    rounds: u32,
    interrupt: &Interrupt,
) -> Result<Option<Played>, Error> {
    let config = Config { video: false, ..Config::default() };
    let mut emulator = Emulator::bare(game.cartridge.clone(), config);
    emulator.watch_crashes(Some(&game.profile));
    let mut player = Autopilot::new(game.profile.clone(), settings);
    let endless = circle.pieces.clone().into_iter().cycle();
    let pieces = Substitution::new(game.profile.clone(), endless);
    emulator.set_pieces(Some(Pieces::new(pieces, "the circle's")));
    let mut played = Played { movie: Vec::new(), starts: Vec::new() };
    let all = circle.boards.len() * rounds as usize;
    let mut locked = None;
    loop {
        let frame = emulator.frame_number();
        if frame.is_multiple_of(PORTION) {
            interrupt.check()?;
        }
        let memory = game.profile.as_mapped(emulator.state().ram());
        let view = View::new(&memory);
        let in_game = view.in_game() && view.in_play();
        // The statistics have counted the piece in play.
        let count = view.piece_counts().iter().sum::<u32>() as usize;
        if in_game && view.play_state() == ACTIVE && count > 0 && locked != Some(count - 1) {
            if locked.map_or(0, |locked| locked + 1) != count - 1 {
                return Ok(None);
            }
            locked = Some(count - 1);
            let before = count - 1;
            let expected = match before.checked_sub(1) {
                Some(last) => circle.boards[last % circle.boards.len()],
                None => Playfield::EMPTY,
            };
            if Playfield::from_rows(&view.rows()) != expected {
                return Ok(None);
            }
            if before.is_multiple_of(circle.boards.len()) {
                played.starts.push(frame);
            }
            if before == all {
                return Ok(Some(played));
            }
        }
        let over = in_game && view.play_state() == CURTAIN;
        if over || frame > LONGEST_WAY + LONGEST_PIECE * all as u64 {
            return Ok(None);
        }
        let buttons = player.prepare(emulator.console());
        played.movie.push(FrameInput { pads: [buttons, Buttons::empty()], ..FrameInput::default() });
        emulator.frame(&mut [buttons, Buttons::empty()], Attached::default());
        if let Some(crash) = emulator.crash() {
            return Err(Error::Crashed(crash.to_string()));
        }
    }
}
