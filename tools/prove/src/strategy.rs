//! Random programs, as proptest makes and shrinks them.

use crate::case::{Kind, Power};
use crate::program::{Board, Op, Program};
use crate::wait::Wait;
use nes::Region;
use nes::ppu::Quirks;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use strum::VariantArray;

fn power() -> impl Strategy<Value = Power> {
    let region = prop_oneof![3 => Just(Region::Ntsc), 1 => Just(Region::Pal)];
    (0..4_u8, 0..4_u8, prop_oneof![Just(0), Just(0xFF), any::<u8>()], region).prop_map(
        |(phase, apu_alignment, ram_fill, region)| Power {
            phase,
            apu_alignment,
            ram_fill,
            region,
            quirks: Quirks::default(),
            mmc3: None,
        },
    )
}

/// What `PPUMASK` is set to: mostly a picture, with any colour bits.
fn mask() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => Just(0x1E),
        2 => any::<u8>().prop_map(|value| value | 0x18),
        1 => Just(0x18),
        1 => Just(0x08),
        1 => Just(0x10),
        1 => Just(0x00),
        1 => any::<u8>(),
    ]
}

/// An address on the PPU's bus: patterns, nametables, palette.
fn video() -> impl Strategy<Value = u16> {
    prop_oneof![2 => 0x2000..0x3000_u16, 2 => 0x3F00..0x3F20_u16, 1 => 0..0x4000_u16]
}

/// A change of what is being drawn.
fn poke() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => mask().prop_map(|value| Op::Write(0x2001, value)),
        3 => any::<u8>().prop_map(|value| Op::Write(0x2000, value | 0x80)),
        3 => any::<(u8, u8)>().prop_map(|(x, y)| Op::Scroll(x, y)),
        2 => any::<u8>().prop_map(|value| Op::Write(0x2005, value)),
        2 => video().prop_map(Op::Address),
        1 => any::<u8>().prop_map(|value| Op::Write(0x2006, value)),
        1 => (1..6_u8).prop_map(Op::Fill),
        1 => (1..6_u8).prop_map(Op::Fetch),
        2 => Just(Op::Read(0x2002)),
        1 => any::<u8>().prop_map(|value| Op::Write(0x2003, value)),
        1 => any::<u8>().prop_map(|value| Op::Write(0x2004, value)),
        1 => Just(Op::Read(0x2004)),
        1 => select(vec![2_u8, 3, 0xF8]).prop_map(Op::Dma),
        3 => any::<(u8, u8)>().prop_map(|(register, value)| Op::Bank(register, value)),
        1 => (0..0x20_u16, any::<u8>()).prop_map(|(register, value)| Op::Write(0x2000 + register, value)),
    ]
}

fn sound() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0..4_u8, any::<[u8; 4]>()).prop_map(|(channel, values)| Op::Sound(channel, values)),
        // The DMC with short samples, or it would never end.
        2 => (any::<u8>(), any::<u8>(), 0..4_u8).prop_map(|(rate, at, length)| Op::Sound(
            4,
            [rate & 0xCF, 0x40, at, length]
        )),
        2 => select(vec![0x00, 0x0F, 0x10, 0x1F]).prop_map(|value| Op::Write(0x4015, value)),
        2 => select(vec![0x00, 0x40, 0x80, 0xC0]).prop_map(|value| Op::Write(0x4017, value)),
        1 => Just(Op::Read(0x4015)),
        1 => (0x4000..0x4018_u16, any::<u8>()).prop_map(|(register, value)| Op::Write(register, value)),
    ]
}

/// What has nothing to do with picture or sound, or should not.
fn other() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => select(vec![0xEA, 0x58, 0x78, 0x48, 0x28, 0x08, 0xE8, 0xC8, 0x98, 0x8A, 0x0A]).prop_map(Op::Plain),
        2 => select(Wait::VARIANTS).prop_map(Op::Wait),
        1 => any::<bool>().prop_map(Op::Call),
        1 => (0..0x2000_u16).prop_map(Op::Modify),
        1 => (0x2000..0x2010_u16).prop_map(Op::Modify),
        1 => (0x4000..0x4018_u16).prop_map(Op::Read),
        1 => (0x4000..0x4018_u16).prop_map(Op::Modify),
        1 => (0x8000..=0xFFFF_u16).prop_map(Op::Modify),
        1 => (0x8000..=0xFFFF_u16).prop_map(Op::Read),
        1 => (0x6000..0x8000_u16, any::<u8>()).prop_map(|(address, value)| Op::Write(address, value)),
        1 => (0x4018..0x8000_u16).prop_map(Op::Read),
        2 => prop_oneof![0x1FF0..0x2010_u16, 0x3FF8..0x4020_u16].prop_flat_map(|address| {
            any::<u8>().prop_map(move |x| Op::Indexed(address.wrapping_sub(u16::from(x)), x))
        }),
        1 => any::<u8>().prop_map(|value| Op::Write(0x4016, value)),
        1 => any::<u8>().prop_map(Op::Dma),
        2 => page(),
    ]
}

