//! `maxout randomizer plot`: a deal as a picture.

use std::path::PathBuf;

use clap::ValueEnum;
use plotters::backend::DrawingBackend;
use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::coord::combinators::IntoLogRange;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{BLACK, Color, RGBColor, TextStyle, WHITE};
use randomizers::{Chain, Kind, Randomizer, Summary};
use tetris::Piece;

use super::count::count;
use super::deck::Deck;
use super::register;
use super::stats::{chain, usual_pieces};
use cli::drawing::{self, Drawing, Drawn, FONT};
use cli::error::Error;
use cli::interrupt::Interrupt;

/// Draw a deal as PNG or SVG.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout randomizer plot nes --of frequency --out frequency.png
  maxout randomizer plot tgm3 --seed 7 --of droughts --out droughts.svg
  maxout randomizer plot nes --of register --out register.png     the article's picture, 128 x 256")]
pub(crate) struct Arguments {
    #[command(flatten)]
    deck: Deck,
    /// What to draw.
    #[arg(long, value_enum, default_value_t = Subject::Frequency)]
    of: Subject,
    /// Where to draw it: a name that ends in .png or .svg.
    #[arg(long, value_name = "OUT.png|OUT.svg")]
    out: PathBuf,
    /// Pieces to count, at least 1,000 [default: 1,000,000; of sega 1,000].
    #[arg(short = 'n', long = "pieces", value_name = "N")]
    pieces: Option<u64>,
    /// Pixels of the register's picture a bit, in each direction.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    scale: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// Share of each piece, with its 95 % interval.
    Frequency,
    /// Share of droughts that are at least so long.
    Droughts,
    /// Share of runs of equal pieces that are at least so long.
    Floods,
    /// Share of each piece after each.
    Followers,
    /// nes: bit 0 of the shift register through its cycle, the article's picture.
    Register,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    drawing::check_name(&arguments.out)?;
    let mut dealer = arguments.deck.dealer()?;
    let kind = dealer.kind();
    if arguments.of == Subject::Register {
        if kind != Kind::Nes {
            return Err(Error::NotItsOption { option: "--of register", owner: "nes", kind });
        }
        return register::write(&arguments.out, arguments.scale);
    }
    let title = arguments.deck.title(&dealer);
    let chain = chain(&dealer);
    let pieces = arguments.pieces.unwrap_or_else(|| usual_pieces(kind));
    let measured = count(&mut dealer, pieces, &Interrupt::listen())?;
    let plot = Plot { title: format!("{title}, {pieces} pieces"), subject: arguments.of, measured, chain };
    drawing::write(&arguments.out, &plot)
}

struct Plot {
    title: String,
    subject: Subject,
    measured: Summary,
    chain: Option<Chain>,
}

/// The colours in which players know the pieces today, in the game's order, dark enough for paper.
const COLOURS: [RGBColor; 7] = [
    RGBColor(150, 40, 170),
    RGBColor(40, 80, 200),
    RGBColor(210, 40, 40),
    RGBColor(190, 160, 0),
    RGBColor(40, 160, 60),
    RGBColor(230, 120, 0),
    RGBColor(0, 160, 190),
];

/// Longest drought and longest flood that are drawn.
const DROUGHT: usize = 100;
const FLOOD: usize = 12;

impl Drawing for Plot {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        match self.subject {
            Subject::Frequency | Subject::Register => self.frequency(area),
            Subject::Droughts => self.droughts(area),
            Subject::Floods => self.floods(area),
            Subject::Followers => self.followers(area),
        }
    }
}

