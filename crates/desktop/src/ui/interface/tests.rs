mod clipping;
mod content;
mod pictures;
mod rails;
mod reader;
mod today;
mod told;
mod typing;
mod walks;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use autopilot::{Candidate, Thought, Unit};
use content::everything;
use egui::{Context, FullOutput, Pos2, RawInput, Rect, Shape, Vec2};
use practice::{Item as Shown, Slot, Statistics, Tone};
use tetris::{Piece, Placement};

use super::*;
use crate::messages::command::PracticeCommand;
use crate::messages::status::{GameStatus, MatchStatus, PracticeStatus, Status, VersusStatus};
use crate::ui::games::KeptGame;
use crate::ui::layout::Wanted;
use crate::ui::page::{Device, Item, Row, Zone};
use crate::ui::state::tests::Room;
use crate::ui::step::Step;

/// Windows of usual sizes, in pixels, and pixels of a point.
const WINDOWS: [(u32, u32, f64); 15] = [
    (768, 720, 1.0),
    (800, 600, 1.0),
    (1024, 768, 1.0),
    (1280, 720, 1.0),
    (1280, 800, 1.0),
    (1366, 768, 1.0),
    (1440, 900, 1.0),
    (1600, 1000, 1.0),
    (1920, 1080, 1.0),
    (1920, 1200, 1.0),
    (2560, 1440, 1.0),
    (2560, 1600, 2.0),
    (3440, 1440, 1.0),
    (3840, 2160, 1.0),
    (3840, 2160, 2.0),
];

/// All pages but those whose lines are files.
const PAGES: [Page; 35] = [
    Page::Home,
    Page::Pause,
    Page::Play,
    Page::Computer,
    Page::Match,
    Page::Practice,
    Page::PracticeOptions,
    Page::Puzzles,
    Page::Games,
    Page::Coach,
    Page::Taps,
    Page::Das,
    Page::Finesse,
    Page::Editor,
    Page::Save,
    Page::Load,
    Page::Tools,
    Page::Find,
    Page::Settings,
    Page::Picture,
    Page::Look,
    Page::Overscan,
    Page::Sound,
    Page::Time,
    Page::Input,
    Page::Remap(Device::Keys, 0),
    Page::Remap(Device::Pad, 0),
    Page::Actions(Device::Keys),
    Page::Actions(Device::Pad),
    Page::NewPad(0),
    Page::Record,
    Page::Streaming,
    Page::Script,
    Page::Help,
    Page::Reset,
];

/// An interface without a window.
struct Screen {
    room: Room,
    context: Context,
    textures: Textures,
    panels: debugger::Kept,
    scrubbed: Option<u64>,
    layout: Layout,
}

impl Screen {
    fn new(window: (u32, u32, f64)) -> Self {
        Self::of(Room::new(), window)
    }

    fn of(mut room: Room, (width, height, desktop): (u32, u32, f64)) -> Self {
        room.state.menu.has_sidebar = true;
        let context = Context::default();
        theme::set_fonts(&context);
        theme::apply(&context, theme::Theme::Dark);
        let wanted = Wanted {
            window: (width, height),
            desktop,
            framing: Framing::default(),
            pictures: 1,
            rails: [true; 2],
        };
        let (textures, panels) = (Textures::default(), debugger::Kept::default());
        Self { room, context, textures, panels, scrubbed: None, layout: Layout::of(&wanted) }
    }

    /// Draws three times, as egui finds out sizes. Returns what was drawn last.
    fn draw(&mut self, window: (u32, u32, f64)) -> FullOutput {
        let pictures = if self.room.state.opponent().is_some() { 2 } else { 1 };
        self.layout = Layout::of(&Wanted {
            window: (window.0, window.1),
            desktop: window.2,
            framing: Framing::default(),
            pictures,
            rails: [self.room.state.settings.look.left_rail, self.room.state.settings.look.right_rail],
        });
        let zoom = self.layout.zoom as f32;
        let size = Vec2::new(window.0 as f32, window.1 as f32) / zoom;
        let mut input =
            RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)), ..RawInput::default() };
        let viewport = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(zoom);
        let palette = nes::Palette::ntsc();
        let mut output = FullOutput::default();
        for _ in 0..3 {
            let (state, layout) = (&mut self.room.state, &self.layout);
            let (textures, panels, scrubbed) = (&mut self.textures, &mut self.panels, &mut self.scrubbed);
            let mut newest = self.context.run(input.clone(), |context| {
                let mut interface = Interface {
                    state,
                    layout,
                    framing: Framing::default(),
                    palette: &palette,
                    textures,
                    panels,
                    scrubbed,
                };
                interface.draw(context);
            });
            // Textures come with the first drawing.
            let mut textures = output.textures_delta;
            textures.append(newest.textures_delta);
            newest.textures_delta = textures;
            output = newest;
        }
        output
    }

    /// Returns where the pictures are, in points.
    fn stage(&self) -> Rect {
        let pictures = if self.room.state.opponent().is_some() { 2 } else { 1 };
        let stage = self.layout.stage;
        let room = Viewport { width: stage.width / pictures, ..stage };
        let inner = Framing::default().docked(room).viewport_within(room);
        let zoom = self.layout.zoom as f32;
        let right = inner.x + inner.width + (pictures - 1) * room.width;
        Rect::from_min_max(
            Pos2::new(inner.x as f32, inner.y as f32) / zoom,
            Pos2::new(right as f32, (inner.y + inner.height) as f32) / zoom,
        )
    }
}

