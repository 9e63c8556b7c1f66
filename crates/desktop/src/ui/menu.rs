//! Where the player stands in the menu, and what a step does there.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::config::settings::Settings;
use crate::input::bindings::Bindings;
use crate::messages::command::{Command, Recording};
use crate::ui::folder::{self, Folder, Kind};
use crate::ui::page::{Device, Item, Page, Row};
use crate::ui::remap::{Change, Listening};
use crate::ui::step::Step;

/// Letters that come sooner after each other are of one name.
const TYPING: Duration = Duration::from_secs(1);

/// What the menu cannot do by itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MenuAction {
    Send(Command),
    Open(PathBuf),
    BuiltIn,
    /// Starts that recording, or stops it.
    Record(Recording),
    /// Ends the movie that plays, and goes on recording it.
    ContinueMovie,
    Screenshot,
    /// Writes what was played since power-on as a movie.
    SaveMovie,
    ToggleDebugger,
    BeforeCrash,
    Quit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    page: Page,
    cursor: usize,
}

/// The menu: closed, or on a page.
#[derive(Debug, Default)]
pub(crate) struct Menu {
    /// The way here; the last is shown.
    places: Vec<Place>,
    pub(crate) folder: Folder,
    pub(crate) listening: Option<Listening>,
    /// Letters of a file's name, and when the last of them was typed.
    typed: Option<(String, Instant)>,
}

impl Menu {
    /// Returns the page that is shown; none when the menu is closed.
    pub(crate) fn page(&self) -> Option<Page> {
        self.places.last().map(|place| place.page)
    }

    /// Opens it on `page`, one step of going back away from the game.
    pub(crate) fn open(&mut self, page: Page) {
        self.places.clear();
        self.listening = None;
        self.go(page);
    }

    /// Back to the game.
    pub(crate) fn close(&mut self) {
        self.places.clear();
        self.listening = None;
    }

    /// Returns the line that the cursor is on: the nearest choice from where it was put. None where
    /// there is none to choose.
    pub(crate) fn cursor(&self, rows: &[Row]) -> Option<usize> {
        let at = self.places.last()?.cursor;
        let choices = || (0..rows.len()).filter(|&row| rows[row].is_choice());
        choices().find(|&row| row >= at).or_else(|| choices().next_back())
    }

    /// Returns the line that is to be in sight: the cursor's, or the one that a page without
    /// choices was moved to.
    pub(crate) fn in_sight(&self, rows: &[Row]) -> usize {
        let at = self.places.last().map_or(0, |place| place.cursor);
        self.cursor(rows).unwrap_or(at).min(rows.len().saturating_sub(1))
    }

    /// Puts the cursor on a line.
    pub(crate) fn point(&mut self, row: usize) {
        if let Some(place) = self.places.last_mut() {
            place.cursor = row;
        }
    }

    /// Puts the cursor on the next file or folder whose name begins with what was typed in the last second, if the page is
    /// a list of files. Returns whether it is.
    pub(crate) fn type_ahead(&mut self, letters: &str, rows: &[Row], now: Instant) -> bool {
        if !matches!(self.page(), Some(Page::Open | Page::Recent)) {
            return false;
        }
        let before = self.typed.take().filter(|(_, at)| now.saturating_duration_since(*at) < TYPING);
        let typed = before.map_or(String::new(), |(typed, _)| typed) + &letters.to_lowercase();
        let begins = |row: &Row| row.is_choice() && row.label.to_lowercase().starts_with(&typed);
        let at = self.cursor(rows).unwrap_or(0);
        // A longer beginning may still be the same file's.
        let from = if typed.chars().count() > 1 { at } else { at + 1 };
        let mut order = (from..rows.len()).chain(0..from.min(rows.len()));
        if let Some(found) = order.find(|&row| begins(&rows[row])) {
            self.point(found);
        }
        self.typed = Some((typed, now));
        true
    }

    /// One step on a page of these `rows`. Changes `settings`, moves, or answers what is to be
    /// done.
    pub(crate) fn step(&mut self, step: Step, rows: &[Row], settings: &mut Settings) -> Option<MenuAction> {
        let cursor = self.cursor(rows);
        match step {
            Step::Back => self.back(),
            Step::Up | Step::Down => self.move_cursor(step == Step::Down, cursor, rows),
            Step::Left | Step::Right => {
                let by = if step == Step::Right { 1 } else { -1 };
                match &rows.get(cursor?)?.item {
                    Item::Setting(setting) => setting.step(settings, by),
                    &Item::Bind(device, player, control) if by > 0 => {
                        self.listening = Some(Listening::new(device, player, control, Change::Add));
                    }
                    &Item::Bind(device, player, control) => {
                        Listening::new(device, player, control, Change::Add).forget_last(settings);
                    }
                    _ => {}
                }
            }
            Step::Enter => return self.enter(rows.get(cursor?)?.item.clone(), settings),
        }
        None
    }

