//! Another program as a bot, through GTP: `gtp`.

use super::kind::{BotKind, MoveCost, SideBySide};
use super::{Bot, BotFailure, CpuTime, Decision, FailureKind, MoveAnswer, ShouldStop};
use std::collections::HashSet;
use std::time::{Duration, Instant};
use tengen_go::{Color, Game, Ko, Move, Rules, Score, Size, Suicide, Vertex};
use tengen_gtp::{Client, Clock, Fault, GtpConfig, Launch, SystemFault};
use tengen_search::ResourceFault;

impl BotKind for GtpConfig {
    fn help() -> &'static str {
        "gtp:COMMAND: the program that this command line starts, by the Go Text Protocol (GTP)"
    }

    fn build<'pool>(&self, seed: u64, _: Option<&'pool rayon::ThreadPool>) -> Box<dyn Bot + 'pool> {
        Box::new(ProgramBot::new(self.clone(), seed))
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide::PerProcess
    }

    fn move_cost(&self) -> Option<MoveCost> {
        None
    }

    fn can_analyze(&self) -> bool {
        false
    }
}

/// Plays the moves of a GTP engine.
pub struct ProgramBot {
    config: GtpConfig,
    /// Nonzero and below 2³¹: engines read it as a C `int`, and GNU Go takes
    /// 0 for none.
    seed: u32,
    engine: Option<RunningEngine>,
    /// Number of engines so far: more than one if an engine has failed or the moves were not those of
    /// one game.
    engines: u32,
    clock: Option<Clock>,
    /// Time left of `game_seconds`.
    left: Option<Duration>,
    should_stop: ShouldStop,
}

/// A running engine, and what it has been sent of the game.
struct RunningEngine {
    client: Client,
    should_stop: ShouldStop,
    /// The commands of the engine, from `list_commands`.
    commands: HashSet<String>,
    /// Name and version.
    program: String,
    size: Size,
    rules: Rules,
    /// The stones of the game's first position, as moves.
    start: Vec<(Color, Move)>,
    /// The moves that were sent to the engine or came from it.
    known: Vec<(Color, Move)>,
}

impl ProgramBot {
    pub fn new(config: GtpConfig, seed: u64) -> Self {
        let clock = config.clock.map(Clock::new);
        let left = config.game_seconds.map(Duration::from_secs_f64);
        let seed = engine_seed(seed);
        Self {
            config,
            seed,
            engine: None,
            engines: 0,
            clock,
            left,
            should_stop: ShouldStop::default(),
        }
    }

    /// The engine, after all moves of `game` were sent to it.
    fn engine_at(&mut self, game: &Game, label: &str) -> Result<&mut RunningEngine, BotFailure> {
        let known = self.engine.take().filter(|engine| engine.knows(game));
        let mut engine = if let Some(engine) = known {
            engine
        } else {
            self.engines += 1;
            self.take_engine(game, label)?
        };
        engine.catch_up(game, self.config.move_time())?;
        Ok(self.engine.insert(engine))
    }

    /// Starts the engine, or takes one that was kept, and sets up `game`.
    fn take_engine(&self, game: &Game, label: &str) -> Result<RunningEngine, BotFailure> {
        let log = self.config.log.as_ref().map(|folder| folder.join(format!("{label}.log")));
        let client = if let Some(client) = self.config.take_idle() {
            client.log_to(log.as_deref())?;
            client
        } else {
            let launch = Launch { log, ..self.config.launch(self.seed) };
            Client::start(&launch)?
        };
        let start = game.position_at(0).map_or(Vec::new(), |board| {
            let stone = |vertex| board.at(vertex).map(|color| (color, Move::Play(vertex)));
            Vertex::all(board.size()).filter_map(stone).collect()
        });
        let mut engine = RunningEngine {
            client,
            should_stop: self.should_stop.clone(),
            commands: HashSet::new(),
            program: String::new(),
            size: game.size(),
            rules: game.rules(),
            start,
            known: Vec::new(),
        };
        engine.introduce(self.config.start_time())?;
        engine.set_up(&self.config, self.seed, self.clock)?;
        Ok(engine)
    }

    /// Time limit of the next move: the least of all that apply.
    fn time_for_move(&self) -> Duration {
        let clock = self.clock.map(|clock| clock.left());
        let limits = [Some(self.config.move_time()), self.left, clock];
        limits.into_iter().flatten().min().unwrap_or_default()
    }

