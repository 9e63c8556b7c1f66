//! What documents lead to: other documents, and the test ROMs that prove a fact.

use super::Finding;

/// Checks that every relative link of a document leads to a file or folder. `exists` is asked with
/// paths from the root.
pub(super) fn check(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for target in targets(line) {
            let target = target.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let leads = resolve(folder, target).is_some_and(|path| exists(&path));
            if !leads {
                findings.push(Finding::new(
                    path,
                    index + 1,
                    format!("the link to `{target}` leads nowhere: correct it"),
                ));
            }
        }
    }
    findings
}

/// The contents of the book.
pub(super) const CONTENTS: &str = "docs/SUMMARY.md";

/// Pages below `docs/` that another page takes in.
const INCLUDED: &[&str] = &[CONTENTS, "docs/accuracy/second-opinion.md"];

/// Checks that every page below `docs/` is in the contents of the book: mdbook leaves out others,
/// and links to them lead nowhere there.
pub(super) fn check_contents<'a>(pages: impl Iterator<Item = &'a str>, contents: &str) -> Vec<Finding> {
    let listed: Vec<String> =
        contents.lines().flat_map(targets).filter_map(|target| resolve("docs", target)).collect();
    pages
        .filter(|page| page.starts_with("docs/") && !INCLUDED.contains(page))
        .filter(|page| !listed.iter().any(|path| path == page))
        .map(|page| Finding::new(page, 0, format!("it is no page of the book: name it in {CONTENTS}")))
        .collect()
}

/// Checks that every ROM that a document names as `folder/name.nes` is in the pinned package; a `*`
/// stands for any characters. `roms` are the package's, as paths in its folder.
pub(super) fn check_roms(path: &str, text: &str, roms: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for span in line.split('`').skip(1).step_by(2) {
            let image = span.rsplit_once('.').is_some_and(|(_, extension)| extension == "nes");
            let named = image && FOLDERS.iter().any(|folder| span.starts_with(folder));
            let (before, after) = span.split_once('*').unwrap_or((span, ""));
            let known = |rom: &String| {
                if span.contains('*') { rom.starts_with(before) && rom.ends_with(after) } else { rom == span }
            };
            if named && !roms.iter().any(known) {
                let message = format!("`{span}` is not in the pinned package: name the ROM that proves it");
                findings.push(Finding::new(path, index + 1, message));
            }
        }
    }
    findings
}

/// Folders of the pinned package that documents name ROMs of.
const FOLDERS: &[&str] = &["cpu/", "ppu/", "apu/", "input/", "mapper/"];

/// Targets of `[text](target)` in a line, outside of code spans.
fn targets(line: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for (index, span) in line.split('`').enumerate() {
        // A link whose text is a code span is cut by it: its target opens the following piece.
        let pieces = span.split("](").skip(1);
        if index % 2 == 0 {
            targets.extend(pieces.filter_map(|piece| piece.split(')').next()));
        }
    }
    targets.into_iter().map(|target| target.split(' ').next().unwrap_or_default()).collect()
}

/// The path from the root that a relative target means; `None` where it leaves the repository.
fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let rooted = target.starts_with('/');
    for part in folder.split('/').filter(|_| !rooted).chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> Vec<Finding> {
        check("docs/hardware/cpu.md", text, |path| {
            ["docs/STYLE.md", "README.md", "docs/hardware/ppu.md"].contains(&path)
        })
    }

    #[test]
    fn a_link_is_read_from_the_folder_of_its_document() {
        assert!(
            broken("[a](ppu.md) [b](../STYLE.md#names) [c](../../README.md) [`d`](./ppu.md \"title\")\n")
                .is_empty()
        );
        let found = broken("fine\n[a](STYLE.md) and [b](../../../README.md)\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].line, 2);
    }

    #[test]
    fn a_page_that_the_book_does_not_name_is_found() {
        let contents = "# Summary\n\n[Introduction](README.md)\n\n- [CPU](hardware/cpu.md)\n";
        let found = |pages: &[&str]| check_contents(pages.iter().copied(), contents);
        assert!(found(&["docs/README.md", "docs/hardware/cpu.md", "README.md", CONTENTS]).is_empty());
        let missing = found(&["docs/README.md", "docs/hardware/ppu.md"]);
        assert!(missing.len() == 1 && missing[0].file == "docs/hardware/ppu.md", "{missing:?}");
    }

    #[test]
    fn a_rom_that_is_named_is_in_the_package() {
        let roms = ["cpu/nestest.nes".to_owned(), "apu/len_ctr.nes".to_owned()];
        assert!(
            check_roms("a.md", "| `cpu/nestest.nes`, `apu/len_*.nes`, `other/x.nes` |", &roms).is_empty()
        );
        assert_eq!(check_roms("a.md", "fine\n| `cpu/missing.nes`, `ppu/*.nes` |", &roms).len(), 2);
    }

    #[test]
    fn addresses_anchors_and_code_are_not_files() {
        assert!(
            broken("[a](https://example.org/x.md) [b](#here) `[c](no.md)`\n```\n[d](no.md)\n```\n")
                .is_empty()
        );
    }
}