/// Hands that tap at all speeds and waste some presses.
fn trainer() -> practice::Trainer {
    let taps = |piece: u32| practice::Taps {
        piece,
        delay: 2,
        side: -1,
        intervals: vec![5, 4, 4 + (piece % 3) as u16],
        hertz: 9.0 + f64::from(piece % 7),
        level: 18,
    };
    let burst = |piece| practice::Burst { taps: taps(piece), needed: Some(12.0) };
    let mut trainer = practice::Trainer::default();
    trainer.bursts = (0..20).map(burst).collect();
    trainer.count = 240;
    trainer.fastest = Some(taps(6));
    trainer.delays = (0..31).map(|frames| (31 - frames) * (frames % 5)).collect();
    trainer.finesse = practice::Finesse { placements: 380, clean: 290, shifts: 120, turns: 61 };
    trainer.too_many = (0..24).map(|at| [at % 3, at % 4 / 3]).collect();
    trainer
}

fn game() -> Arc<GameStatus> {
    Arc::new(GameStatus {
        figures: Arc::new(Statistics {
            pieces: 400,
            lines: 164,
            clears: [9, 3, 1, 30],
            tetris_rate: Some(76.0),
            efficiency: Some(240.4),
            efficiency_by_ten: vec![300.0, 120.0, 180.0, 300.0],
            burn: 3,
            drought: 14,
            longest_drought: 31,
            ..Statistics::default()
        }),
        trainer: Arc::new(trainer()),
        start_level: 18,
        level: 255,
        lines: 9_999,
        score: 9_999_999,
        pieces: [Piece::T, Piece::L],
        pace: vec![0, -900, 1_200],
        stack: practice::Stack { height: 12, holes: 8, ready: 8, well: 9, covered: Some(9) },
        odds: Some((practice::odds_after(Piece::L), practice::odds_of_an_i(Piece::L, 5))),
        das: 13,
        das_at_spawns: vec![16, 10, 3, 15],
        charge: Some((13, practice::Charge::Shifted)),
        taps: Some((
            practice::Taps { piece: 9, delay: 2, side: -1, intervals: vec![5, 5, 4], hertz: 12.9, level: 18 },
            Some(12.0),
        )),
    })
}

/// Games of today and of long ago, with the largest figures and all that may be noted of one.
fn games() -> Vec<KeptGame> {
    use practice::{BegunFrom, PlayedBy, Standing};

    let now = std::time::SystemTime::now();
    let standings = [
        Standing::default(),
        Standing { from: BegunFrom::Middle, ..Standing::default() },
        Standing { from: BegunFrom::Score, ..Standing::default() },
        Standing { by: PlayedBy::Computer, ..Standing::default() },
        Standing { from: BegunFrom::Position, ..Standing::default() },
    ];
    let ago = |seconds| now - Duration::from_secs(seconds);
    let begun = [now, ago(7_000), ago(90_000), ago(900_000), std::time::UNIX_EPOCH];
    let game = |(standing, begun)| KeptGame {
        path: "game.mxgame".into(),
        begun,
        mode: "pace=10".into(),
        score: Some(9_999_999),
        level: Some("255".into()),
        lines: Some("9999".into()),
        tetris_rate: Some("100.0".into()),
        versus: None,
        taps: practice::TapTable::default(),
        standing,
        board: Some("3FE3EF1FF3F73FE2FE00C008".into()),
        is_match: false,
    };
    standings.into_iter().zip(begun).map(game).collect()
}

