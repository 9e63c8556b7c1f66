//! How many keys people press for what they want, and how far pages are from Home. The counts stand
//! in docs/desktop.md.

use std::collections::BTreeMap;

use review::{Choice, Class, Reviewed};
use winit::keyboard::KeyCode;

use super::*;
use crate::messages::command::{Command, PracticeCommand};
use crate::messages::status::ReviewStatus;
use crate::ui::page::SECTIONS;
use crate::ui::shortcut::Shortcut;

const WINDOW: (u32, u32, f64) = (1280, 800, 1.0);

/// A player at the keyboard, whose presses are counted.
struct Walk {
    screen: Screen,
    keys: usize,
}

impl Walk {
    /// The program has started, at Home.
    fn start(is_first: bool) -> Self {
        let mut screen = Screen::new(WINDOW);
        screen.room.state.welcome = is_first;
        screen.room.state.menu.open(Page::Home);
        screen.room.done(|_| {});
        screen.room.sent();
        Self { screen, keys: 0 }
    }

    fn press(&mut self, code: KeyCode, shortcut: Option<Shortcut>) -> &mut Self {
        self.keys += 1;
        self.screen.draw(WINDOW);
        self.screen.room.press(code, shortcut);
        self
    }

    fn letters(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            self.keys += 1;
            assert!(self.screen.room.state.type_letters(&letter.to_string()), "{letter}");
        }
        self
    }

    /// Goes to the line of that label by the fewest arrows, and chooses it.
    fn choose(&mut self, label: &str) -> &mut Self {
        self.screen.draw(WINDOW);
        let state = &self.screen.room.state;
        let rows = state.rows();
        let from = state.menu.cursor(&rows).expect("a focus");
        let to = rows.iter().position(|row| row.label == label).unwrap_or_else(|| panic!("no {label}"));
        let arrows = [
            (Step::Up, KeyCode::ArrowUp),
            (Step::Down, KeyCode::ArrowDown),
            (Step::Left, KeyCode::ArrowLeft),
            (Step::Right, KeyCode::ArrowRight),
        ];
        let mut ways = BTreeMap::from([(from, vec![])]);
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            for (step, code) in arrows {
                if rows[at].changes_by_steps() && matches!(step, Step::Left | Step::Right) {
                    continue;
                }
                let Some(next) = state.menu.nav.next(at, step) else { continue };
                if !ways.contains_key(&next) {
                    let way: Vec<KeyCode> = ways[&at].iter().copied().chain([code]).collect();
                    ways.insert(next, way);
                    open.push_back(next);
                }
            }
        }
        for code in ways.remove(&to).unwrap_or_else(|| panic!("{label} is not reached")) {
            self.press(code, None);
        }
        self.press(KeyCode::Enter, None)
    }

    fn label(&self) -> String {
        let state = &self.screen.room.state;
        let rows = state.rows();
        state.menu.cursor(&rows).map(|at| rows[at].label.clone()).unwrap_or_default()
    }

    fn sent(&self) -> Vec<Command> {
        self.screen.room.sent()
    }
}

/// A review of five pieces, of which the third lost the most.
fn review_of_five() -> Arc<ReviewStatus> {
    let choice = Choice { place: [5, 18, 0].try_into().unwrap(), value: 0.0, odds: [1.0; 3], then: None };
    let losses = [0.0, 800.0, 28_097.0, 3_000.0, 0.0];
    let reviewed = |(number, loss): (u32, f32)| Reviewed {
        number,
        piece: 'T',
        next: Some('L'),
        level: 18,
        lines: 0,
        score: None,
        cleared: 0,
        rows: [0; 20],
        expected: 300_000.0,
        chosen: choice,
        best: choice,
        loss,
        odds_lost: 0.0,
        class: Class::Mistake,
        kind: None,
        accuracy: 0.5,
        reachable: true,
        is_level: true,
        link: String::new(),
    };
    let position = crate::ui::editor::Editor::default().text();
    Arc::new(ReviewStatus {
        reviews: (1..).zip(losses).map(reviewed).collect(),
        positions: (1..=5).map(|number| (number, position.clone())).collect(),
        total: 5,
        is_done: true,
        ..ReviewStatus::default()
    })
}

