//! Where the debugger's panels are docked around the game's picture: plain data, and its text in
//! the settings, `row(picture, 430 column(400 tabs(code), 220 tabs(breakpoints *watches)))`.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use thiserror::Error;

use super::panels::Panel;

/// The deepest layout that is read: rows in columns in rows.
const DEPTH: usize = 12;

/// What has a place of its own: the game's picture, or a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pane {
    /// The game.
    Picture,
    /// A panel.
    Panel(Panel),
}

impl Pane {
    /// Returns its title, which is also its name in the settings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Panel(panel) => panel.title(),
        }
    }

    fn of_title(title: &str) -> Option<Self> {
        let panels = Panel::ALL.iter().map(|&panel| Self::Panel(panel));
        std::iter::once(Self::Picture).chain(panels).find(|pane| pane.title() == title)
    }
}

/// Where panes are. Sizes are points along a row or down a column; the part that has the picture
/// gets what is left, and says 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Side by side, from the left.
    Row(Vec<(u16, Layout)>),
    /// One below the other, from the top.
    Column(Vec<(u16, Layout)>),
    /// One behind the other: all of them, and the place of the one in front.
    Tabs(Vec<Pane>, usize),
}

/// Why a text is no layout.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// Something else stands there.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// What should stand there.
        expected: &'static str,
        /// The beginning of what does.
        found: String,
    },
    /// A panel has two places.
    #[error("expected each panel once, found {0} twice")]
    Twice(&'static str),
    /// The game would not be seen.
    #[error("expected a layout that shows the picture, found none in it")]
    NoPicture,
    /// Too many rows in columns in rows; the text at that place.
    #[error("expected at most {DEPTH} levels, found {0:?} below them")]
    TooDeep(String),
    /// The size of a part, in digits.
    #[error("expected at most {max} points, found {0}", max = u16::MAX)]
    TooLarge(String),
}

fn expected(expected: &'static str, found: String) -> LayoutError {
    LayoutError::Expected { expected, found }
}

impl Layout {
    /// Returns all panes, in the order of the text.
    pub fn panes(&self) -> Vec<Pane> {
        match self {
            Self::Row(parts) | Self::Column(parts) => {
                parts.iter().flat_map(|(_, part)| part.panes()).collect()
            }
            Self::Tabs(panes, _) => panes.clone(),
        }
    }

    /// Returns whether the picture is in it.
    pub fn has_picture(&self) -> bool {
        self.panes().contains(&Pane::Picture)
    }

    /// Reads the text that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// [`LayoutError`] where it is no layout.
    pub fn parse(text: &str) -> Result<Self, LayoutError> {
        let mut reader = Reader { rest: text.trim_start() };
        let layout = reader.layout(0)?;
        if !reader.rest.is_empty() {
            return Err(reader.found_not("the end of the layout"));
        }
        let mut panes = layout.panes();
        panes.sort_unstable();
        if let Some(pair) = panes.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(LayoutError::Twice(pair[0].title()));
        }
        if panes.first() != Some(&Pane::Picture) {
            return Err(LayoutError::NoPicture);
        }
        Ok(layout)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, parts) = match self {
            Self::Row(parts) => ("row", parts),
            Self::Column(parts) => ("column", parts),
            Self::Tabs(panes, front) => {
                if let [pane] = panes.as_slice() {
                    return write!(f, "{}", pane.title());
                }
                write!(f, "tabs(")?;
                for (at, pane) in panes.iter().enumerate() {
                    let (space, star) = (if at > 0 { ", " } else { "" }, if at == *front { "*" } else { "" });
                    write!(f, "{space}{star}{}", pane.title())?;
                }
                return write!(f, ")");
            }
        };
        write!(f, "{name}(")?;
        for (at, (size, part)) in parts.iter().enumerate() {
            let space = if at > 0 { ", " } else { "" };
            if part.has_picture() {
                write!(f, "{space}{part}")?;
            } else {
                write!(f, "{space}{size} {part}")?;
            }
        }
        write!(f, ")")
    }
}

