//! Commands that look at values and change them.

use core::ops::RangeInclusive;

use super::words::{Words, ends, value_now};
use super::{CommandError, CommandSession, Desk, Reply};
use crate::cheat;
use crate::expression::Names;
use crate::symbols::place_of;
use crate::{Expression, Notation, Register, Space};

const REGISTERS: [(&str, Register); 6] = [
    ("a", Register::A),
    ("x", Register::X),
    ("y", Register::Y),
    ("sp", Register::Sp),
    ("p", Register::P),
    ("pc", Register::Pc),
];

pub(super) fn expect(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let locals = session.locals();
    let names = Names { locals: Some(&locals), ..session.debugger.names() };
    let expression = words.expression(&names)?;
    let scene = session.debugger.scene();
    if expression.holds(&scene) {
        return Ok(Reply::default());
    }
    // Both sides of a comparison say more than that it does not hold.
    let mut sides = Vec::new();
    for sign in ["==", "!=", "<=", ">=", "<", ">"] {
        if let Some((left, right)) = expression.text().split_once(sign) {
            let value = |text: &str| {
                let parsed = Expression::parse(text, &names).ok()?;
                Some(format!("{} is {}", parsed.text(), Notation::Both.text(parsed.value(&scene))))
            };
            sides.extend([value(left), value(right)].into_iter().flatten());
            break;
        }
    }
    let found = if sides.is_empty() { String::new() } else { format!(": {}", sides.join(", ")) };
    let text = format!("expected {}{found}", expression.text());
    Ok(Reply { text, failed: true, quits: false })
}

pub(super) fn set(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let expected =
        "a register, [address] or [first..last], `=` and a value, as `set x = 5` or `set [0x44] = 29`";
    let usage = |column| CommandError::Usage { column, expected, command: "set" };
    let column = words.column();
    let mut place = words.before(&["="]);
    if !words.take("=") || words.is_empty() {
        return Err(usage(words.column()));
    }
    let behind = words.column();
    let value = words.expression(&session.debugger.names())?;
    let value = value_now(&value, behind, &session.debugger.scene())?;
    let text = place.rest();
    if let Some((_, register)) = REGISTERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        session.debugger.set(*register, value as u16);
        return Ok(Reply::default());
    }
    let (space, range) = memory_of(session, &mut place)?.ok_or_else(|| usage(column))?;
    poke(session, space, range, value as u8)
}

/// `[address]`, `[first-last]`, `[first..last]`, `oam[address]` and so on.
fn memory_of(
    session: &CommandSession,
    words: &mut Words,
) -> Result<Option<(Space, RangeInclusive<usize>)>, CommandError> {
    let text = words.rest();
    let Some((name, rest)) = text.split_once('[') else { return Ok(None) };
    let Some(inner) = rest.strip_suffix(']') else { return Ok(None) };
    let space = if name.is_empty() { Some(Space::Cpu) } else { Space::from_name(name.trim()) };
    let Some(space) = space else { return Ok(None) };
    let place = |text: &str, column: usize| {
        let expression = Expression::parse(text, &session.debugger.names())
            .map_err(|error| CommandError::Expression(error.shifted(column - 1)))?;
        let value = value_now(&expression, column, &session.debugger.scene())?;
        usize::try_from(value).map_err(|_| CommandError::Address { column, found: value })
    };
    let (first, last) = ends(inner, words.column() + name.chars().count() + 1, place)?;
    Ok(Some((space, first..=last)))
}

/// Writes `value` at each place of a range; nothing is written where one of them cannot be.
fn poke(
    session: &mut CommandSession,
    space: Space,
    range: RangeInclusive<usize>,
    value: u8,
) -> Result<Reply, CommandError> {
    let (first, last) = (*range.start(), *range.end());
    let name = |at: usize| format!("{}[${at:04X}]", space.name());
    let board = &session.debugger.console().board;
    let ends = [first, last].into_iter().find(|&at| at >= space.len(board));
    let wrong = ends.or_else(|| range.clone().find(|&at| space.place(board, at).is_none()));
    if let Some(at) = wrong {
        return Err(CommandError::NoMemory { place: name(at) });
    }
    let old: Vec<u8> = range.filter_map(|at| session.debugger.poke(space, at, value)).collect();
    Ok(Reply::text(match old.as_slice() {
        [] => return Err(CommandError::NoMemory { place: format!("{}-${last:04X}", name(first)) }),
        [old] => format!("{}: ${old:02X} -> ${value:02X}", name(first)),
        all => format!("{}-${last:04X}: {} bytes -> ${value:02X}", name(first), all.len()),
    }))
}

