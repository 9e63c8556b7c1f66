//! The APU's registers, decoded.

use nes::{BusEvent, Observer};

use super::scope::clock;
use crate::Debugger;

/// Frames of the past in which writes are looked for.
const FRAMES: u64 = 600;

/// Cycles between two shifts of the noise, NTSC (NESdev: APU Noise).
const NOISE: [u16; 16] = [4, 8, 16, 32, 64, 96, 128, 160, 202, 254, 380, 508, 762, 1016, 2034, 4068];
/// Cycles between two bits of the DMC, NTSC (NESdev: APU DMC).
const DMC: [u16; 16] = [428, 380, 340, 320, 286, 254, 226, 214, 190, 160, 142, 128, 106, 84, 72, 54];

/// What was last written to each register, `$4000`-`$4017`.
struct Written([Option<u8>; 0x18]);

impl Observer for Written {
    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        if event.write
            && let 0x4000..=0x4017 = event.address
        {
            self.0[usize::from(event.address & 0x1F)] = Some(event.value);
        }
    }
}

/// The registers as the program wrote them in the last ten seconds, and what they mean, a line a
/// channel; registers that were not written in that time are `--`.
pub fn sound(debugger: &Debugger) -> String {
    let mut written = Written([None; 0x18]);
    let first = debugger.console().frame_number().saturating_sub(FRAMES).max(debugger.oldest_frame());
    if let Some(mut replay) = debugger.replay_frame(first) {
        replay.run_to(debugger.console().cycle(), &mut written, |_, _| {});
    }
    let registers = &written.0;
    let raw = |first: usize, count: usize| -> String {
        let byte = |at: usize| registers[at].map_or_else(|| "--".to_owned(), |byte| format!("{byte:02X}"));
        (first..first + count).map(byte).collect::<Vec<_>>().join(" ")
    };
    let get = |at: usize| registers[at].unwrap_or(0);
    let status = debugger.console().board.caught_up().apu().peek_status();
    let sounds = |bit: u8| if status & bit == 0 { "silent" } else { "sounds" };
    let period = |at: usize| u16::from(get(at)) | u16::from(get(at + 1) & 7) << 8;
    let volume = |at: usize| {
        let kind = if get(at) & 0x10 == 0 { "envelope" } else { "volume" };
        let hold = if get(at) & 0x20 == 0 { "" } else { " held" };
        format!("{kind} {}{hold}", get(at) & 15)
    };
    let clock = clock(debugger.console().region());
    let mut lines = Vec::new();
    for (number, at, bit) in [(1, 0, 1), (2, 4, 2)] {
        let duty = ["12.5", "25", "50", "75"][usize::from(get(at) >> 6)];
        let sweep = get(at + 1);
        let bend = if sweep & 0x80 == 0 {
            "no sweep".to_owned()
        } else {
            format!(
                "sweep {} every {} by >> {}",
                if sweep & 8 == 0 { "down" } else { "up" },
                (sweep >> 4 & 7) + 1,
                sweep & 7
            )
        };
        let hertz = clock / (16.0 * f64::from(period(at + 2) + 1));
        lines.push(format!(
            "pulse {number}   {}  {}  period {:4} = {hertz:7.1} Hz  duty {duty}%  {}  {bend}",
            raw(at, 4),
            sounds(bit),
            period(at + 2),
            volume(at)
        ));
    }
    let hertz = clock / (32.0 * f64::from(period(10) + 1));
    lines.push(format!(
        "triangle  {}  {}  period {:4} = {hertz:7.1} Hz  linear {}{}",
        raw(8, 4),
        sounds(4),
        period(10),
        get(8) & 0x7F,
        if get(8) & 0x80 == 0 { "" } else { " held" }
    ));
    lines.push(format!(
        "noise     {}  {}  every {} cycles, {}  {}",
        raw(12, 4),
        sounds(8),
        NOISE[usize::from(get(14) & 15)],
        if get(14) & 0x80 == 0 { "long" } else { "short" },
        volume(12)
    ));
    lines.push(format!(
        "DMC       {}  {}  every {} cycles{}{}  from ${:04X}, {} bytes  level {}",
        raw(16, 4),
        sounds(16),
        DMC[usize::from(get(16) & 15)],
        if get(16) & 0x40 == 0 { "" } else { ", loops" },
        if get(16) & 0x80 == 0 { "" } else { ", IRQ" },
        0xC000 + u32::from(get(18)) * 64,
        u32::from(get(19)) * 16 + 1,
        get(17) & 0x7F
    ));
    let steps = if get(23) & 0x80 == 0 { "four steps" } else { "five steps" };
    let irq = if get(23) & 0x40 == 0 { "IRQ on" } else { "IRQ off" };
    lines.push(format!("$4015 {} (reads {status:02X})  $4017 {}  {steps}, {irq}", raw(21, 1), raw(23, 1)));
    lines.join("\n")
}
