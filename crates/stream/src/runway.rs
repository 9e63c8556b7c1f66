//! The best that is still possible.

use tetris::scoring::points;

/// Levels up to which a runway goes: where gravity becomes a row a frame, and where hacks let it go
/// faster.
const GOALS: [u8; 2] = [29, 39];

/// Lines at which the level after `start` comes, in the A-type.
pub fn transition_lines(start: u8) -> u32 {
    let start = u32::from(start);
    (start * 10 + 10).min((start * 10).saturating_sub(50).max(100))
}

/// The level that an A-type game has at so many lines.
fn level_at(start: u8, lines: u32) -> u32 {
    let first = transition_lines(start);
    if lines < first { start.into() } else { u32::from(start) + 1 + (lines - first) / 10 }
}

/// The best points that clears can still win before level 29 comes, and 39 from there on. A clear
/// counts at the level that it reaches, as in the game, and the last one may go up to three lines
/// beyond.
///
/// `None` where the level is not the one that the menu's rule gives, or where there is no goal
/// above it.
pub fn runway(start: u8, level: u8, lines: u32) -> Option<u32> {
    let goal = GOALS.into_iter().find(|&goal| level < goal)?;
    runway_to(goal, start, level, lines)
}

/// The same before level `goal` comes; `None` where the game is there already, too.
pub(crate) fn runway_to(goal: u8, start: u8, level: u8, lines: u32) -> Option<u32> {
    if level_at(start, lines) != u32::from(level) || start > 19 || level >= goal {
        return None;
    }
    let end = transition_lines(start) + 10 * u32::from(goal - start - 1);
    let left = end.checked_sub(lines)? as usize;
    // best[n]: with n lines left to the end.
    let mut best = vec![0_u32; left + 1];
    for n in 1..=left {
        let clears = (1..=4).map(|size| {
            let level = level_at(start, end - n as u32 + size);
            points(size, level) + best[n.saturating_sub(size as usize)]
        });
        best[n] = clears.max().unwrap_or(0);
    }
    Some(best[left])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_at_the_lines_that_players_know() {
        let known = [(0, 10), (5, 60), (8, 90), (9, 100), (15, 100), (16, 110), (18, 130), (19, 140)];
        for (start, lines) in known {
            assert_eq!(transition_lines(start), lines, "start {start}");
        }
        assert_eq!([level_at(18, 129), level_at(18, 130), level_at(18, 230)], [18, 19, 29]);
    }

    #[test]
    fn the_last_line_is_best_cleared_by_a_tetris_that_reaches_the_goal() {
        let tetris = 1_200 * 30;
        // Before it, what is over one line is cleared at level 28.
        for (left, before) in [(1, 0), (2, 40), (3, 100), (4, 300), (5, 1_200)] {
            assert_eq!(runway(18, 28, 230 - left), Some(tetris + before * 29), "{left} lines left");
        }
        assert_eq!(runway(18, 38, 329), Some(1_200 * 40));
        assert_eq!(runway_to(19, 18, 18, 129), Some(1_200 * 20));
        assert_eq!([runway_to(19, 18, 19, 130), runway_to(19, 19, 19, 0)], [None, None]);
        assert!(runway_to(39, 18, 18, 0) > runway_to(29, 18, 18, 0));
    }

    #[test]
    fn a_level_that_the_menu_cannot_give_has_none() {
        assert_eq!(runway(18, 25, 0), None);
        assert_eq!(runway(29, 29, 0), None);
        assert_eq!(runway(18, 40, 345), None);
    }

    #[test]
    fn a_whole_game_is_worth_a_little_more_than_its_lines_by_tetrises() {
        // 130 lines at level 18 and ten at each of 19 to 28; a tetris over a border counts at the
        // higher level, and the last one goes three lines beyond.
        let lines = 130 * 300 * 19 + (19..29).map(|level| 10 * 300 * (level + 1)).sum::<u32>();
        let best = runway(18, 18, 0).unwrap();
        assert!((lines..lines + 40_000).contains(&best), "{best} of {lines}");
    }
}
