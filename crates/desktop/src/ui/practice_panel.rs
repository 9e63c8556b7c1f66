//! What practice shows over the picture: the panel with its figures, and the texts of the mode.

use egui::{Align2, Color32, Context, FontId, Frame, Id, Pos2, Rect, RichText, Sense, Vec2};
use practice::{Item, Slot, Tone};

use crate::config::settings::PracticeSettings;
use crate::messages::status::PracticeStatus;

const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 243);
const WHITE: Color32 = Color32::from_rgb(0xF4, 0xF4, 0xF4);
const DIM: Color32 = Color32::from_rgb(0xA0, 0xA8, 0xB8);
const GOOD: Color32 = Color32::from_rgb(0x7C, 0xD9, 0x92);
const BAD: Color32 = Color32::from_rgb(0xFF, 0x7A, 0x6B);
const ACCENT: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);

/// The counter of the auto shift at which it shifts, and from which it is ok.
const DAS_FULL: u8 = 16;
const DAS_OK: u8 = 10;

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
    fn at(&self, pixel: Pos2) -> Pos2 {
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

/// The texts of the mode that belong to a place in the picture: the score that the game cannot show,
/// and how the game ended.
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

/// Returns the panel's lines: what, and how it stands.
fn lines(status: &PracticeStatus, settings: &PracticeSettings) -> Vec<(&'static str, String, Color32)> {
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
    let figures = &status.figures;
    let known =
        |rate: Option<f64>, unit: &str| rate.map_or_else(|| "–".into(), |rate| format!("{rate:.0}{unit}"));
    if settings.taps {
        let taps = status.taps.as_ref().map(|taps| {
            let side = if taps.side < 0 { "left" } else { "right" };
            format!("{:.1} Hz {side} ×{}", taps.hertz, taps.intervals.len() + 1)
        });
        lines.push(("taps", taps.unwrap_or_else(|| "–".into()), WHITE));
    }
    if settings.das {
        let charge = status.charge.map(|(das, why)| {
            let colour = if das < DAS_OK { BAD } else { WHITE };
            (format!("{das}, {}", why.text()), colour)
        });
        let (text, colour) = charge.unwrap_or_else(|| ("–".into(), WHITE));
        lines.push(("charge", text, colour));
    }
    if settings.figures {
        lines.push(("TRT", known(figures.tetris_rate, " %"), WHITE));
        lines.push(("EFF", known(figures.efficiency, ""), WHITE));
        lines.push(("burns", format!("{} ({} since the tetris)", figures.burns, figures.burn), WHITE));
        lines.push(("DAS losses", figures.das_losses.to_string(), WHITE));
    }
    if settings.stack {
        let drought = if figures.drought >= practice::DROUGHT { BAD } else { WHITE };
        lines.push(("drought", figures.drought.to_string(), drought));
        lines.push(("height", status.height.to_string(), WHITE));
    }
    lines
}

/// The panel, which the mouse can move. Its place is kept in the settings.
pub(crate) fn panel(
    context: &Context,
    screen: Rect,
    status: &PracticeStatus,
    settings: &mut PracticeSettings,
) {
    let unit = (screen.width() / 640.0).min(screen.height() / 480.0).max(0.5);
    let share = |thousandths: u16| f32::from(thousandths.min(1000)) / 1000.0;
    let [left, top] = settings.place.map(share);
    let place = screen.min + Vec2::new(left, top) * screen.size();
    let shown = egui::Area::new(Id::new("practice"))
        .order(egui::Order::Middle)
        .current_pos(place)
        .constrain_to(screen)
        .sense(Sense::drag())
        .show(context, |ui| {
            let font = |size: f32| FontId::proportional(size * unit);
            Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(6.0 * unit).show(ui, |ui| {
                ui.spacing_mut().item_spacing = Vec2::new(8.0, 2.0) * unit;
                ui.style_mut().interaction.selectable_labels = false;
                let title = match status.replay {
                    Some((frame, frames)) => format!("▶ {} {frame} of {frames}", status.mode),
                    None => status.mode.to_string(),
                };
                ui.label(RichText::new(title).font(font(13.0)).color(ACCENT));
                egui::Grid::new("practice lines").num_columns(2).show(ui, |ui| {
                    for (name, text, colour) in lines(status, settings) {
                        ui.label(RichText::new(name).font(font(12.0)).color(DIM));
                        ui.label(RichText::new(text).font(font(12.0)).color(colour));
                        ui.end_row();
                    }
                });
                if settings.das {
                    das(ui, unit, status.das);
                }
            });
        });
    let dragged = shown.response.drag_delta();
    if dragged != Vec2::ZERO && screen.width() >= 1.0 && screen.height() >= 1.0 {
        let corner = (place + dragged - screen.min) / screen.size();
        settings.place = [corner.x, corner.y].map(|share| (1000.0 * share.clamp(0.0, 0.95)).round() as u16);
    }
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
        let all = lines(&status(), &PracticeSettings::default());
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
        assert_eq!(lines(&status(), &few).len(), 2);
    }
}
