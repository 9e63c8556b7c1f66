//! The debugger drawn without a window: what lies where, at every size.

use std::sync::Arc;

use egui::{Event, Modifiers, PointerButton, RawInput, ViewportId, pos2};
use nes_debug::{Milestone, MilestoneKind, Timeline};

use super::*;
use crate::debugger::snapshot::AccessLine;
use crate::debugger::source::SourceView;
use crate::debugger::{CodeLine, Layout, LayoutName, LogSource, MemoryView};
use crate::video::viewport::{Aspect, Crop, Scaling};

/// Sizes in pixels with pixels to a point.
const WINDOWS: [([f32; 2], f32); 6] = [
    ([768.0, 720.0], 1.0),
    ([1280.0, 720.0], 1.0),
    ([1600.0, 1200.0], 1.0),
    ([3840.0, 2160.0], 1.0),
    ([3840.0, 2160.0], 2.0),
    ([1600.0, 1200.0], 1.25),
];

/// A window with the debugger in it.
struct Desk {
    context: Context,
    kept: Kept,
    settings: DebuggerSettings,
    snapshot: DebugSnapshot,
    size: [f32; 2],
    points: f32,
    time: f64,
    running: bool,
    /// It wants to be drawn once more at once.
    again: bool,
}

impl Desk {
    fn new(layout: LayoutName, (size, points): ([f32; 2], f32)) -> Self {
        let mut desk = Self {
            context: Context::default(),
            kept: Kept::default(),
            settings: DebuggerSettings { layout, ..DebuggerSettings::default() },
            snapshot: snapshot(),
            size,
            points,
            time: 0.0,
            running: false,
            again: false,
        };
        crate::ui::theme::set_fonts(&desk.context);
        desk.draw(vec![]);
        desk.draw(vec![]);
        desk
    }

    /// Draws once. Returns what the player asks for.
    fn draw(&mut self, events: Vec<Event>) -> Vec<DebugCommand> {
        self.time += 1.0 / 60.0;
        let mut input = RawInput { time: Some(self.time), events, ..RawInput::default() };
        let size = Vec2::from(self.size) / self.points;
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.points);
        }
        let scene = Scene { framing: Framing::default(), pictures: 1, running: self.running };
        let mut commands = vec![];
        let output = self.context.run(input, |context| {
            commands.extend(panels(context, &self.snapshot, &mut self.kept, &mut self.settings, scene));
        });
        self.again = output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero());
        commands
    }

    /// Moves the mouse along places with the button held down.
    fn drag(&mut self, places: &[Pos2]) {
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        for (at, &pos) in places.iter().enumerate() {
            self.draw(vec![Event::PointerMoved(pos)]);
            if at == 0 {
                self.draw(vec![button(pos, true)]);
            }
            self.draw(vec![]);
        }
        if let Some(&pos) = places.last() {
            self.draw(vec![button(pos, false)]);
        }
        for _ in 0..4 {
            self.draw(vec![]);
        }
    }

    fn shown(&self) -> Vec<(Pane, Rect)> {
        self.kept.dock.as_ref().expect("a dock").shown.clone()
    }

    fn place(&self, pane: Pane) -> Rect {
        let shown = self.shown();
        shown.iter().find(|(other, _)| *other == pane).unwrap_or_else(|| panic!("{pane:?}: {shown:?}")).1
    }

    fn place_of(&self, panel: Panel) -> Rect {
        self.place(Pane::Panel(panel))
    }

    /// No pane is over another or beyond the window, and the picture has its pixels.
    fn is_in_order(&self) {
        let (shown, window) = (self.shown(), self.context.content_rect());
        let said = format!("{:?} {:?} x {}: {shown:?}", self.settings.layout, self.size, self.points);
        for (at, (_, place)) in shown.iter().enumerate() {
            assert!(window.expand(0.1).contains_rect(*place) && place.is_positive(), "{said}");
            for (_, other) in &shown[..at] {
                assert!(!place.shrink(0.1).intersects(other.shrink(0.1)), "{said}");
            }
        }
        let room = pixels(self.place(Pane::Picture), self.points);
        let picture = Framing::default().docked(room).viewport_within(room);
        assert!(picture.width >= 256 && picture.height >= 240, "{picture:?} in {room:?}: {said}");
        let [width, height] = self.size.map(|side| side as u32);
        assert_eq!(picture.clipped(width, height), picture, "{said}");
    }
}

/// A snapshot in which every panel has something to show.
fn timeline() -> Timeline {
    let milestone = |frame, kind| Milestone { frame, kind };
    let locks = (0..48).map(|at| milestone(8_300 + 75 * at, MilestoneKind::Lock));
    let clears = (0..9).map(|at| milestone(8_410 + 390 * at, MilestoneKind::Clear));
    let stops = [9_050, 10_400].map(|frame| milestone(frame, MilestoneKind::Stop));
    let mut milestones: Vec<_> = locks.chain(clears).chain(stops).collect();
    milestones.sort_by_key(|milestone| milestone.frame);
    Timeline { oldest: 8_290, now: 11_200, newest: 11_900, milestones }
}

