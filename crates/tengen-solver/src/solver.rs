//! The solver: a position in, proved bounds out.

use crate::MAX_POINTS;
use crate::answer::{Answer, Bounds, ScoreClaim, SolveEnd};
use crate::claim::Meter;
use crate::geometry::Geometry;
use crate::limits::{Limits, Watch};
use crate::position::Position;
use crate::prover::{Order, Prover};
use crate::run::{Run, Searched};
use crate::schedule::{Question, Schedule};
use crate::superko::{SuperkoProver, SuperkoTable};
use crate::table::{NO_MOVE, Table};
use std::time::Instant;
use tengen_go::{Game, Ko, Move, Rules, Size, Suicide, Vertex};

/// The reason why a position cannot be solved.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SolveError {
    /// Board, rules, claim or memory are not what the solver takes: the text says why.
    #[error("{0}")]
    Refused(String),
    /// The system lacks so much memory, in mebibytes.
    #[error("out of memory: cannot allocate {0} MiB for the table of the solver")]
    OutOfMemory(usize),
}

/// Least memory of a solver, in units of 2²⁰ bytes.
pub const MIN_MEBIBYTES: usize = 1;

/// Bytes for each way to fill the points of a board. With so many a table hardly ever drops a
/// position: more memory is of no use.
const BYTES_PER_BOARD: usize = 1 << 14;

/// Checks that games on boards of `size` under `rules` can be solved.
pub fn check(size: Size, rules: Rules) -> Result<(), SolveError> {
    check_size(size)?;
    if rules.suicide != Suicide::No {
        return refused("suicide is allowed: the solver knows the rules that forbid it");
    }
    superko(rules.ko).map(|_| ())
}

fn check_size(size: Size) -> Result<(), SolveError> {
    if size.points() > MAX_POINTS {
        return refused(format!("{size} has more than {MAX_POINTS} points: solve a smaller board"));
    }
    Ok(())
}

fn refused<T>(why: impl Into<String>) -> Result<T, SolveError> {
    Err(SolveError::Refused(why.into()))
}

/// Whether `ko` compares positions with the player to move; none for simple ko.
fn superko(ko: Ko) -> Result<Option<bool>, SolveError> {
    match ko {
        Ko::Simple => Ok(None),
        Ko::Psk => Ok(Some(false)),
        Ko::Ssk => Ok(Some(true)),
        other => refused(format!(
            "the ko rule is {}: the solver knows simple, psk and ssk",
            other.name()
        )),
    }
}

/// A solver for one size of board, with a table that outlives a solution.
pub struct Solver {
    geometry: Geometry,
    bytes: usize,
    table: AnyTable,
}

/// The table for the rule of the last solution.
enum AnyTable {
    /// No solution yet.
    None,
    /// Under simple ko.
    Simple(Table),
    /// Under superko, and whether the player to move counts.
    Superko(SuperkoTable, bool),
}

impl Solver {
    /// A solver for boards of `size` whose table takes at most `mebibytes`, and no more than the
    /// positions of such a board can use. The first solution allocates the memory.
    pub fn new(size: Size, mebibytes: usize) -> Result<Self, SolveError> {
        check_size(size)?;
        if mebibytes < MIN_MEBIBYTES {
            let least = format!("give at least {MIN_MEBIBYTES}");
            return refused(format!("{mebibytes} MiB is too little memory: {least}"));
        }
        // The rest holds the line of play and the tables of symmetries.
        let bytes = mebibytes.saturating_mul(1 << 20) - (1 << 17);
        let fillings = 3_usize.saturating_pow(size.points() as u32);
        let bytes = bytes.min(fillings.saturating_mul(BYTES_PER_BOARD));
        Ok(Self { geometry: Geometry::new(size), bytes, table: AnyTable::None })
    }

