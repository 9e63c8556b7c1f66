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
    fn labels_are_sorted_by_address_and_named_once() {
        let labels = "al 008005 .nmi\nal 000017 .lfsr\nal 008005 .nmi\nal 008010 .again\n";
        assert_eq!(by_address(labels), "al 000017 .lfsr\nal 008005 .nmi\nal 008010 .again\n");
    }
}
