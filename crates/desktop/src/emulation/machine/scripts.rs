//! What the machine does with a script beside the game.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use emulator::{Drawn, Edit};
use nes_lua::{Folder, FrameScript, Output, Power};

use crate::emulation::machine::Machine;
use crate::emulation::machine::refusal::Refusal;
use crate::emulation::script::LiveScript;
use crate::messages::command::ScriptCommand;
use crate::messages::status::{MessageKind, Notice, RunState};

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn script_command(&mut self, command: ScriptCommand) -> Result<(), Refusal> {
        match command {
            ScriptCommand::Run(path) => self.run_script(&path),
            ScriptCommand::Reload => match self.script.path.clone() {
                Some(path) => self.run_script(&path),
                None => Err(Refusal::NoScript),
            },
            ScriptCommand::Stop => {
                self.end_script("was stopped");
                Ok(())
            }
        }
    }

    fn run_script(&mut self, path: &Path) -> Result<(), Refusal> {
        // It can be loaded once more after it was mended.
        self.script.path = Some(path.to_owned());
        let interrupt = Arc::clone(&self.shared.script_interrupt);
        let script = LiveScript::read(path, &self.cartridge.title, interrupt)?;
        self.end_script("");
        self.begin_script(script);
        Ok(())
    }

    /// Runs `script` from the next frame on.
    pub(crate) fn begin_script(&mut self, mut script: LiveScript) {
        let (cartridge, config) = self.engine.power();
        let header = self.cartridge.image.first_chunk().copied().unwrap_or_default();
        script.script.insert(Power { cartridge, config, header });
        script.script.set_palette(self.outputs.palette.clone());
        if let Some(folder) = &self.script.folder {
            match fs::create_dir_all(folder) {
                Ok(()) => script.script.set_folder(Folder::new(folder)),
                Err(error) => {
                    let text =
                        format!("scripts cannot use files: cannot create {}: {error}", folder.display());
                    self.say(MessageKind::Warning, text);
                }
            }
        }
        self.say(MessageKind::Note, format!("running {}", script.name()));
        self.script.path = Some(script.path.clone());
        self.script.live = Some(script);
    }

    /// Ends the script, if one runs: what it has for its end is called, and it is said what
    /// happened to it.
    pub(crate) fn end_script(&mut self, what: &str) {
        let Some(mut live) = self.script.live.take() else { return };
        let finished = self.engine.finish_script(&mut live.script);
        self.repeat(&mut live);
        if let Err(error) = finished {
            self.say(MessageKind::Error, one_line(&error.to_string()));
        }
        if !what.is_empty() {
            self.say(MessageKind::Note, format!("{} {what}", live.name()));
        }
        if live.hurries && self.transport.resume_state() == RunState::FastForward {
            self.enter(RunState::Running);
        }
    }

    /// Tells the script that a state was saved in a slot, or loaded from there.
    pub(crate) fn tell_script(&mut self, slot: usize, loaded: bool) {
        let Some(mut live) = self.script.live.take() else { return };
        let told = self.engine.tell_script(&mut live.script, slot, loaded);
        self.repeat(&mut live);
        self.script.live = Some(live);
        if let Err(error) = told {
            self.say(MessageKind::Error, one_line(&error.to_string()));
            self.end_script("");
        }
    }

    /// A frame has gone by with the script attached, or a part of one.
    pub(crate) fn after_script_frame(&mut self, live: Option<LiveScript>, drawn: Option<Drawn>) {
        let Some(mut live) = live else { return };
        if live.script.take_meddled() {
            self.end_movie_by_edit(Edit::Script);
        }
        if let Some(drawn) = drawn {
            self.after_script(live, drawn);
        } else {
            self.repeat(&mut live);
            self.script.live = Some(live);
        }
    }

    /// Has a script that has paused the game draw, and perhaps let it go on.
    pub(crate) fn draw_script(&mut self) {
        let Some(mut live) = self.script.live.take_if(|live| live.script.paused()) else { return };
        live.script.set_input(self.shared.host_input().for_scripts());
        let drawn = self.engine.draw_script(&mut live.script);
        self.after_script_frame(Some(live), Some(drawn));
        self.present();
    }

    /// Does what a script has asked for in a frame, and keeps it unless it has ended.
    fn after_script(&mut self, mut live: LiveScript, drawn: Drawn) {
        self.repeat(&mut live);
        let failed = drawn.as_ref().err().map(|error| one_line(&error.to_string()));
        live.overlay = drawn.unwrap_or_default();
        let hurries = live.wants_to_hurry();
        let turned = std::mem::replace(&mut live.hurries, hurries) != hurries;
        let (paused, done) = (live.script.paused(), live.script.is_done());
        self.script.live = Some(live);
        if let Some(trouble) = failed {
            self.say(MessageKind::Error, trouble);
            self.end_script("");
        } else if done {
            self.end_script("has ended");
        } else if paused {
            self.enter(RunState::Paused);
        } else if self.run_state() == RunState::Paused || turned && self.run_state() != RunState::Rewinding {
            self.enter(self.script.normal_run_state());
        }
    }

    /// Says what the script says.
    fn repeat(&self, live: &mut LiveScript) {
        for output in live.script.take_output() {
            match output {
                Output::Line(text) if self.script.prints => {
                    // Nobody may be there to read it any more.
                    let _ = writeln!(io::stdout(), "{text}");
                }
                Output::Line(text) | Output::Message(text) => self.say(MessageKind::Script, one_line(&text)),
            }
        }
    }
}

/// Text as a line that can be shown over the picture.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
