//! Duels by the rules, on every build of the cartridge.

use autopilot::{ComputerHands, NetSource, Nets};
use tetris::WIDTH;
use tetris::ram::{self, play_state};

use super::*;
use crate::RewindLimits;

/// A cell of the rows that come up.
const BLOCK: u8 = 0x7C;

/// The built-in cartridge.
const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

/// The cartridge that is known by its hash alone.
const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");

fn profile() -> Profile {
    Profile::of_image(IMAGE).unwrap()
}

fn versus(image: &[u8]) -> Versus {
    let profile = Profile::of_image(image).unwrap();
    let cartridge = Cartridge::from_bytes(image).unwrap();
    Versus::new(profile, cartridge, Computer::default(), Nets::default().into())
}

/// Returns a player on a console of their own: Start until a game is on, then whatever `hands`
/// do.
fn play(
    versus: &mut Versus,
    player: &mut Emulator,
    frames: u64,
    hands: fn(u64) -> Buttons,
) -> Vec<VersusEvent> {
    let frame = |frame| {
        let memory = versus.profile.as_mapped(player.state().ram());
        let buttons = match View::new(&memory) {
            view if view.in_play()
                && (play_state::ACTIVE..play_state::CURTAIN).contains(&view.play_state()) =>
            {
                hands(frame)
            }
            _ if frame % 40 < 2 => Buttons::START,
            _ => Buttons::empty(),
        };
        player.frame(&mut [buttons, Buttons::empty()], Attached::default());
        versus.frame(player)
    };
    (0..frames).filter_map(frame).collect()
}

fn emulator(image: &[u8]) -> Emulator {
    Emulator::bare(Cartridge::from_bytes(image).unwrap(), Config::default())
}

fn down(frame: u64) -> Buttons {
    if frame % 30 < 28 { Buttons::DOWN } else { Buttons::empty() }
}

#[test]
fn the_computer_begins_with_the_player_and_wins_when_the_player_is_out() {
    for image in [IMAGE, SLOW] {
        let (mut versus, mut player) = (versus(image), emulator(image));
        let news = play(&mut versus, &mut player, 4000, down);
        let [VersusEvent::Begun(0), VersusEvent::Lost([0, _], _), ref rest @ ..] = news[..] else {
            panic!("{news:?}")
        };
        assert!(news[1].to_string().contains("wins"));
        let lost = news.iter().filter(|news| matches!(news, VersusEvent::Lost(..))).count();
        assert_eq!(versus.wins(), [0, lost as u32]);
        assert_eq!(rest.first(), Some(&VersusEvent::Begun(0)), "and again");
    }
}

#[test]
fn a_match_of_three_goes_on_until_it_is_won_and_then_another_begins() {
    for image in [IMAGE, SLOW] {
        let (mut versus, mut player) = (versus(image), emulator(image));
        versus.set_best_of(3);
        let until_over = |versus: &mut Versus, player: &mut Emulator| {
            for _ in 0..400 {
                let mut news = play(versus, player, 10, down);
                if let Some(over) = news.pop().filter(|news| !matches!(news, VersusEvent::Begun(_))) {
                    return over;
                }
            }
            panic!("the game ends")
        };
        // The computer wins one game, the player the second one.
        let first = until_over(&mut versus, &mut player);
        assert!(first.to_string().ends_with(". The match stands 0:1 of 3. Start: the next game"), "{first}");
        while versus.opponent.is_none() {
            play(&mut versus, &mut player, 10, |_| Buttons::empty());
        }
        assert_eq!((versus.wins(), versus.best_of().winner()), ([0, 1], None));
        versus.opponent.as_mut().expect("it plays").side.pending = 20;
        while versus.opponent.is_some() {
            play(&mut versus, &mut player, 10, |_| Buttons::empty());
        }
        assert_eq!((versus.wins(), versus.outcome()), ([1, 1], VersusOutcome::Won));
        // One that is left counts for neither side.
        versus.begin_anew();
        player = emulator(image);
        assert_eq!(versus.wins(), [1, 1]);
        let last = until_over(&mut versus, &mut player);
        assert!(last.to_string().contains("The match goes to the computer, 1:2 of 3"), "{last}");
        assert_eq!(versus.best_of().winner(), Some(1));
        while versus.opponent.is_none() {
            play(&mut versus, &mut player, 10, |_| Buttons::empty());
        }
        assert_eq!(versus.wins(), [0, 0], "a rematch");
        versus.set_best_of(3);
        assert_eq!(versus.best_of().games(), 3);
        versus.set_best_of(1);
        assert_eq!(versus.wins(), [1, 2], "all games where a match is one");
    }
}

