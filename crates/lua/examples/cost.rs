//! What scripts cost: `cargo run --release -p nes-lua --example cost` prints CPU time.
//!
//! `-- frames MODE N` runs N frames of the built-in cartridge after 600 of warming up, for
//! callgrind to count instructions: `bare` without a script, `idle` beside a script that hooks
//! nothing, `hook` with a function for writes to an address that nothing writes to, `many` to a
//! thousand such addresses, `three` with one of each kind.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures and asks")]

use std::hint::black_box;

use cpu_time::ProcessTime;
use nes::{Buttons, Cartridge, Config, Console};
use nes_lua::{Output, Script};

const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
const PADS: [Buttons; 2] = [Buttons::empty(); 2];
const WARM_UP: u32 = 600;

fn console() -> Console {
    let cartridge = Cartridge::from_bytes(IMAGE).expect("the built-in cartridge");
    let mut console = Console::new(cartridge, Config { video: false, ..Config::default() });
    for _ in 0..WARM_UP {
        let _ = console.run_frame(&mut PADS.clone(), &mut ());
    }
    console
}

fn script(source: &str) -> Script {
    Script::load(source.as_bytes(), "cost.lua").expect("a script")
}

/// CPU seconds of a script's first frame, which does the work.
fn seconds(source: &str) -> f64 {
    let (mut console, mut script) = (console(), script(source));
    let begun = ProcessTime::now();
    script.frame(&mut console, PADS).expect("no error");
    let seconds = begun.elapsed().as_secs_f64();
    for Output::Line(text) | Output::Message(text) in script.take_output() {
        println!("{text}");
    }
    seconds
}

/// CPU seconds of 1,200 frames beside a script.
fn frames(source: &str) -> f64 {
    let (mut console, mut script) = (console(), script(source));
    let begun = ProcessTime::now();
    for _ in 0..1200 {
        black_box(script.frame(&mut console, PADS).expect("no error"));
    }
    begun.elapsed().as_secs_f64()
}

const MODES: [(&str, &str); 4] = [
    ("idle", ""),
    ("hook", "memory.registerwrite(0x5000, function() error('never') end)"),
    ("many", "memory.registerwrite(0x5000, 1000, function() error('never') end)"),
    (
        "three",
        "local function never() error('never') end
         memory.registerwrite(0x5000, never) memory.registerread(0x5000, never) memory.registerexec(0x5000, never)",
    ),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [_, mode, count] = &arguments[..] {
        let count: u32 = count.parse().expect("a number of frames");
        let mut console = console();
        let source = MODES.iter().find(|(name, _)| name == mode).map(|(_, source)| source);
        let mut script = source.map(|source| script(source));
        for _ in 0..count {
            match &mut script {
                Some(script) => drop(script.frame(&mut console, PADS).expect("no error")),
                None => drop(console.run_frame(&mut PADS.clone(), &mut ())),
            }
        }
        return;
    }
    let millions = |seconds: f64| 3.0 / seconds;
    println!(
        "memory.readbyte     {:6.1} million a CPU second",
        millions(seconds("local read = memory.readbyte for i = 1, 3e6 do read(0x17) end",))
    );
    println!(
        "memory.readbyte     {:6.1} million a CPU second, looked up in its table",
        millions(seconds("for i = 1, 3e6 do memory.readbyte(0x17) end",))
    );
    println!(
        "memory.writebyte    {:6.1} million a CPU second",
        millions(seconds("for i = 1, 3e6 do memory.writebyte(0x7F0, i) end",))
    );
    println!(
        "memory.readbyterange of 200 {:.2} million a CPU second",
        millions(seconds("for i = 1, 3e6 do memory.readbyterange(0x400, 200) end",))
    );
    for (name, source) in MODES {
        println!("frames, {name:5} {:8.0} a CPU second", 1200.0 / frames(source));
    }
}
