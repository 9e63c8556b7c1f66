//! A review as one page of HTML, with nothing outside of it: it is read in the light and in the
//! dark, on paper and on a phone.

use std::fmt::Write as _;

use html_escape::encode_double_quoted_attribute as escaped;
use tetris::{HEIGHT, Playfield, WIDTH};

use crate::reviewer::Choice;
use crate::summary::{Group, scores};
use crate::{Class, Kind, Reviewed, Summary};

/// Placements that are shown at most.
const SHOWN: usize = 60;
/// Size of the graph.
const WIDE: f64 = 900.0;
const HIGH: f64 = 220.0;
/// The least distance of two levels on it.
const APART: f64 = 24.0;
/// Points between two lines of the graph.
const STEPS: [f64; 7] = [10_000.0, 50_000.0, 100_000.0, 200_000.0, 500_000.0, 1_000_000.0, 2_000_000.0];

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2230;--dim:#667;--ground:#fff;--panel:#f2f4f8;--cell:#9aa4b8;--line:#2458c5;\
--bad:#c62828;--good:#2e7d32;--grid:#dde2ec}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f0;--dim:#9aa3b5;--ground:#12151c;--panel:#1b202b;--cell:#5b6579;\
--line:#7aa7ff;--bad:#ff7a70;--good:#6fcf7f;--grid:#2a3140}}\
body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:60rem;margin:2rem auto;\
padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse}\
td,th{padding:.2rem .8rem .2rem 0;text-align:right}td:first-child,th:first-child{text-align:left}\
th{color:var(--dim);font-weight:500}.graph{width:100%;background:var(--panel);border-radius:6px}\
.tables{display:flex;flex-wrap:wrap;align-items:flex-start;gap:1.5rem 2.5rem}.turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(21rem,1fr));\
gap:1rem}.turn{background:var(--panel);border-radius:6px;padding:.8rem 1rem;break-inside:avoid}\
.boards{display:flex;gap:1rem}.boards svg{width:9rem}.boards figure{margin:0}figcaption{font-size:.85rem;color:var(--dim)}\
.blunder,.mistake,.played{color:var(--bad)}.better{color:var(--good)}.dim{color:var(--dim)}.turn p{margin:.2rem 0}.link{font:11px monospace;overflow-wrap:anywhere}";

/// The page of a game, whose figures `facts` has, a line each.
pub fn page(title: &str, facts: &[String], reviews: &[Reviewed]) -> String {
    let summary = Summary::of(reviews);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Review: {0}</title>\n<style>{STYLE}</style>\n<h1>{0}</h1>\n<p>Accuracy <b>{1:.1} %</b>, \
         {2:.0} points lost with {3} placements, {4:.0} each.</p>\n<p class=\"dim\">{5}</p>\n",
        escaped(title),
        summary.accuracy,
        summary.loss,
        summary.placements,
        summary.mean_loss,
        facts.iter().map(escaped).collect::<Vec<_>>().join(" · ")
    );
    html += "<h2>Expected final score</h2>\n";
    html += &graph(reviews);
    html += "<p class=\"dim\">Score so far and the points that the best placements are expected to add. A dashed line: \
             a new level. A green mark: a tetris. A dim mark: another clear. A red dot: a mistake or a blunder.</p>\n";
    html += "<div class=\"tables\">";
    for (name, groups) in [
        ("Class", &summary.classes),
        ("Kind of mistake", &summary.kinds),
        ("Piece", &summary.pieces),
        ("Level", &summary.levels),
    ] {
        html += &table(name, groups);
    }
    html += "</div>\n";
    let mut worst: Vec<&Reviewed> = reviews.iter().filter(|review| review.class.is_worth_a_look()).collect();
    worst.sort_by(|one, other| other.loss.total_cmp(&one.loss).then(one.number.cmp(&other.number)));
    let left_out = worst.len().saturating_sub(SHOWN);
    worst.truncate(SHOWN);
    worst.sort_by_key(|review| review.number);
    html += "<h2>Placements to look at</h2>\n<p class=\"dim\"><span class=\"played\">×</span> the placement that was \
             made, <span class=\"better\">1</span> the best one, dashed where the next piece goes best after it.</p>\n";
    if left_out > 0 {
        let _ = writeln!(html, "<p class=\"dim\">The {SHOWN} that lost most; {left_out} more lost less.</p>");
    }
    html += "<div class=\"turns\">\n";
    for review in worst {
        html += &turn(review);
    }
    html += "</div>\n</html>\n";
    html
}

