//! Your own experiment in all commands of Tengen: how often do two bots choose the same move? A unit is a
//! position after random moves, in which each bot moves once.
//!
//! ```sh
//! cargo run --release --example experiment -- agreement --size 5 --positions 200 \
//!     --bot uct:simulations=100 --bot uct:simulations=1000
//! ```
//!
//! The command resumes, extends, cuts into chunks and merges runs as `tournament` does, and the page of this
//! program (`serve`) starts and shows them.

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use tengen::bots::{NamedBot, SideBySide};
use tengen::commands::{Answer, Caller, Failure, Front, saved, what_is_missing};
use tengen::go::{Game, Preset, Rules, Size, default_komi};
use tengen::kind::{Declaration, Kind};
use tengen::register;
use tengen::report::files::{Extent, RowsFile, rows_of as rows_in};
use tengen::run::{
    Chunk, Concurrency, Done, Execution, Experiment, Provenance, Row, Rows, Run, RunError, due,
    each_unit, rows_of,
};
use tengen::seed::mix;
use tengen::settings;
use tengen::settings::{CliOptions, Part, SettingError, Settings as _};
use tengen::stats::{Level, percent, percent_range, wilson};
use tengen::tournament::{self, random_opening};
use toml::Table;

settings! {
    "a measurement of agreement" => checked
    /// Which bots move in which positions.
    #[derive(Clone, Debug, PartialEq)]
    struct Settings {
        /// Kind of run: `agreement`
        kind: String = "agreement".to_owned(), "KIND" File extent;
        /// Name of the run, part of its folder's name
        name: String = "agreement".to_owned(), "NAME" One nothing;
        /// Board size
        size: Size, "SIZE" One;
        /// Number of positions
        positions: u32 = 100, "N" One extent, in 1..=1_000_000;
        /// Random moves before each position
        plies: u32 = 8, "N" One, in 0..=1_000;
        /// Random seed of the run, for the positions and the bots
        seed: u64 = 1, "SEED" One;
        /// The two bots that move
        bot: Vec<NamedBot>, "SPEC" Many;
    }
}

impl CliOptions for Settings {
    const HEADING: &'static str = "Agreement (each also a key of the TOML file)";

    fn parts() -> Vec<Part> {
        vec![Self::part(), Execution::part_of(&["out", "threads"])]
    }
}

impl Settings {
    fn checked(self) -> Result<Self, SettingError> {
        match self.bot.len() {
            2 => Ok(self),
            bots => Err(SettingError::of("bot", format!("`bot` has {bots} bots: write two"))),
        }
    }

    /// The position with this number, from 0.
    fn position(&self, number: usize) -> Game {
        let rules = Rules::new(Preset::Tengen, self.size, default_komi(self.size));
        random_opening(Game::new(self.size, rules), self.plies, self.seed(POSITIONS, number))
    }

    /// The random seed for the `use_` of random numbers in the position with this number.
    fn seed(&self, use_: u64, number: usize) -> u64 {
        mix(mix(self.seed, use_), number as u64)
    }
}

/// The moves of both bots in a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Moves {
    /// Number of the position, from 1.
    position: usize,
    /// The move of each bot, or `resign`.
    first: String,
    second: String,
}

impl Row for Moves {
    fn unit(&self) -> usize {
        self.position.saturating_sub(1)
    }

    fn example() -> Self {
        Self { position: 1, first: "E5".to_owned(), second: "resign".to_owned() }
    }

    fn contradiction(&self) -> Option<String> {
        (self.position == 0).then(|| "positions are counted from 1".to_owned())
    }
}

/// The uses of random numbers: each has seeds of its own.
const POSITIONS: u64 = 0;
const BOTS: u64 = 1;

/// Changes whenever other rows are made of the same settings: rows of both versions then stay apart.
const VERSION: &str = "1";

struct Agreement(Settings);

impl Experiment for Agreement {
    type Row = Moves;
    type Settings = Settings;
    const ROWS: &'static str = "moves.csv";
    const UNIT: &'static str = "position";

    fn config(&self) -> Result<Table, RunError> {
        Ok(Table::try_from(&self.0)?)
    }

