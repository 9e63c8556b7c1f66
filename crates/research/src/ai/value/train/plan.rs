//! `maxout ai value train --plan`: the stages of a plan, one after another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::value::{Curriculum, Learner, Nets, Plan, Provenance, Stage, fnv, is_file};
use draft::Draft;

use crate::ai::{AiError, lock, trial};
use cli::error::{Error, writing};
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::nets::{NetFile, read_net};
use cli::output;

use super::{Arguments, Checkpoint, round, tell};

/// What a run of a plan has.
struct Course<'a> {
    arguments: &'a Arguments,
    curriculum: Curriculum,
    /// The folder of the plan, in which its files are.
    beside: &'a Path,
    /// The folder of the stages' files.
    folder: &'a Path,
    /// By stage: what tells its result from any other.
    identities: BTreeMap<String, u64>,
    pool: rayon::ThreadPool,
    interrupt: Interrupt,
    begun: Instant,
    /// Rounds of this run, all stages together.
    rounds: usize,
}

pub(super) fn run(arguments: &Arguments, path: &Path) -> Result<ExitCode, Error> {
    let bytes = image_file::read_short(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
    let refused = |reason: String| AiError::Plan { path: path.into(), reason };
    let curriculum: Curriculum = toml::from_str(text).map_err(|error| refused(error.to_string()))?;
    curriculum.check().map_err(|error| refused(error.to_string()))?;
    let folder = arguments.folder.as_deref().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| writing(folder, error))?;
    let mut course = Course {
        arguments,
        curriculum: curriculum.clone(),
        beside: path.parent().unwrap_or(Path::new("")),
        folder,
        identities: BTreeMap::new(),
        pool: trial::threads(arguments.threads)?,
        interrupt: Interrupt::listen(),
        begun: Instant::now(),
        rounds: 0,
    };
    for stage in &curriculum.stages {
        if !course.follow(stage, &refused)? {
            output::text("stopped: run the same command again to go on\n")?;
            break;
        }
    }
    Ok(if course.interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

impl Course<'_> {
    /// Trains a stage to its end, or goes on with it, and answers whether it came to its end.
    fn follow(&mut self, stage: &Stage, refused: &impl Fn(String) -> AiError) -> Result<bool, Error> {
        let mut sources = Vec::new();
        for name in stage.sources() {
            sources.push(match self.identities.get(name) {
                Some(&identity) => identity,
                None => fnv(&image_file::read(&self.net_path(name))?),
            });
        }
        let plan = self.curriculum.plan(stage, &sources).map_err(|error| refused(error.to_string()))?;
        self.identities.insert(stage.name.clone(), stage.identity(&plan));
        let notes: Vec<String> = sources.iter().map(|source| format!("{source:016x}")).collect();
        let notes = Learner::notes(&notes);
        let path = self.checkpoint(&stage.name);
        let _lock = lock(&path)?;
        let mut learner = self.begin(stage, plan)?;
        let mut after = Nets::default();
        for name in &stage.after {
            let NetFile { net, provenance, .. } = read_net(&self.net_path(name))?;
            after[provenance.speed as usize] = Some(net);
        }
        let rounds = stage.rounds as usize;
        let mut checkpoint = Checkpoint::new(&path);
        while learner.history().len() < rounds {
            if self.is_over() {
                checkpoint.finish(&learner)?;
                return Ok(false);
            }
            let played = self.pool.install(|| round(&learner, &after)).map_err(AiError::from)?;
            learner.learn(&played);
            self.rounds += 1;
            if !self.arguments.quiet {
                tell(&format!("{}, round", stage.name), &learner, self.begun);
            }
            if learner.history().len() < rounds {
                checkpoint.after_round(&learner)?;
            } else {
                learner = learner.without_samples();
                Draft::write_file(&path, &learner.to_bytes())?;
            }
        }
        let provenance = Provenance { asked: stage.asked.clone(), ..learner.provenance(&notes) };
        let bytes = learner.net().to_bytes(&provenance);
        Draft::write_file(&self.net_path(&stage.name), &bytes)?;
        let score = learner.history().last().map_or(0.0, |round| round.score);
        output::text(&format!(
            "{}: {rounds} rounds, net {:016x}, last round's mean {score:.0} points\n",
            stage.name,
            fnv(&bytes)
        ))?;
        Ok(true)
    }

    fn is_over(&self) -> bool {
        let Arguments { rounds, minutes, .. } = self.arguments;
        self.interrupt.asked()
            || rounds.is_some_and(|rounds| self.rounds >= rounds)
            || minutes.is_some_and(|minutes| self.begun.elapsed() >= Duration::from_secs(60 * minutes))
    }

    /// The training of a stage where its checkpoint stands, or before its first round.
    fn begin(&self, stage: &Stage, plan: Plan) -> Result<Learner, Error> {
        let path = self.checkpoint(&stage.name);
        if path.exists() {
            let learner = read_checkpoint(&path)?;
            if *learner.plan() != plan {
                return Err(AiError::OtherPlan { path }.into());
            }
            return Ok(learner);
        }
        let begin = stage.begin.as_ref().map(|name| read_net(&self.net_path(name))).transpose()?;
        let inherited = match &stage.inherit {
            Some(name) => read_checkpoint(&self.checkpoint(name))?.left().to_vec(),
            None => Vec::new(),
        };
        Ok(stage.learner(plan, begin.map(|file| (*file.net).clone()), &inherited))
    }

    fn net_path(&self, source: &str) -> PathBuf {
        if is_file(source) { self.beside.join(source) } else { self.folder.join(format!("{source}.net")) }
    }

    fn checkpoint(&self, stage: &str) -> PathBuf {
        self.folder.join(format!("{stage}.train"))
    }
}

/// Reads the checkpoint of a training, which may be longer than any file of a game.
///
/// # Errors
/// When it cannot be read, or is no training.
pub(super) fn read_checkpoint(path: &Path) -> Result<Learner, Error> {
    let refused = |source| AiError::ValueFile { path: path.into(), source };
    Ok(Learner::from_bytes(&image_file::read_at_most(path, Learner::MOST_BYTES)?).map_err(refused)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_a_large_memory_is_read_whatever_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.train");
        // As long as that of a memory of 1,500,000 samples, and no training.
        std::fs::File::create(&path).unwrap().set_len(84_000_000).unwrap();
        let error = read_checkpoint(&path).unwrap_err();
        assert!(matches!(error, Error::Command(_)), "{error}");
    }
}
