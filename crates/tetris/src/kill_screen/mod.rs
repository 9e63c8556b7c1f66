//! The way to the kill screen: how long the game works in the frame in which a lock is scored.
//!
//! The points of a lock are added level + 1 times over. At high levels that work ends so late that
//! the interrupt comes into one of the last eight jumps through a table, with which it shares two
//! bytes of RAM, and the game goes astray. The cycles were counted by `HydrantDude` and are used by
//! `TetrisGYM`; of 547 locks from level 100 on in recordings of the US cartridge one falls into a
//! window, and that one crashed.

mod lock;
mod timing;

pub use lock::Lock;
pub use timing::{SoundCycles, Tail, Timing};

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock at the limit of the score, next box shown, no music, nothing else.
    fn lock(rows: u8, level: u8) -> Lock {
        let cleared_rows = core::array::from_fn(|check| if check < usize::from(rows) { 7 } else { 0 });
        Lock {
            rows,
            cleared_rows,
            level,
            a_type: true,
            lines: [0x15, 4],
            score: [0x99; 3],
            soft_rows: 0,
            count: 0,
            orientation: 2,
            next_hidden: true,
            select: false,
            danger: Some(0),
            fast_music: true,
            frame_counter: 4,
        }
    }

    #[test]
    fn the_sums_are_those_of_the_published_table() {
        let level = 160;
        let of_rows = |rows: u32| 7_279 + 95 * rows;
        let cycles = |rows| Timing::US.cycles(&lock(rows, level as u8));
        assert_eq!(cycles(0), of_rows(0) + 737 + 83 * level);
        assert_eq!(cycles(1), of_rows(1) + 53 + 28 + 136 * level);
        assert_eq!(cycles(2), of_rows(2) + 42 + 56 + 125 * level);
        assert_eq!(cycles(3), of_rows(3) + 42 + 84 + 125 * level);
        assert_eq!(cycles(4), of_rows(4) + 42 + 128 + 125 * level);
        let with = |change: fn(&mut Lock)| {
            let mut lock = lock(0, level as u8);
            change(&mut lock);
            Timing::US.cycles(&lock) - cycles(0)
        };
        assert_eq!(with(|lock| lock.next_hidden = false), 394);
        assert_eq!(with(|lock| lock.danger = None), 149 + 38);
        assert_eq!(with(|lock| (lock.danger, lock.fast_music) = (Some(9), false)), 9 * 16 + 41);
        assert_eq!(with(|lock| lock.select = true), 7);
        assert_eq!(with(|lock| lock.soft_rows = 8), 90);
        assert_eq!(with(|lock| lock.soft_rows = 7), 99);
        assert_eq!(with(|lock| lock.orientation = 8), 8);
        assert_eq!(with(|lock| lock.orientation = 9), 12);
    }

    #[test]
    fn the_levels_of_the_published_sheet_are_in_danger() {
        // With whatever raises or lowers the sum: music, next box, soft drop, tens of lines.
        let any = |rows: u8, level: u8| {
            let mut found = false;
            for (danger, shown) in [(None, true), (Some(0), true), (Some(9), true), (None, false)] {
                for (soft_rows, lines) in [(0, [0x15, 4]), (8, [0x15, 4]), (0, [0x19, 4]), (8, [0x19, 4])] {
                    let lock = Lock {
                        danger,
                        fast_music: false,
                        next_hidden: !shown,
                        soft_rows,
                        lines,
                        ..lock(rows, level)
                    };
                    found |= Timing::US.may_crash(&lock);
                }
            }
            found
        };
        let first = |rows| (100..=255).find(|&level| any(rows, level));
        assert!((154..=156).contains(&first(1).unwrap()), "{:?}", first(1));
        assert!((165..=170).contains(&first(4).unwrap()), "{:?}", first(4));
        assert!((166..=172).contains(&first(3).unwrap()), "{:?}", first(3));
        assert!((166..=172).contains(&first(2).unwrap()), "{:?}", first(2));
        assert!((246..=250).contains(&first(0).unwrap()), "{:?}", first(0));
    }
}