    fn provenance(&self) -> Result<Provenance, RunError> {
        let bots = tournament::signatures(&self.0.bot, self.0.size)?;
        Ok(Provenance::of_settings(self.config()?, Settings::ALL, VERSION, bots))
    }

    /// A bot with a clock, and most other programs, move otherwise a second time.
    fn is_reproducible(&self) -> bool {
        self.0.bot.iter().all(|bot| bot.config.side_by_side() == SideBySide::Any)
    }

    fn units(&self) -> Option<usize> {
        Some(self.0.positions as usize)
    }

    fn number(&self, unit: usize) -> usize {
        unit + 1
    }

    fn differs(&self, row: &Moves) -> Option<String> {
        let positions = self.0.positions;
        (row.position > positions as usize).then(|| format!("there are {positions} positions"))
    }

    fn make(
        &self,
        there: &Rows<Moves>,
        chunk: Option<Chunk>,
        on: Concurrency<'_>,
        stop: &AtomicBool,
        done: Done<'_, Moves>,
    ) -> Result<(), RunError> {
        each_unit(due(self, there, chunk), on.threads, stop, done, |unit| {
            let game = self.0.position(unit);
            let moved = |bot: &NamedBot| {
                let answer = bot.config.build(self.0.seed(BOTS, unit), None).genmove(&game);
                let fault = |failure| RunError::Work(format!("bot {}: {failure}", bot.name));
                let mv = answer.map_err(fault)?.mv();
                Ok::<_, RunError>(mv.map_or("resign".to_owned(), |mv| mv.to_string()))
            };
            let [first, second] = [moved(&self.0.bot[0])?, moved(&self.0.bot[1])?];
            Ok(Some(vec![Moves { position: unit + 1, first, second }]))
        })
    }
}

/// How many of `all` positions have equal moves, in a sentence; none without positions.
fn answer(equal: usize, all: usize) -> Option<String> {
    let share = equal as f64 / all as f64;
    let interval = percent_range(wilson(share, all as f64, Level::P95)?);
    Some(format!(
        "The bots choose the same move in {} of {all} positions ({interval})",
        percent(share)
    ))
}

fn equal(moves: &[Moves]) -> usize {
    moves.iter().filter(|row| row.first == row.second).count()
}

static KIND: Declaration = Declaration {
    name: "agreement",
    keys: &["agreement"],
    table: Agreement::ROWS,
    own_table: Some(Agreement::ROWS),
    rows: Some(RowsFile::of::<Agreement>(|config, _| Extent::of_setting(config, "positions"))),
    card: |_, files| {
        let moves: Vec<Moves> = rows_in(files, Agreement::ROWS)?;
        Ok((answer(equal(&moves), moves.len()).into_iter().collect(), Vec::new()))
    },
    brief: |rows, _| {
        let equal = rows.iter().filter(|row| row.text("first") == row.text("second")).count();
        Some(format!("{equal} of {} moves equal", rows.len()))
    },
};

/// Measure how often two bots choose the same move
///
/// The command writes a folder: moves.csv (one row per position), config.toml and manifest.toml.
#[derive(Debug, Default, clap::Args)]
struct Agree {}

impl Front for Agree {
    type Experiment = Agreement;
    const KINDS: &'static [Kind] = &[Kind::new(&KIND)];
    const DEFAULT: &'static str =
        "size = '5x5'\npositions = 100\nbot = ['uct:simulations=100', 'uct:simulations=1000']";
    const EXTENT: Result<&'static str, &'static str> = Ok("positions");

    fn read(&self, table: Table) -> Result<Agreement, SettingError> {
        Settings::from_table(table).map(Agreement)
    }

    fn finish(&self, run: &Run, _: &dyn Caller) -> Result<Answer, Failure> {
        let measured = saved(self, run)?;
        let folder = run.directory.path();
        let moves = rows_of(&measured, folder)?;
        let said = answer(equal(&moves), moves.len()).unwrap_or_default();
        let missing = what_is_missing(run, &measured, moves.len());
        let text = format!("{said}\n\n{}\n{missing}", folder.display());
        Ok(Answer { text, json: json!({ "answer": said, "folder": folder }) })
    }
}

fn main() -> ExitCode {
    tengen::main_with(register::experiment::<Agree>)
}
