//! A row of `games.csv`: a game.

use super::schedule::Schedule;
use crate::run::Row;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt::Display;
use tengen_go::{Color, Komi, Move, Size};
use tengen_settings::one_line;

/// A row of `games.csv`: a finished game. The fields are the columns, in order; what does not apply
/// is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Name of the run.
    #[serde(serialize_with = "on_one_line")]
    pub run: String,
    /// Number of the game in the schedule, from 0.
    pub game: usize,
    /// Number of the pairing, from 0.
    pub pairing: usize,
    /// Number of the colour-swapped pair within its pairing, from 0.
    pub pair: usize,
    /// Board size.
    pub size: Size,
    /// Komi, in points.
    pub komi: Komi,
    /// Name of the bot that played Black.
    #[serde(serialize_with = "on_one_line")]
    pub black: String,
    /// Name of the bot that played White.
    #[serde(serialize_with = "on_one_line")]
    pub white: String,
    /// Random seed of the pair, which both of its games share.
    pub seed: u64,
    /// Number of moves of the opening, which were played before the bots began.
    pub opening_plies: u32,
    /// Winner: `black`, `white`, `jigo` (a draw) or `void` (does not count).
    pub outcome: Outcome,
    /// Area score of the last position: Black's area minus White's minus komi;
    /// empty where the game was not played to its end.
    pub score: Option<f64>,
    /// How the game ended: `passes`, `resign`, `limit`, `illegal`, `crash`,
    /// `time` or `unplayed`.
    pub termination: Termination,
    /// Number of moves, those of the opening and passes included.
    pub plies: u32,
    /// Number of simulations that Black made; empty for a bot that makes none.
    pub black_simulations: Option<u64>,
    /// Number of simulations that White made; empty for a bot that makes none.
    pub white_simulations: Option<u64>,
    /// Thinking time of Black, in wall-clock seconds.
    #[serde(serialize_with = "milliseconds")]
    pub black_seconds: f64,
    /// Thinking time of White, in wall-clock seconds.
    #[serde(serialize_with = "milliseconds")]
    pub white_seconds: f64,
    /// CPU time of Black from its first move to the end of the game, in seconds: that of its GTP
    /// engine's processes, or of the thread that asks the bot and runs its searches. Empty where it is
    /// not known.
    #[serde(serialize_with = "microseconds")]
    pub black_cpu_seconds: Option<f64>,
    /// CPU time of White, in seconds, as for Black.
    #[serde(serialize_with = "microseconds")]
    pub white_cpu_seconds: Option<f64>,
    /// Why a player forfeited the game, how an engine's score differs, or why
    /// the game was not played; else empty.
    #[serde(serialize_with = "on_one_line")]
    pub reason: String,
    /// Score of the game by Black's GTP engine (`final_score`), seen from Black;
    /// empty for other bots.
    pub black_engine_score: Option<f64>,
    /// Score of the game by White's GTP engine (`final_score`), seen from Black;
    /// empty for other bots.
    pub white_engine_score: Option<f64>,
    /// The moves, those of the opening first, as GTP vertices; the players move in turn. Empty
    /// where a published run keeps none.
    pub moves: String,
    /// Comments on moves, `PLY TEXT` of each joined by ` | `, where the run has them.
    #[serde(serialize_with = "on_one_line")]
    pub comments: String,
}

impl Row for GameRow {
    const ADDED: &'static [&'static str] = &["black_cpu_seconds", "white_cpu_seconds"];

    fn unit(&self) -> usize {
        self.game
    }

    fn example() -> Self {
        Self::example()
    }

    fn contradiction(&self) -> Option<String> {
        let Self { outcome, termination, plies, opening_plies, .. } = self;
        let measured = [self.black_cpu_seconds, self.white_cpu_seconds].into_iter().flatten();
        let mut seconds = [self.black_seconds, self.white_seconds].into_iter().chain(measured);
        let scores = [self.score, self.black_engine_score, self.white_engine_score];
        if !seconds.all(|seconds| seconds >= 0.0 && seconds.is_finite()) {
            return Some("invalid seconds: expected a number from 0".to_owned());
        }
        if !scores.into_iter().flatten().all(f64::is_finite) {
            return Some("invalid score: expected a number or nothing".to_owned());
        }
        let score = self.score.map(Outcome::of_score);
        if let Some(by_score) = score.filter(|by_score| by_score != outcome) {
            let (outcome, by_score): (&str, &str) = (outcome.into(), by_score.into());
            return Some(format!("its outcome is {outcome}, but its score makes it {by_score}"));
        }
        let is_scored = matches!(termination, Termination::Passes | Termination::Limit);
        if is_scored != score.is_some() {
            let has = if is_scored { "no" } else { "a" };
            return Some(format!("its termination is {termination}, but it has {has} score"));
        }
        if (*termination == Termination::Unplayed) != (*outcome == Outcome::Void) {
            let outcome: &str = outcome.into();
            return Some(format!("its termination is {termination}, but its outcome {outcome}"));
        }
        let mut moves = 0;
        for text in self.moves.split_whitespace() {
            moves += 1;
            let is_move = text.parse::<Move>().is_ok_and(|mv| match mv {
                Move::Play(vertex) => vertex.is_on(self.size),
                Move::Pass => true,
            });
            if !is_move {
                return Some(format!("invalid move `{text}` on {}", self.size));
            }
        }
        if self.has_moves() && moves != *plies {
            return Some(format!("it has {plies} plies, but {moves} moves"));
        }
        (opening_plies > plies)
            .then(|| format!("it has {plies} plies, but {opening_plies} of its opening"))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde calls
fn milliseconds<S: serde::Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{seconds:.3}"))
}