fn practice_status(replay: bool) -> PracticeStatus {
    let text = |slot, text: &str| Shown::Text { slot, text: text.into(), tone: Tone::Bad };
    PracticeStatus {
        mode: "pace=10".parse().unwrap(),
        options: practice::Options::default(),
        items: vec![text(Slot::Pace, "-1200"), text(Slot::Notice, "CRASH"), text(Slot::Score, "1043180")],
        figures: Arc::new(Statistics::default()),
        level: 18,
        height: 7,
        das: 12,
        charge: None,
        taps: None,
        marks: 1,
        tries: 3,
        replay: replay.then_some((600, 6_001)),
    }
}

fn thought() -> Thought {
    let place = |x, y| tetris::Placement { x, y, ..tetris::Placement::spawn(Piece::T) };
    let candidate = |x, y, value| Candidate { place: place(x, y), value, cleared: 0 };
    Thought {
        piece: Piece::T,
        candidates: (0..5).map(|at| candidate(at + 1, 18, -f32::from(at))).collect(),
        plan: [place(1, 18); 7],
        waits: true,
        unit: Unit::Points,
        outlook: None,
        misdrop: true,
    }
}

type Change = fn(&mut Room);

/// What may be on: a name and what makes it so.
const STATES: [(&str, Change); 8] = [
    ("nothing", |_| {}),
    ("a game", |room| room.done(|status| status.game = Some(game()))),
    ("practice", |room| {
        room.done(|status| {
            (status.game, status.practice) = (Some(game()), Some(practice_status(false)));
        });
    }),
    ("a kept game", |room| {
        room.done(|status| {
            (status.game, status.practice) = (Some(game()), Some(practice_status(true)));
        });
    }),
    ("a match with messages", |room| {
        room.done(|status| {
            (status.game, status.versus) = (
                Some(game()),
                Some(VersusStatus { lines: [23, 38], sent: [1, 6], scores: [43_180, 1_043_180] }),
            );
            status.players =
                Some(MatchStatus { names: ["Ada".into(), "M".repeat(32)], wins: [1, 2], best_of: Some(5) });
        });
        room.state.say(MessageKind::Error, "A long message ".repeat(20));
    }),
    ("a crash", |room| {
        room.done(|status| {
            let crash = nes_debug::Crash {
                frame: 11_900,
                level: 155,
                pc: 0x9A30,
                cause: nes_debug::CrashCause::Jammed,
                jump: None,
            };
            status.crash = Some(CrashStatus { crash, way_back: true });
        });
    }),
    ("a first start", |room| room.state.welcome = true),
    ("recordings", |room| {
        room.done(|status| {
            status.stream.address = Some("http://127.0.0.1:5050".into());
            status.speed = 50;
        });
    }),
];

/// Hands each state of a game to `look`, in each window, paused and not, before it is drawn. The
/// name is for messages.
fn for_each_state(mut look: impl FnMut(&str, (u32, u32, f64), bool, Screen)) {
    for window in WINDOWS {
        for (name, change) in STATES {
            for paused in [false, true] {
                let mut screen = Screen::new(window);
                change(&mut screen.room);
                if paused {
                    screen.room.state.open_menu();
                }
                look(&format!("{name}, paused {paused}"), window, paused, screen);
            }
        }
    }
}

#[test]
fn nothing_lies_over_the_picture() {
    for_each_state(|name, window, paused, mut screen| {
        let output = screen.draw(window);
        if paused && screen.layout.right.is_none() {
            return; // a page in place of the picture
        }
        let alone = screen.layout.left.is_none() && screen.layout.right.is_none();
        let mut picture = screen.stage().shrink(1.0);
        if alone {
            picture = picture.with_max_y(picture.bottom() - picture.height() * NOTICE_LINES / 240.0);
        }
        for shape in &output.shapes {
            let seen = shape.shape.visual_bounding_rect().intersect(shape.clip_rect);
            assert!(
                !seen.is_positive() || !seen.intersects(picture),
                "{window:?}, {name}: {seen:?} over {picture:?}: {:?}",
                shape.shape
            );
        }
    });
}

#[test]
fn a_kept_game_that_plays_has_its_slider_in_every_window() {
    for window in WINDOWS.into_iter().chain([(700, 500, 1.0)]) {
        for [left, right] in [[true, true], [true, false], [false, true], [false, false]] {
            let mut screen = Screen::new(window);
            let look = &mut screen.room.state.settings.look;
            (look.left_rail, look.right_rail) = (left, right);
            screen.room.done(|status| {
                (status.game, status.practice) = (Some(game()), Some(practice_status(true)));
            });
            let output = screen.draw(window);
            let zoom = screen.layout.zoom as f32;
            let whole = Vec2::new(window.0 as f32, window.1 as f32) / zoom;
            let whole = Rect::from_min_size(Pos2::ZERO, whole);
            let is_time = |text: &egui::epaint::TextShape| text.galley.text().ends_with(" / 1:39");
            let time = texts(&output).find(|(text, _)| is_time(text));
            let (time, _) = time.unwrap_or_else(|| panic!("{window:?}, rails {left} {right}: no slider"));
            let time = time.visual_bounding_rect();
            assert!(whole.contains_rect(time), "{window:?}: {time:?}");
            // Nothing else that is written meets it.
            for (text, clip) in texts(&output).filter(|(text, _)| !is_time(text)) {
                let seen = text.visual_bounding_rect().intersect(clip);
                let meets = seen.is_positive() && seen.intersects(time);
                assert!(!meets, "{window:?}, rails {left} {right}: {} over the slider", text.galley.text());
            }
        }
    }
}

