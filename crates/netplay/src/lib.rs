//! Two players on two computers: a match by buttons alone, with rollback.
//!
//! Both sides run the same game from the same beginning and send each other what their own player
//! presses. What the other one presses is not there yet when a frame is due, so it is guessed: the
//! buttons stay as they are. Once the truth comes and is another, the game goes back to the last
//! frame that is certain and runs again, which is cheap, because a console is a value.
//! [`RollbackSession`] is that game for one side; it takes messages and the time, and opens
//! nothing. A [`Guest`] asks the host what is played, before its session begins. [`Wire`] carries
//! messages, and [`UdpWire`] does over a direct connection; a [`RoomWire`] does by way of a room,
//! whose server is a
//! [`Relay`], by [`Datagrams`]: a socket's or, where there is none, those of a [`Connection`]. The
//! host hands the frames that are certain to the room as a [`Publication`], and a [`Spectator`]
//! takes them from there, to be shown by a [`Playback`]. The crate knows no console: a [`Game`] is
//! whatever its caller runs. It opens sockets, and reads neither file nor clock.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a match meets the other computer")]

mod code;
mod datagrams;
#[cfg(feature = "router")]
mod gateway;
mod guest;
mod message;
mod publication;
mod relay;
mod room;
mod session;
mod spectator;
mod wire;

pub use code::{Code, NoCode, WatchCode};
pub use datagrams::{Connection, Datagrams};
#[cfg(feature = "router")]
pub use gateway::{GatewayOptions, NoPort, OpenPort};
pub use guest::Guest;
pub use message::{Message, MessageError, Name, Rules, Terms};
pub use publication::{Part, Publication};
pub use relay::{NoEntry, Relay, RelayLimits, Role, address_of_connection, connection_of_address};
pub use room::{Path, ROOM_PORT, RoomOptions, RoomWire};
pub use session::{Advance, End, RollbackSession, SILENCE, Tally, Witness};
pub use spectator::{OutOfStep, Playback, Spectator, WatchOptions};
pub use wire::{UdpWire, Wire, local_address};

/// A game for two whose future is its state and the buttons of both.
pub trait Game: Clone {
    /// Runs a frame with the buttons of both players.
    fn frame(&mut self, buttons: [u8; 2]);
    /// A number that differs where states differ.
    fn hash(&self) -> u64;
    /// Whether somebody looks at the frames that come: picture and sound of others need not be
    /// made.
    fn set_seen(&mut self, _seen: bool) {}
    /// It takes the place of `before`, at the same frame, after a wrong guess: where it is the same
    /// after all, picture and sound may go on from there.
    fn replace(&mut self, _before: &Self) {}
}
