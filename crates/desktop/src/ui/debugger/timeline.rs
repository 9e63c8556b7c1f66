//! The time bar: the frames that are remembered, with what stands out in them.

use egui::{Color32, Context, Pos2, Rect, Sense, Stroke, TopBottomPanel, Vec2};
use nes_debug::{MilestoneKind, Timeline};

use super::Kept;
use crate::debugger::DebugSnapshot;
use crate::ui::canvas::Canvas;
use crate::ui::theme::{self, Colours, Type};

/// The height of the marks, and of the words below them.
const MARKS: f32 = 26.0;
const WORDS: f32 = 20.0;
const SIDE: f32 = 16.0;

/// What stands out, as the legend has it.
const KINDS: [(MilestoneKind, &str); 3] =
    [(MilestoneKind::Stop, "stops"), (MilestoneKind::Lock, "locks"), (MilestoneKind::Clear, "lines")];

fn colour_of(colours: &Colours, kind: MilestoneKind) -> Color32 {
    match kind {
        MilestoneKind::Stop => colours.blunder,
        MilestoneKind::Lock => colours.info,
        MilestoneKind::Clear => colours.best,
    }
}

/// Draws the bar. A click goes to its frame, and to the nearest thing beside it; while the game
/// `running` is, there is nothing to click.
pub(super) fn bar(context: &Context, snapshot: &DebugSnapshot, kept: &mut Kept, running: bool) {
    let colours = theme::of(context);
    let frame = egui::Frame::NONE.fill(colours.rail);
    let panel = TopBottomPanel::bottom("debugger time").exact_height(MARKS + WORDS).frame(frame);
    panel.show_separator_line(false).show(context, |ui| {
        let canvas = Canvas::new(ui.painter().clone(), colours);
        let area = ui.max_rect();
        canvas.painter.hline(area.x_range(), area.top() + 0.5, Stroke::new(1.0, colours.line));
        let timeline = &snapshot.timeline;
        let track = area.shrink2(Vec2::new(SIDE, 0.0)).with_max_y(area.top() + MARKS);
        draw(&canvas, track, timeline);
        legend(&canvas, area.with_min_y(area.top() + MARKS), timeline, running);
        if running {
            return;
        }
        let response = ui.interact(track, egui::Id::new("time bar"), Sense::click());
        response.widget_info(|| {
            let label = format!("Time bar, frame {} of {}", timeline.now, timeline.newest);
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label)
        });
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
            kept.execute(format!("frame {}", frame_at(track, timeline, at.x)));
        }
    });
}

/// Returns the frame of a place on the track: that of a mark where one is near.
fn frame_at(track: Rect, timeline: &Timeline, x: f32) -> u64 {
    const NEAR: f32 = 5.0;
    let near = timeline
        .milestones
        .iter()
        .map(|milestone| (milestone.frame, (place_of(track, timeline, milestone.frame) - x).abs()))
        .filter(|(_, distance)| *distance <= NEAR)
        .min_by(|(_, one), (_, other)| one.total_cmp(other));
    if let Some((frame, _)) = near {
        return frame;
    }
    let share = f64::from(((x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0));
    let frames = timeline.newest.saturating_sub(timeline.oldest);
    timeline.oldest + (share * frames as f64).round() as u64
}

fn place_of(track: Rect, timeline: &Timeline, frame: u64) -> f32 {
    let frames = timeline.newest.saturating_sub(timeline.oldest).max(1);
    track.left() + track.width() * frame.saturating_sub(timeline.oldest) as f32 / frames as f32
}

fn draw(canvas: &Canvas, track: Rect, timeline: &Timeline) {
    let colours = canvas.colours;
    let track = track.shrink2(Vec2::new(0.0, 4.0));
    canvas.fill(track, 2, colours.well);
    // Where many things are close together, the one above tells most.
    for (kind, _) in [KINDS[1], KINDS[2], KINDS[0]] {
        for milestone in timeline.milestones.iter().filter(|milestone| milestone.kind == kind) {
            let x = place_of(track, timeline, milestone.frame);
            let colour = colour_of(&colours, kind);
            match kind {
                MilestoneKind::Stop => {
                    canvas.painter.circle_filled(Pos2::new(x, track.top() + 3.0), 3.0, colour);
                }
                MilestoneKind::Lock | MilestoneKind::Clear => {
                    let height = if kind == MilestoneKind::Lock { 10.0 } else { 14.0 };
                    let mark = Rect::from_center_size(Pos2::new(x, track.center().y), Vec2::new(3.0, height));
                    canvas.fill(mark, 1, colour);
                }
            }
        }
    }
    let x = place_of(track, timeline, timeline.now);
    canvas.painter.vline(x, track.y_range(), Stroke::new(2.0, colours.accent));
}

fn legend(canvas: &Canvas, area: Rect, timeline: &Timeline, running: bool) {
    let colours = canvas.colours;
    let y = area.center().y - 2.0;
    let seconds = timeline.newest.saturating_sub(timeline.oldest) as f64 / crate::FRAME_RATE;
    let words = if running {
        format!("{seconds:.0} s can be rewound")
    } else {
        format!("{seconds:.0} s can be rewound · click to go there")
    };
    let mut left = area.left() + SIDE;
    left = canvas.left(Pos2::new(left, y), &words, Type::Label, colours.soft).right() + 16.0;
    for (kind, name) in KINDS {
        canvas.painter.circle_filled(Pos2::new(left + 4.0, y), 4.0, colour_of(&colours, kind));
        left = canvas.left(Pos2::new(left + 14.0, y), name, Type::Label, colours.soft).right() + 16.0;
    }
    let frames = format!("frame {} of {}–{}", timeline.now, timeline.oldest, timeline.newest);
    let right = Pos2::new(area.right() - SIDE, y);
    if canvas.line(&frames, Type::Label, colours.soft, f32::INFINITY).size().x < right.x - left {
        canvas.right(right, &frames, Type::Label, colours.soft);
    }
}

#[cfg(test)]
mod tests {
    use nes_debug::Milestone;

    use super::*;

    #[test]
    fn a_place_of_the_bar_is_the_frame_of_the_mark_beside_it_or_one_between() {
        let milestone = |frame, kind| Milestone { frame, kind };
        let timeline = Timeline {
            oldest: 1_000,
            now: 2_000,
            newest: 2_000,
            milestones: vec![milestone(1_500, MilestoneKind::Lock), milestone(1_503, MilestoneKind::Clear)],
        };
        let track = Rect::from_min_size(Pos2::new(10.0, 0.0), Vec2::new(1_000.0, 20.0));
        assert_eq!(frame_at(track, &timeline, 510.4), 1_500);
        assert_eq!(frame_at(track, &timeline, 514.0), 1_503);
        assert_eq!(frame_at(track, &timeline, 700.0), 1_690);
        assert_eq!(frame_at(track, &timeline, -50.0), 1_000);
        assert_eq!(frame_at(track, &timeline, 5_000.0), 2_000);
        let alone = Timeline { oldest: 7, now: 7, newest: 7, milestones: vec![] };
        assert_eq!(frame_at(track, &alone, 300.0), 7);
    }
}
