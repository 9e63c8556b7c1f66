//! From sources to an image, by ca65 and ld65.

use super::cartridge::{Cartridge, stem};
use super::chr;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// What the linker gives.
pub(super) struct Built {
    /// The iNES image.
    pub(super) image: Vec<u8>,
    /// A line for each label, `al ADDRESS .NAME`, by address.
    pub(super) labels: String,
    /// ld65's debug information, which names files and times.
    pub(super) debug: Vec<u8>,
}

/// Converts the pictures, assembles the sources and links them, in a folder that is gone
/// afterwards.
///
/// # Errors
/// When a picture or a source is wrong, a label is missing, or the programs cannot be run. The
/// programs say themselves where, on standard error.
pub(super) fn build(root: &Path, cartridge: &Cartridge) -> Result<Built> {
    let scratch = tempfile::tempdir().context("no folder for the build can be made")?;
    let inside = |name: &str| scratch.path().join(name);
    for picture in &cartridge.pictures {
        let png = std::fs::read(root.join(picture)).with_context(|| format!("{picture} cannot be read"))?;
        let tiles = chr::from_png(&png).with_context(|| picture.clone())?;
        std::fs::write(inside(&format!("{}.chr", stem(picture))), tiles)?;
    }
    if !cartridge.c_sources.is_empty() {
        return build_c(root, cartridge, scratch.path());
    }
    if cartridge.sources.is_empty() {
        bail!("{} holds no source", cartridge.folder);
    }
    let mut objects = Vec::new();
    for source in &cartridge.sources {
        let object = inside(&format!("{}.o", stem(source)));
        // Paths from the root, so that what the assembler says can be clicked on.
        let mut assembler = Command::new("ca65");
        if let Some(symbol) = cartridge.symbol {
            assembler.args(["-D", symbol]);
        }
        assembler.current_dir(root).args(["-g", "-I", &cartridge.folder, "--bin-include-dir"]);
        call(assembler.arg(scratch.path()).arg("-o").arg(&object).arg(source))?;
        objects.push(object);
    }
    let [image, labels, debug] = ["image.nes", "image.lbl", "image.dbg"].map(inside);
    let mut linker = Command::new("ld65");
    linker.current_dir(root).args(["-C", &cartridge.config]).arg("-o").arg(&image);
    call(linker.arg("-Ln").arg(&labels).arg("--dbgfile").arg(&debug).args(&objects))?;
    Ok(Built {
        image: std::fs::read(image).context("the linker wrote no image")?,
        labels: by_address(&std::fs::read_to_string(labels).context("the linker wrote no labels")?),
        debug: std::fs::read(debug).context("the linker wrote no debug information")?,
    })
}

/// The compiler whose code is committed: another one gives another image.
pub(super) const COMPILER: &str = "cc65 V2.18";

/// Whether the compiler that is here is the one whose code is committed.
pub(super) fn has_compiler() -> bool {
    let output = Command::new("cc65").arg("--version").output();
    output.is_ok_and(|output| {
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).starts_with(COMPILER)
    })
}

/// Compiles, assembles and links a program in C, in the folder `scratch`, so that the debug file
/// has names without folders.
fn build_c(root: &Path, cartridge: &Cartridge, scratch: &Path) -> Result<Built> {
    let folder = root.join(&cartridge.folder);
    for entry in folder.read_dir().with_context(|| format!("{} cannot be read", cartridge.folder))? {
        let entry = entry?;
        std::fs::copy(entry.path(), scratch.join(entry.file_name()))?;
    }
    let program = |name: &str| {
        let mut program = Command::new(name);
        program.current_dir(scratch);
        program
    };
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut assembled = Vec::new();
    for source in &cartridge.c_sources {
        let source = name(source);
        call(program("cc65").args(["-g", "-t", "none", "-o", &format!("{source}.s"), &source]))?;
        assembled.push(format!("{source}.s"));
    }
    assembled.extend(cartridge.sources.iter().map(|source| name(source)));
    let mut objects = Vec::new();
    for source in &assembled {
        let object = format!("{source}.o");
        call(program("ca65").args(["-g", "-o", &object, source]))?;
        objects.push(object);
    }
    let mut linker = program("ld65");
    linker.args(["-C", &name(&cartridge.config), "-o", "image.nes", "-Ln", "image.lbl"]);
    call(linker.args(["--dbgfile", "image.dbg"]).args(&objects))?;
    let read =
        |name: &str| std::fs::read(scratch.join(name)).with_context(|| format!("the linker wrote no {name}"));
    Ok(Built {
        image: read("image.nes")?,
        labels: by_address(&String::from_utf8(read("image.lbl")?)?),
        debug: without_times(&String::from_utf8(read("image.dbg")?)?).into_bytes(),
    })
}

/// A debug file without the times of its files, their sizes, and the folders of this machine.
fn without_times(debug: &str) -> String {
    let field = |field: &str| {
        if field.starts_with("mtime=") {
            return "mtime=0x00000000".to_owned();
        }
        match field.strip_prefix("name=\"") {
            Some(path) => format!("name=\"{}", path.rsplit('/').next().unwrap_or(path)),
            None => field.to_owned(),
        }
    };
    let line = |line: &str| {
        let fields: Vec<String> = line.split(',').map(field).collect();
        if line.starts_with("file\t") { fields.join(",") } else { line.to_owned() }
    };
    debug.lines().flat_map(|text| [line(text), "\n".to_owned()]).collect()
}

/// The linker names a label once for every file that exports or imports it, in an order of its own.
fn by_address(labels: &str) -> String {
    let mut lines: Vec<&str> = labels.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn call(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{program} could not be started"))?;
    if !status.success() {
        bail!("{program} found what it says above");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_file_is_the_same_wherever_it_is_made() {
        let debug =
            "file\tid=2,name=\"/usr/share/x.mac\",size=9,mtime=0x5FC02218,mod=1\nseg\tid=0,name=\"A\"\n";
        let plain = "file\tid=2,name=\"x.mac\",size=9,mtime=0x00000000,mod=1\nseg\tid=0,name=\"A\"\n";
        assert_eq!(without_times(debug), plain);
    }

    #[test]
    fn labels_are_sorted_by_address_and_named_once() {
        let labels = "al 008005 .nmi\nal 000017 .lfsr\nal 008005 .nmi\nal 008010 .again\n";
        assert_eq!(by_address(labels), "al 000017 .lfsr\nal 008005 .nmi\nal 008010 .again\n");
    }
}
