//! What the player is told covers no control, wherever it is said.

use super::content::{Content, everything};
use super::*;
use crate::debugger::LayoutName;

/// Messages of all lengths, and as many as there can be.
fn messages() -> Vec<Vec<(MessageKind, String)>> {
    let long = "The sound device is gone; the game continues without sound and retries by itself. ";
    let error = |count: usize| (MessageKind::Error, long.repeat(count));
    vec![
        vec![(MessageKind::Note, "The screenshot is in its folder".into())],
        vec![error(5)],
        (1..=4).map(error).collect(),
    ]
}

/// Returns where in the window the words of messages are.
fn told(output: &FullOutput, messages: &[(MessageKind, String)]) -> Vec<Rect> {
    let is_told = |text: &str| messages.iter().any(|(_, message)| message == text);
    texts(output)
        .filter(|(text, _)| is_told(text.galley.text()))
        .map(|(text, clip)| text.visual_bounding_rect().intersect(clip))
        .collect()
}

/// Returns where in the window something can be clicked, dragged or typed into.
fn controls(screen: &Screen) -> Vec<Rect> {
    screen.context.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        let widgets = layers.flat_map(|(_, widgets)| widgets);
        let can_act = widgets.filter(|widget| widget.sense.interactive() || widget.sense.is_focusable());
        can_act.map(|widget| widget.interact_rect).filter(Rect::is_positive).collect()
    })
}

/// Says something in a window, and looks where it is said.
fn covers_nothing(name: &str, window: (u32, u32, f64), mut screen: Screen) {
    for messages in messages() {
        screen.room.state.notes = crate::ui::notes::Notes::default();
        screen.room.state.notes.is_quiet = true;
        for (kind, text) in &messages {
            screen.room.state.say(*kind, text);
        }
        let output = screen.draw(window);
        let said = told(&output, &messages);
        assert!(!said.is_empty(), "{name} at {window:?}: nothing of {messages:?}");
        for area in said {
            let covered: Vec<Rect> =
                controls(&screen).into_iter().filter(|control| control.intersects(area)).collect();
            assert!(covered.is_empty(), "{name} at {window:?}: {area:?} over {covered:?}");
        }
        // What can be chosen is still there.
        let state = &screen.room.state;
        if state.menu.page().is_some() && state.status.debugger.is_none() {
            let missing = not_drawn(state);
            assert!(missing.is_empty(), "{name} at {window:?}: {missing:?}");
        }
    }
}

const THREE: [(u32, u32, f64); 3] = [(768, 720, 1.0), (1280, 800, 1.0), (1920, 1080, 1.0)];

#[test]
fn what_is_told_covers_no_control_of_a_page() {
    for window in THREE {
        for content in everything() {
            covers_nothing(&content.name, window, Content::screen(&content, window));
        }
    }
}

#[test]
fn what_is_told_covers_no_control_of_a_game_or_of_its_menu() {
    for_each_state(|name, window, _, screen| covers_nothing(name, window, screen));
}

#[test]
fn what_is_told_covers_no_control_of_the_debugger() {
    for window in THREE {
        for &layout in LayoutName::ALL {
            let mut screen = Screen::new(window);
            screen.room.state.settings.debugger.layout = layout;
            screen.room.done(|status| {
                status.debugger = Some(Arc::new(crate::ui::debugger::tests::snapshot()));
            });
            covers_nothing(&format!("{layout:?}"), window, screen);
        }
    }
}
