//! Points to come: what networks expect of the rest of a game, corrected by games that were played.
//!
//! A network learns from games that are weaker than those of a search by it, counts a share alone
//! of what comes after its speed, and may count a tetris for more than it scores
//! ([`crate::Outputs::bonus`]). So its points are multiplied by what games of the same tap speed
//! make for each of them, and its odds of reaching the end of the speed are worth what those games
//! make after it.

use crate::conditions::Conditions;
use crate::decide::{Child, Worth};
use crate::evaluator::NetEvaluator;
use crate::format::Speed;

/// What nets expect of the rest of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Mean points to come, those of the lock with them.
    pub points: f32,
    /// Odds of reaching levels 19, 29 and 39; 1 for those that are reached. None where a net is
    /// missing.
    pub odds: Option<[f32; 3]>,
}

/// By speed and tap speed (30, 24, 20, `slow5`, 15, 12, 10): points that games make for each that
/// the built-in nets expect, in parts of [`PARTS`]. By least squares, over games of three pieces.
const MADE: [[u8; 7]; 4] = [
    [109, 108, 104, 94, 94, 91, 90],
    [100, 89, 81, 76, 66, 46, 42],
    [77, 112, 102, 114, 128, 63, 0],
    [81, 12, 3, 76, 4, 0, 0],
];
const PARTS: f32 = 64.0;

/// By speed and tap speed: points that games make besides where the end of the speed is certain, in
/// units of [`UNIT`].
const LATER: [[i8; 7]; 4] = [
    [84, 57, 51, 58, 39, 21, 16],
    [40, -1, -4, 9, 7, 0, -2],
    [2, -12, -8, 7, -4, -2, 0],
    [0, 0, 0, 0, 0, 0, 0],
];
const UNIT: f32 = 20_000.0;

/// By tap speed: the power of the odds of level 29 with which games come to its end. Games of slow
/// hands come there less often than the nets say; why was not looked into.
const POWER: [i32; 7] = [1, 1, 2, 2, 3, 2, 4];

/// Returns the odds of reaching the end of a speed as they are shown: as games come to it.
pub(crate) fn shown_odds(odds: f32, speed: Speed, conditions: Conditions) -> f32 {
    let power = if speed == Speed::L29 { POWER[conditions.inputs()[0]] } else { 1 };
    // By multiplications, which round alike everywhere.
    (0..power).fold(1.0, |so_far, _| so_far * odds)
}

/// Returns the share of what comes after its speed that a built-in net's points count.
const fn share_of_later(speed: Speed, taps: usize) -> f32 {
    match (speed, taps) {
        (Speed::L18, _) => 0.1,
        (Speed::L19, 0) => 0.25,
        _ => 1.0,
    }
}

impl NetEvaluator {
    /// Returns the mean points to come, those of the lock with them, for each next piece. Nothing
    /// may have begun.
    pub(crate) fn points_to_come(&self, child: &Child) -> Worth {
        let (speed, taps) = (Speed::of_lines(child.lines), self.taps());
        let ((worth, odds), lock) = (self.rate_with_odds(child), self.of_lock(child));
        let outputs = self.outputs_at(speed);
        let is_known = (outputs.share_of_later - share_of_later(speed, taps)).abs() < 1e-3;
        let (made, later) = if is_known {
            let speed = speed as usize;
            (f32::from(MADE[speed][taps]) / PARTS, f32::from(LATER[speed][taps]) * UNIT)
        } else {
            (1.0, outputs.stake())
        };
        let made = made * outputs.unit();
        worth.map(|worth| lock + (later * odds + made * (worth - lock)).max(0.0))
    }
}

#[cfg(all(test, feature = "built-in"))]
mod tests {
    use super::*;
    use crate::{
        Format, Linear, NetMind, NetSource, Placed, Player, Start, breadths_by_speed, deal, tuning_seeds,
    };
    use tetris::{Piece, Playfield};

    const TAPS: [&str; 7] = ["30hz", "24hz", "20hz", "slow5", "15hz", "12hz", "10hz"];

    fn format(taps: &str) -> Format {
        format!("bt-{taps}-18f").parse().expect("a format")
    }

    /// A player by the built-in nets with the search of the window's computer.
    fn player(format: &Format) -> Player {
        let nets = NetSource::default().get().clone();
        let breadths = breadths_by_speed(&[6, 2], None);
        let mind = NetMind { breadths, narrow: 2, ..NetMind::new(nets, Linear::built_in(format)) };
        Player::new(format, mind.into())
    }

    /// Sums over the boards of one tap speed and one speed: products of what the net said (points,
    /// odds) and of the points that came.
    #[derive(Clone, Copy, Debug, Default)]
    struct Sums {
        boards: u32,
        said_said: f64,
        said_odds: f64,
        odds_odds: f64,
        said_came: f64,
        odds_came: f64,
    }

    impl Sums {
        fn add(&mut self, said: f64, odds: f64, came: f64) {
            self.boards += 1;
            self.said_said += said * said;
            self.said_odds += said * odds;
            self.odds_odds += odds * odds;
            self.said_came += said * came;
            self.odds_came += odds * came;
        }

        /// Points for each that was said, and for certainty of the end, by least squares.
        fn fit(&self, has_later: bool) -> [f64; 2] {
            if !has_later {
                return [self.said_came / self.said_said, 0.0];
            }
            let determinant = self.said_said * self.odds_odds - self.said_odds * self.said_odds;
            [
                (self.said_came * self.odds_odds - self.odds_came * self.said_odds) / determinant,
                (self.odds_came * self.said_said - self.said_came * self.said_odds) / determinant,
            ]
        }
    }

