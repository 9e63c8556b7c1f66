use nes::Extra;

use super::*;

/// The built-in cartridge, which strobes in every frame.
const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout.nes");

fn emulator() -> Emulator {
    let config = Config { sample_rate: Some(48_000), ..Config::default() };
    Emulator::new(Cartridge::from_bytes(IMAGE).unwrap(), config, RewindLimits::default())
}

/// Returns what is held in frame `frame`: Start now and then, and whatever.
fn pads(frame: u64) -> [Buttons; 2] {
    let bits = if frame % 40 < 2 { 0x10 } else { ((frame * 0x9E37) >> 7) as u8 & 0xC7 };
    [Buttons::from_bits_retain(bits), Buttons::empty()]
}

fn play(emulator: &mut Emulator, frames: u64) {
    for _ in 0..frames {
        let mut pads = pads(emulator.movie.frame());
        emulator.frame(&mut pads, Attached::default());
    }
}

fn hash(emulator: &Emulator) -> u64 {
    emulator.state_hash()
}

#[test]
fn running_ahead_changes_the_picture_and_nothing_else() {
    let (mut plain, mut ahead) = (emulator(), emulator());
    ahead.set_ahead(1);
    let mut next = None;
    for frame in 0..400 {
        play(&mut plain, 1);
        play(&mut ahead, 1);
        assert_eq!(hash(&plain), hash(&ahead));
        assert_eq!(plain.sound(), ahead.sound());
        if let Some((held, picture)) = next.replace((pads(frame), ahead.picture().clone()))
            && held == pads(frame)
        {
            assert!(plain.picture() == &picture, "frame {frame} was seen a frame before");
        }
    }
}

#[test]
fn a_muted_channel_changes_the_sound_as_it_does_headless_and_nothing_else() {
    let (mut plain, mut muted) = (emulator(), emulator());
    muted.mute(&[Channel::Pulse1]);
    let mut headless = plain.state().clone();
    headless.set_channel_levels(ChannelLevels::without([Channel::Pulse1]));
    let mut heard = (0.0, 0.0);
    for frame in 0..600 {
        play(&mut plain, 1);
        play(&mut muted, 1);
        headless.clear_samples();
        let _ = headless.run_frame(&mut pads(frame), &mut ());
        assert_eq!(muted.sound(), headless.samples(), "frame {frame}");
        let power = |sound: &[f32]| sound.iter().map(|sample| sample * sample).sum::<f32>();
        heard = (heard.0 + power(plain.sound()), heard.1 + power(muted.sound()));
    }
    assert_eq!(hash(&plain), hash(&muted));
    assert!(heard.1 < heard.0 * 0.99, "{heard:?}");
}

#[test]
fn on_the_way_back_a_muted_channel_is_as_silent_as_on_the_way_there() {
    let power = |emulator: &Emulator| emulator.sound().iter().map(|sample| sample * sample).sum::<f32>();
    let [plain, muted] = [&[][..], &[Channel::Pulse1, Channel::Triangle]].map(|channels| {
        let mut emulator = emulator();
        emulator.mute(channels);
        play(&mut emulator, 400);
        let (mut forth, mut back) = (0.0, 0.0);
        for _ in 0..100 {
            play(&mut emulator, 1);
            forth += power(&emulator);
        }
        for _ in 0..100 {
            assert!(emulator.step_back());
            back += power(&emulator);
        }
        (forth, back)
    });
    // Every frame that is gone back to begins with a step from the level of another, so both ways
    // do not sound alike.
    let (forth, back) = (muted.0 / plain.0, muted.1 / plain.1);
    assert!(forth > 0.0 && forth < 0.9 && (forth - back).abs() < 0.1, "{muted:?} of {plain:?}");
}

#[test]
fn muted_channels_are_silent_on_the_way_back_and_after_the_power_was_switched_as_well() {
    let mut emulator = emulator();
    emulator.mute(&Channel::ALL);
    play(&mut emulator, 300);
    emulator.record_power_cycle();
    play(&mut emulator, 300);
    for _ in 0..400 {
        assert!(emulator.step_back() && emulator.sound().iter().all(|&sample| sample == 0.0));
    }
    emulator.mute(&[]);
    play(&mut emulator, 400);
    let sounds = |emulator: &mut Emulator| {
        emulator.step_back() && emulator.sound().iter().any(|&sample| sample != 0.0)
    };
    assert!((0..100).any(|_| sounds(&mut emulator)), "nothing sounds at all");
}

