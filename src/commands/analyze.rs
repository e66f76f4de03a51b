//! `tengen analyze`: searches a position and prints what the bot finds.

use super::inspect::{self, Wanted};
use super::memory::MemoryArgument;
use super::record::PlaceArguments;
use super::setting_options::choices;
use super::{Caller, Failure, Host, bots, pool};
use crate::bots::{BotConfig, BotFailure, Decision, MoveAnswer, genmove_with_trees};
use crate::go::{Color, Game, Komi, Move, Preset, Rules, Size, default_komi};
use crate::search::RootMove;
use crate::search::tree::Tree;
use crate::sgf::{Overrides, RecordRules};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;

/// Search a position and print what the bot finds
///
/// The position comes from a game record, or from the options --size, --position, --to-play and
/// --moves.
///
/// The command prints the position and the bot's move. Of a search it also prints the visits and
/// win rates of the moves, the principal variation, depth, nodes, memory and speed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tengen analyze --size 5 --bot uct:simulations=10000 --seed 1\n  \
                        tengen analyze game.sgf --move 30 --json"
)]
pub struct Arguments {
    /// Game record in SGF, or - for standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["size", "position", "to_play", "moves"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArguments,
    /// Board size, such as 9 or 9x7 [default: 9]
    ///
    /// 9x7 has 9 columns and 7 rows.
    #[arg(long)]
    size: Option<Size>,
    /// Starting position as rows from the top, joined by /, such as X.O/.../O.X
    ///
    /// X is Black, O is White, . is empty.
    #[arg(long, value_name = "ROWS")]
    position: Option<String>,
    /// Colour to move in the starting position: b or w
    #[arg(long, value_name = "COLOR", default_value = "b")]
    to_play: Color,
    /// Moves from the starting position, as GTP vertices such as "C3 D3 pass"
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Komi in points, a multiple of 0.5 [default: that of the record, else by board size]
    ///
    /// The default by board size is 2.5 up to 5x5, 8.5 on 7x7, else 7.5.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Rule set [default: that of the record, else simple; without a record tengen]
    ///
    /// The rule set decides ko, suicide and White's points for handicap stones.
    #[arg(long, value_parser = choices::<Preset>())]
    rules: Option<Preset>,
    /// Print one JSON object per move, the most visited move first
    #[arg(long, long_help = json_help())]
    json: bool,
    /// Bot that searches the position, such as uct:simulations=10000
    #[arg(long, value_name = "SPEC", default_value = "uct", long_help = bots::with_kinds(
        "Bot that searches the position, such as uct:simulations=10000"
    ))]
    bot: BotConfig,
    /// Random seed of the bot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads for the workers of a search
    ///
    /// If the bot has a fixed number of simulations, the number of threads changes no result.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    wanted: Wanted,
}

/// Asks the bot for a move in the position and prints its answer.
pub fn run(arguments: &Arguments, host: &mut Host<'_>) -> Result<(), Failure> {
    let Host { output, caller } = host;
    arguments.memory.limit();
    let game = arguments.game(*caller)?;
    if game.end().is_some() {
        refuse!("the game is over after --moves: there is no move to find");
    }
    let searches = arguments.wanted.check(&arguments.bot)?;
    let threads = usize::from(arguments.threads).min(arguments.bot.workers());
    let pool = pool(threads)?;
    // The search whose trees the options need.
    let with_trees = arguments.bot.uct().filter(|_| arguments.json).or(searches);
    let (turn, trees) = if let Some(config) = with_trees {
        genmove_with_trees(config, arguments.seed, Some(&pool), &game)?
    } else {
        let mut bot = arguments.bot.build(arguments.seed, Some(&pool));
        bot.begin(&game, "analyze").map_err(|failure| {
            let refused = |failure: BotFailure| Failure::Usage(failure.to_string());
            failure.lacking().map_or_else(refused, Failure::from)
        })?;
        (bot.genmove(&game)?, Vec::new())
    };
    if arguments.json {
        return write_json_lines(&game, turn, &trees, output);
    }
    writeln!(output, "{}", game.board())?;
    writeln!(
        output,
        "{} to move, {}, {} rules",
        game.to_play(),
        game.conditions(),
        arguments.rules_name(&game)
    )?;
    match turn.decision {
        Decision::Move(mv) => writeln!(output, "{} plays {mv}", arguments.bot)?,
        Decision::Resign => writeln!(output, "{} resigns", arguments.bot)?,
    }
    if let Some(report) = &turn.report {
        writeln!(output, "{report}")?;
    }
    if searches.is_some() {
        let found = inspect::Found {
            game: &game,
            bot: &arguments.bot,
            seed: arguments.seed,
            report: turn.report.as_ref(),
            trees: &trees,
        };
        arguments.wanted.write(&found, output)?;
    }
    Ok(())
}

