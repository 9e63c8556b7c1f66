//! Lua 5.1's patterns, with a bound on depth and a count of the work.
//!
//! What matches, and every capture and message, is as in Lua 5.1 (`lstrlib.c`), whose matcher has
//! neither bound: it can overflow the native stack, and be busy for ever. `tests/it/patterns.rs`
//! compares both.

/// The deepest nesting of quantifiers and captures, as in Lua 5.2 and later (`MAXCCALLS`).
const DEEPEST: u32 = 200;

/// Captures of a pattern, at most (`LUA_MAXCAPTURES`).
const CAPTURES: usize = 32;

/// Steps between two charges.
const STRIDE: u32 = 4096;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Something is wrong with the pattern.
    Pattern(&'static str),
    /// The meter says that it was enough.
    Stopped,
}

/// What a capture holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// Bytes from one place up to another.
    Text(usize, usize),
    /// A place, counted from 0.
    Position(usize),
    /// It was never closed.
    Open,
}

#[derive(Clone, Copy)]
enum Length {
    Closed(usize),
    Position,
    Unfinished,
}

/// A pattern on its way through a text.
pub(crate) struct Matcher<'a, C> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: [(usize, Length); CAPTURES],
    level: usize,
    depth: u32,
    steps: u32,
    /// Takes the work done, and says whether there may be more.
    charge: C,
}

type Match = Result<Option<usize>, Fault>;

impl<'a, C: FnMut(u32) -> bool> Matcher<'a, C> {
    pub(crate) fn new(text: &'a [u8], pattern: &'a [u8], charge: C) -> Self {
        let captures = [(0, Length::Unfinished); CAPTURES];
        Self { text, pattern, captures, level: 0, depth: 0, steps: 0, charge }
    }

    /// Matches at one place of the text. Returns where the match ends.
    pub(crate) fn at(&mut self, place: usize) -> Match {
        (self.level, self.depth) = (0, 0);
        self.run(place, 0)
    }

    /// The first match at `place` or behind it: its beginning and end.
    pub(crate) fn from(&mut self, place: usize, anchored: bool) -> Result<Option<(usize, usize)>, Fault> {
        let last = if anchored { place } else { self.text.len() };
        for begin in place..=last {
            if let Some(end) = self.at(begin)? {
                return Ok(Some((begin, end)));
            }
        }
        Ok(None)
    }

    /// Charges for what was done since the last time.
    pub(crate) fn settle(&mut self) -> Result<(), Fault> {
        let steps = core::mem::take(&mut self.steps);
        if (self.charge)(steps) { Ok(()) } else { Err(Fault::Stopped) }
    }

    /// Captures of the last match.
    pub(crate) fn count(&self) -> usize {
        self.level
    }

    /// A capture of the last match, counted from 0. Without captures the first one is the whole
    /// match.
    pub(crate) fn capture(&self, index: usize, (begin, end): (usize, usize)) -> Result<Capture, Fault> {
        if index >= self.level {
            return if index == 0 { Ok(Capture::Text(begin, end)) } else { Err(INDEX) };
        }
        let (begin, length) = self.captures[index];
        Ok(match length {
            Length::Closed(length) => Capture::Text(begin, begin + length),
            Length::Position => Capture::Position(begin),
            Length::Unfinished => Capture::Open,
        })
    }

    /// A byte of the pattern; 0 at its end, as a string of C has it. A zero within it ends it too.
    fn byte(&self, p: usize) -> u8 {
        self.pattern.get(p).copied().unwrap_or(0)
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps < STRIDE { Ok(()) } else { self.settle() }
    }

    /// One level deeper.
    fn run(&mut self, s: usize, p: usize) -> Match {
        if self.depth == DEEPEST {
            return Err(Fault::Pattern("pattern too complex"));
        }
        self.depth += 1;
        let found = self.go(s, p);
        self.depth -= 1;
        found
    }

    fn go(&mut self, mut s: usize, mut p: usize) -> Match {
        loop {
            self.step()?;
            match self.byte(p) {
                b'(' if self.byte(p + 1) == b')' => return self.open(s, p + 2, Length::Position),
                b'(' => return self.open(s, p + 1, Length::Unfinished),
                b')' => return self.close(s, p + 1),
                0 => return Ok(Some(s)),
                b'$' if self.byte(p + 1) == 0 => return Ok((s == self.text.len()).then_some(s)),
                b'%' if self.byte(p + 1) == b'b' => match self.balance(s, p + 2)? {
                    Some(end) => (s, p) = (end, p + 4),
                    None => return Ok(None),
                },
                b'%' if self.byte(p + 1) == b'f' => match self.frontier(s, p + 2)? {
                    Some(behind) => p = behind,
                    None => return Ok(None),
                },
                b'%' if self.byte(p + 1).is_ascii_digit() => {
                    match self.back_reference(s, self.byte(p + 1))? {
                        Some(end) => (s, p) = (end, p + 2),
                        None => return Ok(None),
                    }
                }
                _ => {
                    let behind = self.class_end(p)?;
                    let matches = self.single(s, p, behind);
                    match self.byte(behind) {
                        b'?' => {
                            if matches && let Some(end) = self.run(s + 1, behind + 1)? {
                                return Ok(Some(end));
                            }
                            p = behind + 1;
                        }
                        b'*' => return self.most(s, p, behind),
                        b'+' if matches => return self.most(s + 1, p, behind),
                        b'-' => return self.fewest(s, p, behind),
                        b'+' => return Ok(None),
                        _ if !matches => return Ok(None),
                        _ => (s, p) = (s + 1, behind),
                    }
                }
            }
        }
    }

