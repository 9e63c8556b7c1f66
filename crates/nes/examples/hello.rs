//! Runs a cartridge for ten seconds and writes the last picture:
//! `cargo run --release -p nes --example hello -- game.nes picture.png`

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example reads and writes files")]

use nes::{Buttons, Cartridge, Config, Console, Palette};
use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(rom), Some(picture)) = (arguments.next(), arguments.next()) else {
        return Err("usage: hello game.nes picture.png".into());
    };
    let cartridge = Cartridge::from_bytes(&fs::read(rom)?)?;
    let mut console = Console::new(cartridge, Config::default());
    let mut pads = [Buttons::empty(); 2];
    for _ in 0..600 {
        let _ = console.run_frame(&mut pads, &mut ());
    }
    let palette = Palette::ntsc();
    let pixels: Vec<u8> = console.picture().pixels().iter().flat_map(|pixel| palette.rgb(*pixel)).collect();
    let mut encoder = png::Encoder::new(fs::File::create(picture)?, 256, 240);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
