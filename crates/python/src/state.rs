//! The state of an environment, in memory and as bytes.

use std::sync::Arc;

use randomizers::Dealer;
use serde::{Deserialize, Serialize};
use tetris::Piece;
use tetris::rules;

use crate::board_game::BoardGame;
use crate::environment::{Common, Environment};
use crate::field::Field;
use crate::frames::{Frames, Prototype};
use crate::game::Game;
use crate::observations::is_picture;
use crate::places::{Legal, Searches};
use crate::settings::Settings;

/// The bytes begin with this and the version.
const MAGIC: &[u8; 5] = b"MXEN\x01";
/// Counters of a state that is read are below this, so that they can be counted on.
const MOST: u64 = 1 << 62;

/// An environment at a moment: all of its future, and of its observation what the game does not
/// repeat.
#[derive(Clone)]
pub struct State {
    environment: Environment,
    key: Arc<str>,
    observed: Vec<u8>,
}

/// Why bytes are no state, or a state does not fit.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// They begin otherwise.
    #[error("expected the bytes of a state of this version, found others")]
    Unknown,
    /// They end early, or say too much.
    #[error("the bytes are damaged: {0}")]
    Damaged(&'static str),
    /// The part that is text.
    #[error("the bytes are damaged: {0}")]
    Text(#[from] serde_json::Error),
    /// The console's part.
    #[error(transparent)]
    Console(#[from] nes::StateError),
    /// Of another vector.
    #[error("expected one of `{expected}`, found one of `{found}`")]
    Other {
        /// What the vector is.
        expected: String,
        /// What the state is of.
        found: String,
    },
}

/// What is written as JSON; parts of bytes follow it.
#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    seed: u64,
    episode: u64,
    steps: u64,
    frames: u32,
    pieces: u32,
    illegal: u32,
    ended: bool,
    game: SavedGame,
}

#[derive(Serialize, Deserialize)]
enum SavedGame {
    None,
    Board(SavedBoard),
    Model { game: Box<rules::Game<'static>>, dealer: Option<Dealer> },
    Cartridge { dealer: Option<Dealer>, has_session: bool },
}

#[derive(Serialize, Deserialize)]
struct SavedBoard {
    rows: [u16; 22],
    piece: u8,
    next: u8,
    level: u8,
    lines: u32,
    score: u32,
    pieces: u32,
    over: bool,
    dealer: Dealer,
}

impl State {
    pub(crate) const fn new(environment: Environment, key: Arc<str>, observed: Vec<u8>) -> Self {
        Self { environment, key, observed }
    }

    /// Returns what says of which vectors a state is.
    pub(crate) fn key(settings: &Settings, prototype: Option<&Prototype>) -> Arc<str> {
        let machine = prototype.map_or_else(|| "board".to_owned(), Prototype::key);
        let pictures = if is_picture(settings.observation) { settings.widths().0 } else { 0 };
        match pictures {
            0 => machine.into(),
            bytes => format!("{machine}, {bytes} bytes of pictures").into(),
        }
    }

    /// Returns the environment and the pictures, if it is of such a vector.
    pub(crate) fn of(&self, key: &str) -> Result<(&Environment, &[u8]), StateError> {
        if *self.key == *key {
            return Ok((&self.environment, &self.observed));
        }
        Err(StateError::Other { expected: key.to_owned(), found: self.key.to_string() })
    }

    /// Returns the state as bytes, the same on any machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Environment { game, places: _, seed, episode, steps, frames, pieces, illegal, ended } =
            &self.environment;
        let mut parts = Vec::new();
        let game = match game {
            Game::None => SavedGame::None,
            Game::Board(board) => {
                let BoardGame { field, piece, next, level, lines, score, pieces, over, dealer } = &**board;
                SavedGame::Board(SavedBoard {
                    rows: field.all_rows(),
                    piece: piece.number(),
                    next: next.number(),
                    level: *level,
                    lines: *lines,
                    score: *score,
                    pieces: *pieces,
                    over: *over,
                    dealer: dealer.clone(),
                })
            }
            Game::Frames(Frames::Model(model)) => {
                SavedGame::Model { game: Box::new(model.game), dealer: model.dealer.clone() }
            }
            Game::Frames(Frames::Cartridge(played)) => {
                let (console, session, dealer) = played.saved();
                let dealer = dealer.cloned();
                let saved = SavedGame::Cartridge { dealer, has_session: session.is_some() };
                parts.push(console);
                parts.extend(session);
                saved
            }
        };
        let (frames, pieces, illegal) = (*frames, *pieces, *illegal);
        let (seed, episode, steps, ended) = (*seed, *episode, *steps, *ended);
        let head =
            Head { key: self.key.to_string(), seed, episode, steps, frames, pieces, illegal, ended, game };
        // Numbers, words and lists of them: nothing that JSON does not take.
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        for part in std::iter::once(&head).chain(&parts).chain(std::iter::once(&self.observed)) {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// Reads the state of a vector with `common`.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        common: &Common,
        searches: &mut Searches,
    ) -> Result<Self, StateError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(StateError::Unknown)?;
        let mut part = || {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(part)
        };
        let cut = || StateError::Damaged("they end early");
        let head: Head = serde_json::from_slice(part().ok_or_else(cut)?)?;
        if head.key != *common.key {
            return Err(StateError::Other { expected: common.key.to_string(), found: head.key });
        }
        let game = match head.game {
            SavedGame::None => Game::None,
            SavedGame::Board(board) => Game::Board(Box::new(board.game()?)),
            SavedGame::Model { game, dealer } => Game::Frames(Prototype::resume_model(&game, dealer)),
            SavedGame::Cartridge { dealer, has_session } => {
                let console = part().ok_or_else(cut)?;
                let session = if has_session { Some(part().ok_or_else(cut)?) } else { None };
                let prototype =
                    common.prototype.as_ref().ok_or(StateError::Damaged("a console where there is none"))?;
                Game::Frames(prototype.resume(console, session, dealer)?)
            }
        };
        let fits = matches!(
            (&game, &common.prototype),
            (Game::None, _)
                | (Game::Board(_), None)
                | (Game::Frames(Frames::Model(_)), Some(Prototype::Model(_)))
                | (Game::Frames(Frames::Cartridge(_)), Some(Prototype::Cartridge(_)))
        );
        if !fits {
            return Err(StateError::Damaged("a game of another machine"));
        }
        let observed = part().ok_or_else(cut)?.to_vec();
        let pictures = is_picture(common.settings.observation);
        if !rest.is_empty() || observed.len() != if pictures { common.settings.widths().0 } else { 0 } {
            return Err(StateError::Damaged("another length"));
        }
        let Head { seed, episode, steps, frames, pieces, illegal, ended, .. } = head;
        let most =
            [episode, steps, u64::from(frames) << 31, u64::from(pieces) << 31, u64::from(illegal) << 31];
        if most.iter().any(|&number| number >= MOST) {
            return Err(StateError::Damaged("counters beyond any game"));
        }
        let places = Legal::List(Vec::new());
        let mut environment =
            Environment { game, places, seed, episode, steps, frames, pieces, illegal, ended };
        let Environment { game, places, .. } = &mut environment;
        game.find_places(&common.settings, searches, places);
        Ok(Self { environment, key: Arc::clone(&common.key), observed })
    }
}

impl SavedBoard {
    fn game(self) -> Result<BoardGame, StateError> {
        let piece = |number| Piece::from_number(number).ok_or(StateError::Damaged("a piece beyond six"));
        let Self { rows, piece: now, next, level, lines, score, pieces, over, dealer } = self;
        if lines.max(score).max(pieces) > 1 << 31 {
            return Err(StateError::Damaged("counters beyond any game"));
        }
        let field = Field::from_all_rows(&rows);
        let (piece, next) = (piece(now)?, piece(next)?);
        Ok(BoardGame { field, piece, next, level, lines, score, pieces, over, dealer })
    }
}
