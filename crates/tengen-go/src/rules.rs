//! The rules of a game: ko, suicide, komi and the limit of plies.

use super::score::Komi;
use super::size::Size;
use std::fmt;
use tengen_settings::choice;

choice! {
    "ko rule"
    /// The ko rule: which repetitions are forbidden.
    ///
    /// Simple ko: a lone stone that captured one stone and has one liberty may not be taken back at
    /// once, and a suicide of one stone may not follow another. Under natural situational superko a
    /// player creates a position by a play, and the first position of a game counts as created by the
    /// player who does not begin.
    ///
    /// # Examples
    /// ```
    /// use tengen_go::{Board, Color, IllegalMove, Ko, Komi, Move, Preset, Rules};
    ///
    /// let mut board = Board::<1>::from_diagram(".XO./XO.O/.XO./....", Color::Black)?;
    /// let rules = Rules::new(Preset::Simple, board.size(), Komi::default());
    /// board.play("C3".parse()?, rules)?;
    /// let recapture: Move = "B3".parse()?;
    /// assert_eq!(board.check(recapture, rules), Err(IllegalMove::Ko));
    /// assert_eq!(board.check(recapture, Rules { ko: Ko::None, ..rules }), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub enum Ko {
        /// Nothing is forbidden.
        None = "none",
        /// Simple ko: no play may repeat the position before the opponent's play.
        Simple = "simple",
        /// Positional superko: no play may repeat an earlier position.
        Psk = "psk",
        /// Situational superko: no play may repeat an earlier position with the same player to move.
        Ssk = "ssk",
        /// Natural situational superko: no player may repeat a position that this player created.
        Nssk = "nssk",
    }
}

choice! {
    "suicide rule"
    /// The suicide rule: whether a player may fill the last liberty of an own chain.
    ///
    /// # Examples
    /// ```
    /// use tengen_go::{Board, Color, IllegalMove, Komi, Move, Preset, Rules, Suicide};
    ///
    /// let board = Board::<1>::from_diagram(".XO./XXO./OOO./....", Color::Black)?;
    /// let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
    /// let suicide: Move = "A4".parse()?;
    /// assert_eq!(board.check(suicide, rules), Err(IllegalMove::Suicide));
    /// assert_eq!(board.check(suicide, Rules { suicide: Suicide::Multi, ..rules }), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub enum Suicide {
        /// Suicide is forbidden.
        No = "no",
        /// Suicide of two stones or more is allowed.
        Multi = "multi",
        /// Suicide of any number of stones is allowed.
        All = "all",
    }
}

choice! {
    "set of rules"
    /// A named set of rules.
    ///
    /// # Examples
    /// ```
    /// use tengen_go::{Ko, Preset, Suicide};
    ///
    /// let preset: Preset = "tromp-taylor".parse()?;
    /// assert_eq!(preset.ko_and_suicide(), (Ko::Psk, Suicide::All));
    /// assert_eq!(Preset::Chinese.handicap(4).points, 4);
    /// # Ok::<(), tengen_go::ParseError>(())
    /// ```
    #[derive(Default)]
    pub enum Preset {
        /// Positional superko, suicide forbidden: the default of this program.
        #[default]
        Tengen = "tengen",
        /// Positional superko, suicide forbidden, a point to White per handicap stone.
        Chinese = "chinese",
        /// Positional superko, suicide allowed.
        TrompTaylor = "tromp-taylor",
        /// Situational superko, suicide forbidden, a point to White per handicap stone but the first.
        Aga = "aga",
        /// Situational superko, suicide allowed.
        NewZealand = "new-zealand",
        /// Simple ko, suicide forbidden: positions may repeat until the limit of plies.
        Simple = "simple",
    }
}

impl Preset {
    /// The first preset with these rules and this compensation for handicap stones, if there is
    /// one.
    #[must_use]
    pub fn of(ko: Ko, suicide: Suicide, handicap: Handicap) -> Option<Self> {
        let is_same = |preset: &&Self| {
            preset.ko_and_suicide() == (ko, suicide) && preset.handicap(handicap.stones) == handicap
        };
        Self::VARIANTS.iter().find(is_same).copied()
    }

    /// The ko rule and the suicide rule of the preset.
    #[must_use]
    pub const fn ko_and_suicide(self) -> (Ko, Suicide) {
        match self {
            Self::Tengen | Self::Chinese => (Ko::Psk, Suicide::No),
            Self::TrompTaylor => (Ko::Psk, Suicide::All),
            Self::Aga => (Ko::Ssk, Suicide::No),
            Self::NewZealand => (Ko::Ssk, Suicide::All),
            Self::Simple => (Ko::Simple, Suicide::No),
        }
    }