#[test]
fn what_the_computer_weighs_lies_on_the_playfield_and_nowhere_else() {
    for window in [(1280, 800, 1.0), (3840, 2160, 2.0), (700, 500, 1.0)] {
        let mut screen = Screen::new(window);
        screen.room.state.settings.tetris.thoughts = true;
        screen.room.done(|status| {
            (status.game, status.thoughts) = (Some(game()), [Some(Arc::new(thought())), None]);
            status.computer = true;
        });
        let output = screen.draw(window);
        let picture = screen.stage();
        let side = |from: f32, to: f32, length: f32| (from + length * to / 256.0, 0.0).0;
        let field = Rect::from_min_max(
            Pos2::new(side(picture.left(), 96.0, picture.width()), picture.top() + picture.height() * 0.2),
            Pos2::new(side(picture.left(), 176.0, picture.width()), picture.top() + picture.height() * 0.875),
        );
        let over =
            output.shapes.iter().map(|shape| shape.shape.visual_bounding_rect().intersect(shape.clip_rect));
        let over: Vec<Rect> =
            over.filter(|seen| seen.is_positive() && seen.intersects(picture.shrink(1.0))).collect();
        assert!(over.len() > 12, "three places: {}", over.len());
        for seen in over {
            assert!(field.expand(3.5).contains_rect(seen), "{window:?}: {seen:?} outside of {field:?}");
        }
    }
}

/// Returns the choices of the page that were not drawn: Home has as many games as have room, and a
/// table as many lines as are near.
fn not_drawn(state: &UiState) -> Vec<String> {
    let (rows, drawn) = (state.rows(), state.menu.nav.rows());
    let is_of_table = |row: &Row| {
        let is_game = matches!(row.item, Item::Practice(PracticeCommand::Replay(_)));
        is_game || state.menu.page() == Some(Page::Coach) && row.zone == Zone::Main
    };
    let missing = rows.iter().enumerate().filter(|(at, row)| row.is_choice() && !drawn.contains(at));
    missing.filter(|(_, row)| !is_of_table(row)).map(|(_, row)| row.label.clone()).collect()
}

fn texts(output: &FullOutput) -> impl Iterator<Item = (&egui::epaint::TextShape, Rect)> {
    output.shapes.iter().filter_map(|shape| match &shape.shape {
        Shape::Text(text) => Some((text, shape.clip_rect)),
        _ => None,
    })
}

#[test]
fn every_control_is_reached_by_the_pad() {
    for window in [(768, 720, 1.0), (1280, 800, 1.0), (1920, 1080, 1.0)] {
        for content in everything() {
            let (mut screen, name) = (content.screen(window), &content.name);
            screen.draw(window);
            let state = &screen.room.state;
            let rows = state.rows();
            let wanted: BTreeSet<usize> = state.menu.nav.rows().into_iter().collect();
            let missed = not_drawn(state);
            assert!(missed.is_empty(), "{name} at {window:?} draws every choice: {missed:?}");
            // There the pad moves the piece; a key or B leads away.
            if state.menu.page().is_some_and(|page| state.menu.puzzles.moves_piece(page)) {
                continue;
            }
            let first = state.menu.cursor(&rows).unwrap_or_else(|| panic!("{name} has no focus"));
            let (mut reached, mut open) = (BTreeSet::from([first]), VecDeque::from([first]));
            while let Some(at) = open.pop_front() {
                let changes = rows[at].changes_by_steps();
                for step in [Step::Up, Step::Down, Step::Left, Step::Right] {
                    if changes && matches!(step, Step::Left | Step::Right) {
                        continue;
                    }
                    if let Some(next) = state.menu.nav.next(at, step)
                        && reached.insert(next)
                    {
                        open.push_back(next);
                    }
                }
            }
            let missed: Vec<&str> =
                wanted.difference(&reached).map(|&row| rows[row].label.as_str()).collect();
            assert!(missed.is_empty(), "{name} at {window:?}: not reached: {missed:?}");
        }
    }
}