pub(crate) fn snapshot() -> DebugSnapshot {
    let picture = |width, height| Arc::new(Picture { width, height, pixels: vec![[9; 3]; width * height] });
    let code = |address| CodeLine {
        address,
        label: (address % 8 == 0).then(|| format!("label_{address}")),
        source: (address % 8 == 4).then(|| format!("main.c:{}  row += {address};", address % 64)),
        text: format!("${address:04X}  BD 00 03  LDA $0300,X   4"),
        is_next: address == 0x8010,
        breakpoint: (address == 0x8004).then_some((1, true)),
    };
    DebugSnapshot {
        timeline: timeline(),
        registers: "A $00  X $01  Y $02  SP $FD  P $24 nv-bdIzc  PC $8010 lock  cycle 123456789  frame 4000  line 241  dot 340  v $2000".into(),
        code: (0..60).map(|at| code(0x8000 + at)).collect(),
        source: SourceView {
            files: vec!["src/main.c".into(), "src/start.s".into()],
            file: Some(0),
            text: Some(Arc::new((1..400).map(|line| format!("    row += {line};")).collect())),
            line: 120,
            next: Some(120),
            code: (1..400).filter(|line| line % 3 > 0).map(|line| (line, 0x8000 + line as u16)).collect(),
            breakpoints: [(118, (2, true)), (125, (3, false))].into(),
        },
        memory: Some(MemoryView {
            space: nes_debug::Space::Cpu,
            bytes: Arc::new(vec![0xA5; 0x1_0000]),
            before: Arc::default(),
            frozen: vec![],
            name: "$0000".into(),
        }),
        accesses: (0..200).map(|at| AccessLine { place: (at, 5), text: "$2007 <- $24 from lock".into() }).collect(),
        pictures: [
            (Panel::Events, picture(682, 524)),
            (Panel::Patterns, picture(512, 256)),
            (Panel::Nametables, picture(512, 480)),
            (Panel::Sprites, picture(256, 256)),
            (Panel::Palettes, picture(256, 64)),
            (Panel::Sound, picture(900, 400)),
        ]
        .into(),
        texts: [
            (Panel::Game, "a line of the game's panel\n".repeat(40)),
            (Panel::Locals, "move_ball  ball.c:30\n  $0312  speed = 2\n  $0314  row = 120".into()),
        ]
        .into(),
        log: (0..50).map(|at| (LogSource::Debugger, format!("line {at}"))).collect(),
        field: Some([true; 200]),
        ..DebugSnapshot::default()
    }
}

#[test]
fn no_pane_lies_over_another_in_any_layout_and_the_picture_is_whole() {
    for window in WINDOWS {
        for &layout in LayoutName::ALL {
            let mut desk = Desk::new(layout, window);
            desk.is_in_order();
            desk.settings.hint = false;
            desk.draw(vec![]);
            desk.is_in_order();
        }
    }
}

#[test]
fn panels_that_nobody_touches_are_drawn_no_more() {
    for &layout in LayoutName::ALL {
        let mut desk = Desk::new(layout, WINDOWS[0]);
        desk.running = true; // the command line has no cursor that blinks
        (0..60).for_each(|_| drop(desk.draw(vec![])));
        assert!(!desk.again, "{layout:?}: {:?}", desk.context.repaint_causes());
    }
}

#[test]
fn a_long_error_moves_no_pane() {
    for window in WINDOWS {
        for &layout in LayoutName::ALL {
            let mut desk = Desk::new(layout, window);
            let before = desk.shown();
            let long = "expected an address, found ".to_owned() + &"something else ".repeat(40);
            desk.snapshot.log.push((LogSource::Error, long));
            desk.snapshot.registers += "  an interrupt comes next, and a very long item with it";
            desk.snapshot.texts.insert(Panel::Game, "wide ".repeat(300));
            (0..3).for_each(|_| drop(desk.draw(vec![])));
            assert_eq!(desk.shown(), before);
            desk.running = true;
            (0..3).for_each(|_| drop(desk.draw(vec![])));
            assert_eq!(desk.shown(), before, "the game runs");
        }
    }
}

