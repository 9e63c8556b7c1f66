//! Two players on two computers: both consoles, as each of the two computers runs them.

use std::sync::Arc;

use autopilot::{Autopilot, Settings};
use nes::{Buttons, Cartridge, Config, Console};
use practice::{Happened, Side};
use tetris::{Profile, SplitMix64};

use super::{MOMENTS, VersusStatus, exchange, status};
use crate::{Attached, Emulator, LastFrames, Pieces};

/// Frames that both games are run for without a look at the other: where neither depends on it, and
/// where rows go over, which they do every few seconds.
const APART: usize = 1_800;
const LINKED: usize = 60;

/// How a game of two begins.
pub struct DuelRules {
    /// The level that both start at, 0 to 19.
    pub level: u8,
    /// The moment in the level menu: the random number register runs on meanwhile.
    pub wait: u32,
    /// The pieces of both.
    pub pieces: Pieces,
    /// Whether rows go over.
    pub garbage: bool,
    /// Samples a second of the sound.
    pub sample_rate: Option<u32>,
}

/// Both consoles, and what is on the way between them. The same buttons make the same duel on any
/// computer.
#[derive(Clone)]
pub struct Duel {
    profile: Arc<Profile>,
    seats: [Seat; 2],
    /// Whether rows go over.
    garbage: bool,
    /// Whose sound is heard: no part of the game.
    own: usize,
}

/// How a player's game stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether it has topped out.
    pub is_out: bool,
    /// Its score.
    pub score: u32,
    /// Its lines.
    pub lines: u32,
}

#[derive(Clone)]
struct Seat {
    emulator: Box<Emulator>,
    side: Side,
    is_out: bool,
}

/// Runs two things, at the same time or one after the other.
pub type Both<'a> = &'a dyn Fn(&mut (dyn FnMut() + Send), &mut (dyn FnMut() + Send));

impl Seat {
    fn standing(&self, profile: &Profile) -> Standing {
        let score = profile.score(self.emulator.state().ram());
        Standing { is_out: self.is_out, score, lines: self.side.lines }
    }

    fn look(&mut self, profile: &Profile) -> Happened {
        let happened = self.side.look(self.emulator.state(), profile);
        self.is_out |= happened.over;
        happened
    }

    fn run(&mut self, buttons: impl Iterator<Item = u8>, profile: &Profile) -> Vec<Standing> {
        let run = |buttons| {
            hold(&mut self.emulator, buttons);
            self.look(profile);
            self.standing(profile)
        };
        buttons.map(run).collect()
    }

    /// Runs frames in which so many rows come from the other side, each with its buttons.
    fn run_taking(&mut self, frames: impl Iterator<Item = (u8, usize)>, profile: &Profile) -> Vec<Alone> {
        let run = |(buttons, rows)| {
            hold(&mut self.emulator, buttons);
            let sent = self.look(profile).sent;
            if self.side.playing {
                self.side.pending += rows;
            }
            self.side.rise(self.emulator.console(), profile);
            Alone { standing: self.standing(profile), sent, takes: self.side.playing }
        };
        frames.map(run).collect()
    }
}

/// A frame of one of the two: how it stands, the rows that it sends, and whether it takes any.
#[derive(Clone, Copy, Default)]
struct Alone {
    standing: Standing,
    sent: usize,
    takes: bool,
}

impl Duel {
    /// Returns both consoles at the beginning of a game by `rules`, for the player `own`, 0 or 1,
    /// and the end of the way there; none where the cartridge's menus do not lead to a game.
    pub fn begin(
        cartridge: &Cartridge,
        profile: &Profile,
        rules: DuelRules,
        own: usize,
    ) -> Option<(Self, LastFrames)> {
        let DuelRules { level, wait, pieces, garbage, sample_rate } = rules;
        let config = Config { sample_rate, ..Config::default() };
        let mut emulator = Emulator::bare(cartridge.clone(), config);
        emulator.set_pieces(Some(pieces));
        let wait = wait % MOMENTS as u32;
        let settings = Settings { level: level.min(19), wait, ..Settings::default() };
        let mut side = Side::default();
        let begun = emulator.begin_game(Autopilot::new(profile.clone(), settings), profile)
            && side.look(emulator.state(), profile).begun;
        let way_in = emulator.last_frames();
        let seat = Seat { emulator: Box::new(emulator), side, is_out: false };
        let seats = [seat.clone(), seat];
        let mut duel = Self { profile: Arc::new(profile.clone()), seats, garbage, own: own & 1 };
        duel.set_seen(true);
        begun.then_some((duel, way_in))
    }

