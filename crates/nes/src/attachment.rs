//! Attachments: what goes along with a run, sees it, and may change the console between two
//! instructions.

use core::ops::ControlFlow;

use crate::{Break, BusEvent, Console, FetchEvent, Observer};

/// Something attached to a run: other pieces, a guard, a script's hooks, breakpoints.
///
/// It is a type parameter of the run, so that `()` costs nothing. Every [`Observer`] is an
/// attachment that changes nothing. Two attachments make one as a pair of references, and so does
/// an [`Option`] of one. The constants and the `selects_` methods mean what they mean in
/// [`Observer`]: whoever selects leaves everything else to the fast paths.
///
/// ```
/// use core::ops::ControlFlow;
/// use nes::{Attachment, Break, Buttons, Cartridge, Config, Console};
///
/// /// Puts a value into X before each instruction at an address.
/// struct Cheat(u16, u8);
///
/// impl Attachment for Cheat {
///     const WATCHES: bool = false;
///     const SELECTS: bool = true;
///
///     fn selects_step(&self, pc: u16) -> bool {
///         pc == self.0
///     }
///
///     fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
///         if console.cpu.pc == self.0 {
///             console.cpu.x = self.1;
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
/// image.resize(16 + 0x8000 + 0x2000, 0xEA); // NOP throughout
/// let mut console = Console::new(Cartridge::from_bytes(&image)?, Config::default());
/// let (mut cheat, mut other) = (Cheat(0xEB00, 7), Cheat(0xEC00, 8));
/// let mut pads = [Buttons::empty(); 2];
/// while console.cpu.x != 8 {
///     console.run_frame(&mut pads, &mut (&mut cheat, &mut other));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Attachment {
    /// See [`Observer::WATCHES`].
    const WATCHES: bool = true;

    /// See [`Observer::SELECTS`].
    const SELECTS: bool = false;

    /// See [`Observer::FETCHES`].
    const FETCHES: bool = false;

    /// Whether [`Attachment::step`] may change the console.
    const ACTS: bool = true;

    /// Whether the machine is compiled for an attachment that selects, as in builds for users, or
    /// called through a pointer. The latter is for builds with debug assertions: there the many
    /// attachments of the tests would be a fifth of the time that they take to build. A machine
    /// has 200 KB, so that those of tools, whose users wait for something else, are not compiled
    /// either. Tests set it to run both paths in the same build.
    const COMPILED: bool = !cfg!(debug_assertions);

    /// See [`Observer::due`].
    #[inline(always)]
    fn due(&self) -> bool {
        false
    }

    /// See [`Observer::selects_step`].
    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        let _ = pc;
        false
    }

    /// See [`Observer::selects_bus`].
    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        let _ = (address, write);
        false
    }

    /// Whether [`Attachment::step`] may change the console before an instruction at `pc`. Of two
    /// attachments each answers for itself: one that only looks on does not make the other's looks
    /// changes.
    #[inline(always)]
    fn may_act(&self, pc: u16) -> bool {
        Self::ACTS && (Self::WATCHES || Self::SELECTS && (self.due() || self.selects_step(pc)))
    }

    /// Called before each instruction, or before those that were selected. It may change `console`
    /// in any way, even to another moment: the run goes on from there. A break ends the run here;
    /// the next run asks again. `console` may lag behind as [`Observer::step`] says.
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break>;

    /// See [`Observer::bus`].
    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let _ = event;
    }

    /// See [`Observer::fetch`].
    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        let _ = event;
    }
}

/// What the run needs of an attachment, as an object.
pub(crate) trait ErasedAttachment {
    fn due(&self) -> bool;
    fn selects_step(&self, pc: u16) -> bool;
    fn selects_bus(&self, address: u16, write: bool) -> bool;
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break>;
    fn bus(&mut self, event: BusEvent);
    fn fetch(&mut self, event: FetchEvent);
}

impl<A: Attachment> ErasedAttachment for A {
    fn due(&self) -> bool {
        Attachment::due(self)
    }

    fn selects_step(&self, pc: u16) -> bool {
        Attachment::selects_step(self, pc)
    }

    fn selects_bus(&self, address: u16, write: bool) -> bool {
        Attachment::selects_bus(self, address, write)
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        Attachment::step(self, console)
    }

