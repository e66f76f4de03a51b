//! Tournaments drawn at random, as the words of a command line.

use clap::Parser;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt;
use tengen::bots::NamedBot;
use tengen::commands::Options;
use tengen::go::{Size, default_max_plies};
use tengen::seed::mix;
use tengen::settings::Settings;
use tengen::tournament::{Tournament, provenance};

/// The settings of `uct` and the values that are drawn. Left out are those
/// whose games cannot be repeated, `seconds`, and `simulations`, which is drawn by what a case may
/// cost.
pub const UCT: [(&str, &[&str]); 23] = [
    ("workers", &["2", "3", "5", "17"]),
    ("sharing", &["none", "upper-tree:3:0:2", "upper-tree:10:0.05:3", "upper-tree:1:0.5:1"]),
    ("in_flight", &["2", "3", "8", "31"]),
    ("leaf_playouts", &["2", "3", "8", "40"]),
    ("selection", &["ucb1", "ucb1-tuned", "kl-ucb", "thompson", "puct", "fragile:2000"]),
    ("exploration", &["0", "0.1", "0.5", "1.4", "1000"]),
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
    ("evaluator", &["playouts", "fragile:400"]),
    ("back_up", &["mean", "fragile:2000"]),
    ("playout_share", &["0", "0.3", "1"]),
    ("root_noise", &["none", "0.03:0.25", "2:1"]),
    ("own_eyes", &["true", "false"]),
    ("transpositions", &["true", "false"]),
    ("proofs", &["true", "false"]),
    ("resign", &["0", "0.1", "0.4", "1"]),
    ("final_move", &["visits", "value", "lower-bound", "fragile:50"]),
    ("temperature", &["none", "1:6", "0.3:1000"]),
    ("reuse", &["true", "false"]),
    ("max_nodes", &["1000", "1100", "5000"]),
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
            "fragile:40000",
        ],
    ),
];
const STOP: (&str, &[&str]) =
    ("stop", &["none", "mercy:0", "mercy:3", "mercy:25", "decided:0", "decided:5", "decided:1000"]);

/// The kind `uct`, and the presets of it.
const SEARCHES: [&str; 4] = ["uct", "uct", "plain", "strong"];

/// The settings that are drawn, each with its values.
pub fn drawn() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    UCT.into_iter().chain([STOP])
}

/// A bot: `kind:key=value,key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    pub kind: String,
    pub settings: Vec<(String, String)>,
}

impl Bot {
    fn of_kind(kind: &str) -> Self {
        Self { kind: kind.to_owned(), settings: Vec::new() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn set(&mut self, key: &str, value: &str) {
        match self.settings.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.settings.push((key.to_owned(), value.to_owned())),
        }
    }

    fn number(&self, key: &str) -> u64 {
        self.get(key).and_then(|text| text.parse().ok()).unwrap_or(1)
    }

    fn is_valid(&self) -> bool {
        self.to_string().parse::<NamedBot>().is_ok()
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> =
            self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let colon = if settings.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}", self.kind, settings.join(","))
    }
}

/// A tournament: options of a command line with their values; bots are named a, b and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let mut case = Self { options: Vec::new() };
        let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("--"));
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            if !["--threads", "--out"].contains(&key) {
                case.set(key.trim_start_matches("--"), &value);
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

    pub fn set(&mut self, key: &str, value: &dyn ToString) {
        self.options.push((key.to_owned(), value.to_string()));
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

/// Case `number` of `seed`: always the same one, and always valid.
pub fn draw(seed: u64, number: u64) -> Case {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(seed, number));
    loop {
        let case = draw_once(&mut random);
        if case.is_valid() {
            return case;
        }
    }
}

fn one_in(random: &mut Xoshiro256PlusPlus, times: u32) -> bool {
    random.random_range(0..times) == 0
}

fn pick<'a>(random: &mut Xoshiro256PlusPlus, from: &[&'a str]) -> &'a str {
    from.choose(random).copied().unwrap_or_default()
}

