//! Games in the order of their seeds, and the files that they go to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use ::value::{Format, History, Mind, Player, PointsGame, Start, deal};
use draft::WriteLock;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ai::{AiError, lock};
use cli::error::{Error, writing};
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::progress::Progress;

/// What was played: the first line of a file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Terms {
    pub(super) format: String,
    pub(super) player: String,
    pub(super) from: u32,
    /// Lines at which a game is stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<u32>,
    pub(super) tuning: bool,
    /// The hash of seeds that were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seeds: Option<String>,
}

/// Games that are played, each to its end.
pub(super) struct Games<'a> {
    done: Vec<PointsGame>,
    seeds: &'a [u32],
    out: Option<&'a Path>,
    history: Option<&'a Path>,
    _locks: Vec<Option<WriteLock>>,
}

impl<'a> Games<'a> {
    /// Begins with the games of `out`, if there are any and `resume` is set.
    pub(super) fn begin(
        seeds: &'a [u32],
        terms: &Terms,
        (out, history): (Option<&'a Path>, Option<&'a Path>),
        resume: bool,
    ) -> Result<Self, Error> {
        for path in [out, history].into_iter().flatten() {
            if path.exists() && !resume {
                return Err(AiError::CheckpointThere(path.into()).into());
            }
        }
        let locks = [out, history].into_iter().flatten().map(lock).collect::<Result<_, _>>()?;
        let mut games = Self { done: Vec::new(), seeds, out, history, _locks: locks };
        if let Some(path) = out {
            games.done = read_games(path, terms)?;
            if games.done.iter().zip(seeds).any(|(game, &seed)| game.seed != seed) {
                return Err(AiError::OtherTerms { path: path.into() }.into());
            }
        }
        if let Some(path) = history.filter(|path| path.exists()) {
            keep_lines(path, games.done.len())?;
        } else if let Some(path) = history.filter(|_| !games.done.is_empty()) {
            return Err(AiError::HistoryShort { path: path.into(), games: games.done.len(), found: 0 }.into());
        }
        Ok(games)
    }

    /// Plays what is left, and answers whether that was all of it.
    pub(super) fn play(
        &mut self,
        format: &Format,
        mind: &Mind,
        start: &Start,
        pool: &rayon::ThreadPool,
        interrupt: &Interrupt,
    ) -> Result<bool, Error> {
        let count = self.seeds.len();
        let progress = Progress::new(count as u64, "games");
        progress.reach(self.done.len().min(count) as u64);
        let with_history = self.history.is_some();
        let one = |&seed: &u32| {
            let mut history = History::default();
            let mut player = Player::new(format, mind.clone());
            let outcome = player.play_watched(start, seed, deal(seed), &mut |placed| {
                if with_history {
                    history.add(placed);
                }
            });
            let line = history.line(&outcome);
            (outcome, line)
        };
        while self.done.len() < count && !interrupt.asked() {
            let rest = &self.seeds[self.done.len()..];
            let part = &rest[..rest.len().min(8 * pool.current_num_threads())];
            let played: Vec<(PointsGame, String)> = pool.install(|| part.par_iter().map(one).collect());
            self.add(played)?;
            progress.reach(self.done.len() as u64);
        }
        progress.finish();
        Ok(self.done.len() >= count)
    }

    /// The games of the seeds, so many as are played.
    pub(super) fn outcomes(&self) -> &[PointsGame] {
        &self.done[..self.done.len().min(self.seeds.len())]
    }

    fn add(&mut self, played: Vec<(PointsGame, String)>) -> Result<(), Error> {
        // The history first: what is in it and not in the other file is played again.
        if let Some(path) = self.history {
            let mut text = String::new();
            for (_, line) in &played {
                text += line;
                text.push('\n');
            }
            append(path, &text)?;
        }
        if let Some(path) = self.out {
            let mut text = String::new();
            for (outcome, _) in &played {
                text += &line_of(path, outcome)?;
            }
            append(path, &text)?;
        }
        self.done.extend(played.into_iter().map(|(outcome, _)| outcome));
        Ok(())
    }
}

fn line_of(path: &Path, value: &impl Serialize) -> Result<String, Error> {
    let line = serde_json::to_string(value).map_err(|source| AiError::Games { path: path.into(), source })?;
    Ok(line + "\n")
}

/// The games of a file, which begins with its terms; it is written if there is none.
fn read_games(path: &Path, terms: &Terms) -> Result<Vec<PointsGame>, Error> {
    if !path.exists() {
        append(path, &line_of(path, terms)?)?;
        return Ok(Vec::new());
    }
    let bytes = image_file::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    let refused = |source| AiError::Games { path: path.into(), source };
    let mut lines = text.split_inclusive('\n');
    let first: Terms = serde_json::from_str(lines.next().unwrap_or_default()).map_err(refused)?;
    if first != *terms {
        return Err(AiError::OtherTerms { path: path.into() }.into());
    }
    // A line that was cut short when the program was is left out, there and in the file.
    let whole: Vec<&str> = lines.take_while(|line| line.ends_with('\n')).collect();
    let done = whole.iter().map(|line| serde_json::from_str(line).map_err(refused));
    let done = done.collect::<Result<_, _>>()?;
    let head = text.split_inclusive('\n').take(1 + whole.len()).collect::<String>();
    if head.len() < text.len() {
        draft::Draft::write_file(path, head.as_bytes())?;
    }
    Ok(done)
}

/// Cuts a history to so many games.
fn keep_lines(path: &Path, games: usize) -> Result<(), Error> {
    let bytes = image_file::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let kept: Vec<&str> = whole.take(games).collect();
    if kept.len() < games {
        return Err(AiError::HistoryShort { path: path.into(), games, found: kept.len() }.into());
    }
    draft::Draft::write_file(path, kept.concat().as_bytes())?;
    Ok(())
}

fn append(path: &Path, text: &str) -> Result<(), Error> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| writing(path, error))
}

/// Seeds of a file, one a line; empty lines and those that begin with # are skipped.
pub(super) fn read_seeds(path: &Path) -> Result<Vec<u32>, Error> {
    let bytes = image_file::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    let mut seeds = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let seed = line.parse().ok().filter(|seed| SEEDS.contains(seed));
        seeds.push(seed.ok_or_else(|| AiError::SeedLine {
            path: path.into(),
            line: number + 1,
            found: line.chars().take(40).collect(),
        })?);
    }
    if seeds.is_empty() { Err(AiError::NoSeeds(path.into()).into()) } else { Ok(seeds) }
}

/// Seeds that a game of the practice cartridge can have.
pub(super) const SEEDS: std::ops::Range<u32> = 512..1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_two_commands_do_not_go_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let [out, history] = ["games.jsonl", "history.txt"].map(|name| folder.path().join(name));
        let terms = Terms {
            format: Format::HEADLINE.to_string(),
            player: "one".to_owned(),
            from: 0,
            until: None,
            tuning: false,
            seeds: None,
        };
        let begin = |out, history| Games::begin(&[512], &terms, (out, history), true);
        let first = begin(Some(&*out), Some(&*history)).unwrap();
        for (out, history) in [(Some(&*out), None), (None, Some(&*history))] {
            let message = begin(out, history).err().unwrap().to_string();
            assert!(message.contains("another program is writing this file"), "{message}");
        }
        drop(first);
        assert!(begin(Some(&*out), Some(&*history)).is_ok());
    }
}
