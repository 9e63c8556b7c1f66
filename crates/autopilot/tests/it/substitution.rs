//! Another sequence of pieces in the built-in cartridge, which stays as it is.

use autopilot::Substitution;
use nes::{Buttons, Cartridge, Config, Console};
use randomizers::{Dealer, Kind};
use tetris::{Orientation, Piece, Profile, View, hooks, ram};

use nes_testing::MAXOUT as IMAGE;

fn console() -> Console {
    Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config { video: false, ..Config::default() })
}

fn seven_bag() -> Dealer {
    Kind::Tetrio7Bag.dealer("7").unwrap()
}

fn substitution(pieces: impl Iterator<Item = Piece> + Send + 'static) -> Substitution {
    Substitution::new(Profile::of_image(IMAGE).unwrap(), pieces)
}

/// A frame, by the game's choice where nothing is substituted.
fn frame(console: &mut Console, pieces: Option<&mut Substitution>, buttons: Buttons) {
    let mut pads = [buttons, Buttons::empty()];
    match pieces {
        Some(pieces) => assert!(console.run_frame(&mut pads, pieces).is_continue()),
        None => assert!(console.run_frame(&mut pads, &mut ()).is_continue()),
    }
}

fn in_game(console: &Console) -> bool {
    let view = View::new(console.ram());
    view.in_game() && view.in_play()
}

/// Presses Start until a game is on.
fn start(console: &mut Console, mut pieces: Option<&mut Substitution>) {
    for count in 0..2_000 {
        if in_game(console) {
            return;
        }
        let buttons = if count % 20 == 0 { Buttons::START } else { Buttons::empty() };
        frame(console, pieces.as_deref_mut(), buttons);
    }
    panic!("no game after 2,000 frames");
}

/// Drops piece after piece into a field that is emptied, and notes what is in play and then what
/// comes next, until so many pieces were seen.
fn play(console: &mut Console, pieces: &mut Substitution, count: usize) -> String {
    let mut seen = String::new();
    let mut number = View::new(console.ram()).piece_counts().iter().sum::<u32>();
    seen.extend(View::new(console.ram()).piece().map(Piece::letter));
    seen.extend(View::new(console.ram()).next().map(Piece::letter));
    for time in 0..100_000 {
        if seen.len() >= count {
            return seen;
        }
        console.ram_mut()[ram::PLAYFIELD.range()].fill(0xEF);
        let buttons = if time % 24 == 0 { Buttons::empty() } else { Buttons::DOWN };
        frame(console, Some(pieces), buttons);
        let view = View::new(console.ram());
        let counted = view.piece_counts().iter().sum();
        if number != counted {
            number = counted;
            seen.extend(view.next().map(Piece::letter));
        }
    }
    panic!("{} pieces in 100,000 frames", seen.len());
}

fn letters(pieces: impl Iterator<Item = Piece>, count: usize) -> String {
    pieces.take(count).map(Piece::letter).collect()
}

#[test]
fn a_played_game_shows_the_dealt_pieces_and_no_others() {
    let (mut console, mut pieces) = (console(), substitution(seven_bag()));
    start(&mut console, Some(&mut pieces));
    assert_eq!(play(&mut console, &mut pieces, 120), letters(seven_bag(), 120));
}

