//! A game on a copy of the cartridge whose demo is another.

use std::ops::ControlFlow;

use emulator::{Attached, Emulator};
use nes::{Attachment, Break, Buttons, Cartridge, Config, Console};
use tetris::ram::{self, game_mode, play_state};
use tetris::{Profile, View, hooks};

use super::error::DemoError;
use super::recording::{PIECES, Recording, TABLE};
use cli::game::Known;

/// Frames within which a demo begins if nobody presses anything: both times 255 of the legal
/// screen, and 1,280 of the title.
const LONGEST_WAY: u32 = 2_500;

/// A game in the frame that sets the demo's game up.
pub(super) struct Cabinet {
    emulator: Emulator,
    profile: Profile,
    image: Vec<u8>,
    hook: u16,
}

impl Cabinet {
    /// Of `game` with the demo `recording`.
    pub(super) fn open(game: &Known, recording: &Recording) -> Result<Self, DemoError> {
        let image = patched(game, recording)?;
        let cartridge = Cartridge::from_bytes(&image)?;
        let mut emulator = Emulator::bare(cartridge, Config { video: false, ..Config::default() });
        let profile = game.profile.clone();
        let hook = profile.address(hooks::NMI_RETURN);
        emulator.watch_crashes(Some(&profile));
        let mut cabinet = Self { emulator, profile, image, hook };
        for _ in 0..LONGEST_WAY {
            if cabinet.shows_demo() {
                return Ok(cabinet);
            }
            cabinet.frame(None)?;
        }
        Err(DemoError::NotShown { frames: LONGEST_WAY })
    }

    /// The image of `game` with the demo `recording`, and the score and the lines that it comes to;
    /// its console has held the buttons of the demo in every frame of it.
    pub(super) fn proved(game: &Known, recording: &Recording) -> Result<(Vec<u8>, u32, u32), DemoError> {
        Self::open(game, recording)?.play(recording)
    }

    fn play(mut self, recording: &Recording) -> Result<(Vec<u8>, u32, u32), DemoError> {
        let mut end = self.mapped();
        for (number, held) in (1..).zip(recording.held()) {
            self.frame(None)?;
            if !self.shows_demo() {
                // Below the curtain it may end by itself.
                if View::new(&end).play_state() == play_state::CURTAIN {
                    break;
                }
                return Err(DemoError::Ends { expected: recording.frames(), found: number });
            }
            end = self.mapped();
            let found = end[ram::PAD_HELD.at()];
            if found != held {
                return Err(DemoError::Held { frame: number, expected: held, found });
            }
        }
        let view = View::new(&end);
        Ok((self.image, view.score(), view.lines()))
    }

    /// Is the demo's game on the screen, if only to be set up?
    pub(super) fn shows_demo(&self) -> bool {
        let mapped = self.mapped();
        let view = View::new(&mapped);
        view.game_mode() == game_mode::DEMO && view.shows_play()
    }

    /// Score and lines.
    pub(super) fn standing(&self) -> (u32, u32) {
        let mapped = self.mapped();
        let view = View::new(&mapped);
        (view.score(), view.lines())
    }

    /// RAM with everything where the map says.
    pub(super) fn mapped(&self) -> [u8; 0x800] {
        self.profile.as_mapped(self.emulator.state().ram())
    }

    /// Puts the play into another state, of a cartridge whose RAM is as the map says.
    #[cfg(test)]
    pub(super) fn set_play_state(&mut self, state: u8) {
        self.emulator.console().ram_mut()[ram::PLAY_STATE.at()] = state;
    }

    /// A frame, with `held` in place of what the demo holds. A game that has crashed is an error.
    pub(super) fn frame(&mut self, held: Option<u8>) -> Result<(), DemoError> {
        let before = self.emulator.state().ram()[ram::PAD_HELD.at()];
        let mut pads = held.map(|held| HeldPads { address: self.hook, held, pressed: held & !before });
        let mut pads = pads.as_mut();
        self.emulator.frame_with(&mut [Buttons::empty(); 2], Attached::default(), &mut pads);
        self.emulator.crash().map_or(Ok(()), |crash| Err(DemoError::Crashed(*crash)))
    }
}

/// Writes what is held, and what is newly pressed, once the game has read its pads.
struct HeldPads {
    address: u16,
    held: u8,
    pressed: u8,
}

impl Attachment for HeldPads {
    const WATCHES: bool = false;
    const SELECTS: bool = true;
    const COMPILED: bool = false;

    fn selects_step(&self, pc: u16) -> bool {
        pc == self.address
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if console.cpu.pc == self.address {
            let memory = console.ram_mut();
            memory[ram::PAD_PRESSED.at()] = self.pressed;
            memory[ram::PAD_HELD.at()] = self.held;
        }
        ControlFlow::Continue(())
    }
}

/// The image with the demo's buttons and pieces; behind the last pair there are none.
///
/// The cartridge counts the frames of a pair after its first.
fn patched(game: &Known, recording: &Recording) -> Result<Vec<u8>, DemoError> {
    let mut image = game.image.clone();
    let mut table = |hook, bytes: &[u8]| {
        let at = game.offset(hook);
        let place = image.get_mut(at..at + bytes.len()).ok_or(DemoError::NoRoom)?;
        place.copy_from_slice(bytes);
        Ok::<(), DemoError>(())
    };
    let mut pairs: Vec<u8> =
        recording.buttons.iter().flat_map(|&(held, frames)| [held, frames.saturating_sub(1)]).collect();
    pairs.resize(2 * TABLE, 0);
    table(hooks::DEMO_BUTTONS, &pairs)?;
    let pieces: Vec<u8> = recording.pieces()?.iter().map(|piece| piece.number() << 4).collect();
    table(hooks::DEMO_PIECES, &pieces[..pieces.len().min(PIECES)])?;
    Ok(image)
}
