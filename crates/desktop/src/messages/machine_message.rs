//! What the other threads tell the console's thread.

use crate::Command;
use crate::audio::ring::SampleProducer;
use crate::messages::status::MessageKind;

/// What the other threads ask of the console's.
#[derive(Debug)]
pub(crate) enum MachineMessage {
    /// The interface.
    Command(Command),
    /// A sound device began to take samples.
    Sound(Box<SampleProducer>),
    /// A recorded file is complete, or the coach has reviewed a game.
    Recorded,
    /// The sound device is gone.
    Silence,
    /// One line for the player.
    Say(MessageKind, String),
}
