//! Which program recorded a movie.

/// The program, or the part of it that was the console, that recorded a movie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// FCEUX, or Maxout itself.
    #[default]
    Fceux,
    /// BizHawk's NesHawk.
    NesHawk,
    /// BizHawk's QuickNES.
    QuickNes,
    /// Mesen.
    Mesen,
}
