//! Commands about the position: size, komi, handicap, records, and what is on the
//! board.

use super::arguments::{Words, at_most, color, mv, number, vertex, word};
use super::handicap;
use super::refusal::Refusal;
use super::{Commands, Engine, rules};
use std::fmt::Write as _;
use std::path::Path;
use tengen_go::{Bits, Board, Color, Game, Komi, Move, Rules, Size, Vertex};
use tengen_settings::files;
use tengen_sgf::{Overrides, Record, SgfError, decode, parse, replay};

pub const COMMANDS: Commands = &[
    ("boardsize", |engine, words, _| engine.set_size(words)),
    ("rectangular_boardsize", |engine, words, _| engine.set_size(words)),
    ("clear_board", |engine, words, _| {
        at_most(words, 0)?;
        engine.begin(engine.game.size());
        Ok(String::new())
    }),
    ("komi", |engine, words, _| engine.set_komi(words)),
    ("fixed_handicap", |engine, words, _| engine.fixed_handicap(words)),
    ("place_free_handicap", |engine, words, _| engine.place_free_handicap(words)),
    ("set_free_handicap", |engine, words, _| engine.set_free_handicap(words)),
    ("loadsgf", |engine, words, _| engine.load_record(words)),
    ("printsgf", |engine, words, _| engine.print_record(words)),
    ("showboard", |engine, words, _| at_most(words, 0).map(|()| engine.show())),
    ("list_stones", |engine, words, _| {
        at_most(words, 1)?;
        let stones = engine.game.board().stones(color(words, 0)?);
        Ok(vertices(stones))
    }),
    ("is_legal", |engine, words, _| {
        at_most(words, 2)?;
        let is_legal = engine.is_legal(color(words, 0)?, mv(words, 1)?);
        Ok(u8::from(is_legal).to_string())
    }),
    ("all_legal", |engine, words, _| {
        at_most(words, 1)?;
        Ok(vertices(engine.legal_points(color(words, 0)?)))
    }),
    ("captures", |engine, words, _| {
        at_most(words, 1)?;
        Ok(engine.game.captures()[color(words, 0)?.index()].to_string())
    }),
    ("color", |engine, words, _| {
        at_most(words, 1)?;
        let stone = engine.game.board().at(vertex(words, 0, &engine.game)?);
        Ok(stone.map_or_else(|| "empty".to_owned(), |color| color.to_string()))
    }),
];

/// Points by name, in the order of the board.
pub fn vertices(points: Bits<6>) -> String {
    let names: Vec<String> =
        points.iter().map(|index| Bits::<6>::vertex(index).to_string()).collect();
    names.join(" ")
}