#[test]
fn of_ten_thousand_games_only_those_in_sight_are_drawn() {
    let window = (1280, 800, 1.0);
    let mut screen = Screen::new(window);
    screen.room.state.menu.open_section(Page::Games);
    let begun = |number: u64| std::time::UNIX_EPOCH + Duration::from_secs(60 * number);
    let game = |number: u64| KeptGame {
        path: format!("{number}.mxgame").into(),
        begun: begun(number),
        score: Some(number as u32),
        ..games().remove(0)
    };
    screen.room.state.menu.games = (0..10_000).rev().map(game).collect();
    let drawn = |screen: &mut Screen| {
        let output = screen.draw(window);
        texts(&output).map(|(text, _)| text.galley.text().to_owned()).collect::<Vec<_>>()
    };
    let first = drawn(&mut screen);
    assert!(first.len() < 300 && first.iter().any(|text| text == "9,999"), "{}", first.len());
    // The last is reached with one key, and what is before it from there.
    screen.room.state.step(Step::Last);
    let last = drawn(&mut screen);
    assert!(last.len() < 300 && last.iter().any(|text| text == "1"), "{last:?}");
    // What is said of a game is made up for those alone.
    let rows = screen.room.state.rows();
    let games: Vec<_> = rows.iter().filter(|row| row.zone == Zone::Main).collect();
    assert_eq!((games.len(), games.iter().filter(|row| !row.value.is_empty()).count()), (10_000, 0));
}

#[test]
fn a_text_has_no_letter_that_the_fonts_lack() {
    let mut missing = BTreeSet::new();
    for content in everything() {
        let mut screen = content.screen((1280, 800, 1.0));
        let output = screen.draw((1280, 800, 1.0));
        let mut letters = BTreeSet::new();
        for (text, _) in texts(&output) {
            let Some(section) = text.galley.job.sections.first() else { continue };
            let is_icon = section.format.font_id.family == theme::icon_font(1.0).family;
            letters.extend(text.galley.text().chars().map(|letter| (letter, is_icon)));
        }
        screen.context.fonts_mut(|fonts| {
            for (letter, is_icon) in letters {
                let font = if is_icon { theme::icon_font(14.0) } else { theme::Type::Body.font() };
                // The sign for what is missing is itself taken for missing.
                if !matches!(letter, '\n' | '?') && !fonts.has_glyph(&font, letter) {
                    missing.insert(format!("{letter} on {}", content.name));
                }
            }
        });
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn all_rows_of_the_pause_menu_are_on_the_screen_with_their_keys() {
    for window in [(1280, 720, 1.0), (1280, 800, 1.0), (1920, 1080, 1.0)] {
        let mut screen = Screen::new(window);
        screen.room.state.open_menu();
        let output = screen.draw(window);
        let size = Vec2::new(window.0 as f32, window.1 as f32) / screen.layout.zoom as f32;
        for wanted in ["Resume", "Start over", "Debugger", "Home", "Quit"] {
            let found = texts(&output).find(|(text, _)| text.galley.text() == wanted);
            let (text, clip) = found.unwrap_or_else(|| panic!("{wanted} at {window:?}"));
            let area = text.galley.rect.translate(text.pos.to_vec2());
            assert!(clip.contains_rect(area) && area.bottom() <= size.y, "{wanted} at {window:?}");
        }
    }
}

#[test]
fn a_page_at_rest_draws_nothing() {
    for content in everything() {
        let mut screen = content.screen((1280, 800, 1.0));
        let output = screen.draw((1280, 800, 1.0));
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        assert!(delay > Some(std::time::Duration::from_secs(1)), "{}: {delay:?}", content.name);
    }
}

#[test]
fn rails_that_do_not_change_ask_for_no_other_drawing() {
    for (name, change) in STATES {
        let mut screen = Screen::new((1280, 800, 1.0));
        change(&mut screen.room);
        screen.room.sent();
        let output = screen.draw((1280, 800, 1.0));
        assert_eq!(screen.room.sent(), [], "{name}: the machine is asked for nothing");
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        assert!(delay > Some(std::time::Duration::from_secs(1)), "{name}: {delay:?}");
    }
}

#[test]
fn the_status_of_a_machine_that_has_said_nothing_can_be_drawn() {
    let mut screen = Screen::new((1280, 800, 1.0));
    screen.room.done(|status| *status = Status { commands_done: status.commands_done, ..Status::default() });
    assert!(!screen.draw((1280, 800, 1.0)).shapes.is_empty());
}
