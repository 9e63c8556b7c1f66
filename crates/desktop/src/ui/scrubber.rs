//! The slider of a kept game that plays.

use egui::{Align2, Context, Frame, Id, Rect, RichText, Sense, Slider, Vec2};

use crate::ui::theme::Type;

/// The least width of a slider that has the key beside it.
const WIDE: f32 = 360.0;

/// Returns a number of frames as minutes and seconds.
fn time(frames: u64) -> String {
    let seconds = (frames as f64 / crate::FRAME_RATE) as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Draws the slider in `area`, at `frame` of `frames`, or where it is `held` by the
/// mouse. Returns the frame to which it was moved.
pub(crate) fn slider(
    context: &Context,
    area: Rect,
    (frame, frames): (u64, u64),
    held: &mut Option<u64>,
) -> Option<u64> {
    let last = frames.saturating_sub(1);
    let mut at = held.unwrap_or(frame).min(last);
    let before = at;
    let mut moved = None;
    egui::Area::new(Id::new("kept game"))
        .order(egui::Order::Middle)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(area.center())
        .constrain_to(area)
        .show(context, |ui| {
            let font = Type::Small.font();
            Frame::new().inner_margin(2.0).show(ui, |ui| {
                ui.spacing_mut().item_spacing = Vec2::new(8.0, 2.0);
                let is_wide = area.width() >= WIDE;
                let beside = if is_wide { 260.0 } else { 150.0 };
                ui.spacing_mut().slider_width = (area.width() - beside).max(60.0);
                ui.spacing_mut().interact_size.y = 16.0;
                ui.horizontal(|ui| {
                    // Digits of one width: the slider stays where it is.
                    let end = time(last);
                    let text = format!("{:>1$} / {end}", time(at), end.len());
                    ui.label(RichText::new(text).font(Type::Code.font()));
                    let slider = Slider::new(&mut at, 0..=last.max(1)).show_value(false).smart_aim(false);
                    let slider = ui.add(slider.handle_shape(egui::style::HandleShape::Circle));
                    // egui's slider knows drags alone; a quick click begins and ends between two
                    // drawings.
                    let click = ui.interact(slider.rect, slider.id.with("click"), Sense::click());
                    if let Some(place) = click.interact_pointer_pos().filter(|_| click.clicked()) {
                        let handle = slider.rect.height() / 2.5;
                        let range = slider.rect.x_range().shrink(handle);
                        let share = (place.x - range.min) / range.span().max(1.0);
                        at = (f64::from(share.clamp(0.0, 1.0)) * last as f64).round() as u64;
                    }
                    *held = slider.is_pointer_button_down_on().then_some(at);
                    moved = (at != before).then_some(at.min(last));
                    if is_wide {
                        ui.label(RichText::new("A: play on").font(font));
                    }
                });
            });
        });
    moved
}

#[cfg(test)]
mod tests {
    use egui::{Event, PointerButton, Pos2, RawInput};

    use super::*;

    /// Draws the slider with a pointer at `at`, which presses and lets go. Returns where it was
    /// moved to.
    fn draw(context: &Context, at: Pos2, presses: &[bool], held: &mut Option<u64>) -> Option<u64> {
        let mut events = vec![Event::PointerMoved(at)];
        events.extend(presses.iter().map(|&pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        }));
        let screen = Rect::from_min_size(Pos2::ZERO, Vec2::new(640.0, 480.0));
        let input = RawInput { events, screen_rect: Some(screen), ..RawInput::default() };
        let mut moved = None;
        let _ = context
            .run(input, |context| moved = slider(context, screen.with_min_y(444.0), (600, 6_001), held));
        moved
    }

    #[test]
    fn the_slider_follows_the_mouse_for_as_long_as_it_is_held() {
        let (context, mut held) = (Context::default(), None);
        crate::ui::theme::set_fonts(&context);
        let at = |x: f32| Pos2::new(x, 462.0);
        // The first drawings find out how large everything is.
        for _ in 0..3 {
            assert_eq!(draw(&context, at(350.0), &[], &mut held), None);
        }
        let pressed = draw(&context, at(350.0), &[true], &mut held).expect("a click moves it");
        assert!((1_500..4_500).contains(&pressed), "{pressed}");
        assert_eq!(held, Some(pressed));
        let right = draw(&context, at(400.0), &[], &mut held).expect("and so does a drag");
        assert!(right > pressed && held == Some(right), "{right}");
        let end = draw(&context, at(2_000.0), &[], &mut held);
        assert_eq!(end, Some(6_000), "its last frame");
        draw(&context, at(2_000.0), &[false], &mut held);
        assert_eq!(draw(&context, at(2_000.0), &[], &mut held), None);
        assert_eq!(held, None);
        assert_eq!(time(6_000), "1:39");
    }

    #[test]
    fn a_click_that_is_over_before_the_next_drawing_moves_the_slider_to_where_a_held_one_does() {
        let (context, mut held) = (Context::default(), None);
        crate::ui::theme::set_fonts(&context);
        let at = Pos2::new(400.0, 462.0);
        for _ in 0..3 {
            draw(&context, at, &[], &mut held);
        }
        let quick = draw(&context, at, &[true, false], &mut held).expect("a click moves it");
        assert_eq!((draw(&context, at, &[], &mut held), held), (None, None));
        let slow = draw(&context, at, &[true], &mut held).expect("it is drawn at 600 again");
        assert!(quick.abs_diff(slow) <= 1, "{quick} {slow}");
    }
}
