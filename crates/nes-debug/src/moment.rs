//! A moment of a session, and what the user did in it.

use nes::{Buttons, Console, Held, Memory};
use tetris::Profile;
use tetris::events::{Record, Watcher};

/// The machine at a moment, with what goes along with it.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) console: Console,
    /// What the game has done so far.
    pub(crate) watcher: Watcher,
    pub(crate) held: Held,
    /// The frame whose beginning has been gone through.
    pub(crate) begun: Option<u64>,
}

/// A register of the CPU that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Register {
    A,
    X,
    Y,
    Sp,
    P,
    Pc,
}

/// What is done to the machine from outside, between two instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A frame begins, in which this is held.
    Begin(Held),
    /// Other buttons are held from here on.
    Pads([Buttons; 2]),
    Poke(Memory, usize, u8),
    Set(Register, u16),
    Reset,
    /// Somebody has changed the console, which then had this state.
    Load(Vec<u8>),
}

impl Action {
    /// Bytes of the state that it keeps, if it keeps one.
    pub(crate) fn state_bytes(&self) -> usize {
        if let Self::Load(state) = self { state.len() } else { 0 }
    }
}

impl Moment {
    pub(crate) fn new(console: Console) -> Self {
        Self { console, watcher: Watcher::default(), held: Held::default(), begun: None }
    }

    pub(crate) fn apply(&mut self, action: &Action) {
        let Self { console, held: now, begun, .. } = self;
        match *action {
            Action::Begin(held) => {
                *now = held;
                *begun = Some(console.frame_number());
            }
            Action::Pads(pads) => now.pads = pads,
            Action::Poke(memory, offset, value) => {
                console.poke(memory, offset, value);
            }
            Action::Set(register, value) => {
                let cpu = &mut console.cpu;
                match register {
                    Register::A => cpu.a = value as u8,
                    Register::X => cpu.x = value as u8,
                    Register::Y => cpu.y = value as u8,
                    Register::Sp => cpu.sp = value as u8,
                    Register::P => cpu.p = nes::cpu::Status::pulled(value as u8),
                    Register::Pc => cpu.pc = value,
                }
            }
            Action::Reset if *begun == Some(console.frame_number()) => console.reset(),
            Action::Reset => console.reset_between_frames(),
            // It is a state of this cartridge.
            Action::Load(ref state) => drop(console.load(state)),
        }
    }

    /// A frame has ended: what the game did in it.
    pub(crate) fn end_frame(&mut self, profile: Option<&Profile>) -> Vec<Record> {
        let Some(profile) = profile else { return Vec::new() };
        self.watcher.observe(self.console.frame_number(), &profile.as_mapped(self.console.ram()))
    }
}