impl Arguments {
    /// The game whose last position is searched.
    fn game(&self, caller: &dyn Caller) -> Result<Game, Failure> {
        if let Some(file) = &self.file {
            let rules = self.rules.map(RecordRules::from);
            let overrides = Overrides { rules, komi: self.komi, size: None };
            let (_, mut game) = self.place.open(file, overrides, caller)?;
            // After two passes the record is over, but a search still finds moves.
            if game.end().is_some() {
                game.give_turn(game.to_play());
            }
            return Ok(game);
        }
        if self.place.is_given() {
            refuse!("--move and --game need a FILE");
        }
        let size = match (self.size, &self.position) {
            (None, None) => Some(Size::square(9).map_err(|fault| super::refused(&fault))?),
            (size, _) => size,
        };
        let start = super::position(self.position.as_deref(), size, self.to_play)?;
        let komi = self.komi.unwrap_or_else(|| default_komi(start.size()));
        let rules = Rules::new(self.rules.unwrap_or_default(), start.size(), komi);
        let mut game = Game::from_position(start, rules);
        for text in self.moves.split_whitespace() {
            let mv: Move = text.parse().map_err(|fault| super::refused(&fault))?;
            game.play(game.to_play(), mv)
                .map_err(|reason| Failure::usage(format!("{mv} in --moves: {reason}")))?;
        }
        Ok(game)
    }

    /// The name of the rule set, or its parts if it has no name.
    fn rules_name(&self, game: &Game) -> String {
        let Rules { ko, suicide, .. } = game.rules();
        let preset = self.rules.or_else(|| game.preset());
        preset.map_or_else(|| format!("ko {ko} suicide {suicide}"), |preset| preset.to_string())
    }
}

/// A move as `--json` prints it.
#[derive(serde::Serialize)]
struct MoveLine<'a> {
    order: usize,
    player: String,
    #[serde(flatten)]
    root_move: &'a RootMove,
}

/// Writes an object for each searched move, the most visited first; for a bot
/// without a search, one object for its move.
fn write_json_lines(
    game: &Game,
    turn: MoveAnswer,
    trees: &[Tree],
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let player = game.to_play().to_string();
    let Some(mut report) = turn.report else {
        let mv = turn.decision.to_string();
        writeln!(output, "{}", serde_json::json!({"order": 0, "move": mv, "player": player}))?;
        return Ok(());
    };
    report.add_details(game.size(), trees.iter());
    for (order, root_move) in report.moves.iter().enumerate() {
        let line = MoveLine { order, player: player.clone(), root_move };
        writeln!(output, "{}", serde_json::to_string(&line).context("a move as JSON")?)?;
    }
    Ok(())
}

/// What `--json` prints.
fn json_help() -> String {
    let figures =
        RootMove::FIGURES.iter().map(|figure| format!("{}: {}", figure.name, figure.meaning));
    format!(
        "Print one JSON object per move, the most visited move first\n\nAn object has order, player, move, \
         variation (the principal variation that begins with the move), and these keys if the search \
         knows their values:\n{}",
        figures.collect::<Vec<_>>().join("\n")
    )
}
