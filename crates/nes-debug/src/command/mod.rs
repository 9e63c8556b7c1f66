//! The command language: what scripts and the command line of the terminal speak.
//!
//! A line is a command; what stands behind `#` at the beginning of a word is a comment.
//! [`COMMANDS`] is the whole language, from which `help` is made.

#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod breaks;
#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod edits;
mod files;
mod keys;
mod recall;
#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod runs;
mod search;
#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod shows;
#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod sources;
mod table;
mod traces;
#[expect(clippy::unnecessary_wraps, reason = "all commands have one signature")]
mod watches;
mod words;

use std::collections::BTreeMap;
use std::io;

use nes::StateError;
use thiserror::Error;

pub use keys::{KEYS, Key, of_key};
pub use recall::Recall;
pub use table::{COMMANDS, Command};
use words::Words;

use crate::cheat::GenieError;
use crate::search::Search;
use crate::source::Variables;
use crate::symbols::SymbolError;
use crate::view::{self, Picture};
use crate::{Debugger, ExpressionError, Runner};

/// Frames that a run without a limit of its own takes at most: ten minutes.
const LIMIT: u64 = 36_000;

/// Where commands find and put files: the outside world, or a map in a test.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// Why it cannot be read, with its name.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError>;

    /// The bytes of a source file, by the name that a debug file has for it.
    ///
    /// # Errors
    /// Why it cannot be read, with its name.
    fn source(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        self.read(name)
    }

    /// Writes a file by what `fill` puts into it; a file that fails half-way is not there.
    ///
    /// # Errors
    /// Why it cannot be written, with its name.
    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError>;

    /// Writes a picture as PNG.
    ///
    /// # Errors
    /// Why it cannot be written, with its name.
    fn picture(&mut self, name: &str, picture: &Picture) -> Result<(), FileError> {
        let png = picture.png().map_err(|error| FileError(format!("{name}: cannot be drawn: {error}")))?;
        self.write(name, &mut |file| file.write_all(&png))
    }
}

/// No files: commands that read or write one are refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError(format!("{name}: no such file")))
    }

    fn write(
        &mut self,
        name: &str,
        _: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        Err(FileError(format!("{name}: cannot be written: files are not available here")))
    }
}

/// Why a file cannot be read or written, in a line with its name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FileError(pub String);

/// Why a command could not be carried out. Columns are counted from 1.
#[derive(Debug, Error)]
pub enum CommandError {
    /// No command has this name.
    #[error("{name}: no such command{}: `help` lists them", nearest.as_ref().map_or_else(String::new, |near| format!("; {near} is one")))]
    Unknown {
        /// As it was typed.
        name: String,
        /// One that looks like it.
        nearest: Option<&'static str>,
    },
    /// What stands behind the command is not what it takes.
    #[error("column {column}: expected {expected}: `help {command}` says more")]
    Usage {
        /// Where.
        column: usize,
        /// What should stand there.
        expected: &'static str,
        /// The command.
        command: &'static str,
    },
    /// An expression is none.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A number that is no address.
    #[error("column {column}: expected an address, $0000 to $FFFF, found {found}")]
    Address {
        /// Where.
        column: usize,
        /// The number.
        found: i64,
    },
    /// A value that only the condition of a breakpoint could know.
    #[error(
        "column {column}: expected an address or a number, such as $0000: `{name}` has a value only in the condition of a breakpoint, behind `if`"
    )]
    OfAccess {
        /// Where.
        column: usize,
        /// The quantity.
        name: &'static str,
    },
    /// A range that ends before it begins.
    #[error("column {column}: expected the lower address first, found ${first:04X}-${last:04X}")]
    Range {
        /// Where.
        column: usize,
        /// The first address.
        first: u16,
        /// The last.
        last: u16,
    },
    /// A place where nothing can be written.
    #[error("{place}: nothing can be written there: registers are not memory, and a memory has an end")]
    NoMemory {
        /// The memory and the address.
        place: String,
    },
    /// No source file of that name.
    #[error("column {column}: {name}: expected a source file of the debug file{}", sources_in_words(.files))]
    NoSource {
        /// Where.
        column: usize,
        /// The name.
        name: String,
        /// Those that there are.
        files: Vec<String>,
    },
    /// A line behind which no line of the file has code.
    #[error("column {column}: {line}: no code was made from this line or one behind it")]
    NoCode {
        /// Where.
        column: usize,
        /// File and line.
        line: String,
    },
    /// Source files are not known.
    #[error("no source files are known: load ld65's debug file with `symbols load game.dbg`")]
    NoSources,
    /// No breakpoint has this number.
    #[error("breakpoint {0}: there is none of this number: `breaks` lists them")]
    NoBreakpoint(u64),
    /// No watched expression has this number.
    #[error("watched expression {0}: there is none of this number: `watches` lists them")]
    NoWatch(u64),
    /// It takes a cartridge of the game.
    #[error(
        "this only works with Tetris; this ROM isn't recognised: see `maxout inspect`, or give a --profile"
    )]
    NoGame,
    /// A past that is no longer remembered, or a future.
    #[error("frame {frame}: expected one of frames {oldest} to {newest}")]
    NotRemembered {
        /// The frame wanted.
        frame: u64,
        /// The oldest that is remembered.
        oldest: u64,
        /// The present one.
        newest: u64,
    },
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A symbol file.
    #[error("{name}: {source}")]
    Symbols {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: SymbolError,
    },
    /// A saved state.
    #[error("{name}: {source}")]
    State {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: StateError,
    },
    /// A movie.
    #[error("{name}: {source}")]
    Movie {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: movies::MovieError,
    },
    /// A Game Genie code.
    #[error(transparent)]
    Genie(#[from] GenieError),
    /// No search is under way.
    #[error("no search is under way: begin with `search new`")]
    NoSearch,
    /// No snapshot has this name.
    #[error("column {column}: {name}: no snapshot of this name{}", if .known.is_empty() { ": take one with `search snapshot NAME`".to_owned() } else { format!("; there are {known}") })]
    NoSnapshot {
        /// Where.
        column: usize,
        /// The name.
        name: String,
        /// Names that there are, with commas between them.
        known: String,
    },
    /// A patch cannot be made.
    #[error("{0}")]
    Patch(String),
}

