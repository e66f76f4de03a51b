//! A position with everything that the page draws.

use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_go::{Bits, Color, End, Game, Komi, Move, Preset, Vertex};

/// A move to be made in a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The game.
    pub game: GameText,
    /// The move of the player to move: a vertex, or `pass`.
    #[serde(rename = "move")]
    pub mv: Move,
}

impl PlayRequest {
    /// The game with the move.
    pub fn play(&self, limits: &Limits) -> Result<Position, Refusal> {
        let mut game = self.game.game(limits)?;
        let mv = self.mv;
        if game.moves().len() >= limits.plies {
            return Err(Refusal::new(format!("the game has {} plies already", limits.plies)));
        }
        game.play(game.to_play(), mv).map_err(|why| Refusal::new(format!("{mv}: {why}")))?;
        Position::of(&game)
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// Who moves.
    pub color: Color,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The points of the stones that it takes, where a simulation is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<Vertex>,
}

/// The area of both players and the score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Count {
    /// The points of Black's area (`X`) and of White's (`O`): rows from the top, joined by
    /// `/`.
    pub rows: String,
    /// Number of points of Black's area.
    pub black: u32,
    /// Number of points of White's area.
    pub white: u32,
    /// Black's lead after komi, in points.
    pub score: f64,
    /// The score as GTP and SGF write it, `B+3.5`.
    pub result: String,
}

/// A position with everything that the page draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// The game that led to it.
    pub game: GameText,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Komi, in points.
    pub komi: Komi,
    /// Points that White receives for handicap stones, in addition to komi.
    pub handicap_points: u16,
    /// Rule set.
    pub rules: Preset,
    /// The player to move.
    pub to_play: Color,
    /// The stones: rows from the top, joined by `/`, with `X`, `O` and `.`.
    pub rows: String,
    /// The number of the ply that put the stone on each point, from the top left by rows;
    /// 0 where there is none, or a set-up stone.
    pub numbers: Vec<usize>,
    /// The empty points where the player to move may not play, with the reason; none
    /// where the game is over.
    pub illegal: BTreeMap<Vertex, String>,
    /// Stones taken by Black and by White.
    pub captures: [u32; 2],
    /// The moves made.
    pub moves: Vec<Ply>,
    /// How the game ended, `passes` or `limit`; none while it goes on.
    pub end: Option<&'static str>,
    /// Area and score of the position as it stands.
    pub count: Count,
}

impl Position {
    /// The last position of `game`.
    pub fn of(game: &Game) -> Result<Self, Refusal> {
        let size = game.size();
        let made = |(color, mv)| Ply { color, mv, taken: Vec::new() };
        let text = GameText::of(game)?;
        Ok(Self {
            width: size.width(),
            height: size.height(),
            komi: game.komi(),
            handicap_points: game.handicap().points,
            rules: text.rules,
            game: text,
            to_play: game.to_play(),
            rows: game.board().to_rows(),
            numbers: numbers(game),
            illegal: illegal(game),
            captures: game.captures(),
            moves: game.moves().map(made).collect(),
            end: game.end().map(|end| match end {
                End::Passes => "passes",
                End::Limit => "limit",
            }),
            count: count(game),
        })
    }
}

/// The points of the board from the top left by rows.
fn from_top(game: &Game) -> impl Iterator<Item = Vertex> {
    let mut points: Vec<Vertex> = Vertex::all(game.size()).collect();
    points.sort_by_key(|point| (std::cmp::Reverse(point.row), point.col));
    points.into_iter()
}

fn numbers(game: &Game) -> Vec<usize> {
    let played = game.moves().zip(1..).filter_map(|((_, mv), ply)| match mv {
        Move::Play(vertex) => Some((vertex, ply)),
        Move::Pass => None,
    });
    let plies: BTreeMap<Vertex, usize> = played.collect();
    let number = |vertex: Vertex| {
        let stone = game.board().at(vertex);
        stone.and_then(|_| plies.get(&vertex).copied()).unwrap_or(0)
    };
    from_top(game).map(number).collect()
}

