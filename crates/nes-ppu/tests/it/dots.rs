//! Facts of the 2C02, each seen at its dot. Dots are counted from dot 0 of the first line, which
//! was some dots before tick 0; a CPU access at tick `t` sees every step before it.

use nes_clock::Region;
use nes_ppu::{Frame, IgnoredWrites, Ppu, Quirks, VideoBus};

const LINE: u64 = 341;
const FRAME: u64 = 262 * LINE;
const VBLANK: u64 = 241 * LINE + 1;

/// 16 KiB of plain memory.
struct Memory([u8; 0x4000]);

impl VideoBus for Memory {
    fn read(&mut self, address: u16) -> u8 {
        self.0[usize::from(address)]
    }

    fn write(&mut self, address: u16, value: u8) {
        self.0[usize::from(address)] = value;
    }
}

struct Bench {
    ppu: Ppu,
    memory: Memory,
    frame: Frame,
    tick: u64,
}

impl Bench {
    /// A PPU past its warm-up, at the start of its second frame.
    fn new() -> Self {
        let mut bench =
            Self { ppu: Ppu::new(0), memory: Memory([0; 0x4000]), frame: Frame::default(), tick: 0 };
        bench.go_to(FRAME);
        bench
    }

    /// Time moves on until `dots` dots have begun.
    fn go_to(&mut self, dots: u64) {
        self.tick = 4 * (dots - u64::from(Ppu::RESET_DOT));
        self.ppu.run_until(self.tick, &mut self.memory, &mut self.frame);
    }

    fn read(&mut self, register: u16) -> u8 {
        self.ppu.read(register, self.tick, &mut self.memory, &mut self.frame)
    }

    fn write(&mut self, register: u16, value: u8) {
        self.ppu.write(register, value, value, self.tick, &mut self.memory, &mut self.frame);
        // The next access comes four CPU cycles later at the earliest.
        self.tick += 48;
        self.ppu.run_until(self.tick, &mut self.memory, &mut self.frame);
    }

    fn address(&mut self, address: u16) {
        self.write(6, (address >> 8) as u8);
        self.write(6, address as u8);
    }
}

#[test]
fn vblank_is_set_in_dot_1_of_line_241_and_cleared_in_dot_1_of_line_261() {
    for (dot, flag) in [(VBLANK - 1, 0), (VBLANK, 0x80), (261 * LINE, 0x80), (261 * LINE + 1, 0)] {
        let mut bench = Bench::new();
        bench.go_to(FRAME + dot);
        assert_eq!(bench.ppu.peek(2) & 0x80, flag, "dot {dot}");
    }
}

#[test]
fn a_read_just_before_vblank_sees_nothing_and_suppresses_flag_and_nmi() {
    let mut bench = Bench::new();
    bench.write(0, 0x80);
    bench.go_to(FRAME + VBLANK - 1);
    assert_eq!(bench.read(2) & 0x80, 0);
    bench.go_to(FRAME + VBLANK + 100);
    assert_eq!(bench.read(2) & 0x80, 0);
    assert_eq!(bench.ppu.nmi_edge(), None);
}

#[test]
fn nmi_rises_with_vblank_and_is_sampled_in_that_cpu_cycle() {
    let mut bench = Bench::new();
    bench.write(0, 0x80);
    bench.go_to(FRAME + VBLANK + 3);
    // The step that sets the flag; samples come at 12 n + 4.
    let set = 4 * (FRAME + VBLANK - 1 - u64::from(Ppu::RESET_DOT));
    assert_eq!(bench.ppu.nmi_edge(), Some((set + 8) / 12));
}

#[test]
fn every_other_frame_is_a_dot_shorter_while_rendering() {
    let frame_lengths = |mask: u8| {
        let mut bench = Bench::new();
        bench.write(1, mask);
        let mut ends = Vec::new();
        for dot in FRAME..5 * FRAME {
            bench.go_to(dot);
            if bench.ppu.frame_number() > ends.len() as u64 + 1 {
                ends.push(dot);
            }
        }
        [ends[1] - ends[0], ends[2] - ends[1]]
    };
    assert_eq!(frame_lengths(0), [FRAME, FRAME]);
    let mut lengths = frame_lengths(0x18);
    lengths.sort_unstable();
    assert_eq!(lengths, [FRAME - 1, FRAME]);
}

