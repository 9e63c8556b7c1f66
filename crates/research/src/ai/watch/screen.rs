//! The machine as a painter: a console that stands in a game, given another field and other
//! counters.

use std::path::Path;

use nes::{Buttons, Config, Frame};
use tetris::{Orientation, ram};

use super::scene::Scene;
use crate::tetris::stage::{Stage, bcd, points};
use cli::error::Error;
use cli::game::Known;

/// Four rows of the field come into the picture a frame, and sprites a frame after they were
/// staged.
const FRAMES: usize = 6;
/// Lines, level, score, statistics: all that the interrupt may have to draw.
const ALL: u8 = 0b100_0111;
/// The piece hangs, as the first of a game does, so that gravity leaves it alone.
const HANGS: u8 = 0xA0;

/// A console in an A-type game. Whatever it is given, it draws with its own tiles, colours, digits
/// and mistakes.
pub(super) struct Screen {
    stage: Stage,
}

impl Screen {
    pub(super) fn new(game: &Known) -> Result<Self, Error> {
        let begun = Stage::in_play(game, Config::default());
        begun.map(|stage| Self { stage }).ok_or_else(|| Error::Drawing {
            path: Path::new("the built-in cartridge").into(),
            reason: "no game begins".to_owned(),
        })
    }

    /// The picture of a scene.
    pub(super) fn show(&mut self, scene: &Scene) -> &Frame {
        let stage = &mut self.stage;
        stage.poke(ram::PLAYFIELD, scene.cells.as_flattened());
        stage.poke(ram::VRAM_ROW, &[0]);
        stage.poke(ram::LEVEL, &[scene.level]);
        stage.poke(ram::LINES, &word(scene.lines));
        stage.poke(ram::SCORE, &points(scene.score));
        stage.poke(ram::PIECE_COUNTS, scene.counts.map(word).as_flattened());
        if let Some(next) = scene.next {
            stage.poke(ram::NEXT_PIECE, &[Orientation::spawn(next).id()]);
        }
        stage.poke(ram::DIRTY, &[ALL]);
        let hidden = (5, 0, Orientation::HIDDEN.id());
        let (x, y, id) = scene.place.map_or(hidden, |place| (place.x, place.y, place.orientation.id()));
        for number in 0..FRAMES {
            stage.emulator.console().set_video(number + 1 == FRAMES);
            for (place, byte) in
                [(ram::PIECE_X, x), (ram::PIECE_Y, y), (ram::ORIENTATION, id), (ram::DOWN_REPEAT, HANGS)]
            {
                stage.poke(place, &[byte]);
            }
            stage.frame(Buttons::empty());
        }
        stage.emulator.picture()
    }
}

/// A counter as the game stores it: tens and ones, then hundreds in binary.
fn word(number: u32) -> [u8; 2] {
    [bcd(number), (number / 100) as u8]
}

#[cfg(test)]
mod tests {
    use tetris::{Piece, Placement, Playfield};

    use super::*;
    use cli::game::known;

    /// Where the field's corner is in the nametable and in the picture.
    const CORNER: usize = 0xCC;
    const PIXELS: (usize, usize) = (96, 48);

    fn scene() -> Scene {
        let mut rows = [0; 20];
        rows[19] = 0b10_1101_1110;
        rows[18] = 0b01_0000_0011;
        rows[5] = 1;
        let mut scene = Scene::new(&Playfield::from_rows(&rows));
        scene.place = Some(Placement { x: 5, y: 9, orientation: Orientation::spawn(Piece::T) });
        scene.next = Some(Piece::I);
        scene
    }

    #[test]
    fn the_machine_draws_the_field_and_the_piece_where_they_are_given() {
        let mut screen = Screen::new(&known(None, None, tetris::Feature::Computer).unwrap()).unwrap();
        let scene = scene();
        for _ in 0..3 {
            let picture = screen.show(&scene).clone();
            let paper = picture.line(PIXELS.1 + 8 * 2)[PIXELS.0 + 8 * 2];
            let piece = scene.place.unwrap().cells();
            for (y, row) in scene.cells.iter().enumerate() {
                for (x, &cell) in row.iter().enumerate() {
                    assert_eq!(screen.stage.emulator.state().ciram()[CORNER + 32 * y + x], cell, "{x}, {y}");
                    let solid = cell != super::super::scene::FREE || piece.contains(&(x as i32, y as i32));
                    let pixel = picture.line(PIXELS.1 + 8 * y + 3)[PIXELS.0 + 8 * x + 3];
                    assert_eq!(pixel != paper, solid, "{x}, {y}");
                }
            }
        }
    }

    #[test]
    fn counters_and_colours_are_the_cartridges_own() {
        let mut screen = Screen::new(&known(None, None, tetris::Feature::Computer).unwrap()).unwrap();
        let low = Scene { lines: 7, ..scene() };
        let mut pictures = vec![screen.show(&low).clone()];
        for (level, lines, score) in [(9, 97, 0), (9, 97, 123_456), (29, 297, 123_456), (138, 1387, 999_999)]
        {
            pictures.push(screen.show(&Scene { level, lines, score, ..scene() }).clone());
        }
        for (number, picture) in pictures.iter().enumerate() {
            assert!(pictures[..number].iter().all(|other| other.pixels() != picture.pixels()), "{number}");
        }
        assert_eq!(screen.show(&low).pixels(), pictures[0].pixels(), "nothing is left of other scenes");
        let mut counted = low.clone();
        counted.counts[3] = 123;
        assert_ne!(screen.show(&counted).pixels(), pictures[0].pixels());
    }
}
