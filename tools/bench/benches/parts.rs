//! The parts of a frame, each alone: instructions, lines, sound, snapshots, colours.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use nes::cpu::{Access, Bus, Cpu, Lines, Unstable};
use nes::ppu::{Ppu, VideoBus};
use nes::{Buttons, Cartridge, Config, Console, Frame, Palette};
use nes_apu::{Apu, Sink, Synth};
use std::hint::black_box;

/// The cartridge that comes with Maxout.
const CARTRIDGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// CPU cycles of a frame, about.
const FRAME_CYCLES: u64 = 29_781;
/// Ticks of a frame, about.
const FRAME_TICKS: u64 = 12 * FRAME_CYCLES;
/// Instructions of a run.
const INSTRUCTIONS: u64 = 10_000;

/// 64 KiB of RAM and nothing else.
struct Ram(Vec<u8>);

impl Bus for Ram {
    fn read(&mut self, address: u16, _: Access) -> u8 {
        self.0[usize::from(address)]
    }

    fn write(&mut self, address: u16, value: u8, _: Access) {
        self.0[usize::from(address)] = value;
    }

    fn lines(&mut self) -> Lines {
        Lines::empty()
    }

    fn acknowledge_nmi(&mut self) {}

    fn held(&self) -> bool {
        false
    }
}

fn instructions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cpu");
    group.throughput(Throughput::Elements(INSTRUCTIONS));
    let programs: [(&str, &[u8]); 3] = [
        // LDA zp; ADC #; STA zp,X; INX; BNE; JMP.
        ("arithmetic", &[0xA5, 0x10, 0x69, 3, 0x95, 0x20, 0xE8, 0xD0, 0xF7, 0x4C, 0x00, 0x80]),
        // LDA (zp),Y; STA abs,Y; INY; BNE; JMP.
        ("copying", &[0xB1, 0x10, 0x99, 0x00, 0x03, 0xC8, 0xD0, 0xF8, 0x4C, 0x00, 0x80]),
        // JSR; JMP: RTS lies at $9000.
        ("calls", &[0x20, 0x00, 0x90, 0x4C, 0x00, 0x80]),
    ];
    for (name, program) in programs {
        let mut bus = Ram(vec![0; 0x10000]);
        bus.0[0x8000..0x8000 + program.len()].copy_from_slice(program);
        bus.0[0x9000] = 0x60;
        let mut cpu = Cpu::new(Unstable::default());
        cpu.pc = 0x8000;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for _ in 0..INSTRUCTIONS {
                    black_box(cpu.step(&mut bus));
                }
            });
        });
    }
    group.finish();
}

/// Pattern tables and nametables of plain memory.
#[derive(Clone)]
struct Video(Vec<u8>);

impl VideoBus for Video {
    fn read(&mut self, address: u16) -> u8 {
        self.0[usize::from(address & 0x3FFF)]
    }

    fn write(&mut self, address: u16, value: u8) {
        self.0[usize::from(address & 0x3FFF)] = value;
    }
}

/// Something like a picture, and a PPU that draws it, in vblank.
fn screen() -> (Ppu, Video, Frame) {
    let mut video = Video((0..0x4000_u32).map(|at| (at.wrapping_mul(0x9E37_79B9) >> 24) as u8).collect());
    let (mut ppu, mut frame) = (Ppu::new(0), Frame::default());
    let tick = 2 * FRAME_TICKS;
    ppu.run_until(tick, &mut video, &mut frame);
    for sprite in 0..64 {
        for byte in [sprite * 3, sprite, sprite & 3, sprite * 4] {
            ppu.write(4, byte, 0, tick, &mut video, &mut frame);
        }
    }
    ppu.write(1, 0x1E, 0, tick, &mut video, &mut frame);
    ppu.run_until(tick + FRAME_TICKS, &mut video, &mut frame);
    (ppu, video, frame)
}

/// How a PPU is run.
type Run = fn(&mut Ppu, u64, &mut Video, &mut Frame);

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ppu, a frame");
    let ways: [(&str, Run); 2] =
        [("lines at once", Ppu::run_until::<Video>), ("dot by dot", Ppu::run_by_dots::<Video>)];
    for (name, run) in ways {
        let (mut ppu, mut video, mut frame) = screen();
        let mut tick = 3 * FRAME_TICKS;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                tick += FRAME_TICKS;
                // Another scroll position each time: no line is what it was.
                ppu.write(5, (tick / FRAME_TICKS) as u8, 0, tick - FRAME_TICKS, &mut video, &mut frame);
                ppu.write(5, 0, 0, tick - FRAME_TICKS, &mut video, &mut frame);
                run(&mut ppu, tick, &mut video, &mut frame);
            });
        });
    }
    group.finish();
}

fn tones(apu: &mut Apu) {
    let registers = [
        (0x4015, 0x0F),
        (0x4000, 0xBF),
        (0x4002, 0xFD),
        (0x4003, 0x00),
        (0x4004, 0x7F),
        (0x4006, 0x52),
        (0x4007, 0x01),
        (0x4008, 0xFF),
        (0x400A, 0x80),
        (0x400B, 0x00),
        (0x400C, 0x3F),
        (0x400E, 0x04),
        (0x400F, 0x00),
    ];
    for (address, value) in registers {
        apu.write(address, value);
    }
}

fn apu_frames<S: Sink>(bencher: &mut criterion::Bencher<'_>, mut sink: S, end: fn(&mut S, u64)) {
    let mut apu = Apu::new(0);
    tones(&mut apu);
    let mut cycle = 0;
    bencher.iter(|| {
        cycle += FRAME_CYCLES;
        apu.run_until(cycle, &mut sink);
        end(&mut sink, cycle);
    });
}

fn sound(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("apu, a frame of four tones");
    group.bench_function("unheard", |bencher| apu_frames(bencher, (), |(), _| {}));
    group.bench_function("at 48 kHz", |bencher| {
        apu_frames(bencher, Synth::new(48_000), |synth, cycle| {
            synth.end_frame(cycle);
            black_box(synth.samples());
            synth.clear();
        });
    });
    group.finish();
}

/// A console in the middle of the cartridge's demo.
fn console() -> Console {
    let cartridge = Cartridge::from_bytes(CARTRIDGE).expect("the built-in cartridge");
    let mut console = Console::new(cartridge, Config::default());
    for _ in 0..1200 {
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
    }
    console
}

fn snapshots(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot");
    let console = console();
    let saved = console.save();
    let mut target = console.clone();
    group.bench_function("clone", |bencher| bencher.iter(|| black_box(console.clone())));
    group.bench_function("restore", |bencher| bencher.iter(|| target.clone_from(black_box(&console))));
    group.bench_function("save", |bencher| bencher.iter(|| black_box(console.save())));
    group.bench_function("load", |bencher| bencher.iter(|| target.load(black_box(&saved))));
    group.bench_function("clone and a frame", |bencher| {
        let run = |mut clone: Console| clone.run_frame(&mut [Buttons::empty(); 2], &mut ());
        bencher.iter_batched(|| console.clone(), run, BatchSize::SmallInput);
    });
    group.finish();
}

fn colours(criterion: &mut Criterion) {
    let console = console();
    let palette = Palette::ntsc();
    let mut rgba = vec![0; 4 * Frame::WIDTH * Frame::HEIGHT];
    criterion.bench_function("palette, a picture to RGBA", |bencher| {
        bencher.iter(|| palette.paint(black_box(console.picture().pixels()), &mut rgba));
    });
}

criterion_group!(parts, instructions, lines, sound, snapshots, colours);
criterion_main!(parts);
