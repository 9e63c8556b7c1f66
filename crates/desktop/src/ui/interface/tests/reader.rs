//! What a screen reader is told of each page: names, roles, order, and the focus.

use std::collections::BTreeMap;

use egui::accesskit::{Live, Node, NodeId, Role, TreeUpdate};

use super::*;

const WINDOW: (u32, u32, f64) = (1280, 800, 1.0);

/// Returns the tree of what `screen` shows, completed as in the window.
fn tree(screen: &mut Screen) -> TreeUpdate {
    screen.context.enable_accesskit();
    let mut update = screen.draw(WINDOW).platform_output.accesskit_update.expect("it was asked for");
    crate::ui::reader::complete(&screen.context, &mut update);
    update
}

/// Returns the nodes in the order in which a reader goes through them.
fn in_order(update: &TreeUpdate) -> Vec<(NodeId, &Node)> {
    fn add<'a>(id: NodeId, nodes: &BTreeMap<NodeId, &'a Node>, found: &mut Vec<(NodeId, &'a Node)>) {
        let node = nodes[&id];
        found.push((id, node));
        node.children().iter().for_each(|child| add(*child, nodes, found));
    }
    let nodes: BTreeMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let mut found = Vec::new();
    add(update.tree.as_ref().expect("a tree").root, &nodes, &mut found);
    assert_eq!(found.len(), nodes.len(), "each node is in the tree once");
    found
}

fn words(node: &Node) -> &str {
    node.label().or(node.value()).unwrap_or_default()
}

#[test]
fn every_page_is_told_to_screen_readers_in_the_order_of_its_lines() {
    for content in everything() {
        let (mut screen, page) = (content.screen(WINDOW), &content.name);
        let update = tree(&mut screen);
        let told = in_order(&update);
        let rows = screen.room.state.rows();
        let buttons: Vec<&str> = told
            .iter()
            .filter(|(_, node)| node.role() == Role::Button)
            .map(|(_, node)| words(node))
            .collect();
        // Of a table those in sight.
        let menu = &screen.room.state.menu;
        let is_table = menu.page() == Some(Page::Coach);
        let drawn = menu.nav.rows().into_iter().filter(|&row| !is_table || rows[row].zone != Zone::Main);
        for row in drawn {
            let name = &rows[row].label;
            assert!(buttons.iter().any(|told| told.starts_with(name)), "{page:?}: {name} is in {buttons:?}");
        }
        assert!(
            buttons.iter().all(|name| name.chars().any(char::is_alphanumeric)),
            "{page:?}: each button has a name: {buttons:?}"
        );
        // The announcement comes first, and nothing that a control says is said again beside it.
        assert_eq!(told[1].1.role(), Role::Status, "{page:?}");
        let headings = told.iter().filter(|(_, node)| node.role() == Role::Heading).count();
        assert!(headings > 0 || page == "pause", "{page:?} has a heading");
        // The keyboard on the screen has the focus, or the pad moves the piece.
        if menu.keyboard.is_some() || menu.page().is_some_and(|page| menu.puzzles.moves_piece(page)) {
            continue;
        }
        let cursor = menu.cursor(&rows).expect("a focus");
        let focused = told.iter().find(|(id, _)| *id == update.focus).expect("the focus is in the tree");
        assert!(words(focused.1).starts_with(&rows[cursor].label), "{page:?}: {:?}", words(focused.1));
    }
}

#[test]
fn level_score_and_pause_are_announced() {
    let mut screen = Screen::new(WINDOW);
    let mut said = |change: &dyn Fn(&mut Status)| {
        screen.room.done(|status| change(status));
        let update = tree(&mut screen);
        let line = in_order(&update)[1].1;
        assert_eq!(line.live(), Some(Live::Polite));
        words(line).to_owned()
    };
    let playing = |level, score| {
        move |status: &mut Status| {
            status.run_state = RunState::Running;
            status.game = Some(Arc::new(GameStatus { level, lines: 164, score, ..(*game()).clone() }));
        }
    };
    assert_eq!(said(&playing(18, 4_000)), "Level 18");
    assert_eq!(said(&playing(19, 4_000)), "Level 19");
    assert_eq!(said(&playing(19, 123_456)), "Level 19, over 100000 points");
    assert_eq!(said(&playing(19, 149_999)), "Level 19, over 100000 points");
    let paused = said(&|status| status.run_state = RunState::Paused);
    assert_eq!(paused, "Paused. Level 19, 164 lines, score 149999");
}

#[test]
fn the_rails_beside_a_game_are_told_too() {
    let mut screen = Screen::new(WINDOW);
    screen.room.done(|status| status.game = Some(game()));
    let update = tree(&mut screen);
    let told: Vec<&str> = in_order(&update).into_iter().map(|(_, node)| words(node)).collect();
    for wanted in ["Tetris rate", "76", "Menu"] {
        assert!(told.iter().any(|words| words.contains(wanted)), "{wanted} in {told:?}");
    }
}
