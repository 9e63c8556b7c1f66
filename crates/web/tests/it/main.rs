//! The page's machine, natively: what the browser's test repeats there.

#![allow(clippy::disallowed_methods, reason = "tests look at the page's files")]

mod matches;
mod page;
mod play;
mod practise;
mod puzzles;
mod watch;

use web::Machine;

/// A movie of the computer's game, and what `maxout run --input` prints for it.
const MOVIE: &[u8] = include_bytes!("../../../../tests/movies/game.fm2");
/// The other cartridge: known by its hash, with other timing.
const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");

/// The four nets, the slowest speed first.
const NETS: [&[u8]; 4] = [
    include_bytes!("../../../value/nets/l18.net"),
    include_bytes!("../../../value/nets/l19.net"),
    include_bytes!("../../../value/nets/l29.net"),
    include_bytes!("../../../value/nets/l39.net"),
];

/// Buttons, in the pad's order of bits.
const LEFT: u8 = nes::Buttons::LEFT.bits();
const DOWN: u8 = nes::Buttons::DOWN.bits();
const START: u8 = nes::Buttons::START.bits();

/// A field of a JSON object, by its path.
fn field(text: &str, path: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    value.pointer(path).cloned().unwrap_or_else(|| panic!("no {path} in {text}"))
}

/// On the built-in cartridge, and on the one known by its hash.
fn both_cartridges(test: impl Fn(Machine)) {
    test(Machine::new(48_000));
    let mut second = Machine::new(48_000);
    second.insert("maxout-slow.nes", SLOW, &[]).expect("it is a cartridge");
    test(second);
}
