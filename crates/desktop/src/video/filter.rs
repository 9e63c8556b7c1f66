//! What stands between the console's dots and the screen's.

use serde::{Deserialize, Serialize};

/// How dots become pixels of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Sharp dots.
    #[default]
    None,
    /// Sharp dots with a dark line below each.
    Scanlines,
    /// A tube: bulging glass, an electron beam as wide as it is bright, a grille of coloured
    /// stripes.
    Crt,
    /// The picture as it comes through the composite cable: fine detail turns into colour, and
    /// colour bleeds.
    Composite,
}

impl Filter {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::None, Self::Scanlines, Self::Crt, Self::Composite];

    /// Returns the entry point of `blit.wgsl` that draws it.
    pub(crate) fn shader(self) -> &'static str {
        match self {
            Self::None => "sharp",
            Self::Scanlines => "scanlines",
            Self::Crt => "crt",
            Self::Composite => "soft",
        }
    }
}
