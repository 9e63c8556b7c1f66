//! The pages of the menu and the lines on each.

mod controls;
mod network;
mod new_pad;
mod practising;
mod puzzles;
mod rows;
mod sections;
mod streaming;
mod today;
mod trainers;

use std::path::PathBuf;
use std::time::SystemTime;

use practice::Position;

use crate::config::settings::Settings;
use crate::config::table::Setting;
use crate::messages::command::NetworkCommand;
use crate::messages::command::{PracticeCommand, Recording, SLOTS, ScriptCommand, StreamCommand};
use crate::messages::status::Status;
use crate::ui::editor::{Editor, EditorAction, Part};
use crate::ui::field::{Field, Texts};
use crate::ui::folder::Folder;
use crate::ui::games::{self, KeptGame, Shelf};
use crate::ui::puzzle::PuzzleDesk;
use crate::ui::remap::Target;
use crate::ui::shortcut::Shortcut;

pub(crate) use crate::input::bindings::Device;
pub(crate) use new_pad::{ASKED, PadAnswer};
pub(crate) use puzzles::Ask;
pub(crate) use rows::welcome;
pub(crate) use sections::{SECTIONS, game_row};

/// A page of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// Where the program starts and everything is two steps away.
    Home,
    /// What can be done with the game that is on.
    Pause,
    /// A new game: alone, against the computer, over the network.
    Play,
    /// How the computer plays.
    Computer,
    /// A match over the network.
    Match,
    /// Practice modes.
    Practice,
    /// What goes along with them.
    PracticeOptions,
    /// Puzzles that can be asked, and the one that is.
    Puzzles,
    Puzzle,
    /// Games that were kept.
    Games,
    /// What the coach found.
    Coach,
    /// The mistakes that it found, asked again.
    Lesson,
    /// Taps that placements need, and those that were made.
    Taps,
    /// The auto shift: its charge from piece to piece.
    Das,
    /// Extra shifts and rotations.
    Finesse,
    /// The position editor.
    Editor,
    Save,
    Load,
    Open,
    Recent,
    /// What is for developers, and files.
    Tools,
    /// Every page and setting whose name has what is typed.
    Find,
    Settings,
    Picture,
    /// Theme, type and rails.
    Look,
    Overscan,
    Sound,
    Time,
    Input,
    /// What a player's keys or pad mean.
    Remap(Device, usize),
    /// Which buttons of a player's new pad are which.
    NewPad(usize),
    /// What keys or buttons do in practice.
    Actions(Device),
    Record,
    /// The stream for broadcasts.
    Streaming,
    Script,
    Help,
    Reset,
    /// Whether a game that is on may be lost.
    Question,
}