#[test]
fn what_was_rewound_and_played_again_is_the_same() {
    let mut emulator = emulator();
    play(&mut emulator, 300);
    let there = hash(&emulator);
    for _ in 0..200 {
        assert!(emulator.step_back());
    }
    assert_eq!(emulator.movie.frame(), 100);
    play(&mut emulator, 200);
    assert_eq!(hash(&emulator), there);
}

#[test]
fn a_step_back_shows_and_sounds_the_frame_that_it_undoes() {
    let mut emulator = emulator();
    play(&mut emulator, 200);
    let picture = emulator.picture().clone();
    let samples = emulator.sound().len();
    assert!(emulator.step_back());
    assert!(emulator.picture() == &picture);
    assert!(emulator.sound().len().abs_diff(samples) <= 1);
    let mut fresh = super::tests::emulator();
    assert!(!fresh.step_back());
}

#[test]
fn a_minute_of_play_takes_less_than_64_mib_to_go_back_through() {
    let mut emulator = emulator();
    play(&mut emulator, 3660);
    assert!(emulator.rewind.len() >= 3607, "{}", emulator.rewind.len());
    assert!(emulator.rewind.bytes() < 4 << 20, "{}", emulator.rewind.bytes());
}

#[test]
fn a_reset_is_part_of_the_movie_and_of_the_way_back() {
    let mut emulator = emulator();
    play(&mut emulator, 50);
    emulator.reset();
    play(&mut emulator, 20);
    let there = hash(&emulator);
    for _ in 0..20 {
        emulator.step_back();
    }
    play(&mut emulator, 20);
    assert_eq!(hash(&emulator), there);
    assert_eq!(emulator.movie.log()[50].commands, Commands::RESET);
}

#[test]
fn a_state_brings_its_log_along() {
    let mut emulator = emulator();
    play(&mut emulator, 120);
    let (state, log) = (emulator.save(), emulator.movie.log().to_vec());
    play(&mut emulator, 60);
    emulator.load(&state, log, RamInit::default()).unwrap();
    assert_eq!((emulator.movie.frame(), emulator.frame_number()), (120, 120));
    assert!(matches!(emulator.load(b"MXS", vec![], RamInit::default()), Err(LoadError::State(_))));
    assert_eq!(emulator.movie.frame(), 120);
}

/// Another sequence of pieces for the built-in cartridge.
fn pieces() -> Pieces {
    let profile = tetris::Profile::of_image(IMAGE).unwrap();
    let dealer = randomizers::Kind::Tgm3.dealer("7").unwrap();
    Pieces::new(autopilot::Substitution::new(profile, dealer), "--randomizer tgm3 --seed 7")
}

/// From here on the game is on to which Start, pressed every 40 frames, leads.
const GAME: u64 = 900;

/// Into a game by Start, and then Down: a piece a second.
fn held(frame: u64) -> [Buttons; 2] {
    let buttons = match frame {
        0..GAME if frame % 40 < 2 => Buttons::START,
        GAME.. if frame % 50 > 1 => Buttons::DOWN,
        _ => Buttons::empty(),
    };
    [buttons, Buttons::empty()]
}

#[test]
fn other_pieces_go_along_through_rewinds_states_and_frames_run_ahead() {
    const FRAMES: u64 = 1500;
    let cartridge = || Cartridge::from_bytes(IMAGE).unwrap();
    let mut plain = Console::new(cartridge(), Config::default());
    let (mut other, mut substitution) = (plain.clone(), pieces().substitution);
    for frame in 0..FRAMES {
        let _ = plain.run_frame(&mut held(frame), &mut ());
        let _ = other.run_frame(&mut held(frame), &mut substitution);
    }
    assert_ne!(plain.state_hash(), other.state_hash(), "pieces have come");

    let mut emulator = emulator();
    emulator.set_pieces(Some(pieces()));
    emulator.set_ahead(2);
    emulator.mute(&[Channel::Noise]);
    let play = |emulator: &mut Emulator, until: u64| {
        while emulator.movie.frame() < until {
            emulator.frame(&mut held(emulator.movie.frame()), Attached::default());
        }
    };
    play(&mut emulator, 1000);
    let (state, log) = (emulator.save(), emulator.movie.log().to_vec());
    play(&mut emulator, 1350);
    (0..250).for_each(|_| assert!(emulator.step_back()));
    play(&mut emulator, 1200);
    emulator.load(&state, log, RamInit::default()).unwrap();
    let mut clone = emulator.clone();
    emulator.mute(&[]);
    play(&mut emulator, FRAMES);
    play(&mut clone, FRAMES);
    assert_eq!([hash(&emulator), hash(&clone)], [other.state_hash(); 2]);
}

