//! A straight line through points, and what the article reads off it.

use serde::Serialize;

/// Ordinary least squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Line {
    pub(super) slope: f64,
    pub(super) intercept: f64,
    /// Coefficient of determination.
    pub(super) r_squared: f64,
    /// Standard error of the intercept.
    pub(super) intercept_error: f64,
    pub(super) points: usize,
}

/// Student's t for two-sided 95 %, by degrees of freedom from 1.
const STUDENT: [f64; 20] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086,
];

impl Line {
    /// The line through at least three points of at least two abscissas; `None` through fewer.
    pub(super) fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |values: fn(&(f64, f64)) -> f64| points.iter().map(values).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |product: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|(x, y)| product(x - mean_x, y - mean_y)).sum::<f64>()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        if points.len() < 3 || xx == 0.0 {
            return None;
        }
        let slope = xy / xx;
        let rest = (yy - slope * xy).max(0.0);
        let intercept_error = (rest / (count - 2.0) * (1.0 / count + mean_x * mean_x / xx)).sqrt();
        let r_squared = if yy > 0.0 { 1.0 - rest / yy } else { 1.0 };
        let intercept = mean_y - slope * mean_x;
        Some(Self { slope, intercept, r_squared, intercept_error, points: points.len() })
    }

    /// The intercept, and the ends of its 95 % interval.
    fn intercepts(&self) -> [f64; 3] {
        let freedom = self.points.saturating_sub(3).min(STUDENT.len() - 1);
        let half = STUDENT[freedom] * self.intercept_error;
        [self.intercept, self.intercept - half, self.intercept + half]
    }
}

/// Pieces until the game is over, as the article expects them: one of them locks in row 0, where
/// the line through the logarithms of the rows' percentages ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Expected {
    pub(super) pieces: f64,
    /// Two cells in five of a row's ten.
    pub(super) lines: f64,
    /// 95 % interval of the pieces, by the intercept's standard error.
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Expected {
    pub(super) fn of(line: &Line) -> Self {
        let [pieces, high, low] = line.intercepts().map(|intercept| 100.0 / 10f64.powf(intercept));
        Self { pieces, lines: 0.4 * pieces, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The article's percentages of pieces locked in rows 6 to 15.
    const ARTICLE: [f64; 10] = [
        0.0000512280,
        0.0001759400,
        0.0006681210,
        0.0023187901,
        0.0077928820,
        0.0259672043,
        0.0866187068,
        0.2901315751,
        0.9771663807,
        3.3000408353,
    ];

    #[test]
    fn the_articles_ten_figures_give_its_pieces_and_lines_until_game_over() {
        let points: Vec<_> =
            (6..).zip(ARTICLE).map(|(row, percent)| (f64::from(row), percent.log10())).collect();
        let line = Line::through(&points).unwrap();
        let expected = Expected::of(&line);
        assert!((expected.pieces - 2_877_688_349.0).abs() < 50.0, "{}", expected.pieces);
        assert!((expected.lines - 1_151_075_340.0).abs() < 20.0, "{}", expected.lines);
        assert!((line.intercept + 7.459).abs() < 0.0005 && line.r_squared > 0.9998, "{line:?}");
        assert!(expected.low < expected.pieces && expected.pieces < expected.high);
    }

    #[test]
    fn the_error_of_an_intercept_is_that_of_the_textbook() {
        // Sums by hand: x mean 2, y mean 7/3; slope 3/2, rest 1/6; error sqrt(1/6 (1/3 + 4/2)).
        let line = Line::through(&[(1.0, 1.0), (2.0, 2.0), (3.0, 4.0)]).unwrap();
        assert!((line.slope - 1.5).abs() < 1e-12 && (line.intercept + 2.0 / 3.0).abs() < 1e-12);
        assert!((line.intercept_error - (7.0f64 / 18.0).sqrt()).abs() < 1e-12);
        assert_eq!(Line::through(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(Line::through(&[(1.0, 1.0); 5]), None);
    }
}
