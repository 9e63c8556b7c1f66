//! Two players on two computers: both consoles, as each of the two computers runs them.

use std::sync::Arc;

use autopilot::{Autopilot, Settings, Substitution};
use emulator::LastFrames;
use nes::{Buttons, Cartridge, Config, Console};
use randomizers::Kind;
use stream::netplay::{Game, Rules};
use tetris::{Profile, SplitMix64};

use super::{Side, WAY_IN};
use crate::messages::status::VersusStatus;

/// So many frames a player may stand in the level menu: the random number register runs on
/// meanwhile.
const MOST_WAIT: u32 = 240;

/// Both consoles, and what is on the way between them. The same buttons make the same duel on any
/// computer.
#[derive(Clone)]
pub(crate) struct Duel {
    profile: Arc<Profile>,
    seats: [Seat; 2],
    /// Whose sound is heard: no part of the game.
    own: usize,
    /// Who topped out first.
    out: Option<usize>,
}

#[derive(Clone)]
struct Seat {
    console: Console,
    pieces: Option<Substitution>,
    side: Side,
}

impl Duel {
    /// Both consoles at the beginning of a game by `rules`, for the player `own`, 0 or 1. None
    /// where the cartridge's menus do not lead to a game. Also returns the end of the way there,
    /// which nobody saw.
    pub(crate) fn begin(
        cartridge: &Cartridge,
        profile: &Profile,
        rules: Rules,
        own: usize,
    ) -> Option<(Self, LastFrames)> {
        let config = Config { sample_rate: Some(crate::SAMPLE_RATE), ..Config::default() };
        let mut console = Console::new(cartridge.clone(), config);
        console.set_video(false);
        console.set_sound(false);
        let settings =
            Settings { level: rules.level.min(19), wait: rules.seed % MOST_WAIT, ..Settings::default() };
        let mut way_in = Autopilot::new(profile.clone(), settings);
        let kind = Kind::ALL.get(usize::from(rules.dealer)).copied().unwrap_or(Kind::Nes);
        let mut pieces = Some(Substitution::new(profile.clone(), kind.seeded(rules.seed.into())));
        let (mut side, mut last) = (Side::default(), LastFrames::default());
        let begun = (0..WAY_IN).any(|_| {
            // By buttons alone, as a player would.
            let buttons = way_in.action(&console).buttons;
            let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut pieces.as_mut());
            last.keep(&console);
            side.look(&console, profile).begun
        });
        console.set_video(true);
        let seat = Seat { console, pieces, side };
        let duel =
            Self { profile: Arc::new(profile.clone()), seats: [seat.clone(), seat], own: own & 1, out: None };
        begun.then_some((duel, last))
    }

    /// Returns the console of a player, 0 or 1.
    pub(crate) fn console(&self, player: usize) -> &Console {
        &self.seats[player & 1].console
    }

    /// Returns the console of a player after a frame with each of these buttons, if the other side
    /// sends no further rows.
    pub(crate) fn console_after(&self, player: usize, buttons: impl Iterator<Item = u8>) -> Console {
        let mut seat = self.seats[player & 1].clone();
        seat.console.set_video(false);
        seat.console.set_sound(false);
        for buttons in buttons {
            seat.frame(buttons);
            seat.side.look(&seat.console, &self.profile);
            seat.side.rise(&mut seat.console, &self.profile);
        }
        seat.console
    }

    /// Returns who topped out first, and the lines of both; none while both play.
    pub(crate) fn result(&self) -> Option<(usize, [u32; 2])> {
        self.out.map(|out| (out, self.seats.each_ref().map(|seat| seat.side.lines)))
    }

    /// Returns how it stands, the player of this computer first.
    pub(crate) fn status(&self) -> VersusStatus {
        let both = |get: fn(&Side) -> u32| [self.own, 1 - self.own].map(|at| get(&self.seats[at].side));
        VersusStatus { lines: both(|side| side.lines), sent: both(|side| side.sent) }
    }
}

impl Seat {
    fn frame(&mut self, buttons: u8) {
        let mut held = Buttons::from_bits_retain(buttons);
        if self.side.playing {
            held.remove(Buttons::START); // a match has no pause
        }
        self.console.clear_samples();
        // Pieces do not break.
        let _ = self.console.run_frame(&mut [held, Buttons::empty()], &mut self.pieces.as_mut());
    }
}

