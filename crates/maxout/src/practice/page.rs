//! Pieces of a page without anything outside of it: charts, heat maps, tables.

use std::fmt::{Display, Write as _};

use html_escape::encode_double_quoted_attribute as escaped;

/// A page that grows.
pub(super) struct Page(String);

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 160.0;
/// Room above and below a line.
const MARGIN: f64 = 16.0;

impl Page {
    pub(super) fn new(title: &str, summary: &str) -> Self {
        Self(format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n<style>body{{font:15px \
             sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}}svg{{background:#f6f6f6;width:100%}}\
             .maps{{display:flex;flex-wrap:wrap;gap:1em}}.maps svg{{width:9em}}td,th{{padding:.2em \
             .6em;text-align:right}}code{{font-size:11px}}</style>\n<h1>{0}</h1>\n<pre>{1}</pre>\n",
            escaped(title),
            escaped(summary)
        ))
    }

    /// A line of HTML.
    pub(super) fn line(&mut self, html: impl Display) {
        let _ = writeln!(self.0, "{html}");
    }

    /// Values as a line: a point each, with what it is called. Nothing is drawn where there is no
    /// value.
    pub(super) fn chart(&mut self, title: &str, values: &[(String, Option<f64>)]) {
        self.chart_beside(title, values, &[]);
    }

    /// The same with some points apart from the line, by their numbers: hollow and grey.
    pub(super) fn chart_beside(&mut self, title: &str, values: &[(String, Option<f64>)], apart: &[usize]) {
        let known = || values.iter().filter_map(|(_, value)| value.filter(|value| value.is_finite()));
        let (least, most) = known()
            .fold((0.0, f64::MIN), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
        self.line(format_args!("<h2>{}</h2>", escaped(title)));
        if known().count() < 2 || most <= least {
            return self.line("<p>nothing to show</p>");
        }
        let place = |number: usize, value: f64| {
            let x = (number as f64 + 0.5) / values.len() as f64 * WIDTH;
            (x, HEIGHT - MARGIN - (value - least) / (most - least) * (HEIGHT - 2.0 * MARGIN))
        };
        let points = || {
            let values = values.iter().enumerate();
            values.filter_map(|(number, (name, value))| {
                let value = value.filter(|value| value.is_finite())?;
                Some((name, value, place(number, value), apart.contains(&number)))
            })
        };
        let _ = write!(
            self.0,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\"><polyline fill=\"none\" stroke=\"#05a\" points=\""
        );
        points().filter(|(.., apart)| !apart).for_each(|(_, _, (x, y), _)| {
            let _ = write!(self.0, "{x:.1},{y:.1} ");
        });
        self.0.push_str("\"/>");
        // Of very many values a point each would be a smear.
        if values.len() <= 400 {
            points().for_each(|(name, value, (x, y), apart)| {
                let paint = if apart { "fill=\"none\" stroke=\"#999\"" } else { "fill=\"#05a\"" };
                let _ = write!(
                    self.0,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" {paint}><title>{}: {value:.1}</title></circle>",
                    escaped(name)
                );
            });
        }
        let bottom = HEIGHT - 3.0;
        self.line(format_args!(
            "<text x=\"4\" y=\"12\" font-size=\"12\">{most:.1}</text><text x=\"4\" y=\"{bottom}\" font-size=\"12\">{least:.1}</text></svg>"
        ));
    }

    /// How often something was in each cell.
    pub(super) fn heat<const WIDE: usize, const HIGH: usize>(
        &mut self,
        title: &str,
        cells: &[[u32; WIDE]; HIGH],
    ) {
        let most = cells.iter().flatten().copied().max().unwrap_or(0).max(1);
        let (wide, high) = (10 * WIDE + 10, 10 * HIGH + 10);
        let _ = write!(self.0, "<div><h3>{}</h3><svg viewBox=\"0 0 {wide} {high}\">", escaped(title));
        for (y, row) in cells.iter().enumerate() {
            for (x, &count) in row.iter().enumerate() {
                let shade = 255 - u64::from(count) * 215 / u64::from(most);
                let _ = write!(
                    self.0,
                    "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"rgb({shade},{shade},255)\"><title>{count}</title></rect>",
                    10 * x + 5,
                    10 * y + 5
                );
            }
        }
        self.line("</svg></div>");
    }

    /// A table, whose cells are texts.
    pub(super) fn table(&mut self, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
        let head: String = head.iter().flat_map(|name| ["<th>", name]).collect();
        self.line(format_args!("<table><tr>{head}"));
        for row in rows {
            let row: String = row.iter().flat_map(|cell| ["<td>".into(), escaped(cell)]).collect();
            self.line(format_args!("<tr>{row}"));
        }
        self.line("</table>");
    }

    pub(super) fn finish(mut self) -> String {
        self.line("</html>");
        self.0
    }
}

/// Values that have no names but their numbers.
pub(super) fn numbered(values: impl IntoIterator<Item = f64>) -> Vec<(String, Option<f64>)> {
    values.into_iter().enumerate().map(|(number, value)| ((number + 1).to_string(), Some(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_a_point_for_each_value_that_is_known() {
        let mut page = Page::new("a < b", "");
        let values = [("one", Some(1.0)), ("none", None), ("odd", Some(f64::NAN)), ("two", Some(-3.0))];
        page.chart("it", &values.map(|(name, value)| (name.to_owned(), value)));
        page.chart("nothing", &numbered([1.0]));
        page.chart_beside("apart", &numbered([1.0, 2.0, 3.0]), &[1]);
        page.heat("cells", &[[0, 3], [1, 2]]);
        page.table(&["name"], [vec!["<b>".to_owned()]].into_iter());
        let html = page.finish();
        assert!(html.contains("<title>a &lt; b</title>") && html.contains("<td>&lt;b&gt;"));
        assert_eq!((html.matches("<circle").count(), html.matches("<rect").count()), (5, 4));
        // The line goes past the point that stands apart.
        assert_eq!(html.matches("fill=\"none\" stroke=\"#999\"").count(), 1);
        let line = html.rsplit("points=\"").next().unwrap().split('"').next().unwrap();
        assert_eq!(line.split_whitespace().count(), 2, "{line}");
        assert!(html.contains("one: 1.0") && html.contains(">-3.0<") && html.contains("nothing to show"));
    }
}
