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
    /// A tube: bulging glass, an electron beam as wide as it is bright, a grille of coloured stripes.
    Crt,
    /// The picture as it comes through the composite cable: fine detail turns into colour, and colour bleeds.
    Composite,
}

impl Filter {
    /// All of them, in the order in which menus show them.
    pub const ALL: [Self; 4] = [Self::None, Self::Scanlines, Self::Crt, Self::Composite];

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Scanlines => "scanlines",
            Self::Crt => "CRT",
            Self::Composite => "NTSC composite",
        }
    }

    /// The entry point of `blit.wgsl` that draws it.
    pub(crate) fn shader(self) -> &'static str {
        match self {
            Self::None => "sharp",
            Self::Scanlines => "scanlines",
            Self::Crt => "crt",
            Self::Composite => "soft",
        }
    }
}