    fn most(&mut self, s: usize, p: usize, behind: usize) -> Match {
        let mut count = 0;
        while self.single(s + count, p, behind) {
            self.step()?;
            count += 1;
        }
        for count in (0..=count).rev() {
            if let Some(end) = self.run(s + count, behind + 1)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn fewest(&mut self, mut s: usize, p: usize, behind: usize) -> Match {
        loop {
            if let Some(end) = self.run(s, behind + 1)? {
                return Ok(Some(end));
            }
            if !self.single(s, p, behind) {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn open(&mut self, s: usize, p: usize, what: Length) -> Match {
        if self.level == CAPTURES {
            return Err(Fault::Pattern("too many captures"));
        }
        self.captures[self.level] = (s, what);
        self.level += 1;
        let found = self.run(s, p)?;
        if found.is_none() {
            self.level -= 1;
        }
        Ok(found)
    }

    fn close(&mut self, s: usize, p: usize) -> Match {
        let open =
            self.captures[..self.level].iter().rposition(|(_, length)| matches!(length, Length::Unfinished));
        let index = open.ok_or(Fault::Pattern("invalid pattern capture"))?;
        self.captures[index].1 = Length::Closed(s - self.captures[index].0);
        let found = self.run(s, p)?;
        if found.is_none() {
            self.captures[index].1 = Length::Unfinished;
        }
        Ok(found)
    }

    fn back_reference(&mut self, s: usize, digit: u8) -> Match {
        let index = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let (begin, length) = match self.captures[..self.level].get(index) {
            Some((_, Length::Unfinished)) | None => return Err(INDEX),
            // A position has no text that could be found again.
            Some((_, Length::Position)) => return Ok(None),
            Some(&(begin, Length::Closed(length))) => (begin, length),
        };
        self.steps += (length / 16) as u32;
        self.step()?;
        let text = self.text;
        let again = text.get(s..s + length).is_some_and(|found| found == &text[begin..begin + length]);
        Ok(again.then_some(s + length))
    }

    fn balance(&mut self, s: usize, p: usize) -> Match {
        let (begin, end) = (self.byte(p), self.byte(p + 1));
        if begin == 0 || end == 0 {
            return Err(Fault::Pattern("unbalanced pattern"));
        }
        if self.text.get(s) != Some(&begin) {
            return Ok(None);
        }
        let mut open = 1_u64;
        for place in s + 1..self.text.len() {
            self.step()?;
            let byte = self.text[place];
            if byte == end {
                open -= 1;
                if open == 0 {
                    return Ok(Some(place + 1));
                }
            } else if byte == begin {
                open += 1;
            }
        }
        Ok(None)
    }

    /// Where the pattern goes on behind the set at `p`, if the text changes into that set here.
    fn frontier(&mut self, s: usize, p: usize) -> Match {
        if self.byte(p) != b'[' {
            return Err(Fault::Pattern("missing '[' after '%f' in pattern"));
        }
        let behind = self.class_end(p)?;
        let before = s.checked_sub(1).map_or(0, |before| self.text[before]);
        let here = self.text.get(s).copied().unwrap_or(0);
        let enters = !self.set(before, p, behind - 1) && self.set(here, p, behind - 1);
        Ok(enters.then_some(behind))
    }

    /// Where the single item at `p` ends.
    fn class_end(&mut self, p: usize) -> Result<usize, Fault> {
        match self.byte(p) {
            b'%' if self.byte(p + 1) == 0 => Err(Fault::Pattern("malformed pattern (ends with '%')")),
            b'%' => Ok(p + 2),
            b'[' => {
                let mut p = p + 1 + usize::from(self.byte(p + 1) == b'^');
                loop {
                    self.step()?;
                    match self.byte(p) {
                        0 => return Err(Fault::Pattern("malformed pattern (missing ']')")),
                        b'%' if self.byte(p + 1) != 0 => p += 2,
                        _ => p += 1,
                    }
                    if self.byte(p) == b']' {
                        return Ok(p + 1);
                    }
                }
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the text has at `s` what the single item from `p` to `behind` wants.
    fn single(&mut self, s: usize, p: usize, behind: usize) -> bool {
        let Some(&byte) = self.text.get(s) else { return false };
        match self.byte(p) {
            b'.' => true,
            b'%' => is_in_class(byte, self.byte(p + 1)),
            b'[' => self.set(byte, p, behind - 1),
            own => own == byte,
        }
    }

    /// Whether a byte is in the set from the bracket at `p` to the one at `last`.
    fn set(&mut self, byte: u8, p: usize, last: usize) -> bool {
        self.steps += ((last - p) / 4) as u32;
        let negated = self.byte(p + 1) == b'^';
        let mut p = p + 1 + usize::from(negated);
        while p < last {
            let own = self.byte(p);
            if own == b'%' {
                p += 1;
                if is_in_class(byte, self.byte(p)) {
                    return !negated;
                }
            } else if self.byte(p + 1) == b'-' && p + 2 < last {
                p += 2;
                if (own..=self.byte(p)).contains(&byte) {
                    return !negated;
                }
            } else if own == byte {
                return !negated;
            }
            p += 1;
        }
        negated
    }
}

const INDEX: Fault = Fault::Pattern("invalid capture index");

/// Whether a byte is in the class of a letter, as the locale "C" has it.
fn is_in_class(byte: u8, class: u8) -> bool {
    let is = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0B,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        b'z' => byte == 0,
        _ => return class == byte,
    };
    is == class.is_ascii_lowercase()
}

/// Whether a pattern is a plain text, for `string.find`: C's `strpbrk` looks up to the first zero.
pub(crate) fn is_plain(pattern: &[u8]) -> bool {
    pattern.iter().take_while(|byte| **byte != 0).all(|byte| !b"^$*+?.([%-".contains(byte))
}
