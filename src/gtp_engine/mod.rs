//! A bot of ours behind GTP: we answer.

use crate::bots::{Bot, BotConfig, Decision};
use crate::go::{Board, Color, Game, Komi, Move, Preset, Rules, Size, default_komi};
use crate::gtp::protocol::{Answer, Command};
use crate::gtp::{Line, read_line};
use crate::seed::mix;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

/// Bytes that a command line may have, without comment and repeated spaces.
const MOST_LINE: usize = 1 << 16;

/// Plies that a game may have: over GTP it is the controller who ends it.
const MOST_PLIES: u32 = 100_000;

/// The commands, as `list_commands` lists them.
const COMMANDS: [&str; 20] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "rectangular_boardsize",
    "reg_genmove",
    "set_random_seed",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
    "tengen-bot",
];

/// A bot and the game that it is asked about.
pub struct Engine<'pool> {
    config: BotConfig,
    seed: u64,
    pool: Option<&'pool rayon::ThreadPool>,
    preset: Preset,
    /// None until it is told: then that of the board's size holds.
    komi: Option<Komi>,
    game: Game,
    /// Made when it is first asked, and again when the game does not go on
    /// from where it was asked last.
    bot: Option<Box<dyn Bot + 'pool>>,
    /// Games that the bot was asked about before this one.
    games: u64,
    has_ended: bool,
}

impl<'pool> Engine<'pool> {
    /// The bot of `config` at an empty 19×19 board. Its first game is played
    /// with `seed` itself, every later one with a seed of its own.
    ///
    /// # Panics
    /// Never: 19×19 is a size.
    #[must_use]
    pub fn new(
        config: BotConfig,
        seed: u64,
        preset: Preset,
        pool: Option<&'pool rayon::ThreadPool>,
    ) -> Self {
        let size = Size::square(19).expect("19x19 is a size");
        let game = new_game(size, preset, None);
        Self { config, seed, pool, preset, komi: None, game, bot: None, games: 0, has_ended: false }
    }

    /// Answers the commands of `input` until it ends or says `quit`.
    ///
    /// # Errors
    /// If input or output fail.
    pub fn serve(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        while !self.has_ended {
            let answer = match read_line(&mut input, MOST_LINE)? {
                None => break,
                Some(Line::Whole(line)) => self.answer(&line),
                Some(Line::TooLong { id }) => {
                    let why = format!("line too long: more than {MOST_LINE} bytes");
                    Some(Answer { id, result: Err(why) })
                }
            };
            if let Some(answer) = answer {
                write!(output, "{answer}")?;
                output.flush()?;
            }
        }
        Ok(())
    }

