//! Games that are patches: made, applied, found and played, on the built-in cartridge and on one
//! that is known by its hash alone.

use std::fs;

use super::program::call;

const BUILT_IN: &[u8] = include_bytes!("../../../../../roms/maxout.nes");
const SLOW: &[u8] = include_bytes!("../../../../../roms/maxout-slow.nes");

/// The state that a run leaves, without the lines that differ from call to call.
fn state(printed: &str) -> &str {
    printed.lines().find(|line| line.starts_with("state")).expect("a state")
}

#[test]
fn a_patch_of_every_format_plays_as_the_image_that_it_makes() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("old.nes"), BUILT_IN).unwrap();
    fs::write(place.join("new.nes"), SLOW).unwrap();
    let run = ["run", "--frames", "120", "--no-sound", "--no-video"];
    let whole = call(&run).with(&["new.nes"]).inside(place).printed();
    let old = call(&run).printed();
    assert_ne!(state(&whole), state(&old));
    for kind in ["bps", "ips", "ups"] {
        let patch = format!("slow.{kind}");
        let made = call(&["patch", "make", "old.nes", "new.nes", "--out", &patch]).inside(place).printed();
        assert!(made.contains(&format!("bytes of {}", kind.to_uppercase())), "{made}");
        let named = call(&run).with(&["old.nes", "--patch", &patch]).inside(place).printed();
        assert_eq!(state(&named), state(&whole), "{kind}");
        // The built-in cartridge is the patch's source, too, and so is the file beside it.
        let over_built_in = call(&run).with(&["--patch", &patch]).inside(place).printed();
        assert_eq!(state(&over_built_in), state(&whole), "{kind}");
        let apply = call(&["patch", "apply", &patch, "old.nes", "--out", "made.nes"]).inside(place);
        assert!(apply.printed().contains(&format!("{} bytes", SLOW.len())));
        assert_eq!(fs::read(place.join("made.nes")).unwrap(), SLOW, "{kind}");
        let alone = call(&run).with(&[&patch]).inside(place);
        if kind == "ips" {
            let refused = alone.refused();
            assert!(refused.contains("do not say which ROM they are for"), "{refused}");
        } else {
            assert_eq!(state(&alone.printed()), state(&whole), "{kind}");
            let facts = call(&["inspect", &patch, "--json"]).inside(place).json();
            assert_eq!(facts["game"]["release"], "maxout-slow");
        }
    }
    let practice = ["practice", "seed=123456", "--frames", "900", "--seed", "3", "--json"];
    let whole = call(&practice).with(&["new.nes"]).inside(place).json();
    assert_eq!(call(&practice).with(&["slow.bps"]).inside(place).json()["state"], whole["state"]);
    let debug = ["debug", "-c", "registers", "-c", "run 30", "-c", "registers"];
    let whole = call(&debug).with(&["new.nes"]).inside(place).printed();
    assert_eq!(call(&debug).with(&["--patch", "slow.ups"]).inside(place).printed(), whole);
}

#[test]
fn patches_are_applied_in_their_order_and_one_without_its_header_leaves_that_of_the_image() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let write = |name: &str, bytes: &[u8]| fs::write(place.join(name), bytes).unwrap();
    // The same game with an iNES header, which other programs give it.
    let mut old = SLOW.to_vec();
    old[7..16].fill(0);
    let [mut first, mut second] = [old.clone(), old.clone()];
    first[0x4100] = 0x60;
    second[0x4100] = 0xEA;
    write("old.nes", &old);
    write("old.bin", &old[16..]);
    write("first.bin", &first[16..]);
    write("first.nes", &first);
    write("second.nes", &second);
    let make = |old: &str, new: &str, out: &str| {
        call(&["patch", "make", old, new, "--out", out]).inside(place).printed();
    };
    make("old.bin", "first.bin", "contents.bps");
    make("first.nes", "second.nes", "then.bps");
    let apply = ["patch", "apply", "contents.bps", "--patch", "then.bps", "--out", "both.nes"];
    call(&apply).inside(place).printed();
    assert_eq!(fs::read(place.join("both.nes")).unwrap(), second);
    let swapped = ["patch", "apply", "then.bps", "old.nes", "--out", "x.nes"];
    let refused = call(&swapped).inside(place).refused();
    assert!(refused.contains("then.bps") && refused.contains("a patch for another file"), "{refused}");
    fs::remove_file(place.join("first.nes")).unwrap();
    let refused = call(&["inspect", "then.bps"]).inside(place).refused();
    assert!(refused.contains("neither beside it nor among the ROMs played"), "{refused}");
    let no_patch = call(&["patch", "apply", "old.nes", "--out", "x.nes"]).inside(place).refused();
    assert!(no_patch.contains("no patch: expected"), "{no_patch}");
    let over = call(&["run", "old.nes", "--patch", "contents.bps", "--save-state", "contents.bps"]);
    assert!(over.inside(place).refused().contains("named as --patch and as --save-state"));
    assert!(!place.join("x.nes").exists());
}
