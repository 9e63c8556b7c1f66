//! One game that an agent plays, episode after episode.

use std::sync::Arc;

use practice::Position;
use randomizers::Dealer;
use tetris::{HEIGHT, Piece, Placement, SplitMix64, View};

use crate::board_game::BoardGame;
use crate::expert::Expert;
use crate::field::Field;
use crate::frames::{BeginError, Frames, Prototype};
use crate::game::Game;
use crate::observations::{self, field::number, is_picture};
use crate::picture::Colours;
use crate::places::{Legal, Searches};
use crate::settings::{Act, Machine, Reward, Settings};

/// Numbers that are told of each game: score, lines, level, pieces, frames, piece, next piece,
/// illegal actions.
pub const STATISTICS: usize = 8;
/// Their names.
pub const STATISTIC_NAMES: [&str; STATISTICS] =
    ["score", "lines", "level", "pieces", "frames", "piece", "next", "illegal"];
/// A register that deals; the one that the game has at power-on.
const REGISTER: u16 = 0x8988;

/// What all games of a vector have in common.
pub struct Common {
    /// The settings.
    pub settings: Settings,
    /// What games with frames are copied from.
    pub prototype: Option<Prototype>,
    /// Colours of pictures.
    pub colours: Colours,
    /// What a vector has to be to take over a state of this one.
    pub(crate) key: Arc<str>,
}

/// A game. A copy has the same future.
#[derive(Clone)]
pub struct Environment {
    pub(crate) game: Game,
    pub(crate) places: Legal,
    pub(crate) seed: u64,
    pub(crate) episode: u64,
    pub(crate) steps: u64,
    pub(crate) frames: u32,
    pub(crate) pieces: u32,
    pub(crate) illegal: u32,
    /// Has the episode ended, by its end or by being cut short?
    pub ended: bool,
}

/// When the observation is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// At the beginning of an episode.
    First,
    /// After a step.
    Next,
    /// Once more; pictures stay as they are.
    Again,
}

/// Where what is told of a game is written; without length where nobody asks.
#[derive(Default)]
pub struct Buffers<'a> {
    /// Observation, if it is of bytes.
    pub bytes: &'a mut [u8],
    /// Observation, if it is of floats.
    pub floats: &'a mut [f32],
    /// [`STATISTIC_NAMES`].
    pub statistics: &'a mut [i32],
    /// 1 for each action that is legal.
    pub mask: &'a mut [i8],
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// What it was worth.
    pub reward: f64,
    /// Is the game over?
    pub terminated: bool,
    /// Was it cut short?
    pub truncated: bool,
}

/// An action that is none of the legal ones, where that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {action}: expected one that action_mask allows, from 0 to {most}")]
pub struct IllegalAction {
    action: i64,
    most: usize,
}

impl Default for Environment {
    fn default() -> Self {
        Self::new()
    }
}

impl Environment {
    /// Without a game.
    pub fn new() -> Self {
        Self {
            game: Game::None,
            places: Legal::List(Vec::new()),
            seed: 0,
            episode: 0,
            steps: 0,
            frames: 0,
            pieces: 0,
            illegal: 0,
            ended: true,
        }
    }

    /// From here on games follow from a seed.
    pub fn seed(&mut self, seed: u64) {
        (self.seed, self.episode) = (seed, 0);
    }

    /// The seed of the next game: the first has the one that was given.
    fn next_seed(&mut self) -> u64 {
        let episode = self.episode;
        self.episode += 1;
        if episode == 0 { self.seed } else { SplitMix64::mix(SplitMix64::mix(self.seed) ^ episode) }
    }

