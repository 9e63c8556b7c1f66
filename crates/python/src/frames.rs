//! The game frame by frame: the model of the rules, or a cartridge in the console.

use std::sync::Arc;

use autopilot::{Picker, Replacement};
use emulator::{Attached, Emulator, Practice};
use nes::{Buttons, Cartridge, Config, Console};
use practice::{Mode, Options, Outcome, Position, Session};
use randomizers::{Dealer, Randomizer};
use tetris::ram::{self, game_mode, play_state};
use tetris::rules::{Game, frames_per_row};
use tetris::{Feature, HEIGHT, Piece, Profile, Rom, View, WIDTH, buttons, hooks};

use crate::state::StateError;

/// Frames within which a game begins.
const MOST: u32 = 6_000;
/// Levels with a drop speed of their own.
const SPEEDS: u8 = 30;

/// Why no game could be begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The bytes are no cartridge.
    #[error(transparent)]
    Rom(#[from] nes::RomError),
    /// The cartridge is not known as Tetris.
    #[error("{0}")]
    Unsupported(String),
    /// Its menus led nowhere.
    #[error(transparent)]
    NoGame(#[from] practice::NoGame),
    /// The position has no room for its piece.
    #[error(transparent)]
    Position(#[from] practice::PositionError),
}

/// A game that runs frame by frame.
#[derive(Clone)]
pub enum Frames {
    /// On the model.
    Model(Box<Model>),
    /// On a console.
    Cartridge(Box<Played>),
}

/// A game just begun, of which all others are copies.
#[derive(Clone)]
pub enum Prototype {
    /// Of the model.
    Model(Box<Game<'static>>),
    /// Of a console.
    Cartridge(Arc<(Emulator, Session)>),
}

/// The model, and RAM as it was last looked at.
#[derive(Clone)]
pub struct Model {
    pub(crate) game: Game<'static>,
    pub(crate) dealer: Option<Dealer>,
    ram: Box<[u8; 0x800]>,
    is_read: bool,
}

/// A console in play.
#[derive(Clone)]
pub struct Played {
    /// The game, with its session if that is more than the plain A-type.
    pub emulator: Emulator,
    profile: Arc<Profile>,
    deal: Option<Replacement<Deals>>,
    ram: Box<[u8; 0x800]>,
    is_read: bool,
}

/// Deals a game's pieces in the order in which it asks, whatever its statistics say: a loaded state
/// has its dealer with it.
#[derive(Clone)]
struct Deals(Dealer);

impl Picker for Deals {
    fn pick(&mut self, _: &Console) -> Option<Piece> {
        Some(self.0.deal())
    }
}

impl Prototype {
    /// A game on the model.
    pub fn model() -> Self {
        let mut game = Game::power_on(&Rom::MAXOUT);
        for frame in 0..MOST {
            if game.in_play() {
                break;
            }
            // Start until the game plays, and no longer: another one would pause it.
            game.step(if frame % 6 == 0 { buttons::START } else { 0 });
        }
        game.step(0);
        Self::Model(Box::new(game))
    }

    /// A game of a practice mode on a cartridge.
    ///
    /// # Errors
    /// When the bytes are no cartridge, or one that is not known, or no game begins.
    pub fn cartridge(image: &[u8], mode: Mode, options: Options) -> Result<Self, BeginError> {
        let unsupported = |error: tetris::Unsupported| BeginError::Unsupported(error.to_string());
        let cartridge = Cartridge::from_bytes(image)?;
        let profile = Profile::for_feature(image, Feature::Practice).map_err(unsupported)?;
        let mut session = Session::new(profile, mode, options).map_err(unsupported)?;
        let mut emulator = Emulator::bare(cartridge, Config { video: false, ..Config::default() });
        let console = emulator.console();
        // Each episode enters a position of its own seed.
        practice::begin(console, &mut session, 0)?;
        // The first piece is in play a few frames later.
        for _ in 0..MOST {
            if Position::of(&session).is_some() {
                break;
            }
            session.frame(console, Buttons::empty());
        }
        Ok(Self::Cartridge(Arc::new((emulator, session))))
    }

    /// A game that goes on from a position. Without a dealer the game's own picker deals.
    ///
    /// # Errors
    /// When the position has no room for its piece.
    pub fn begin(&self, position: &Position, dealer: Option<Dealer>) -> Result<Frames, BeginError> {
        match self {
            Self::Model(game) => {
                let mut game = **game;
                let mut ram = Box::new(*game.memory().ram());
                write_position(&mut ram, position);
                game.set_memory(&ram);
                Ok(Frames::Model(Box::new(Model { game, dealer, ram, is_read: false })))
            }
            Self::Cartridge(begun) => {
                let (mut emulator, mut session) = (**begun).clone();
                session.enter(emulator.console(), position)?;
                let options = session.options();
                let plain = *options == Options { level: options.level, ..Options::default() };
                let practises = !plain || session.mode() != practice::Kind::Tetris.usual();
                let profile = Arc::new(session.profile().clone());
                let deal = dealer.map(|dealer| dealt(&profile, dealer, emulator.state()));
                let ram = Box::new([0; 0x800]);
                emulator.set_practice(practises.then(|| Practice::bare(session)));
                let played = Played { emulator, profile, deal, ram, is_read: false };
                Ok(Frames::Cartridge(Box::new(played)))
            }
        }
    }

    /// Returns a game on the model.
    pub(crate) fn resume_model(game: &Game<'static>, dealer: Option<Dealer>) -> Frames {
        let ram = Box::new(*game.memory().ram());
        Frames::Model(Box::new(Model { game: *game, dealer, ram, is_read: true }))
    }

    /// Returns a game on the cartridge that goes on from the saved state of its console and of its
    /// session, if it has one.
    ///
    /// # Errors
    /// When they are none of this cartridge, or this is the model's.
    pub(crate) fn resume(
        &self,
        console: &[u8],
        memory: Option<&[u8]>,
        dealer: Option<Dealer>,
    ) -> Result<Frames, StateError> {
        let Self::Cartridge(begun) = self else {
            return Err(StateError::Damaged("a console where there is none"));
        };
        let (mut emulator, mut session) = (**begun).clone();
        emulator.console().load(console)?;
        if let Some(memory) = memory {
            session.load(memory, emulator.state())?;
        }
        let profile = Arc::new(session.profile().clone());
        let deal = dealer.map(|dealer| dealt(&profile, dealer, emulator.state()));
        emulator.set_practice(memory.is_some().then(|| Practice::bare(session)));
        let ram = Box::new([0; 0x800]);
        Ok(Frames::Cartridge(Box::new(Played { emulator, profile, deal, ram, is_read: false })))
    }

    /// Returns what says which games may go on from each other's states.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Model(_) => "model".to_owned(),
            Self::Cartridge(begun) => {
                let (emulator, session) = &**begun;
                let crc32 = emulator.power().0.crc32();
                format!("cartridge {crc32:08x} {} {}", session.mode(), session.options())
            }
        }
    }
}

/// Returns who deals from now on to a game on a console.
fn dealt(profile: &Profile, dealer: Dealer, console: &Console) -> Replacement<Deals> {
    let mut deal = Replacement::by(profile, Deals(dealer));
    deal.resync(console);
    deal
}

impl Played {
    /// Returns the states of the console and of the session, and who deals.
    pub(crate) fn saved(&self) -> (Vec<u8>, Option<Vec<u8>>, Option<&Dealer>) {
        let session = self.emulator.practice().map(|practice| practice.session().save());
        (self.emulator.save(), session, self.deal.as_ref().map(|deal| &deal.picker.0))
    }
}

/// The game of `ram` goes on from a position.
fn write_position(memory: &mut [u8; 0x800], position: &Position) {
    memory[ram::PLAYFIELD.at()..][..HEIGHT * WIDTH].copy_from_slice(&position.tiles());
    let bcd = |number: u32| (number / 10 % 10 * 16 + number % 10) as u8;
    let score = position.score.min(999_999);
    for (variable, value) in position.variables().into_iter().chain([(ram::LEVEL, position.level)]) {
        memory[variable.at()] = value;
    }
    let lines = [bcd(position.lines), (position.lines / 100) as u8];
    memory[ram::LINES.range()].copy_from_slice(&lines);
    memory[ram::SCORE.range()].copy_from_slice(&[bcd(score), bcd(score / 100), bcd(score / 10_000)]);
    memory[ram::LFSR.range()].copy_from_slice(&position.lfsr.to_be_bytes());
    memory[ram::FRAME_COUNTER.range()].copy_from_slice(&position.frame.to_le_bytes());
}

impl Frames {
    /// Runs a frame with these buttons held ([`tetris::buttons`]); with a picture, if one is
    /// wanted.
    pub fn frame(&mut self, held: u8, drawn: bool) {
        match self {
            Self::Model(model) => model.frame(held),
            Self::Cartridge(played) => played.frame(held, drawn),
        }
    }

    /// RAM after the last frame, as the maps have it.
    pub fn ram(&mut self) -> &[u8; 0x800] {
        match self {
            Self::Model(model) => {
                if !std::mem::replace(&mut model.is_read, true) {
                    *model.ram = *model.game.memory().ram();
                }
                &model.ram
            }
            Self::Cartridge(played) => {
                if !std::mem::replace(&mut played.is_read, true) {
                    *played.ram = played.profile.as_mapped(played.emulator.state().ram());
                }
                &played.ram
            }
        }
    }

    /// Frames a row at a level.
    pub fn frames_per_row(&self, level: u8) -> u8 {
        match self {
            Self::Model(_) => frames_per_row(level),
            Self::Cartridge(played) => {
                let table = played.profile.address(hooks::DROP_SPEEDS);
                played.emulator.state().peek(table + u16::from(level.min(SPEEDS - 1)))
            }
        }
    }

    /// Has the game ended, or was it left?
    pub fn is_over(&mut self) -> bool {
        if self.session().is_some_and(|session| session.outcome() != Outcome::Playing) {
            return true;
        }
        let view = View::new(self.ram());
        view.game_mode() != game_mode::PLAY
            || matches!(view.play_state(), play_state::CURTAIN | play_state::ENDED)
    }

    /// The score: a practice mode's, which goes beyond six digits, or the game's.
    pub fn score(&mut self) -> u32 {
        match self.session() {
            Some(session) => session.score(),
            None => View::new(self.ram()).score(),
        }
    }

    /// The practice session, if the game has more than the plain A-type.
    fn session(&self) -> Option<&Session> {
        match self {
            Self::Model(_) => None,
            Self::Cartridge(played) => played.emulator.practice().map(Practice::session),
        }
    }
}

impl Model {
    fn frame(&mut self, held: u8) {
        let picks = self.game.picks();
        self.game.step(held);
        if self.game.picks() != picks
            && let Some(dealer) = &mut self.dealer
        {
            self.game.set_next(dealer.deal());
        }
        self.is_read = false;
    }
}

impl Played {
    fn frame(&mut self, held: u8, drawn: bool) {
        let Self { emulator, deal, .. } = self;
        emulator.console().set_video(drawn);
        self.is_read = false;
        let mut pads = [Buttons::from_bits_retain(held), Buttons::empty()];
        match deal {
            Some(deal) => emulator.frame_with(&mut pads, Attached::default(), deal),
            None => emulator.frame(&mut pads, Attached::default()),
        };
    }
}