fn draw_once(random: &mut Xoshiro256PlusPlus) -> Case {
    let mut case = Case { options: Vec::new() };
    let size = draw_size(random);
    let points = size.points() as u64;
    case.set("size", &size);
    draw_rules(&mut case, size, random);
    let bots = match random.random_range(0..10) {
        0 => 4,
        1 | 2 => 3,
        _ => 2,
    };
    if bots > 2 {
        case.set("format", &pick(random, &["gauntlet", "neighbors", "all-play-all"]));
    }
    let pairs = match random.random_range(0..10) {
        0 if bots == 2 => random.random_range(6..20),
        0..=4 => random.random_range(2..4),
        _ => 1,
    };
    case.set("pairs", &pairs);
    case.set("seed", &random.random_range(1..1_000));
    // A record then tells what every search found, and not its move alone.
    case.set("comments", &"true");
    // So many playouts that all games together cost so much, in points put
    // down: a tenth of a second or less.
    // Where everything may be repeated a game often goes on to its limit.
    let usual = if case.get("ko") == Some("none") { 4 * points + 100 } else { 2 * points + 8 };
    let plies = case.get("max-plies").and_then(|text| text.parse().ok()).unwrap_or(usual);
    let games = 2 * pairs * (bots - 1);
    let cost =
        2_f64.powf(random.random_range(14.0..18.0)) * if one_in(random, 16) { 10.0 } else { 1.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let most = (cost as u64 / (games * plies * points)).clamp(3, 600);
    let first = draw_bot(points, most, random);
    case.set("bot", &format!("a={first}"));
    for name in ["b", "c", "d"].iter().take(usize::try_from(bots - 1).expect("few bots")) {
        let bot = if SEARCHES.contains(&first.kind.as_str()) && one_in(random, 3) {
            varied(&first, random)
        } else {
            draw_bot(points, most, random)
        };
        case.set("bot", &format!("{name}={bot}"));
    }
    case
}

fn draw_size(random: &mut Xoshiro256PlusPlus) -> Size {
    let (least, most) = match random.random_range(0..40) {
        0 | 1 => (1, 9),
        2 | 3 => (10, 13),
        4 => (14, 19),
        5..=24 => (2, 5),
        _ => (2, 9),
    };
    let width = if most == 13 { 13 } else { random.random_range(least..=most) };
    let height = if one_in(random, 2) { width } else { random.random_range(least..=most) };
    let width = if least == 1 { 1 } else { width };
    Size::new(width, height).expect("a side is 1 to 19")
}

fn draw_rules(case: &mut Case, size: Size, random: &mut Xoshiro256PlusPlus) {
    let points = i32::try_from(size.points()).expect("few points");
    if one_in(random, 2) {
        let most = if one_in(random, 8) { 2 * points } else { points.min(20) };
        case.set("komi", &(f64::from(random.random_range(-most..=most)) / 2.0));
    }
    if one_in(random, 2) {
        let presets = ["tengen", "chinese", "tromp-taylor", "aga", "new-zealand", "simple"];
        case.set("rules", &pick(random, &presets));
    }
    if one_in(random, 4) {
        case.set("ko", &pick(random, &["none", "simple", "psk", "ssk", "nssk"]));
    }
    if one_in(random, 4) {
        case.set("suicide", &pick(random, &["no", "multi", "all"]));
    }
    let opening = random.random_range(0..12);
    match opening {
        0..3 => case.set("openings", &"none"),
        3..8 => case.set("opening-plies", &(opening - 3)),
        _ => {}
    }
    if points > 49 || one_in(random, 4) {
        // The opening has eight plies or fewer.
        let most = if points > 100 { 16 } else { 40.min(default_max_plies(size)) };
        case.set("max-plies", &random.random_range(9..=most));
    }
}

fn draw_bot(points: u64, max_playouts: u64, random: &mut Xoshiro256PlusPlus) -> Bot {
    match random.random_range(0..16) {
        0 => return Bot::of_kind("random"),
        // It weighs every answer to every play.
        1 if points <= 49 => return Bot::of_kind("two-ply"),
        2 => {
            let mut bot = Bot::of_kind("fragile");
            bot.set("every", pick(random, &["10", "40", "200"]));
            bot.set("place", pick(random, &["begin", "move", "end"]));
            return bot;
        }
        _ => {}
    }
    loop {
        let mut bot = Bot::of_kind(pick(random, &SEARCHES));
        bot.set("simulations", &random.random_range(1..=max_playouts).to_string());
        if one_in(random, 3) {
            bot.set("rave", "none");
            bot.set("prior", "none");
        }
        for _ in 0..random.random_range(0..8) {
            change(&mut bot, random);
        }
        if let Some(bot) = repaired(bot) {
            return bot;
        }
    }
}

/// Another value for one setting of `bot`: most often one that decides which
/// playouts it makes and how many at once.
fn change(bot: &mut Bot, random: &mut Xoshiro256PlusPlus) {
    let settings: Vec<_> = drawn().collect();
    let often = ["in_flight", "leaf_playouts", "workers", "stop", "policy", "reuse"];
    let kept = |(key, _): &&(&str, _)| often.contains(key);
    let (key, values) = if one_in(random, 2) {
        *settings.choose(random).expect("there are settings")
    } else {
        let often: Vec<_> = settings.iter().filter(kept).collect();
        **often.choose(random).expect("there are settings")
    };
    bot.set(key, pick(random, values));
}

/// `bot` with one or two other values.
fn varied(bot: &Bot, random: &mut Xoshiro256PlusPlus) -> Bot {
    loop {
        let mut other = bot.clone();
        for _ in 0..random.random_range(1..3) {
            change(&mut other, random);
        }
        if let Some(other) = repaired(other) {
            return other;
        }
    }
}

/// `bot` with the settings that others of it need; none if it is still not
/// valid.
fn repaired(mut bot: Bot) -> Option<Bot> {
    if bot.get("playout_share").is_some_and(|share| share != "0") {
        bot.set("evaluator", "playouts");
    }
    if bot.get("evaluator").is_some() {
        bot.settings
            .retain(|(key, _)| !["rave", "leaf_playouts", "sharing"].contains(&key.as_str()));
    }
    if bot.get("root_noise").is_some_and(|noise| noise != "none") {
        bot.settings.retain(|(key, _)| key != "sharing");
        bot.set("selection", "puct");
    }
    if let Some("thompson" | "puct") = bot.get("selection") {
        bot.set("rave", "none");
    }
    match bot.get("selection") {
        Some("thompson") => bot.set("prior", "none"),
        Some("puct") if matches!(bot.get("first_play"), None | Some("inf")) => {
            bot.set("first_play", "parent-0.2");
        }
        _ => {}
    }
    if bot.get("sharing").is_some_and(|sharing| sharing != "none") {
        let unsuitable = ["in_flight", "reuse", "transpositions"];
        bot.settings.retain(|(key, _)| !unsuitable.contains(&key.as_str()));
        if bot.get("workers").is_none() {
            bot.set("workers", "3");
        }
    }
    let least = bot.number("workers");
    if bot.number("simulations") < least {
        bot.set("simulations", &least.to_string());
    }
    Some(bot).filter(Bot::is_valid)
}

/// Cases a little simpler than `case`.
pub fn simpler(case: &Case) -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, (key, value)) in case.options.iter().enumerate() {
        let values = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let smaller: Vec<String> = match key.as_str() {
            "bot" => simpler_bots(value),
            "pairs" => values(&["1", "2", "5"]),
            "size" => values(&["2x2", "3x3", "5x5", "7x7"]),
            _ => Vec::new(),
        };
        for smaller in smaller.into_iter().take_while(|smaller| smaller != value) {
            cases.push(case.clone());
            cases.last_mut().expect("a case").options[place].1 = smaller;
        }
        if !["pairs", "size"].contains(&key.as_str()) {
            cases.push(case.clone());
            cases.last_mut().expect("a case").options.remove(place);
        }
    }
    cases.retain(Case::is_valid);
    cases
}

/// `bot` as a random player, with half the playouts, and without each other setting.
fn simpler_bots(bot: &str) -> Vec<String> {
    let (head, settings) = bot.split_once(':').unwrap_or((bot, ""));
    let name = head.split('=').next().unwrap_or_default();
    let settings: Vec<&str> = settings.split(',').collect();
    let mut simpler = vec![format!("{name}=random")];
    for place in 0..settings.len() {
        let mut fewer: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let setting = fewer.remove(place);
        if let Some(playouts) = setting.strip_prefix("simulations=") {
            fewer.push(format!("simulations={}", playouts.parse().unwrap_or(2_u64).div_ceil(2)));
        }
        let same = fewer.contains(&setting) || fewer.is_empty();
        simpler.extend((!same).then(|| format!("{head}:{}", fewer.join(","))));
    }
    simpler
}
