//! The panels docked around the picture: a layout becomes a tree of tiles, which the mouse changes,
//! and that a layout again.

use egui::{Rect, Response, RichText, Stroke, Style, Ui, Vec2, Visuals, WidgetText};
use egui_tiles::{
    Behavior, Container, EditAction, Linear, LinearDir, ResizeState, SimplificationOptions, Tabs, Tile,
    TileId, Tiles, Tree, UiResponse,
};

use crate::debugger::{Layout, Pane, Panel};
use crate::ui::canvas::sentence;
use crate::ui::theme::{self, Colours, Type};
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// Points between two panes, and of the line with their titles.
const GAP: f32 = 2.0;
const TITLES: f32 = 28.0;

/// The part of a row or column that the picture gets at least, whatever the panels ask for.
const SHARE: f32 = 0.3;

/// The least size of a pane, in points, that an edge can be dragged to.
const LEAST: f32 = 48.0;

/// What draws panes and hears of changes.
pub(super) trait Contents {
    /// Draws a panel.
    fn panel(&mut self, ui: &mut Ui, panel: Panel);
    /// Draws over the picture, which lies there already.
    fn picture(&mut self, ui: &Ui);
}

/// The tiles, and of what layout and room they were made.
pub(super) struct Dock {
    tree: Tree<Pane>,
    layout: Layout,
    room: Vec2,
    points: f32,
    /// The tree has been changed, and is not laid out yet.
    edited: bool,
    /// Where the panes that are in front were drawn last.
    pub(super) shown: Vec<(Pane, Rect)>,
}

impl Dock {
    /// Returns the tiles of `layout` in a window of so many pixels to a point.
    pub(super) fn new(layout: Layout, room: Vec2, points: f32) -> Self {
        let tree = tree(&layout, room, points);
        Self { tree, layout, room, points, edited: false, shown: vec![] }
    }

    /// Draws the panes. Returns the layout, if the player has changed it.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        wanted: &Layout,
        contents: &mut dyn Contents,
    ) -> Option<Layout> {
        let (room, points) = (ui.available_size(), ui.pixels_per_point());
        let is_other = *wanted != self.layout;
        if is_other || room != self.room || points.to_bits() != self.points.to_bits() {
            // Panels keep their size when the window changes, the picture gets what is left.
            let layout = if is_other { wanted.clone() } else { self.layout.clone() };
            *self = Self::new(layout, room, points);
        }
        let colours = theme::of(ui.ctx());
        let before = self.shown.iter().map(|(pane, _)| *pane).collect();
        let mut drawing = Drawing { contents, shown: vec![], before, edited: false, colours };
        self.tree.ui(&mut drawing, ui);
        let Drawing { shown, edited, .. } = drawing;
        self.shown = shown;
        if edited {
            ui.ctx().request_repaint();
        }
        let was_edited = std::mem::replace(&mut self.edited, edited);
        if edited || !was_edited {
            self.edited |= was_edited;
            return None;
        }
        if ui.input(|input| input.pointer.any_down()) {
            self.edited = true;
            return None;
        }
        let root = self.tree.root()?;
        self.layout = layout(&self.tree.tiles, root);
        Some(self.layout.clone())
    }

    /// Returns where the picture was drawn last.
    pub(super) fn picture(&self) -> Option<Rect> {
        self.shown.iter().find(|(pane, _)| *pane == Pane::Picture).map(|(_, place)| *place)
    }

    /// Returns whether a panel is open, behind others or in front.
    pub(super) fn has(&self, panel: Panel) -> bool {
        self.tree.tiles.find_pane(&Pane::Panel(panel)).is_some()
    }

    /// Opens a panel among those where it fits best, or brings it to the front.
    pub(super) fn open(&mut self, panel: Panel) {
        let pane = Pane::Panel(panel);
        let tiles = &mut self.tree.tiles;
        if tiles.find_pane(&pane).is_none() {
            let place = best_place(tiles, panel);
            let tile = tiles.insert_pane(pane);
            if let Some(Tile::Container(Container::Tabs(tabs))) = place.and_then(|at| tiles.get_mut(at)) {
                tabs.add_child(tile);
            } else if let Some(root) = self.tree.root {
                let beside = Layout::Tabs(vec![pane], 0);
                let row = joined(vec![(0, layout(tiles, root)), (panel.size().0, beside)]);
                self.tree = tree(&row, self.room, self.points);
            }
        }
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(other) if *other == pane));
        self.edited = true;
    }

    /// Closes a panel.
    pub(super) fn close(&mut self, panel: Panel) {
        if let Some(tile) = self.tree.tiles.find_pane(&Pane::Panel(panel)) {
            self.tree.remove_recursively(tile);
            self.edited = true;
        }
    }
}

/// Returns a row of these parts, without rows inside of it.
fn joined(parts: Vec<(u16, Layout)>) -> Layout {
    let parts = parts.into_iter().flat_map(|(size, part)| match part {
        Layout::Row(parts) => parts,
        part => vec![(size, part)],
    });
    Layout::Row(parts.collect())
}

