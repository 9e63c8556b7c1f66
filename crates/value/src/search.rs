//! The search of the networks: which boards of a decision they evaluate, and how deep.

use tetris::{Piece, Playfield};

use crate::decide::{Child, Decider, Evaluator, NOT_LOOKED_AT, SHARES, Seen, Worth, counted, mean};
use crate::evaluator::NetEvaluator;
use crate::format::{Format, Speed};
use crate::linear::Linear;

/// All pieces, as bits by number.
const EVERY_PIECE: u8 = 0x7F;

/// The boards of a decision that the networks evaluate.
#[derive(Clone, Debug)]
pub enum Candidates {
    /// All of them.
    All,
    /// This many that the weights prefer, and half as many for each next piece. The others are
    /// [`NOT_LOOKED_AT`].
    ///
    /// A network that has seen few games is right about boards that come up in them, and wrong
    /// about boards that no player would leave: those it is never asked about.
    Best(Box<Linear>, usize),
}

impl Candidates {
    /// Returns the `count` boards that the weights prefer; all boards if it is 0.
    pub fn best(weights: Linear, count: usize) -> Self {
        if count == 0 { Self::All } else { Self::Best(Box::new(weights), count) }
    }
}

/// Evaluates the candidates of a decision by networks, and those that look best by the whole
/// decision about each next piece.
#[derive(Clone, Debug)]
pub struct Search {
    format: Format,
    evaluator: NetEvaluator,
    candidates: Candidates,
    /// By speed.
    breadths: [usize; 4],
    /// The one of them that counts now; 0 where the next piece is not looked at.
    breadth: usize,
    narrow: usize,
    /// Decides about the next piece; none where it is looked at nowhere.
    next: Option<Box<(Decider, Self)>>,
    deciding: Speed,
    /// The next pieces that may come, as bits.
    possible: u8,
    remembers: bool,
    seen: Vec<Seen>,
    /// By board and next piece; of use where not all of the decision is what the networks said.
    odds: Vec<Worth>,
    order: Vec<(f32, usize)>,
    /// By board, the next pieces for which it was chosen, as bits.
    chosen: Vec<u8>,
    /// The candidates, and their values.
    children: Vec<Child>,
    worths: Vec<Worth>,
}

impl Search {
    /// A search with a breadth for each next piece that is looked at, by speed: the number of
    /// boards that are evaluated by the whole decision about that piece. A decision with premoves
    /// also takes half as many for each next piece. All other boards are [`NOT_LOOKED_AT`]. Without
    /// a breadth, or where it is 0, boards have the values of the networks.
    ///
    /// Those of level 18 count at every speed, unless a player uses the search.
    ///
    /// If `narrow` is not 0 and there are two breadths or more, all boards of the first are
    /// evaluated two pieces deep, and only the best `narrow` of them deeper.
    pub fn new(
        format: &Format,
        evaluator: NetEvaluator,
        candidates: Candidates,
        breadths: &[[usize; 4]],
        narrow: usize,
    ) -> Self {
        let next = breadths.split_first().map(|(_, further)| {
            let next = Self::new(format, evaluator.clone(), candidates.clone(), further, 0);
            Box::new((Decider::new(format), next))
        });
        let breadths = breadths.first().copied().unwrap_or_default();
        let (seen, odds, order, chosen) = Default::default();
        let (children, worths) = Default::default();
        Self {
            format: *format,
            evaluator,
            candidates,
            breadths,
            breadth: breadths[0],
            narrow,
            next,
            deciding: Speed::L18,
            possible: EVERY_PIECE,
            remembers: false,
            seen,
            odds,
            order,
            chosen,
            children,
            worths,
        }
    }

