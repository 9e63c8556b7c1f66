//! What is said of a match: who is ready, who has won.

use crate::{Match, Stage};

/// Frames of a second of the countdown.
const SECOND: u16 = 60;

/// What was said so far.
#[derive(Debug, Default)]
pub(super) struct Referee {
    stage: Option<Stage>,
    results: usize,
}

/// Returns what to call a player of a match, by the number of this computer's player.
fn who(player: usize, own: usize, names: &[String; 2]) -> String {
    let name = &names[usize::from(player != own)];
    match (name.is_empty(), player == own) {
        (true, true) => "you".into(),
        (true, false) => "the other player".into(),
        (false, _) => name.clone(),
    }
}

impl Referee {
    /// Looks at a match of certain frames, and says what has changed. Returns whether a game is
    /// over.
    pub(super) fn look(
        &mut self,
        game: &Match,
        own: usize,
        names: &[String; 2],
        said: &mut Vec<String>,
    ) -> bool {
        let stage = game.stage();
        let before = self.stage.replace(stage);
        let over = std::mem::replace(&mut self.results, game.results().len()) < game.results().len();
        if over {
            said.push(result(game, own, names));
        }
        match (before, stage) {
            (None, Stage::Ready(_)) => {
                let rules = game.rules();
                said.push(format!(
                    "{}, level {}, best of {}: press Start when you are ready",
                    rules.kind, rules.level, rules.best_of
                ));
            }
            (Some(Stage::Ready(before)), Stage::Ready(ready)) if !before[1 - own] && ready[1 - own] => {
                said.push(format!("{} is ready", who(1 - own, own, names)));
            }
            (Some(Stage::Countdown(_)), Stage::Playing) => said.push("go".into()),
            (_, Stage::Countdown(left)) if left.is_multiple_of(SECOND) && left > 0 => {
                said.push(format!("the game begins in {}", left / SECOND));
            }
            _ => {}
        }
        over
    }
}

impl Referee {
    /// The same for one who watches.
    pub(super) fn look_on(&mut self, game: &Match, names: &[String; 2], said: &mut Vec<String>) -> bool {
        let before = self.stage.replace(game.stage());
        let over = std::mem::replace(&mut self.results, game.results().len()) < game.results().len();
        if over {
            said.push(watched(game, names));
        }
        if let (Some(Stage::Countdown(_)), Stage::Playing) = (before, game.stage()) {
            said.push("go".into());
        }
        over
    }
}

/// Returns how a match of others stands, in a line.
pub(super) fn watched(game: &Match, names: &[String; 2]) -> String {
    let [one, two] = names;
    let wins = game.wins();
    let of_match = format!("{}:{} of {}", wins[0], wins[1], game.rules().best_of);
    match (game.stage(), game.results().last()) {
        (Stage::Over { .. }, Some(result)) => {
            let [a, b] = result.standings;
            let who =
                result.winner.map_or_else(|| "a draw".into(), |winner| format!("{} wins", names[winner]));
            let scores =
                format!("{} points and {} lines against {} and {}", a.score, a.lines, b.score, b.lines);
            format!("{who}: {one}'s {scores}. The match stands {of_match}")
        }
        (Stage::Playing, _) => format!("{one} plays {two}: {of_match}"),
        (Stage::Countdown(left), _) => format!("the game begins in {}", left.div_ceil(SECOND)),
        _ => format!("{one} and {two} get ready: {of_match}"),
    }
}

/// Returns how the last game ended, and how the match stands.
fn result(game: &Match, own: usize, names: &[String; 2]) -> String {
    let Some(result) = game.results().last() else { return String::new() };
    let [mine, theirs] = [result.standings[own], result.standings[1 - own]];
    let scores = format!(
        "{} points and {} lines against {} and {}",
        mine.score, mine.lines, theirs.score, theirs.lines
    );
    let of_game = match result.winner {
        Some(winner) if winner == own => format!("you win: {scores}"),
        Some(winner) => format!("{} wins: your {scores}", who(winner, own, names)),
        None => format!("a draw: {scores}"),
    };
    format!("{of_game}. {}", game.best_of().standing(own, &who(1 - own, own, names)))
}

/// Returns how the match that is shown stands, in a line.
pub(super) fn standing(game: &Match, own: usize, names: &[String; 2], guessed: u64) -> String {
    let other = who(1 - own, own, names);
    match game.stage() {
        Stage::Ready(ready) if ready[own] => format!("ready; waiting for {other} to press Start"),
        Stage::Ready(_) => "press Start when you are ready".into(),
        Stage::Countdown(left) => format!("the game begins in {}", left.div_ceil(SECOND)),
        Stage::Playing => format!("playing; {guessed} frames ahead of {other}'s buttons"),
        Stage::Over { ready, .. } if ready[own] => format!("waiting for {other} to press Start"),
        Stage::Over { .. } => result(game, own, names),
    }
}