#[test]
fn the_registers_of_scroll_and_address_share_one_toggle_that_status_resets() {
    let mut bench = Bench::new();
    bench.write(6, 0x21);
    bench.read(2);
    bench.address(0x2345);
    assert_eq!(bench.ppu.scroll().0.bits(), 0x2345);
    bench.write(5, 0x7D);
    bench.write(5, 0x5E);
    let (_, t, fine_x, second_write) = bench.ppu.scroll();
    assert_eq!((t.bits(), fine_x, second_write), (0x616F, 5, false));
}

#[test]
fn data_reads_come_one_read_late_and_palette_reads_at_once() {
    let mut bench = Bench::new();
    bench.memory.0[0x2000] = 0xAB;
    bench.memory.0[0x3F00] = 0xCD;
    bench.address(0x2000);
    bench.read(7);
    bench.go_to(FRAME + 200);
    assert_eq!(bench.read(7), 0xAB);
    bench.go_to(FRAME + 250);
    bench.address(0x3F00);
    bench.write(7, 0x2A);
    bench.address(0x3F00);
    assert_eq!(bench.read(7) & 0x3F, 0x2A);
    // Meanwhile the buffer took what lies beneath the palette.
    bench.go_to(FRAME + 400);
    bench.address(0x2000);
    assert_eq!(bench.read(7), 0xCD);
}

#[test]
fn the_backdrops_of_sprite_palettes_are_those_of_the_background() {
    let mut bench = Bench::new();
    for (entry, mirror) in [(0x10, 0x00), (0x14, 0x04), (0x18, 0x08), (0x1C, 0x0C)] {
        bench.address(0x3F00 + entry);
        bench.write(7, 0x15);
        assert_eq!(bench.ppu.palette_ram()[usize::from(mirror)], 0x15, "{entry:02X}");
        bench.address(0x3F00 + mirror);
        bench.write(7, 0x00);
    }
}

#[test]
fn attribute_bits_without_storage_read_as_zero() {
    let mut bench = Bench::new();
    bench.write(3, 2);
    bench.write(4, 0xFF);
    bench.write(3, 2);
    assert_eq!(bench.read(4), 0xE3);
}

#[test]
fn data_writes_to_oam_while_rendering_only_bump_the_address() {
    let mut bench = Bench::new();
    bench.write(1, 0x18);
    bench.go_to(FRAME + 100 * LINE + 330);
    let before = bench.ppu.oam().to_vec();
    bench.write(4, 0xAA);
    assert_eq!(bench.ppu.oam().to_vec(), before);
}

/// Sprite 0 and a solid background meet at column `x` of line 50.
fn hit_bench(x: u8) -> Bench {
    let mut bench = Bench::new();
    bench.memory.0[..0x2000].fill(0xFF);
    for byte in [49, 0, 0, x] {
        bench.write(4, byte);
    }
    bench.write(1, 0x1E);
    bench
}

#[test]
fn sprite_zero_hits_where_it_meets_the_background_and_not_in_column_255() {
    // The pixel of column x is chosen in dot x + 1, and the flag follows two dots later. The frame
    // may have been a dot shorter.
    for x in [0, 8, 100, 254] {
        let at = |bench: &mut Bench, dot: u64| {
            bench.go_to(2 * FRAME + 50 * LINE + dot);
            bench.ppu.peek(2) & 0x40
        };
        let (mut early, mut late) = (hit_bench(x), hit_bench(x));
        assert_eq!(at(&mut early, u64::from(x) + 1), 0, "column {x}");
        assert_eq!(at(&mut late, u64::from(x) + 4), 0x40, "column {x}");
    }
    let mut bench = hit_bench(255);
    bench.go_to(2 * FRAME + 100 * LINE);
    assert_eq!(bench.ppu.peek(2) & 0x40, 0);
}

#[test]
fn the_ninth_sprite_of_a_line_sets_overflow() {
    for (sprites, flag) in [(8, 0), (9, 0x20)] {
        let mut bench = Bench::new();
        for sprite in 0..64 {
            for byte in [if sprite < sprites { 60 } else { 0xF8 }, 0, 0, 0] {
                bench.write(4, byte);
            }
        }
        bench.write(1, 0x18);
        bench.go_to(2 * FRAME + 70 * LINE);
        assert_eq!(bench.ppu.peek(2) & 0x20, flag, "{sprites} sprites");
    }
}

#[test]
fn the_register_latch_forgets_within_a_second() {
    let mut bench = Bench::new();
    bench.write(2, 0xFF);
    assert_eq!(bench.read(0), 0xFF);
    bench.go_to(61 * FRAME);
    assert_eq!(bench.read(0), 0x00);
}

