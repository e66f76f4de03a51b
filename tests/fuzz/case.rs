//! Tournaments drawn at random, as the words of a command line.

use clap::Parser;
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::{Union, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt;
use tengen::commands::Options;
use tengen::go::Size;
use tengen::settings::Settings;
use tengen::tournament::{Tournament, provenance};

/// The settings of `uct` and the values that are drawn, first those that decide which playouts a bot makes
/// and how many at once: they are drawn more often. Left out are those whose games cannot be repeated,
/// `seconds`, and `simulations`, which is drawn by what a case may cost. Behind a value stand other settings
/// that it needs.
pub const SETTINGS: [(&str, &[&str]); 28] = [
    ("in_flight", &["2", "3", "8", "31"]),
    ("leaf_playouts", &["2", "3", "8", "40"]),
    ("workers", &["2", "3", "5", "17"]),
    ("stop", &["none", "mercy:0", "mercy:3", "mercy:25", "decided:0", "decided:5", "decided:1000"]),
    // The playouts of bots that differ in these cannot share lanes.
    (
        "policy",
        &[
            "uniform",
            "capture-escape:0",
            "capture-escape:0.5",
            "capture-escape:1",
            "mogo:0.9:1",
            "mogo:0.4:0.7",
            "tactical",
            "tactical:0.5:0.3:1:0.2:0.7",
            "tactical:1:0:0.5:1:0.9:0.4",
            "fragile:40000",
        ],
    ),
    ("reuse", &["true", "false"]),
    (
        "sharing",
        &[
            "none",
            "upper-tree:3:0:2,workers=3,in_flight=1,reuse=false,transpositions=false,epoch=0",
            "upper-tree:10:0.05:3,workers=2,in_flight=1,reuse=false,transpositions=false,epoch=0",
            "upper-tree:1:0.5:1,workers=17,in_flight=1,reuse=false,transpositions=false,epoch=0",
        ],
    ),
    (
        "selection",
        &[
            "ucb1",
            "ucb1-tuned",
            "kl-ucb",
            "thompson,rave=none,prior=none",
            "puct,rave=none,first_play=parent-0.2",
            "gumbel:5:50:0.1:1,rave=none,first_play=parent-0.2,simulations=60,workers=1,sharing=none,\
             reuse=false,leaf_playouts=1,epoch=0,root_noise=none",
            "gumbel-unscaled:3:50:1:0.5,evaluator=fragile:400,rave=none,prior=none,expansion=1,\
             first_play=0.5,simulations=25,workers=1,sharing=none,reuse=false,leaf_playouts=1,\
             transpositions=false,epoch=0,root_noise=none",
            "fragile:2000",
            "fragile-puct:2000,rave=none,first_play=0.5",
        ],
    ),
    ("exploration", &["0", "0.1", "0.5", "1.4", "1000"]),
    ("epoch", &["0", "0.002", "0.1", "1"]),
    ("first_play", &["0", "0.5", "1.1", "inf", "parent", "parent-0.2", "parent+1"]),
    ("expansion", &["1", "2", "5", "40", "1000000"]),
    ("rave", &["none", "equivalence:1000", "equivalence:0.5", "min-mse:0.01", "min-mse:1"]),
    (
        "prior",
        &[
            "none",
            "heuristic:0",
            "heuristic:10",
            "heuristic:1000",
            "learned:0:0",
            "learned:20:150",
            // A path as seen from the root of the repository, where tests run.
            "learned:crates/tengen-learn/weights/built-in.txt:14:100",
            "fragile:300:10",
        ],
    ),
    // `fragile` is registered code that panics now and then.
    (
        "evaluator",
        &[
            "playouts,rave=none,leaf_playouts=1",
            "fragile:400,rave=none,leaf_playouts=1,prior=none,expansion=1",
            "fragile-plain:400,rave=none,leaf_playouts=1",
        ],
    ),
    (
        "prior_exploration",
        &["0", "0.2,prior=learned,rave=equivalence:300", "5,prior=learned:3:30,rave=min-mse:0.1"],
    ),
    ("back_up", &["mean", "fragile:2000"]),
    (
        "playout_share",
        &[
            "0",
            "0.3,evaluator=playouts,rave=none,leaf_playouts=1",
            "1,evaluator=playouts,rave=none,leaf_playouts=1",
        ],
    ),
    (
        "root_noise",
        &[
            "none",
            "0.03:0.25,selection=puct,rave=none,first_play=parent-0.2",
            "2:1,selection=fragile-puct:4000,rave=none,first_play=0.5",
        ],
    ),
    ("own_eyes", &["true", "false"]),
    ("transpositions", &["true", "false"]),
    ("proofs", &["true", "false"]),
    ("resign", &["0", "0.1", "0.4", "1"]),
    ("final_move", &["visits", "value", "lower-bound", "fragile:50"]),
    ("smart_pruning", &["0", "0.3", "1", "4", "1000"]),
    ("sure_win", &["0.5", "0.7", "0.95", "1"]),
    ("temperature", &["none", "1:6", "0.3:1000"]),
    ("max_nodes", &["1000", "1100", "5000"]),
];

/// How many settings at the beginning are drawn more often.
const OFTEN: usize = 6;

/// The kind `uct`, and the presets of it.
const SEARCHES: [&str; 4] = ["uct", "uct", "plain", "strong"];

/// A setting with its value and those of other settings that the value needs.
type Change = (&'static str, &'static str);

/// A kind of bot with its changes, of which a later one comes before an earlier one.
type Bot = (&'static str, Vec<Change>);

/// A tournament: options of a command line with their values; bots are named a, b and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub options: Vec<(String, String)>,
}

/// What the program reads, less what decides no game.
#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    settings: Options<Tournament>,
}

