//! Every public ROM of mappers 0-4 and 7 in the pinned package, a line each, and what it says of
//! itself.
//!
//! A ROM is judged by its own verdict, never by a picture of another emulator. What is excluded has
//! its reason on its line and shows as ignored. `every_rom_of_the_package_is_on_a_line` keeps the
//! tables whole.

use std::path::Path;

use maxout_tests::{local, public_rom, public_roms, read};
use nes::{Buttons, Cartridge, Config, Console, Frame, Palette, Region};
use nes_conformance::{Manifest, Options, Report, Verdict, run};

macro_rules! passes {
    ($($name:ident $path:literal;)*) => {
        const PASSES: &[&str] = &[$($path),*];
        $(#[test] fn $name() { assert_passes($path); })*
    };
}

passes! {
    apu_clock_jitter                   "apu/clock_jitter.nes";
    apu_dmc                            "apu/dmc.nes";
    apu_dmc_basics                     "apu/dmc_basics.nes";
    apu_dmc_dma_2007_read              "apu/dmc_dma_2007_read.nes";
    apu_dmc_dma_2007_write             "apu/dmc_dma_2007_write.nes";
    apu_dmc_dma_4016_read              "apu/dmc_dma_4016_read.nes";
    apu_dmc_dma_double_2007_read       "apu/dmc_dma_double_2007_read.nes";
    apu_dmc_dma_read_write_2007        "apu/dmc_dma_read_write_2007.nes";
    apu_dmc_rates                      "apu/dmc_rates.nes";
    apu_irq_flag                       "apu/irq_flag.nes";
    apu_irq_flag_timing                "apu/irq_flag_timing.nes";
    apu_irq_timing                     "apu/irq_timing.nes";
    apu_len_ctr                        "apu/len_ctr.nes";
    apu_len_halt_timing                "apu/len_halt_timing.nes";
    apu_len_reload_timing              "apu/len_reload_timing.nes";
    apu_len_table                      "apu/len_table.nes";
    apu_len_timing                     "apu/len_timing.nes";
    apu_len_timing_mode0               "apu/len_timing_mode0.nes";
    apu_len_timing_mode1               "apu/len_timing_mode1.nes";
    apu_noise                          "apu/noise.nes";
    apu_pal_clock_jitter               "apu/pal_clock_jitter.nes";
    apu_pal_irq_flag                   "apu/pal_irq_flag.nes";
    apu_pal_irq_flag_timing            "apu/pal_irq_flag_timing.nes";
    apu_pal_irq_timing                 "apu/pal_irq_timing.nes";
    apu_pal_len_ctr                    "apu/pal_len_ctr.nes";
    apu_pal_len_halt_timing            "apu/pal_len_halt_timing.nes";
    apu_pal_len_reload_timing          "apu/pal_len_reload_timing.nes";
    apu_pal_len_table                  "apu/pal_len_table.nes";
    apu_pal_len_timing_mode0           "apu/pal_len_timing_mode0.nes";
    apu_pal_len_timing_mode1           "apu/pal_len_timing_mode1.nes";
    apu_reset_4015_cleared             "apu/reset_4015_cleared.nes";
    apu_reset_4017_timing              "apu/reset_4017_timing.nes";
    apu_reset_4017_written             "apu/reset_4017_written.nes";
    apu_reset_irq_flag_cleared         "apu/reset_irq_flag_cleared.nes";
    apu_reset_len_ctrs_enabled         "apu/reset_len_ctrs_enabled.nes";
    apu_reset_timing                   "apu/reset_timing.nes";
    apu_reset_works_immediately        "apu/reset_works_immediately.nes";
    apu_square                         "apu/square.nes";
    apu_test_1                         "apu/test_1.nes";
    apu_test_10                        "apu/test_10.nes";
    apu_test_2                         "apu/test_2.nes";
    apu_test_3                         "apu/test_3.nes";
    apu_test_4                         "apu/test_4.nes";
    apu_test_5                         "apu/test_5.nes";
    apu_test_6                         "apu/test_6.nes";
    apu_test_7                         "apu/test_7.nes";
    apu_test_8                         "apu/test_8.nes";
    apu_test_9                         "apu/test_9.nes";
    apu_triangle                       "apu/triangle.nes";
    cpu_branch_backward                "cpu/branch_backward.nes";
    cpu_branch_basics                  "cpu/branch_basics.nes";
    cpu_branch_forward                 "cpu/branch_forward.nes";
    cpu_dummy_reads                    "cpu/dummy_reads.nes";
    cpu_dummy_writes_oam               "cpu/dummy_writes_oam.nes";
    cpu_dummy_writes_ppumem            "cpu/dummy_writes_ppumem.nes";
    cpu_exec_space_apu                 "cpu/exec_space_apu.nes";
    cpu_exec_space_ppuio               "cpu/exec_space_ppuio.nes";
    cpu_flag_concurrency               "cpu/flag_concurrency.nes";
    cpu_instr_abs                      "cpu/instr_abs.nes";
    cpu_instr_abs_xy                   "cpu/instr_abs_xy.nes";
    cpu_instr_basics                   "cpu/instr_basics.nes";
    cpu_instr_branches                 "cpu/instr_branches.nes";
    cpu_instr_brk                      "cpu/instr_brk.nes";
    cpu_instr_imm                      "cpu/instr_imm.nes";
    cpu_instr_imp                      "cpu/instr_imp.nes";
    cpu_instr_ind_x                    "cpu/instr_ind_x.nes";
    cpu_instr_ind_y                    "cpu/instr_ind_y.nes";
    cpu_instr_jmp_jsr                  "cpu/instr_jmp_jsr.nes";
    cpu_instr_misc                     "cpu/instr_misc.nes";
    cpu_instr_rti                      "cpu/instr_rti.nes";
    cpu_instr_rts                      "cpu/instr_rts.nes";
    cpu_instr_special                  "cpu/instr_special.nes";
    cpu_instr_stack                    "cpu/instr_stack.nes";
    cpu_instr_timing                   "cpu/instr_timing.nes";
    cpu_instr_zp                       "cpu/instr_zp.nes";
    cpu_instr_zp_xy                    "cpu/instr_zp_xy.nes";
    cpu_int_branch_delays_irq          "cpu/int_branch_delays_irq.nes";
    cpu_int_cli_latency                "cpu/int_cli_latency.nes";
    cpu_int_irq_and_dma                "cpu/int_irq_and_dma.nes";
    cpu_int_nmi_and_brk                "cpu/int_nmi_and_brk.nes";
    cpu_int_nmi_and_irq                "cpu/int_nmi_and_irq.nes";
    cpu_nestest                        "cpu/nestest.nes";
    cpu_ram_after_reset                "cpu/ram_after_reset.nes";
    cpu_regs_after_reset               "cpu/regs_after_reset.nes";
    cpu_sprdma_and_dmc_dma             "cpu/sprdma_and_dmc_dma.nes";
    cpu_sprdma_and_dmc_dma_512         "cpu/sprdma_and_dmc_dma_512.nes";
    cpu_timing_test                    "cpu/timing_test.nes";
    mapper_mmc3_a12_clocking           "mapper/m004_txrom/a12_clocking.nes";
    mapper_mmc3_clocking               "mapper/m004_txrom/clocking.nes";
    mapper_mmc3_details                "mapper/m004_txrom/details.nes";
    mapper_mmc3_rev_a                  "mapper/m004_txrom/rev_a.nes";
    mapper_mmc3_rev_b                  "mapper/m004_txrom/rev_b.nes";
    mapper_mmc3_scanline_timing        "mapper/m004_txrom/scanline_timing.nes";
    ppu_oam_read                       "ppu/oam_read.nes";
    ppu_oam_stress                     "ppu/oam_stress.nes";
    ppu_open_bus                       "ppu/open_bus.nes";
    ppu_palette_ram                    "ppu/palette_ram.nes";
    ppu_read_buffer                    "ppu/read_buffer.nes";
    ppu_spr_hit_alignment              "ppu/spr_hit_alignment.nes";
    ppu_spr_hit_basics                 "ppu/spr_hit_basics.nes";
    ppu_spr_hit_corners                "ppu/spr_hit_corners.nes";
    ppu_spr_hit_double_height          "ppu/spr_hit_double_height.nes";
    ppu_spr_hit_edge_timing            "ppu/spr_hit_edge_timing.nes";
    ppu_spr_hit_flip                   "ppu/spr_hit_flip.nes";
    ppu_spr_hit_left_clip              "ppu/spr_hit_left_clip.nes";
    ppu_spr_hit_right_edge             "ppu/spr_hit_right_edge.nes";
    ppu_spr_hit_screen_bottom          "ppu/spr_hit_screen_bottom.nes";
    ppu_spr_hit_timing_basics          "ppu/spr_hit_timing_basics.nes";
    ppu_spr_hit_timing_order           "ppu/spr_hit_timing_order.nes";
    ppu_spr_overflow_basics            "ppu/spr_overflow_basics.nes";
    ppu_spr_overflow_details           "ppu/spr_overflow_details.nes";
    ppu_spr_overflow_emulator          "ppu/spr_overflow_emulator.nes";
    ppu_spr_overflow_obscure           "ppu/spr_overflow_obscure.nes";
    ppu_spr_overflow_timing            "ppu/spr_overflow_timing.nes";
    ppu_sprite_ram                     "ppu/sprite_ram.nes";
    ppu_vbl_nmi_basics                 "ppu/vbl_nmi_basics.nes";
    ppu_vbl_nmi_clear_timing           "ppu/vbl_nmi_clear_timing.nes";
    ppu_vbl_nmi_control                "ppu/vbl_nmi_control.nes";
    ppu_vbl_nmi_disable                "ppu/vbl_nmi_disable.nes";
    ppu_vbl_nmi_even_odd_frames        "ppu/vbl_nmi_even_odd_frames.nes";
    ppu_vbl_nmi_even_odd_timing        "ppu/vbl_nmi_even_odd_timing.nes";
    ppu_vbl_nmi_frame_basics           "ppu/vbl_nmi_frame_basics.nes";
    ppu_vbl_nmi_off_timing             "ppu/vbl_nmi_off_timing.nes";
    ppu_vbl_nmi_on_timing              "ppu/vbl_nmi_on_timing.nes";
    ppu_vbl_nmi_set_time               "ppu/vbl_nmi_set_time.nes";
    ppu_vbl_nmi_suppression            "ppu/vbl_nmi_suppression.nes";
    ppu_vbl_nmi_timing                 "ppu/vbl_nmi_timing.nes";
    ppu_vbl_timing                     "ppu/vbl_timing.nes";
    ppu_vram_access                    "ppu/vram_access.nes";
}

fn assert_passes(path: &str) {
    let manifest = include_str!("../../../docs/accuracy/manifests/pinned.json");
    let manifest: Manifest = serde_json::from_str(manifest).expect("the manifest is well formed");
    let options =
        manifest.entry(path).map_or_else(Options::default, |entry| entry.apply(&Options::default()));
    let report = run(&public_rom(path), &options);
    assert_eq!(report.verdict, Verdict::Pass, "{path}: {:?}\n{}", report.failures, report.text);
}

/// The paths of the package's ROMs whose mapper this machine has.
fn roms() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![public_roms().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("the package's folder can be listed") {
            let path = entry.expect("the package's folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "nes") {
                let image = read(&path);
                if matches!(image[6] >> 4 | image[7] & 0xF0, 0..=4 | 7) {
                    let name = path.strip_prefix(public_roms()).expect("it lies in the folder");
                    found.push(name.to_string_lossy().replace('\\', "/"));
                }
            }
        }
    }
    found.sort();
    found
}

