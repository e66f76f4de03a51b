//! Draws positions from games, and solves every move of them.

use crate::convergence::solved::SolvedPosition;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_bots::BotConfig;
use tengen_go::{Game, Move, Preset, Rules, Size, Vertex, default_komi};
use tengen_solver::{self as solver, SolveError, Solver};
use tengen_stats::seed::mix;

/// The players of the games, in turn from game to game.
const SOURCES: [&str; 2] = ["random", "uct:simulations=100,rave=none,prior=none"];
/// Games drawn at once.
const BATCH: u64 = 16;
/// The table of a solver, in mebibytes.
const MEBIBYTES: usize = 24;

/// Limits of the search for positions.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Positions to find.
    pub count: usize,
    /// Most nodes that the solver may examine for all moves of a position.
    pub nodes: u64,
    /// Most games in a row without a new position.
    pub games: u64,
}

/// The fate of a drawn position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Every move is solved, and not all points are worth the same.
    Kept,
    /// All moves are worth the same, or all but the pass: hardly any search errs.
    Indifferent,
    /// The value of a move rests on an endless game.
    Endless,
    /// The solver reached its limit.
    Unsolved,
    /// The position has a ko point or comes after a pass, or a symmetry or a swap of the colors makes
    /// it a position that is already known.
    Unfit,
}

/// Result of drawing positions.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The positions found.
    pub positions: Vec<SolvedPosition>,
    /// Numbers of drawn positions in the order of [`Fate`], by stage: the share of empty points in
    /// quarters (3: nearly all).
    pub tally: BTreeMap<usize, [u64; 5]>,
}

/// Draws positions of `size` from random games and from games of a quick UCT, one position per game
/// at a random ply. Ends after `limits.count` positions that are not among `known`, after
/// `limits.games` games in a row without a new position, or when `stop` is true. Positions are the
/// same if a symmetry of the board, or a swap of the colors, makes one the other. The result does
/// not depend on the number of threads.
///
/// `keep` gets new positions as they are found, before others are drawn. Its error ends the work.
pub fn draw<E: From<SolveError>>(
    size: Size,
    seed: u64,
    limits: Limits,
    known: &[SolvedPosition],
    stop: &AtomicBool,
    mut keep: impl FnMut(&[SolvedPosition]) -> Result<(), E>,
) -> Result<Drawing, E> {
    let mut drawing = Drawing::default();
    let mut patterns: HashSet<String> = known.iter().map(SolvedPosition::pattern).collect();
    let (mut first, mut fruitless) = (0, 0);
    while drawing.positions.len() < limits.count && fruitless < limits.games {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let games = (first..first + BATCH).into_par_iter();
        let found: Result<Vec<_>, _> =
            games.map(|game| one(size, mix(seed, game), game, limits.nodes)).collect();
        first += BATCH;
        let before = drawing.positions.len();
        for (position, fate) in found? {
            if drawing.positions.len() == limits.count {
                break;
            }
            let is_new = fate == Fate::Kept && patterns.insert(position.pattern());
            let fate = if fate == Fate::Kept && !is_new { Fate::Unfit } else { fate };
            let empty = position.board.empty().count() as usize;
            let stage = (4 * empty / size.points()).min(3);
            drawing.tally.entry(stage).or_default()[fate as usize] += 1;
            fruitless += 1;
            if fate == Fate::Kept {
                fruitless = 0;
                drawing.positions.push(position);
            }
        }
        keep(&drawing.positions[before..])?;
    }
    Ok(drawing)
}

/// The position at a random ply of game `number`, and its fate.
fn one(
    size: Size,
    seed: u64,
    number: u64,
    nodes: u64,
) -> Result<(SolvedPosition, Fate), SolveError> {
    let source = SOURCES[usize::from(number % 2 == 1)];
    let game = play(size, source, seed);
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(mix(seed, 2));
    let ply = stream.random_range(0..game.ply().max(1));
    let board = *game.position_at(ply as usize).unwrap_or(game.board());
    let mut position = SolvedPosition {
        source: source.to_owned(),
        ply,
        board,
        moves: Vec::new(),
        bounded: Vec::new(),
    };
    if board.ko().is_some() || board.passes() > 0 {
        return Ok((position, Fate::Unfit));
    }
    let fate = match solve(&mut position, nodes) {
        // More memory might solve the position: lack of memory is no fate.
        Err(fault @ SolveError::OutOfMemory(_)) => return Err(fault),
        solved => solved.unwrap_or(Fate::Unsolved),
    };
    Ok((position, fate))
}

/// A whole game of `source` against itself.
fn play(size: Size, source: &str, seed: u64) -> Game {
    let mut game = Game::new(size, Rules::new(Preset::Simple, size, default_komi(size)));
    let Ok(config) = source.parse::<BotConfig>() else { return game };
    let mut players = [mix(seed, 0), mix(seed, 1)].map(|seed| config.build(seed, None));
    while !game.board().is_over() {
        let color = game.to_play();
        let Ok(answer) = players[game.ply() as usize % 2].genmove(&game) else { break };
        let Some(mv) = answer.mv() else { break };
        if game.play(color, mv).is_err() {
            break;
        }
    }
    game
}

