//! Searches of solved positions, and how their moves compare with the best.

use crate::convergence::settings::Settings;
use crate::convergence::solved::SolvedPosition;
use crate::run::{Row, RunError};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_bots::{BotFailure, Decision, NamedBot};
use tengen_go::Game;
use tengen_search::tree::Tree;
use tengen_search::{ResourceFault, SearchReport, UctConfig, driver, final_move, root_parallel};
use tengen_stats::seed::mix;

/// Results of the searches of one position by one bot after a number of simulations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PositionRow {
    /// Number of the position in its file, from 1.
    pub position: usize,
    /// The name of the bot.
    pub bot: String,
    /// Simulations of each search; none where the bot moves by its own settings.
    #[serde(rename = "playouts")]
    pub simulations: Option<u64>,
    /// Share of the searches whose move keeps the exact value.
    pub optimal: f64,
    /// Mean of the points that the moves of the searches give away.
    pub regret: f64,
    /// Mean error of the value at the root: 1, since the player to move wins, less the mean reward
    /// of that player. None where the bot moved without a search.
    pub value_error: Option<f64>,
}

impl Row for PositionRow {
    fn unit(&self) -> usize {
        self.position.saturating_sub(1)
    }

    fn example() -> Self {
        Self::default()
    }

    fn contradiction(&self) -> Option<String> {
        let Self { optimal, regret, value_error, .. } = self;
        let is_error = value_error.is_none_or(|error| (0.0..=1.0).contains(&error));
        if !(0.0..=1.0).contains(optimal) || !is_error {
            return Some("invalid optimal or value_error: expected 0 to 1".to_owned());
        }
        (!(*regret >= 0.0 && regret.is_finite()))
            .then(|| "invalid regret: expected a number of points from 0".to_owned())
    }
}

/// A search that continues as its number of simulations doubles.
struct Growing<'a> {
    bot: usize,
    config: &'a UctConfig,
    seed: u64,
    trees: Vec<Tree>,
}

/// What the search of a position came to.
#[derive(Clone, Copy)]
struct Choice {
    regret: i8,
    value_error: Option<f64>,
}

impl Choice {
    /// A bot's `decision` in `position`, after the search `report`. A resignation or an illegal move
    /// gives away as much as the worst move: the player to move could have won.
    fn of(position: &SolvedPosition, decision: Decision, report: Option<&SearchReport>) -> Self {
        let regret = match decision {
            Decision::Move(mv) => position.regret(mv),
            Decision::Resign => None,
        };
        let value_error = report.map(|report| {
            let reward: f64 = report.moves.iter().map(|root_move| root_move.reward).sum();
            let visits: u64 = report.moves.iter().map(|root_move| root_move.visits).sum();
            1.0 - reward / visits.max(1) as f64
        });
        Self { regret: regret.unwrap_or_else(|| position.greatest_regret()), value_error }
    }
}

impl PositionRow {
    /// The row of the `choices`, at least one, that the bot called `bot` made in position `number`,
    /// from 0.
    fn of(number: usize, bot: &str, simulations: Option<u64>, choices: &[Choice]) -> Self {
        let count = choices.len() as f64;
        let sum = |value: &dyn Fn(&Choice) -> f64| choices.iter().map(value).sum::<f64>();
        let errors: Vec<f64> = choices.iter().filter_map(|choice| choice.value_error).collect();
        Self {
            position: number + 1,
            bot: bot.to_owned(),
            simulations,
            optimal: sum(&|choice| f64::from(u8::from(choice.regret == 0))) / count,
            regret: sum(&|choice| f64::from(choice.regret)) / count,
            value_error: (!errors.is_empty())
                .then(|| errors.iter().sum::<f64>() / errors.len() as f64),
        }
    }
}

/// Searches `position`, number `number` of the run from 0, with all bots of `settings`. The rows
/// are in the order of bots and simulations, and depend on no other position. None if `stop` is
/// true.
///
/// A search does not begin anew for each number of simulations: its tree keeps growing, so that
/// results of one search at different numbers of simulations are correlated. Without a number of
/// simulations each bot moves by its own settings.
///
/// # Errors
/// A bot makes no move, or the system lacks something.
pub fn measure(
    settings: &Settings,
    number: usize,
    position: &SolvedPosition,
    stop: &AtomicBool,
) -> Result<Option<Vec<PositionRow>>, RunError> {
    match settings.simulations {
        Some(_) => Ok(measure_growing(settings, number, position, stop)?),
        None => measure_moves(settings, number, position, stop),
    }
}

