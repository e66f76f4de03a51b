//! The rules that RU names.

use tengen_go::{Ko, Preset, Rules, Suicide};

/// The names that SGF knows for rules of ours.
const RULES: [(&str, Preset); 5] = [
    ("Chinese", Preset::Chinese),
    ("Tromp-Taylor", Preset::TrompTaylor),
    ("AGA", Preset::Aga),
    ("NZ", Preset::NewZealand),
    ("Simple", Preset::Simple),
];

/// The name of the rules, or their parts.
pub fn write_rules(rules: Rules) -> String {
    let own = (rules.ko, rules.suicide);
    match RULES.iter().find(|(_, preset)| preset.ko_and_suicide() == own) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("ko {} suicide {}", rules.ko, rules.suicide),
    }
}

/// Ko and suicide under a name; none for a name that is not known.
pub fn read_rules(text: &str) -> Option<(Ko, Suicide)> {
    let text = text.trim();
    let named = |name: &str| text.eq_ignore_ascii_case(name);
    if let Some((_, preset)) = RULES.iter().find(|(name, _)| named(name)) {
        return Some(preset.ko_and_suicide());
    }
    if named("Japanese") || named("Korean") {
        return Some(Preset::Simple.ko_and_suicide());
    }
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["ko", ko, "suicide", suicide] => Some((ko.parse().ok()?, suicide.parse().ok()?)),
        _ => text.parse::<Preset>().ok().map(Preset::ko_and_suicide),
    }
}
