//! `maxout review`: a game, placement by placement.

mod kept;
mod learn;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use ::review::{Group, Hands, Key, Reviewed, Reviewer, Summary, page};
use draft::Draft;
use serde::Serialize;
use tetris::Feature;

use cli::error::{Error, wrong};
use cli::game::Choice;
use cli::interrupt::Interrupt;
use cli::progress::Progress;
use cli::written::{self, Written};
use cli::{image_file, nets, output};

/// Review a game: what each placement cost in points and odds, which were mistakes, and what was
/// better, two pieces deep.
///
/// The game is a kept game, a movie, a NestrisChamps recording of any console, or one line per
/// placement. The networks of the player for points rate placements for your hands: taps a second
/// are measured from the game if it has enough fast ones, and are 12 otherwise. The review is kept
/// beside the game as GAME.review.json, and read from there the next time.
#[derive(clap::Args)]
#[command(after_help = "\
Classes go by what a tetris makes at the level and by the odds of reaching the next faster speed: docs/review-and-puzzles.md.

Examples:
  maxout review games/GAME.mxgame
  maxout review game.ngf.gz --html review.html
  maxout review game.ngf.gz --learn
  maxout review game.fm2 tetris.nes --hertz 15 --reaction 20 --json")]
pub(crate) struct Arguments {
    /// The game: .mxgame, .fm2, .ngf, .ngf.gz, .csv or .jsonl.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Your taps a second [default: measured from the game, or 12].
    #[arg(long, value_name = "HZ")]
    hertz: Option<f64>,
    /// Frames from a spawn until you act on the next piece.
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u32).range(0..=60))]
    reaction: u32,
    /// Networks: a file, once for each speed, or a folder.
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    nets: Vec<PathBuf>,
    /// Write one self-contained page.
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Number of placements to list, costliest first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Ignore an earlier review, and do not save this one.
    #[arg(long)]
    fresh: bool,
    /// Replay the mistakes and blunders: place the piece by keys and see what that costs. Outside a
    /// terminal they are listed with their legal placements.
    #[arg(long, conflicts_with_all = ["html", "worst"])]
    learn: bool,
    /// A better placement for a mistake: number of the piece, column, row and orientation.
    #[arg(long, value_name = "N,X,Y,O", requires = "learn")]
    answer: Vec<learn::Answer>,
    /// Print one JSON object, with every placement.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    hands: Hands,
    /// Were taps measured from the game?
    measured: bool,
    format: String,
    nets: &'a [String],
    /// Parts of a recording in which nothing could be read.
    gaps: usize,
    #[serde(flatten)]
    summary: Summary,
    reviews: &'a [Reviewed],
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if let Some(hertz) = arguments.hertz.filter(|hertz| !(1.0..=60.0).contains(hertz)) {
        return Err(Error::Command(format!("--hertz: expected 1 to 60 taps a second, found {hertz}").into()));
    }
    let outputs = [("--html", arguments.html.as_deref())];
    let known =
        arguments.cartridge.known_beside(Feature::Games, &[("the game", Some(&arguments.game))], &outputs)?;
    let (nets, hashes) = nets::for_rating(&arguments.nets)?;
    let interrupt = Interrupt::listen();
    let written = written::read(&arguments.game, &[known], &interrupt)?;
    if written.turns.is_empty() {
        return Err(wrong(&arguments.game)("expected a game with placements, found none"));
    }
    let measured = Hands::measured(&written.turns);
    let hands = Hands {
        hertz: arguments.hertz.or(measured.map(|hands| hands.hertz)).unwrap_or(Hands::default().hertz),
        reaction: arguments.reaction,
    };
    let mut reviewer = Reviewer::new(hands, nets.clone()).map_err(|error| Error::Command(error.into()))?;
    let key = Key::of(&image_file::read(&arguments.game)?, hands, &hashes);
    let known = if arguments.fresh { None } else { kept::read(&arguments.game, &key) };
    let known = known.filter(|reviews| reviews.len() == written.turns.len());
    let reviews = if let Some(reviews) = known {
        reviews
    } else {
        let reviews = review(&mut reviewer, &written, &interrupt)?;
        if !arguments.fresh {
            kept::write(&arguments.game, &key, &reviews);
        }
        reviews
    };
    if arguments.learn {
        learn::run(&reviews, hands, nets, (&arguments.answer, arguments.json), &interrupt)?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = Report {
        game: &written.title,
        hands,
        measured: arguments.hertz.is_none() && measured.is_some(),
        format: reviewer.format().to_string(),
        nets: &hashes,
        gaps: written.gaps.len(),
        summary: Summary::of(&reviews),
        reviews: &reviews,
    };
    if let Some(path) = &arguments.html {
        let facts: Vec<String> =
            report.facts().into_iter().chain(written.summary.lines().map(squeezed)).collect();
        Draft::write_file(path, page(&written.title, &facts, &reviews).as_bytes())?;
        if !arguments.json {
            output::text(&format!("{}\n", path.display()))?;
        }
    }
    if arguments.json || arguments.html.is_none() {
        let text = || report.text(&written, arguments.worst);
        output::print(&report, arguments.json, |out| out.write_all(text().as_bytes()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn review(reviewer: &mut Reviewer, written: &Written, interrupt: &Interrupt) -> Result<Vec<Reviewed>, Error> {
    let progress = Progress::new(written.turns.len() as u64, "placements");
    let mut reviews = Vec::with_capacity(written.turns.len());
    for review in reviewer.reviews(&written.turns) {
        interrupt.check()?;
        reviews.push(review);
        progress.advance(1);
    }
    progress.finish();
    Ok(reviews)
}

/// A line with single spaces.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Report<'_> {
    fn facts(&self) -> Vec<String> {
        let how = if self.measured { "measured from the game" } else { "chosen" };
        vec![
            format!("taps {:.1} a second ({how}), reaction {} frames", self.hands.hertz, self.hands.reaction),
            format!("rated by {} as a game from level 18", self.format),
        ]
    }

    fn text(&self, written: &Written, worst: usize) -> String {
        let Self { summary, reviews, .. } = self;
        let mut text = written.summary.clone();
        let [hands, _] = &self.facts()[..] else { return text };
        let _ = writeln!(text, "hands      {hands}");
        let _ = writeln!(text, "accuracy   {:.1} %", summary.accuracy);
        let _ = writeln!(
            text,
            "loss       {:.0} points in all, {:.0} a placement",
            summary.loss, summary.mean_loss
        );
        if summary.unreachable > 0 {
            let _ = writeln!(text, "           {} placements are beyond such hands", summary.unreachable);
        }
        groups(&mut text, "classes", &summary.classes);
        groups(&mut text, "mistakes", &summary.kinds);
        groups(&mut text, "pieces", &summary.pieces);
        groups(&mut text, "levels", &summary.levels);
        let mut dear: Vec<&Reviewed> = reviews.iter().filter(|review| review.loss > 0.0).collect();
        dear.sort_by(|one, other| other.loss.total_cmp(&one.loss).then(one.number.cmp(&other.number)));
        if worst > 0 && !dear.is_empty() {
            text += "Placements that lost most. A place is the column and row of the pivot, from 0 at the top left; a link asks it as a puzzle.\n";
        }
        for review in dear.into_iter().take(worst) {
            let Reviewed {
                number,
                piece,
                level,
                lines,
                chosen,
                best,
                loss,
                class,
                kind,
                odds_lost,
                link,
                ..
            } = review;
            let kind = kind.map_or_else(String::new, |kind| format!(", {}", kind.words()));
            let odds = if *odds_lost >= 0.001 {
                format!(", odds of the next speed -{:.1} %", 100.0 * odds_lost)
            } else {
                String::new()
            };
            let [own, better] = [chosen, best].map(|choice| {
                let [column, row, orientation] = choice.place.into();
                format!("column {column} row {row} turned {orientation}")
            });
            let _ = writeln!(
                text,
                "  piece {number} {piece}, level {level}, {lines} lines: {class}{kind}, {loss:.0} points{odds}\n    {own}; better {better}\n    {link}"
            );
        }
        text
    }
}

fn groups(text: &mut String, title: &str, groups: &[Group]) {
    let mut title = title;
    for Group { name, placements, loss, mean_loss } in groups.iter().filter(|group| group.placements > 0) {
        let name = name.replace('_', " ");
        let _ = writeln!(
            text,
            "{title:<10} {name:<14} {placements:>5}  {loss:>9.0} points  {mean_loss:>7.0} each"
        );
        title = "";
    }
}
