//! Games won of a match of several games.

/// How a match of several games stands. More than half of the games win it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestOf {
    games: u8,
    wins: [u8; 2],
}

impl Default for BestOf {
    fn default() -> Self {
        Self::new(1)
    }
}

impl BestOf {
    /// Returns a match of so many games, at least one, of which none was played.
    pub fn new(games: u8) -> Self {
        Self { games: games.max(1), wins: [0; 2] }
    }

    /// Returns the number of its games.
    pub fn games(self) -> u8 {
        self.games
    }

    /// Returns the games that each player has won.
    pub fn wins(self) -> [u8; 2] {
        self.wins
    }

    /// Returns the player that has won the match, 0 or 1, once it is decided.
    pub fn winner(self) -> Option<usize> {
        self.wins.iter().position(|&wins| 2 * u32::from(wins) > u32::from(self.games))
    }

    /// A game is over, won by this player.
    pub(super) fn count(&mut self, winner: usize) {
        self.wins[winner] = self.wins[winner].saturating_add(1);
    }

    /// The next game begins: of this match, or of a rematch.
    pub(super) fn go_on(&mut self) {
        if self.winner().is_some() {
            self.wins = [0; 2];
        }
    }

    /// Returns how it stands for the player `own`, in a sentence that names the other player.
    pub fn standing(self, own: usize, other: &str) -> String {
        let of_match = format!("{}:{} of {}", self.wins[own], self.wins[1 - own], self.games);
        match self.winner() {
            Some(winner) if winner == own => format!("The match is yours, {of_match}. Start: a rematch"),
            Some(_) => format!("The match goes to {other}, {of_match}. Start: a rematch"),
            None => format!("The match stands {of_match}. Start: the next game"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_half_of_the_games_win_and_a_rematch_begins_anew() {
        let mut match_of_three = BestOf::new(3);
        match_of_three.count(0);
        match_of_three.go_on();
        assert_eq!((match_of_three.wins(), match_of_three.winner()), ([1, 0], None));
        assert_eq!(match_of_three.standing(1, "Ada"), "The match stands 0:1 of 3. Start: the next game");
        match_of_three.count(1);
        match_of_three.count(1);
        assert_eq!((match_of_three.wins(), match_of_three.winner()), ([1, 2], Some(1)));
        assert_eq!(match_of_three.standing(1, "Ada"), "The match is yours, 2:1 of 3. Start: a rematch");
        assert_eq!(match_of_three.standing(0, "Ben"), "The match goes to Ben, 1:2 of 3. Start: a rematch");
        match_of_three.go_on();
        assert_eq!((match_of_three.wins(), match_of_three.winner()), ([0, 0], None));
        let mut of_none = BestOf::new(0);
        of_none.count(0);
        assert_eq!((of_none.games(), of_none.winner()), (1, Some(0)));
    }
}