/// Returns the tabs in which most of a panel would be seen; never those of the picture.
fn best_place(tiles: &Tiles<Pane>, panel: Panel) -> Option<TileId> {
    let (width, height) = panel.size();
    let picture = tiles.find_pane(&Pane::Picture);
    let tabs = tiles.iter().filter_map(|(&id, tile)| match tile {
        Tile::Container(Container::Tabs(tabs)) => Some((id, tabs)),
        _ => None,
    });
    let hidden = |size: Vec2| {
        let (width, height) = (f32::from(width), f32::from(height));
        width * height - size.x.min(width) * (size.y - TITLES).clamp(0.0, height)
    };
    let free = tabs.filter(|(_, tabs)| picture.is_none_or(|picture| !tabs.children.contains(&picture)));
    let placed = free.filter_map(|(id, _)| Some((id, tiles.rect(id)?)));
    let best = placed.min_by(|(_, one), (_, other)| {
        let larger = other.area().total_cmp(&one.area());
        let order = hidden(one.size()).total_cmp(&hidden(other.size())).then(larger);
        order.then(one.left().total_cmp(&other.left())).then(one.top().total_cmp(&other.top()))
    });
    best.map(|(id, _)| id)
}

/// Returns the tiles of a layout that fill `room`.
fn tree(layout: &Layout, room: Vec2, points: f32) -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let root = tile(&mut tiles, layout, room, points);
    Tree::new("debugger dock", root, tiles)
}

fn tile(tiles: &mut Tiles<Pane>, layout: &Layout, room: Vec2, points: f32) -> TileId {
    let (dir, parts) = match layout {
        Layout::Tabs(panes, front) => {
            let children: Vec<TileId> = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
            let mut tabs = Tabs::new(children);
            tabs.active = tabs.children.get(*front).copied().or(tabs.active);
            return tiles.insert_container(tabs);
        }
        Layout::Row(parts) => (LinearDir::Horizontal, parts),
        Layout::Column(parts) => (LinearDir::Vertical, parts),
    };
    let lengths = lengths(parts, dir, room, points);
    let part = |length: f32| match dir {
        LinearDir::Horizontal => Vec2::new(length, room.y),
        LinearDir::Vertical => Vec2::new(room.x, length),
    };
    let children: Vec<TileId> = parts
        .iter()
        .zip(&lengths)
        .map(|((_, layout), &length)| tile(tiles, layout, part(length), points))
        .collect();
    // A tile that is docked later gets a share of 1, which is to be the mean.
    let mean = lengths.iter().sum::<f32>().max(1.0) / lengths.len().max(1) as f32;
    let mut linear = Linear::new(dir, children.clone());
    for (child, length) in children.into_iter().zip(lengths) {
        linear.shares.set_share(child, length / mean);
    }
    tiles.insert_container(linear)
}

fn along(size: Vec2, dir: LinearDir) -> f32 {
    if dir == LinearDir::Horizontal { size.x } else { size.y }
}

/// Returns how long each part is, in points.
fn lengths(parts: &[(u16, Layout)], dir: LinearDir, room: Vec2, points: f32) -> Vec<f32> {
    let whole = (along(room, dir) - GAP * parts.len().saturating_sub(1) as f32).max(1.0);
    let wanted = |size: u16| if size == 0 { 150.0 } else { f32::from(size) };
    let picture = parts.iter().position(|(_, part)| part.has_picture());
    let others = parts.iter().enumerate().filter(|(at, _)| Some(*at) != picture);
    let sum: f32 = others.map(|(_, (size, _))| wanted(*size)).sum();
    let rest = picture.map_or(0.0, |at| {
        let least = along(need(&parts[at].1, points), dir).max(SHARE * whole).min(whole);
        (whole - sum).max(least)
    });
    let scale = (whole - rest) / sum.max(1.0);
    let length = |(at, (size, _)): (usize, &(u16, Layout))| {
        if Some(at) == picture { rest } else { scale * wanted(*size) }
    };
    parts.iter().enumerate().map(length).collect()
}

/// Returns the least room for a layout in which a pixel of the picture is a pixel of the window.
fn need(layout: &Layout, points: f32) -> Vec2 {
    match layout {
        Layout::Tabs(panes, _) if panes.contains(&Pane::Picture) => {
            // Edges between pixels cost up to one on each side.
            let size = Vec2::new(PICTURE_WIDTH as f32 + 2.0, PICTURE_HEIGHT as f32 + 2.0) / points;
            size + Vec2::new(0.0, TITLES)
        }
        Layout::Tabs(..) => Vec2::splat(LEAST + TITLES),
        Layout::Row(parts) | Layout::Column(parts) => {
            let is_row = matches!(layout, Layout::Row(_));
            let gaps = GAP * parts.len().saturating_sub(1) as f32;
            let begin = if is_row { Vec2::new(gaps, 0.0) } else { Vec2::new(0.0, gaps) };
            parts.iter().map(|(_, part)| need(part, points)).fold(begin, |all, part| {
                if is_row {
                    Vec2::new(all.x + part.x, all.y.max(part.y))
                } else {
                    Vec2::new(all.x.max(part.x), all.y + part.y)
                }
            })
        }
    }
}

