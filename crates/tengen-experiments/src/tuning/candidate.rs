//! The bot whose settings are tuned.

use tengen_bots::{BotConfig, NamedBot};
use tengen_optimize::space::{Parameter, Scale, Space, SpaceError};

/// The share of its range to which a value is rounded, or of the value itself on a logarithmic
/// scale: the value shown is exactly the value played.
const RESOLUTION: f64 = 1e-4;

/// A bot and those of its settings that are tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    bot: BotConfig,
    space: Space,
}

/// A candidate that cannot be tuned.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum CandidateError {
    /// The bot is of a kind without parameters.
    #[error(
        "bot `{0}` has no parameters: tune one of kind uct, such as --bot uct:simulations=1000"
    )]
    Kind(String),
    /// A parameter that the bot does not have, or a value that it refuses.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl Candidate {
    /// The bot `bot` whose settings in `space` are tuned. Refuses a parameter that is no setting of
    /// the bot, and a range with a value that the bot refuses.
    pub fn new(bot: BotConfig, space: Space) -> Result<Self, CandidateError> {
        if bot.table().is_empty() {
            return Err(CandidateError::Kind(bot.to_string()));
        }
        let candidate = Self { bot, space };
        // Each parameter by itself first, so that an error names the one at fault.
        for parameter in candidate.space.parameters() {
            let value = rounded(parameter, parameter.value(0.0));
            let refused = |reason| SpaceError::Refused {
                name: parameter.name().to_owned(),
                value,
                reason: with_hint(reason),
            };
            with(&candidate.bot, parameter, value).map_err(refused)?;
        }
        candidate
            .space
            .check(|values| candidate.configure(values).map(|_| ()).map_err(with_hint))?;
        Ok(candidate)
    }

    /// The bot with the settings that it was given.
    #[must_use]
    pub const fn bot(&self) -> &BotConfig {
        &self.bot
    }

    /// The parameters that are tuned.
    #[must_use]
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// The values at `point` as they are played: rounded to a ten-thousandth of the range,
    /// or of themselves on a logarithmic scale.
    #[must_use]
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        let values = self.space.values(point);
        let parameters = self.space.parameters();
        parameters.iter().zip(values).map(|(parameter, value)| rounded(parameter, value)).collect()
    }

    /// The bot at `point`; its text is its name.
    #[must_use]
    pub fn at(&self, point: &[f64]) -> NamedBot {
        // Ends, corners and centre were tried; values between them are accepted too.
        let config = self.configure(&self.values(point)).unwrap_or_else(|_| self.bot.clone());
        NamedBot { name: config.to_string(), config }
    }

    /// The values of the parameters in the bot that was given; none for a setting that is no number
    /// there.
    #[must_use]
    pub fn default_values(&self) -> Vec<Option<f64>> {
        let table = toml::Table::try_from(&self.bot).unwrap_or_default();
        let number = |value: &toml::Value| {
            let whole = value.as_integer().map(|whole| whole as f64);
            value.as_float().or(whole).or(within_text(value).map(|(_, number)| number))
        };
        let of = |parameter: &Parameter| table.get(parameter.name()).and_then(number);
        self.space.parameters().iter().map(of).collect()
    }

    fn configure(&self, values: &[f64]) -> Result<BotConfig, String> {
        let mut settings = self.space.parameters().iter().zip(values);
        settings.try_fold(self.bot.clone(), |bot, (parameter, &value)| with(&bot, parameter, value))
    }
}

