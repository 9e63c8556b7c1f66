//! What the machine does with a script beside the game.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use nes_lua::{Folder, Output, Power};

use crate::emulation::engine::{Drawn, Edit};
use crate::emulation::machine::Machine;
use crate::emulation::script::{LiveScript, ScriptOrder, ScriptStatus};
use crate::messages::status::{MessageKind, Motion, Notice};

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn script_order(&mut self, order: ScriptOrder) -> Result<(), String> {
        match order {
            ScriptOrder::Run(path) => self.run_script(&path),
            ScriptOrder::Reload => match self.script_path.clone() {
                Some(path) => self.run_script(&path),
                None => Err("no script was run yet: open one".into()),
            },
            ScriptOrder::Stop => {
                self.end_script("was stopped");
                Ok(())
            }
        }
    }

    fn run_script(&mut self, path: &Path) -> Result<(), String> {
        // It can be loaded once more after it was mended.
        self.script_path = Some(path.to_owned());
        let script = LiveScript::read(path, &self.title).map_err(|error| error.to_string())?;
        self.end_script("");
        self.begin_script(script);
        Ok(())
    }

    /// Runs `script` from the next frame on.
    pub(crate) fn begin_script(&mut self, mut script: LiveScript) {
        let (cartridge, config) = self.engine.power();
        let header = self.image.first_chunk().copied().unwrap_or_default();
        script.script.insert(Power { cartridge, config, header });
        script.script.set_palette(self.palette.clone());
        if let Some(folder) = &self.scripts {
            match fs::create_dir_all(folder) {
                Ok(()) => script.script.set_folder(Folder::new(folder)),
                Err(error) => {
                    let text = format!("scripts reach no files: cannot make {}: {error}", folder.display());
                    self.say(MessageKind::Warning, text);
                }
            }
        }
        self.say(MessageKind::Note, format!("{} runs", script.name()));
        self.script_path = Some(script.path.clone());
        self.script = Some(script);
    }

    /// Ends the script, if one runs: what it has for its end is called, and it is said what happened to it.
    pub(crate) fn end_script(&mut self, what: &str) {
        let Some(mut live) = self.script.take() else { return };
        let finished = self.engine.finish_script(&mut live.script);
        self.repeat(&mut live);
        if let Err(error) = finished {
            self.say(MessageKind::Error, one_line(&error.to_string()));
        }
        if !what.is_empty() {
            self.say(MessageKind::Note, format!("{} {what}", live.name()));
        }
        if live.hurries && self.rest == Motion::FastForward {
            self.settle(Motion::Running);
        }
    }

    /// A frame has gone by with the script attached, or a part of one.
    pub(crate) fn after_script(&mut self, live: Option<LiveScript>, drawn: Option<Drawn>) {
        let Some(mut live) = live else { return };
        if live.script.take_meddled() {
            self.end_movie_by_edit(Edit::Script);
        }
        if let Some(drawn) = drawn {
            self.settle_script(live, drawn);
        } else {
            self.repeat(&mut live);
            self.script = Some(live);
        }
    }

    /// Has a script that has paused the game draw, and perhaps let it go on.
    pub(crate) fn draw_script(&mut self) {
        let Some(mut live) = self.script.take_if(|live| live.script.paused()) else { return };
        live.script.set_input(self.shared.surroundings().as_scripts_see_it());
        let drawn = self.engine.draw_script(&mut live.script);
        self.after_script(Some(live), Some(drawn));
        self.show();
    }

    /// Does what a script has asked for in a frame, and keeps it unless it has ended.
    fn settle_script(&mut self, mut live: LiveScript, drawn: Drawn) {
        self.repeat(&mut live);
        let failed = drawn.as_ref().err().map(|error| one_line(&error.to_string()));
        live.overlay = drawn.unwrap_or_default();
        let hurries = live.wants_to_hurry();
        let turned = std::mem::replace(&mut live.hurries, hurries) != hurries;
        let (paused, done) = (live.script.paused(), live.script.is_done());
        self.script = Some(live);
        if let Some(trouble) = failed {
            self.say(MessageKind::Error, trouble);
            self.end_script("");
        } else if done {
            self.end_script("has ended");
        } else if paused {
            self.settle(Motion::Paused);
        } else if self.motion == Motion::Paused || turned && self.motion != Motion::Rewinding {
            self.settle(self.cruise());
        }
    }

    /// What the player's key does: pauses the script, or lets it go on. Answers whether it was paused.
    pub(crate) fn set_script_paused(&mut self, paused: bool) -> bool {
        self.script.as_mut().is_some_and(|live| {
            let before = live.script.paused();
            live.script.set_paused(paused);
            before
        })
    }

    /// The motion of a game that simply goes on.
    pub(crate) fn cruise(&self) -> Motion {
        if self.script.as_ref().is_some_and(|live| live.hurries) {
            Motion::FastForward
        } else {
            Motion::Running
        }
    }

    /// Says what the script says.
    fn repeat(&self, live: &mut LiveScript) {
        for output in live.script.take_output() {
            match output {
                Output::Line(text) if self.prints => {
                    // Nobody may be there to read it any more.
                    let _ = writeln!(io::stdout(), "{text}");
                }
                Output::Line(text) | Output::Message(text) => self.say(MessageKind::Script, one_line(&text)),
            }
        }
    }

    /// How the script does.
    pub(crate) fn script_status(&self) -> Option<ScriptStatus> {
        let path = self.script_path.clone()?;
        let paused = self.script.as_ref().is_some_and(|live| live.script.paused());
        Some(ScriptStatus { path, running: self.script.is_some(), paused })
    }
}

/// Text as a line that can be shown over the picture.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
