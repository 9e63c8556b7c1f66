//! By what a player of `maxout ai value` judges, as arguments.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;

use ::value::{
    CAUTION, EL_TETRIS, Format, Linear, Mind, NetMind, Nets, Speed, Weights, WeightsFile, breadths_by_speed,
    fnv,
};
use cli::unexpected::Unexpected;

use crate::ai::AiError;
use cli::error::Error;
use cli::image_file;

use cli::nets::{BUILT_IN, read_nets};

/// How boards are rated: by the built-in weights unless options name others.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MindOptions {
    /// Networks: a file, once for each speed, a folder, or the word built-in. A speed without one
    /// is played by the weights, and rated (analyse, serve) by the built-in network.
    #[arg(long = "net", value_name = "FILE|FOLDER|built-in")]
    pub(super) nets: Vec<PathBuf>,
    /// Weights, as `maxout ai value tune --out` writes them, or the word built-in. Placements are
    /// rated by weights only if this is given.
    #[arg(long, value_name = "FILE.json|built-in", conflicts_with = "el_tetris")]
    weights: Option<PathBuf>,
    /// El-Tetris' weights instead.
    #[arg(long)]
    el_tetris: bool,
    /// Search two pieces deep: evaluate each next piece on the N best boards. `6,3` searches a
    /// third piece too, on the 3 best boards after the second, and `6,3,1` a fourth.
    #[arg(long, value_name = "N[,N[,N]]")]
    ahead: Option<Breadths>,
    /// With nets: other numbers than those of --ahead from level 19, 29 or 39 on. `--ahead 6,2
    /// --deeper 29:6,1,1` searches a fourth piece at levels 29 and 39.
    #[arg(long, value_name = "LEVEL:N[,N[,N]]", requires = "nets", requires = "ahead")]
    deeper: Option<Deeper>,
    /// With nets and more than one number for --ahead: search the third piece only for the N boards
    /// that are best after the second; 0 searches it for all. `--ahead 6,2 --narrow 2` decides
    /// better than `--ahead 4,2`, in two thirds of the time.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=400), requires = "nets")]
    narrow: u16,
    /// Rate by nets only the N boards that the weights rate best; 0 rates all.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=400), requires = "nets")]
    guided: u16,
    /// Weight of surviving levels 18 and 19 in decisions by networks: 1 counts the full value of
    /// the later levels; lower is bolder. Networks trained before 24 November 2026 need 0.
    #[arg(long, value_name = "0-1", default_value_t = CAUTION, value_parser = caution, requires = "nets")]
    caution: f32,
}

/// A caution of the command line.
pub(super) fn caution(text: &str) -> Result<f32, Unexpected> {
    let number = text.parse().ok().filter(|number: &f32| (0.0..=1.0).contains(number));
    number.ok_or_else(|| Unexpected::new("a number from 0 to 1").found(text))
}

/// Boards that are looked at, for each piece that is looked at further: `6,3`.
#[derive(Clone, Debug)]
struct Breadths(Vec<usize>);

/// Boards of the second and third piece, and those of which the third is searched, with which nets
/// play best.
const STRONGEST: ([usize; 2], u16) = ([6, 2], 2);

/// Most pieces that are looked at further.
const DEEPEST: usize = 3;

impl FromStr for Breadths {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let expected = || {
            Unexpected::new(format!(
                "one to {DEEPEST} numbers from 1 to 400 with commas between them, as in 6,3"
            ))
        };
        let numbers: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|_| expected())?;
        let fits = numbers.len() <= DEEPEST && numbers.iter().all(|number| (1..=400).contains(number));
        if fits { Ok(Self(numbers)) } else { Err(expected()) }
    }
}

impl Display for Breadths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, breadth) in self.0.iter().enumerate() {
            write!(f, "{}{breadth}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// Breadths from a level on: `29:6,1,1`.
#[derive(Clone, Debug)]
struct Deeper {
    from: Speed,
    breadths: Breadths,
}

impl FromStr for Deeper {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let parts = text.split_once(':').and_then(|(level, breadths)| {
            let from = Speed::of_first_level(level.parse().ok()?)?;
            (from > Speed::L18).then_some((from, breadths))
        });
        let expected = || Unexpected::new("level 19, 29 or 39 and numbers, as in 29:6,1,1").found(text);
        let (from, breadths) = parts.ok_or_else(expected)?;
        Ok(Self { from, breadths: breadths.parse()? })
    }
}

impl Display for Deeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", ::value::level(self.from.first_line()), self.breadths)
    }
}

