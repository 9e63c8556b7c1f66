//! Public ROMs of the pinned package on the fast console and the slow one, for some frames each,
//! one after another at the first phase and alignment. `cargo xtask prove --kind roms` runs all,
//! for longer, at all sixteen.

use maxout_prove::{Kind, Plan, Roms, Wanted, run};
use maxout_tests::public_roms;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

/// A case for each ROM.
const ROMS: u64 = 157;

#[test]
fn public_roms_are_the_same_on_the_fast_console_and_the_slow_one() {
    let roms = Roms::collect(&[public_roms().to_owned()]).expect("the package's folder can be read");
    assert_eq!(roms.len() as u64, ROMS, "ROMs of boards that are built here");
    let plan = Plan {
        wanted: Wanted::default(),
        kinds: vec![Kind::Roms],
        seed: 1,
        cases: ROMS,
        frames: 8,
        time: Duration::MAX,
        jobs: 1,
        shrinks: 0,
        differences: 1,
    };
    let summary = run(&plan, &roms, &AtomicBool::new(false), &AtomicU64::new(0), &|_| {})
        .expect("every case can be made");
    for difference in &summary.differences {
        eprintln!("{difference}");
    }
    assert_eq!(summary.differences.len(), 0);
    assert_eq!(summary.kinds[0].cases, ROMS);
}
