//! Commands about the position: size, komi, handicap, records, and what is on the
//! board.

use super::arguments::{Words, color, list, mv, number, vertex, word};
use super::handicap;
use super::refusal::Refusal;
use super::{Commands, Engine, rules};
use std::path::Path;
use tengen_go::{Bits, Board, Color, Game, Komi, Move, Rules, Size, Vertex};
use tengen_settings::files;
use tengen_sgf::{Overrides, Record, SgfError, parse_bytes, replay};

pub const COMMANDS: Commands = &[
    ("boardsize", 2, |engine, words, _| engine.set_size(words)),
    ("rectangular_boardsize", 2, |engine, words, _| engine.set_size(words)),
    ("clear_board", 0, |engine, _, _| {
        engine.begin(engine.game.size());
        Ok(String::new())
    }),
    ("komi", 1, |engine, words, _| engine.set_komi(words)),
    ("fixed_handicap", 1, |engine, words, _| {
        let size = engine.game.size();
        let stones = handicap::fixed(size, stones(words)?);
        let none = || Refusal::because(NO_HANDICAP, format!("{size} has no such handicap"));
        engine.set_handicap(&stones.ok_or_else(none)?)
    }),
    ("place_free_handicap", 1, |engine, words, _| {
        let (size, count) = (engine.game.size(), stones(words)?);
        let most = size.points() - 1;
        if !(2..=most).contains(&count) {
            return Err(Refusal::because(NO_HANDICAP, format!("it must be 2 to {most}")));
        }
        engine.set_handicap(&handicap::free(size, count))
    }),
    ("set_free_handicap", usize::MAX, |engine, words, _| engine.set_free_handicap(words)),
    ("loadsgf", usize::MAX, |engine, words, _| engine.load_record(words)),
    ("printsgf", usize::MAX, |engine, words, _| engine.print_record(words)),
    ("showboard", 0, |engine, _, _| {
        let (game, rules) = (&engine.game, engine.preset);
        let (board, player, ply) = (game.board(), game.to_play(), game.ply());
        let conditions = game.conditions();
        Ok(format!("\n{board}\n{player} to move, ply {ply}, {conditions}, {rules} rules"))
    }),
    ("list_stones", 1, |engine, words, _| {
        Ok(vertices(engine.game.board().stones(color(words, 0)?)))
    }),
    ("is_legal", 2, |engine, words, _| {
        let (color, mv) = (color(words, 0)?, mv(words, 1)?);
        Ok(u8::from(engine.with_turn(color).check(color, mv).is_ok()).to_string())
    }),
    ("all_legal", 1, |engine, words, _| {
        Ok(vertices(engine.with_turn(color(words, 0)?).legal_points()))
    }),
    ("captures", 1, |engine, words, _| {
        Ok(engine.game.captures()[color(words, 0)?.index()].to_string())
    }),
    ("color", 1, |engine, words, _| {
        let stone = engine.game.board().at(vertex(words, 0, &engine.game)?);
        Ok(stone.map_or_else(|| "empty".to_owned(), |color| color.to_string()))
    }),
];

/// The words of the specification for a handicap that does not exist.
const NO_HANDICAP: &str = "invalid number of stones";

