#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! Game records: SGF FF 4 out, and the main line of any SGF in.

use encoding_rs::Encoding;
use sgf_parse::go::{Move as SgfMove, Point, Prop};
use sgf_parse::{ParseOptions, SgfNode, parse_with_options};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use tengen_go::{
    Board, Color, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, SetupError, Size, Suicide,
    Vertex,
};

/// Nodes that a record may have: the parser's tree is dropped by recursion.
const MOST_NODES: usize = 20_000;

/// Plies that a game read from a record may go on to.
const MOST_PLIES: u32 = 100_000;

/// A game and what is told of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// Who plays Black; empty if not told.
    pub black: String,
    /// Who plays White.
    pub white: String,
    /// The result as SGF writes it: `B+3.5`, `W+R`, `B+T`, `B+F`, `0`, `Void`.
    pub result: String,
    /// What the game belongs to.
    pub event: String,
    /// When it was played.
    pub date: String,
    /// Comments by the number of plies made before them: 0 stands before the
    /// first move.
    pub comments: BTreeMap<usize, String>,
}

/// What a reader knows better than the record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Instead of RU. Without either it is simple ko without suicide, by which
    /// most records are legal.
    pub rules: Option<(Ko, Suicide)>,
    /// Instead of KM. Without either it is 0.
    pub komi: Option<Komi>,
    /// The only size of board that is wanted; without it any is.
    pub size: Option<Size>,
}

/// A text that is no record of a game.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SgfError {
    /// The text is no SGF.
    #[error("no SGF: {0}")]
    Syntax(String),
    /// More nodes than any game has.
    #[error("more than {MOST_NODES} nodes")]
    TooLong,
    /// A record of another game than Go.
    #[error("the record is not of a game of Go")]
    NotGo,
    /// No board has this size.
    #[error("SZ[{0}] is no size of a board")]
    Size(String),
    /// The board has another size than the one that is wanted.
    #[error("its board is {0} and not {1}")]
    OtherSize(Size, Size),
    /// The size is not told, and the one that it then has is not wanted.
    #[error("it has no SZ, which means 19x19, and not {0}")]
    NoSize(Size),
    /// No komi.
    #[error("KM[{0}] is no komi")]
    Komi(String),
    /// Stones that no game can begin with.
    #[error("the set-up stones: {0}")]
    Setup(#[from] SetupError),
    /// Set-up stones that cannot be read.
    #[error("the set-up stones {0}: no such points")]
    SetupPoints(String),
    /// Stones put down between moves.
    #[error("stones are set up after move {0}")]
    LateSetup(usize),
    /// A move to no point of the board.
    #[error("move {ply}: {color} [{text}] is no point of the board")]
    Point {
        /// The number of the move, from 1.
        ply: usize,
        /// Whose it is.
        color: Color,
        /// What stands there.
        text: String,
    },
    /// A move that the rules forbid.
    #[error("move {ply}: {color} {mv}: {reason}")]
    Illegal {
        /// The number of the move, from 1.
        ply: usize,
        /// Whose it is.
        color: Color,
        /// The move.
        mv: Move,
        /// Why it is illegal.
        reason: IllegalMove,
    },
}

impl Record {
    /// The record of `game`, of which nothing else is told.
    #[must_use]
    pub fn new(game: Game) -> Self {
        Self {
            game,
            black: String::new(),
            white: String::new(),
            result: String::new(),
            event: String::new(),
            date: String::new(),
            comments: BTreeMap::new(),
        }
    }

