//! The watcher of a running game.

use super::difference::{events, is_new_game, spawns};
use super::event::letter_at;
use super::{Event, Record};
use crate::{Piece, View, ram};

/// Watches RAM frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Watcher {
    last: Option<Box<[u8; 0x800]>>,
    pieces: u32,
    drought: u32,
}

impl Watcher {
    /// Returns what it remembers: counts of pieces and of the drought, and the last RAM if it has
    /// looked.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { last, pieces, drought } = self;
        let mut bytes = [pieces.to_le_bytes(), drought.to_le_bytes()].concat();
        bytes.extend(last.iter().flat_map(|last| last.iter()));
        bytes
    }

    /// Returns the watcher of such bytes; `None` for another length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (pieces, rest) = bytes.split_first_chunk::<4>()?;
        let (drought, ram) = rest.split_first_chunk::<4>()?;
        let last = if ram.is_empty() { None } else { Some(Box::new(ram.try_into().ok()?)) };
        // A count of pieces goes on from here, one a piece.
        let count = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) & 0x7FFF_FFFF;
        Some(Self { last, pieces: count(pieces), drought: count(drought) })
    }

    /// What happened in `frame`, `ram` being `$0000` to `$07FF` at its end, when the next vertical
    /// blank begins. The first call only looks.
    pub fn observe(&mut self, frame: u64, ram: &[u8; 0x800]) -> Vec<Record> {
        let mut records = Vec::new();
        if let Some(last) = &self.last {
            let (before, after) = (View::new(last), View::new(ram));
            for event in events(before, after) {
                if is_new_game(&event) {
                    (self.pieces, self.drought) = (0, 0);
                }
                records.push(Record { frame, event });
            }
            if spawns(before, after) {
                self.pieces += 1;
                self.drought = if after.piece() == Some(Piece::I) { 0 } else { self.drought + 1 };
                let event = Event::Spawn {
                    number: self.pieces,
                    piece: letter_at(after, ram::ORIENTATION),
                    next: letter_at(after, ram::NEXT_PIECE),
                    drought: self.drought,
                    das: after.das(),
                    lfsr: after.lfsr(),
                };
                records.push(Record { frame, event });
            }
        }
        match &mut self.last {
            Some(last) => **last = *ram,
            None => self.last = Some(Box::new(*ram)),
        }
        records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parity::Explorer;
    use crate::rules::Game;
    use crate::{Rom, buttons};

    fn watch(frames: u64, mut hold: impl FnMut(u64, View) -> u8) -> Vec<Record> {
        static ROM: Rom = Rom::MAXOUT;
        let (mut game, mut watcher) = (Game::power_on(&ROM), Watcher::default());
        let mut records = Vec::new();
        for frame in 1..=frames {
            let held = hold(frame, View::new(game.memory().ram()));
            game.step(held);
            records.extend(watcher.observe(frame, game.memory().ram()));
        }
        records
    }

    /// RAM as a cartridge of `profile` has it, of which everything that it moves is somewhere else.
    fn laid_out(profile: &crate::Profile, ram: &[u8; 0x800]) -> [u8; 0x800] {
        let mut laid = *ram;
        laid[0x40..0x80].fill(0xAA);
        for place in crate::ram::MAP.iter().filter(|place| profile.knows_place(**place)) {
            let to = usize::from(profile.place_address(*place));
            if to != place.at() {
                laid[to..to + usize::from(place.bytes)].copy_from_slice(&ram[place.range()]);
            }
        }
        laid[ram::GAME_TYPE.at()] = 7;
        laid
    }

    #[test]
    fn a_game_laid_out_as_a_hack_has_it_has_the_same_events() {
        static ROM: Rom = Rom::MAXOUT;
        let profile = crate::Release::Gym.profile().unwrap();
        let (mut game, mut player) = (Game::power_on(&ROM), Explorer::new(3));
        let (mut watcher, mut of_hack) = (Watcher::default(), Watcher::default());
        let mut locks = 0;
        for frame in 1..=8_000 {
            let memory = *game.memory().ram();
            let view = View::new(&memory);
            let held = match view.in_game() {
                false if frame % 6 == 0 => buttons::START,
                false => 0,
                true => player.turn(view).buttons & !buttons::START & !buttons::B,
            };
            game.step(held);
            let memory = *game.memory().ram();
            let records = watcher.observe(frame, &memory);
            let machine = laid_out(&profile, &memory);
            assert_eq!(of_hack.observe(frame, &profile.as_mapped(&machine)), records, "frame {frame}");
            locks += records.iter().filter(|record| matches!(record.event, Event::Lock { .. })).count();
        }
        assert!(locks > 8, "{locks} pieces locked");
    }

    /// Start every six frames until a game is on, then a player who pokes nothing.
    fn game(frames: u64) -> Vec<Record> {
        let mut player = Explorer::new(3);
        watch(frames, |frame, view| match view.in_game() {
            false if frame % 6 == 0 => buttons::START,
            false => 0,
            true => player.turn(view).buttons & !buttons::START & !buttons::B,
        })
    }

    #[test]
    fn a_game_begins_with_its_seed_and_then_its_first_piece() {
        let records = game(700);
        let events: Vec<_> = records.iter().map(|record| &record.event).collect();
        let start = events.iter().position(|event| matches!(event, Event::GameStart { .. })).unwrap();
        let first = events.iter().position(|event| matches!(event, Event::Spawn { .. })).unwrap();
        assert!(start < first);
        assert!(matches!(events[first], Event::Spawn { number: 1, das: 0, .. }), "{:?}", events[first]);
        let Event::GameStart { lfsr, .. } = events[start] else { unreachable!("found as a start") };
        assert_ne!(*lfsr, 0);
    }

    #[test]
    fn every_piece_but_the_last_is_locked_as_it_came() {
        let records = game(20_000);
        let mut in_play = None;
        let mut locked = 0;
        for Record { event, .. } in &records {
            match event {
                Event::Spawn { piece, next, .. } => {
                    assert_eq!(in_play, None, "one piece at a time");
                    in_play = Some((*piece, *next));
                }
                Event::Lock { piece, .. } => {
                    assert_eq!(in_play.take().map(|(piece, _)| piece), Some(*piece));
                    locked += 1;
                }
                Event::TopOut { .. } | Event::Reset {} => in_play = None,
                _ => {}
            }
        }
        assert!(locked > 20, "{locked} pieces locked");
    }

    #[test]
    fn points_add_up_to_the_score() {
        let mut total = 0;
        for Record { event, frame } in game(12_000) {
            match event {
                Event::GameStart { .. } => total = 0,
                Event::Score { points, score } => {
                    total += points;
                    assert_eq!(total, i64::from(score), "frame {frame}");
                }
                _ => {}
            }
        }
    }

    #[test]
    fn records_survive_json() {
        for record in game(1_500) {
            let line = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record, "{line}");
        }
    }

    #[test]
    fn the_document_has_every_event_and_every_field() {
        let document = include_str!("../../../../docs/events.md");
        let source = include_str!("event.rs");
        let events =
            source.split("pub enum Event {").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap();
        let mut name = String::new();
        for line in
            events.lines().filter(|line| !line.trim().starts_with("//") && !line.trim().starts_with("#["))
        {
            if let Some(variant) =
                line.strip_prefix("    ").filter(|line| line.starts_with(char::is_uppercase))
            {
                let variant = variant.split(' ').next().unwrap();
                name = String::new();
                for letter in variant.chars() {
                    if letter.is_uppercase() && !name.is_empty() {
                        name.push('_');
                    }
                    name.push(letter.to_ascii_lowercase());
                }
                assert!(document.contains(&format!("| `{name}` |")), "{name} is not in docs/events.md");
            } else if let Some((field, _)) = line.trim().split_once(':') {
                let row = document.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
                assert!(row.contains(&format!("`{field}`")), "{name} has no {field} in docs/events.md");
            }
        }
    }
}