impl Case {
    /// The words of the command line.
    pub fn words(&self) -> Vec<String> {
        let words = |(key, value): &(String, String)| [format!("--{key}"), value.clone()];
        self.options.iter().flat_map(words).collect()
    }

    /// The case of a command line; `--threads` and `--out` are left out.
    pub fn read(line: &str) -> Self {
        let mut case = Self::default();
        let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("--"));
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            if !["--threads", "--out"].contains(&key) {
                case.set(key.trim_start_matches("--"), Some(value));
            }
        }
        case
    }

    /// The settings of its bots with their values.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let bots = self.options.iter().filter(|(key, _)| key == "bot");
        let settings = bots.filter_map(|(_, bot)| Some(bot.split_once(':')?.1.split(',')));
        settings.flatten().filter_map(|setting| setting.split_once('='))
    }

    /// The tournament that the program makes of it.
    pub fn tournament(&self) -> Result<Tournament, String> {
        let words = ["tournament".to_owned()].into_iter().chain(self.words());
        let line = Line::try_parse_from(words).map_err(|fault| fault.to_string())?;
        Tournament::from_table(line.settings.given).map_err(|error| error.to_string())
    }

    /// Whether the program plays it: no bot panics at its first move.
    pub fn is_valid(&self) -> bool {
        let is_fragile = self.to_string().contains("fragile");
        let plays = |tournament: &Tournament| !is_fragile || provenance(tournament, &[]).is_ok();
        self.tournament().is_ok_and(|tournament| plays(&tournament))
    }

    /// Adds the option `key` if there is a value.
    pub fn set(&mut self, key: &str, value: Option<impl ToString>) {
        self.options.extend(value.map(|value| (key.to_owned(), value.to_string())));
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.words().join(" "))
    }
}

/// Case `number` of `seed`, always the same one and valid, and the runner that tries it and simpler ones.
pub fn draw(seed: u64, number: u64) -> (TestRunner, impl ValueTree<Value = Case>) {
    let words = [seed, number, 0, 0].map(u64::to_le_bytes).concat();
    let config = Config {
        failure_persistence: None,
        max_shrink_time: 120_000,
        max_shrink_iters: u32::MAX,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &words);
    let mut runner = TestRunner::new_with_rng(config, random);
    let cases = cases();
    loop {
        let drawn = cases.new_tree(&mut runner).expect("nothing is filtered");
        if drawn.current().is_valid() {
            return (runner, drawn);
        }
    }
}

