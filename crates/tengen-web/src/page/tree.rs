//! The question `tree`: a node of a search's tree, with the terms by which its moves are ranked.

use crate::page::deep::{after, from_one, game_and_bot, moves_of, one};
use crate::page::trees::{grow, with_tree};
use crate::page::{GameText, Limits, Offers, Player, Position, Refusal};
use serde::{Deserialize, Serialize};
use tengen_bots::BotConfig;
use tengen_go::Move;
use tengen_search::opened::{OpenedMove, OpenedNode, Terms, Urgency};
use tengen_search::tree::Proof;

/// Which node of which tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// The game, whose last position is searched.
    pub game: GameText,
    /// The bot, by name or specification.
    pub bot: String,
    /// The random seed of the bot in this game.
    #[serde(default = "one")]
    pub seed: u64,
    /// Simulations of the tree; with several workers, it is the tree of the first worker.
    pub simulations: u64,
    /// The moves from the root to the node.
    #[serde(default)]
    pub path: Vec<String>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeAnswer {
    /// Simulations of the tree.
    pub simulations: u64,
    /// Workers of the bot; the tree is the first worker's.
    pub workers: u32,
    /// The node.
    pub node: Node,
    /// The settings that decide the selection.
    pub formula: Formula,
    /// The position at the node.
    pub position: Position,
}

/// The settings of a selection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Formula {
    /// The setting `selection`.
    pub selection: String,
    /// The exploration constant.
    pub exploration: f64,
    /// The setting `rave`.
    pub rave: String,
    /// The setting `prior`.
    pub prior: String,
    /// The setting `first_play`.
    pub first_play: String,
    /// The visits at which a node gets children.
    pub expansion: u32,
    /// Leaves in flight at once.
    pub in_flight: u32,
}

impl Formula {
    /// The settings of `config`; none for a bot that does not search.
    pub(super) fn of(config: &BotConfig) -> Option<Self> {
        let uct = config.uct()?;
        Some(Self {
            selection: uct.selection.to_string(),
            exploration: uct.exploration,
            rave: uct.rave.to_string(),
            prior: uct.prior.to_string(),
            first_play: uct.first_play.to_string(),
            expansion: uct.expansion,
            in_flight: uct.in_flight,
        })
    }
}

/// A node as its next selection sees it. All rates and proofs are from the view of `to_play`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
    /// The moves from the root.
    pub path: Vec<String>,
    /// The player to move.
    pub to_play: Player,
    /// Visits, those in flight included.
    pub visits: u32,
    /// Visits whose results are not backed up yet.
    pub pending: u32,
    /// The win rate over the results; none without any.
    pub win_rate: Option<f64>,
    /// `won` or `lost`, where that is proved.
    pub proof: Option<Proof>,
    /// The weight β of RAVE; none if each move has one of its own.
    pub rave_weight: Option<f64>,
    /// The most visited line from here.
    pub variation: Vec<String>,
    /// Its moves, the most visited first; none at a leaf.
    pub moves: Vec<Ranked>,
    /// Moves that are left out, since they are many.
    pub more: usize,
}

/// A move with the terms of its urgency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether it has a node.
    pub in_tree: bool,
    /// Visits, those in flight included.
    pub visits: u32,
    /// Visits whose results are not backed up yet.
    pub pending: u32,
    /// The win rate over the results; none without any.
    pub win_rate: Option<f64>,
    /// Visits and mean of all-moves-as-first, without the prior; none without RAVE.
    pub rave: Option<Rave>,
    /// The prior.
    pub prior: Option<f64>,
    /// The number of visits for which the prior counts; none if it does not count as visits.
    pub prior_visits: Option<f64>,
    /// The mean of Black's lead after komi, in points; known only for moves at the root.
    pub score: Option<f64>,
    /// `won` or `lost`, where that is proved.
    pub proof: Option<Proof>,
    /// The urgency; none if it is infinite or was not computed.
    pub urgency: Option<f64>,
    /// Where the urgency comes from: `terms`, `first-play` if it is infinite, `draw`, `proof`, or
    /// `none` if a move that was never tried comes first.
    pub by: &'static str,
    /// The terms whose sum is the urgency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Terms>,
    /// The parameters of the Beta distribution from which the urgency is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<[f64; 2]>,
    /// Whether no other move is more urgent.
    pub most_urgent: bool,
}