#[test]
fn greyscale_and_emphasis_reach_the_picture() {
    let mut bench = Bench::new();
    bench.address(0x3F00);
    bench.write(7, 0x16);
    bench.address(0x0000);
    bench.write(1, 0xE1);
    bench.go_to(2 * FRAME + VBLANK);
    assert!(bench.frame.pixels().iter().all(|&pixel| pixel == 0x1D0), "{:X?}", bench.frame.line(9));
}

#[test]
fn vblank_comes_as_many_cycles_into_the_program_as_was_measured() {
    // The reset sequence takes the first 7 cycles.
    for (cycle, count) in [(27_384, 0), (27_385, 1), (57_164, 1), (57_165, 2)] {
        let mut bench =
            Bench { ppu: Ppu::new(0), memory: Memory([0; 0x4000]), frame: Frame::default(), tick: 0 };
        bench.ppu.run_until(12 * (7 + cycle), &mut bench.memory, &mut bench.frame);
        assert_eq!(bench.ppu.frame_number(), count, "cycle {cycle}");
    }
}

/// A PPU at power-on.
fn powered(region: Region, quirks: Quirks) -> Bench {
    let mut bench = Bench { ppu: Ppu::new(0), memory: Memory([0; 0x4000]), frame: Frame::default(), tick: 0 };
    bench.ppu.set_region(region);
    bench.ppu.set_quirks(quirks);
    bench
}

#[test]
fn registers_listen_from_power_on_and_after_a_reset_or_a_strict_start_from_the_pre_render_line_on() {
    for region in [Region::Ntsc, Region::Pal] {
        for (strict_start, reset) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut bench = powered(region, Quirks { strict_start, ..Quirks::default() });
            if reset {
                bench.ppu.reset();
            }
            let early = if strict_start || reset { 0 } else { 0x2345 };
            bench.address(0x2345);
            bench.write(0, 0x80);
            assert_eq!(
                bench.ppu.scroll().1.bits() & 0x3FF,
                early & 0x3FF,
                "{region}, {strict_start}, {reset}"
            );
            assert_eq!(bench.ppu.control_and_mask().0.is_empty(), early == 0);
            bench.go_to((u64::from(region.lines()) - 1) * LINE + 1);
            bench.address(0x2345);
            assert_eq!(bench.ppu.scroll().1.bits(), 0x2345);
        }
    }
}

#[test]
fn the_registers_listen_as_many_cycles_into_the_program_as_was_measured_after_a_reset() {
    // NESdev: PPU power up state. The reset sequence takes the first 7 cycles.
    for (region, measured) in [(Region::Ntsc, 29_658), (Region::Pal, 33_132)] {
        let listens = |cycle: u64| {
            let mut bench = powered(region, Quirks { strict_start: true, ..Quirks::default() });
            bench.tick = region.tick(7 + cycle);
            bench.write(0, 0x80);
            !bench.ppu.control_and_mask().0.is_empty()
        };
        assert!(!listens(measured - 2) && listens(measured + 2), "{region}");
    }
}

#[test]
fn ignored_writes_are_told_but_for_those_of_what_a_reset_has_put_there() {
    let mut bench = powered(Region::Ntsc, Quirks { strict_start: true, ..Quirks::default() });
    assert_eq!(bench.ppu.ignored_writes(), None);
    bench.write(0, 0);
    bench.write(3, 0x20);
    assert_eq!(bench.ppu.ignored_writes(), None, "of 0, and to a register that listens");
    let tick = bench.tick;
    bench.write(1, 0x1E);
    bench.write(5, 9);
    let expected = IgnoredWrites { register: 1, value: 0x1E, tick, count: 2 };
    assert_eq!(bench.ppu.ignored_writes(), Some(expected));
    bench.go_to(FRAME);
    bench.write(0, 0x80);
    assert_eq!(bench.ppu.ignored_writes(), Some(expected), "it listens now");
    bench.ppu.reset();
    assert_eq!(bench.ppu.ignored_writes(), None);
    let mut bench = powered(Region::Ntsc, Quirks::default());
    bench.write(0, 0x80);
    assert_eq!(bench.ppu.ignored_writes(), None);
}

