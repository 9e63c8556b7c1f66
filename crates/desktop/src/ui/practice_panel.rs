//! What practice shows over the picture: the panel with its figures, and the texts of the mode.

use egui::{Align2, Color32, Context, FontId, Frame, Id, Pos2, Rect, RichText, Sense, Vec2};
use practice::{Item, Slot, Tone};

use crate::config::practice::{Overlay, PracticeSettings};
use crate::messages::status::PracticeStatus;

pub(crate) const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 243);
pub(crate) const WHITE: Color32 = Color32::from_rgb(0xF4, 0xF4, 0xF4);
pub(crate) const DIM: Color32 = Color32::from_rgb(0xA0, 0xA8, 0xB8);
pub(crate) const GOOD: Color32 = Color32::from_rgb(0x7C, 0xD9, 0x92);
pub(crate) const BAD: Color32 = Color32::from_rgb(0xFF, 0x7A, 0x6B);
pub(crate) const ACCENT: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);

/// The counter of the auto shift at which it shifts, and from which it is ok.
const DAS_FULL: u8 = 16;
const DAS_OK: u8 = 10;

/// Widths of an overlay and of the names in it, at 640 x 480.
const WIDTH: f32 = 172.0;
const NAMES: f32 = 60.0;

/// Pixels of the console's picture in which the score stands, and the middle of the playfield.
const SCORE: Rect = Rect { min: Pos2::new(190.0, 63.0), max: Pos2::new(250.0, 73.0) };
const FIELD: Pos2 = Pos2::new(136.0, 120.0);

/// Where the console's picture is on the screen, in points.
pub(crate) struct Place {
    pub(crate) origin: Pos2,
    /// Points of a pixel.
    pub(crate) scale: Vec2,
}

impl Place {
    /// Returns where a pixel of the console's picture is on the screen.
    pub(crate) fn at(&self, pixel: Pos2) -> Pos2 {
        self.origin + pixel.to_vec2() * self.scale
    }
}

fn colour(tone: Tone) -> Color32 {
    match tone {
        Tone::Plain => WHITE,
        Tone::Good => GOOD,
        Tone::Bad => BAD,
    }
}

/// The texts of the mode that belong to a place in the picture: the score that the game cannot
/// show, and how the game ended.
pub(crate) fn texts(context: &Context, place: &Place, items: &[Item]) {
    let layer = egui::LayerId::new(egui::Order::Background, Id::new("practice texts"));
    let painter = context.layer_painter(layer);
    for item in items {
        let Item::Text { slot, text, tone } = item else { continue };
        match slot {
            Slot::Score => {
                let area = Rect::from_two_pos(place.at(SCORE.min), place.at(SCORE.max));
                painter.rect_filled(area, 0.0, Color32::BLACK);
                let font = FontId::monospace(9.0 * place.scale.y);
                painter.text(area.left_center(), Align2::LEFT_CENTER, text, font, colour(*tone));
            }
            Slot::Notice => {
                let font = FontId::proportional(14.0 * place.scale.y);
                let middle = place.at(FIELD);
                let galley = painter.layout_no_wrap(text.clone(), font, colour(*tone));
                let area = Rect::from_center_size(middle, galley.size() + Vec2::splat(12.0));
                painter.rect_filled(area, 4.0, PANEL);
                painter.galley(middle - galley.size() / 2.0, galley, colour(*tone));
            }
            Slot::Pace | Slot::Count | Slot::Taps => {}
        }
    }
}