    fn enter(&mut self, item: Item, settings: &mut Settings) -> Option<MenuAction> {
        match item {
            Item::Resume => self.close(),
            Item::Goto(page) => self.go(page),
            Item::Setting(setting) => setting.step(settings, 1),
            Item::Save(slot) => return Some(self.done(MenuAction::Send(Command::SaveSlot(slot)))),
            Item::Load(slot) => return Some(self.done(MenuAction::Send(Command::LoadSlot(slot)))),
            Item::Folder(path) => {
                self.folder = Folder::read(&path);
                self.point(0);
            }
            Item::File(path) => {
                // A palette is looked at from the menu.
                if folder::kind(&path) == Some(Kind::Palette) {
                    self.back();
                } else {
                    self.close();
                }
                return Some(MenuAction::Open(path));
            }
            Item::BuiltIn => return Some(self.done(MenuAction::BuiltIn)),
            Item::Bind(device, player, control) => {
                self.listening = Some(Listening::new(device, player, control, Change::Replace));
            }
            Item::DefaultBindings(device, player) => {
                let set = &mut settings.input.players[player];
                match (device, player) {
                    (Device::Pad, _) => set.pad = Bindings::pad(),
                    (Device::Keys, 0) => set.keys = Bindings::keyboard(),
                    (Device::Keys, _) => set.keys = Bindings::second_keyboard(),
                }
            }
            Item::DefaultPalette => settings.picture.palette = PathBuf::new(),
            Item::Record(recording) => return Some(self.done(MenuAction::Record(recording))),
            Item::ContinueMovie => return Some(self.done(MenuAction::ContinueMovie)),
            Item::StopMovie => return Some(self.done(MenuAction::Send(Command::StopMovie))),
            Item::SaveMovie => return Some(self.done(MenuAction::SaveMovie)),
            Item::NewGame => return Some(self.done(MenuAction::Send(Command::NewGame))),
            Item::Versus(on) => return Some(self.done(MenuAction::Send(Command::Versus(on)))),
            Item::Computer(on) => return Some(self.done(MenuAction::Send(Command::LetComputerPlay(on)))),
            Item::Debugger => return Some(self.done(MenuAction::ToggleDebugger)),
            Item::Screenshot => return Some(MenuAction::Screenshot),
            Item::BeforeCrash => return Some(self.done(MenuAction::BeforeCrash)),
            Item::Script(command) => return Some(self.done(MenuAction::Send(Command::Script(command)))),
            Item::Reset => return Some(self.done(MenuAction::Send(Command::Reset))),
            Item::PowerCycle => return Some(self.done(MenuAction::Send(Command::PowerCycle))),
            Item::Quit => return Some(MenuAction::Quit),
            Item::Text => {}
        }
        None
    }

    fn done(&mut self, action: MenuAction) -> MenuAction {
        self.close();
        action
    }

    fn go(&mut self, page: Page) {
        if page == Page::Open {
            self.folder = Folder::read(&self.folder.path);
        }
        self.places.push(Place { page, cursor: 0 });
    }

    fn back(&mut self) {
        if self.listening.take().is_none() {
            self.places.pop();
        }
    }

