//! Commands that make moves.

use super::arguments::{at_most, color, mv, number};
use super::refusal::Refusal;
use super::status::{Statuses, chains};
use super::{Commands, Engine, MAX_PLIES};
use crate::{Decision, MoveAnswer};
use std::time::Instant;
use tengen_go::{Bits, Color, Game, Move};

pub const COMMANDS: Commands = &[
    ("play", |engine, words, _| {
        at_most(words, 2)?;
        let (color, mv) = (color(words, 0)?, mv(words, 1)?);
        engine.play(color, mv).map(|()| String::new())
    }),
    ("genmove", |engine, words, _| {
        at_most(words, 1)?;
        engine.genmove(color(words, 0)?, Wanted::Move)
    }),
    ("reg_genmove", |engine, words, _| {
        at_most(words, 1)?;
        engine.genmove(color(words, 0)?, Wanted::Answer)
    }),
    ("kgs-genmove_cleanup", |engine, words, _| {
        at_most(words, 1)?;
        engine.genmove(color(words, 0)?, Wanted::Cleanup)
    }),
    ("undo", |engine, words, _| {
        at_most(words, 0)?;
        engine.undo(1)
    }),
    ("gg-undo", |engine, words, _| {
        at_most(words, 1)?;
        let count = if words.is_empty() { 1 } else { number(words, 0, "a number of moves")? };
        engine.undo(count)
    }),
];

/// What a bot is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A move, which is played.
    Move,
    /// The same, but no pass while there are dead stones of the opponent.
    Cleanup,
    /// A move that is not played.
    Answer,
}

impl Engine<'_> {
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), Refusal> {
        // A search keeps trees in which the players alternate.
        if color != self.game.to_play() || self.game.end().is_some() {
            self.bot = None;
        }
        make_move(&mut self.game, color, mv)
    }

    /// The game with `color` to move, as it is shown to a bot.
    pub(super) fn asked(&mut self, color: Color) -> Result<Game, Refusal> {
        let mut asked = self.game.clone();
        if color != asked.to_play() || asked.end().is_some() {
            self.bot = None;
            asked.give_turn(color);
        }
        if asked.end().is_some() {
            return Err(Refusal::new(format!("the game is over after {MAX_PLIES} plies")));
        }
        Ok(asked)
    }

    fn genmove(&mut self, color: Color, wanted: Wanted) -> Result<String, Refusal> {
        let began = Instant::now();
        let asked = self.asked(color)?;
        let time = self.time_for(color);
        let turn = self
            .player(time)
            .genmove(&asked)
            .map_err(|failure| Refusal::new(failure.to_string()))?;
        let decision = match turn.decision {
            Decision::Move(Move::Pass) | Decision::Resign if wanted == Wanted::Cleanup => {
                Decision::Move(self.cleanup_move(&asked))
            }
            decision => decision,
        };
        let answer = self.finish_move(asked, &MoveAnswer { decision, ..turn }, wanted)?;
        self.finish_time(color, time, began);
        Ok(answer)
    }

    /// Plays the move that was found, if it is to be played.
    pub(super) fn finish_move(
        &mut self,
        mut asked: Game,
        turn: &MoveAnswer,
        wanted: Wanted,
    ) -> Result<String, Refusal> {
        self.report.clone_from(&turn.report);
        let Decision::Move(mv) = turn.decision else { return Ok("resign".to_owned()) };
        if wanted != Wanted::Answer {
            let color = asked.to_play();
            asked.play(color, mv).map_err(|why| Refusal::new(format!("{mv}: {why}")))?;
            self.game = asked;
        }
        Ok(mv.to_string())
    }

    /// A move towards the capture of dead stones; a pass where there are none, or
    /// no such move.
    fn cleanup_move(&self, asked: &Game) -> Move {
        let board = asked.board();
        let dead = Statuses::of(asked, self.seed).dead & board.stones(!asked.to_play());
        let sensible = asked.sensible_points();
        let liberties = |chain: &Bits<6>| chain.neighbors() & board.empty();
        let mut chains = chains(dead);
        // What is nearest to capture first.
        chains.sort_by_key(|chain| liberties(chain).count());
        let points = chains.iter().map(|chain| liberties(chain) & sensible);
        let first = points.into_iter().find(|points| !points.is_empty());
        first.map_or(Move::Pass, |points| Move::Play(Bits::<6>::vertex(points.nth(0))))
    }

    fn undo(&mut self, count: u64) -> Result<String, Refusal> {
        if count > u64::from(self.game.ply()) {
            let made = self.game.ply();
            return Err(Refusal::because("cannot undo", format!("{made} moves were made")));
        }
        for _ in 0..count {
            self.game.undo();
        }
        self.bot = None;
        Ok(String::new())
    }
}

/// Makes a move of either colour, after two passes too.
pub fn make_move(game: &mut Game, color: Color, mv: Move) -> Result<(), Refusal> {
    let refused =
        |why: tengen_go::IllegalMove| Refusal::because("illegal move", format!("{mv}: {why}"));
    if game.board().is_over() {
        let mut resumed = game.clone();
        resumed.give_turn(color);
        resumed.play(color, mv).map_err(refused)?;
        *game = resumed;
        return Ok(());
    }
    game.play(color, mv).map_err(refused)
}
