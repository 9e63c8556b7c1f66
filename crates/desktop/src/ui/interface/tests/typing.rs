//! Everything that can be typed is typed by a pad alone.

use std::collections::{BTreeMap, VecDeque};

use gilrs::Button;

use super::content::{reviewed_game, show_review};
use super::*;
use crate::ui::field::Field;
use crate::ui::keyboard::{Key, Keyboard, Set};
use crate::ui::page::{Item, Row};

const WINDOW: (u32, u32, f64) = (1280, 800, 1.0);

/// What a direction is on a pad.
const DIRECTIONS: [(Step, Button); 4] = [
    (Step::Up, Button::DPadUp),
    (Step::Down, Button::DPadDown),
    (Step::Left, Button::DPadLeft),
    (Step::Right, Button::DPadRight),
];

/// Returns the buttons that lead from `start` to where `is_goal` holds, by `next`.
fn path<T: Clone + Ord>(
    start: T,
    is_goal: impl Fn(&T) -> bool,
    next: impl Fn(&T, Step) -> Option<T>,
) -> Option<Vec<Button>> {
    let mut ways = BTreeMap::from([(start.clone(), vec![])]);
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        if is_goal(&at) {
            return ways.remove(&at);
        }
        for (step, button) in DIRECTIONS {
            let Some(there) = next(&at, step).filter(|there| !ways.contains_key(there)) else { continue };
            let mut way = ways[&at].clone();
            way.push(button);
            ways.insert(there.clone(), way);
            open.push_back(there);
        }
    }
    None
}

impl Screen {
    /// Goes to a line of the page by the directions of the pad.
    fn go_to(&mut self, row: usize) {
        self.draw(WINDOW);
        let state = &self.room.state;
        let (rows, nav) = (state.rows(), &state.menu.nav);
        let from = state.menu.cursor(&rows).expect("a focus");
        let way = path(
            from,
            |&at| at == row,
            |&at, step| {
                let changes = rows[at].changes_by_steps() && matches!(step, Step::Left | Step::Right);
                nav.next(at, step).filter(|_| !changes)
            },
        );
        let way = way.unwrap_or_else(|| panic!("{} is not reached", rows[row].label));
        for button in way {
            self.room.tap(button);
        }
        assert_eq!(self.room.state.menu.cursor(&self.room.state.rows()), Some(row), "{}", rows[row].label);
    }

    fn keyboard(&self) -> Option<&Keyboard> {
        self.room.state.menu.keyboard.as_ref()
    }

    /// Presses a key of the keyboard on the screen, by directions and A.
    fn press_key(&mut self, wanted: Key) {
        let keyboard = self.keyboard().expect("a keyboard").clone();
        let way = path(
            keyboard.focus(),
            |&at| keyboard.with_focus(at).key() == wanted,
            |&at, step| {
                let mut keyboard = keyboard.with_focus(at);
                keyboard.step(step);
                Some(keyboard.focus())
            },
        );
        let way = way.unwrap_or_else(|| panic!("no key {wanted:?}"));
        for button in way.into_iter().chain([Button::East]) {
            self.room.tap(button);
        }
    }

    /// Returns what stands on the line of an item, which a search may have moved.
    fn typed(&self, item: &Item) -> String {
        let rows = self.room.state.rows();
        rows.into_iter().find(|row| row.item == *item).expect("the line").value
    }

    fn value(&self, row: usize) -> String {
        self.room.state.rows()[row].value.clone()
    }
}

/// Returns whether something can be typed into a line.
fn takes_text(row: &Row, screen: &Screen) -> bool {
    let state = &screen.room.state;
    matches!(row.item, Item::Field(_))
        || crate::ui::number::Number::of(&row.item, &state.settings, &state.menu.editor).is_some()
}

fn open(page: Page) -> Screen {
    let mut screen = Screen::new(WINDOW);
    screen.room.done(|status| status.game = Some(game()));
    screen.room.state.menu.open(page);
    screen.room.state.menu.games = games();
    screen
}

