//! The card of a run: its answer in sentences, the plots that show it, and its bots.
//!
//! A card is a function of the files in a run's folder. It reads runs of all versions, and runs
//! that are still in progress. The functions of the reports make its sentences and plots.

use super::bots::{BotLine, bots};
use super::{Kind, study};
use crate::report::files::{Files, text};
use serde::Serialize;
use toml::Table;

/// A plot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The name of its file, without the ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The picture, an SVG document.
    pub svg: String,
}

/// The question, the answer, the plots and the bots of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Card {
    /// The question, where the run has a page that asks one.
    pub question: Option<String>,
    /// The answer, in sentences.
    pub answer: Vec<String>,
    /// Its plots.
    pub plots: Vec<Picture>,
    /// The bots.
    pub bots: Vec<BotLine>,
    /// What cannot be read, in sentences.
    pub faults: Vec<String>,
}

/// The most plots of a card.
const MAX_PLOTS: usize = 12;

/// The card of the run of `kind` with the settings `config` and these `files`.
#[must_use]
pub fn card(kind: Kind, config: Option<&Table>, files: &dyn Files) -> Card {
    let mut card = Card { bots: config.map(bots).unwrap_or_default(), ..Card::default() };
    match text(files, "README.md") {
        Ok(page) => card.question = page.and_then(|page| study::question_and_answer(&page).0),
        Err(fault) => card.faults.push(fault),
    }
    let none = Table::new();
    match (kind.declaration().card)(config.unwrap_or(&none), files) {
        Ok((answer, plots)) => {
            card.answer = answer;
            let drawn = plots.into_iter().map(|(name, drawing)| picture(&name, drawing.to_svg()));
            card.plots = drawn.collect();
        }
        Err(fault) => card.faults.push(fault),
    }
    for stored in files.plots().iter().filter_map(|name| stored(files, name)) {
        match card.plots.iter_mut().find(|plot| plot.name == stored.name) {
            // The plot of the report, which shows more than the table.
            Some(drawn) if kind == Kind::SCALING => *drawn = stored,
            Some(_) => {}
            None => card.plots.push(stored),
        }
    }
    card.plots.truncate(MAX_PLOTS);
    card
}

/// The plot `svg` with the `name` of its file, as words its title.
fn picture(name: &str, svg: String) -> Picture {
    Picture { title: name.replace(['_', '-'], " "), name: name.to_owned(), svg }
}

/// The plot that is stored as `name`.
fn stored(files: &dyn Files, name: &str) -> Option<Picture> {
    let svg = text(files, &format!("plots/{name}")).ok()??;
    // Without the XML header that a file may have.
    Some(picture(name.trim_end_matches(".svg"), svg[svg.find("<svg")?..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::brief;
    use super::*;
    use crate::kind::Folder;
    use std::path::Path;

    fn published(name: &str) -> (Kind, Card) {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let folder = Folder(results.join(name));
        let (kind, config) = folder.kind();
        let table = text(&folder, kind.table()).unwrap();
        assert!(
            table.is_some_and(|table| brief(kind, &table).is_some()),
            "{name}: no brief answer"
        );
        (kind, card(kind, config.as_ref(), &folder))
    }

    #[test]
    fn published_runs_of_every_kind_have_an_answer() {
        let runs = [
            ("2026-11-21-sprt-9x9", Kind::TOURNAMENT, "c0.4 is stronger than c1.0"),
            ("2026-11-29-default", Kind::TOURNAMENT, "First by rating: uct"),
            (
                "2026-11-21-parallel-9x9",
                Kind::SCALING,
                "Root parallel search of degree 16 with 16 times the simulations is worth 6.66 times (5.5 to 8.59)",
            ),
            (
                "2026-11-22-tune",
                Kind::TUNING,
                "After 600 games on 5x5 with thompson, the best exploration is 0.447",
            ),
            ("2026-11-25-tune-play-1000-9x9", Kind::TUNING, "Validated on fresh openings"),
            ("2026-11-25-learn-9x9", Kind::LEARNING, "round 1: 1700 weights"),
            ("2026-11-22-convergence", Kind::CONVERGENCE, "5x5: 32 simulations are the fewest"),
            ("2026-11-22-speed-3", Kind::SPEED, "simulations per second of CPU time"),
            ("2026-11-22-playouts", Kind::PLAYOUTS, "playouts per second of CPU time"),
            ("2026-11-22-regret", Kind::SYNTHETIC, "thompson loses least"),
            ("2026-11-24-exchange-7x7", Kind::STUDY, "Two thirds: 0.677 Elo"),
            ("2026-11-22-solve", Kind::STUDY, "proves the value of 5×5"),
        ];
        let mut wrong = Vec::new();
        for (name, expected, said) in runs {
            let (kind, card) = published(name);
            let is_whole = kind == expected
                && card.answer.join(" ").contains(said)
                && card.faults.is_empty()
                && (!card.plots.is_empty() || name.contains("solve"))
                && card.plots.iter().all(|plot| plot.svg.starts_with("<svg"))
                && card.question.is_some();
            if !is_whole {
                let plots: Vec<&String> = card.plots.iter().map(|plot| &plot.name).collect();
                wrong.push(format!(
                    "{name}: {kind:?}, {plots:?}, {:?} {:?}",
                    card.answer, card.faults
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder(scratch.path().to_owned());
        std::fs::write(scratch.path().join("rounds.csv"), "round,x\n1,2\n").unwrap();
        let found = card(Kind::LEARNING, None, &folder);
        assert!(found.faults[0].starts_with("rounds.csv, line 1: unknown column `x`"), "{found:?}");
        std::fs::remove_file(scratch.path().join("rounds.csv")).unwrap();
        assert_eq!(card(Kind::LEARNING, None, &folder), Card::default());
    }
}
