//! Commands that show what is in the machine.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply};
use crate::view::{self, CallKind};
use crate::{Space, Timeline};

pub(super) fn registers(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    Ok(Reply::text(view::registers(&session.debugger)))
}

pub(super) fn disassemble(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if !words.is_empty() {
        (session.cursor, _) = words.range(&session.debugger.names(), &session.debugger.scene())?;
    }
    let count = words.number().unwrap_or(16).clamp(1, 4096) as usize;
    let lines = view::disassembly(&session.debugger, session.cursor, count + 1);
    session.cursor = lines.last().map_or(session.cursor, |line| line.address);
    let lines: Vec<String> = lines[..count].iter().map(view::Line::text).collect();
    Ok(Reply::text(lines.join("\n")))
}

pub(super) fn memory(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let mut ahead = *words;
    let space = ahead.word().and_then(Space::from_name);
    if space.is_some() {
        *words = ahead;
    }
    let space = space.unwrap_or(Space::Cpu);
    let column = words.column();
    if words.is_empty() {
        let expected =
            "a memory (cpu, ppu, oam, palette, prg, chr; cpu if left out), an address, a number of bytes";
        return Err(CommandError::Usage { column, expected, command: "memory" });
    }
    let at = words.value(&session.debugger.names(), &session.debugger.scene())?;
    let at = usize::try_from(at).map_err(|_| CommandError::Address { column, found: at })?;
    let count = words.number().unwrap_or(128).min(0x1_0000) as usize;
    Ok(Reply::text(view::hex(&session.debugger, space, at, count, None)))
}

pub(super) fn find(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let expected = "bytes in hexadecimal, as `find A9 29`, or a memory and bytes, as `find prg A9 29`";
    let mut ahead = *words;
    let space = ahead.word().and_then(Space::from_name);
    if space.is_some() {
        *words = ahead;
    }
    let space = space.unwrap_or(Space::Cpu);
    let mut wanted = Vec::new();
    while !words.is_empty() {
        let usage = CommandError::Usage { column: words.column(), expected, command: "find" };
        let byte = words.word().and_then(|word| u8::from_str_radix(word.trim_start_matches('$'), 16).ok());
        wanted.push(byte.ok_or(usage)?);
    }
    if wanted.is_empty() {
        return Err(CommandError::Usage { column: words.column(), expected, command: "find" });
    }
    let bytes = space.bytes(session.debugger.console());
    let found: Vec<usize> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter(|(_, window)| *window == wanted)
        .map(|(at, _)| at)
        .collect();
    let mut lines: Vec<String> = found
        .iter()
        .take(32)
        .map(|&at| match (space, u16::try_from(at)) {
            (Space::Cpu, Ok(address)) => session.debugger.symbols.address_and_name(address),
            _ => format!("{}[${at:04X}]", space.name()),
        })
        .collect();
    lines.insert(0, format!("{} places", found.len()));
    Ok(Reply { text: lines.join("\n"), failed: found.is_empty(), quits: false })
}

pub(super) fn stack(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let symbols = &session.debugger.symbols;
    let console = session.debugger.console();
    let mut lines: Vec<String> = view::calls(&session.debugger)
        .iter()
        .map(|call| {
            let kind = match call.kind {
                CallKind::Subroutine => "JSR",
                CallKind::Nmi => "NMI",
                CallKind::Irq => "IRQ",
            };
            let seen = if call.seen { "" } else { "  (by what lies on the stack)" };
            format!(
                "{kind}  {} from {}  SP {:02X}{seen}",
                symbols.text(call.to),
                symbols.text(call.from),
                call.sp
            )
        })
        .collect();
    lines.push(format!("at   {}  SP {:02X}", symbols.text(console.cpu.pc), console.cpu.sp));
    if !session.debugger.sources.is_empty() {
        let frames = view::stack_frames(&session.debugger);
        lines.extend(frames.iter().map(|frame| format!("in   {}", frame.text(&session.debugger))));
    }
    let top = (u16::from(console.cpu.sp) + 1..0x100).take(16);
    let bytes: Vec<String> = top.map(|at| format!("{:02X}", console.peek(0x100 + at))).collect();
    lines.push(format!("top  {}", bytes.join(" ")));
    Ok(Reply::text(lines.join("\n")))
}

pub(super) fn game(session: &mut CommandSession, _: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    view::game(&session.debugger).map(Reply::text).ok_or(CommandError::NoGame)
}

