//! OBS, by obs-websocket 5, which it has built in: what streamers automate, as rules.
//!
//! [`Rule`] says when and what, [`Obs`] follows the game and sends the requests. Only a peer on the
//! user's own demand: OBS is never looked for.

mod rules;
mod session;

pub use rules::{Action, Moment, ObsSettings, Rule, RuleError};
pub use session::{Complaint, Obs, authentication};