/// The ROMs that are not judged, each with the reason: those of the package that
/// docs/accuracy/notes.json excludes.
fn excluded() -> Vec<(String, String)> {
    let notes: serde_json::Value = serde_json::from_str(include_str!("../../../docs/accuracy/notes.json"))
        .expect("the notes are well formed");
    let notes = notes["notes"].as_array().expect("a list of notes");
    let reason = |rom: &str| {
        let note = notes.iter().find(|note| {
            let pattern = note["rom"].as_str().unwrap_or_default();
            let fits = pattern.strip_suffix('*').map_or(rom == pattern, |start| rom.starts_with(start));
            fits && note["suite"] == "pinned" && note["excluded"] == true
        })?;
        note["note"].as_str().map(str::to_owned)
    };
    roms().into_iter().filter_map(|rom| reason(&rom).map(|reason| (rom, reason))).collect()
}

#[test]
fn every_rom_of_the_package_is_judged_or_excluded_with_a_reason() {
    let excluded = excluded().into_iter().map(|(rom, _)| rom);
    let mut listed: Vec<String> = PASSES.iter().map(ToString::to_string).chain(excluded).collect();
    listed.sort();
    assert_eq!(roms(), listed);
}

#[test]
fn no_excluded_rom_jams_in_600_frames() {
    let excluded = excluded();
    assert_eq!(excluded.len(), 26);
    for (rom, reason) in excluded {
        let console = console_after(&rom, 600, Config { video: false, ..Config::default() }, false);
        assert!(!console.cpu.jammed, "{rom} ({reason}) jams by cycle {}", console.cycle());
    }
}