    /// The record as SGF, a move a line where there are comments, else ten.
    #[must_use]
    pub fn to_sgf(&self) -> String {
        let (size, rules) = (self.game.size(), self.game.rules());
        let mut text = "(;FF[4]GM[1]CA[UTF-8]AP[Tengen]".to_owned();
        let sides = match (size.width(), size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width}:{height}"),
        };
        // Writing to a string does not fail.
        let _ = write!(text, "SZ[{sides}]KM[{}]RU[{}]", rules.komi, rules_name(rules));
        for (key, value) in [
            ("PB", &self.black),
            ("PW", &self.white),
            ("RE", &self.result),
            ("EV", &self.event),
            ("DT", &self.date),
        ] {
            if !value.is_empty() {
                let _ = write!(text, "{key}[{}]", escaped(&value.replace(['\n', '\r'], " ")));
            }
        }
        if let Some(start) = self.game.position_at(0) {
            text.push_str(&setup(start));
        }
        let comment = |ply: usize| match self.comments.get(&ply) {
            Some(comment) => format!("C[{}]\n", escaped(comment)),
            None => String::new(),
        };
        text.push_str(&comment(0));
        text.push('\n');
        for (ply, (color, mv)) in self.game.moves().enumerate() {
            let comment = comment(ply + 1);
            let _ = write!(text, ";{}[{}]{comment}", letter(color), point(mv, size));
            if comment.is_empty() && ply % 10 == 9 {
                text.push('\n');
            }
        }
        text.trim_end().to_owned() + ")\n"
    }

    /// Reads the main line of the first game in `text`.
    ///
    /// Taken as they are met: other text around the game, properties of older
    /// versions, `[tt]` as a pass to 19×19, moves after two passes, `6,5` as a
    /// komi, set-up stones in several nodes before the first move.
    ///
    /// # Errors
    /// If it is no game of Go, or one that breaks the rules.
    pub fn read(text: &str, overrides: Overrides) -> Result<Self, SgfError> {
        let text = trimmed(text);
        if text.bytes().filter(|&byte| byte == b';').count() > MOST_NODES {
            return Err(SgfError::TooLong);
        }
        let trees = parse_with_options(text, &ParseOptions::default())
            .map_err(|fault| SgfError::Syntax(fault.to_string()))?;
        let tree = trees.into_iter().next().ok_or(SgfError::NotGo)?;
        let root = tree.into_go_node().map_err(|_| SgfError::NotGo)?;
        let line: Vec<&SgfNode<Prop>> = root.main_variation().collect();
        let mut record =
            Self::new(Game::from_position(begin(&line, overrides)?, rules(&root, overrides)?));
        for node in line {
            for property in node.properties() {
                record.take(property)?;
            }
        }
        Ok(record)
    }

    /// Reads the record in `bytes`: in the charset that a byte order mark or
    /// the property CA names, else as UTF-8 or, where they are none, Latin-1,
    /// the standard's default.
    ///
    /// # Errors
    /// As [`Record::read`].
    pub fn read_bytes(bytes: &[u8], overrides: Overrides) -> Result<Self, SgfError> {
        let utf8 = std::str::from_utf8(bytes).map(|_| encoding_rs::UTF_8);
        let charset = charset(bytes).or(utf8.ok()).unwrap_or(encoding_rs::WINDOWS_1252);
        // Heeds the mark, if there is one.
        Self::read(&charset.decode(bytes).0, overrides)
    }

    fn take(&mut self, property: &Prop) -> Result<(), SgfError> {
        match property {
            Prop::B(mv) => self.take_move(Color::Black, *mv),
            Prop::W(mv) => self.take_move(Color::White, *mv),
            Prop::Invalid(key, values) if key == "B" || key == "W" => {
                let color = if key == "B" { Color::Black } else { Color::White };
                Err(self.no_point(color, values.join("][")))
            }
            Prop::AB(_) | Prop::AW(_) | Prop::AE(_) if self.game.ply() > 0 => {
                Err(SgfError::LateSetup(self.game.moves().len()))
            }
            property => {
                self.take_text(property);
                Ok(())
            }
        }
    }

    fn take_text(&mut self, property: &Prop) {
        match property {
            Prop::PB(name) => told(&mut self.black, &name.text),
            Prop::PW(name) => told(&mut self.white, &name.text),
            Prop::RE(result) => told(&mut self.result, &result.text),
            Prop::EV(event) => told(&mut self.event, &event.text),
            Prop::DT(date) => told(&mut self.date, &date.text),
            Prop::C(comment) => {
                self.comments.insert(self.game.moves().len(), comment.text.clone());
            }
            _ => {}
        }
    }

    fn take_move(&mut self, color: Color, mv: SgfMove) -> Result<(), SgfError> {
        let ply = self.game.moves().len() + 1;
        let mv = match mv {
            SgfMove::Pass | SgfMove::Move(Point { x: 19, y: 19 }) => Move::Pass,
            SgfMove::Move(point) => match vertex(point, self.game.size()) {
                Some(vertex) => Move::Play(vertex),
                None => return Err(self.no_point(color, format!("{}, {}", point.x, point.y))),
            },
        };
        if self.game.end().is_some() {
            self.game.give_turn(color);
        }
        self.game.play(color, mv).map_err(|reason| SgfError::Illegal { ply, color, mv, reason })
    }

    fn no_point(&self, color: Color, text: String) -> SgfError {
        SgfError::Point { ply: self.game.moves().len() + 1, color, text }
    }
}

