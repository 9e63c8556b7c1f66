//! What is typed into numbers and texts, on a real keyboard or on the one on the screen.

use std::time::{Duration, Instant};

use super::Menu;
use crate::config::settings::Settings;
use crate::ui::field::Field;
use crate::ui::keyboard::{Keyboard, Set};
use crate::ui::number::{Entry, Number};
use crate::ui::page::{Item, Page, Row, Zone};

/// Letters that come sooner after each other are of one name.
pub(super) const TYPING: Duration = Duration::from_secs(1);

impl Menu {
    /// Puts the cursor on the next file or folder whose name begins with what was typed in the last
    /// second, if the page is a list of files. Returns whether it is.
    pub(crate) fn type_ahead(&mut self, letters: &str, rows: &[Row], now: Instant) -> bool {
        match self.page() {
            Some(Page::Find) => {
                Field::Find.extend(&mut self.texts.find, letters);
                self.point(1);
                return true;
            }
            Some(Page::Games) => {
                Field::Games.extend(&mut self.shelf.sought, letters);
                self.point(0);
                return true;
            }
            _ => {}
        }
        if self.page() == Some(Page::Coach) {
            if letters.eq_ignore_ascii_case("b") {
                self.shows_line = !self.shows_line;
                return true;
            }
            return self.seek_costly(letters, rows);
        }
        if !matches!(self.page(), Some(Page::Open | Page::Recent)) {
            return false;
        }
        // On the screen it takes longer, and the name is looked for once it is whole.
        let goes_on = self.keyboard.is_some()
            || self.typed.is_some_and(|at| now.saturating_duration_since(at) < TYPING);
        if !goes_on {
            self.texts.files.clear();
        }
        Field::Files.extend(&mut self.texts.files, &letters.to_lowercase());
        self.typed = Some(now);
        if self.keyboard.is_none() {
            self.go_to_file(rows);
        }
        true
    }

    /// Puts the cursor on the next line whose name begins with what was typed.
    fn go_to_file(&mut self, rows: &[Row]) {
        let typed = self.texts.files.clone();
        let is_file = |row: &Row| matches!(row.item, Item::File(_) | Item::Folder(_) | Item::BuiltIn);
        let begins = |row: &Row| is_file(row) && row.label.to_lowercase().starts_with(&typed);
        let at = self.cursor(rows).unwrap_or(0);
        // A longer beginning may still be the same file's.
        let from = if typed.chars().count() > 1 { at } else { at + 1 };
        let mut order = (from..rows.len()).chain(0..from.min(rows.len()));
        if let Some(found) = order.find(|&row| begins(&rows[row])) {
            self.point(found);
        }
    }

    /// Goes to the next placement of a review that was an inaccuracy or worse by K, and to the one
    /// before by J. Returns whether the letter is one of these.
    fn seek_costly(&mut self, letters: &str, rows: &[Row]) -> bool {
        let is_costly = |row: &&Row| {
            let words = ["inaccuracy", "mistake", "blunder"];
            row.zone == Zone::Main && words.iter().any(|word| row.value.ends_with(word))
        };
        let at = self.cursor(rows).unwrap_or(0);
        let mut costly = rows.iter().enumerate().filter(|(_, row)| is_costly(row)).map(|(number, _)| number);
        let found = match letters {
            "k" | "K" => costly.find(|&number| number > at),
            "j" | "J" => costly.take_while(|&number| number < at).last(),
            _ => return false,
        };
        if let Some(found) = found {
            self.point(found);
        }
        true
    }

    /// Returns what was typed into the row at the cursor, if anything is.
    pub(crate) fn typed_number(&self) -> Option<String> {
        self.entry.as_ref().map(Entry::text)
    }

    /// Types into the number of the row at the cursor; R draws a seed. Returns whether the row
    /// takes it.
    pub(crate) fn type_number(&mut self, letters: &str, rows: &[Row], settings: &mut Settings) -> bool {
        let Some(row) = self.cursor(rows).and_then(|at| rows.get(at)) else { return false };
        if letters.eq_ignore_ascii_case("r") && self.page() != Some(Page::Games) {
            return self.draw(&row.item, settings);
        }
        Entry::type_into(&mut self.entry, letters, &row.item, settings, &mut self.editor)
    }

