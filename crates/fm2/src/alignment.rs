//! Which line of a file is which frame of the console.
//!
//! FCEUX switches the console on with two frames in which the PPU is dead: the first vertical blank
//! that a program can see begins its frame 2. Here, as on the console, it ends frame 0. So FCEUX's
//! line *i* is held in the console's frame *i* − 1, and line 0 in none. The reset button and the
//! power switch are the same again: the line that has the command is one that the console does not
//! have, and the command comes with the next. Only where commands follow each other line by line
//! there is but one such line, before the first of them.
//!
//! Measured with FCEUX 2.6.5, old and new PPU: `cargo xtask accuracy --fceux`.

use alloc::vec::Vec;

use super::{Commands, FrameInput};

/// From the lines of a file to the console's frames.
#[derive(Default)]
pub(super) struct Reader {
    frames: Vec<FrameInput>,
    begun: bool,
    /// The line before had a command, or it was the first.
    after_command: bool,
    /// What the line before did, which here comes with this one.
    commands: Commands,
}

impl Reader {
    pub(super) fn line(&mut self, line: FrameInput) {
        let dead = !self.begun || (!self.after_command && !line.commands.is_empty());
        if !dead {
            self.frames.push(FrameInput { commands: self.commands, ..line });
        }
        self.after_command = !self.begun || !line.commands.is_empty();
        self.begun = true;
        self.commands = line.commands;
    }

    /// The frames; one more if the file ends with a command.
    pub(super) fn finish(mut self) -> Vec<FrameInput> {
        if !self.commands.is_empty() {
            self.frames.push(FrameInput { commands: self.commands, ..FrameInput::default() });
        }
        self.frames
    }
}

/// From the console's frames to the lines of a file. What is held in the frame after a line that
/// the console does not have is held in that as well.
pub(super) fn lines(frames: &[FrameInput]) -> impl Iterator<Item = FrameInput> {
    numbered(frames).map(|(_, line)| line)
}

/// The line, counted from 0, in which each of the console's frames is.
pub(super) fn places(frames: &[FrameInput]) -> impl Iterator<Item = usize> {
    let mut lines = numbered(frames).map(|(frame, _)| frame).enumerate().peekable();
    // The last line of a frame is its own.
    core::iter::from_fn(move || {
        loop {
            let (line, frame) = lines.next()?;
            if lines.peek().is_none_or(|&(_, next)| next != frame) {
                return Some(line);
            }
        }
    })
}

/// The lines, each with its frame.
fn numbered(frames: &[FrameInput]) -> impl Iterator<Item = (usize, FrameInput)> {
    let commands = |frame: usize| frames.get(frame).map(|input| input.commands).unwrap_or_default();
    // Its command is on the line of the frame before.
    let joined = move |frame: usize| {
        !commands(frame).is_empty() && (frame == 1 || (frame > 1 && !commands(frame - 1).is_empty()))
    };
    frames.iter().enumerate().flat_map(move |(frame, &input)| {
        let own_line = frame == 0 || (!input.commands.is_empty() && !joined(frame));
        let next = if joined(frame + 1) { commands(frame + 1) } else { Commands::empty() };
        let line = FrameInput { commands: next, ..input };
        own_line.then_some(input).into_iter().chain([line]).map(move |line| (frame, line))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Buttons, Extra};

    fn input(commands: u8, pad: u8) -> FrameInput {
        FrameInput {
            commands: Commands::from_bits_retain(commands),
            pads: [Buttons::from_bits_retain(pad), Buttons::empty()],
            extra: Extra::None,
        }
    }

    fn read(lines: impl IntoIterator<Item = FrameInput>) -> Vec<FrameInput> {
        let mut reader = Reader::default();
        lines.into_iter().for_each(|line| reader.line(line));
        reader.finish()
    }

    #[test]
    fn line_i_is_frame_i_minus_1() {
        assert_eq!(read([input(0, 9), input(0, 1), input(0, 2)]), [input(0, 1), input(0, 2)]);
        assert_eq!(read([input(0, 9)]), []);
        assert_eq!(read([]), []);
    }

    #[test]
    fn a_command_has_a_line_of_its_own_and_comes_with_the_next() {
        let file = [input(0, 0), input(0, 1), input(1, 7), input(0, 2), input(2, 7), input(0, 3)];
        assert_eq!(read(file), [input(0, 1), input(1, 2), input(2, 3)]);
    }

    #[test]
    fn commands_line_by_line_have_one_such_line_in_all() {
        let file = [input(0, 0), input(0, 1), input(1, 7), input(2, 2), input(0, 3)];
        assert_eq!(read(file), [input(0, 1), input(1, 2), input(2, 3)]);
        assert_eq!(read([input(2, 7), input(1, 1), input(0, 2)]), [input(2, 1), input(1, 2)]);
    }

    #[test]
    fn a_command_at_the_end_is_not_lost() {
        assert_eq!(read([input(0, 0), input(0, 1), input(1, 7)]), [input(0, 1), input(1, 0)]);
    }

    #[test]
    fn a_line_that_the_console_does_not_have_holds_what_the_next_one_holds() {
        let frames = [input(0, 1), input(0, 2), input(1, 3)];
        let file = [input(0, 1), input(0, 1), input(0, 2), input(1, 3), input(0, 3)];
        assert_eq!(lines(&frames).collect::<Vec<_>>(), file);
        assert_eq!(lines(&[]).count(), 0);
        assert_eq!(places(&frames).collect::<Vec<_>>(), [1, 2, 4]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(frames in prop::collection::vec((0..4_u8, any::<u8>()), 0..40)) {
            let frames: Vec<_> = frames.into_iter().map(|(commands, pad)| input(commands, pad)).collect();
            prop_assert_eq!(read(lines(&frames)), frames);
        }

        #[test]
        fn frames_are_never_more_than_lines(file in prop::collection::vec((0..4_u8, any::<u8>()), 1..40)) {
            let count = file.len();
            prop_assert!(read(file.into_iter().map(|(commands, pad)| input(commands, pad))).len() <= count);
        }
    }
}