/// All-moves-as-first of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rave {
    /// The visits.
    pub visits: f64,
    /// Their mean; none without any.
    pub value: Option<f64>,
}

/// Moves as text.
pub(super) fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

impl From<&OpenedMove> for Ranked {
    fn from(one: &OpenedMove) -> Self {
        let finite = one.urgency.value().filter(|value| value.is_finite());
        let (by, terms, beta) = match one.urgency {
            Urgency::Terms { terms, .. } if finite.is_some() => ("terms", Some(terms), None),
            Urgency::Terms { .. } => ("first-play", None, None),
            Urgency::Drawn { beta, .. } => ("draw", None, beta),
            Urgency::Proven(_) => ("proof", None, None),
            Urgency::Unranked => ("none", None, None),
        };
        let mean = |[visits, rewards]: [f64; 2]| (visits > 0.5).then(|| rewards / visits);
        Self {
            mv: one.mv.to_string(),
            in_tree: one.is_in_tree,
            visits: one.visits,
            pending: one.pending,
            win_rate: one.win_rate(),
            rave: one.rave.map(|rave| Rave { visits: rave[0], value: mean(rave) }),
            prior: one.prior,
            prior_visits: one.prior_visits.map(|prior| prior.visits),
            score: one.score,
            proof: one.proof,
            urgency: finite.filter(|_| by != "proof"),
            by,
            terms,
            beta,
            most_urgent: one.is_most_urgent,
        }
    }
}

impl Node {
    /// `opened` with its `most` most urgent moves, `chosen` among them.
    pub(super) fn of(opened: &OpenedNode, most: usize, chosen: Option<Move>) -> Self {
        let mut by_urgency: Vec<usize> = (0..opened.moves.len()).collect();
        let urgency = |at: &usize| opened.moves[*at].urgency.value().unwrap_or(f64::NEG_INFINITY);
        by_urgency.sort_by(|one, other| {
            let is_chosen = |at: &usize| Some(opened.moves[*at].mv) == chosen;
            let order = is_chosen(other).cmp(&is_chosen(one));
            order.then(urgency(other).total_cmp(&urgency(one)))
        });
        let more = by_urgency.len().saturating_sub(most);
        by_urgency.truncate(most);
        by_urgency.sort_unstable();
        Self {
            path: texts(&opened.path),
            to_play: opened.to_play.into(),
            visits: opened.visits,
            pending: opened.pending,
            win_rate: opened.win_rate,
            proof: opened.proof,
            rave_weight: opened.rave_weight,
            variation: texts(&opened.variation),
            moves: by_urgency.into_iter().map(|at| Ranked::from(&opened.moves[at])).collect(),
            more,
        }
    }
}

