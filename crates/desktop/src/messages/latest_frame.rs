//! The newest picture, on its way from the console's thread to the window's.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A picture as the console draws it: palette index and emphasis of each dot, row by row.
pub(crate) type Framebuffer = [u16];

/// Returns a black picture.
pub(crate) fn blank_framebuffer() -> Box<Framebuffer> {
    nes::Frame::default().pixels().into()
}

/// Holds one picture, in whatever form: a newer one replaces it whether it was seen or not, so a
/// slow window never holds up the console. Writer and reader own a buffer each and swap it for the
/// one in here; the lock is held for that swap.
#[derive(Debug)]
pub(crate) struct LatestFrame<T> {
    slot: Mutex<Slot<T>>,
}

#[derive(Debug)]
struct Slot<T> {
    picture: T,
    fresh: bool,
}

impl<T> LatestFrame<T> {
    /// With a picture that nobody is told of.
    pub(crate) fn new(picture: T) -> Self {
        Self { slot: Mutex::new(Slot { picture, fresh: false }) }
    }

    /// Puts `picture` in and gives an old buffer back. Returns whether the reader is to be told: it
    /// has seen the last.
    pub(crate) fn put(&self, picture: &mut T) -> bool {
        let mut slot = self.lock();
        mem::swap(&mut slot.picture, picture);
        !mem::replace(&mut slot.fresh, true)
    }

    /// Takes the newest picture into `picture`, if there is one not yet seen.
    pub(crate) fn take(&self, picture: &mut T) -> bool {
        let mut slot = self.lock();
        let fresh = mem::replace(&mut slot.fresh, false);
        if fresh {
            mem::swap(&mut slot.picture, picture);
        }
        fresh
    }

    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        // A picture is never half written here, so another thread's panic leaves it whole.
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_gets_the_newest_picture_once() {
        let latest = LatestFrame::new(blank_framebuffer());
        let (mut back, mut front) = (blank_framebuffer(), blank_framebuffer());
        assert!(!latest.take(&mut front));
        for picture in 1..=3 {
            back[0] = picture;
            assert_eq!(latest.put(&mut back), picture == 1, "told once for all three");
        }
        assert!(latest.take(&mut front));
        assert_eq!(front[0], 3);
        assert!(!latest.take(&mut front));
        assert!(latest.put(&mut back));
    }
}
