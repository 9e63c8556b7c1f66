//! The machine of the page: the console and everything that goes along with it.

mod matching;
mod practising;
mod race;
mod recording;
mod watching;

use std::sync::Arc;

use emulator::{
    Attached, Emulator, MovieProgress, Practice, RewindLimits, SavedPractice, SavedState, Versus,
};
use nes::fm2::RamInit;
use nes::{Buttons, Cartridge, Config, Console, Palette, Region};
use nes_debug::Debugger;
use practice::Position;
use puzzle::{Desk, Lesson};
use tetris::{Feature, Profile};
use value::{NetSource, Nets};

use crate::colours::Colours;
use crate::game::{self, Game};
use crate::reviewing::GameReview;
use crate::searching::OwnSearch;
use crate::viewer::Viewer;
use crate::views::{self, Shown};
use crate::{Error, HEIGHT, WIDTH};

/// The cartridge that is there at once.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// Its name, and its file's.
const BUILT_IN_NAME: &str = "Maxout";

/// How far back a rewind goes.
const REWIND: RewindLimits = RewindLimits { seconds: 90, megabytes: 30 };
/// Frames that one step of a rewind goes back.
const STEP_BACK: usize = 3;

/// The machine of the page: a running game, its file, the computer opponent and the viewer.
///
/// The page asks for a frame at a time and takes picture and sound. Nothing here waits.
pub struct Machine {
    name: String,
    image: Vec<u8>,
    pub(crate) emulator: Emulator,
    pub(crate) profile: Option<Profile>,
    pub(crate) game: Option<Game>,
    pub(crate) versus: Option<Versus>,
    pub(crate) viewer: Option<Viewer>,
    pub(crate) race: Option<race::Race>,
    playing: Option<matching::PageMatch>,
    recording: Option<recording::PageRecording>,
    verification: Option<matching::PageVerification>,
    pub(crate) desk: Desk,
    pub(crate) review: Option<GameReview>,
    pub(crate) lesson: Option<Lesson>,
    pub(crate) search: Option<OwnSearch>,
    /// Games of which the next plan of the day is made.
    pub(crate) past: Vec<crate::planning::Past>,
    nets: Nets,
    /// Games that were begun, by which the page knows that another one is on.
    pub(crate) games: u32,
    /// What the console got in the last frame.
    pub(crate) pads: [Buttons; 2],
    colours: Colours,
    rgba: Vec<u8>,
    silence: Vec<f32>,
    quiet: bool,
    debugger: Option<Debugger>,
}

impl Machine {
    /// Returns a machine with the built-in cartridge, powered on; sound has so many samples a
    /// second.
    ///
    /// # Panics
    /// Never: the built-in image is a cartridge, and a test says so.
    pub fn new(rate: u32) -> Self {
        let cartridge = Cartridge::from_bytes(BUILT_IN).expect("the built-in image is a cartridge");
        let config = Config { sample_rate: Some(rate.clamp(8_000, 192_000)), ..Config::default() };
        let mut machine = Self {
            name: BUILT_IN_NAME.into(),
            image: BUILT_IN.to_vec(),
            emulator: Emulator::new(cartridge, config, REWIND),
            profile: Profile::for_feature(BUILT_IN, Feature::Practice).ok(),
            game: None,
            versus: None,
            viewer: None,
            race: None,
            playing: None,
            recording: None,
            verification: None,
            desk: Desk::new(NetSource::from(Nets::default())),
            review: None,
            lesson: None,
            search: None,
            past: Vec::new(),
            nets: Nets::default(),
            games: 0,
            pads: [Buttons::empty(); 2],
            colours: Colours::of(Palette::ntsc()),
            rgba: vec![255; 4 * WIDTH * HEIGHT],
            silence: Vec::new(),
            quiet: false,
            debugger: None,
        };
        machine.watch_game();
        machine
    }

    /// Inserts the cartridge of a ROM's bytes, with what its battery has kept, and switches the
    /// power on.
    ///
    /// # Errors
    /// When the bytes are no cartridge; the console plays on then.
    pub fn insert(&mut self, name: &str, bytes: &[u8], battery: &[u8]) -> Result<(), Error> {
        let cartridge =
            Cartridge::from_bytes(bytes).map_err(|error| Error::Rom { name: name.to_owned(), error })?;
        (self.name, self.image) = (name.to_owned(), bytes.to_vec());
        self.emulator.choose_region(None);
        self.emulator.insert(cartridge, battery);
        self.profile = Profile::for_feature(&self.image, Feature::Practice).ok();
        (self.viewer, self.debugger, self.versus, self.race) = (None, None, None, None);
        self.watch_game();
        Ok(())
    }