    /// Begins a game and tells of it.
    ///
    /// # Errors
    /// When no game begins.
    pub fn reset(
        &mut self,
        common: &Common,
        searches: &mut Searches,
        buffers: Buffers<'_>,
    ) -> Result<(), BeginError> {
        let settings = &common.settings;
        let seed = self.next_seed();
        (self.steps, self.frames, self.pieces, self.illegal, self.ended) = (0, 0, 0, 0, false);
        let dealer = settings.randomizer.map(|kind| kind.seeded(seed));
        self.game = match &common.prototype {
            None => {
                let mut game = BoardGame::new(
                    settings.level,
                    dealer.unwrap_or_else(|| randomizers::Kind::Nes.seeded(seed)),
                );
                if let Some(position) = &settings.position {
                    game.field = Field::from_rows(&position.rows);
                    (game.piece, game.next) = (position.piece, position.next);
                    (game.level, game.lines, game.score) = (position.level, position.lines, position.score);
                }
                Game::Board(Box::new(game))
            }
            Some(prototype) => {
                let (position, dealer) = opening(settings, dealer, seed);
                let mut frames = prototype.begin(&position, dealer)?;
                if is_picture(settings.observation) {
                    // A frame draws the picture.
                    frames.frame(0, true);
                    self.frames += 1;
                }
                Game::Frames(frames)
            }
        };
        self.game.find_places(settings, searches, &mut self.places);
        self.tell(common, buffers, Moment::First);
        Ok(())
    }

    /// Does an action and tells what came of it.
    ///
    /// # Errors
    /// When the action is not legal and that is an error; nothing has changed then.
    pub fn step(
        &mut self,
        common: &Common,
        searches: &mut Searches,
        action: i64,
        buffers: Buffers<'_>,
    ) -> Result<StepResult, IllegalAction> {
        let settings = &common.settings;
        let drawn = is_picture(settings.observation);
        let (score, lines) = self.game.standing();
        match (&mut self.game, settings.act) {
            (Game::None, _) => {}
            (Game::Frames(game), Act::Buttons) => {
                let held = u8::try_from(action).map_err(|_| IllegalAction { action, most: 255 })?;
                let counted = pieces_counted(game);
                for frame in 1..=settings.frame_skip {
                    game.frame(held, drawn && frame == settings.frame_skip);
                    self.frames += 1;
                    if frame < settings.frame_skip && game.is_over() {
                        break;
                    }
                }
                // A piece was placed when another has come in.
                self.pieces += pieces_counted(game).saturating_sub(counted);
            }
            (game, _) => {
                let most = settings.actions() - 1;
                let wrong = IllegalAction { action, most };
                let named =
                    u16::try_from(action).ok().filter(|&action| usize::from(action) <= most).ok_or(wrong)?;
                let (field, piece) = match game {
                    Game::Board(board) => (board.field, board.piece),
                    _ => (Field::EMPTY, Piece::T),
                };
                if let Some((place, own)) = self.places.choose(named, &field, piece) {
                    if !own {
                        if settings.strict {
                            return Err(wrong);
                        }
                        self.illegal += 1;
                    }
                    match game {
                        Game::Board(board) => {
                            board.place(place.placement);
                        }
                        Game::Frames(frames) => {
                            self.frames += searches.carry_out(frames, place.placement, drawn);
                        }
                        Game::None => {}
                    }
                    self.pieces += 1;
                }
            }
        }
        self.steps += 1;
        self.game.find_places(settings, searches, &mut self.places);
        let terminated = match &mut self.game {
            Game::None => true,
            Game::Board(board) => board.over || self.places.is_empty(),
            Game::Frames(frames) => frames.is_over() || settings.act == Act::Place && self.places.is_empty(),
        };
        let truncated = !terminated && settings.max_steps > 0 && self.steps >= settings.max_steps;
        self.ended = terminated || truncated;
        let (score_now, lines_now) = self.game.standing();
        let reward = match settings.reward {
            Reward::Score => f64::from(score_now) - f64::from(score),
            // The B-type counts down.
            Reward::Lines => f64::from(lines_now.abs_diff(lines)),
            Reward::Survival => f64::from(u8::from(!terminated)),
        };
        self.tell(common, buffers, Moment::Next);
        Ok(StepResult { reward, terminated, truncated })
    }

    /// Lifts the field of a board by rows of garbage. The places and what is observed are those of
    /// before until [`Self::observe`]; false where the game is not a board's.
    pub fn lift(&mut self, count: usize, hole: usize) -> bool {
        let Game::Board(board) = &mut self.game else { return false };
        board.field.lift(count, hole);
        board.over |= !board.field.fits(Placement::spawn(board.piece));
        self.ended |= board.over;
        true
    }

    /// Is the game over?
    pub fn is_over(&mut self) -> bool {
        self.game.is_over()
    }

    /// Has a game been begun?
    pub const fn has_begun(&self) -> bool {
        !matches!(self.game, Game::None)
    }