/// What stands first stays: some servers repeat themselves.
fn told(field: &mut String, text: &str) {
    if field.is_empty() {
        text.trim().clone_into(field);
    }
}

/// The charset that the property CA of the bytes names, if it is one that is
/// known.
fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_property = |&place: &usize| {
        let before = bytes[..place].last();
        bytes[place..].starts_with(b"CA[")
            && before.is_some_and(|&byte| byte.is_ascii_whitespace() || b";]".contains(&byte))
    };
    let label = (0..bytes.len()).find(is_property)? + b"CA[".len();
    let label = bytes[label..].split(|&byte| byte == b']').next()?;
    Encoding::for_label(label)
}

/// The part of `text` from the first game to the last closing parenthesis.
fn trimmed(text: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| text[at + 1..].trim_start().starts_with(';');
    let begin = text.match_indices('(').find(begins).map_or(0, |(at, _)| at);
    let end = text.rfind(')').map_or(text.len(), |at| at + 1);
    if begin < end { &text[begin..end] } else { text }
}

/// The position before the first move of `line`.
fn begin(line: &[&SgfNode<Prop>], overrides: Overrides) -> Result<Board<6>, SgfError> {
    let root = line.first().ok_or(SgfError::NotGo)?;
    let told = size(root)?;
    let size = told.unwrap_or(Size::square(19).map_err(|_| SgfError::Size("19".to_owned()))?);
    match overrides.size {
        Some(wanted) if size != wanted => {
            let other = |told| SgfError::OtherSize(told, wanted);
            return Err(told.map_or(SgfError::NoSize(wanted), other));
        }
        _ => {}
    }
    let mut stones = BTreeMap::<Vertex, Color>::new();
    let mut to_play = None;
    let mut has_handicap = false;
    for property in line.iter().flat_map(|node| node.properties()) {
        match property {
            Prop::B(_) | Prop::W(_) => {
                let first =
                    if matches!(property, Prop::B(_)) { Color::Black } else { Color::White };
                to_play = to_play.or(Some(first));
                break;
            }
            Prop::AB(points) => add(&mut stones, points, Some(Color::Black), size)?,
            Prop::AW(points) => add(&mut stones, points, Some(Color::White), size)?,
            Prop::AE(points) => add(&mut stones, points, None, size)?,
            Prop::PL(sgf_parse::Color::Black) => to_play = Some(Color::Black),
            Prop::PL(sgf_parse::Color::White) => to_play = Some(Color::White),
            Prop::HA(_) => has_handicap = true,
            Prop::Invalid(key, values) if ["AB", "AW", "AE"].contains(&key.as_str()) => {
                return Err(SgfError::SetupPoints(format!("{key}[{}]", values.join("]["))));
            }
            _ => {}
        }
    }
    let of = |color: Color| -> Vec<Vertex> {
        stones.iter().filter(|&(_, &there)| there == color).map(|(&vertex, _)| vertex).collect()
    };
    let handicap = if has_handicap { Color::White } else { Color::Black };
    let to_play = to_play.unwrap_or(handicap);
    Ok(Board::set_up(size, &of(Color::Black), &of(Color::White), to_play)?)
}

fn add(
    stones: &mut BTreeMap<Vertex, Color>,
    points: &HashSet<Point>,
    color: Option<Color>,
    size: Size,
) -> Result<(), SgfError> {
    for &point in points {
        let vertex = vertex(point, size)
            .ok_or_else(|| SgfError::SetupPoints(format!("at {}, {}", point.x, point.y)))?;
        match color {
            Some(color) => stones.insert(vertex, color),
            None => stones.remove(&vertex),
        };
    }
    Ok(())
}

