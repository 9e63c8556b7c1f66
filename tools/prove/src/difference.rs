//! In what two consoles differ, said so that it can be found again.

use crate::case::{Case, Kind};
use nes::{Console, Frame};
use serde::Serialize;
use std::fmt;

/// Fields of the board that are no state, and the output.
const NO_STATE: [&str; 8] =
    ["next_event", "status_cycle", "status_value", "oam_dma", "released", "frame", "synth", "ciram"];

/// A fast console that was not what the slow one was.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Kind of the case.
    pub kind: Kind,
    /// Seed of the case.
    pub seed: u64,
    /// The case in words.
    pub case: String,
    /// Which of the fast consoles differs.
    pub machine: &'static str,
    /// The frame, from 1 after power-on.
    pub frame: u32,
    /// The CPU cycle in which that frame began.
    pub cycle: u64,
    /// The first thing found to differ.
    pub what: String,
    /// The instruction after which the consoles differ.
    pub place: String,
    /// The smallest program found that still differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

impl Difference {
    pub(crate) fn new(
        case: &Case,
        machine: &'static str,
        frame: u32,
        cycle: u64,
        what: String,
        place: String,
    ) -> Self {
        let Case { kind, seed, .. } = *case;
        Self { kind, seed, case: case.to_string(), machine, frame, cycle, what, place, program: None }
    }

    /// The command that runs this case again, folders of suites aside.
    pub fn replay(&self) -> String {
        format!("cargo xtask prove --kind {} --seed {}", self.kind, self.seed)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, machine, frame, cycle, what, place, program, .. } = self;
        writeln!(f, "DIFFERENT: {case}")?;
        writeln!(f, "  the {machine} console in frame {frame}, which begins in cycle {cycle}")?;
        writeln!(f, "  {what}")?;
        writeln!(f, "  {place}")?;
        if let Some(program) = program {
            writeln!(f, "  smallest program that differs: {program}")?;
        }
        write!(f, "  again: {}", self.replay())
    }
}

/// The first part of the state that differs: `expected` is the slow console's.
pub(crate) fn first_difference(expected: &Console, found: &Console) -> Option<String> {
    if expected == found {
        return None;
    }
    let (left, right) = (expected.cycle(), found.cycle());
    if left != right {
        return Some(format!("cycle: expected {left}, found {right}"));
    }
    if expected.cpu != found.cpu {
        return Some(format!("CPU: expected {:?}, found {:?}", expected.cpu, found.cpu));
    }
    let (left, right) = (expected.board.caught_up(), found.board.caught_up());
    let bytes = |name: &str, left: &[u8], right: &[u8]| {
        let at = left.iter().zip(right).position(|(left, right)| left != right)?;
        Some(format!("{name} ${at:03X}: expected ${:02X}, found ${:02X}", left[at], right[at]))
    };
    bytes("RAM", left.ram(), right.ram())
        .or_else(|| bytes("nametable memory", left.ciram(), right.ciram()))
        .or_else(|| bytes("OAM", left.ppu().oam(), right.ppu().oam()))
        .or_else(|| bytes("palette", left.ppu().palette_ram(), right.ppu().palette_ram()))
        .or_else(|| first_line(&format!("{:#?}", left.ppu()), &format!("{:#?}", right.ppu())))
        .or_else(|| first_line(&format!("{:#?}", left.apu()), &format!("{:#?}", right.apu())))
        .or_else(|| first_line(&format!("{left:#?}"), &format!("{right:#?}")))
        .or_else(|| Some("the state, in something that is not printed".to_owned()))
}

/// The first line in which two printed values differ, with the path of fields to it.
fn first_line(left: &str, right: &str) -> Option<String> {
    let mut path: Vec<(&str, usize)> = Vec::new();
    for (left, right) in left.lines().zip(right.lines()) {
        let depth = (left.len() - left.trim_start().len()) / 4;
        path.truncate(depth + 1);
        if path.len() <= depth {
            path.resize(depth + 1, ("", 0));
        }
        let (name, index) = path[depth];
        let label = left.trim().split(&[':', ' ', '(', '{'][..]).next().unwrap_or_default();
        path[depth] = (label, index + usize::from(!name.is_empty()));
        let state = path.get(1).is_none_or(|(field, _)| !NO_STATE.contains(field));
        if left != right && state {
            let names: Vec<String> = path.iter().map(|(name, index)| segment(name, *index)).collect();
            return Some(format!("{}: expected {}, found {}", names.join("."), left.trim(), right.trim()));
        }
    }
    None
}

/// A field by its name, an element by its number.
fn segment(name: &str, index: usize) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("[{index}]")
    } else {
        name.to_owned()
    }
}

/// The first pixel that differs.
pub(crate) fn picture_difference(expected: &Console, found: &Console) -> Option<String> {
    let (expected, found) = (expected.picture().pixels(), found.picture().pixels());
    let at = expected.iter().zip(found).position(|(expected, found)| expected != found)?;
    let differing = expected.iter().zip(found).filter(|(expected, found)| expected != found).count();
    let (x, y) = (at % Frame::WIDTH, at / Frame::WIDTH);
    Some(format!(
        "picture at x {x}, y {y}: expected ${:03X}, found ${:03X} ({differing} pixels differ)",
        expected[at], found[at]
    ))
}

/// The first sample that differs by a bit.
pub(crate) fn sample_difference(expected: &Console, found: &Console) -> Option<String> {
    let (expected, found) = (expected.samples(), found.samples());
    if expected.len() != found.len() {
        return Some(format!("sound: expected {} samples, found {}", expected.len(), found.len()));
    }
    let differ = |(expected, found): (&f32, &f32)| expected.to_bits() != found.to_bits();
    let at = expected.iter().zip(found).position(differ)?;
    Some(format!("sound, sample {at} of the frame: expected {}, found {}", expected[at], found[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_differs_is_named_by_its_path() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "only printed")]
        struct Chip {
            dot: u8,
            memory: [u8; 3],
        }
        let chip = |value| format!("{:#?}", Chip { dot: 1, memory: [5, value, 7] });
        assert_eq!(first_line(&chip(6), &chip(6)), None);
        assert_eq!(first_line(&chip(6), &chip(9)).as_deref(), Some("Chip.memory.[1]: expected 6,, found 9,"));
    }
}