    /// Plays a game and adds what was expected and what came.
    fn add(player: &mut Player, evaluator: &NetEvaluator, seed: u32, sums: &mut [Sums; 4]) {
        let (mut board, mut lines, mut score) = (Playfield::EMPTY, 0, 0.0);
        let mut said = Vec::new();
        player.play_watched(
            &Start::default(),
            seed,
            deal(seed),
            &mut |&Placed { place, cleared, next, .. }| {
                board.lock(place);
                lines += cleared;
                let child = Child { board, place, cleared, lines };
                let ((worth, odds), lock) = (evaluator.rate_with_odds(&child), evaluator.of_lock(&child));
                score += f64::from(lock);
                said.push((lines, score, worth[next as usize] - lock, odds));
            },
        );
        for (lines, at, said, odds) in said {
            sums[Speed::of_lines(lines) as usize].add(said.into(), odds.into(), score - at);
        }
    }

    /// Returns what games of a tap speed say [`MADE`] and [`LATER`] should be, and on how many
    /// boards.
    fn measured(taps: &str, games: usize) -> [([f64; 2], u32); 4] {
        let format = format(taps);
        let evaluator = NetEvaluator::new(&format, NetSource::default().get().clone());
        let (mut player, mut sums) = (player(&format), [Sums::default(); 4]);
        for seed in tuning_seeds(games) {
            add(&mut player, &evaluator, seed, &mut sums);
        }
        Speed::ALL.map(|speed| {
            let sums = &sums[speed as usize];
            let [made, later] = sums.fit(speed < Speed::L39);
            ([made / f64::from(evaluator.unit(speed) / PARTS), later / f64::from(UNIT)], sums.boards)
        })
    }

    /// Returns the points to come on an empty board with so many lines.
    fn expected(player: &mut Player, lines: u32) -> f32 {
        let choice = player.decide(&Playfield::EMPTY, lines, Piece::T).expect("a place");
        player.outlook(lines, Piece::T, &choice).expect("nets").points
    }

    #[test]
    fn points_to_come_are_about_those_that_games_make_at_every_tap_speed() {
        // Means of whole games, docs/points.md.
        let means = [2_565_368, 2_026_564, 1_861_111, 2_034_368, 1_599_823, 1_225_252, 1_026_336];
        for (taps, mean) in TAPS.into_iter().zip(means) {
            let found = expected(&mut player(&format(taps)), 0);
            assert!((found / mean as f32 - 1.0).abs() < 0.08, "{taps}: {found} beside {mean}");
        }
    }

    #[test]
    fn odds_of_level_39_are_about_the_shares_of_games_that_reach_it_at_every_tap_speed() {
        // Shares of whole games, docs/points.md.
        let shares = [0.984, 0.947, 0.798, 0.9, 0.533, 0.2, 0.0];
        for (taps, share) in TAPS.into_iter().zip(shares) {
            let mut player = player(&format(taps));
            let choice = player.decide(&Playfield::EMPTY, 0, Piece::T).expect("a place");
            let odds = player.outlook(0, Piece::T, &choice).and_then(|outlook| outlook.odds).expect("odds");
            assert!((odds[2] - share).abs() < 0.1, "{taps}: {odds:?} beside {share}");
        }
    }

    #[test]
    fn points_to_come_hardly_jump_where_a_level_ends() {
        for taps in TAPS {
            let mut player = player(&format(taps));
            for lines in [130, 230, 330] {
                let [before, after] = [lines - 2, lines].map(|lines| expected(&mut player, lines));
                assert!((before - after).abs() < 100_000.0, "{taps}, {lines} lines: {before}, {after}");
            }
        }
    }

    #[test]
    fn the_built_in_nets_count_the_shares_for_which_the_tables_are() {
        for (number, taps) in TAPS.into_iter().enumerate() {
            let evaluator = NetEvaluator::new(&format(taps), NetSource::default().get().clone());
            assert_eq!(evaluator.taps(), number);
            for speed in Speed::ALL {
                let found = evaluator.outputs_at(speed).share_of_later;
                assert!((found - share_of_later(speed, number)).abs() < 1e-6, "{taps}, {speed:?}: {found}");
            }
        }
    }

    #[test]
    #[ignore = "plays 224 games, six minutes of two cores: cargo test --release -p value --features built-in --lib figures_of_games -- --ignored --nocapture"]
    fn figures_of_games_are_those_of_the_tables() {
        let all = std::thread::scope(|scope| {
            let start = |taps| scope.spawn(move || (taps, measured(taps, 32)));
            TAPS.map(start).map(|thread| thread.join().expect("games"))
        });
        let mut far = Vec::new();
        for (number, (taps, measured)) in all.iter().enumerate() {
            for (speed, &([made, later], boards)) in measured.iter().enumerate() {
                println!("{taps}, speed {speed}, {boards} boards: {made:.1}, {later:.1}");
                let near = |table: f64, found: f64| (table - found).abs() <= 3.0 + 0.1 * found.abs();
                let [in_made, in_later] = [f64::from(MADE[speed][number]), f64::from(LATER[speed][number])];
                if boards > 1_000 && !(near(in_made, made) && near(in_later, later)) {
                    far.push((taps, speed));
                }
            }
        }
        assert!(far.is_empty(), "{far:?}");
    }
}
