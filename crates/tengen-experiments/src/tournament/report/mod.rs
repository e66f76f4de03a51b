//! The results of a tournament, computed from its rows: files, text, plots and pages.

mod arms;
pub(crate) mod card;
mod costs;
mod eliminated;
mod page;
mod pilot;
mod ratings;
mod standing;
pub(crate) mod summary;
#[cfg(test)]
mod testing;
mod verdicts;
mod win_rates;

pub use pilot::Pilot;
pub use ratings::RatingList;
pub use standing::standing;
pub use summary::{Line, Summary};
pub(crate) use win_rates::{draw_cross_table, draw_win_rates};

use crate::report::plots;
use crate::report::text::{csv_text, elo_texts, json_of_elo, json_rows, sentence_of};
use crate::run::{CONFIG, MANIFEST, Manifest, RunDirectory, RunError, manifest_at};
use crate::tournament::{GameRow, Outline};
use costs::Costs;
use eliminated::Eliminated;
use page::{comparison, unplayed};
use ratings::ranking_sentences;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use tengen_go::{Move, Size, Vertex};
use tengen_stats::{SequentialTest, State};
use verdicts::Decided;

/// The summary of `rows`, games of the tournament of `outline`.
#[must_use]
pub fn summarize(outline: &Outline, rows: &[GameRow]) -> Summary {
    let schedule = outline.schedule();
    let pairings: Vec<(usize, usize)> =
        schedule.pairings().iter().map(|pairing| (pairing.first, pairing.second)).collect();
    Summary::of(&outline.names(), &pairings, rows)
}

/// Whether the games are over, of which `rows` count: by the decision of `test`, or because all games
/// of the schedule are played.
fn is_over(outline: &Outline, rows: &[GameRow], test: Option<&SequentialTest>) -> bool {
    test.is_some_and(|test| test.decision().is_some()) || rows.len() == outline.schedule().games()
}

/// The summary of the games `rows` that count, with the Elo difference after `test` once they are
/// over.
pub(crate) fn tested(
    outline: &Outline,
    rows: &[GameRow],
    test: Option<&SequentialTest>,
) -> Summary {
    let summary = summarize(outline, rows);
    match test.filter(|_| is_over(outline, rows, test)) {
        Some(test) => summary.stopped_by(test),
        None => summary,
    }
}

/// The games among `rows` that count in the tournament of `outline`, and the sequential test after
/// these games. Refuses games of a pairing that the tournament does not have.
pub(crate) fn counted(
    outline: &Outline,
    rows: Vec<GameRow>,
) -> Result<(Vec<GameRow>, Option<SequentialTest>), String> {
    let pairings = outline.schedule().pairings().len();
    match rows.iter().find(|row| row.pairing >= pairings) {
        Some(row) => {
            Err(format!("game {} is of a pairing that the settings do not have", row.game))
        }
        None => Ok(outline.counted(rows)),
    }
}

/// The results of the games of a tournament that count.
pub(crate) struct Results<'a> {
    pub(crate) outline: &'a Outline,
    /// The games, in the order of the schedule.
    pub(crate) rows: &'a [GameRow],
    pub(crate) test: Option<&'a SequentialTest>,
    manifest: &'a Manifest,
    pub(crate) summary: Summary,
    /// The ratings, or why there are none.
    pub(crate) ratings: Result<RatingList, String>,
    pub(crate) arms: Vec<arms::Difference>,
    verdicts: Vec<Decided>,
    eliminated: Option<Eliminated>,
    /// The summaries at the looks before the present one, if the run was extended.
    earlier: Vec<Summary>,
    pub(crate) costs: Costs,
}

impl<'a> Results<'a> {
    /// The results of `rows`, and those at each earlier look at the run of `manifest`. A sequential
    /// test allows for its looks.
    pub(crate) fn of(
        outline: &'a Outline,
        rows: &'a [GameRow],
        test: Option<&'a SequentialTest>,
        manifest: &'a Manifest,
    ) -> Self {
        let looks = manifest.looks();
        let before = match looks.split_last() {
            Some((_, before)) if test.is_none() => before,
            _ => &[],
        };
        let at = |&games: &usize| {
            summarize(outline, &rows[..rows.partition_point(|row| row.game < games)])
        };
        let earlier: Vec<Summary> = before.iter().map(at).collect();
        let summary = tested(outline, rows, test);
        let looks: Vec<&Summary> = earlier.iter().chain([&summary]).collect();
        Self {
            outline,
            rows,
            test,
            manifest,
            verdicts: verdicts::decide(outline, &looks, test, is_over(outline, rows, test)),
            earlier,
            summary,
            ratings: RatingList::of(&outline.names(), rows).map_err(|reason| reason.to_string()),
            arms: arms::differences(outline, rows),
            eliminated: Eliminated::of(outline, rows),
            costs: Costs::of(&outline.names(), rows),
        }
    }

