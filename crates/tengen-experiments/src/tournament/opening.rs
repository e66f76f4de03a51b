//! Openings given by the settings: read from SGF files, or written in the TOML file.

use std::path::{Path, PathBuf};
use std::{fmt, fs};
use tengen_go::{Bits, Board, Color, Game, Move, Rules, Size, written_as_text};
use tengen_settings::{Domain, SettingError, TextValue, files, settings, table_setting};
use tengen_sgf::{Overrides, Record};

/// Source of the openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Openings {
    /// Random plies: each a legal play that fills no own eye, with equal
    /// probability, and no pass.
    #[default]
    Random,
    /// Random plies, the same in pair n of every pairing: results of two bots against a third can
    /// then be compared opening by opening.
    Shared,
    /// Random plies that leave Black a win rate of 35 to 65 % by the value of a UCT search of 2,000
    /// simulations.
    Balanced,
    /// The openings of the configuration, one per pair.
    Given,
    /// No plies: a [`Tournament`](super::Tournament) holds `Random` with openings of 0 plies
    /// instead.
    None,
    /// An SGF file, or a folder of SGF files; a [`Tournament`](super::Tournament) holds `Given` and
    /// the openings in them instead.
    #[strum(default)]
    Path(PathBuf),
}

written_as_text!(Openings);

/// The values of `openings` that are no path; `given` needs the openings themselves.
const NAMES: &[&str] = &["random", "shared", "balanced", "none"];

/// The values of `openings`.
const FORMS: &str = "random, shared, balanced, none, or the path of an SGF file or a folder";

impl TextValue for Openings {
    fn domain() -> Domain {
        Domain::Path { names: NAMES, forms: FORMS }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.pad(&path.to_string_lossy()),
            named => f.pad(named.into()),
        }
    }
}

settings! {
    "an opening"
    /// An opening as `config.toml` has it: a position and moves.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Opening {
        /// The first position as rows of a diagram from the top, joined by `/`; none for
        /// the empty board.
        position: Option<String> = None, "ROWS" File;
        /// The player to move in that position, `b` or `w`; none for Black.
        to_play: Option<String> = None, "COLOR" File;
        /// The plies made from that position, in turn, as GTP vertices.
        moves: String = String::new(), "MOVES" File;
    }
}

table_setting!(Opening);

/// Reads the openings in `path`: an SGF file, or a folder, whose `.sgf` files are
/// taken in the order of their names. An opening is the whole main line of a record.
pub fn read(path: &Path, size: Size, rules: Rules) -> Result<Vec<Opening>, SettingError> {
    let refused = |said: String| SettingError::of("openings", said);
    let unreadable = |path: &Path, reason: String| {
        refused(format!("cannot read the openings {}: {reason}", path.display()))
    };
    if !path.exists() {
        return Err(unreadable(path, format!("no such file: expected {FORMS}")));
    }
    let mut files = if path.is_dir() {
        let entries = fs::read_dir(path).map_err(|e| unreadable(path, e.to_string()))?;
        let mut files = Vec::new();
        for entry in entries {
            files.push(entry.map_err(|e| unreadable(path, e.to_string()))?.path());
        }
        files.retain(|file| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")));
        files
    } else {
        vec![path.to_path_buf()]
    };
    if files.is_empty() {
        return Err(unreadable(path, "the folder holds no file named *.sgf".to_owned()));
    }
    files.sort();
    let opening = |file: &PathBuf| {
        let bytes = files::read(file).map_err(|e| unreadable(file, e.to_string()))?;
        let told = Some((rules.ko, rules.suicide).into());
        let overrides = Overrides { rules: told, komi: None, size: Some(size) };
        let fault = |reason: String| refused(format!("the opening {}: {reason}", file.display()));
        let record = Record::read_bytes(&bytes, overrides).map_err(|e| fault(e.to_string()))?;
        if let Some(doubt) = record.warnings.iter().find(|warning| warning.is_about_moves()) {
            return Err(fault(doubt.to_string()));
        }
        let opening = Opening::of(&record.game).map_err(fault)?;
        // Checked by the run's own rules too, here, where an error can name the file.
        opening.game(size, rules).map_err(fault)?;
        Ok(opening)
    };
    files.iter().map(opening).collect()
}

impl Opening {
    /// The first position and the plies of `game`, whose players must move in turn.
    fn of(game: &Game) -> Result<Self, String> {
        let start = game.position_at(0).copied().unwrap_or(*game.board());
        let mut player = game.moves().next().map_or(start.to_play(), |(color, _)| color);
        let first = player;
        for (number, (color, _)) in game.moves().enumerate() {
            if color != player {
                return Err(format!("move {} is out of turn", number + 1));
            }
            player = !player;
        }
        if player != game.to_play() && game.moves().len() > 0 {
            return Err(format!("PL gives {} the turn after its moves", game.to_play()));
        }
        let is_empty = start.empty() == Bits::board(start.size());
        let moves: Vec<String> = game.moves().map(|(_, mv)| mv.to_string()).collect();
        Ok(Self {
            position: (!is_empty).then(|| start.to_rows()),
            to_play: (first != Color::Black || !is_empty).then(|| first.to_string()),
            moves: moves.join(" "),
        })
    }

    /// A game at the first position of this opening, before its moves.
    pub(super) fn start(&self, size: Size, rules: Rules) -> Result<Game, String> {
        Self { moves: String::new(), ..self.clone() }.game(size, rules)
    }

    /// A game after this opening.
    pub(super) fn game(&self, size: Size, rules: Rules) -> Result<Game, String> {
        let to_play: Color = match &self.to_play {
            Some(text) => text.parse().map_err(|e: tengen_go::ParseError| e.to_string())?,
            None => Color::Black,
        };
        let mut start = match &self.position {
            Some(rows) => Board::from_diagram(rows, to_play).map_err(|e| e.to_string())?,
            None => Board::new(size),
        };
        start.turn_to(to_play);
        if start.size() != size {
            return Err(format!("its board is {} and not {size}", start.size()));
        }
        let mut game = Game::from_position(start, rules);
        for text in self.moves.split_whitespace() {
            let mv: Move = text.parse().map_err(|e: tengen_go::ParseError| e.to_string())?;
            game.play(game.to_play(), mv).map_err(|reason| format!("{mv}: {reason}"))?;
        }
        if game.end().is_some() {
            return Err("the game is over after it".to_owned());
        }
        Ok(game)
    }
}

/// Checks that `openings` can be played on a board of `size` under `rules`.
pub fn check(openings: &[Opening], size: Size, rules: Rules) -> Result<(), SettingError> {
    for (number, opening) in (1..).zip(openings) {
        opening
            .game(size, rules)
            .map_err(|reason| SettingError::of("opening", format!("opening {number}: {reason}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_no_paths() {
        assert!(FORMS.starts_with(&NAMES.join(", ")));
        for name in NAMES {
            assert!(!matches!(name.parse(), Ok(Openings::Path(_))), "{name}");
        }
    }
}