/// Returns the layout of tiles, with the sizes that they were drawn at last.
fn layout(tiles: &Tiles<Pane>, id: TileId) -> Layout {
    if let Some(Tile::Container(Container::Linear(linear))) = tiles.get(id) {
        let size = |child: TileId| tiles.rect(child).map_or(0.0, |place| along(place.size(), linear.dir));
        let part = |&child: &TileId| {
            let part = layout(tiles, child);
            (if part.has_picture() { 0 } else { size(child).round() as u16 }, part)
        };
        let parts: Vec<(u16, Layout)> = linear.children.iter().map(part).collect();
        return match linear.dir {
            LinearDir::Horizontal => Layout::Row(parts),
            LinearDir::Vertical => Layout::Column(parts),
        };
    }
    // Rows that were dragged in among tabs become tabs.
    let panes = panes(tiles, id);
    let active = match tiles.get(id) {
        Some(Tile::Container(Container::Tabs(tabs))) => tabs.active,
        _ => None,
    };
    let front = active.and_then(|active| tiles.get_pane(&active));
    let front = front.and_then(|front| panes.iter().position(|pane| pane == front));
    Layout::Tabs(panes, front.unwrap_or(0))
}

fn panes(tiles: &Tiles<Pane>, id: TileId) -> Vec<Pane> {
    match tiles.get(id) {
        Some(Tile::Pane(pane)) => vec![*pane],
        Some(Tile::Container(container)) => {
            container.children().flat_map(|&child| panes(tiles, child)).collect()
        }
        None => vec![],
    }
}

/// One drawing of the tiles.
struct Drawing<'a> {
    contents: &'a mut dyn Contents,
    shown: Vec<(Pane, Rect)>,
    /// Those that were in front in the drawing before.
    before: Vec<Pane>,
    edited: bool,
    colours: Colours,
}

impl Behavior<Pane> for Drawing<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let place = ui.max_rect();
        self.shown.push((*pane, place));
        match *pane {
            Pane::Picture => self.contents.picture(ui),
            Pane::Panel(panel) => {
                ui.painter().rect_filled(place, 0.0, self.colours.rail);
                // A name of its own: what is scrolled and typed stays when the panel is docked
                // elsewhere.
                let inner = egui::UiBuilder::new().id(("debugger panel", panel)).max_rect(place.shrink(4.0));
                ui.scope_builder(inner, |ui| self.contents.panel(ui, panel));
            }
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        RichText::new(sentence(pane.title())).font(Type::StrongLabel.font()).into()
    }

    fn on_tab_button(&mut self, tiles: &Tiles<Pane>, tile: TileId, button: Response) -> Response {
        // The one in front has a line above it.
        if let Some(pane) = tiles.get_pane(&tile)
            && self.before.contains(pane)
        {
            let line = button.rect.with_max_y(button.rect.top() + 2.0);
            let painter = button.ctx.layer_painter(button.layer_id);
            painter.rect_filled(line, 0.0, self.colours.accent);
        }
        match tiles.get_pane(&tile) {
            Some(Pane::Panel(panel)) => {
                button.on_hover_text(format!("{}.\nDrag to dock it elsewhere; x closes it.", panel.about()))
            }
            Some(Pane::Picture) => button.on_hover_text("The game. Drag to dock it elsewhere."),
            None => button,
        }
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile) != Some(&Pane::Picture)
    }

    fn on_tab_close(&mut self, _: &mut Tiles<Pane>, _: TileId) -> bool {
        self.edited = true;
        true
    }

    fn on_edit(&mut self, _: EditAction) {
        self.edited = true;
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn gap_width(&self, _: &Style) -> f32 {
        GAP
    }

    fn min_size(&self) -> f32 {
        LEAST + TITLES
    }

    fn tab_bar_height(&self, _: &Style) -> f32 {
        TITLES
    }

    fn tab_bar_color(&self, _: &Visuals) -> egui::Color32 {
        self.colours.well
    }

    fn tab_bg_color(
        &self,
        _: &Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if state.active { self.colours.rail } else { egui::Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(
        &self,
        _: &Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        _: &egui_tiles::TabState,
    ) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _: &Visuals) -> Stroke {
        Stroke::NONE
    }

    fn tab_text_color(
        &self,
        _: &Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if state.active { self.colours.text } else { self.colours.soft }
    }

    fn resize_stroke(&self, style: &Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::new(GAP, self.colours.line),
            ResizeState::Hovering => style.visuals.widgets.hovered.fg_stroke,
            ResizeState::Dragging => style.visuals.widgets.active.fg_stroke,
        }
    }
}
