//! Commands about the end of a game.

use super::arguments::{at_most, vertex, word};
use super::board::vertices;
use super::refusal::Refusal;
use super::status::{Unconditional, chains, dead_stones, final_score, unconditional};
use super::{Commands, Engine};
use tengen_go::{Color, Preset};

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
        let score = match self.preset {
            Preset::Chinese | Preset::Aga | Preset::NewZealand => {
                final_score(&self.game, self.seed)
            }
            Preset::Tengen | Preset::TrompTaylor | Preset::Simple => self.game.score(),
        };
        score.to_result()
    }

    /// A chain per line. Seki is not told from life.
    fn final_status_list(&self, status: &str) -> Result<String, Refusal> {
        let dead = dead_stones(&self.game, self.seed);
        let board = self.game.board();
        let wanted = |color: Color| match status {
            "dead" => Ok(board.stones(color) & dead),
            "alive" => Ok(board.stones(color) - dead),
            "seki" => Ok(tengen_go::Bits::EMPTY),
            _ => Err(Refusal::syntax(format!("`{status}` is neither dead nor alive nor seki"))),
        };
        let mut lines = Vec::new();
        for color in Color::BOTH {
            lines.extend(chains(wanted(color)?).into_iter().map(vertices));
        }
        Ok(lines.join("\n"))
    }
}
