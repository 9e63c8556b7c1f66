//! The same on a cartridge that is known by its hash alone: the slow build of the built-in one.

use std::sync::Arc;

use autopilot::{Autopilot, CANDIDATES, ComputerHands, Mode, Outlook, Settings, Substitution, Thought, Unit};
use nes::{Buttons, Cartridge, Config, Console};
use tetris::ram::play_state::CURTAIN;
use tetris::{Feature, Piece, Profile, View, ram};
use value::{Format, Linear, Mind, Net, Nets, WeightsFile};

const BUILT_IN: &[u8] = include_bytes!("../../../../roms/maxout.nes");
pub(crate) const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");

pub(crate) fn console(image: &[u8]) -> Console {
    Console::new(Cartridge::from_bytes(image).unwrap(), Config { video: false, ..Config::default() })
}

pub(crate) fn profile(image: &[u8], feature: Feature) -> Profile {
    Profile::for_feature(image, feature).unwrap()
}

pub(crate) fn player(image: &[u8], settings: Settings) -> Autopilot {
    Autopilot::new(profile(image, Feature::Computer), settings)
}

#[test]
fn neither_image_is_the_other_and_both_are_known() {
    assert_ne!(BUILT_IN, SLOW);
    let names = [BUILT_IN, SLOW].map(|image| Profile::of_image(image).unwrap().name);
    assert_eq!(names, ["Maxout", "Maxout (slow)"]);
}

#[test]
fn the_computer_plays_both_by_buttons_alone_and_no_piece_is_ever_elsewhere() {
    for image in [BUILT_IN, SLOW] {
        let (mut console, settings) = (console(image), Settings { level: 18, ..Settings::default() });
        let mut player = player(image, settings);
        while View::new(console.ram()).lines() < 12 {
            assert!(console.frame_number() < 15_000, "{} lines", View::new(console.ram()).lines());
            let buttons = player.prepare(&mut console);
            assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
        }
        assert_eq!(player.mispredictions(), 0);
        assert!(player.decisions() > 20);
    }
}

/// Games of the player for points, from level 18, on both: pieces placed.
fn points(games: std::ops::Range<u32>, lines: u32) -> u64 {
    let format: Format = "bt-30hz-18f-cartridge".parse().unwrap();
    let mut decisions = 0;
    for (image, wait) in
        [BUILT_IN, SLOW].into_iter().flat_map(|image| games.clone().map(move |wait| (image, wait)))
    {
        let settings = Settings { level: 18, wait, ..Settings::default() };
        let mind = Mind::from(Linear::by_speed(&format, WeightsFile::built_in().weights));
        let mut player = Autopilot::for_points(profile(image, Feature::Computer), settings, format, mind);
        let mut console = console(image);
        let over = |view: View| view.in_game() && view.play_state() == CURTAIN;
        while View::new(console.ram()).lines() < lines && !over(View::new(console.ram())) {
            assert!(console.frame_number() < 200_000, "{} lines", View::new(console.ram()).lines());
            let buttons = player.prepare(&mut console);
            assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
        }
        assert_eq!(player.mispredictions(), 0, "game {wait}, {} lines", View::new(console.ram()).lines());
        decisions += player.decisions();
    }
    decisions
}

#[test]
fn the_player_for_points_puts_every_piece_where_it_decided_on_both() {
    assert!(points(0..1, 20) > 90);
}

#[test]
fn hands_of_every_speed_put_every_piece_where_they_decided_at_slow_levels_too() {
    let (weights, repository) = (Nets::default(), nets());
    for (level, hertz, reaction) in [(0, 10, 0), (5, 30, 18), (9, 12, 61), (14, 20, 30), (19, 15, 18)] {
        for (image, nets) in [(BUILT_IN, &weights), (SLOW, &weights), (SLOW, &repository)] {
            let settings = Settings { level, ..Settings::default() };
            let profile = profile(image, Feature::Computer);
            let mut player = Autopilot::with_hands(
                profile,
                settings,
                ComputerHands { hertz, reaction, ..ComputerHands::default() },
                nets,
            );
            let mut console = console(image);
            while player.decisions() < 60 {
                assert!(console.frame_number() < 18_000, "level {level}: {} pieces", player.decisions());
                let buttons = player.prepare(&mut console);
                assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
            }
            let view = View::new(console.ram());
            assert_eq!(player.mispredictions(), 0, "level {level}, {hertz} Hz: {} lines", view.lines());
            assert!(view.lines() > 5, "level {level}, {hertz} Hz: {} lines", view.lines());
        }
    }
}

