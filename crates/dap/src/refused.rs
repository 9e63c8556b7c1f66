//! Why requests are not carried out.

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("{0}: expected a request that the server knows")]
    Unknown(String),
    #[error("{request}: {source}")]
    Arguments { request: String, source: serde_json::Error },
    #[error("no program is debugged yet: send `launch` first")]
    NotLaunched,
    #[error("a program is being debugged already")]
    Launched,
    #[error("the program is running: `pause` it first")]
    Running,
    #[error("{0}")]
    Launch(crate::OpenError),
    #[error(transparent)]
    Expression(#[from] nes_debug::ExpressionError),
    #[error(transparent)]
    Command(#[from] nes_debug::command::CommandError),
    #[error("{0}: expected an address as 0x8000 or ppu:0x2000 (memories: cpu, ppu, oam, palette, prg, chr)")]
    Address(String),
    #[error("{0}: nothing can be written there: registers are not memory, and a memory has an end")]
    ReadOnly(String),
    #[error("{0}: there is no such variable here")]
    NoVariable(String),
    #[error("{0}: it cannot be set")]
    NotSettable(String),
    #[error("expected bytes in Base64")]
    Base64,
    #[error("{0}: the source file cannot be read")]
    NoSource(String),
    #[error("the picture cannot be packed: {0}")]
    Picture(std::io::Error),
}
