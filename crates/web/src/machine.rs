//! The machine of the page: the console and everything that goes along with it.

mod practising;
mod watching;

use autopilot::Autopilot;
use nes::controller::fm2::{FrameInput, Movie};
use nes::{Buttons, Cartridge, Config, Console, Frame, Palette, Region};
use nes_debug::Debugger;
use practice::Position;
use tetris::{Feature, Profile};

use crate::colours::Colours;
use crate::game::Game;
use crate::rewind::Rewind;
use crate::rival::Rival;
use crate::saved::Saved;
use crate::viewer::Viewer;
use crate::views::{self, Shown};
use crate::{Error, HEIGHT, WIDTH};

/// The cartridge that is there at once.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");
/// Its name, and its file's.
const BUILT_IN_NAME: &str = "Maxout";
/// The most frames that are run ahead.
const MOST_AHEAD: u8 = 2;

/// A movie that plays, and how many of its frames have run.
struct Playing {
    movie: Movie,
    frame: usize,
}

/// The console of the page, with its cartridge, the game on it, its past, and whoever else holds
/// the pad.
///
/// The page asks for a frame at a time and takes picture and sound. Nothing here waits.
pub struct Machine {
    name: String,
    image: Vec<u8>,
    cartridge: Cartridge,
    config: Config,
    pub(crate) console: Console,
    pub(crate) profile: Option<Profile>,
    pub(crate) game: Option<Game>,
    computer: Option<Autopilot>,
    pub(crate) rival: Option<Rival>,
    pub(crate) rewind: Rewind,
    movie: Option<Playing>,
    pub(crate) viewer: Option<Viewer>,
    ahead: u8,
    future: Option<Frame>,
    /// What the console got in the last frame.
    pub(crate) pads: [Buttons; 2],
    /// What the player held in it.
    held: [Buttons; 2],
    colours: Colours,
    rgba: Vec<u8>,
    silence: Vec<f32>,
    quiet: bool,
    debugger: Option<Debugger>,
}

impl Machine {
    /// With the built-in cartridge, powered on; sound has so many samples a second.
    ///
    /// # Panics
    /// Never: the built-in image is a cartridge, and a test says so.
    pub fn new(rate: u32) -> Self {
        let cartridge = Cartridge::from_bytes(BUILT_IN).expect("the built-in image is a cartridge");
        let config = Config { sample_rate: Some(rate.clamp(8_000, 192_000)), ..Config::default() };
        let mut machine = Self {
            name: BUILT_IN_NAME.into(),
            image: BUILT_IN.to_vec(),
            console: Console::new(cartridge.clone(), config),
            cartridge,
            config,
            profile: None,
            game: None,
            computer: None,
            rival: None,
            rewind: Rewind::default(),
            movie: None,
            viewer: None,
            ahead: 0,
            future: None,
            pads: [Buttons::empty(); 2],
            held: [Buttons::empty(); 2],
            colours: Colours::of(Palette::ntsc()),
            rgba: vec![255; 4 * WIDTH * HEIGHT],
            silence: Vec::new(),
            quiet: false,
            debugger: None,
        };
        machine.profile = Profile::for_feature(&machine.image, Feature::Practice).ok();
        machine.power();
        machine
    }

    /// Inserts the cartridge of a ROM's bytes, with what its battery has kept, and switches the
    /// power on. Without bytes it is the built-in one.
    ///
    /// # Errors
    /// When the bytes are no cartridge; the console plays on then.
    pub fn insert(&mut self, name: &str, bytes: &[u8], battery: &[u8]) -> Result<(), Error> {
        let (name, bytes) = if bytes.is_empty() { (BUILT_IN_NAME, BUILT_IN) } else { (name, bytes) };
        let cartridge =
            Cartridge::from_bytes(bytes).map_err(|error| Error::Rom { name: name.to_owned(), error })?;
        (self.name, self.image, self.cartridge) = (name.to_owned(), bytes.to_vec(), cartridge);
        (self.config.ram_fill, self.config.region) = (Config::default().ram_fill, None);
        self.cartridge.load_battery_ram(battery);
        self.profile = Profile::for_feature(&self.image, Feature::Practice).ok();
        (self.computer, self.debugger, self.rival) = (None, None, None);
        self.power();
        Ok(())
    }

    /// What the cartridge's battery keeps; nothing without one.
    pub fn battery(&self) -> &[u8] {
        self.console.board.cartridge().battery_ram()
    }

    /// The power, off and on: nothing is left of a game, a movie or the way back.
    pub fn power(&mut self) {
        self.console = Console::new(self.cartridge.clone(), self.config);
        self.rewind.clear();
        (self.movie, self.viewer, self.future) = (None, None, None);
        self.game = self.profile.as_ref().and_then(|profile| {
            let mut session = Game::session(profile, "", "", "").ok()?;
            session.resync(&self.console);
            Some(Game::new(session, true, self.cartridge.crc32(), None))
        });
    }