    /// The answer to a line; none to an empty one.
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        let command = Command::read(line)?;
        let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        Some(Answer { id: command.id, result: self.run(&command.name, &words) })
    }

    /// Whether `quit` was said.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn run(&mut self, name: &str, words: &[&str]) -> Result<String, String> {
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Tengen".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "tengen-bot" => Ok(self.config.to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => {
                let known = words.first().is_some_and(|name| COMMANDS.contains(name));
                Ok(known.to_string())
            }
            "quit" => {
                self.has_ended = true;
                Ok(String::new())
            }
            "boardsize" | "rectangular_boardsize" => self.set_size(words),
            "clear_board" => {
                self.begin(self.game.size());
                Ok(String::new())
            }
            "komi" => self.set_komi(words),
            "set_random_seed" => {
                self.seed = number(words.first(), "a seed")?;
                self.bot = None;
                self.games = 0;
                Ok(String::new())
            }
            "play" => self.play(words),
            "genmove" => self.genmove(words, true),
            "reg_genmove" => self.genmove(words, false),
            "undo" => self.undo(),
            "showboard" => Ok(self.show()),
            "final_score" => Ok(self.game.score().to_result()),
            "time_settings" => numbers(words, 3),
            "time_left" => {
                color(words.first())?;
                numbers(&words[1..], 2)
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Begins a game on the empty board.
    fn begin(&mut self, size: Size) {
        if self.bot.take().is_some() {
            self.games += 1;
        }
        self.game = new_game(size, self.preset, self.komi);
    }

    fn set_size(&mut self, words: &[&str]) -> Result<String, String> {
        let parse =
            |word: &str| word.parse::<u32>().map_err(|_| "boardsize not an integer".to_owned());
        let (width, height) = match *words {
            [side] => (parse(side)?, parse(side)?),
            [width, height] => (parse(width)?, parse(height)?),
            _ => return Err("syntax error: a side, or width and height, is needed".to_owned()),
        };
        let small = |side: u32| u8::try_from(side).unwrap_or(u8::MAX);
        let size =
            Size::new(small(width), small(height)).map_err(|_| "unacceptable size".to_owned())?;
        self.begin(size);
        Ok(String::new())
    }

    fn set_komi(&mut self, words: &[&str]) -> Result<String, String> {
        let word = words.first().ok_or("syntax error: a komi is needed")?;
        let komi: Komi = word.parse().map_err(|fault: crate::go::KomiError| fault.to_string())?;
        self.komi = Some(komi);
        // The same game under another komi.
        let mut game = new_game(self.game.size(), self.preset, self.komi);
        std::mem::swap(&mut game, &mut self.game);
        for (color, mv) in game.moves() {
            replay(&mut self.game, color, mv)?;
        }
        Ok(String::new())
    }

    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let color = color(words.first())?;
        let word = words.get(1).ok_or("syntax error: a vertex is needed")?;
        let mv: Move = word.parse().map_err(|_| format!("invalid vertex `{word}`"))?;
        // A search keeps trees in which the players alternate.
        if color != self.game.to_play() || self.game.end().is_some() {
            self.bot = None;
        }
        replay(&mut self.game, color, mv)?;
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[&str], is_played: bool) -> Result<String, String> {
        let color = color(words.first())?;
        let is_out_of_turn = color != self.game.to_play() || self.game.end().is_some();
        let mut asked = self.game.clone();
        if is_out_of_turn {
            self.bot = None;
            asked.give_turn(color);
        }
        if asked.end().is_some() {
            return Err(format!("the game is over after {MOST_PLIES} plies"));
        }
        let seed = if self.games == 0 { self.seed } else { mix(self.seed, self.games) };
        let bot = self.bot.get_or_insert_with(|| self.config.build(seed, self.pool));
        let turn = bot.genmove(&asked).map_err(|failure| failure.to_string())?;
        match turn.decision {
            Decision::Resign => Ok("resign".to_owned()),
            Decision::Move(mv) => {
                if is_played {
                    asked.play(color, mv).map_err(|why| format!("{mv}: {why}"))?;
                    self.game = asked;
                }
                Ok(mv.to_string())
            }
        }
    }

    fn undo(&mut self) -> Result<String, String> {
        self.game.undo().ok_or("cannot undo")?;
        self.bot = None;
        Ok(String::new())
    }

    fn show(&self) -> String {
        let board: &Board<6> = self.game.board();
        let mut text = format!("\n{board}");
        let rules = self.game.rules();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{} to move, ply {}, komi {}, {} rules",
            self.game.to_play(),
            self.game.ply(),
            rules.komi,
            self.preset
        );
        text
    }
}

fn new_game(size: Size, preset: Preset, komi: Option<Komi>) -> Game {
    let komi = komi.unwrap_or_else(|| default_komi(size));
    Game::new(size, Rules { max_plies: MOST_PLIES, ..Rules::new(preset, size, komi) })
}

/// Makes a move of either colour, after two passes too.
fn replay(game: &mut Game, color: Color, mv: Move) -> Result<(), String> {
    let mut after = None;
    if game.board().is_over() {
        let mut resumed = game.clone();
        resumed.give_turn(color);
        after = Some(resumed);
    }
    let target = after.as_mut().unwrap_or(game);
    target.play(color, mv).map_err(|why| format!("illegal move: {why}"))?;
    if let Some(after) = after {
        *game = after;
    }
    Ok(())
}

fn color(word: Option<&&str>) -> Result<Color, String> {
    let word = word.ok_or("syntax error: a colour is needed")?;
    word.parse().map_err(|_| format!("invalid color `{word}`"))
}

fn number(word: Option<&&str>, thing: &str) -> Result<u64, String> {
    let word = word.ok_or_else(|| format!("syntax error: {thing} is needed"))?;
    word.parse().map_err(|_| format!("syntax error: `{word}` is not {thing}"))
}

/// Checks that there are `count` numbers, which are not used: our budgets are
/// a move's.
fn numbers(words: &[&str], count: usize) -> Result<String, String> {
    for place in 0..count {
        let word = words.get(place).ok_or("syntax error: a number is missing")?;
        let fits = word.parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0);
        if !fits {
            return Err(format!("syntax error: `{word}` is no time"));
        }
    }
    Ok(String::new())
}
