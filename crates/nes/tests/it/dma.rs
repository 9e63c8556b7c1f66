//! DMA, counted in cycles (NESdev: DMA).

use crate::program::{console, console_with, dma_cycles, run, trace};
use nes::{Access, Buttons, Config, Reference, Region};

/// LDA #$02; STA $4014; NOP, with `padding` cycles of delay before it: 2 a NOP, 3 for LDA $00.
fn oam_dma(padding: &[u8]) -> Vec<u8> {
    let mut code = padding.to_vec();
    code.extend([0xA9, 0x02, 0x8D, 0x14, 0x40, 0xEA, 0xEA]);
    code
}

#[test]
fn oam_dma_takes_513_or_514_cycles_by_the_parity_of_its_first() {
    let mut lengths = Vec::new();
    for padding in [&[0xEA][..], &[0xA5, 0x00]] {
        let mut console = console(&oam_dma(padding));
        run(&mut console, 3);
        let cycles = trace(&mut console);
        assert_eq!(cycles.len() - dma_cycles(&cycles), 2, "the NOP itself");
        lengths.push(dma_cycles(&cycles));
    }
    lengths.sort_unstable();
    assert_eq!(lengths, [513, 514]);
}

#[test]
fn oam_dma_starts_on_the_first_read_after_its_write_and_repeats_it() {
    let mut console = console(&oam_dma(&[]));
    run(&mut console, 2);
    let cycles = trace(&mut console);
    assert_eq!(cycles[0].access, Access::Halted);
    assert_eq!(cycles[0].address, 0x8005, "the opcode of the NOP");
    let opcode = cycles.iter().find(|cycle| !cycle.access.is_dma()).unwrap();
    assert_eq!((opcode.address, opcode.value), (0x8005, 0xEA));
}

#[test]
fn oam_dma_copies_a_page_through_2004() {
    // LDX #0; loop: TXA; STA $0200,X; INX; BNE loop; STX $2003; LDA #2; STA $4014; NOP
    let code = [
        0xA2, 0x00, 0x8A, 0x9D, 0x00, 0x02, 0xE8, 0xD0, 0xF9, 0x8E, 0x03, 0x20, 0xA9, 0x02, 0x8D, 0x14, 0x40,
        0xEA,
    ];
    let mut console = console(&code);
    run(&mut console, 1 + 4 * 256 + 3);
    let cycles = trace(&mut console);
    let writes: Vec<_> = cycles.iter().filter(|cycle| cycle.write).collect();
    assert_eq!(writes.len(), 256);
    for (index, write) in writes.iter().enumerate() {
        assert_eq!((write.address, usize::from(write.value)), (0x2004, index));
    }
    // Bits 2-4 of an attribute byte do not exist; the PPU may leave them out here or at a read.
    let mask = |index: usize| if index % 4 == 2 { 0xE3 } else { 0xFF };
    let board = console.board.caught_up();
    for (index, byte) in board.ppu().oam().iter().enumerate() {
        assert_eq!(byte & mask(index), index as u8 & mask(index), "OAM byte {index}");
    }
}

#[test]
fn a_dma_never_halts_a_write() {
    // LDA #2; STA $4014; STA $10: RDY holds only the reads.
    let mut console = console(&[0xA9, 0x02, 0x8D, 0x14, 0x40, 0x85, 0x10]);
    run(&mut console, 2);
    let cycles = trace(&mut console);
    let (last, rest) = cycles.split_last().unwrap();
    assert!(last.write && !last.access.is_dma());
    assert!(rest.iter().filter(|cycle| cycle.write).all(|cycle| cycle.address == 0x2004));
}

/// Starts the DMC looping over $C000 at the highest rate, then executes `body` for ever.
fn with_dmc(body: &[u8]) -> Vec<u8> {
    let mut code = vec![
        0xA9, 0x4F, 0x8D, 0x10, 0x40, // LDA #$4F; STA $4010
        0xA9, 0x00, 0x8D, 0x12, 0x40, // LDA #$00; STA $4012
        0xA9, 0xFF, 0x8D, 0x13, 0x40, // LDA #$FF; STA $4013
        0xA9, 0x10, 0x8D, 0x15, 0x40, // LDA #$10; STA $4015
    ];
    let target = crate::program::START + code.len() as u16;
    code.extend(body);
    code.push(0x4C); // JMP
    code.extend(target.to_le_bytes());
    code
}

/// The DMA cycles between two cycles of the CPU, in a long run of `code`.
fn dma_runs(code: &[u8], config: Config) -> Vec<usize> {
    let mut console = console_with(code, config);
    let mut recorder = crate::program::Recorder::default();
    for _ in 0..3 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut recorder);
    }
    let mut runs = vec![0];
    for cycle in recorder.0 {
        match (cycle.access.is_dma(), runs.last_mut().unwrap()) {
            (true, length) => *length += 1,
            (_, 0) => {}
            _ => runs.push(0),
        }
    }
    runs.pop();
    runs
}

