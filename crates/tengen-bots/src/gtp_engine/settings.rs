//! Commands about the bot.

use super::arguments::{Words, at_most, word};
use super::refusal::Refusal;
use super::{Commands, Engine};

pub const COMMANDS: Commands = &[
    ("tengen-bot", |engine, words, _| {
        at_most(words, 0)?;
        let time = engine.time_for(engine.game.to_play());
        Ok(engine.playing(time).to_string())
    }),
    ("tengen-set", |engine, words, _| engine.set(words)),
    ("tengen-stats", |engine, words, _| at_most(words, 0).map(|()| engine.stats())),
];

impl Engine<'_> {
    /// Changes a setting of the bot; without arguments lists the settings as GoGui
    /// wants them, to make a dialog of them.
    fn set(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        if words.is_empty() {
            let settings = self.config.settings();
            let line = |(key, value): (String, String)| format!("[string] {key} {value}");
            return Ok(settings.into_iter().map(line).collect::<Vec<_>>().join("\n"));
        }
        let name = word(words, 0, "the name of a setting")?;
        word(words, 1, "a value")?;
        let value = words[1..].join(" ");
        self.config = self.config.with(name, &value).map_err(Refusal::new)?;
        if name == "workers" {
            self.workers_by_clock = self.config.workers();
        }
        self.bot = None;
        Ok(String::new())
    }

    /// What the last search found.
    fn stats(&self) -> String {
        match &self.report {
            Some(report) => format!("\n{report}"),
            None => "no search yet".to_owned(),
        }
    }
}
