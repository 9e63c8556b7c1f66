//! The lines that breakpoints leave.

use std::collections::VecDeque;

use crate::breakpoint::Breakpoint;
use crate::expression::Scene;
use crate::symbols::place_of;
use crate::{Symbols, Trigger};

/// As many lines are kept.
const LINES: usize = 10_000;

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
