//! Ways in which a program comes to its end.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, prlimit};
use strum::{Display, EnumIter, EnumString};
use tetris::SplitMix64;

use crate::program::Program;

/// A way.
#[derive(Clone, Copy, Debug, Display, EnumIter, EnumString, PartialEq, Eq, PartialOrd, Ord)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum End {
    /// One of INT, TERM and HUP.
    Signal,
    /// Two or three of them, up to a tenth of a second apart.
    Signals,
    /// KILL.
    Kill,
    /// ABRT, which a panic ends with.
    Abort,
    /// A panic, in a thread that goes on as long as the game.
    Panic,
    /// QUIT, SEGV, BUS, USR1, ALRM and the like: nothing catches them.
    OtherSignal,
    /// No more memory.
    Memory,
    /// No file may grow: XFSZ with the next byte.
    FileSize,
    /// No more files can be opened; then TERM.
    OpenFiles,
    /// The disk is full; then TERM or KILL.
    FullDisk,
    /// The terminal is closed; elsewhere as `Signals`.
    ClosedTerminal,
}

/// What the program has to do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It ends, without a signal's status.
    Ends,
    /// It may end or not: it is killed after a while.
    MayEnd,
}

/// The file that names the thread which is to panic (`tty::panics::where_asked`).
pub(crate) const PANIC: &str = "panic";

/// How long a thread may take to its panic, and the program to save what it can.
const PANICS: Duration = Duration::from_secs(8);

impl End {
    /// Does it to a program whose files lie in `folder`.
    pub(crate) fn come(self, program: &mut Program, folder: &Path, random: &mut SplitMix64) -> Then {
        const POLITE: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];
        match self {
            Self::ClosedTerminal if program.has_terminal() => {
                program.close_terminal();
                Then::Ends
            }
            Self::Signal => {
                program.signal(random.pick(&POLITE));
                Then::Ends
            }
            Self::Signals | Self::ClosedTerminal => {
                for number in 0..2 + random.below(2) {
                    if number > 0 {
                        let gap = random.pick(&[0, 0, 1, 2, 10, 50, 100]);
                        thread::sleep(Duration::from_millis(gap));
                    }
                    program.signal(random.pick(&POLITE));
                }
                Then::Ends
            }
            Self::Kill => {
                program.signal(Signal::KILL);
                Then::MayEnd
            }
            Self::Abort => {
                program.signal(Signal::ABORT);
                Then::MayEnd
            }
            Self::Panic => {
                let threads = ["main", "console", "sound", "pads", "terminal", "keys"];
                // One that the surface does not have panics nowhere: the program is killed then.
                let _ = std::fs::write(folder.join(PANIC), random.pick(&threads));
                program.ended_within(PANICS);
                Then::MayEnd
            }
            Self::OtherSignal => {
                let others = [
                    Signal::QUIT,
                    Signal::SEGV,
                    Signal::BUS,
                    Signal::USR1,
                    Signal::ALARM,
                    Signal::XFSZ,
                    Signal::PIPE,
                    Signal::VTALARM,
                    Signal::SYS,
                ];
                program.signal(random.pick(&others));
                Then::MayEnd
            }
            Self::Memory => {
                limit(program, Resource::As, 1 << 20);
                Then::MayEnd
            }
            Self::FileSize => {
                limit(program, Resource::Fsize, 0);
                Then::MayEnd
            }
            Self::OpenFiles => {
                limit(program, Resource::Nofile, 3);
                thread::sleep(Duration::from_millis(random.below(50).into()));
                program.signal(Signal::TERM);
                Then::Ends
            }
            Self::FullDisk => {
                fill(folder);
                thread::sleep(Duration::from_millis(random.below(200).into()));
                let is_killed = random.one_in(2);
                program.signal(if is_killed { Signal::KILL } else { Signal::TERM });
                if is_killed { Then::MayEnd } else { Then::Ends }
            }
        }
    }
}

/// Gives the program a limit, as an administrator may.
fn limit(program: &Program, resource: Resource, most: u64) {
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    // One that has ended needs none.
    let _ = prlimit(program.pid(), resource, limit);
}

/// What fills a disk.
const FILLER: &str = "filler";

/// Fills the disk that `folder` lies on: a small one that was made for it.
fn fill(folder: &Path) {
    let Ok(mut file) = File::create(folder.join(FILLER)) else { return };
    let mut part = 1 << 16;
    while part > 0 {
        if file.write_all(&vec![1; part]).is_err() {
            part /= 2; // the last bytes, too
        }
    }
}

/// Makes room again.
pub(crate) fn make_room(folder: &Path) {
    let _ = std::fs::remove_file(folder.join(FILLER)); // most often there is none
}
