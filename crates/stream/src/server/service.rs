//! Answers that take work: a pool of threads, and a queue of questions with a bound.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::request::Refusal;
use crate::Hub;

/// Questions that wait for a thread, at most.
pub const QUESTIONS: usize = 64;

const BUSY: Refusal = Refusal(503, "too many questions are waiting: ask again later");
const BROKEN: Refusal = Refusal(500, "the answer broke off");

/// An answer in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// As HTTP has it.
    pub status: u16,
    /// The kind of the body, as HTTP names it.
    pub kind: &'static str,
    /// The body.
    pub body: String,
}

struct Question {
    path: String,
    query: String,
    answer: SyncSender<Reply>,
}

/// Where questions are put.
#[derive(Clone)]
pub(super) struct Service {
    questions: SyncSender<Question>,
}

/// An answer that is on its way.
pub(super) struct Awaited(Receiver<Reply>);

impl Service {
    /// Threads that answer until the service is dropped. Each has its own answerer; `hub` is woken
    /// by each answer.
    pub(super) fn start<A: FnMut(&str, &str) -> Option<Reply>>(
        threads: usize,
        hub: &Hub,
        answerer: impl Fn() -> A + Send + Sync + 'static,
    ) -> std::io::Result<(Self, Vec<JoinHandle<()>>)> {
        let (questions, waiting) = sync_channel::<Question>(QUESTIONS);
        let (waiting, answerer) = (Arc::new(Mutex::new(waiting)), Arc::new(answerer));
        let mut workers = Vec::new();
        for _ in 0..threads.max(1) {
            let (waiting, answerer, hub) = (Arc::clone(&waiting), Arc::clone(&answerer), hub.clone());
            let work = move || {
                let mut answers = answerer();
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(Question { path, query, answer }) = next else { return };
                    if let Some(reply) = answers(&path, &query) {
                        // Whoever asked may have gone.
                        let _ = answer.try_send(reply);
                    } else {
                        // Its connection is told so; another answerer takes the next question.
                        answers = answerer();
                    }
                    drop(answer);
                    hub.wake_readers();
                }
            };
            workers.push(thread::Builder::new().name("answers".into()).spawn(work)?);
        }
        Ok((Self { questions }, workers))
    }

    pub(super) fn ask(&self, path: &str, query: &str) -> Result<Awaited, Refusal> {
        let (answer, awaited) = sync_channel(1);
        let question = Question { path: path.to_owned(), query: query.to_owned(), answer };
        match self.questions.try_send(question) {
            Ok(()) => Ok(Awaited(awaited)),
            Err(TrySendError::Full(_)) => Err(BUSY),
            Err(TrySendError::Disconnected(_)) => Err(BROKEN),
        }
    }
}

impl Awaited {
    /// The answer, if it is there.
    pub(super) fn taken(&self) -> Result<Option<Reply>, Refusal> {
        match self.0.try_recv() {
            Ok(reply) => Ok(Some(reply)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(BROKEN),
        }
    }
}
