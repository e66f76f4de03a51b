//! Planes by name: what a network sees of a position.

use super::planes::{own_komi, write_bits};
use super::{Leaf, RECENT};
use std::fmt;
use std::str::FromStr;
use tengen_go::{Bits, Board, Color, Move, ParseError, Size};

/// The input planes of a network, by name, such as `stones:8,color`. As text the names, separated by commas:
///
/// | name | planes | at each point, 1 for |
/// |---|---|---|
/// | `stones:N` | 2 N | stones of the player to move, then of the opponent, in the current position and the N − 1 before it, the newest first; 0 before the game began. `stones` is `stones:1` |
/// | `legal` | 1 | points that the player to move may play, without own eyes unless the bot has `own_eyes=true` |
/// | `last:N` | N | the last move, the move before it, and so on |
/// | `liberties:N` | N | stones of either player whose chain has 1, 2, … liberties; N or more in the last plane |
/// | `ko` | 1 | the point where simple ko forbids to play |
/// | `color` | 1 | every point if Black is to move |
/// | `komi` | 1 | komi from the view of the player to move, divided by 20, at every point |
/// | `ones` | 1 | every point |
///
/// N is 1 to 8. The player to move is always that of the newest position.
///
/// # Examples
/// ```
/// use tengen_go::{Game, Komi, Preset, Rules, Size};
/// use tengen_search::evaluator::{Leaf, PlaneSet};
///
/// let planes: PlaneSet = "stones:8,color".parse()?;
/// assert_eq!((planes.count(), planes.positions()), (17, 8));
/// let size = Size::square(5)?;
/// let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
/// let mut values = vec![0.0; 17 * size.points()];
/// planes.write(&Leaf::of_root(&game, false), &mut values);
/// assert_eq!(values[16 * size.points()], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneSet {
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Stones(usize),
    Legal,
    Last(usize),
    Liberties(usize),
    Ko,
    Color,
    Komi,
    Ones,
}

impl Kind {
    const fn planes(self) -> usize {
        match self {
            Self::Stones(positions) => 2 * positions,
            Self::Last(count) | Self::Liberties(count) => count,
            Self::Legal | Self::Ko | Self::Color | Self::Komi | Self::Ones => 1,
        }
    }
}

/// The planes of [`Leaf::write_planes`].
const USUAL: [Kind; 4] = [Kind::Stones(1), Kind::Legal, Kind::Last(2), Kind::Komi];

impl Default for PlaneSet {
    /// The planes of [`Leaf::write_planes`]: `stones,legal,last:2,komi`.
    fn default() -> Self {
        Self { kinds: USUAL.to_vec() }
    }
}

impl PlaneSet {
    /// The number of planes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.iter().map(|kind| kind.planes()).sum()
    }

    /// The number of positions that the planes show, the newest included.
    #[must_use]
    pub fn positions(&self) -> usize {
        let positions =
            self.kinds.iter().map(|kind| if let Kind::Stones(n) = kind { *n } else { 1 });
        positions.max().unwrap_or(1)
    }

    /// Writes the planes of `leaf`, of height × width values each, in the order of [`Size::number`].
    ///
    /// # Panics
    /// If `planes` has not that many values.
    pub fn write(&self, leaf: &Leaf, planes: &mut [f32]) {
        let size = leaf.board.size();
        let points = size.points();
        assert_eq!(planes.len(), self.count() * points, "the values of all planes");
        if self.kinds == USUAL {
            return leaf.write_planes(planes);
        }
        let mut rest = planes;
        for kind in &self.kinds {
            let (own, others) = rest.split_at_mut(kind.planes() * points);
            kind.write(leaf, size, own);
            rest = others;
        }
    }
}

