//! Texts that a player can type.

use crate::config::settings::Settings;
use crate::ui::games::Shelf;

/// A text that can be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Part of a name of any page or setting.
    Find,
    /// Part of the mode, the date or the note of kept games.
    Games,
    /// The beginning of a file's name.
    Files,
    /// The name of player 0 or 1.
    Player(usize),
    /// The author of movies.
    Author,
    /// The address of the host of a match.
    Address,
}

/// Texts that no settings have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    pub(crate) find: String,
    pub(crate) files: String,
    pub(crate) address: String,
}

impl Field {
    /// Returns its name.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Find => "Find",
            Self::Games => "Search",
            Self::Files => "Find by name",
            Self::Player(0) => "Your name",
            Self::Player(_) => "Name of player 2",
            Self::Author => "Author of movies",
            Self::Address => "Address of the host or the room",
        }
    }

    /// Returns what is to be known of it.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::Find => "type a few letters of a page, an action or a setting",
            Self::Games => "a part of the mode, of the date or of the note",
            Self::Files => "type the beginning of a name",
            Self::Player(0) => "shown to the other player of a match, and by overlays",
            Self::Player(_) => "shown by overlays",
            Self::Author => "your name in movies",
            Self::Address => {
                "as bado-kimu-tapi-zolu@192.0.2.7, or 192.0.2.7:5051 if the host has no code; for a room CODE@SERVER"
            }
        }
    }

    /// Returns how many letters it may have.
    pub(crate) fn most(self) -> usize {
        match self {
            Self::Address => 260,
            Self::Author => 64,
            _ => 32,
        }
    }

    /// Returns its text.
    pub(crate) fn text<'a>(self, texts: &'a Texts, shelf: &'a Shelf, settings: &'a Settings) -> &'a str {
        match self {
            Self::Find => &texts.find,
            Self::Games => &shelf.sought,
            Self::Files => &texts.files,
            Self::Player(player) => settings.streaming.names.get(player).map_or("", String::as_str),
            Self::Author => &settings.recording.author,
            Self::Address => &texts.address,
        }
    }

    /// Returns its text to change.
    pub(crate) fn text_mut<'a>(
        self,
        texts: &'a mut Texts,
        shelf: &'a mut Shelf,
        settings: &'a mut Settings,
    ) -> &'a mut String {
        match self {
            Self::Find => &mut texts.find,
            Self::Games => &mut shelf.sought,
            Self::Files => &mut texts.files,
            Self::Player(player) => {
                let names = &mut settings.streaming.names;
                names.resize(names.len().max(player + 1), String::new());
                &mut names[player]
            }
            Self::Author => &mut settings.recording.author,
            Self::Address => &mut texts.address,
        }
    }

    /// Adds what was typed, as far as there is room.
    pub(crate) fn extend(self, text: &mut String, letters: &str) {
        let room = self.most().saturating_sub(text.chars().count());
        text.extend(letters.chars().filter(|letter| !letter.is_control()).take(room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_takes_so_many_letters_and_keeps_to_itself() {
        let (mut texts, mut shelf, mut settings) = (Texts::default(), Shelf::default(), Settings::default());
        let all = [
            Field::Find,
            Field::Games,
            Field::Files,
            Field::Player(1),
            Field::Player(0),
            Field::Author,
            Field::Address,
        ];
        for (at, field) in all.into_iter().enumerate() {
            let text = field.text_mut(&mut texts, &mut shelf, &mut settings);
            field.extend(text, &format!("\u{8}{at}{}", "x".repeat(300)));
        }
        for (at, field) in all.into_iter().enumerate() {
            let text = field.text(&texts, &shelf, &settings);
            assert!(text.starts_with(&format!("{at}x")) && text.len() == field.most(), "{field:?}: {text}");
        }
        assert_eq!(settings.streaming.names.len(), 2);
    }
}
