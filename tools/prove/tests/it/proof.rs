//! The share of the proof that runs with every test: `cargo xtask prove` runs the rest, for as long
//! as you like. (The public ROMs are in `tests/tests/it/proof.rs`, which knows where they are.)

use maxout_prove::{Kind, Plan, Roms, Summary, Wanted, run};
use nes::{Buttons, Reference, Region};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use super::console;

fn plan(kind: Kind, cases: u64, wanted: Wanted) -> Plan {
    Plan {
        kinds: vec![kind],
        wanted,
        seed: 1,
        cases,
        frames: 600,
        time: Duration::MAX,
        jobs: 1,
        shrinks: 0,
        differences: 1,
    }
}

fn carry_out(plan: &Plan) -> anyhow::Result<Summary> {
    run(plan, &Roms::default(), &AtomicBool::new(false), &AtomicU64::new(0), &|_| {})
}

/// The first cases of a kind.
fn prove(kind: Kind, cases: u64) -> Summary {
    let summary = carry_out(&plan(kind, cases, Wanted::default())).expect("every case can be made");
    for difference in &summary.differences {
        eprintln!("{difference}");
    }
    assert_eq!(summary.differences.len(), 0);
    assert_eq!(summary.kinds[0].cases, cases);
    summary
}

#[test]
fn random_programs_are_the_same_on_the_fast_console_and_the_slow_one() {
    let coverage = prove(Kind::Programs, 50).kinds[0].coverage;
    for (what, count) in coverage.all() {
        assert!(count > 0, "no program reached {what}: {coverage:?}");
    }
}

#[test]
fn registers_poked_at_random_dots_do_the_same_on_the_fast_console_and_the_slow_one() {
    let coverage = prove(Kind::Pokes, 30).kinds[0].coverage;
    for (what, count) in coverage.all() {
        assert!(count > 0, "no program reached {what}: {coverage:?}");
    }
}

#[test]
fn the_cartridge_under_random_fingers_is_the_same_on_the_fast_console_and_the_slow_one() {
    let summary = prove(Kind::Cartridge, 2);
    assert!(summary.kinds[0].frames >= 600, "{summary:?}");
}

#[test]
fn the_cases_that_are_wanted_are_found_and_the_others_do_not_count() -> anyhow::Result<()> {
    let wanted = || Wanted { mappers: vec![4], region: Some(Region::Pal), quirks: true };
    let Summary { kinds, differences, .. } = carry_out(&plan(Kind::Pokes, 2, wanted()))?;
    assert!(differences.is_empty(), "{differences:?}");
    assert_eq!((kinds.len(), kinds[0].cases), (1, 2));
    assert!(kinds[0].coverage.board_irq > 0, "no MMC3 asked for an interrupt: {:?}", kinds[0].coverage);

    for kind in [Kind::Cartridge, Kind::Roms] {
        let error = carry_out(&plan(kind, 2, wanted())).unwrap_err().to_string();
        assert!(error.contains("mapper 4"), "{error}");
    }
    Ok(())
}

#[test]
fn single_steps_are_the_same_on_the_fast_console_and_the_slow_one() {
    for seed in 1..=12 {
        let (mut fast, case) = console(seed);
        let mut slow = Reference::new(case.cartridge, case.power.config(Some(48_000)));
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        while fast.frame_number() < 4 {
            assert!(
                fast.step(&mut pads, &mut ()).is_continue() && slow.step(&mut pads, &mut ()).is_continue()
            );
            assert_eq!(fast.cpu, slow.console().cpu, "seed {seed}, cycle {}", fast.cycle());
            assert_eq!(fast.cycle(), slow.console().cycle(), "seed {seed}");
        }
        assert!(fast == *slow.console(), "seed {seed}");
    }
}
