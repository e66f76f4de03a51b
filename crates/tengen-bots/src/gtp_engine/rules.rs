//! The rules of the game by name: commands of KataGo and of kgsGtp, the server KGS's
//! client.

use super::arguments::{at_most, word};
use super::refusal::Refusal;
use super::{Commands, Engine};
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use tengen_go::{Ko, Preset, Suicide};

pub const COMMANDS: Commands = &[
    ("get_komi", |engine, words, _| at_most(words, 0).map(|()| engine.game.komi().to_string())),
    ("kata-get-rules", |engine, words, _| {
        at_most(words, 0)?;
        serde_json::to_string(&KataRules::of(engine.preset))
            .map_err(|fault| Refusal::new(fault.to_string()))
    }),
    ("kata-set-rules", |engine, words, _| Ok(engine.set_rules(named(&words.join(" "))?))),
    ("kata-set-rule", |engine, words, _| {
        at_most(words, 2)?;
        let (key, value) = (word(words, 0, "a rule")?, word(words, 1, "a value")?);
        let rules = KataRules::of(engine.preset).with(key, value)?;
        Ok(engine.set_rules(rules.preset()?))
    }),
    ("kgs-rules", |engine, words, _| {
        at_most(words, 1)?;
        Ok(engine.set_rules(named(word(words, 0, "the name of the rules")?)?))
    }),
];

/// Rules as KataGo writes them in JSON. What is not told is as in its `tromp-taylor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct KataRules {
    /// Whether dead stones may stay on the board: people take them off by agreement.
    friendly_pass_ok: bool,
    has_button: bool,
    ko: String,
    #[serde(alias = "score")]
    scoring: String,
    suicide: bool,
    tax: String,
    /// What White receives for N handicap stones: `0`, `N-1` or `N` points.
    white_handicap_bonus: String,
}

impl Default for KataRules {
    fn default() -> Self {
        Self::of(Preset::TrompTaylor)
    }
}

impl KataRules {
    fn of(preset: Preset) -> Self {
        let (ko, suicide) = preset.ko_and_suicide();
        let ko = match ko {
            Ko::None | Ko::Simple => "SIMPLE",
            Ko::Psk => "POSITIONAL",
            Ko::Ssk | Ko::Nssk => "SITUATIONAL",
        };
        let bonus = match preset.handicap(2).points {
            0 => "0",
            1 => "N-1",
            _ => "N",
        };
        Self {
            friendly_pass_ok: takes_dead_stones_off(preset),
            has_button: false,
            ko: ko.to_owned(),
            scoring: "AREA".to_owned(),
            suicide: suicide != Suicide::No,
            tax: "NONE".to_owned(),
            white_handicap_bonus: bonus.to_owned(),
        }
    }

    /// The same but for one rule.
    fn with(&self, key: &str, value: &str) -> Result<Self, Refusal> {
        let invalid = |fault: serde_json::Error| Refusal::new(format!("invalid rule: {fault}"));
        let mut rules = serde_json::to_value(self).map_err(invalid)?;
        let value = value.to_ascii_uppercase();
        rules[key] = match value.as_str() {
            "TRUE" => true.into(),
            "FALSE" => false.into(),
            _ => value.into(),
        };
        serde_json::from_value(rules).map_err(invalid)
    }

    /// The set of rules that is this one.
    fn preset(&self) -> Result<Preset, Refusal> {
        let same = Preset::VARIANTS.iter().find(|preset| Self::of(**preset) == *self);
        same.copied().ok_or_else(|| {
            let text = serde_json::to_string(self).unwrap_or_default();
            Refusal::new(format!("unsupported rules {text}: expected those of {}", names()))
        })
    }
}

/// Whether players under these rules agree on dead stones, and do not play them out.
pub fn takes_dead_stones_off(preset: Preset) -> bool {
    match preset {
        Preset::Chinese | Preset::Aga | Preset::NewZealand => true,
        Preset::Tengen | Preset::TrompTaylor | Preset::Simple => false,
    }
}

/// The rules under a name of ours, of KataGo or of KGS, or those that JSON describes.
fn named(text: &str) -> Result<Preset, Refusal> {
    if text.starts_with('{') {
        let rules: Result<KataRules, _> = serde_json::from_str(text);
        return rules.map_err(|fault| Refusal::new(format!("invalid rules: {fault}")))?.preset();
    }
    let name = text.to_ascii_lowercase().replace(['_', ' '], "-");
    match name.as_str() {
        "chinese-ogs" | "chinese-kgs" | "chineseogs" | "chinesekgs" => Ok(Preset::Chinese),
        "bga" | "french" => Ok(Preset::Aga),
        "nz" | "newzealand" => Ok(Preset::NewZealand),
        "tromptaylor" => Ok(Preset::TrompTaylor),
        "" => Err(Refusal::syntax("the name of the rules is needed")),
        name => name
            .parse()
            .map_err(|_| Refusal::new(format!("unsupported rules `{text}`: expected {}", names()))),
    }
}

fn names() -> String {
    let names: Vec<String> = Preset::VARIANTS.iter().map(ToString::to_string).collect();
    names.join(", ")
}

impl Engine<'_> {
    /// Holds this game from here on, and later ones, to the rules of `preset`.
    fn set_rules(&mut self, preset: Preset) -> String {
        self.preset = preset;
        let (ko, suicide) = preset.ko_and_suicide();
        let handicap = preset.handicap(self.game.handicap().stones);
        self.game = self.game.clone().with_ko_and_suicide(ko, suicide).with_handicap(handicap);
        self.bot = None;
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_rules_is_read_as_it_is_written() {
        for &preset in Preset::VARIANTS {
            let text = serde_json::to_string(&KataRules::of(preset)).unwrap();
            assert_eq!(named(&text), Ok(preset), "{text}");
            assert_eq!(named(&preset.to_string()), Ok(preset));
        }
        let chinese = "{\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"POSITIONAL\",\
                       \"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\",\
                       \"whiteHandicapBonus\":\"N\"}";
        assert_eq!(serde_json::to_string(&KataRules::of(Preset::Chinese)).unwrap(), chinese);
    }

    #[test]
    fn names_of_other_programs() {
        for (text, preset) in [
            ("chinese", Preset::Chinese),
            ("chinese-kgs", Preset::Chinese),
            ("new_zealand", Preset::NewZealand),
            ("New Zealand", Preset::NewZealand),
            ("{\"suicide\": false}", Preset::Tengen),
            ("{}", Preset::TrompTaylor),
        ] {
            assert_eq!(named(text), Ok(preset), "{text}");
        }
        for text in ["japanese", "{\"scoring\":\"TERRITORY\"}", "{\"ko\":\"SPIGHT\"}"] {
            let said = named(text).unwrap_err().said;
            assert!(said.contains("tromp-taylor"), "{said}");
        }
        let said = named("{\"kos\":1}").unwrap_err().said;
        assert!(said.starts_with("invalid rules: unknown field `kos`"), "{said}");
        let aga = KataRules::of(Preset::Chinese).with("ko", "situational").unwrap();
        assert_eq!(aga.with("whiteHandicapBonus", "n-1").unwrap().preset(), Ok(Preset::Aga));
        assert!(aga.with("ko_rule", "SIMPLE").is_err());
    }
}