fn table(name: &str, groups: &[Group]) -> String {
    let mut html = format!("<table><tr><th>{name}<th>placements<th>lost<th>each");
    for Group { name, placements, loss, mean_loss } in groups.iter().filter(|group| group.placements > 0) {
        let name = name.replace('_', " ");
        let _ = write!(html, "<tr><td>{name}<td>{placements}<td>{loss:.0}<td>{mean_loss:.0}");
    }
    html + "</table>"
}

/// The expected final score over the game, with levels, clears and mistakes.
fn graph(reviews: &[Reviewed]) -> String {
    let values: Vec<f64> = scores(reviews)
        .iter()
        .zip(reviews)
        .map(|(score, review)| score + f64::from(review.expected))
        .collect();
    let most = values.iter().copied().fold(1.0, f64::max) * 1.05;
    let x = |number: usize| (number as f64 + 0.5) / reviews.len().max(1) as f64 * WIDE;
    let y = |value: f64| HIGH - value / most * HIGH;
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDE} {HIGH}\" role=\"img\" aria-label=\"Expected final score\">"
    );
    // Round numbers, at most five of them.
    let step = STEPS.into_iter().find(|step| most / step <= 5.0).unwrap_or(most);
    let lines = std::iter::successors(Some(step), |at| Some(at + step)).take_while(|&at| at < most).take(9);
    for at in lines {
        let _ = write!(
            svg,
            "<path d=\"M0 {0:.1}H{WIDE}\" stroke=\"var(--grid)\"/><text x=\"4\" y=\"{1:.1}\" font-size=\"11\" fill=\"var(--dim)\">{2}k</text>",
            y(at),
            // Above its line, below one at the top.
            if y(at) < 14.0 { y(at) + 12.0 } else { y(at) - 3.0 },
            at / 1_000.0
        );
    }
    let mut last = f64::NEG_INFINITY;
    for (number, pair) in reviews.windows(2).enumerate() {
        let at = x(number + 1);
        // Of very many levels some.
        if pair[0].level != pair[1].level && at - last >= APART {
            last = at;
            let _ = write!(
                svg,
                "<path d=\"M{at:.1} 0V{HIGH}\" stroke=\"var(--dim)\" stroke-dasharray=\"3 4\"/><text x=\"{0:.1}\" y=\"12\" font-size=\"11\" fill=\"var(--dim)\">{1}</text>",
                (at + 3.0).min(WIDE - 14.0),
                pair[1].level
            );
        }
    }
    svg += "<polyline fill=\"none\" stroke=\"var(--line)\" stroke-width=\"1.6\" points=\"";
    for (number, &value) in values.iter().enumerate() {
        let _ = write!(svg, "{:.1},{:.1} ", x(number), y(value));
    }
    svg += "\"/>";
    for (number, review) in reviews.iter().enumerate() {
        let at = x(number);
        if review.cleared > 0 {
            let (colour, top) =
                if review.cleared == 4 { ("--good", HIGH - 14.0) } else { ("--cell", HIGH - 6.0) };
            let _ = write!(
                svg,
                "<path d=\"M{at:.1} {HIGH}V{top}\" stroke=\"var({colour})\" stroke-width=\"2\"/>"
            );
        }
        if review.class >= Class::Mistake {
            let _ = write!(
                svg,
                "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"var(--bad)\"><title>piece {}: {:.0} points</title></circle>",
                y(values[number]),
                review.number,
                review.loss
            );
        }
    }
    svg + "</svg>\n"
}

