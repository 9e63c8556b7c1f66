//! One side of a match.

use std::collections::VecDeque;
use std::time::Duration;

use super::guest::PATIENCE;
use super::message::{MOST, Message, MessageError, Name, Rules, Terms};
use super::{Game, Wire};

/// Frames that a side may be ahead of what it knows for certain. Beyond that it waits.
const AHEAD: u64 = 40;
/// Between two messages while nothing is played.
pub(super) const KNOCK: Duration = Duration::from_millis(100);
/// Without buttons of the other side, until it counts as gone, unless it is said otherwise: a
/// router that begins anew takes about a minute.
pub const SILENCE: Duration = Duration::from_secs(90);
/// The same until the match counts as interrupted.
const INTERRUPTED: Duration = Duration::from_millis(500);
/// Frames between two hashes that are compared.
const COMPARED: u64 = 30;
/// Frames in which a guest says its name now and then.
const INTRODUCED: u64 = 600;
/// Hashes that are kept until the other side's have come.
const HASHES: usize = 64;
/// Messages that are taken in at once.
const BATCH: usize = 256;
/// Frames that a side may be ahead of the other before it waits for one, and frames between two
/// such waits: sound devices' clocks differ.
const LEAD: i64 = 3;
const BETWEEN_WAITS: u64 = 60;

/// What a turn has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The other side is not there yet.
    Waiting,
    /// A frame was run.
    Frame,
    /// The other side is too far behind, or nothing comes from it: no frame was run.
    Stalled,
    /// The match is over.
    Over(End),
}

/// Why a match is over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// The other side has left.
    #[error("the other player has left")]
    Left,
    /// Nothing has come from the other side.
    #[error("nothing has come from the other player for {} seconds", .0.as_secs())]
    Gone(Duration),
    /// The two games differ.
    #[error("the two games differ after frame {frame}: {own:016x} here, {other:016x} there")]
    Desync {
        /// The first frame at which it was noticed.
        frame: u64,
        /// The hash here.
        own: u64,
        /// The hash there.
        other: u64,
    },
    /// The other side plays something else.
    #[error("the other player has another cartridge, or begins elsewhere: {other:?}, expected {own:?}")]
    Terms {
        /// What is played here.
        own: Terms,
        /// What is played there.
        other: Terms,
    },
    /// The other side speaks otherwise.
    #[error(transparent)]
    Version(MessageError),
    /// The host plays another cartridge.
    #[error("the host has another cartridge: its CRC32 is {other:08X}, expected {own:08X}")]
    Cartridge {
        /// CRC32 of the cartridge here.
        own: u32,
        /// CRC32 of the host's.
        other: u32,
    },
    /// The host plays with another guest.
    #[error("the host is playing with another player")]
    Busy,
    /// The host plays with those alone who know its code.
    #[error("the host asks for its code of four words, or for another one: join CODE@ADDRESS")]
    Locked,
    /// No host is there.
    #[error("nobody has answered for {} seconds", PATIENCE.as_secs())]
    Nobody,
}

/// How a match went so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Frames that were run for the first time.
    pub frames: u64,
    /// Turns in which none could be.
    pub stalls: u64,
    /// How often the game went back.
    pub rollbacks: u64,
    /// Frames that were run again, the longest such run, and frames that are not certain now.
    pub again: u64,
    /// See `again`.
    pub longest: u64,
    /// See `again`.
    pub guessed: u64,
    /// Messages that were no messages.
    pub strange: u64,
    /// Frames for which this side has waited because it was ahead of the other.
    pub waits: u64,
}

/// What is shown each frame that has become certain: the game after it, and what both held.
pub type Witness<'a, G> = dyn FnMut(&G, [u8; 2]) + 'a;

