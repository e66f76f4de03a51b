//! The rules that RU names.

use tengen_go::{Game, Handicap, Ko, Preset, Suicide};

/// The rules of a record: ko, suicide, and what White receives for handicap stones.
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
    /// These rules, and nothing for handicap stones.
    fn from((ko, suicide): (Ko, Suicide)) -> Self {
        Self { ko, suicide, handicap: Preset::Simple }
    }
}

/// The names that SGF knows for rules of ours.
const RULES: [(&str, Preset); 5] = [
    ("Chinese", Preset::Chinese),
    ("Tromp-Taylor", Preset::TrompTaylor),
    ("AGA", Preset::Aga),
    ("NZ", Preset::NewZealand),
    ("Simple", Preset::Simple),
];

/// KM, RU and HA of `game`.
pub fn write_conditions(game: &Game) -> String {
    let (rules, handicap) = (game.rules(), game.handicap());
    let own = (rules.ko, rules.suicide);
    let compensates = |preset: Preset| preset.handicap(handicap.stones) == handicap;
    let named = RULES
        .iter()
        .find(|(_, preset)| preset.ko_and_suicide() == own && compensates(*preset))
        .map(|(name, _)| (*name).to_owned());
    let parts = || format!("ko {} suicide {}", rules.ko, rules.suicide);
    // Where no rules give what White receives for the stones, it is komi.
    let is_known = named.is_some() || handicap.points == 0;
    let (komi, Handicap { stones, .. }) =
        if is_known { (game.komi(), handicap) } else { (rules.komi, Handicap::default()) };
    let text = format!("KM[{komi}]RU[{}]", named.unwrap_or_else(parts));
    if stones == 0 { text } else { format!("{text}HA[{stones}]") }
}

/// The rules under a name; none for a name that is not known.
pub fn read_rules(text: &str) -> Option<RecordRules> {
    let text = text.trim();
    let named = |name: &str| text.eq_ignore_ascii_case(name);
    if let Some((_, preset)) = RULES.iter().find(|(name, _)| named(name)) {
        return Some((*preset).into());
    }
    if named("Japanese") || named("Korean") {
        return Some(Preset::Simple.into());
    }
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["ko", ko, "suicide", suicide] => {
            let parts: (Ko, Suicide) = (ko.parse().ok()?, suicide.parse().ok()?);
            Some(parts.into())
        }
        _ => text.parse::<Preset>().ok().map(RecordRules::from),
    }
}
