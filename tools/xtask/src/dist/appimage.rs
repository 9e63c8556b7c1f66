//! The AppImage: a runtime of the AppImage project, and behind it the tree as SquashFS. The runtime
//! is a program of somebody else's: it is given, never fetched.

use crate::dist::{PROCESSOR, Release, icon, staging};
use anyhow::{Context, Result, bail};
use first_run::workspace::succeed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What starts: the program in the tree, wherever that is mounted.
const START: &str = "#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/usr/bin/maxout\" \"$@\"\n";

/// Packs the tree, and returns the AppImage. `runtime` is a runtime, or an AppImage whose head is
/// one.
///
/// # Errors
/// When the runtime is none, or a tool is missing or fails.
pub(super) fn make(release: &Release, staged: &Path, runtime: &Path) -> Result<PathBuf> {
    let head = std::fs::read(runtime).with_context(|| format!("{} cannot be read", runtime.display()))?;
    let length = program_length(&head).with_context(|| {
        format!("{} is no AppImage and no runtime of one (a 64-bit ELF program)", runtime.display())
    })?;
    let root = release.fresh("AppDir")?;
    succeed(Command::new("cp").arg("-R").arg(staged).arg(&root))?;
    staging::put(&root.join("AppRun"), START.as_bytes())?;
    succeed(Command::new("chmod").arg("+x").arg(root.join("AppRun")))?;
    staging::copy(&staged.join("share/applications/maxout.desktop"), &root.join("maxout.desktop"))?;
    staging::put(&root.join("maxout.png"), &icon::png(256)?)?;
    staging::put(&root.join(".DirIcon"), &icon::png(256)?)?;
    staging::equal_modes(&root)?;

    let packed = release.fresh("squashfs")?.join("maxout.sqfs");
    let mut pack = release.packer("mksquashfs");
    pack.arg(&root).arg(&packed);
    pack.args(["-root-owned", "-noappend", "-comp", "gzip", "-quiet", "-no-progress", "-no-xattrs"]);
    succeed(&mut pack)?;
    let mut image = head[..length].to_vec();
    image.extend(std::fs::read(&packed)?);
    let path = release.folder.join(format!("Maxout-{}-{PROCESSOR}.AppImage", release.version));
    staging::put(&path, &image)?;
    succeed(Command::new("chmod").arg("755").arg(&path))?;
    Ok(path)
}

/// The bytes of an ELF program, which end with the table of its sections: what follows is the file
/// system.
fn program_length(bytes: &[u8]) -> Result<usize> {
    let field = |at: usize, length: usize| {
        let bytes = bytes.get(at..at + length).context("too short")?;
        Ok::<_, anyhow::Error>(bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte)))
    };
    if !bytes.starts_with(b"\x7FELF\x02\x01") {
        bail!("no 64-bit ELF program");
    }
    // An AppImage of type 2 says so behind the magic.
    if bytes.get(8..11) != Some(b"AI\x02") {
        bail!("an ELF program without the mark of an AppImage of type 2");
    }
    let (sections, size, count) = (field(0x28, 8)?, field(0x3A, 2)?, field(0x3C, 2)?);
    let end = sections.checked_add(size * count).and_then(|end| usize::try_from(end).ok());
    end.filter(|&end| end <= bytes.len()).context("an ELF program that is cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(mark: [u8; 3]) -> Vec<u8> {
        let mut bytes = vec![0; 0x40];
        bytes[..6].copy_from_slice(b"\x7FELF\x02\x01");
        bytes[8..11].copy_from_slice(&mark);
        bytes[0x28] = 0x40;
        bytes[0x3A] = 0x40;
        bytes[0x3C] = 2;
        bytes.resize(0x40 + 0x80, 0);
        bytes
    }

    #[test]
    fn the_head_of_an_appimage_ends_with_its_sections() -> Result<()> {
        let head = elf(*b"AI\x02");
        let with_files = [head.as_slice(), b"hsqs and files"].concat();
        assert_eq!(program_length(&head)?, 0xC0);
        assert_eq!(program_length(&with_files)?, 0xC0);
        Ok(())
    }

    #[test]
    fn what_is_no_runtime_is_refused() {
        assert!(program_length(b"").is_err());
        assert!(program_length(b"#!/bin/sh\n").is_err());
        assert!(program_length(&elf([0; 3])).is_err());
        assert!(program_length(&elf(*b"AI\x02")[..0x80]).is_err());
    }
}
