//! The guest before the match.

use std::time::Duration;

use super::Wire;
use super::message::{Message, MessageError, Rules};
use super::session::{End, KNOCK};

/// How long an answer is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Messages that are taken in at once.
const BATCH: usize = 64;

/// Asks the host what is played.
#[derive(Clone, Debug)]
pub struct Guest {
    cartridge: u32,
    number: u64,
    begun: Option<Duration>,
    knocked: Option<Duration>,
}

impl Guest {
    /// A guest with this cartridge, by its CRC32, who knows answers by `number`, chosen at random.
    pub fn new(cartridge: u32, number: u64) -> Self {
        Self { cartridge, number, begun: None, knocked: None }
    }

    /// Takes in what has come, and asks again. To be called as
    /// [`RollbackSession::turn`](super::RollbackSession::turn).
    ///
    /// # Errors
    /// Why there is no match.
    pub fn turn(&mut self, now: Duration, wire: &mut impl Wire) -> Result<Option<Rules>, End> {
        wire.pass(now);
        for _ in 0..BATCH {
            let Some(bytes) = wire.receive() else { break };
            match Message::read(&bytes) {
                Ok(Message::Invite(rules)) if rules.cartridge == self.cartridge => return Ok(Some(rules)),
                Ok(Message::Invite(rules)) => {
                    return Err(End::Cartridge { own: self.cartridge, other: rules.cartridge });
                }
                Ok(Message::Busy(number)) if number == self.number => return Err(End::Busy),
                Ok(Message::Locked(number)) if number == self.number => return Err(End::Locked),
                Err(error @ MessageError::Version(_)) => return Err(End::Version(error)),
                Ok(_) | Err(_) => {}
            }
        }
        if now.saturating_sub(*self.begun.get_or_insert(now)) > PATIENCE {
            return Err(End::Nobody);
        }
        if self.knocked.is_none_or(|knocked| now.saturating_sub(knocked) >= KNOCK) {
            self.knocked = Some(now);
            wire.send(&Message::Knock(self.number).bytes());
        }
        Ok(None)
    }
}
