//! The other player of a game for two.

use emulator::Versus;

use crate::Command;
use crate::emulation::machine::commands::{is_barred_in_match, is_barred_in_versus};
use crate::emulation::network::NetworkMatch;

/// The other player of a game for two, if it is one.
#[derive(Default)]
pub(super) enum Opponent {
    /// The player plays alone.
    #[default]
    None,
    /// The computer, on a console beside the engine's.
    Computer(Box<Versus>),
    /// Another player, over the network; its consoles run in place of the engine's.
    Network(Box<NetworkMatch>),
}

impl Opponent {
    /// Returns the game against the computer.
    pub(super) fn versus(&self) -> Option<&Versus> {
        match self {
            Self::Computer(versus) => Some(versus),
            Self::None | Self::Network(_) => None,
        }
    }

    /// Returns the same, to be changed.
    pub(super) fn versus_mut(&mut self) -> Option<&mut Versus> {
        match self {
            Self::Computer(versus) => Some(versus),
            Self::None | Self::Network(_) => None,
        }
    }

    /// Ends the game against the computer.
    pub(super) fn take_versus(&mut self) -> Option<Versus> {
        match std::mem::take(self) {
            Self::Computer(versus) => Some(*versus),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Returns the match over the network.
    pub(super) fn network(&self) -> Option<&NetworkMatch> {
        match self {
            Self::Network(network) => Some(network),
            Self::None | Self::Computer(_) => None,
        }
    }

    /// Returns the same, to be changed.
    pub(super) fn network_mut(&mut self) -> Option<&mut NetworkMatch> {
        match self {
            Self::Network(network) => Some(network),
            Self::None | Self::Computer(_) => None,
        }
    }

    /// Ends the match over the network.
    pub(super) fn take_network(&mut self) -> Option<NetworkMatch> {
        match std::mem::take(self) {
            Self::Network(network) => Some(*network),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Returns whether a second player's game is shown.
    pub(super) fn is_shown(&self) -> bool {
        match self {
            Self::None => false,
            Self::Computer(_) => true,
            Self::Network(network) => network.game().is_some(),
        }
    }

    /// Returns why a command is refused in a game for two.
    pub(super) fn bars(&self, command: &Command) -> Option<&'static str> {
        match self {
            Self::Computer(_) if is_barred_in_versus(command) => Some(
                "versus mode: save states, rewind, movies, scripts, practice, the debugger and the computer player",
            ),
            Self::Network(_) if is_barred_in_match(command) => {
                Some("a match over the network: leave it first (Tetris, Match)")
            }
            Self::None | Self::Computer(_) | Self::Network(_) => None,
        }
    }
}