    /// The same, that remembers what each decision looked at.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { remembers: true, ..self }
    }

    /// Sets the speed by whose breadths boards are looked at: that of the decision, also where it
    /// looks at boards of the next speed.
    pub(crate) fn settle(&mut self, speed: Speed) {
        self.breadth = self.breadths[speed as usize];
        if let Some(next) = &mut self.next {
            next.1.settle(speed);
        }
    }

    /// See [`NetEvaluator::unit`].
    pub(crate) fn unit(&self, speed: Speed) -> f32 {
        self.evaluator.unit(speed)
    }

    /// Sets the next piece, if it is known: boards are then evaluated for it alone. `None`, as at
    /// first, is any piece.
    pub(crate) fn know(&mut self, next: Option<Piece>) {
        self.possible = next.map_or(EVERY_PIECE, |next| 1 << next as u8);
    }

    /// Chooses the best boards by their means, and half as many for each next piece where `each`.
    fn choose(&mut self, count: usize, piece: Piece, each: bool, worths: &[Worth]) {
        self.chosen.clear();
        self.chosen.resize(worths.len(), 0);
        self.mark(count, EVERY_PIECE, worths, |worth| mean(worth, &SHARES[piece as usize]));
        if each {
            for next in 0..7 {
                self.mark(count.div_ceil(2), 1 << next, worths, |worth| worth[next]);
            }
        }
    }

    /// Marks the best boards by some measure, of equals the first.
    fn mark(&mut self, count: usize, lanes: u8, worths: &[Worth], of: impl Fn(&Worth) -> f32) {
        self.order.clear();
        self.order
            .extend(worths.iter().enumerate().map(|(number, worth)| (of(&counted(worth, 0.0)), number)));
        self.order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for &(_, number) in self.order.iter().take(count) {
            self.chosen[number] |= lanes;
        }
    }

    /// Evaluates the `count` boards that the weights rated best by the networks.
    fn ask_about_best(&mut self, count: usize, piece: Piece, children: &[Child], worths: &mut [Worth]) {
        self.choose(count, piece, true, worths);
        self.children.clear();
        let chosen = children.iter().zip(&self.chosen).filter(|(_, lanes)| **lanes != 0);
        self.children.extend(chosen.map(|(child, _)| child));
        self.evaluator.rate_all(&self.children, &mut self.worths);
        self.odds.clear();
        let mut rated = self.worths.iter().zip(self.evaluator.odds());
        for (worth, &lanes) in worths.iter_mut().zip(&self.chosen) {
            let rated = if lanes != 0 { rated.next() } else { None };
            let (of_board, odds) =
                rated.map_or(([NOT_LOOKED_AT; 8], [0.0; 8]), |(worth, odds)| (*worth, *odds));
            *worth = of_board;
            self.odds.push(odds);
        }
    }

    /// Evaluates the best `breadth` boards by the decision about each next piece.
    fn look(&mut self, breadth: usize, next: &mut (Decider, Self), boards: Boards<'_>) {
        let Boards { piece, premoves, children, worths } = boards;
        // Without premoves a board serves every next piece, or none.
        self.choose(breadth, piece, premoves, worths);
        let (decider, search) = next;
        let stake = self.evaluator.stake_at(self.deciding);
        for (number, (child, worth)) in children.iter().zip(worths).enumerate() {
            if child.lines >= self.format.lines {
                continue;
            }
            let of_lock = self.evaluator.of_lock(child);
            let speed = self.format.speed(child.lines);
            for next in Piece::ALL {
                let (worth, odds) = (&mut worth[next as usize], &mut self.odds[number][next as usize]);
                (*worth, *odds) = (NOT_LOOKED_AT, 0.0);
                if self.chosen[number] & self.possible & 1 << next as u8 == 0 {
                    continue;
                }
                let choice = decider.decide(search, &child.board, child.lines, next);
                let (points, of_choice) = choice.map_or((0.0, 0.0), |choice| (choice.points, choice.odds));
                // A board of the next speed has reached the end of this one.
                *odds =
                    if speed == self.deciding { of_choice } else { f32::from(u8::from(choice.is_some())) };
                *worth = of_lock + self.evaluator.counted(self.deciding, speed) * points + stake * *odds;
                if self.remembers {
                    let (board, lines) = (child.board, child.lines);
                    self.seen.push(Seen { board, lines, piece: next, value: points, odds: of_choice });
                }
            }
        }
    }
}

/// The boards of a decision.
struct Boards<'a> {
    piece: Piece,
    premoves: bool,
    children: &'a [Child],
    worths: &'a mut [Worth],
}

impl Evaluator for Search {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        self.deciding = self.format.speed(lines);
        self.evaluator.begin(board, lines);
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        match &mut self.candidates {
            Candidates::All => self.evaluator.rate(child),
            Candidates::Best(weights, _) => weights.rate(child),
        }
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        match &mut self.candidates {
            Candidates::All => self.evaluator.rate_all(children, worths),
            Candidates::Best(weights, _) => weights.rate_all(children, worths),
        }
    }

    fn look_ahead(&mut self, piece: Piece, premoves: bool, children: &[Child], worths: &mut [Worth]) {
        if let Candidates::Best(_, count) = self.candidates {
            self.ask_about_best(count, piece, children, worths);
        }
        self.seen.clear();
        if self.breadth == 0 {
            return;
        }
        let Some(mut next) = self.next.take() else { return };
        if matches!(self.candidates, Candidates::All) {
            self.odds.clear();
            self.odds.extend(self.evaluator.odds());
        }
        let further = next.1.breadth;
        if self.narrow > 0 && further > 0 {
            next.1.breadth = 0;
            self.look(self.breadth, &mut next, Boards { piece, premoves, children, worths });
            next.1.breadth = further;
            self.look(self.narrow, &mut next, Boards { piece, premoves, children, worths });
        } else {
            self.look(self.breadth, &mut next, Boards { piece, premoves, children, worths });
        }
        self.next = Some(next);
    }

    fn seen(&self) -> &[Seen] {
        &self.seen
    }

    fn odds(&self) -> &[Worth] {
        let by_nets = self.breadth == 0 && matches!(self.candidates, Candidates::All);
        if by_nets { self.evaluator.odds() } else { &self.odds }
    }

    fn stake(&self) -> f32 {
        self.evaluator.stake()
    }
}