/// A line of an overlay: what, how it stands, and in which colour.
type Line = (&'static str, String, Color32);

/// Returns the overlays that the player wants, each with its lines.
fn overlays(status: &PracticeStatus, settings: &PracticeSettings) -> Vec<(Overlay, Vec<Line>)> {
    let mut lines = vec![];
    for item in &status.items {
        let Item::Text { slot, text, tone } = item else { continue };
        let name = match slot {
            Slot::Pace => "pace",
            Slot::Count => "hits",
            Slot::Taps => "taps needed",
            Slot::Score | Slot::Notice => continue,
        };
        lines.push((name, text.clone(), colour(*tone)));
    }
    if status.tries > 1 {
        lines.push(("attempt", status.tries.to_string(), WHITE));
    }
    let mut overlays = vec![(Overlay::Panel, lines)];
    let figures = &status.figures;
    let known =
        |rate: Option<f64>, unit: &str| rate.map_or_else(|| "–".into(), |rate| format!("{rate:.0}{unit}"));
    if settings.taps {
        let taps = status.taps.as_ref().map(|taps| {
            let side = if taps.side < 0 { "left" } else { "right" };
            format!("{:.1} Hz {side} ×{}", taps.hertz, taps.intervals.len() + 1)
        });
        overlays.push((Overlay::Taps, vec![("taps", taps.unwrap_or_else(|| "–".into()), WHITE)]));
    }
    if settings.das {
        let charge = status.charge.map(|(das, why)| {
            let colour = if das < DAS_OK { BAD } else { WHITE };
            (format!("{das}, {}", why.text()), colour)
        });
        let (text, colour) = charge.unwrap_or_else(|| ("–".into(), WHITE));
        overlays.push((Overlay::Das, vec![("charge", text, colour)]));
    }
    if settings.figures {
        let lines = vec![
            ("TRT", known(figures.tetris_rate, " %"), WHITE),
            ("EFF", known(figures.efficiency, ""), WHITE),
            ("burns", format!("{} ({} since the last tetris)", figures.burns, figures.burn), WHITE),
            ("DAS losses", figures.das_losses.to_string(), WHITE),
        ];
        overlays.push((Overlay::Figures, lines));
    }
    if settings.stack {
        let drought = if figures.drought >= practice::DROUGHT { BAD } else { WHITE };
        let lines = vec![
            ("drought", figures.drought.to_string(), drought),
            ("height", status.height.to_string(), WHITE),
        ];
        overlays.push((Overlay::Stack, lines));
    }
    overlays
}

/// Draws the overlays, each of which the mouse can move. Those that were not moved stand below each
/// other, from the panel's place on. Their places are kept in the settings.
pub(crate) fn panel(
    context: &Context,
    screen: Rect,
    status: &PracticeStatus,
    settings: &mut PracticeSettings,
) {
    let unit = (screen.width() / 640.0).min(screen.height() / 480.0).max(0.5);
    let mut free = corner(screen, settings.place);
    for (overlay, lines) in overlays(status, settings) {
        let own = settings.place_of(overlay).map(|place| corner(screen, place));
        let area = movable(context, screen, overlay, own.unwrap_or(free), settings, |ui| {
            Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(6.0 * unit).show(ui, |ui| {
                content(ui, unit, overlay, &lines, status);
            });
        });
        if own.is_none() || overlay == Overlay::Panel {
            free = area.left_bottom() + Vec2::new(0.0, unit);
        }
    }
}

/// Fills an overlay with its title, if it has one, its lines, and the bar.
fn content(ui: &mut egui::Ui, unit: f32, overlay: Overlay, lines: &[Line], status: &PracticeStatus) {
    let font = |size: f32| FontId::proportional(size * unit);
    ui.spacing_mut().item_spacing = Vec2::new(8.0, 2.0) * unit;
    ui.style_mut().interaction.selectable_labels = false;
    ui.set_min_width(WIDTH * unit);
    if overlay == Overlay::Panel {
        let title = match status.replay {
            Some((frame, frames)) => format!("▶ {} {frame} of {frames}", status.mode),
            None => status.mode.to_string(),
        };
        ui.label(RichText::new(title).font(font(13.0)).color(ACCENT));
    }
    egui::Grid::new(overlay.as_ref()).num_columns(2).min_col_width(NAMES * unit).show(ui, |ui| {
        for (name, text, colour) in lines {
            ui.label(RichText::new(*name).font(font(12.0)).color(DIM));
            ui.label(RichText::new(text).font(font(12.0)).color(*colour));
            ui.end_row();
        }
    });
    if overlay == Overlay::Das {
        das(ui, unit, status.das);
    }
}

/// Returns the point of the screen at `place`, in thousandths of its width and height.
pub(crate) fn corner(screen: Rect, place: [u16; 2]) -> Pos2 {
    let [left, top] = place.map(|thousandths| f32::from(thousandths.min(1000)) / 1000.0);
    screen.min + Vec2::new(left, top) * screen.size()
}

/// Shows an overlay with its top left corner at `at`. Dragged, it takes its own place in the
/// settings; a double click puts it back. Returns where it is.
pub(crate) fn movable(
    context: &Context,
    screen: Rect,
    overlay: Overlay,
    at: Pos2,
    settings: &mut PracticeSettings,
    add: impl FnOnce(&mut egui::Ui),
) -> Rect {
    let shown = egui::Area::new(Id::new(("overlay", overlay)))
        .order(egui::Order::Middle)
        .current_pos(at)
        .constrain_to(screen)
        .sense(Sense::click_and_drag())
        .show(context, add);
    let response = shown.response;
    if response.double_clicked() {
        settings.put(overlay, None);
    } else if response.drag_delta() != Vec2::ZERO && screen.width() >= 1.0 && screen.height() >= 1.0 {
        let moved = (at + response.drag_delta() - screen.min) / screen.size();
        let place = [moved.x, moved.y].map(|share| (1000.0 * share.clamp(0.0, 0.95)).round() as u16);
        settings.put(overlay, Some(place));
    }
    response.rect
}

/// The counter of the auto shift as a bar of 16.
fn das(ui: &mut egui::Ui, unit: f32, das: u8) {
    let size = Vec2::new(8.0 * f32::from(DAS_FULL), 10.0) * unit;
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(area, 2.0, Color32::from_gray(40));
    let colour = match das {
        15.. => GOOD,
        DAS_OK.. => ACCENT,
        _ => BAD,
    };
    let filled = area.width() * f32::from(das.min(DAS_FULL)) / f32::from(DAS_FULL);
    painter.rect_filled(Rect::from_min_size(area.min, Vec2::new(filled, area.height())), 2.0, colour);
    let text = format!("DAS {das}");
    let letters = if das > DAS_FULL / 2 { Color32::BLACK } else { WHITE };
    painter.text(area.center(), Align2::CENTER_CENTER, text, FontId::proportional(9.0 * unit), letters);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use practice::{Options, Statistics};

    use super::*;

    fn status() -> PracticeStatus {
        let text = |slot, text: &str| Item::Text { slot, text: text.into(), tone: Tone::Bad };
        PracticeStatus {
            mode: "pace=10".parse().unwrap(),
            options: Options::default(),
            items: vec![text(Slot::Pace, "-1200"), text(Slot::Notice, "CRASH")],
            figures: Arc::new(Statistics { drought: 14, burns: 3, ..Statistics::default() }),
            level: 18,
            height: 7,
            das: 12,
            charge: Some((0, practice::Charge::Tap)),
            taps: None,
            marks: 1,
            tries: 3,
            replay: None,
        }
    }

    #[test]
    fn the_panel_has_what_the_player_wants_and_no_more() {
        let lines = |settings: &PracticeSettings| -> Vec<Line> {
            overlays(&status(), settings).into_iter().flat_map(|(_, lines)| lines).collect()
        };
        let all = lines(&PracticeSettings::default());
        let names: Vec<&str> = all.iter().map(|line| line.0).collect();
        assert_eq!(
            names,
            ["pace", "attempt", "taps", "charge", "TRT", "EFF", "burns", "DAS losses", "drought", "height"]
        );
        assert_eq!(all[0].1, "-1200");
        assert_eq!(all[1].1, "3");
        assert_eq!((all[3].1.as_str(), all[3].2), ("0, emptied by a tap", BAD));
        assert_eq!((all[8].1.as_str(), all[8].2), ("14", BAD));
        let few = PracticeSettings {
            das: false,
            taps: false,
            figures: false,
            stack: false,
            ..PracticeSettings::default()
        };
        assert_eq!(lines(&few).len(), 2);
    }

    /// A screen of which the mouse does something in each frame.
    struct Screen {
        context: Context,
        settings: PracticeSettings,
        places: Vec<(Overlay, Rect)>,
    }

    const SCREEN: Rect = Rect { min: Pos2::ZERO, max: Pos2::new(1280.0, 960.0) };

    impl Screen {
        fn frame(&mut self, events: Vec<egui::Event>, time: f64) {
            let input =
                egui::RawInput { screen_rect: Some(SCREEN), events, time: Some(time), ..Default::default() };
            let (settings, status) = (&mut self.settings, status());
            let _ = self.context.run(input, |context| panel(context, SCREEN, &status, settings));
            self.places = overlays(&status, &self.settings)
                .iter()
                .filter_map(|&(overlay, _)| {
                    let area = self.context.memory(|memory| memory.area_rect(Id::new(("overlay", overlay))));
                    Some((overlay, area?))
                })
                .collect();
        }

        fn place(&self, overlay: Overlay) -> Rect {
            self.places.iter().find(|place| place.0 == overlay).unwrap().1
        }

        fn button(at: Pos2, pressed: bool) -> egui::Event {
            let button = egui::PointerButton::Primary;
            egui::Event::PointerButton { pos: at, button, pressed, modifiers: egui::Modifiers::NONE }
        }
    }

    #[test]
    fn each_overlay_is_moved_by_the_mouse_alone_and_a_double_click_puts_it_back() {
        let mut screen =
            Screen { context: Context::default(), settings: PracticeSettings::default(), places: vec![] };
        let mut time = 0.0;
        let mut frame = |screen: &mut Screen, events| {
            time += 0.05;
            screen.frame(events, time);
        };
        (0..3).for_each(|_| frame(&mut screen, vec![]));
        let before = screen.places.clone();
        assert_eq!(before.len(), 5);
        for pair in before.windows(2) {
            assert!(pair[0].1.bottom() <= pair[1].1.top(), "{pair:?}");
            assert!((pair[0].1.left() - pair[1].1.left()).abs() < 1.0);
        }
        let from = screen.place(Overlay::Figures).center();
        let to = from + Vec2::new(600.0, 300.0);
        frame(&mut screen, vec![egui::Event::PointerMoved(from)]);
        frame(&mut screen, vec![Screen::button(from, true)]);
        (1..=10).for_each(|step| {
            let at = from + (to - from) * step as f32 / 10.0;
            frame(&mut screen, vec![egui::Event::PointerMoved(at)]);
        });
        frame(&mut screen, vec![Screen::button(to, false)]);
        (0..3).for_each(|_| frame(&mut screen, vec![]));
        let moved = screen.place(Overlay::Figures);
        assert!(moved.center().distance(to) < 4.0, "{moved:?} {to:?}");
        assert_eq!(screen.place(Overlay::Das), before[2].1, "what stands above stays");
        let stack = screen.place(Overlay::Stack);
        assert!((stack.top() - before[3].1.top()).abs() < 1.0, "what stood below moves up: {stack:?}");
        let names: Vec<&str> =
            screen.settings.moved.iter().filter_map(|word| word.split('=').next()).collect();
        assert_eq!(names, ["figures"]);
        for pressed in [true, false, true, false] {
            frame(&mut screen, vec![Screen::button(to, pressed)]);
        }
        (0..3).for_each(|_| frame(&mut screen, vec![]));
        assert_eq!(screen.places, before);
        assert_eq!(screen.settings, PracticeSettings::default());
    }
}
