//! What goes along with any mode.

use std::fmt;

use strum::{EnumString, IntoStaticStr, VariantArray};

/// How the score is shown beyond 999,999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum ScoreForm {
    /// Six digits, the first of which goes on from 9 to F: 1.6 million is 0 again.
    #[default]
    Classic,
    /// Six digits, the first of which goes on from 9 to Z.
    Letters,
    /// Seven digits.
    #[strum(serialize = "7-digits")]
    Sevendigits,
    /// Classic, and the millions before it.
    M,
    /// 999,999 at most.
    Capped,
    /// Not at all.
    Hidden,
}

/// What becomes of a crash of the game, from level 155 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Crash {
    /// It happens, as on the console.
    #[default]
    Crash,
    /// It is kept from happening, and nothing is said.
    Off,
    /// It is kept from happening, and shown.
    Show,
    /// It ends the game by the curtain.
    TopOut,
}

/// Where a line cap sets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapAt {
    /// From this level on, 39 if nothing is said.
    Level(u8),
    /// From so many lines on, 330 if nothing is said.
    Lines(u16),
}

/// What a line cap does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum CapEffect {
    /// Two rows a frame.
    #[default]
    Killscreen,
    /// A row that never clears comes up with each level.
    Floor,
    /// Locked blocks are not seen.
    Invisible,
    /// The game is over.
    Halt,
}

/// The options of a session. Parsed one by one as `name=value`, and printed that way where they are
/// not the usual ones.
///
/// ```
/// use practice::Options;
///
/// let mut options = Options::default();
/// for text in ["level=29", "cap=lines:330", "cap-effect=floor", "goofy"] {
///     options.set(text)?;
/// }
/// assert_eq!(options.to_string(), "level=29 cap=lines:330 cap-effect=floor goofy");
/// # Ok::<(), practice::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The level of the start. The menus lead to 0–19, any other is written.
    pub level: u8,
    /// Frames to wait in the level menu, which decide the game; 0 for another number in each game.
    pub wait: u32,
    /// How the score is shown.
    pub score: ScoreForm,
    /// What becomes of a crash.
    pub crash: Crash,
    /// Of a crash that is kept from happening: what might crash by any chance counts.
    pub strict: bool,
    /// The line cap.
    pub cap: Option<CapAt>,
    /// What it does.
    pub cap_effect: CapEffect,
    /// Taps that are faster than the auto shift are withheld.
    pub das_only: bool,
    /// A and B, Start and Select, and the directions are swapped.
    pub goofy: bool,
    /// Start does not pause.
    pub no_pause: bool,
    /// A tetris does not flash.
    pub no_flash: bool,
    /// The next piece is not shown, whatever Select does.
    pub no_next: bool,
    /// The gravity and the auto shift of the PAL release; the frame rate stays the console's.
    pub pal: bool,
    /// As in a qualifier: no undo, no retry.
    pub qual: bool,
    /// Tap quantity with all pieces.
    pub all_pieces: bool,
}

/// A text that is no option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("option `{found}`: expected one of {names}", names = Options::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))]
    Name {
        /// What was found.
        found: String,
    },
    /// Its value is none.
    #[error("option {name}: expected {expected}, found `{found}`")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was found.
        found: String,
    },
}

impl Options {
    /// Every option, and what it takes.
    pub const NAMES: [(&'static str, &'static str); 15] = [
        ("level", "0 to 255, the level of the start"),
        (
            "wait",
            "0 to 1000000 frames in the level menu, which decide the game; 0 draws another number each time",
        ),
        ("score", "classic, letters, 7-digits, m, capped or hidden"),
        ("crash", "crash, off, show or top-out"),
        ("strict", "on or off: what might crash by any chance counts"),
        ("cap", "off, level:0 to level:255, or lines:0 to lines:9999"),
        ("cap-effect", "killscreen, floor, invisible or halt"),
        ("das-only", "on or off: taps faster than the auto shift do nothing"),
        ("goofy", "on or off: A and B, Start and Select, and the directions are swapped"),
        ("no-pause", "on or off: Start does not pause"),
        ("no-flash", "on or off: a tetris does not flash"),
        ("no-next", "on or off: the next piece is not shown"),
        ("pal", "on or off: the PAL release's gravity and auto shift"),
        ("qual", "on or off: no undo and no retry"),
        ("all-pieces", "on or off: tap quantity with all pieces"),
    ];

