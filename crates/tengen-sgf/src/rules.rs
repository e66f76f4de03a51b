//! The rules that RU names.

use super::error::SgfWarning;
use super::reader::shown;
use super::tree::{Node, Property};
use tengen_go::{Game, Handicap, Ko, Preset, Suicide};

/// The rules of a record: ko, suicide, and the compensation for handicap stones.
///
/// # Examples
/// ```
/// use tengen_go::Preset;
/// use tengen_sgf::{Overrides, Record, RecordRules};
///
/// let rules = RecordRules::from(Preset::Chinese);
/// let overrides = Overrides { rules: Some(rules), ..Overrides::default() };
/// let record = Record::read("(;SZ[9]RU[Japanese]HA[2]AB[gc][cg];W[ee])", overrides)?;
/// assert_eq!(record.game.handicap().points, 2);
/// # Ok::<(), tengen_sgf::SgfError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordRules {
    /// The ko rule.
    pub ko: Ko,
    /// The suicide rule.
    pub suicide: Suicide,
    /// The rule set whose compensation for handicap stones holds.
    pub handicap: Preset,
}

impl From<Preset> for RecordRules {
    fn from(preset: Preset) -> Self {
        let (ko, suicide) = preset.ko_and_suicide();
        Self { ko, suicide, handicap: preset }
    }
}

impl From<(Ko, Suicide)> for RecordRules {
    /// These rules, without compensation for handicap stones.
    fn from((ko, suicide): (Ko, Suicide)) -> Self {
        Self { ko, suicide, handicap: Preset::Simple }
    }
}

/// The names of presets in RU.
const RULES: [(&str, Preset); 5] = [
    ("Chinese", Preset::Chinese),
    ("Tromp-Taylor", Preset::TrompTaylor),
    ("AGA", Preset::Aga),
    ("NZ", Preset::NewZealand),
    ("Simple", Preset::Simple),
];

/// KM, RU and HA of `game`.
pub fn conditions(game: &Game) -> Vec<Property> {
    let (rules, handicap) = (game.rules(), game.handicap());
    let own = (rules.ko, rules.suicide);
    let compensates = |preset: Preset| preset.handicap(handicap.stones) == handicap;
    let named = RULES
        .iter()
        .find(|(_, preset)| preset.ko_and_suicide() == own && compensates(*preset))
        .map(|(name, _)| (*name).to_owned());
    let parts = || format!("ko {} suicide {}", rules.ko, rules.suicide);
    // If no named rules give this compensation, it is part of the komi.
    let is_known = named.is_some() || handicap.points == 0;
    let (komi, Handicap { stones, .. }) =
        if is_known { (game.komi(), handicap) } else { (rules.komi, Handicap::default()) };
    let mut all = vec![
        Property::new("KM", &komi.to_string()),
        Property::new("RU", &named.unwrap_or_else(parts)),
    ];
    if stones != 0 {
        all.push(Property::new("HA", &stones.to_string()));
    }
    all
}

/// The rules of RU. Without RU, and with a warning for unknown rules: simple ko without suicide,
/// under which most records are legal.
pub fn read_rules(root: &Node, warnings: &mut Vec<SgfWarning>) -> RecordRules {
    let default = Preset::Simple.into();
    let text = root.get("RU").map(Property::line).unwrap_or_default();
    if text.is_empty() {
        return default;
    }
    let parts = match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["ko", ko, "suicide", suicide] => ko.parse().ok().zip(suicide.parse().ok()),
        _ => None,
    };
    let known = parts.map(|parts: (Ko, Suicide)| (parts.into(), true));
    let known = known.or_else(|| named(&text)).or_else(|| katago(&text));
    let quoted = || shown(&text);
    if known.is_some_and(|(_, is_by_area)| !is_by_area) {
        warnings.push(SgfWarning::OtherScoring { text: quoted() });
    }
    if known.is_none() {
        warnings.push(SgfWarning::UnknownRules { text: quoted() });
    }
    known.map_or(default, |(rules, _)| rules)
}

/// The rules under a name as people and servers write it, `Chinese Rules`, `tromp taylor` or
/// `Chinese, Pair Go`, and whether they have neither group tax nor button.
fn named(text: &str) -> Option<(RecordRules, bool)> {
    let text = text.split([',', ';', '(', '/']).next().unwrap_or_default();
    // Without the tables of all letters, which would make the page large.
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || !c.is_ascii();
    let text: String = text.to_ascii_lowercase().chars().filter(is_kept).collect();
    let ends = ["ruleset", "rules", "rule", "规则", "規則", "ルール", "룰"];
    let name = ends.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(&text);
    let preset = match name {
        "chinese" | "china" | "chineseogs" | "chinesekgs" | "中国" | "中國" => Preset::Chinese,
        "aga" | "bga" | "french" | "agabutton" => Preset::Aga,
        "nz" | "newzealand" => Preset::NewZealand,
        // KataGo reads the rules of Ing, which SGF calls GOE, like this too.
        "tromptaylor" | "goe" | "ing" => Preset::TrompTaylor,
        "japanese" | "japan" | "korean" | "korea" | "日本" | "韩国" | "韓国" | "한국"
        | "simple" | "ancientarea" | "ancientterritory" | "stonescoring" => Preset::Simple,
        "tengen" => Preset::Tengen,
        _ => return None,
    };
    let is_taxed = ["agabutton", "ancientarea", "ancientterritory", "stonescoring"].contains(&name);
    Some((preset.into(), !is_taxed))
}

/// The keys of KataGo's notation of rules, and the values of each.
const KATAGO: [(&str, &[&str]); 8] = [
    ("ko", &["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
    ("scoring", &["AREA", "TERRITORY"]),
    ("score", &["AREA", "TERRITORY"]),
    ("tax", &["NONE", "SEKI", "ALL"]),
    ("sui", &["0", "1"]),
    ("button", &["0", "1"]),
    ("whb", &["0", "N-1", "N"]),
    // Whether dead stones may stay on the board when both pass.
    ("fpok", &["0", "1"]),
];

/// Rules in KataGo's notation, `koPOSITIONALscoreAREAtaxNONEsui1`, and whether they have neither
/// group tax nor button. Missing parts are as in Tromp-Taylor rules.
fn katago(text: &str) -> Option<(RecordRules, bool)> {
    let mut said = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (key, values) = KATAGO.iter().find(|(key, _)| rest.starts_with(key))?;
        rest = rest[key.len()..].trim_start();
        let value = values.iter().find(|value| rest.starts_with(*value))?;
        rest = rest[value.len()..].trim_start();
        said.push((*key, *value));
    }
    let says = |key: &str, value: &str| said.contains(&(key, value));
    let ko = match () {
        () if says("ko", "SIMPLE") => Ko::Simple,
        () if says("ko", "SITUATIONAL") => Ko::Ssk,
        () => Ko::Psk,
    };
    let suicide = match () {
        () if says("sui", "0") => Suicide::No,
        // A lone stone never is a suicide in KataGo: superko forbids it, or makes it a pass.
        () if ko == Ko::Simple => Suicide::Multi,
        () => Suicide::All,
    };
    let handicap = match () {
        () if says("whb", "N") => Preset::Chinese,
        () if says("whb", "N-1") => Preset::Aga,
        () => Preset::Simple,
    };
    let is_territory = says("score", "TERRITORY") || says("scoring", "TERRITORY");
    let is_taxed = says("tax", "ALL") || (says("tax", "SEKI") && !is_territory);
    Some((RecordRules { ko, suicide, handicap }, !is_taxed && !says("button", "1")))
}
