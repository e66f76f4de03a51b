//! `tengen play`.

use super::memory::MemoryArgument;
use super::setting_options::choices;
use super::{Failure, bots, cores, pool};
use crate::bots::{Bot, BotConfig, Decision};
use crate::go::{Board, Color, Game, Komi, Move, Preset, Rules, Score, Size, Vertex, default_komi};
use crate::seed::mix;
use crate::sgf::Record;
use anyhow::Context;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// Play against a bot in the terminal
///
/// The command shows the board with coordinates and the last move in parentheses. It reads your
/// moves: a vertex such as D4, or pass, undo, score, save FILE, resign, help, quit. Two passes end
/// the game, and the board is scored as it stands: capture dead stones before you pass.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen play --size 9 --bot strong:simulations=10000 --color w")]
pub struct Arguments {
    /// Bot to play against, such as strong:simulations=10000
    #[arg(long, value_name = "SPEC", default_value = "strong", long_help = bots::with_kinds(
        "Bot to play against, such as strong:simulations=10000"
    ))]
    bot: BotConfig,
    /// Board size, such as 9 or 9x7
    ///
    /// 9x7 has 9 columns and 7 rows.
    #[arg(long, default_value = "9")]
    size: Size,
    /// Your colour: b or w
    #[arg(long, value_name = "COLOR", default_value = "b")]
    color: Color,
    /// Komi in points, a multiple of 0.5 [default: 2.5 up to 5x5, 8.5 on 7x7, else 7.5]
    ///
    /// White receives the komi for moving second.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Rule set for ko, suicide and White's points for handicap stones
    #[arg(long, default_value_t = Preset::Tengen, value_parser = choices::<Preset>())]
    rules: Preset,
    /// Random seed of the bot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads for the workers of a search [default: one per core]
    ///
    /// If the bot has a fixed number of simulations, the number of threads changes no move.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// Plays until the game is over, or the input ends.
pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let bot = &arguments.bot;
    let config = if bot.ends_by_clock() { bot.by_clock(threads.min(cores())) } else { bot.clone() };
    let pool = pool(threads.min(config.workers()))?;
    let komi = arguments.komi.unwrap_or_else(|| default_komi(arguments.size));
    let rules = Rules::new(arguments.rules, arguments.size, komi);
    let mut table = Table {
        game: Game::new(arguments.size, rules),
        player: arguments.color,
        bot: config.build(arguments.seed, Some(&pool)),
        config,
        arguments,
        pool: &pool,
        undone: 0,
        output,
    };
    table.play(&mut io::stdin().lock())
}

/// A game in the terminal.
struct Table<'a> {
    game: Game,
    player: Color,
    config: BotConfig,
    bot: Box<dyn Bot + 'a>,
    arguments: &'a Arguments,
    pool: &'a rayon::ThreadPool,
    /// How often moves were taken back: each time the bot begins anew.
    undone: u64,
    output: &'a mut dyn Write,
}

/// What follows a line of input.
enum Next {
    /// The next player's turn.
    Turn,
    /// Another line.
    Line,
    /// The end of the program.
    End,
}

const HELP: &str = "a vertex such as D4 plays there; pass; undo takes your last move back; score \
                    counts the board as it stands; save FILE writes the game as SGF; resign; quit";