/// Names of files that are there, a few of many.
fn sources_in_words(files: &[String]) -> String {
    const SHOWN: usize = 8;
    match files {
        [] => ": load one with `symbols load game.dbg`".to_owned(),
        [..] if files.len() <= SHOWN => format!(", of which there are {}", files.join(", ")),
        _ => format!(", as {}", files[..SHOWN].join(", ")),
    }
}

/// What a command has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Lines for the user, without a line end at the end; may be empty.
    pub text: String,
    /// What was expected did not come to pass: a script fails here.
    pub failed: bool,
    /// The session is over.
    pub quits: bool,
}

impl Reply {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A session: the debugger and what commands remember from one to the next.
pub struct CommandSession {
    /// The debugger.
    pub debugger: Debugger,
    /// The image that the cartridge was made from, with its header; patches are made of it.
    pub image: Vec<u8>,
    pub(crate) search: Option<Search>,
    /// Looks at RAM that a search can be compared with, by name.
    pub(crate) snapshots: BTreeMap<String, Search>,
    /// Where `memory` and `disassemble` go on.
    pub(crate) cursor: u16,
    /// Frames that a run takes at most.
    pub(crate) limit: u64,
}

/// What a command works with besides the session.
pub(crate) struct Desk<'a> {
    pub(crate) files: &'a mut dyn Files,
    /// Runs the frames.
    pub(crate) runner: &'a mut dyn Runner,
}

impl CommandSession {
    /// A session with the cartridge that was made from `image`. Of a game that is known, a crash
    /// stops a run.
    pub fn new(mut debugger: Debugger, image: Vec<u8>) -> Self {
        if debugger.profile().is_some() {
            debugger.breakpoints.add_crash();
        }
        let cursor = debugger.console().cpu.pc;
        Self { debugger, image, search: None, snapshots: BTreeMap::new(), cursor, limit: LIMIT }
    }

    /// Takes over the symbols of a file, and of a debug file the sources, as far as `files` has
    /// them. Returns how many symbols it has.
    ///
    /// # Errors
    /// A text that is like no format, or the first line that is none of its own.
    pub fn load_symbols(
        &mut self,
        name: &str,
        text: &str,
        files: &mut dyn Files,
    ) -> Result<usize, SymbolError> {
        /// Bytes of all source files that are kept.
        const MOST: usize = 64 << 20;
        let count = self.debugger.load_symbols(name, text)?;
        let mut left = MOST;
        for (file, name) in self.debugger.sources.files().to_vec().into_iter().enumerate() {
            if let Ok(bytes) = files.source(&name)
                && let Some(rest) = left.checked_sub(bytes.len())
            {
                left = rest;
                self.debugger.sources.set_text(file, &String::from_utf8_lossy(&bytes));
            }
        }
        Ok(count)
    }

    /// Variables of the function of C that is run, for expressions.
    pub fn locals(&self) -> Variables {
        if self.debugger.sources.is_empty() {
            return Variables::new();
        }
        let frames = view::stack_frames(&self.debugger);
        frames.first().map(|frame| frame.variables(&self.debugger)).unwrap_or_default()
    }

    /// The search through RAM, if one is under way.
    pub fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// Carries out a line; `runner` runs its frames.
    ///
    /// # Errors
    /// Why it could not be carried out; nothing has changed then.
    pub fn execute(
        &mut self,
        line: &str,
        files: &mut dyn Files,
        runner: &mut dyn Runner,
    ) -> Result<Reply, CommandError> {
        // Whoever has the session may have put other symbols or another state into it.
        self.debugger.note_banks();
        let line = without_comment(line);
        let mut words = Words::new(line);
        let Some(name) = words.word() else { return Ok(Reply::default()) };
        let command = Command::of_name(name).ok_or_else(|| CommandError::Unknown {
            name: name.to_owned(),
            nearest: crate::nearest(name, COMMANDS.iter().map(|command| command.name)),
        })?;
        (command.run)(self, &mut words, &mut Desk { files, runner })
    }
}

/// A line up to a `#` that begins a word.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(|&(at, _)| begins(at)).map_or(line, |(at, _)| &line[..at])
}