/// A text that is being read.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Returns the beginning of what is left, for messages.
    fn near(&self) -> String {
        self.rest.chars().take(20).collect()
    }

    fn take(&mut self, sign: char) -> bool {
        let taken = self.rest.strip_prefix(sign);
        self.rest = taken.unwrap_or(self.rest).trim_start();
        taken.is_some()
    }

    fn found_not(&self, what: &'static str) -> LayoutError {
        expected(what, self.near())
    }

    /// Returns what is next as long as it consists of such characters.
    fn word(&mut self, belongs: fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    fn layout(&mut self, depth: usize) -> Result<Layout, LayoutError> {
        if depth > DEPTH {
            return Err(LayoutError::TooDeep(self.near()));
        }
        let found = self.near();
        let word = self.word(|letter| letter.is_ascii_lowercase());
        match word {
            "row" => Ok(Layout::Row(self.parts(depth)?)),
            "column" => Ok(Layout::Column(self.parts(depth)?)),
            "tabs" => self.tabs(),
            _ => match Pane::of_title(word) {
                Some(pane) => Ok(Layout::Tabs(vec![pane], 0)),
                None => Err(expected("row, column, tabs or a panel's name", found)),
            },
        }
    }

    fn open(&mut self) -> Result<(), LayoutError> {
        if self.take('(') { Ok(()) } else { Err(self.found_not("\"(\"")) }
    }

    /// Returns whether another part follows; otherwise the bracket has been closed.
    fn goes_on(&mut self) -> Result<bool, LayoutError> {
        match (self.take(','), self.take(')')) {
            (true, false) => Ok(true),
            (false, true) => Ok(false),
            _ => Err(self.found_not("\",\" or \")\"")),
        }
    }

    fn parts(&mut self, depth: usize) -> Result<Vec<(u16, Layout)>, LayoutError> {
        self.open()?;
        let mut parts = vec![];
        loop {
            let digits = self.word(|letter| letter.is_ascii_digit());
            let size = if digits.is_empty() { Ok(0) } else { digits.parse() };
            let size = size.map_err(|_| LayoutError::TooLarge(digits.to_owned()))?;
            let part = self.layout(depth + 1)?;
            parts.push((if part.has_picture() { 0 } else { size }, part));
            if !self.goes_on()? {
                return Ok(parts);
            }
        }
    }

    fn tabs(&mut self) -> Result<Layout, LayoutError> {
        self.open()?;
        let (mut panes, mut front) = (vec![], 0);
        loop {
            if self.take('*') {
                front = panes.len();
            }
            let found = self.near();
            let pane = Pane::of_title(self.word(|letter| letter.is_ascii_lowercase()));
            panes.push(pane.ok_or_else(|| expected("a panel's name", found))?);
            if !self.goes_on()? {
                return Ok(Layout::Tabs(panes, front));
            }
        }
    }
}

/// Which of the layouts: each is kept as the player has left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum LayoutName {
    /// A large picture, the game's own values and the commands.
    Playing,
    /// Instructions, breakpoints and memory.
    #[default]
    Code,
    /// Source files beside their instructions.
    Source,
    /// What the PPU draws from.
    Pictures,
}

impl LayoutName {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns its name.
    pub fn title(self) -> &'static str {
        self.into()
    }

    /// Returns what it is for, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Playing => "Layout for playing: a large picture, the game's values, watches",
            Self::Code => "Layout for code: instructions, registers, breakpoints, memory",
            Self::Source => {
                "Layout for source: the lines of C or assembly beside their instructions, variables"
            }
            Self::Pictures => "Layout for pictures: nametables, pattern tables, sprites, palettes",
        }
    }

    /// Returns it as it is before anyone has changed it.
    pub fn layout(self) -> Layout {
        let text = match self {
            Self::Playing => {
                "row(column(picture, 150 tabs(*commands, breakpoints)), 460 column(500 tabs(*game, sound), 150 watches))"
            }
            Self::Code => {
                "row(column(picture, 92 registers, 150 tabs(*commands, watches)), \
                 440 column(420 tabs(*code, profile), 230 tabs(*breakpoints, memory, calls)))"
            }
            Self::Source => {
                "row(column(picture, 92 registers, 150 tabs(*commands, watches)), \
                 430 column(440 source, 170 tabs(*locals, breakpoints)), \
                 380 column(440 tabs(*code, profile), 170 tabs(*calls, memory)))"
            }
            Self::Pictures => {
                "row(column(picture, 150 tabs(*palettes, commands)), \
                 530 column(470 tabs(*nametables, events), 330 tabs(*patterns, sprites)))"
            }
        };
        // The tests read all of them.
        Layout::parse(text).unwrap_or_else(|_| Layout::Tabs(vec![Pane::Picture], 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_as_they_are_written() {
        for &name in LayoutName::ALL {
            let layout = name.layout();
            assert!(layout.panes().len() > 5, "{name:?} can be read");
            assert!(layout.panes().contains(&Pane::Panel(Panel::Commands)), "{name:?}");
            assert_eq!(Layout::parse(&layout.to_string()), Ok(layout));
        }
        let odd = " row( 3 column(picture,70 tabs( code , *memory)),400 trace ) ";
        let said = "row(column(picture, 70 tabs(code, *memory)), 400 trace)";
        assert_eq!(Layout::parse(odd).map(|layout| layout.to_string()).as_deref(), Ok(said));
    }

    #[test]
    fn what_is_no_layout_is_said() {
        let deep = format!("{}picture{}", "row(".repeat(99), ")".repeat(99));
        for (text, said) in [
            ("", "expected row, column, tabs or a panel's name, found \"\""),
            ("row(picture", "expected \",\" or \")\", found \"\""),
            ("row picture", "expected \"(\", found \"picture\""),
            ("row(picture, 3 lamp)", "expected row, column, tabs or a panel's name, found \"lamp)\""),
            ("row(picture, 99999 code)", "expected at most 65535 points, found 99999"),
            ("tabs(picture, code, code)", "expected each panel once, found code twice"),
            ("row(code, memory)", "expected a layout that shows the picture, found none in it"),
            ("picture code", "expected the end of the layout, found \"code\""),
            (deep.as_str(), "expected at most 12 levels, found \"row(row(row(row(row(\" below them"),
        ] {
            assert_eq!(Layout::parse(text).unwrap_err().to_string(), said, "{text}");
        }
    }
}
