//! Everything that the window can show, with something in it: all pages, and pages after what the
//! player did on them.

use std::sync::OnceLock;

use autopilot::NetSource;
use puzzle::{Choice as Wanted, Desk as Puzzles, Grade, Lesson, Verdict};
use review::{Choice, Class, Hands, Kind, Reviewed};

use super::*;
use crate::debugger::LayoutName;
use crate::messages::status::{PadStatus, ReviewStatus};
use crate::ui::keyboard::{Keyboard, Set};
use crate::ui::menu::MenuAction;
use crate::ui::puzzle::day_at;
use crate::ui::state::tests::Room;

/// The day on which everything is drawn.
pub(super) fn clock() -> std::time::SystemTime {
    std::time::UNIX_EPOCH + Duration::from_secs(86_400 * 20_000)
}

/// Returns games whose dates do not depend on today's.
fn games_long_ago() -> Vec<KeptGame> {
    let begun = |at: usize| std::time::UNIX_EPOCH + Duration::from_secs(86_400 * at as u64);
    games().into_iter().enumerate().map(|(at, game)| KeptGame { begun: begun(at), ..game }).collect()
}

/// Something to be shown: a name, and what leads there.
pub(super) struct Content {
    pub(super) name: String,
    lead: Box<dyn Fn(&mut Room)>,
}

impl Content {
    /// Returns a window that shows it.
    pub(super) fn screen(&self, window: (u32, u32, f64)) -> Screen {
        let mut screen = Screen::new(window);
        self.lead(&mut screen.room);
        screen
    }

    /// Leads there.
    pub(super) fn lead(&self, room: &mut Room) {
        room.state.clock = clock;
        (self.lead)(room);
    }
}

/// Returns a game with its rails in some states, without a page, and the debugger.
pub(super) fn rails() -> impl Iterator<Item = Content> {
    let state = |(name, change): (&str, Change)| Content {
        name: format!("rails-{}", name.trim_start_matches("a ").replace(' ', "-")),
        lead: Box::new(change),
    };
    let debugger = |&layout: &LayoutName| Content {
        name: format!("debugger-{layout:?}").to_lowercase(),
        lead: Box::new(move |room| {
            room.state.settings.debugger.layout = layout;
            room.done(|status| {
                (status.run_state, status.frame) = (RunState::Paused, 11_900);
                status.debugger = Some(Arc::new(crate::ui::debugger::tests::snapshot()));
            });
        }),
    };
    STATES.into_iter().skip(1).map(state).chain(LayoutName::ALL.iter().map(debugger))
}

/// Returns all pages, and what else they may show.
pub(super) fn everything() -> impl Iterator<Item = Content> {
    let page = |page: Page| Content {
        name: format!("{page:?}").to_lowercase().replace(['(', ' '], "-").replace([')', ','], ""),
        lead: Box::new(move |room| open(room, page)),
    };
    let other = |(name, lead): (&str, Change)| Content { name: name.into(), lead: Box::new(lead) };
    PAGES.into_iter().map(page).chain(OTHERS.into_iter().map(other))
}

/// Opens a page while a game is on, and others are kept.
fn open(room: &mut Room, page: Page) {
    room.done(|status| status.game = Some(game()));
    room.state.menu.open(page);
    room.state.menu.games = games_long_ago();
}

