//! Every internal link of a folder of pages leads somewhere: to a file, and to a place in it.

use anyhow::{Context, Result};
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// What was looked at.
pub(super) struct Report {
    /// Pages of HTML.
    pub(super) pages: usize,
    /// Links that do not leave the site.
    pub(super) links: usize,
    /// A line for each link that leads nowhere.
    pub(super) broken: Vec<String>,
}

/// A page: the places that can be linked to, and where it links to.
#[derive(Default)]
struct Page {
    places: BTreeSet<String>,
    links: BTreeSet<String>,
}

/// Checks all pages below a folder. Links to other hosts are left alone.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn check(folder: &Path) -> Result<Report> {
    let mut files = BTreeSet::new();
    list(folder, folder, &mut files)?;
    let mut pages = BTreeMap::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "html")) {
        let text =
            std::fs::read_to_string(folder.join(path)).with_context(|| format!("{}", path.display()))?;
        pages.insert(path.clone(), read(&text));
    }
    let mut report = Report { pages: pages.len(), links: 0, broken: Vec::new() };
    for (path, page) in &pages {
        for link in page.links.iter().filter(|link| is_internal(link) && !is_optional(link)) {
            report.links += 1;
            if let Some(reason) = complaint(path, link, &files, &pages) {
                report.broken.push(format!("{}: {link}: {reason}", path.display()));
            }
        }
    }
    Ok(report)
}

/// Paths of all files, from the folder.
fn list(root: &Path, folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    for entry in folder.read_dir().with_context(|| format!("{}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            files.insert(relative.to_owned());
        }
    }
    Ok(())
}

fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut emitter = DefaultEmitter::<()>::default();
    // What a script or a style sheet holds are no tags.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(text, emitter) {
        if let Token::StartTag(tag) = token {
            for name in ["id", "name"] {
                page.places.extend(value(&tag, name));
            }
            for name in ["href", "src"] {
                page.links.extend(value(&tag, name));
            }
        }
    }
    page
}

fn value(tag: &StartTag<()>, name: &str) -> Option<String> {
    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(&value.value).into_owned())
}

/// Does a link stay in the site? Others begin with a scheme or with `//`.
fn is_internal(link: &str) -> bool {
    let scheme = link.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    });
    !scheme && !link.starts_with("//")
}

/// rustdoc names a script with a trait's implementers in other crates whether there are any or not.
fn is_optional(link: &str) -> bool {
    link.contains("trait.impl/")
}

/// Why a link leads nowhere, if it does.
fn complaint(
    from: &Path,
    link: &str,
    files: &BTreeSet<PathBuf>,
    pages: &BTreeMap<PathBuf, Page>,
) -> Option<&'static str> {
    let (address, place) = link.split_once('#').unwrap_or((link, ""));
    let address = address.split('?').next().unwrap_or_default();
    if address.starts_with('/') {
        return Some("it begins at the host's root, and the site may lie below it");
    }
    let target = if address.is_empty() {
        from.to_owned()
    } else {
        let Some(path) = resolve(from.parent().unwrap_or(Path::new("")), &decoded(address)) else {
            return Some("it leads out of the site");
        };
        if files.contains(&path) { path } else { path.join("index.html") }
    };
    if !files.contains(&target) {
        return Some("there is no such file");
    }
    // `#12-20` are lines of a source in API documentation, which a script marks.
    let lines = place.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    let page = pages.get(&target)?;
    let known = lines || page.places.contains(place) || page.places.contains(&decoded(place));
    (!known).then_some("there is no such place on that page")
}

/// The path that an address means from a folder; `None` if it leaves the site.
fn resolve(folder: &Path, address: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in folder.join(address).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::Normal(part) => path.push(part),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// An address without its percent signs.
fn decoded(address: &str) -> String {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = byte.filter(|_| first == b'%') {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(pages: &[(&str, &str)]) -> Result<Report> {
        let folder = tempfile::tempdir()?;
        for (path, text) in pages {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            std::fs::write(path, text)?;
        }
        check(folder.path())
    }

    #[test]
    fn links_to_pages_places_folders_and_other_hosts_are_fine() -> Result<()> {
        let report = site(&[
            (
                "index.html",
                "<a href='book/'>1</a> <a href='book/a%20b.html#one'>2</a> <a href=https://example.org/x>3</a>",
            ),
            (
                "book/index.html",
                "<a href=\"../index.html?x=1\">4</a> <img src=p.png> <a href='#here' id=here>5</a>",
            ),
            (
                "book/a b.html",
                "<h2 id=one>6</h2><!-- <a href=gone.html> --><script>x = '<a href=gone.html>'</script><a href='mailto:a@example.org'>7</a>",
            ),
            ("book/p.png", ""),
        ])?;
        assert_eq!((report.pages, report.links), (3, 5));
        assert!(report.broken.is_empty(), "{:#?}", report.broken);
        Ok(())
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told_with_its_page_and_reason() -> Result<()> {
        let report = site(&[
            (
                "index.html",
                "<a href=gone.html>1</a> <a href=a.html#gone>2</a> <a href=../out.html>3</a> <a href=/a.html>4</a>",
            ),
            ("a.html", "<img src='no.png'>"),
        ])?;
        let reasons = [
            "no.png: there is no such file",
            "../out.html: it leads out",
            "/a.html: it begins",
            "a.html#gone: there is no such place",
            "gone.html: there is no such file",
        ];
        assert_eq!(report.broken.len(), reasons.len(), "{:#?}", report.broken);
        for reason in reasons {
            assert!(report.broken.iter().any(|line| line.contains(reason)), "{reason}: {:#?}", report.broken);
        }
        Ok(())
    }
}
