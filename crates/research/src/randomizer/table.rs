//! Numbers in columns.

use std::fmt::Write;
use std::ops::Range;

use randomizers::Estimate;

/// The most characters of a line.
const WIDTH: usize = 100;

/// Rows of cells, the first cell of each to the left, the others to the right. What is wider than a
/// hundred characters goes on below, beside the first column once more.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    /// So many columns, counted from the last, stay together.
    together: usize,
}

impl Table {
    /// A table whose columns belong together by so many, counted from the last.
    pub(crate) fn grouped(together: usize) -> Self {
        Self { together, ..Self::default() }
    }

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
        let parts: Vec<_> = self.parts(&widths).into_iter().map(|part| self.lines(&widths, part)).collect();
        parts.join("\n")
    }

    /// The columns that stand below each other, but for the first, which each part has.
    fn parts(&self, widths: &[usize]) -> Vec<Range<usize>> {
        let wide =
            |columns: Range<usize>| widths[0] + widths[columns].iter().map(|width| 2 + width).sum::<usize>();
        let (mut parts, mut first) = (vec![], 1);
        for end in (2..=widths.len()).filter(|end| (widths.len() - end).is_multiple_of(self.together.max(1)))
        {
            if wide(first..end) > WIDTH && end > first + self.together.max(1) {
                let last = end - self.together.max(1);
                parts.push(first..last);
                first = last;
            }
        }
        parts.push(first.min(widths.len())..widths.len());
        parts
    }

    fn lines(&self, widths: &[usize], part: Range<usize>) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                // Writing to a string does not fail.
                let _ = match column {
                    0 => write!(line, "{cell:<width$}"),
                    _ if part.contains(&column) => write!(line, "  {cell:>width$}"),
                    _ => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_goes_on_below_with_its_first_column_and_its_groups_whole() {
        let mut table = Table::grouped(3);
        table.row((0..12).map(|column| format!("{column:012}")));
        let text = table.text();
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert!(lines.iter().all(|line| line.len() <= WIDTH && line.starts_with("000000000000")), "{text}");
        let ends: Vec<&str> = lines.iter().map(|line| &line[line.len() - 2..]).collect();
        assert_eq!(ends, ["05", "11"]);
    }

    #[test]
    fn a_narrow_table_stays_as_it_is() {
        let mut table = Table::default();
        table.row(["a", "b"]);
        table.row(["cc"]);
        assert_eq!(table.text(), "a   b\ncc\n");
    }
}
