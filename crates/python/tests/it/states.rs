//! States: all of an environment's future, in memory and as bytes.

use maxout_python::{Act, Batch, Machine, Observation, Settings, State, VectorError};
use randomizers::Kind;
use tetris::SplitMix64;

use super::{BUILT_IN, Games, settings};

/// Settings of every machine, act and kind of observation that a state has a part of.
fn kinds() -> Vec<Settings> {
    let places = |machine| Settings { level: 29, ..settings(machine) };
    let buttons =
        |machine, observation| Settings { act: Act::Buttons, frame_skip: 4, observation, ..places(machine) };
    vec![
        places(Machine::Board),
        Settings { randomizer: Some(Kind::Tgm3), ..places(Machine::Board) },
        Settings { randomizer: None, ..places(Machine::Model) },
        places(Machine::Cartridge),
        buttons(Machine::Model, Observation::Ram),
        buttons(Machine::Cartridge, Observation::Gray(3)),
        Settings {
            practice: Some(("garbage=4".parse().unwrap(), practice::Options::default())),
            randomizer: None,
            ..places(Machine::Cartridge)
        },
    ]
}

impl Games {
    fn state(&self, number: usize) -> State {
        let width = self.cells.len() / self.rewards.len();
        self.vector.state(number, &self.cells[number * width..][..width]).unwrap()
    }

    fn set_state(&mut self, number: usize, state: &State) -> Result<(), VectorError> {
        let width = self.cells.len() / self.rewards.len();
        self.vector.set_state(number, state, &mut self.cells[number * width..][..width])?;
        let Self { vector, cells, floats, statistics, mask, .. } = self;
        vector.observe_one(number, Batch { bytes: cells, floats, statistics, mask })
    }

    /// Plays on: what game 0 tells in each step.
    fn play(&mut self, steps: usize, seed: u64) -> Vec<(Vec<u8>, Vec<i32>, f64, bool)> {
        let mut chance = SplitMix64::new(seed);
        let count = self.rewards.len();
        (0..steps)
            .map(|_| {
                let mut action = || {
                    if self.mask.is_empty() {
                        i64::from(chance.pick(&[0_u8, 1, 2, 4, 0x80]))
                    } else {
                        chance.pick(&self.legal(0))
                    }
                };
                let actions = vec![action(); count];
                self.step(&actions);
                let width = self.cells.len() / count;
                (
                    self.cells[..width].to_vec(),
                    self.statistics[..8].to_vec(),
                    self.rewards[0],
                    self.terminated[0],
                )
            })
            .collect()
    }
}

#[test]
fn a_game_goes_on_from_its_state_and_from_the_bytes_of_it() {
    for settings in kinds() {
        let mut games = Games::begin(settings.clone(), BUILT_IN, 1, 1, 5);
        games.play(20, 1);
        let state = games.state(0);
        let copy = games.vector.clone();
        let wanted = games.play(40, 2);
        let mut other = Games::begin(settings.clone(), BUILT_IN, 1, 1, 77);
        let read = other.vector.read_state(&state.to_bytes()).unwrap();
        for state in [state, read] {
            other.play(3, 9);
            other.set_state(0, &state).unwrap();
            assert!(other.play(40, 2) == wanted, "{settings:?}");
        }
        let mut copied = Games::begin(settings.clone(), BUILT_IN, 1, 1, 77);
        copied.vector = copy;
        let state = copied.vector.state(0, &vec![0; copied.cells.len()]).unwrap();
        let steps = wanted.len();
        other.set_state(0, &state).unwrap();
        let alike = other.play(steps, 2).into_iter().zip(wanted).all(|(one, other)| one.1 == other.1);
        assert!(alike, "{settings:?}");
    }
}

#[test]
fn a_state_of_another_vector_or_a_damaged_one_is_refused_and_changes_nothing() {
    let all = kinds();
    let mut games = Games::begin(all[0].clone(), BUILT_IN, 1, 1, 5);
    let before = games.state(0).to_bytes();
    for settings in &all[2..] {
        let other = Games::begin(settings.clone(), BUILT_IN, 1, 1, 5);
        let state = other.state(0);
        assert!(games.set_state(0, &state).unwrap_err().to_string().contains("expected one of `board`"));
        assert!(games.vector.read_state(&state.to_bytes()).is_err());
    }
    assert!(matches!(games.vector.state(1, &[]), Err(VectorError::NoSuch { most: 0, found: 1 })));
    assert_eq!(games.state(0).to_bytes(), before);
    let mut chance = SplitMix64::new(2);
    for settings in all {
        let mut games = Games::begin(settings, BUILT_IN, 1, 1, 5);
        games.play(5, 1);
        let bytes = games.state(0).to_bytes();
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
            assert!(games.vector.read_state(&bytes[..length]).is_err(), "cut to {length}");
        }
        let mut taken = 0;
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            // The text, where a digit may become another.
            let at = chance.below(bytes.len().min(1_500) as u32) as usize;
            damaged[at] ^= 1 << chance.below(3);
            if let Ok(state) = games.vector.read_state(&damaged) {
                taken += 1;
                games.set_state(0, &state).unwrap();
                games.play(3, 4);
            }
        }
        assert!(taken > 0, "nothing that was changed was taken");
    }
}
