//! What rails cost: no frame between a press and its picture, and little work.

use std::hash::{DefaultHasher, Hash, Hasher};

use nes::{Buttons, Cartridge};

use super::*;
use crate::Options;
use crate::emulation::latency::latency_test;
use crate::emulation::machine::Machine;
use crate::messages::handle::Shared;
use crate::messages::status::Notice;
use crate::ui::view::lays_out;

const IMAGE: &[u8] = include_bytes!("../../../../../../roms/maxout.nes");
const WINDOW: (u32, u32, f64) = (1280, 800, 1.0);

/// Frames until a game is on, and those that are looked at then.
const WARM_UP: u32 = 900;
const LOOKED_AT: u32 = 40;

/// Plays with rails or without, running `ahead` frames ahead, and presses Left at a frame. Returns
/// the pictures that a display of as many pictures a second is given.
fn pictures(has_rails: bool, ahead: u8, pressed_at: Option<u32>) -> Vec<u64> {
    let shared = Arc::new(Shared::new());
    let mut options = Options::new("game", IMAGE.to_vec());
    options.prints = false;
    options.settings.time.run_ahead = ahead;
    let cartridge = Cartridge::from_bytes(IMAGE).expect("a cartridge");
    let mut machine = Machine::new(cartridge, &options, Arc::clone(&shared), (|_| {}) as fn(Notice));
    let mut screen = Screen::of(Room::beside(Arc::clone(&shared)), WINDOW);
    let look = &mut screen.room.state.settings.look;
    (look.left_rail, look.right_rail) = (has_rails, has_rails);
    for frame in 0..WARM_UP {
        shared.input.hold(0, if frame % 60 < 3 { Buttons::START } else { Buttons::empty() });
        machine.frame();
    }
    let (mut since, mut laid_out) = (None, 0);
    let mut shown = vec![];
    for frame in 0..LOOKED_AT {
        let is_held = pressed_at.is_some_and(|at| (at..at + 4).contains(&frame));
        shared.input.hold(0, if is_held { Buttons::LEFT } else { Buttons::empty() });
        machine.frame();
        screen.room.state.update_status();
        let has_new = screen.room.state.take_pictures();
        since = since.map(|since| since + Duration::from_secs(1) / 60);
        if lays_out(false, since) {
            let output = screen.draw(WINDOW);
            assert_eq!(screen.layout.left.is_some() && screen.layout.right.is_some(), has_rails);
            assert!(!has_rails || texts(&output).count() > 20, "the rails say something");
            (since, laid_out) = (Some(Duration::ZERO), laid_out + 1);
        }
        assert!(has_new, "a picture for every frame");
        let mut hasher = DefaultHasher::new();
        screen.room.state.presented.dots.hash(&mut hasher);
        shown.push(hasher.finish());
    }
    assert!((10..=11).contains(&laid_out), "fifteen times a second: {laid_out}");
    shown
}

/// Returns the frames from the press to the first picture that it changes, that picture included.
fn frames_to_a_change(has_rails: bool, ahead: u8, pressed_at: u32) -> Option<usize> {
    let [idle, pressed] = [None, Some(pressed_at)].map(|at| pictures(has_rails, ahead, at));
    let changed = idle.iter().zip(&pressed).position(|(idle, pressed)| idle != pressed)?;
    Some(changed + 1 - pressed_at as usize)
}

#[test]
fn rails_cost_no_frame() {
    let measured = latency_test(&Options::new("", IMAGE.to_vec())).expect("a cartridge");
    for ahead in [0, 1] {
        let expected = measured[usize::from(ahead)].as_ref().map(|latency| latency.frames as usize);
        // Between and at the frames in which the rails are laid out.
        for pressed_at in [4, 7] {
            let [without, with] =
                [false, true].map(|has_rails| frames_to_a_change(has_rails, ahead, pressed_at));
            assert_eq!((without, with), (expected, expected), "{ahead} ahead, pressed at {pressed_at}");
        }
    }
}

#[test]
fn rails_are_little_work() {
    for (name, change) in STATES {
        let mut screen = Screen::new(WINDOW);
        change(&mut screen.room);
        let output = screen.draw(WINDOW);
        let shapes = output.shapes.len();
        let meshes = screen.context.tessellate(output.shapes, output.pixels_per_point);
        let corners: usize = meshes
            .iter()
            .map(|mesh| match &mesh.primitive {
                egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
                egui::epaint::Primitive::Callback(_) => 0,
            })
            .sum();
        assert!(shapes < 450 && corners < 16_000, "{name}: {shapes} shapes, {corners} corners");
    }
}

/// Returns the median milliseconds of some calls.
fn median(count: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            let begun = std::time::Instant::now();
            call();
            begun.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[count / 2]
}

#[test]
#[ignore = "measures times: cargo test --profile fuzz -p desktop --lib what_drawing_costs -- --ignored --nocapture"]
fn what_drawing_costs() {
    // `draw` lays out three times.
    for (name, change) in STATES {
        let mut screen = Screen::new(WINDOW);
        change(&mut screen.room);
        screen.draw(WINDOW);
        let once = median(100, || drop(screen.draw(WINDOW))) / 3.0;
        println!("laying out the rails, {name}: {once:.2} ms");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for begun in 0..10_000_u64 {
        let path = folder.path().join(format!("{begun}.mxgame"));
        crate::ui::games::tests::write_game(&path, begun, &[("score", &begun.to_string()), ("level", "19")]);
    }
    let read = median(1, || drop(crate::ui::games::list(folder.path())));
    println!("10,000 kept games, read for the first time: {read:.0} ms");
    let listed = median(5, || drop(crate::ui::games::list(folder.path())));
    println!("10,000 kept games, from their index: {listed:.0} ms");
    let games = crate::ui::games::list(folder.path());
    let opened = median(5, || {
        let mut screen = Screen::new(WINDOW);
        screen.room.state.menu.open_section(Page::Games);
        screen.room.state.menu.games = games.clone();
        screen.draw(WINDOW);
    });
    println!("10,000 kept games, the page drawn for the first time: {opened:.0} ms");
    let mut screen = Screen::new(WINDOW);
    screen.room.state.menu.open_section(Page::Games);
    screen.room.state.menu.games = games;
    screen.draw(WINDOW);
    let scrolled = median(100, || {
        screen.room.state.step(Step::PageDown);
        screen.draw(WINDOW);
    });
    println!("10,000 kept games, a page further: {:.1} ms", scrolled / 3.0);
}
