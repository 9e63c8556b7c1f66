//! Whether more files can be opened: libraries that are called here panic where the system refuses
//! them one.

use std::io;

/// Opens `count` files and closes them again.
///
/// # Errors
/// What the system says when it refuses one; nothing on systems that do not count all as files.
pub(crate) fn ask_for_files(count: usize) -> io::Result<()> {
    if cfg!(unix) {
        (0..count).map(|_| std::fs::File::open("/dev/null")).collect::<io::Result<Vec<_>>>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_files_can_be_had() {
        assert!(ask_for_files(3).is_ok());
    }
}
