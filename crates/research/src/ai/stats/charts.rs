//! The rows, the line through them and the full clears, as charts.

use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, Rectangle};
use plotters::series::LineSeries;
use plotters::style::{Color, RGBColor};

use super::report::{Fit, FullClears, Report};
use cli::drawing::{Drawing, Drawn, FONT, chart};

const INK: RGBColor = RGBColor(40, 80, 200);
const FITTED: RGBColor = RGBColor(210, 40, 40);

/// Percent of pieces by row.
pub(super) struct Rows<'a>(pub(super) &'a Report);

/// The line through the logarithms.
pub(super) struct LogRows<'a>(pub(super) &'a Report);

/// Spans between full clears.
pub(super) struct Clears<'a>(pub(super) &'a FullClears);

impl Drawing for Rows<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let most = self.0.rows.iter().copied().fold(1.0, f64::max);
        let mut chart =
            chart(area, "Where pieces lock, by row")?.build_cartesian_2d(-0.5..19.5, 0.0..1.05 * most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(20)
            .x_desc("row of the piece's centre (19 is the floor)")
            .y_desc("% of pieces")
            .x_label_formatter(&|row| format!("{row:.0}"))
            .label_style((FONT, 16))
            .draw()?;
        let bars = self.0.rows.iter().enumerate().map(|(row, &percent)| {
            Rectangle::new([(row as f64 - 0.4, 0.0), (row as f64 + 0.4, percent)], INK.filled())
        });
        chart.draw_series(bars)?;
        Ok(())
    }
}

impl Drawing for LogRows<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let points: Vec<(f64, f64)> = self
            .0
            .rows
            .iter()
            .enumerate()
            .filter(|&(_, &percent)| percent > 0.0)
            .map(|(row, percent)| (row as f64, percent.log10()))
            .collect();
        let lowest = points.iter().map(|point| point.1).fold(-8.0, f64::min);
        let title = match &self.0.fit {
            Some(Fit { line, until_game_over, .. }) => format!(
                "log10 % = {:.4} row {:+.4}, R² {:.5}: {:.3e} pieces",
                line.slope, line.intercept, line.r_squared, until_game_over.pieces
            ),
            None => "too few rows for a line".to_owned(),
        };
        let mut chart = chart(area, &title)?.build_cartesian_2d(-0.5..19.5, lowest - 0.5..2.5)?;
        chart
            .configure_mesh()
            .x_labels(20)
            .x_desc("row of the piece's centre (19 is the floor)")
            .y_desc("% of pieces, log10")
            .x_label_formatter(&|row| format!("{row:.0}"))
            .label_style((FONT, 16))
            .draw()?;
        if let Some(Fit { line, rows, .. }) = &self.0.fit {
            let last = rows.last().copied().unwrap_or_default() as f64;
            let ends = [0.0, last].map(|row| (row, line.intercept + line.slope * row));
            chart.draw_series(LineSeries::new(ends, FITTED.stroke_width(2)))?;
        }
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, INK.filled())))?;
        Ok(())
    }
}

impl Drawing for Clears<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let histogram = &self.0.histogram;
        let width = histogram.get(1).map_or(5, |bin| bin.0.saturating_sub(5)).max(5) as f64;
        let percent = |count: u64| 100.0 * count as f64 / self.0.spans.max(1) as f64 / (width / 5.0);
        // Five means: 99.3 % of an exponential distribution.
        let last = (5.0 * self.0.mean).max(10.0);
        let most = histogram.iter().map(|&(_, count)| percent(count)).fold(1e-6, f64::max);
        let title = format!("Pieces between full clears: mean {:.0} of {}", self.0.mean, self.0.spans);
        let mut chart = chart(area, &title)?.build_cartesian_2d(0.0..last, 0.0..1.1 * most)?;
        chart
            .configure_mesh()
            .x_desc("pieces from one full clear to the next")
            .y_desc("% of full clears, by steps of 5 pieces")
            .label_style((FONT, 16))
            .draw()?;
        let bars = histogram.iter().filter(|&&(from, _)| (from as f64) < last).map(|&(from, count)| {
            let (left, right) = (from as f64 - 2.5, from as f64 - 2.5 + width);
            Rectangle::new([(left, 0.0), (right.min(last), percent(count))], INK.mix(0.6).filled())
        });
        chart.draw_series(bars)?;
        if let Some(line) = self.0.fit {
            let curve = (0..=200).map(|at| {
                let spawns = last * f64::from(at) / 200.0;
                (spawns, 10f64.powf(line.intercept + line.slope * spawns))
            });
            chart.draw_series(LineSeries::new(curve, FITTED.stroke_width(2)))?;
        }
        Ok(())
    }
}
