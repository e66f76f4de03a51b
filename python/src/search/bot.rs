//! The bot of a search: its settings, from a text.

use super::callable::Inputs;
use crate::errors::invalid;
use pyo3::prelude::*;
use tengen::bots::BotConfig;
use tengen::search::UctConfig;
use tengen::search::evaluator::{Batch, Evaluator, NamedEvaluator, register_named};

/// The name of the evaluator that stands for the callable of a search.
pub const CALLABLE: &str = "python";

pub fn register_callable() -> PyResult<()> {
    let make = |_: &str| {
        Ok(NamedEvaluator::new(CALLABLE, "1", || Ok(Box::new(OfTheCaller) as Box<dyn Evaluator>)))
    };
    register_named(CALLABLE, make).map_err(invalid)
}

/// Stands for a callable that answers the leaves elsewhere.
struct OfTheCaller;

impl Evaluator for OfTheCaller {
    fn evaluate(&mut self, _: Batch<'_>) -> Result<(), String> {
        Err("it stands for the argument `evaluator` of a search: register a callable to use it \
             elsewhere (tengen.register.evaluator)"
            .to_owned())
    }
}

/// The settings of the bot `text` for a search of `what`. With `inputs`, a callable that sees them
/// judges the leaves. Refuses a text that is no bot for such a search.
pub fn config(text: &str, inputs: Option<&Inputs>, what: &str) -> PyResult<UctConfig> {
    let has_callable = inputs.is_some();
    let has_evaluator =
        text.split([':', ',']).any(|setting| setting.trim_start().starts_with("evaluator="));
    if has_callable && has_evaluator {
        return Err(invalid(format!(
            "bot `{text}`: `evaluator` is both a setting of the bot and an argument: leave one of them out"
        )));
    }
    let separator = if text.contains(':') { ',' } else { ':' };
    let whole = if has_callable && (text == "uct" || text.starts_with("uct:")) {
        format!("{text}{separator}evaluator={CALLABLE}")
    } else {
        text.to_owned()
    };
    let bot: BotConfig = whole.parse().map_err(|error: tengen::bots::SpecError| {
        // Of the text as it was given.
        invalid(error.to_string().replacen(&whole, text, 1))
    })?;
    let Some(config) = bot.uct() else {
        return Err(invalid(format!(
            "bot `{text}`: {what} takes `uct` bots, as in \"uct:simulations=800\""
        )));
    };
    if config.seconds.is_some() {
        return Err(invalid(format!(
            "bot `{text}`: {what} takes no `seconds`, since its results depend on no clock: set `simulations`"
        )));
    }
    let mut config = config.clone();
    if let Some(inputs) = inputs {
        config.evaluator = config.evaluator.map(|named| inputs.of(named));
    }
    Ok(config)
}