/// What a chip holds in the registers that a reset may reach: `v`, `t`, fine X and the toggle,
/// `PPUCTRL`, `PPUMASK`, `OAMADDR` (by what it reads), the flags of `$2002` and the buffer of
/// `$2007`.
fn held(bench: &mut Bench) -> (u16, u16, u8, bool, u8, u8, u8, u8) {
    let (v, t, fine_x, toggle) = bench.ppu.scroll();
    let (control, mask) = bench.ppu.control_and_mask();
    let at_oam_address = bench.ppu.peek(4);
    let flags = bench.ppu.peek(2) & 0x80;
    let buffer = bench.ppu.peek(7);
    (v.bits(), t.bits(), fine_x, toggle, control.bits(), mask.bits(), at_oam_address, flags | buffer & 0x0F)
}

#[test]
fn a_reset_clears_what_it_does_on_the_nes_001_and_keeps_the_rest() {
    let mut bench = powered(Region::Ntsc, Quirks::default());
    assert_eq!(held(&mut bench), (0, 0, 0, false, 0, 0, 0, 0), "power-on");
    bench.memory.0[0x2345] = 0x0B;
    bench.ppu.poke_oam(0x10, 0x77);
    bench.ppu.poke_palette(5, 0x2A);
    bench.go_to(FRAME + VBLANK + 20);
    bench.write(3, 0x10);
    bench.address(0x2345);
    bench.read(7);
    bench.tick += 48;
    bench.address(0x2345);
    bench.write(0, 0x91);
    bench.write(1, 0x06);
    bench.write(5, 0x0D);
    let before = held(&mut bench);
    assert_eq!(before, (0x2345, 0x2741, 5, true, 0x91, 0x06, 0x77, 0x8B));
    bench.ppu.reset();
    assert_eq!(held(&mut bench), (0x2345, 0, 0, false, 0, 0, 0x77, 0x80), "v, OAMADDR and the flag stay");
    assert_eq!((bench.ppu.oam()[0x10], bench.ppu.palette_ram()[5]), (0x77, 0x2A), "and so does memory");
    assert_eq!((bench.ppu.scanline(), bench.ppu.dot()), (0, Ppu::RESET_DOT));
}

#[test]
fn the_first_frame_is_an_even_one_after_power_on_and_after_a_reset() {
    for reset in [false, true] {
        let mut bench = powered(Region::Ntsc, Quirks::default());
        if reset {
            bench.go_to(FRAME + 1000);
            bench.ppu.reset();
        }
        let begin = bench.tick;
        let mut lengths = vec![];
        for _ in 0..3 {
            let frame = bench.ppu.frame_number();
            while bench.ppu.frame_number() == frame {
                bench.tick += 4;
                bench.ppu.run_until(bench.tick, &mut bench.memory, &mut bench.frame);
                if bench.ppu.scanline() == 261 && bench.ppu.dot() == 10 {
                    bench.write(1, 0x18);
                }
            }
            lengths.push((bench.tick - begin) / 4);
        }
        // From one vertical blank to the next: first over the end of the even frame, then of the
        // odd one.
        let lengths = [lengths[1] - lengths[0], lengths[2] - lengths[1]];
        assert_eq!(lengths, [FRAME, FRAME - 1], "reset: {reset}");
    }
}

/// A 2C07 at the start of its second frame.
fn pal() -> Bench {
    let mut bench = Bench::new();
    bench.ppu = Ppu::new(0);
    bench.ppu.set_region(Region::Pal);
    bench.go_to(312 * LINE);
    bench
}

#[test]
fn on_pal_a_frame_has_312_lines_none_of_them_shorter() {
    let mut bench = pal();
    bench.write(1, 0x18);
    for frame in 1..5 {
        bench.go_to(frame * 312 * LINE + VBLANK - 1);
        assert_eq!((bench.ppu.frame_number(), bench.ppu.scanline(), bench.ppu.dot()), (frame, 241, 0));
        bench.go_to(frame * 312 * LINE + VBLANK);
        assert_eq!(bench.ppu.frame_number(), frame + 1);
        bench.go_to(frame * 312 * LINE + 311 * LINE + 2);
        assert_eq!(bench.read(2) & 0x80, 0);
    }
}

#[test]
fn on_pal_oam_takes_no_writes_from_the_24th_line_of_vblank() {
    for (line, taken) in [(241, true), (264, true), (265, false), (310, false)] {
        let mut bench = pal();
        bench.go_to(312 * LINE + line * LINE + 100);
        bench.write(3, 0);
        bench.write(4, 0x5A);
        assert_eq!(bench.ppu.oam()[0] == 0x5A, taken, "line {line}");
        let page = [0xA5; 256];
        let whole = bench.ppu.write_oam_page(&page, bench.tick + 512 * 13);
        assert_eq!(whole, line == 241, "a page from line {line}");
    }
}

