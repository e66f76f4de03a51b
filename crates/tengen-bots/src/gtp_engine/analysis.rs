//! Searches that report while they go on, as Leela Zero and KataGo do.

use super::arguments::{self, Words};
use super::live::Live;
use super::play::Wanted;
use super::refusal::Refusal;
use super::report::{self, Style};
use super::status::Ownership;
use super::{Commands, Engine};
use crate::{BotFailure, LiveMove, LiveSearch, LiveView, MoveAnswer};
use std::time::{Duration, Instant};
use tengen_go::{Color, Game, Move};

pub const COMMANDS: Commands = &[
    ("lz-analyze", |engine, words, live| engine.analyze(Style::Lz, words, live)),
    ("kata-analyze", |engine, words, live| engine.analyze(Style::Kata, words, live)),
    ("lz-genmove_analyze", |engine, words, live| engine.genmove_analyze(Style::Lz, words, live)),
    ("kata-genmove_analyze", |engine, words, live| {
        engine.genmove_analyze(Style::Kata, words, live)
    }),
    ("cgos-genmove_analyze", |engine, words, live| {
        engine.genmove_analyze(Style::Cgos, words, live)
    }),
];

/// The interval of reports unless it is told.
const INTERVAL: Duration = Duration::from_millis(500);

/// The shortest interval of reports.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

/// What is asked of an analysis.
struct Request {
    color: Option<Color>,
    interval: Duration,
    max_moves: usize,
    /// Moves that are left out, by player.
    avoid: Vec<(Color, Move)>,
    /// Moves to which the reports are limited, by player; none if there are no
    /// limits.
    allow: Vec<(Color, Move)>,
    has_ownership: bool,
    has_root: bool,
}

impl Request {
    /// Reads `[COLOR] [INTERVAL] [KEY VALUE]…`. The client of CGOS asks for nothing and
    /// takes all.
    fn read(style: Style, words: Words<'_>) -> Result<Self, Refusal> {
        let mut request = Self {
            color: None,
            interval: INTERVAL,
            max_moves: usize::MAX,
            avoid: Vec::new(),
            allow: Vec::new(),
            has_ownership: style == Style::Cgos,
            has_root: style == Style::Cgos,
        };
        let mut words = words.iter().copied().peekable();
        if let Some(color) = words.peek().and_then(|word| word.parse().ok()) {
            request.color = Some(color);
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| word.parse::<u32>().ok()) {
            request.interval = centiseconds(interval);
            words.next();
        }
        while let Some(key) = words.next() {
            let mut value = |thing: &str| {
                let missing = || Refusal::syntax(format!("`{key}` needs {thing}"));
                words.next().ok_or_else(missing)
            };
            let number = |text: &str| {
                let number = text.parse::<u32>();
                let invalid = || format!("invalid {key} `{text}`: expected a whole number");
                number.map_err(|_| Refusal::syntax(invalid()))
            };
            match key {
                "interval" => request.interval = centiseconds(number(value("centiseconds")?)?),
                // Moves without visits have nothing to be told.
                "minmoves" => drop(number(value("a number")?)?),
                "maxmoves" => request.max_moves = number(value("a number")?)? as usize,
                "ownership" => request.has_ownership = value("true or false")? == "true",
                "rootInfo" => request.has_root = value("true or false")? == "true",
                "pvVisits"
                | "pvEdgeVisits"
                | "movesOwnership"
                | "ownershipStdev"
                | "movesOwnershipStdev"
                | "noResultValue" => drop(value("true or false")?),
                "avoid" | "allow" => {
                    let color = arguments::value(value("a colour")?)?;
                    for text in value("vertices")?.split(',') {
                        let mv = arguments::value(text)?;
                        let list =
                            if key == "avoid" { &mut request.avoid } else { &mut request.allow };
                        list.push((color, mv));
                    }
                    number(value("a number of moves")?)?;
                }
                _ => {
                    let known = "interval, maxmoves, ownership, rootInfo, avoid or allow";
                    let why = format!("unknown option `{key}`: expected such as {known}");
                    return Err(Refusal::syntax(why));
                }
            }
        }
        Ok(request)
    }

    /// Whether a move of `color` is reported.
    fn wants(&self, color: Color, mv: Move) -> bool {
        let mut allowed = self.allow.iter().filter(|(of, _)| *of == color).peekable();
        let is_allowed = allowed.peek().is_none() || allowed.any(|(_, allowed)| *allowed == mv);
        is_allowed && !self.avoid.contains(&(color, mv))
    }
}

fn centiseconds(count: u32) -> Duration {
    Duration::from_millis(10 * u64::from(count)).max(LEAST_INTERVAL)
}