#[test]
fn every_panel_opens_without_moving_the_picture_is_remembered_and_closes() {
    for &layout in LayoutName::ALL {
        let mut desk = Desk::new(layout, WINDOWS[0]);
        let picture = desk.place(Pane::Picture);
        for &panel in Panel::ALL {
            desk.kept.dock.as_mut().unwrap().open(panel);
            (0..3).for_each(|_| drop(desk.draw(vec![])));
            assert!(
                desk.shown().iter().any(|(pane, _)| *pane == Pane::Panel(panel)),
                "{panel:?} is in front"
            );
            assert_eq!(desk.place(Pane::Picture), picture, "{panel:?}");
            assert!(desk.kept.panel_state.has(panel));
            desk.is_in_order();
        }
        assert_eq!(desk.settings.current().panes().len(), 1 + Panel::ALL.len());
        // Another window begins with the settings.
        let mut other = Desk::new(layout, WINDOWS[0]);
        other.settings = desk.settings.clone();
        (0..2).for_each(|_| drop(other.draw(vec![])));
        let near = |a: Rect, b: Rect| a.min.distance(b.min) < 3.0 && a.max.distance(b.max) < 3.0;
        for (pane, place) in desk.shown() {
            assert!(near(other.place(pane), place), "{pane:?}: {place:?}, {:?}", other.place(pane));
        }
        for &panel in Panel::ALL {
            desk.kept.dock.as_mut().unwrap().close(panel);
            (0..3).for_each(|_| drop(desk.draw(vec![])));
            desk.is_in_order();
        }
        assert_eq!(desk.settings.current().panes(), [Pane::Picture]);
        desk.kept.dock.as_mut().unwrap().open(Panel::Code);
        (0..3).for_each(|_| drop(desk.draw(vec![])));
        desk.is_in_order();
        assert!(desk.place_of(Panel::Code).width() > 300.0);
        desk.settings.keep(None);
        desk.draw(vec![]);
        assert_eq!(desk.place(Pane::Picture), picture, "reset");
    }
}

#[test]
fn panels_keep_their_size_when_the_window_grows_and_come_back_when_it_shrinks() {
    let mut desk = Desk::new(LayoutName::Code, WINDOWS[2]);
    let (code, picture) = (desk.place_of(Panel::Code), desk.place(Pane::Picture));
    desk.size = [3840.0, 2160.0];
    desk.draw(vec![]);
    assert!((desk.place_of(Panel::Code).width() - code.width()).abs() < 1.0);
    assert!(desk.place(Pane::Picture).width() > picture.width() + 2000.0);
    desk.size = [768.0, 720.0];
    desk.draw(vec![]);
    desk.is_in_order();
    desk.size = WINDOWS[2].0;
    desk.draw(vec![]);
    assert_eq!((desk.place_of(Panel::Code), desk.place(Pane::Picture)), (code, picture));
    // As small as a window gets, and smaller: nothing fails.
    for size in [[300.0, 200.0], [60.0, 40.0], [1.0, 1.0]] {
        desk.size = size;
        desk.draw(vec![]);
    }
}

#[test]
fn an_edge_that_is_dragged_stays_there_and_is_remembered() {
    let mut desk = Desk::new(LayoutName::Code, WINDOWS[2]);
    let code = desk.place_of(Panel::Code);
    let edge = pos2(code.left() - 2.0, code.center().y);
    desk.drag(&[edge, edge - Vec2::new(60.0, 0.0), edge - Vec2::new(120.0, 0.0)]);
    let wider = desk.place_of(Panel::Code);
    assert!((code.left() - wider.left() - 120.0).abs() < 8.0, "{code:?} {wider:?}");
    let Layout::Row(parts) = desk.settings.current() else { panic!("{}", desk.settings.current()) };
    assert!((f32::from(parts[1].0) - wider.width()).abs() < 2.0, "{parts:?}");
    desk.is_in_order();
    desk.settings.layout = LayoutName::Pictures;
    desk.draw(vec![]);
    desk.settings.layout = LayoutName::Code;
    (0..2).for_each(|_| drop(desk.draw(vec![])));
    assert!((desk.place_of(Panel::Code).left() - wider.left()).abs() < 2.0, "each layout is kept");
}

#[test]
fn a_title_that_is_dragged_docks_its_panel_elsewhere() {
    let mut desk = Desk::new(LayoutName::Code, WINDOWS[2]);
    let registers = desk.place_of(Panel::Registers);
    let title = registers.left_top() + Vec2::new(20.0, -8.0);
    let code = desk.place_of(Panel::Code);
    desk.drag(&[
        title,
        title + Vec2::new(30.0, 30.0),
        code.center_bottom() - Vec2::new(0.0, 20.0),
        code.center(),
    ]);
    let now = desk.settings.current();
    assert_ne!(now, LayoutName::Code.layout());
    let Layout::Row(parts) = &now else { panic!("{now}") };
    assert!(parts[1].1.panes().contains(&Pane::Panel(Panel::Registers)), "{now}");
    desk.is_in_order();
}

