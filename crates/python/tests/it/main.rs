//! Machines beside each other.

mod states;

use maxout_python::{
    Act, Batch, FIELD_BYTES, Machine, Observation, Reach, Reward, STATISTICS, Settings, Vector, features,
};
use randomizers::Kind;
use tetris::SplitMix64;

const BUILT_IN: &[u8] = include_bytes!("../../../../roms/maxout.nes");
const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");

fn settings(machine: Machine) -> Settings {
    Settings {
        machine,
        act: Act::Place,
        reach: Reach::Free,
        observation: Observation::Field,
        reward: Reward::Lines,
        level: 18,
        randomizer: Some(Kind::Sps),
        position: None,
        practice: None,
        frame_skip: 1,
        max_steps: 0,
        strict: true,
    }
}

/// A vector with its buffers.
struct Games {
    vector: Vector,
    cells: Vec<u8>,
    floats: Vec<f32>,
    statistics: Vec<i32>,
    mask: Vec<i8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Games {
    fn begin(settings: Settings, image: &[u8], count: usize, threads: usize, seed: u64) -> Self {
        let ((bytes, floats), actions) = (settings.widths(), settings.actions());
        let mask = if settings.act == Act::Place { count * actions } else { 0 };
        let mut games = Self {
            vector: Vector::new(settings, image, count, threads).unwrap(),
            cells: vec![0; count * bytes],
            floats: vec![0.0; count * floats],
            statistics: vec![0; count * STATISTICS],
            mask: vec![0; mask],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
        };
        for number in 0..count {
            games.vector.seed(number, seed + number as u64);
        }
        let Self { vector, cells, floats, statistics, mask, .. } = &mut games;
        vector.reset(None, Batch { bytes: cells, floats, statistics, mask }).unwrap();
        games
    }

    fn step(&mut self, actions: &[i64]) {
        let Self { vector, cells, floats, statistics, mask, rewards, terminated, truncated } = self;
        let batch = Batch { bytes: cells, floats, statistics, mask };
        vector.step(actions, true, batch, rewards, terminated, truncated).unwrap();
    }

    fn legal(&self, number: usize) -> Vec<i64> {
        let width = self.mask.len() / self.rewards.len();
        let mask = &self.mask[number * width..][..width];
        (0..).zip(mask).filter(|(_, legal)| **legal == 1).map(|(action, _)| action).collect()
    }
}

/// What both have to say alike: cells, piece and next piece; lines and level.
fn same(one: &Games, other: &Games, step: u32) {
    assert_eq!(one.cells[..202], other.cells[..202], "step {step}");
    assert_eq!(one.statistics[1..4], other.statistics[1..4], "step {step}");
    assert_eq!(one.terminated, other.terminated, "step {step}");
}

/// The same places, drawn by lot among those that buttons reach, on a machine with frames and on
/// the board. Low places are taken more often, so that lines are cleared.
fn board_beside(machine: Machine, image: &[u8], level: u8, pieces: u32, seed: u64) -> (i32, u32) {
    let mut frames = Games::begin(Settings { level, ..settings(machine) }, image, 1, 1, seed);
    let mut board = Games::begin(Settings { level, ..settings(Machine::Board) }, &[], 1, 1, seed);
    let mut chance = SplitMix64::new(seed);
    let (mut most, mut ends) = (0, 0);
    same(&frames, &board, 0);
    for step in 1..=pieces {
        let row = |action: i64| action / 10 % 20;
        let legal = frames.legal(0);
        let action = (0..4).map(|_| chance.pick(&legal)).max_by_key(|&action| row(action)).unwrap();
        let on_board = board.legal(0);
        assert!(
            legal.iter().all(|action| on_board.contains(action)),
            "step {step}: a place that the board lacks"
        );
        frames.step(&[action]);
        board.step(&[action]);
        same(&frames, &board, step);
        most = most.max(board.statistics[1]);
        if board.terminated[0] {
            ends += 1;
            frames.step(&[0]);
            board.step(&[0]);
            same(&frames, &board, step);
        }
    }
    (most, ends)
}

#[test]
fn the_board_is_the_model_place_for_place() {
    for (level, seed) in [(0, 1), (18, 2), (19, 3), (29, 4)] {
        let (lines, ends) = board_beside(Machine::Model, &[], level, 400, seed);
        assert!(lines > 0 && ends > 0, "level {level}: {lines} lines, {ends} games");
    }
}

#[test]
fn the_board_is_both_cartridges_place_for_place() {
    for image in [BUILT_IN, SLOW] {
        let (_, ends) = board_beside(Machine::Cartridge, image, 18, 80, 7);
        assert!(ends > 0);
    }
}

#[test]
fn model_and_both_cartridges_are_alike_frame_by_frame_under_buttons() {
    let by_buttons = |machine| Settings { act: Act::Buttons, ..settings(machine) };
    for image in [BUILT_IN, SLOW] {
        let mut model = Games::begin(by_buttons(Machine::Model), &[], 1, 1, 11);
        let mut cartridge = Games::begin(by_buttons(Machine::Cartridge), image, 1, 1, 11);
        let mut chance = SplitMix64::new(5);
        let (mut held, mut pieces) = (0, 0);
        for step in 0..4_000 {
            if chance.one_in(4) {
                held = chance.pick(&[0, 1, 2, 4, 0x40, 0x80, 0x81, 0x42]);
            }
            model.step(&[held]);
            cartridge.step(&[held]);
            assert_eq!(model.cells, cartridge.cells, "frame {step}");
            assert_eq!(model.statistics, cartridge.statistics, "frame {step}");
            pieces = pieces.max(model.statistics[3]);
        }
        assert!(pieces > 10, "{pieces} pieces");
    }
}

#[test]
fn threads_change_nothing() {
    for machine in [Machine::Board, Machine::Model] {
        let mut one = Games::begin(settings(machine), &[], 16, 1, 3);
        let mut three = Games::begin(settings(machine), &[], 16, 3, 3);
        for step in 0..30 {
            let actions: Vec<i64> = (0..16)
                .map(|number| {
                    let legal = one.legal(number);
                    legal.get(step % legal.len().max(1)).copied().unwrap_or(0)
                })
                .collect();
            one.step(&actions);
            three.step(&actions);
            assert_eq!((&one.cells, &one.mask), (&three.cells, &three.mask));
            assert_eq!((&one.statistics, &one.rewards), (&three.statistics, &three.rewards));
        }
    }
}

#[test]
fn afterstates_are_what_the_places_lead_to() {
    let drops = Settings { reach: Reach::Drop, ..settings(Machine::Board) };
    let afterstates = Settings { observation: Observation::Afterstates, ..drops.clone() };
    let mut games = Games::begin(afterstates, &[], 1, 1, 5);
    for _ in 0..200 {
        let legal = games.legal(0);
        let cost = |action: i64| {
            let at = action as usize * features::AFTER;
            let [landing, eroded, rows, columns, holes, wells, ..] = games.floats[at..][..features::AFTER]
            else {
                unreachable!("eight numbers")
            };
            landing * 4.5 - 3.4 * eroded + 3.2 * rows + 9.3 * columns + 7.9 * holes + 3.4 * wells
        };
        let best = legal.iter().copied().min_by(|&one, &other| cost(one).total_cmp(&cost(other))).unwrap();
        games.step(&[best]);
        assert!(!games.terminated[0], "a player by these measures survives 200 pieces");
    }
    assert!(games.statistics[1] > 60, "{} lines", games.statistics[1]);
    assert_eq!(FIELD_BYTES, 206);
}

#[test]
fn garbage_lifts_the_field_and_a_full_one_ends_the_game() {
    let mut games = Games::begin(Settings { strict: false, ..settings(Machine::Board) }, &[], 1, 1, 5);
    assert!(games.vector.lift(0, 4, 3) && !games.vector.is_over(0));
    assert!(games.vector.lift(0, 19, 3) && games.vector.is_over(0));
    assert!(!games.vector.lift(9, 1, 0), "there is no tenth game");
}
