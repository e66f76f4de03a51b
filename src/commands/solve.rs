//! `tengen solve`.

mod output;

use super::run::Measurement;
use super::{Caller, Failure, Host, refused};
use crate::go::{Board, Color, Game, Ko, Komi, Move, Preset, Rules, Size, Suicide};
use crate::sgf::{Overrides, Record};
use crate::solver::{Answer, Limits, Progress, ScoreClaim, SolveEnd, SolveError, Solver, Watch};
use std::iter::once;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Prove the value of a position of a small board (up to 30 points)
///
/// The command prints the value, a best move and the principal variation. The value is the area
/// score under best play, in points, from Black's view. A search that a limit or Ctrl-C stops
/// prints the bounds that it has proved; after Ctrl-C the exit code is 1.
///
/// Under simple ko a game may be endless. The value is then written `LOW..HIGH`: LOW counts endless
/// games as the worst result for Black, HIGH as the best.
///
/// With `--at-least` or `--at-most` the solver proves that one claim or does not prove it. A claim
/// that is not proved need not be false.
///
/// Progress goes to standard error if standard error is a terminal.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen solve --size 4x4 --ko simple")]
#[command(group = clap::ArgGroup::new("start").required(true))]
pub struct Arguments {
    /// Solve the empty board of this size, such as 4 or 5x4
    #[arg(long, group = "start")]
    size: Option<Size>,
    /// Solve the last position of the main line of an SGF file
    ///
    /// Under superko no play may repeat any position of the game.
    #[arg(long, value_name = "FILE", group = "start")]
    sgf: Option<PathBuf>,
    /// Solve the position in FILE, or the position given as rows joined by /, such as X.O/.../O.X
    ///
    /// The rows begin at the top. X is Black, O is White, . is empty.
    #[arg(long, value_name = "FILE", group = "start")]
    position: Option<String>,
    /// Colour to move: b or w [default: b, or the player to move in the SGF file]
    #[arg(long, value_name = "COLOR")]
    to_play: Option<Color>,
    /// Ko rule: simple, psk (positional superko) or ssk (situational superko)
    #[arg(long, default_value = "simple", value_parser = parse_ko)]
    ko: Ko,
    /// Also solve the position after every legal move
    #[arg(long)]
    all_moves: bool,
    /// Prove only that Black scores this many points or more
    ///
    /// With -3 the claim is that Black loses by at most 3 points.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true,
          conflicts_with_all = ["at_most", "all_moves"])]
    at_least: Option<i8>,
    /// Prove only that Black scores this many points or fewer
    #[arg(
        long,
        value_name = "POINTS",
        allow_negative_numbers = true,
        conflicts_with = "all_moves"
    )]
    at_most: Option<i8>,
    /// Memory limit of the table of positions, in mebibytes
    ///
    /// More memory changes the time of a proof, never a value.
    #[arg(long, value_name = "MIB", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Stop after this many positions (nodes)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<f64>,
    /// Print progress to standard error even if it is no terminal
    #[arg(long)]
    progress: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Write the solution into the folder DIR, as solution.txt and solution.json
    ///
    /// The folder also gets a manifest.toml. If DIR is not empty, the command writes into DIR-2,
    /// DIR-3 and so on.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn parse_ko(text: &str) -> Result<Ko, String> {
    match text {
        "simple" => Ok(Ko::Simple),
        "psk" => Ok(Ko::Psk),
        "ssk" => Ok(Ko::Ssk),
        _ => Err("write simple, psk or ssk".to_owned()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("write a number of seconds above 0".to_owned()),
    }
}

pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let game = start(arguments, host.caller)?;
    let mut solver =
        Solver::new(game.size(), arguments.memory as usize).map_err(|fault| refused(&fault))?;
    let limits =
        Limits { nodes: arguments.nodes, time: arguments.seconds.map(Duration::from_secs_f64) };
    let mut watch = Watcher::new(host.caller, arguments.progress)?;
    // Made first: a folder that cannot be written is refused before hours are spent.
    let mut measurement = Measurement::begin(arguments.out.as_deref(), 1, host.caller)?;
    let least = arguments.at_least.map(ScoreClaim::AtLeast);
    let claim = least.or(arguments.at_most.map(ScoreClaim::AtMost));
    let answer = match claim {
        None => solver.solve(&game, limits, &mut watch),
        Some(claim) => solver.prove(&game, claim, limits, &mut watch),
    };
    let answer = answer.map_err(unsolved)?;
    let moves: Vec<(Move, Answer)> = if arguments.all_moves {
        solver.solve_moves(&game, limits, &mut watch).map_err(unsolved)?
    } else {
        Vec::new()
    };
    let solution = output::Solution { game: &game, answer: &answer, claim, moves: &moves };
    let [text, json] = [solution.to_string(), solution.json()?];
    if let Some(measurement) = &mut measurement {
        measurement.directory.write("solution.txt", &text)?;
        measurement.directory.write("solution.json", &json)?;
        measurement.end()?;
    }
    host.output.write_all(if arguments.json { json.as_bytes() } else { text.as_bytes() })?;
    if once(&answer)
        .chain(moves.iter().map(|(_, answer)| answer))
        .any(|it| it.end == SolveEnd::Interrupted)
    {
        let fault = anyhow::anyhow!("stopped before the end: what was proved by then is printed");
        return Err(fault.into());
    }
    Ok(())
}

/// The failure for `fault`: a lack of memory is unfinished work, everything else is wrong input.
fn unsolved(fault: SolveError) -> Failure {
    match fault {
        SolveError::OutOfMemory(_) => anyhow::anyhow!("{fault}: set a smaller --memory").into(),
        fault @ SolveError::Refused(_) => refused(&fault),
    }
}

/// The game whose last position is to be solved.
fn start(arguments: &Arguments, caller: &dyn Caller) -> Result<Game, Failure> {
    let rules = |size: Size| Rules {
        ko: arguments.ko,
        suicide: Suicide::No,
        max_plies: u32::MAX,
        ..Rules::new(Preset::Simple, size, Komi::default())
    };
    if let Some(path) = &arguments.sgf {
        let name = path.display();
        let bytes = crate::settings::files::read(path)
            .map_err(|fault| Failure::usage(format!("cannot read {name}: {fault}")))?;
        let overrides =
            Overrides { rules: Some((arguments.ko, Suicide::No).into()), ..Overrides::default() };
        let record = Record::read_bytes(&bytes, overrides)
            .map_err(|fault| Failure::usage(format!("{name}: {fault}")))?;
        super::record::warn(name, &record.warnings, caller);
        let mut game = record.game;
        if let Some(color) = arguments.to_play {
            game.give_turn(color);
        }
        return Ok(game);
    }
    let to_play = arguments.to_play.unwrap_or(Color::Black);
    let board = match &arguments.position {
        None => super::position(None, arguments.size, to_play)?,
        Some(text) => diagram(text, to_play)?,
    };
    Ok(Game::from_position(board, rules(board.size())))
}

/// The position in the file `text`, or in `text` itself.
fn diagram(text: &str, to_play: Color) -> Result<Board<6>, Failure> {
    let is_rows = text.chars().all(|c| matches!(c, 'X' | 'O' | 'x' | 'o' | '.' | '/'));
    let path = PathBuf::from(text);
    if is_rows && !path.is_file() {
        return super::position(Some(text), None, to_play);
    }
    let rows = crate::settings::files::read_to_string(&path)
        .map_err(|fault| Failure::usage(format!("cannot read {text}: {fault}")))?;
    Board::from_diagram(&rows, to_play).map_err(|fault| Failure::usage(format!("{text}: {fault}")))
}

/// Reports progress, and stops the solver on request.
struct Watcher<'a> {
    caller: &'a dyn Caller,
    stop: Arc<AtomicBool>,
    says: bool,
    said: Option<(Instant, Progress)>,
}

/// Time between two lines of progress while the bounds are unchanged.
const PERIOD: Duration = Duration::from_secs(1);

impl<'a> Watcher<'a> {
    fn new(caller: &'a dyn Caller, always: bool) -> anyhow::Result<Self> {
        let stop = caller.stop()?;
        Ok(Self { caller, stop, says: always || caller.is_watching(), said: None })
    }
}

impl Watch for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        let news = self.said.is_none_or(|(at, last)| {
            (last.worst, last.best) != (progress.worst, progress.best) || at.elapsed() >= PERIOD
        });
        if self.says && news {
            self.said = Some((Instant::now(), *progress));
            self.caller.say(&output::progress(progress));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
