//! What is counted in seconds and by gravity, on the PAL build.

use ai::Evaluator;
use nes::{Buttons, Region};
use practice::{Coach, Log, PointsCoach, TapHands, TapTable, last_taps, taps};

use crate::rig::{IMAGES, Rig};

const PAL: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");

#[test]
fn taps_and_coach_go_by_the_seconds_and_the_gravity_of_the_console() {
    for (image, region, gravity, rate) in [
        (IMAGES[0], Region::Ntsc, 3, 60.0988),
        (IMAGES[1], Region::Ntsc, 3, 60.0988),
        (PAL, Region::Pal, 2, 50.0070),
    ] {
        let mut rig = Rig::new(image, "tetris level=18");
        let mut log = Log::default();
        log.begin(rig.console.frame_number(), &rig.session);
        for frame in 0..400 {
            // Four taps to the left, one in every four frames.
            let tap = frame < 16 && frame % 4 == 0;
            let buttons = if tap { Buttons::LEFT } else { Buttons::empty() };
            let records = rig.session.frame(&mut rig.console, buttons);
            log.observe(rig.console.frame_number(), &rig.session, &records);
        }
        assert_eq!((rig.session.region(), log.region()), (region, region));
        let first = &log.pieces[0];
        assert_eq!((first.level, first.frames_per_row, first.region), (18, gravity, region));
        let burst = &taps(&log)[0];
        assert_eq!(burst.intervals, [4, 4, 4]);
        assert!((burst.hertz - rate / 4.0).abs() < 1e-3, "{} on {region} console", burst.hertz);
        assert_eq!(last_taps(&log).as_ref(), Some(burst));
        let table = TapTable::of(&log);
        let row = table.rows()[0];
        assert!(row.needed_most() <= row.made() + 0.1 && row.made() < rate / 4.0 + 0.1, "{row:?}");
        // The hands are slower than the fall: what they reach depends on both.
        let review = Coach::new(Evaluator::ElTetris, TapHands { hertz: 10.0, reaction: 18 }).review(first);
        assert!(review.is_some_and(|review| review.number == 1), "{region} console");
        // The formats of the coach in points are those of NTSC.
        assert_eq!(PointsCoach::pace(first).is_ok(), region == Region::Ntsc);
    }
}

#[test]
fn the_option_has_the_gravity_of_pal_and_the_seconds_of_the_console() {
    for image in IMAGES {
        let mut rig = Rig::new(image, "tetris level=18 pal=on");
        let mut log = Log::default();
        log.begin(rig.console.frame_number(), &rig.session);
        rig.hold(Buttons::empty());
        assert_eq!((log.pieces[0].frames_per_row, log.region()), (2, Region::Ntsc));
    }
}