/// Measures one move of each bot by its own settings, `searches` times.
fn measure_moves(
    settings: &Settings,
    number: usize,
    position: &SolvedPosition,
    stop: &AtomicBool,
) -> Result<Option<Vec<PositionRow>>, RunError> {
    let game = position.game();
    let seed = mix(settings.seed, number as u64);
    let mut rows = Vec::new();
    for NamedBot { name, config, .. } in &settings.bot {
        let mut choices = Vec::new();
        for search in 0..u64::from(settings.searches) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let answer = config.build(mix(seed, search), None).genmove(&game);
            let answer = answer.map_err(|failure| match failure {
                BotFailure::Resource(fault) => fault.into(),
                BotFailure::Forfeit { reason, .. } => RunError::Work(format!(
                    "bot {name} made no move in position {}, on {}: {reason}",
                    number + 1,
                    position.size()
                )),
            })?;
            choices.push(Choice::of(position, answer.decision, answer.report.as_ref()));
        }
        rows.push(PositionRow::of(number, name, None, &choices));
    }
    Ok(Some(rows))
}

/// Measures growing searches after each number of simulations.
fn measure_growing(
    settings: &Settings,
    number: usize,
    position: &SolvedPosition,
    stop: &AtomicBool,
) -> Result<Option<Vec<PositionRow>>, ResourceFault> {
    let game = position.game();
    let seed = mix(settings.seed, number as u64);
    let mut searches: Vec<Growing> = Vec::new();
    let configs = settings.bot.iter().map(|bot| bot.config.uct());
    for (bot, config) in configs.enumerate().filter_map(|(bot, config)| Some((bot, config?))) {
        for search in 0..u64::from(settings.searches) {
            searches.push(Growing { bot, config, seed: mix(seed, search), trees: Vec::new() });
        }
    }
    let mut rows = Vec::new();
    let mut before = 0;
    for (doubling, simulations) in (0..).zip(settings.budgets().into_iter().flatten()) {
        let grown = grow(&game, &mut searches, simulations - before, doubling, stop)?;
        let Some(reports) = grown else { return Ok(None) };
        before = simulations;
        let mut choices = vec![Vec::new(); settings.bot.len()];
        for (search, report) in searches.iter().zip(reports) {
            let mv = final_move::choose(&game, &report, search.config.final_move);
            choices[search.bot].push(Choice::of(position, Decision::Move(mv), Some(&report)));
        }
        let each = settings.bot.iter().zip(choices);
        rows.extend(
            each.map(|(bot, choices)| {
                PositionRow::of(number, &bot.name, Some(simulations), &choices)
            }),
        );
    }
    // By bot, then by simulations.
    let place = |row: &PositionRow| settings.bot.iter().position(|bot| bot.name == row.bot);
    rows.sort_by_key(|row| (place(row), row.simulations));
    Ok(Some(rows))
}