    /// Inserts the built-in cartridge.
    ///
    /// # Errors
    /// See [`Machine::insert`].
    pub fn insert_built_in(&mut self) -> Result<(), Error> {
        self.insert(BUILT_IN_NAME, BUILT_IN, &[])
    }

    /// Takes a net, small or not, by which the computer, reviews and puzzles evaluate; a second one
    /// of a speed stands beside the first, for other hands. Returns how many of the four speeds
    /// have one.
    ///
    /// # Errors
    /// When the bytes are no net.
    pub fn set_net(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let (net, provenance) = value::Net::from_bytes(bytes).map_err(Arc::new)?;
        self.nets = value::with_net(std::mem::take(&mut self.nets), net, provenance.speed);
        self.desk.set_nets(self.nets.clone().into());
        Ok(self.nets.iter().flatten().count())
    }

    /// Returns what the cartridge's battery keeps; nothing without one.
    pub fn battery(&self) -> &[u8] {
        let cartridge = self.emulator.state().board.cartridge();
        if cartridge.info().battery { cartridge.battery_ram() } else { &[] }
    }

    /// Switches the power off and on: nothing is left of a game, a movie or the rewind buffer.
    pub fn power(&mut self) {
        self.power_with(RamInit::default());
    }

    /// The same with RAM as a movie has it.
    fn power_with(&mut self, ram: RamInit) {
        let kept = self.emulator.battery_ram().to_vec();
        self.emulator.set_practice(None);
        self.emulator.restart_with(&kept, ram);
        (self.viewer, self.race) = (None, None);
        self.watch_game();
    }

    /// Has a session follow whatever is played, if the cartridge is known.
    fn watch_game(&mut self) {
        let session = self.profile.as_ref().and_then(|profile| game::session(profile, "", "", "").ok());
        let practice = session.map(|mut session| {
            session.resync(self.emulator.state());
            Practice::watching(session)
        });
        let crc32 = self.cartridge().crc32();
        self.game = practice.as_ref().map(|practice| Game::new(practice, crc32, None));
        self.games += 1;
        self.emulator.set_practice(practice);
    }

    /// Presses the reset button. The file of the game begins anew there.
    pub fn reset(&mut self) {
        self.emulator.movie.stop_playing();
        self.viewer = None;
        self.emulator.reset();
        self.frame([0; 2]);
        if let (Some(game), Some(practice)) = (&mut self.game, self.emulator.watched()) {
            game.begin_from(self.emulator.state(), practice.session());
        }
    }

    /// Gives the sound another rate from here on, in samples a second.
    pub fn set_rate(&mut self, rate: u32) {
        self.emulator.set_sample_rate(rate.clamp(8_000, 192_000));
    }

    /// Shows the picture of so many frames later, 0 to 2.
    pub fn set_ahead(&mut self, frames: u8) {
        self.emulator.set_ahead(frames);
    }

    /// The colours of a `.pal` file.
    ///
    /// # Errors
    /// When the bytes are no palette.
    pub fn set_palette(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let wrong = |error| Error::Palette { name: name.to_owned(), error };
        self.colours = Colours::of(Palette::from_bytes(bytes).map_err(wrong)?);
        Ok(())
    }

    /// Colours of the page's own: "" as a television has them, "grey", or "contrast", greys from
    /// black to white.
    ///
    /// # Errors
    /// When there are none of that name.
    pub fn set_colours(&mut self, name: &str) -> Result<(), Error> {
        self.colours = Colours::named(name)?;
        Ok(())
    }

    /// Runs a frame in which the players hold these buttons, in the order of [`Buttons`]: Right in
    /// bit 0, A in bit 7.
    pub fn frame(&mut self, held: [u8; 2]) {
        self.quiet = false;
        if self.viewer.is_some() {
            self.viewer_frame();
            return self.record_frame();
        }
        let mut pads = held.map(Buttons::from_bits_retain);
        self.emulator.frame(&mut pads, Attached::default());
        self.pads = self.emulator.buttons();
        if let Some(versus) = &mut self.versus {
            versus.frame(&mut self.emulator);
        }
        self.race_frame();
        self.follow_game();
        self.record_frame();
    }

