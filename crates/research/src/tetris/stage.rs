//! A game brought to where a curiosity can be seen.

use emulator::{Attached, Emulator};
use nes::{Buttons, Config};
use tetris::ram::{self, Variable, play_state, render_mode};
use tetris::{Profile, View};

use cli::game::Known;

/// Frames after which the title is shown though nobody pressed anything: twice 255 of the legal
/// screen, and its drawing.
const TITLE: u32 = 600;
/// Frames within which every cartridge's game begins if Start is pressed again and again.
pub(crate) const LONGEST_WAY: u32 = 2_000;
/// Frames from one press to the next.
const PRESSES: u32 = 8;

/// A running game, whose RAM is read and written by the map's names wherever the cartridge
/// keeps it.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) emulator: Emulator,
    profile: Profile,
}

impl Stage {
    /// At power-on.
    pub(crate) fn new(game: &Known, config: Config) -> Self {
        Self { emulator: Emulator::bare(game.cartridge.clone(), config), profile: game.profile.clone() }
    }

    /// At the title.
    pub(crate) fn at_title(game: &Known, config: Config) -> Self {
        let mut stage = Self::new(game, config);
        (0..TITLE).for_each(|_| stage.frame(Buttons::empty()));
        stage
    }

    /// In an A-type game of level 0, its first piece in play. `None` if none begins.
    pub(crate) fn in_play(game: &Known, config: Config) -> Option<Self> {
        let mut stage = Self::new(game, config);
        for number in 0..LONGEST_WAY {
            if stage.byte(ram::RENDER_MODE) == render_mode::PLAY
                && stage.byte(ram::PLAY_STATE) == play_state::ACTIVE
            {
                return Some(stage);
            }
            stage.frame(start_at_times(number));
        }
        None
    }

    /// RAM with everything where the map says, for a [`View`].
    pub(crate) fn memory(&self) -> [u8; 0x800] {
        self.profile.as_mapped(self.emulator.state().ram())
    }

    /// The first byte of a place in RAM.
    pub(crate) fn byte(&self, place: Variable) -> u8 {
        self.emulator.state().ram()[usize::from(self.profile.place_address(place))]
    }

    /// Is a game on, its screen drawn?
    pub(crate) fn plays(&self) -> bool {
        let memory = self.memory();
        let view = View::new(&memory);
        view.in_game() && view.in_play()
    }

    /// Writes to a place in RAM, from its first byte on.
    pub(crate) fn poke(&mut self, place: Variable, bytes: &[u8]) {
        let from = usize::from(self.profile.place_address(place));
        self.emulator.console().ram_mut()[from..from + bytes.len()].copy_from_slice(bytes);
    }

    /// A frame with `buttons` held.
    pub(crate) fn frame(&mut self, buttons: Buttons) {
        self.frame_of([buttons, Buttons::empty()]);
    }

    /// A frame in which both players hold these buttons.
    pub(crate) fn frame_of(&mut self, mut pads: [Buttons; 2]) {
        self.emulator.frame(&mut pads, Attached::default());
    }
}

/// Start now and then, by the number of the frame: each press is a new one.
pub(crate) fn start_at_times(number: u32) -> Buttons {
    if number.is_multiple_of(PRESSES) { Buttons::START } else { Buttons::empty() }
}

/// The two last decimal digits as the game stores them.
pub(crate) fn bcd(number: u32) -> u8 {
    (number / 10 % 10 * 16 + number % 10) as u8
}

/// Points as the game stores them.
pub(crate) fn points(points: u32) -> [u8; 3] {
    [bcd(points), bcd(points / 100), bcd(points / 10_000)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use cli::game::known;

    #[test]
    fn a_profile_leads_reads_and_writes_to_where_the_cartridge_keeps_a_place() {
        let mut game = known(None, None, tetris::Feature::Endings).unwrap();
        game.profile = Profile::parse("name = \"moved\"\nsha1 = []\n[ram]\nlevel = 0x0190\n").unwrap();
        let mut stage = Stage::new(&game, Config::default());
        stage.poke(ram::LEVEL, &[7]);
        assert_eq!((stage.emulator.state().ram()[0x190], stage.byte(ram::LEVEL)), (7, 7));
        assert_eq!(View::new(&stage.memory()).level(), 7);
    }

    #[test]
    fn points_are_stored_with_two_digits_a_byte() {
        assert_eq!(points(123_456), [0x56, 0x34, 0x12]);
    }
}