impl Plot {
    fn chart<'a, 'b, B: DrawingBackend<ErrorType: 'static>>(
        &self,
        area: &'a DrawingArea<B, Shift>,
        what: &str,
    ) -> Drawn<ChartBuilder<'a, 'b, B>> {
        drawing::chart(area, &format!("{what}: {}", self.title))
    }

    /// A dot and a line for each piece; a dash where the rule says.
    fn frequency<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let shares = self.measured.frequency;
        let rule = self.chain.as_ref().map(Chain::frequency);
        let values =
            shares.iter().flat_map(|share| [share.low, share.high]).chain(rule.into_iter().flatten());
        let (low, high) = values
            .fold((1.0 / 7.0, 1.0 / 7.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        let room = (0.1 * (high - low)).max(1e-6);
        let (low, high) = (100.0 * (low - room), 100.0 * (high + room));
        let mut chart =
            self.chart(area, "share of each piece, 95 %")?.build_cartesian_2d(0.0..7.0_f64, low..high)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc("% of pieces (dashes: by the rule)")
            .label_style((FONT, 16))
            .draw()?;
        for (number, piece) in Piece::ALL.into_iter().enumerate() {
            let (x, share, colour) = (number as f64 + 0.5, shares[number], COLOURS[number]);
            chart.draw_series([PathElement::new(
                [(x, 100.0 * share.low), (x, 100.0 * share.high)],
                colour.stroke_width(3),
            )])?;
            chart.draw_series([Circle::new((x, 100.0 * share.value), 6, colour.filled())])?;
            if let Some(rule) = rule {
                let y = 100.0 * rule[number];
                chart.draw_series([PathElement::new([(x - 0.3, y), (x + 0.3, y)], BLACK.stroke_width(2))])?;
            }
            chart.draw_series([Text::new(piece.to_string(), (x, low), above(20))])?;
        }
        Ok(())
    }

    /// A line for each piece, the rule's in black: the mean of its seven.
    fn droughts<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let lines: Vec<_> = self.measured.droughts.iter().map(|droughts| tail(&droughts.counts)).collect();
        let rule = self.chain.as_ref().map(|chain| {
            let of_pieces = Piece::ALL.map(|piece| chain.droughts(piece, DROUGHT));
            (0..=DROUGHT).map(|length| of_pieces.iter().map(|tail| tail[length]).sum::<f64>() / 7.0).collect()
        });
        self.tails(area, "droughts", &lines, rule, ("other pieces between, at least", DROUGHT))
    }

    fn floods<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let lines = [tail(&self.measured.floods.counts)];
        let rule = self.chain.as_ref().map(|chain| {
            let longer = chain.floods(FLOOD);
            std::iter::once(1.0).chain(longer).take(FLOOD + 1).collect()
        });
        self.tails(area, "floods", &lines, rule, ("equal pieces in a row, at least", FLOOD))
    }

    /// Shares of at least so much, falling by powers of ten. Seven lines are of the pieces.
    fn tails<B: DrawingBackend<ErrorType: 'static>>(
        &self,
        area: &DrawingArea<B, Shift>,
        what: &str,
        lines: &[Vec<f64>],
        rule: Option<Vec<f64>>,
        (axis, longest): (&str, usize),
    ) -> Drawn {
        let seen = lines.iter().map(|line| line.len().saturating_sub(1)).max().unwrap_or(0).clamp(1, longest);
        let floor =
            lines.iter().flatten().copied().filter(|&share| share > 0.0).fold(1.0, f64::min).max(1e-9);
        let mut chart = self
            .chart(area, what)?
            .build_cartesian_2d(0.0..seen as f64 + 1.0, (floor / 2.0..1.0_f64).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(axis)
            .y_desc("share (black: by the rule)")
            .x_label_formatter(&|length| format!("{length:.0}"))
            .y_label_formatter(&|share| format!("{share:.0e}"))
            .label_style((FONT, 16))
            .draw()?;
        let points = |line: &[f64]| -> Vec<(f64, f64)> {
            let shown = line.iter().take(seen + 1).enumerate();
            shown
                .filter(|&(_, &share)| share >= floor / 2.0)
                .map(|(length, &share)| (length as f64, share))
                .collect()
        };
        for (number, (line, colour)) in lines.iter().zip(COLOURS).enumerate() {
            chart.draw_series(LineSeries::new(points(line), colour.stroke_width(2)))?;
            if let Some(piece) = Piece::from_number(number as u8).filter(|_| lines.len() == 7) {
                let place = ((seen as f64 + 1.0) * (0.7 + 0.04 * number as f64), 0.4);
                chart.draw_series([Text::new(piece.to_string(), place, above(24).color(&colour))])?;
            }
        }
        if let Some(rule) = rule {
            chart.draw_series(LineSeries::new(points(&rule), BLACK.stroke_width(1)))?;
        }
        Ok(())
    }

    /// A square for each pair; the darker, the more often.
    fn followers<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let shares = self.measured.followers;
        let most = shares.iter().flatten().copied().fold(0.0, f64::max).max(1e-9);
        let mut chart = self
            .chart(area, "percent of each piece (right) after each (down)")?
            .build_cartesian_2d(-0.6..7.0_f64, 7.0..-0.6_f64)?;
        for (row, earlier) in Piece::ALL.into_iter().enumerate() {
            let y = row as f64;
            chart.draw_series([Text::new(earlier.to_string(), (-0.3, y + 0.5), above(20))])?;
            chart.draw_series([Text::new(earlier.to_string(), (y + 0.5, -0.2), above(20))])?;
            for (column, share) in shares[row].into_iter().enumerate() {
                let x = column as f64;
                let paper = 255 - (200.0 * share / most) as u8;
                let fill = RGBColor(paper, paper, 255).filled();
                chart.draw_series([Rectangle::new([(x, y), (x + 1.0, y + 1.0)], fill)])?;
                let ink = if paper < 120 { WHITE } else { BLACK };
                let style = above(18).color(&ink);
                chart.draw_series([Text::new(format!("{:.2}", 100.0 * share), (x + 0.5, y + 0.6), style)])?;
            }
        }
        Ok(())
    }
}

/// Share of at least each length.
fn tail(counts: &[u64]) -> Vec<f64> {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let mut left = counts.iter().sum::<u64>();
    let mut shares = Vec::with_capacity(counts.len());
    for count in counts {
        shares.push(left as f64 / total);
        left -= count;
    }
    shares
}

/// Text that stands centred on its place.
fn above(size: i32) -> TextStyle<'static> {
    drawing::text(size, HPos::Center, VPos::Bottom)
}
