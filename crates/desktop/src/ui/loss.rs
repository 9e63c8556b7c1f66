//! Actions that lose the game that is on. The player is asked before each of them.

use crate::messages::command::{Command, LAST_SESSION, NetworkCommand, PracticeCommand, Recording};
use crate::messages::status::Status;
use crate::ui::folder::{self, Kind};
use crate::ui::menu::MenuAction;

/// Returns what the action does, as a verb, if it loses a game that is on.
pub(crate) fn loss(action: &MenuAction, status: &Status) -> Option<String> {
    verb(action, status).filter(|_| status.in_game)
}

fn verb(action: &MenuAction, status: &Status) -> Option<String> {
    let verb = match action {
        MenuAction::Send(command) => return verb_of_command(command),
        MenuAction::Open(path) => match folder::kind(path) {
            Some(Kind::Palette | Kind::Script | Kind::Placements) => return None,
            Some(Kind::Movie) => "Play the movie",
            Some(Kind::Game) => "Play the kept game",
            Some(Kind::Battery) => "Bring in the battery save",
            Some(Kind::Patch) => "Play the patched game",
            Some(Kind::Cartridge) | None => "Open the other game",
        },
        MenuAction::BuiltIn => "Open the built-in game",
        MenuAction::Record(Recording::Movie) if status.movie.is_none() => "Begin a movie from power-on",
        MenuAction::JoinCopied => "Join the match",
        MenuAction::Record(_)
        | MenuAction::Dialog
        | MenuAction::Learn
        | MenuAction::ContinueMovie
        | MenuAction::Screenshot
        | MenuAction::Review
        | MenuAction::CopyAddress
        | MenuAction::SaveMovie
        | MenuAction::ToggleDebugger
        | MenuAction::OpenSound
        | MenuAction::BeforeCrash
        | MenuAction::Confirmed(_)
        | MenuAction::CopyPosition
        | MenuAction::Games(_)
        | MenuAction::PastePosition
        // It is kept as the last session.
        | MenuAction::Again | MenuAction::Pad(..)
        | MenuAction::Quit => return None,
    };
    Some(verb.into())
}

fn verb_of_command(command: &Command) -> Option<String> {
    let verb = match command {
        Command::LoadSlot(LAST_SESSION) => "Resume the last session",
        Command::LoadSlot(slot) => return Some(format!("Load slot {slot}")),
        Command::OpenRom(_) | Command::Insert(..) => "Open the other game",
        Command::BringBattery(_) => "Bring in the battery save",
        Command::Reset => "Reset the console",
        Command::PowerCycle => "Power cycle",
        Command::Record(Recording::Movie, _) => "Begin a movie from power-on",
        Command::PlayMovie(_) => "Play the movie",
        Command::NewGame => "Begin a new game",
        Command::Versus(true) => "Play against the computer",
        Command::Versus(false) => "Play alone",
        Command::Network(NetworkCommand::Host(_) | NetworkCommand::HostInRoom(_)) => "Host a match",
        Command::Network(NetworkCommand::Join(_) | NetworkCommand::JoinInRoom(_)) => "Join the match",
        Command::Network(NetworkCommand::Watch(_)) => "Watch the match",
        Command::Network(NetworkCommand::Leave) => "Leave the match",
        Command::Practice(PracticeCommand::Begin { .. }) => "Begin the other game",
        Command::Practice(PracticeCommand::Replay(_)) => "Play the kept game",
        _ => return None,
    };
    Some(verb.into())
}
