//! What the interface draws: a page, the debugger, or the game's rails and bars around its picture.

use crate::messages::command::DebugCommand;
use crate::messages::status::{CrashStatus, MessageKind, RunState};
use crate::ui::bars::{self, BarClick};
use crate::ui::candidates::{self, PictureArea};
use crate::ui::canvas::Canvas;
use crate::ui::debugger;
use crate::ui::layout::Layout;
use crate::ui::page::Page;
use crate::ui::pages::{self, Click, Desk, Textures};
use crate::ui::rail::{self, Card, Told};
use crate::ui::reader;
use crate::ui::scrubber;
use crate::ui::state::UiState;
use crate::ui::theme;
use crate::video::viewport::{Framing, Viewport};

/// Scanlines at the bottom of a picture that fills its window, on which alone notices may lie:
/// those that a television hides.
const NOTICE_LINES: f32 = 24.0;

/// Height of the slider of a kept game where it stands below cards.
const SLIDER: f32 = 36.0;

/// The result of laying the interface out.
#[derive(Default)]
pub(crate) struct Laid {
    pub(crate) click: Option<Click>,
    pub(crate) bar: Option<BarClick>,
    /// The frame of a kept game to which the slider was moved.
    pub(crate) sought: Option<u64>,
    pub(crate) commands: Vec<DebugCommand>,
    /// What the debugger leaves to the picture.
    pub(crate) docked: Option<Viewport>,
    /// Whether anything was drawn.
    pub(crate) busy: bool,
    /// The colour of what is outside of the picture's room.
    pub(crate) ground: egui::Color32,
}

/// What the interface is laid out from.
pub(crate) struct Interface<'a> {
    pub(crate) state: &'a mut UiState,
    pub(crate) layout: &'a Layout,
    pub(crate) framing: Framing,
    pub(crate) palette: &'a nes::Palette,
    pub(crate) textures: &'a mut Textures,
    pub(crate) panels: &'a mut debugger::Kept,
    /// The frame of a kept game at which the mouse holds the slider.
    pub(crate) scrubbed: &'a mut Option<u64>,
}