/// Plays until so many pieces are decided. Returns what was thought of each, and the game's lines
/// and tetrises.
fn thoughts(image: &[u8], hands: ComputerHands, nets: &Nets, pieces: u64) -> (Vec<Arc<Thought>>, [u32; 2]) {
    let settings = Settings { level: 18, ..Settings::default() };
    let mut player = Autopilot::with_hands(profile(image, Feature::Computer), settings, hands, nets);
    let mut console = console(image);
    let mut thoughts: Vec<Arc<Thought>> = vec![];
    while player.decisions() < pieces {
        assert!(console.frame_number() < 60_000, "{} pieces", player.decisions());
        let decided = player.decisions();
        let buttons = player.prepare(&mut console);
        if player.decisions() > decided {
            // A piece without any place is not thought of: the game is over.
            thoughts.extend(player.thought().cloned());
        }
        assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
    }
    assert_eq!(player.mispredictions(), 0, "misdrops are no mispredictions");
    let counts = |four: bool| {
        let view = View::new(console.ram());
        if four { view.line_counts()[3] } else { view.lines() }
    };
    (thoughts, [counts(false), counts(true)])
}

/// The nets of the repository.
fn nets() -> Nets {
    let files: [&[u8]; 4] = [
        include_bytes!("../../../value/nets/l18.net"),
        include_bytes!("../../../value/nets/l19.net"),
        include_bytes!("../../../value/nets/l29.net"),
        include_bytes!("../../../value/nets/l39.net"),
    ];
    files.map(|bytes| Some(Arc::new(Net::from_bytes(bytes).unwrap().0)))
}

#[test]
fn a_thought_has_the_best_places_first_and_the_plan_for_each_next_piece_on_both() {
    for image in [BUILT_IN, SLOW] {
        let (thoughts, _) = thoughts(image, ComputerHands::default(), &Nets::default(), 60);
        assert!(thoughts.len() >= 58, "{} thoughts of 60 pieces", thoughts.len());
        let mut waited = 0;
        for thought in &thoughts {
            let values: Vec<f32> = thought.candidates.iter().map(|candidate| candidate.value).collect();
            assert!(
                (1..=CANDIDATES).contains(&values.len()) && values.is_sorted_by(|one, other| one >= other)
            );
            assert_eq!((thought.misdrop, thought.unit, thought.outlook), (false, Unit::Weights, None));
            let plans = thought.plans();
            assert_eq!(plans.iter().map(|plan| plan.1.len()).sum::<usize>(), 7);
            assert!(thought.waits || plans.len() == 1, "{plans:?}");
            waited += usize::from(plans.len() > 1);
        }
        assert!(waited > 0, "none of {} waited for the next piece", thoughts.len());
    }
}

#[test]
fn by_nets_a_thought_is_in_points_and_knows_the_odds_of_the_later_levels_on_both() {
    for image in [BUILT_IN, SLOW] {
        let hands = ComputerHands { hertz: 30, ..ComputerHands::default() };
        let (thoughts, [lines, _]) = thoughts(image, hands, &nets(), 60);
        assert!(thoughts.len() >= 58 && lines < 130, "{} thoughts of 60 pieces", thoughts.len());
        for thought in &thoughts {
            let values: Vec<f32> = thought.candidates.iter().map(|candidate| candidate.value).collect();
            assert!(
                (1..=CANDIDATES).contains(&values.len()) && values.is_sorted_by(|one, other| one >= other)
            );
            let Some(Outlook { points, odds: Some([to_19, to_29, to_39]) }) = thought.outlook else {
                panic!("{thought:?}")
            };
            assert_eq!(thought.unit, Unit::Points);
            // The mean of the nets' own games is 2.57 million, and 60 pieces are few of theirs.
            assert!((1_500_000.0..3_200_000.0).contains(&points), "{points}");
            assert!(1.0 >= to_19 && to_19 >= to_29 && to_29 >= to_39 && to_39 > 0.3, "{:?}", thought.outlook);
        }
        // Values are points: as much is between two places as a row can be worth.
        let apart =
            |thought: &Arc<Thought>| thought.candidates[0].value - thought.candidates.last().unwrap().value;
        let mean = thoughts.iter().map(apart).sum::<f32>() / thoughts.len() as f32;
        assert!((500.0..200_000.0).contains(&mean), "{mean}");
    }
}

