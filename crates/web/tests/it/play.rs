//! Cartridges, frames, states, the way back, movies.

use nes::fm2::Movie;
use nes::{Cartridge, Config, Console};
use web::Machine;

use crate::{MOVIE, SLOW, START, both_cartridges, field};

/// The hash after the movie on a bare console: what the command line prints.
fn native() -> u64 {
    let movie = Movie::parse(MOVIE).unwrap();
    let image = include_bytes!("../../../../roms/maxout.nes");
    let config = Config { video: false, ram_fill: movie.ram.into(), ..Config::default() };
    let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), config);
    for frame in &movie.frames {
        let _ = console.run_frame(&mut frame.pads.clone(), &mut ());
    }
    console.state_hash()
}

#[test]
fn a_movie_gives_the_hash_that_a_bare_console_gives() {
    let mut machine = Machine::new(44_100);
    let length = machine.play_movie("game.fm2", MOVIE).unwrap();
    for frame in 0..length {
        assert_eq!(machine.movie(), Some([frame, length]));
        machine.frame([0, 0]);
    }
    assert_eq!(machine.state_hash(), native());
    assert_eq!(machine.movie(), None, "it is over");
}

#[test]
fn a_frame_has_a_picture_and_its_share_of_a_second_of_sound() {
    let mut machine = Machine::new(48_000);
    // The first frame ends with the first vertical blank: it is shorter.
    machine.frame([0, 0]);
    let mut samples = 0;
    for _ in 0..600 {
        machine.frame([0, 0]);
        samples += machine.samples().len();
    }
    let expected = 600.0 * 48_000.0 / machine.frame_rate();
    assert!((samples as f64 - expected).abs() < 2.0, "{samples} samples, expected {expected}");
    let picture = machine.paint().to_vec();
    assert_eq!(picture.len(), 4 * web::WIDTH * web::HEIGHT);
    assert!(picture.chunks(4).any(|pixel| pixel[..3] != picture[..3]), "more than one colour");
    machine.set_colours("grey").unwrap();
    assert!(machine.paint().chunks(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]));
    assert!(machine.set_colours("purple").unwrap_err().to_string().contains("expected"));
}

#[test]
fn a_state_is_the_moment_that_it_was_saved_at_and_another_cartridges_is_refused() {
    both_cartridges(|mut machine| {
        (0..400).for_each(|_| machine.frame([0, 0]));
        let (state, hash) = (machine.save(), machine.state_hash());
        (0..100).for_each(|_| machine.frame([START, 0]));
        let later = machine.state_hash();
        machine.load(&state).unwrap();
        assert_eq!(machine.state_hash(), hash);
        (0..100).for_each(|_| machine.frame([START, 0]));
        assert_eq!(machine.state_hash(), later, "it goes on as it went");
        let mut damaged = state.clone();
        damaged[1000] ^= 1;
        assert!(machine.load(&damaged).is_err());
        assert_eq!(machine.state_hash(), later, "nothing has changed");
    });
    let mut machine = Machine::new(48_000);
    let state = machine.save();
    machine.insert("maxout-slow.nes", SLOW, &[]).unwrap();
    assert!(machine.load(&state).unwrap_err().to_string().contains("saved state"));
}

#[test]
fn the_way_back_comes_through_the_moments_that_were_played() {
    both_cartridges(|mut machine| {
        let mut hashes = Vec::new();
        for frame in 0..300_u32 {
            hashes.push(machine.state_hash());
            machine.frame([if frame % 40 == 0 { START } else { 0 }, 0]);
        }
        for step in 1..=60 {
            assert!(machine.step_back());
            assert_eq!(machine.state_hash(), hashes[300 - 3 * step], "step {step}");
        }
        assert_eq!(machine.samples().iter().filter(|sample| **sample != 0.0).count(), 0);
        machine.power();
        assert!(!machine.step_back(), "there is nothing before power-on");
    });
}

#[test]
fn running_ahead_shows_a_later_picture_and_changes_nothing() {
    let mut plain = Machine::new(48_000);
    let mut ahead = Machine::new(48_000);
    ahead.set_ahead(2);
    let mut pictures = Vec::new();
    for frame in 0..200 {
        plain.frame([0, 0]);
        ahead.frame([0, 0]);
        pictures.push(plain.paint().to_vec());
        if frame >= 100 {
            assert_eq!(plain.state_hash(), ahead.state_hash());
        }
    }
    let shown = ahead.paint().to_vec();
    plain.frame([0, 0]);
    plain.frame([0, 0]);
    assert!(shown == plain.paint(), "the picture of two frames later");
}

#[test]
fn what_is_no_cartridge_is_refused_by_its_name_and_the_game_goes_on() {
    let mut machine = Machine::new(48_000);
    machine.frame([0, 0]);
    let hash = machine.state_hash();
    for bytes in [b"not a cartridge".as_slice(), &SLOW[..1_000], b"PK\x03\x04"] {
        let error = machine.insert("mine.nes", bytes, &[]).unwrap_err().to_string();
        assert!(error.starts_with("mine.nes: "), "{error}");
    }
    assert_eq!(machine.state_hash(), hash);
    assert_eq!(field(&machine.status(), "/name"), "Maxout");
    machine.insert("maxout-slow.nes", SLOW, &[]).unwrap();
    assert_eq!(field(&machine.status(), "/name"), "maxout-slow.nes");
    assert!(machine.insert("empty.nes", &[], &[]).unwrap_err().to_string().starts_with("empty.nes: "));
    machine.insert_built_in().unwrap();
    assert_eq!(field(&machine.status(), "/name"), "Maxout");
}

#[test]
fn another_rate_of_samples_leaves_the_machine_as_it_is() {
    let mut machine = Machine::new(48_000);
    (0..50).for_each(|_| machine.frame([0, 0]));
    let hash = machine.state_hash();
    machine.set_rate(44_100);
    assert_eq!(machine.state_hash(), hash);
    (0..2).for_each(|_| machine.frame([0, 0]));
    assert!((730..740).contains(&machine.samples().len()), "{}", machine.samples().len());
}
