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
fn sound_and_picture_of_what_is_played_become_files() {
    both_cartridges(|mut machine| {
        assert!(machine.begin_recording("mp4").unwrap_err().to_string().contains("expected wav or gif"));
        assert!(machine.end_recording().unwrap().is_empty(), "none is on");
        (0..100).for_each(|_| machine.frame([0, 0]));

        machine.begin_recording("wav").unwrap();
        let mut samples: Vec<i16> = Vec::new();
        for _ in 0..90 {
            machine.frame([0, 0]);
            samples.extend(machine.samples().iter().copied().map(nes::apu::pcm16));
        }
        let status = machine.status();
        assert_eq!(field(&status, "/recording/kind"), "wav");
        assert_eq!(field(&status, "/recording/over"), false);
        let seconds = field(&status, "/recording/seconds").as_f64().unwrap();
        assert!((seconds - 90.0 / machine.frame_rate()).abs() < 1e-9, "{seconds}");
        let file = machine.end_recording().unwrap();
        let mut reader = hound::WavReader::new(&file[..]).unwrap();
        assert_eq!(reader.spec().sample_rate, 48_000);
        assert!(reader.samples::<i16>().map(Result::unwrap).eq(samples));
        assert!(field(&machine.status(), "/recording").is_null());

        machine.begin_recording("gif").unwrap();
        (0..120).for_each(|frame| machine.frame([if frame == 60 { START } else { 0 }, 0]));
        let last = machine.paint().to_vec();
        let file = machine.end_recording().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&file[..]).unwrap();
        assert_eq!((usize::from(decoder.width()), usize::from(decoder.height())), (web::WIDTH, web::HEIGHT));
        let (mut time, mut screen) = (0, vec![0; last.len()]);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            time += u32::from(frame.delay);
            for (at, pixel) in frame.buffer.chunks(4).enumerate() {
                let (x, y) = (at % usize::from(frame.width), at / usize::from(frame.width));
                let place = (y + usize::from(frame.top)) * web::WIDTH + x + usize::from(frame.left);
                screen[4 * place..][..4].copy_from_slice(pixel);
            }
        }
        assert_eq!(time, (12_000.0 / machine.frame_rate()).round() as u32);
        assert!(screen == last, "the second menu stands still at the end");
    });
}

#[test]
fn a_recording_of_sound_ends_where_the_device_has_another_rate() {
    let mut machine = Machine::new(48_000);
    machine.begin_recording("wav").unwrap();
    (0..30).for_each(|_| machine.frame([0, 0]));
    machine.set_rate(44_100);
    (0..30).for_each(|_| machine.frame([0, 0]));
    assert_eq!(field(&machine.status(), "/recording/over"), true);
    let file = machine.end_recording().unwrap();
    let length = hound::WavReader::new(&file[..]).unwrap().duration();
    assert!((23_000..25_000).contains(&length), "half a second: {length}");
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