    /// A handicap of `stones` under these rules. White receives a point per stone under
    /// `chinese`, and a point per stone but the first under `aga`; fewer than two stones are
    /// no handicap.
    #[must_use]
    pub const fn handicap(self, stones: u16) -> Handicap {
        let points = match self {
            _ if stones < 2 => return Handicap { stones: 0, points: 0 },
            Self::Chinese => stones,
            Self::Aga => stones - 1,
            Self::Tengen | Self::TrompTaylor | Self::NewZealand | Self::Simple => 0,
        };
        Handicap { stones, points }
    }
}

/// A handicap: stones that Black has on the board before the first move, and their
/// compensation.
///
/// # Examples
/// ```
/// use tengen_go::{Board, Color, Game, Preset, Rules, Size};
///
/// let size = Size::square(19)?;
/// let stones = ["D4".parse()?, "Q16".parse()?];
/// let start = Board::set_up(size, &stones, &[], Color::White)?;
/// let rules = Rules::new(Preset::Aga, size, "0.5".parse()?);
/// let game = Game::from_position(start, rules).with_handicap(Preset::Aga.handicap(2));
/// assert_eq!(game.handicap().points, 1);
/// assert_eq!(game.conditions(), "komi 0.5, handicap 2 (1 point to White)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// Number of handicap stones; 0 in an even game.
    pub stones: u16,
    /// Points that White receives for them, beside komi.
    pub points: u16,
}

impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.points == 1 { "" } else { "s" };
        write!(f, "handicap {} ({} point{plural} to White)", self.stones, self.points)
    }
}

/// The rules of a game: which moves are legal, when it ends and who has won.
/// Scoring is always by area.
///
/// # Examples
/// ```
/// use tengen_go::{Ko, Preset, Rules, Size, Suicide, default_komi};
///
/// let size = Size::square(9)?;
/// let rules = Rules::new(Preset::TrompTaylor, size, default_komi(size));
/// assert_eq!((rules.ko, rules.suicide, rules.max_plies), (Ko::Psk, Suicide::All, 424));
/// let situational = Rules { ko: Ko::Ssk, ..rules };
/// assert_eq!(situational.komi.to_string(), "7.5");
/// # Ok::<(), tengen_go::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The ko rule.
    pub ko: Ko,
    /// The suicide rule.
    pub suicide: Suicide,
    /// Points that White receives; in a [`Game`](crate::Game) they include the points for handicap
    /// stones.
    pub komi: Komi,
    /// Limit of plies per game: there the game ends, and its position is scored as it stands.
    pub max_plies: u32,
}

impl Rules {
    /// The rules of `preset` on a board of `size`.
    #[must_use]
    pub fn new(preset: Preset, size: Size, komi: Komi) -> Self {
        let (ko, suicide) = preset.ko_and_suicide();
        Self { ko, suicide, komi, max_plies: default_max_plies(size) }
    }
}

/// The default limit of plies per game: 4·width·height + 100.
#[must_use]
pub fn default_max_plies(size: Size) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // at most 361 points
    let points = size.points() as u32;
    4 * points + 100
}

/// The default komi of a board: 2.5 if no side is longer than 5, 8.5 on 7×7, else 7.5.
#[must_use]
pub fn default_komi(size: Size) -> Komi {
    let half_points = match size.longer_side() {
        ..=5 => 5_i8,
        _ if (size.width(), size.height()) == (7, 7) => 17,
        _ => 15,
    };
    Komi::small(half_points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        assert_eq!("tromp-taylor".parse(), Ok(Preset::TrompTaylor));
        assert_eq!(Preset::NewZealand.to_string(), "new-zealand");
        assert_eq!(Preset::TrompTaylor.ko_and_suicide(), (Ko::Psk, Suicide::All));
        assert_eq!("nssk".parse(), Ok(Ko::Nssk));
        assert_eq!(Suicide::Multi.to_string(), "multi");
        let error = "japanese".parse::<Preset>().unwrap_err().to_string();
        assert!(error.contains("`japanese`") && error.contains("tromp-taylor"), "{error}");
    }

    #[test]
    fn compensation_for_handicap_stones() {
        let points = |preset: Preset| [0, 1, 2, 9].map(|stones| preset.handicap(stones).points);
        assert_eq!(points(Preset::Chinese), [0, 0, 2, 9]);
        assert_eq!(points(Preset::Aga), [0, 0, 1, 8]);
        for preset in [Preset::Tengen, Preset::TrompTaylor, Preset::NewZealand, Preset::Simple] {
            assert_eq!(points(preset), [0; 4], "{preset}");
        }
        assert_eq!(Preset::Aga.handicap(2).to_string(), "handicap 2 (1 point to White)");
    }

    #[test]
    fn komi_by_size() {
        let komi = |text: &str| default_komi(text.parse().unwrap()).to_string();
        assert_eq!(komi("5"), "2.5");
        assert_eq!(komi("4x5"), "2.5");
        assert_eq!(komi("7"), "8.5");
        assert_eq!(komi("7x6"), "7.5");
        assert_eq!(komi("9"), "7.5");
    }
}