fn illegal(game: &Game) -> BTreeMap<Vertex, String> {
    if game.end().is_some() {
        return BTreeMap::new();
    }
    let points = game.board().empty() - game.legal_points();
    let reason = |index| {
        let vertex = Bits::<6>::vertex(index);
        let fault = game.check(game.to_play(), Move::Play(vertex)).err()?;
        Some((vertex, fault.to_string()))
    };
    points.iter().filter_map(reason).collect()
}

/// The vertices of `points`.
pub fn vertices(points: Bits<6>) -> Vec<Vertex> {
    points.iter().map(Bits::<6>::vertex).collect()
}

/// Area and score of the last position of `game`.
pub fn count(game: &Game) -> Count {
    let [black, white] = game.board().areas();
    let owner = |vertex: Vertex| {
        let index = Bits::<6>::index(vertex);
        match (black.contains(index), white.contains(index)) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        }
    };
    let points: Vec<char> = from_top(game).map(owner).collect();
    let rows = points.chunks(game.size().width()).map(String::from_iter);
    let score = game.score();
    Count {
        rows: rows.collect::<Vec<_>>().join("/"),
        black: black.count(),
        white: white.count(),
        score: score.points(),
        result: score.to_result(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(json: &str) -> Position {
        let text: GameText = serde_json::from_str(json).unwrap();
        Position::of(&text.game(&Limits::default()).unwrap()).unwrap()
    }

    fn play(json: &str, mv: &str) -> Result<Position, Refusal> {
        let game = serde_json::from_str(json).unwrap();
        PlayRequest { game, mv: mv.parse().unwrap() }.play(&Limits::default())
    }

    /// Black has just taken at C3; White may not take back at B3, nor play A1.
    const KO: &str = r#"{"size":"4x4","komi":0,"setup":".XO./XO.O/.XO./X...","moves":"C3"}"#;

    #[test]
    fn a_ko_and_a_suicide_have_their_reasons() {
        let ko = position(KO);
        assert_eq!(ko.rows, ".XO./X.XO/.XO./X...");
        assert_eq!((ko.to_play, ko.captures), (Color::White, [1, 0]));
        assert_eq!(ko.illegal[&"B3".parse().unwrap()], "the move repeats an earlier position");
        assert_eq!(ko.illegal[&"A2".parse().unwrap()], "the move is suicide");
        assert!(!ko.illegal.contains_key(&"B1".parse().unwrap()));
        assert_eq!(ko.numbers[6], 1);
        let refusal = play(KO, "B3").unwrap_err().to_string();
        assert_eq!(refusal, "B3: the move repeats an earlier position");
        let simple = KO.replace("\"komi\":0", "\"komi\":0,\"rules\":\"simple\"");
        let refusal = play(&simple, "B3").unwrap_err().to_string();
        let why = "simple ko: the move would repeat the position before the opponent's move";
        assert_eq!(refusal, format!("B3: {why}"));
        assert_eq!(play(KO, "A2").unwrap_err().to_string(), "A2: the move is suicide");
        assert_eq!(play(KO, "C3").unwrap_err().to_string(), "C3: the point is occupied");
    }

    /// Black took the ko, and White took it back at once, in a record.
    #[test]
    fn what_is_past_may_break_the_rules_and_what_comes_may_not() {
        let broken = KO.replace("\"C3\"", "\"C3.B3\"");
        let position = position(&broken);
        assert_eq!(position.rows, ".XO./XO.O/.XO./X...");
        assert_eq!(
            position.illegal[&"C3".parse().unwrap()],
            "the move repeats an earlier position"
        );
        assert!(play(&broken, "C3").unwrap_err().to_string().contains("repeats"));
        assert_eq!(play(&broken, "D1").unwrap().moves.len(), 3);
    }

    #[test]
    fn area_and_score_are_those_of_the_library() {
        let json = r#"{"size":"4x4","komi":0.5,"setup":".XO./XXOO/.XO./XXOO","moves":"pass.pass"}"#;
        let over = position(json);
        assert_eq!(over.end, Some("passes"));
        assert_eq!(over.count.rows, "XXOO/XXOO/XXOO/XXOO");
        assert_eq!((over.count.black, over.count.white), (8, 8));
        assert_eq!((over.count.score, over.count.result.as_str()), (-0.5, "W+0.5"));
        assert!(over.illegal.is_empty());
        assert_eq!(play(json, "A4").unwrap_err().to_string(), "A4: the game is over");
    }
}