impl Game for Duel {
    fn frame(&mut self, buttons: [u8; 2]) {
        for (seat, buttons) in self.seats.iter_mut().zip(buttons) {
            seat.frame(buttons);
        }
        let happened = self.seats.each_mut().map(|seat| seat.side.look(&seat.console, &self.profile));
        for (player, happened) in happened.into_iter().enumerate() {
            if happened.begun {
                self.out = None;
            }
            let [one, two] = &mut self.seats;
            let (seat, other) = if player == 0 { (one, two) } else { (two, one) };
            if other.side.playing {
                other.side.pending += happened.sent;
                seat.side.sent += happened.sent as u32;
            }
            if happened.over && other.side.playing {
                self.out = self.out.or(Some(player));
            }
        }
        for seat in &mut self.seats {
            seat.side.rise(&mut seat.console, &self.profile);
        }
    }

    fn hash(&self) -> u64 {
        let [one, two] = &self.seats;
        SplitMix64::mix(one.console.state_hash()) ^ two.console.state_hash()
    }

    fn set_seen(&mut self, seen: bool) {
        for (player, seat) in self.seats.iter_mut().enumerate() {
            seat.console.set_video(seen);
            seat.console.set_sound(seen && player == self.own);
        }
    }

    fn replace(&mut self, before: &Self) {
        for (seat, before) in self.seats.iter_mut().zip(&before.seats) {
            // The sound goes on without a click, and the picture need not be drawn anew.
            if seat.console == before.console {
                seat.console = before.console.clone();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGES: [&[u8]; 2] = [
        include_bytes!("../../../../../roms/maxout.nes"),
        include_bytes!("../../../../../roms/maxout-slow.nes"),
    ];

    fn duel(image: &[u8], own: usize, seed: u32) -> Duel {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let profile = Profile::of_image(image).unwrap();
        let rules = Rules { cartridge: cartridge.crc32(), level: 9, dealer: 0, seed, number: 0 };
        Duel::begin(&cartridge, &profile, rules, own).expect("a game begins").0
    }

    #[test]
    fn both_computers_begin_alike_with_the_same_pieces_and_another_seed_is_another_game() {
        for image in IMAGES {
            let (mut host, mut guest) = (duel(image, 0, 7), duel(image, 1, 7));
            assert_eq!(host.hash(), guest.hash());
            assert_ne!(host.hash(), duel(image, 0, 8).hash());
            guest.set_seen(false); // whether somebody looks makes no difference
            for frame in 0..1_500_u32 {
                let one = match frame {
                    100 => 16, // Start is no pause
                    _ if frame % 30 < 28 => 4,
                    _ => 0,
                };
                let buttons = [one, if frame % 20 < 18 { 4 } else { 2 }];
                host.frame(buttons);
                guest.frame(buttons);
            }
            assert_eq!(host.hash(), guest.hash());
            let counts = [0, 1].map(|player| {
                let memory = host.profile.as_mapped(host.console(player).ram());
                tetris::View::new(&memory).piece_counts().iter().sum::<u32>()
            });
            assert!(counts.iter().all(|count| *count > 8), "{counts:?}");
        }
    }

    #[test]
    fn rows_go_over_and_the_first_who_is_out_has_lost() {
        let mut duel = duel(IMAGES[0], 0, 7);
        duel.seats[0].side.pending = 4;
        for _ in 0..200 {
            duel.frame([4, 0]);
        }
        let floor = &tetris::View::new(duel.console(0).ram()).playfield()[160..];
        let risen: u32 = floor.iter().map(|&cell| u32::from(cell == super::super::BLOCK)).sum();
        assert!(risen >= 36, "four rows of nine: {risen}");
        duel.seats[1].side.pending = 20;
        for frame in 0..2_000_u32 {
            duel.frame([0, if frame % 30 < 28 { 4 } else { 0 }]);
            if duel.result().is_some() {
                break;
            }
        }
        assert_eq!(duel.result().map(|(out, _)| out), Some(1));
    }
}
