//! The slow build of the cartridge: it takes the US game's time to score a lock, and crashes as
//! that does.

mod crashes;
mod cycles;
mod scene;

use std::sync::OnceLock;

use nes::{Buttons, Cartridge, Config, Console};
use tetris::Profile;

pub(crate) const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");

/// What is known of it, by its hash alone.
fn profile() -> Profile {
    Profile::of_image(IMAGE).expect("roms/maxout-slow.sha1 has the image's hash")
}

/// A game of the A-type, its first piece in play.
fn in_play() -> Console {
    static PLAY: OnceLock<Console> = OnceLock::new();
    let play = || {
        let cartridge = Cartridge::from_bytes(IMAGE).expect("the image is a cartridge");
        let mut console = Console::new(cartridge, Config { video: false, ..Config::default() });
        for frame in 0..3_000 {
            let buttons = if frame % 6 == 0 { Buttons::START } else { Buttons::empty() };
            let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
            let view = tetris::View::new(console.ram());
            if view.in_game() && view.in_play() && view.play_state() == tetris::ram::play_state::ACTIVE {
                (0..20).for_each(|_| scene::frame(&mut console, Buttons::empty()));
                return console;
            }
        }
        panic!("Start every six frames did not lead to a game");
    };
    PLAY.get_or_init(play).clone()
}
