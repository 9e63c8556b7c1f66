//! What is held on the pads, frame by frame.

use nes::Buttons;
use nes::fm2::{FrameInput, Movie};

/// Where the buttons of a session come from: held until let go, pressed for some frames, or a
/// movie's.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Held until let go, by port.
    pub held: [Buttons; 2],
    /// The movie that is played, frame by frame from power-on.
    pub movie: Option<Movie>,
    /// Frames of the movie before the power last came on in it: the console counts from there.
    pub(crate) before: u64,
    /// Pressed from a frame to before another: port, buttons.
    presses: Vec<(u64, u64, usize, Buttons)>,
}

impl Input {
    /// Presses `buttons` on a port for `frames` frames from `frame` on.
    pub fn press(&mut self, frame: u64, frames: u64, port: usize, buttons: Buttons) {
        self.presses.push((frame, frame.saturating_add(frames), port & 1, buttons));
    }

    /// Plays another movie, or none, from power-on.
    pub fn set_movie(&mut self, movie: Option<Movie>) {
        self.movie = movie;
        self.before = 0;
    }

    /// Frames of the movie before the power last came on in it: the console counts its frames from
    /// there.
    pub fn movie_start(&self) -> u64 {
        self.before
    }

    /// The console has gone back over a switch of the power, or was exchanged: its frame 0 is this
    /// one of the movie.
    pub fn set_movie_start(&mut self, frame: u64) {
        self.before = frame;
    }

    /// The power is switched in the movie, before the console's frame `frame`: the movie goes on
    /// behind it.
    pub fn power_switched(&mut self, frame: u64) {
        self.before = self.before.saturating_add(frame);
    }

    /// The power is switched outside of the movie, which begins anew.
    pub fn begin_anew(&mut self) {
        self.before = 0;
    }

    /// What the movie does in the console's frame `frame`.
    pub fn of_movie(&self, frame: u64) -> FrameInput {
        let frame = self.before.saturating_add(frame);
        self.movie.as_ref().map(|movie| movie.frame(frame)).unwrap_or_default()
    }

    /// What is held in `frame`, the first being 0.
    pub fn of_frame(&mut self, frame: u64) -> FrameInput {
        self.presses.retain(|&(_, end, ..)| frame < end);
        let mut input = self.of_movie(frame);
        for (pad, held) in input.pads.iter_mut().zip(self.held) {
            *pad |= held;
        }
        for &(begin, _, port, buttons) in &self.presses {
            if begin <= frame {
                input.pads[port] |= buttons;
            }
        }
        input
    }
}

/// Buttons by their names, as `a`, `b`, `select`, `start`, `up`, `down`, `left`, `right`; `none` is
/// no button.
pub fn buttons(names: &str) -> Option<Buttons> {
    let mut all = Buttons::empty();
    for name in names.split([' ', '+', ',']).filter(|name| !name.is_empty()) {
        all |= match name.to_ascii_lowercase().as_str() {
            "a" => Buttons::A,
            "b" => Buttons::B,
            "select" => Buttons::SELECT,
            "start" => Buttons::START,
            "up" => Buttons::UP,
            "down" => Buttons::DOWN,
            "left" => Buttons::LEFT,
            "right" => Buttons::RIGHT,
            "none" => Buttons::empty(),
            _ => return None,
        };
    }
    Some(all)
}
