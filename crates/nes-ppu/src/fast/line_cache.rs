//! What the lines of a picture were drawn from, so that one that would come out the same is not
//! drawn again.
//!
//! Whatever goes into a line is kept as it last was and has a number, a new one whenever it
//! changes. Two lines with the same numbers are the same. The numbers belong to the picture beside
//! which they stand and are copied with it.

/// Tiles that a line shows parts of when it is scrolled.
pub(crate) const TILES: usize = 33;

/// A row of tiles: the pattern address and palette of each.
pub(crate) type Row = [(u16, u8); TILES];

/// What a whole stretch of lines has in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) palette: [u8; 32],
    pub(crate) mask: u8,
    pub(crate) control: u8,
    /// [`crate::VideoBus::pattern_generation`].
    pub(crate) patterns: Option<u32>,
}

/// All that goes into a line's pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// Number of the [`Setting`]; 0 is none, and equal to nothing.
    pub(crate) setting: u64,
    /// Number of the [`Row`].
    pub(crate) row: u64,
    /// Number of OAM's contents, if sprites are on the line.
    pub(crate) oam: u64,
    /// The sprites on the line, a bit each.
    pub(crate) sprites: u64,
    /// Row in the tiles, and fine X.
    pub(crate) fine: [u8; 2],
}

/// A thing as it last was, and its number.
#[derive(Clone, Copy)]
struct Numbered<T> {
    is: T,
    number: u64,
}

impl<T: Copy + PartialEq> Numbered<T> {
    /// The number of `now`, the next of `numbers` if it is another one.
    #[inline]
    fn number(&mut self, now: &T, numbers: &mut u64) -> u64 {
        if self.number == 0 || self.is != *now {
            *numbers += 1;
            *self = Self { is: *now, number: *numbers };
        }
        self.number
    }
}

/// See the module.
#[derive(Clone)]
pub(crate) struct LineCache {
    numbers: u64,
    setting: Numbered<Setting>,
    oam: Numbered<[u8; 256]>,
    /// One for eight lines of the picture, whichever rows of tiles they meet.
    rows: [Numbered<Row>; 30],
    lines: [Source; 240],
}

impl Default for LineCache {
    fn default() -> Self {
        Self {
            numbers: 0,
            setting: Numbered { is: Setting::default(), number: 0 },
            oam: Numbered { is: [0; 256], number: 0 },
            rows: [Numbered { is: [(0, 0); TILES], number: 0 }; 30],
            lines: [Source::default(); 240],
        }
    }
}

impl LineCache {
    /// The number of `setting`, or 0 if there is no telling whether the patterns have changed.
    pub(crate) fn setting(&mut self, setting: &Setting) -> u64 {
        if setting.patterns.is_none() { 0 } else { self.setting.number(setting, &mut self.numbers) }
    }

    /// The number of OAM's contents.
    pub(crate) fn oam(&mut self, oam: &[u8; 256]) -> u64 {
        self.oam.number(oam, &mut self.numbers)
    }

    /// The number of the row of tiles that line `y` shows.
    pub(crate) fn row(&mut self, y: u16, row: &Row) -> u64 {
        match self.rows.get_mut(usize::from(y / 8)) {
            Some(last) => last.number(row, &mut self.numbers),
            None => 0,
        }
    }

    /// Line `y` is about to be drawn on.
    #[inline]
    pub(crate) fn forget(&mut self, y: u16) {
        self.keep(y, Source::default());
    }

    /// Line `y` was drawn from `source`.
    #[inline]
    pub(crate) fn keep(&mut self, y: u16, source: Source) {
        if let Some(line) = self.lines.get_mut(usize::from(y)) {
            *line = source;
        }
    }

    /// Does line `y` show what `source` makes?
    #[inline]
    pub(crate) fn shows(&self, y: u16, source: Source) -> bool {
        source.setting != 0 && self.lines.get(usize::from(y)) == Some(&source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_and_changes_back_gets_numbers_of_its_own() {
        let mut cache = LineCache::default();
        let (ours, theirs) = ([1; 256], [2; 256]);
        let first = cache.oam(&ours);
        assert_eq!(cache.oam(&ours), first);
        let second = cache.oam(&theirs);
        assert_ne!(second, first);
        assert!(![first, second].contains(&cache.oam(&ours)));
    }

    #[test]
    fn unknown_patterns_make_no_line_the_same() {
        let mut cache = LineCache::default();
        let source = Source { setting: cache.setting(&Setting::default()), ..Source::default() };
        cache.keep(7, source);
        assert!(!cache.shows(7, source));
        let known = Setting { patterns: Some(0), ..Setting::default() };
        let source = Source { setting: cache.setting(&known), ..Source::default() };
        cache.keep(7, source);
        assert!(cache.shows(7, source));
        cache.forget(7);
        assert!(!cache.shows(7, source));
    }
}
