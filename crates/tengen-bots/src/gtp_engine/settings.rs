//! Commands about the bot.

use super::arguments::{Words, list, word};
use super::refusal::Refusal;
use super::{Commands, Engine};

pub const COMMANDS: Commands = &[
    ("tengen-bot", 0, |engine, _, _| {
        let time = engine.time_for(engine.game.to_play());
        Ok(engine.playing(time).to_string())
    }),
    ("tengen-set", usize::MAX, |engine, words, _| engine.set(words)),
    ("tengen-stats", 0, |engine, _, _| match &engine.report {
        Some(report) => Ok(format!("\n{report}")),
        None => Ok("no search yet".to_owned()),
    }),
];

impl Engine<'_> {
    /// Changes a setting of the bot; without arguments lists the settings as GoGui
    /// wants them, to make a dialog of them.
    fn set(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        if words.is_empty() {
            let settings = self.config.settings();
            let line = |(key, value): (String, String)| format!("[string] {key} {value}");
            return Ok(list(settings.into_iter().map(line), "\n"));
        }
        let name = word(words, 0, "the name of a setting")?;
        word(words, 1, "a value")?;
        let value = words[1..].join(" ");
        self.config = self.config.with(name, &value).map_err(Refusal::new)?;
        self.bot = None;
        Ok(String::new())
    }
}
