//! A game from its first position to its result.

use super::bits::Bits;
use super::board::{Board, IllegalMove};
use super::color::Color;
use super::history::History;
use super::rules::{Handicap, Ko, Preset, Rules, Suicide};
use super::score::{Komi, Score};
use super::size::Size;
use super::vertex::Move;

/// The reason why a game is over.
///
/// # Examples
/// ```
/// use tengen_go::{Color, End, Game, Komi, Move, Preset, Rules, Size};
///
/// let size = Size::square(9)?;
/// let mut game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// game.play(Color::Black, Move::Pass)?;
/// assert_eq!(game.end(), None);
/// game.play(Color::White, Move::Pass)?;
/// assert_eq!(game.end(), Some(End::Passes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Both players passed in turn.
    Passes,
    /// The limit of plies is reached.
    Limit,
}

/// A move or a pass that was made, and the position before it.
#[derive(Clone, Copy, Debug)]
struct Ply {
    color: Color,
    mv: Move,
    before: Board<6>,
    /// [`Game::most_stones`] before it.
    most_stones: u32,
}

/// A game of Go: the rules, the moves made and the positions they led to. It has no
/// type parameter for the board size; a search converts the position to a [`Board`] of
/// as few words as the size needs.
///
/// # Examples
/// A ko: Black takes a stone, which White may not take back at once.
/// ```
/// use tengen_go::{Board, Color, Game, IllegalMove, Komi, Preset, Rules};
///
/// let position = "
///     . X O .
///     X O . O
///     . X O .
///     . . . .";
/// let board = Board::from_diagram(position, Color::Black)?;
/// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
/// let mut game = Game::from_position(board, rules);
/// game.play(Color::Black, "C3".parse()?)?;
/// assert_eq!(format!("\n{}", game.board()), "
///  4 . X O .
///  3 X . X O
///  2 . X O .
///  1 . . . .
///    A B C D");
/// assert_eq!(game.play(Color::White, "B3".parse()?), Err(IllegalMove::Superko));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    board: Board<6>,
    /// Their komi includes the points for handicap stones, unlike [`Game::komi`].
    rules: Rules,
    handicap: Handicap,
    history: History,
    most_stones: u32,
    plies: Vec<Ply>,
}

impl Game {
    /// A game on the empty board, Black to move.
    #[must_use]
    pub fn new(size: Size, rules: Rules) -> Self {
        Self::from_position(Board::new(size), rules)
    }

    /// A game that begins at the position `start`, without earlier positions.
    #[must_use]
    pub fn from_position(start: Board<6>, rules: Rules) -> Self {
        let history = History::new(rules.ko, &start);
        let (handicap, most_stones) = (Handicap::default(), start.stone_count());
        Self { board: start, rules, handicap, history, most_stones, plies: Vec::new() }
    }

    /// The current position.
    #[must_use]
    pub const fn board(&self) -> &Board<6> {
        &self.board
    }

    /// The rules of the game. Their komi is [`Game::komi`] plus the points for handicap stones.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The positions of the game, as the superko rule compares them.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The number of stones on the fullest of the positions so far.
    #[must_use]
    pub const fn most_stones(&self) -> u32 {
        self.most_stones
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// The player to move.
    #[must_use]
    pub const fn to_play(&self) -> Color {
        self.board.to_play()
    }

    /// The number of plies (moves and passes) made.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // `max_plies` is a u32
    pub const fn ply(&self) -> u32 {
        self.plies.len() as u32
    }

    /// The moves and passes made, first to last, each with its player.
    #[must_use]
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Move)> + ExactSizeIterator {
        self.plies.iter().map(|ply| (ply.color, ply.mv))
    }

    /// The position after `ply` plies; `None` if fewer have been made.
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<&Board<6>> {
        if ply == self.plies.len() {
            Some(&self.board)
        } else {
            self.plies.get(ply).map(|ply| &ply.before)
        }
    }

