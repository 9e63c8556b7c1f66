//! The file of a game, as bytes that are written while it is played.

use practice::{COMPUTER, Header, Recorder};

use crate::practice::{Act, Played};

/// Makes the bytes of a kept game, frame by frame. Where they go is the front end's business.
#[derive(Clone, Debug)]
pub struct GameRecorder {
    recorder: Recorder,
    /// The frame, counted from power-on, with which the file begins.
    first: u64,
    /// Frames in which the computer played, those that were taken back too.
    by_computer: u64,
}

impl GameRecorder {
    /// Returns a recorder of a game that begins with frame `first` from power-on, and the beginning
    /// of its file.
    pub fn new(header: &Header, first: u64) -> (Self, Vec<u8>) {
        let (recorder, bytes) = Recorder::new(header);
        (Self { recorder, first, by_computer: 0 }, bytes)
    }

    /// Returns the frame that follows on the file's last.
    pub fn end(&self) -> u64 {
        self.first + self.recorder.frames()
    }

    /// Returns whether `frame` is one of the file's, or the one that follows.
    pub fn reaches(&self, frame: u64) -> bool {
        (self.first..=self.end()).contains(&frame)
    }

    /// Returns the bytes that take back all frames from `frame` on.
    pub fn back(&mut self, frame: u64) -> Vec<u8> {
        let mut bytes = self.recorder.back(frame.saturating_sub(self.first));
        // What is taken back takes the file's note with it.
        bytes.extend(self.note());
        bytes
    }

    /// Returns the bytes that say so far that the computer has played, if it has.
    fn note(&mut self) -> Vec<u8> {
        if self.by_computer == 0 {
            Vec::new()
        } else {
            self.recorder.end(&[(COMPUTER, self.by_computer.to_string())])
        }
    }

    /// Returns the bytes of a frame and of what was done before it. One before the file's end takes
    /// back those between; `None` if it does not follow on any of them.
    pub fn push(&mut self, played: &Played) -> Option<Vec<u8>> {
        if !self.reaches(played.frame) {
            return None;
        }
        let mut bytes = vec![];
        if played.frame < self.end() {
            bytes.extend(self.back(played.frame));
        }
        for act in &played.acts {
            bytes.extend(match act {
                Act::Luck(lfsr) => self.recorder.chance(*lfsr),
                Act::Entered(position) => self.recorder.position(position),
                Act::Rose(rise) => self.recorder.rise(*rise),
            });
        }
        bytes.extend(self.recorder.push(played.pads).unwrap_or_default());
        if played.by_computer {
            self.by_computer += 1;
            if self.by_computer == 1 {
                // At once: the program may be killed.
                bytes.extend(self.note());
            }
        }
        Some(bytes)
    }

    /// Returns the bytes of the game's end before frame `now`; frames behind it, from which the
    /// game has gone back, are taken back. It may go on after a piece is taken back.
    pub fn finish(&mut self, now: u64, result: &[(&str, String)]) -> Vec<u8> {
        let mut bytes = if now < self.end() { self.back(now) } else { vec![] };
        let mut result = result.to_vec();
        if self.by_computer > 0 {
            result.push((COMPUTER, self.by_computer.to_string()));
        }
        bytes.extend(self.recorder.end(&result));
        bytes
    }
}
