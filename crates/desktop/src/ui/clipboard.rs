//! The desktop's clipboard, for a line of text.

use arboard::Clipboard;

/// The clipboard, once it was asked for. What was written there is there for as long as this is.
#[derive(Default)]
pub(crate) struct Lines(Option<Clipboard>);

impl Lines {
    fn clipboard(&mut self) -> Result<&mut Clipboard, String> {
        if self.0.is_none() {
            let opened = Clipboard::new();
            self.0 = Some(opened.map_err(|error| format!("this desktop has no clipboard: {error}"))?);
        }
        self.0.as_mut().ok_or_else(String::new)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// In a line, why there is no clipboard.
    pub(crate) fn write(&mut self, text: String) -> Result<(), String> {
        let written = self.clipboard()?.set_text(text);
        written.map_err(|error| format!("the clipboard cannot be written: {error}"))
    }

    /// Returns what is there.
    ///
    /// # Errors
    /// In a line, why nothing is.
    pub(crate) fn read(&mut self) -> Result<String, String> {
        let read = self.clipboard()?.get_text();
        read.map_err(|error| format!("the clipboard has no text: {error}"))
    }
}