#[test]
fn a_dmc_dma_takes_three_or_four_cycles() {
    for alignment in 0..4 {
        let config = Config { apu_alignment: alignment, ..Config::default() };
        let runs = dma_runs(&with_dmc(&[0xEA, 0xA5, 0x00]), config);
        assert!(runs.len() > 150, "a byte each 432 cycles: {}", runs.len());
        assert!(runs.iter().all(|length| (3..=4).contains(length)), "{runs:?}");
        assert!(runs[1..].iter().all(|length| *length == 4), "a reload starts on a put cycle: {runs:?}");
    }
}

#[test]
fn a_dmc_dma_that_a_write_delays_may_take_three() {
    // INC $10 has two writes in a row.
    let runs = dma_runs(&with_dmc(&[0xE6, 0x10, 0xEA]), Config::default());
    assert!(runs.contains(&3) && runs.contains(&4), "{runs:?}");
}

#[test]
fn a_dmc_dma_amid_an_oam_dma_costs_one_to_three_more() {
    // LDA #2; STA $4014
    let runs = dma_runs(&with_dmc(&[0xA9, 0x02, 0x8D, 0x14, 0x40, 0xEA]), Config::default());
    let both: Vec<_> = runs.iter().filter(|length| **length > 510).collect();
    assert!(both.len() > 100);
    // 432 cycles a byte: one or two fall into each transfer.
    assert!(both.iter().all(|length| (513..=514 + 6).contains(*length)), "{both:?}");
    assert!(both.iter().any(|length| **length >= 515), "{both:?}");
}

#[test]
fn halted_reads_repeat_with_their_side_effects() {
    // The DMC holds LDA $4016 now and then, and each time the pad is clocked once too often:
    // Tetris and others read twice because of it.
    // body: LDA #1; STA $4016; LSR; STA $4016; 8 x (LDA $4016); LDA $4016; STA $10
    let mut body = vec![0xA9, 0x01, 0x8D, 0x16, 0x40, 0x4A, 0x8D, 0x16, 0x40];
    for index in 0..8 {
        body.extend([0xAD, 0x16, 0x40, 0x95, 0x20 + index]); // LDA $4016; STA $20+index,X
    }
    let mut console = console(&with_dmc(&body));
    let mut spoilt = 0;
    let mut recorder = crate::program::Recorder::default();
    for _ in 0..20 {
        recorder.0.clear();
        let _ = console.run_frame(&mut [Buttons::B, Buttons::empty()], &mut recorder);
        spoilt += recorder.0.iter().filter(|c| c.address == 0x27 && c.write && c.value & 1 == 1).count();
    }
    assert!(spoilt > 0, "the eighth bit became a ninth at least once");
}

#[test]
fn a_dma_in_the_right_cycle_makes_shx_forget_the_high_byte() {
    // LDX #$FF; LDY #$00; SHX $0310,Y: X AND ($03 + 1), but X alone if RDY fell in the dummy read.
    let body = [0xA2, 0xFF, 0xA0, 0x00, 0x9E, 0x10, 0x03, 0xA5, 0x00];
    let mut before_any_dma = console(&body);
    run(&mut before_any_dma, 3);
    assert_eq!(before_any_dma.ram()[0x310], 0x04);

    let mut console = console(&with_dmc(&body));
    let mut recorder = crate::program::Recorder::default();
    for _ in 0..20 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut recorder);
    }
    let mut stored: Vec<_> =
        recorder.0.iter().filter(|c| c.write && c.address == 0x310).map(|c| c.value).collect();
    stored.sort_unstable();
    stored.dedup();
    assert_eq!(stored, [0x04, 0xFF]);
}

#[test]
fn each_cycle_of_a_dma_says_whose_it_is() {
    let mut console = console_with(&with_dmc(&oam_dma(&[0xEA; 200])), Config::default());
    let mut recorder = crate::program::Recorder::default();
    let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut recorder);
    let of = |access: Access| recorder.0.iter().filter(move |cycle| cycle.access == access);
    let written = of(Access::OamDma).filter(|cycle| cycle.write).count();
    assert!(written >= 256 && written % 256 == 0, "{written}");
    assert_eq!(of(Access::OamDma).filter(|cycle| !cycle.write).count(), written);
    assert!(of(Access::OamDma).filter(|cycle| !cycle.write).all(|cycle| cycle.address >> 8 == 2));
    // A byte of the sample lasts for 8 bits of 54 cycles each.
    let samples = of(Access::DmcDma).count();
    assert!((29_780 / 432 - 2..=29_780 / 432 + 1).contains(&samples), "{samples}");
    assert!(of(Access::DmcDma).all(|cycle| cycle.address >= 0xC000 && !cycle.write));
    assert!(of(Access::Halted).count() > 2 * samples && of(Access::Halted).all(|cycle| !cycle.write));
}