/// Returns whether a game begins from a position.
fn begins_from_a_position(command: &Command) -> bool {
    matches!(command, Command::Practice(PracticeCommand::Begin { position: Some(_), .. }))
}

/// Returns the fewest keys from the end of a game to the beginning of a mode: Ctrl+K, one letter or
/// more of its name, Enter.
fn fewest_keys_to(kind: practice::Kind) -> usize {
    let title = kind.title().to_lowercase();
    let letters: Vec<char> = title.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let first = letters[0];
    let short = std::iter::once(first.to_string());
    let pairs = letters[1..].iter().map(|second| format!("{first}{second}"));
    let wholes = (3..=letters.len()).map(|count| letters[..count].iter().collect());
    for typed in short.chain(pairs).chain(wholes) {
        let mut walk = Walk::start(false);
        walk.screen.room.state.menu.close();
        // Ctrl+K, whatever K alone is in the game.
        walk.screen.room.state.do_shortcut(Shortcut::Find);
        walk.keys += 1;
        walk.letters(&typed).press(KeyCode::Enter, None);
        let is_begun = |command: &Command| match command {
            Command::Practice(PracticeCommand::Begin { mode, .. }) => mode.kind() == kind,
            _ => false,
        };
        if walk.sent().iter().any(is_begun) {
            return walk.keys;
        }
    }
    panic!("{title} is not found by its name")
}

#[test]
fn people_press_as_few_keys_as_the_docs_say() {
    let mut counts = vec![];

    // Someone who has never played: the computer first, then the own hands, then the worst piece.
    let mut walk = Walk::start(true);
    walk.press(KeyCode::KeyC, Some(Shortcut::Computer));
    assert!(walk.sent().contains(&Command::LetComputerPlay(true)));
    counts.push(("Start: watch the computer play", walk.keys));
    walk.screen.room.done(|status| {
        (status.computer, status.in_game, status.can_review) = (true, true, true);
        status.game = Some(game());
    });
    let before = walk.keys;
    walk.press(KeyCode::KeyC, Some(Shortcut::Computer));
    assert!(walk.sent().contains(&Command::LetComputerPlay(false)));
    counts.push(("The computer plays: play on yourself", walk.keys - before));
    walk.screen.room.done(|status| (status.computer, status.in_game) = (false, false));
    let before = walk.keys;
    walk.press(KeyCode::KeyW, Some(Shortcut::Review));
    let asked = walk.sent();
    assert!(asked.iter().any(|command| matches!(command, Command::Practice(PracticeCommand::Review { .. }))));
    walk.screen.room.done(|status| status.review = Some(review_of_five()));
    assert_eq!((walk.screen.room.state.menu.page(), walk.label().as_str()), (Some(Page::Coach), "3 T"));
    counts.push(("After a game: see the costliest piece", walk.keys - before));
    let before = walk.keys;
    walk.press(KeyCode::Enter, None);
    assert!(walk.sent().iter().any(begins_from_a_position));
    counts.push(("The costliest piece: try it again", walk.keys - before));

    // A tournament player: level 29, for hands of 15 taps a second.
    let mut walk = Walk::start(false);
    walk.press(KeyCode::BracketRight, None).press(KeyCode::BracketRight, None).choose("Taps");
    assert_eq!(
        (walk.screen.room.state.menu.page(), walk.label().as_str()),
        (Some(Page::Taps), "Start level")
    );
    walk.letters("29").press(KeyCode::ArrowDown, None).letters("15").choose("Begin: Tap");
    let begun = walk.sent().into_iter().find_map(|command| match command {
        Command::Practice(PracticeCommand::Begin { mode, options, .. }) => Some((mode.kind(), options.level)),
        _ => None,
    });
    assert_eq!(begun, Some((practice::Kind::Tap, 29)));
    assert_eq!(walk.screen.room.state.settings.practice.hertz, 15);
    counts.push(("Start: practise taps at level 29 with 15 Hz", walk.keys));

    // The last game's costliest piece, right after the start.
    let mut walk = Walk::start(false);
    let folder = walk.screen.room.state.menu.games_folder.clone().expect("a folder of games");
    std::fs::create_dir_all(&folder).expect("the folder");
    let path = folder.join("5-tetris.mxgame");
    crate::ui::games::tests::write_game(&path, 5, &[("score", "1000")]);
    walk.press(KeyCode::KeyW, Some(Shortcut::Review));
    let (hertz, reaction) = (12, 18);
    let asked = Command::Practice(PracticeCommand::ReviewKept { path, hertz, reaction });
    assert!(walk.sent().contains(&asked));
    walk.screen.room.done(|status| status.review = Some(review_of_five()));
    assert_eq!(walk.label(), "3 T");
    counts.push(("Start: the last game's costliest piece", walk.keys));
    walk.press(KeyCode::Enter, None);
    assert!(walk.sent().iter().any(begins_from_a_position));
    counts.push(("Start: try the last game's costliest piece again", walk.keys));

    // A game of one mode is over: the same again, and any other.
    let mut walk = Walk::start(false);
    walk.screen.room.state.menu.close();
    walk.press(KeyCode::F6, Some(Shortcut::NewGame));
    assert!(!walk.sent().is_empty());
    counts.push(("A game is over: the same mode again", walk.keys));
    let mut most = 0;
    for &kind in practice::Kind::ALL {
        let keys = fewest_keys_to(kind);
        assert!(keys <= 4, "{}: {keys} keys", kind.title());
        most = most.max(keys);
    }
    counts.push(("A game is over: any other mode, at most", most));

    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/desktop.md");
    let docs = std::fs::read_to_string(docs).expect("the page of the window");
    for (what, keys) in counts {
        let line = format!("| {what} | {keys} |");
        assert!(docs.contains(&line), "docs/desktop.md lacks the line {line}");
    }
}