/// Tournaments; those that are not valid are for the caller to leave out.
fn cases() -> impl Strategy<Value = Case> {
    let rules = ["tengen", "chinese", "tromp-taylor", "aga", "new-zealand", "simple"];
    let opening = prop_oneof![
        4 => Just(None),
        3 => Just(Some(("openings", "none".to_owned()))),
        5 => (0..5_u8).prop_map(|plies: u8| Some(("opening-plies", plies.to_string()))),
    ];
    let pairs = prop_oneof![5 => Just(1), 4 => 2..4_u64, 1 => 6..20_u64];
    // The logarithm of what all games together cost, in points put down: a tenth of a second or less, but for a few.
    let cost = prop_oneof![15 => 14.0..18.0_f64, 1 => 17.3..21.3_f64];
    // A later bot is now and then the first one with one or two other values.
    let bot = (bots(), option::weighted(0.33, vec(changes(), 1..3)), 1..=600_u64);
    (
        sizes(),
        option::of((-20..=20_i32, weighted(0.125))),
        option::of(select(rules.to_vec())),
        option::weighted(0.25, select(vec!["none", "simple", "psk", "ssk", "nssk"])),
        option::weighted(0.25, select(vec!["no", "multi", "all"])),
        opening,
        // The opening has eight plies or fewer.
        (weighted(0.25), 9..=40_u64),
        select(vec!["gauntlet", "neighbors", "all-play-all"]),
        pairs,
        1..1_000_u64,
        cost,
        prop_oneof![7 => vec(bot.clone(), 2), 2 => vec(bot.clone(), 3), 1 => vec(bot, 4)],
    )
        .prop_map(
            |(size, komi, rules, ko, suicide, opening, plies, format, pairs, seed, cost, bots)| {
                let mut case = Case::default();
                case.set("size", Some(size));
                let points = i32::try_from(size.points()).expect("few points");
                case.set(
                    "komi",
                    komi.map(|(twentieths, is_large)| {
                        let most = if is_large { 2 * points } else { points.min(20) };
                        f64::from(twentieths * most / 20) / 2.0
                    }),
                );
                case.set("rules", rules);
                case.set("ko", ko);
                case.set("suicide", suicide);
                if let Some((key, value)) = opening {
                    case.set(key, Some(value));
                }
                let points = size.points() as u64;
                let (is_limited, plies) = plies;
                let longest = if points > 100 { 16 } else { 40 };
                let limit = (is_limited || points > 49).then_some(plies.min(longest));
                case.set("max-plies", limit);
                let matches = bots.len() as u64 - 1;
                case.set("format", (matches > 1).then_some(format));
                let pairs = if matches > 1 { pairs.min(3) } else { pairs };
                case.set("pairs", Some(pairs));
                case.set("seed", Some(seed));
                // A record then tells what every search found, and not its move alone.
                case.set("comments", Some(true));
                // Where everything may be repeated a game often goes on to its limit.
                let usual = if ko == Some("none") { 4 * points + 100 } else { 2 * points + 8 };
                let plies = 2 * pairs * matches * limit.unwrap_or(usual);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let most = (2_f64.powf(cost) as u64 / (plies * points)).clamp(3, 600);
                let first = bots[0].0.clone();
                for (name, (mut bot, others, share)) in ["a", "b", "c", "d"].iter().zip(bots) {
                    if let Some(others) = others.filter(|_| SEARCHES.contains(&first.0)) {
                        bot = (first.0, [first.1.clone(), others].concat());
                    }
                    // It weighs every answer to every play.
                    if bot.0 == "two-ply" && points > 49 {
                        bot.0 = "random";
                    }
                    let bot = text_of(&bot, (share * most).div_ceil(600));
                    case.set("bot", Some(format!("{name}={bot}")));
                }
                case
            },
        )
}

/// The text of a bot, which makes about so many simulations if it searches.
fn text_of((kind, changes): &Bot, simulations: u64) -> String {
    let mut settings = BTreeMap::new();
    for (key, value) in changes {
        let mut values = value.split(',');
        settings.insert(*key, values.next().unwrap_or_default());
        settings.extend(values.filter_map(|needed| needed.split_once('=')));
    }
    let workers = settings.get("workers").and_then(|workers| workers.parse().ok());
    let simulations = simulations.max(workers.unwrap_or(1)).to_string();
    if SEARCHES.contains(kind) {
        settings.insert("simulations", &simulations);
    }
    let settings: Vec<_> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let colon = if settings.is_empty() { "" } else { ":" };
    format!("{kind}{colon}{}", settings.join(","))
}

/// Boards, half of them square: most small, some of the largest.
fn sizes() -> impl Strategy<Value = Size> {
    let sides = [
        (20, 2..=5_u8, 2..=5_u8),
        (15, 2..=9, 2..=9),
        (2, 13..=13, 10..=13),
        (2, 1..=1, 1..=9),
        (1, 14..=19, 14..=19),
    ];
    let drawn = sides.map(|(weight, widths, heights)| (weight, (widths, heights, any::<bool>())));
    Union::new_weighted(drawn.to_vec()).prop_map(|(width, height, is_square)| {
        Size::new(width, if is_square { width } else { height }).expect("a side is 1 to 19")
    })
}

/// Bots, as yet without a number of simulations.
fn bots() -> impl Strategy<Value = Bot> + Clone {
    let search = (select(&SEARCHES[..]), weighted(0.33), vec(changes(), 0..8));
    let search = search.prop_map(|(kind, is_bare, changes)| {
        let bare: &[Change] = if is_bare { &[("rave", "none"), ("prior", "none")] } else { &[] };
        (kind, [bare, &changes].concat())
    });
    let fragile = (select(vec!["10", "40", "200"]), select(vec!["begin", "move", "end"]));
    prop_oneof![
        1 => Just(("random", Vec::new())),
        13 => search,
        1 => Just(("two-ply", Vec::new())),
        1 => fragile
            .prop_map(|(every, place)| ("fragile", vec![("every", every), ("place", place)])),
    ]
}

/// Changes of one setting each.
fn changes() -> impl Strategy<Value = Change> + Clone {
    let setting = prop_oneof![select(&SETTINGS[..OFTEN]), select(&SETTINGS[..])];
    (setting, any::<Index>()).prop_map(|((key, values), value)| (key, *value.get(values)))
}
