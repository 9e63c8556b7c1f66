//! A panic: it ends the program, after what has to be saved was saved, except where its damage is
//! known to be small.
//!
//! The program unwinds only for that exception. Otherwise a panic ends the whole process, in
//! whichever thread it is, as with `panic = "abort"`.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::{Mutex, PoisonError};

type Action = Box<dyn Fn() + Send>;

/// What is done before the program ends, the latest first. `None` until [`end_the_program`] is
/// called.
static ACTIONS: Mutex<Option<Vec<Action>>> = Mutex::new(None);

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// From now on a panic ends the program, by `SIGABRT` or what the system has for it, whichever
/// thread it is in.
pub fn end_the_program() {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if actions.is_some() {
        return;
    }
    *actions = Some(Vec::new());
    drop(actions);
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let ends = !IS_CAUGHT.get();
        // An action or the telling may panic as well: that ends the program at once.
        if ends {
            run_actions();
        }
        tell(info);
        if ends {
            process::abort();
        }
    }));
}

/// Has `action` done before a panic ends the program, in the thread that panics; the last one that
/// was added is the first to run. Without [`end_the_program`] it is never done.
pub fn before_the_end(action: impl Fn() + Send + 'static) {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(actions) = actions.as_mut() {
        actions.push(Box::new(action));
    }
}

/// Runs the actions once: whichever thread comes first runs them, and others wait for it.
fn run_actions() {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    for action in actions.iter_mut().flat_map(std::mem::take).rev() {
        action();
    }
}

/// A panic that [`caught`] caught. It was reported on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Runs `work`. A panic in it is reported and ends `work` alone: what it borrowed has to be thrown
/// away by the caller.
///
/// # Errors
/// When `work` panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let before = IS_CAUGHT.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    result.map_err(|_| Panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_ends_the_work_alone() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(|| -> u8 { panic!("as asked") }), Err(Panicked));
        assert!(!IS_CAUGHT.get(), "the next one is not caught");
    }

    /// Both need a process of their own: they end it, and its hook is the process's.
    #[test]
    fn any_other_panic_ends_the_program_after_its_actions_and_a_caught_one_does_not() {
        const THREAD: &str = "TTY_TEST_PANIC";
        const NAME: &str =
            "panics::tests::any_other_panic_ends_the_program_after_its_actions_and_a_caught_one_does_not";
        if let Ok(thread) = std::env::var(THREAD) {
            end_the_program();
            before_the_end(|| crate::tell!("first added"));
            before_the_end(|| crate::tell!("last added"));
            assert_eq!(caught(|| -> u8 { panic!("caught") }), Err(Panicked));
            crate::tell!("goes on");
            if thread == "another" {
                let _ = std::thread::spawn(|| panic!("as asked")).join();
            } else {
                panic!("as asked");
            }
            process::exit(0);
        }
        for thread in ["main", "another"] {
            let mut child = process::Command::new(std::env::current_exe().unwrap());
            let output = child.args(["--exact", NAME, "--nocapture"]).env(THREAD, thread).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{thread}: {text}");
            let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{thread}: {words}: {text}"));
            let order = [at("caught"), at("goes on"), at("last added"), at("first added"), at("as asked")];
            assert!(order.is_sorted(), "{thread}: {text}");
        }
    }
}
