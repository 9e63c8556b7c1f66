//! The score as it is shown, and the pace.

use crate::ScoreForm;

/// The score in a form. Empty where it is hidden; `M` is the millions and the six digits below
/// them.
///
/// ```
/// use practice::{ScoreForm, score_text};
///
/// let forms = [ScoreForm::Classic, ScoreForm::Letters, ScoreForm::Sevendigits, ScoreForm::M, ScoreForm::Capped];
/// let texts = forms.map(|form| score_text(1_634_560, form));
/// assert_eq!(texts, ["034560", "G34560", "1634560", "1M 634560", "999999"]);
/// ```
pub fn score_text(score: u32, form: ScoreForm) -> String {
    let led = |digits: u32| {
        let first = score / 100_000 % digits;
        let first = char::from_digit(first, 36).unwrap_or('?').to_ascii_uppercase();
        format!("{first}{:05}", score % 100_000)
    };
    match form {
        ScoreForm::Classic => led(16),
        ScoreForm::Letters => led(36),
        ScoreForm::Sevendigits => format!("{score:07}"),
        ScoreForm::M if score >= 1_000_000 => {
            format!("{}M {:06}", score / 1_000_000, score % 1_000_000)
        }
        ScoreForm::M => format!("{score:06}"),
        ScoreForm::Capped => format!("{:06}", score.min(999_999)),
        ScoreForm::Hidden => String::new(),
    }
}

/// Points a line up to 110 lines, and what is added to them in the 120 lines after that, by hundred
/// thousands at 230 lines. The figures are those that players train with in `TetrisGYM`.
const PACES: [(u32, u32); 15] = [
    (360, 75),
    (760, 110),
    (1150, 154),
    (1510, 229),
    (1900, 274),
    (2250, 359),
    (2650, 393),
    (3000, 478),
    (3390, 523),
    (3826, 522),
    (4140, 643),
    (4500, 717),
    (4920, 732),
    (5300, 787),
    (5640, 882),
];
/// Lines up to which the pace is even, and up to which there is one.
const EVEN: u32 = 110;
const LAST: u32 = 230;

/// The score that is on pace for `hundred_thousands` (1–15) at 230 lines, after so many lines;
/// `None` beyond 230.
///
/// ```
/// use practice::pace_target;
///
/// assert_eq!(pace_target(10, 130), Some(508_690));
/// assert_eq!((pace_target(10, 231), pace_target(16, 0)), (None, None));
/// ```
pub fn pace_target(hundred_thousands: u32, lines: u32) -> Option<u32> {
    let number = (hundred_thousands as usize).checked_sub(1)?;
    let &(base, more) = PACES.get(number).filter(|_| lines <= LAST)?;
    Some(base * lines + more * lines.saturating_sub(EVEN) * lines / (LAST - EVEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paces_are_those_that_are_published_for_130_lines() {
        let published = [
            201_261, 252_936, 300_278, 353_015, 400_356, 452_031, 508_690, 552_131, 600_535, 655_460,
            706_051, 752_310,
        ];
        let computed: Vec<u32> = (4..=15).filter_map(|value| pace_target(value, 130)).collect();
        // The first is 201,261.67: it is cut off there.
        assert_eq!(computed, published);
    }

    #[test]
    fn at_230_lines_the_target_is_within_140_points_of_its_name() {
        for value in 1..=15 {
            let target = pace_target(value, 230).unwrap();
            assert!(target.abs_diff(value * 100_000) <= 140, "{value}: {target}");
            assert_eq!(pace_target(value, 0), Some(0));
        }
    }

    #[test]
    fn below_a_million_every_form_but_seven_digits_is_the_games_own() {
        for form in [ScoreForm::Classic, ScoreForm::Letters, ScoreForm::M, ScoreForm::Capped] {
            assert_eq!(score_text(76_540, form), "076540");
        }
        assert_eq!(score_text(1_000_000, ScoreForm::Classic), "A00000");
        assert_eq!(score_text(3_599_999, ScoreForm::Letters), "Z99999");
        assert_eq!(score_text(u32::MAX, ScoreForm::Hidden), "");
    }
}
