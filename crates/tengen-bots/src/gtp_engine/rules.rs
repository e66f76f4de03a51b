//! The rules of the game by name: commands of KataGo and of kgsGtp, the server KGS's
//! client.

use super::arguments::{list, word};
use super::refusal::Refusal;
use super::{Commands, Engine};
use serde_json::{Map, Value, json};
use tengen_go::{Ko, Preset, Suicide};

pub const COMMANDS: Commands = &[
    ("get_komi", 0, |engine, _, _| Ok(engine.game.komi().to_string())),
    ("kata-get-rules", 0, |engine, _, _| Ok(kata(engine.preset).to_string())),
    ("kata-set-rules", usize::MAX, |engine, words, _| {
        Ok(engine.set_rules(named(&words.join(" "))?))
    }),
    ("kata-set-rule", 2, |engine, words, _| {
        let (key, value) = (word(words, 0, "a rule")?, word(words, 1, "a value")?);
        let rules = changed(kata(engine.preset), key, in_json(value))?;
        Ok(engine.set_rules(preset(&rules)?))
    }),
    ("kgs-rules", 1, |engine, words, _| {
        Ok(engine.set_rules(named(word(words, 0, "the name of the rules")?)?))
    }),
];

/// The rules of `preset` as KataGo writes them in JSON.
fn kata(preset: Preset) -> Value {
    let (ko, suicide) = preset.ko_and_suicide();
    json!({
        // Whether dead stones may stay on the board: people take them off by agreement.
        "friendlyPassOk": takes_dead_stones_off(preset),
        "hasButton": false,
        "ko": match ko {
            Ko::None | Ko::Simple => "SIMPLE",
            Ko::Psk => "POSITIONAL",
            Ko::Ssk | Ko::Nssk => "SITUATIONAL",
        },
        "scoring": "AREA",
        "suicide": suicide != Suicide::No,
        "tax": "NONE",
        // What White receives for N handicap stones.
        "whiteHandicapBonus": match preset.handicap(2).points {
            0 => "0",
            1 => "N-1",
            _ => "N",
        },
    })
}

/// The value of a rule that is written as a word.
fn in_json(word: &str) -> Value {
    match word.to_ascii_uppercase().as_str() {
        "TRUE" => true.into(),
        "FALSE" => false.into(),
        word => word.into(),
    }
}

/// `rules` with `value` for the rule `key`.
fn changed(mut rules: Value, key: &str, value: Value) -> Result<Value, Refusal> {
    let key = if key == "score" { "scoring" } else { key };
    let unknown = || Refusal::new(format!("invalid rules: unknown field `{key}`"));
    *rules.get_mut(key).ok_or_else(unknown)? = value;
    Ok(rules)
}

/// The preset that KataGo writes as `rules`.
fn preset(rules: &Value) -> Result<Preset, Refusal> {
    let same = Preset::VARIANTS.iter().find(|preset| kata(**preset) == *rules);
    let fault = || format!("unsupported rules {rules}: expected those of {}", names());
    same.copied().ok_or_else(|| Refusal::new(fault()))
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
        let told = serde_json::from_str::<Map<String, Value>>(text);
        let told = told.map_err(|fault| Refusal::new(format!("invalid rules: {fault}")))?;
        // Rules that are left out are those of KataGo's `tromp-taylor`.
        let mut rules = kata(Preset::TrompTaylor);
        for (key, value) in told {
            rules = changed(rules, &key, value)?;
        }
        return preset(&rules);
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
    list(Preset::VARIANTS, ", ")
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
            let text = kata(preset).to_string();
            assert_eq!(named(&text), Ok(preset), "{text}");
            assert_eq!(named(&preset.to_string()), Ok(preset));
        }
        let chinese = "{\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"POSITIONAL\",\
                       \"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\",\
                       \"whiteHandicapBonus\":\"N\"}";
        assert_eq!(kata(Preset::Chinese).to_string(), chinese);
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
        let aga = changed(kata(Preset::Chinese), "ko", in_json("situational")).unwrap();
        let aga = changed(aga, "whiteHandicapBonus", in_json("n-1")).unwrap();
        assert_eq!(preset(&aga), Ok(Preset::Aga));
        assert!(changed(aga, "ko_rule", in_json("SIMPLE")).is_err());
    }
}
