//! A whole game as text.

use crate::page::{Limits, Refusal};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use tengen_go::{Board, Color, Game, Handicap, Komi, Move, Preset, Rules, Size, default_komi};

/// The mark before a move out of turn.
pub const OUT_OF_TURN: char = '~';

/// A whole game as text: board, rules, set-up stones and moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// Board size, `9x7`.
    pub size: Size,
    /// Komi, in points; none for the default komi of the board size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub komi: Option<Komi>,
    /// Rule set.
    #[serde(default)]
    pub rules: Preset,
    /// Number of handicap stones among the set-up stones: White receives the points that the
    /// rules give for handicap stones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub handicap: u16,
    /// Stones before the first move: rows from the top, joined by `/`, with `X`, `O` and
    /// `.`; empty for an empty board.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// Who moves first.
    #[serde(default)]
    pub first: Color,
    /// The moves as GTP writes them, joined by `.`, such as `C3.B2.pass`; `~` precedes a
    /// move out of turn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
}

/// Whether `number` is 0, as serde asks.
pub fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

impl GameText {
    /// The text of `game`.
    pub fn of(game: &Game) -> Result<Self, Refusal> {
        let Rules { ko, suicide, komi, .. } = game.rules();
        // If no rule set gives White these points for handicap stones, they are part of komi.
        let none = Handicap::default();
        let (preset, komi, handicap) = match game.preset() {
            Some(preset) => (Some(preset), game.komi(), game.handicap()),
            None => (Preset::of(ko, suicide, none), komi, none),
        };
        let rules = preset.ok_or_else(|| {
            Refusal::new(format!("no rule set has the ko rule {ko} and the suicide rule {suicide}"))
        })?;
        let start = game.position_at(0).unwrap_or(game.board());
        let has_stones = start.empty().count() as usize != game.size().points();
        let mut turn = start.to_play();
        let mut moves = Vec::with_capacity(game.moves().len());
        for (color, mv) in game.moves() {
            let mark = if color == turn { String::new() } else { OUT_OF_TURN.to_string() };
            moves.push(format!("{mark}{mv}"));
            turn = !color;
        }
        Ok(Self {
            size: game.size(),
            komi: Some(komi),
            rules,
            handicap: handicap.stones,
            setup: if has_stones { start.to_rows() } else { String::new() },
            first: start.to_play(),
            moves: moves.join("."),
        })
    }

    /// The game.
    pub fn game(&self, limits: &Limits) -> Result<Game, Refusal> {
        let komi = self.komi.unwrap_or_else(|| default_komi(self.size));
        let rules = Rules::new(self.rules, self.size, komi);
        let most = u16::try_from(self.size.points()).unwrap_or(u16::MAX);
        let handicap = self.rules.handicap(self.handicap.min(most));
        let mut game = Game::from_position(self.start()?, rules).with_handicap(handicap);
        let plies = self.moves.split('.').filter(|text| !text.is_empty());
        for (number, text) in plies.enumerate() {
            if number >= limits.plies {
                let most = limits.plies;
                return Err(Refusal::new(format!("the game has more than {most} plies")));
            }
            let name = text.trim_start_matches(OUT_OF_TURN);
            let turn = game.to_play();
            let color = if name.len() == text.len() { turn } else { !turn };
            let refusal =
                |why: &dyn Display| Refusal::new(format!("move {}, {text}: {why}", number + 1));
            let mv: Move = name.parse().map_err(|why| refusal(&why))?;
            // Past moves may break the rules: in records, players continue after two passes to
            // settle a dispute.
            game.play_past(color, mv).map_err(|why| refusal(&why))?;
        }
        Ok(game)
    }

    /// The position before the first move.
    fn start(&self) -> Result<Board<6>, Refusal> {
        if self.setup.is_empty() {
            let mut board = Board::new(self.size);
            board.turn_to(self.first);
            return Ok(board);
        }
        let board = Board::from_diagram(&self.setup, self.first)
            .map_err(|fault| Refusal::new(format!("the set-up stones: {fault}")))?;
        if board.size() == self.size {
            Ok(board)
        } else {
            let (is, wanted) = (board.size(), self.size);
            Err(Refusal::new(format!("the set-up stones are of a board {is} and not {wanted}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> GameText {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_game_is_the_same_after_the_way_through_text() {
        for json in [
            r#"{"size":"5x5","komi":2.5}"#,
            r#"{"size":"9x9"}"#,
            r#"{"size":"5x5","komi":2.5,"moves":"C3.B2.pass.D4"}"#,
            r#"{"size":"7x5","komi":-0.5,"rules":"aga","first":"white","moves":"C3.~B2.D4"}"#,
            r#"{"size":"3x3","komi":0,"setup":"X../.O./...","moves":"pass.pass.A1"}"#,
            r#"{"size":"3x3","komi":0.5,"rules":"chinese","handicap":2,"setup":"X../.../..X"}"#,
        ] {
            let game = text(json).game(&Limits::default()).unwrap();
            let again = GameText::of(&game).unwrap().game(&Limits::default()).unwrap();
            assert_eq!(again.board(), game.board(), "{json}");
            assert!(again.moves().eq(game.moves()), "{json}");
            assert_eq!(again.rules(), game.rules(), "{json}");
            assert_eq!(again.handicap(), game.handicap(), "{json}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        for (json, why) in [
            (r#"{"size":"5x5","komi":2.5,"moves":"C3.C3"}"#, "move 2, C3: the point is occupied"),
            (r#"{"size":"5x5","komi":2.5,"moves":"C9"}"#, "move 1, C9: the point is not on"),
            (r#"{"size":"5x5","komi":2.5,"moves":"I9"}"#, "move 1, I9: invalid vertex `I9`"),
            (r#"{"size":"5x5","komi":2.5,"moves":"é"}"#, "invalid vertex `é`"),
            (r#"{"size":"5x5","komi":2.5,"setup":"X./.."}"#, "board 2x2 and not 5x5"),
            (r#"{"size":"2x2","komi":2.5,"setup":"XX/XX"}"#, "the set-up stones: "),
            (r#"{"size":"2x2","komi":2.5,"setup":"é"}"#, "the set-up stones: "),
        ] {
            let refusal = text(json).game(&Limits::default()).unwrap_err().to_string();
            assert!(refusal.contains(why) && !refusal.contains('\n'), "{refusal}");
        }
        let limits = Limits { plies: 2, ..Limits::default() };
        let long = text(r#"{"size":"5x5","komi":2.5,"moves":"A1.A2.A3"}"#);
        assert!(long.game(&limits).unwrap_err().to_string().contains("more than 2 plies"));
    }
}