#[test]
fn without_nets_it_plays_by_weights_and_a_low_level_has_points_of_level_18() {
    let slow = ComputerHands { hertz: 10, ..ComputerHands::default() };
    assert_eq!(thoughts(SLOW, slow, &Nets::default(), 3).0[0].unit, Unit::Weights);
    assert_eq!(thoughts(SLOW, slow, &nets(), 3).0[0].unit, Unit::Points);
    let settings = Settings { level: 5, ..Settings::default() };
    let profile = profile(SLOW, Feature::Computer);
    let mut player = Autopilot::with_hands(profile, settings, ComputerHands::default(), &nets());
    let mut console = console(SLOW);
    while player.thought().is_none() {
        assert!(console.frame_number() < 5_000);
        let buttons = player.prepare(&mut console);
        assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
    }
    let thought = player.thought().unwrap();
    assert_eq!((thought.unit, thought.outlook), (Unit::PointsOfLevel(18), None));
}

#[test]
fn beyond_level_39_it_plays_on_by_nets_and_by_weights() {
    for (image, nets) in [(BUILT_IN, nets()), (SLOW, nets()), (SLOW, Nets::default())] {
        let settings = Settings { level: 18, ..Settings::default() };
        let profile = profile(image, Feature::Computer);
        let hands = ComputerHands { hertz: 30, ..ComputerHands::default() };
        let mut player = Autopilot::with_hands(profile.clone(), settings, hands, &nets);
        let mut console = console(image);
        let lines = |console: &Console| View::new(&profile.as_mapped(console.ram())).lines();
        let mut raised = false;
        while player.decisions() < 60 {
            assert!(console.frame_number() < 8_000, "{} pieces", player.decisions());
            if !raised && player.decisions() > 0 {
                // Level 41 and 352 lines, as the game counts them.
                for (address, value) in
                    [(ram::LEVEL.at(), 41), (ram::LINES.at(), 0x52), (ram::LINES.at() + 1, 0x03)]
                {
                    console.ram_mut()[address] = value;
                }
                raised = true;
            }
            let buttons = player.prepare(&mut console);
            assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
        }
        let (unit, lines) = (player.thought().map(|thought| thought.unit), lines(&console));
        assert!(lines > 360 && player.mispredictions() <= 1, "{lines} lines");
        assert_eq!(unit, Some(if nets[0].is_some() { Unit::PointsOfLevel(36) } else { Unit::Weights }));
    }
}

#[test]
fn misdrops_come_as_often_as_they_are_set_and_end_a_column_short() {
    for image in [BUILT_IN, SLOW] {
        let hands = ComputerHands { misdrops: [0, 20, 20, 20, 20, 20], seed: 7, ..ComputerHands::default() };
        let (thoughts, _) = thoughts(image, hands, &Nets::default(), 120);
        let misdrops = thoughts.iter().filter(|thought| thought.misdrop).count();
        // Pieces over the spawn column have nothing to miss.
        assert!((6..=36).contains(&misdrops), "{misdrops} of {}", thoughts.len());
    }
}

#[test]
fn without_aggression_it_clears_what_it_can_and_makes_fewer_tetrises() {
    for (image, nets) in [(BUILT_IN, Nets::default()), (SLOW, nets())] {
        let made = |aggression| {
            thoughts(image, ComputerHands { aggression, ..ComputerHands::default() }, &nets, 160).1
        };
        let ([lines, tetrises], [timid_lines, timid_tetrises]) = (made(100), made(0));
        println!("{lines} lines, {tetrises} tetrises; {timid_lines} lines, {timid_tetrises} tetrises");
        assert!(tetrises >= 4 && timid_tetrises * 2 < tetrises, "{tetrises}, {timid_tetrises}");
        assert!(lines > 30 && timid_lines > 30, "{lines}, {timid_lines}");
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p autopilot --test it -- --ignored player_for_points"]
fn the_player_for_points_puts_every_piece_of_20_games_where_it_decided_on_both() {
    let decisions = points(1..21, 330);
    println!("{decisions} decisions");
    assert!(decisions > 20_000);
}

#[test]
fn other_pieces_come_on_both() {
    for image in [BUILT_IN, SLOW] {
        let (mut console, settings) =
            (console(image), Settings { mode: Mode::Teleport, ..Settings::default() });
        let mut player = player(image, settings);
        let mut pieces = Substitution::new(profile(image, Feature::Pieces), core::iter::repeat(Piece::I));
        while View::new(console.ram()).piece_counts()[6] < 20 {
            assert!(console.frame_number() < 4_000, "{:?}", View::new(console.ram()).piece_counts());
            let buttons = player.prepare(&mut console);
            assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut pieces).is_continue());
        }
        assert_eq!(View::new(console.ram()).piece_counts()[..6], [0; 6]);
    }
}