impl Interface<'_> {
    /// Draws a page, the debugger, or the game's rails and bars.
    pub(crate) fn draw(&mut self, context: &egui::Context) -> Laid {
        let page = self.state.menu.page().map(Page::title);
        reader::announce(context, &self.state.status, page.as_deref());
        if self.state.status.debugger.is_some() {
            return self.debugger(context);
        }
        match self.state.menu.page() {
            Some(Page::Pause) if self.layout.right.is_some() => self.game(context, true),
            Some(_) => self.page(context),
            None => self.game(context, false),
        }
    }

    /// Returns a part of the window in points.
    fn points(&self, part: Viewport) -> egui::Rect {
        let zoom = self.layout.zoom as f32;
        let at = egui::pos2(part.x as f32, part.y as f32) / zoom;
        egui::Rect::from_min_size(at, egui::vec2(part.width as f32, part.height as f32) / zoom)
    }

    /// A page over all of the window, or the pause menu in the rail `area`.
    fn page_in(&mut self, context: &egui::Context, area: Option<egui::Rect>) -> Option<Click> {
        let rows = self.state.rows();
        let page = self.state.menu.page()?;
        let (cursor, in_sight) = (self.state.menu.cursor(&rows), self.state.menu.in_sight(&rows));
        let messages = if area.is_some() { vec![] } else { self.state.notes.lines() };
        let mut nav = std::mem::take(&mut self.state.menu.nav);
        let mut editor = std::mem::take(&mut self.state.menu.editor);
        let shown = pages::Shown {
            page,
            rows: &rows,
            cursor,
            in_sight,
            status: &self.state.status,
            settings: &self.state.settings,
            games: &self.state.menu.games,
            shelf: &self.state.menu.shelf,
            puzzles: &self.state.menu.puzzles,
            presented: &self.state.presented,
            palette: self.palette,
            listening: self.state.menu.listening.as_ref().map(|listening| listening.target),
            texts: &self.state.menu.texts,
            shows_line: self.state.menu.shows_line,
            keyboard: self.state.menu.keyboard.as_ref(),
            messages: &messages,
            first_start: self.state.welcome,
        };
        let mut desk = Desk {
            nav: &mut nav,
            textures: self.textures,
            editor: &mut editor,
            click: None,
            focus: cursor,
            pointed: None,
            key: None,
        };
        match area {
            Some(area) => pages::pause_rail(context, area, &shown, &mut desk),
            None => pages::page(context, &shown, &mut desk),
        }
        let (click, pointed, key) = (desk.click, desk.pointed, desk.key);
        if let Some((column, row)) = pointed {
            self.state.menu.puzzles.point_on(page, (column, row));
        }
        (self.state.menu.nav, self.state.menu.editor) = (nav, editor);
        if let Some(key) = key {
            self.state.press_on_screen(key);
            context.request_repaint();
            return None;
        }
        if self.state.menu.keyboard.is_none() {
            return click;
        }
        // A click beside the keyboard ends the typing.
        let click = click.filter(|click| click.step.is_some())?;
        self.state.menu.accept_typed(&rows);
        Some(click)
    }

    fn page(&mut self, context: &egui::Context) -> Laid {
        let click = self.page_in(context, None);
        Laid { click, busy: true, ..Laid::default() }
    }

    /// The debugger's panels, with the menu's page over them if one is open.
    fn debugger(&mut self, context: &egui::Context) -> Laid {
        let mut laid = Laid { busy: true, ..Laid::default() };
        let Some(snapshot) = self.state.status.debugger.clone() else { return laid };
        if self.state.menu.page().is_some() {
            laid.click = self.page_in(context, None);
            return laid;
        }
        let running = self.state.status.run_state != RunState::Paused;
        let pictures = if self.state.opponent().is_some() { 2 } else { 1 };
        let scene = debugger::Scene { framing: self.framing, pictures, running };
        let colours = self.state.settings.look.theme.colours();
        let messages = self.state.notes.lines();
        debugger::foot(context, colours, &self.state.status, &messages);
        let settings = &mut self.state.settings.debugger;
        laid.commands.extend(debugger::panels(context, &snapshot, self.panels, settings, scene));
        let room = debugger::picture(self.panels);
        laid.docked = room.map(|room| debugger::pixels(room, context.pixels_per_point()));
        laid
    }

    /// The game with its rails and bars.
    fn game(&mut self, context: &egui::Context, is_paused: bool) -> Laid {
        let mut laid = Laid { busy: true, ..Laid::default() };
        let Layout { left, right, strip, top, foot, .. } = *self.layout;
        let canvas = Canvas::new(layer(context, "rails"), self.state.settings.look.theme.colours());
        laid.ground = canvas.colours.rail;
        let thoughts = self.state.status.thoughts.clone();
        for (picture, thought) in (0..).zip(&thoughts) {
            if let Some(thought) = thought.as_ref().filter(|_| !is_paused) {
                candidates::candidates(context, &self.place_of(picture), thought);
            }
        }
        let cards = self.cards();
        let [left_cards, right_cards] = cards;
        let messages = self.state.notes.lines();
        let replay = self.state.status.practice.as_ref().and_then(|practice| practice.replay);
        let replay = replay.filter(|_| !is_paused).map(|replay| (replay, self.slider_room()));
        let above_slider = |area: egui::Rect| match replay {
            Some((_, slider)) if area.contains(slider.center()) => area.with_max_y(slider.top()),
            _ => area,
        };
        for (area, is_left) in [(left, true), (right, false)] {
            let Some(mut area) = area.map(|area| self.points(area)) else { continue };
            if !is_left && is_paused {
                // Where there is no room but the menu's, it makes some.
                if left.is_none()
                    && strip.is_none()
                    && let Some(told) = Told::of(&canvas, area.width(), &messages)
                {
                    let top = area.bottom() - told.height();
                    told.draw(&canvas, area.with_min_y(top));
                    area.max.y = top;
                }
                laid.click = self.page_in(context, Some(area));
                continue;
            }
            let edge = if is_left { area.right() - 0.5 } else { area.left() + 0.5 };
            canvas.painter.vline(edge, area.y_range(), egui::Stroke::new(1.0, canvas.colours.line));
            let alone = left.is_none() && strip.is_none() || right.is_none();
            let mut all = if is_left || !alone { vec![] } else { left_cards.clone() };
            if alone && is_left {
                all.extend(left_cards.clone());
                all.extend(right_cards.clone());
            } else {
                all.extend(if is_left { left_cards.clone() } else { right_cards.clone() });
            }
            let area = above_slider(area);
            let area = if top.is_none() && is_left { self.chips(&canvas, area) } else { area };
            // While the menu is in the right rail, they are in the strip or the left one.
            let has_toasts = !is_left || right.is_none() || is_paused && strip.is_none();
            let area = if has_toasts { rail::toasts(&canvas, area, &messages) } else { area };
            rail::stack(&canvas, area, &all);
        }
        if let Some(area) = strip.map(|area| self.points(area)) {
            canvas.painter.hline(
                area.x_range(),
                area.top() + 0.5,
                egui::Stroke::new(1.0, canvas.colours.line),
            );
            rail::row(&canvas, above_slider(area), &left_cards);
            if is_paused {
                rail::toasts(&canvas, area.with_min_x(area.right() - 300.0), &messages);
            }
        }
        if let Some(area) = top.map(|area| self.points(area)) {
            let muted = self.state.settings.sound.mute;
            laid.bar = egui::Area::new(egui::Id::new("top bar"))
                .fixed_pos(area.min)
                .order(egui::Order::Middle)
                .show(context, |ui| {
                    ui.set_min_size(area.size());
                    let canvas = Canvas::new(ui.painter().clone(), canvas.colours);
                    bars::top(ui, &canvas, area, &self.state.status, muted)
                })
                .inner;
        }
        if let Some(area) = foot.map(|area| self.points(area)) {
            let (left, right) = if is_paused {
                (
                    vec![
                        ("\u{2191} \u{2193}", "Choose".into()),
                        ("Enter", "Select".into()),
                        ("Esc", "Resume".to_owned()),
                    ],
                    vec![],
                )
            } else {
                bars::game_hints(&self.state.status)
            };
            if replay.is_none() {
                bars::foot(&canvas, area, &left, &right);
            }
        }
        if left.is_none() && right.is_none() {
            laid.busy = notice(&canvas, above_slider(self.lowest_lines()), &messages, self.state);
            laid.busy |= replay.is_some() || thoughts.iter().any(Option::is_some);
        }
        if let Some((replay, area)) = replay {
            laid.sought = scrubber::slider(context, area, replay, self.scrubbed);
        }
        laid
    }

    /// Returns where the slider of a kept game stands: in place of the lower bar, else below the
    /// cards of the strip or of a rail, else over the lowest lines of the picture, below what is
    /// said there.
    fn slider_room(&self) -> egui::Rect {
        let Layout { left, right, strip, foot, .. } = *self.layout;
        match (foot, strip.or(left).or(right)) {
            (Some(foot), _) => self.points(foot),
            (None, Some(part)) => {
                let area = self.points(part);
                area.with_min_y(area.bottom() - SLIDER)
            }
            (None, None) => {
                let area = self.lowest_lines();
                area.with_min_y(area.center().y)
            }
        }
    }

    /// Returns the part of a picture without rails on which notices may lie.
    fn lowest_lines(&self) -> egui::Rect {
        let picture = self.points(self.framing.viewport_within(self.layout.stage));
        picture.with_min_y(picture.bottom() - picture.height() * NOTICE_LINES / 240.0)
    }

    /// Draws the signs of what goes on at the top of a rail. Returns the rest of it.
    fn chips(&self, canvas: &Canvas, area: egui::Rect) -> egui::Rect {
        let chips = bars::chips(&self.state.status);
        if chips.is_empty() {
            return area;
        }
        let at = area.left_top() + egui::vec2(12.0, 24.0);
        bars::draw_chips(canvas, at, &chips, area.right() - 12.0);
        area.with_min_y(area.top() + 36.0)
    }

    /// Returns the cards of the rails: those of the left one or of the strip, and of the right one.
    fn cards(&self) -> [Vec<Card>; 2] {
        let state = &self.state;
        let (status, practice) = (&state.status, &state.settings.practice);
        let colours = state.settings.look.theme.colours();
        let mut left = rail::left(status, practice, &colours);
        let mut right = rail::right(status, practice, &colours, state.settings.picture.input_display);
        if let Some(sides) = rail::versus(status, &colours) {
            left = sides.into_iter().chain(left).collect();
        }
        if let Some((thought, is_opponent)) = state.thought() {
            let next = status.game.as_ref().map(|game| game.pieces[1]).filter(|_| !is_opponent);
            right = rail::computer_cards(thought, next, &state.settings.tetris, &colours);
        }
        if state.shows_welcome() {
            left.insert(0, pages::welcome_card(&state.welcome_rows(), &colours));
        }
        if let Some(CrashStatus { crash, way_back }) = &status.crash {
            right.insert(0, rail::crash(crash, *way_back, &colours));
        }
        [left, right]
    }

    /// Returns where a picture is in the window, in points.
    pub(crate) fn place_of(&self, picture: u32) -> PictureArea {
        let pictures = if self.state.opponent().is_some() { 2 } else { 1 };
        let stage = self.layout.stage;
        let room = Viewport { width: (stage.width / pictures).max(1), ..stage };
        let framing = self.framing.docked(room);
        let inner = framing.viewport_within(room);
        let zoom = self.layout.zoom as f32;
        let (columns, lines) = framing.crop.size();
        let scale =
            egui::vec2(inner.width as f32 / columns as f32, inner.height as f32 / lines as f32) / zoom;
        let [left, top, ..] = framing.crop.part();
        let cut = egui::vec2(left * crate::PICTURE_WIDTH as f32, top * crate::PICTURE_HEIGHT as f32);
        let at = egui::vec2((inner.x + picture * room.width) as f32, inner.y as f32) / zoom;
        PictureArea { origin: (at - cut * scale).to_pos2(), scale }
    }
}

/// Returns a painter of a layer below egui's own areas.
fn layer(context: &egui::Context, name: &str) -> egui::Painter {
    context.layer_painter(egui::LayerId::new(egui::Order::Background, egui::Id::new(name)))
}

/// Writes the last message, or how the mode stands, in one line at the bottom of a picture that
/// fills its window. Returns whether there was anything to write.
fn notice(canvas: &Canvas, area: egui::Rect, messages: &[(MessageKind, String)], state: &UiState) -> bool {
    let colours = theme::ON_PICTURE;
    let text = match messages.last() {
        Some((_, text)) => text.clone(),
        None => match &state.status.crash {
            Some(crash) => crash.crash.to_string(),
            None => rail::line(&state.status),
        },
    };
    if text.is_empty() {
        return false;
    }
    canvas.fill(area, 0, colours.rail);
    let size = if area.height() < 16.0 { theme::Type::Key } else { theme::Type::Small };
    let at = (area.left_center() + egui::vec2(8.0, 0.0), egui::Align2::LEFT_CENTER);
    canvas.text_within(at, &text, (size, colours.text), area.width() - 16.0);
    true
}

#[cfg(test)]
mod tests;
