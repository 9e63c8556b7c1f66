//! What a puzzle is about.

use review::{is_tuck, rows_ready};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString, IntoEnumIterator};
use tetris::{HEIGHT, Piece, Playfield, WIDTH};
use value::Child;

use crate::maker::Position;

/// A theme.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumIter,
    EnumString,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[repr(u8)]
pub enum Theme {
    /// Four rows are ready, and an I is there.
    Tetris,
    /// Clearing a few rows, or waiting for a tetris.
    BurnOrWait,
    /// A hole is dug out.
    Dig,
    /// The right column: kept free, or filled.
    RightWell,
    /// A second column wants an I.
    IDependency,
    /// Four rows are ready, the stack is high, and no I is there.
    Drought,
    /// The answer is a tuck or a spin.
    Tuck,
    /// Levels 29 to 38.
    Level29,
    /// Level 39 and up.
    Level39,
    /// The next speed is ten lines off, or less.
    Transition,
    /// Slow hands have another answer than fast ones.
    Hands,
    /// None of these: a neat stack.
    Stacking,
}

/// A set of themes, as bits by their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Themes(pub u16);

impl Themes {
    /// The set with a theme.
    #[must_use]
    pub const fn with(self, theme: Theme) -> Self {
        Self(self.0 | 1 << theme as u8)
    }

    /// Returns whether a theme is in it.
    pub const fn has(self, theme: Theme) -> bool {
        self.0 >> theme as u8 & 1 == 1
    }

    /// Its themes.
    pub fn iter(self) -> impl Iterator<Item = Theme> {
        Theme::iter().filter(move |&theme| self.has(theme))
    }
}

/// How high a stack is for a drought to hurt.
const HIGH: u32 = 11;

/// The themes of a position, by its best placement and the second best.
pub fn themes(position: &Position, best: &Child, second: &Child) -> Themes {
    let Position { board, piece, next, level, lines } = position;
    let mut themes = Themes::default();
    let mut when = |is: bool, theme: Theme| {
        if is {
            themes = themes.with(theme);
        }
    };
    let ready = rows_ready(board);
    let has_i = *piece == Piece::I || *next == Piece::I;
    let burns = |child: &Child| (1..4).contains(&child.cleared);
    let in_well = |child: &Child| child.place.cells().iter().any(|&(x, _)| x == WIDTH as i32 - 1);
    when(ready >= 4 && has_i, Theme::Tetris);
    when(burns(best) != burns(second), Theme::BurnOrWait);
    let before = board.holes();
    when(before > 0 && best.board.holes() < before.min(second.board.holes() + 1), Theme::Dig);
    when(in_well(best) != in_well(second) && *piece != Piece::I, Theme::RightWell);
    when(inner_wells(board) > 0, Theme::IDependency);
    when(ready >= 4 && !has_i && board.height() >= HIGH, Theme::Drought);
    when(is_tuck(board, best.place), Theme::Tuck);
    when((29..39).contains(level), Theme::Level29);
    when(*level >= 39, Theme::Level39);
    when((120..130).contains(lines) || (220..230).contains(lines), Theme::Transition);
    if themes == Themes::default() { themes.with(Theme::Stacking) } else { themes }
}

/// Columns but the rightmost that both neighbours overtop by three and more.
fn inner_wells(board: &Playfield) -> usize {
    let heights = board.heights();
    let wall = HEIGHT as u32;
    let neighbour = |x: usize, side: isize| x.checked_add_signed(side).map_or(wall, |x| heights[x]);
    (0..WIDTH - 1).filter(|&x| neighbour(x, -1).min(neighbour(x, 1)) >= heights[x] + 3).count()
}
