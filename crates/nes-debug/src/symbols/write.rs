//! From symbols to text.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::label::BANK;
use super::{Label, Symbols};

/// A name without what would end it in one of the formats.
fn plain(name: &str) -> String {
    let ends = |letter: char| letter.is_whitespace() || letter.is_control() || "\"#,:".contains(letter);
    name.chars().map(|letter| if ends(letter) { '_' } else { letter }).collect()
}

/// A line a label. Writing to a `String` cannot fail.
fn lines(symbols: &Symbols, mut line: impl FnMut(&mut String, &Label) -> std::fmt::Result) -> String {
    symbols.labels().fold(String::new(), |mut text, label| {
        let _ = line(&mut text, label);
        text
    })
}

pub(super) fn vice(symbols: &Symbols) -> String {
    lines(symbols, |text, Label { name, address, .. }| writeln!(text, "al {address:06X} .{}", plain(name)))
}

pub(super) fn ca65(symbols: &Symbols, prg_rom: usize) -> String {
    // A segment for each bank that has labels, numbered by the bank.
    let banks: BTreeSet<usize> =
        symbols.labels().filter_map(|label| Some(label.place? as usize / BANK)).collect();
    let segments = banks.iter().fold(String::new(), |mut text, &bank| {
        let start = if (bank + 1) * BANK >= prg_rom { 0xC000 } else { 0x8000 };
        let offset = 16 + bank * BANK;
        let _ = writeln!(
            text,
            "seg\tid={bank},name=\"BANK{bank}\",start=0x{start:06X},size=0x{BANK:04X},addrsize=absolute,type=ro,oname=\"image.nes\",ooffs={offset}"
        );
        text
    });
    let mut id = 0;
    let labels = lines(symbols, |text, Label { name, address, place, bytes, .. }| {
        let wide = if *address < 0x100 { "zeropage" } else { "absolute" };
        let size = if *bytes > 1 { format!("size={bytes},") } else { String::new() };
        let segment = place.map_or_else(String::new, |place| format!("seg={},", place as usize / BANK));
        writeln!(
            text,
            "sym\tid={id},name=\"{}\",addrsize={wide},{size}scope=0,def=0,val=0x{address:X},{segment}type=lab",
            plain(name)
        )?;
        id += 1;
        Ok(())
    });
    format!(
        "version\tmajor=2,minor=0\ninfo\tcsym=0,file=0,lib=0,line=0,mod=0,scope=1,seg={},span=0,sym={id},type=0\n{segments}{labels}",
        banks.len()
    )
}

pub(super) fn fceux(symbols: &Symbols) -> String {
    lines(symbols, |text, Label { name, address, bytes, about, .. }| {
        let length = if *bytes > 1 { format!("/{bytes:X}") } else { String::new() };
        writeln!(text, "${address:04X}{length}#{}#{}", plain(name), about.replace(['\n', '#'], " "))
    })
}

pub(super) fn mesen(symbols: &Symbols, prg_rom: usize) -> String {
    lines(symbols, |text, Label { name, address, place, bytes, about }| {
        let (memory, place) = match (*address, *place) {
            (_, Some(place)) => ("NesPrgRom", place as usize),
            (at @ 0..0x2000, _) => ("NesInternalRam", usize::from(at)),
            (at @ 0x6000..0x8000, _) => ("NesSaveRam", usize::from(at) - 0x6000),
            (at @ 0x8000.., _) if prg_rom == 0x8000 => ("NesPrgRom", usize::from(at) - 0x8000),
            (at @ 0xC000.., _) if prg_rom >= 0x4000 => {
                ("NesPrgRom", prg_rom - 0x4000 + usize::from(at) - 0xC000)
            }
            (at, _) => ("NesMemory", usize::from(at)),
        };
        let range =
            if *bytes > 1 { format!("-{:04X}", place + usize::from(*bytes) - 1) } else { String::new() };
        let colon = if about.is_empty() { "" } else { ":" };
        let about = about.replace('\n', "\\n");
        writeln!(text, "{memory}:{place:04X}{range}:{}{colon}{about}", plain(name))
    })
}