    /// The least and the greatest number that an option takes; `None` if it takes none.
    pub fn range(name: &str) -> Option<(u32, u32)> {
        Some(match name {
            "level" => (0, 255),
            "wait" => (0, 1_000_000),
            "cap" => (0, 9999),
            _ => return None,
        })
    }

    /// Sets the option of a text: `name=value`, or `name` alone for what is on or off.
    ///
    /// # Errors
    /// When there is no such option, or it has no such value; nothing has changed then.
    pub fn set(&mut self, text: &str) -> Result<(), OptionError> {
        let (name, value) = text.split_once('=').unwrap_or((text, "on"));
        let known = Self::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let &(name, expected) = known.ok_or_else(|| OptionError::Name { found: name.to_owned() })?;
        let done = match name {
            "level" => number(value, 255).map(|level| self.level = level as u8),
            "wait" => number(value, 1_000_000).map(|wait| self.wait = wait),
            "score" => value.parse().ok().map(|form| self.score = form),
            "crash" => value.parse().ok().map(|crash| self.crash = crash),
            "cap" if value == "off" => {
                self.cap = None;
                Some(())
            }
            "cap" => cap(value).map(|cap| self.cap = Some(cap)),
            "cap-effect" => value.parse().ok().map(|effect| self.cap_effect = effect),
            _ => match value {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            }
            .zip(self.switch(name))
            .map(|(on, switch)| *switch = on),
        };
        done.ok_or_else(|| OptionError::Value { name, expected, found: value.to_owned() })
    }

    /// The value of an option as a text; empty if there is no such option.
    pub fn value(&self, name: &str) -> String {
        match name {
            "level" => self.level.to_string(),
            "wait" => self.wait.to_string(),
            "score" => <&str>::from(self.score).to_owned(),
            "crash" => <&str>::from(self.crash).to_owned(),
            "cap" => match self.cap {
                Some(CapAt::Level(level)) => format!("level:{level}"),
                Some(CapAt::Lines(lines)) => format!("lines:{lines}"),
                None => "off".to_owned(),
            },
            "cap-effect" => <&str>::from(self.cap_effect).to_owned(),
            _ => {
                let mut copy = *self;
                let on = copy.switch(name).map(|on| if *on { "on" } else { "off" });
                on.unwrap_or_default().to_owned()
            }
        }
    }

    /// Moves an option to its next value (`by` 1) or the one before (-1), for a menu. Numbers stop
    /// at their ends, the others come round. No option has this name: nothing changes.
    pub fn step(&mut self, name: &str, by: i32) {
        fn names<T: VariantArray + Copy + Into<&'static str>>() -> Vec<&'static str> {
            T::VARIANTS.iter().map(|&value| value.into()).collect()
        }
        let values = match name {
            "level" => return self.level = self.level.saturating_add_signed(by.clamp(-1, 1) as i8),
            "wait" => return self.wait = self.wait.saturating_add_signed(by).min(1_000_000),
            "score" => names::<ScoreForm>(),
            "crash" => names::<Crash>(),
            "cap" => vec!["off", "level:29", "level:39", "lines:230", "lines:330"],
            "cap-effect" => names::<CapEffect>(),
            _ => vec!["off", "on"],
        };
        let now = self.value(name);
        let at = values.iter().position(|value| *value == now).unwrap_or(0);
        let next = values[(at as i32 + by).rem_euclid(values.len() as i32) as usize];
        // A name that is none has no values either.
        let _ = self.set(&format!("{name}={next}"));
    }