/// A loop over memory, the stack and what the waits look at left out, if it does not run over.
fn page() -> impl Strategy<Value = Op> {
    let target = prop_oneof![4 => 0x200..0x701_u16, 1 => 0x20..0x80_u16, 1 => 0xA00..0xF01_u16, 1 => 0x1E00..0x2000_u16];
    let source = prop_oneof![2 => 0..0x800_u16, 1 => 0x1E00..0x2010_u16, 1 => 0x8000..=0xFF00_u16];
    (proptest::option::of(source), target, any::<u8>(), any::<bool>())
        .prop_map(|(from, to, x, down)| Op::Page(from, to, x, down))
}

fn pause() -> impl Strategy<Value = Op> {
    prop_oneof![4 => 2..30_u16, 4 => 30..400_u16, 2 => 400..3000_u16, 1 => 3000..30_000_u16]
        .prop_map(Op::Pause)
}

/// Anything, in any order.
fn soup(most: usize) -> impl Strategy<Value = Vec<Op>> {
    vec(prop_oneof![4 => poke(), 3 => sound(), 3 => other(), 3 => pause()], 0..most)
}

/// A frame of a game: DMA and scroll in vblank, then a change at a dot, some lines, another change.
fn frame() -> impl Strategy<Value = Vec<Op>> {
    let vblank = prop_oneof![
        2 => Just(vec![Op::Dma(2), Op::Pan]),
        1 => Just(vec![Op::Pan, Op::Dma(3)]),
        1 => any::<(u8, u8)>().prop_map(|(x, y)| vec![Op::Scroll(x, y)]),
        1 => Just(vec![]),
        1 => (video(), 1..80_u8).prop_map(|(address, count)| {
            vec![Op::Address(address), Op::Fill(count), Op::Pan]
        }),
    ];
    let wait = prop_oneof![4 => 2..120_u16, 4 => 120..900_u16, 1 => 900..8000_u16].prop_map(Op::Pause);
    let change = prop_oneof![8 => poke(), 1 => sound()];
    (vblank, 0..16_000_u16, vec((wait, change), 0..24)).prop_map(|(vblank, first, changes)| {
        let changes = changes.into_iter().flat_map(|(wait, change)| [wait, change]);
        vblank.into_iter().chain([Op::Pause(first)]).chain(changes).collect()
    })
}

/// Programs of one of the two random kinds.
pub(crate) fn programs(kind: Kind) -> BoxedStrategy<Program> {
    let console = || (select(Board::VARIANTS), any::<bool>(), power(), any::<u64>());
    let irq = || (soup(4), prop_oneof![3 => Just(0x0F), 2 => Just(0x1F), 1 => Just(0)]);
    let assembled = |((board, vertical, power, memory), (irq, irq_channels), main, rest, nmi, frames)| {
        let prepared = true;
        Program { board, vertical, power, memory, prepared, main, rest, nmi, irq, irq_channels, frames }
    };
    if kind == Kind::Pokes {
        let control = any::<u8>().prop_map(|value| Op::Write(0x2000, value | 0x80));
        let main = (control, mask(), sound())
            .prop_map(|(control, mask, sound)| vec![sound, control, Op::Write(0x2001, mask | 8)]);
        let rest = select(Wait::VARIANTS).prop_map(Some);
        return (console(), irq(), main, rest, frame(), 7..14_u32).prop_map(assembled).boxed();
    }
    let rest = prop_oneof![3 => Just(None), 1 => select(Wait::VARIANTS).prop_map(Some)];
    (console(), irq(), soup(90), rest, soup(16), 3..12_u32, any::<bool>())
        .prop_map(move |(console, irq, main, rest, nmi, frames, prepared)| Program {
            prepared,
            ..assembled((console, irq, main, rest, nmi, frames))
        })
        .boxed()
}