impl Kind {
    fn write(self, leaf: &Leaf, size: Size, planes: &mut [f32]) {
        let player = leaf.board.to_play();
        let sets = |planes: &mut [f32], sets: &mut dyn Iterator<Item = Bits<6>>| {
            planes.fill(0.0);
            for (plane, set) in planes.chunks_exact_mut(size.points()).zip(sets) {
                write_bits(set.numbered(size), plane);
            }
        };
        match self {
            Self::Stones(_) => {
                let boards = std::iter::once(&leaf.board).chain(&leaf.before);
                let stones = |board: &Board<6>| [board.stones(player), board.stones(!player)];
                sets(planes, &mut boards.flat_map(stones));
            }
            Self::Legal => sets(planes, &mut std::iter::once(leaf.legal)),
            Self::Last(_) => {
                let point = |mv: &Option<Move>| match mv {
                    Some(Move::Play(vertex)) => Bits::point(Bits::<6>::index(*vertex)),
                    Some(Move::Pass) | None => Bits::EMPTY,
                };
                sets(planes, &mut leaf.recent.iter().map(point));
            }
            Self::Liberties(most) => {
                sets(planes, &mut by_liberties(&leaf.board, most).into_iter());
            }
            Self::Ko => sets(planes, &mut std::iter::once(leaf.board.ko_set())),
            Self::Color => planes.fill(f32::from(u8::from(player == Color::Black))),
            Self::Komi => planes.fill(own_komi(leaf.komi, player) / 20.0),
            Self::Ones => planes.fill(1.0),
        }
    }
}

/// The stones whose chains have 1, 2, … liberties; the last set has chains of `most` or more.
fn by_liberties(board: &Board<6>, most: usize) -> Vec<Bits<6>> {
    let mut sets = vec![Bits::EMPTY; most];
    let empty = board.empty();
    for color in Color::BOTH {
        for chain in board.stones(color).components() {
            let liberties = (chain.neighbors() & empty).count() as usize;
            if let Some(set) = sets.get_mut(liberties.min(most).saturating_sub(1)) {
                *set |= chain;
            }
        }
    }
    sets
}

/// The forms of the text.
const FORMS: &str = "names of stones, stones:N, legal, last:N, liberties:N, ko, color, komi and ones, with N from 1 to 8";

impl FromStr for PlaneSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let kind = |name: &str| {
            let (name, number) = name.split_once(':').map_or((name, None), |(a, b)| (a, Some(b)));
            let number = number.map(|text| text.parse().ok().filter(|n| (1..=RECENT).contains(n)));
            Some(match (name, number) {
                ("stones", None) => Kind::Stones(1),
                ("stones", Some(number)) => Kind::Stones(number?),
                ("last", Some(number)) => Kind::Last(number?),
                ("liberties", Some(number)) => Kind::Liberties(number?),
                ("legal", None) => Kind::Legal,
                ("ko", None) => Kind::Ko,
                ("color", None) => Kind::Color,
                ("komi", None) => Kind::Komi,
                ("ones", None) => Kind::Ones,
                _ => return None,
            })
        };
        let kinds: Option<Vec<Kind>> = text.split(',').map(|name| kind(name.trim())).collect();
        let kinds = kinds.ok_or_else(|| ParseError::new("planes", text, FORMS))?;
        Ok(Self { kinds })
    }
}

