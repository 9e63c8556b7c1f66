//! The coach in points, on games of players whose order is known.

use ai::Evaluator;
use autopilot::{Autopilot, ComputerHands, Settings};
use practice::{Log, PointsCoach, TapHands};
use tetris::Profile;
use value::NetSource;

use crate::rig::{IMAGES, Rig};

/// Pieces of a game.
const PIECES: usize = 60;

/// Pieces of a game from level 18 on a cartridge, as a player has placed them.
fn played(image: &'static [u8], mut player: Autopilot, pieces: usize) -> Log {
    let mut rig = Rig::new(image, "tetris level=18");
    let mut log = Log::default();
    log.begin(rig.console.frame_number(), &rig.session);
    for _ in 0..200 * pieces {
        if log.pieces.len() > pieces {
            break;
        }
        let buttons = player.action(&rig.console).buttons;
        let records = rig.session.frame(&mut rig.console, buttons);
        log.observe(rig.console.frame_number(), &rig.session, &records);
    }
    log
}

/// A game that burns, one of the stacking computer and one by nets, of the same cartridge.
fn games(image: &'static [u8], pieces: usize) -> [Log; 3] {
    let profile = Profile::of_image(image).unwrap();
    let by = |evaluator| Settings { level: 18, evaluator, ..Settings::default() };
    let hands = ComputerHands { hertz: 30, reaction: 18, ..ComputerHands::default() };
    let players = [
        Autopilot::new(profile.clone(), by(Evaluator::ElTetris)),
        Autopilot::new(profile.clone(), by(Evaluator::Stacking)),
        Autopilot::with_hands(profile, by(Evaluator::Stacking), hands, NetSource::default().get()),
    ];
    players.map(|player| played(image, player, pieces))
}

/// Mean costs of the placements of games.
fn costs(games: &[Log; 3], coach: &mut PointsCoach) -> [f64; 3] {
    [0, 1, 2].map(|number| {
        let reviews = coach.reviews(&games[number]);
        assert!(reviews.len() >= PIECES, "{} placements of game {number}", reviews.len());
        reviews.iter().map(|review| review.cost).sum::<f64>() / reviews.len() as f64
    })
}

/// The coaches by weights and by nets.
fn coaches(hands: TapHands) -> Vec<(&'static str, PointsCoach)> {
    let by_nets = PointsCoach::with_nets(hands, NetSource::default().get().clone());
    vec![("weights", PointsCoach::new(hands)), ("nets", by_nets)]
}

#[test]
fn by_nets_a_game_that_burns_costs_most_and_the_nets_own_costs_least_by_either() {
    for image in IMAGES {
        let games = games(image, PIECES);
        let hands = TapHands { hertz: 30.0, reaction: 18 };
        for (by, mut coach) in coaches(hands) {
            let [burner, stacker, by_nets] = costs(&games, &mut coach);
            let said = format!("by {by}: {burner:.1} {stacker:.1} {by_nets:.1}");
            println!("{said}");
            assert!(burner > by_nets && stacker > by_nets, "{said}");
            // By weights a clean stack that burns looks cheaper than the stacking computer's.
            assert!(by == "weights" || burner > stacker, "{said}");
        }
    }
}

#[test]
#[ignore = "longer games: cargo test -p practice --test it longer_games -- --ignored --nocapture"]
fn longer_games_have_the_same_order() {
    for image in IMAGES {
        let games = games(image, 450);
        for hertz in [12.0, 30.0] {
            let hands = TapHands { hertz, reaction: 18 };
            for (by, mut coach) in coaches(hands) {
                let [burner, stacker, by_nets] = costs(&games, &mut coach);
                let scores = games.each_ref().map(|game| game.last);
                println!("{hertz} Hz, by {by}: {burner:.1} {stacker:.1} {by_nets:.1}; {scores:?}");
                assert!(burner > by_nets && stacker > by_nets);
            }
        }
    }
}
