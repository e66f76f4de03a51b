//! What `tengen solve` prints.

use crate::go::{Game, Move, Size};
use crate::solver::{Answer, Bounds, Progress, ScoreClaim, SolveEnd, Verdict};
use serde::Serialize;
use std::fmt;

/// A position and the answer of the solver.
pub struct Solution<'a> {
    pub game: &'a Game,
    pub answer: &'a Answer,
    /// The claim to be proved; `None` if the value was requested.
    pub claim: Option<ScoreClaim>,
    /// The answer after each move; empty if not requested.
    pub moves: &'a [(Move, Answer)],
}

/// A line of progress.
pub fn progress(progress: &Progress) -> String {
    let seconds = progress.time.as_secs_f64();
    let speed = progress.nodes as f64 / seconds.max(1e-9);
    format!(
        "depth {}, {} nodes, {speed:.0} nodes/s, {seconds:.1} s, value {}",
        progress.depth,
        progress.nodes,
        value(progress.worst, progress.best)
    )
}

/// Both values in short: `7`, `1..16`, or bounds as `[-4, 25]`.
fn value(worst: Bounds, best: Bounds) -> String {
    let one = |bounds: Bounds| {
        if bounds.is_exact() {
            bounds.lower.to_string()
        } else {
            format!("[{}, {}]", bounds.lower, bounds.upper)
        }
    };
    if worst == best { one(worst) } else { format!("{}..{}", one(worst), one(best)) }
}

/// Both values in words, for a board of `size`.
fn words(answer: &Answer, size: Size) -> String {
    let verdict = |bounds: Bounds| bounds.verdict(size.points());
    let in_words = |verdict: Verdict| match verdict {
        Verdict::Exact(value) => format!("{value} (exact)"),
        other => other.to_string(),
    };
    if answer.worst == answer.best {
        return in_words(verdict(answer.worst));
    }
    if answer.is_solved() {
        return format!(
            "{}..{} (exact: endless games as Black's worst and best; {} if they are drawn)",
            answer.worst.lower,
            answer.best.lower,
            answer.draw().lower
        );
    }
    format!(
        "{} with endless games as Black's worst, {} as the best",
        in_words(verdict(answer.worst)),
        in_words(verdict(answer.best))
    )
}

fn end(end: SolveEnd, is_claim: bool) -> &'static str {
    match end {
        SolveEnd::Solved if is_claim => "proved",
        SolveEnd::Solved => "solved",
        SolveEnd::Nodes => "stopped by --nodes",
        SolveEnd::Time => "stopped by --seconds",
        SolveEnd::Interrupted => "interrupted",
        SolveEnd::Depth => "given up at the deepest search",
    }
}

fn status(end: SolveEnd) -> &'static str {
    match end {
        SolveEnd::Solved => "solved",
        SolveEnd::Nodes => "nodes",
        SolveEnd::Time => "time",
        SolveEnd::Interrupted => "interrupted",
        SolveEnd::Depth => "depth",
    }
}

fn line(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Solution<'_> {
    /// The solution as text for people.
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, answer, claim, moves } = self;
        writeln!(output, "{}", game.board())?;
        writeln!(output, "{} to move, {} ko", game.to_play(), ko(game))?;
        if let Some(claim) = claim {
            let proved = if answer.proves(*claim) { "proved" } else { "not proved" };
            writeln!(output, "Black scores {claim}: {proved}")?;
        }
        writeln!(output, "value: {}", words(answer, game.size()))?;
        if let Some(mv) = answer.best_move {
            writeln!(output, "move: {mv}")?;
        }
        if !answer.variation.is_empty() {
            writeln!(output, "variation: {}", line(&answer.variation))?;
        }
        writeln!(
            output,
            "{}: {} nodes, {:.2} s, tables of {} MiB",
            end(answer.end, claim.is_some()),
            answer.nodes,
            answer.time.as_secs_f64(),
            answer.memory.div_ceil(1 << 20)
        )?;
        for (mv, answer) in *moves {
            writeln!(output, "{mv:<4} {}", words(answer, game.size()))?;
        }
        Ok(())
    }
}

/// The answer about a position as JSON; an unknown value is null.
#[derive(Serialize)]
struct Values {
    value: Option<i8>,
    draw: Option<i8>,
    worst: [i8; 2],
    best: [i8; 2],
    status: &'static str,
}

impl Values {
    fn of(answer: &Answer) -> Self {
        let exact = |bounds: Bounds| bounds.is_exact().then_some(bounds.lower);
        let ends = |bounds: Bounds| [bounds.lower, bounds.upper];
        let is_one = answer.worst == answer.best;
        Self {
            value: is_one.then(|| exact(answer.worst)).flatten(),
            draw: exact(answer.draw()),
            worst: ends(answer.worst),
            best: ends(answer.best),
            status: status(answer.end),
        }
    }
}

/// A legal move, and the answer about the position after it.
#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    mv: Move,
    #[serde(flatten)]
    values: Values,
}

/// The solution as a JSON object.
#[derive(Serialize)]
struct Object {
    size: String,
    position: String,
    to_play: String,
    ko: &'static str,
    #[serde(flatten)]
    values: Values,
    best_move: Option<Move>,
    variation: Vec<Move>,
    nodes: u64,
    seconds: f64,
    memory_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<SolvedMove>,
}

impl Solution<'_> {
    /// The solution as one JSON object on one line.
    pub fn json(&self) -> serde_json::Result<String> {
        let Self { game, answer, claim, moves } = self;
        let moves =
            moves.iter().map(|(mv, answer)| SolvedMove { mv: *mv, values: Values::of(answer) });
        let object = Object {
            size: game.size().to_string(),
            position: game.board().to_rows(),
            to_play: game.to_play().to_string(),
            ko: ko(game),
            values: Values::of(answer),
            best_move: answer.best_move,
            variation: answer.variation.clone(),
            nodes: answer.nodes,
            seconds: (1e3 * answer.time.as_secs_f64()).round() / 1e3,
            memory_bytes: answer.memory,
            claim: claim.map(|claim| claim.to_string()),
            proved: claim.map(|claim| answer.proves(claim)),
            moves: moves.collect(),
        };
        Ok(serde_json::to_string(&object)? + "\n")
    }
}

fn ko(game: &Game) -> &'static str {
    game.rules().ko.name()
}
