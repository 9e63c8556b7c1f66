//! The review of a game: the crate `review`, placement by placement, as JSON.

use notation::Turn;
use notation::game::{Game, Kind};
use notation::link::{Link, Subject};
use practice::{Log, Played};
use review::{Hands, Reviewed, Reviewer, Summary, scores};
use serde_json::{Value, json};
use value::NetSource;

use crate::puzzles::cells;
use crate::{Error, Machine};

/// A review that is under way, or has come to its end.
pub(crate) struct GameReview {
    reviewer: Reviewer,
    hands: Hands,
    is_measured: bool,
    turns: Vec<Turn>,
    reviews: Vec<Reviewed>,
    /// By placement: the number of its piece, the frame of its spawn in the viewer's game, and its
    /// spawn as a position.
    spawns: Vec<(u32, u64, String)>,
    notes: Vec<String>,
    last: (u8, u32, Option<u32>),
}

impl GameReview {
    /// `first` is the number of the frame with which the viewer's game begins.
    fn of_log(
        log: &Log,
        turns: Vec<Turn>,
        first: u64,
        chosen: Hands,
        nets: &NetSource,
    ) -> Result<Self, Error> {
        let (hands, is_measured) = Hands::of_game(&turns, chosen);
        let locked = log.pieces.iter().filter(|played| played.place.is_some());
        let spawns = locked
            .map(|played| {
                (played.number, played.frames[0].saturating_sub(first), Played::position(played).to_string())
            })
            .collect();
        let (level, lines, score) = log.last;
        Ok(Self {
            reviewer: Reviewer::new(hands, nets.get().clone())?,
            hands,
            is_measured,
            turns,
            reviews: Vec::new(),
            spawns,
            notes: Vec::new(),
            last: (level, lines, Some(score)),
        })
    }

    /// The hands for which it is.
    pub(crate) const fn hands(&self) -> Hands {
        self.hands
    }

    /// The placements that were reviewed.
    pub(crate) fn reviews(&self) -> &[Reviewed] {
        &self.reviews
    }

    /// Reviews so many placements more. Returns the new ones, and how it stands.
    fn go_on(&mut self, count: usize) -> Value {
        let begun = self.reviews.len();
        let end = (begun + count).min(self.turns.len());
        for at in begun..end {
            let reviewed = self.reviewer.review(&self.turns[at]);
            self.reviews.push(reviewed);
        }
        let mut new: Vec<Value> = self.reviews[begun..].iter().map(|one| self.json(one)).collect();
        for (value, score) in new.iter_mut().zip(&scores(&self.reviews)[begun..]) {
            value["score"] = json!(score);
        }
        let is_done = end == self.turns.len();
        json!({
            "share": if is_done { 1.0 } else { end as f64 / self.turns.len() as f64 },
            "total": self.turns.len(),
            "reviews": new,
            "hertz": self.hands.hertz,
            "reaction": self.hands.reaction,
            "measured": self.is_measured,
            "notes": self.notes,
            "level": self.last.0,
            "lines": self.last.1,
            "score": self.last.2,
            "summary": (is_done && !self.reviews.is_empty()).then(|| Summary::of(&self.reviews)),
        })
    }

    fn json(&self, reviewed: &Reviewed) -> Value {
        let mut value = serde_json::to_value(reviewed).unwrap_or_default();
        for (name, choice) in [("chosenCells", &reviewed.chosen), ("bestCells", &reviewed.best)] {
            let places = [Some(choice.place), choice.then];
            value[name] = json!(places.map(|place| place.map(cells)));
        }
        if let Some((_, frame, position)) = self.spawns.iter().find(|(number, ..)| *number == reviewed.number)
        {
            value["frame"] = json!(frame);
            value["position"] = json!(position);
        }
        value
    }
}

impl Machine {
    /// Begins a review of the viewer's game, once it was read, for the hands that it tells of, else
    /// for hands of so many taps a second and such a reaction in frames.
    ///
    /// # Errors
    /// When no kept game is open, or nets are missing.
    pub fn begin_review(&mut self, hertz: f64, reaction: u16) -> Result<(), Error> {
        let viewer = self.viewer.as_ref().ok_or(Error::Refused("no kept game is open"))?;
        self.review = Some(GameReview::of_log(
            viewer.log(),
            viewer.log().turns(),
            viewer.first(),
            hands(hertz, reaction),
            self.desk.nets(),
        )?);
        Ok(())
    }

    /// Begins a review of another program's game: a recording of NestrisChamps (`.ngf`, `.ngf.gz`)
    /// or one line a placement (`.csv`, `.jsonl`).
    ///
    /// # Errors
    /// What is wrong with the file, or that nets are missing.
    pub fn review_file(&mut self, name: &str, bytes: &[u8], hertz: f64, reaction: u16) -> Result<(), Error> {
        let kind = Kind::of(name)
            .ok_or(Error::Refused("expected a game that ends in .ngf, .ngf.gz, .csv or .jsonl"))?;
        let game = Game::read(kind, bytes).map_err(|error| Error::Game { name: name.to_owned(), error })?;
        let log = Log::of_turns(&game.turns, game.last);
        let mut review =
            GameReview::of_log(&log, game.turns.clone(), 0, hands(hertz, reaction), self.desk.nets())?;
        review.last.2 = game.last.2;
        review.notes = game.warnings();
        review.notes.extend(game.notes().into_iter().map(|(word, text)| format!("{word}: {text}")));
        (self.review, self.viewer, self.lesson) = (Some(review), None, None);
        Ok(())
    }

    /// Begins a review of the placement of a link.
    ///
    /// # Errors
    /// When the text is no link of a placement, or nets are missing.
    pub fn review_link(&mut self, link: &str) -> Result<(), Error> {
        let Link { subject, board, piece, next, level, lines, hertz } = Link::parse(link)?;
        let Subject::Placement(place) = subject else {
            return Err(Error::Refused("the link carries no placement: expected one of a review"));
        };
        let turn = Turn {
            number: 1,
            board,
            piece,
            next,
            level,
            lines: lines.into(),
            score: None,
            place,
            cleared: board.clone().lock(place),
            ms: [0, 0],
            shifts: Vec::new(),
        };
        let chosen = hands(f64::from(hertz), Hands::default().reaction as u16);
        let log = Log::of_turns(std::slice::from_ref(&turn), (level, lines.into(), None));
        let mut review = GameReview::of_log(&log, vec![turn], 0, chosen, self.desk.nets())?;
        review.last.2 = None;
        (self.review, self.viewer, self.lesson) = (Some(review), None, None);
        Ok(())
    }

    /// Reviews so many placements more. Returns an object of JSON: the share that is done, the new
    /// reviews, at the end the summary.
    ///
    /// # Errors
    /// When no review has begun.
    pub fn review_on(&mut self, count: usize) -> Result<String, Error> {
        let review = self.review.as_mut().ok_or(Error::Refused("there is no review"))?;
        Ok(review.go_on(count).to_string())
    }

    /// Returns the review as a page of HTML, as `maxout review --html` writes it.
    ///
    /// # Errors
    /// When no game was reviewed.
    pub fn review_page(&self, title: &str) -> Result<String, Error> {
        let review = self.review.as_ref().filter(|review| !review.reviews.is_empty());
        let review = review.ok_or(Error::Refused("there is no review"))?;
        Ok(review::page(title, &review.notes, &review.reviews))
    }
}

fn hands(hertz: f64, reaction: u16) -> Hands {
    Hands {
        hertz: if hertz > 0.0 { hertz.clamp(1.0, 60.0) } else { 30.0 },
        reaction: reaction.min(60).into(),
    }
}