    /// The size of the boards that the solver solves.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.geometry.size
    }

    /// Proves the value of the current position of `game` under its ko rule, or as much of it as
    /// `limits` allow. Proofs of earlier positions are used again. Komi and the limit of plies do
    /// not count. Refuses a game of another size or under other rules than the solver's.
    pub fn solve(
        &mut self,
        game: &Game,
        limits: Limits,
        watch: &mut impl Watch,
    ) -> Result<Answer, SolveError> {
        // Entry points are not generic, so that no other crate compiles the search.
        self.solve_watched(game, None, limits, watch)
    }

    /// Tries to prove `claim` of the current position of `game`, and nothing else, within `limits`.
    /// The answer's [`Answer::proves`] says whether the claim is proved. Its best move is the move
    /// on which the proof rests, if the player whom the claim favours is to move. A search that
    /// ends without a proof says nothing against the claim. Refuses a claim above every score on
    /// the board.
    pub fn prove(
        &mut self,
        game: &Game,
        claim: ScoreClaim,
        limits: Limits,
        watch: &mut impl Watch,
    ) -> Result<Answer, SolveError> {
        self.solve_watched(game, Some(claim), limits, watch)
    }

    fn solve_watched(
        &mut self,
        game: &Game,
        claim: Option<ScoreClaim>,
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> Result<Answer, SolveError> {
        let rules = game.rules();
        if game.size() != self.size() {
            let (solver, position) = (self.size(), game.size());
            return refused(format!("the solver is for {solver}, but the position is {position}"));
        }
        check(game.size(), rules)?;
        let start = Instant::now();
        let points = self.geometry.points as usize;
        if let Some(score) = claim.map(ScoreClaim::score)
            && usize::from(score.unsigned_abs()) > points
        {
            let (size, expected) = (self.size(), format!("at most {points} points for a player"));
            return refused(format!("invalid score {score} on {size}: expected {expected}"));
        }
        if game.board().is_over() {
            let value = (game.board().area_score().half_points() / 2) as i8;
            let bounds = Bounds { lower: value, upper: value };
            return Ok(Answer {
                worst: bounds,
                best: bounds,
                best_move: None,
                variation: Vec::new(),
                end: SolveEnd::Solved,
                nodes: 0,
                time: start.elapsed(),
                memory: self.memory(),
            });
        }
        let situational = superko(rules.ko)?;
        self.prepare(situational)?;
        let root = Position::new(&self.geometry, game.board());
        let bounds = Bounds::of_board(points);
        let schedule = match claim {
            None => Schedule::new(bounds, root.black_to_play, situational.is_none()),
            Some(ScoreClaim::AtLeast(score)) => Schedule::for_one(bounds, 0, score),
            Some(ScoreClaim::AtMost(score)) => Schedule::for_one(bounds, 1, -score),
        };
        let mut run = Run { schedule, start, limits, root, best_move: NO_MOVE, held: [i8::MIN; 2] };
        let (end, nodes) = self.search(&mut run, game, watch);
        let best_move = self.legal_or_first(&root, run.best_move, game);
        let answer = Answer {
            worst: run.schedule.worst,
            best: run.schedule.best,
            best_move: Some(best_move),
            variation: Vec::new(),
            end,
            nodes,
            time: start.elapsed(),
            memory: self.memory(),
        };
        if let Some(claim) = claim {
            let rests_on_a_move = answer.proves(claim) && claim.favours() == game.to_play();
            let best_move = rests_on_a_move.then_some(best_move);
            return Ok(Answer { best_move, ..answer });
        }
        let variation = self.variation(&root, best_move, &answer);
        Ok(Answer { variation, ..answer })
    }

    /// Solves the position after each legal move of `game`, passes included, all
    /// together within `limits`. The values are Black's.
    pub fn solve_moves(
        &mut self,
        game: &Game,
        limits: Limits,
        watch: &mut impl Watch,
    ) -> Result<Vec<(Move, Answer)>, SolveError> {
        let start = Instant::now();
        let mut spent = 0;
        let mut answers = Vec::new();
        for mv in Vertex::all(game.size()).map(Move::Play).chain([Move::Pass]) {
            let mut after = game.clone();
            if after.play(game.to_play(), mv).is_err() {
                continue;
            }
            let left = Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
                time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
            };
            let answer = self.solve_watched(&after, None, left, watch)?;
            spent += answer.nodes;
            answers.push((mv, answer));
        }
        Ok(answers)
    }

    /// The memory that the tables take, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        match &self.table {
            AnyTable::None => 0,
            AnyTable::Simple(table) => table.bytes(),
            AnyTable::Superko(table, _) => table.bytes(),
        }
    }

    /// Makes the table for the rule, and drops a table for another rule.
    fn prepare(&mut self, situational: Option<bool>) -> Result<(), SolveError> {
        let lacking = SolveError::OutOfMemory(self.bytes.div_ceil(1 << 20));
        match (&self.table, situational) {
            (AnyTable::Simple(_), None) => return Ok(()),
            (AnyTable::Superko(_, there), Some(wanted)) if *there == wanted => return Ok(()),
            _ => self.table = AnyTable::None,
        }
        self.table = match situational {
            None => AnyTable::Simple(Table::new(self.bytes).ok_or(lacking)?),
            Some(wanted) => {
                AnyTable::Superko(SuperkoTable::new(self.bytes).ok_or(lacking)?, wanted)
            }
        };
        Ok(())
    }

    /// Searches until `run` ends, with the table for the rule of `game`.
    fn search(&mut self, run: &mut Run, game: &Game, watch: &mut dyn Watch) -> (SolveEnd, u64) {
        let geometry = &self.geometry;
        match &mut self.table {
            AnyTable::None => (SolveEnd::Depth, 0),
            AnyTable::Simple(table) => {
                // What was learnt about the order of moves, by prover.
                let mut orders = [Order::default(); 2];
                run.ask(watch, |run, Question { claim, budget, .. }, meter| {
                    let order = &mut orders[claim.prover];
                    let mut search = Prover::new(geometry, table, meter, order);
                    let proved = search.search(&run.root, claim, budget);
                    *order = search.order;
                    let moves = (claim.prover == 0) == run.root.black_to_play;
                    if proved.is_none() && !moves && run.held == [i8::MIN; 2] {
                        run.best_move = search.refutation();
                    }
                    let Meter { nodes, stopped, .. } = search.meter;
                    Searched { proved, nodes, stopped }
                })
            }
            AnyTable::Superko(table, situational) => {
                let earlier = (0..game.ply() as usize).filter_map(|ply| game.position_at(ply));
                let earlier: Vec<Position> =
                    earlier.map(|board| Position::new(geometry, board)).collect();
                run.ask(watch, |run, Question { claim, budget, .. }, meter| {
                    let mut search =
                        SuperkoProver::new(geometry, table, meter, *situational, &earlier);
                    let proved = search.search(&run.root, claim, budget);
                    let Meter { nodes, stopped, .. } = search.meter;
                    Searched { proved, nodes, stopped }
                })
            }
        }
    }

    /// `point` as a move; if missing or illegal, the first legal move that fills no own eye, or a
    /// pass.
    fn legal_or_first(&self, root: &Position, point: u8, game: &Game) -> Move {
        let legal = |mv: Move| game.check(game.to_play(), mv).is_ok();
        if point != NO_MOVE {
            let mv = self.geometry.mv(point);
            if legal(mv) {
                return mv;
            }
        }
        let fills = |point: u8| self.geometry.neighbors(1 << point) & !root.own == 0;
        crate::geometry::each(root.empty(&self.geometry))
            .filter(|&point| !fills(point))
            .map(|point| self.geometry.mv(point))
            .find(|&mv| legal(mv))
            .unwrap_or(Move::Pass)
    }

    /// The line of play that the table holds: each move is proved to keep the
    /// value for the player who makes it.
    fn variation(&self, root: &Position, first: Move, answer: &Answer) -> Vec<Move> {
        let mut line = vec![first];
        let AnyTable::Simple(table) = &self.table else { return line };
        if !answer.worst.is_exact() || answer.worst != answer.best {
            return line;
        }
        let value = answer.worst.lower;
        let geometry = &self.geometry;
        let mut position = *root;
        let mut mv = geometry.point(first);
        while line.len() < 2 * MAX_POINTS {
            if mv == crate::geometry::PASS {
                if position.passed {
                    break;
                }
                position = position.pass();
            } else {
                let Some((after, _)) = position.play(geometry, mv) else { break };
                position = after;
            }
            let (key, symmetry) = position.canonical_key(geometry);
            let Some(entry) = table.get(key) else { break };
            let kept =
                if position.black_to_play { entry.lower >= value } else { entry.upper <= value };
            let trivial = i32::from(value).unsigned_abs() == geometry.points
                && (value > 0) != position.black_to_play;
            if entry.best == NO_MOVE || !(kept || trivial) {
                break;
            }
            mv = geometry.source[symmetry][entry.best as usize];
            line.push(geometry.mv(mv));
        }
        line
    }
}