impl Table<'_> {
    fn play(&mut self, input: &mut dyn BufRead) -> Result<(), Failure> {
        writeln!(self.output, "you are {}, {} is {}", self.player, self.config, !self.player)?;
        self.show()?;
        while self.game.end().is_none() {
            if self.game.to_play() == self.player {
                match self.ask(input)? {
                    Next::Turn => {}
                    Next::Line => continue,
                    Next::End => return Ok(()),
                }
            } else if !self.answer()? {
                return Ok(());
            }
            self.show()?;
        }
        let score = self.game.score();
        writeln!(self.output, "the game is over: {}", in_words(score))?;
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        let last = self.game.moves().next_back().map(|(_, mv)| mv);
        writeln!(self.output, "\n{}", draw(self.game.board(), last))?;
        let [black, white] = self.game.captures();
        let komi = self.game.rules().komi;
        writeln!(self.output, "captured: {black} by black, {white} by white; komi {komi}")?;
        Ok(())
    }

    /// Reads a line and carries it out.
    fn ask(&mut self, input: &mut dyn BufRead) -> Result<Next, Failure> {
        write!(self.output, "{}> ", self.player)?;
        self.output.flush()?;
        let mut line = Vec::new();
        // A line may have any length; only the part that a file name may need is kept.
        if io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(Next::End);
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(Next::Line),
            "quit" | "exit" => Ok(Next::End),
            "help" | "?" => self.say(HELP),
            "score" => {
                let score = in_words(self.game.score());
                self.say(&format!("as the board stands {score}"))
            }
            "undo" => self.undo(),
            "save" => self.save(rest.trim()),
            "resign" => {
                writeln!(self.output, "{} wins by resignation", !self.player)?;
                Ok(Next::End)
            }
            _ => match word.parse::<Move>() {
                Ok(mv) => match self.game.play(self.player, mv) {
                    Ok(()) => Ok(Next::Turn),
                    Err(why) => self.say(&format!("{mv}: {why}")),
                },
                Err(fault) => self.say(&format!("{fault}; help shows what else there is")),
            },
        }
    }

    fn say(&mut self, text: &str) -> Result<Next, Failure> {
        writeln!(self.output, "{text}")?;
        Ok(Next::Line)
    }

    /// The bot's move; false where it resigns.
    fn answer(&mut self) -> Result<bool, Failure> {
        self.output.flush()?;
        let turn = self.bot.genmove(&self.game)?;
        let color = self.game.to_play();
        let Decision::Move(mv) = turn.decision else {
            writeln!(self.output, "{color} resigns: {} wins", !color)?;
            return Ok(false);
        };
        self.game
            .play(color, mv)
            .map_err(|why| anyhow::anyhow!("{} plays {mv}: {why}", self.config))?;
        let value = turn.report.as_ref().and_then(|report| report.moves.first()?.value());
        let value = value.map_or(String::new(), |value| format!(", its win rate {value:.3}"));
        writeln!(self.output, "{color} plays {mv}{value}")?;
        Ok(true)
    }

    /// Takes back the last move of the player, and the answer to it.
    fn undo(&mut self) -> Result<Next, Failure> {
        let own = self.game.moves().filter(|(color, _)| *color == self.player).count();
        if own == 0 {
            return self.say("there is no move to take back");
        }
        while self.game.undo().is_some_and(|(color, _)| color != self.player) {}
        self.undone += 1;
        let seed = mix(self.arguments.seed, self.undone);
        self.bot = self.config.build(seed, Some(self.pool));
        self.show()?;
        Ok(Next::Line)
    }

    fn save(&mut self, name: &str) -> Result<Next, Failure> {
        if name.is_empty() {
            return self.say("save FILE: the name of a file is needed");
        }
        let mut record = Record::new(self.game.clone());
        let names = ["you".to_owned(), self.config.to_string()];
        let [player, bot] = names;
        (record.black, record.white) =
            if self.player == Color::Black { (player, bot) } else { (bot, player) };
        let written = fs::write(Path::new(name), record.to_sgf());
        match written.with_context(|| format!("cannot write {name}")) {
            Ok(()) => self.say(&format!("written to {name}")),
            // The game goes on.
            Err(fault) => self.say(&format!("{fault:#}")),
        }
    }
}

fn in_words(score: Score) -> String {
    let lead = score.points().abs();
    score
        .winner()
        .map_or("the game is a jigo".to_owned(), |color| format!("{color} wins by {lead}"))
}

/// The board with coordinates on all sides, the last move in parentheses.
fn draw(board: &Board<6>, last: Option<Move>) -> String {
    let size = board.size();
    let bottom: Vec<Vertex> = Vertex::all(size).filter(|vertex| vertex.row == 0).collect();
    let letter = |vertex: &Vertex| vertex.to_string().chars().next().unwrap_or(' ');
    let letters: String = bottom.iter().flat_map(|vertex| [' ', letter(vertex)]).collect();
    let mut lines = vec![format!("  {letters}")];
    let sides = 0..u8::try_from(size.height()).unwrap_or_default();
    for row in sides.rev() {
        let mut line = format!("{:2}", row + 1);
        let mut closes = false;
        for vertex in bottom.iter().map(|vertex| Vertex::new(vertex.col, row)) {
            let is_last = last == Some(Move::Play(vertex));
            line.push(match (closes, is_last) {
                (true, _) => ')',
                (false, true) => '(',
                (false, false) => ' ',
            });
            line.push(match board.at(vertex) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            });
            closes = is_last;
        }
        line.push(if closes { ')' } else { ' ' });
        lines.push(format!("{line}{}", row + 1));
    }
    lines.push(format!("  {letters}"));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_stands_out() {
        let board = Board::from_diagram("X.O/..X", Color::White).unwrap();
        let last = Some("C1".parse().unwrap());
        assert_eq!(draw(&board, last), "   A B C\n 2 X . O 2\n 1 . .(X)1\n   A B C");
        let last = Some("A2".parse().unwrap());
        assert_eq!(draw(&board, last), "   A B C\n 2(X). O 2\n 1 . . X 1\n   A B C");
    }
}
