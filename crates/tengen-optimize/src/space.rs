//! The parameters that are tuned: their names, ranges and scales.
//!
//! Methods do not see the parameters: they work on points of the cube [-1, 1]ᵈ, where -1 is the
//! lower end of a range and 1 the upper end.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use strum::{Display, EnumString};
use tengen_settings::{Domain, Refusal, SettingValue, Value, deserialized};

/// A point of the cube [-1, 1]ᵈ: a coordinate for each parameter.
pub type Point = Vec<f64>;

/// How a range is spread over [-1, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal ratios: for what matters by its order of magnitude,
    /// such as an exploration constant. The range must be above zero.
    Log,
    /// As linear, rounded to the nearest whole number.
    Integer,
}

/// A parameter: its name, its range and the scale of the range. As text
/// `exploration=0.05..2:log`; without a scale it is linear.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    name: String,
    low: f64,
    high: f64,
    scale: Scale,
}

/// Why a parameter or a space cannot be made.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum SpaceError {
    /// The text of a parameter has the wrong form.
    #[error(
        "parameter `{0}`: write NAME=LOW..HIGH or NAME=LOW..HIGH:SCALE, such as exploration=0.05..2:log"
    )]
    Form(String),
    /// The range of a parameter is invalid.
    #[error("parameter `{name}`: {fault}")]
    Range {
        /// The parameter.
        name: String,
        /// What is wrong with its range.
        fault: String,
    },
    /// A parameter is given twice.
    #[error("parameter `{0}` is given twice")]
    Twice(String),
    /// No parameter is given.
    #[error("no parameter is given: write NAME=LOW..HIGH, such as exploration=0.05..2:log")]
    None,
    /// The user of the parameters, such as a bot, refuses a value.
    #[error("parameter `{name}` at {value}: {reason}")]
    Refused {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// What is wrong with it.
        reason: String,
    },
}

impl Parameter {
    /// The parameter `name` over the range from `low` to `high`. Refuses an empty range, one that
    /// does not suit the scale, and an empty name.
    pub fn new(
        name: impl Into<String>,
        low: f64,
        high: f64,
        scale: Scale,
    ) -> Result<Self, SpaceError> {
        let name = name.into();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "=,\"".contains(c)) {
            return Err(SpaceError::Form(name));
        }
        let part = [low, high].into_iter().find(|end| end.fract() != 0.0);
        let fault = if !(low.is_finite() && high.is_finite() && low < high) {
            format!("the range {low}..{high} is empty: write two numbers, the lower one first")
        } else if scale == Scale::Log && low <= 0.0 {
            format!("the range begins at {low}: on the log scale it must begin above 0")
        } else if let (Scale::Integer, Some(end)) = (scale, part) {
            format!("invalid end {end} of the range: expected whole numbers on the integer scale")
        } else {
            return Ok(Self { name, low, high, scale });
        };
        Err(SpaceError::Range { name, fault })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ends of its range.
    #[must_use]
    pub const fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The scale of its range.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// The value at the coordinate `unit`; coordinates outside [-1, 1] have the value of the nearer
    /// end.
    #[must_use]
    pub fn value(&self, unit: f64) -> f64 {
        let share = f64::midpoint(unit, 1.0).clamp(0.0, 1.0);
        // The ends are exact, on the log scale too.
        if share == 0.0 || share == 1.0 {
            return if share == 0.0 { self.low } else { self.high };
        }
        let between = |low: f64, high: f64| (1.0 - share) * low + share * high;
        let value = match self.scale {
            Scale::Linear => between(self.low, self.high),
            Scale::Log => between(self.low.ln(), self.high.ln()).exp(),
            Scale::Integer => between(self.low, self.high).round(),
        };
        value.clamp(self.low, self.high)
    }

    /// The coordinate of `value`, in [-1, 1] if it lies in the range.
    #[must_use]
    pub fn unit(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Linear | Scale::Integer => (value - self.low) / (self.high - self.low),
        };
        2.0 * share - 1.0
    }
}

impl FromStr for Parameter {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        let form = || SpaceError::Form(text.to_owned());
        let (name, range) = text.split_once('=').ok_or_else(form)?;
        Self::from_range(name.trim(), range.trim()).map_err(|error| match error {
            SpaceError::Form(_) => form(),
            other => other,
        })
    }
}

