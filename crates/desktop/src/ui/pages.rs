//! Pages as the window draws them: the sidebar, the head, the lines in the layout of the page, and
//! the keys at the foot. What a page has is said by its lines ([`Row`]); here is only where they
//! stand.

mod editor;
mod games;
mod home;
mod keyboard;
mod lesson;
mod list;
mod pause;
mod practise;
mod puzzle;
mod puzzles;
mod review;
mod shell;
mod table;
mod textures;
mod today;
mod trainer;

use egui::{Context, Id, Rect, Sense, Vec2};

pub(crate) use editor::welcome_card;
pub(crate) use pause::rail as pause_rail;
pub(crate) use textures::Textures;

use crate::config::settings::Settings;
use crate::messages::status::{MessageKind, Status};
use crate::ui::canvas::Canvas;
use crate::ui::editor::Editor;
use crate::ui::field::{Field, Texts};
use crate::ui::games::{KeptGame, Shelf};
use crate::ui::keyboard::{Key, Keyboard};
use crate::ui::nav::Nav;
use crate::ui::number::Number;
use crate::ui::page::{Item, Page, Row, Zone};
use crate::ui::puzzle::PuzzleDesk;
use crate::ui::reader;
use crate::ui::remap::Target;
use crate::ui::step::Step;
use crate::video::presented_frame::PresentedFrame;
use nes::Palette;

/// What the mouse did on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Click {
    /// The line that it was done on.
    pub(crate) row: usize,
    /// None for pointing at it.
    pub(crate) step: Option<Step>,
}

/// What a page is drawn from.
pub(crate) struct Shown<'a> {
    pub(crate) page: Page,
    pub(crate) rows: &'a [Row],
    /// The line that has the focus.
    pub(crate) cursor: Option<usize>,
    /// The line that is to be seen.
    pub(crate) in_sight: usize,
    pub(crate) status: &'a Status,
    pub(crate) settings: &'a Settings,
    pub(crate) games: &'a [KeptGame],
    pub(crate) shelf: &'a Shelf,
    pub(crate) puzzles: &'a PuzzleDesk,
    pub(crate) presented: &'a PresentedFrame,
    pub(crate) palette: &'a Palette,
    pub(crate) texts: &'a Texts,
    /// Whether the review shows the best line, two pieces deep.
    pub(crate) shows_line: bool,
    /// The keyboard on the screen, if it is open.
    pub(crate) keyboard: Option<&'a Keyboard>,
    /// That for which a key or a button is waited for.
    pub(crate) listening: Option<Target>,
    pub(crate) messages: &'a [(MessageKind, String)],
    pub(crate) first_start: bool,
}

impl Shown<'_> {
    /// Returns the lines of a part of the page, with their numbers.
    fn of(&self, zone: Zone) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter(move |(_, row)| row.zone == zone)
    }

    /// Returns whether something can be typed into the line that has the focus.
    fn takes_text(&self) -> bool {
        let row = self.cursor.and_then(|cursor| self.rows.get(cursor));
        matches!(self.page, Page::Open | Page::Recent)
            || row.is_some_and(|row| {
                matches!(row.item, Item::Field(_))
                    || Number::of(&row.item, self.settings, &Editor::default()).is_some()
            })
    }

    /// Returns the name and the text of what is typed.
    fn typed(&self) -> (&str, &str) {
        let field = match self.page {
            Page::Find => Some(Field::Find),
            Page::Games => Some(Field::Games),
            Page::Open | Page::Recent => Some(Field::Files),
            _ => None,
        };
        if let Some(field) = field {
            return (field.label(), field.text(self.texts, self.shelf, self.settings));
        }
        let row = self.cursor.and_then(|cursor| self.rows.get(cursor));
        row.map_or(("", ""), |row| (row.label.as_str(), row.value.as_str()))
    }

    fn has_focus(&self, row: usize) -> bool {
        self.cursor == Some(row)
    }
}

/// What is kept from one drawing of a page to the next, and what the mouse did.
pub(crate) struct Desk<'a> {
    pub(crate) nav: &'a mut Nav,
    pub(crate) textures: &'a mut Textures,
    pub(crate) editor: &'a mut Editor,
    pub(crate) click: Option<Click>,
    /// The line that has the focus.
    pub(crate) focus: Option<usize>,
    /// The cell of a puzzle's field that the pointer went to.
    pub(crate) pointed: Option<(i32, i32)>,
    /// The key of the keyboard on the screen that was clicked.
    pub(crate) key: Option<Key>,
}

impl Desk<'_> {
    /// Takes note of the control of the line `row` in `area`, and of what the mouse did there:
    /// clicked, or moved over it. Returns whether the pointer is over it.
    fn control(&mut self, ui: &egui::Ui, (number, row): (usize, &Row), area: Rect) -> bool {
        self.nav.add(number, row.zone, area);
        let response = ui.interact(area, Id::new(("row", number)), Sense::click());
        response.widget_info(|| {
            let label = if row.value.is_empty() {
                row.label.clone()
            } else {
                format!("{}, {}", row.label, row.value)
            };
            egui::WidgetInfo::labeled(egui::WidgetType::Button, row.is_choice(), label)
        });
        reader::control(ui.ctx(), response.id, self.focus == Some(number));
        if response.clicked() {
            let pointer = response.interact_pointer_pos().unwrap_or(area.center());
            let step = match row.is_setting() && row.zone != Zone::Tiles {
                true if pointer.x < list::less_than(area) => Step::Left,
                true => Step::Right,
                false if self.nav.is_of(Page::Games) && ui.input(|input| input.modifiers.command) => {
                    Step::Draw
                }
                false => Step::Enter,
            };
            self.click = Some(Click { row: number, step: Some(step) });
        } else if response.hovered()
            && ui.input(|input| input.pointer.delta() != Vec2::ZERO)
            && self.click.is_none()
        {
            self.click = Some(Click { row: number, step: None });
        }
        response.hovered()
    }
}

/// Draws a page over all of the window.
pub(crate) fn page(context: &Context, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = shown.settings.look.theme.colours();
    desk.nav.begin(shown.page);
    let frame = egui::Frame::NONE.fill(colours.ground);
    egui::CentralPanel::default().frame(frame).show(context, |ui| {
        let canvas = Canvas::new(ui.painter().clone(), colours);
        let area = ui.max_rect();
        let body = shell::draw(ui, &canvas, area, shown, desk);
        match shown.page {
            Page::Home => home::draw(ui, &canvas, body, shown, desk),
            Page::Practice => practise::draw(ui, &canvas, body, shown, desk),
            Page::Games => games::draw(ui, &canvas, body, shown, desk),
            Page::Coach => review::draw(ui, &canvas, body, shown, desk),
            Page::Puzzles => puzzles::draw(ui, &canvas, body, shown, desk),
            Page::Puzzle => puzzle::draw(ui, &canvas, body, shown, desk),
            Page::Lesson => lesson::draw(ui, &canvas, body, shown, desk),
            Page::Taps | Page::Das | Page::Finesse => trainer::draw(ui, &canvas, body, shown, desk),
            Page::Editor => editor::draw(ui, &canvas, body, shown, desk),
            _ => list::draw(ui, &canvas, body, shown, desk),
        }
        keyboard::draw(ui, &canvas, body, shown, desk);
    });
}

/// Returns whether `page` shows live input and is redrawn without any action of the player.
pub(crate) fn is_live(page: Page) -> bool {
    matches!(page, Page::Remap(..) | Page::NewPad(_) | Page::Actions(_) | Page::Input)
}