pub(super) fn freeze(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if words.is_empty() {
        let lines: Vec<String> = session
            .debugger
            .frozen()
            .iter()
            .map(|(address, value)| format!("{} = ${value:02X}", session.debugger.symbols.text(*address)))
            .collect();
        return Ok(Reply::text(if lines.is_empty() {
            "nothing is frozen".to_owned()
        } else {
            lines.join("\n")
        }));
    }
    let (first, last) = words.range(&session.debugger.names(), &session.debugger.scene())?;
    if last >= 0x2000 && first < 0x6000 || last >= 0x8000 {
        return Err(CommandError::NoMemory { place: format!("${last:04X}") });
    }
    let value = if words.is_empty() {
        None
    } else {
        let _ = words.take("=");
        let column = words.column();
        let value = words.expression(&session.debugger.names())?;
        Some(value_now(&value, column, &session.debugger.scene())? as u8)
    };
    for address in first..=last {
        let value = value.unwrap_or_else(|| session.debugger.console().peek(address));
        session.debugger.freeze(address, Some(value));
    }
    Ok(Reply::default())
}

pub(super) fn thaw(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let (first, last) = if words.take("all") || words.is_empty() {
        (0, u16::MAX)
    } else {
        words.range(&session.debugger.names(), &session.debugger.scene())?
    };
    let frozen: Vec<u16> =
        session.debugger.frozen().range(first..=last).map(|(address, _)| *address).collect();
    for address in frozen {
        session.debugger.freeze(address, None);
    }
    Ok(Reply::default())
}

pub(super) fn cheat(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let expected = "a Game Genie code of six or eight letters, `off` before it to take it out";
    let off = words.take("off");
    let usage = CommandError::Usage { column: words.column(), expected, command: "cheat" };
    let code = cheat::Genie::parse(words.word().ok_or(usage)?)?;
    // By the program as it was on the cartridge: another code may have changed the byte that is to
    // be compared.
    let mut board = session.debugger.console().board.cartridge().clone();
    let original = session.debugger.inserted().prg_rom().to_vec();
    for (place, &byte) in original.iter().enumerate() {
        board.poke_prg_rom(place, byte);
    }
    let places = code.places(&board);
    for &place in &places {
        session.debugger.poke(Space::Prg, place, if off { original[place] } else { code.value });
    }
    let compare = code.compare.map_or_else(String::new, |compare| format!(" where ${compare:02X} stands"));
    let count = match places.len() {
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    };
    let what = if off { "as it was".to_owned() } else { format!("= ${:02X}", code.value) };
    Ok(Reply {
        text: format!("${:04X} {what}{compare}: {count} of PRG-ROM", code.address),
        failed: places.is_empty(),
        quits: false,
    })
}

pub(super) fn label(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let usage = CommandError::Usage { column, expected: "a name and an address", command: "label" };
    let name = words.word().ok_or(usage)?;
    if words.is_empty() {
        let found = session.debugger.symbols.address(name);
        return match found {
            Some(address) => Ok(Reply::text(format!("{name} = ${address:04X}"))),
            None => Err(CommandError::Expression(session.debugger.names().unknown(name, column))),
        };
    }
    let (first, last) = words.range(&session.debugger.names(), &session.debugger.scene())?;
    let bytes = (last - first).saturating_add(1);
    // Where banks are switched, it is a label of what lies there now.
    let cartridge = session.debugger.console().board.cartridge();
    let place = place_of(first, cartridge.prg_banks()).filter(|_| cartridge.prg_rom().len() > 0x8000);
    let about = words.rest().to_owned();
    let label = crate::Label { place, bytes, about, ..crate::Label::new(name, first) };
    session.debugger.symbols.add(label);
    Ok(Reply::default())
}

pub(super) fn echo(_: &mut CommandSession, words: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    Ok(Reply::text(words.rest()))
}

pub(super) fn quit(_: &mut CommandSession, _: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    Ok(Reply { quits: true, ..Reply::default() })
}