/// One side of a match of `G`.
#[derive(Clone, Debug)]
pub struct RollbackSession<G> {
    terms: Terms,
    /// The number of the match.
    number: u64,
    /// 0 or 1: whose buttons are mine.
    own: usize,
    delay: u64,
    /// The game as far as it is certain, and the game that is shown.
    certain: G,
    certain_frame: u64,
    shown: G,
    shown_frame: u64,
    /// Buttons of each player from `certain_frame` on.
    buttons: [VecDeque<u8>; 2],
    /// My buttons that the other side has not confirmed, and the frame of the first.
    unconfirmed: VecDeque<u8>,
    unconfirmed_from: u64,
    /// What the other side was taken to press in the frames from `certain_frame` to `shown_frame`.
    taken: VecDeque<u8>,
    /// The last buttons of the other side that are certain: it is taken to hold them on.
    held: u8,
    hashes: VecDeque<(u64, u64)>,
    /// A frame whose hash is kept and compared as well, and that hash.
    marked: Option<(u64, Option<u64>)>,
    other_hashes: VecDeque<(u64, u64)>,
    /// The last frame after which both had the same hash.
    agreed: u64,
    greeted: bool,
    /// What each is called, and how long a silence of the other side is waited out.
    name: Name,
    other_name: Name,
    silence: Duration,
    /// What a guest is told.
    rules: Option<Rules>,
    /// The answer to the message that was just taken in.
    answer: Option<Message>,
    /// The last frame that the other side is certain of, as far as it has said.
    other_certain: u64,
    /// Frames by which the other side is ahead of what it knows of this one, less the reverse.
    lead: i64,
    /// Frames of the other side in the newest message that `lead` is from.
    clock_heard: u64,
    waited: u64,
    heard: Option<Duration>,
    knocked: Option<Duration>,
    end: Option<End>,
    tally: Tally,
}

impl<G: Game> RollbackSession<G> {
    /// A side of a match that begins with `game`. `own` is 0 for one side and 1 for the other;
    /// `delay` frames go by before one's own buttons count, which spares both that many guesses.
    pub fn new(game: G, cartridge: u32, own: usize, delay: u64) -> Self {
        let terms = Terms { cartridge, beginning: game.hash() };
        let delay = delay.min(AHEAD / 2);
        let waiting: VecDeque<u8> = (0..delay).map(|_| 0).collect();
        let own = own & 1;
        let mut certain = game.clone();
        certain.set_seen(false);
        let mut buttons = [VecDeque::new(), VecDeque::new()];
        buttons[own].clone_from(&waiting);
        Self {
            terms,
            number: 0,
            own,
            delay,
            shown: game,
            certain,
            certain_frame: 0,
            shown_frame: 0,
            buttons,
            unconfirmed: waiting,
            unconfirmed_from: 0,
            taken: VecDeque::new(),
            held: 0,
            hashes: VecDeque::new(),
            marked: None,
            other_hashes: VecDeque::new(),
            agreed: 0,
            greeted: false,
            name: Name::default(),
            other_name: Name::default(),
            silence: SILENCE,
            rules: None,
            answer: None,
            other_certain: 0,
            lead: 0,
            clock_heard: 0,
            waited: 0,
            heard: None,
            knocked: None,
            end: None,
            tally: Tally::default(),
        }
    }