#[test]
fn the_pickers_memory_is_that_of_the_undisturbed_run_and_the_program_is_the_same() {
    let (mut plain, mut other, mut pieces) = (console(), console(), substitution(seven_bag()));
    let program = |console: &Console| (0x8000..=0xFFFF).map(|at| console.peek(at)).collect::<Vec<_>>();
    let before = program(&other);
    start(&mut plain, None);
    start(&mut other, Some(&mut pieces));
    assert_eq!(plain.frame_number(), other.frame_number());
    let memory = |console: &Console| console.ram()[ram::LFSR.at()..=ram::SPAWN_COUNT.at()].to_vec();
    let (mut shown, mut picks, mut rolled_again) = (String::new(), 0, 0);
    for time in 0..12_000_u32 {
        // Picks in the same frames of both runs, long before a piece could land: by a poke.
        if time % 40 == 7 + time / 40 % 5 {
            for console in [&mut plain, &mut other] {
                console.ram_mut()[ram::PLAY_STATE.at()] = 8;
            }
        }
        let (lfsr, count) = (View::new(plain.ram()).lfsr(), plain.ram()[ram::SPAWN_COUNT.at()]);
        frame(&mut plain, None, Buttons::empty());
        frame(&mut other, Some(&mut pieces), Buttons::empty());
        assert_eq!(memory(&plain), memory(&other), "frame {}", plain.frame_number());
        if count != plain.ram()[ram::SPAWN_COUNT.at()] {
            picks += 1;
            let once = tetris::lfsr::step(lfsr);
            rolled_again += u32::from(View::new(plain.ram()).lfsr() != once);
            shown.extend(View::new(other.ram()).next().map(Piece::letter));
            assert_eq!(plain.ram()[ram::NEXT_PIECE.at()], plain.ram()[ram::LAST_PIECE.at()]);
        }
    }
    assert!(picks > 250 && rolled_again > 30, "{picks} picks, {rolled_again} of them with a second roll");
    assert_eq!(shown, letters(seven_bag().skip(2), picks));
    assert_eq!(program(&other), before);
}

#[test]
fn a_sequence_that_ends_leaves_the_choice_to_the_game() {
    let (mut console, mut pieces) = (console(), substitution([Piece::I; 9].into_iter()));
    start(&mut console, Some(&mut pieces));
    let seen = play(&mut console, &mut pieces, 30);
    assert_eq!(&seen[..9], "IIIIIIIII");
    assert!(seen[9..].chars().any(|letter| letter != 'I'), "{seen}");
    assert_eq!(console.ram()[ram::NEXT_PIECE.at()], console.ram()[ram::LAST_PIECE.at()]);
}

#[test]
fn a_new_game_begins_anew_and_a_loaded_state_goes_on_where_it_was() {
    let (mut console, mut pieces) = (console(), substitution(seven_bag()));
    start(&mut console, Some(&mut pieces));
    play(&mut console, &mut pieces, 20);
    let saved = console.save();
    let rest = play(&mut console, &mut pieces, 20);
    console.load(&saved).unwrap();
    assert_eq!(play(&mut console, &mut substitution(seven_bag()), 20), rest);
    console.reset();
    while in_game(&console) {
        frame(&mut console, Some(&mut pieces), Buttons::empty()); // until the reset has cleared RAM
    }
    start(&mut console, Some(&mut pieces));
    assert_eq!(play(&mut console, &mut pieces, 20), letters(seven_bag(), 20));
}

#[test]
fn a_console_met_right_behind_the_hook_gets_its_piece_and_a_clone_deals_it_too() {
    let profile = Profile::of_image(IMAGE).expect("it is known");
    let hook = profile.address(hooks::NEW_PIECE);
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).expect("a cartridge"), Config::default());
    // Into a game by Start, and on with Down until the game itself has chosen the third piece.
    let mut pads = [Buttons::empty(); 2];
    let counted = |console: &Console| -> u32 {
        View::new(&profile.as_mapped(console.ram())).piece_counts().iter().sum()
    };
    while console.cpu.pc != hook || counted(&console) < 2 {
        let start = counted(&console) == 0 && console.frame_number() % 60 < 3;
        pads[0] = if start { Buttons::START } else { Buttons::DOWN };
        assert!(console.frame_number() < 3000, "a game begins");
        let _ = console.step(&mut pads, &mut ());
    }
    let _ = console.step(&mut pads, &mut ());
    let chosen = console.cpu.a;
    let other = [Piece::I, Piece::O].into_iter().find(|&piece| Orientation::spawn(piece).id() != chosen);
    let other = other.expect("one of two");
    let mut pieces = Substitution::new(profile.clone(), std::iter::repeat(other));
    let mut stranger = pieces.clone();
    pieces.resync(&console);
    let mut clone = pieces.clone();
    let next = |pieces: &mut Substitution| {
        let mut console = console.clone();
        let _ = console.run_frame(&mut pads.clone(), pieces);
        View::new(&profile.as_mapped(console.ram())).next()
    };
    assert_eq!([next(&mut pieces), next(&mut clone)], [Some(other); 2]);
    assert_ne!(next(&mut stranger), Some(other), "who has not met it lets the game choose");
}