    /// Types into the text of the row at the cursor. Returns whether the row has one.
    pub(crate) fn type_text(&mut self, letters: &str, rows: &[Row], settings: &mut Settings) -> bool {
        let row = self.cursor(rows).and_then(|at| rows.get(at));
        // Those are typed from anywhere on their pages.
        let Some(&Item::Field(field)) = row.map(|row| &row.item) else { return false };
        if matches!(field, Field::Find | Field::Games | Field::Files) {
            return false;
        }
        self.begin_text(field, settings);
        field.extend(field.text_mut(&mut self.texts, &mut self.shelf, settings), letters);
        true
    }

    /// Notes what a text was, to be given back.
    fn begin_text(&mut self, field: Field, settings: &Settings) {
        if matches!(field, Field::Find | Field::Games | Field::Files) {
            return;
        }
        if self.text_before.as_ref().is_none_or(|(other, _)| *other != field) {
            let text = field.text(&self.texts, &self.shelf, settings).to_owned();
            self.text_before = Some((field, text));
        }
    }

    /// Nothing is typed any more.
    pub(super) fn end_typing(&mut self) {
        (self.entry, self.text_before, self.keyboard) = (None, None, None);
    }

    /// Opens the keyboard on the screen for the row at the cursor. Returns whether it has something
    /// to type.
    pub(crate) fn open_keyboard(&mut self, rows: &[Row], settings: &Settings) -> bool {
        let row = self.cursor(rows).and_then(|at| rows.get(at));
        let Some(row) = row.filter(|_| self.has_sidebar) else { return false };
        let set = match Number::of(&row.item, settings, &self.editor) {
            Some(number) => number.digits(),
            None if matches!(row.item, Item::Field(_)) => Set::Text,
            // There a name can be typed wherever the cursor is.
            None if matches!(self.page(), Some(Page::Find | Page::Games | Page::Open | Page::Recent)) => {
                Set::Text
            }
            None => return false,
        };
        if self.page().is_some_and(|page| matches!(page, Page::Open | Page::Recent)) {
            self.texts.files.clear();
        }
        self.keyboard = Some(Keyboard::new(set));
        true
    }

    /// What was typed on the screen holds. The cursor goes to what was found.
    pub(crate) fn accept_typed(&mut self, rows: &[Row]) {
        self.end_typing();
        match self.page() {
            Some(Page::Find) => self.point(1),
            Some(Page::Games) => self.point(0),
            Some(Page::Open | Page::Recent) if !self.texts.files.is_empty() => self.go_to_file(rows),
            _ => {}
        }
    }

    /// Takes the last letter away that was typed. Returns whether there was any.
    pub(crate) fn erase_digit(&mut self, rows: &[Row], settings: &mut Settings) -> bool {
        let row = self.cursor(rows).and_then(|at| rows.get(at));
        let field = match (self.page(), row.map(|row| &row.item)) {
            (Some(Page::Find), _) => Some(Field::Find),
            (Some(Page::Games), _) => Some(Field::Games),
            (_, Some(&Item::Field(field))) => Some(field),
            _ => None,
        };
        if let Some(field) = field {
            self.begin_text(field, settings);
            return field.text_mut(&mut self.texts, &mut self.shelf, settings).pop().is_some();
        }
        let (Some(entry), Some(row)) = (&mut self.entry, row) else { return false };
        entry.erase(&row.item, settings, &mut self.editor);
        true
    }

    pub(super) fn draw(&mut self, item: &Item, settings: &mut Settings) -> bool {
        let number = Number::of(item, settings, &self.editor).filter(|number| number.is_seed());
        self.entry = None;
        number.map(|number| number.draw(item, settings, &mut self.editor)).is_some()
    }
}