    /// The same in the match of this number, which both sides know from [`Rules::number`].
    #[must_use]
    pub fn numbered(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    /// The same, and whoever asks is told what is played. The match begins with the first buttons
    /// of a guest. Until then whoever comes with another cartridge or version is told, and changes
    /// nothing.
    #[must_use]
    pub fn inviting(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self.numbered(rules.number)
    }

    /// The same for a player of this name. A guest knows the host's from [`Rules::name`].
    #[must_use]
    pub fn named(mut self, own: Name, other: Name) -> Self {
        (self.name, self.other_name) = (own, other);
        self
    }

    /// The same, and the other side counts as gone after such a silence.
    #[must_use]
    pub fn patient(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// The same, and the hash after this frame is compared and kept, too.
    #[must_use]
    pub fn marking(mut self, frame: u64) -> Self {
        self.marked = Some((frame, None));
        self
    }

    /// The game to show.
    pub fn game(&self) -> &G {
        &self.shown
    }

    /// The game as far as it is certain, and its frame.
    pub fn certain(&self) -> (&G, u64) {
        (&self.certain, self.certain_frame)
    }

    /// Has the other side come?
    pub fn has_begun(&self) -> bool {
        self.greeted
    }

    /// What the other side is called; empty if it has not said so.
    pub fn other_name(&self) -> Name {
        self.other_name
    }

    /// The last frame after which both sides had the same hash.
    pub fn agreed(&self) -> u64 {
        self.agreed
    }

    /// For how long nothing has come from the other side, if that is longer than usual.
    pub fn interrupted(&self, now: Duration) -> Option<Duration> {
        let silence = self.heard.filter(|_| self.greeted).map(|heard| now.saturating_sub(heard));
        silence.filter(|silence| *silence > INTERRUPTED)
    }

    /// The last frame that the other side is certain of, as far as is known.
    pub fn other_certain(&self) -> u64 {
        self.other_certain
    }

    /// One's own buttons from the next frame that is shown on, which do not count yet: as many as
    /// [`RollbackSession::delay`].
    pub fn pending(&self) -> impl Iterator<Item = u8> + '_ {
        let shown = (self.shown_frame - self.certain_frame) as usize;
        self.buttons[self.own].iter().skip(shown).copied()
    }

    /// The frame that is shown.
    pub fn frame(&self) -> u64 {
        self.shown_frame
    }

    /// The hash of the game after a certain frame: of the first, of the one that is marked, and of
    /// the last 64 that were compared.
    pub fn hash_after(&self, frame: u64) -> Option<u64> {
        if frame == 0 {
            return Some(self.terms.beginning);
        }
        if let Some((at, hash)) = self.marked
            && at == frame
        {
            return hash;
        }
        self.hashes.iter().find(|(at, _)| *at == frame).map(|&(_, hash)| hash)
    }

    /// How it went so far.
    pub fn tally(&self) -> Tally {
        Tally { guessed: self.shown_frame - self.certain_frame, ..self.tally }
    }

    /// Takes in what has come and runs a frame, if one can be run, with what one's own player
    /// presses. To be called once a frame, with the time since any moment that stays the same.
    pub fn turn(&mut self, pressed: u8, now: Duration, wire: &mut impl Wire) -> Advance {
        self.turn_witnessed(pressed, now, wire, &mut |_, _| {})
    }

    /// The same, and `witness` is shown the game after each frame that has become certain, one
    /// after the other from the first on, and what both held in it. Nothing that it sees is taken
    /// back.
    pub fn turn_witnessed(
        &mut self,
        pressed: u8,
        now: Duration,
        wire: &mut impl Wire,
        witness: &mut Witness<'_, G>,
    ) -> Advance {
        if let Some(end) = &self.end {
            return Advance::Over(end.clone());
        }
        wire.pass(now);
        for _ in 0..BATCH {
            let Some(bytes) = wire.receive() else { break };
            self.take(&bytes, now);
            // At once, because the next message may be a stranger's.
            if let Some(answer) = self.answer.take() {
                wire.send(&answer.bytes());
            }
            if self.greeted {
                wire.settle();
            }
        }
        self.settle(witness);
        if self.greeted && self.heard.is_some_and(|heard| now.saturating_sub(heard) > self.silence) {
            self.end = Some(End::Gone(self.silence));
        }
        if let Some(end) = &self.end {
            if matches!(end, End::Terms { .. }) {
                // So that the other side can say the same.
                wire.send(&self.hello().bytes());
            }
            if !matches!(end, End::Left) {
                wire.send(&Message::Bye(self.number).bytes());
            }
            return Advance::Over(end.clone());
        }
        if !self.greeted {
            let hello = self.hello();
            self.knock(now, wire, &hello);
            return Advance::Waiting;
        }
        if self.shown_frame - self.certain_frame >= AHEAD || self.unconfirmed.len() >= MOST {
            self.tally.stalls += 1;
            let message = self.message();
            self.knock(now, wire, &message);
            return Advance::Stalled;
        }
        if self.lead >= LEAD && self.tally.frames >= self.waited + BETWEEN_WAITS {
            self.waited = self.tally.frames;
            self.tally.waits += 1;
            wire.send(&self.message().bytes());
            return Advance::Stalled;
        }
        self.buttons[self.own].push_back(pressed);
        self.unconfirmed.push_back(pressed);
        self.run(true);
        self.tally.frames += 1;
        self.settle(witness);
        wire.send(&self.message().bytes());
        // The host may have greeted first, and then does not know the guest's name.
        let is_early = self.tally.frames < INTRODUCED && self.tally.frames.is_multiple_of(COMPARED);
        if self.rules.is_none() && is_early && self.name != Name::EMPTY {
            wire.send(&self.hello().bytes());
        }
        self.knocked = Some(now);
        Advance::Frame
    }

    /// Leaves the match.
    pub fn leave(&mut self, wire: &mut impl Wire) {
        // Three, because each may be lost; if all are, the other side waits its seconds.
        (0..3).for_each(|_| wire.send(&Message::Bye(self.number).bytes()));
        self.end = Some(End::Left);
    }

    /// Sends a message unless one was sent a moment ago.
    fn knock(&mut self, now: Duration, wire: &mut impl Wire, message: &Message) {
        if self.knocked.is_none_or(|knocked| now.saturating_sub(knocked) >= KNOCK) {
            self.knocked = Some(now);
            wire.send(&message.bytes());
        }
    }

    fn hello(&self) -> Message {
        Message::Hello(self.number, self.terms, self.name)
    }

    fn message(&self) -> Message {
        Message::Buttons {
            number: self.number,
            received: self.certain_frame + self.buttons[1 - self.own].len() as u64,
            first: self.unconfirmed_from,
            buttons: self.unconfirmed.iter().copied().take(MOST).collect(),
            certain: self.hashes.back().copied().unwrap_or((0, self.terms.beginning)),
        }
    }

    fn take(&mut self, bytes: &[u8], now: Duration) {
        match Message::read(bytes) {
            Ok(Message::Hello(number, other, name)) if number == self.number && other == self.terms => {
                if self.rules.is_some() && (!self.greeted || self.other_name == Name::EMPTY) {
                    self.other_name = name;
                }
                // Anybody can send back what a host says of itself: only buttons show a player.
                match self.rules {
                    None => self.greet(now),
                    Some(_) if !self.greeted => self.answer = Some(self.hello()),
                    Some(_) => {}
                }
            }
            Ok(Message::Hello(number, other, _)) if !self.greeted => match self.rules {
                // So that the other side can say what differs.
                Some(_) => self.answer = Some(self.hello()),
                None if number == self.number => self.end = Some(End::Terms { own: self.terms, other }),
                None => self.tally.strange += 1,
            },
            Ok(Message::Buttons { number, received, first, buttons, certain }) if number == self.number => {
                self.greet(now);
                self.heard = Some(now);
                self.confirm(received);
                self.learn(first, &buttons);
                self.other_certain = self.other_certain.max(certain.0);
                self.compare_clocks(received, first.saturating_add(buttons.len() as u64));
                if self.other_hashes.back() != Some(&certain) {
                    self.other_hashes.push_back(certain);
                }
            }
            Ok(Message::Knock(_)) if self.rules.is_some() => self.answer = self.rules.map(Message::Invite),
            Ok(Message::Bye(number)) if self.greeted && number == self.number => self.end = Some(End::Left),
            Err(error @ MessageError::Version(_)) if !self.greeted => match self.rules {
                Some(_) => self.answer = Some(self.hello()),
                None => self.end = Some(End::Version(error)),
            },
            Ok(_) | Err(_) => self.tally.strange += 1,
        }
    }

    /// The other side is there.
    fn greet(&mut self, now: Duration) {
        if !self.greeted {
            self.greeted = true;
            self.heard = Some(now);
        }
    }

    /// The other side has pressed buttons for `theirs` frames, and had mine of `received` when it
    /// said so. What lies between is the way there and the lead of a clock; the way is the same for
    /// both.
    fn compare_clocks(&mut self, received: u64, theirs: u64) {
        // A message that was overtaken on its way says how things stood before.
        if theirs < self.clock_heard {
            return;
        }
        self.clock_heard = theirs;
        let mine = self.unconfirmed_from as i64 + self.unconfirmed.len() as i64;
        // What a stranger claims does not overflow.
        let [theirs, received] = [theirs, received].map(|frames| frames.min(1 << 40) as i64);
        self.lead = ((mine - theirs) - (theirs - received)) / 2;
    }

    /// The other side has my buttons of so many frames.
    fn confirm(&mut self, received: u64) {
        while self.unconfirmed_from < received && self.unconfirmed.pop_front().is_some() {
            self.unconfirmed_from += 1;
        }
    }

    /// Buttons of the other side from frame `first` on. What is known is skipped, and after a gap
    /// nothing is taken.
    fn learn(&mut self, first: u64, buttons: &[u8]) {
        let known = &mut self.buttons[1 - self.own];
        let next = self.certain_frame + known.len() as u64;
        let Some(skipped) = next.checked_sub(first) else { return };
        // A side can be ahead by so much at most; who claims more is not believed.
        let room = (2 * AHEAD as usize + MOST).saturating_sub(known.len());
        let new = buttons.iter().skip(skipped.min(MOST as u64) as usize).take(room);
        known.extend(new);
    }

    /// Runs what has become certain, and goes back where a guess was wrong.
    fn settle(&mut self, witness: &mut Witness<'_, G>) {
        let mut wrong = false;
        while self.certain_frame < self.shown_frame {
            let [Some(&one), Some(&two)] = self.buttons.each_ref().map(VecDeque::front) else { break };
            let pair = [one, two];
            self.held = pair[1 - self.own];
            wrong |= self.taken.pop_front() != Some(self.held);
            self.certain.frame(pair);
            self.certain_frame += 1;
            witness(&self.certain, pair);
            for buttons in &mut self.buttons {
                buttons.pop_front();
            }
            let is_marked = self.marked.is_some_and(|(at, _)| at == self.certain_frame);
            if is_marked {
                self.marked = Some((self.certain_frame, Some(self.certain.hash())));
            }
            if is_marked || self.certain_frame.is_multiple_of(COMPARED) {
                if self.hashes.len() == HASHES {
                    self.hashes.pop_front();
                }
                self.hashes.push_back((self.certain_frame, self.certain.hash()));
            }
        }
        self.compare();
        if wrong {
            let frames = self.shown_frame - self.certain_frame;
            self.tally.rollbacks += 1;
            self.tally.again += frames;
            self.tally.longest = self.tally.longest.max(frames);
            let before = std::mem::replace(&mut self.shown, self.certain.clone());
            self.shown_frame = self.certain_frame;
            self.taken.clear();
            (1..=frames).for_each(|frame| self.run(frame == frames));
            self.shown.set_seen(true);
            self.shown.replace(&before);
        }
    }

    /// Runs the next frame of the game that is shown.
    fn run(&mut self, seen: bool) {
        let at = (self.shown_frame - self.certain_frame) as usize;
        let other = &self.buttons[1 - self.own];
        let taken = other.get(at).or(other.back()).copied().unwrap_or(self.held);
        let mut pair = [taken; 2];
        pair[self.own] = self.buttons[self.own].get(at).copied().unwrap_or(0);
        self.taken.push_back(taken);
        self.shown.set_seen(seen);
        self.shown.frame(pair);
        self.shown_frame += 1;
    }

    /// Compares hashes of frames that both sides know for certain.
    fn compare(&mut self) {
        while let Some(&(frame, other)) = self.other_hashes.front() {
            if frame > self.certain_frame && self.other_hashes.len() <= HASHES {
                break;
            }
            self.other_hashes.pop_front();
            let own = self.hashes.iter().find(|(own_frame, _)| *own_frame == frame).map(|&(_, hash)| hash);
            let own = if frame == 0 { Some(self.terms.beginning) } else { own };
            match own {
                Some(own) if own != other => {
                    self.end.get_or_insert(End::Desync { frame, own, other });
                }
                Some(_) => self.agreed = self.agreed.max(frame),
                None => {}
            }
        }
    }

    /// Frames before one's own buttons count.
    pub fn delay(&self) -> u64 {
        self.delay
    }
}
