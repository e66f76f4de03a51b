//! Commands about the end of a game.

use super::arguments::{list, vertex, word};
use super::board::vertices;
use super::refusal::Refusal;
use super::rules::takes_dead_stones_off;
use super::status::{Statuses, chains, final_score, unconditional};
use super::{Commands, Engine};
use tengen_go::{Bits, Color};

pub const COMMANDS: Commands = &[
    ("final_score", 0, |engine, _, _| Ok(engine.final_score())),
    ("final_status_list", 1, |engine, words, _| {
        engine.final_status_list(word(words, 0, "dead, alive or seki")?)
    }),
    ("unconditional_status", 1, |engine, words, _| {
        Ok(unconditional(&engine.game, vertex(words, 0, &engine.game)?).to_owned())
    }),
];

impl Engine<'_> {
    /// The area score: under rules of people without the dead stones on which players would agree;
    /// under rules of programs of the board as it stands.
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
        let all = Bits::board(self.game.size());
        let wanted = match status {
            "dead" => dead,
            "alive" => all - dead - seki,
            "seki" => seki,
            _ => {
                let why = format!("invalid status `{status}`: expected dead, alive or seki");
                return Err(Refusal::syntax(why));
            }
        };
        let chains = Color::BOTH.map(|color| chains(board.stones(color) & wanted));
        Ok(list(chains.into_iter().flatten().map(vertices), "\n"))
    }
}
