//! The computer's hands.

use autopilot::ComputerHands;
use value::Taps;

#[test]
fn hands_of_any_number_tap_as_a_format_has_it() {
    // A file of settings may hold any number.
    for (hertz, taken) in [(0, 10), (9, 10), (10, 10), (29, 24), (30, 30), (255, 30)] {
        let hands = ComputerHands { hertz, reaction: 255, ..ComputerHands::default() };
        assert_eq!(hands.format().taps, Taps::Hertz(taken), "{hertz}");
        assert_eq!(hands.format().delay, 61);
    }
}