    /// Returns the console of a player, 0 or 1.
    pub fn console(&self, player: usize) -> &Console {
        self.seats[player & 1].emulator.state()
    }

    /// Returns the sound of the last frame of a player, 0 or 1.
    pub fn sound(&self, player: usize) -> &[f32] {
        self.seats[player & 1].emulator.sound()
    }

    /// Returns the console of a player after a frame with each of these buttons, if the other side
    /// sends no further rows.
    pub fn console_after(&self, player: usize, buttons: impl Iterator<Item = u8>) -> Console {
        let Seat { mut emulator, mut side, .. } = self.seats[player & 1].clone();
        emulator.set_seen(false);
        for buttons in buttons {
            hold(&mut emulator, buttons);
            side.look(emulator.state(), &self.profile);
            side.rise(emulator.console(), &self.profile);
        }
        emulator.state().clone()
    }

    /// Returns how the game of each player stands.
    pub fn standings(&self) -> [Standing; 2] {
        self.seats.each_ref().map(|seat| seat.standing(&self.profile))
    }

    /// Returns how the match stands, the player of this computer first.
    pub fn status(&self) -> VersusStatus {
        let standings = self.standings();
        let players = [self.own, 1 - self.own];
        let sides = players.map(|player| &self.seats[player].side);
        status(sides, players.map(|player| standings[player].score))
    }

    /// Runs a frame in which the players hold these buttons. Start does nothing: a match has no
    /// pause.
    pub fn frame(&mut self, buttons: [u8; 2]) {
        for (Seat { emulator, .. }, buttons) in self.seats.iter_mut().zip(buttons) {
            hold(emulator, buttons);
        }
        let happened = self.seats.each_mut().map(|seat| seat.look(&self.profile));
        if self.garbage {
            let [one, two] = &mut self.seats;
            let sides = [&mut one.side, &mut two.side];
            exchange(&self.profile, happened, sides, [one.emulator.console(), two.emulator.console()]);
        }
    }

    /// Returns the frames that each game is best run for without a look at the other.
    pub(super) fn stretch(&self) -> usize {
        if self.garbage { LINKED } else { APART }
    }

    /// Runs frames, each player's in one go. Returns how both stood after each frame.
    pub(super) fn run_ahead(&mut self, buttons: &[[u8; 2]], both: Both<'_>) -> Vec<[Standing; 2]> {
        if self.garbage { self.run_linked(buttons, both) } else { self.run_apart(buttons, both) }
    }

    /// The same where rows go over: each game is run as if none came, and once more from the first
    /// frame on if some did.
    fn run_linked(&mut self, buttons: &[[u8; 2]], both: Both<'_>) -> Vec<[Standing; 2]> {
        let profile = &*self.profile;
        let before = self.seats.clone();
        let mut rows = [vec![0; buttons.len()], vec![0; buttons.len()]];
        let mut ran = [vec![], vec![]];
        let mut again = [true; 2];
        loop {
            let [one, two] = &mut self.seats;
            let [first, second] = &mut ran;
            let frames = |player: usize| {
                let held = buttons.iter().map(move |buttons| buttons[player]);
                held.zip(rows[player].iter().copied())
            };
            let mut run_one = || *first = one.run_taking(frames(0), profile);
            let mut run_two = || *second = two.run_taking(frames(1), profile);
            match again {
                [true, true] => both(&mut run_one, &mut run_two),
                [true, false] => run_one(),
                [false, _] => run_two(),
            }
            let sent = |player: usize| ran[player].iter().zip(&ran[1 - player]);
            let sent = |player: usize| sent(player).map(|(from, to)| if to.takes { from.sent } else { 0 });
            let came = [sent(1).collect::<Vec<_>>(), sent(0).collect::<Vec<_>>()];
            // Up to the first frame in which other rows came than was taken, both are right.
            let wrong = [0, 1].map(|player| came[player].iter().zip(&rows[player]).position(|(a, b)| a != b));
            let Some(earliest) = wrong.into_iter().flatten().min() else { break };
            again = wrong.map(|wrong| wrong == Some(earliest));
            for player in [0, 1].into_iter().filter(|player| again[*player]) {
                self.seats[player].clone_from(&before[player]);
                rows[player].clone_from(&came[player]);
            }
        }
        for player in [0, 1] {
            self.seats[player].side.sent += rows[1 - player].iter().sum::<usize>() as u32;
        }
        let [one, two] = ran;
        one.into_iter().zip(two).map(|(one, two)| [one.standing, two.standing]).collect()
    }

