//! Where the player stands in the menu, and what a step does there.

mod typing;

use std::path::PathBuf;
use std::time::Instant;

use review::{Hands, Reviewed};

use crate::config::settings::Settings;
use crate::messages::command::{Command, PracticeCommand, Recording};
use crate::ui::editor::{Editor, EditorAction};
use crate::ui::field::{Field, Texts};
use crate::ui::folder::{self, Folder, Kind};
use crate::ui::games::{self, Act, KeptGame, Shelf};
use crate::ui::keyboard::{Keyboard, Set};
use crate::ui::nav::Nav;
use crate::ui::number::{self, Entry, Hold, Number};
use crate::ui::page::{Ask, Item, PadAnswer, Page, Row, SECTIONS, Zone};
use crate::ui::puzzle::PuzzleDesk;
use crate::ui::remap::{Change, Listening};
use crate::ui::step::Step;

/// Rows that a page up or down goes.
const PAGE: usize = 10;

/// What the menu cannot do by itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MenuAction {
    Send(Command),
    Open(PathBuf),
    /// Asks the mistakes of the review again.
    Learn,
    /// Opens the desktop's own dialog.
    Dialog,
    BuiltIn,
    /// Starts that recording, or stops it.
    Record(Recording),
    /// Ends the movie that plays, and goes on recording it.
    ContinueMovie,
    Screenshot,
    /// Reviews the game that is on or the last one, and shows its costliest piece.
    Review,
    /// The address of the overlays goes to the clipboard.
    CopyAddress,
    /// Joins the match at the address in the clipboard.
    JoinCopied,
    /// Writes what was played since power-on as a movie.
    SaveMovie,
    ToggleDebugger,
    OpenSound,
    /// The answer about a new pad of a player.
    Pad(usize, PadAnswer),
    BeforeCrash,
    /// Begins a new game of the mode that is on, or a plain one.
    Again,
    /// Does what the player was asked about, and has confirmed.
    Confirmed(Box<MenuAction>),
    /// Writes the position that is edited to the clipboard.
    CopyPosition,
    /// Reads one from there.
    PastePosition,
    /// Does something with the kept games that are selected.
    Games(Act),
    Quit,
}

/// A page, and the line on it that the cursor is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MenuPosition {
    page: Page,
    cursor: usize,
}

/// Returns what begins a game of the mode `kind` as the player has set it.
fn begin(settings: &Settings, kind: practice::Kind) -> PracticeCommand {
    PracticeCommand::Begin {
        mode: settings.practice.mode(kind),
        options: settings.practice_options(),
        position: None,
    }
}

/// Returns the last line of the page itself, after which those beside it come.
fn last(rows: &[Row]) -> usize {
    let own = rows.iter().rposition(|row| row.zone == Zone::Main);
    own.unwrap_or(rows.len().saturating_sub(1))
}

/// The menu: closed, or on a page.
#[derive(Debug, Default)]
pub(crate) struct Menu {
    /// The way here; the last is shown.
    places: Vec<MenuPosition>,
    pub(crate) folder: Folder,
    /// Where games are kept, and those that were there when the list was opened.
    pub(crate) games_folder: Option<PathBuf>,
    pub(crate) games: Vec<KeptGame>,
    /// How they are looked at.
    pub(crate) shelf: Shelf,
    /// The position that is edited.
    pub(crate) editor: Editor,
    pub(crate) puzzles: PuzzleDesk,
    pub(crate) listening: Option<Listening>,
    /// Whether the desktop's own dialog can be asked for.
    pub(crate) has_dialog: bool,
    /// Whether pages have a sidebar.
    pub(crate) has_sidebar: bool,
    /// Whether the cursor stays on the costliest piece of the review until the player moves it.
    pub(crate) seeks_worst: bool,
    /// Whether the review shows the best line, two pieces deep.
    pub(crate) shows_line: bool,
    /// Where the controls of the page were drawn last.
    pub(crate) nav: Nav,
    /// What was typed.
    pub(crate) texts: Texts,
    /// The keyboard on the screen, while it is open.
    pub(crate) keyboard: Option<Keyboard>,
    /// What the player is asked about: as a verb, and what it would do.
    question: Option<(String, MenuAction)>,
    /// Where the cursor was on each page.
    remembered: Vec<MenuPosition>,
    /// A number that is being typed into the row at the cursor.
    entry: Option<Entry>,
    hold: Hold,
    /// Whether the step that comes is a click on the line at the cursor.
    picks: bool,
    /// When the last letter of a file's name was typed.
    typed: Option<Instant>,
    /// A text that is being typed, and what it was before.
    text_before: Option<(Field, String)>,
}

