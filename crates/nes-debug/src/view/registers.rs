//! Registers and flags, and where and why a run stopped.

use std::fmt::Write;

use tetris::events::Event;

use crate::{Debugger, Stop};

/// Registers, flags, time and the PPU's position, in two lines.
pub fn registers(debugger: &Debugger) -> String {
    let console = debugger.console();
    let (cpu, chips) = (&console.cpu, console.board.caught_up());
    let flags: String = "NV1BDIZC"
        .chars()
        .enumerate()
        .map(|(bit, flag)| if cpu.p.bits() << bit & 0x80 == 0 { flag.to_ascii_lowercase() } else { flag })
        .collect();
    let (v, t, fine_x, toggle) = chips.ppu().scroll();
    let (control, mask) = chips.ppu().control_and_mask();
    let pending = match (cpu.jammed, cpu.interrupt_pending()) {
        (true, _) => "  jammed",
        (_, true) => "  interrupt comes next",
        _ => "",
    };
    format!(
        "A {:02X}  X {:02X}  Y {:02X}  SP {:02X}  P {:02X} {flags}  PC {:04X} {}{pending}\n\
         frame {}  line {}  dot {}  cycle {}  v {:04X}  t {:04X}  x {fine_x}  w {}  ctrl {:02X}  mask {:02X}",
        cpu.a,
        cpu.x,
        cpu.y,
        cpu.sp,
        cpu.p.bits(),
        cpu.pc,
        debugger.symbols.text(cpu.pc),
        console.frame_number(),
        chips.ppu().scanline(),
        chips.ppu().dot(),
        console.cycle(),
        v.bits(),
        t.bits(),
        u8::from(toggle),
        control.bits(),
        mask.bits(),
    )
}

/// Where the machine is and why it stopped there, in a line.
pub fn stop(debugger: &Debugger, stop: &Stop) -> String {
    let console = debugger.console();
    let chips = console.board.caught_up();
    let pc = console.cpu.pc;
    let mut text = format!(
        "{}  frame {}  line {} dot {}  cycle {}",
        debugger.symbols.address_and_name(pc),
        console.frame_number(),
        chips.ppu().scanline(),
        chips.ppu().dot(),
        console.cycle()
    );
    if let Some(line) = debugger.source_line() {
        // Writing to a String cannot fail.
        let _ = write!(text, "  {}", debugger.sources.text(line));
    }
    let _ = match stop {
        Stop::Done => Ok(()),
        Stop::Breakpoint { number, access } => {
            let list = debugger.breakpoints.list();
            let trigger = list.iter().find(|breakpoint| breakpoint.number == *number);
            let trigger = trigger.map(|breakpoint| breakpoint.trigger.to_string()).unwrap_or_default();
            let access = access.map_or_else(String::new, |access| {
                let verb = if access.write { "wrote" } else { "read" };
                let why = access.fetched.map_or_else(String::new, |fetched| format!(" {}", fetched.text()));
                let (value, address, cycle) = (access.value, access.address, access.cycle);
                format!(": {verb} ${value:02X} at ${address:04X} in cycle {cycle}{why}")
            });
            write!(text, "  breakpoint {number} ({trigger}){access}")
        }
        Stop::Event { record, .. } => match (&record.event, debugger.crash()) {
            (Event::Crash { .. }, Some(crash)) => write!(text, "  {crash}"),
            _ => write!(text, "  {}", serde_json::to_string(record).unwrap_or_default()),
        },
        Stop::Limit => write!(text, "  as many frames as were allowed have passed"),
        Stop::Interrupted => write!(text, "  stopped"),
        Stop::Jammed => write!(text, "  the CPU has jammed: only a reset helps"),
        Stop::Oldest => write!(text, "  nothing older is remembered"),
    };
    text
}
