//! The question `tree`: a node of a search's tree, with the terms by which its moves are ranked.
//!
//! The last trees are kept, so that the next question need not grow them again. Keeping a tree
//! never changes an answer: a tree of n simulations is the same however it grew.

use super::{Offers, after, from_one, game_and_bot, one};
use crate::page::{GameText, Limits, Position, Refusal};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tengen_bots::{BotConfig, TreeSearch};
use tengen_go::{Game, Move};
use tengen_search::opened::OpenedNode;

/// The most trees that are kept.
const MOST: usize = 4;

/// The most memory that the kept trees take together, in bytes.
const MOST_BYTES: usize = 192 << 20;

/// A tree, and everything but its simulations that determines it.
struct Kept {
    of: String,
    tree: TreeSearch,
}

/// The kept trees, the last used one at the end.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of `work` on the tree of `config` with the seed `seed` in `game`, after
/// `simulations` simulations.
pub fn with_tree<T>(
    game: &Game,
    config: &BotConfig,
    seed: u64,
    simulations: u64,
    limits: &Limits,
    should_stop: &dyn Fn() -> bool,
    work: impl FnOnce(&mut TreeSearch) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    if game.end().is_some() {
        return Err(Refusal::new("the game is over"));
    }
    let text = serde_json::to_string(&GameText::of(game)?).map_err(Refusal::new)?;
    let of = format!("{text} {config} {} {seed}", config.versions().join(" "));
    let found = {
        let mut trees = kept();
        let begins_it = |kept: &Kept| kept.of == of && kept.tree.grown() <= simulations;
        trees.iter().position(begins_it).map(|place| trees.remove(place).tree)
    };
    let mut tree = match found {
        Some(tree) => tree,
        None => TreeSearch::begin(config, seed, game).map_err(Refusal::new)?,
    };
    tree.grow(simulations, limits.bytes / 2, should_stop).map_err(Refusal::new)?;
    let made = work(&mut tree)?;
    let mut trees = kept();
    trees.push(Kept { of, tree });
    while trees.len() > MOST
        || trees.iter().map(|kept| kept.tree.bytes()).sum::<usize>() > MOST_BYTES
    {
        trees.remove(0);
    }
    Ok(made)
}

/// The settings of a selection.
#[derive(Serialize)]
pub struct Formula {
    /// The setting `selection`.
    selection: String,
    /// The exploration constant.
    exploration: f64,
    /// The setting `prior_exploration`.
    prior_exploration: f64,
    /// The setting `rave`.
    rave: String,
    /// The setting `prior`.
    prior: String,
    /// The setting `first_play`.
    first_play: String,
    /// The visits at which a node gets children.
    expansion: u32,
    /// Leaves in flight at once.
    in_flight: u32,
}

impl Formula {
    /// The settings of `config`. Refuses a bot that does not search.
    pub fn of(config: &BotConfig) -> Result<Self, Refusal> {
        let no_search = || Refusal::new(format!("{config} makes no search"));
        let uct = config.uct().ok_or_else(no_search)?;
        Ok(Self {
            selection: uct.selection.to_string(),
            exploration: uct.exploration,
            prior_exploration: uct.prior_exploration,
            rave: uct.rave.to_string(),
            prior: uct.prior.to_string(),
            first_play: uct.first_play.to_string(),
            expansion: uct.expansion,
            in_flight: uct.in_flight,
        })
    }
}

/// Which node of which tree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// The game, whose last position is searched.
    game: GameText,
    /// The bot, by name or specification.
    bot: String,
    /// The random seed of the bot in this game.
    #[serde(default = "one")]
    seed: u64,
    /// Simulations of the tree; with several workers, it is the tree of the first worker.
    simulations: u64,
    /// The moves from the root to the node.
    #[serde(default)]
    path: Vec<Move>,
}

/// A node of a tree.
#[derive(Serialize)]
pub struct TreeAnswer {
    /// Simulations of the tree.
    simulations: u64,
    /// Workers of the bot; the tree is the first worker's.
    workers: u32,
    /// The node.
    node: OpenedNode,
    /// The settings that decide the selection.
    formula: Formula,
    /// The position at the node.
    position: Position,
}

impl TreeRequest {
    /// The node.
    pub fn answer(
        &self,
        offers: &Offers,
        limits: &Limits,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<TreeAnswer, Refusal> {
        let Self { seed, simulations, path, .. } = self;
        from_one("simulations", *simulations, limits.tree_simulations)?;
        let (game, config) = game_and_bot(&self.game, &self.bot, offers, limits)?;
        let open = |tree: &mut TreeSearch| Ok(tree.open(path));
        let opened = with_tree(&game, &config, *seed, *simulations, limits, should_stop, open)?;
        let absent = || {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            let path = path.join(" ");
            Refusal::new(format!("{path}: not in the tree after {simulations} simulations"))
        };
        Ok(TreeAnswer {
            simulations: *simulations,
            workers: u32::try_from(config.workers()).unwrap_or(u32::MAX),
            node: opened.ok_or_else(absent)?,
            formula: Formula::of(&config)?,
            position: Position::of(&after(&game, path)?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::page::search::ask_deep;
    use serde_json::{Value, json};

    fn tree(bot: &str, simulations: u64, path: &[&str]) -> Result<Value, String> {
        let game = json!({"size": "5x5", "komi": 2.5, "moves": "C3"});
        let question = json!({"game": game, "bot": bot, "simulations": simulations, "path": path});
        ask_deep("tree", &question)
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