/// The console after so many frames, with Start pressed for some after a hundred if that is what
/// the ROM waits for.
fn console_after(rom: &str, frames: u32, config: Config, start: bool) -> Console {
    let cartridge = Cartridge::from_bytes(&public_rom(rom)).unwrap_or_else(|error| panic!("{rom}: {error}"));
    let mut console = Console::new(cartridge, config);
    for frame in 0..frames {
        let held = if start && (100..105).contains(&frame) { Buttons::START } else { Buttons::empty() };
        assert!(console.run_frame(&mut [held, Buttons::empty()], &mut ()).is_continue());
    }
    console
}

/// ROMs that show a picture and give no verdict, and the picture that each shows after 120 or 300
/// frames: looked at by people, and kept beside the tests. `overclock` measures the console: 113.6
/// cycles a line, 262 lines, 60.10 frames a second, or on PAL 106.6, 312 and 50.01; `big_chr_ram`
/// says that all of 32 KiB is there; `mmc5_basics` shows the CHR banks that sprites, background and
/// the CPU find, `mmc5_exram` bars by a program in `ExRAM`. A picture that differs is written below
/// the target folder, to be looked at again.
#[test]
fn pictures_are_those_that_were_looked_at() {
    let palette = Palette::ntsc();
    let mut wrong = Vec::new();
    for (rom, name, region, start) in [
        ("apu/dpcmletterbox.nes", "dpcmletterbox", None, false),
        ("cpu/overclock.nes", "overclock", None, false),
        ("cpu/overclock.nes", "overclock_pal", Some(Region::Pal), false),
        ("mapper/m004_txrom/big_chr_ram.nes", "big_chr_ram", None, true),
        ("mapper/m005_exrom/basics.nes", "mmc5_basics", None, false),
        ("mapper/m005_exrom/exram.nes", "mmc5_exram", None, false),
        ("ppu/color.nes", "color", None, false),
        ("ppu/ntsc_torture.nes", "ntsc_torture", None, false),
        ("ppu/palette.nes", "palette", None, false),
        ("ppu/scanline.nes", "scanline", None, false),
    ] {
        let frames = if start { 300 } else { 120 };
        let console = console_after(rom, frames, Config { region, ..Config::default() }, start);
        let found = console.picture().pixels().iter().flat_map(|&pixel| palette.rgb(pixel)).collect();
        let found = image::RgbImage::from_raw(Frame::WIDTH as u32, Frame::HEIGHT as u32, found)
            .expect("three bytes a pixel");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures").join(format!("{name}.png"));
        if image::open(&kept).map(image::DynamicImage::into_rgb8).ok().as_ref() != Some(&found) {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
            found.save(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            wrong.push(format!("{rom}: expected {}, found {}", kept.display(), path.display()));
        }
    }
    assert!(wrong.is_empty(), "look at both, and keep the new one if it is right:\n{}", wrong.join("\n"));
}

/// The failures among `reports`, one line each.
fn complaints<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Vec<String> {
    let bad = |report: &&Report| report.verdict != Verdict::Pass;
    let line = |report: &Report| {
        format!("{}: {} {:?} {}", report.rom, report.verdict.word(), report.failures, report.text)
    };
    reports.into_iter().filter(bad).map(line).collect()
}

#[test]
#[ignore = "needs a copy of AccuracyCoin: MAXOUT_ACCURACYCOIN=path/to/AccuracyCoin.nes cargo test -p maxout-tests accuracy_coin -- --ignored"]
fn accuracy_coin_passes_every_test_at_phase_0() {
    let path = local("MAXOUT_ACCURACYCOIN");
    let report = run(&read(&path), &Options::default());
    assert_eq!((report.verdict, report.failures), (Verdict::Pass, Vec::new()), "{}", report.text);
    assert!(report.total >= 141);
}

#[test]
#[ignore = "needs a copy of the suite: MAXOUT_NES_TEST_ROMS=path/to/nes-test-roms cargo test -p maxout-tests nes_test_roms -- --ignored"]
fn nes_test_roms_all_pass() {
    let folder = local("MAXOUT_NES_TEST_ROMS");
    let manifest: Manifest =
        serde_json::from_str(include_str!("../../../docs/accuracy/manifests/nes-test-roms.json"))
            .expect("the manifest is well formed");
    let judged = manifest.roms.iter().filter(|entry| entry.report != Some(nes_conformance::Method::Visual));
    let reports: Vec<_> = judged
        .map(|entry| {
            run(&read(&folder.join(&entry.path)), &entry.apply(&Options::default())).named(&entry.path)
        })
        .collect();
    assert_eq!(complaints(&reports), Vec::<String>::new());
    assert_eq!(reports.len(), 148);
}

/// By bit 0 of `$2001`, written within a frame: its readme says that the line begins where the
/// lines above and below it do, on NTSC with a pixel that flashes, on PAL between the two.
#[test]
#[ignore = "needs a copy of the suite: MAXOUT_NES_TEST_ROMS=path/to/nes-test-roms cargo test -p maxout-tests nmi_sync -- --ignored"]
fn nmi_sync_draws_its_lines_where_its_readme_says() {
    let folder = local("MAXOUT_NES_TEST_ROMS").join("nmi_sync");
    for (rom, region) in [("demo_ntsc.nes", Region::Ntsc), ("demo_pal.nes", Region::Pal)] {
        let cartridge = Cartridge::from_bytes(&read(&folder.join(rom))).expect("a cartridge");
        for power in 0..16 {
            let config = Config {
                phase: power & 3,
                apu_alignment: power >> 2,
                region: Some(region),
                ..Config::default()
            };
            let mut console = Console::new(cartridge.clone(), config);
            let mut begins = Vec::new();
            for frame in 0..126 {
                let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
                let begin = |line: usize| {
                    let line = console.picture().line(line);
                    line.iter().position(|pixel| *pixel != line[0])
                };
                if frame >= 120 {
                    begins.push([119, 121, 123].map(begin));
                }
            }
            let [above, _, below] = begins[0];
            assert!(above.is_some() && above <= below, "{rom}, {power}: {begins:?}");
            let widest = below.max(above.map(|above| above + 1));
            for (frame, begin) in begins.iter().enumerate() {
                assert_eq!([begin[0], begin[2]], [above, below], "{rom}, {power}: {begins:?}");
                assert!(above <= begin[1] && begin[1] <= widest, "{rom}, {power}: {begins:?}");
                assert_eq!(begin, &begins[frame % 2], "{rom}, {power}: {begins:?}");
            }
            assert_ne!(begins[0], begins[1], "it flashes: {rom}, {power}");
        }
    }
}

#[test]
#[ignore = "needs built images: MAXOUT_HOLY_MAPPEREL=path/to/testroms cargo test -p maxout-tests holy_mapperel -- --ignored"]
fn holy_mapperel_finds_nothing_wrong_with_a_board_of_each_kind() {
    let folder = local("MAXOUT_HOLY_MAPPEREL");
    for name in [
        "M0_P32K_CR8K_V.nes",
        "M1_P128K_C32K.nes",
        "M1_P128K_CR8K.nes",
        "M4_P256K_C256K.nes",
        "M4_P256K_CR32K.nes",
        "M28_P1M_CR32K.nes",
        "M34_P128K_CR8K_H.nes",
        "M66_P64K_C16K_V.nes",
        "M69_P128K_C64K_S8K.nes",
    ] {
        let report = run(&read(&folder.join(name)), &Options::default());
        assert_eq!(report.verdict, Verdict::Pass, "{name}: {:?}\n{}", report.failures, report.text);
    }
}