impl Engine<'_> {
    /// Searches and reports until the next line of input is there.
    fn analyze(
        &mut self,
        style: Style,
        words: Words<'_>,
        live: &mut Live<'_>,
    ) -> Result<String, Refusal> {
        let request = Request::read(style, words)?;
        let mut game = self.game.clone();
        let color = request.color.unwrap_or(game.to_play());
        if game.to_play() != color || game.end().is_some() {
            game.give_turn(color);
        }
        let mut search = LiveSearch::analysis(&self.config, self.game_seed(), &game, self.pool)
            .map_err(|fault| Refusal::new(fault.to_string()))?;
        let ownership = self.ownership_of(&request, &game);
        live.begin();
        let mut has_reported = false;
        loop {
            let slice_end = Instant::now() + request.interval;
            let incoming = live.incoming();
            let should_stop = || incoming.is_waiting() || Instant::now() >= slice_end;
            if search.advance(None, &should_stop).is_err() {
                break;
            }
            // A search may end by itself where all is proved.
            while !should_stop() {
                std::thread::sleep(LEAST_INTERVAL);
            }
            let Some(found) = search.view() else { break };
            if !has_reported || !live.is_interrupted() {
                live.line(&line(style, &request, &game, &found, ownership.as_ref()));
                has_reported = true;
            }
            self.report = Some(found.report);
            if live.is_interrupted() {
                break;
            }
        }
        Ok(String::new())
    }

    fn ownership_of(&self, request: &Request, game: &Game) -> Option<Ownership> {
        request.has_ownership.then(|| Ownership::of(game, self.seed))
    }

    /// Finds a move as `genmove` does, with reports of the search.
    fn genmove_analyze(
        &mut self,
        style: Style,
        words: Words<'_>,
        live: &mut Live<'_>,
    ) -> Result<String, Refusal> {
        let began = Instant::now();
        let request = Request::read(style, words)?;
        let color = request.color.unwrap_or(self.game.to_play());
        let asked = self.asked(color)?;
        let time = self.time_for(color);
        let answer = self.search_move(style, &request, &asked, time, live)?;
        let mv = self.finish_move(asked, &answer, Wanted::Move)?;
        self.finish_time(color, time, began);
        live.line(&format!("play {mv}"));
        Ok(String::new())
    }

    /// The move of the bot within its budget, or within `time`, with reports of its search.
    fn search_move(
        &mut self,
        style: Style,
        request: &Request,
        asked: &Game,
        time: Option<Duration>,
        live: &mut Live<'_>,
    ) -> Result<MoveAnswer, Refusal> {
        let refused = |failure: BotFailure| Refusal::new(failure.to_string());
        self.player(time);
        let Some(bot) = self.bot.take() else { return Err(Refusal::new("the bot is missing")) };
        let mut search =
            match LiveMove::begin(bot, &self.made, asked, self.pool).map_err(refused)? {
                LiveMove::Decided(answer, bot) => {
                    self.bot = Some(bot);
                    return Ok(answer);
                }
                LiveMove::Searching(search) => search,
            };
        let ownership = self.ownership_of(request, asked);
        while !search.is_over() {
            let slice_end = Instant::now() + request.interval;
            search.advance(None, &|| Instant::now() >= slice_end).map_err(refused)?;
            if let Some(found) = search.view() {
                live.line(&line(style, request, asked, &found, ownership.as_ref()));
            }
        }
        let (answer, bot) = search.finish();
        self.bot = Some(bot);
        answer.map_err(refused)
    }
}

/// A report of the moves that are wanted.
fn line(
    style: Style,
    request: &Request,
    game: &Game,
    found: &LiveView<'_>,
    ownership: Option<&Ownership>,
) -> String {
    let color = found.report.to_play;
    let moves: Vec<report::Row> = found
        .report
        .moves
        .iter()
        .filter(|root_move| request.wants(color, root_move.mv))
        .take(request.max_moves)
        .map(|root_move| report::Row::new(root_move, color, found.variation(root_move.mv)))
        .collect();
    let candidates = game.legal_points().count() + 1;
    let ownership = ownership.map(|ownership| from_top(game, color, ownership));
    let root = request.has_root.then(|| report::Root::new(&found.report));
    report::write(style, &moves, candidates, root.as_ref(), ownership.as_deref())
}

/// The ownership of the points from the top left, for `color`.
fn from_top(game: &Game, color: Color, ownership: &Ownership) -> Vec<f64> {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let rows: Vec<&[f64]> = ownership.points().chunks(game.size().width()).collect();
    rows.into_iter().rev().flatten().map(|share| sign * share).collect()
}
