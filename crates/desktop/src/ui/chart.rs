//! Charts of pages.

use egui::{Pos2, Rect, Stroke, Vec2};

use crate::ui::canvas::Canvas;
use crate::ui::theme::Type;

/// Draws scores from left to right as dots, their running mean over `mean` games as a line, and the
/// best with its name.
pub(crate) fn scores(canvas: &Canvas, area: Rect, scores: &[f64], mean: usize) {
    let colours = canvas.colours;
    let most = scores.iter().copied().fold(1.0, f64::max);
    let step = step_for(most);
    let plot = Rect::from_min_max(area.min + Vec2::new(4.0, 14.0), area.max - Vec2::new(46.0, 6.0));
    let top = (most / step).ceil() * step;
    let at = |number: usize, score: f64| {
        let share = number as f32 / scores.len().saturating_sub(1).max(1) as f32;
        Pos2::new(plot.left() + plot.width() * share, plot.bottom() - plot.height() * (score / top) as f32)
    };
    let mut line = 0.0;
    while line <= top {
        let y = at(0, line).y;
        canvas.painter.hline(plot.left() - 4.0..=plot.right() + 6.0, y, Stroke::new(1.0, colours.line));
        canvas.right(Pos2::new(area.right(), y), &short(line), Type::Label, colours.faint);
        line += step;
    }
    let means: Vec<Pos2> = (0..scores.len())
        .map(|number| {
            let from = (number + 1).saturating_sub(mean);
            let part = &scores[from..=number];
            at(number, part.iter().sum::<f64>() / part.len() as f64)
        })
        .collect();
    canvas.painter.add(egui::Shape::line(means, Stroke::new(2.0, colours.accent)));
    let best = scores.iter().position(|score| *score >= most);
    for (number, &score) in scores.iter().enumerate() {
        let (size, ink) = if Some(number) == best { (4.5, colours.best) } else { (3.5, colours.info) };
        canvas.painter.circle_filled(at(number, score), size, ink);
    }
    if let Some(number) = best {
        let place = at(number, most) - Vec2::new(0.0, 12.0);
        let words = format!("best {}", crate::ui::canvas::thousands(most as i64));
        let width = canvas.line(&words, Type::StrongLabel, colours.best, f32::INFINITY).size().x;
        let x = place
            .x
            .clamp(plot.left() + width / 2.0, (plot.right() - width / 2.0).max(plot.left() + width / 2.0));
        canvas.centred(Pos2::new(x, place.y), &words, Type::StrongLabel, colours.best);
    }
}

/// Draws ratings from left to right as a line, between round numbers.
pub(crate) fn ratings(canvas: &Canvas, area: Rect, ratings: &[f64]) {
    let colours = canvas.colours;
    let (low, high) = bounds(ratings);
    let plot = Rect::from_min_max(area.min + Vec2::new(4.0, 8.0), area.max - Vec2::new(46.0, 6.0));
    let at = |number: usize, rating: f64| {
        let across = number as f32 / ratings.len().saturating_sub(1).max(1) as f32;
        let up = ((rating - low) / (high - low)) as f32;
        Pos2::new(plot.left() + plot.width() * across, plot.bottom() - plot.height() * up)
    };
    let step = step_for(high - low);
    let mut line = low;
    while line <= high + 0.5 {
        let y = at(0, line).y;
        canvas.painter.hline(plot.left() - 4.0..=plot.right() + 6.0, y, Stroke::new(1.0, colours.line));
        canvas.right(Pos2::new(area.right(), y), &format!("{line:.0}"), Type::Label, colours.faint);
        line += step;
    }
    let points: Vec<Pos2> = ratings.iter().enumerate().map(|(number, &rating)| at(number, rating)).collect();
    if let Some(last) = points.last() {
        canvas.painter.circle_filled(*last, 4.0, colours.accent);
    }
    canvas.painter.add(egui::Shape::line(points, Stroke::new(2.0, colours.accent)));
}

/// Returns the round numbers between which ratings lie.
fn bounds(ratings: &[f64]) -> (f64, f64) {
    let (least, most) = ratings
        .iter()
        .fold((f64::MAX, f64::MIN), |(least, most), &rating| (least.min(rating), most.max(rating)));
    if least > most {
        return (1_400.0, 1_600.0);
    }
    let step = step_for((most - least).max(100.0));
    ((least / step).floor() * step, ((most / step).floor() + 1.0) * step)
}

/// Returns the distance of the lines of a chart up to `most`: 1, 2 or 5 of a power of ten, so that
/// there are three to six lines.
fn step_for(most: f64) -> f64 {
    let power = 10.0_f64.powf((most / 3.0).max(1.0).log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|factor| factor * power).find(|step| most / step >= 2.0).unwrap_or(power)
}

/// Returns a number of a few letters: 400 k, 1.0 M.
fn short(number: f64) -> String {
    match number {
        1_000_000.0.. => format!("{:.1} M", number / 1e6),
        1_000.0.. => format!("{:.0} k", number / 1e3),
        _ => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_lie_between_round_numbers() {
        assert_eq!(bounds(&[1_500.0, 1_662.3, 1_580.0]), (1_500.0, 1_700.0));
        assert_eq!(bounds(&[1_500.0, 1_500.0]), (1_500.0, 1_550.0));
        assert_eq!(bounds(&[]), (1_400.0, 1_600.0));
        for ratings in [[903.0, 2_417.0], [1_499.0, 1_501.0]] {
            let (low, high) = bounds(&ratings);
            assert!(low <= ratings[0] && ratings[1] < high, "{low} {high}");
        }
    }

    #[test]
    fn a_chart_has_a_few_round_lines() {
        for most in [1.0, 7.0, 86_400.0, 337_440.0, 1_043_180.0, 2_663_050.0] {
            let step = step_for(most);
            assert!((2.0..=10.0).contains(&(most / step)) || most < 3.0, "{most}: {step}");
        }
        assert_eq!([0.0, 400_000.0, 1_000_000.0].map(short), ["0", "400 k", "1.0 M"]);
    }
}
