//! The file of a game, as bytes that are written while it is played.

use practice::{COMPUTER, Header, Recorder};

use crate::practice::{Act, Played};

/// Makes the bytes of a kept game, frame by frame. Where they go is the front end's business.
#[derive(Clone, Debug)]
pub struct GameRecorder {
    recorder: Recorder,
    /// The frame, counted from power-on, with which the file begins.
    first: u64,
    /// The frame before which the first piece of the file's game had come in; `None` where the file
    /// has only the way to it, or has gone back to there.
    begun: Option<u64>,
    /// Frames in which the computer played, those that were taken back too.
    by_computer: u64,
}

impl GameRecorder {
    /// Returns a recorder of a game that begins with frame `first` from power-on, and the beginning
    /// of its file.
    pub fn new(header: &Header, first: u64) -> (Self, Vec<u8>) {
        let (recorder, bytes) = Recorder::new(header);
        (Self { recorder, first, begun: None, by_computer: 0 }, bytes)
    }

    /// Returns the frame that follows on the file's last.
    pub fn end(&self) -> u64 {
        self.first + self.recorder.frames()
    }

    /// Returns whether `frame` is one of the file's, or the one that follows.
    pub fn reaches(&self, frame: u64) -> bool {
        (self.first..=self.end()).contains(&frame)
    }

    /// The first piece of the file's game has come in before `frame`.
    pub fn begin(&mut self, frame: u64) {
        self.begun = Some(frame);
    }

    /// Returns whether the file has a game that had begun before `frame`: what begins from there
    /// is another, and what begins from an earlier frame is the same one again.
    pub fn has_game_before(&self, frame: u64) -> bool {
        self.begun.is_some_and(|begun| begun <= frame)
    }

    /// Returns the bytes that take back all frames from `frame` on.
    pub fn back(&mut self, frame: u64) -> Vec<u8> {
        self.begun = self.begun.filter(|begun| *begun <= frame);
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
    /// game has gone back, are taken back. It may go on after a piece is taken back. Where the game
    /// has gone back to before the file's first frame, the file cannot come to its state, and does
    /// not name it.
    pub fn finish(&mut self, now: u64, result: &[(&str, String)]) -> Vec<u8> {
        let mut bytes = if now < self.end() { self.back(now) } else { vec![] };
        let mut result = result.to_vec();
        if now < self.first {
            result.retain(|(name, _)| *name != "state");
        }
        if self.by_computer > 0 {
            result.push((COMPUTER, self.by_computer.to_string()));
        }
        bytes.extend(self.recorder.end(&result));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use nes::Buttons;
    use practice::{Header, Kept, Kind, Options};

    use super::*;

    fn recorder(first: u64) -> (GameRecorder, Vec<u8>) {
        GameRecorder::new(
            &Header {
                mode: Kind::Tetris.usual(),
                options: Options::default(),
                cartridge: "a game".to_owned(),
                crc32: 0,
                begun: 0,
                pieces: None,
                score: None,
            },
            first,
        )
    }

    fn played(frame: u64) -> Played {
        Played { frame, pads: [Buttons::A; 2], acts: vec![], by_computer: false }
    }

    #[test]
    fn a_game_is_another_unless_the_file_has_gone_back_to_before_it() {
        let (mut recorder, _) = recorder(0);
        assert!(!recorder.has_game_before(0));
        (0..5).for_each(|frame| drop(recorder.push(&played(frame)).expect("it follows")));
        recorder.begin(5);
        assert!(recorder.has_game_before(5) && !recorder.has_game_before(4));
        recorder.back(5);
        assert!(recorder.has_game_before(8), "the first piece came in before frame 5");
        recorder.push(&played(4)).expect("it goes back");
        assert!(!recorder.has_game_before(8), "that frame was taken back");
    }

    #[test]
    fn a_file_names_no_state_that_it_cannot_come_to() {
        for (now, named) in [(11, Some("0123")), (9, None)] {
            let (mut recorder, mut file) = recorder(10);
            file.extend(recorder.push(&played(10)).expect("it follows"));
            file.extend(recorder.finish(now, &[("state", "0123".to_owned()), ("score", "7".to_owned())]));
            let kept = Kept::read(&file).expect("a game");
            let value = |name| kept.result.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
            assert_eq!((value("state"), value("score")), (named, Some("7")), "before frame {now}");
        }
    }
}
