//! Movies: the buttons since power-on, recorded, played, or both at once.

use nes::fm2::{Commands, FrameInput, Movie, RamInit};
use nes::{Aim, Buttons, Devices, Extra};

/// Begins the comment that names the pieces.
const PIECES: &str = "pieces ";

/// Everything held since power-on, which goes along with the state: it is cut by a rewind and
/// exchanged by a loaded state, so a movie can be recorded from any of them.
#[derive(Debug, Clone, Default)]
pub struct MovieRecorder {
    log: Vec<FrameInput>,
    /// The log is not kept: only its frames are counted.
    unkept: bool,
    /// Frames since power-on.
    frames: usize,
    /// What RAM held when the log began.
    ram: RamInit,
    /// The state did not come about by the log alone, only by so many frames of it.
    diverged: Option<usize>,
    recording: Option<MovieRecording>,
    playing: Option<Movie>,
}

/// What a recording says of itself.
#[derive(Debug, Clone, Default)]
pub struct MovieMetadata {
    /// The cartridge's title.
    pub title: String,
    /// As in the file, `base64:` and all.
    pub checksum: String,
    /// Whether the console is a PAL one.
    pub pal: bool,
    /// What is plugged into the ports.
    pub devices: Devices,
    /// The player's name; may be empty.
    pub author: String,
    /// The name of the pieces that come instead of the game's.
    pub pieces: Option<String>,
}

/// A movie that is being recorded.
#[derive(Debug, Clone)]
struct MovieRecording {
    metadata: MovieMetadata,
    /// The movie that is recorded on, without its frames: its comments and the other keys of its
    /// header stay.
    before: Movie,
}

impl MovieRecorder {
    /// Returns the frame that comes next, counted from power-on.
    pub fn frame(&self) -> u64 {
        self.frames as u64
    }

    /// Returns everything so far; nothing where that does not lead to the state.
    pub fn log(&self) -> &[FrameInput] {
        if self.has_diverged() { &[] } else { &self.log }
    }

    /// Returns what RAM held when the log began.
    pub fn ram(&self) -> RamInit {
        self.ram
    }

    /// Keeps no log from here on, so that a console which runs for days takes no memory for it.
    pub fn keep_no_log(&mut self) {
        (self.unkept, self.log) = (true, vec![]);
        self.mark_diverged();
    }

    /// Returns what the movie holds in the frame that comes next; `None` when none plays, or not
    /// any more.
    pub fn input(&self) -> Option<FrameInput> {
        self.input_after(0)
    }

    /// Returns the same, `frames` later.
    pub fn input_after(&self, frames: usize) -> Option<FrameInput> {
        self.playing.as_ref()?.frames.get(self.frames + frames).copied()
    }

    /// Appends `input` of a frame that was run. Returns whether the movie that played has ended
    /// with it.
    pub fn ran(&mut self, input: FrameInput) -> bool {
        self.frames += 1;
        if !self.unkept {
            self.log.push(input);
        }
        let ended = self.playing.as_ref().is_some_and(|movie| self.frames >= movie.frames.len());
        if ended {
            self.playing = None;
        }
        ended
    }

    /// Takes the last `frames` back. Returns what was held in the first of them.
    pub fn back(&mut self, frames: usize) -> Option<FrameInput> {
        self.rerecord();
        self.frames = self.frames.saturating_sub(frames);
        self.log.drain(self.frames.min(self.log.len())..).next()
    }

    /// The console was exchanged for one of which nothing is known: the log no longer leads to it,
    /// and no movie does.
    pub fn replace(&mut self) {
        self.mark_diverged();
        self.playing = None;
    }

    /// Goes to a state that came about by `log` from a power-on with `ram`; a movie that plays goes
    /// on from there. Returns false, and does nothing, when that state does not come in the movie.
    pub fn jump(&mut self, log: Vec<FrameInput>, ram: RamInit, frame: u64) -> bool {
        let diverged = log.is_empty() && frame > 0;
        let fits = self.playing.as_ref().is_none_or(|movie| !diverged && movie.frames.starts_with(&log));
        if fits {
            self.diverged = (diverged || self.unkept).then_some(0);
            self.frames = log.len();
            self.log = if self.unkept { vec![] } else { log };
            self.ram = ram;
            self.rerecord();
        }
        fits
    }

    /// A script or the debugger changed the state by more than buttons: the log no longer leads to
    /// it. A movie that plays goes on.
    pub fn mark_diverged(&mut self) {
        self.diverged.get_or_insert(self.log.len());
    }

    /// Returns whether the log does not lead to the state.
    pub fn has_diverged(&self) -> bool {
        self.diverged.is_some()
    }

    /// Returns the frames that a movie can say.
    fn said(&self) -> &[FrameInput] {
        let length = self.diverged.unwrap_or(usize::MAX).min(self.log.len());
        &self.log[..length]
    }

    /// The power was turned off and on outside of any movie, or the cartridge changed: everything
    /// begins anew.
    pub fn restart(&mut self, ram: RamInit) {
        self.log.clear();
        self.frames = 0;
        self.ram = ram;
        self.diverged = self.unkept.then_some(0);
        self.playing = None;
    }

