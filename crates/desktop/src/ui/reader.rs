//! What a screen reader is told: texts and controls in the order in which they are drawn, the
//! control that has the focus, and a line that is read out when it changes.

use std::collections::HashSet;

use egui::accesskit::{self, Live, Node, NodeId, Role, TreeUpdate};
use egui::{Context, Id, Rect};

use crate::messages::status::{RunState, Status};

/// Points from one announcement of the score to the next.
const STEP: u32 = 50_000;

/// What was noted of the page that is drawn.
#[derive(Clone, Default)]
struct Noted {
    /// Texts and controls, in their order.
    order: Vec<NodeId>,
    focus: Option<NodeId>,
}

fn noted() -> Id {
    Id::new("what a screen reader is told")
}

fn node_of(id: Id) -> NodeId {
    NodeId(id.value())
}

fn change(context: &Context, change: impl FnOnce(&mut Noted)) {
    context.data_mut(|data| change(data.get_temp_mut_or_default::<Noted>(noted())));
}

/// Notes a text in `area`, if a reader listens. Icons alone are none.
pub(crate) fn text(context: &Context, area: Rect, words: &str, is_heading: bool) {
    if !words.chars().any(char::is_alphanumeric) {
        return;
    }
    let id = Id::new((words, area.left() as i32, area.top() as i32, "text"));
    let fill = |node: &mut Node| {
        if is_heading {
            node.set_role(Role::Heading);
            node.set_label(words);
        } else {
            node.set_role(Role::Label);
            node.set_value(words);
        }
        node.set_bounds(accesskit::Rect {
            x0: area.left().into(),
            y0: area.top().into(),
            x1: area.right().into(),
            y1: area.bottom().into(),
        });
    };
    if context.accesskit_node_builder(id, fill).is_some() {
        change(context, |noted| noted.order.push(node_of(id)));
    }
}

/// Notes a control, and whether it has the focus.
pub(crate) fn control(context: &Context, id: Id, has_focus: bool) {
    if context.accesskit_node_builder(id, |_| ()).is_none() {
        return; // no reader listens
    }
    change(context, |noted| {
        noted.order.push(node_of(id));
        if has_focus {
            noted.focus = Some(node_of(id));
        }
    });
}

/// Adds the line that is read out whenever it changes: whether the game stands still, and its
/// figures at that time; while it runs, its level.
pub(crate) fn announce(context: &Context, status: &Status, page: Option<&str>) {
    let line = line(status, page);
    let id = Id::new("announcement");
    let fill = |node: &mut Node| {
        node.set_role(Role::Status);
        node.set_live(Live::Polite);
        node.set_label(line);
    };
    if context.accesskit_node_builder(id, fill).is_some() {
        change(context, |noted| noted.order.insert(0, node_of(id)));
    }
}

fn line(status: &Status, page: Option<&str>) -> String {
    let game = status.game.as_deref();
    if status.run_state == RunState::Paused || page.is_some() {
        let page = page.map_or_else(|| "Paused".to_owned(), |page| format!("{page}. Paused"));
        return match game {
            Some(game) => {
                let (level, lines, score) = (game.level, game.lines, game.score);
                format!("{page}. Level {level}, {lines} lines, score {score}")
            }
            None => page,
        };
    }
    // The score changes with every piece: it is read out in steps.
    match game {
        Some(game) if game.score < STEP => format!("Level {}", game.level),
        Some(game) => format!("Level {}, over {} points", game.level, game.score / STEP * STEP),
        None => String::new(),
    }
}

/// Puts the nodes of `update` into the order in which they were noted, leaves texts out that their
/// controls say already, and names the control that has the focus.
pub(crate) fn complete(context: &Context, update: &mut TreeUpdate) {
    let noted = context.data_mut(|data| data.remove_temp::<Noted>(noted())).unwrap_or_default();
    let is_control = |node: &Node| node.supports_action(accesskit::Action::Click);
    let controls: Vec<accesskit::Rect> = update
        .nodes
        .iter()
        .filter(|(_, node)| is_control(node))
        .filter_map(|(_, node)| node.bounds())
        .collect();
    let is_inside = |text: accesskit::Rect| {
        let middle = (f64::midpoint(text.x0, text.x1), f64::midpoint(text.y0, text.y1));
        let has = |area: &accesskit::Rect| {
            (area.x0..=area.x1).contains(&middle.0) && (area.y0..=area.y1).contains(&middle.1)
        };
        controls.iter().any(has)
    };
    let repeated: HashSet<NodeId> = update
        .nodes
        .iter()
        .filter(|(_, node)| node.role() == Role::Label && node.bounds().is_some_and(is_inside))
        .map(|(id, _)| *id)
        .collect();
    update.nodes.retain(|(id, _)| !repeated.contains(id));
    let there: HashSet<NodeId> = update.nodes.iter().map(|(id, _)| *id).collect();
    let mut seen = HashSet::new();
    let order: Vec<NodeId> =
        noted.order.into_iter().filter(|id| there.contains(id) && seen.insert(*id)).collect();
    let root = update.tree.as_ref().map(|tree| tree.root);
    for (id, node) in &mut update.nodes {
        let others =
            node.children().iter().copied().filter(|child| there.contains(child) && !seen.contains(child));
        let others: Vec<NodeId> = others.collect();
        let children = if Some(*id) == root { order.iter().copied().chain(others).collect() } else { others };
        node.set_children(children);
    }
    if let Some(focus) = noted.focus.filter(|focus| there.contains(focus)) {
        update.focus = focus;
    }
}