    /// Brings the game's file and its events up to the last frame.
    fn follow_game(&mut self) {
        let taken = self.emulator.watched_mut().map(Practice::take_played).unwrap_or_default();
        if let (Some(game), Some(practice)) = (&mut self.game, self.emulator.watched())
            && game.follow(taken, self.emulator.state(), practice.session())
        {
            self.games += 1;
        }
    }

    /// Goes back by three frames; the picture is of the frame that begins there. Returns whether
    /// there was a way back.
    pub fn step_back(&mut self) -> bool {
        self.quiet = true;
        if let Some(viewer) = &mut self.viewer {
            return viewer.frame() > 3 && viewer.seek(viewer.frame() - 3).is_ok();
        }
        // The computer's game goes one way, and so does that of a race.
        if self.versus.is_some() || self.race.is_some() || !self.emulator.step_back_by(STEP_BACK) {
            return false;
        }
        if let (Some(game), Some(practice)) = (&mut self.game, self.emulator.watched())
            && game.follow_back(self.emulator.state(), practice.session())
        {
            self.games += 1;
        }
        true
    }

    /// Returns a state to be loaded later: console, practice, and what the session remembered.
    pub fn save(&self) -> Vec<u8> {
        let mut saved = self.emulator.saved();
        if let (Some(game), Some(practice)) = (&self.game, &mut saved.practice) {
            practice.pieces = game.pieces().map(str::to_owned);
        }
        saved.write(self.emulator.picture(), self.colours.palette())
    }

