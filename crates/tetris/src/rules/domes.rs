//! The end of the concert: four domes of the palace take off, one after the other.

use super::parade::{IN_HAND, PICTURE};
use super::{Game, effect};

const DOMES: usize = 4;
/// The first dome's scanline among the ending's variables; 0 = gone.
const DOME: usize = 4;
/// Where they stand.
const STANDING: [u8; DOMES] = [0xBC, 0xB8, 0xBC, 0xB3];
/// After how many leaps each of them starts. Starting counts as one.
const STARTS: [u8; DOMES] = [5, 7, 9, 11];
/// The scanline from which a dome rises by two.
const FAST: u8 = 0xA0;

impl Game<'_> {
    pub(super) fn prepare_domes(&mut self) {
        self.ending[DOME - 1] = 0;
        self.ending[DOME..][..DOMES].copy_from_slice(&STANDING);
    }

    pub(super) fn lift_domes(&mut self) {
        for (dome, start) in STARTS.into_iter().enumerate() {
            if self.ending[PICTURE] == start && self.ending[DOME + dome] != 0 {
                self.ending[DOME + dome] -= 1;
                self.ending[PICTURE] = self.ending[PICTURE].wrapping_add(1);
            }
        }
        for (dome, standing) in STANDING.into_iter().enumerate() {
            let line = &mut self.ending[DOME + dome];
            if *line == 0 || *line == standing {
                continue;
            }
            self.effect_noise = effect::ROCKET;
            *line -= 1;
            if *line < FAST {
                *line = line.wrapping_sub(1);
            }
        }
        self.ending[IN_HAND] = DOMES as u8;
    }
}