    /// The reset button. The file of the game begins anew there.
    pub fn reset(&mut self) {
        self.console.reset_between_frames();
        (self.movie, self.viewer) = (None, None);
        self.rewind.clear();
        if let Some(game) = &mut self.game {
            game.session.resync(&self.console);
            game.begin_from(&self.console);
        }
    }

    /// Another rate of samples, from here on.
    pub fn set_rate(&mut self, rate: u32) {
        self.config.sample_rate = Some(rate.clamp(8_000, 192_000));
        let mut console = Console::new(self.cartridge.clone(), self.config);
        // A state of the same cartridge.
        if console.load(&self.console.save()).is_ok() {
            self.console = console;
        }
    }

    /// Frames that the picture is ahead of the console, 0 to 2.
    pub fn set_ahead(&mut self, frames: u8) {
        self.ahead = frames.min(MOST_AHEAD);
        self.future = None;
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
        self.console.clear_samples();
        if self.viewer.is_some() {
            return self.viewer_frame();
        }
        let mut pads = held.map(Buttons::from_bits_retain);
        if let Some(input) = self.movie_input() {
            pads = input.pads;
            self.console.carry_out(input.commands, &self.cartridge, self.config);
        }
        if let Some(computer) = &mut self.computer {
            pads[0] = computer.action(&self.console).buttons;
        }
        let game = self.game.as_ref();
        self.rewind
            .begin_frame(&self.console, pads, || game.map(|game| game.session.save()).unwrap_or_default());
        self.held = pads;
        self.pads = if let Some(game) = &mut self.game {
            game.frame(&mut self.console, pads)
        } else {
            let _ = self.console.run_frame(&mut pads.clone(), &mut ());
            pads
        };
        if let Some(rise) = self.rival.as_mut().and_then(|rival| rival.frame(&mut self.console))
            && let Some(game) = &mut self.game
        {
            game.note_rise(rise);
        }
        self.future = (self.ahead > 0).then(|| self.look_ahead());
    }

    /// The picture of a later frame, if nothing changes at the pads.
    fn look_ahead(&self) -> Frame {
        let mut console = self.console.clone();
        console.set_sound(false);
        let mut session = self.game.as_ref().map(|game| game.session.clone());
        for _ in 0..self.ahead {
            match &mut session {
                Some(session) => session.run_pads(&mut console, self.pads),
                None => drop(console.run_frame(&mut self.pads.clone(), &mut ())),
            }
        }
        console.picture().clone()
    }

    /// The picture of the frame that comes is shown until it runs: a state has none of its own.
    fn show_next(&mut self, mut pads: [Buttons; 2]) {
        let mut console = self.console.clone();
        console.set_video(true);
        console.set_sound(false);
        let _ = console.run_frame(&mut pads, &mut ());
        self.future = Some(console.picture().clone());
    }

    /// The input of the movie's next frame; none where no movie plays.
    fn movie_input(&mut self) -> Option<FrameInput> {
        let playing = self.movie.as_mut()?;
        let input = playing.movie.frames.get(playing.frame).copied();
        playing.frame += 1;
        if input.is_none() {
            self.movie = None;
        }
        input
    }

    /// Goes back by three frames; the picture is of the frame that begins there. Returns whether
    /// there was a way back.
    pub fn step_back(&mut self) -> bool {
        self.quiet = true;
        if let Some(viewer) = &mut self.viewer {
            return viewer.frame() > 3 && viewer.seek(viewer.frame() - 3).is_ok();
        }
        // A movie goes one way, and so does the computer's game.
        if self.movie.is_some() || self.rival.is_some() {
            return false;
        }
        let Some(moment) = self.rewind.back() else { return false };
        if self.console.load(&moment.console).is_err() {
            return false;
        }
        if let Some(game) = &mut self.game {
            if game.session.load(&moment.session, &self.console).is_err() {
                game.session.resync(&self.console);
            }
            game.went_back(&self.console);
        }
        self.show_next(moment.pads);
        true
    }

    /// A state to be loaded later: console, practice, and what the session remembered.
    pub fn save(&self) -> Vec<u8> {
        let (text, session) =
            self.game.as_ref().map(|game| (game.text.clone(), game.session.save())).unwrap_or_default();
        Saved { text, session, console: self.console.save() }.write()
    }

