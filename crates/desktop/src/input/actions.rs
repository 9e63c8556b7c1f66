//! Actions of practice that a player can bind to keys and to buttons of a pad. Written in the
//! configuration file as lists of names, like the buttons of the console.

use serde::{Deserialize, Serialize};

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident $field:ident,)+) => {
        /// An action that can be bound.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$doc])* $action,)+
        }

        impl Action {
            /// All of them, in the order of their page.
            pub const ALL: &'static [Self] = &[$(Self::$action),+];
        }

        /// For each action what it is bound to besides its usual key; any of them does it.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case", bound(deserialize = "T: Deserialize<'de>"))]
        pub struct ActionBindings<T> {
            $(pub $field: Vec<T>,)+
        }

        impl<T> Default for ActionBindings<T> {
            fn default() -> Self {
                Self { $($field: vec![],)+ }
            }
        }

        impl<T: PartialEq> ActionBindings<T> {
            /// Returns what `action` is bound to.
            pub fn of(&self, action: Action) -> &[T] {
                match action {
                    $(Action::$action => &self.$field,)+
                }
            }

            /// Returns the same to change.
            pub fn of_mut(&mut self, action: Action) -> &mut Vec<T> {
                match action {
                    $(Action::$action => &mut self.$field,)+
                }
            }
        }
    };
}

actions! {
    /// Begins a game of the mode that is on, or a new game.
    Again again,
    /// Takes the last piece back.
    TakeBack take_back,
    /// Takes the last piece back; other pieces come from there.
    TakeBackOther take_back_other,
    /// Marks the position in which the piece in play came in.
    Mark mark,
    /// Goes to the position that was marked last.
    Retry retry,
    /// Goes there; other pieces come from there.
    RetryOther retry_other,
    /// Goes back five seconds of a kept game.
    SeekBack seek_back,
    /// Goes on five seconds of a kept game.
    SeekOn seek_on,
    /// Plays on from a kept game.
    TakeOver take_over,
    /// Opens the review of the game so far.
    Review review,
    /// Ends practice; the game goes on.
    EndPractice end_practice,
    /// Saves a state into the slot that is chosen.
    Save save,
    /// Loads the state of that slot.
    Load load,
}

impl<T: PartialEq> ActionBindings<T> {
    /// Returns the action that `input` does.
    pub fn action(&self, input: &T) -> Option<Action> {
        Action::ALL.iter().copied().find(|&action| self.of(action).contains(input))
    }

    /// Takes `input` away from whatever action it did.
    pub fn forget(&mut self, input: &T) {
        for &action in Action::ALL {
            self.of_mut(action).retain(|bound| bound != input);
        }
    }

    /// Returns whether nothing is bound.
    pub fn is_empty(&self) -> bool {
        Action::ALL.iter().all(|&action| self.of(action).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_does_one_action() {
        let mut bindings = ActionBindings::default();
        assert!(bindings.is_empty());
        for (number, &action) in (0..).zip(Action::ALL) {
            bindings.of_mut(action).push(number);
            assert_eq!(bindings.action(&number), Some(action));
        }
        bindings.forget(&3);
        assert_eq!((bindings.action(&3), bindings.action(&4)), (None, Some(Action::Retry)));
    }
}
