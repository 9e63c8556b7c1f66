//! What happens in a frame, where the beam is.

use nes::Config;
use nes_debug::view::{self, Happening};
use nes_debug::{Debugger, Goal};
use nes_testing::Image;

/// NROM that puts sprite 0 at column 40 of line 51 in front of an opaque background, plays a sample
/// for ever, and takes NMIs and, by a BRK after each, an IRQ.
fn debugger() -> Debugger {
    let mut code = vec![0x4C, 0x04, 0x80, 0x40]; // JMP behind the RTI at $8003
    for _ in 0..2 {
        code.extend([0x2C, 0x02, 0x20, 0x10, 0xFB]); // BIT $2002; BPL
    }
    let writes = [
        (0x2003, 0x00),
        (0x2004, 50),
        (0x2004, 0x00),
        (0x2004, 0x00),
        (0x2004, 40),
        (0x2005, 0x00),
        (0x2005, 0x00),
        (0x4010, 0x4F),
        (0x4012, 0x00),
        (0x4013, 0x01),
        (0x4015, 0x10),
        (0x2001, 0x1E),
        (0x2000, 0x80),
    ];
    for (register, value) in writes {
        code.extend([0xA9, value, 0x8D]); // LDA #; STA
        code.extend(u16::to_le_bytes(register));
    }
    let here = 0x8000 + code.len() as u16;
    code.push(0x4C);
    code.extend(here.to_le_bytes()); // JMP to itself
    let nmi = 0x8000 + code.len() as u16;
    code.extend([0x00, 0xEA, 0x40]); // BRK; RTI
    let cartridge = Image::nrom(&code).vectors(nmi, 0x8000, 0x8003).chr_of(0xFF).cartridge();
    Debugger::new(cartridge, Config::default(), None)
}

#[test]
fn interrupts_sprite_zero_and_sample_fetches_stand_where_the_beam_was() {
    let mut debugger = debugger();
    for frames in [6, 1, 40] {
        debugger.run(&Goal::Frames(frames), 60, &mut || true);
        let happened = view::happenings(&debugger);
        let places = |what: Happening| {
            happened.iter().filter(move |happened| happened.what == what).map(|at| (at.line, at.dot))
        };
        let nmi: Vec<_> = places(Happening::Nmi).collect();
        let irq: Vec<_> = places(Happening::Irq).collect();
        assert!(matches!(nmi[..], [(241, 10..=60)]), "{nmi:?}");
        // A BRK takes seven cycles, a DMA may come in between.
        assert!(matches!(irq[..], [(241, dot)] if (19..=36).contains(&(dot - nmi[0].1))), "{irq:?} {nmi:?}");
        let hit: Vec<_> = places(Happening::SpriteZeroHit).collect();
        // The pixel of column 40 is chosen in dot 41; the flag follows within two (NESdev: PPU
        // rendering).
        assert!(matches!(hit[..], [(51, 41..=47)]), "{hit:?}");
        let samples = places(Happening::DmcDma).count();
        assert!((67..=70).contains(&samples), "{samples}");
        assert!(happened.windows(2).all(|pair| pair[0].cycle <= pair[1].cycle));
    }
    assert_eq!(view::accesses(&debugger).len(), 0, "the program touches no register any more");
}

#[test]
fn a_frame_without_rendering_has_no_hit() {
    let mut debugger = debugger();
    debugger.run(&Goal::Frames(2), 60, &mut || true);
    assert_eq!(view::happenings(&debugger).len(), 0);
}