#[test]
fn every_text_field_of_every_page_is_filled_by_the_pad_alone() {
    let mut fields = vec![];
    let mut numbers = 0;
    for page in PAGES {
        let screen = open(page);
        let rows = screen.room.state.rows();
        let typed: Vec<usize> = (0..rows.len()).filter(|&row| takes_text(&rows[row], &screen)).collect();
        for row in typed {
            let mut screen = open(page);
            let label = format!("{page:?}: {}", rows[row].label);
            screen.go_to(row);
            screen.room.tap(Button::Start);
            assert!(screen.keyboard().is_some(), "{label}");
            screen.draw(WINDOW);
            let is_text = matches!(rows[row].item, Item::Field(_));
            screen.press_key(Key::Letter('1'));
            if is_text {
                // L1: capitals. R1: signs, and letters again.
                screen.room.tap(Button::LeftTrigger);
                screen.press_key(Key::Letter('B'));
                screen.room.tap(Button::RightTrigger);
                screen.press_key(Key::Letter('#'));
                screen.press_key(Key::Letter('!'));
                // B deletes.
                screen.room.tap(Button::South);
                screen.press_key(Key::Space);
                screen.room.tap(Button::RightTrigger);
                screen.press_key(Key::Letter('c'));
            }
            let wanted = match &rows[row].item {
                Item::Field(_) => "1B# c",
                _ => "1_",
            };
            assert_eq!(screen.typed(&rows[row].item), wanted, "{label}");
            screen.room.tap(Button::Start);
            assert!(screen.keyboard().is_none(), "{label}");
            assert_eq!(screen.room.state.menu.page(), Some(page), "{label}");
            match &rows[row].item {
                Item::Field(field) => {
                    assert_eq!(screen.typed(&rows[row].item), wanted, "{label} is kept");
                    fields.push(*field);
                }
                _ => numbers += 1,
            }
        }
    }
    for field in
        [Field::Find, Field::Games, Field::Player(0), Field::Player(1), Field::Author, Field::Address]
    {
        assert!(fields.contains(&field), "{field:?} is on no page: {fields:?}");
    }
    assert!(numbers > 40, "{numbers}");
}

#[test]
fn a_file_is_found_by_its_name_with_the_pad_alone() {
    let mut screen = open(Page::Open);
    let folder = screen.room.folder.path().to_owned();
    for name in ["a.nes", "tetris.nes", "tetris2.nes"] {
        std::fs::write(folder.join(name), "").expect("a file");
    }
    screen.room.state.menu.folder.path = folder;
    screen.room.state.menu.open(Page::Open);
    screen.draw(WINDOW);
    screen.room.tap(Button::Start);
    for letter in "tetris2".chars() {
        screen.press_key(Key::Letter(letter));
        screen.draw(WINDOW);
    }
    screen.room.tap(Button::Start);
    let rows = screen.room.state.rows();
    let at = screen.room.state.menu.cursor(&rows).expect("a focus");
    assert_eq!((rows[at].label.as_str(), screen.keyboard()), ("tetris2.nes", None));
}

#[test]
fn a_on_a_field_opens_the_keyboard_and_b_deletes_and_then_closes_it() {
    let mut screen = open(Page::Record);
    let row = |screen: &Screen| {
        let rows = screen.room.state.rows();
        rows.iter().position(|row| row.item == Item::Field(Field::Author)).expect("the author")
    };
    let author = row(&screen);
    screen.go_to(author);
    screen.room.tap(Button::East);
    screen.press_key(Key::Letter('q'));
    assert_eq!(screen.room.state.settings.recording.author, "q");
    screen.room.tap(Button::South);
    assert!(screen.keyboard().is_some() && screen.value(author).is_empty());
    screen.room.tap(Button::South);
    assert!(screen.keyboard().is_none());
    assert_eq!(screen.room.state.menu.page(), Some(Page::Record), "the page stays");
}