    /// The reason why the game is over; `None` while it goes on.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        if self.board.is_over() {
            Some(End::Passes)
        } else if self.ply() >= self.rules.max_plies {
            Some(End::Limit)
        } else {
            None
        }
    }

    /// The area score of the current position after komi: Black's area minus White's
    /// minus komi.
    #[must_use]
    pub fn score(&self) -> Score {
        self.board.area_score() - self.rules.komi
    }

    /// The komi without the points for handicap stones.
    #[must_use]
    pub fn komi(&self) -> Komi {
        self.rules.komi.plus(-self.compensation())
    }

    /// The handicap stones, and the points that White receives for them.
    #[must_use]
    pub const fn handicap(&self) -> Handicap {
        self.handicap
    }

    /// The same game under another komi, to which the points for handicap stones are added.
    #[must_use]
    pub fn with_komi(mut self, komi: Komi) -> Self {
        self.rules.komi = komi.plus(self.compensation());
        self
    }

    /// This game, with other rules of ko and suicide from now on.
    #[must_use]
    pub fn with_ko_and_suicide(mut self, ko: Ko, suicide: Suicide) -> Self {
        self.rules = Rules { ko, suicide, ..self.rules };
        let start = self.plies.first().map_or(self.board, |ply| ply.before);
        self.history = History::new(ko, &start);
        let after = self.plies.iter().skip(1).map(|ply| &ply.before).chain([&self.board]);
        for (ply, after) in self.plies.iter().zip(after) {
            let mut after = *after;
            // [`Self::give_turn`] may have changed the player to move.
            after.turn_to(!ply.color);
            self.history.push(ply.mv, &after);
        }
        self
    }

    /// This game with this handicap; its first position already contains the stones.
    #[must_use]
    pub fn with_handicap(mut self, handicap: Handicap) -> Self {
        let komi = self.komi();
        self.handicap = handicap;
        self.with_komi(komi)
    }

    /// The first preset with the rules and the compensation of this game, if there is one.
    #[must_use]
    pub fn preset(&self) -> Option<Preset> {
        Preset::of(self.rules.ko, self.rules.suicide, self.handicap)
    }

    fn compensation(&self) -> i16 {
        i16::try_from(self.handicap.points).unwrap_or(i16::MAX)
    }

    /// Komi, and handicap if there is one, as text.
    #[must_use]
    pub fn conditions(&self) -> String {
        match self.handicap {
            Handicap { stones: 0, .. } => format!("komi {}", self.komi()),
            handicap => format!("komi {}, {handicap}", self.komi()),
        }
    }

    /// The numbers of stones that Black and White have taken since the first position, by
    /// [`Color::index`]; stones lost by suicide count for the opponent.
    #[must_use]
    pub fn captures(&self) -> [u32; 2] {
        let mut taken = [0; 2];
        let after = self.plies.iter().skip(1).map(|ply| &ply.before).chain([&self.board]);
        for (ply, after) in self.plies.iter().zip(after) {
            let Move::Play(_) = ply.mv else { continue };
            for color in Color::BOTH {
                let had = ply.before.stones(color).count() + u32::from(color == ply.color);
                taken[(!color).index()] += had - after.stones(color).count();
            }
        }
        taken
    }

    /// Whether `candidate` is legal for `color` now, superko included.
    pub fn check(&self, color: Color, candidate: Move) -> Result<(), IllegalMove> {
        self.after(color, candidate).map(|_| ())
    }

    /// Plays `candidate` for `color`, who need not be the player to move. An illegal move leaves the game
    /// unchanged.
    pub fn play(&mut self, color: Color, candidate: Move) -> Result<(), IllegalMove> {
        let after = self.after(color, candidate)?;
        self.push(color, candidate, after);
        Ok(())
    }

    /// Plays a move of a game record, even after two passes or against the rules of ko and suicide.
    /// Returns the rule that the move breaks, if any. Refuses only a point off the board, an
    /// occupied point and a ply beyond the limit.
    pub fn play_past(
        &mut self,
        color: Color,
        candidate: Move,
    ) -> Result<Option<IllegalMove>, IllegalMove> {
        if self.board.is_over() {
            self.give_turn(color);
        }
        let broken = match self.play(color, candidate) {
            Ok(()) => return Ok(None),
            Err(broken @ (IllegalMove::Ko | IllegalMove::Suicide | IllegalMove::Superko)) => broken,
            Err(fault) => return Err(fault),
        };
        let mut after = self.board;
        after.turn_to(color);
        after.play(candidate, Rules { ko: Ko::None, suicide: Suicide::All, ..self.rules })?;
        self.push(color, candidate, after);
        Ok(Some(broken))
    }

    fn push(&mut self, color: Color, mv: Move, after: Board<6>) {
        let most_stones = self.most_stones;
        self.plies.push(Ply { color, mv, before: self.board, most_stones });
        self.history.push(mv, &after);
        self.most_stones = most_stones.max(after.stone_count());
        self.board = after;
    }

    /// Makes `color` the player to move, without a ply. A game that two passes had
    /// ended continues, as GTP allows.
    pub fn give_turn(&mut self, color: Color) {
        if self.board.is_over() {
            // Changing the player to move clears the passes.
            self.board.turn_to(!color);
        }
        self.board.turn_to(color);
    }

    /// Undoes the last ply and returns it.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let ply = self.plies.pop()?;
        self.history.pop();
        self.board = ply.before;
        self.most_stones = ply.most_stones;
        Some((ply.color, ply.mv))
    }

    /// The legal points of the player to move, superko included.
    #[must_use]
    pub fn legal_points(&self) -> Bits<6> {
        self.legal_points_on(&self.board)
    }

    /// The legal points of the player to move, superko included, in `W` words. `board` must be the
    /// current position in `W` words; fewer words are faster.
    #[must_use]
    pub fn legal_points_on<const W: usize>(&self, board: &Board<W>) -> Bits<W> {
        if self.end().is_some() {
            return Bits::EMPTY;
        }
        let points = board.legal_points(self.rules);
        if board.stone_count() >= self.most_stones {
            self.history.without_repeats_of_most(board, points)
        } else {
            self.history.without_repeats(board, points)
        }
    }

    /// The legal points of the player to move that fill no own eye
    /// ([`Board::eyes`]), superko included. If there are none, the player should pass.
    #[must_use]
    pub fn sensible_points(&self) -> Bits<6> {
        self.legal_points() - self.board.eyes()
    }

    /// The position after the move `candidate` of `color`, if it is legal.
    fn after(&self, color: Color, candidate: Move) -> Result<Board<6>, IllegalMove> {
        if self.end().is_some() {
            return Err(IllegalMove::GameOver);
        }
        let mut board = self.board;
        board.turn_to(color);
        board.play(candidate, self.rules)?;
        let repeats = matches!(candidate, Move::Play(_))
            && self.history.repeats(board.hash(), board.to_play());
        if repeats { Err(IllegalMove::Superko) } else { Ok(board) }
    }
}