fn turn(review: &Reviewed) -> String {
    let Reviewed { number, piece, next, level, lines, loss, class, kind, .. } = review;
    let next = next.map_or_else(String::new, |next| format!(", then {next}"));
    let kind = kind.map_or_else(String::new, |kind: Kind| format!(" ({})", kind.words()));
    let mut html = format!(
        "<div class=\"turn\"><p><b class=\"{class}\">{class}</b>{kind}: <b>{loss:.0}</b> points</p>\
         <p class=\"dim\">piece {number}: {piece}{next} · level {level} · {lines} lines</p><div class=\"boards\">"
    );
    for (name, sign, choice) in [("played", "×", &review.chosen), ("better", "1", &review.best)] {
        let _ = write!(
            html,
            "<figure>{}<figcaption><b class=\"{name}\">{sign} {name}</b>{}{}</figcaption></figure>",
            board(&Playfield::from_rows(&review.rows), choice, (name, sign)),
            columns(choice),
            odds(*level, choice)
        );
    }
    let _ = writeln!(html, "</div><p class=\"dim link\">{}</p></div>", review.link);
    html
}

/// The columns that a placement fills, counted from 1.
fn columns(choice: &Choice) -> String {
    format!("<br>{}", choice.place.columns_in_words())
}

/// The odds of reaching the next faster speed.
fn odds(level: u8, choice: &Choice) -> String {
    match level {
        ..19 => format!("<br>to 19: {:.1} %", 100.0 * choice.odds[0]),
        19..29 => format!("<br>to 29: {:.1} %", 100.0 * choice.odds[1]),
        29..39 => format!("<br>to 39: {:.1} %", 100.0 * choice.odds[2]),
        _ => String::new(),
    }
}

/// A board with a placement on it, by the sign and the colour that it has in the window, too, and
/// the outline of the next one.
fn board(board: &Playfield, choice: &Choice, (name, sign): (&str, &str)) -> String {
    const CELL: usize = 10;
    let mut svg = format!(
        "<svg viewBox=\"-1 -1 {} {}\"><rect width=\"{}\" height=\"{}\" fill=\"var(--ground)\" stroke=\"var(--grid)\"/>",
        WIDTH * CELL + 2,
        HEIGHT * CELL + 2,
        WIDTH * CELL,
        HEIGHT * CELL
    );
    let mut cell = |x: i32, y: i32, paint: &str| {
        if y >= 0 {
            let (x, y) = (x as usize * CELL, y as usize * CELL);
            let _ = write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"9\" height=\"9\" {paint}/>");
        }
    };
    for (x, y) in board.taken() {
        cell(x, y, "fill=\"var(--cell)\"");
    }
    let colour = if name == "played" { "--bad" } else { "--good" };
    let paint = format!("fill=\"var({colour})\" fill-opacity=\".45\" stroke=\"var({colour})\"");
    for (x, y) in choice.place.cells() {
        cell(x, y, &paint);
    }
    // Where rows vanish, the next place is not where it would be seen on this board.
    let mut after = *board;
    if after.lock(choice.place) == 0
        && let Some(then) = choice.then
    {
        for (x, y) in then.cells() {
            cell(x, y, "fill=\"none\" stroke=\"var(--line)\" stroke-dasharray=\"2 2\"");
        }
    }
    let (x, y) = choice.place.cells()[0];
    if y >= 0 {
        let middle = |at: i32| f64::from(at) * CELL as f64 + 4.5;
        let _ = write!(
            svg,
            "<circle cx=\"{0}\" cy=\"{1}\" r=\"4.2\" fill=\"var({colour})\"/><text x=\"{0}\" y=\"{2}\" font-size=\"7\" \
             text-anchor=\"middle\" fill=\"var(--ground)\">{sign}</text>",
            middle(x),
            middle(y),
            middle(y) + 2.5
        );
    }
    svg + "</svg>"
}
