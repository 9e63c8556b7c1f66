use std::time::{Duration, SystemTime};

use super::typing::TYPING;
use super::*;
use crate::messages::status::Status;
use crate::ui::page::{Device, Scene};

/// A player in front of the menu.
struct MenuUser {
    menu: Menu,
    settings: Settings,
    asked: Vec<MenuAction>,
}

impl MenuUser {
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
            games: &[],
            shelf: &Shelf::default(),
            editor: &self.menu.editor,
            puzzles: &self.menu.puzzles,
            question: None,
            dialog: false,
            sidebar: self.menu.has_sidebar,
            texts: &self.menu.texts,
            keys: &[],
            listening: None,
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

    /// Clicks on the line of that label.
    fn click(&mut self, label: &str) -> &mut Self {
        let row = self.rows().iter().position(|row| row.label == label).unwrap();
        self.menu.pick(row);
        self.steps(&[Step::Enter])
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
    let mut player = MenuUser::on(Page::Pause);
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
fn the_menu_opens_where_it_was_left_and_lists_at_their_head() {
    let mut player = MenuUser::on(Page::Pause);
    player.choose("Settings").choose("Sound").steps(&[Step::Down]);
    player.menu.close();
    player.menu.open(Page::Pause);
    assert_eq!(player.label(), "Settings");
    player.steps(&[Step::Enter]);
    assert_eq!(player.label(), "Sound");
    player.steps(&[Step::Enter]);
    assert_eq!(player.label(), "Volume");
    player.menu.ask(vec![], "Begin a new game".into(), MenuAction::Quit);
    player.steps(&[Step::Down, Step::Back]);
    player.menu.ask(vec![], "Begin a new game".into(), MenuAction::Quit);
    assert_eq!(player.label(), "Keep playing");
}

#[test]
fn what_cannot_be_done_keeps_its_place_and_does_nothing() {
    let labels = |page: Page, status: &Status, recent: &[PathBuf]| {
        let (settings, folder, editor) = (Settings::default(), Folder::default(), Editor::default());
        let scene = Scene {
            settings: &settings,
            status,
            recent,
            folder: &folder,
            games: &[],
            shelf: &Shelf::default(),
            editor: &editor,
            puzzles: &PuzzleDesk::default(),
            question: None,
            dialog: false,
            sidebar: false,
            texts: &Texts::default(),
            keys: &[],
            listening: None,
            now: SystemTime::UNIX_EPOCH,
        };
        page.rows(&scene).into_iter().map(|row| row.label).collect::<Vec<_>>()
    };
    let cause = nes_debug::CrashCause::Jammed;
    let crash = nes_debug::Crash { frame: 900, level: 157, pc: 0x1234, cause, jump: None };
    let last = crate::messages::status::Slot {
        saved: SystemTime::UNIX_EPOCH,
        frame: 1,
        thumbnail: std::sync::Arc::new([]),
    };
    let mode = practice::Kind::Garbage.usual();
    let full = Status {
        crash: Some(crate::messages::status::CrashStatus { crash, way_back: true }),
        last_session: Some(last),
        position: Some(Editor::default().position),
        practice: Some(crate::messages::status::PracticeStatus {
            mode,
            options: practice::Options::default(),
            items: vec![],
            figures: std::sync::Arc::default(),
            level: 0,
            height: 0,
            das: 0,
            charge: None,
            taps: None,
            marks: 1,
            tries: 1,
            replay: Some((1, 2)),
        }),
        ..Status::default()
    };
    for page in [Page::Pause, Page::Practice, Page::Tools] {
        let (empty, full) = (labels(page, &Status::default(), &[]), labels(page, &full, &["a.nes".into()]));
        assert_eq!(empty, full);
    }
    let mut player = MenuUser::on(Page::Pause);
    player.choose("Edit this position").choose("Take the piece back").choose("Review so far");
    assert!(player.asked.is_empty() && player.menu.page() == Some(Page::Pause));
}

#[test]
fn a_slot_is_saved_and_the_game_goes_on() {
    let mut player = MenuUser::on(Page::Pause);
    player.choose("Save a state…").choose("Slot 3");
    assert_eq!(player.asked, [MenuAction::Send(Command::SaveSlot(3))]);
    assert_eq!(player.menu.page(), None);
}

#[test]
fn a_setting_is_changed_by_left_and_right() {
    let mut player = MenuUser::on(Page::Sound);
    player.steps(&[Step::Down]);
    assert_eq!(player.label(), "Volume");
    player.steps(&[Step::Left, Step::Left, Step::Right]);
    assert_eq!(player.settings.sound.volume, 95);
}

#[test]
fn a_binding_is_asked_for_and_back_gives_up_asking_first() {
    let mut player = MenuUser::on(Page::Input);
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
    let mut player = MenuUser::on(Page::Tools);
    player.menu.folder.path = place.path().to_owned();
    player.menu.open(Page::Tools);
    player.choose("Open a file…").choose("games/").choose("game.nes");
    let [MenuAction::Open(path)] = &player.asked[..] else { panic!("{:?}", player.asked) };
    assert!(path.ends_with("games/game.nes"));
    assert_eq!(player.menu.page(), None);
}

#[test]
fn every_page_can_be_reached_and_left() {
    let mut found = vec![Page::Pause];
    let mut at = 0;
    while let Some(&page) = found.get(at) {
        let mut player = MenuUser::on(page);
        player.menu.has_sidebar = true;
        for row in player.rows() {
            if let Item::Goto(next) | Item::Section(next) | Item::Tab(next) = row.item
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
    assert_eq!(found.len(), 38, "{found:?}");
    // What is asked comes by itself.
    assert!(!found.contains(&Page::Question));
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
    let mut player = MenuUser::on(Page::Help);
    player.steps(&[Step::Down, Step::Enter, Step::Right]);
    assert_eq!(player.menu.page(), Some(Page::Help));
    let rows = player.rows();
    assert_eq!((player.menu.cursor(&rows), player.menu.in_sight(&rows)), (None, 4));
    player.steps(&[Step::Down; 20]);
    assert_eq!(player.menu.in_sight(&rows), rows.len() - 1);
    player.steps(&[Step::Up; 20]);
    assert_eq!(player.menu.in_sight(&rows), 0);
}

#[test]
fn a_position_is_edited_by_keys_and_begins_a_game() {
    let mut player = MenuUser::on(Page::Practice);
    player.choose("Position editor").choose("Level").choose("Level");
    player.menu.editor.set(4, 19, true);
    player.choose("Begin a game from here");
    let wanted = PracticeCommand::Begin {
        mode: practice::Kind::Tetris.usual(),
        options: practice::Options::default(),
        position: Some(player.menu.editor.text()),
    };
    assert_eq!(player.asked, [MenuAction::Send(Command::Practice(wanted))]);
    assert_eq!((player.menu.editor.position.level, player.menu.page()), (20, None));
    player.asked.clear();
    player.menu.open(Page::Editor);
    player.choose("Clear field").choose("Copy the position as a line of text");
    player.choose("Paste a line of text");
    assert_eq!(player.asked, [MenuAction::CopyPosition, MenuAction::PastePosition]);
    assert_eq!(player.menu.editor.position.rows, [0; 20]);
}

#[test]
fn a_name_of_several_words_is_sought_and_its_spaces_choose_nothing() {
    use winit::keyboard::KeyCode;

    let mut room = crate::ui::state::tests::Room::new();
    room.state.menu.open_find();
    assert!(room.state.type_letters("right"));
    room.state.key(Some(KeyCode::Space), true, None);
    assert!(room.state.type_letters("rail"));
    assert_eq!(
        (room.state.menu.page(), room.state.menu.texts.find.as_str()),
        (Some(Page::Find), "right rail")
    );
    let rows = room.state.rows();
    let found = room.state.menu.cursor(&rows).expect("something is found");
    assert_eq!(rows[found].label, "Right rail");
    room.state.key(Some(KeyCode::Enter), true, None);
    assert_eq!(room.state.menu.page(), Some(Page::Look));
}

#[test]
fn a_click_on_a_section_leaves_the_puzzle_whose_piece_the_keys_move() {
    let mut player = MenuUser::on(Page::Puzzles);
    player.menu.has_sidebar = true;
    player.choose("Next puzzle");
    assert_eq!(player.menu.page(), Some(Page::Puzzle));
    let row = player.rows().iter().position(|row| row.label == "Play").unwrap();
    // Pointing at it leaves the keys to the piece.
    player.menu.point(row);
    player.steps(&[Step::Enter]);
    assert!(player.menu.puzzles.desk.asked.as_ref().unwrap().first.is_some());
    player.click("Play");
    assert_eq!(player.menu.page(), Some(Page::Play));
}
