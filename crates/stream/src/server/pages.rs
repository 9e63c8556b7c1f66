//! The pages that are served: plain HTML, CSS and ES modules, built into the program.

/// A page.
pub(super) struct Page {
    /// Its kind, as HTTP names it.
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const MODULE: &str = "text/javascript; charset=utf-8";

/// Path, kind and text of each.
const PAGES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../../pages/index.html")),
    ("/overlay", HTML, include_str!("../../pages/overlay.html")),
    ("/overlay.css", CSS, include_str!("../../pages/overlay.css")),
    ("/overlay.js", MODULE, include_str!("../../pages/overlay.js")),
    ("/connection.js", MODULE, include_str!("../../pages/connection.js")),
    ("/field.js", MODULE, include_str!("../../pages/field.js")),
    ("/theme.js", MODULE, include_str!("../../pages/theme.js")),
];

/// The page at a path.
pub(super) fn page(path: &str) -> Option<Page> {
    PAGES.iter().find(|(at, ..)| *at == path).map(|&(_, kind, text)| Page { kind, text })
}