impl fmt::Display for PlaneSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |kind: &Kind| match kind {
            Kind::Stones(1) => "stones".to_owned(),
            Kind::Stones(number) => format!("stones:{number}"),
            Kind::Last(number) => format!("last:{number}"),
            Kind::Liberties(number) => format!("liberties:{number}"),
            Kind::Legal => "legal".to_owned(),
            Kind::Ko => "ko".to_owned(),
            Kind::Color => "color".to_owned(),
            Kind::Komi => "komi".to_owned(),
            Kind::Ones => "ones".to_owned(),
        };
        f.pad(&self.kinds.iter().map(name).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Game, Preset, Rules};

    /// The plane `number` of `names` in the position after `moves` on 3×3, as a drawing.
    fn plane(names: &str, number: usize, moves: &str) -> String {
        let size: Size = "3x3".parse().unwrap();
        let rules = Rules::new(Preset::Simple, size, "2.5".parse().unwrap());
        let mut game = Game::new(size, rules);
        for mv in moves.split_whitespace() {
            game.play(game.to_play(), mv.parse().unwrap()).unwrap();
        }
        let set: PlaneSet = names.parse().unwrap();
        assert_eq!(set.to_string(), names);
        let mut planes = vec![9.0; set.count() * 9];
        set.write(&Leaf::of_root(&game, true), &mut planes);
        let sign = |&value: &f32| match value {
            0.0 => '.',
            1.0 => 'x',
            _ => '?',
        };
        let rows = planes[number * 9..][..9].chunks(3).rev();
        rows.map(|row| row.iter().map(sign).collect::<String>()).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn planes_by_hand() {
        // B1 and A2 hold A1; White takes nothing yet. Black to move.
        let moves = "B1 C3 A2 B3";
        assert_eq!(plane("stones", 0, moves), ".../x../.x.");
        assert_eq!(plane("stones", 1, moves), ".xx/.../...");
        // Before B3 and before A2; players as in the newest position.
        assert_eq!(plane("stones:3", 3, moves), "..x/.../...");
        assert_eq!(plane("stones:3", 4, moves), ".../.../.x.");
        assert_eq!(plane("stones:8", 10, moves), ".../.../...", "before the game");
        assert_eq!(plane("last:3", 0, moves), ".x./.../...");
        assert_eq!(plane("last:3", 2, moves), "..x/.../...");
        assert_eq!(plane("legal", 0, moves), "x../.xx/x.x");
        // The liberties of A2 are A1, A3 and B2, of B1 A1, C1 and B2, of the white chain A3, B2 and
        // C2.
        assert_eq!(plane("liberties:2", 1, moves), ".xx/x../.x.");
        assert_eq!(plane("liberties:8", 2, moves), ".xx/x../.x.");
        assert_eq!(plane("liberties:2", 0, "B1 A1"), ".../.../x..");
        assert_eq!(plane("color,ones", 0, moves), "xxx/xxx/xxx");
        assert_eq!(plane("color,ones", 0, "B1"), ".../.../...");
        assert_eq!(plane("color,ones", 1, "B1"), "xxx/xxx/xxx");
        assert_eq!(plane("komi", 0, "B1"), "???/???/???");
        // After neither line does ko forbid a point.
        let ko = "B1 C1 A2 B2 pass A3 C3 pass pass";
        assert_eq!(plane("ko", 0, ko), ".../.../...");
        assert_eq!(plane("ko", 0, "B2 A2 A1 B1 pass C2 pass B3 pass"), ".../.../...");
    }

    #[test]
    fn the_default_set_is_that_of_leaves() {
        let size: Size = "4x3".parse().unwrap();
        let rules = Rules::new(Preset::Tengen, size, "3.5".parse().unwrap());
        let mut game = Game::new(size, rules);
        for mv in ["B1", "C2", "A1", "pass", "D3"] {
            game.play(game.to_play(), mv.parse().unwrap()).unwrap();
        }
        let leaf = Leaf::of_root(&game, false);
        let (set, again) = (PlaneSet::default(), "stones,legal,last:2,komi,ones");
        let again: PlaneSet = again.parse().unwrap();
        let (mut quick, mut slow) = (vec![9.0; 6 * 12], vec![9.0; 7 * 12]);
        set.write(&leaf, &mut quick);
        again.write(&leaf, &mut slow);
        assert_eq!(quick, slow[..6 * 12]);
    }

    #[test]
    fn other_names_are_refused() {
        for text in ["", "stone", "stones:0", "stones:9", "last", "legal:2", "stones,,legal"] {
            let error = text.parse::<PlaneSet>().unwrap_err().to_string();
            assert!(error.contains("liberties:N"), "{error}");
        }
    }
}
