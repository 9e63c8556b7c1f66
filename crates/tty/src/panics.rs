//! A panic: it ends the program, after what has to be saved was saved, except where its damage is
//! known to be small.
//!
//! Nothing here unwinds, so that it is the same where a panic aborts, as in released programs:
//! tables for unwinding would be a seventh of them. A panic of which the damage is small stops its
//! thread for good instead.

use std::cell::{Cell, RefCell};
use std::env;
use std::fs;
use std::panic;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{LazyLock, Mutex, Once, PoisonError};
use std::thread;

type Action = Box<dyn Fn() + Send>;

/// What is done before the program ends, the latest first.
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());
/// Whether [`end_the_program`] was called.
static ENDS: AtomicBool = AtomicBool::new(false);
/// Threads that were stopped by a panic, and their number at which the program ends all the same:
/// what they held is lost to it.
static STOPPED: AtomicUsize = AtomicUsize::new(0);
const MOST_STOPPED: usize = 32;

thread_local! {
    /// In a thread of [`caught`], what tells its caller of a panic.
    static CAUGHT: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
    /// Whether this thread is in [`as_an_error`].
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// From now on a panic ends the program, by `SIGABRT` or what the system has for it, whichever
/// thread it is in.
pub fn end_the_program() {
    install();
    ENDS.store(true, Ordering::SeqCst);
}

/// Sets the hook, once.
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let caught = CAUGHT.try_with(|caught| caught.try_borrow_mut().ok()?.take()).ok().flatten();
            if let Some(stopped) = caught
                && STOPPED.fetch_add(1, Ordering::SeqCst) < MOST_STOPPED
            {
                tell(info);
                stopped();
                loop {
                    thread::park();
                }
            }
            let ends = ENDS.load(Ordering::SeqCst);
            // An action or the telling may panic as well: that ends the program at once.
            if ends {
                run_actions();
            }
            tell(info);
            if ends && REFUSED.try_with(Cell::get).unwrap_or(false) {
                process::exit(2);
            }
            if ends {
                process::abort();
            }
        }));
    });
}

/// Runs `work`, which calls a library that panics where the system refuses it something, and during
/// which nothing can be lost yet. Where [`end_the_program`] was called, a panic in it ends the
/// program with status 2, as any other error at the start does.
pub fn as_an_error<T>(work: impl FnOnce() -> T) -> T {
    REFUSED.set(true);
    let value = work();
    REFUSED.set(false);
    value
}

/// Has `action` done before a panic ends the program, in the thread that panics; the last one that
/// was added is the first to run. Without [`end_the_program`] it is never done.
pub fn before_the_end(action: impl Fn() + Send + 'static) {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
}

/// Runs the actions once: whichever thread comes first runs them, and others wait for it.
fn run_actions() {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    for action in std::mem::take(&mut *actions).into_iter().rev() {
        action();
    }
}

/// Panics if the attack on the program asks for it, in a build with debug assertions: if the file
/// that `MAXOUT_PANIC` names has the name of this thread in it. Threads that go on as long as a
/// game call it again and again.
///
/// # Panics
/// If it is asked for.
pub fn where_asked() {
    static FILE: LazyLock<Option<PathBuf>> = LazyLock::new(|| env::var_os("MAXOUT_PANIC").map(PathBuf::from));
    if cfg!(debug_assertions)
        && let Some(file) = &*FILE
        && let Ok(name) = fs::read_to_string(file)
    {
        assert!(thread::current().name() != Some(&*name), "as asked");
    }
}

/// A panic that [`caught`] stopped. It was reported on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Runs `work` in a thread of its own. A panic in it is reported and stops that thread for good:
/// what `work` owns is neither dropped nor used again, and a lock that it held stays locked, so
/// that it may hold none that others need. The lock of the process's panic hook is one of these:
/// after a panic here, `set_hook` and `take_hook` wait for ever. The program ends at the 33rd such
/// panic.
///
/// # Errors
/// When `work` panicked, or no thread could be had for it.
pub fn caught<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Panicked> {
    install();
    let (done, result) = sync_channel(1);
    let told = done.clone();
    let named = thread::Builder::new().name("caught".into());
    let started = named.spawn(move || {
        CAUGHT.set(Some(Box::new(move || {
            let _ = told.try_send(Err(Panicked));
        })));
        let value = work();
        CAUGHT.set(None);
        let _ = done.try_send(Ok(value));
    });
    started.map_err(|_| Panicked)?;
    // A thread that ends says so before.
    result.recv().unwrap_or(Err(Panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They need a process of their own: they end it, or leave its hook locked, which the harness
    /// takes away at its end.
    #[test]
    fn a_caught_panic_ends_the_work_alone_and_any_other_the_program_after_its_actions() {
        const THREAD: &str = "TTY_TEST_PANIC";
        const NAME: &str =
            "panics::tests::a_caught_panic_ends_the_work_alone_and_any_other_the_program_after_its_actions";
        if let Ok(thread) = std::env::var(THREAD) {
            end_the_program();
            before_the_end(|| crate::tell!("first added"));
            before_the_end(|| crate::tell!("last added"));
            assert_eq!(caught(|| 7), Ok(7));
            for _ in 0..MOST_STOPPED {
                assert_eq!(caught(|| -> u8 { panic!("caught") }), Err(Panicked));
            }
            assert_eq!(caught(|| 8), Ok(8), "the next one has a thread of its own");
            crate::tell!("goes on");
            if thread == "too many" {
                let _ = caught(|| -> u8 { panic!("as asked") });
            }
            if thread == "start" {
                assert_eq!(as_an_error(|| 9), 9);
                as_an_error(|| panic!("as asked"));
            }
            if thread == "another" {
                let _ = std::thread::spawn(|| panic!("as asked")).join();
            } else {
                panic!("as asked");
            }
            process::exit(0);
        }
        for thread in ["main", "another", "too many", "start"] {
            let mut child = process::Command::new(std::env::current_exe().unwrap());
            let output = child.args(["--exact", NAME, "--nocapture"]).env(THREAD, thread).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{thread}: {text}");
            assert_eq!(output.status.code() == Some(2), thread == "start", "{thread}: {text}");
            let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{thread}: {words}: {text}"));
            let order = [at("caught"), at("goes on"), at("last added"), at("first added"), at("as asked")];
            assert!(order.is_sorted(), "{thread}: {text}");
        }
    }
}