/// `bot` with `parameter` at `value`. A setting that is a word with a number, such as
/// `equivalence:3000`, keeps the word of `bot`; one with several numbers, such as `mogo:0.9:1`,
/// keeps all but the last.
fn with(bot: &BotConfig, parameter: &Parameter, value: f64) -> Result<BotConfig, String> {
    let name = parameter.name();
    let now = toml::Table::try_from(bot).ok().and_then(|table| table.get(name).cloned());
    let number = match parameter.scale() {
        #[allow(clippy::cast_possible_truncation)] // a whole number
        Scale::Integer => toml::Value::Integer(value as i64),
        Scale::Linear | Scale::Log => toml::Value::Float(value),
    };
    let number = match now.as_ref().and_then(within_text) {
        Some((word, _)) => toml::Value::String(format!("{word}:{value}")),
        None => number,
    };
    bot.with_setting(name, number).map_err(|reason| match now {
        Some(toml::Value::String(now)) => format!(
            "{reason} (the bot has {name}={now}: what is tuned is the number of a word with one)"
        ),
        _ => reason,
    })
}

/// The last number of a setting such as `equivalence:3000`, and what is before it.
fn within_text(value: &toml::Value) -> Option<(&str, f64)> {
    let (word, number) = value.as_str()?.rsplit_once(':')?;
    Some((word, number.parse().ok()?))
}

/// Adds the scale to a `reason` that asks for a whole number: settings know no scales.
fn with_hint(reason: String) -> String {
    if reason.contains("whole number") {
        return format!("{reason}, on the scale `:integer`");
    }
    reason
}

/// `value` to the resolution of `parameter`.
fn rounded(parameter: &Parameter, value: f64) -> f64 {
    let (low, high) = parameter.range();
    let step = match parameter.scale() {
        Scale::Integer => return value,
        Scale::Linear => RESOLUTION * (high - low),
        Scale::Log => RESOLUTION * value,
    };
    // By decimal digits, so that 0.3 is 0.3.
    #[allow(clippy::cast_possible_truncation)] // some hundreds at most
    let digits = (-step.log10().floor()).clamp(0.0, 300.0) as i32;
    let unit = 10_f64.powi(digits);
    let nearest = (value * unit).round() / unit;
    nearest.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(bot: &str, parameters: &[&str]) -> Result<Candidate, String> {
        let parameters = parameters.iter().map(|text| text.parse().unwrap()).collect();
        let space = Space::new(parameters).unwrap();
        Candidate::new(bot.parse().unwrap(), space).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_point_is_a_bot() {
        let bot = "uct:simulations=50,rave=none,prior=none";
        let tuned = candidate(bot, &["exploration=0.05..2:log", "expansion=1..9:integer"]).unwrap();
        let named = tuned.at(&[-1.0, 0.0]);
        assert_eq!(
            named.name,
            "uct:expansion=1,exploration=0.31623,prior=none,rave=none,simulations=50"
        );
        assert_eq!(named.name.parse::<BotConfig>().unwrap(), named.config);
        assert_eq!(tuned.default_values(), [Some(2.0), Some(0.1)]);
    }

    #[test]
    fn a_number_beside_a_word_is_tuned() {
        let tuned = candidate("uct", &["rave=100..10000:log"]).unwrap();
        assert_eq!(tuned.default_values(), [Some(3000.0)]);
        assert_eq!(tuned.at(&[0.0]).name, "uct:rave=equivalence:1000");
        let tuned = candidate("uct:policy=mogo:0.9:1", &["policy=0..1"]).unwrap();
        assert_eq!(tuned.default_values(), [Some(1.0)]);
        assert_eq!(tuned.at(&[0.0]).name, "uct:policy=mogo:0.9:0.5");
        let fault = candidate("uct:rave=none", &["rave=100..10000:log"]).unwrap_err();
        assert!(fault.contains("equivalence:VISITS") && fault.contains("rave=none"), "{fault}");
    }

    #[test]
    fn values_are_rounded_to_what_is_worth_showing() {
        let value = |text: &str, value: f64| rounded(&text.parse().unwrap(), value);
        assert_eq!(value("c=0.05..2:log", 0.316_227_766), 0.316_23);
        assert_eq!(value("c=0..1", 0.333_333), 0.3333);
        assert_eq!(value("c=0..9000", 3_333.333), 3333.3);
        assert_eq!(value("c=1..9:integer", 3.0), 3.0);
    }
}
