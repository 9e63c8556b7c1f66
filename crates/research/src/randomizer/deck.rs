//! Which randomizer, from which seed, in which variant: the arguments that the commands share.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use randomizers::{Dealer, FirstPiece, GameOver, Kind, Randomizer};

use cli::error::Error;
use cli::image_file;

/// What to deal from.
#[derive(clap::Args)]
pub(crate) struct Deck {
    /// Randomizer; `maxout randomizer list` lists them.
    #[arg(required_unless_present = "state", conflicts_with = "state")]
    kind: Option<Kind>,
    /// Seed: a number; of sps six hexadecimal digits; of nes frames since power-on, or '$8988:1A'
    /// for the register and the spawn count [default: 0; of sps 000200].
    #[arg(long, value_name = "S")]
    seed: Option<String>,
    /// nes: frames before each pick, always as many, instead of any number.
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// nes: take the second roll of a pick from another moment, as the article computes it.
    #[arg(long, conflicts_with = "frames")]
    independent: bool,
    /// tetrio: no S, Z or O first; they are skipped, or go to the back of the first queue as in
    /// replays.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "skip")]
    no_szo: Option<NoSzo>,
    /// sega: which game since power-on; each before it left its seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    game: u32,
    /// sega: the games before it ended with the monkey, not with Start.
    #[arg(long)]
    monkey: bool,
    /// Resume from a saved state, the `state` that `deal --json` prints, instead of a kind and a
    /// seed.
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["seed", "frames", "independent", "no_szo", "game", "monkey"])]
    state: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NoSzo {
    /// Until another piece comes.
    Skip,
    /// To the back of the first queue.
    Back,
}

impl Deck {
    /// The seed as it is written; `None` where a state was loaded.
    pub(crate) fn seed(&self) -> Option<&str> {
        self.kind.map(|kind| self.seed.as_deref().unwrap_or(kind.first_seed()))
    }

    /// The randomizer, ready to deal.
    pub(crate) fn dealer(&self) -> Result<Dealer, Error> {
        let (Some(kind), Some(seed)) = (self.kind, self.seed()) else {
            return load(self.state.as_deref().unwrap_or(Path::new("")));
        };
        let only = |option, owner| Err(Error::NotItsOption { option, owner, kind });
        let mut dealer = kind.dealer(seed)?;
        match (&mut dealer, self.frames) {
            (_, None) => {}
            (Dealer::Nes(nes), Some(frames)) => *nes = nes.clone().every(frames),
            _ => return only("--frames", "nes"),
        }
        match (&mut dealer, self.independent) {
            (_, false) => {}
            (Dealer::Nes(nes), true) => *nes = nes.clone().independent(),
            _ => return only("--independent", "nes"),
        }
        match (&mut dealer, self.no_szo) {
            (_, None) => {}
            (Dealer::Tetrio(tetrio), Some(how)) => {
                let first = if how == NoSzo::Skip { FirstPiece::Skip } else { FirstPiece::ToBack };
                *tetrio = tetrio.clone().beginning(first);
            }
            _ => return only("--no-szo", "tetrio-7bag and its sisters"),
        }
        match (&mut dealer, self.game, self.monkey) {
            (_, 1, false) => {}
            (Dealer::Sega(sega), game, monkey) => {
                let end = if monkey { GameOver::Monkey } else { GameOver::Skipped };
                for _ in 1..game {
                    *sega = sega.next_game(end);
                }
            }
            (_, _, monkey) => return only(if monkey { "--monkey" } else { "--game" }, "sega"),
        }
        Ok(dealer)
    }

    /// The title of what is dealt: the kind and where it began.
    pub(crate) fn title(&self, dealer: &Dealer) -> String {
        match (self.seed(), &self.state) {
            (Some(seed), _) => format!("{}, seed {seed}", dealer.kind()),
            (None, Some(path)) => format!("{}, from {}", dealer.kind(), path.display()),
            (None, None) => dealer.kind().to_string(),
        }
    }
}

fn load(path: &Path) -> Result<Dealer, Error> {
    serde_json::from_slice(&image_file::read(path)?)
        .map_err(|source| Error::DealState { path: path.into(), source })
}