    fn bus(&mut self, event: BusEvent) {
        Attachment::bus(self, event);
    }

    fn fetch(&mut self, event: FetchEvent) {
        Attachment::fetch(self, event);
    }
}

/// Any attachment that sees everything. One type for all of them: a run is compiled once for it.
pub(crate) struct Erased<'a, const FETCHES: bool>(pub(crate) &'a mut dyn ErasedAttachment);

impl<const FETCHES: bool> Attachment for Erased<'_, FETCHES> {
    const FETCHES: bool = FETCHES;

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        self.0.step(console)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }

    fn fetch(&mut self, event: FetchEvent) {
        self.0.fetch(event);
    }
}

/// Any attachment that selects what it sees.
pub(crate) struct ErasedSelection<'a>(pub(crate) &'a mut dyn ErasedAttachment);

impl Attachment for ErasedSelection<'_> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    fn due(&self) -> bool {
        self.0.due()
    }

    fn selects_step(&self, pc: u16) -> bool {
        self.0.selects_step(pc)
    }

    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.0.selects_bus(address, write)
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        self.0.step(console)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }
}

impl<O: Observer> Attachment for O {
    const WATCHES: bool = O::WATCHES;
    const SELECTS: bool = O::SELECTS;
    const FETCHES: bool = O::FETCHES;
    const ACTS: bool = false;
    const COMPILED: bool = O::COMPILED;

    #[inline(always)]
    fn due(&self) -> bool {
        Observer::due(self)
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        Observer::selects_step(self, pc)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        Observer::selects_bus(self, address, write)
    }

    #[inline(always)]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        Observer::step(self, &console.cpu, &console.board)
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        Observer::bus(self, event);
    }

    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        Observer::fetch(self, event);
    }
}

/// Both are attached. The second is asked after the first, sees what it has changed, and is not
/// asked where the first breaks. So one that may break comes first: when the run goes on, whoever
/// comes later has not been asked twice.
impl<A: Attachment, B: Attachment> Attachment for (&mut A, &mut B) {
    const WATCHES: bool = A::WATCHES || B::WATCHES;
    const SELECTS: bool = A::SELECTS || B::SELECTS;
    const FETCHES: bool = A::FETCHES || B::FETCHES;
    const ACTS: bool = A::ACTS || B::ACTS;
    const COMPILED: bool = A::COMPILED && B::COMPILED;

    #[inline(always)]
    fn due(&self) -> bool {
        A::SELECTS && self.0.due() || B::SELECTS && self.1.due()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        A::SELECTS && self.0.selects_step(pc) || B::SELECTS && self.1.selects_step(pc)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        A::SELECTS && self.0.selects_bus(address, write) || B::SELECTS && self.1.selects_bus(address, write)
    }

    #[inline(always)]
    fn may_act(&self, pc: u16) -> bool {
        self.0.may_act(pc) || self.1.may_act(pc)
    }

    #[inline(always)]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        self.0.step(console)?;
        self.1.step(console)
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
        self.1.bus(event);
    }

    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        self.0.fetch(event);
        self.1.fetch(event);
    }
}

/// An optional attachment.
impl<A: Attachment> Attachment for Option<&mut A> {
    const WATCHES: bool = A::WATCHES;
    const SELECTS: bool = A::SELECTS;
    const FETCHES: bool = A::FETCHES;
    const ACTS: bool = A::ACTS;
    const COMPILED: bool = A::COMPILED;

    #[inline(always)]
    fn due(&self) -> bool {
        self.as_ref().is_some_and(|attachment| attachment.due())
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.as_ref().is_some_and(|attachment| attachment.selects_step(pc))
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.as_ref().is_some_and(|attachment| attachment.selects_bus(address, write))
    }

    #[inline(always)]
    fn may_act(&self, pc: u16) -> bool {
        self.as_ref().is_some_and(|attachment| attachment.may_act(pc))
    }

    #[inline(always)]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        self.as_mut().map_or(ControlFlow::Continue(()), |attachment| attachment.step(console))
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        if let Some(attachment) = self {
            attachment.bus(event);
        }
    }

    #[inline(always)]
    fn fetch(&mut self, event: FetchEvent) {
        if let Some(attachment) = self {
            attachment.fetch(event);
        }
    }
}
