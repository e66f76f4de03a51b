//! Searches that report while they go on, as Leela Zero and KataGo do.

use super::arguments::{self, Words};
use super::live::Live;
use super::play::Wanted;
use super::refusal::Refusal;
use super::report::{Report, Style};
use super::{Commands, Engine};
use crate::{BotFailure, LiveMove, LiveSearch, MoveAnswer, OWNERSHIP_PLAYOUTS, sample};
use std::time::{Duration, Instant};
use tengen_go::{Color, Game, Move};
use tengen_playout::Sample;
use tengen_search::SearchReport;

pub const COMMANDS: Commands = &[
    ("lz-analyze", usize::MAX, |engine, words, live| {
        engine.analyze(&Request::read(Style::Lz, words)?, live)
    }),
    ("kata-analyze", usize::MAX, |engine, words, live| {
        engine.analyze(&Request::read(Style::Kata, words)?, live)
    }),
    ("lz-genmove_analyze", usize::MAX, |engine, words, live| {
        engine.genmove_analyze(&Request::read(Style::Lz, words)?, live)
    }),
    ("kata-genmove_analyze", usize::MAX, |engine, words, live| {
        engine.genmove_analyze(&Request::read(Style::Kata, words)?, live)
    }),
    ("cgos-genmove_analyze", usize::MAX, |engine, words, live| {
        engine.genmove_analyze(&Request::read(Style::Cgos, words)?, live)
    }),
];

/// The default interval of reports.
const INTERVAL: Duration = Duration::from_millis(500);

/// The shortest interval of reports.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

/// The request for an analysis.
struct Request {
    style: Style,
    color: Option<Color>,
    interval: Duration,
    max_moves: usize,
    /// Moves that are left out, by player.
    avoid: Vec<(Color, Move)>,
    /// Moves to which the reports are limited, by player; empty if they are not limited.
    allow: Vec<(Color, Move)>,
    has_ownership: bool,
    has_root: bool,
}

impl Request {
    /// Reads `[COLOR] [INTERVAL] [KEY VALUE]…`. The client of CGOS sends no keys and gets ownership
    /// and root.
    fn read(style: Style, words: Words<'_>) -> Result<Self, Refusal> {
        let mut request = Self {
            style,
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
                let invalid = |_| format!("invalid {key} `{text}`: expected a whole number");
                text.parse::<u32>().map_err(|fault| Refusal::syntax(invalid(fault)))
            };
            match key {
                "interval" => request.interval = centiseconds(number(value("centiseconds")?)?),
                // Ignored: a move without visits has nothing to report.
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
                    let why = format!("unknown option `{key}`: expected, for example, {known}");
                    return Err(Refusal::syntax(why));
                }
            }
        }
        Ok(request)
    }

    /// A report of the moves that are wanted.
    fn report(&self, game: &Game, found: &SearchReport, ownership: Option<&Sample>) -> String {
        let color = found.to_play;
        let wanted = found.moves.iter().filter(|root_move| self.wants(color, root_move.mv));
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        Report {
            to_play: color,
            moves: wanted.take(self.max_moves).collect(),
            equal_prior: 1.0 / f64::from(game.legal_points().count() + 1),
            root: self.has_root.then_some(found),
            ownership: ownership.map(|sample| {
                sample.ownership_from_top().into_iter().map(|share| sign * share).collect()
            }),
        }
        .write(self.style)
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
    /// The owners of the points of the last position of `game`, by playouts of the bot.
    pub(super) fn ownership(&self, game: &Game) -> Sample {
        sample(&self.config, game, self.seed, OWNERSHIP_PLAYOUTS)
    }

    /// Searches and reports until the next line of input arrives.
    fn analyze(&mut self, request: &Request, live: &mut Live<'_>) -> Result<String, Refusal> {
        let game = self.with_turn(request.color.unwrap_or(self.game.to_play()));
        let mut search = LiveSearch::analysis(&self.config, self.game_seed(), &game, self.pool)
            .map_err(|fault| Refusal::new(fault.to_string()))?;
        let ownership = request.has_ownership.then(|| self.ownership(&game));
        live.begin();
        let mut has_reported = false;
        loop {
            let slice_end = Instant::now() + request.interval;
            let incoming = live.incoming();
            let should_stop = || incoming.is_waiting() || Instant::now() >= slice_end;
            if let Err(failure) = search.advance(None, &should_stop) {
                // The answer has begun and cannot be an error any more.
                self.notes.push(failure.to_string());
                break;
            }
            // A search may end by itself when all is proved.
            while !should_stop() {
                std::thread::sleep(LEAST_INTERVAL);
            }
            let Some(found) = search.report() else { break };
            if !has_reported || !live.is_interrupted() {
                live.line(&request.report(&game, &found, ownership.as_ref()));
                has_reported = true;
            }
            self.report = Some(found);
            if live.is_interrupted() {
                break;
            }
        }
        Ok(String::new())
    }

    /// Finds a move as `genmove` does, with reports of the search.
    fn genmove_analyze(
        &mut self,
        request: &Request,
        live: &mut Live<'_>,
    ) -> Result<String, Refusal> {
        let color = request.color.unwrap_or(self.game.to_play());
        let mv = self.choose(color, Wanted::Move, |engine, asked, time| {
            engine.search_move(request, asked, time, live)
        })?;
        live.line(&format!("play {mv}"));
        Ok(String::new())
    }

    /// The move of the bot within its budget, or within `time`, with reports of its search.
    fn search_move(
        &mut self,
        request: &Request,
        asked: &Game,
        time: Option<Duration>,
        live: &mut Live<'_>,
    ) -> Result<MoveAnswer, BotFailure> {
        let bot = self.take_player(time);
        let mut search = match LiveMove::begin(bot, &self.made, asked, self.pool)? {
            LiveMove::Decided(answer, bot) => {
                self.bot = Some(bot);
                if let Some(found) = &answer.report {
                    let ownership = request.has_ownership.then(|| self.ownership(asked));
                    live.line(&request.report(asked, found, ownership.as_ref()));
                }
                return Ok(answer);
            }
            LiveMove::Searching(search) => search,
        };
        let ownership = request.has_ownership.then(|| self.ownership(asked));
        while !search.is_over() {
            let slice_end = Instant::now() + request.interval;
            search.advance(None, &|| Instant::now() >= slice_end)?;
            if let Some(found) = search.report() {
                live.line(&request.report(asked, &found, ownership.as_ref()));
            }
        }
        let (answer, bot) = search.finish();
        self.bot = Some(bot);
        answer
    }
}