    /// The same for games that do not depend on each other.
    fn run_apart(&mut self, buttons: &[[u8; 2]], both: Both<'_>) -> Vec<[Standing; 2]> {
        let profile = &*self.profile;
        let [one, two] = &mut self.seats;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut run_one = || first = one.run(buttons.iter().map(|buttons| buttons[0]), profile);
        let mut run_two = || second = two.run(buttons.iter().map(|buttons| buttons[1]), profile);
        both(&mut run_one, &mut run_two);
        first.into_iter().zip(second).map(|(one, two)| [one, two]).collect()
    }

    /// Takes over sound of the player `own`, and whether somebody looks.
    pub(super) fn set_own(&mut self, own: usize) {
        self.own = own & 1;
    }

    /// Returns a hash of both consoles.
    pub fn hash(&self) -> u64 {
        let [one, two] = &self.seats;
        SplitMix64::mix(one.emulator.state_hash()) ^ two.emulator.state_hash()
    }

    /// Runs frames with picture and sound, or without.
    pub fn set_seen(&mut self, seen: bool) {
        for (player, seat) in self.seats.iter_mut().enumerate() {
            seat.emulator.console().set_video(seen);
            seat.emulator.console().set_sound(seen && player == self.own);
        }
    }

    /// Takes picture and sound over from `before`, the same match as it was run earlier, where the
    /// consoles are the same: the sound goes on without a click, and the picture need not be drawn
    /// anew.
    pub fn replace(&mut self, before: &Self) {
        for (seat, before) in self.seats.iter_mut().zip(&before.seats) {
            if seat.emulator.state() == before.emulator.state() {
                seat.emulator.clone_from(&before.emulator);
            }
        }
    }
}

/// Runs a frame of one of the two.
fn hold(emulator: &mut Emulator, buttons: u8) {
    let held = Buttons::from_bits_retain(buttons).difference(Buttons::START);
    emulator.frame(&mut [held, Buttons::empty()], Attached::default());
}

#[cfg(test)]
mod tests {
    use autopilot::Substitution;
    use randomizers::Kind;

    use super::*;

    /// A cell of the rows that come up.
    const BLOCK: u8 = 0x7C;

    const IMAGES: [&[u8]; 2] =
        [include_bytes!("../../../../roms/maxout.nes"), include_bytes!("../../../../roms/maxout-slow.nes")];

    fn duel(image: &[u8], own: usize, seed: u32) -> Duel {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let profile = Profile::of_image(image).unwrap();
        let dealt = Substitution::new(profile.clone(), Kind::Nes.seeded(seed.into()));
        let pieces = Pieces::new(dealt, "nes");
        let rules = DuelRules { level: 9, wait: seed, pieces, garbage: true, sample_rate: Some(48_000) };
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
        let risen: u32 = floor.iter().map(|&cell| u32::from(cell == BLOCK)).sum();
        assert!(risen >= 36, "four rows of nine: {risen}");
        duel.seats[1].side.pending = 20;
        for frame in 0..2_000_u32 {
            duel.frame([0, if frame % 30 < 28 { 4 } else { 0 }]);
            if duel.standings().iter().any(|standing| standing.is_out) {
                break;
            }
        }
        assert_eq!(duel.standings().map(|standing| standing.is_out), [false, true]);
    }
}