    /// Goes to a saved state of this cartridge.
    ///
    /// # Errors
    /// When it is none; nothing has changed then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let saved = Saved::read(bytes)?;
        let mut console = self.console.clone();
        console.load(&saved.console)?;
        let mut game = self.game.clone();
        if let Some(profile) = &self.profile {
            let mut lines = saved.text.lines();
            let mut line = || lines.next().unwrap_or_default();
            let (mode, options, pieces) = (line(), line(), line());
            let mut session = Game::session(profile, mode, options, pieces)?;
            if saved.session.is_empty() {
                session.join(&console);
            } else {
                session.load(&saved.session, &console)?;
            }
            let pieces = (!pieces.is_empty()).then_some(pieces);
            let mut other = Game::new(session, saved.text.is_empty(), self.cartridge.crc32(), pieces);
            other.begin_from(&console);
            game = Some(other);
        }
        (self.console, self.game) = (console, game);
        (self.movie, self.viewer) = (None, None);
        self.rewind.clear();
        self.show_next([Buttons::empty(); 2]);
        Ok(())
    }

    /// Plays a movie from power-on.
    ///
    /// # Errors
    /// When it is none, or one that this console cannot play.
    pub fn play_movie(&mut self, name: &str, bytes: &[u8]) -> Result<usize, Error> {
        let movie = watching::read_movie(name, bytes)?;
        let length = movie.frames.len();
        self.computer = None;
        self.config.ram_fill = movie.ram.into();
        self.config.region = movie.pal.then_some(Region::Pal);
        self.power();
        self.movie = Some(Playing { movie, frame: 0 });
        Ok(length)
    }

    /// Frames of the movie that have run, and all of them; none where no movie plays.
    pub fn movie(&self) -> Option<[usize; 2]> {
        self.movie.as_ref().map(|playing| [playing.frame, playing.movie.frames.len()])
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
        let session = match (&self.viewer, &self.game) {
            (Some(viewer), _) => Some(viewer.session()),
            (None, game) => game.as_ref().map(|game| &game.session),
        };
        session.and_then(Position::of).map(|position| position.to_string()).unwrap_or_default()
    }

    /// Paints what is to be shown, with the overlay of the practice mode. Out: red, green, blue and
    /// 255 of each pixel; behind them the computer's picture, while a game against it is on.
    pub fn paint(&mut self) -> &[u8] {
        let (frame, session) = match (&self.viewer, &self.future) {
            (Some(viewer), _) => (viewer.console().picture(), Some(viewer.session())),
            (None, Some(future)) => (future, self.game.as_ref().map(|game| &game.session)),
            (None, None) => (self.console.picture(), self.game.as_ref().map(|game| &game.session)),
        };
        self.colours.paint(frame.pixels(), &mut self.rgba[..4 * WIDTH * HEIGHT]);
        if let Some(session) = session.filter(|session| session.is_playing()) {
            practice::draw(&session.overlay(), &mut self.rgba);
        }
        let own = 4 * WIDTH * HEIGHT;
        let other = self.rival.as_ref().and_then(Rival::picture).filter(|_| self.viewer.is_none());
        self.rgba.resize(if other.is_some() { 2 * own } else { own }, 255);
        if let Some(other) = other {
            self.colours.paint(other.pixels(), &mut self.rgba[own..]);
        }
        &self.rgba
    }

    /// The sound of the last frame, -1 to 1; silence of a frame's length after a step back.
    pub fn samples(&mut self) -> &[f32] {
        if self.quiet {
            let rate = f64::from(self.config.sample_rate.unwrap_or(48_000));
            let length = (rate / self.frame_rate()) as usize;
            self.silence.resize(length, 0.0);
            return &self.silence;
        }
        self.viewer.as_ref().map_or(&self.console, Viewer::console).samples()
    }

    /// Shows a view of the debugger.
    ///
    /// # Errors
    /// When there is no view of that name.
    pub(crate) fn view(&mut self, name: &str) -> Result<Shown, Error> {
        let profile = &self.profile;
        let (cartridge, config) = (&self.cartridge, self.config);
        let debugger =
            self.debugger.get_or_insert_with(|| Debugger::new(cartridge.clone(), config, profile.clone()));
        views::show(debugger, &mut self.console, name, self.colours.palette())
    }

    /// Frames a second of the console that is shown: its region's.
    pub fn frame_rate(&self) -> f64 {
        self.viewer.as_ref().map_or(&self.console, Viewer::console).region().frame_rate()
    }

    /// Is it a PAL console?
    pub fn is_pal(&self) -> bool {
        self.console.region() == Region::Pal
    }

    /// The cartridge's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cartridge.
    pub fn cartridge(&self) -> &Cartridge {
        &self.cartridge
    }

    /// The hash of the console's state, the same as the command line prints.
    pub fn state_hash(&self) -> u64 {
        self.console.state_hash()
    }

    /// The number of frames since power-on.
    pub fn frame_number(&self) -> u64 {
        self.viewer.as_ref().map_or(&self.console, Viewer::console).frame_number()
    }
}
