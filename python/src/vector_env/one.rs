//! One game of a vector environment.

use std::sync::Arc;
use tengen::go::{Bits, Board, End, Game, History, IllegalMove, Move, Rules, Score};
use tengen::search::evaluator::write_planes;
use tengen::seed::mix;

/// The position at which a game begins, again after each reset.
pub struct Start<const W: usize> {
    game: Game,
    board: Board<W>,
    /// The points that the player to move may play.
    legal: Bits<W>,
    /// The last move and the move before it.
    recent: [Option<Move>; 2],
}

impl<const W: usize> Start<W> {
    /// The position of `game`; own eyes are among the legal points where `own_eyes` says so.
    pub fn new(game: Game, own_eyes: bool) -> Self {
        let mut moves = game.moves().rev().map(|(_, mv)| mv);
        let recent = [moves.next(), moves.next()];
        drop(moves);
        let board = game.board().repacked();
        let points = game.legal_points_on(&board);
        let legal = if own_eyes { points } else { points - board.eyes() };
        Self { game, board, legal, recent }
    }
}

/// Why the environment refuses an action.
pub enum Refusal {
    /// The rules forbid the move.
    Illegal(Move, IllegalMove),
    /// The point is an own eye, and own eyes are left out.
    OwnEye(Move),
    /// There is no such move.
    NoMove,
}

/// One game, as `Game` plays it, with bit sets of as few words as the board needs.
pub struct OneGame<const W: usize> {
    start: Arc<Start<W>>,
    board: Board<W>,
    history: History,
    /// The number of stones on the fullest of the positions so far.
    most_stones: u32,
    /// The moves since the start.
    moves: Vec<Move>,
    /// The points that the player to move may play; none once the game is over.
    legal: Bits<W>,
    /// Games that were begun before this one.
    round: u64,
    /// Why the game is over, if it is and was not begun again.
    end: Option<End>,
}

impl<const W: usize> OneGame<W> {
    pub fn new(start: Arc<Start<W>>) -> Self {
        Self {
            board: start.board,
            history: start.game.history().clone(),
            most_stones: start.game.most_stones(),
            moves: Vec::new(),
            legal: start.legal,
            round: 0,
            end: None,
            start,
        }
    }

    pub fn reset(&mut self) {
        for _ in 0..self.moves.len() {
            self.history.pop();
        }
        self.moves.clear();
        self.board = self.start.board;
        self.most_stones = self.start.game.most_stones();
        self.legal = self.start.legal;
        self.round += 1;
        self.end = None;
    }

    fn rules(&self) -> Rules {
        self.start.game.rules()
    }

    pub const fn board(&self) -> &Board<W> {
        &self.board
    }

    /// Why the game is over, if it is and was not begun again.
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// The points that the player to move may play: the number of a point is its bit.
    pub fn legal(&self) -> [u64; 6] {
        self.legal.numbered(self.board.size())
    }

    /// The number of plies made, those before the start included.
    #[allow(clippy::cast_possible_truncation)] // the limit of plies is a u32
    pub fn ply(&self) -> u32 {
        self.start.game.ply() + self.moves.len() as u32
    }

    /// The area score as the board stands, after komi.
    pub fn score(&self) -> Score {
        self.board.area_score() - self.rules().komi
    }

    /// The move of the number `action`, if the game may go on with it.
    #[inline]
    pub fn checked(&self, action: i64) -> Result<Move, Refusal> {
        let size = self.board.size();
        let number = usize::try_from(action).map_err(|_| Refusal::NoMove)?;
        if number >= size.points() {
            return if number == size.points() { Ok(Move::Pass) } else { Err(Refusal::NoMove) };
        }
        let vertex = size.vertex(number);
        let mv = Move::Play(vertex);
        if self.legal.contains(Bits::<W>::index(vertex)) { Ok(mv) } else { Err(self.refusal(mv)) }
    }

    /// Why the point of `mv` is not among the legal ones.
    fn refusal(&self, mv: Move) -> Refusal {
        let Move::Play(vertex) = mv else { return Refusal::NoMove };
        let index = Bits::<W>::index(vertex);
        match self.board.check(mv, self.rules()) {
            Err(reason) => Refusal::Illegal(mv, reason),
            Ok(()) if self.history.repeats(self.board.hash_after(index), !self.board.to_play()) => {
                Refusal::Illegal(mv, IllegalMove::Superko)
            }
            Ok(()) => Refusal::OwnEye(mv),
        }
    }

    /// Plays `mv`, which was [checked](Self::checked), and returns the reason why the game is over then.
    pub fn play(&mut self, mv: Move, own_eyes: bool) -> Option<End> {
        let rules = self.rules();
        self.board.play_unchecked(mv);
        self.history.push(mv, &self.board);
        self.moves.push(mv);
        self.end = if self.board.is_over() {
            Some(End::Passes)
        } else if self.ply() >= rules.max_plies {
            Some(End::Limit)
        } else {
            None
        };
        self.most_stones = self.most_stones.max(self.board.stone_count());
        let goes_on = self.end.is_none();
        self.legal = if goes_on { self.legal_points(rules, own_eyes) } else { Bits::EMPTY };
        self.end
    }

    /// The points that the player to move may play.
    fn legal_points(&self, rules: Rules, own_eyes: bool) -> Bits<W> {
        let board = &self.board;
        let points = if own_eyes { board.empty() } else { board.empty() - board.eyes() };
        let points = board.legal_among(points, rules);
        if board.stone_count() >= self.most_stones {
            self.history.without_repeats_of_most(board, points)
        } else {
            self.history.without_repeats(board, points)
        }
    }

    /// A legal point that fills no own eye, by `seed`; the pass if there is none.
    #[allow(clippy::cast_possible_truncation)] // below the number of points
    pub fn sample(&self, seed: u64) -> usize {
        let points = self.legal - self.board.eyes();
        let size = self.board.size();
        if points.is_empty() {
            return size.points();
        }
        let drawn = mix(mix(seed, self.round), u64::from(self.ply()));
        let nth = ((drawn >> 32) * u64::from(points.count())) >> 32;
        size.number(Bits::<W>::vertex(points.nth(nth as u32)))
    }

    /// Writes the planes of an evaluator.
    pub fn write_planes(&self, planes: &mut [f32]) {
        let before = self.start.recent;
        let recent = match self.moves[..] {
            [] => before,
            [last] => [Some(last), before[0]],
            [.., other, last] => [Some(last), Some(other)],
        };
        write_planes(&self.board, self.legal, recent, self.rules().komi, planes);
    }

    /// The game with all its moves.
    pub fn game(&self) -> Game {
        let mut game = self.start.game.clone();
        for &mv in &self.moves {
            // What was played is past.
            let played = game.play_past(game.to_play(), mv);
            debug_assert_eq!(played, Ok(None));
        }
        game
    }
}