    /// What is on or off.
    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "strict" => &mut self.strict,
            "das-only" => &mut self.das_only,
            "goofy" => &mut self.goofy,
            "no-pause" => &mut self.no_pause,
            "no-flash" => &mut self.no_flash,
            "no-next" => &mut self.no_next,
            "pal" => &mut self.pal,
            "qual" => &mut self.qual,
            "all-pieces" => &mut self.all_pieces,
            _ => return None,
        })
    }
}

fn number(text: &str, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|digit| digit.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|&number| number <= most)
}

fn cap(text: &str) -> Option<CapAt> {
    match text.split_once(':').unwrap_or((text, "")) {
        ("level", "") => Some(CapAt::Level(39)),
        ("lines", "") => Some(CapAt::Lines(330)),
        ("level", level) => number(level, 255).map(|level| CapAt::Level(level as u8)),
        ("lines", lines) => number(lines, 9_999).map(|lines| CapAt::Lines(lines as u16)),
        _ => None,
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        let mut words = Vec::new();
        if self.level != usual.level {
            words.push(format!("level={}", self.level));
        }
        if self.wait != usual.wait {
            words.push(format!("wait={}", self.wait));
        }
        if self.score != usual.score {
            words.push(format!("score={}", <&str>::from(self.score)));
        }
        if self.crash != usual.crash {
            words.push(format!("crash={}", <&str>::from(self.crash)));
        }
        match self.cap {
            Some(CapAt::Level(level)) => words.push(format!("cap=level:{level}")),
            Some(CapAt::Lines(lines)) => words.push(format!("cap=lines:{lines}")),
            None => {}
        }
        if self.cap_effect != usual.cap_effect {
            words.push(format!("cap-effect={}", <&str>::from(self.cap_effect)));
        }
        let mut switches = *self;
        for (name, _) in Self::NAMES {
            if switches.switch(name).is_some_and(|on| *on) {
                words.push(name.to_owned());
            }
        }
        f.pad(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Options, OptionError> {
        let mut options = Options::default();
        text.split_whitespace().try_for_each(|word| options.set(word))?;
        Ok(options)
    }

    #[test]
    fn options_are_read_as_they_are_written() {
        let text = "level=255 wait=7 score=7-digits crash=top-out cap=level:39 cap-effect=halt strict das-only goofy \
                    no-pause no-flash no-next pal qual all-pieces";
        assert_eq!(all(text).unwrap().to_string(), text);
        assert_eq!(all("goofy=on goofy=off cap=lines cap=off").unwrap(), Options::default());
        assert_eq!(all("cap=lines").unwrap().cap, Some(CapAt::Lines(330)));
        for form in ScoreForm::VARIANTS {
            assert_eq!(all(&format!("score={}", <&str>::from(form))).unwrap().score, *form);
        }
    }

    #[test]
    fn a_menu_comes_through_all_values_and_back() {
        for (name, _) in Options::NAMES {
            let mut options = Options::default();
            options.step(name, 1);
            assert_ne!(options, Options::default(), "{name}");
            let mut again = Options::default();
            again.set(&format!("{name}={}", options.value(name))).unwrap();
            assert_eq!(again, options, "{name}");
            options.step(name, -1);
            assert_eq!(options, Options::default(), "{name}");
        }
        let mut options = Options { level: 255, ..Options::default() };
        options.step("level", 1);
        options.step("nothing", 1);
        assert_eq!((options.level, options.value("nothing").as_str()), (255, ""));
    }

    #[test]
    fn what_is_no_option_is_refused_with_what_was_expected() {
        let error = |text: &str| all(text).unwrap_err().to_string();
        assert!(error("levle=3").starts_with("option `levle`: expected one of level, wait"));
        assert_eq!(
            error("level=256"),
            "option level: expected 0 to 255, the level of the start, found `256`"
        );
        for text in ["level", "level=", "level=-1", "goofy=yes", "cap=level:256", "cap=x", "score=big"] {
            assert!(error(text).contains("expected"), "{text}");
        }
    }
}