    fn spend(&mut self, time: Duration) -> Result<(), BotFailure> {
        self.left = self.left.map(|left| left.saturating_sub(time));
        let in_time = self.clock.as_mut().is_none_or(|clock| clock.spend(time).is_ok());
        let reason = "its clock ran out".to_owned();
        if in_time { Ok(()) } else { Err(BotFailure::Forfeit { kind: FailureKind::Time, reason }) }
    }
}

/// A seed that every engine can read.
#[allow(clippy::cast_possible_truncation)] // a remainder below 2³¹
const fn engine_seed(seed: u64) -> u32 {
    1 + (seed % 0x7FFF_FFFF) as u32
}

impl RunningEngine {
    fn ask(&mut self, command: &str, limit: Duration) -> Result<String, BotFailure> {
        let answer = self.client.ask_until(command, limit, &|| self.should_stop.now());
        answer.map_err(|fault| failure(command, &fault))
    }

    /// Sends a command that the engine need not know; none where it answers with an
    /// error.
    fn try_ask(&mut self, command: &str, limit: Duration) -> Result<Option<String>, BotFailure> {
        match self.client.ask_until(command, limit, &|| self.should_stop.now()) {
            Ok(answer) => Ok(Some(answer)),
            Err(Fault::Refused(_)) => Ok(None),
            Err(fault) => Err(failure(command, &fault)),
        }
    }

    fn lists(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Asks the engine for its name, its version and its commands.
    fn introduce(&mut self, limit: Duration) -> Result<(), BotFailure> {
        let name = self.try_ask("name", limit)?.unwrap_or_default();
        let version = self.try_ask("version", limit)?.unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut self.program);
        let commands = self.try_ask("list_commands", limit)?.unwrap_or_default();
        self.commands = commands.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    /// Sends everything that comes before the first move.
    fn set_up(
        &mut self,
        config: &GtpConfig,
        seed: u32,
        clock: Option<Clock>,
    ) -> Result<(), BotFailure> {
        let limit = config.start_time();
        for command in config.startup(seed) {
            self.ask(&command, limit)?;
        }
        if config.seeds_by_command() && self.lists("set_random_seed") {
            self.ask(&format!("set_random_seed {seed}"), limit)?;
        }
        let (width, height) = (self.size.width(), self.size.height());
        if width == height {
            self.ask(&format!("boardsize {width}"), limit)?;
        } else if self.lists("rectangular_boardsize") {
            self.ask(&format!("rectangular_boardsize {width} {height}"), limit)?;
        } else {
            let reason = format!("it does not list rectangular_boardsize for {}", self.size);
            return Err(BotFailure::Forfeit { kind: FailureKind::Crash, reason });
        }
        self.ask("clear_board", limit)?;
        if self.lists("kata-set-rules")
            && let Some(rules) = kata_rules(self.rules)
        {
            self.ask(&format!("kata-set-rules {rules}"), limit)?;
        }
        self.ask(&format!("komi {}", self.rules.komi), limit)?;
        if let Some(clock) = clock {
            self.ask(&format!("time_settings {}", clock.time_settings()), limit)?;
        }
        for (color, stone) in self.start.clone() {
            self.ask(&format!("play {color} {stone}"), limit)?;
        }
        Ok(())
    }

    /// Whether `game` continues the game that the engine has been sent.
    fn knows(&self, game: &Game) -> bool {
        let stones = game.position_at(0).map_or(0, |board| {
            Vertex::all(board.size()).filter(|&vertex| board.at(vertex).is_some()).count()
        });
        self.size == game.size()
            && self.rules == game.rules()
            && self.start.len() == stones
            && self.known.len() <= game.moves().len()
            && self.known.iter().copied().eq(game.moves().take(self.known.len()))
    }

    /// Sends the moves of `game` that the engine does not know.
    fn catch_up(&mut self, game: &Game, limit: Duration) -> Result<(), BotFailure> {
        for (color, mv) in game.moves().skip(self.known.len()) {
            self.ask(&format!("play {color} {mv}"), limit)?;
            self.known.push((color, mv));
        }
        Ok(())
    }
}

impl Bot for ProgramBot {
    fn begin(&mut self, game: &Game, label: &str) -> Result<(), BotFailure> {
        self.engine_at(game, label).map(|_| ())
    }

    fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
        let (clock, limit) = (self.clock, self.time_for_move());
        let player = game.to_play();
        let move_time = self.config.move_time();
        let engine = self.engine_at(game, "game")?;
        if let Some(clock) = clock.filter(|_| engine.lists("time_left")) {
            engine.ask(&format!("time_left {player} {}", clock.time_left()), move_time)?;
        }
        let started = Instant::now();
        let answer = engine.ask(&format!("genmove {player}"), limit)?;
        let time = started.elapsed();
        let decision = if answer.eq_ignore_ascii_case("resign") {
            Decision::Resign
        } else {
            let mv = answer.parse().map_err(|fault| {
                let reason = format!("`genmove {player}`: {fault}");
                BotFailure::Forfeit { kind: FailureKind::Illegal, reason }
            })?;
            engine.known.push((player, mv));
            Decision::Move(mv)
        };
        self.spend(time)?;
        Ok(MoveAnswer { decision, simulations: None, report: None })
    }

    fn final_score(&mut self, game: &Game) -> Result<Option<Score>, BotFailure> {
        let move_time = self.config.move_time();
        let Some(engine) = &self.engine else {
            return Ok(None);
        };
        if !engine.lists("final_score") {
            return Ok(None);
        }
        let answer = self.engine_at(game, "game")?.ask("final_score", move_time)?;
        let score = Score::from_result(&answer).ok_or_else(|| {
            let reason = format!("`final_score`: invalid score `{answer}`");
            BotFailure::Forfeit { kind: FailureKind::Crash, reason }
        })?;
        Ok(Some(score))
    }

    fn stop_when(&mut self, should_stop: ShouldStop) {
        if let Some(engine) = &mut self.engine {
            engine.should_stop = should_stop.clone();
        }
        self.should_stop = should_stop;
    }

    fn program(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.program.as_str())
    }

    fn cpu_time(&mut self) -> CpuTime {
        // What an engine used that had to be started again in the middle of a game is not known.
        let engine = self.engine.as_mut().filter(|_| self.engines == 1);
        CpuTime::Program(engine.and_then(|engine| engine.client.cpu_seconds()))
    }
}

impl Drop for ProgramBot {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.config.keep_idle(engine.client);
        }
    }
}

impl From<SystemFault> for BotFailure {
    fn from(fault: SystemFault) -> Self {
        ResourceFault::new(fault.what, &fault.error).into()
    }
}

/// The failure of a bot whose engine did not answer `command`.
fn failure(command: &str, fault: &Fault) -> BotFailure {
    let kind = match fault {
        Fault::System(fault) => return fault.clone().into(),
        Fault::TimedOut { .. } => FailureKind::Time,
        Fault::Crashed { .. }
        | Fault::Stopped
        | Fault::Flooded { .. }
        | Fault::Garbage(_)
        | Fault::Refused(_) => FailureKind::Crash,
    };
    let reason = format!("`{command}`: {fault}");
    BotFailure::Forfeit { kind, reason }
}

/// The rules as the argument of KataGo's command `kata-set-rules`; none for rules that KataGo does
/// not have. KataGo's `suicide` concerns two stones or more: superko forbids the suicide of one
/// stone in any case.
fn kata_rules(rules: Rules) -> Option<String> {
    let ko = match rules.ko {
        Ko::Simple => "SIMPLE",
        Ko::Psk => "POSITIONAL",
        Ko::Ssk => "SITUATIONAL",
        Ko::None | Ko::Nssk => return None,
    };
    let suicide = rules.suicide != Suicide::No;
    Some(format!(
        "{{\"hasButton\":false,\"ko\":\"{ko}\",\"scoring\":\"AREA\",\"suicide\":{suicide},\
         \"tax\":\"NONE\",\"whiteHandicapBonus\":\"0\"}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::{Komi, Preset};

    #[test]
    fn every_engine_can_read_the_seed() {
        for seed in [0, 1, 0x7FFF_FFFE, 0x7FFF_FFFF, u64::MAX] {
            assert!((1..=0x7FFF_FFFF).contains(&engine_seed(seed)), "{seed}");
        }
        assert_ne!(engine_seed(1), engine_seed(2));
    }

    #[test]
    fn rules_for_katago() {
        let rules = |preset: Preset| {
            kata_rules(Rules::new(preset, "9".parse().unwrap(), Komi::default())).unwrap()
        };
        assert!(rules(Preset::Chinese).contains("\"ko\":\"POSITIONAL\""));
        assert!(rules(Preset::Chinese).contains("\"suicide\":false"));
        assert!(rules(Preset::NewZealand).contains("\"ko\":\"SITUATIONAL\""));
        assert!(rules(Preset::NewZealand).contains("\"suicide\":true"));
    }
}
