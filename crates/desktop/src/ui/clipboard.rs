//! The desktop's clipboard, for a line of text.

use arboard::Clipboard;
use thiserror::Error;

/// Why a line cannot be copied or pasted.
#[derive(Debug, Error)]
pub(crate) enum ClipboardError {
    /// There is no clipboard.
    #[error("this desktop has no clipboard: {0}")]
    None(arboard::Error),
    /// The desktop does not take the line.
    #[error("the clipboard cannot be written: {0}")]
    Write(arboard::Error),
    /// There is nothing, or a picture.
    #[error("the clipboard has no text: {0}")]
    NoText(arboard::Error),
    /// The text is no position.
    #[error(transparent)]
    Position(#[from] practice::PositionError),
}

/// The clipboard, once it was asked for. What was written there is there for as long as this is.
#[derive(Default)]
pub(crate) struct Lines(Option<Clipboard>);

impl Lines {
    fn clipboard(&mut self) -> Result<&mut Clipboard, ClipboardError> {
        let opened = match self.0.take() {
            Some(opened) => opened,
            None => Clipboard::new().map_err(ClipboardError::None)?,
        };
        Ok(self.0.insert(opened))
    }

    /// Writes a line.
    ///
    /// # Errors
    /// [`ClipboardError`].
    pub(crate) fn write(&mut self, text: String) -> Result<(), ClipboardError> {
        self.clipboard()?.set_text(text).map_err(ClipboardError::Write)
    }

    /// Returns what is there.
    ///
    /// # Errors
    /// [`ClipboardError`].
    pub(crate) fn read(&mut self) -> Result<String, ClipboardError> {
        self.clipboard()?.get_text().map_err(ClipboardError::NoText)
    }
}
