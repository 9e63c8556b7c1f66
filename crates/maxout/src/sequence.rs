//! Another sequence of pieces in the game, as arguments.

use std::path::{Path, PathBuf};

use autopilot::Substitution;
use randomizers::Kind;
#[cfg(feature = "window")]
use tetris::Profile;
use tetris::events::{Event, Record};
use tetris::{Feature, Piece};

use cli::error::Error;
#[cfg(feature = "window")]
use cli::game::of_file;
use cli::game::{Known, known};
use cli::image_file;
use cli::source::Source;

/// Which pieces come instead of those that the game would choose.
#[derive(clap::Args)]
pub(crate) struct Sequence {
    /// Deal the pieces of every game from this randomizer instead of the game's own; `maxout
    /// randomizer list` lists them.
    #[arg(long, value_name = "KIND", conflicts_with = "pieces")]
    randomizer: Option<Kind>,
    /// Seed of the randomizer, as `maxout randomizer deal` takes it [default: 0; of sps 000200].
    #[arg(long, value_name = "S", requires = "randomizer")]
    seed: Option<String>,
    /// Deal these pieces to every game, and then the game's own: letters of TJZOSLI, or a file of
    /// such letters, or a recorded game as `maxout tetris watch --json` prints it.
    #[arg(long, value_name = "FILE|LETTERS")]
    pieces: Option<String>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
}

impl Sequence {
    /// The sequence, for a cartridge image; `None` where the game is to choose.
    pub(crate) fn substitution(&self, source: Source<'_>) -> Result<Option<Substitution>, Error> {
        let profile = || self.known(source, Feature::Pieces).map(|known| known.profile);
        if let Some(kind) = self.randomizer {
            let dealer = kind.dealer(self.seed.as_deref().unwrap_or(kind.first_seed()))?;
            return Ok(Some(Substitution::new(profile()?, dealer)));
        }
        let Some(text) = &self.pieces else { return Ok(None) };
        let pieces = match letters(text) {
            Some(pieces) if !pieces.is_empty() => pieces,
            _ => read(Path::new(text))?,
        };
        Ok(Some(Substitution::new(profile()?, pieces.into_iter())))
    }

    /// What is known of a cartridge image; enough for `feature`.
    pub(crate) fn known(&self, source: Source<'_>, feature: Feature) -> Result<Known, Error> {
        known(source, self.profile.as_deref(), feature)
    }

    /// The profile that was given, which has to be of the `image` at `path`.
    #[cfg(feature = "window")]
    pub(crate) fn profile(&self, image: &[u8], path: &Path) -> Result<Option<Profile>, Error> {
        self.profile.as_deref().map(|file| of_file(file, image, path)).transpose()
    }

    /// The options as they were given, but for the profile.
    pub(crate) fn options(&self) -> String {
        let given = [
            self.randomizer.map(|kind| format!("--randomizer {kind}")),
            self.seed.as_ref().map(|seed| format!("--seed {seed}")),
            self.pieces.as_ref().map(|pieces| format!("--pieces {pieces}")),
        ];
        given.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The pieces of a text of letters and white space; `None` if there is anything else.
fn letters(text: &str) -> Option<Vec<Piece>> {
    text.chars().filter(|letter| !letter.is_whitespace()).map(Piece::from_letter).collect()
}

/// The pieces of a file: letters, or a recorded game.
fn read(path: &Path) -> Result<Vec<Piece>, Error> {
    let text = String::from_utf8_lossy(&image_file::read(path)?).into_owned();
    let recorded = text.trim_start().starts_with('{');
    let pieces = if recorded { game(&text) } else { letters(&text) };
    pieces.filter(|pieces| !pieces.is_empty()).ok_or_else(|| Error::Pieces { path: path.into() })
}

/// The pieces of the first game of a stream of events, the last one shown as the next included.
fn game(text: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut last = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Record>(line).ok()?.event {
            Event::GameStart { .. } if last.is_some() => break,
            Event::Spawn { piece, next, .. } => {
                pieces.push(piece.piece()?);
                last = Some(next.piece()?);
            }
            _ => {}
        }
    }
    pieces.extend(last);
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_pieces_in_either_case_with_white_space_between() {
        let text =
            |pieces: Option<Vec<Piece>>| pieces.map(|p| p.into_iter().map(Piece::letter).collect::<String>());
        assert_eq!(text(letters("tj ZO\nSLI\n")), Some("TJZOSLI".to_owned()));
        assert_eq!(text(letters("game.txt")), None);
    }

    #[test]
    fn a_recorded_game_gives_its_pieces_and_the_next_one_but_not_the_game_after_it() {
        let spawn = |piece, next| {
            format!(
                r#"{{"frame":1,"event":"spawn","number":1,"piece":"{piece}","next":"{next}","drought":0,"das":0,"lfsr":1}}"#
            )
        };
        let start = r#"{"frame":9,"event":"game_start","game_type":"A","demo":false,"start_level":0,"start_height":0,"music":0,"lfsr":1,"spawn_count":0,"frame_phase":0}"#;
        let text = [start, &spawn('T', 'S'), &spawn('S', 'I'), start, &spawn('O', 'O')].join("\n");
        assert_eq!(game(&text), Some(vec![Piece::T, Piece::S, Piece::I]));
        assert_eq!(game("{\"frame\":1}\n"), None);
    }
}