#[test]
fn on_pal_red_and_green_emphasis_are_the_other_way_round() {
    let pixel = |mut bench: Bench, lines: u64, mask: u8| {
        bench.write(1, mask);
        bench.go_to(2 * lines * LINE - LINE);
        bench.frame.pixels()[100 * 256] & 0x1C0
    };
    for (mask, ntsc, pal_bits) in [(0x20, 0x40, 0x80), (0x40, 0x80, 0x40), (0x80, 0x100, 0x100)] {
        assert_eq!(pixel(Bench::new(), 262, mask), ntsc);
        assert_eq!(pixel(pal(), 312, mask), pal_bits);
    }
}

#[test]
fn a_grey_picture_begins_a_dot_later_on_pal() {
    let first_grey = |mut bench: Bench, lines: u64| {
        bench.address(0x3F00);
        bench.write(7, 0x16);
        bench.address(0x0000);
        bench.go_to((lines + 100) * LINE + 100);
        // What stood on the bus before shows at once.
        let Bench { ppu, memory, frame, tick } = &mut bench;
        ppu.write(1, 1, 0, *tick, memory, frame);
        bench.go_to((lines + 110) * LINE);
        bench.frame.line(100).iter().position(|&pixel| pixel == 0x10)
    };
    let (ntsc, pal) = (first_grey(Bench::new(), 262), first_grey(pal(), 312));
    assert_eq!(pal, ntsc.map(|dot| dot + 1));
}

fn quirky(quirks: Quirks, region: Region) -> Bench {
    let mut bench = Bench { ppu: Ppu::new(0), memory: Memory([0; 0x4000]), frame: Frame::default(), tick: 0 };
    bench.ppu.set_region(region);
    bench.ppu.set_quirks(quirks);
    bench.go_to(u64::from(region.lines()) * LINE);
    bench
}

/// Writes the fifth row of OAM in line 242 of the second frame.
fn with_a_row(oam_decay: bool, region: Region) -> Bench {
    let mut bench = quirky(Quirks { oam_decay, ..Quirks::default() }, region);
    bench.go_to((u64::from(region.lines()) + 242) * LINE);
    bench.write(3, 0x20);
    (0..8).for_each(|_| bench.write(4, 0x55));
    bench
}

fn row(bench: &mut Bench) -> [u8; 8] {
    core::array::from_fn(|at| {
        bench.write(3, 0x20 + at as u8);
        bench.read(4)
    })
}

const KEPT: [u8; 8] = [0x55, 0x55, 0x41, 0x55, 0x55, 0x55, 0x41, 0x55];
const LOST: [u8; 8] = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x22, 0x27];

#[test]
fn a_row_of_oam_that_nobody_refreshes_for_26_lines_is_lost_where_oam_forgets() {
    let mut bench = with_a_row(true, Region::Ntsc);
    // A read refreshes it, and so do lines of the picture.
    for line in [266, 290, 314] {
        bench.go_to((262 + line) * LINE);
        assert_eq!(row(&mut bench), KEPT, "line {line}");
    }
    bench.write(1, 0x18);
    bench.go_to((5 * 262 + 250) * LINE);
    assert_eq!(row(&mut bench), KEPT);
    bench.write(1, 0);
    bench.go_to((5 * 262 + 278) * LINE);
    assert_eq!(bench.ppu.peek(4), LOST[7], "OAM's address is still that of the last byte");
    assert_eq!(row(&mut bench), LOST);
    // A write refreshes what it does not reach, too: what was lost before.
    bench.go_to((6 * 262 + 100) * LINE);
    bench.write(3, 0x20);
    bench.write(4, 0x77);
    assert_eq!(bench.ppu.oam()[0x20..0x28], [0x77, 0x21, 0x22, 0x23, 0x24, 0x25, 0x22, 0x27]);
    // Sprites are lost before the first line is searched.
    let mut bench = with_a_row(true, Region::Ntsc);
    bench.go_to((2 * 262 + 100) * LINE);
    bench.write(1, 0x18);
    bench.go_to((2 * 262 + 102) * LINE);
    assert_eq!(bench.ppu.oam()[0x20..0x28], LOST);
}

#[test]
fn oam_forgets_nothing_by_default_and_on_pal_vblank_refreshes_it() {
    let mut bench = with_a_row(false, Region::Ntsc);
    bench.go_to(9 * 262 * LINE);
    assert_eq!(row(&mut bench), KEPT);
    let mut bench = with_a_row(true, Region::Pal);
    bench.go_to((2 * 312 + 20) * LINE);
    assert_eq!(row(&mut bench), KEPT, "line 310 was 22 lines ago");
    bench.go_to((2 * 312 + 60) * LINE);
    assert_eq!(row(&mut bench), LOST);
}

