//! Extensions of GoGui.

use super::arguments::{Words, color, list, mv, vertex};
use super::board::vertices;
use super::play::make_move;
use super::refusal::Refusal;
use super::{Commands, Engine};
use tengen_go::{Board, Color, Game, Vertex};

pub const COMMANDS: Commands = &[
    ("gogui-analyze_commands", 0, |_, _, _| Ok(ANALYZE_COMMANDS.join("\n"))),
    ("gogui-play_sequence", usize::MAX, |engine, words, _| engine.play_sequence(words)),
    ("gogui-setup", usize::MAX, |engine, words, _| engine.set_up(words)),
    ("gogui-setup_player", 1, |engine, words, _| {
        engine.game.give_turn(color(words, 0)?);
        engine.bot = None;
        Ok(String::new())
    }),
    ("gogui-interrupt", 0, |_, _, _| Ok(String::new())),
    ("gogui-title", 0, |engine, _, _| Ok(format!("Tengen: {}", engine.config))),
    ("gogui-rules_game_id", 0, |_, _, _| Ok("Go".to_owned())),
    ("gogui-rules_board", 0, |engine, _, _| {
        let rows = engine.game.board().to_rows();
        let rows = rows.split('/').map(|row| list(row.chars(), " "));
        Ok(format!("\n{}", list(rows, "\n")))
    }),
    ("gogui-rules_board_size", 0, |engine, _, _| {
        let size = engine.game.size();
        Ok(match (size.width(), size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width} {height}"),
        })
    }),
    // Nothing once the game is over.
    ("gogui-rules_legal_moves", 0, |engine, _, _| match engine.game.end() {
        Some(_) => Ok(String::new()),
        None => Ok(format!("{} pass", vertices(engine.game.legal_points())).trim().to_owned()),
    }),
    ("gogui-rules_side_to_move", 0, |engine, _, _| Ok(engine.game.to_play().to_string())),
    ("gogui-rules_captured_count", 0, |engine, _, _| Ok(list(engine.game.captures(), " "))),
    ("gogui-rules_final_result", 0, |engine, _, _| match engine.game.end() {
        Some(_) => Ok(engine.final_score()),
        None => Ok(String::new()),
    }),
    ("tengen-ownership", 0, |engine, _, _| {
        let owners = engine.ownership(&engine.game).ownership_from_top();
        let row = |row: &[f64]| list(row.iter().map(|share| format!("{share:.2}")), " ");
        Ok(format!("\n{}", list(owners.chunks(engine.game.size().width()).map(row), "\n")))
    }),
];

/// The entries of GoGui's menu: type, name, command.
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
        // The bot detects whether its game continues, but players that do not alternate would
        // mislead it.
        let first = self.game.to_play();
        let mut turns = [first, !first].into_iter().cycle();
        let known = self.game.moves().len();
        let alternate = game.moves().skip(known).all(|(color, _)| turns.next() == Some(color));
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
            stones[color.index()].push(vertex(words, place, &self.game)?);
        }
        let size = self.game.size();
        let board = Board::set_up(size, &stones[0], &stones[1], Color::Black)
            .map_err(|fault| Refusal::new(fault.to_string()))?;
        let rules = self.rules(size);
        self.set_game(Game::from_position(board, rules));
        Ok(String::new())
    }
}
