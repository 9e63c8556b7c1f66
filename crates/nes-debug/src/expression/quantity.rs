//! The quantities that have a name: registers, flags, time, the access under way, the game.

use nes::cpu::Status;
use tetris::{Piece, View, ram};

use super::Scene;
use crate::symbols::place_of;

macro_rules! quantities {
    ($($group:ident { $($variant:ident $name:literal $about:literal)+ })+) => {
        /// Something with a name and a value of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Quantity {
            $($(
                #[doc = $about]
                $variant,
            )+)+
        }

        /// What quantities are about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Group {
            $(
                #[allow(missing_docs, reason = "the names say it")]
                $group,
            )+
        }

        impl Quantity {
            /// Every one: group, name, meaning.
            pub const ALL: &[(Self, Group, &'static str, &'static str)] =
                &[$($((Self::$variant, Group::$group, $name, $about),)+)+];
        }
    };
}

quantities! {
    Register {
        A "a" "Accumulator."
        X "x" "Index register X."
        Y "y" "Index register Y."
        Sp "sp" "Stack pointer, 0-255."
        P "p" "Status register."
        Pc "pc" "Program counter."
        Carry "flag.c" "Carry, 0 or 1."
        Zero "flag.z" "Zero, 0 or 1."
        InterruptDisable "flag.i" "Interrupt disable, 0 or 1."
        Decimal "flag.d" "Decimal, 0 or 1."
        Overflow "flag.v" "Overflow, 0 or 1."
        Negative "flag.n" "Negative, 0 or 1."
        Opcode "opcode" "Opcode of the instruction that comes next."
        Place "place" "Where in PRG-ROM it lies, in bytes; -1 outside."
    }
    Time {
        Cycle "cycle" "Number of the CPU cycle that comes next, from power-on."
        Frame "frame" "Frames finished since power-on."
        Scanline "scanline" "Line of the PPU, 0-261, on PAL 0-311; of a fetch, when it fetched."
        Dot "dot" "Dot of the line, 0-340; of a fetch, when it fetched."
        Vram "v" "The PPU's address register v, 15 bits."
    }
    Access {
        Value "value" "What was read or written, in the condition of a breakpoint on memory; else 0."
        Address "address" "Where."
        IsWrite "is_write" "1 for a write, 0 for a read."
        Fetch "fetch" "What the PPU read it for: 0 an access of the CPU, 1 tile number, 2 attributes, 3 background, 4 sprite, 5 nothing."
    }
    Game {
        Piece "piece" "The piece in play, to compare with T J Z O S L I; -1 for none."
        Next "next" "The next piece; -1 for none."
        Orientation "orientation" "The game's number for piece and turn, $00-$13."
        Row "row" "Row of the piece's pivot, 0 at the top."
        Column "column" "Column of the piece's pivot, 0 at the left."
        Level "level" "The level."
        StartLevel "start_level" "The level that the game began with."
        Lines "lines" "Lines cleared (B-type: to go)."
        Score "score" "The score."
        Das "das" "The shift counter, 0-16."
        PlayState "state" "Play state: 1 active, 2 lock, 3 row check, 4 clear, 5 lines, 8 spawn, 10 curtain."
        GameMode "mode" "Game mode: 0 legal, 1 title, 2-3 menus, 4 game, 5 demo."
        Lfsr "lfsr" "The random number register."
        Spawns "spawns" "Pieces picked since reset, modulo 256."
        Held "held" "Buttons held, as the game has them."
        InPlay "in_play" "1 while a game or the demo is played."
        Late "late" "1 if the main loop is not waiting for the interrupt."
    }
}

impl Quantity {
    /// The one of that name, in lower or upper case.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, _, known, _)| known.eq_ignore_ascii_case(name));
        found.map(|&(quantity, ..)| quantity)
    }

    /// Does it need a cartridge of the game?
    pub fn is_of_game(self) -> bool {
        self.is_in(Group::Game)
    }

    /// Does it need an access under way?
    pub(super) fn is_of_access(self) -> bool {
        self.is_in(Group::Access)
    }

    fn is_in(self, wanted: Group) -> bool {
        Self::ALL.iter().any(|&(quantity, group, ..)| quantity == self && group == wanted)
    }

    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|&&(quantity, ..)| quantity == self).map_or("", |&(_, _, name, _)| name)
    }

    pub(super) fn nearest(name: &str) -> Option<&'static str> {
        let names = Self::ALL.iter().map(|&(_, _, known, _)| known);
        crate::nearest(name, names)
    }

    pub(super) fn value(self, scene: &Scene) -> i64 {
        let Scene { cpu, board, access, .. } = scene;
        let flag = |flag| i64::from(cpu.p.contains(flag));
        let ppu = || board.caught_up().ppu().clone();
        let fetched = access.and_then(|access| access.fetched);
        match self {
            Self::A => cpu.a.into(),
            Self::X => cpu.x.into(),
            Self::Y => cpu.y.into(),
            Self::Sp => cpu.sp.into(),
            Self::P => cpu.p.bits().into(),
            Self::Pc => cpu.pc.into(),
            Self::Carry => flag(Status::C),
            Self::Zero => flag(Status::Z),
            Self::InterruptDisable => flag(Status::I),
            Self::Decimal => flag(Status::D),
            Self::Overflow => flag(Status::V),
            Self::Negative => flag(Status::N),
            Self::Opcode => board.peek(cpu.pc).into(),
            Self::Place => place_of(cpu.pc, board.cartridge().prg_banks()).map_or(-1, i64::from),
            Self::Cycle => board.cycle() as i64,
            Self::Frame => board.ppu().frame_number() as i64,
            Self::Scanline => fetched.map_or_else(|| ppu().scanline(), |fetched| fetched.line).into(),
            Self::Dot => fetched.map_or_else(|| ppu().dot(), |fetched| fetched.dot).into(),
            Self::Fetch => fetched.map_or(0, |fetched| fetched.number().into()),
            Self::Vram => ppu().scroll().0.bits().into(),
            Self::Value => access.map_or(0, |access| access.value.into()),
            Self::Address => access.map_or(0, |access| access.address.into()),
            Self::IsWrite => access.map_or(0, |access| access.write.into()),
            _ => match scene.profile {
                Some(profile) if self == Self::Score => profile.score(board.ram()).into(),
                Some(profile) => self.of_game(View::new(&profile.as_mapped(board.ram()))),
                None => 0,
            },
        }
    }

    fn of_game(self, view: View) -> i64 {
        let piece = |piece: Option<Piece>| piece.map_or(-1, |piece| piece.number().into());
        match self {
            Self::Piece => piece(view.piece()),
            Self::Next => piece(view.next()),
            Self::Orientation => view.byte(ram::ORIENTATION).into(),
            Self::Row => view.row().into(),
            Self::Column => view.column().into(),
            Self::Level => view.level().into(),
            Self::StartLevel => view.byte(ram::START_LEVEL).into(),
            Self::Lines => view.lines().into(),
            Self::Das => view.das().into(),
            Self::PlayState => view.play_state().into(),
            Self::GameMode => view.game_mode().into(),
            Self::Lfsr => view.lfsr().into(),
            Self::Spawns => view.byte(ram::SPAWN_COUNT).into(),
            Self::Held => view.held().into(),
            Self::InPlay => view.in_play().into(),
            Self::Late => view.is_late().into(),
            _ => 0,
        }
    }
}