    /// Goes to a saved state of this cartridge.
    ///
    /// # Errors
    /// When it is none; nothing has changed then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let saved = SavedState::read(bytes)?;
        let mut console = self.emulator.state().clone();
        console.load(&saved.console)?;
        let mut practice = None;
        if let Some(profile) = &self.profile {
            let (of_game, pieces) = if let Some(saved) = saved.practice {
                let SavedPractice { mode, options, pieces, memory, watches } = saved;
                let text = pieces.as_deref().unwrap_or_default();
                let mut session = game::session_of(profile, mode, options, text)?;
                session.load(&memory, &console)?;
                let with = if watches { Practice::watching } else { Practice::new };
                (with(session), pieces)
            } else {
                let mut session = game::session(profile, "", "", "")?;
                session.join(&console);
                (Practice::watching(session), None)
            };
            practice = Some((of_game.joined(&console), pieces));
        }
        self.emulator.movie.stop_playing();
        self.emulator.load(&saved.console, saved.log, saved.ram)?;
        self.adopt(practice);
        Ok(())
    }

    /// Goes on with another practice session, at the console's present moment; its file begins
    /// there.
    fn adopt(&mut self, practice: Option<(Practice, Option<String>)>) {
        (self.viewer, self.race) = (None, None);
        self.games += 1;
        let crc32 = self.cartridge().crc32();
        self.game = practice.as_ref().map(|(practice, pieces)| {
            let mut game = Game::new(practice, crc32, pieces.as_deref());
            game.begin_from(self.emulator.state(), practice.session());
            game
        });
        self.emulator.set_practice(practice.map(|(practice, _)| practice));
    }

    /// Plays a movie from power-on.
    ///
    /// # Errors
    /// When it is none, or one that this console cannot play.
    pub fn play_movie(&mut self, name: &str, bytes: &[u8]) -> Result<usize, Error> {
        let movie = watching::read_movie(name, bytes)?;
        let length = movie.frames.len();
        self.emulator.set_computer(None);
        self.emulator.choose_region(movie.pal.then_some(Region::Pal));
        self.emulator.choose_devices(movie.devices);
        self.power_with(movie.ram);
        if length > 0 {
            self.emulator.movie.play(movie);
        }
        Ok(length)
    }

    /// Returns how many frames of the movie have run, and how many it has; none when no movie
    /// plays.
    pub fn movie(&self) -> Option<[usize; 2]> {
        let MovieProgress { frame, length } = self.emulator.movie.progress()?;
        Some([frame as usize, length? as usize])
    }

    fn viewer_frame(&mut self) {
        let Some(viewer) = &mut self.viewer else { return };
        viewer.console_mut().clear_samples();
        match viewer.step() {
            Ok(Some(buttons)) => self.pads = buttons,
            // At its end it stays.
            Ok(None) | Err(_) => self.quiet = true,
        }
    }

    /// The position of the piece in play, as a text; empty without one.
    pub fn position(&self) -> String {
        let session = match &self.viewer {
            Some(viewer) => Some(viewer.session()),
            None => self.emulator.watched().map(Practice::session),
        };
        session.and_then(Position::of).map(|position| position.to_string()).unwrap_or_default()
    }

    /// Paints what is to be shown, with the overlay of the practice mode. Out: red, green, blue and
    /// 255 of each pixel; behind them the picture of the computer, of the other player of a match
    /// or of the raced game, while one is on.
    pub fn paint(&mut self) -> &[u8] {
        let pictures = self.playing.as_ref().and_then(matching::PageMatch::pictures);
        let (frame, session) = match (pictures, &self.viewer) {
            (Some([own, _]), _) => (own, None),
            (None, Some(viewer)) => (viewer.console().picture(), Some(viewer.session())),
            (None, None) => (self.emulator.picture(), self.emulator.watched().map(Practice::session)),
        };
        self.colours.paint(frame.pixels(), &mut self.rgba[..4 * WIDTH * HEIGHT]);
        if let Some(session) = session.filter(|session| session.is_playing()) {
            practice::draw(&session.overlay(), &mut self.rgba);
        }
        let own = 4 * WIDTH * HEIGHT;
        let versus = self.versus.as_ref().filter(|versus| versus.is_on()).map(Versus::picture);
        let other = versus.or_else(|| self.race.as_ref().map(race::Race::picture));
        let other = other.filter(|_| self.viewer.is_none());
        let other = pictures.map_or(other, |[_, other]| Some(other));
        self.rgba.resize(if other.is_some() { 2 * own } else { own }, 255);
        if let Some(other) = other {
            self.colours.paint(other.pixels(), &mut self.rgba[own..]);
        }
        &self.rgba
    }

    /// The sound of the last frame, -1 to 1; silence of a frame's length after a step back.
    pub fn samples(&mut self) -> &[f32] {
        if self.quiet {
            let rate = f64::from(self.sound_rate());
            let length = (rate / self.frame_rate()) as usize;
            self.silence.resize(length, 0.0);
            return &self.silence;
        }
        if self.playing.is_some() {
            return self.match_sound().unwrap_or_default();
        }
        self.viewer.as_ref().map_or(self.emulator.sound(), |viewer| viewer.console().samples())
    }

    /// Shows a view of the debugger.
    ///
    /// # Errors
    /// When there is no view of that name.
    pub(crate) fn view(&mut self, name: &str) -> Result<Shown, Error> {
        let profile = &self.profile;
        let (cartridge, config) = self.emulator.power();
        let debugger = self.debugger.get_or_insert_with(|| Debugger::new(cartridge, config, profile.clone()));
        views::show(debugger, self.emulator.console(), name, self.colours.palette())
    }

    /// Returns the console whose picture is shown.
    fn shown(&self) -> &Console {
        self.viewer.as_ref().map_or(self.emulator.state(), Viewer::console)
    }

    /// Frames a second of the console that is shown: its region's.
    pub fn frame_rate(&self) -> f64 {
        self.match_console().unwrap_or(self.shown()).region().frame_rate()
    }

    /// Returns samples of the console's sound a second.
    fn sample_rate(&self) -> u32 {
        self.emulator.config().sample_rate.unwrap_or(48_000)
    }

    /// Is it a PAL console?
    pub fn is_pal(&self) -> bool {
        self.emulator.region() == Region::Pal
    }

    /// The cartridge's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cartridge.
    pub fn cartridge(&self) -> &Cartridge {
        self.emulator.state().board.cartridge()
    }

    /// The hash of the console's state, the same as the command line prints.
    pub fn state_hash(&self) -> u64 {
        self.emulator.state_hash()
    }

    /// The number of frames since power-on.
    pub fn frame_number(&self) -> u64 {
        self.shown().frame_number()
    }
}