/// The number of handicap stones that is asked for.
fn stones(words: Words<'_>) -> Result<usize, Refusal> {
    let count = number(words, 0, "a number of stones")?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Points by name, in the order of the board.
pub fn vertices(points: Bits<6>) -> String {
    list(points.iter().map(Bits::<6>::vertex), " ")
}

impl Engine<'_> {
    fn set_size(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        let width = number(words, 0, "a size")?;
        let height = if words.len() > 1 { number(words, 1, "a height")? } else { width };
        let size = format!("{width}x{height}").parse::<Size>();
        let size =
            size.map_err(|fault| Refusal::because("unacceptable size", fault.to_string()))?;
        self.begin(size);
        Ok(String::new())
    }

    fn set_komi(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        let text = word(words, 0, "a komi")?;
        let points = text.parse().unwrap_or(f64::NAN);
        let invalid = || format!("invalid komi `{text}`: expected a number from -1000 to 1000");
        let refused = |_| Refusal::syntax(invalid());
        let komi = Komi::equivalent(points).map_err(refused)?;
        if f64::from(komi) != points {
            self.notes.push(format!("{text} is taken as {komi}, by which the same player wins"));
        }
        self.komi = Some(komi);
        self.game = self.game.clone().with_komi(komi);
        Ok(String::new())
    }

    /// Refuses a board with stones.
    fn check_empty(&self) -> Result<(), Refusal> {
        let is_empty = self.game.board().empty() == Bits::board(self.game.size());
        let refusal = || Refusal::because("board not empty", "clear_board empties it");
        is_empty.then_some(()).ok_or_else(refusal)
    }

    /// Begins a game with these handicap stones, which are no moves. White receives the points that
    /// the rules give for them.
    fn set_handicap(&mut self, stones: &[Vertex]) -> Result<String, Refusal> {
        self.check_empty()?;
        let board = Board::set_up(self.game.size(), stones, &[], Color::White)
            .map_err(|fault| Refusal::because("bad vertex list", fault.to_string()))?;
        let rules = Rules { komi: self.game.komi(), ..self.game.rules() };
        let handicap = self.preset.handicap(u16::try_from(stones.len()).unwrap_or(u16::MAX));
        self.set_game(Game::from_position(board, rules).with_handicap(handicap));
        Ok(list(stones, " "))
    }

    fn set_free_handicap(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        let bad = |why: String| Refusal::because("bad vertex list", why);
        let mut stones = Vec::new();
        for (place, word) in words.iter().enumerate() {
            match mv(words, place)? {
                Move::Play(vertex) if !stones.contains(&vertex) => stones.push(vertex),
                _ => {
                    return Err(bad(format!("invalid stone `{word}`: expected points, each once")));
                }
            }
        }
        let most = self.game.size().points() - 1;
        if !(2..=most).contains(&stones.len()) {
            let count = stones.len();
            return Err(bad(format!("invalid number of stones {count}: expected 2 to {most}")));
        }
        self.set_handicap(&stones).map(|_| String::new())
    }

    /// Loads the main line of the first game of a file, or, with a number, only the moves before
    /// the move of this number. Komi is that of the file or, where the file has none, the engine's
    /// on such a board. Later moves follow the rules of the engine, which moves of the file may
    /// break.
    fn load_record(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        word(words, 0, "a file")?;
        // A file name may have blanks; a number behind it is the number of a move.
        let number = words[1..].last().and_then(|last| last.parse::<usize>().ok());
        let name = words[..words.len() - usize::from(number.is_some())].join(" ");
        let refused = |why: String| Refusal::because("cannot load file", format!("{name}: {why}"));
        if number == Some(0) {
            return Err(Refusal::syntax("moves are numbered from 1"));
        }
        // The standard input is where the commands come from.
        if !Path::new(&name).is_file() {
            return Err(refused("expected a regular file".to_owned()));
        }
        let bytes = files::read(Path::new(&name)).map_err(|fault| refused(fault.to_string()))?;
        let games = parse_bytes(&bytes).map_err(|fault| refused(fault.to_string()))?;
        let tree = &games[0];
        let read = |komi| {
            let rules = Some(self.preset.into());
            let overrides = Overrides { rules, komi, size: None };
            replay(tree, overrides, number.map(|number| number - 1))
        };
        let mut has_komi = tree.root().text("KM").is_some();
        let game = match read(None) {
            // Some servers write a komi of their own kind.
            Err(fault @ SgfError::Komi(_)) => {
                self.notes.push(format!("{name}: {fault}; komi is that of the engine"));
                has_komi = false;
                read(Some(Komi::default()))
            }
            game => game,
        };
        let (mut game, warnings) = game.map_err(|fault| refused(fault.to_string()))?;
        self.notes.extend(warnings.iter().map(|warning| format!("{name}: {warning}")));
        if has_komi {
            self.komi = Some(game.komi());
        } else {
            let komi = self.rules(game.size()).komi;
            game = game.with_komi(komi);
        }
        self.set_game(game);
        self.clocks.reset();
        Ok(String::new())
    }

    /// Writes the game as a record to a file; without a file, or with `-`, answers with the record.
    fn print_record(&self, words: Words<'_>) -> Result<String, Refusal> {
        let mut record = Record::new(self.game.clone());
        if self.game.end().is_some() {
            record.result = self.final_score();
        }
        let (name, text) = (words.join(" "), record.to_sgf());
        if name.is_empty() || name == "-" {
            return Ok(text);
        }
        let refused = |fault| Refusal::because("cannot save file", format!("{name}: {fault}"));
        std::fs::write(&name, text).map(|()| String::new()).map_err(refused)
    }

    /// The rules of the engine on a board of `size`.
    pub(super) fn rules(&self, size: Size) -> Rules {
        rules(size, self.preset, self.komi)
    }
}