#[test]
fn the_outline_lies_on_the_picture() {
    for scaling in [Scaling::Whole, Scaling::Fit] {
        let crop = Crop { left: 8, right: 8, top: 8, bottom: 8 };
        let framing = Framing { aspect: Aspect::Television, scaling, crop, ..Framing::default() };
        let desk = Desk::new(LayoutName::Code, WINDOWS[1]);
        let room = pixels(desk.place(Pane::Picture), 1.0);
        let place = framing.docked(room).viewport_within(room);
        let mut drawn = vec![];
        let output = Context::default().run(RawInput::default(), |context| {
            egui::CentralPanel::default().frame(egui::Frame::NONE).show(context, |ui| {
                let rect = Rect::from_min_size(
                    pos2(room.x as f32, room.y as f32),
                    Vec2::new(room.width as f32, room.height as f32),
                );
                let ui = ui.new_child(egui::UiBuilder::new().max_rect(rect));
                outline(&ui, &[true; 200], Scene { framing, pictures: 1, running: false });
            });
        });
        for shape in output.shapes {
            if let egui::Shape::Rect(rect) = shape.shape {
                drawn.push(rect.rect);
            }
        }
        drawn.retain(|rect| rect.width() < 60.0);
        assert_eq!(drawn.len(), 200);
        // Column 0, row 0 of the playfield is at dot 96, line 48 of the picture.
        let dot = |x: f32, y: f32| {
            framing
                .docked(room)
                .dot((f64::from(x - room.x as f32), f64::from(y - room.y as f32)), (room.width, room.height))
        };
        let first = drawn[0].min + Vec2::splat(0.3);
        assert_eq!(dot(first.x, first.y), (96, 48), "{place:?}");
        let last = drawn[199].max - Vec2::splat(0.3);
        assert_eq!(dot(last.x, last.y), (96 + 79, 48 + 159), "{place:?}");
    }
}

#[test]
fn buttons_go_as_far_back_as_on() {
    use nes_debug::command::KEYS;
    for key in KEYS.iter().filter(|key| !key.shift && key.command != "run") {
        let back = KEYS.iter().find(|back| back.shift && back.number == key.number).expect("a way back");
        let unit =
            |command: &str| command.trim_start_matches("step").trim_start_matches("back").trim().to_owned();
        assert_eq!(unit(key.command), unit(back.command), "F{}", key.number);
    }
}

#[test]
fn what_is_behind_another_panel_is_not_worked_out() {
    let mut desk = Desk::new(LayoutName::Code, WINDOWS[1]);
    let state = &desk.kept.panel_state;
    assert!(state.has(Panel::Code) && state.has(Panel::Breakpoints) && !state.has(Panel::Calls));
    assert!(state.has(Panel::Memory), "its changes are since the last stop, wherever it is");
    desk.kept.dock.as_mut().unwrap().open(Panel::Calls);
    let told = (0..3).flat_map(|_| desk.draw(vec![])).any(|command| matches!(command, DebugCommand::Show(_)));
    assert!(
        told && desk.kept.panel_state.has(Panel::Calls) && !desk.kept.panel_state.has(Panel::Breakpoints)
    );
}

#[test]
fn lines_of_the_source_are_gone_to_and_broken_at_by_a_click() {
    let mut desk = Desk::new(LayoutName::Source, WINDOWS[1]);
    let lines = desk.place_of(Panel::Source);
    // Lines 117 and 118, of which the second has a breakpoint.
    let commands: Vec<DebugCommand> = (0..2)
        .flat_map(|row| {
            let at = pos2(lines.left() + 60.0, lines.top() + 120.0 + 16.0 * row as f32);
            let button = |pressed| Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            };
            desk.draw(vec![Event::PointerMoved(at)]);
            desk.draw(vec![button(true)])
                .into_iter()
                .chain(desk.draw(vec![button(false)]))
                .collect::<Vec<_>>()
        })
        .collect();
    let said = |command: &DebugCommand| match command {
        DebugCommand::Execute(line) => line.clone(),
        other => panic!("{other:?}"),
    };
    let said: Vec<String> = commands.iter().map(said).collect();
    assert_eq!(said, ["break src/main.c:117", "delete 2"]);
    // A place that is typed is a line where it is one, and asked for where not.
    let view = &desk.snapshot.source;
    assert_eq!(source::named(view, "12"), Some(SourcePlace::Line(0, 12)));
    assert_eq!(source::named(view, "start.s:7"), Some(SourcePlace::Line(1, 7)));
    assert_eq!(source::named(view, "src/main.c:9"), Some(SourcePlace::Line(0, 9)));
    assert_eq!([source::named(view, "@lock"), source::named(view, "none.c:3")], [None, None]);
    // What is asked for comes back as an address.
    desk.kept.ask(Panel::Source, "@lock".into());
    desk.snapshot.answer = Some(("@lock".into(), Some(0x8123)));
    desk.draw(vec![]);
    assert_eq!(desk.kept.panel_state.source, SourcePlace::Code(0x8123));
}