impl Parameter {
    /// The parameter `name` over the range `text`, written as `LOW..HIGH` or `LOW..HIGH:SCALE`.
    fn from_range(name: &str, text: &str) -> Result<Self, SpaceError> {
        let form = || SpaceError::Form(format!("{name}={text}"));
        let (range, scale) = text.split_once(':').unwrap_or((text, "linear"));
        let (low, high) = range.split_once("..").ok_or_else(form)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| form());
        let (low, high) = (number(low)?, number(high)?);
        Self::new(name, low, high, Self::scale_of(name, scale.trim())?)
    }

    /// The scale `text` of the parameter `name`.
    fn scale_of(name: &str, text: &str) -> Result<Scale, SpaceError> {
        text.parse().map_err(|_| SpaceError::Range {
            name: name.to_owned(),
            fault: format!("invalid scale `{text}`: expected linear, log or integer"),
        })
    }

    fn range_text(&self) -> String {
        match self.scale {
            Scale::Linear => format!("{}..{}", self.low, self.high),
            scale => format!("{}..{}:{scale}", self.low, self.high),
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}={}", self.name, self.range_text()))
    }
}

/// The parameters that are tuned together, in the order of their names, so that
/// results do not depend on the order in which they are written. As a TOML table
/// `exploration = "0.05..2:log"`, or
/// `exploration = { low = 0.05, high = 2, scale = "log" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    parameters: Vec<Parameter>,
}

impl Space {
    /// The space of these parameters. At least one is needed, and no two may share a name.
    pub fn new(mut parameters: Vec<Parameter>) -> Result<Self, SpaceError> {
        if parameters.is_empty() {
            return Err(SpaceError::None);
        }
        parameters.sort_by(|a, b| a.name.cmp(&b.name));
        match parameters.windows(2).find(|two| two[0].name == two[1].name) {
            Some(two) => Err(SpaceError::Twice(two[0].name.clone())),
            None => Ok(Self { parameters }),
        }
    }

    /// The parameters, in the order of the coordinates.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How many parameters there are.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.parameters.len()
    }

    /// The values at `point`, one for each parameter.
    #[must_use]
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(point).map(|(parameter, &unit)| parameter.value(unit)).collect()
    }

    /// The point of `values`, clamped to the ranges.
    #[must_use]
    pub fn point(&self, values: &[f64]) -> Point {
        let units = self.parameters.iter().zip(values);
        units.map(|(parameter, &value)| parameter.unit(value).clamp(-1.0, 1.0)).collect()
    }

    /// Calls `accept` on the values at the centre, at both ends of each parameter with the others
    /// at their centre, and at the corners of the first eight parameters.
    pub fn check(&self, accept: impl Fn(&[f64]) -> Result<(), String>) -> Result<(), SpaceError> {
        let centre = vec![0.0; self.dimensions()];
        let refused = |number: usize, point: &[f64]| {
            let values = self.values(point);
            accept(&values).map_err(|reason| SpaceError::Refused {
                name: self.parameters[number].name.clone(),
                value: values[number],
                reason,
            })
        };
        refused(0, &centre)?;
        for number in 0..self.dimensions() {
            for end in [-1.0, 1.0] {
                let mut point = centre.clone();
                point[number] = end;
                refused(number, &point)?;
            }
        }
        let corners = 1_u32 << self.dimensions().min(8);
        for corner in 0..corners {
            let end = |number: usize| if corner >> number & 1 == 0 { -1.0 } else { 1.0 };
            refused(0, &(0..self.dimensions()).map(end).collect::<Point>())?;
        }
        Ok(())
    }
}

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ranges = self.parameters.iter().map(|one| (&one.name, one.range_text()));
        serializer.collect_map(ranges)
    }
}

/// A range that TOML writes as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    low: f64,
    high: f64,
    scale: Option<String>,
}

impl SettingValue for Space {
    fn domain() -> Domain {
        let forms = "NAME=LOW..HIGH[:SCALE], such as exploration=0.05..2:log, or a table of low, high and scale";
        Domain::Text(forms.to_owned())
    }

    fn read(value: &Value) -> Result<Self, Refusal> {
        let table = "expected a table of ranges, such as exploration = \"0.05..2:log\"";
        let ranges = value.as_table().ok_or_else(|| Refusal::because(table))?;
        let parameter = |(name, range): (&String, &Value)| {
            if let Value::String(text) = range {
                return Parameter::from_range(name, text).map_err(Refusal::because);
            }
            let forms =
                "expected a range, such as \"0.05..2:log\", or a table of low, high and scale";
            if !range.is_table() {
                return Err(Refusal::because(format!("`{name}` is {range}: {forms}")));
            }
            let Parts { low, high, scale } = deserialized(range)?;
            let scale = Parameter::scale_of(name, scale.as_deref().unwrap_or("linear"));
            scale.and_then(|scale| Parameter::new(name, low, high, scale)).map_err(Refusal::because)
        };
        let parameters = ranges.iter().map(parameter).collect::<Result<_, _>>()?;
        Self::new(parameters).map_err(Refusal::because)
    }
}

#[cfg(test)]
#[path = "space_tests.rs"]
mod tests;
