//! The lines that breakpoints leave.

use std::collections::VecDeque;

use crate::breakpoint::Breakpoint;
use crate::expression::{Names, Scene};
use crate::symbols::place_of;
use crate::{Expression, ExpressionError, Notation, Symbols, Trigger};

/// As many lines are kept.
const LINES: usize = 10_000;

/// A text with values in it, as `score is {score}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogMessage {
    /// Text, and the value that stands behind it.
    parts: Vec<(String, Option<Expression>)>,
}

impl LogMessage {
    /// Reads a text, in which expressions stand between braces.
    ///
    /// # Errors
    /// The first of the expressions that is none; its column is that of the text.
    pub fn parse(text: &str, names: &Names) -> Result<Self, ExpressionError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let column = text[..text.len() - behind.len()].chars().count();
            let expected = "`}` behind an expression";
            let end = column + behind.chars().count() + 1;
            let (inner, after) =
                behind.split_once('}').ok_or(ExpressionError::Expected { column: end, expected })?;
            let expression = Expression::parse(inner, names).map_err(|error| error.shifted(column))?;
            parts.push((before.to_owned(), Some(expression)));
            rest = after;
        }
        parts.push((rest.to_owned(), None));
        Ok(Self { parts })
    }

    fn text(&self, scene: &Scene) -> String {
        let part = |(text, value): &(String, Option<Expression>)| match value {
            Some(value) => format!("{text}{}", Notation::Both.text(value.value(scene))),
            None => text.clone(),
        };
        self.parts.iter().map(part).collect()
    }
}

/// The last lines that breakpoints have left.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<String>,
    forgotten: u64,
}

impl Log {
    /// Takes the lines, the oldest first.
    pub fn take(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let forgotten = core::mem::take(&mut self.forgotten);
        if forgotten > 0 {
            lines.push(format!("({forgotten} older lines are forgotten)"));
        }
        lines.extend(core::mem::take(&mut self.lines));
        lines
    }

    pub(crate) fn line(&mut self, line: String) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
            self.forgotten += 1;
        }
        self.lines.push_back(line);
    }

    pub(crate) fn hit(&mut self, breakpoint: &Breakpoint, scene: &Scene, symbols: &Symbols) {
        if let Some(message) = &breakpoint.message {
            self.line(message.text(scene));
            return;
        }
        let Scene { cpu, board, access, .. } = scene;
        let banks = board.cartridge().prg_banks();
        let name = |address| symbols.text_place(address, place_of(address, banks));
        let what = match access {
            Some(access) => {
                let sign = if access.write { "<-" } else { "->" };
                let place = match breakpoint.trigger {
                    Trigger::Video { .. } => format!("ppu ${:04X}", access.address),
                    _ => name(access.address),
                };
                let why = access.fetched.map_or_else(String::new, |fetched| format!(" {}", fetched.text()));
                format!("{place} {sign} ${:02X}{why}", access.value)
            }
            None => breakpoint.trigger.to_string(),
        };
        self.line(format!(
            "breakpoint {} at frame {} cycle {}: {what}, pc {} A:{:02X} X:{:02X} Y:{:02X} SP:{:02X}",
            breakpoint.number,
            board.ppu().frame_number(),
            board.cycle(),
            name(cpu.pc),
            cpu.a,
            cpu.x,
            cpu.y,
            cpu.sp,
        ));
    }
}