#[test]
fn every_page_is_within_two_selections_of_home_and_b_leads_back() {
    let mut screen = Screen::new(WINDOW);
    screen.room.done(|status| {
        (status.game, status.can_review) = (Some(game()), true);
        status.position = Some(crate::ui::editor::Editor::default().position);
    });
    // Sections are gone through by the shoulder buttons.
    let mut known: Vec<(Page, usize)> = SECTIONS.iter().map(|&(page, _)| (page, 0)).collect();
    let mut at = 0;
    while let Some(&(page, selections)) = known.get(at) {
        at += 1;
        if selections == 2 {
            continue;
        }
        let state = &mut screen.room.state;
        state.menu.open_section(page);
        for row in 0..state.rows().len() {
            state.menu.open_section(page);
            let rows = state.rows();
            // What a page has depends on what was done before.
            let Some(line) = rows.get(row) else { break };
            if !line.is_choice() || line.item == crate::ui::page::Item::Quit {
                continue;
            }
            state.menu.pick(row);
            state.step(Step::Enter);
            let Some(found) = state.menu.page() else { continue };
            if known.iter().all(|(other, _)| *other != found) {
                known.push((found, selections + 1));
            }
            // B, until Home.
            let mut presses = 0;
            while state.menu.page().is_some_and(|page| page != Page::Home) && presses < 5 {
                state.step(Step::Back);
                presses += 1;
            }
            assert!(presses <= 4, "{found:?} by {page:?}");
        }
    }
    for page in PAGES {
        // The menu of the game itself, which Esc opens there, and what it leads to; what comes by
        // itself.
        let is_beside = matches!(page, Page::Pause | Page::Save | Page::NewPad(_));
        assert!(is_beside || known.iter().any(|(other, _)| *other == page), "{page:?} is further away");
    }
}
