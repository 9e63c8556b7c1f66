//! What the NMI writes to the PPU, and when.

use std::ops::ControlFlow;

use nes::{Break, BusEvent, Buttons, Cpu, Mainboard, Observer};

use nes_testing::Game;
use nes_testing::game::I_UPRIGHT;
use tetris::ram::{self, play_state};

const LEVEL_COLOURS: u16 = 0x984C;
const LEVEL_GLYPHS: u16 = 0x96B8;
const LEVEL_ON_SCREEN: usize = 0x22BA;
const LEVEL_CHANGED: u8 = 2;

/// A game shown at `level`.
fn shown_at(level: u8) -> Game {
    let mut game = Game::in_play();
    game.poke(ram::LEVEL.at(), level);
    game.poke(ram::DIRTY.at(), LEVEL_CHANGED);
    game.wait(3);
    game
}

/// Where a level's colours are read: its last digit is found by subtracting tens until the byte
/// looks negative.
fn colour_index(level: u8) -> u16 {
    let mut rest = level;
    while rest.wrapping_sub(10) < 0x80 {
        rest -= 10;
    }
    u16::from(rest.wrapping_mul(4))
}

#[test]
fn colours_of_the_level_with_the_bug_from_138() {
    for level in (0..=30).chain([137, 138, 150, 191, 192, 200, 201, 202, 255]) {
        let game = shown_at(level);
        let palette = *game.console.board.ppu().palette_ram();
        let address = LEVEL_COLOURS + colour_index(level);
        let colours = [0, 1, 2, 3].map(|colour| game.console.peek(address + colour) & 0x3F);
        assert_eq!(palette[0x08..0x0C], colours, "background, level {level}");
        assert_eq!(palette[0x19..0x1C], colours[1..], "pieces, level {level}");
    }
}

#[test]
fn the_colour_bug_spares_the_levels_192_to_201() {
    for level in 0..=255_u8 {
        let right = u16::from(level % 10 * 4);
        let is_right = colour_index(level) == right;
        match level {
            0..138 => assert!(is_right, "level {level}"),
            192..202 => assert_eq!(colour_index(level), u16::from(level - 192) * 4),
            138.. => assert!(colour_index(level) >= 40, "level {level}: within the table"),
        }
    }
    let colours = |level| shown_at(level).console.board.ppu().palette_ram()[0x08..0x0C].to_vec();
    assert_eq!(colours(192), colours(0));
    assert_eq!(colours(201), colours(9));
}

#[test]
fn levels_to_29_are_shown_as_their_number_and_those_beyond_as_what_follows() {
    for (level, tiles) in [
        (0, [0x0, 0x0]),
        (9, [0x0, 0x9]),
        (10, [0x1, 0x0]),
        (18, [0x1, 0x8]),
        (19, [0x1, 0x9]),
        (29, [0x2, 0x9]),
        (30, [0x0, 0x0]),
        (31, [0x0, 0xA]),
        (32, [0x1, 0x4]),
        (33, [0x1, 0xE]),
    ] {
        let game = shown_at(level);
        let shown = [0, 1].map(|tile| game.nametable(LEVEL_ON_SCREEN + tile));
        assert_eq!(shown, tiles, "level {level}");
    }
    for level in (30..=255).step_by(15) {
        let game = shown_at(level);
        let byte = game.console.peek(LEVEL_GLYPHS + u16::from(level));
        let shown = [0, 1].map(|tile| game.nametable(LEVEL_ON_SCREEN + tile));
        assert_eq!(shown, [byte >> 4, byte & 15], "level {level}");
    }
}

/// Measures the NMI, whose last act is to read the pads, in CPU cycles from the dot in which vblank
/// begins.
#[derive(Default)]
pub(crate) struct NmiTrace {
    /// The cycle in which vblank began, while the NMI runs.
    vblank: Option<u64>,
    last_write: u64,
    end: u64,
}

impl NmiTrace {
    const ENTRY: u16 = 0x8005;
    const RETURN: u16 = 0x804A;
    const FIRST_LINE: u64 = 241;
    const DOTS_A_LINE: u64 = 341;
    /// Twenty lines of 341 dots, three dots a cycle.
    const VBLANK_CYCLES: u64 = 20 * Self::DOTS_A_LINE / 3;
}

impl Observer for NmiTrace {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        match (cpu.pc, self.vblank) {
            (Self::ENTRY, _) => {
                let board = board.caught_up();
                let line = u64::from(board.ppu().scanline()) - Self::FIRST_LINE;
                let dots = line * Self::DOTS_A_LINE + u64::from(board.ppu().dot()) - 1;
                self.vblank = Some(board.cycle() - dots.div_ceil(3));
            }
            (Self::RETURN, Some(vblank)) => {
                self.end = self.end.max(board.cycle() - vblank);
                self.vblank = None;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        let ppu = matches!(event.address, 0x2000..=0x3FFF | 0x4014);
        if let (true, true, Some(vblank)) = (event.write, ppu, self.vblank) {
            self.last_write = self.last_write.max(event.cycle - vblank);
        }
    }
}

pub(crate) fn assert_in_vblank(trace: &NmiTrace, when: &str) {
    let NmiTrace { last_write, end, .. } = trace;
    assert!(
        (500..NmiTrace::VBLANK_CYCLES).contains(last_write),
        "{when}: the NMI's last write to the PPU came {last_write} cycles into vblank, of {}; its end {end}",
        NmiTrace::VBLANK_CYCLES
    );
}

#[test]
fn the_nmi_writes_within_vblank_in_a_four_line_clear_at_any_level_below_100() {
    let mut trace = NmiTrace::default();
    for level in 0..100 {
        let mut game = Game::in_play();
        game.clear_playfield();
        (16..20).for_each(|row| game.set_row(row, "#####.####"));
        game.poke(ram::LEVEL.at(), level);
        // With these four the level goes up, and the tens and hundreds of everything with it.
        game.set_lines(10 * (usize::from(level) + 1) - 1);
        game.set_score(999_000);
        game.set_piece(I_UPRIGHT, 5, 18);
        for frame in 0..45 {
            let buttons = if frame % 8 == 0 { Buttons::SELECT } else { Buttons::empty() };
            game.watch(buttons, &mut trace);
        }
        assert_eq!(game.at(ram::LEVEL.at()), level + 1);
        assert_in_vblank(&trace, &format!("level {level}"));
    }
}

#[test]
fn the_nmi_writes_within_vblank_in_games_played_to_the_top() {
    let mut trace = NmiTrace::default();
    for level in [0, 9, 18, 29, 99] {
        let mut game = Game::start(0);
        game.poke(ram::START_LEVEL.at(), level);
        game.poke(ram::LEVEL.at(), level);
        // Soft drops, each begun anew: the fullest frames there are without a clear.
        for _ in 0..3_000 {
            let falling = game.at(ram::PIECE_Y.at()) > 0 || matches!(game.at(ram::DOWN_REPEAT.at()), 1 | 2);
            let buttons = if falling { Buttons::DOWN } else { Buttons::empty() };
            game.watch(buttons, &mut trace);
            if game.state() == play_state::CURTAIN {
                break;
            }
        }
        assert_eq!((game.state(), game.at(ram::LEVEL.at())), (play_state::CURTAIN, level));
        assert_in_vblank(&trace, &format!("level {level}"));
    }
}
