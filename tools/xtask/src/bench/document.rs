//! The document that holds the figures.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- end of measured -->\n";

/// A document around the measured section.
#[derive(Debug)]
pub(super) struct Document {
    path: PathBuf,
    before: String,
    after: String,
}

impl Document {
    /// Reads a document, before anything is measured in vain.
    ///
    /// # Errors
    /// When it cannot be read or has no place for the figures.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
        let Some((before, after)) = parts else {
            bail!(
                "{}: expected the lines {} and {} around the figures, found none such",
                path.display(),
                BEGIN.trim(),
                END.trim()
            );
        };
        Ok(Self { path: path.to_owned(), before: before.to_owned(), after: after.to_owned() })
    }

    /// Replaces the figures. The file is written beside and renamed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&self, figures: &str) -> Result<()> {
        let Self { path, before, after } = self;
        let mut draft = path.as_os_str().to_owned();
        draft.push(".new");
        std::fs::write(&draft, format!("{before}{BEGIN}\n{figures}\n{END}{after}"))
            .and_then(|()| std::fs::rename(&draft, path))
            .inspect_err(|_| drop(std::fs::remove_file(&draft)))
            .with_context(|| format!("{} cannot be written", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_replaced_and_what_is_around_them_stays() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("speed.md");
        std::fs::write(&path, format!("# Speed\n{BEGIN}old\n{END}rest\n"))?;
        for figures in ["new\n", "newer\n"] {
            Document::read(&path)?.write(figures)?;
            let text = std::fs::read_to_string(&path)?;
            assert_eq!(text, format!("# Speed\n{BEGIN}\n{figures}\n{END}rest\n"));
        }
        std::fs::write(&path, "# Speed\n")?;
        assert!(Document::read(&path).is_err_and(|error| error.to_string().contains("expected the lines")));
        Ok(())
    }
}
