//! What practice costs a frame: instructions of a game bare, and with a session, its log, its
//! overlay and the kept game.
//!
//! `cargo build --release -p practice --example practice_cost`, then
//! `valgrind --tool=callgrind practice_cost bare 600` and `practice_cost bare 720`, and the same
//! with `practice`: a frame costs a 120th of the difference. The picture is drawn, as in the
//! window.

#![allow(clippy::disallowed_methods, reason = "an example is asked by its arguments")]

use nes::{Buttons, Cartridge, Config, Console};
use practice::{Header, Log, Mode, Options, Recorder, Session};

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let usage = "practice_cost bare|practice FRAMES [MODE]";
    let mut words = std::env::args().skip(1);
    let kind = words.next().ok_or(usage)?;
    let frames: u32 = words.next().ok_or(usage)?.parse()?;
    let mode: Mode = words.next().as_deref().unwrap_or("stacking").parse()?;
    let options = Options::default();
    let mut session = Session::of_image(IMAGE, mode, options)?;
    let mut console = Console::new(
        Cartridge::from_bytes(IMAGE)?,
        Config { sample_rate: Some(48_000), ..Config::default() },
    );
    practice::begin(&mut console, &mut session, 0)?;
    let header = Header {
        mode,
        options,
        cartridge: "Maxout".into(),
        crc32: console.board.cartridge().crc32(),
        begun: 0,
        pieces: None,
        score: None,
    };
    let (mut recorder, mut file) = Recorder::new(&header);
    let (mut log, mut shown) = (Log::default(), 0);
    for frame in 0..frames {
        let held = match frame % 30 {
            0..2 => Buttons::LEFT,
            4..28 => Buttons::DOWN,
            _ => Buttons::empty(),
        };
        if kind == "bare" {
            let _ = console.run_frame(&mut [held, Buttons::empty()], &mut ());
        } else {
            let records = session.frame(&mut console, held);
            log.observe(console.frame_number(), &session, &records);
            file.extend(recorder.push([held, Buttons::empty()]).unwrap_or_default());
            shown += session.overlay().len();
        }
        console.clear_samples();
    }
    println!("{kind}: {} frames, {:016x}, {shown} items, {} bytes", frames, console.state_hash(), file.len());
    Ok(())
}
