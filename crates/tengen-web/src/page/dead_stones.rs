//! The score of a position without the stones that the players consider dead.

use crate::page::position::{Count, count, vertices};
use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_go::{Bits, Board, Color, Game, Rules, Vertex};

/// A position and the chains in it that are dead.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadRequest {
    /// The game.
    pub game: GameText,
    /// A stone of each dead chain.
    pub dead: Vec<Vertex>,
}

/// The score without the dead chains.
#[derive(Debug, Serialize)]
pub struct DeadStones {
    /// The stones of each dead chain, in the order of the request.
    pub chains: Vec<Vec<Vertex>>,
    /// Area and score without the dead chains.
    pub count: Count,
}

impl DeadRequest {
    /// The score without the dead chains.
    pub fn answer(&self, limits: &Limits) -> Result<DeadStones, Refusal> {
        let game = self.game.game(limits)?;
        let board = game.board();
        let mut dead = Bits::<6>::EMPTY;
        let mut chains = Vec::new();
        for &vertex in &self.dead {
            let color = vertex.is_on(game.size()).then(|| board.at(vertex)).flatten();
            let color = color.ok_or_else(|| Refusal::new(format!("{vertex} has no stone")))?;
            let chain = Bits::point(Bits::<6>::index(vertex)).flood(board.stones(color));
            dead |= chain;
            chains.push(vertices(chain));
        }
        let of = |color: Color| vertices(board.stones(color) - dead);
        let (black, white) = (of(Color::Black), of(Color::White));
        let rest = Board::set_up(game.size(), &black, &white, board.to_play());
        let rules = Rules { komi: game.komi(), ..game.rules() };
        let rest = Game::from_position(rest.map_err(Refusal::new)?, rules);
        Ok(DeadStones { chains, count: count(&rest.with_handicap(game.handicap())) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(dead: &[&str]) -> Result<DeadStones, Refusal> {
        let game = r#"{"size":"5x5","komi":0.5,"handicap":2,"rules":"chinese",
            "setup":"..X.O/XXX.O/..XOO/XXX.O/.O..O","moves":"pass.pass"}"#;
        let game = serde_json::from_str(game).unwrap();
        let dead = dead.iter().map(|point| point.parse().unwrap()).collect();
        DeadRequest { game, dead }.answer(&Limits::default())
    }

    #[test]
    fn the_score_counts_without_dead_stones() {
        let alive = ask(&[]).unwrap();
        assert_eq!((alive.count.black, alive.count.white), (12, 7));
        let dead = ask(&["B1"]).unwrap();
        assert_eq!(dead.chains, [["B1".parse().unwrap()]]);
        // Without B1 the points beside it are still beside White's E1.
        assert_eq!(dead.count.rows, "XXX.O/XXX.O/XXXOO/XXX.O/....O");
        let both = ask(&["B1", "E3"]).unwrap();
        assert_eq!(both.chains[1].len(), 6);
        assert_eq!((both.count.black, both.count.white), (25, 0));
        // Two points for handicap stones go to White.
        assert_eq!(both.count.result, "B+22.5");
    }

    #[test]
    fn a_point_without_stone_is_refused() {
        assert_eq!(ask(&["A1"]).unwrap_err().to_string(), "A1 has no stone");
        assert_eq!(ask(&["Q16"]).unwrap_err().to_string(), "Q16 has no stone");
    }
}
