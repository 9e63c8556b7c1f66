//! `maxout ai perpetual-demo`: a game without end, as the article proposes for a demo.

mod cartridge;
mod circle;

use std::path::PathBuf;

use ::ai::Evaluator;
use autopilot::Settings;
use cartridge::Played;
use circle::Circle;
use draft::Draft;
use nes::Region;
use nes::fm2::Movie;
use randomizers::Kind;
use serde::Serialize;
use tetris::{Feature, Piece};

use super::AiError;
use super::deal::Deal;
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::interrupt::Interrupt;
use cli::output;
use cli::progress::Progress;

/// Find a game that repeats forever, play it on the cartridge, and save it as a movie.
///
/// Where the board is clear and the two pieces at hand are the first two of the sequence,
/// everything is as it was in the beginning: with the randomizer seeded anew, the player does the
/// same again. Seeds are tried until such a game is found on the model; then it is played on a
/// running cartridge by buttons alone, all rounds of it, and every board there must be the model's.
#[derive(clap::Args)]
#[command(mut_arg("seed", |seed| seed.help("The first seed to try")))]
#[command(after_help = "\
The movie holds the buttons; the pieces come by way of --pieces, as everywhere:
  maxout ai perpetual-demo --movie-out demo.fm2 --pieces-out demo.txt
  maxout run --input demo.fm2 --pieces demo.txt --screenshot end.png

Examples:
  maxout ai perpetual-demo --shortest 100 --longest 400 --json
  maxout ai perpetual-demo --longest 100000 --model --pieces-out long.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Fewest pieces of a round.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(5..=10_000_000))]
    shortest: u32,
    /// Most pieces of a round.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(5..=10_000_000))]
    longest: u32,
    /// Rounds to play.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    #[command(flatten)]
    deal: Deal,
    /// Seeds to try before it gives up.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    tries: u64,
    /// How boards are rated, as `maxout ai play` takes it.
    #[arg(long, value_name = "EVALUATOR", default_value_t, value_parser = super::choices::evaluator)]
    evaluator: Evaluator,
    /// The level in which the game on the cartridge begins.
    #[arg(long, value_name = "0..19", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..20))]
    level: u8,
    /// Leave the cartridge alone: a round of any length, on the model only.
    #[arg(long, conflicts_with_all = ["movie_out", "level"])]
    model: bool,
    /// Write the buttons of all rounds, frame by frame from power-on, in FCEUX's text format.
    #[arg(long, value_name = "OUT.fm2")]
    movie_out: Option<PathBuf>,
    /// Write the pieces of all rounds as letters, for --pieces.
    #[arg(long, value_name = "OUT.txt")]
    pieces_out: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    randomizer: Kind,
    seed: u64,
    /// Pieces of a round.
    pieces: usize,
    lines: usize,
    sequence: String,
    rounds: u32,
    seeds_tried: u64,
    /// Games that repeat themselves on the model but could not be played by buttons alone.
    unplayable: u64,
    /// On the cartridge, the frame in which each round's first piece is in play, and that in which
    /// the next one's would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<Vec<u64>>,
}

/// A game that repeats itself, and how it was found.
struct Found {
    circle: Circle,
    seed: u64,
    tried: u64,
    /// Games that repeat themselves on the model but could not be played by buttons alone.
    unplayable: u64,
    /// The rounds on the cartridge; `None` on the model.
    played: Option<Played>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let outputs =
        [("--movie-out", arguments.movie_out.as_deref()), ("--pieces-out", arguments.pieces_out.as_deref())];
    let game = arguments.cartridge.known_beside(Feature::Computer, &[], &outputs)?;
    let &Arguments { shortest, longest, rounds, deal, .. } = arguments;
    if shortest > longest {
        return Err(AiError::RoundLengths { shortest, longest }.into());
    }
    let found = find(arguments, &game)?;
    let Found { circle, seed, .. } = &found;
    if let Some(path) = &arguments.pieces_out {
        // And the two that are at hand where the last round ends.
        let count = circle.pieces.len() * rounds as usize + 2;
        let all: Vec<Piece> = circle.pieces.iter().copied().cycle().take(count).collect();
        Draft::write_file(path, format!("{}\n", letters(&all)).as_bytes())?;
    }
    if let (Some(path), Some(played)) = (&arguments.movie_out, &found.played) {
        let comment = format!(
            "author maxout ai perpetual-demo: {rounds} rounds of {} pieces, {} seed {seed}",
            circle.pieces.len(),
            deal.randomizer
        );
        let movie = Movie {
            rom_filename: game.profile.name.clone(),
            rom_checksum: Movie::checksum_of(game.cartridge.info().md5.0),
            pal: game.cartridge.info().region == Region::Pal,
            comments: vec![comment],
            frames: played.movie.clone(),
            ..Movie::default()
        };
        Draft::write_file(path, movie.to_string().as_bytes())?;
    }
    let report = Report {
        randomizer: deal.randomizer,
        seed: *seed,
        pieces: circle.pieces.len(),
        lines: circle.pieces.len() * 4 / 10,
        sequence: letters(&circle.pieces),
        rounds,
        seeds_tried: found.tried,
        unplayable: found.unplayable,
        frames: found.played.as_ref().map(|played| played.starts.clone()),
    };
    output::print(&report, arguments.json, |out| out.write_all(report.text().as_bytes()))
}

/// Tries one seed after the other.
fn find(arguments: &Arguments, game: &Known) -> Result<Found, Error> {
    let &Arguments { shortest, longest, rounds, deal, ref evaluator, .. } = arguments;
    let interrupt = Interrupt::listen();
    let progress = Progress::new(arguments.tries, "seeds");
    let mut unplayable = 0;
    for number in 0..arguments.tries {
        interrupt.check()?;
        progress.reach(number);
        let Some(circle) = Circle::find(deal.dealer(number), evaluator, (shortest, longest)) else {
            continue;
        };
        let played = if arguments.model {
            circle.repeats(evaluator, rounds).then_some(None)
        } else {
            let settings =
                Settings { level: arguments.level, evaluator: evaluator.clone(), ..Settings::default() };
            cartridge::play(game, settings, &circle, rounds, &interrupt)?.map(Some)
        };
        match played {
            Some(played) => {
                let (seed, tried) = (deal.seed_of(number), number + 1);
                return Ok(Found { circle, seed, tried, unplayable, played });
            }
            None => unplayable += 1,
        }
    }
    Err(AiError::NoCircle { shortest, longest, tries: arguments.tries, unplayable }.into())
}

fn letters(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.letter()).collect()
}

impl Report {
    fn text(&self) -> String {
        let Self { randomizer, seed, pieces, lines, sequence, rounds, seeds_tried, unplayable, frames } =
            self;
        let verified = match frames {
            Some(frames) => {
                let frames: Vec<_> = frames.iter().map(u64::to_string).collect();
                let frames = frames.join(", ");
                format!(
                    "{rounds} rounds on the cartridge, every board the model's; they begin and end at frames {frames}"
                )
            }
            None => format!("{rounds} rounds on the model, every board the first round's"),
        };
        format!(
            "{randomizer} seed {seed}: the board is clear after {pieces} pieces and {lines} lines, and the sequence begins \
             again\n{sequence}\n{seeds_tried} seeds tried, {unplayable} of them not playable by buttons alone\n{verified}\n"
        )
    }
}
