//! Links between documents.

use super::Finding;

/// Checks that every relative link of a document leads to a file or folder. `exists` is asked with paths from the
/// root.
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
    fn addresses_anchors_and_code_are_not_files() {
        assert!(
            broken("[a](https://example.org/x.md) [b](#here) `[c](no.md)`\n```\n[d](no.md)\n```\n")
                .is_empty()
        );
    }
}
