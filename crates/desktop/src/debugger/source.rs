//! What the source panel shows: a file, with what of it is code, what comes next, and breakpoints.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nes_debug::command::{CommandError, Files};
use nes_debug::source::SourceLine;
use nes_debug::{Breakpoint, Trigger};

use super::{DebugSession, LogSource};

/// Which part of the sources is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourcePlace {
    /// The line that comes next, at each stop.
    #[default]
    Next,
    /// The line that the instruction at an address was made from.
    Code(u16),
    /// A line of a file, which is an index of [`SourceView::files`].
    Line(usize, u32),
}

/// A source file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceView {
    /// The names of all files, as the debug file has them.
    pub files: Vec<String>,
    /// The file that is shown; none where no line is known at the place that is looked at.
    pub file: Option<usize>,
    /// Its lines; none if it could not be read.
    pub text: Option<Arc<Vec<String>>>,
    /// The line that is looked at, counted from 1.
    pub line: u32,
    /// The line that comes next, if it is of this file.
    pub next: Option<u32>,
    /// The lines that have code, with the address where that begins.
    pub code: BTreeMap<u32, u16>,
    /// The breakpoints of lines: number, and whether it is on.
    pub breakpoints: BTreeMap<u32, (u32, bool)>,
}

impl SourceView {
    /// Returns how a command names a line of the file that is shown.
    pub(crate) fn name(&self, line: u32) -> Option<String> {
        let name = self.files.get(self.file?)?;
        // Words of a command end at spaces: then the file's own name has to do.
        let short = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Some(format!("{}:{line}", if name.contains(char::is_whitespace) { short } else { name }))
    }
}

impl DebugSession {
    /// Takes over ld65's debug file of the program, with the sources that are found around it. What
    /// is wrong with it is said in the log.
    pub(crate) fn load_debug_file(&mut self, path: &Path) {
        let loaded = self.take_over(path);
        match loaded {
            Ok(_) => {
                let sources = &self.session.debugger.sources;
                let files = sources.files().len();
                let found = (0..files).filter(|&file| sources.file_text(file).is_some()).count();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let said = format!(
                    "{name}: {found} of {files} source files found; the layout Source shows them beside the code"
                );
                self.log(LogSource::Debugger, &said);
            }
            Err(error) => self.log(LogSource::Error, &error.to_string()),
        }
    }

    fn take_over(&mut self, path: &Path) -> Result<usize, CommandError> {
        let name = path.to_string_lossy();
        // It is read as by a command: its sources lie around it.
        let bytes = self.disk.read(&name)?;
        let text = String::from_utf8_lossy(&bytes);
        let loaded = self.session.load_symbols(&name, &text, &mut self.disk);
        loaded.map_err(|source| CommandError::Symbols { name: name.into_owned(), source })
    }

    pub(super) fn source(&self) -> SourceView {
        let debugger = &self.session.debugger;
        let sources = &debugger.sources;
        let mut view = SourceView { files: sources.files().to_vec(), ..SourceView::default() };
        let next = debugger.source_line();
        let banks = debugger.console().board.cartridge().prg_banks();
        let shown = match self.panel_state.source {
            SourcePlace::Next => next,
            SourcePlace::Code(address) => sources.line_at(address, banks),
            SourcePlace::Line(file, line) => {
                Some(SourceLine { file, line }).filter(|line| line.file < view.files.len())
            }
        };
        let Some(SourceLine { file, line }) = shown else { return view };
        (view.file, view.line) = (Some(file), line);
        view.next = next.filter(|next| next.file == file).map(|next| next.line);
        view.text = sources.file_text(file).cloned();
        let spots = sources
            .lines_with_code(file, 1, u32::MAX)
            .map(|line| (line, sources.spots(SourceLine { file, line })));
        for (line, spots) in spots {
            if let Some(first) = spots.first() {
                view.code.insert(line, first.address);
            }
            let is_there = |breakpoint: &&Breakpoint| matches!(&breakpoint.trigger, Trigger::Source { spots: there, .. } if *there == spots);
            if let Some(breakpoint) = debugger.breakpoints.list().iter().find(is_there) {
                view.breakpoints.insert(line, (breakpoint.number, breakpoint.enabled));
            }
        }
        view
    }
}
