//! Commands about the end of a game.

use super::arguments::{at_most, vertex, word};
use super::board::vertices;
use super::refusal::Refusal;
use super::rules::takes_dead_stones_off;
use super::status::{Statuses, Unconditional, chains, final_score, unconditional};
use super::{Commands, Engine};
use tengen_go::Color;

pub const COMMANDS: Commands = &[
    ("final_score", |engine, words, _| at_most(words, 0).map(|()| engine.final_score())),
    ("final_status_list", |engine, words, _| {
        at_most(words, 1)?;
        engine.final_status_list(word(words, 0, "dead, alive or seki")?)
    }),
    ("unconditional_status", |engine, words, _| {
        at_most(words, 1)?;
        let status = match unconditional(&engine.game, vertex(words, 0, &engine.game)?) {
            Unconditional::Alive => "alive",
            Unconditional::Dead => "dead",
            Unconditional::Territory(Color::Black) => "black_territory",
            Unconditional::Territory(Color::White) => "white_territory",
            Unconditional::Undecided => "undecided",
        };
        Ok(status.to_owned())
    }),
];

impl Engine<'_> {
    /// The area score: by the rules of people without dead stones, on which they would
    /// agree; by those of programs of the board as it stands.
    pub(super) fn final_score(&self) -> String {
        let score = if takes_dead_stones_off(self.preset) {
            final_score(&self.game, self.seed)
        } else {
            self.game.score()
        };
        score.to_result()
    }

    /// A chain per line.
    fn final_status_list(&self, status: &str) -> Result<String, Refusal> {
        let Statuses { dead, seki } = Statuses::of(&self.game, self.seed);
        let board = self.game.board();
        let wanted = |color: Color| match status {
            "dead" => Ok(board.stones(color) & dead),
            "alive" => Ok(board.stones(color) - dead - seki),
            "seki" => Ok(board.stones(color) & seki),
            _ => {
                let why = format!("invalid status `{status}`: expected dead, alive or seki");
                Err(Refusal::syntax(why))
            }
        };
        let mut lines = Vec::new();
        for color in Color::BOTH {
            lines.extend(chains(wanted(color)?).into_iter().map(vertices));
        }
        Ok(lines.join("\n"))
    }
}
