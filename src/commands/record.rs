//! A position of a game record, as an argument of commands.

use super::setting_options::choices;
use super::{Caller, Failure};
use crate::go::{Game, Komi, Preset};
use crate::settings::files;
use crate::sgf::{GameTree, Overrides, RecordRules, SgfError, SgfWarning, parse_bytes, replay};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A record, and the position in it.
#[derive(Debug, clap::Args)]
pub struct RecordArguments {
    /// Game record in SGF, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    place: PlaceArguments,
    /// Komi in points, a multiple of 0.5 [default: that of the record]
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Rule set [default: that of the record, else simple]
    ///
    /// The rule set decides ko, suicide and White's points for handicap stones.
    #[arg(long, value_parser = choices::<Preset>())]
    rules: Option<Preset>,
}

/// The position in a record.
#[derive(Debug, clap::Args)]
pub struct PlaceArguments {
    /// Take the position after N moves of the main line, instead of the last position
    #[arg(long = "move", id = "move", value_name = "N")]
    moves: Option<usize>,
    /// Number of the game in the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = game_number)]
    game: usize,
}

impl PlaceArguments {
    /// Whether options choose a position.
    pub fn is_given(&self) -> bool {
        self.moves.is_some() || self.game != 1
    }

    /// The tree and the game of the record `file`, up to the position.
    pub fn open(
        &self,
        file: &Path,
        overrides: Overrides,
        caller: &dyn Caller,
    ) -> Result<(GameTree, Game), Failure> {
        let name = file.display();
        let bytes = files::read(file)
            .map_err(|fault| Failure::usage(format!("cannot read {name}: {fault}")))?;
        let mut games =
            parse_bytes(&bytes).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        let count = games.len();
        if self.game > count {
            let number = self.game;
            refuse!("--game is {number}, but {name} has {count}");
        }
        let tree = games.swap_remove(self.game - 1);
        let refused = |fault: SgfError| {
            let remedy = match fault {
                SgfError::Komi(_) => ", or --komi",
                _ => "",
            };
            Failure::usage(format!("{name}: {fault}{remedy}"))
        };
        let (game, warnings) = replay(&tree, overrides, self.moves).map_err(refused)?;
        warn(&name, &warnings, caller);
        if let Some(wanted) = self.moves {
            let there = tree.main_line().filter(|node| is_move(node)).count();
            if wanted > there {
                refuse!("--move is {wanted}, but {name} has {there}");
            }
        }
        Ok((tree, game))
    }
}

/// Says the warnings of the record `name`.
pub fn warn(name: impl Display, warnings: &[SgfWarning], caller: &dyn Caller) {
    for warning in warnings {
        let line: String = warning.to_string().chars().filter(|c| !c.is_control()).collect();
        caller.say(&format!("warning: {name}: {line}"));
    }
}

fn is_move(node: &crate::sgf::Node) -> bool {
    node.get("B").is_some() || node.get("W").is_some()
}

impl RecordArguments {
    /// The tree and the game up to the position.
    pub fn open(&self, caller: &dyn Caller) -> Result<(GameTree, Game), Failure> {
        let rules = self.rules.map(RecordRules::from);
        let overrides = Overrides { rules, komi: self.komi, size: None };
        self.place.open(&self.file, overrides, caller)
    }
}

fn game_number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number > 0);
    number.ok_or_else(|| "write a number from 1".to_owned())
}
