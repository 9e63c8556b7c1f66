//! What is held in a frame: the buttons' part of a state of the article's gamepad search.

use tetris::buttons::{A, B, DOWN, LEFT, RIGHT};

/// Combinations: nothing, Left or Right; Down let go or held for one, two or three frames; nothing,
/// A or B.
pub(super) const HOLDS: usize = 3 * 4 * 3;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    /// 0 nothing, 1 Left, 2 Right.
    pub(super) slide: u8,
    /// Frames of Down: in the third the piece falls, and from there on in every second.
    pub(super) down: u8,
    /// 0 nothing, 1 A, 2 B.
    pub(super) turn: u8,
}

/// The holds that may follow each, in the article's order, and how many they are. Where the
/// article's player slides or goes on with Down because nothing else is left, this one may also do
/// nothing: those come last.
pub(super) const NEXT: [([u8; MOST], u8); HOLDS] = {
    let mut next = [([0; MOST], 0); HOLDS];
    let mut number = 0;
    while number < HOLDS {
        next[number] = follow(Hold::from_number(number));
        number += 1;
    }
    next
};

/// The most that may follow.
const MOST: usize = 12;

impl Hold {
    pub(super) const fn from_number(number: usize) -> Self {
        Self { slide: (number / 12) as u8, down: (number / 3 % 4) as u8, turn: (number % 3) as u8 }
    }

    pub(super) const fn number(self) -> usize {
        (self.slide as usize * 4 + self.down as usize) * 3 + self.turn as usize
    }

    /// What is held, by the game's bits and the soft drop's counter.
    pub(super) const fn of(buttons: u8, soft_drop: u8) -> Self {
        let down = match soft_drop {
            _ if buttons & DOWN == 0 => 0,
            1 => 3,
            2 => 2,
            _ => 0,
        };
        let slide = match buttons & (LEFT | RIGHT) {
            0 => 0,
            LEFT => 1,
            _ => 2,
        };
        let turn = match buttons & (A | B) {
            0 => 0,
            B => 2,
            _ => 1,
        };
        Self { slide: if down > 0 { 0 } else { slide }, down, turn }
    }

    /// The game's bits.
    pub(super) const fn buttons(self) -> u8 {
        [0, LEFT, RIGHT][self.slide as usize]
            | if self.down > 0 { DOWN } else { 0 }
            | [0, A, B][self.turn as usize]
    }
}

const fn follow(hold: Hold) -> ([u8; MOST], u8) {
    let mut list = [0; MOST];
    let mut count = 0;
    let turns = if hold.turn == 0 { 3 } else { 1 };
    // Down, once pressed, stays until the piece falls.
    let down = [1, 2, 3, 2][hold.down as usize];
    let mut turn = 0;
    while turn < turns {
        list[count] = Hold { slide: 0, down, turn }.number() as u8;
        count += 1;
        turn += 1;
    }
    if hold.down == 0 || hold.down == 3 {
        let mut slide = if hold.slide == 0 { 1 } else { 3 };
        while slide <= 3 {
            let mut turn = 0;
            while turn < turns {
                list[count] = Hold { slide: slide % 3, down: 0, turn }.number() as u8;
                count += 1;
                turn += 1;
            }
            slide += 1;
        }
    }
    (list, count as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_let_go_for_a_frame_between_two_presses_and_down_stays_until_the_piece_falls() {
        for (number, (list, count)) in NEXT.iter().enumerate() {
            let hold = Hold::from_number(number);
            assert_eq!(hold.number(), number);
            for &next in &list[..usize::from(*count)] {
                let next = Hold::from_number(next.into());
                assert!(hold.slide == 0 || next.slide == 0, "{hold:?} {next:?}");
                assert!(hold.turn == 0 || next.turn == 0, "{hold:?} {next:?}");
                assert!(next.slide == 0 || next.down == 0, "{hold:?} {next:?}");
                assert!(matches!(hold.down, 0 | 3) || next.down == hold.down + 1, "{hold:?} {next:?}");
            }
        }
        assert_eq!(NEXT[0].1, 12);
    }

    #[test]
    fn buttons_of_a_hold_are_that_hold() {
        for number in (0..HOLDS).filter(|number| Hold::from_number(*number).down == 0) {
            let hold = Hold::from_number(number);
            assert_eq!(Hold::of(hold.buttons(), 0), hold);
        }
        assert_eq!(Hold::of(DOWN, 2).down, 2);
        assert_eq!(Hold::of(DOWN | LEFT, 0), Hold { slide: 1, down: 0, turn: 0 });
    }
}