    fn rerecord(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.before.rerecord_count += 1;
        }
    }

    /// Records a movie from power-on on. A movie that plays ends, and its comments stay.
    pub fn record(&mut self, metadata: MovieMetadata) {
        let before = self.playing.take().map(|movie| Movie { frames: vec![], ..movie });
        self.recording = Some(MovieRecording { metadata, before: before.unwrap_or_default() });
    }

    /// Returns whether a movie is being recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Returns the movie that is being recorded, as far as it goes.
    pub fn recorded(&self) -> Option<Movie> {
        Some(self.recording.as_ref()?.movie(self.said(), self.ram))
    }

    /// Returns the frames of the movie that is being recorded, and how often it went back. As long
    /// as that number is the same, frames are only added.
    pub fn recorded_frames(&self) -> Option<(&[FrameInput], u64)> {
        Some((self.said(), self.recording.as_ref()?.before.rerecord_count))
    }

    /// Ends the recording. Returns its movie; `None` when there was none.
    pub fn stop_recording(&mut self) -> Option<Movie> {
        let recording = self.recording.take()?;
        Some(recording.movie(self.said(), self.ram))
    }

    /// Plays `movie` from power-on, which has just been.
    pub fn play(&mut self, movie: Movie) {
        self.log.clear();
        self.frames = 0;
        self.playing = Some(movie);
    }

    /// Ends the playing.
    pub fn stop_playing(&mut self) {
        self.playing = None;
    }

    /// Returns how far the movie is that plays or is recorded.
    pub fn progress(&self) -> Option<MovieProgress> {
        let length = self.playing.as_ref().map(|movie| movie.frames.len() as u64);
        (length.is_some() || self.is_recording()).then(|| MovieProgress { frame: self.frame(), length })
    }
}

/// How far a movie is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovieProgress {
    /// The frame that comes next, from power-on.
    pub frame: u64,
    /// Frames of a movie that plays; none while one is recorded.
    pub length: Option<u64>,
}

impl MovieRecording {
    fn movie(&self, log: &[FrameInput], ram: RamInit) -> Movie {
        let Self { metadata: MovieMetadata { title, checksum, pal, devices, author, pieces }, before } = self;
        let author = (!author.is_empty()).then(|| format!("author {author}"));
        let mut comments = before.comments.clone();
        comments.retain(|comment| !comment.starts_with(PIECES) && Some(comment) != author.as_ref());
        comments.extend(author);
        comments.extend(pieces.as_ref().map(|pieces| format!("{PIECES}{pieces}")));
        Movie {
            rom_filename: title.clone(),
            rom_checksum: checksum.clone(),
            rerecord_count: before.rerecord_count,
            pal: *pal,
            devices: *devices,
            ram,
            comments,
            fields: before.fields.clone(),
            frames: log.to_vec(),
            ..Movie::default()
        }
    }
}

/// In the place of commands: what follows is the RAM with which the log began.
const RAM: u8 = 0x80;

/// Beside the commands: the frame's entry goes on with pads 3 and 4.
const PADS: u8 = 0x10;

/// The same with the Zapper: column, line, trigger.
const ZAPPER: u8 = 0x20;

/// The microphone is spoken into.
const MICROPHONE: u8 = 0x40;

/// Returns a log as bytes: commands, first pad, second pad of each frame, and what is held beside
/// them; before them the RAM with which it began, unless that is zero.
pub fn log_bytes(ram: RamInit, log: &[FrameInput]) -> Vec<u8> {
    let (option, seed) = match ram {
        RamInit::Zeros => (None, 0),
        RamInit::Stripes => (Some(0), 0),
        RamInit::Ones => (Some(1), 0),
        RamInit::Random(seed) => (Some(3), seed),
    };
    let [a, b, c, d] = seed.to_le_bytes();
    let ram = option.map(|option| [RAM | option, a, b, RAM, c, d]);
    let mut bytes: Vec<u8> = ram.into_iter().flatten().collect();
    bytes.reserve(3 * log.len());
    for &FrameInput { commands, pads: [first, second], extra } in log {
        let (mark, more, length) = match extra {
            Extra::None => (0, [0; 3], 0),
            Extra::Pads([third, fourth]) => (PADS, [third.bits(), fourth.bits(), 0], 2),
            Extra::Zapper(Aim { x, y, trigger }) => (ZAPPER, [x, y, trigger.into()], 3),
            Extra::Microphone => (MICROPHONE, [0; 3], 0),
        };
        bytes.extend([commands.bits() | mark, first.bits(), second.bits()]);
        bytes.extend(&more[..length]);
    }
    bytes
}

