//! Exact values of positions on small boards.

use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_go::Move;
use tengen_solver::{Limits as SolverLimits, Solver};

/// Most positions that are examined for an answer; this takes about half a second.
const MAX_NODES: u64 = 100_000;

/// A question for the exact value of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The game.
    pub game: GameText,
    /// Most positions to examine; none for as many as are allowed.
    #[serde(default)]
    pub nodes: Option<u64>,
}

/// The proven bounds of a position's value.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// Black's lead under best play is at least this: in points, after komi.
    pub lower: f64,
    /// Black's lead under best play is at most this: in points, after komi.
    pub upper: f64,
    /// Whether the bounds are final: they meet, or best play may be an endless game, which may
    /// count as either bound.
    pub proved: bool,
    /// A move that keeps the value; none if the value is not proved or the game is over.
    pub best: Option<Move>,
    /// Positions examined.
    pub nodes: u64,
}

impl SolveRequest {
    /// Proves the best bounds that the limits allow.
    pub fn solve(&self, limits: &Limits) -> Result<Verdict, Refusal> {
        let game = self.game.game(limits)?;
        let most = limits.solver_nodes.min(MAX_NODES);
        if most == 0 {
            return Err(Refusal::new("the solver needs the server of `tengen serve`"));
        }
        tengen_solver::check(game.size(), game.rules()).map_err(Refusal::new)?;
        let mebibytes = limits.solver_mebibytes as usize;
        let mut solver = Solver::new(game.size(), mebibytes).map_err(Refusal::new)?;
        let nodes = Some(self.nodes.unwrap_or(most).clamp(1, most));
        let answer = solver.solve(&game, SolverLimits { nodes, time: None }, &mut ());
        let answer = answer.map_err(Refusal::new)?;
        let komi = game.board().area_score().points() - game.score().points();
        let lead = |points: i8| f64::from(points) - komi;
        let (lower, upper) = (lead(answer.worst.lower), lead(answer.best.upper));
        let proved = answer.is_solved();
        let best = answer.best_move.filter(|_| proved);
        Ok(Verdict { lower, upper, proved, best, nodes: answer.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(json: &str, limits: &Limits) -> Result<Verdict, String> {
        let request: SolveRequest = serde_json::from_str(json).unwrap();
        request.solve(limits).map_err(|why| why.to_string())
    }

    #[test]
    fn values_count_komi_and_are_bounds_where_the_limit_is_reached() {
        let solved = |json: &str| solve(json, &Limits::default()).unwrap();
        let centre = solved(r#"{"game":{"size":"3x3","komi":2.5,"rules":"simple"}}"#);
        assert_eq!((centre.lower, centre.upper), (6.5, 6.5));
        assert_eq!(centre.best, "B2".parse().ok());
        // White answers Black's pass in the centre.
        let after = solved(r#"{"game":{"size":"3x3","komi":0,"rules":"simple","moves":"pass"}}"#);
        assert_eq!((after.lower, after.upper), (-9.0, -9.0));
        let over = solved(r#"{"game":{"size":"3x3","komi":0.5,"moves":"B2.pass.pass"}}"#);
        assert_eq!((over.lower, over.upper, over.best), (8.5, 8.5, None));
        let open = solved(r#"{"game":{"size":"4x4","komi":0.5},"nodes":10}"#);
        assert_eq!((open.lower, open.upper, open.proved, open.best), (-16.5, 15.5, false, None));
        let endless = solved(r#"{"game":{"size":"2x2","komi":0,"rules":"simple"}}"#);
        assert!(endless.proved && endless.lower < endless.upper, "{endless:?}");
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let limits = Limits::default();
        let large = solve(r#"{"game":{"size":"9x9"}}"#, &limits).unwrap_err();
        assert!(large.contains("more than 30 points"), "{large}");
        let suicide = solve(r#"{"game":{"size":"3x3","rules":"new-zealand"}}"#, &limits);
        assert!(suicide.unwrap_err().contains("suicide"));
        let none = Limits { solver_nodes: 0, ..limits };
        assert!(solve(r#"{"game":{"size":"3x3"}}"#, &none).unwrap_err().contains("server"));
    }
}