/// A picture of the last nametable, whose tiles have `plane` in their low plane, in its fourth
/// line, with entries of the palette that are 0 at each palette's start.
fn last_nametable(palette_corruption: bool, plane: u8) -> Bench {
    let mut bench = quirky(Quirks { palette_corruption, ..Quirks::default() }, Region::Ntsc);
    bench.memory.0[..0x1000].fill(0);
    (0..0x1000).filter(|at| at & 8 == 0).for_each(|at| bench.memory.0[at] = plane);
    bench.go_to((262 + 242) * LINE);
    bench.address(0x3F00);
    for entry in 0..16_u8 {
        bench.write(7, if entry & 3 == 0 { 0 } else { 0x20 | entry });
    }
    bench.write(0, 3);
    bench.write(5, 0);
    bench.write(5, 0);
    bench.write(1, 0x0A);
    bench.go_to((2 * 262 + 3) * LINE);
    bench
}

/// What becomes of the palette if rendering is cut in so many dots of the line.
fn after_cuts(palette_corruption: bool, plane: u8) -> Vec<[u8; 16]> {
    let begun = last_nametable(palette_corruption, plane);
    let of = |dot| {
        let Bench { ppu, memory, frame, tick } = &begun;
        let mut bench =
            Bench { ppu: ppu.clone(), memory: Memory(memory.0), frame: frame.clone(), tick: *tick };
        bench.go_to((2 * 262 + 3) * LINE + dot);
        bench.write(1, 0);
        core::array::from_fn(|entry| bench.ppu.palette_ram()[entry])
    };
    (86..102).map(of).collect()
}

#[test]
fn rendering_that_is_cut_early_in_a_tile_of_the_last_nametable_changes_the_palette_where_it_can() {
    let whole: [u8; 16] = core::array::from_fn(|entry| if entry & 3 == 0 { 0 } else { 0x20 | entry as u8 });
    assert!(after_cuts(false, 0).iter().chain(&after_cuts(false, 0xFF)).all(|palette| *palette == whole));
    // Over the backdrop: the entry that `v` points to becomes what two of three have. In two of
    // eight dots.
    let changed: Vec<usize> = after_cuts(true, 0)
        .iter()
        .flat_map(|palette| (0..16).filter(|&entry| palette[entry] != whole[entry]))
        .collect();
    assert_eq!(changed, [13, 13, 14, 14]);
    // Over colour 1: it goes over the colour that `v` points to, in all four.
    let mixed = after_cuts(true, 0xFF);
    let copied = |palette: &[u8; 16]| (0..4).all(|row| palette[4 * row + 2] == whole[4 * row + 1]);
    assert_eq!(mixed.iter().filter(|palette| copied(palette)).count(), 2);
    assert_eq!(mixed.iter().filter(|palette| **palette != whole).count(), 2, "$D is colour 1 itself");
}

#[test]
fn v_that_leaves_the_palette_within_the_picture_changes_the_entry_where_it_can() {
    for (quirk, line, entry, changes) in
        [(true, 100, 5, true), (false, 100, 5, false), (true, 245, 5, false), (true, 100, 0x10, false)]
    {
        let mut bench = quirky(Quirks { palette_corruption: quirk, ..Quirks::default() }, Region::Ntsc);
        bench.go_to((262 + 242) * LINE);
        bench.address(0x3F05);
        bench.write(7, 0x2A);
        bench.address(0x2000);
        bench.go_to((2 * 262 + line) * LINE + 20);
        bench.address(0x3F00 + entry);
        bench.address(0x2000);
        assert_eq!(bench.ppu.palette_ram()[5] == 0, changes, "line {line}, entry {entry:02X}");
    }
}

#[test]
fn the_reset_button_of_some_consoles_does_not_reach_the_chip() {
    for no_reset in [false, true] {
        let mut bench = quirky(Quirks { no_reset, ..Quirks::default() }, Region::Ntsc);
        bench.write(0, 0x91);
        bench.go_to((262 + 100) * LINE);
        bench.ppu.reset();
        let kept = (bench.ppu.control_and_mask().0.bits(), bench.ppu.scanline());
        assert_eq!(kept, if no_reset { (0x91, 100) } else { (0, 0) });
        assert_eq!(bench.ppu.nmi_edge(), None);
    }
}
