//! Under construction.

mod manifest;
mod method;
mod report;

pub use manifest::{Entry, Manifest};
pub use method::Method;
pub use report::{Failure, Report, Verdict};

/// How to run a ROM. The default is the machine's default power-on state and automatic detection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// CPU/PPU phase at power-on, 0–3.
    pub phase: u8,
    /// APU alignment at power-on, 0–3.
    pub apu_alignment: u8,
    /// The byte that RAM holds at power-on.
    pub ram_fill: u8,
    /// Most frames to run from power-on; `None` takes the method's own limit.
    pub frames: Option<u32>,
    /// How the ROM reports; `None` finds out.
    pub method: Option<Method>,
    /// What a pass looks like where the method alone cannot know: the accepted CRCs, or a text.
    pub expected: Option<String>,
}

/// Runs a test ROM without picture or sound until it gives its verdict or the frames are used up.
/// `image` is a whole file (iNES or NES 2.0). Never panics: an image that cannot run is
/// [`Verdict::Error`] with the reason as text.
pub fn run(image: &[u8], options: &Options) -> Report {
    let _ = (image, options);
    Report::error("the machine is not built yet")
}
