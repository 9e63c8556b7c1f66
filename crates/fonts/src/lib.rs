//! The fonts of the window and of charts, as TrueType files: a crate of its own, so that they stand
//! in the program once. `assets/README.md` says what they are and what their licence is.

/// IBM Plex Sans, for text.
pub static SANS: &[u8] = include_bytes!("../assets/IBMPlexSans-Regular.ttf");

/// IBM Plex Sans, semi-bold, for headings and figures.
pub static SANS_SEMIBOLD: &[u8] = include_bytes!("../assets/IBMPlexSans-SemiBold.ttf");

/// The icons of the window, of Phosphor.
pub static ICONS: &[u8] = include_bytes!("../assets/Phosphor-subset.ttf");

/// IBM Plex Mono, for code and the names of files.
pub static MONO: &[u8] = include_bytes!("../assets/IBMPlexMono-Regular.ttf");
