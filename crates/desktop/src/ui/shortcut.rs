//! Keys that ask something of the window, not of the game.

use winit::keyboard::{Key, KeyCode, NamedKey};

use crate::input::actions::Action;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shortcut {
    Menu,
    Debugger,
    Computer,
    NewGame,
    UndoPiece,
    OtherPieces,
    MarkPosition,
    RetryPosition,
    /// The mark again, with other pieces.
    RetryOther,
    /// The review of the game so far or of the last kept one, at its costliest piece.
    Review,
    EndPractice,
    TakeOver,
    /// So many seconds of a kept game on, or back.
    Seek(i32),
    Help,
    Open,
    Pause,
    FrameAdvance,
    FastForward,
    Rewind,
    BeforeCrash,
    Slower,
    Faster,
    Reset,
    Mute,
    InputDisplay,
    CleanFeed,
    Save,
    Load,
    Slot(usize),
    Filter,
    Scaling,
    Aspect,
    Fullscreen,
    Screenshot,
    /// Shows or hides the rail at the left, or the strip.
    LeftRail,
    RightRail,
    /// To any page or setting by its name.
    Find,
    Quit,
}

impl Shortcut {
    /// Returns its usual key, as it is printed; empty for those that have none, or several.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Menu => "Esc",
            Self::Debugger => "F1",
            Self::Help => "F2",
            Self::InputDisplay => "F3",
            Self::CleanFeed => "F4",
            Self::Save => "F5",
            Self::NewGame => "F6",
            Self::Filter => "F7",
            Self::Load => "F8",
            Self::Scaling => "F9",
            Self::Aspect => "F10",
            Self::Fullscreen => "F11",
            Self::Screenshot => "F12",
            Self::Open => "O",
            Self::Computer => "C",
            Self::UndoPiece => "U",
            Self::OtherPieces => "D",
            Self::MarkPosition => "V",
            Self::RetryPosition => "E",
            Self::TakeOver => "A",
            Self::BeforeCrash => "B",
            Self::Reset => "R",
            Self::Mute => "M",
            Self::Pause => "P",
            Self::FrameAdvance => "N",
            Self::FastForward => "Tab",
            Self::Rewind => "Q",
            Self::Slower => "-",
            Self::Faster => "+",
            Self::LeftRail => "[",
            Self::RightRail => "]",
            Self::Seek(..0) => ",",
            Self::Seek(_) => ".",
            Self::Find => "Ctrl+K",
            Self::Quit => "Ctrl+Q",
            Self::Review => "W",
            Self::RetryOther | Self::EndPractice | Self::Slot(_) => "",
        }
    }

    /// Returns what it does, as the help says it.
    pub(crate) fn meaning(self) -> &'static str {
        if let Self::Slot(_) = self {
            return "Save slot";
        }
        let action = Action::ALL.iter().find(|action| action.shortcut() == self);
        let line = TABLE.iter().find(|line| line.keys.split([',', ' ']).any(|key| key == self.key()));
        action.map_or_else(|| line.map_or("", |line| line.meaning), |action| action.title())
    }
}