#[test]
fn select_leads_to_anything_by_the_pad_alone() {
    let mut screen = open(Page::Home);
    screen.draw(WINDOW);
    screen.room.tap(Button::Select);
    assert_eq!(screen.room.state.menu.page(), Some(Page::Find));
    for letter in "hue".chars() {
        screen.press_key(Key::Letter(letter));
    }
    screen.draw(WINDOW);
    screen.room.tap(Button::Start);
    screen.room.tap(Button::East);
    let rows = screen.room.state.rows();
    let at = screen.room.state.menu.cursor(&rows).expect("a focus");
    assert_eq!((screen.room.state.menu.page(), rows[at].label.as_str()), (Some(Page::Picture), "Hue"));
}

#[test]
fn in_a_review_j_and_k_go_to_costly_pieces_and_b_shows_the_best_line() {
    let mut screen = open(Page::Coach);
    show_review(&mut screen.room, reviewed_game(), true);
    let number = |state: &UiState| {
        let rows = state.rows();
        rows[state.menu.cursor(&rows).expect("a focus")].label.clone()
    };
    let worst = number(&screen.room.state);
    assert!(screen.room.state.type_letters("k"));
    let after = number(&screen.room.state);
    assert_ne!(after, worst);
    assert!(screen.room.state.type_letters("j"));
    assert_eq!(number(&screen.room.state), worst);
    let words = |screen: &mut Screen| -> Vec<String> {
        texts(&screen.draw(WINDOW)).map(|(text, _)| text.galley.text().to_owned()).collect()
    };
    let played = words(&mut screen);
    assert!(screen.room.state.type_letters("b"));
    let line = words(&mut screen);
    let signs = |words: &[String], sign| words.iter().filter(|word| *word == sign).count();
    assert_eq!((signs(&played, "×"), signs(&line, "×")), (1, 0), "{line:?}");
    assert_eq!(signs(&line, "2"), signs(&played, "2") + 1, "the next piece's place: {line:?}");
    assert!(screen.room.state.type_letters("B"));
    assert_eq!(words(&mut screen), played);
}

#[test]
fn a_real_keyboard_types_into_the_same_field_and_escape_gives_up() {
    use winit::keyboard::KeyCode;

    let mut screen = open(Page::Record);
    let rows = screen.room.state.rows();
    let row = rows.iter().position(|row| row.item == Item::Field(Field::Author)).expect("the author");
    screen.room.state.menu.point(row);
    let state = &mut screen.room.state;
    for letters in ["A", "d", "a"] {
        assert!(state.type_letters(letters));
    }
    state.key(Some(KeyCode::Space), true, None);
    assert!(state.type_letters("L"));
    assert_eq!(state.settings.recording.author, "Ada L");
    state.key(Some(KeyCode::Escape), true, None);
    assert_eq!((state.settings.recording.author.as_str(), state.menu.page()), ("", Some(Page::Record)));
    // Enter on the screen's keyboard ends what was typed on the real one.
    state.step(Step::Enter);
    assert!(state.menu.keyboard.is_some() && state.type_letters("B"));
    state.key(Some(KeyCode::Enter), true, None);
    assert!(state.menu.keyboard.is_none() && state.settings.recording.author == "B");
}

#[test]
fn the_keyboard_is_told_to_screen_readers_and_none_of_its_keys_is_cut() {
    for (window, page) in [((768, 720, 1.0), Page::Match), (WINDOW, Page::Games)] {
        let mut screen = Screen::new(window);
        screen.room.state.menu.open(page);
        screen.room.state.menu.games = games();
        screen.room.state.menu.keyboard = Some(Keyboard::new(Set::Text));
        let output = screen.draw(window);
        let whole = Rect::from_min_size(
            Pos2::ZERO,
            Vec2::new(window.0 as f32, window.1 as f32) / screen.layout.zoom as f32,
        );
        for wanted in ["q", "Shift", "Signs", "Space", "Delete", "Done"] {
            let found = texts(&output).filter(|(text, _)| text.galley.text() == wanted);
            let (text, clip) = found.last().unwrap_or_else(|| panic!("{wanted} on {page:?}"));
            assert!(!text.galley.elided && clip.intersect(whole).contains_rect(text.visual_bounding_rect()));
        }
    }
}
