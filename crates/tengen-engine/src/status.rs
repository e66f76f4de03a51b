//! Life and death: what is proved, and what playouts make likely.

use tengen_go::seed::mix;
use tengen_go::{Bits, Board, Color, Game, Score, Vertex, safe_area};
use tengen_playout::{Job, Policy, scalar};

/// Playouts by which the owners of points are estimated.
const PLAYOUTS: u64 = 400;

/// A chain is dead where its points end as the opponent's in more than three of
/// four playouts: on the scale of [`Ownership`].
const DEAD: f64 = -0.5;

/// What is proved of a point under the rule of suicide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconditional {
    /// A stone that cannot be taken.
    Alive,
    /// A stone that cannot be saved.
    Dead,
    /// An empty point where this player's opponent cannot live.
    Territory(Color),
    /// None of these is proved.
    Undecided,
}

/// What is proved of `vertex` in the position of `game`, whoever is to move.
pub fn unconditional(game: &Game, vertex: Vertex) -> Unconditional {
    let board = game.board();
    let index = Bits::<6>::index(vertex);
    let is_safe = |color| safe_area(board, color, game.rules().suicide).contains(index);
    let safe_for = Color::BOTH.into_iter().find(|&color| is_safe(color));
    match (board.at(vertex), safe_for) {
        (_, None) => Unconditional::Undecided,
        (None, Some(color)) => Unconditional::Territory(color),
        (Some(stone), Some(color)) if stone == color => Unconditional::Alive,
        (Some(_), Some(_)) => Unconditional::Dead,
    }
}

/// The owners of all points at the end of playouts: 1 for Black, −1 for White.
pub struct Ownership {
    share: Vec<f64>,
}

impl Ownership {
    /// From playouts of the position of `game`, half of them with each player to
    /// move. The same for the same stones and `seed`.
    pub fn of(game: &Game, seed: u64) -> Self {
        let policy = Policy::CaptureEscape { probability: 0.9 };
        let starts = Color::BOTH.map(|color| {
            let mut board = *game.board();
            // Both turns, so that passes and ko are forgotten.
            board.turn_to(!color);
            board.turn_to(color);
            board
        });
        let size = game.size();
        let mut share = vec![0.0; size.points()];
        for number in 0..PLAYOUTS {
            let start = starts[usize::from(number % 2 == 1)];
            let playout = scalar::play_by(policy, &Job { start, seed: mix(seed, number) });
            let [black, white] = playout.area.unwrap_or([Bits::EMPTY; 2]);
            for (share, vertex) in share.iter_mut().zip(Vertex::all(size)) {
                let index = Bits::<6>::index(vertex);
                *share += f64::from(black.contains(index)) - f64::from(white.contains(index));
            }
        }
        for share in &mut share {
            *share /= PLAYOUTS as f64;
        }
        Self { share }
    }

    /// The points from the lowest row, by [`Vertex::all`], for Black.
    pub fn points(&self) -> &[f64] {
        &self.share
    }
}

/// The stones that are dead in the position of `game`: those that are proved to
/// be, and of the others those of chains that playouts seldom leave alive. What is
/// proved alive is never among them.
pub fn dead_stones(game: &Game, seed: u64) -> Bits<6> {
    let board = game.board();
    let size = game.size();
    let suicide = game.rules().suicide;
    let safe = Color::BOTH.map(|color| safe_area(board, color, suicide));
    let mut dead = Bits::EMPTY;
    let mut open: Vec<(Color, Bits<6>)> = Vec::new();
    for color in Color::BOTH {
        for chain in chains(board.stones(color)) {
            if chain.intersects(safe[(!color).index()]) {
                dead |= chain;
            } else if !chain.intersects(safe[color.index()]) {
                open.push((color, chain));
            }
        }
    }
    if open.is_empty() {
        return dead;
    }
    let ownership = Ownership::of(game, seed);
    for (color, chain) in open {
        let points = Vertex::all(size).zip(ownership.points());
        let own = points.filter(|(vertex, _)| chain.contains(Bits::<6>::index(*vertex)));
        let sum: f64 =
            own.map(|(_, share)| if color == Color::Black { *share } else { -share }).sum();
        if sum / f64::from(chain.count()) < DEAD {
            dead |= chain;
        }
    }
    dead
}

/// The score of `game` with its dead stones taken off.
pub fn final_score(game: &Game, seed: u64) -> Score {
    let dead = dead_stones(game, seed);
    let of = |color: Color| -> Vec<Vertex> {
        (game.board().stones(color) - dead).iter().map(Bits::<6>::vertex).collect()
    };
    let (black, white) = (of(Color::Black), of(Color::White));
    // Fewer stones have no fewer liberties.
    match Board::<6>::set_up(game.size(), &black, &white, game.to_play()) {
        Ok(board) => board.area_score() - game.rules().komi,
        Err(_) => game.score(),
    }
}

/// The chains of `stones`, in the order of their first points.
pub fn chains(stones: Bits<6>) -> Vec<Bits<6>> {
    let mut left = stones;
    let mut chains = Vec::new();
    while !left.is_empty() {
        let chain = Bits::point(left.nth(0)).flood(stones);
        left = left - chain;
        chains.push(chain);
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Komi, Preset, Rules};

    fn game(rows: &str) -> Game {
        let board = Board::from_diagram(rows, Color::Black).unwrap();
        let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
        Game::from_position(board, rules)
    }

    fn status(game: &Game, vertex: &str) -> Unconditional {
        unconditional(game, vertex.parse().unwrap())
    }

    #[test]
    fn what_is_proved() {
        let game = game("O..X./XXXXX/OOOOO/.O.O./OOOOO");
        assert_eq!(status(&game, "A5"), Unconditional::Dead);
        assert_eq!(status(&game, "B4"), Unconditional::Alive);
        assert_eq!(status(&game, "E5"), Unconditional::Territory(Color::Black));
        assert_eq!(status(&game, "A2"), Unconditional::Territory(Color::White));
        assert_eq!(status(&self::game("...../..X../....."), "C2"), Unconditional::Undecided);
    }

    #[test]
    fn dead_stones_count_for_the_opponent() {
        let settled = game(".X.X./XXXXX/OOOOO/.O.O./OOOOO");
        assert!(dead_stones(&settled, 1).is_empty());
        assert_eq!(final_score(&settled, 1), settled.score());
        // A white stone in Black's corner: proved dead.
        let dead = game("O..X./XXXXX/OOOOO/.O.O./OOOOO");
        assert_eq!(dead_stones(&dead, 1).count(), 1);
        assert_eq!(final_score(&dead, 1), Score::from_points(10 - 15));
        // Not proved, but plain: one stone without room in a wall's half.
        let plain = game("..XO.../..XO.../..XO.O./..XO.../.XXO.../O.XO.../..XO...");
        assert_eq!(dead_stones(&plain, 1).count(), 1);
        assert_eq!(final_score(&plain, 1), Score::from_points(21 - 28));
        // Alive in a seki or an open board: nobody is dead.
        assert!(dead_stones(&game("...../.X.../...../...O./....."), 1).is_empty());
    }
}
