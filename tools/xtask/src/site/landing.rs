//! The page that a visitor sees first.

use anyhow::{Context, Result};
use first_run::workspace::Package;
use html_escape::encode_double_quoted_attribute as escaped;
use std::fmt::Write as _;
use std::path::Path;

/// The page, with a line in braces for each part that may be missing.
const TEMPLATE: &str = include_str!("index.html");

/// What the site has beside the book.
pub(super) struct Parts {
    /// The page for browsers.
    pub(super) page: bool,
    /// Packages, with `SHA256SUMS`.
    pub(super) downloads: bool,
    /// Libraries whose documentation is there.
    pub(super) crates: Vec<String>,
}

/// Fills in the page.
///
/// # Errors
/// When the checksums of the downloads cannot be read.
pub(super) fn page(version: &str, parts: &Parts, folder: &Path) -> Result<String> {
    let play =
        if parts.page { "<a class=\"button\" href=\"play/index.html\">Play in the browser</a>" } else { "" };
    let downloads = if parts.downloads {
        let path = folder.join("download/SHA256SUMS");
        let sums = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        table(&sums)
    } else {
        String::new()
    };
    let mut crates = String::new();
    for name in &parts.crates {
        write!(crates, "<a href=\"api/{name}/index.html\"><code>{name}</code></a> ")?;
    }
    if !crates.is_empty() {
        crates = format!("<p>Crates, <a href=\"api/index.html\">documented</a>: {crates}</p>");
    }
    let filled =
        [("{version}", version), ("{play}", play), ("{downloads}", &downloads), ("{crates}", &crates)];
    Ok(filled.iter().fold(TEMPLATE.to_owned(), |page, (name, text)| page.replace(name, text)))
}

/// The page that lists the documented crates, to which rustdoc's own pages lead back.
pub(super) fn crates(packages: &[&Package]) -> String {
    let items = packages.iter().fold(String::new(), |items, package| {
        let about = escaped(package.description.as_deref().unwrap_or_default());
        let library = package.name.replace('-', "_");
        items + &format!("<li><a href=\"{library}/index.html\"><code>{library}</code></a>: {about}</li>\n")
    });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Maxout: crates</title>\n\
         <style>body {{ font: 17px/1.55 system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 20px; }}</style>\n\
         <h1>Crates</h1>\n<ul>\n{items}</ul>\n<p><a href=\"../index.html\">Maxout</a></p>\n</html>\n"
    )
}

/// The downloads with their checksums, from the lines of `sha256sum`.
fn table(sums: &str) -> String {
    let rows =
        sums.lines().filter_map(|line| line.split_once("  ")).fold(String::new(), |rows, (sum, name)| {
            let name = escaped(name);
            rows + &format!(
                "<tr><td><a href=\"download/{name}\">{name}</a></td><td><code>{}</code></td></tr>\n",
                escaped(sum)
            )
        });
    format!(
        "<h2>Download</h2>\n<div class=\"wide\"><table>\n<tr><th>package</th><th>SHA-256</th></tr>\n{rows}</table></div>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_what_is_there_and_nothing_else() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let none = Parts { page: false, downloads: false, crates: Vec::new() };
        let bare = page("1.2.3", &none, folder.path())?;
        assert!(bare.contains("1.2.3") && bare.contains("book/index.html"));
        assert!(!bare.contains("play/index.html") && !bare.contains("download/") && !bare.contains("api/"));

        std::fs::create_dir(folder.path().join("download"))?;
        std::fs::write(folder.path().join("download/SHA256SUMS"), "00ff  maxout-1.2.3.tar.gz\n")?;
        let all = Parts { page: true, downloads: true, crates: vec!["nes_cpu".to_owned()] };
        let full = page("1.2.3", &all, folder.path())?;
        for part in
            ["play/index.html", "download/maxout-1.2.3.tar.gz", "<code>00ff</code>", "api/nes_cpu/index.html"]
        {
            assert!(full.contains(part), "{part}");
        }
        assert!(![&bare, &full].iter().any(|page| page.contains("{play}") || page.contains("{crates}")));
        Ok(())
    }
}
