//! The desktop's own dialog to choose a file. It runs on a thread of its own, so that the window
//! goes on.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nobody closes a dialog sooner: there was none.
const TOO_SOON: Duration = Duration::from_millis(150);

/// What came of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Chosen(PathBuf),
    Cancelled,
    /// This desktop has none.
    NotThere,
}

/// A dialog that may be open.
#[derive(Debug, Default)]
pub(crate) struct FileDialog {
    open: Option<(Receiver<Option<PathBuf>>, Instant)>,
}

impl FileDialog {
    /// Opens it on `folder`, if it is not open.
    pub(crate) fn open(&mut self, folder: &Path, now: Instant) {
        let folder = folder.to_owned();
        self.ask(now, move || {
            let dialog = rfd::FileDialog::new().set_title("Maxout: open").set_directory(folder);
            let all = ["nes", "zip", "fm2", "mxgame", "ngf", "gz", "csv", "jsonl", "lua", "pal"];
            dialog.add_filter("ROMs, movies, games, scripts, palettes", &all).pick_file()
        });
    }

    fn ask(&mut self, now: Instant, pick: impl FnOnce() -> Option<PathBuf> + Send + 'static) {
        if self.open.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        // It ends with the dialog; the window may be gone before, and nobody waits for it.
        thread::spawn(move || sender.send(pick()));
        self.open = Some((receiver, now));
    }

    /// Returns what came of it, once.
    pub(crate) fn answer(&mut self, now: Instant) -> Option<Answer> {
        let (receiver, begun) = self.open.as_ref()?;
        let answer = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(Some(path)) => Answer::Chosen(path),
            Ok(None) if now.duration_since(*begun) >= TOO_SOON => Answer::Cancelled,
            Ok(None) | Err(TryRecvError::Disconnected) => Answer::NotThere,
        };
        self.open = None;
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(path: Option<&str>, after: Duration) -> Answer {
        let (mut dialog, start) = (FileDialog::default(), Instant::now());
        assert_eq!(dialog.answer(start), None);
        let path = path.map(PathBuf::from);
        dialog.ask(start, move || path);
        loop {
            if let Some(answer) = dialog.answer(start + after) {
                assert_eq!(dialog.answer(start), None, "once");
                return answer;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_dialog_is_answered_once_and_one_that_is_not_there_is_known_by_its_haste() {
        let late = Duration::from_secs(2);
        assert_eq!(answered(Some("game.nes"), Duration::ZERO), Answer::Chosen("game.nes".into()));
        assert_eq!(answered(None, late), Answer::Cancelled);
        assert_eq!(answered(None, Duration::ZERO), Answer::NotThere);
    }
}