/// Returns the RAM and the log in `bytes`; `None` where they are none.
pub fn log_from_bytes(bytes: &[u8]) -> Option<(RamInit, Vec<FrameInput>)> {
    let (ram, bytes) = match *bytes {
        [first, a, b, RAM, c, d, ref rest @ ..] if first & RAM != 0 => {
            let ram = match first & !RAM {
                0 => RamInit::Stripes,
                1 => RamInit::Ones,
                3 => RamInit::Random(u32::from_le_bytes([a, b, c, d])),
                _ => return None,
            };
            (ram, rest)
        }
        _ => (RamInit::Zeros, bytes),
    };
    let (mut frames, mut rest) = (Vec::with_capacity(bytes.len() / 3), bytes);
    while let [commands, first, second, after @ ..] = rest {
        let extra;
        (extra, rest) = match (commands & (PADS | ZAPPER | MICROPHONE), after) {
            (0, _) => (Extra::None, after),
            (PADS, [third, fourth, after @ ..]) => {
                (Extra::Pads([*third, *fourth].map(Buttons::from_bits_retain)), after)
            }
            (ZAPPER, [x, y, trigger @ 0..=1, after @ ..]) => {
                (Extra::Zapper(Aim { x: *x, y: *y, trigger: *trigger == 1 }), after)
            }
            (MICROPHONE, _) => (Extra::Microphone, after),
            _ => return None,
        };
        let commands = Commands::from_bits(commands & !(PADS | ZAPPER | MICROPHONE))?;
        frames.push(FrameInput { commands, pads: [*first, *second].map(Buttons::from_bits_retain), extra });
    }
    rest.is_empty().then_some((ram, frames))
}

/// Returns the name of the pieces that `movie` was recorded with; none for the game's own.
pub fn movie_pieces(movie: &Movie) -> Option<&str> {
    movie.comments.iter().find_map(|comment| comment.strip_prefix(PIECES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(bits: u8) -> FrameInput {
        FrameInput { pads: [Buttons::from_bits_retain(bits), Buttons::empty()], ..FrameInput::default() }
    }

    #[test]
    fn a_recording_is_a_movie_of_all_since_power_on_and_cut_by_going_back() {
        let mut recorder = MovieRecorder::default();
        recorder.ran(held(1));
        let metadata = MovieMetadata {
            title: "game".into(),
            checksum: "base64:x".into(),
            pal: false,
            devices: Devices::Zapper,
            author: "me".into(),
            pieces: None,
        };
        recorder.record(MovieMetadata { pieces: Some("--randomizer tgm3".into()), ..metadata });
        recorder.ran(held(2));
        recorder.ran(held(3));
        recorder.back(1);
        recorder.ran(held(4));
        assert_eq!(recorder.progress().unwrap().frame, 3);
        let recorded = recorder.recorded().unwrap();
        let movie = recorder.stop_recording().unwrap();
        assert_eq!(recorded, movie);
        assert_eq!(movie.frames, [held(1), held(2), held(4)]);
        assert_eq!((movie.rom_filename.as_str(), movie.rerecord_count), ("game", 1));
        assert_eq!((movie.rom_checksum.as_str(), movie.devices), ("base64:x", Devices::Zapper));
        assert_eq!(movie.comments, ["author me", "pieces --randomizer tgm3"]);
        assert_eq!(movie_pieces(&movie), Some("--randomizer tgm3"));
        assert!(recorder.stop_recording().is_none());
    }

    #[test]
    fn a_movie_plays_to_its_end_and_can_be_gone_back_in() {
        let mut recorder = MovieRecorder::default();
        let movie = Movie { frames: vec![held(1), held(2)], ..Movie::default() };
        recorder.play(movie);
        assert_eq!((recorder.input(), recorder.input_after(1)), (Some(held(1)), Some(held(2))));
        assert!(!recorder.ran(held(1)));
        recorder.back(1);
        assert_eq!(recorder.input(), Some(held(1)));
        assert!(!recorder.jump(vec![held(9)], RamInit::Zeros, 1));
        assert!(recorder.jump(vec![held(1)], RamInit::Zeros, 1));
        assert!(recorder.ran(held(2)));
        assert_eq!((recorder.input(), recorder.progress()), (None, None));
    }

    #[test]
    fn a_log_survives_as_bytes_and_others_are_refused() {
        let also = |extra| FrameInput { extra, ..held(7) };
        let log = [
            held(0),
            held(0xFF),
            FrameInput { commands: Commands::RESET, ..held(3) },
            also(Extra::Pads([Buttons::A, Buttons::LEFT])),
            also(Extra::Zapper(Aim { x: 200, y: 99, trigger: true })),
            also(Extra::Microphone),
        ];
        for ram in [RamInit::Zeros, RamInit::Stripes, RamInit::Ones, RamInit::Random(0x1234_5678)] {
            assert_eq!(log_from_bytes(&log_bytes(ram, &log)).unwrap(), (ram, log.to_vec()));
        }
        assert_eq!(log_from_bytes(&[0, 0]), None);
        assert_eq!(log_from_bytes(&[9, 0, 0]), None);
        assert_eq!(log_from_bytes(&[PADS, 0, 0, 1]), None);
        assert_eq!(log_from_bytes(&[ZAPPER, 0, 0, 1, 2, 3]), None);
    }
}