/// More boards than a piece has places.
const EVERY: usize = 1_000;

/// Every board of the first piece; of the next ones as before.
fn every<T>(mut breadths: Vec<T>, every: T) -> Vec<T> {
    if let Some(first) = breadths.first_mut() {
        *first = every;
    }
    breadths
}

impl MindOptions {
    /// The mind, and a name that no other mind has.
    pub(crate) fn mind(&self, format: &Format) -> Result<(Mind, String), Error> {
        let nets = if self.nets.is_empty() { None } else { Some(read_nets(&self.nets)?) };
        self.mind_by(format, nets)
    }

    /// The same, or the strongest that the program has, if no option says anything.
    pub(super) fn mind_or_strongest(&self, format: &Format) -> Result<(Mind, String), Error> {
        if !self.nets.is_empty() || self.weights.is_some() || self.el_tetris || self.ahead.is_some() {
            return self.mind(format);
        }
        let (breadths, narrow) = STRONGEST;
        let strongest = Self { ahead: Some(Breadths(breadths.to_vec())), narrow, ..self.clone() };
        strongest.mind_by(format, Some(cli::nets::built_in()))
    }

    /// The mind with these nets, each with its hash.
    fn mind_by(&self, format: &Format, nets: Option<(Nets, Vec<String>)>) -> Result<(Mind, String), Error> {
        let weights = self.weights()?;
        let name = if self.el_tetris {
            "el-tetris".to_owned()
        } else {
            let bytes: Vec<u8> = weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
            format!("linear {:016x}", fnv(&bytes))
        };
        let linear = Linear::by_speed(format, weights);
        let breadths = self.ahead.as_ref().map_or(Vec::new(), |ahead| ahead.0.clone());
        let ahead = self.ahead.as_ref().map_or("0".to_owned(), ToString::to_string);
        if let Some((nets, hashes)) = nets {
            let (narrow, guided) = (self.narrow.into(), self.guided.into());
            let caution = self.caution;
            let further = self.deeper.as_ref().map_or(String::new(), |deeper| format!(", deeper {deeper}"));
            let name = format!(
                "nets {}, {name}, ahead {ahead}{further}, narrow {narrow}, guided {guided}, caution {caution}",
                hashes.join("+")
            );
            let deeper = self.deeper.as_ref().map(|deeper| (deeper.from, &deeper.breadths.0[..]));
            let breadths = breadths_by_speed(&breadths, deeper);
            let mind = NetMind { breadths, narrow, guided, caution, ..NetMind::new(nets, linear) };
            return Ok((mind.into(), name));
        }
        let name = if breadths.is_empty() { name } else { format!("{name}, ahead {ahead}") };
        Ok((Mind::weights(linear, breadths), name))
    }

    /// Returns the mind that rates every place: nets rate every board, and the look ahead takes in
    /// every board. Without --net, nets of the settings, those beside the program or the built-in
    /// ones are used, unless weights are asked for.
    pub(crate) fn thorough(&self, format: &Format) -> Result<(Mind, String), Error> {
        let by_weights = self.weights.is_some() || self.el_tetris;
        let by_nets = !(by_weights && self.nets.is_empty());
        let nets = by_nets.then(|| cli::nets::for_rating(&self.nets)).transpose()?;
        let (mind, name) = self.mind_by(format, nets)?;
        let mind = match mind {
            Mind::Weights(linear, breadths) => Mind::Weights(linear, every(breadths, EVERY)),
            Mind::Nets(mut mind) => {
                (mind.breadths, mind.narrow, mind.guided) = (every(mind.breadths, [EVERY; 4]), 0, 0);
                Mind::Nets(mind)
            }
        };
        Ok((mind, name))
    }

    fn weights(&self) -> Result<[Weights; 4], Error> {
        if self.el_tetris {
            return Ok([EL_TETRIS; 4]);
        }
        match &self.weights {
            Some(path) if path.as_os_str() != BUILT_IN => Ok(read_weights(path)?.weights),
            _ => Ok(WeightsFile::built_in().weights),
        }
    }
}

pub(super) fn read_weights(path: &std::path::Path) -> Result<WeightsFile, Error> {
    let bytes = image_file::read_short(path)?;
    let refused = |source| AiError::ValueWeights { path: path.into(), source };
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    Ok(WeightsFile::parse(text).map_err(refused)?)
}