/// Reads a pad eight times, 1,024 times over, while the DMC plays without end, with nothing
/// pressed; $20 and $21 count the readings that are not zero, $22 is $AA in the end.
fn pad_reader() -> Vec<u8> {
    vec![
        0xA9, 0x40, 0x8D, 0x17, 0x40, // LDA #$40; STA $4017
        0xA9, 0x4F, 0x8D, 0x10, 0x40, // LDA #$4F; STA $4010: a loop at the highest rate
        0xA9, 0x80, 0x8D, 0x12, 0x40, // LDA #$80; STA $4012
        0xA9, 0xFF, 0x8D, 0x13, 0x40, // LDA #$FF; STA $4013
        0xA9, 0x10, 0x8D, 0x15, 0x40, // LDA #$10; STA $4015
        0xA2, 0x01, 0x8E, 0x16, 0x40, // 8019 LDX #1; STX $4016
        0xCA, 0x8E, 0x16, 0x40, 0x86, 0x25, // DEX; STX $4016; STX $25
        0xA2, 0x08, // LDX #8
        0xAD, 0x16, 0x40, 0x4A, 0x26, 0x25, // 8026 LDA $4016; LSR; ROL $25
        0xCA, 0xD0, 0xF7, // DEX; BNE $8026
        0xA5, 0x25, 0xF0, 0x06, // LDA $25; BEQ $8039
        0xE6, 0x20, 0xD0, 0x02, 0xE6, 0x21, // INC $20; BNE $8039; INC $21
        0xE6, 0x23, 0xD0, 0xDC, // 8039 INC $23; BNE $8019
        0xE6, 0x24, 0xA5, 0x24, 0xC9, 0x04, 0xD0, 0xD4, // INC $24; LDA $24; CMP #4; BNE $8019
        0xA9, 0xAA, 0x85, 0x22, // LDA #$AA; STA $22
        0x4C, 0x49, 0x80, // 8049 JMP to itself
    ]
}

#[test]
fn the_dmc_disturbs_the_pads_on_ntsc_and_never_on_pal() {
    for alignment in 0..4 {
        for region in [Region::Ntsc, Region::Pal] {
            let config = Config { apu_alignment: alignment, region: Some(region), ..Config::default() };
            let mut fast = console_with(&pad_reader(), config);
            let mut slow = Reference::new(fast.board.cartridge().clone(), config);
            for _ in 0..30 {
                let _ = fast.run_frame(&mut [Buttons::empty(); 2], &mut ());
                let _ = slow.run_frame(&mut [Buttons::empty(); 2], &mut ());
                assert!(fast == *slow.console(), "{region}, alignment {alignment}");
            }
            let [low, high, done] = [0x20, 0x21, 0x22].map(|at| fast.ram()[at]);
            assert_eq!((done, high), (0xAA, 0), "{region}, alignment {alignment}");
            let expected = if region == Region::Pal { 0..=0 } else { 15..=30 };
            assert!(expected.contains(&low), "{region}, alignment {alignment}: {low}");
        }
    }
}

#[test]
fn on_pal_a_dma_holds_nothing_but_the_fetch_of_an_opcode() {
    // OAM DMA beside the DMC's, a read-modify-write, an indexed read that crosses a page, a branch.
    let body =
        [0xA9, 0x02, 0x8D, 0x14, 0x40, 0xE6, 0x10, 0xA2, 0xFF, 0xBD, 0x02, 0x03, 0xD0, 0x00, 0x48, 0x68];
    let config = Config { region: Some(Region::Pal), ..Config::default() };
    let mut console = console_with(&with_dmc(&body), config);
    let mut recorder = crate::program::Recorder::default();
    for _ in 0..3 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut recorder);
    }
    let mut held = 0;
    for pair in recorder.0.windows(2) {
        if pair[0].access.is_dma() && !pair[1].access.is_dma() {
            held += 1;
            assert_eq!(pair[1].access, Access::Cpu(nes::cpu::Access::Opcode), "{pair:?}");
        }
    }
    assert!(held > 100, "{held}");
    // The lengths are as on NTSC.
    let runs = dma_runs(&with_dmc(&[0xEA, 0xA5, 0x00]), config);
    assert!(runs.len() > 150 && runs.iter().all(|length| (3..=4).contains(length)), "{runs:?}");
}
