//! Frames with a script beside them.

use std::path::PathBuf;
use std::sync::Arc;

use nes::controller::fm2::{Commands, FrameInput};
use nes::{Cartridge, Config, Pads};
use nes_lua::{Overlay, Script, ScriptError};

use super::{Engine, run};

/// What a script has drawn, if anything; or what went wrong in it: it can no longer be used then.
pub(crate) type Drawn = Result<Option<Arc<Overlay>>, ScriptError>;

/// What came of a frame with a script beside it.
#[derive(Debug)]
pub(crate) struct Scripted {
    /// A movie that ended.
    pub(crate) ended: Option<PathBuf>,
    /// The script changed the console by more than buttons.
    pub(crate) meddled: bool,
    pub(crate) drawn: Drawn,
}

impl Engine {
    /// The cartridge as it is before it is switched on, and how the console wakes up.
    pub(crate) fn power(&self) -> (Cartridge, Config) {
        (self.cartridge.clone(), self.config)
    }

    /// Runs a frame as [`Engine::frame`] does, with what `script` makes of it: the script sees what `pads`, the movie
    /// or the computer hold, and says what the game gets. The pads are looked at as the frame begins. Pieces are the
    /// game's own, all channels are heard, and nothing is run ahead: a script runs once a frame. If it fails, the
    /// frame is completed without it.
    pub(crate) fn frame_beside(&mut self, script: &mut Script, pads: &mut impl Pads) -> Scripted {
        let before = self.console.save();
        let scripted = self.deck.input();
        let commands = scripted.map_or(self.pending, |input| input.commands);
        self.pending = Commands::empty();
        self.carry_out(commands);
        let mut player = match (scripted, &mut self.computer) {
            (Some(input), _) => input.pads,
            (None, Some(computer)) => [computer.action(&self.console).buttons, pads.sample()[1]],
            (None, None) => pads.sample(),
        };
        let number = self.console.frame_number();
        let drawn = script.frame(&mut self.console, player).map(shared);
        if drawn.is_err() && self.console.frame_number() == number {
            run(&mut self.console, None, &mut player);
        }
        self.channels = None;
        self.sound.clear();
        self.sound.extend_from_slice(self.console.samples());
        self.console.clear_samples();
        self.buttons = script.held();
        let input = FrameInput { commands, pads: self.buttons };
        self.rewind.push(before, input);
        self.future = None;
        Scripted { ended: self.deck.ran(input), meddled: script.take_meddled(), drawn }
    }

    /// Has a script that has paused the game draw over the picture.
    pub(crate) fn draw_beside(&mut self, script: &mut Script) -> Drawn {
        script.frame(&mut self.console, self.buttons).map(shared)
    }

    /// Calls what `script` has for its end, after which the game has its own pieces or other ones as before.
    ///
    /// # Errors
    /// What went wrong in that.
    pub(crate) fn finish_script(&mut self, script: &mut Script) -> Result<(), ScriptError> {
        let finished = script.finish(&mut self.console);
        if script.take_meddled() {
            self.deck.meddle();
        }
        self.meet();
        finished
    }
}

/// What was drawn, to be looked at by other threads.
fn shared(overlay: &Overlay) -> Option<Arc<Overlay>> {
    overlay.drawn().then(|| Arc::new(overlay.clone()))
}