impl Menu {
    /// Returns the page that is shown; none when the menu is closed.
    pub(crate) fn page(&self) -> Option<Page> {
        self.places.last().map(|place| place.page)
    }

    /// Opens it on `page`, one step of going back away from the game.
    pub(crate) fn open(&mut self, page: Page) {
        self.places.clear();
        self.end_typing();
        self.listening = None;
        self.go(page);
    }

    /// Opens a section, one step of going back away from Home.
    pub(crate) fn open_section(&mut self, page: Page) {
        self.open(Page::Home);
        if page != Page::Home {
            self.go(page);
        }
    }

    /// Opens a page over the one that is open.
    pub(crate) fn open_over(&mut self, page: Page) {
        self.go(page);
    }

    /// Goes back from a page, if it is open.
    pub(crate) fn leave(&mut self, page: Page) {
        if self.page() == Some(page) {
            self.places.pop();
        }
    }

    /// Asks the mistakes of a review again, on their own page.
    pub(crate) fn learn(&mut self, reviews: &[Reviewed], hands: Hands) {
        if self.puzzles.begin_lesson(reviews, hands) {
            self.go(Page::Lesson);
        }
    }

    /// Opens the way to anything over the page that is open.
    pub(crate) fn open_find(&mut self) {
        if self.page() != Some(Page::Find) {
            self.end_typing();
            self.listening = None;
            self.go(Page::Find);
        }
    }

    /// Opens the section before or after the one that is open.
    fn turn(&mut self, on: bool) {
        let Some(page) = self.page() else { return };
        let at = SECTIONS.iter().position(|(section, _)| *section == page.section()).unwrap_or(0);
        let next = if on { at + 1 } else { at + SECTIONS.len() - 1 };
        self.open_section(SECTIONS[next % SECTIONS.len()].0);
    }

    /// Back to the game.
    pub(crate) fn close(&mut self) {
        self.places.clear();
        self.end_typing();
        self.listening = None;
    }

    /// Returns the way to the page that is shown.
    pub(crate) fn places(&self) -> Vec<MenuPosition> {
        self.places.clone()
    }

    /// Asks whether the game that is on may be lost. `places` is where the player was.
    pub(crate) fn ask(&mut self, places: Vec<MenuPosition>, verb: String, action: MenuAction) {
        self.places = places;
        self.question = Some((verb, action));
        self.go(Page::Question);
    }

    /// Returns what the player is asked about.
    pub(crate) fn question(&self) -> Option<&str> {
        self.question.as_ref().map(|(verb, _)| verb.as_str())
    }

    /// Returns the line that the cursor is on: the nearest choice from where it was put. None where
    /// there is none to choose.
    pub(crate) fn cursor(&self, rows: &[Row]) -> Option<usize> {
        // There the steps move the piece.
        if self.page().is_some_and(|page| self.puzzles.moves_piece(page)) {
            return None;
        }
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
        (self.entry, self.text_before, self.seeks_worst) = (None, None, false);
        if let Some(place) = self.places.last_mut() {
            place.cursor = row;
            let place = *place;
            self.remembered.retain(|other| other.page != place.page);
            self.remembered.push(place);
        }
    }

    /// Puts the cursor on a line that is clicked, which goes before the piece that steps move.
    pub(crate) fn pick(&mut self, row: usize) {
        self.point(row);
        self.picks = true;
    }

