//! Which control a direction leads to: the nearest one that way, first in the same part of the
//! page.

use egui::{Pos2, Rect};

use crate::ui::page::{Page, Zone};
use crate::ui::step::Step;

/// A control as it was drawn last.
#[derive(Debug, Clone, Copy)]
struct Control {
    row: usize,
    zone: Zone,
    area: Rect,
}

/// The controls of the page that was drawn last. Empty where pages are lists of characters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nav {
    page: Option<Page>,
    controls: Vec<Control>,
}

impl Nav {
    /// Begins the drawing of a page.
    pub(crate) fn begin(&mut self, page: Page) {
        self.page = Some(page);
        self.controls.clear();
    }

    /// Returns whether `page` is drawn.
    pub(crate) fn is_of(&self, page: Page) -> bool {
        self.page == Some(page)
    }

    /// Adds a control, that of the line `row`.
    pub(crate) fn add(&mut self, row: usize, zone: Zone, area: Rect) {
        self.controls.push(Control { row, zone, area });
    }

    /// Adds a control that is not seen, unless it was added.
    pub(crate) fn add_unseen(&mut self, row: usize, zone: Zone, area: Rect) {
        if self.controls.iter().all(|control| control.row != row) {
            self.add(row, zone, area);
        }
    }

    /// Returns whether `page` was drawn last.
    pub(crate) fn knows(&self, page: Page) -> bool {
        self.page == Some(page) && !self.controls.is_empty()
    }

    /// Returns the line to which a direction leads from the line `row`.
    pub(crate) fn next(&self, row: usize, step: Step) -> Option<usize> {
        let from = self.controls.iter().find(|control| control.row == row)?;
        let others = || self.controls.iter().filter(|control| control.row != row);
        let nearest = |same_zone: bool| {
            others()
                .filter(|control| (control.zone == from.zone) == same_zone)
                .filter_map(|control| Some((distance(from.area, control.area, step)?, control.row)))
                .min_by(|one, other| one.0.total_cmp(&other.0))
        };
        nearest(true).or_else(|| nearest(false)).map(|(_, row)| row)
    }

    /// Returns the lines that were drawn.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> Vec<usize> {
        self.controls.iter().map(|control| control.row).collect()
    }
}

/// Returns how far `to` is from `from` in that direction; none where it is not that way.
fn distance(from: Rect, to: Rect, step: Step) -> Option<f32> {
    const OVERLAP: f32 = 2.0;
    let turned = |area: Rect| {
        Rect::from_min_max(Pos2::new(area.top(), area.left()), Pos2::new(area.bottom(), area.right()))
    };
    let mirrored = |area: Rect| {
        Rect::from_min_max(Pos2::new(-area.right(), area.top()), Pos2::new(-area.left(), area.bottom()))
    };
    // All directions become the one to the right.
    let (from, to) = match step {
        Step::Right => (from, to),
        Step::Left => (mirrored(from), mirrored(to)),
        Step::Down => (turned(from), turned(to)),
        Step::Up => (mirrored(turned(from)), mirrored(turned(to))),
        _ => return None,
    };
    let along = to.left() - from.right();
    if along < -OVERLAP || to.center().x <= from.center().x {
        return None;
    }
    let apart = (from.top() - to.bottom()).max(to.top() - from.bottom()).max(0.0);
    let beside = (from.center().y - to.center().y).abs();
    Some(along.max(0.0) + 3.0 * apart + 0.05 * beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(Pos2::new(x, y), egui::Vec2::new(width, height))
    }

    #[test]
    fn a_direction_leads_to_the_nearest_control_of_the_same_part_first() {
        let mut nav = Nav::default();
        nav.begin(Page::Home);
        // Two rows of three cards, and a list at the left.
        for row in 0..6 {
            let at = (row % 3, row / 3);
            nav.add(row, Zone::Main, area(200.0 + 110.0 * at.0 as f32, 60.0 * at.1 as f32, 100.0, 50.0));
        }
        (0..4).for_each(|at| nav.add(10 + at, Zone::Sidebar, area(0.0, 40.0 * at as f32, 180.0, 36.0)));
        assert!(nav.knows(Page::Home) && !nav.knows(Page::Play));
        let path = |from, steps: &[Step]| steps.iter().try_fold(from, |row, &step| nav.next(row, step));
        assert_eq!(path(0, &[Step::Right, Step::Right]), Some(2));
        assert_eq!(path(2, &[Step::Right]), None);
        assert_eq!(path(1, &[Step::Down, Step::Up]), Some(1));
        assert_eq!(path(4, &[Step::Left, Step::Left]), Some(12), "beside it at the left");
        assert_eq!(path(11, &[Step::Up, Step::Down, Step::Down]), Some(12));
        assert_eq!(path(13, &[Step::Right]), Some(3));
    }
}