impl Action {
    /// Returns what menus call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Again => "Start over",
            Self::TakeBack => "Take the piece back",
            Self::TakeBackOther => "Take back, other pieces",
            Self::Mark => "Mark this position",
            Self::Retry => "Try the mark again",
            Self::RetryOther => "Try it with other pieces",
            Self::SeekBack => "Five seconds back",
            Self::SeekOn => "Five seconds forward",
            Self::TakeOver => "Play on from here",
            Self::Review => "Review: costliest placement",
            Self::EndPractice => "End practice",
            Self::Save => "Save a state",
            Self::Load => "Load a state",
        }
    }

    /// Returns the shortcut that does the same.
    pub(crate) fn shortcut(self) -> Shortcut {
        match self {
            Self::Again => Shortcut::NewGame,
            Self::TakeBack => Shortcut::UndoPiece,
            Self::TakeBackOther => Shortcut::OtherPieces,
            Self::Mark => Shortcut::MarkPosition,
            Self::Retry => Shortcut::RetryPosition,
            Self::RetryOther => Shortcut::RetryOther,
            Self::SeekBack => Shortcut::Seek(-SEEK),
            Self::SeekOn => Shortcut::Seek(SEEK),
            Self::TakeOver => Shortcut::TakeOver,
            Self::Review => Shortcut::Review,
            Self::EndPractice => Shortcut::EndPractice,
            Self::Save => Shortcut::Save,
            Self::Load => Shortcut::Load,
        }
    }

    /// Returns the place of its usual key on a US keyboard; `None` if it has none.
    pub(crate) fn usual_place(self) -> Option<KeyCode> {
        Some(match self {
            Self::Again => KeyCode::F6,
            Self::TakeBack => KeyCode::KeyU,
            Self::TakeBackOther => KeyCode::KeyD,
            Self::Mark => KeyCode::KeyV,
            Self::Retry => KeyCode::KeyE,
            Self::SeekBack => KeyCode::Comma,
            Self::SeekOn => KeyCode::Period,
            Self::TakeOver => KeyCode::KeyA,
            Self::Save => KeyCode::F5,
            Self::Load => KeyCode::F8,
            Self::Review => KeyCode::KeyW,
            Self::RetryOther | Self::EndPractice => return None,
        })
    }
}

/// Seconds of a kept game that its shortcuts go.
const SEEK: i32 = 5;

/// A line of the help.
pub(crate) struct Line {
    pub(crate) keys: &'static str,
    pub(crate) meaning: &'static str,
}

const fn line(keys: &'static str, meaning: &'static str) -> Line {
    Line { keys, meaning }
}

/// All shortcuts, for the help.
pub(crate) const TABLE: &[Line] = &[
    line("Esc", "Menu"),
    line("F1", "Debugger"),
    line("F2", "This list"),
    line("O", "Open a file"),
    line("P", "Pause"),
    line("N", "Frame advance"),
    line("Tab", "Fast-forward (hold)"),
    line("Q", "Rewind (hold)"),
    line("B", "Back to before the game crashed"),
    line("- +", "Slower, faster"),
    line("F5, F8", "Save state, load state"),
    line("0 to 9", "Save slot"),
    line("F6", "New game of Tetris"),
    line("U, D", "Practice: take the last piece back; with other pieces"),
    line("V, E", "Practice: mark a position, try it again"),
    line("A", "Practice: play on from a kept game"),
    line(", .", "Kept game: five seconds back, forward"),
    line("W", "Review: costliest placement of this or the last game"),
    line("R", "Reset"),
    line("M", "Mute"),
    line("C", "Computer player on and off"),
    line("F3", "Input display"),
    line("F4", "Clean feed window for recording software"),
    line("F7", "Filter"),
    line("F9", "Integer scaling or fit to window"),
    line("F10", "Pixel aspect ratio: square or a television's"),
    line("F11", "Full screen"),
    line("F12", "Screenshot"),
    line("[ ]", "Left and right rail"),
    line("Ctrl+K", "Go to any page or setting"),
    line("Ctrl+Q", "Quit"),
];

/// Returns the keys that Maxout comes with, for a help text: a line each, keys and meaning.
pub fn keys() -> String {
    let game = [
        line("arrows", "Directional pad"),
        line("X, Z", "A, B (by place on the keyboard)"),
        line("Enter", "Start"),
        line("right Shift, Backspace", "Select"),
        line("I J K L, G F, T, Y", "Player 2: directional pad, A B, Select, Start"),
    ];
    let lines = game.iter().chain(TABLE).map(|line| format!("{:<24}{}\n", line.keys, line.meaning));
    lines.collect::<String>().trim_end().to_owned()
}

