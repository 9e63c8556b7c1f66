//! The game's own panel: what its RAM means.

use std::fmt::Write;

use randomizers::Picker;
use tetris::{Piece, View, ram};

use super::{profile, scored_locks};
use crate::Debugger;

/// Frames of picks that are forecast.
const COMING: u32 = 8;
/// Frames whose slack is shown.
const FRAMES: usize = 8;
/// Frames in which a lock is looked for whose score timing is shown.
const SCORED_WITHIN: u64 = 60;

/// What each play state does (`ram::PLAY_STATE`).
fn state_name(state: u8) -> &'static str {
    match state {
        0 => "ended",
        1 => "active",
        2 => "lock",
        3 => "row check",
        4 => "clear",
        5 => "lines",
        6 => "B-type goal",
        7 => "garbage",
        8 => "spawn",
        10 => "curtain",
        _ => "?",
    }
}

/// Playfield, piece, timers, random numbers, statistics and what the frames have left, in lines;
/// `None` if the cartridge is no known one.
pub fn game(debugger: &Debugger) -> Option<String> {
    let profile_of_game = debugger.profile()?;
    let mapped = profile_of_game.as_mapped(debugger.console().ram());
    let view = View::new(&mapped);
    let field = playfield(view);
    let facts = facts(view, profile_of_game.score(debugger.console().ram()));
    let mut text = String::new();
    for line in 0..field.len().max(facts.len()) {
        let left = field.get(line).map_or("", String::as_str);
        let right = facts.get(line).map_or("", String::as_str);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{left:<22}  {right}");
    }
    for frame in profile(debugger, FRAMES) {
        let at = frame.interrupted.map_or_else(|| "no NMI".to_owned(), |pc| debugger.symbols.text(pc));
        let _ = writeln!(
            text,
            "frame {:>6}  {:>5} cycles, slack {:>5}  NMI came in {at}{}",
            frame.frame,
            frame.cycles,
            frame.slack,
            if frame.slack == 0 { "  late" } else { "" }
        );
    }
    if let Some(last) = scored_locks(debugger, SCORED_WITHIN, 1, false).first() {
        let _ = writeln!(text, "{}", last.text(debugger).replace("; ", "\n  "));
    }
    Some(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

/// The playfield as RAM has it, the piece in play over it: two characters a cell.
fn playfield(view: View) -> Vec<String> {
    let mut cells = [["· "; 10]; 20];
    for (row, line) in cells.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            if view.is_taken(row, column) {
                *cell = "# ";
            }
        }
    }
    if view.in_play() {
        view.piece_cells().for_each(|(column, row)| cells[row][column] = "O ");
    }
    let mut lines: Vec<String> = cells
        .iter()
        .map(|line| format!("|{}|", line.concat().trim_end_matches(' ').to_owned() + " "))
        .collect();
    lines.push(format!("+{}+", "-".repeat(20)));
    lines
}

fn facts(view: View, score: u32) -> Vec<String> {
    let letter = |piece: Option<Piece>| piece.map_or('-', Piece::letter);
    let das = usize::from(view.das().min(16));
    let byte = |place| view.byte(place);
    let mut lines = vec![
        format!("mode {}  state {} {}", view.game_mode(), view.play_state(), state_name(view.play_state())),
        format!("level {}  lines {}  score {score}", view.level(), view.lines()),
        format!(
            "piece {} (${:02X}) at row {} column {}  next {}",
            letter(view.piece()),
            byte(ram::ORIENTATION),
            view.row(),
            view.column(),
            letter(view.next())
        ),
        format!(
            "DAS [{}{}] {das}{}",
            "=".repeat(das),
            " ".repeat(16 - das),
            if das >= 10 { " charged" } else { "" }
        ),
        format!(
            "fall {} of {}  down {:02X}",
            byte(ram::FALL_TIMER),
            byte(ram::DROP_SPEED),
            byte(ram::DOWN_REPEAT)
        ),
        format!(
            "clear step {}  row check {}  rows to draw {:02X}",
            byte(ram::CLEAR_STEP),
            byte(ram::ROW_CHECK),
            byte(ram::VRAM_ROW)
        ),
        format!("held {:02X}  frame counter {}", view.held(), view.frame_counter()),
        format!(
            "LFSR ${:04X}  picked {}  last ${:02X}",
            view.lfsr(),
            byte(ram::SPAWN_COUNT),
            byte(ram::LAST_PIECE)
        ),
    ];
    let now = Picker {
        lfsr: view.lfsr(),
        spawn_count: byte(ram::SPAWN_COUNT),
        spawn_orientation: byte(ram::LAST_PIECE),
    };
    let picks: Vec<String> = (1..=COMING)
        .map(|frames| {
            let mut picker = now;
            picker.wait(frames);
            format!("+{frames} {}", picker.pick().letter())
        })
        .collect();
    for (index, half) in picks.chunks(4).enumerate() {
        let head = if index == 0 { "if it picks in:" } else { "               " };
        lines.push(format!("{head} {}", half.join("  ")));
    }
    let counts: Vec<String> =
        Piece::ALL.iter().zip(view.piece_counts()).map(|(piece, count)| format!("{piece}{count}")).collect();
    lines.push(format!("pieces: {}", counts.join(" ")));
    let clears = view.line_counts();
    lines.push(format!("clears: 1 {}  2 {}  3 {}  4 {}", clears[0], clears[1], clears[2], clears[3]));
    lines
}