/// What SZ says; none where it is missing, which means 19x19.
fn size(root: &SgfNode<Prop>) -> Result<Option<Size>, SgfError> {
    let told = root.properties().find_map(|property| match property {
        Prop::SZ((width, height)) => {
            let size = Size::new(*width, *height);
            Some(size.map_err(|_| SgfError::Size(format!("{width}:{height}"))))
        }
        Prop::Invalid(key, values) if key == "SZ" => Some(Err(SgfError::Size(values.join("][")))),
        _ => None,
    });
    told.transpose()
}

fn rules(root: &SgfNode<Prop>, overrides: Overrides) -> Result<Rules, SgfError> {
    let told = root.properties().find_map(|property| match property {
        Prop::RU(name) => read_rules(&name.text),
        _ => None,
    });
    let (ko, suicide) = overrides.rules.or(told).unwrap_or(Preset::Simple.ko_and_suicide());
    let komi = match overrides.komi {
        Some(komi) => komi,
        None => komi(root)?,
    };
    Ok(Rules { ko, suicide, komi, max_plies: MOST_PLIES })
}

fn komi(root: &SgfNode<Prop>) -> Result<Komi, SgfError> {
    let text = root.properties().find_map(|property| match property {
        Prop::KM(komi) => Some(komi.to_string()),
        Prop::Invalid(key, values) if key == "KM" => Some(values.join("][")),
        _ => None,
    });
    match text.as_deref().map(str::trim) {
        None | Some("") => Ok(Komi::default()),
        Some(text) => text.replace(',', ".").parse().map_err(|_| SgfError::Komi(text.to_owned())),
    }
}

/// The names that SGF knows for rules of ours.
const RULES: [(&str, Preset); 5] = [
    ("Chinese", Preset::Chinese),
    ("Tromp-Taylor", Preset::TrompTaylor),
    ("AGA", Preset::Aga),
    ("NZ", Preset::NewZealand),
    ("Simple", Preset::Simple),
];

fn rules_name(rules: Rules) -> String {
    let own = (rules.ko, rules.suicide);
    match RULES.iter().find(|(_, preset)| preset.ko_and_suicide() == own) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("ko {} suicide {}", rules.ko, rules.suicide),
    }
}

/// Ko and suicide under a name; none for a name that is not known.
fn read_rules(text: &str) -> Option<(Ko, Suicide)> {
    let text = text.trim();
    let named = |name: &str| text.eq_ignore_ascii_case(name);
    if let Some((_, preset)) = RULES.iter().find(|(name, _)| named(name)) {
        return Some(preset.ko_and_suicide());
    }
    if named("Japanese") || named("Korean") {
        return Some(Preset::Simple.ko_and_suicide());
    }
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["ko", ko, "suicide", suicide] => Some((ko.parse().ok()?, suicide.parse().ok()?)),
        _ => text.parse::<Preset>().ok().map(Preset::ko_and_suicide),
    }
}

fn setup(start: &Board<6>) -> String {
    let mut text = String::new();
    for (key, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let on = |vertex: &Vertex| start.at(*vertex) == Some(color);
        for (number, vertex) in Vertex::all(start.size()).filter(on).enumerate() {
            let key = if number == 0 { key } else { "" };
            let _ = write!(text, "{key}[{}]", point(Move::Play(vertex), start.size()));
        }
    }
    if !text.is_empty() || start.to_play() == Color::White {
        let _ = write!(text, "PL[{}]", letter(start.to_play()));
    }
    text
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A move as SGF writes it: column and row from the top left, `a` first.
fn point(mv: Move, size: Size) -> String {
    match mv {
        Move::Pass => String::new(),
        Move::Play(Vertex { col, row }) => {
            #[allow(clippy::cast_possible_truncation)] // sides are at most 19
            let from_top = size.height() as u8 - 1 - row;
            [col, from_top].map(|place| char::from(b'a' + place)).iter().collect()
        }
    }
}

fn vertex(point: Point, size: Size) -> Option<Vertex> {
    let row = size.height().checked_sub(usize::from(point.y) + 1)?;
    let vertex = Vertex::new(point.x, u8::try_from(row).ok()?);
    vertex.is_on(size).then_some(vertex)
}

/// `text` with what would end it escaped, without control characters but line
/// breaks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| c == '\n' || !c.is_control()) {
        if matches!(c, '\\' | ']') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