    /// The number of the present look: 1, or more if the run was extended.
    pub(crate) fn look(&self) -> u32 {
        u32::try_from(self.earlier.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The answers at earlier looks of a run of two bots: what was known when it was extended.
    fn earlier_answers(&self) -> impl Iterator<Item = String> {
        (1..).zip(&self.earlier).filter_map(|(look, summary)| answer_at(look, summary))
    }

    /// Which bot is stronger, by how much, and how certain that is; and the verdict of the
    /// sequential test.
    pub(crate) fn answer(&self) -> Vec<String> {
        let Self { summary, ratings, .. } = self;
        let mut answer = match summary.bots.len() {
            2 => summary.pairings.iter().map(|line| comparison(line, self.look())).collect(),
            _ => ranking_sentences(summary, ratings.as_ref().ok()),
        };
        answer.extend(self.verdict());
        answer
    }

    /// [`Results::answer`], the results of the test and of the rules of a plan, and the CPU times of
    /// two bots compared, where the rows have them.
    pub(crate) fn said_first(&self) -> Vec<String> {
        let decided = self.verdicts.iter().map(Decided::sentence);
        let eliminated = self.eliminated.iter().map(Eliminated::sentence);
        let kept = eliminated.chain(self.earlier_answers()).chain(decided);
        let said_too = self.after_test().into_iter().chain(kept).map(|said| said + ".");
        let compared = self.costs.comparison().map(|sentence| sentence_of(&sentence));
        self.answer().into_iter().chain(said_too).chain(compared).collect()
    }

    /// The verdict of the sequential test in a sentence.
    pub(crate) fn verdict(&self) -> Option<String> {
        self.test.map(|test| verdict(&self.outline.names(), test))
    }

    /// The Elo difference after a sequential test, in a sentence; none if the test has not ended.
    pub(crate) fn after_test(&self) -> Option<String> {
        let line = self.test.and(self.summary.pairings.first())?;
        line.stopped?;
        let opponent = line.opponent.as_deref()?;
        let [elo, ends] = elo_texts(line.elo(), "to");
        Some(format!(
            "after the test the difference of {} and {opponent} is {elo} Elo ({ends}), median-unbiased",
            line.bot
        ))
    }

    /// How many games were played beyond the end of the test and do not count, in a sentence; none
    /// if all games count.
    pub(crate) fn beyond(&self) -> Option<String> {
        self.test?.decision()?;
        let played: usize = self.manifest.sessions.iter().filter_map(|session| session.units).sum();
        let more = played.checked_sub(self.rows.len()).filter(|&more| more > 0)?;
        Some(format!(
            "{more} more games do not count: in the schedule they come after the pair that stopped the test"
        ))
    }

    /// Sentences on an elimination, on the plan of the run, and on how often it was extended.
    pub(crate) fn origin(&self) -> impl Iterator<Item = String> {
        let decided = self.verdicts.iter().map(Decided::sentence);
        let eliminated = self.eliminated.as_ref();
        // A sequential test allows for its looks.
        let has_own_looks = self.test.is_some() || eliminated.is_some();
        let extended = self.manifest.extended().filter(|_| !has_own_looks);
        let now = answer_at(self.look(), &self.summary).filter(|_| self.look() > 1);
        let eliminated = eliminated.map(Eliminated::sentence).into_iter();
        let planned = self.manifest.planned().into_iter().chain(extended);
        eliminated.chain(decided).chain(planned).chain(self.earlier_answers()).chain(now)
    }

    /// The tables, by file name: summary, ratings and their differences if the games give ratings,
    /// the arms of a gauntlet on shared openings, and the verdicts on the rules of a plan.
    fn tables(&self) -> Result<Vec<(&'static str, String)>, RunError> {
        let mut tables = vec![("summary.csv", csv_text(self.summary.csv_rows())?)];
        if let Ok(ratings) = &self.ratings {
            tables.push(("ratings.csv", csv_text(ratings.csv_rows())?));
            tables.push(("differences.csv", csv_text(ratings.differences())?));
        }
        if !self.arms.is_empty() {
            tables.push(("arms.csv", csv_text(arms::csv_rows(&self.arms))?));
        }
        if !self.verdicts.is_empty() {
            let rows = self.verdicts.iter().flat_map(Decided::csv_rows);
            tables.push(("verdicts.csv", csv_text(rows)?));
        }
        Ok(tables)
    }

    /// The results as text and as JSON, with the number of `distinct` games.
    fn printed(&self, folder: &Path, distinct: Option<usize>) -> (String, Value) {
        let Self { outline, rows, test, summary, ratings, arms, costs, .. } = self;
        let (conditions, bots) = (outline.conditions(), outline.names());
        let mut printed = format!("{conditions}\n\n{summary}\n");
        if let (Ok(ratings), true) = (ratings, bots.len() > 2) {
            printed = format!("{printed}{ratings}\n\n");
        }
        if !arms.is_empty() {
            let table = arms::table(arms, "..");
            printed = format!("{printed}{table}percentage points, opening by opening\n\n");
        }
        if let Some(table) = costs.table() {
            printed = format!("{printed}{table}\n");
        }
        let games = format!("{} games in {}", rows.len(), folder.display());
        let said = self.verdict().into_iter().chain(self.after_test()).chain(self.beyond());
        let said = said.chain(self.origin()).chain(costs.comparison());
        for line in said.chain(remarks(rows, distinct)).chain([games]) {
            printed += &line;
            printed.push('\n');
        }
        let object = json!({
            "folder": folder.to_string_lossy(),
            "conditions": conditions,
            "games": rows.len(),
            "summary": json_rows(summary.csv_rows()),
            "ratings": ratings.as_ref().ok().map(|ratings| json_rows(ratings.csv_rows())),
            "test": test.map(|test| json_of_test(&bots, test, summary.pairings.first())),
            "elimination": self.eliminated.as_ref().map(Eliminated::to_json),
            "cost": costs.to_json(),
            "cpu_ratio": costs.ratio_json(),
        });
        (printed, object)
    }
}

/// The answer of a run of two bots at look `look`, after the games of `summary`, in a sentence
/// without its full stop; none with more bots.
fn answer_at(look: u32, summary: &Summary) -> Option<String> {
    let [line] = &summary.pairings[..] else { return None };
    let answer = comparison(line, look);
    let answer = answer.trim_end_matches('.');
    Some(format!("at look {look}, after {} pairs: {answer}", line.pairs.count()))
}

/// Writes summary, ratings, plots and report of the games `rows` that count into `directory`, the
/// folder of the run. Returns its [`answer`].
pub fn write(
    directory: &RunDirectory,
    outline: &Outline,
    rows: &[GameRow],
    test: Option<&SequentialTest>,
) -> Result<(String, Value), RunError> {
    let manifest = manifest_at(&directory.path().join(MANIFEST))?;
    let results = Results::of(outline, rows, test, &manifest);
    for (name, table) in results.tables()? {
        directory.write(name, table)?;
    }
    let conditions = outline.conditions();
    let win_rates = draw_win_rates(&results.summary, &conditions);
    let cross_table = draw_cross_table(&results.summary, &conditions);
    plots::save(directory, [("win_rates", win_rates), ("cross_table", cross_table)])?;
    let distinct = distinct(outline.size, rows);
    directory.write("report.html", results.to_html(&directory.read(CONFIG)?, distinct))?;
    Ok(results.printed(directory.path(), distinct))
}

/// The results of the games `rows` that count, of the run in `folder`, as text and as JSON. The
/// text has the tables and the verdict of `test`; the JSON object has folder, conditions, the rows
/// of `summary.csv` and `ratings.csv`, the state of `test`, and what the bots have used.
pub fn answer(
    folder: &Path,
    outline: &Outline,
    rows: &[GameRow],
    test: Option<&SequentialTest>,
) -> Result<(String, Value), RunError> {
    let manifest = manifest_at(&folder.join(MANIFEST))?;
    let results = Results::of(outline, rows, test, &manifest);
    Ok(results.printed(folder, distinct(outline.size, rows)))
}

/// The state of `test` in JSON; once the test has ended, with the Elo difference of `line`, which
/// is the first bot's.
pub(crate) fn json_of_test(bots: &[String], test: &SequentialTest, line: Option<&Line>) -> Value {
    let decision = test.decision().map(|decision| match decision.state {
        State::AcceptH1 => "H1",
        State::AcceptH0 | State::Continue => "H0",
    });
    let stopped = line.and_then(|line| line.stopped);
    let ends =
        stopped.map(|stopped| [stopped.interval.low, stopped.interval.high].map(json_of_elo));
    json!({
        "settings": test.sprt().to_string(),
        "decision": decision,
        "pairs": test.pairs().cells(),
        "elo": stopped.map(|stopped| json_of_elo(stopped.elo)),
        "elo_interval": ends,
        "llr": test.llr(),
        "lower": test.sprt().bounds().lower,
        "upper": test.sprt().bounds().upper,
        "verdict": verdict(bots, test),
    })
}

/// The number of distinct games among those of `rows` that were played on a board of `size`: two
/// games are duplicates if the same bot was Black and the moves are equal up to a symmetry of the
/// board (rotation or reflection).
///
/// Deterministic players repeat games, and a duplicate is no new evidence: intervals
/// of figures that count it are too narrow. None where the run keeps no moves.
fn distinct(size: Size, rows: &[GameRow]) -> Option<usize> {
    if !rows.iter().all(GameRow::has_moves) {
        return None;
    }
    let symmetries = if size.width() == size.height() { 8 } else { 4 };
    let played = rows.iter().filter(|row| row.is_played());
    let games: HashSet<(&str, Option<Vec<Move>>)> = played
        .map(|row| {
            let moves = row.moves.split_whitespace().filter_map(|text| text.parse().ok());
            let moves: Vec<Move> = moves.collect();
            let image = |symmetry| moves.iter().map(move |&mv| turned(size, mv, symmetry));
            // Games that are equal up to symmetry have the same least image.
            let least = (0..symmetries).min_by(|&a, &b| image(a).cmp(image(b)));
            (row.black.as_str(), least.map(|symmetry| image(symmetry).collect()))
        })
        .collect();
    Some(games.len())
}

/// The image of `mv` under a symmetry of the board: bit 0 of `symmetry` mirrors
/// the columns, bit 1 the rows, and bit 2 exchanges columns and rows (on square
/// boards only).
#[allow(clippy::cast_possible_truncation)] // sides are at most 19
fn turned(size: Size, mv: Move, symmetry: u8) -> Move {
    let Move::Play(Vertex { mut col, mut row }) = mv else {
        return Move::Pass;
    };
    if symmetry & 1 != 0 {
        col = size.width() as u8 - 1 - col;
    }
    if symmetry & 2 != 0 {
        row = size.height() as u8 - 1 - row;
    }
    Move::Play(if symmetry & 4 != 0 { Vertex::new(row, col) } else { Vertex::new(col, row) })
}

/// Remarks below the table on what the intervals do not show: unplayed games,
/// repeated games, and games whose winner an engine disputes.
fn remarks(rows: &[GameRow], distinct: Option<usize>) -> Vec<String> {
    let mut remarks: Vec<String> = unplayed(rows).into_iter().collect();
    let played = rows.iter().filter(|row| row.is_played()).count();
    if let Some(distinct) = distinct.filter(|&distinct| distinct < played) {
        remarks.push(format!(
            "only {distinct} of {played} games are different: a repeated game is no new evidence, so \
             the intervals are too narrow"
        ));
    }
    let counted =
        |row: &&GameRow| row.black_engine_score.is_some() || row.white_engine_score.is_some();
    let judged = rows.iter().filter(counted).count();
    if judged > 0 {
        let disputed = rows.iter().filter(|row| row.is_disputed()).count();
        remarks.push(format!(
            "{disputed} of {judged} games that an engine counted have another winner by its count"
        ));
    }
    remarks
}

/// The verdict of the sequential test in a sentence.
fn verdict(bots: &[String], test: &SequentialTest) -> String {
    let settings = test.sprt().settings();
    let said = match test.decision().map(|decision| decision.state) {
        Some(State::AcceptH1) => {
            format!("{} is more than {} Elo stronger than {}", bots[0], settings.elo0, bots[1])
        }
        Some(State::AcceptH0) => {
            format!("{} is not {} Elo stronger than {}", bots[0], settings.elo1, bots[1])
        }
        Some(State::Continue) | None => "undecided".to_owned(),
    };
    let bounds = test.sprt().bounds();
    format!(
        "sequential test {}: {said} (LLR {:.2} in {:.2} .. {:.2} after {} pairs)",
        test.sprt(),
        test.llr(),
        bounds.lower,
        bounds.upper,
        test.pairs().count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(size: &str, games: &[(&str, &str)]) -> usize {
        let row = |&(black, moves): &(&str, &str)| GameRow {
            black: black.to_owned(),
            moves: moves.to_owned(),
            ..GameRow::example()
        };
        let rows: Vec<GameRow> = games.iter().map(row).collect();
        super::distinct(size.parse().unwrap(), &rows).expect("games with moves")
    }

    #[test]
    fn all_eight_images_of_a_game_are_one() {
        let images = "B1 C4|D1 C4|B5 C2|D5 C2|A2 D3|A4 D3|E2 B3|E4 B3";
        let games: Vec<_> = images.split('|').map(|image| ("a", image)).collect();
        assert_eq!(distinct("5", &games), 1);
        assert_eq!(distinct("5", &[("a", "B1 C4"), ("a", "B1 C2")]), 2);
    }

    #[test]
    fn a_rectangle_is_not_turned() {
        assert_eq!(distinct("3x2", &[("a", "A1"), ("a", "C1"), ("a", "A2"), ("a", "C2")]), 1);
        assert_eq!(distinct("3x2", &[("a", "B1"), ("a", "A2")]), 2);
    }

    #[test]
    fn who_is_black_matters() {
        assert_eq!(distinct("5", &[("a", "C3 pass"), ("b", "C3 pass"), ("a", "C3 pass")]), 2);
    }
}