pub(super) fn timeline(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let Timeline { oldest, now, newest, milestones } = session.debugger.timeline();
    let mut lines = vec![format!("frames {oldest} to {newest} are remembered; the machine stands in {now}")];
    lines.extend(
        milestones.iter().map(|milestone| format!("{:>8}  {}", milestone.frame, milestone.kind.name())),
    );
    Ok(Reply::text(lines.join("\n")))
}

pub(super) fn apu(session: &mut CommandSession, _: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    Ok(Reply::text(view::sound(&session.debugger)))
}

pub(super) fn profile(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let count = words.number().unwrap_or(1).clamp(1, 600) as usize;
    let mut lines = Vec::new();
    for frame in view::profile(&session.debugger, count) {
        let at =
            frame.interrupted.map_or_else(|| "no NMI".to_owned(), |pc| session.debugger.symbols.text(pc));
        lines.push(format!(
            "frame {}: {} cycles, {} of them DMA, slack {} before the NMI in {at}",
            frame.frame, frame.cycles, frame.dma, frame.slack
        ));
        let shown = if count == 1 { 24 } else { 5 };
        for (label, cycles) in frame.by_label(&session.debugger).into_iter().take(shown) {
            let share = cycles as f64 * 100.0 / frame.cycles.max(1) as f64;
            lines.push(format!("  {cycles:>6}  {share:5.1} %  {label}"));
        }
    }
    if lines.is_empty() {
        lines.push("no frame is over yet".to_owned());
    }
    Ok(Reply::text(lines.join("\n")))
}

pub(super) fn clears(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if session.debugger.profile().is_none() {
        return Err(CommandError::NoGame);
    }
    let all = words.take("all");
    let column = words.column();
    let count = if words.is_empty() { Some(8) } else { words.number().filter(|_| words.is_empty()) };
    let expected = "`all` for locks without rows too, and how many";
    let count = count.ok_or(CommandError::Usage { column, expected, command: "clears" })?;
    let count = count.clamp(1, 100) as usize;
    let scored_locks = view::scored_locks(&session.debugger, u64::MAX, count, !all);
    let lines: Vec<String> = scored_locks.iter().map(|it| it.text(&session.debugger)).collect();
    Ok(Reply::text(match (lines.is_empty(), all) {
        (true, true) => "no lock was scored in the last minute".to_owned(),
        (true, false) => "no rows were cleared in the last minute: `clears all` has every lock".to_owned(),
        _ => lines.join("\n"),
    }))
}

pub(super) fn accesses(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let mut lines: Vec<(u64, String)> = view::accesses(&session.debugger)
        .iter()
        .map(|access| {
            let sign = if access.write { "<-" } else { "->" };
            let pc = session.debugger.symbols.text(access.pc);
            let place = format!("line {:3} dot {:3}", access.line, access.dot);
            (access.cycle, format!("{place}  ${:04X} {sign} {:02X}  {pc}", access.address, access.value))
        })
        .collect();
    lines.extend(view::happenings(&session.debugger).iter().map(|happened| {
        let place = format!("line {:3} dot {:3}", happened.line, happened.dot);
        (happened.cycle, format!("{place}  {}", happened.what.name()))
    }));
    lines.sort_by_key(|&(cycle, _)| cycle);
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    Ok(Reply::text(if lines.is_empty() { "no accesses".to_owned() } else { lines.join("\n") }))
}

pub(super) fn help(_: &mut CommandSession, words: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    use super::{COMMANDS, Command};
    use crate::expression::{Group, Quantity};
    let Some(name) = words.word() else {
        let mut lines: Vec<String> =
            COMMANDS.iter().map(|command| format!("{:<12} {}", command.name, command.about)).collect();
        lines.push("`help COMMAND` says more; `help expressions` lists what has a name in them".to_owned());
        return Ok(Reply::text(lines.join("\n")));
    };
    if name == "expressions" {
        let mut lines = vec![
            "48 0x30 $30 %110000; || && | ^ & == != < <= > >= << >> + - * / % ! - ~ ( )".to_owned(),
            "[address] {address} ppu[…] oam[…] palette[…] prg[…] chr[…]; @name is a symbol's address"
                .to_owned(),
        ];
        for group in [Group::Register, Group::Time, Group::Access, Group::Game] {
            let of_group = Quantity::ALL.iter().filter(|(_, its, ..)| *its == group);
            lines.extend(of_group.map(|(_, _, name, about)| format!("  {name:<12} {about}")));
        }
        return Ok(Reply::text(lines.join("\n")));
    }
    let command = Command::of_name(name).ok_or_else(|| CommandError::Unknown {
        name: name.to_owned(),
        nearest: crate::nearest(name, COMMANDS.iter().map(|command| command.name)),
    })?;
    Ok(Reply::text(command.help()))
}