    /// Tells anew how the game stands. Observations that are pictures stay as they are.
    pub fn observe(&mut self, common: &Common, searches: &mut Searches, buffers: Buffers<'_>) {
        self.game.find_places(&common.settings, searches, &mut self.places);
        self.tell(common, buffers, Moment::Again);
    }

    /// Writes the legal actions, as a step does.
    pub(crate) fn write_mask(&self, common: &Common, mask: &mut [i8]) {
        if common.settings.act == Act::Buttons {
            mask.fill(1);
            return;
        }
        self.places.write_mask(mask);
        if self.places.is_empty() {
            // No action counts any more. A mask without one would make probabilities of nothing.
            mask[0] = 1;
        }
    }

    /// Returns the action of an expert; `None` where no action is legal.
    pub(crate) fn expert(&mut self, common: &Common, expert: &mut Expert) -> Option<u16> {
        let is_board = matches!(self.game, Game::Board(_));
        let shown = self.game.shown()?;
        expert.action(common.settings.reach, is_board, &shown, &self.places)
    }

    /// The game's picture as 240 by 256 by three bytes; false where it has none.
    pub fn write_picture(&mut self, common: &Common, bytes: &mut [u8]) -> bool {
        let Game::Frames(Frames::Cartridge(played)) = &mut self.game else { return false };
        played.emulator.look_here();
        common.colours.write_rgb(played.emulator.picture(), bytes);
        true
    }

    /// Writes 20 rows of 10 cells: 0 free, 1 taken, 2 the piece in play.
    pub fn write_cells(&mut self, cells: &mut [u8]) {
        match self.game.shown() {
            Some(shown) => shown.write_cells(cells),
            None => cells.fill(0),
        }
    }

    fn tell(&mut self, common: &Common, mut buffers: Buffers<'_>, moment: Moment) {
        if !buffers.mask.is_empty() {
            self.write_mask(common, buffers.mask);
        }
        let Some(shown) = self.game.shown() else { return };
        let observation = common.settings.observation;
        if moment != Moment::Again || !is_picture(observation) {
            let (game, places, first) = (&mut self.game, &self.places, moment == Moment::First);
            observations::write(observation, game, &shown, places, &common.colours, &mut buffers, first);
        }
        if let Some(statistics) = buffers.statistics.first_chunk_mut::<STATISTICS>() {
            *statistics = [
                shown.score as i32,
                shown.lines as i32,
                i32::from(shown.level),
                self.pieces as i32,
                self.frames as i32,
                number(shown.piece).into(),
                number(shown.next).into(),
                self.illegal as i32,
            ];
        }
    }
}

/// Pieces that the game's statistics have counted.
fn pieces_counted(game: &mut Frames) -> u32 {
    View::new(game.ram()).piece_counts().iter().sum()
}

/// Where a game with frames begins, and who deals what follows.
fn opening(settings: &Settings, mut dealer: Option<Dealer>, seed: u64) -> (Position, Option<Dealer>) {
    let mut chance = SplitMix64::new(seed);
    let register = match chance.next_u64() as u16 {
        // Dead registers deal nothing.
        0..0x200 => REGISTER,
        register => register,
    };
    let spawns = chance.next_u64() as u8;
    let mut deal = || {
        dealer.as_mut().map_or_else(|| chance.pick(&Piece::ALL), |dealer| dealer.next().unwrap_or(Piece::T))
    };
    let (piece, next) = (deal(), deal());
    let position = match settings.position {
        Some(position) => position,
        None => Position {
            rows: [0; HEIGHT],
            piece,
            next,
            level: settings.level,
            lines: 0,
            score: 0,
            das: 0,
            lfsr: register,
            spawns,
            frame: 0,
        },
    };
    (position, dealer)
}

/// What a machine needs to begin its games.
///
/// # Errors
/// When no game begins.
pub fn prototype(settings: &Settings, image: &[u8]) -> Result<Option<Prototype>, BeginError> {
    match settings.machine {
        Machine::Board => Ok(None),
        Machine::Model => Ok(Some(Prototype::model())),
        Machine::Cartridge => {
            let (mode, mut options) =
                settings.practice.unwrap_or((practice::Kind::Tetris.usual(), practice::Options::default()));
            options.level = settings.level;
            Prototype::cartridge(image, mode, options).map(Some)
        }
    }
}
