//! The desktop's clipboard.

/// The clipboard, opened when it is first needed. On X11 what was copied is there as long as this
/// value.
#[derive(Default)]
pub(super) struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Puts a text into it.
    ///
    /// # Errors
    /// What the desktop says: there may be none.
    pub(super) fn copy(&mut self, text: &str) -> Result<(), arboard::Error> {
        let clipboard = match &mut self.0 {
            Some(clipboard) => clipboard,
            none => none.insert(arboard::Clipboard::new()?),
        };
        clipboard.set_text(text)
    }

    /// Returns the text in it.
    ///
    /// # Errors
    /// What the desktop says: there may be none, or no text.
    pub(super) fn text(&mut self) -> Result<String, arboard::Error> {
        let clipboard = match &mut self.0 {
            Some(clipboard) => clipboard,
            none => none.insert(arboard::Clipboard::new()?),
        };
        clipboard.get_text()
    }
}
