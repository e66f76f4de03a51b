//! Extensions of GoGui.

use super::arguments::{Words, at_most, color, mv, vertex, word};
use super::play::make_move;
use super::refusal::Refusal;
use super::status::Ownership;
use super::{Commands, Engine};
use tengen_go::{Board, Color, Game, Move, Vertex};

pub const COMMANDS: Commands = &[
    ("gogui-analyze_commands", |_, words, _| {
        at_most(words, 0).map(|()| ANALYZE_COMMANDS.join("\n"))
    }),
    ("gogui-play_sequence", |engine, words, _| engine.play_sequence(words)),
    ("gogui-setup", |engine, words, _| engine.set_up(words)),
    ("gogui-setup_player", |engine, words, _| {
        at_most(words, 1)?;
        engine.game.give_turn(color(words, 0)?);
        engine.bot = None;
        Ok(String::new())
    }),
    ("gogui-interrupt", |_, words, _| at_most(words, 0).map(|()| String::new())),
    ("gogui-title", |engine, words, _| {
        at_most(words, 0).map(|()| format!("Tengen: {}", engine.config))
    }),
    ("gogui-rules_game_id", |_, words, _| at_most(words, 0).map(|()| "Go".to_owned())),
    ("gogui-rules_board", |engine, words, _| at_most(words, 0).map(|()| engine.rows())),
    ("gogui-rules_board_size", |engine, words, _| {
        at_most(words, 0)?;
        let size = engine.game.size();
        Ok(match (size.width(), size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width} {height}"),
        })
    }),
    ("gogui-rules_legal_moves", |engine, words, _| {
        at_most(words, 0).map(|()| engine.legal_moves())
    }),
    ("gogui-rules_side_to_move", |engine, words, _| {
        at_most(words, 0).map(|()| engine.game.to_play().to_string())
    }),
    ("gogui-rules_captured_count", |engine, words, _| {
        at_most(words, 0)?;
        let [black, white] = engine.game.captures();
        Ok(format!("{black} {white}"))
    }),
    ("gogui-rules_final_result", |engine, words, _| {
        at_most(words, 0)?;
        if engine.game.end().is_none() {
            return Ok(String::new());
        }
        Ok(engine.final_score())
    }),
    ("tengen-ownership", |engine, words, _| at_most(words, 0).map(|()| engine.ownership())),
];

/// What GoGui has in its menu: type, name, command.
const ANALYZE_COMMANDS: [&str; 11] = [
    "hstring/Bot/tengen-bot",
    "hstring/Search Statistics/tengen-stats",
    "param/Bot Settings/tengen-set",
    "dboard/Ownership/tengen-ownership",
    "string/Final Score/final_score",
    "eplist/Dead Stones/final_status_list dead",
    "plist/Legal Moves/all_legal %c",
    "plist/Stones/list_stones %c",
    "string/Captures/captures %c",
    "string/Unconditional Status/unconditional_status %p",
    "string/Move Without Playing It/reg_genmove %c",
];

/// Pairs of a colour and a word.
fn pairs(words: Words<'_>) -> Result<Vec<(Color, usize)>, Refusal> {
    let pair = |place: usize| Ok((color(words, place)?, place + 1));
    (0..words.len()).step_by(2).map(pair).collect()
}

impl Engine<'_> {
    /// Plays all the moves, or none.
    fn play_sequence(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        let mut game = self.game.clone();
        for (color, place) in pairs(words)? {
            make_move(&mut game, color, mv(words, place)?)?;
        }
        // The bot sees whether its game goes on; players that do not alternate
        // would lead it astray.
        let known = self.game.moves().len();
        let mut player = self.game.to_play();
        let alternate = game.moves().skip(known).all(|(color, _)| {
            let expected = std::mem::replace(&mut player, !color);
            color == expected
        });
        if !alternate || self.game.end().is_some() {
            self.bot = None;
        }
        self.game = game;
        Ok(String::new())
    }

    /// A game that begins with the stones.
    fn set_up(&mut self, words: Words<'_>) -> Result<String, Refusal> {
        let mut stones: [Vec<Vertex>; 2] = [Vec::new(), Vec::new()];
        for (color, place) in pairs(words)? {
            word(words, place, "a vertex")?;
            stones[color.index()].push(vertex(words, place, &self.game)?);
        }
        let size = self.game.size();
        let board = Board::set_up(size, &stones[0], &stones[1], Color::Black)
            .map_err(|fault| Refusal::new(fault.to_string()))?;
        let rules = self.rules(size);
        self.set_game(Game::from_position(board, rules));
        Ok(String::new())
    }

    /// The board as rows from the top.
    fn rows(&self) -> String {
        let rows = self.game.board().to_rows();
        let spaced = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = rows.split('/').map(spaced).collect();
        format!("\n{}", rows.join("\n"))
    }

    /// The legal moves of the player to move; nothing once the game is over.
    fn legal_moves(&self) -> String {
        if self.game.end().is_some() {
            return String::new();
        }
        let points = self.game.legal_points();
        let plays = points.iter().map(tengen_go::Bits::<6>::vertex).map(Move::Play);
        plays.chain([Move::Pass]).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The owners of the points by playouts, from the top: 1 for Black, −1 for
    /// White.
    fn ownership(&self) -> String {
        let ownership = Ownership::of(&self.game, self.seed);
        let rows: Vec<&[f64]> = ownership.points().chunks(self.game.size().width()).collect();
        let row = |row: &&[f64]| {
            let cells: Vec<String> = row.iter().map(|share| format!("{share:.2}")).collect();
            format!("\n{}", cells.join(" "))
        };
        rows.iter().rev().map(row).collect()
    }
}