/// Makes `more` simulations in each search, all searches side by side; none if `stop` is true.
fn grow(
    game: &Game,
    searches: &mut [Growing<'_>],
    more: u64,
    doubling: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<SearchReport>>, ResourceFault> {
    let mut begun = Vec::new();
    for search in searches.iter_mut() {
        let config = UctConfig { simulations: Some(more), ..search.config.clone() };
        let trees = std::mem::take(&mut search.trees);
        begun.extend(root_parallel::begin(game, &config, mix(search.seed, doubling), trees));
    }
    let is_stopped = || stop.load(Ordering::Relaxed);
    let grown = driver::advance(game.size(), begun, &is_stopped)?;
    if is_stopped() {
        return Ok(None);
    }
    let mut results = tengen_search::reports(grown)?.into_iter();
    let mut reports = Vec::new();
    for search in searches {
        let own = results.by_ref().take(search.config.workers as usize).collect();
        let (report, trees) = root_parallel::report(game, own, 0.0);
        search.trees = trees;
        reports.push(report);
    }
    Ok(Some(reports))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Board, Color, Move};
    use tengen_settings::Settings as _;

    /// Black to move kills White with B2, or lives in seki with nothing else.
    fn position() -> SolvedPosition {
        let board = Board::from_diagram("OOOOX/...OX/OOOOX/XXXXX/.X.X.", Color::Black).unwrap();
        let moves =
            [("A1", 1), ("C1", 1), ("E1", 1), ("A4", 1), ("B4", 25), ("C4", 1), ("pass", 1)];
        let moves: Vec<(Move, i8)> =
            moves.iter().map(|&(mv, value)| (mv.parse().unwrap(), value)).collect();
        SolvedPosition { source: "drawn".into(), ply: 0, board, moves, bounded: Vec::new() }
    }

    fn settings(bots: &str) -> Settings {
        let text = format!(
            "name = \"a\"\npositions = \"\"\nsimulations = 16\ndoublings = 6\nsearches = 4\nseed = 3\nbot = [{bots}]"
        );
        Settings::from_toml(&text).unwrap()
    }

    fn by_own_settings(bots: &str) -> Settings {
        let text = format!("positions = \"\"\nsearches = 40\nseed = 3\nbot = [{bots}]");
        Settings::from_toml(&text).unwrap()
    }

    fn rows(settings: &Settings) -> Vec<PositionRow> {
        let stop = AtomicBool::new(false);
        let rows = |number| measure(settings, number, &position(), &stop).unwrap().unwrap();
        [0, 1].into_iter().flat_map(rows).collect()
    }

    #[test]
    fn a_search_comes_to_the_only_good_move() {
        let settings = settings("\"plain=uct:rave=none,prior=none\", \"two=uct:workers=2\"");
        let rows = rows(&settings);
        assert_eq!(rows.len(), 2 * 2 * 7);
        for row in &rows {
            assert!((row.regret - 24.0 * (1.0 - row.optimal)).abs() < 1e-9, "{row:?}");
            assert!(row.value_error.is_some_and(|error| (0.0..=1.0).contains(&error)), "{row:?}");
        }
        for row in rows.iter().filter(|row| row.simulations == Some(1024)) {
            assert_eq!(row.optimal, 1.0, "{row:?}");
        }
        let plain: Vec<&PositionRow> = rows.iter().take(7).collect();
        assert!(plain[6].value_error < plain[0].value_error);
        // Other seeds for another position.
        assert_ne!(plain[0].value_error, rows[14].value_error);
    }

    #[test]
    fn other_bots_change_nothing() {
        let both = settings("\"plain=uct:rave=none\", \"default=uct\"");
        let alone = settings("\"plain=uct:rave=none\"");
        let all = rows(&both);
        let plain: Vec<PositionRow> = all.into_iter().filter(|row| row.bot == "plain").collect();
        assert_eq!(plain, rows(&alone));
    }

    #[test]
    fn bots_move_by_their_own_settings() {
        let few = by_own_settings("\"random\", \"solver\", \"plain:simulations=1000\"");
        let rows = rows(&few);
        let [random, solver, plain] = &rows[..3] else { panic!("{rows:?}") };
        // B2 is one of the points that a random bot may choose.
        assert!(random.optimal > 0.0 && random.optimal < 0.6, "{random:?}");
        assert_eq!((solver.optimal, solver.regret, solver.simulations), (1.0, 0.0, None));
        assert_eq!((random.value_error, plain.optimal), (None, 1.0));
        assert!(plain.value_error.is_some_and(|error| error < 0.5), "{plain:?}");
    }

    #[test]
    fn who_resigns_or_plays_an_illegal_move_gives_all_away() {
        let regret = |decision| Choice::of(&position(), decision, None).regret;
        assert_eq!(regret(Decision::Resign), 24);
        assert_eq!(regret(Decision::Move("A5".parse().unwrap())), 24);
        assert_eq!(regret(Decision::Move("B4".parse().unwrap())), 0);
    }

    #[test]
    fn a_stopped_measurement_gives_no_rows() {
        let stop = AtomicBool::new(true);
        for settings in [settings("\"plain=uct:rave=none\""), by_own_settings("\"random\"")] {
            assert_eq!(measure(&settings, 0, &position(), &stop).unwrap(), None);
        }
    }
}