#[test]
fn what_the_player_clears_comes_up_on_the_other_side_with_one_hole_and_before_the_next_piece() {
    let (mut versus, mut player) = (versus(IMAGE), emulator(IMAGE));
    play(&mut versus, &mut player, 800, |_| Buttons::empty());
    let opponent = |versus: &Versus| versus.opponent_console().unwrap().clone();
    let floor = |console: &Console| View::new(console.ram()).playfield()[160..].to_vec();
    let hole = usize::from(View::new(opponent(&versus).ram()).byte(ram::GARBAGE_HOLE));
    for (cleared, expected) in [(1, 0), (2, 1), (3, 2), (4, 4)] {
        let mut versus = versus.clone();
        let mut player = player.clone();
        // As if the game had counted them.
        versus.player.lines = 0;
        player.console().ram_mut()[ram::LINES.at()] = cleared;
        let mut full = 0;
        for _ in 0..900 {
            versus.frame(&mut player);
            let floor = floor(&opponent(&versus));
            let sent =
                |row: &&[u8]| row.iter().enumerate().all(|(at, &cell)| (cell == BLOCK) != (at == hole));
            full = floor.rchunks(WIDTH).take_while(sent).count();
            if full > 0 {
                assert_eq!(View::new(opponent(&versus).ram()).play_state(), play_state::SPAWN);
                break;
            }
        }
        assert_eq!(full, expected, "for {cleared} cleared");
    }
}

#[test]
fn the_player_is_pushed_up_and_a_computer_that_is_out_has_lost() {
    let (mut versus, mut player) = (versus(IMAGE), emulator(IMAGE));
    play(&mut versus, &mut player, 800, |_| Buttons::empty());
    versus.player.pending = 3;
    play(&mut versus, &mut player, 200, down);
    let field = View::new(player.state().ram()).playfield().to_vec();
    let risen: usize = field[170..].iter().map(|&cell| usize::from(cell == BLOCK)).sum();
    assert_eq!(risen, 27, "three rows of nine");
    let there = versus.opponent_console().unwrap().frame_number();
    play(&mut versus, &mut player, 100, |frame| if frame < 2 { Buttons::START } else { Buttons::empty() });
    let waited = 100 - (versus.opponent_console().unwrap().frame_number() - there);
    assert!(waited > 20, "it waits while the player pauses, and waited {waited} frames");
    versus.opponent.as_mut().unwrap().side.pending = 20;
    let news = play(&mut versus, &mut player, 600, |_| Buttons::empty());
    assert!(matches!(news[..], [VersusEvent::Won(..)]), "{news:?}");
    assert_eq!(versus.wins(), [1, 0]);
    let own = View::new(player.state().ram()).score();
    assert!(own > 0 && versus.status().scores[0] == own, "{own}: {:?}", versus.status());
}

/// Has the computer play against itself from level 18, with nets or without on both sides.
/// Returns whether the second has won.
fn second_wins(hertz: u8, nets: [&NetSource; 2], wait: u32) -> bool {
    let computer = Computer::Points(ComputerHands { hertz, ..ComputerHands::default() });
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let mut versus = Versus::new(profile(), cartridge, computer, nets[1].clone());
    let mut player = emulator(IMAGE);
    let of_first = for_duels(nets[0].get()).into();
    player.set_computer(Some(computer.player(profile(), &of_first, 18, wait)));
    loop {
        assert!(player.frame_number() < 100_000, "no end");
        player.frame(&mut [Buttons::empty(); 2], Attached::default());
        match versus.frame(&mut player) {
            Some(VersusEvent::Lost(..)) => return true,
            Some(VersusEvent::Won(..)) => return false,
            _ => {}
        }
    }
}

#[test]
#[ignore = "minutes: cargo test -p emulator --lib nets_beside -- --ignored --nocapture"]
fn nets_beside_weights_in_duels() {
    let (weights, nets) = (NetSource::from(Nets::default()), NetSource::default());
    let won = [30, 20, 15, 12].map(|hertz| {
        let mut won = 0;
        for wait in 0..50 {
            won += u32::from(second_wins(hertz, [&weights, &nets], wait));
            won += u32::from(!second_wins(hertz, [&nets, &weights], wait));
        }
        println!("{hertz} taps a second: nets win {won} of 100 duels");
        won
    });
    assert!(won.iter().all(|&won| won > 50), "{won:?}");
}

#[test]
fn the_computer_plays_against_you_on_a_console_of_your_region() {
    const PAL: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");
    for (image, chosen, region) in [
        (IMAGE, None, Region::Ntsc),
        (IMAGE, Some(Region::Pal), Region::Pal),
        (SLOW, Some(Region::Pal), Region::Pal),
        (PAL, None, Region::Pal),
        (PAL, Some(Region::Ntsc), Region::Ntsc),
    ] {
        let profile = Profile::for_feature(image, tetris::Feature::Versus).unwrap();
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let mut versus = Versus::new(profile, cartridge.clone(), Computer::default(), Nets::default().into());
        let config = Config { region: chosen, video: false, ..Config::default() };
        let mut player = Emulator::new(cartridge, config, RewindLimits::default());
        let begun = (0..1_500).any(|frame| {
            let buttons = if frame % 40 < 2 { Buttons::START } else { Buttons::empty() };
            player.frame(&mut [buttons, Buttons::empty()], Attached::default());
            versus.frame(&mut player).is_some()
        });
        assert!(begun, "no game in 1500 frames");
        assert_eq!((player.region(), versus.opponent_console().unwrap().region()), (region, region));
    }
}
