//! The trainers: charts of the game that is on above their lines.

use egui::{Pos2, Rect, Vec2};
use practice::{TapRow, TapTable, Trainer};
use tetris::Piece;

use super::{Desk, Shown, list};
use crate::messages::status::GameStatus;
use crate::ui::canvas::Canvas;
use crate::ui::games;
use crate::ui::page::Page;
use crate::ui::rail::{burst_columns, finesse_columns};
use crate::ui::theme::{GAP, MARGIN, Type};

const CHART: f32 = 138.0;

/// Cells of taps: their height, and how many levels are shown.
const CELL: f32 = 20.0;
const LEVELS: usize = 4;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let left = body.left() + MARGIN;
    let inside = Rect::from_min_max(
        Pos2::new(left, body.top() + 4.0),
        Pos2::new(body.right() - MARGIN, body.bottom()),
    );
    let mut top = inside.top();
    if let Some(game) = &shown.status.game
        && body.height() > 420.0
    {
        let half = (inside.width() - 2.0 * GAP) / 2.0;
        let one = Rect::from_min_size(inside.min, Vec2::new(half, CHART));
        let two = one.translate(Vec2::new(half + 2.0 * GAP, 0.0));
        match shown.page {
            Page::Taps => {
                bursts(canvas, one, &game.trainer);
                delays(canvas, two, &game.trainer);
            }
            Page::Das => {
                spawns(canvas, one, game);
                by_piece(canvas, two, &game.trainer);
            }
            _ => {
                too_many(canvas, one, &game.trainer);
                clean(canvas, two, &game.trainer);
            }
        }
        top = one.bottom() + GAP;
    }
    if shown.page == Page::Taps && body.height() > 560.0 {
        let table = games::taps(shown.games);
        if !table.rows().is_empty() {
            top = cells(canvas, inside.with_min_y(top), &table) + GAP;
        }
    }
    list::draw(ui, canvas, body.with_min_y(top), shown, desk);
}

/// Draws a card with its title and a note. Returns the room inside of it.
fn card(canvas: &Canvas, area: Rect, title: &str, note: &str) -> Rect {
    canvas.card(area, None);
    let canvas = &canvas.within(area);
    let inside = area.shrink(12.0);
    let height = crate::ui::rail::head(canvas, inside, title, note);
    inside.with_min_y(inside.top() + height + 2.0)
}

/// Draws columns from the left, each as high as its share, over a scale from 0 to `most`.
fn columns(canvas: &Canvas, area: Rect, columns: &[(f32, egui::Color32)], most: &str) {
    let colours = canvas.colours;
    let plot = area.with_max_x(area.right() - 40.0);
    canvas.fill(plot, 4, colours.well);
    for (share, text) in [(0.0, "0"), (1.0, most)] {
        let y = plot.bottom() - share * plot.height();
        canvas.painter.hline(plot.x_range(), y, egui::Stroke::new(1.0, colours.line));
        let at = Pos2::new(area.right(), y.clamp(plot.top() + 6.0, plot.bottom() - 6.0));
        canvas.right(at, text, Type::Label, colours.faint);
    }
    let width = plot.width() / columns.len().max(1) as f32;
    for (at, (share, colour)) in columns.iter().enumerate().filter(|(_, (share, _))| *share > 0.0) {
        let corner = Pos2::new(plot.left() + width * at as f32 + 1.0, plot.bottom() - plot.height() * share);
        let column = Rect::from_min_max(corner, Pos2::new(corner.x + (width - 2.0).max(1.0), plot.bottom()));
        canvas.fill(column, 2, *colour);
    }
}

fn bursts(canvas: &Canvas, area: Rect, trainer: &Trainer) {
    let enough = trainer.bursts.iter().filter(|burst| burst.is_enough()).count();
    let note = match trainer.bursts.len() {
        0 => "none yet".into(),
        count => format!("{enough} of the last {count} fast enough"),
    };
    let room = card(canvas, area, "Taps a second", &note);
    columns(canvas, room, &burst_columns(trainer, &canvas.colours), "30 Hz");
}

fn delays(canvas: &Canvas, area: Rect, trainer: &Trainer) {
    let note = trainer.median_delay().map_or_else(|| "none yet".into(), |frames| format!("median {frames}"));
    let room = card(canvas, area, "Frames to the first tap", &note);
    let most = trainer.delays.iter().copied().max().unwrap_or(0).max(1);
    let median = trainer.median_delay();
    let column = |(frames, &count): (usize, &u32)| {
        let colour = if Some(frames) == median { canvas.colours.accent } else { canvas.colours.info };
        (count as f32 / most as f32, colour)
    };
    let counts: Vec<_> = trainer.delays.iter().enumerate().map(column).collect();
    let (plot, names) = (room.with_max_y(room.bottom() - 14.0), room.with_max_x(room.right() - 40.0));
    columns(canvas, plot, &counts, &most.to_string());
    for frames in [0, 10, 20, 30] {
        let share = (frames as f32 + 0.5) / Trainer::DELAYS as f32;
        let at = Pos2::new(names.left() + share * names.width(), room.bottom() - 6.0);
        canvas.centred(at, &frames.to_string(), Type::Key, canvas.colours.faint);
    }
}

