//! Life and death: what is proved, and what playouts make likely.

use tengen_go::{Bits, Board, Color, Game, Score, Vertex, alive_stones, safe_area};
use tengen_playout::{BuiltInPolicy, Sample};

/// Playouts by which the owners of points are estimated.
const PLAYOUTS: u64 = 400;

/// A chain is dead where the mean of its points, on the scale of [`Sample::ownership`], is the
/// opponent's: its points survive in fewer than half of the playouts. The limit was chosen by
/// finished games; docs/reference/gtp.md says how often it is right.
const DEAD: f64 = 0.0;

/// What is proved of `vertex` in the position of `game` under the rule of suicide, whoever is to move,
/// in the words of `unconditional_status`: a stone that cannot be taken, a stone that cannot be saved,
/// an empty point where the opponent of its owner cannot live, or none of these.
pub fn unconditional(game: &Game, vertex: Vertex) -> &'static str {
    let (board, suicide) = (game.board(), game.rules().suicide);
    let index = Bits::<6>::index(vertex);
    let is_safe = |color: &Color| safe_area(board, *color, suicide).contains(index);
    match (board.at(vertex), Color::BOTH.into_iter().find(is_safe)) {
        (Some(stone), Some(color)) if stone != color => "dead",
        (Some(stone), _) if alive_stones(board, stone, suicide).contains(index) => "alive",
        (None, Some(Color::Black)) => "black_territory",
        (None, Some(Color::White)) => "white_territory",
        _ => "undecided",
    }
}

/// The owners of all points at the ends of playouts of the position of `game`, half of the playouts
/// with each player to move, by [`Sample::ownership`]. Equal stones and `seed` give equal owners.
fn owners(game: &Game, seed: u64) -> Vec<f64> {
    let starts = Color::BOTH.map(|color| {
        let mut board = *game.board();
        // Both turns, so that passes and ko are forgotten.
        board.turn_to(!color);
        board.turn_to(color);
        board
    });
    Sample::of(&starts, BuiltInPolicy::CaptureEscape { probability: 0.9 }, seed, PLAYOUTS)
        .ownership()
}

/// What becomes of the stones of a finished game; all others live.
pub struct Statuses {
    /// Stones that their owner cannot save.
    pub dead: Bits<6>,
    /// Stones that live because the opponent cannot afford to attack them.
    pub seki: Bits<6>,
}

impl Statuses {
    /// The statuses in the position of `game`. Proofs by [`safe_area`] are certain, seki is read
    /// from the liberties ([`seki`]), and playouts decide about other chains. Equal stones and
    /// `seed` give equal statuses.
    pub fn of(game: &Game, seed: u64) -> Self {
        let (board, suicide) = (game.board(), game.rules().suicide);
        let safe = Color::BOTH.map(|color| safe_area(board, color, suicide));
        let mut dead = Bits::EMPTY;
        let mut open = Color::BOTH.map(|_| Vec::new());
        for color in Color::BOTH {
            for chain in chains(board.stones(color)) {
                if chain.intersects(safe[(!color).index()]) {
                    dead |= chain;
                } else if !chain.intersects(safe[color.index()]) {
                    open[color.index()].push(chain);
                }
            }
        }
        let seki = seki(board, &open);
        if open.iter().flatten().all(|chain| chain.intersects(seki)) {
            return Self { dead, seki };
        }
        let owners = owners(game, seed);
        for (chains, sign) in open.iter().zip([1.0, -1.0]) {
            for &chain in chains.iter().filter(|chain| !chain.intersects(seki)) {
                let points = Vertex::all(game.size()).zip(&owners);
                let own = points.filter(|(vertex, _)| chain.contains(Bits::<6>::index(*vertex)));
                let sum: f64 = own.map(|(_, share)| sign * share).sum();
                if sum / f64::from(chain.count()) < DEAD {
                    dead |= chain;
                }
            }
        }
        Self { dead, seki }
    }
}

/// The stones among the `open` chains, by [`Color::index`], that neither player can attack: at each
/// of their liberties a move of either player is bad, and they share liberties with such chains of
/// the other player.
fn seki(board: &Board<6>, open: &[Vec<Bits<6>>; 2]) -> Bits<6> {
    let empty = board.empty();
    let is_settled = |chain: &&Bits<6>| {
        let mut liberties = (chain.neighbors() & empty).iter();
        liberties.all(|index| Color::BOTH.into_iter().all(|color| is_bad(board, index, color)))
    };
    let [black, white] = open.each_ref().map(|chains| {
        chains.iter().filter(is_settled).fold(Bits::EMPTY, |settled, chain| settled | *chain)
    });
    let shared = black.neighbors() & white.neighbors() & empty;
    let stones = black | white;
    shared.flood(stones | (stones.neighbors() & empty)) & stones
}

