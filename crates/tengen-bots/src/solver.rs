//! The exact solver as a bot: `solver`.

use super::kind::{BotKind, MoveCost};
use super::{Bot, BotFailure, FailureKind, MoveAnswer, ShouldStop};
use tengen_go::{Game, Size};
use tengen_search::UctConfig;
use tengen_search::{Resource, ResourceFault};
use tengen_settings::settings;
use tengen_solver::{Limits, Progress, SolveError, Solver, Watch};

settings! {
    "solver"
    /// The settings of the solver as a bot.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SolverConfig {
        /// Largest number of positions that the solver examines per move.
        ///
        /// If the solver proves no value with these positions, `uct` plays.
        nodes: u64 = 100_000, "N" One, in 1..;
        /// Memory limit of the solver's tables, in mebibytes.
        memory: u32 = 64, "MEBIBYTES" One, in 1..;
    }
}

impl BotKind for SolverConfig {
    fn help() -> &'static str {
        "solver[:key=value,...]: a move of proved value, else the move of `uct`; for boards of up to \
                                30 points"
    }

    fn build<'pool>(
        &self,
        seed: u64,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Box<dyn Bot + 'pool> {
        Box::new(SolverBot {
            config: self.clone(),
            solver: None,
            search: UctConfig::default().build(seed, pool),
            is_proved: true,
            should_stop: ShouldStop::default(),
        })
    }

    fn max_bytes(&self, size: Size) -> Option<u64> {
        let search = UctConfig::default().max_bytes(size)?;
        Some((u64::from(self.memory) << 20) + search)
    }

    fn move_cost(&self) -> Option<MoveCost> {
        let (solver_nodes, solver_mebibytes) = (self.nodes, self.memory);
        let search = UctConfig::default().move_cost()?;
        Some(MoveCost { solver_nodes, solver_mebibytes, ..search })
    }

    fn can_analyze(&self) -> bool {
        false
    }
}

/// Plays a move of the best value, by points and not by komi. Where it cannot prove the value
/// within its limit it searches: without a proof it knows no move better than the first legal one.
struct SolverBot<'pool> {
    config: SolverConfig,
    /// Made with the first move, and kept with what it has proved.
    solver: Option<Solver>,
    /// Plays what is not proved.
    search: Box<dyn Bot + 'pool>,
    /// Whether the last move was of proved value.
    is_proved: bool,
    should_stop: ShouldStop,
}

impl Watch for ShouldStop {
    fn progress(&mut self, _: &Progress) {}

    fn is_interrupted(&self) -> bool {
        self.now()
    }
}

impl Bot for SolverBot<'_> {
    fn begin(&mut self, game: &Game, name: &str) -> Result<(), BotFailure> {
        tengen_solver::check(game.size(), game.rules()).map_err(|fault| failure(&fault))?;
        self.search.begin(game, name)
    }

    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let solver = match self.solver.take() {
            Some(solver) if solver.size() == game.size() => solver,
            _ => Solver::new(game.size(), self.config.memory as usize)
                .map_err(|fault| failure(&fault))?,
        };
        let solver = self.solver.insert(solver);
        let limits = Limits { nodes: Some(self.config.nodes), time: None };
        let answer = solver.solve(game, limits, &mut self.should_stop);
        let answer = answer.map_err(|fault| failure(&fault))?;
        self.is_proved = answer.is_solved() && answer.best_move.is_some();
        match answer.best_move {
            Some(mv) if self.is_proved => Ok(MoveAnswer::without_search(mv)),
            _ => {
                let MoveAnswer { decision, .. } = self.search.genmove(game)?;
                Ok(MoveAnswer { decision, simulations: None, report: None })
            }
        }
    }

    fn remark(&self) -> Option<&str> {
        (!self.is_proved).then_some("not proved: played by a search")
    }

    fn stop_when(&mut self, should_stop: ShouldStop) {
        self.should_stop = should_stop;
    }
}

fn failure(fault: &SolveError) -> BotFailure {
    if let SolveError::OutOfMemory(_) = fault {
        let reason = format!("{fault}: lower the bot's setting `memory`");
        return ResourceFault::because(Resource::Memory, reason).into();
    }
    BotFailure::Forfeit { kind: FailureKind::Crash, reason: format!("the solver: {fault}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotConfig;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tengen_go::{Board, Color, Komi, Move, Preset, Rules};

    #[test]
    fn a_game_that_cannot_be_solved_does_not_begin() {
        let begin = |side: u8, preset: Preset| {
            let size = Size::square(side).unwrap();
            let game = Game::new(size, Rules::new(preset, size, Komi::default()));
            let config: BotConfig = "solver".parse().unwrap();
            config.build(1, None).begin(&game, "test").map_err(|failure| failure.to_string())
        };
        assert_eq!(begin(5, Preset::Tengen), Ok(()));
        assert!(begin(6, Preset::Tengen).unwrap_err().contains("6x6 has more than 30 points"));
        assert!(begin(5, Preset::NewZealand).unwrap_err().contains("suicide"));
    }

    fn moves(spec: &str, rows: &str) -> Result<MoveAnswer, BotFailure> {
        let config: BotConfig = spec.parse().unwrap();
        let board = Board::from_diagram(rows, Color::Black).unwrap();
        let rules = Rules::new(Preset::Simple, board.size(), Komi::default());
        config.build(1, None).genmove(&Game::from_position(board, rules))
    }

    #[test]
    fn it_opens_3x3_in_the_centre_and_is_legal_at_the_least_limit() {
        let centre: Move = "B2".parse().unwrap();
        assert_eq!(moves("solver", ".../.../...").unwrap().mv(), Some(centre));
        assert!(moves("solver:nodes=1,memory=1", ".../.../...").unwrap().mv().is_some());
    }

    #[test]
    fn what_is_not_proved_is_searched() {
        let config: BotConfig = "solver:nodes=100".parse().unwrap();
        let uct: BotConfig = "uct".parse().unwrap();
        let size = Size::square(5).unwrap();
        let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
        let mut bot = config.build(7, None);
        bot.begin(&game, "test").unwrap();
        let mv = bot.genmove(&game).unwrap().mv();
        assert_eq!(mv, uct.build(7, None).genmove(&game).unwrap().mv());
        assert_eq!(bot.remark(), Some("not proved: played by a search"));
        let board = Board::from_diagram(".../.../...", Color::Black).unwrap();
        let small =
            Game::from_position(board, Rules::new(Preset::Simple, board.size(), Komi::default()));
        let mut bot: Box<dyn Bot> = "solver".parse::<BotConfig>().unwrap().build(7, None);
        bot.genmove(&small).unwrap();
        assert_eq!(bot.remark(), None);
    }

    #[test]
    fn it_stops_when_told() {
        let config: BotConfig = "solver:nodes=1000000000000000,memory=1".parse().unwrap();
        let size = Size::square(5).unwrap();
        for preset in [Preset::Simple, Preset::Tengen] {
            let game = Game::new(size, Rules::new(preset, size, Komi::default()));
            let mut bot = config.build(1, None);
            // The search has begun when it is asked for the third time.
            let asked = AtomicU32::new(0);
            bot.stop_when(ShouldStop::when(move || asked.fetch_add(1, Ordering::Relaxed) >= 2));
            assert!(bot.genmove(&game).unwrap().mv().is_some(), "{preset}");
        }
    }
}
