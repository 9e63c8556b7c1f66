//! What can go wrong, in words for the player.

/// Why something could not be done; nothing has changed then.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are no cartridge.
    #[error("{name}: {error}")]
    Rom {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        error: nes::RomError,
    },
    /// The cartridge is not known as Tetris.
    #[error(transparent)]
    Unsupported(#[from] tetris::Unsupported),
    /// There is no such mode.
    #[error(transparent)]
    Mode(#[from] practice::ModeError),
    /// There is no such option.
    #[error(transparent)]
    Option(#[from] practice::OptionError),
    /// The pieces are no sequence.
    #[error(transparent)]
    Pieces(#[from] practice::SequenceError),
    /// The position cannot be.
    #[error(transparent)]
    Position(#[from] practice::PositionError),
    /// Nothing can be taken back.
    #[error(transparent)]
    Undo(#[from] practice::UndoError),
    /// The state is none, or another cartridge's.
    #[error("the saved state: {0}")]
    State(#[from] nes::StateError),
    /// The file is no saved state.
    #[error("the saved state: {0}")]
    Saved(#[from] emulator::SavedStateError),
    /// The state cannot be gone to.
    #[error("the saved state: {0}")]
    Load(#[from] emulator::LoadError),
    /// The movie is none, or one that this console cannot play.
    #[error("{name}: {error}")]
    Movie {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        error: movies::MovieError,
    },
    /// The game is none.
    #[error("{name}: {error}")]
    Kept {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        error: practice::KeptError,
    },
    /// The game is none.
    #[error("{name}: {error}")]
    Game {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        error: notation::game::GameError,
    },
    /// The bytes are no net.
    #[error("the net: {0}")]
    Net(#[from] std::sync::Arc<value::FileError>),
    /// There is nothing to evaluate with.
    #[error("this needs the nets of the page, which could not be loaded: connect and try again")]
    NoNets(#[from] review::NoNets),
    /// No puzzle yet, or a piece cannot be placed.
    #[error(transparent)]
    Puzzle(#[from] puzzle::DeskError),
    /// The text is no link.
    #[error(transparent)]
    Link(#[from] notation::link::LinkError),
    /// The game cannot be played again.
    #[error(transparent)]
    Replay(#[from] practice::ReplayError),
    /// There is no such kind of match.
    #[error(transparent)]
    MatchKind(#[from] emulator::UnknownMatchKind),
    /// There is no match over the network.
    #[error(transparent)]
    Network(#[from] emulator::NetworkError),
    /// The words are no code of a match.
    #[error(transparent)]
    Code(#[from] netplay::NoCode),
    /// The file is none of a match, or not what it says.
    #[error("the match: {0}")]
    Match(#[from] emulator::MatchError),
    /// The colours are none.
    #[error("{name}: {error}")]
    Palette {
        /// The file's name.
        name: String,
        /// What is wrong with them.
        error: nes::PaletteError,
    },
    /// It does not fit what is going on.
    #[error("{0}")]
    Refused(&'static str),
    /// The game is of another cartridge.
    #[error(
        "the game was played on another cartridge ({game:08X}): the one in the console is {console:08X}; open that ROM first"
    )]
    OtherCartridge {
        /// CRC32 that the game names.
        game: u32,
        /// CRC32 of the cartridge in the console.
        console: u32,
    },
    /// The movie was recorded with another cartridge.
    #[error("{name} was recorded with another cartridge, {cartridge}: open that ROM first")]
    OtherMovie {
        /// The file's name.
        name: String,
        /// The name of its cartridge, as the file has it.
        cartridge: String,
    },
}
