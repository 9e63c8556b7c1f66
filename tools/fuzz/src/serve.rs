//! Questions to `maxout ai serve`, as any page and any program on the machine may ask them.

use research::answers::{Answerer, Later};
use value::{Format, Linear, Mind};

use crate::bytes::mutate_text;
use crate::choices::Choices;
use crate::games;
use crate::reached::said;

/// Calls that search, and some that do not.
const CALLS: [&str; 12] = [
    "get-move",
    "get-move-async",
    "async-result",
    "precompute",
    "precompute-sync",
    "engine",
    "engine-movelist",
    "engine-movelist-cpp-hybrid",
    "rate-move-cpp",
    "eval",
    "version",
    "nothing",
];

/// The answers of one server, whose built-in weights judge.
pub(crate) struct Serve(Answerer);

impl Serve {
    pub(crate) fn new() -> Self {
        let mind = Mind::from(Linear::built_in(&Format::HEADLINE));
        Self(Answerer::new(mind, true, Later::default()))
    }

    /// Asks once. Whatever is asked has an answer in HTTP's own numbers.
    pub(crate) fn ask(&mut self, random: &mut Choices) {
        let call = random.pick(&CALLS);
        let mut query = question(random);
        if random.one_in(4) {
            query = mutate_text(&query, random);
        }
        let reply = self.0.answer(&format!("/{call}"), &query);
        assert!(matches!(reply.status, 200 | 400 | 404 | 501), "{call}?{query}: {}", reply.status);
        assert!(!reply.body.is_empty(), "{call}?{query}");
        let kind = if reply.status == 200 {
            String::new()
        } else {
            String::from_utf8_lossy(reply.body.as_ref()).into_owned()
        };
        said(&format!("{call} {kind}"));
    }
}

/// A question that is understood, if its numbers are within their bounds.
fn question(random: &mut Choices) -> String {
    let board = |random: &mut Choices| -> String {
        let rows = games::board(random).rows();
        (0..200).map(|at| if rows[at / 10] >> (at % 10) & 1 == 1 { '1' } else { '0' }).collect()
    };
    let piece = |random: &mut Choices| random.pick(&['I', 'O', 'L', 'J', 'T', 'S', 'Z']);
    // A few taps and long gaps, or anything.
    let rare = 1 + random.below(40);
    let mut timeline: String =
        (0..=random.below(60)).map(|_| if random.one_in(rare) { 'X' } else { '.' }).collect();
    if random.one_in(2) {
        timeline.replace_range(..1, "X");
    }
    let level = random.pick(&[18, 19, 28, 29, 38, 39, 40, 254]);
    let mut words = vec![format!(
        "board={}&currentPiece={}&level={level}&lines={}&inputFrameTimeline={timeline}&reactionTime={}",
        board(random),
        piece(random),
        random.below(500),
        random.below(61),
    )];
    if random.one_in(2) {
        words.push(format!("nextPiece={}", piece(random)));
    }
    if random.one_in(3) {
        words.push(format!("secondBoard={}", board(random)));
    }
    if random.one_in(3) {
        let (x, y) = (random.below(12) as i32 - 6, random.below(20));
        let (turns, elapsed) = (random.below(4), random.below(70));
        words.push(format!(
            "existingXOffset={x}&existingYOffset={y}&existingRotation={turns}&existingFramesElapsed={elapsed}\
             &arrWasReset={}",
            random.one_in(2)
        ));
    }
    words.join("&")
}
