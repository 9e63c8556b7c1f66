//! Numbers in columns.

use std::fmt::Write;

use randomizers::Estimate;

/// Rows of cells, the first cell of each to the left, the others to the right.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines, each with its end.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let widths: Vec<usize> = (0..columns)
            .map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // Writing to a string does not fail.
                let _ = if column == 0 {
                    write!(line, "{cell:<width$}")
                } else {
                    write!(line, "  {cell:>width$}")
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.3}", 100.0 * share)
}

/// A share that may be small, in percent.
pub(crate) fn rare(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.001 { format!("{percent:.1e}") } else { format!("{percent:.3}") }
}

/// An interval, each end by `number`.
pub(crate) fn interval(estimate: Estimate, number: impl Fn(f64) -> String) -> String {
    format!("{} – {}", number(estimate.low), number(estimate.high))
}