/// Solves every legal move of `position` within `nodes`.
fn solve(position: &mut SolvedPosition, nodes: u64) -> Result<Fate, SolveError> {
    let game = position.game();
    let mut solver = Solver::new(position.size(), MEBIBYTES)?;
    let mut left = nodes;
    // A position that takes a quarter of the nodes is not worth the rest.
    let limits = solver::Limits { nodes: Some(nodes / 4), time: None };
    let answer = solver.solve(&game, limits, &mut ())?;
    if !answer.is_solved() {
        return Ok(Fate::Unsolved);
    }
    left = left.saturating_sub(answer.nodes);
    for mv in Vertex::all(position.size()).map(Move::Play).chain([Move::Pass]) {
        let mut after = game.clone();
        if after.play(game.to_play(), mv).is_err() {
            continue;
        }
        let limits = solver::Limits { nodes: Some(left), time: None };
        let answer = solver.solve(&after, limits, &mut ())?;
        left = left.saturating_sub(answer.nodes);
        if !answer.is_solved() {
            return Ok(Fate::Unsolved);
        }
        if answer.worst != answer.best {
            return Ok(Fate::Endless);
        }
        position.moves.push((mv, answer.worst.lower));
    }
    let mut points = position.moves.iter().filter(|(mv, _)| *mv != Move::Pass);
    let first = points.next().map(|(_, value)| value);
    let is_indifferent = points.all(|(_, value)| Some(value) == first);
    Ok(if is_indifferent { Fate::Indifferent } else { Fate::Kept })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(threads: usize, known: &[SolvedPosition]) -> Drawing {
        let size = "3x3".parse().unwrap();
        let limits = Limits { count: 12, nodes: 200_000, games: 1_000 };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let stop = AtomicBool::new(false);
        pool.install(|| draw(size, 5, limits, known, &stop, |_| Ok::<(), SolveError>(()))).unwrap()
    }

    #[test]
    fn positions_are_solved_new_and_the_same_with_any_number_of_threads() {
        let drawing = drawn(1, &[]);
        let again = drawn(3, &[]);
        assert_eq!((&drawing.positions, &drawing.tally), (&again.positions, &again.tally));
        assert_eq!(drawing.positions.len(), 12);
        let kept: u64 = drawing.tally.values().map(|fates| fates[0]).sum();
        assert_eq!(kept, 12);
        // What was written can be read: every legal move is there.
        let text = crate::convergence::write(&drawing.positions).unwrap();
        assert_eq!(crate::convergence::read(&text).unwrap(), drawing.positions);
        for position in &drawing.positions {
            assert!(position.share_of_best() < 1.0);
            let mut solver = Solver::new(position.size(), 16).unwrap();
            let answer = solver.solve(&position.game(), solver::Limits::default(), &mut ());
            let value = answer.unwrap().worst;
            assert_eq!((value.lower, value.upper), (position.value(), position.value()));
        }
        let more = drawn(1, &drawing.positions[..5]).positions;
        assert!(drawing.positions[..5].iter().all(|old| more.iter().all(|p| p.board != old.board)));
    }

    #[test]
    fn positions_are_kept_as_they_are_found() {
        let size = "3x3".parse().unwrap();
        let limits = Limits { count: 40, nodes: 200_000, games: 1_000 };
        let (stop, mut kept, mut calls) = (AtomicBool::new(false), Vec::new(), 0);
        let drawing = draw(size, 5, limits, &[], &stop, |new| {
            calls += usize::from(!new.is_empty());
            kept.extend_from_slice(new);
            Ok::<(), SolveError>(())
        });
        assert_eq!(drawing.unwrap().positions, kept);
        assert!(calls > 2, "{calls}");
    }

    #[test]
    fn where_no_position_is_to_be_found_the_search_ends() {
        let stop = AtomicBool::new(false);
        for (size, nodes) in [("1x1", 1_000), ("1x5", 1_000), ("2x2", 1_000), ("3x3", 1)] {
            let limits = Limits { count: 1, nodes, games: 32 };
            let drawing =
                draw(size.parse().unwrap(), 1, limits, &[], &stop, |_| Ok::<(), SolveError>(()))
                    .unwrap();
            assert_eq!(drawing.positions, [], "{size}");
            let drawn: u64 = drawing.tally.values().flatten().sum();
            assert_eq!(drawn, 32, "{size}");
        }
        // Few positions: once all are known no game has another.
        let limits = Limits { count: 1_000, nodes: 10_000, games: 100 };
        let drawing =
            draw("2x3".parse().unwrap(), 1, limits, &[], &stop, |_| Ok::<(), SolveError>(()))
                .unwrap();
        assert!((1..1_000).contains(&drawing.positions.len()), "{:?}", drawing.tally);
    }
}