/// What a line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Resume,
    Goto(Page),
    /// A section of the program.
    Section(Page),
    /// A page beside the one that is open.
    Tab(Page),
    /// A line of a page, found by its name.
    Found(Page, usize),
    /// Asks a puzzle.
    Puzzle(Ask),
    /// Asks the next puzzle of the same kind.
    NextPuzzle,
    /// Asks the puzzle that was answered once more.
    PuzzleAgain,
    /// A place of the first piece, by its rank: the field shows it.
    PlaceOfPuzzle(usize),
    /// Asks the mistakes of the review again.
    Learn,
    /// Plays the mode that is on once more, from its beginning.
    Again,
    Setting(Setting),
    /// A text that can be typed.
    Field(Field),
    Save(usize),
    Load(usize),
    /// The desktop's own dialog.
    Dialog,
    Folder(PathBuf),
    File(PathBuf),
    BuiltIn,
    Bind(Device, Target),
    /// Of a player, or of the actions.
    DefaultBindings(Device, Option<usize>),
    DefaultPalette,
    Record(Recording),
    StopMovie,
    ContinueMovie,
    /// Writes what was played since power-on as a movie.
    SaveMovie,
    NewGame,
    /// Begins or ends versus mode.
    Versus(bool),
    /// Asks something about matches over the network.
    Match(NetworkCommand),
    /// Joins the match at the address in the clipboard.
    JoinCopied,
    /// Begins a game of a practice mode.
    Practise(practice::Kind),
    /// Begins a mode that was found by its name.
    Mode(practice::Kind),
    /// An option of practice, by its name.
    PracticeOption(&'static str),
    /// Asks something of practice.
    Practice(PracticeCommand),
    /// Opens the position editor on the position in which the piece in play came in.
    EditPosition(Position),
    /// A part of the position that is edited.
    Part(Part),
    /// Does something with that position.
    Editor(EditorAction),
    /// A part of what the table of kept games shows.
    Shelf(games::Part),
    /// Does something with the games that are selected there.
    Games(games::Act),
    /// Lets the computer play, or the player.
    Computer(bool),
    Debugger,
    Screenshot,
    /// Reviews the game that is on or the last one.
    Review,
    /// Opens the sound device again.
    OpenSound,
    /// An answer about a player's new pad.
    Pad(usize, PadAnswer),
    /// Asks something of the stream.
    Stream(StreamCommand),
    /// The address of the overlays goes to the clipboard.
    CopyAddress,
    Script(ScriptCommand),
    BeforeCrash,
    Reset,
    PowerCycle,
    Quit,
    /// The answer to a question: the game goes on.
    GoOn,
    /// The answer to a question: what was asked for is done.
    Confirm,
    /// Something that cannot be done now, for the reason that stands beside it.
    Unavailable,
    /// A line to read.
    Text,
    /// The name of the lines below it.
    Heading,
}

/// The part of a page in which a line stands. Lists of characters have all but the sidebar below
/// each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Zone {
    #[default]
    Main,
    /// Pages of the same subject, above the lines.
    Tabs,
    /// Large buttons.
    Tiles,
    /// Beside the lines: what belongs to the one that is chosen.
    Panel,
    /// The sections of the program.
    Sidebar,
}

/// A line of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) item: Item,
    pub(crate) label: String,
    pub(crate) value: String,
    /// Held down now.
    pub(crate) lit: bool,
    /// A line of a table, whose columns stand below each other.
    pub(crate) table: bool,
    /// What is said of it while the cursor is on it, in place of the page's hint.
    pub(crate) help: String,
    pub(crate) zone: Zone,
    /// Whether the value is the key that does the same.
    pub(crate) is_key: bool,
    /// Its icon; none for most.
    pub(crate) icon: &'static str,
}

impl Row {
    fn new(item: Item, label: impl Into<String>) -> Self {
        Self {
            item,
            label: label.into(),
            value: String::new(),
            lit: false,
            table: false,
            help: String::new(),
            zone: Zone::Main,
            is_key: false,
            icon: "",
        }
    }

    /// A text that can be typed.
    fn field(field: Field, scene: &Scene<'_>) -> Self {
        let text = field.text(scene.texts, scene.shelf, scene.settings);
        Self::new(Item::Field(field), field.label()).with(text).saying(field.help())
    }

    fn heading(text: impl Into<String>) -> Self {
        Self::new(Item::Heading, text)
    }