/// Returns the shortcut on `key`, by what is printed on it.
pub(crate) fn shortcut(key: &Key, control: bool) -> Option<Shortcut> {
    Some(match key {
        Key::Character(text) if control => {
            return match text.to_lowercase().as_str() {
                "q" => Some(Shortcut::Quit),
                "k" => Some(Shortcut::Find),
                _ => None,
            };
        }
        Key::Named(named) => match named {
            NamedKey::Escape => Shortcut::Menu,
            NamedKey::F1 => Shortcut::Debugger,
            NamedKey::F2 => Shortcut::Help,
            NamedKey::Tab => Shortcut::FastForward,
            NamedKey::F3 => Shortcut::InputDisplay,
            NamedKey::F4 => Shortcut::CleanFeed,
            NamedKey::F5 => Shortcut::Save,
            NamedKey::F6 => Shortcut::NewGame,
            NamedKey::F7 => Shortcut::Filter,
            NamedKey::F8 => Shortcut::Load,
            NamedKey::F9 => Shortcut::Scaling,
            NamedKey::F10 => Shortcut::Aspect,
            NamedKey::F11 => Shortcut::Fullscreen,
            NamedKey::F12 => Shortcut::Screenshot,
            _ => return None,
        },
        Key::Character(text) => match text.to_lowercase().as_str() {
            "o" => Shortcut::Open,
            "p" => Shortcut::Pause,
            "n" => Shortcut::FrameAdvance,
            "q" => Shortcut::Rewind,
            "b" => Shortcut::BeforeCrash,
            "r" => Shortcut::Reset,
            "m" => Shortcut::Mute,
            "c" => Shortcut::Computer,
            "u" => Shortcut::UndoPiece,
            "d" => Shortcut::OtherPieces,
            "v" => Shortcut::MarkPosition,
            "e" => Shortcut::RetryPosition,
            "a" => Shortcut::TakeOver,
            "w" => Shortcut::Review,
            "," => Shortcut::Seek(-SEEK),
            "." => Shortcut::Seek(SEEK),
            "[" => Shortcut::LeftRail,
            "]" => Shortcut::RightRail,
            "-" => Shortcut::Slower,
            "+" | "=" => Shortcut::Faster,
            digit => {
                Shortcut::Slot(digit.parse().ok().filter(|&slot| slot < crate::messages::command::SLOTS)?)
            }
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_go_by_what_is_printed_on_the_key() {
        assert_eq!(shortcut(&Key::Named(NamedKey::Escape), false), Some(Shortcut::Menu));
        assert_eq!(shortcut(&Key::Character("P".into()), false), Some(Shortcut::Pause));
        assert_eq!(shortcut(&Key::Character("z".into()), false), None);
        assert_eq!(shortcut(&Key::Character("7".into()), false), Some(Shortcut::Slot(7)));
        assert_eq!(shortcut(&Key::Character("10".into()), false), None);
    }

    #[test]
    fn with_control_only_quit_and_find_are_left() {
        assert_eq!(shortcut(&Key::Character("q".into()), true), Some(Shortcut::Quit));
        assert_eq!(shortcut(&Key::Character("p".into()), true), None);
    }

    #[test]
    fn no_key_that_plays_is_a_shortcut() {
        for key in ["x", "z", "X", "Z", "i", "j", "k", "l", "f", "g", "t", "y"] {
            assert_eq!(shortcut(&Key::Character(key.into()), false), None);
        }
        for key in [NamedKey::Enter, NamedKey::Shift, NamedKey::Backspace, NamedKey::ArrowLeft] {
            assert_eq!(shortcut(&Key::Named(key), false), None);
        }
    }

    #[test]
    fn the_help_is_a_table_that_fits_a_terminal() {
        for line in keys().lines() {
            assert!(line.chars().count() < 80, "{line}");
            assert!(line.len() > 24, "{line}");
        }
    }
}
