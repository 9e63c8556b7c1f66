//! A mode attached to a running console.

mod after;
mod before;
mod hooks;

pub(crate) use before::LAST_LEVEL;

use std::sync::Arc;

use nes::{Buttons, Console, Region};
use nes_state::{Reader, StateError, Writer};
use randomizers::Sps;
use tetris::events::{GameType, Record, Watcher};
use tetris::rules::Pace;
use tetris::{Feature, Orientation, Piece, Profile, Unsupported, View, hooks as map, ram};

use autopilot::{Passage, Substitution};

use crate::modes;
use crate::ram_access::RamAccess;
use crate::state::Memory;
use crate::{CapEffect, Crash, Kind, Mode, Options, Outcome};

/// A practice mode on a console: it goes along frame by frame.
///
/// [`Session::frame`] is all that a simple caller needs. Others call [`Session::prepare`] between
/// two frames, run the frame with the session attached (it is an [`Attachment`](nes::Attachment),
/// which goes into a pair with others), and call [`Session::finish`] after it. A clone goes on with
/// a clone of the console; [`Session::save`] makes bytes of what is not in the console.
#[derive(Clone)]
pub struct Session {
    profile: Arc<Profile>,
    mode: Mode,
    options: Options,
    addresses: Addresses,
    /// The lowest of the addresses that are looked at, and how far the highest is beyond it, plus
    /// one; 0 for none. One comparison an instruction is what an attachment costs.
    span: (u16, u16),
    pieces: Pieces,
    /// The console's, once it has been seen.
    region: Region,
    memory: Memory,
    /// RAM after the last frame, as the maps have it.
    last: Box<[u8; 0x800]>,
    watcher: Watcher,
}

/// Where the program is looked at; 0 for nowhere.
#[derive(Clone, Copy, Debug)]
struct Addresses {
    rows: u16,
    lines: u16,
    points: u16,
}

/// Where the pieces come from.
#[derive(Clone)]
enum Pieces {
    /// The game's own.
    Game,
    /// A fixed sequence.
    Sequence(Box<Substitution>),
    /// The game's own, but for most of the I.
    Drought(Passage),
}

impl Session {
    /// A session on the cartridge that `image`, a whole file, is of.
    ///
    /// # Errors
    /// Why the cartridge cannot carry it.
    pub fn of_image(image: &[u8], mode: Mode, options: Options) -> Result<Self, Unsupported> {
        Profile::for_feature(image, feature_of(mode, options))
            .map(|profile| Self::known(profile, mode, options))
    }

    /// A session on a cartridge that `profile` is of.
    ///
    /// # Errors
    /// Why the cartridge cannot carry it.
    pub fn new(profile: Profile, mode: Mode, options: Options) -> Result<Self, Unsupported> {
        profile.supporting(feature_of(mode, options)).map(|profile| Self::known(profile, mode, options))
    }

    fn known(profile: Profile, mode: Mode, options: Options) -> Self {
        let kind = mode.kind();
        let guards = options.crash != Crash::Crash;
        let counts = kind == Kind::Marathon || kind == Kind::Transition && mode.value() == 16;
        let at = |wanted: bool, hook| if wanted { profile.address(hook) } else { 0 };
        let stays = modes::never_clears(mode)
            || kind == Kind::Floor
            || options.cap.is_some() && options.cap_effect == CapEffect::Floor;
        let addresses = Addresses {
            rows: at(stays, map::ROW_CHECK),
            lines: at(counts || options.no_flash, map::LINES),
            points: at(counts || guards, map::POINTS),
        };
        let sequence = |pieces: Box<dyn Iterator<Item = Piece> + Send>| {
            Pieces::Sequence(Box::new(Substitution::new(profile.clone(), pieces)))
        };
        let pieces = match kind {
            Kind::TSpins => sequence(Box::new(core::iter::repeat(Piece::T))),
            Kind::Tap => sequence(Box::new(core::iter::repeat(Piece::I))),
            Kind::TapQuantity if !options.all_pieces => sequence(Box::new(core::iter::repeat(Piece::I))),
            Kind::Setups => sequence(Box::new(modes::setups::pieces(mode.value()).iter().copied().cycle())),
            Kind::Seed => {
                let [_, high, middle, low] = mode.value().to_be_bytes();
                // A mode has no seed that deals nothing.
                Sps::new([high, middle, low]).map_or(Pieces::Game, |seed| sequence(Box::new(seed)))
            }
            Kind::Drought => Pieces::Drought(Passage::new(profile.address(map::NEW_PIECE))),
            _ => Pieces::Game,
        };
        let span = span(&profile, addresses, &pieces);
        Self {
            profile: Arc::new(profile),
            mode,
            options,
            addresses,
            span,
            pieces,
            region: Region::Ntsc,
            memory: Memory { target: modes::NOWHERE, ..Memory::default() },
            last: Box::new([0; 0x800]),
            watcher: Watcher::default(),
        }
    }

