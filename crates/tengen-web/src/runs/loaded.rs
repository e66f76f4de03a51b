//! A run that a page without a server has loaded.

use super::{Filter, RunGames};
use crate::page::{Limits, Refusal, read_question, write};
use serde::Deserialize;
use tengen_experiments::tournament::Outline;

/// A run with its settings and games in memory.
#[derive(Clone, Debug)]
pub struct LoadedRun {
    outline: Outline,
    games: RunGames,
}

/// A question about one game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameQuestion {
    game: usize,
    #[serde(default)]
    filter: Filter,
}

impl LoadedRun {
    /// The run with these contents of `config.toml` and `games.csv`.
    pub fn read(config: &str, games: &[u8]) -> Result<Self, Refusal> {
        let outline = Outline::of(&config.parse().map_err(Refusal::new)?).map_err(Refusal::new)?;
        Ok(Self { outline, games: RunGames::read(games)? })
    }

    /// The answer to the question `name`, both as JSON: `games`, the page of games that a
    /// [`Filter`] wants, or `game`, the record of a game and its neighbours; none if there is no
    /// such question.
    pub fn answer(
        &self,
        name: &str,
        question: &str,
        limits: &Limits,
    ) -> Result<Option<String>, Refusal> {
        match name {
            "games" => write(&read_question::<Filter>(question)?.page(self.games.rows())),
            "game" => {
                let GameQuestion { game, filter } = read_question(question)?;
                let found = self.games.game(game, &self.outline, &filter, limits)?;
                let absent = || Refusal::new(format!("unknown game `{game}`"));
                write(&found.ok_or_else(absent)?)
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "name = 'x'\nsize = '3x3'\nkomi = 0.5\npairs = 4\n\
                          [[bot]]\nname = 'a'\n[[bot]]\nname = 'b'\n";
    const GAMES: &str = "run,game,pairing,pair,size,komi,black,white,seed,opening_plies,outcome,\
        score,termination,plies,black_simulations,white_simulations,black_seconds,white_seconds,\
        reason,black_engine_score,white_engine_score,moves,comments,fingerprint\n\
        x,1,0,0,3x3,0.5,b,a,1,0,white,-2.5,passes,3,,,0,0,,,,B2 pass pass,,\n\
        x,0,0,0,3x3,0.5,a,b,1,0,black,8.5,passes,3,,,0,0,,,,B2 pass pass,,\n";

    #[test]
    fn questions_have_answers() {
        let run = LoadedRun::read(CONFIG, GAMES.as_bytes()).unwrap();
        let ask = |name, question| -> serde_json::Value {
            let answer = run.answer(name, question, &Limits::default()).unwrap().unwrap();
            serde_json::from_str(&answer).unwrap()
        };
        let page = ask("games", r#"{"bot":"a","color":"white"}"#);
        assert_eq!((&page["total"], &page["rows"][0]["game"]), (&1.into(), &1.into()));
        let game = ask("game", r#"{"game":0}"#);
        assert_eq!(game["record"]["game"]["moves"], "B2.pass.pass");
        assert_eq!((&game["previous"], &game["next"]), (&serde_json::Value::Null, &1.into()));
        assert_eq!(run.answer("other", "", &Limits::default()), Ok(None));
        for (name, question) in [("game", r#"{"game":2}"#), ("games", r#"{"least":"x"}"#)] {
            assert!(run.answer(name, question, &Limits::default()).is_err(), "{question}");
        }
        assert!(LoadedRun::read("", b"").is_err());
    }
}