impl TreeRequest {
    /// The node.
    pub fn answer(
        &self,
        offers: &Offers,
        limits: &Limits,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<TreeAnswer, Refusal> {
        let simulations = self.simulations;
        from_one("simulations", simulations, limits.tree_simulations)?;
        let (game, config) = game_and_bot(&self.game, &self.bot, offers, limits)?;
        if game.end().is_some() {
            return Err(Refusal::new("the game is over"));
        }
        let path = moves_of(&self.path)?;
        let opened = with_tree(&game, &config, self.seed, simulations, |tree| {
            grow(tree, simulations, limits, should_stop)?;
            Ok(tree.open(&path))
        })?;
        let absent = || {
            let path = self.path.join(" ");
            Refusal::new(format!("{path}: not in the tree after {simulations} simulations"))
        };
        let opened = opened.ok_or_else(absent)?;
        let no_search = || Refusal::new(format!("{config} makes no search"));
        Ok(TreeAnswer {
            simulations,
            workers: u32::try_from(config.workers()).unwrap_or(u32::MAX),
            node: Node::of(&opened, usize::MAX, None),
            formula: Formula::of(&config).ok_or_else(no_search)?,
            position: Position::of(&after(&game, &path)?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::page::{Limits, Offers, deep_answer};
    use serde_json::{Value, json};

    pub fn ask(name: &str, question: &Value) -> Result<Value, String> {
        let (offers, limits) = (Offers::default(), Limits::default());
        let answer = deep_answer(name, &question.to_string(), &offers, &limits, &|| false);
        answer
            .map(|json| serde_json::from_str(&json.unwrap()).unwrap())
            .map_err(|why| why.to_string())
    }

    fn tree(bot: &str, simulations: u64, path: &[&str]) -> Result<Value, String> {
        let game = json!({"size": "5x5", "komi": 2.5, "moves": "C3"});
        ask("tree", &json!({"game": game, "bot": bot, "simulations": simulations, "path": path}))
    }

    fn number(value: &Value) -> f64 {
        value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
    }

    #[test]
    fn shown_terms_add_up_to_the_shown_urgency() {
        for bot in ["uct", "uct:in_flight=4", "uct:rave=none,selection=puct,first_play=0.5"] {
            let root = tree(bot, 3_000, &[]).unwrap();
            let best = root["node"]["variation"][0].as_str().unwrap();
            for path in [vec![], vec![best]] {
                let answer = tree(bot, 3_000, &path).unwrap();
                let node = &answer["node"];
                let moves = node["moves"].as_array().unwrap();
                assert!(moves.len() > 10 && node["path"].as_array().unwrap().len() == path.len());
                for one in moves {
                    assert_eq!(one["by"], "terms", "{one}");
                    let terms = one["terms"].as_object().unwrap();
                    let sum: f64 = terms.values().map(number).sum();
                    let urgency = number(&one["urgency"]);
                    assert!((sum - urgency).abs() < 3e-6 * urgency.abs().max(1.0), "{one}: {sum}");
                }
                let most = moves.iter().map(|one| number(&one["urgency"])).fold(-1.0, f64::max);
                let best = moves.iter().find(|one| one["most_urgent"] == true).unwrap();
                assert!((number(&best["urgency"]) - most).abs() < 1e-6);
                let visits: u64 = moves.iter().map(|one| one["visits"].as_u64().unwrap()).sum();
                assert!(visits <= node["visits"].as_u64().unwrap());
            }
        }
        let answer = tree("uct", 3_000, &["C2"]).unwrap();
        assert_eq!(answer["position"]["game"]["moves"], "C3.C2");
        assert_eq!(
            (&answer["node"]["to_play"], &answer["formula"]["selection"]),
            (&json!("black"), &json!("ucb1"))
        );
    }

    /// A tree answers the same whether it was continued or grown anew after a larger tree.
    #[test]
    fn an_answer_does_not_depend_on_earlier_questions() {
        let first = tree("uct:exploration=0.31", 700, &["C2"]).unwrap();
        tree("uct:exploration=0.31", 900, &[]).unwrap();
        assert_eq!(tree("uct:exploration=0.31", 700, &["C2"]).unwrap(), first);
        tree("uct:exploration=0.31", 100, &[]).unwrap();
        assert_eq!(tree("uct:exploration=0.31", 700, &["C2"]).unwrap(), first);
    }

    #[test]
    fn draws_and_first_plays_are_told() {
        let drawn = tree("uct:selection=thompson,rave=none,prior=none", 300, &[]).unwrap();
        let best = &drawn["node"]["moves"][0];
        assert_eq!(best["by"], "draw");
        let sum: f64 = best["beta"].as_array().unwrap().iter().map(number).sum();
        assert!((sum - 2.0 - number(&best["visits"])).abs() < 1e-9, "{best}");
        let first = tree("uct:rave=none,prior=none", 10, &[]).unwrap();
        let moves = first["node"]["moves"].as_array().unwrap();
        let untried: Vec<&Value> = moves.iter().filter(|one| one["in_tree"] == false).collect();
        assert_eq!(untried.len(), 25 - 10);
        assert!(untried.iter().all(|one| one["by"] == "first-play" && one["most_urgent"] == true));
    }

    #[test]
    fn what_cannot_be_opened_is_refused() {
        let refused = |bot, simulations, path: &[&str]| tree(bot, simulations, path).unwrap_err();
        assert!(refused("uct", 5, &["A1", "A2"]).contains("A1 A2: not in the tree after 5"));
        assert!(refused("uct", 0, &[]).contains("expected a number from 1 to 200000"));
        assert!(refused("two-ply", 5, &[]).contains("two-ply cannot analyse"));
        assert!(refused("uct", 5, &["Z9"]).contains("Z9"));
    }
}