    /// The same with the pieces of another sequence, where the mode leaves them to the game.
    #[must_use]
    pub fn with_pieces(mut self, pieces: Substitution) -> Self {
        if matches!(self.pieces, Pieces::Game) {
            self.pieces = Pieces::Sequence(Box::new(pieces));
            self.span = span(&self.profile, self.addresses, &self.pieces);
        }
        self
    }

    /// Whether the mode leaves the pieces to the game, so that another sequence can take its place.
    pub fn leaves_pieces_to_the_game(&self) -> bool {
        matches!(self.pieces, Pieces::Game)
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What is known of the cartridge.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The region of the console that it goes along with.
    pub fn region(&self) -> Region {
        self.region
    }

    /// Frames that a piece takes to fall a row at a level of this game: the cartridge's, or the
    /// mode's.
    pub(crate) fn frames_a_row(&self, level: u8) -> u8 {
        self.frames_per_row().unwrap_or_else(|| self.profile.pace().frames_per_row(level))
    }

    /// Is a game on that the mode was set up for? It stays so under the curtain.
    pub fn is_playing(&self) -> bool {
        self.memory.playing
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Outcome {
        self.memory.outcome
    }

    /// The score without a limit, bonus of the B-type included.
    pub fn score(&self) -> u32 {
        self.memory.score
    }

    /// The level that the game is at.
    pub fn level(&self) -> u8 {
        self.memory.level
    }

    /// Placements that did what the mode asks for, and others: T-spins, taps, setups.
    pub fn hits(&self) -> [u32; 2] {
        [self.memory.hits, self.memory.misses]
    }

    /// Where the mode wants the piece in play: pivot and orientation. A row of `$FF` is any row;
    /// `None` where it wants nothing.
    pub fn target(&self) -> Option<[u8; 3]> {
        (self.memory.target != modes::NOWHERE).then_some(self.memory.target)
    }

    /// The frame in which a crash was last kept from happening.
    pub fn crash_frame(&self) -> Option<u64> {
        (self.memory.crash_frame > 0).then_some(self.memory.crash_frame)
    }

    /// The score less the one on pace; `None` beyond 230 lines, and in other modes.
    pub fn pace(&self) -> Option<i64> {
        let target = (self.mode.kind() == Kind::Pace)
            .then(|| crate::pace_target(self.mode.value(), self.view().lines()))
            .flatten()?;
        Some(i64::from(self.memory.score) - i64::from(target))
    }

    /// RAM after the last frame, as the maps have it.
    pub(crate) fn view(&self) -> View<'_> {
        View::new(&self.last)
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Runs a frame with these buttons of the player. Out: what happened in it.
    pub fn frame(&mut self, console: &mut Console, buttons: Buttons) -> Vec<Record> {
        let delivered = self.prepare(console, buttons);
        self.run(console, delivered);
        self.finish(console)
    }

    /// Runs the frame between [`Self::prepare`] and [`Self::finish`], with nothing else attached.
    pub fn run(&mut self, console: &mut Console, buttons: Buttons) {
        self.run_pads(console, [buttons, Buttons::empty()]);
    }

    /// The same with both pads. It is one function, so that the machine is compiled with a session
    /// once.
    #[inline(never)]
    pub fn run_pads(&mut self, console: &mut Console, mut pads: [Buttons; 2]) {
        // Nothing of it breaks.
        let _ = if self.has_hooks() {
            console.run_frame(&mut pads, self)
        } else {
            console.run_frame(&mut pads, &mut ())
        };
    }

    /// Does it look at anything within a frame? If not, it need not be attached to one.
    pub fn has_hooks(&self) -> bool {
        self.span.1 > 0
    }

    /// Goes on with a console that it has not run so far: after a loaded state, say.
    pub fn resync(&mut self, console: &Console) {
        match &mut self.pieces {
            Pieces::Game => {}
            Pieces::Sequence(pieces) => pieces.resync(console),
            Pieces::Drought(passage) => passage.resync(console),
        }
        self.region = console.region();
        *self.last = self.profile.as_mapped(console.ram());
        self.watcher = Watcher::default();
        self.watcher.observe(console.frame_number(), &self.last);
    }

    /// Joins a game that is on, of which nobody has remembered anything: the score counts on from
    /// the digits on the screen, and level and start level are those of now.
    pub fn join(&mut self, console: &Console) {
        self.resync(console);
        let view = self.view();
        let (score, level, charge) = (view.score(), view.level(), view.das());
        let playing = view.in_game() && (view.in_play() || view.is_paused());
        self.memory = Memory { playing, score, level, start_level: level, charge, ..self.memory.clone() };
        self.memory.outcome = Outcome::Playing;
    }

    /// A game has begun that the player chose in the menus, and not a mode: the session is of its
    /// type, height and level.
    pub fn follow_menus(&mut self) {
        let view = self.view();
        let b_type = GameType::from(view.byte(ram::GAME_TYPE)) == GameType::B;
        let kind = if b_type { Kind::BType } else { Kind::Tetris };
        let (height, level) = (view.byte(ram::START_HEIGHT).into(), view.byte(ram::START_LEVEL));
        self.mode = Mode::new(kind, height).unwrap_or_else(|_| kind.usual());
        self.options.level = level.min(LAST_LEVEL);
    }

    /// What a session remembers beside its console, as bytes.
    pub fn save(&self) -> Vec<u8> {
        Writer::save(&mut self.memory.clone())
    }

    /// Takes over what a session of the same mode has saved, together with the console of that
    /// moment.
    ///
    /// # Errors
    /// When the bytes are none of that; nothing has changed then.
    pub fn load(&mut self, bytes: &[u8], console: &Console) -> Result<(), StateError> {
        let mut memory = Memory::default();
        Reader::load(bytes, &mut memory)?;
        self.memory = memory;
        self.resync(console);
        Ok(())
    }

    /// A position was written into the console.
    pub(crate) fn take_over(&mut self, score: u32, level: u8, das: u8, last_pick: u8) {
        let memory = &mut self.memory;
        (memory.score, memory.level, memory.charge, memory.last_pick) = (score, level, das, last_pick);
        (memory.due, memory.was_hit, memory.fall, memory.delay) = (false, false, 0, 0);
        memory.masked = [0; 20];
        memory.outcome = Outcome::Playing;
    }

    /// Does it write to RAM, so that a movie of the buttons alone cannot repeat the game?
    pub fn writes(&self) -> bool {
        let Options { level, crash, cap, no_flash, no_next, pal, .. } = self.options;
        let plain = matches!(self.mode.kind(), Kind::Tetris | Kind::Stacking | Kind::Pace | Kind::Invisible)
            || self.mode.kind() == Kind::BType && self.mode.value() <= 5;
        let cap = cap.is_some() && self.options.cap_effect != CapEffect::Invisible;
        !plain || level > LAST_LEVEL || crash != Crash::Crash || cap || no_flash || no_next || pal
    }

    /// Are two rows fallen a frame?
    fn falls_double(&self) -> bool {
        self.mode.kind() == Kind::Killscreen || self.caps(CapEffect::Killscreen)
    }

    /// Is the line cap reached, and is this what it does?
    pub(crate) fn caps(&self, effect: CapEffect) -> bool {
        self.memory.capped && self.options.cap_effect == effect
    }

    /// Are locked blocks hidden now?
    pub(crate) fn hides_blocks(&self) -> bool {
        let hides = self.mode.kind() == Kind::Invisible || self.caps(CapEffect::Invisible);
        hides && self.memory.playing && self.memory.outcome == Outcome::Playing
    }

    /// Delay and continuation of the auto shift, where they are not the game's.
    fn auto_shift(&self) -> Option<(i8, i8)> {
        match self.mode.kind() {
            Kind::DasDelay => Some((self.mode.value() as i8, self.mode.value() as i8 - 6)),
            _ => self.options.pal.then_some((12, 8)),
        }
    }

    /// Frames a row, where they are not the game's.
    fn frames_per_row(&self) -> Option<u8> {
        if self.falls_double() {
            return Some(1);
        }
        let level = match self.mode.kind() {
            Kind::Marathon => self.memory.start_level,
            _ if self.options.pal => self.memory.level,
            _ => return None,
        };
        let pace = if self.options.pal { Pace::PAL } else { self.profile.pace() };
        Some(pace.frames_per_row(level))
    }
}

/// The lowest of the addresses that are looked at, and how far the highest is beyond it, plus one.
fn span(profile: &Profile, addresses: Addresses, pieces: &Pieces) -> (u16, u16) {
    let Addresses { rows, lines, points } = addresses;
    let piece = if matches!(pieces, Pieces::Game) { 0 } else { profile.address(map::NEW_PIECE) };
    let hooks = || [rows, lines, points, piece].into_iter().filter(|&address| address > 0);
    let low = hooks().min().unwrap_or(0);
    (low, hooks().max().map_or(0, |high| high - low + 1))
}

/// What a session takes: a plain game only looks on.
fn feature_of(mode: Mode, options: Options) -> Feature {
    let usual = Options { level: options.level, ..Options::default() };
    let is_of_menus = mode.kind() == Kind::Tetris || mode.kind() == Kind::BType && mode.value() <= 5;
    let is_plain = is_of_menus && options == usual && options.level <= LAST_LEVEL;
    if is_plain { Feature::Games } else { Feature::Practice }
}

/// Pivot and orientation of a view.
fn place(view: View) -> Option<(u8, u8, Orientation)> {
    Some((view.column(), view.row(), view.orientation()?))
}