    /// One step on a page of these `rows`. Changes `settings`, moves, or answers what is to be
    /// done.
    pub(crate) fn step(&mut self, step: Step, rows: &[Row], settings: &mut Settings) -> Option<MenuAction> {
        let clicked = std::mem::take(&mut self.picks).then(|| self.places.last().map(|place| place.cursor));
        let clicked = clicked.flatten().filter(|&row| rows.get(row).is_some_and(Row::is_choice));
        if clicked.is_none() && self.page().is_some_and(|page| self.puzzles.step_on(page, step)) {
            if self.page() == Some(Page::Puzzle) && !self.puzzles.moves_piece(Page::Puzzle) {
                self.point(0); // it is answered, and the first line is the next puzzle
            }
            return None;
        }
        self.seeks_worst = false;
        let cursor = clicked.or_else(|| self.cursor(rows));
        if let Some(entry) = self.entry.take()
            && let Step::Enter | Step::Back = step
        {
            if step == Step::Back {
                entry.give_up(&rows.get(cursor?)?.item, settings, &mut self.editor);
            }
            return None;
        }
        if let Some((field, before)) = self.text_before.take()
            && let Step::Back = step
        {
            *field.text_mut(&mut self.texts, &mut self.shelf, settings) = before;
            return None;
        }
        match step {
            Step::Back => self.back(),
            Step::Up | Step::Down => {
                if !self.move_beside(step, cursor) {
                    self.move_cursor(step == Step::Down, cursor, rows);
                }
            }
            Step::SectionBefore | Step::SectionAfter => self.turn(step == Step::SectionAfter),
            Step::First => self.point(0),
            Step::Last => self.point(last(rows)),
            Step::PageUp => self.point(self.in_sight(rows).saturating_sub(PAGE)),
            Step::PageDown => self.point((self.in_sight(rows) + PAGE).min(last(rows))),
            Step::Draw if self.page() == Some(Page::Games) => self.select(rows.get(cursor?)?),
            Step::Draw => {
                if !self.draw(&rows.get(cursor?)?.item, settings) {
                    self.open_find();
                }
            }
            Step::Type => {
                self.open_keyboard(rows, settings);
            }
            Step::Left | Step::Right if !rows.get(cursor?)?.changes_by_steps() => {
                self.move_beside(step, cursor);
            }
            Step::Left | Step::Right => {
                let number = Number::of(&rows.get(cursor?)?.item, settings, &self.editor);
                let size = self.hold.step(step, Instant::now(), number::range(number));
                let by = if step == Step::Right { size } else { -size };
                match &rows.get(cursor?)?.item {
                    Item::Setting(setting) => setting.step(settings, by),
                    &Item::Practise(kind) => settings.practice.step_mode(kind, by),
                    &Item::PracticeOption(name) => settings.practice.step_option(name, by),
                    &Item::Part(part) => self.editor.step(part, by),
                    &Item::Shelf(part) => self.shelf.step(part, by),
                    &Item::Bind(device, target) if by > 0 => {
                        self.listening = Some(Listening::new(device, target, Change::Add));
                    }
                    &Item::Bind(device, target) => {
                        Listening::new(device, target, Change::Add).forget_last(settings);
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
            Item::Section(page) => self.open_section(page),
            Item::Tab(page) => {
                self.places.pop();
                self.go(page);
            }
            Item::Found(page, row) => {
                self.open_section(page.section());
                if self.page() != Some(page) {
                    self.go(page);
                }
                self.point(row);
            }
            Item::Puzzle(ask) => self.ask_puzzle(ask),
            Item::NextPuzzle => self.puzzles.ask_another(),
            Item::PuzzleAgain => self.puzzles.ask_again(),
            Item::Learn => return Some(MenuAction::Learn),
            Item::Again => return Some(self.done(MenuAction::Again)),
            Item::Field(_) => self.keyboard = Some(Keyboard::new(Set::Text)),
            Item::Setting(setting) => setting.step(settings, 1),
            Item::PracticeOption(name) => settings.practice.step_option(name, 1),
            Item::Practise(kind) | Item::Mode(kind) => {
                let begin = begin(settings, kind);
                return Some(self.done(MenuAction::Send(Command::Practice(begin))));
            }
            Item::EditPosition(position) => {
                self.editor.position = position;
                self.go(Page::Editor);
            }
            Item::Part(part) => self.editor.step(part, 1),
            Item::Shelf(part) => self.shelf.step(part, 1),
            Item::Games(Act::Reverse) => self.shelf.rises = !self.shelf.rises,
            Item::Games(Act::Deselect) => self.shelf.deselect(),
            Item::Games(act) => return Some(MenuAction::Games(act)),
            Item::Editor(EditorAction::Clear) => self.editor.clear(),
            Item::Editor(EditorAction::Copy) => return Some(MenuAction::CopyPosition),
            Item::Editor(EditorAction::Paste) => return Some(MenuAction::PastePosition),
            Item::Editor(EditorAction::Begin) => {
                let begin = self.editor.begin(settings.practice_options());
                return Some(self.done(MenuAction::Send(Command::Practice(begin))));
            }
            Item::Practice(command) => {
                let action = MenuAction::Send(Command::Practice(command.clone()));
                // What is found is shown on this page.
                let stays = matches!(command, PracticeCommand::Review { .. } | PracticeCommand::FindPuzzles);
                return Some(if stays { action } else { self.done(action) });
            }
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
            Item::Dialog => return Some(MenuAction::Dialog),
            Item::BuiltIn => return Some(self.done(MenuAction::BuiltIn)),
            Item::Bind(device, target) => {
                self.listening = Some(Listening::new(device, target, Change::Replace));
            }
            Item::DefaultBindings(device, player) => settings.input.reset(device, player),
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
            Item::Review => return Some(MenuAction::Review),
            // The line of the device above shows what comes of it.
            Item::OpenSound => return Some(MenuAction::OpenSound),
            Item::Pad(player, answer) => return Some(MenuAction::Pad(player, answer)),
            Item::BeforeCrash => return Some(self.done(MenuAction::BeforeCrash)),
            Item::Match(command) => return Some(self.done(MenuAction::Send(Command::Network(command)))),
            Item::JoinCopied => return Some(self.done(MenuAction::JoinCopied)),
            // How it stands is shown on this page.
            Item::Stream(command) => return Some(MenuAction::Send(Command::Stream(command))),
            Item::CopyAddress => return Some(MenuAction::CopyAddress),
            Item::Script(command) => return Some(self.done(MenuAction::Send(Command::Script(command)))),
            Item::Reset => return Some(self.done(MenuAction::Send(Command::Reset))),
            Item::PowerCycle => return Some(self.done(MenuAction::Send(Command::PowerCycle))),
            Item::Quit => return Some(MenuAction::Quit),
            Item::GoOn => self.back(),
            Item::Confirm => {
                let (_, action) = self.question.take()?;
                return Some(self.done(MenuAction::Confirmed(Box::new(action))));
            }
            Item::PlaceOfPuzzle(_) | Item::Unavailable | Item::Text | Item::Heading => {}
        }
        None
    }

    /// Selects the kept game of a line, or selects it no more.
    fn select(&mut self, row: &Row) {
        if let Item::Practice(PracticeCommand::Replay(path)) = &row.item
            && let Some(game) = self.games.iter().find(|game| game.path == *path)
        {
            self.shelf.toggle(game);
        }
    }

    /// Asks a puzzle, on its own page.
    fn ask_puzzle(&mut self, ask: Ask) {
        match ask {
            Ask::Daily => self.puzzles.ask_daily(),
            Ask::Any => self.puzzles.ask_next(None),
            Ask::Of(theme) => self.puzzles.ask_next(Some(theme)),
            Ask::Own => self.puzzles.ask_own(),
            Ask::Due => self.puzzles.ask_due(),
        }
        if self.puzzles.desk.asked.is_some() {
            self.go(Page::Puzzle);
        }
    }

    fn done(&mut self, action: MenuAction) -> MenuAction {
        self.close();
        action
    }

    fn go(&mut self, page: Page) {
        if matches!(page, Page::Home | Page::Games | Page::Taps) {
            self.list_games();
        }
        if page == Page::Games {
            self.shelf.open(self.games_folder.as_deref());
        }
        if matches!(page, Page::Home | Page::Puzzles) {
            self.puzzles.open();
        }
        if page == Page::Find {
            self.texts.find.clear();
        }
        if page == Page::Open {
            self.folder = Folder::read(&self.folder.path);
        }
        // What a list holds changes, and the safe answer comes first.
        let is_list = matches!(
            page,
            Page::Home | Page::Open | Page::Recent | Page::Games | Page::Find | Page::Question
        );
        // Above what is found there is what is sought.
        let first = usize::from(page == Page::Find);
        let before = self.remembered.iter().find(|place| place.page == page && !is_list);
        self.places.push(MenuPosition { page, cursor: before.map_or(first, |place| place.cursor) });
    }

    /// Reads the folder of kept games.
    pub(crate) fn list_games(&mut self) {
        self.games = self.games_folder.as_deref().map(games::list).unwrap_or_default();
    }

    fn back(&mut self) {
        if self.page() == Some(Page::Games) && self.listening.is_none() && !self.shelf.sought.is_empty() {
            return self.shelf.sought.clear();
        }
        if self.listening.take().is_none() {
            self.places.pop();
        }
    }

    /// Puts the cursor on the line to which a direction leads on the page as it was drawn. Returns
    /// whether the page was drawn.
    fn move_beside(&mut self, step: Step, cursor: Option<usize>) -> bool {
        if !self.page().is_some_and(|page| self.nav.knows(page)) {
            return false;
        }
        if let Some(next) = cursor.and_then(|cursor| self.nav.next(cursor, step)) {
            self.point(next);
        }
        cursor.is_some()
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
mod tests;