#[test]
fn other_pieces_are_dropped_with_their_cartridge_and_stay_with_its_like() {
    let mut emulator = emulator();
    emulator.set_pieces(Some(pieces()));
    assert!(emulator.insert(Cartridge::from_bytes(IMAGE).unwrap(), &[]).is_none());
    assert_eq!(emulator.pieces(), Some("--randomizer tgm3 --seed 7"));
    let mut image = IMAGE.to_vec();
    image[20] ^= 1;
    assert!(emulator.insert(Cartridge::from_bytes(&image).unwrap(), &[]).is_some());
    assert_eq!(emulator.pieces(), None);
}

/// Strobes all the time and makes a sum of 24 reads of each port.
const ALL_READS: [u8; 36] = [
    0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40, 0xA2, 0x18, // strobe, X = 24
    0xAD, 0x16, 0x40, 0x45, 0x10, 0x69, 0x07, 0x85, 0x10, // $10 = ($4016 ^ $10) + 7
    0xAD, 0x17, 0x40, 0x45, 0x11, 0x69, 0x03, 0x85, 0x11, // $11 = ($4017 ^ $11) + 3
    0xCA, 0xD0, 0xEB, 0x4C, 0x00, 0x80,
];

#[test]
fn what_other_devices_hold_goes_along_through_movies_rewinds_and_states() {
    const FRAMES: u64 = 120;
    let begin = |devices| {
        let config = Config { devices, ..Config::default() };
        Emulator::new(nes_testing::Image::nrom(&ALL_READS).cartridge(), config, RewindLimits::default())
    };
    for devices in Devices::ALL {
        let held = |frame: u64| {
            let bits = |shift: u32| Buttons::from_bits_retain(((frame * 0x9E37) >> shift) as u8);
            let aim = nes::Aim { x: frame as u8, y: (2 * frame) as u8, trigger: frame % 7 < 2 };
            let extra = match devices {
                Devices::FourScore | Devices::FamicomFour => Extra::Pads([bits(3), bits(5)]),
                Devices::Zapper => Extra::Zapper(aim),
                Devices::Famicom if frame.is_multiple_of(3) => Extra::Microphone,
                Devices::Famicom | Devices::Pads => Extra::None,
            };
            Held { pads: [bits(7), bits(2) - Buttons::SELECT - Buttons::START], extra }
        };
        let play = |emulator: &mut Emulator, until: u64| {
            while emulator.movie.frame() < until {
                emulator.frame(&mut held(emulator.movie.frame()), Attached::default());
            }
        };
        let mut emulator = begin(devices);
        let metadata = crate::MovieMetadata { devices: emulator.devices(), ..Default::default() };
        emulator.movie.record(metadata);
        play(&mut emulator, FRAMES);
        let (there, saved) = (hash(&emulator), emulator.saved());
        let movie = emulator.movie.stop_recording().unwrap();

        let movie = nes::fm2::Movie::parse(movie.to_string().as_bytes()).unwrap();
        assert_eq!((movie.devices, movie.frames.len() as u64), (devices, FRAMES));
        let mut played = begin(movie.devices);
        played.restart_with(&[], movie.ram);
        played.movie.play(movie);
        let mut silent = begin(devices);
        for _ in 0..FRAMES {
            played.frame(&mut [Buttons::empty(); 2], Attached::default());
            silent.frame(&mut [Buttons::empty(); 2], Attached::default());
        }
        assert_eq!(hash(&played), there, "{devices}: the movie");
        assert_ne!(hash(&silent), there, "{devices}");

        assert!(emulator.step_back_by(50));
        assert_eq!(emulator.movie.frame(), FRAMES - 50);
        play(&mut emulator, FRAMES);
        assert_eq!(hash(&emulator), there, "{devices}: the rewind");

        let picture = nes::Frame::default();
        let file = saved.write(&picture, &nes::Palette::ntsc());
        let read = SavedState::read(&file).unwrap();
        assert_eq!(read, saved);
        let mut loaded = begin(devices);
        loaded.load(&read.console, read.log, read.ram).unwrap();
        assert_eq!(hash(&loaded), there, "{devices}: the state");
    }
}