    fn in_zone(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    fn icon(self, icon: &'static str) -> Self {
        Self { icon, ..self }
    }

    /// A line of a list of files.
    #[cfg(test)]
    pub(crate) fn of_file(name: &str) -> Self {
        Self::new(Item::File(name.into()), name)
    }

    /// With the key that does the same.
    fn key(self, shortcut: Shortcut) -> Self {
        Self { is_key: true, ..self.with(shortcut.key()) }
    }

    fn with(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// A line that keeps its place: `item` if it can be done, and the reason beside it if not.
    fn if_possible(item: Result<Item, &str>, label: &str) -> Self {
        match item {
            Ok(item) => Self::new(item, label),
            Err(reason) => Self::new(Item::Unavailable, label).with(reason),
        }
    }

    fn saying(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// A line of a table, with these columns.
    fn of_table(label: impl Into<String>, columns: &[String]) -> Self {
        let value: Vec<String> = columns.iter().map(|column| format!("{column:>6}")).collect();
        Self { table: true, ..Self::new(Item::Text, label).with(value.concat()) }
    }

    /// Returns whether left and right change it.
    pub(crate) fn is_setting(&self) -> bool {
        match self.item {
            Item::Setting(_) | Item::PracticeOption(_) | Item::Part(_) => true,
            Item::Practise(kind) => !kind.values().is_empty(),
            _ => false,
        }
    }

    /// Returns whether left and right do something on it other than to lead elsewhere.
    pub(crate) fn changes_by_steps(&self) -> bool {
        self.is_setting() || matches!(self.item, Item::Bind(..))
    }

    /// Returns whether the cursor may stand on it.
    pub(crate) fn is_choice(&self) -> bool {
        !matches!(self.item, Item::Text | Item::Heading)
    }
}

/// What the pages tell of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) status: &'a Status,
    pub(crate) recent: &'a [PathBuf],
    pub(crate) folder: &'a Folder,
    /// Whether the desktop's own dialog can be asked for.
    pub(crate) dialog: bool,
    /// Games that were kept, the latest first.
    pub(crate) games: &'a [KeptGame],
    pub(crate) shelf: &'a Shelf,
    pub(crate) editor: &'a Editor,
    pub(crate) puzzles: &'a PuzzleDesk,
    /// What the player is asked about, as a verb.
    pub(crate) question: Option<&'a str>,
    /// What was typed.
    pub(crate) texts: &'a Texts,
    /// Whether the page is drawn with a sidebar.
    pub(crate) sidebar: bool,
    /// Keys held down, by their names in the settings.
    pub(crate) keys: &'a [winit::keyboard::KeyCode],
    /// That for which a key or a button is waited for.
    pub(crate) listening: Option<Target>,
    pub(crate) now: SystemTime,
}

impl Page {
    /// Returns what stands above it. A match over the network goes on behind the menu.
    pub(crate) fn heading(self, status: &Status) -> String {
        if self == Self::Pause && status.network.is_some() {
            return "Menu – the match goes on".into();
        }
        self.title()
    }

    /// Returns its name.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Home => "Home".into(),
            Self::Pause => "Paused".into(),
            Self::Play => "Play".into(),
            Self::Computer => "Computer".into(),
            Self::Tools => "Tools".into(),
            Self::Find => "Go to anything".into(),
            Self::Look => "Look".into(),
            Self::Match => "Online match".into(),
            Self::Practice => "Practise".into(),
            Self::PracticeOptions => "Practice options".into(),
            Self::Puzzles => "Puzzles".into(),
            Self::Puzzle => "Puzzle".into(),
            Self::Games => "Games".into(),
            Self::Coach => "Review".into(),
            Self::Lesson => "Learn from your mistakes".into(),
            Self::Taps => "Taps".into(),
            Self::Das => "DAS".into(),
            Self::Finesse => "Finesse".into(),
            Self::Editor => "Position editor".into(),
            Self::Save => "Save a state".into(),
            Self::Load => "Load a state".into(),
            Self::Open => "Open a ROM, a movie, a game, a script or a palette".into(),
            Self::Recent => "Recent".into(),
            Self::Settings => "Settings".into(),
            Self::Picture => "Picture".into(),
            Self::Overscan => "Overscan".into(),
            Self::Sound => "Sound".into(),
            Self::Time => "Speed and latency".into(),
            Self::Input => "Keyboard and gamepads".into(),
            Self::Remap(Device::Keys, player) => format!("Keyboard of player {}", player + 1),
            Self::Remap(Device::Pad, player) => format!("Gamepad of player {}", player + 1),
            Self::NewPad(_) => "New gamepad".into(),
            Self::Actions(Device::Keys) => "Practice keys".into(),
            Self::Actions(Device::Pad) => "Practice gamepad".into(),
            Self::Record => "Record".into(),
            Self::Streaming => "Broadcast".into(),
            Self::Script => "Script".into(),
            Self::Help => "Keys".into(),
            Self::Reset => "Reset".into(),
            Self::Question => "The current game will be lost".into(),
        }
    }