fn spawns(canvas: &Canvas, area: Rect, game: &GameStatus) {
    let colours = canvas.colours;
    let charged = game.das_at_spawns.iter().filter(|das| **das >= practice::CHARGED).count();
    let note = match game.das_at_spawns.len() {
        0 => "none yet".into(),
        count => format!("{charged} of the last {count} charged"),
    };
    let room = card(canvas, area, "Counter at spawn", &note);
    let column = |&das: &u8| {
        let colour = match das {
            15.. => colours.best,
            practice::CHARGED.. => colours.slip,
            _ => colours.blunder,
        };
        (f32::from(das.max(1)) / 16.0, colour)
    };
    let mut shares: Vec<_> = game.das_at_spawns.iter().map(column).collect();
    shares.resize(crate::messages::status::SPAWNS, (0.0, colours.well));
    columns(canvas, room, &shares, "16");
}

fn by_piece(canvas: &Canvas, area: Rect, trainer: &Trainer) {
    let colours = canvas.colours;
    let room = card(canvas, area, "Mean counter by piece", "at the spawn");
    let means = trainer.charges.by_piece;
    let shares = means.map(|mean| (mean.map_or(0.0, |mean| (mean / 16.0) as f32), colours.info));
    columns(canvas, room.with_max_y(room.bottom() - 16.0), &shares, "16");
    let width = (room.width() - 40.0) / 7.0;
    for (at, piece) in (0..).zip(Piece::ALL) {
        let x = room.left() + width * (at as f32 + 0.5);
        canvas.piece(Pos2::new(x, room.bottom() - 6.0), piece, 4.0, colours.soft);
    }
}

fn too_many(canvas: &Canvas, area: Rect, trainer: &Trainer) {
    let note = if trainer.too_many.is_empty() { "none yet" } else { "last placements" };
    let room = card(canvas, area, "Extra shifts and rotations", note);
    columns(canvas, room, &finesse_columns(trainer, &canvas.colours), "6");
}

fn clean(canvas: &Canvas, area: Rect, trainer: &Trainer) {
    let colours = canvas.colours;
    let room = card(canvas, area, "Without extra presses", "this game");
    let rate = trainer.finesse.rate();
    let figure = rate.map_or_else(|| "–".into(), |rate| format!("{rate:.0} %"));
    canvas.left(room.left_center() - Vec2::new(0.0, 12.0), &figure, Type::Figure, colours.text);
    let bar = Rect::from_min_max(room.left_bottom() - Vec2::new(0.0, 12.0), room.right_bottom());
    canvas.bar(bar, rate.map_or(0.0, |rate| (rate / 100.0) as f32), colours.best);
}

/// Draws the taps of kept games as cells, level by column: what was made, in the colour of whether
/// it was enough. Returns where they end.
fn cells(canvas: &Canvas, area: Rect, table: &TapTable) -> f32 {
    let colours = canvas.colours;
    let mut levels: Vec<u8> = table.rows().iter().map(|row| row.level).collect();
    levels.dedup();
    // The fast ones are those to train for.
    let levels = &levels[levels.len().saturating_sub(LEVELS)..];
    let height = 24.0 + 24.0 + CELL * (levels.len() + 1) as f32;
    let place = area.with_max_y(area.top() + height);
    let room =
        card(canvas, place, "Kept games: taps a second by level and column", "green: enough, red: too slow");
    let left = room.left() + 64.0;
    let width = (room.right() - left) / 10.0;
    let cell = |line: usize, column: usize| {
        let corner = Pos2::new(left + width * column as f32, room.top() + CELL * line as f32);
        Rect::from_min_size(corner, Vec2::new(width, CELL))
    };
    for column in 0..10 {
        let name = (column + 1).to_string();
        canvas.centred(cell(0, column).center(), &name, Type::Label, colours.faint);
    }
    for (line, &level) in (1..).zip(levels) {
        let at = Pos2::new(room.left(), cell(line, 0).center().y);
        canvas.left(at, &format!("Level {level}"), Type::Label, colours.soft);
        for column in 0..10 {
            let row = table.rows().iter().find(|row| (row.level, usize::from(row.column)) == (level, column));
            let place = cell(line, column).shrink(1.0);
            canvas.fill(place, 3, colours.well);
            if let Some(row) = row {
                let text = format!("{:.0}", row.made());
                canvas.centred(place.center(), &text, Type::StrongLabel, colour_of(canvas, row));
            }
        }
    }
    place.bottom()
}

/// Returns the colour of what was made beside what was needed: always enough, mostly, or not.
fn colour_of(canvas: &Canvas, row: &TapRow) -> egui::Color32 {
    let colours = &canvas.colours;
    if row.made_least() >= row.needed_most() {
        colours.best
    } else if row.made() >= row.needed() {
        colours.slip
    } else {
        colours.blunder
    }
}
