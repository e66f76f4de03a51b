//! Searches that report while they go on, as Leela Zero and KataGo do.

use super::arguments::Words;
use super::live::Live;
use super::play::Wanted;
use super::refusal::Refusal;
use super::report::{self, Style};
use super::status::Ownership;
use super::{Commands, Engine};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_bots::{BotConfig, LiveSearch, MoveAnswer};
use tengen_go::{Color, Game, Move};
use tengen_search::SearchReport;

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
}

impl Request {
    /// Reads `[COLOR] [INTERVAL] [KEY VALUE]…`.
    fn read(words: Words<'_>) -> Result<Self, Refusal> {
        let mut request = Self {
            color: None,
            interval: INTERVAL,
            max_moves: usize::MAX,
            avoid: Vec::new(),
            allow: Vec::new(),
            has_ownership: false,
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
                number.map_err(|_| Refusal::syntax(format!("`{text}` is no whole number")))
            };
            match key {
                "interval" => request.interval = centiseconds(number(value("centiseconds")?)?),
                // Moves without visits have nothing to be told.
                "minmoves" => drop(number(value("a number")?)?),
                "maxmoves" => request.max_moves = number(value("a number")?)? as usize,
                "ownership" => request.has_ownership = value("true or false")? == "true",
                "rootInfo"
                | "pvVisits"
                | "pvEdgeVisits"
                | "movesOwnership"
                | "ownershipStdev"
                | "movesOwnershipStdev" => drop(value("true or false")?),
                "avoid" | "allow" => {
                    let color = value("a color")?;
                    let color = color
                        .parse()
                        .map_err(|_| Refusal::syntax(format!("`{color}` is no color")))?;
                    for text in value("vertices")?.split(',') {
                        let mv = text
                            .parse()
                            .map_err(|_| Refusal::syntax(format!("`{text}` is no vertex")))?;
                        let list =
                            if key == "avoid" { &mut request.avoid } else { &mut request.allow };
                        list.push((color, mv));
                    }
                    number(value("a number of moves")?)?;
                }
                _ => return Err(Refusal::syntax(format!("`{key}` is no option"))),
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

impl<'pool> Engine<'pool> {
    /// A search of `game` by the bot; none for a bot that does not search.
    fn live_search(&self, bot: &BotConfig, game: &Game) -> Option<LiveSearch<'pool>> {
        let BotConfig::Uct(config) = bot else { return None };
        let seed = tengen_go::seed::mix(self.game_seed(), u64::from(game.ply()));
        Some(LiveSearch::new(config, seed, self.pool, game))
    }

    /// Searches and reports until the next line of input is there.
    fn analyze(
        &mut self,
        style: Style,
        words: Words<'_>,
        live: &mut Live<'_>,
    ) -> Result<String, Refusal> {
        let request = Request::read(words)?;
        let mut game = self.game.clone();
        let color = request.color.unwrap_or(game.to_play());
        if game.to_play() != color || game.end().is_some() {
            game.give_turn(color);
        }
        let mut search = self.live_search(&self.config, &game).ok_or_else(|| {
            Refusal::new(format!("{} makes no search: analysis needs uct", self.config))
        })?;
        let ownership = self.ownership_of(&request, &game);
        live.begin();
        let mut has_reported = false;
        loop {
            let slice_end = Instant::now() + request.interval;
            let incoming = live.incoming();
            let should_stop = || incoming.is_waiting() || Instant::now() >= slice_end;
            let Ok(found) = search.advance(None, &should_stop) else { break };
            // A search may end by itself where all is proved.
            while !should_stop() {
                std::thread::sleep(LEAST_INTERVAL);
            }
            if !has_reported || !live.is_interrupted() {
                live.line(&line(style, &request, &search, &found, ownership.as_ref()));
                has_reported = true;
            }
            self.report = Some(found);
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
        let request = Request::read(words)?;
        let color = request.color.unwrap_or(self.game.to_play());
        let asked = self.asked(color)?;
        let time = self.time_for(color);
        let answer = match self.live_search(&self.playing(time), &asked) {
            None => {
                let found = self.player(time).genmove(&asked);
                found.map_err(|failure| Refusal::new(failure.to_string()))?
            }
            Some(search) => self.search_move(style, &request, search, began, time, live)?,
        };
        let mv = self.finish_move(asked, &answer, Wanted::Move)?;
        self.clocks.spend(color, began.elapsed());
        live.line(&format!("play {mv}"));
        Ok(String::new())
    }

    /// Searches within the budget of the bot, or within `time`.
    fn search_move(
        &self,
        style: Style,
        request: &Request,
        mut search: LiveSearch<'pool>,
        began: Instant,
        time: Option<Duration>,
        live: &mut Live<'_>,
    ) -> Result<MoveAnswer, Refusal> {
        if let Some(pass) = search.without_search() {
            return Ok(pass);
        }
        let budget = search.budget(time);
        let deadline = budget.seconds.map(|seconds| began + Duration::from_secs_f64(seconds));
        let ownership = self.ownership_of(request, search.game());
        loop {
            let slice_end = Instant::now() + request.interval;
            let slice_end = deadline.map_or(slice_end, |deadline| deadline.min(slice_end));
            let was_late = AtomicBool::new(false);
            let should_stop = || {
                let should_stop = Instant::now() >= slice_end;
                was_late.fetch_or(should_stop, Ordering::Relaxed);
                should_stop
            };
            let found = search.advance(budget.playouts, &should_stop);
            let found = found.map_err(|failure| Refusal::new(failure.to_string()))?;
            live.line(&line(style, request, &search, &found, ownership.as_ref()));
            let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let is_enough = budget.playouts.is_some_and(|most| search.simulations() >= most);
            if is_over || is_enough || !was_late.into_inner() {
                let decision = search.decision(&found);
                let playouts = Some(found.simulations);
                return Ok(MoveAnswer { decision, playouts, report: Some(found) });
            }
        }
    }
}

/// A report of the moves that are wanted.
fn line(
    style: Style,
    request: &Request,
    search: &LiveSearch<'_>,
    found: &SearchReport,
    ownership: Option<&Ownership>,
) -> String {
    let color = found.to_play;
    let moves: Vec<report::Row> = found
        .moves
        .iter()
        .filter(|root_move| request.wants(color, root_move.mv))
        .take(request.max_moves)
        .map(|root_move| report::Row::new(root_move, search.variation(root_move.mv)))
        .collect();
    let game = search.game();
    let candidates = game.legal_points().count() + 1;
    let ownership = ownership.map(|ownership| from_top(game, color, ownership));
    report::write(style, &moves, candidates, ownership.as_deref())
}

/// The ownership of the points from the top left, for `color`.
fn from_top(game: &Game, color: Color, ownership: &Ownership) -> Vec<f64> {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let rows: Vec<&[f64]> = ownership.points().chunks(game.size().width()).collect();
    rows.into_iter().rev().flatten().map(|share| sign * share).collect()
}
