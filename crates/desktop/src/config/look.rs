//! How the window looks: theme, size of type, rails.

use serde::{Deserialize, Serialize};

use crate::ui::theme::Theme;

/// How large type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TypeSize {
    /// 0.9 of the usual size.
    Small,
    /// As large as the window suggests.
    #[default]
    Normal,
    /// 1.2 of the usual size.
    Large,
}

impl TypeSize {
    /// Returns what the usual size is multiplied by.
    pub(crate) fn factor(self) -> f32 {
        match self {
            Self::Small => 0.9,
            Self::Normal => 1.0,
            Self::Large => 1.2,
        }
    }
}

/// The window beside the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct LookSettings {
    /// Its colours.
    pub theme: Theme,
    /// How large type is.
    pub type_size: TypeSize,
    /// Whether the rail at the left of the picture, or the strip below it, is shown.
    pub left_rail: bool,
    /// Whether the rail at the right is shown.
    pub right_rail: bool,
    /// Show Home when Maxout starts without a file.
    pub home: bool,
}

impl Default for LookSettings {
    fn default() -> Self {
        Self {
            theme: Theme::Dark,
            type_size: TypeSize::Normal,
            left_rail: true,
            right_rail: true,
            home: true,
        }
    }
}