#[allow(clippy::ref_option)] // what serde calls
fn microseconds<S: serde::Serializer>(
    seconds: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match seconds {
        Some(seconds) => serializer.serialize_str(&format!("{seconds:.6}")),
        None => serializer.serialize_none(),
    }
}

fn on_one_line<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&one_line(text))
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Outcome {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody won.
    Jigo,
    /// The game does not count.
    Void,
}

impl Outcome {
    /// The result of a game with this score of Black.
    #[must_use]
    pub fn of_score(score: f64) -> Self {
        match score.partial_cmp(&0.0) {
            Some(Ordering::Greater) => Self::Black,
            Some(Ordering::Less) => Self::White,
            _ => Self::Jigo,
        }
    }

    /// The result as Black sees it: win, loss or draw; none for a void game.
    #[must_use]
    pub const fn of_black(self) -> Option<tengen_stats::Outcome> {
        match self {
            Self::Black => Some(tengen_stats::Outcome::Win),
            Self::White => Some(tengen_stats::Outcome::Loss),
            Self::Jigo => Some(tengen_stats::Outcome::Draw),
            Self::Void => None,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Termination {
    /// By two passes.
    Passes,
    /// A player resigned.
    Resign,
    /// The limit of plies; the last position was scored.
    Limit,
    /// A player made an illegal move.
    Illegal,
    /// A player's program ended.
    Crash,
    /// A player ran out of time.
    Time,
    /// The game was not played, and does not count: its pair has no balanced
    /// opening.
    Unplayed,
}

impl GameRow {
    /// Whether the game was played, however it ended.
    #[must_use]
    pub fn is_played(&self) -> bool {
        self.termination != Termination::Unplayed
    }

    /// The result as the first bot of the pairing sees it, which plays Black in the first game of a
    /// pair; none for a void game.
    #[must_use]
    pub fn of_first(&self) -> Option<tengen_stats::Outcome> {
        let black = self.outcome.of_black()?;
        Some(if self.game.is_multiple_of(2) { black } else { black.reversed() })
    }

    /// The row without its times, which alone differ when the game is played again by bots whose
    /// budgets are simulations.
    #[must_use]
    pub fn without_times(self) -> Self {
        let (black_seconds, white_seconds) = (0.0, 0.0);
        let (black_cpu_seconds, white_cpu_seconds) = (None, None);
        Self { black_seconds, white_seconds, black_cpu_seconds, white_cpu_seconds, ..self }
    }

    /// The number of turns of the player `color`: its moves after the opening, passes included, and a
    /// turn in which it resigned or forfeited the game.
    #[must_use]
    pub fn turns(&self, color: Color) -> u32 {
        // Black makes the first move of every game, the opening included.
        let by_color = |plies: u32| match color {
            Color::Black => plies.div_ceil(2),
            Color::White => plies / 2,
        };
        let moves = by_color(self.plies) - by_color(self.opening_plies.min(self.plies));
        let has_moved = matches!(
            self.termination,
            Termination::Passes | Termination::Limit | Termination::Unplayed
        );
        let to_play = if self.plies.is_multiple_of(2) { Color::Black } else { Color::White };
        moves + u32::from(!has_moved && color == to_play)
    }

    /// The result as SGF writes it.
    #[must_use]
    pub fn result(&self) -> String {
        let winner = match self.outcome {
            Outcome::Black => "B",
            Outcome::White => "W",
            Outcome::Jigo => return "0".to_owned(),
            Outcome::Void => return "Void".to_owned(),
        };
        let by = match (self.termination, self.score) {
            (Termination::Resign, _) => "R".to_owned(),
            (Termination::Time, _) => "T".to_owned(),
            (Termination::Passes | Termination::Limit, Some(score)) => score.abs().to_string(),
            _ => "F".to_owned(),
        };
        format!("{winner}+{by}")
    }

    /// Whether the final score of a GTP engine that played names another winner than
    /// the row's own score.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        let sign = |score: f64| score.partial_cmp(&0.0);
        let other = |theirs: f64| self.score.is_some_and(|ours| sign(ours) != sign(theirs));
        [self.black_engine_score, self.white_engine_score].into_iter().flatten().any(other)
    }

    /// Whether the row has the moves of its game; some published runs keep none.
    #[must_use]
    pub const fn has_moves(&self) -> bool {
        self.plies == 0 || !self.moves.is_empty()
    }

    /// The first field of the row that differs from the game with this number in `schedule`, on a board of
    /// `size` with this `komi`; `None` if the row is that game. `name` gives the name of a bot by its place
    /// in the list of bots.
    #[must_use]
    pub fn differs<'a>(
        &self,
        schedule: &Schedule,
        (size, komi): (Size, Komi),
        name: impl Fn(usize) -> &'a str,
    ) -> Option<String> {
        if self.game >= schedule.games() {
            return Some(format!("the schedule has {} games", schedule.games()));
        }
        let plan = schedule.plan(self.game);
        let bot = |color| name(plan.bot(color));
        let text = |number: &dyn Display| number.to_string();
        let fields = [
            ("pairing", text(&self.pairing), text(&plan.pairing)),
            ("pair", text(&self.pair), text(&plan.pair)),
            ("seed", text(&self.seed), text(&plan.seed)),
            ("size", text(&self.size), text(&size)),
            ("komi", text(&self.komi), text(&komi)),
            ("black", self.black.clone(), bot(Color::Black).to_owned()),
            ("white", self.white.clone(), bot(Color::White).to_owned()),
        ];
        let differing = fields.into_iter().find(|(_, found, planned)| found != planned);
        differing.map(|(field, found, planned)| format!("its {field} is {found} and not {planned}"))
    }

    /// The moves of the opening.
    pub fn opening(&self) -> impl Iterator<Item = &str> {
        self.moves.split(' ').take(self.opening_plies as usize)
    }
}

impl GameRow {
    /// An example of a row, for the header and for tests, which change the fields
    /// that they are about.
    #[must_use]
    pub fn example() -> Self {
        Self {
            run: "example".into(),
            game: 5,
            pairing: 0,
            pair: 1,
            size: Size::square(3).unwrap_or_else(|_| unreachable!("3x3 is a size")),
            komi: Komi::default(),
            black: "uct:simulations=10,workers=2".into(),
            white: "random".into(),
            seed: u64::MAX,
            opening_plies: 2,
            outcome: Outcome::White,
            score: Some(-2.5),
            termination: Termination::Passes,
            plies: 5,
            black_simulations: Some(150),
            white_simulations: None,
            black_seconds: 0.125,
            white_seconds: 0.0,
            black_cpu_seconds: Some(0.0625),
            white_cpu_seconds: None,
            reason: String::new(),
            black_engine_score: None,
            white_engine_score: Some(-3.5),
            moves: "C3 A1 B2 pass pass".into(),
            comments: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{RowFile, rows};

    #[test]
    fn turns_are_those_after_the_opening() {
        let turns = |opening_plies, plies, termination| {
            let row = GameRow { opening_plies, termination, plies, ..GameRow::example() };
            Color::BOTH.map(|color| row.turns(color))
        };
        assert_eq!(turns(0, 5, Termination::Passes), [3, 2]);
        assert_eq!(turns(2, 5, Termination::Passes), [2, 1]);
        assert_eq!(turns(3, 5, Termination::Limit), [1, 1]);
        // White resigns at its second turn, and Black forfeits at its third.
        assert_eq!(turns(0, 3, Termination::Resign), [2, 2]);
        assert_eq!(turns(0, 4, Termination::Illegal), [3, 2]);
        assert_eq!(turns(0, 0, Termination::Crash), [1, 0]);
        assert_eq!(turns(0, 0, Termination::Unplayed), [0, 0]);
    }

    #[test]
    fn a_file_without_cpu_times_is_read() {
        let text = rows::to_csv(std::iter::once((&GameRow::example(), None)), true).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        let mut old = csv::Writer::from_writer(Vec::new());
        for cells in [&header, &record] {
            let is_kept = |name: &str| !name.ends_with("_cpu_seconds") && name != "check";
            let named = cells.iter().zip(&header).filter(|(_, name)| is_kept(name));
            old.write_record(named.map(|(cell, _)| cell)).unwrap();
        }
        let old = old.into_inner().unwrap();
        let read = rows::parse::<GameRow>(&old, std::path::Path::new("games.csv")).unwrap();
        let expected = GameRow { black_cpu_seconds: None, ..GameRow::example() };
        assert_eq!(read[0].row, expected);
    }

    #[test]
    fn rows_round_trip() {
        let row = GameRow::example();
        assert!(!row.is_disputed() && row.has_moves());
        assert!(GameRow { plies: 0, moves: String::new(), ..row.clone() }.has_moves());
        assert!(!GameRow { moves: String::new(), ..row.clone() }.has_moves());
        assert!(GameRow { black_engine_score: Some(0.5), ..row.clone() }.is_disputed());
        let forfeit =
            GameRow { game: 6, score: None, termination: Termination::Illegal, ..row.clone() };
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("games.csv");
        let (mut file, _) = RowFile::open::<GameRow>(&path).unwrap();
        file.append(&[row.clone(), forfeit.clone()], None).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let line = ",2,white,-2.5,passes,5,150,,0.125,0.000,0.062500,,,,-3.5,C3 A1 B2 pass pass,,,";
        assert!(text.contains(line), "{text}");
        let read: Vec<GameRow> =
            rows::read_file(&path).unwrap().into_iter().map(|signed| signed.row).collect();
        assert_eq!(read, [row, forfeit]);
    }
}
