//! Settings and rows that tests make up.

use crate::tournament::{GameRow, Outcome, Outline};

/// The outline of a tournament of `bots` with these further settings, lines of TOML.
pub fn outline(settings: &str, bots: &[&str]) -> Outline {
    let table = |name: &&str| format!("[[bot]]\nname = '{name}'\n");
    let bots: String = bots.iter().map(table).collect();
    let text = format!("name = 'x'\nsize = '5x5'\nkomi = 2.5\npairs = 40\n{settings}{bots}");
    Outline::of(&text.parse().unwrap()).unwrap()
}

/// Game `game` of a pairing, in which `one` is Black in even games, and wins or loses.
pub fn game(game: usize, pairing: usize, [one, other]: [&str; 2], one_wins: bool) -> GameRow {
    let one_is_black = game.is_multiple_of(2);
    let [black, white] = if one_is_black { [one, other] } else { [other, one] }.map(str::to_owned);
    let outcome = if one_wins == one_is_black { Outcome::Black } else { Outcome::White };
    GameRow { game, pair: game / 2, pairing, black, white, outcome, ..GameRow::example() }
}