    /// Returns what the player can do on it, in one line.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::Remap(..) | Self::Actions(_) => {
                "Enter or A: replace · right: add one · left: remove one · Esc or B: back"
            }
            Self::Help => "up and down: scroll · Esc or B: back",
            Self::Open | Self::Recent => {
                "type a name, or up and down: choose · Enter or A: open · Esc or B: back"
            }
            Self::Editor => {
                "click cells · left and right: change · Ctrl+C, Ctrl+V: copy and paste · Enter or A: select"
            }
            Self::Play | Self::Match | Self::Computer | Self::Practice | Self::Coach | Self::Streaming => {
                "left, right or digits: change · Enter or A: select · Esc or B: back"
            }
            Self::Picture
            | Self::Look
            | Self::Overscan
            | Self::Sound
            | Self::Time
            | Self::PracticeOptions => "up and down: choose · left, right or digits: change · Esc or B: back",
            Self::Puzzle | Self::Lesson => {
                "left and right: column · up: rotate · down: another placement there · Enter or A: place · Esc or B: back"
            }
            Self::Find => "type a few letters · Enter or A: go there · Esc or B: back",
            _ => "up and down: choose · Enter or A: select · Esc or B: back",
        }
    }

    /// Returns its lines, with those of the sidebar at the end.
    pub(crate) fn rows(self, scene: &Scene<'_>) -> Vec<Row> {
        let mut rows = self.own_rows(scene);
        rows.extend(self.tabs());
        if scene.sidebar && self != Self::Pause {
            rows.extend(sections::sidebar(self, scene));
        }
        rows
    }

    fn own_rows(self, scene: &Scene<'_>) -> Vec<Row> {
        match self {
            Self::Home => sections::home(scene),
            Self::Pause => rows::pause(scene),
            Self::Play => sections::play(scene),
            Self::Computer => sections::computer(scene),
            Self::Tools => sections::tools(scene),
            Self::Find => sections::find(scene),
            Self::Look => rows::setting_rows(&rows::LOOK, scene),
            Self::Match => network::rows(scene),
            Self::Practice => practising::rows(scene),
            Self::PracticeOptions => practising::options(scene),
            Self::Puzzles => puzzles::rows(scene),
            Self::Puzzle => puzzles::puzzle(scene),
            Self::Lesson => puzzles::lesson(scene),
            Self::Games => practising::games(scene),
            Self::Coach => practising::coach(scene),
            Self::Taps => trainers::taps(scene),
            Self::Das => trainers::das(scene),
            Self::Finesse => trainers::finesse(scene),
            Self::Editor => practising::editor(scene),
            Self::Save => (0..SLOTS).map(|slot| rows::slot_row(Item::Save(slot), slot, scene)).collect(),
            Self::Load => (0..SLOTS).map(|slot| rows::slot_row(Item::Load(slot), slot, scene)).collect(),
            Self::Open => rows::open(scene),
            Self::Recent => rows::recent(scene),
            Self::Settings => rows::settings(),
            Self::Picture => rows::picture(scene),
            Self::Overscan => rows::setting_rows(&rows::OVERSCAN, scene),
            Self::Sound => rows::sound(scene),
            Self::Time => rows::time(scene),
            Self::Input => controls::input(scene),
            Self::Remap(device, player) => controls::remap(device, player, scene),
            Self::NewPad(player) => new_pad::rows(player, scene),
            Self::Actions(device) => controls::actions(device, scene),
            Self::Record => rows::record(scene),
            Self::Streaming => streaming::rows(scene),
            Self::Script => rows::script(scene),
            Self::Help => rows::help(scene),
            Self::Reset => {
                vec![Row::new(Item::Reset, "Reset the console"), Row::new(Item::PowerCycle, "Power cycle")]
            }
            Self::Question => vec![
                Row::new(Item::GoOn, "Keep playing"),
                Row::new(Item::Confirm, scene.question.unwrap_or_default()),
            ],
        }
    }
}