/// Whether a play of `color` at the empty point `index` is bad: it is forbidden, or captures
/// nothing and can be captured at once. A sacrifice that leaves the opponent a single eye is not
/// bad.
fn is_bad(board: &Board<6>, index: usize, color: Color) -> bool {
    let mut after = *board;
    after.turn_to(color);
    if !after.play_unless_suicide(index) {
        return true;
    }
    let liberties = Bits::point(index).flood(after.stones(color)).neighbors() & after.empty();
    if after.stones(!color) != board.stones(!color) || liberties.count() != 1 {
        return false;
    }
    let own = after.stones(color);
    after.play_unless_suicide(liberties.nth(0));
    !is_nakade(own - after.stones(color))
}

/// Whether the player who takes the stones `chain` may be left with a single eye in their place: up
/// to three points, a square of four, and shapes with a point that touches nearly all others.
fn is_nakade(chain: Bits<6>) -> bool {
    let most = chain.iter().map(|index| (Bits::point(index).neighbors() & chain).count()).max();
    let beside = chain & chain.shifted_down(1);
    let has_square = !(beside & beside.shifted_down(Bits::<6>::STRIDE)).is_empty();
    chain.count() <= 3 || most.unwrap_or(0) + u32::from(has_square) + 1 >= chain.count()
}

/// The score of `game` with its dead stones taken off.
pub fn final_score(game: &Game, seed: u64) -> Score {
    let dead = Statuses::of(game, seed).dead;
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

    fn status(game: &Game, vertex: &str) -> &'static str {
        unconditional(game, vertex.parse().unwrap())
    }

    #[test]
    fn what_is_proved() {
        let game = game("O..X./XXXXX/OOOOO/.O.O./OOOOO");
        assert_eq!(status(&game, "A5"), "dead");
        assert_eq!(status(&game, "B4"), "alive");
        assert_eq!(status(&game, "E5"), "black_territory");
        assert_eq!(status(&game, "A2"), "white_territory");
        assert_eq!(status(&self::game("...../..X../....."), "C2"), "undecided");
    }

    fn dead(game: &Game) -> Bits<6> {
        Statuses::of(game, 1).dead
    }

    #[test]
    fn dead_stones_count_for_the_opponent() {
        let settled = game(".X.X./XXXXX/OOOOO/.O.O./OOOOO");
        assert!(dead(&settled).is_empty());
        assert_eq!(final_score(&settled, 1), settled.score());
        // A white stone in Black's corner: proved dead.
        let proved = game("O..X./XXXXX/OOOOO/.O.O./OOOOO");
        assert_eq!(dead(&proved).count(), 1);
        assert_eq!(final_score(&proved, 1), Score::from_points(10 - 15));
        // Not proved, but plain: one stone without room in a wall's half.
        let plain = game("..XO.../..XO.../..XO.O./..XO.../.XXO.../O.XO.../..XO...");
        assert_eq!(dead(&plain).count(), 1);
        assert_eq!(final_score(&plain, 1), Score::from_points(21 - 28));
        // On an open board nobody is dead.
        assert!(dead(&game("...../.X.../...../...O./.....")).is_empty());
    }

    #[test]
    fn seki_is_read_from_the_liberties() {
        // Four captured stones in a row leave two eyes: whoever attacks in the lowest row dies.
        let rows = ".X.XXXXXX/XXXXXXXXX/XXXXXXXXX/OOOOOOOXX/.XXXX.OXX";
        let Statuses { dead, seki } = Statuses::of(&game(rows), 1);
        assert_eq!((dead.count(), seki.count()), (0, 4 + 8));
        // Two captured stones in a row leave one eye: White is dead.
        let rows = ".X.XXXX/XXXXXXX/XXXXXXX/OOOOOXX/.XX.OXX";
        let Statuses { dead, seki } = Statuses::of(&game(rows), 1);
        assert_eq!((dead.count(), seki.count()), (6, 0), "{dead:?}");
        // Each has an eye of its own, and one liberty is shared.
        let rows = "OOOOX.X/OOOOXXX/.O.OX.X/OOOOXXX/OOOOXXX/XXXXOOO/.XX.OO.";
        let Statuses { dead, seki } = Statuses::of(&game(rows), 1);
        assert_eq!((dead.count(), seki.count()), (0, 6 + 5));
        // A square of four may be taken, and played again.
        let square = |rows: &str| {
            let board: Board<6> = Board::from_diagram(rows, Color::Black).unwrap();
            is_nakade(board.stones(Color::Black))
        };
        assert!(
            square("XX/XX/..")
                && square(".X./XXX/...")
                && square("XX./XXX")
                && square(".X./XXX/.X.")
        );
        assert!(
            !square("XXXX/....") && !square("XXX/X..") && !square("XX./.XX") && !square("XXX/X.X")
        );
    }
}