const OTHERS: [(&str, Change); 19] = [
    ("home-done", |room| {
        open(room, Page::Home);
        room.state.welcome = false;
        room.state.menu.games = many_games();
        answer_puzzles(room);
        room.done(|status| (status.in_game, status.can_review) = (true, true));
    }),
    ("games-selected", |room| {
        open(room, Page::Games);
        room.state.menu.games = many_games();
        let selected: Vec<KeptGame> = room.state.menu.games[1..4].to_vec();
        for game in &selected {
            room.state.menu.shelf.toggle(game);
        }
    }),
    ("taps-kept", |room| {
        open(room, Page::Taps);
        room.state.menu.games = many_games();
    }),
    ("puzzles-answered", |room| {
        open(room, Page::Puzzles);
        answer_puzzles(room);
    }),
    ("puzzle", |room| {
        room.state.menu.puzzles.desk = asked();
        open(room, Page::Puzzle);
    }),
    ("puzzle-answered", |room| {
        static ANSWERED: OnceLock<Puzzles> = OnceLock::new();
        let answered = ANSWERED.get_or_init(|| {
            let (mut desk, day) = (asked(), day_at(clock()));
            for step in [puzzle::Move::Left, puzzle::Move::Place, puzzle::Move::Place] {
                assert!(desk.step(step, day).expect("a place"));
            }
            desk
        });
        room.state.menu.puzzles.desk = answered.clone();
        open(room, Page::Puzzle);
    }),
    ("review", |room| {
        open(room, Page::Coach);
        show_review(room, reviewed_game(), true);
    }),
    ("review-line", |room| {
        open(room, Page::Coach);
        show_review(room, reviewed_game(), true);
        room.state.menu.shows_line = true;
    }),
    ("review-under-way", |room| {
        open(room, Page::Coach);
        show_review(room, reviewed_game().split_off(70), false);
    }),
    ("lesson", |room| {
        room.state.menu.puzzles.lesson = Some(lesson());
        open(room, Page::Lesson);
    }),
    ("lesson-answered", |room| {
        static ANSWERED: OnceLock<Lesson> = OnceLock::new();
        let answered = ANSWERED.get_or_init(|| {
            let mut lesson = lesson();
            assert!(lesson.place().is_some());
            lesson
        });
        room.state.menu.puzzles.lesson = Some(answered.clone());
        open(room, Page::Lesson);
    }),
    ("lesson-over", |room| {
        let mut lesson = lesson();
        while lesson.asked().is_some() {
            lesson.go_on();
        }
        room.state.menu.puzzles.lesson = Some(lesson);
        open(room, Page::Lesson);
    }),
    ("question", |room| {
        open(room, Page::Play);
        let places = room.state.menu.places();
        room.state.menu.ask(places, "Begin a new game".into(), MenuAction::Again);
    }),
    ("newpad-asked", |room| {
        plug_in(room);
        open(room, Page::NewPad(0));
        room.state.step(Step::Down);
        room.state.step(Step::Down);
        room.state.step(Step::Enter);
    }),
    ("editor-drawn", |room| {
        open(room, Page::Editor);
        let position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458".parse();
        room.state.menu.editor.position = position.expect("a position");
    }),
    ("broadcast", |room| {
        use crate::messages::status::LinkStatus;

        open(room, Page::Streaming);
        room.done(|status| {
            status.stream.address = Some("http://127.0.0.1:5050".into());
            status.stream.readers = 2;
            status.stream.nestrischamps = vec![LinkStatus::Connected, LinkStatus::Lost("no answer".into())];
            status.stream.obs = Some(LinkStatus::Connecting);
        });
    }),
    ("find-typed", |room| {
        open(room, Page::Find);
        room.state.menu.texts.find = "ta".into();
    }),
    ("keyboard", |room| {
        open(room, Page::Record);
        room.state.menu.keyboard = Some(Keyboard::new(Set::Text));
    }),
    ("told", |room| {
        open(room, Page::Practice);
        room.state.say(MessageKind::Note, "The screenshot is in its folder");
        room.state.say(MessageKind::Error, "A long message ".repeat(9));
    }),
];

/// A pad that is plugged in for the first time.
pub(super) fn plug_in(room: &mut Room) {
    let pad = PadStatus {
        name: "Pad of eight buttons".into(),
        player: Some(0),
        held: vec![],
        buttons: nes::Buttons::empty(),
        stick: [0.0; 2],
    };
    room.plug_in(pad);
}

/// Forty games of the player, better from one to the next, with taps that are too slow.
fn many_games() -> Vec<KeptGame> {
    let taps: practice::TapTable =
        "18:0:40:4000:120:5200:110 18:5:9:900:110:1300:120 19:0:12:2400:220:2064:150 19:9:5:700:170:825:150"
            .parse()
            .expect("taps");
    let game = |at: u32| KeptGame {
        path: format!("{at}.mxgame").into(),
        begun: std::time::UNIX_EPOCH + Duration::from_secs(86_400 * u64::from(at)),
        mode: ["tetris", "pace=10", "seed=101010"][at as usize % 3].into(),
        score: Some(300_000 + 11_700 * at + 40_000 * (at * 7 % 5)),
        level: Some("19".into()),
        lines: Some((130 + at).to_string()),
        tetris_rate: Some(format!("{}.4", 60 + at % 20)),
        taps: taps.clone(),
        standing: practice::Standing::default(),
        ..games().remove(0)
    };
    (0..40).rev().map(game).collect()
}

