//! The script beside a game: that of `nes-lua` with the feature `lua`, else a type without values.

#[cfg(feature = "lua")]
pub(crate) use nes_lua::{Overlay, Script, ScriptError};

#[cfg(not(feature = "lua"))]
pub(crate) use without::{Overlay, Script, ScriptError};

/// What a script is in a build without Lua. None can be made, so its methods are never called.
#[cfg(not(feature = "lua"))]
mod without {
    use nes::{Console, Held};
    use thiserror::Error;

    /// A script, of which there is none in this build.
    #[derive(Debug)]
    pub enum Script {}

    /// What a script has drawn.
    #[derive(Debug, Clone)]
    pub enum Overlay {}

    /// How a script has failed.
    #[derive(Debug, Error)]
    #[error("this build has no Lua")]
    pub enum ScriptError {}

    impl Overlay {
        pub(crate) fn drawn(&self) -> bool {
            match *self {}
        }
    }

    impl Script {
        pub(crate) fn begin_frame(&mut self, _: &mut Console, _: Held) -> Result<Option<Held>, ScriptError> {
            match *self {}
        }

        pub(crate) fn hooks(&mut self) -> Option<()> {
            match *self {}
        }

        pub(crate) fn end_frame(&mut self, _: &mut Console, _: bool) -> Result<&Overlay, ScriptError> {
            match *self {}
        }

        pub(crate) fn draw(&mut self, _: &mut Console) -> Result<&Overlay, ScriptError> {
            match *self {}
        }

        pub(crate) fn finish(&mut self, _: &mut Console) -> Result<(), ScriptError> {
            match *self {}
        }

        pub(crate) fn state_saved(&mut self, _: &mut Console, _: usize) -> Result<(), ScriptError> {
            match *self {}
        }

        pub(crate) fn state_loaded(&mut self, _: &mut Console, _: usize) -> Result<(), ScriptError> {
            match *self {}
        }

        pub(crate) fn take_meddled(&mut self) -> bool {
            match *self {}
        }
    }
}