    fn move_cursor(&mut self, down: bool, cursor: Option<usize>, rows: &[Row]) {
        let Some(at) = cursor else {
            let at = self.in_sight(rows);
            return self.point(if down {
                (at + 4).min(rows.len().saturating_sub(1))
            } else {
                at.saturating_sub(4)
            });
        };
        let choices = || (0..rows.len()).filter(|&row| rows[row].is_choice());
        let next = if down {
            choices().find(|&row| row > at).or_else(|| choices().next())
        } else {
            choices().rfind(|&row| row < at).or_else(|| choices().next_back())
        };
        self.point(next.unwrap_or(at));
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::messages::status::Status;
    use crate::ui::page::Scene;

    /// A player in front of the menu.
    struct Player {
        menu: Menu,
        settings: Settings,
        asked: Vec<MenuAction>,
    }

    impl Player {
        fn on(page: Page) -> Self {
            let mut menu = Menu::default();
            menu.open(page);
            Self { menu, settings: Settings::default(), asked: vec![] }
        }

        fn rows(&self) -> Vec<Row> {
            let scene = Scene {
                settings: &self.settings,
                status: &Status::default(),
                recent: &["old/game.nes".into()],
                folder: &self.menu.folder,
                keys: &[],
                now: SystemTime::UNIX_EPOCH,
            };
            self.menu.page().map(|page| page.rows(&scene)).unwrap_or_default()
        }

        fn steps(&mut self, steps: &[Step]) -> &mut Self {
            for &step in steps {
                let rows = self.rows();
                self.asked.extend(self.menu.step(step, &rows, &mut self.settings));
            }
            self
        }

        fn label(&self) -> String {
            let rows = self.rows();
            self.menu.cursor(&rows).map(|row| rows[row].label.clone()).unwrap_or_default()
        }

        /// Goes down to the line of that label and does it.
        fn choose(&mut self, label: &str) -> &mut Self {
            let rows = self.rows().len();
            for _ in 0..rows {
                if self.label() == label {
                    return self.steps(&[Step::Enter]);
                }
                self.steps(&[Step::Down]);
            }
            panic!("no line {label:?} on {:?}", self.menu.page());
        }
    }

    #[test]
    fn the_cursor_goes_round_and_back_leads_out() {
        let mut player = Player::on(Page::Pause);
        assert_eq!(player.label(), "Resume");
        assert_eq!(player.steps(&[Step::Up]).label(), "Quit");
        assert_eq!(player.steps(&[Step::Down]).label(), "Resume");
        player.choose("Settings").choose("Sound");
        assert_eq!(player.menu.page(), Some(Page::Sound));
        player.steps(&[Step::Back]);
        assert_eq!(player.label(), "Sound", "the cursor is where it was");
        player.steps(&[Step::Back, Step::Back]);
        assert_eq!(player.menu.page(), None);
        assert!(player.asked.is_empty());
    }

    #[test]
    fn a_slot_is_saved_and_the_game_goes_on() {
        let mut player = Player::on(Page::Pause);
        player.choose("Save").choose("Slot 3");
        assert_eq!(player.asked, [MenuAction::Send(Command::SaveSlot(3))]);
        assert_eq!(player.menu.page(), None);
    }

    #[test]
    fn a_setting_is_changed_by_left_and_right() {
        let mut player = Player::on(Page::Sound);
        player.steps(&[Step::Down]);
        assert_eq!(player.label(), "Volume");
        player.steps(&[Step::Left, Step::Left, Step::Right]);
        assert_eq!(player.settings.sound.volume, 95);
    }

    #[test]
    fn a_binding_is_asked_for_and_back_gives_up_asking_first() {
        let mut player = Player::on(Page::Input);
        player.choose("Keyboard of player 1").choose("B");
        assert!(player.menu.listening.is_some());
        player.steps(&[Step::Back]);
        assert!(player.menu.listening.is_none());
        assert_eq!(player.menu.page(), Some(Page::Remap(Device::Keys, 0)));
        player.steps(&[Step::Left]);
        assert!(player.settings.input.players[0].keys.b.is_empty(), "left takes one away");
        player.choose("Reset to defaults");
        assert_eq!(player.settings, Settings::default());
    }

    #[test]
    fn a_file_is_opened_from_its_folder() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("games")).unwrap();
        std::fs::write(place.path().join("games/game.nes"), "").unwrap();
        let mut player = Player::on(Page::Pause);
        player.menu.folder.path = place.path().to_owned();
        player.menu.open(Page::Pause);
        player.choose("Open").choose("games/").choose("game.nes");
        let [MenuAction::Open(path)] = &player.asked[..] else { panic!("{:?}", player.asked) };
        assert!(path.ends_with("games/game.nes"));
        assert_eq!(player.menu.page(), None);
    }

    #[test]
    fn every_page_can_be_reached_and_left() {
        let mut found = vec![Page::Pause];
        let mut at = 0;
        while let Some(&page) = found.get(at) {
            let mut player = Player::on(page);
            for row in player.rows() {
                if let Item::Goto(next) = row.item
                    && !found.contains(&next)
                {
                    found.push(next);
                }
            }
            assert!(!page.title().is_empty() && !page.hint().is_empty());
            assert_eq!(player.steps(&[Step::Back]).menu.page(), None);
            at += 1;
        }
        // Keys and pads of both players are four pages.
        assert_eq!(found.len(), 20, "{found:?}");
    }

    #[test]
    fn the_beginning_of_a_name_leads_to_its_file() {
        let row = |name: &str| Row::of_file(name);
        let rows = [row("alpha.nes"), row("beta.nes"), row("Tetris.nes"), row("tetwo.nes"), row("test.nes")];
        let (mut menu, start) = (Menu::default(), Instant::now());
        assert!(!menu.type_ahead("t", &rows, start), "there is no list");
        menu.open(Page::Recent);
        let typed = |menu: &mut Menu, letters: &[&str], at: Duration| {
            for letter in letters {
                assert!(menu.type_ahead(letter, &rows, start + at));
            }
            menu.cursor(&rows).unwrap()
        };
        assert_eq!(typed(&mut menu, &["t"], Duration::ZERO), 2);
        assert_eq!(typed(&mut menu, &["e", "s"], Duration::ZERO), 4, "tes");
        assert_eq!(typed(&mut menu, &["t"], 2 * TYPING), 2, "the next with a t");
        assert_eq!(typed(&mut menu, &["t"], 4 * TYPING), 3);
        assert_eq!(typed(&mut menu, &["x"], 6 * TYPING), 3, "there is none");
    }

    #[test]
    fn a_page_without_choices_can_only_be_read_and_left() {
        let mut player = Player::on(Page::Help);
        player.steps(&[Step::Down, Step::Enter, Step::Right]);
        assert_eq!(player.menu.page(), Some(Page::Help));
        let rows = player.rows();
        assert_eq!((player.menu.cursor(&rows), player.menu.in_sight(&rows)), (None, 4));
        player.steps(&[Step::Down; 20]);
        assert_eq!(player.menu.in_sight(&rows), rows.len() - 1);
        player.steps(&[Step::Up; 20]);
        assert_eq!(player.menu.in_sight(&rows), 0);
    }
}
