//! Commands that make moves.

use super::arguments::{color, mv, number};
use super::refusal::Refusal;
use super::status::{Statuses, chains};
use super::{Commands, Engine, MAX_PLIES};
use crate::{BotFailure, Decision, MoveAnswer};
use std::time::{Duration, Instant};
use tengen_go::{Bits, Color, Game, IllegalMove, Move};

pub const COMMANDS: Commands = &[
    ("play", 2, |engine, words, _| {
        let (color, mv) = (color(words, 0)?, mv(words, 1)?);
        engine.play(color, mv).map(|()| String::new())
    }),
    ("genmove", 1, |engine, words, _| engine.genmove(color(words, 0)?, Wanted::Move)),
    ("reg_genmove", 1, |engine, words, _| engine.genmove(color(words, 0)?, Wanted::Answer)),
    ("kgs-genmove_cleanup", 1, |engine, words, _| {
        engine.genmove(color(words, 0)?, Wanted::Cleanup)
    }),
    ("undo", 0, |engine, _, _| engine.undo(1)),
    ("gg-undo", 1, |engine, words, _| match words {
        [] => engine.undo(1),
        _ => engine.undo(number(words, 0, "a number of moves")?),
    }),
];

/// What a bot is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A move, which is played.
    Move,
    /// A move, which is played, but no pass while the opponent has dead stones.
    Cleanup,
    /// A move that is not played.
    Answer,
}

impl Engine<'_> {
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), Refusal> {
        // A search keeps trees in which the players alternate.
        if !self.is_turn_of(color) {
            self.bot = None;
        }
        make_move(&mut self.game, color, mv)
    }

    /// Whether `color` is to move in a game that goes on.
    fn is_turn_of(&self, color: Color) -> bool {
        self.game.to_play() == color && self.game.end().is_none()
    }

    /// The game with `color` to move, whoever's turn it is.
    pub(super) fn with_turn(&self, color: Color) -> Game {
        let mut game = self.game.clone();
        if !self.is_turn_of(color) {
            game.give_turn(color);
        }
        game
    }

    fn genmove(&mut self, color: Color, wanted: Wanted) -> Result<String, Refusal> {
        self.choose(color, wanted, |engine, asked, time| {
            let mut bot = engine.take_player(time);
            let answer = bot.genmove(asked);
            engine.bot = Some(bot);
            let answer = answer?;
            let decision = match answer.decision {
                Decision::Move(Move::Pass) | Decision::Resign if wanted == Wanted::Cleanup => {
                    Decision::Move(engine.cleanup_move(asked))
                }
                decision => decision,
            };
            Ok(MoveAnswer { decision, ..answer })
        })
    }

    /// Has `find` choose the move of `color` in the time for it, and plays the move if it is
    /// `wanted`.
    pub(super) fn choose(
        &mut self,
        color: Color,
        wanted: Wanted,
        find: impl FnOnce(&mut Self, &Game, Option<Duration>) -> Result<MoveAnswer, BotFailure>,
    ) -> Result<String, Refusal> {
        let began = Instant::now();
        if !self.is_turn_of(color) {
            self.bot = None;
        }
        let mut asked = self.with_turn(color);
        if asked.end().is_some() {
            return Err(Refusal::new(format!("the game is over after {MAX_PLIES} plies")));
        }
        let time = self.time_for(color);
        let answer = find(self, &asked, time).map_err(|why| Refusal::new(why.to_string()))?;
        self.report.clone_from(&answer.report);
        let text = match answer.decision {
            Decision::Resign => "resign".to_owned(),
            Decision::Move(mv) if wanted == Wanted::Answer => mv.to_string(),
            Decision::Move(mv) => {
                asked.play(color, mv).map_err(|why| Refusal::new(format!("{mv}: {why}")))?;
                self.game = asked;
                mv.to_string()
            }
        };
        self.finish_time(color, time, began);
        Ok(text)
    }

    /// A move towards the capture of dead stones; a pass where there are none, or
    /// no such move.
    fn cleanup_move(&self, asked: &Game) -> Move {
        let board = asked.board();
        let dead = Statuses::of(asked, self.seed).dead & board.stones(!asked.to_play());
        let sensible = asked.sensible_points();
        let liberties = |chain: &Bits<6>| chain.neighbors() & board.empty();
        let mut chains = chains(dead);
        // The chains nearest to capture first.
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
    let refused = |why: IllegalMove| Refusal::because("illegal move", format!("{mv}: {why}"));
    if game.board().is_over() {
        let mut resumed = game.clone();
        resumed.give_turn(color);
        resumed.play(color, mv).map_err(refused)?;
        *game = resumed;
        return Ok(());
    }
    game.play(color, mv).map_err(refused)
}
