//! A search whose progress can be read.

use super::{Offers, one};
use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_bots::{BotConfig, LiveMove, LiveSearch, ShouldStop};
use tengen_go::{Color, Game};
use tengen_search::{RootMove, SearchReport};
use tengen_stats::seed::mix;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The bot's move, within its own budget.
    Move,
    /// An analysis, which goes on until it is stopped or reaches its limits.
    Analysis,
}

/// A question that takes thinking.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkRequest {
    /// The game, whose last position is thought about.
    pub game: GameText,
    /// The bot, by name or specification.
    pub bot: String,
    /// What for.
    pub purpose: Purpose,
    /// The random seed of the bot in this game.
    #[serde(default = "one")]
    pub seed: u64,
    /// Simulations after which an analysis ends; none for the most that the limits allow.
    #[serde(default)]
    pub simulations: Option<u64>,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Update {
    /// The report of the search.
    #[serde(flatten)]
    pub report: SearchReport,
    /// Number of plies of the position.
    pub ply: u32,
    /// Black's win rate after the most visited move; none before the first simulation.
    pub black_win_rate: Option<f64>,
    /// Whether the search is over.
    pub done: bool,
    /// Why an analysis is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// The bot's move, `pass` or `resign`; none before the search for a move is over.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The bot's comment on its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// Moves whose principal variation is shown.
const MAX_VARIATIONS: usize = 24;

/// A search whose progress can be read. It stops when its caller stops calling it.
pub struct Thinking {
    game: Game,
    purpose: Purpose,
    /// Simulations, seconds and bytes that end the search.
    simulations: Option<u64>,
    seconds: Option<f64>,
    bytes: usize,
    kind: Kind,
    should_stop: ShouldStop,
}

enum Kind {
    /// A bot that has not been asked yet, and its seed.
    Bot(Box<BotConfig>, u64),
    /// A search in slices.
    Search(Box<LiveSearch<'static>>),
    /// The bot has moved.
    Over,
}

impl Thinking {
    /// Prepares to think, without computing anything yet.
    pub fn begin(
        request: &ThinkRequest,
        offers: &Offers,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let game = request.game.game(limits)?;
        if game.end().is_some() {
            return Err(Refusal::new("the game is over"));
        }
        let config = offers.find(&request.bot, &game, limits)?;
        let purpose = request.purpose;
        let most = limits.simulations;
        let (simulations, seconds, bytes) = match (config.uct(), purpose) {
            (Some(uct), Purpose::Move) => {
                // The searches apply the bot's own number of simulations.
                let seconds = uct.seconds.unwrap_or(limits.move_seconds);
                (uct.simulations.is_none().then_some(most), Some(seconds), limits.bytes)
            }
            (None, Purpose::Move) => (None, None, usize::MAX),
            (_, Purpose::Analysis) => {
                let simulations = request.simulations.map_or(most, |own| own.clamp(1, most));
                (Some(simulations), Some(limits.analysis_seconds), limits.bytes)
            }
        };
        // A search derives a seed for each position itself; other bots get one here.
        let of_position = || mix(request.seed, u64::from(game.ply()));
        let seed = if config.uct().is_some() { request.seed } else { of_position() };
        let kind = match purpose {
            Purpose::Analysis => {
                let search = LiveSearch::analysis(&config, seed, &game, None);
                Kind::Search(Box::new(search.map_err(Refusal::new)?))
            }
            Purpose::Move => Kind::Bot(Box::new(config), seed),
        };
        let should_stop = ShouldStop::default();
        Ok(Self { game, purpose, simulations, seconds, bytes, kind, should_stop })
    }

    /// Makes a bot without simulations, whose move takes a single [`Thinking::advance`], give up
    /// soon after `should_stop` is true. Its answer is then meaningless.
    pub fn stop_when(&mut self, should_stop: impl Fn() -> bool + Send + Sync + 'static) {
        self.should_stop = ShouldStop::when(should_stop);
    }

    /// Continues for up to `slice` simulations or until `should_stop`, and returns the results
    /// so far. `clock` is the time since the search began, in seconds.
    pub fn advance(
        &mut self,
        slice: u64,
        clock: &dyn Fn() -> f64,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Update, Refusal> {
        if let Kind::Bot(config, seed) = &self.kind {
            let mut bot = config.build(*seed, None);
            bot.stop_when(self.should_stop.clone());
            match LiveMove::begin(bot, config, &self.game, None).map_err(Refusal::new)? {
                LiveMove::Decided(answer, bot) => {
                    let mv = Some(answer.decision.to_string());
                    let remark = bot.remark().map(str::to_owned);
                    return Ok(Update { mv, remark, done: true, ..self.update(None, clock()) });
                }
                LiveMove::Searching(search) => self.kind = Kind::Search(search),
            }
        }
        let Kind::Search(search) = &mut self.kind else {
            return Err(Refusal::new("the search is over"));
        };
        let upto = search.simulations().saturating_add(slice);
        let most = self.simulations.map_or(upto, |own| own.min(upto));
        search.advance(Some(most), should_stop).map_err(Refusal::new)?;
        let is_over = search.is_over();
        let found = search.report();
        let mut update = self.update(found, clock());
        update.ended_by = self.ended_by(&update, is_over);
        update.done = update.ended_by.is_some();
        if update.done && self.purpose == Purpose::Move {
            let Kind::Search(search) = std::mem::replace(&mut self.kind, Kind::Over) else {
                return Err(Refusal::new("the search is over"));
            };
            update.mv = Some(search.finish().0.map_err(Refusal::new)?.decision.to_string());
        }
        Ok(update)
    }

    /// What the search has `found` after `seconds`, without an end.
    fn update(&self, found: Option<SearchReport>, seconds: f64) -> Update {
        let to_play = self.game.to_play();
        let mut report = found.unwrap_or_else(|| SearchReport::nothing(to_play));
        report.seconds = seconds;
        report.moves.iter_mut().skip(MAX_VARIATIONS).for_each(|it| it.variation.clear());
        let black = |rate: f64| if to_play == Color::Black { rate } else { 1.0 - rate };
        Update {
            ply: self.game.ply(),
            black_win_rate: report.moves.first().and_then(RootMove::value).map(black),
            report,
            done: false,
            ended_by: None,
            mv: None,
            remark: None,
        }
    }

    /// What has ended the search, if anything; it is over by itself where `is_over`.
    fn ended_by(&self, found: &Update, is_over: bool) -> Option<&'static str> {
        if is_over || self.simulations.is_some_and(|most| found.report.counts.simulations >= most) {
            Some("simulations")
        } else if self.seconds.is_some_and(|most| found.report.seconds >= most) {
            Some("time")
        } else if found.report.bytes >= self.bytes {
            Some("memory")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(json: &str) -> Result<Thinking, Refusal> {
        let request = serde_json::from_str(json).unwrap();
        Thinking::begin(&request, &Offers::default(), &Limits::default())
    }

    fn request(bot: &str, purpose: &str, moves: &str) -> String {
        format!(
            r#"{{"game":{{"size":"5x5","komi":2.5,"moves":"{moves}"}},"bot":"{bot}",
                "purpose":"{purpose}","simulations":500}}"#
        )
    }

    #[test]
    fn a_search_advances_in_slices_to_its_budget() {
        let mut thinking = begin(&request("uct:simulations=100", "move", "C3")).unwrap();
        let first = thinking.advance(64, &|| 0.0, &|| false).unwrap();
        assert_eq!((first.report.counts.simulations, first.done, &first.mv), (64, false, &None));
        let last = thinking.advance(64, &|| 0.0, &|| false).unwrap();
        assert_eq!(
            (last.report.counts.simulations, last.done, last.ended_by),
            (100, true, Some("simulations"))
        );
        assert_eq!(last.mv, Some(last.report.moves[0].mv.to_string()));
        assert_eq!((last.report.to_play, last.ply), (Color::White, 1));
        let shown = last.black_win_rate.unwrap() + last.report.moves[0].value().unwrap();
        assert!((shown - 1.0).abs() < 1e-12, "White's rate is not Black's");
    }

    #[test]
    fn an_analysis_stops_when_told() {
        let mut thinking = begin(&request("uct", "analysis", "")).unwrap();
        let stopped = thinking.advance(u64::MAX, &|| 0.0, &|| true).unwrap();
        assert!(
            stopped.report.counts.simulations < 500 && !stopped.done,
            "{}",
            stopped.report.counts.simulations
        );
        let all = thinking.advance(u64::MAX, &|| 0.0, &|| false).unwrap();
        assert_eq!((all.report.counts.simulations, all.done, &all.mv), (500, true, &None));
        let visits: u64 = all.report.moves.iter().map(|root_move| root_move.visits).sum();
        assert!(visits > 490 && !all.report.moves[0].variation.is_empty());
    }

    #[test]
    fn time_and_memory_end_a_search() {
        let end = |limits: Limits, seconds: f64| {
            let request = serde_json::from_str(&request("uct", "analysis", "")).unwrap();
            let mut thinking = Thinking::begin(&request, &Offers::default(), &limits).unwrap();
            thinking.advance(100, &|| seconds, &|| false).unwrap().ended_by
        };
        assert_eq!(end(Limits::default(), 0.0), None);
        assert_eq!(end(Limits::default(), 601.0), Some("time"));
        assert_eq!(end(Limits { bytes: 1, ..Limits::default() }, 0.0), Some("memory"));
    }

    #[test]
    fn what_cannot_begin_is_refused() {
        let refusal = begin(&request("two-ply", "analysis", "")).err().unwrap().to_string();
        assert_eq!(
            refusal,
            "two-ply cannot analyse: expected a bot that shows its search, such as uct"
        );
        assert!(begin(&request("uct", "move", "pass.pass")).is_err());
    }
}