/// Puzzles of some days were answered, that of today among them.
fn answer_puzzles(room: &mut Room) {
    let desk = &mut room.state.menu.puzzles.desk;
    desk.open();
    let today = day_at(clock());
    for (at, day) in (today - 5..=today).enumerate() {
        for number in 0..3 {
            let grade = [Grade::Solved, Grade::Close, Grade::Failed][(at + number) % 3];
            let verdict = Verdict {
                grade,
                cost: 100.0,
                costs: [100.0, 0.0],
                best: [Placement::spawn(Piece::T); 2],
                places: vec![],
                reasons: vec![],
            };
            let puzzle = desk.bank.puzzles[10 * at + number];
            desk.progress.take(&puzzle, &verdict, day, number == 0);
        }
    }
}

/// Returns the nets, which are read once.
fn nets() -> &'static NetSource {
    static NETS: OnceLock<NetSource> = OnceLock::new();
    NETS.get_or_init(NetSource::default)
}

/// Returns the puzzles of which one is asked.
fn asked() -> Puzzles {
    static ASKED: OnceLock<Puzzles> = OnceLock::new();
    let asked = ASKED.get_or_init(|| {
        let mut desk = Puzzles::new(nets().clone());
        desk.ask_next(Wanted::Any, day_at(clock()), 7).expect("a puzzle");
        desk
    });
    asked.clone()
}

/// Rows of a stack with a well at the right, lower by some columns at the left.
fn rows(height: usize) -> [u16; 20] {
    std::array::from_fn(|row| match (row + height).checked_sub(20) {
        None => 0,
        Some(0) => 0x1F0,
        Some(1) => 0x1FC,
        Some(_) => 0x1FF,
    })
}

/// Returns a placement of a game, `loss` points worse than the best one.
fn placement(number: u32, loss: f32) -> Reviewed {
    let height = 4 + number as usize % 7;
    let level = if number < 60 { 18 } else { 19 };
    let surface = 19 - height as u8;
    let place = |numbers: [u8; 3]| Placement::try_from(numbers).unwrap();
    let choice = |x, y| Choice { place: place([x, y, 2]), value: 0.0, odds: [1.0, 0.98, 0.95], then: None };
    let best = Choice { then: Some(place([1, surface, 14])), ..choice(1, surface + 1) };
    let class = Class::of(loss, 0.0, level);
    // Every tenth is a tetris.
    let score = 22_800 * ((number - 1) / 10);
    Reviewed {
        number,
        piece: 'T',
        next: Some('L'),
        level,
        lines: number * 2 / 5,
        score: Some(score),
        cleared: if number.is_multiple_of(10) { 4 } else { 0 },
        rows: rows(height),
        expected: 900_000.0 - score as f32 - 1_500.0 * number as f32 - loss,
        chosen: if loss > 0.0 { choice(6, surface) } else { best },
        best,
        loss,
        odds_lost: if class == Class::Blunder { 0.031 } else { 0.0 },
        class,
        kind: (class >= Class::Inaccuracy).then_some(Kind::Hole),
        accuracy: if loss > 0.0 { 0.5 } else { 1.0 },
        reachable: true,
        is_level: true,
        link: String::new(),
    }
}

/// Returns the placements of a game with some of each class.
pub(super) fn reviewed_game() -> Vec<Reviewed> {
    const LOSSES: [f32; 10] = [0.0, 0.0, 900.0, 0.0, 3_400.0, 0.0, 28_097.0, 0.0, 0.0, 40_115.0];
    (1..=120).map(|number| placement(number, LOSSES[number as usize * 7 % 10])).collect()
}

/// The placements are there, and the cursor is on the costliest one.
pub(super) fn show_review(room: &mut Room, reviews: Vec<Reviewed>, is_done: bool) {
    let position = crate::ui::editor::Editor::default().text();
    let status = ReviewStatus {
        hands: Hands::default(),
        positions: reviews.iter().map(|reviewed| (reviewed.number, position.clone())).collect(),
        total: if is_done { reviews.len() } else { 3 * reviews.len() },
        reviews,
        is_done,
        notes: vec!["For hands of 12 taps a second whose first tap comes after 18 frames".into()],
        ..ReviewStatus::default()
    };
    room.state.menu.seeks_worst = true;
    room.done(|known| known.review = Some(Arc::new(status)));
}

/// Returns the mistakes of a game, of which the first is asked.
fn lesson() -> Lesson {
    static LESSON: OnceLock<Lesson> = OnceLock::new();
    let lesson = LESSON.get_or_init(|| {
        let reviews = reviewed_game().split_off(90);
        Lesson::new(&reviews, Hands::default(), nets().get().clone()).expect("nets")
    });
    lesson.clone()
}
