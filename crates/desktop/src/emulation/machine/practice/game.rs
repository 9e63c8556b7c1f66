//! What the machine has of a practice game: its file, the game that plays again, the coach.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nes::{Buttons, Pads};
use practice::{Header, Recorder, Statistics};

use crate::emulation::coach::CoachReview;
use crate::emulation::practice::Played;
use crate::input::held::FramePads;
use crate::messages::status::Mistake;

/// What the machine has of a practice game beside the session.
#[derive(Default)]
pub(in crate::emulation::machine) struct PracticeGame {
    /// The file that it goes into.
    pub(super) file: Option<GameFile>,
    /// The kept game that plays.
    pub(super) replay: Option<Replay>,
    /// Pieces that were locked when the figures were last reckoned, and those figures.
    pub(super) figures: (usize, Arc<Statistics>),
    /// Whether its end was written.
    pub(super) over: bool,
    /// The coach at work.
    pub(super) review: Option<CoachReview>,
    /// What the coach found in the game that was reviewed last.
    pub(super) mistakes: Option<Arc<Vec<Mistake>>>,
}

impl PracticeGame {
    /// Returns whether the coach is at work.
    pub(in crate::emulation::machine) fn is_reviewing(&self) -> bool {
        self.review.is_some()
    }

    /// Returns what the coach has found.
    pub(in crate::emulation::machine) fn mistakes(&self) -> Option<&Arc<Vec<Mistake>>> {
        self.mistakes.as_ref()
    }

    /// Returns whether the coach has come to an end of which nobody knows yet.
    pub(in crate::emulation::machine) fn has_review(&self) -> bool {
        self.review.as_ref().is_some_and(CoachReview::is_done)
    }

    /// Takes what the coach has found, if it has come to its end.
    pub(in crate::emulation::machine) fn collect_review(&mut self) {
        if self.has_review() {
            self.mistakes = self.review.take().map(CoachReview::take);
        }
    }
}

/// A file that grows with the game.
pub(super) struct GameFile {
    recorder: Recorder,
    file: File,
    pub(super) path: PathBuf,
}

/// A kept game that plays.
pub(super) struct Replay {
    pub(super) frames: Vec<Buttons>,
    pub(super) chances: Vec<(u64, u16)>,
}

/// Who holds the pads: the player, or a kept game the first of them.
pub(in crate::emulation::machine) enum PlayerPads<'a> {
    Live(FramePads<'a>),
    Kept(Buttons),
}

impl Pads for PlayerPads<'_> {
    fn sample(&mut self) -> [Buttons; 2] {
        match self {
            Self::Live(pads) => pads.sample(),
            Self::Kept(buttons) => [*buttons, Buttons::empty()],
        }
    }
}

impl GameFile {
    pub(super) fn new(folder: &Path, header: &Header) -> io::Result<Self> {
        let (recorder, bytes) = Recorder::new(header);
        let (mut file, path) = draft::create_new(folder, &header.file_stem(), practice::EXTENSION)?;
        file.write_all(&bytes)?;
        Ok(Self { recorder, file, path })
    }

    /// Writes frames that follow on those before, and random number registers before them.
    pub(super) fn push(&mut self, played: &[Played], chances: &[(u64, u16)]) -> io::Result<()> {
        for &(frame, buttons) in played {
            if frame < self.recorder.frames() {
                let back = self.recorder.back(frame);
                self.file.write_all(&back)?;
            }
            for &(_, lfsr) in chances.iter().filter(|(at, _)| *at == frame) {
                let chance = self.recorder.chance(lfsr);
                self.file.write_all(&chance)?;
            }
            if let Some(bytes) = self.recorder.push(buttons) {
                self.file.write_all(&bytes)?;
            }
        }
        Ok(())
    }

    /// Writes how the game ended. It may go on after a piece is taken back.
    pub(super) fn end(&mut self, result: &[(&str, String)]) -> io::Result<()> {
        let bytes = self.recorder.end(result);
        self.file.write_all(&bytes)?;
        self.file.sync_all()
    }
}
