//! How a lock is scored: lines, level and points, in eight bits and BCD as the 6502 adds them, and
//! what is carried, which takes cycles of its own.

/// What rows cleared at once are worth a level: BCD, low byte first.
const POINTS: [[u8; 2]; 5] = [[0x00, 0x00], [0x40, 0x00], [0x00, 0x01], [0x00, 0x03], [0x00, 0x12]];

/// What `rows` completed at once are worth a level: BCD, low byte first.
pub(crate) fn points_of(rows: u8) -> [u8; 2] {
    POINTS[usize::from(rows.min(4))]
}

/// What a line carries in the A-type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineCarries {
    pub(crate) tens: bool,
    pub(crate) hundreds: bool,
    pub(crate) level: bool,
}

/// Counts a line of the A-type: `lines` are two digits in BCD, then hundreds in binary.
pub(crate) fn count_line(lines: &mut [u8; 2], level: &mut u8) -> LineCarries {
    let mut carries = LineCarries::default();
    lines[0] = lines[0].wrapping_add(1);
    if lines[0] & 0x0F < 0x0A {
        return carries;
    }
    carries.tens = true;
    lines[0] = lines[0].wrapping_add(6);
    if lines[0] >= 0xA0 {
        lines[0] &= 0x0F;
        lines[1] = lines[1].wrapping_add(1);
        carries.hundreds = true;
    }
    if lines[0] & 0x0F != 0 {
        return carries;
    }
    // The tens and hundreds, BCD taken for binary, are the level that the lines are worth. Signed.
    let reached = (u16::from(lines[1]) << 8 | u16::from(lines[0])) >> 4;
    if (level.wrapping_sub(reached as u8) as i8) < 0 {
        *level = level.wrapping_add(1);
        carries.level = true;
    }
    carries
}

/// Most lines that [`lines_to_level`] counts.
const MOST_LINES: u32 = 1_000;

/// The lines of the A-type to clear at a level, with so many of them, until it comes to `target`,
/// counted as the game counts them; 1,000 where it is further.
///
/// ```
/// use tetris::rules::lines_to_level;
///
/// assert_eq!(lines_to_level(19, 18, 0), 130); // a game that began at level 18
/// assert_eq!(lines_to_level(20, 19, 0), 140);
/// assert_eq!(lines_to_level(19, 0, 0), 190);
/// ```
pub fn lines_to_level(target: u8, mut level: u8, lines: u32) -> u32 {
    let mut lines = [(lines / 10 % 10 * 16 + lines % 10) as u8, (lines / 100) as u8];
    let mut count = 0;
    while level < target && count < MOST_LINES {
        count_line(&mut lines, &mut level);
        count += 1;
    }
    count
}

/// What the points of a soft drop carry: their ones, their tens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DropCarries {
    pub(crate) ones: bool,
    pub(crate) tens: bool,
}

/// The score after a lock, as the game adds it up, but without its limit of 999,999: `level` is the
/// one after the lock, `rows` were completed by it (0–4), `soft_rows` are those of its soft drop.
/// The digits that the game loses by adding a soft drop in binary are lost here too.
///
/// ```
/// use tetris::rules::score_after;
///
/// assert_eq!(score_after(0, 18, 4, 0), 22_800);
/// assert_eq!(score_after(990_000, 28, 4, 5), 990_000 + 34_800 + 4);
/// assert_eq!(score_after(95, 0, 0, 10), 100); // and not 104
/// ```
pub fn score_after(score: u32, level: u8, rows: u8, soft_rows: u8) -> u32 {
    let bcd = |number: u32| (number / 10 % 10 * 16 + number % 10) as u8;
    let decimal = |byte: u8| u32::from(byte >> 4) * 10 + u32::from(byte & 0x0F);
    // The last four digits are added to as the game does; 256 turns of 1,200 points do not fill
    // six.
    let mut digits = [bcd(score), bcd(score / 100), 0];
    add_drop(&mut digits, soft_rows);
    for _ in 0..=level {
        add_points(&mut digits, points_of(rows));
    }
    let low = digits.iter().rev().fold(0, |sum, &byte| sum * 100 + decimal(byte));
    (score / 10_000).saturating_mul(10_000).saturating_add(low)
}

/// Adds the `rows` of a soft drop less one, in binary and mended to BCD: a sum beyond 15 of the low
/// digit loses 6 points, and one that rolls over 100 leaves a low digit of 0. `None` if there is
/// nothing to add.
pub(crate) fn add_drop(score: &mut [u8; 3], rows: u8) -> Option<DropCarries> {
    if (rows.wrapping_sub(2) as i8) < 0 {
        return None;
    }
    score[0] = score[0].wrapping_add(rows - 1);
    let ones = score[0] & 0x0F >= 0x0A;
    if ones {
        score[0] = score[0].wrapping_add(6);
    }
    let tens = score[0] & 0xF0 >= 0xA0;
    if tens {
        score[0] = (score[0] & 0xF0).wrapping_add(0x60);
        score[1] = score[1].wrapping_add(1);
    }
    Some(DropCarries { ones, tens })
}

/// A turn of the loop that adds points. Returns what is carried: tens, hundreds, thousands, ten
/// thousands, and whether the score stays at its limit.
#[inline(always)]
pub(crate) fn add_points(score: &mut [u8; 3], [low, high]: [u8; 2]) -> [bool; 5] {
    let mut carries = [false; 5];
    score[0] = score[0].wrapping_add(low);
    if score[0] >= 0xA0 {
        score[0] = score[0].wrapping_add(0x60);
        score[1] = score[1].wrapping_add(1);
        carries[0] = true;
    }
    score[1] = score[1].wrapping_add(high);
    if score[1] & 0x0F >= 0x0A {
        score[1] = score[1].wrapping_add(6);
        carries[1] = true;
    }
    if score[1] >= 0xA0 {
        score[1] = score[1].wrapping_add(0x60);
        score[2] = score[2].wrapping_add(1);
        carries[2] = true;
    }
    if score[2] & 0x0F >= 0x0A {
        score[2] = score[2].wrapping_add(6);
        carries[3] = true;
    }
    if score[2] >= 0xA0 {
        *score = [0x99; 3];
        carries[4] = true;
    }
    carries
}