impl Engine<'_> {
    fn set_size(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        at_most(words, 2)?;
        let width = number(words, 0, "a size")?;
        let height = if words.len() > 1 { number(words, 1, "a height")? } else { width };
        let small = |side: u64| u8::try_from(side).unwrap_or(u8::MAX);
        let size = Size::new(small(width), small(height))
            .map_err(|fault| Refusal::because("unacceptable size", fault.to_string()))?;
        self.begin(size);
        Ok(String::new())
    }

    fn set_komi(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        at_most(words, 1)?;
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

    /// Whether no stone was put on the board.
    fn check_empty(&self) -> Result<(), Refusal> {
        let is_empty = self.game.board().empty() == Bits::board(self.game.size());
        let refusal = || Refusal::because("board not empty", "clear_board empties it");
        is_empty.then_some(()).ok_or_else(refusal)
    }

    /// A handicap game with these stones, which are no moves. White receives what the rules give
    /// for them.
    fn set_handicap(&mut self, stones: &[Vertex]) -> Result<String, Refusal> {
        let board = Board::set_up(self.game.size(), stones, &[], Color::White)
            .map_err(|fault| Refusal::because("bad vertex list", fault.to_string()))?;
        let rules = Rules { komi: self.game.komi(), ..self.game.rules() };
        let handicap = self.preset.handicap(u16::try_from(stones.len()).unwrap_or(u16::MAX));
        self.set_game(Game::from_position(board, rules).with_handicap(handicap));
        Ok(stones.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    fn fixed_handicap(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        at_most(words, 1)?;
        let count = number(words, 0, "a number of stones")?;
        let size = self.game.size();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let stones = handicap::fixed(size, count).ok_or_else(|| {
            Refusal::because("invalid number of stones", format!("{size} has no such handicap"))
        })?;
        self.check_empty()?;
        self.set_handicap(&stones)
    }

    fn place_free_handicap(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        at_most(words, 1)?;
        let count = number(words, 0, "a number of stones")?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let most = self.game.size().points() - 1;
        if !(2..=most).contains(&count) {
            let why = format!("it must be 2 to {most}");
            return Err(Refusal::because("invalid number of stones", why));
        }
        self.check_empty()?;
        self.set_handicap(&handicap::free(self.game.size(), count))
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
        self.check_empty()?;
        self.set_handicap(&stones).map(|_| String::new())
    }

    /// Loads the main line of the first game of a file, or what comes before the
    /// move of a number. Komi is that of the file, if it has one, and the rules for what comes
    /// are those of the engine: moves of the file may break them.
    fn load_record(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        word(words, 0, "a file")?;
        // A name may have blanks, and a number behind it is that of a move.
        let (name, number) = match words {
            [name @ .., last] if !name.is_empty() => match last.parse::<usize>() {
                Ok(number) => (name.join(" "), Some(number)),
                Err(_) => (words.join(" "), None),
            },
            _ => (words.join(" "), None),
        };
        let refused = |why: String| Refusal::because("cannot load file", format!("{name}: {why}"));
        if number == Some(0) {
            return Err(Refusal::syntax("moves are numbered from 1"));
        }
        // The standard input is where the commands come from.
        if !Path::new(&name).is_file() {
            return Err(refused("expected a regular file".to_owned()));
        }
        let bytes = files::read(Path::new(&name)).map_err(|fault| refused(fault.to_string()))?;
        let games = parse(&decode(&bytes)).map_err(|fault| refused(fault.to_string()))?;
        let tree = &games[0];
        let own = self.game.komi();
        let read = |komi| {
            let rules = Some(self.preset.into());
            let overrides = Overrides { rules, komi, size: None };
            replay(tree, overrides, number.map(|number| number - 1))
        };
        let has_komi = tree.root().text("KM").is_some();
        let game = match read((!has_komi).then_some(own)) {
            // An invalid komi may be one of a server's own kind.
            Err(fault @ SgfError::Komi(_)) => {
                self.notes.push(format!("{name}: {fault}; komi stays {own}"));
                read(Some(own))
            }
            game => game,
        };
        let (game, warnings) = game.map_err(|fault| refused(fault.to_string()))?;
        self.notes.extend(warnings.iter().map(|warning| format!("{name}: {warning}")));
        if has_komi {
            self.komi = Some(game.komi());
        }
        self.set_game(game);
        self.clocks.reset();
        Ok(String::new())
    }

    /// Writes the game as a record to a file; without one, or to `-`, answers it.
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

    fn show(&self) -> String {
        let mut text = format!("\n{}", self.game.board());
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{} to move, ply {}, {}, {} rules",
            self.game.to_play(),
            self.game.ply(),
            self.game.conditions(),
            self.preset
        );
        text
    }

    /// Whether `color` may make `mv` now, whoever is to move.
    pub(super) fn is_legal(&self, color: Color, mv: Move) -> bool {
        let mut game = self.game.clone();
        if game.end().is_some() || game.to_play() != color {
            game.give_turn(color);
        }
        game.check(color, mv).is_ok()
    }

    /// The points where `color` may play now, whoever is to move.
    pub(super) fn legal_points(&self, color: Color) -> Bits<6> {
        let mut game = self.game.clone();
        if game.end().is_some() || game.to_play() != color {
            game.give_turn(color);
        }
        game.legal_points()
    }

    /// The rules of the engine on a board of `size`.
    pub(super) fn rules(&self, size: Size) -> Rules {
        rules(size, self.preset, self.komi)
    }
}
