//! Searches, playouts and runs.

use crate::{limits, put, question};
use std::cell::{Cell, RefCell};
use tengen_go::{Board, Size, with_words};
use tengen_playout::lanes::{Lanes, Ticket};
use tengen_playout::{Isa, Job};
use tengen_web::page::{self, Offers, Refusal, Thinking, deep_answer, read_question};
use tengen_web::runs::LoadedRun;

/// Searches at once: two are compared.
const SEARCHES: usize = 2;

thread_local! {
    static THINKING: RefCell<[Option<Thinking>; SEARCHES]> =
        const { RefCell::new([const { None }; SEARCHES]) };
    static RUN: RefCell<Option<LoadedRun>> = const { RefCell::new(None) };
    static SECONDS: Cell<f64> = const { Cell::new(0.0) };
}

/// The answer to the question `name`.
pub fn answer(name: &str, json: &str) -> Result<Option<String>, Refusal> {
    let (offers, limits) = (Offers::default(), limits());
    match deep_answer(name, json, &offers, &limits, &|| false)? {
        None => page::answer(name, json, &offers, &limits),
        deep => Ok(deep),
    }
}

/// Loads a run, which takes the place of the one before: the settings as TOML, a byte 0, the rows of
/// its games as CSV.
#[unsafe(no_mangle)]
pub extern "C" fn load_run() -> u32 {
    put(question().and_then(|text| {
        let (config, games) = text.split_once('\0').unwrap_or((&text, ""));
        RUN.set(Some(LoadedRun::read(config, games.as_bytes())?));
        Ok(String::new())
    }))
}

/// Answers a question about the loaded run: its name, a line break, its JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ask_run() -> u32 {
    put(question().and_then(|text| {
        let (name, json) = text.split_once('\n').unwrap_or((&text, ""));
        RUN.with_borrow(|run| {
            let run = run.as_ref().ok_or_else(|| Refusal::new("no run is loaded"))?;
            let answer = run.answer(name, json, &limits())?;
            answer.ok_or_else(|| Refusal::new(format!("unknown question `{name}`")))
        })
    }))
}

/// Begins the search number `slot`, which ends the one that had that number.
#[unsafe(no_mangle)]
pub extern "C" fn think(slot: usize) -> u32 {
    put(question().and_then(|text| {
        let request = read_question(&text)?;
        let thinking = Thinking::begin(&request, &Offers::default(), &limits())?;
        THINKING.with_borrow_mut(|all| match all.get_mut(slot) {
            Some(place) => {
                *place = Some(thinking);
                Ok(String::new())
            }
            None => Err(Refusal::new(format!("invalid search {slot}: expected 0 or 1"))),
        })
    }))
}

/// Searches on for `simulations`; `seconds` have gone by since the search began.
#[unsafe(no_mangle)]
pub extern "C" fn advance(slot: usize, simulations: u32, seconds: f64) -> u32 {
    SECONDS.set(seconds);
    put(THINKING.with_borrow_mut(|all| {
        let place = all.get_mut(slot).and_then(Option::as_mut);
        let thinking = place.ok_or_else(|| {
            Refusal::new(format!("unknown search {slot}: expected one that has begun"))
        })?;
        let update = thinking.advance(simulations.into(), &|| SECONDS.get(), &|| false)?;
        serde_json::to_string(&update).map_err(Refusal::new)
    }))
}

/// Ends the search number `slot` and frees its memory.
#[unsafe(no_mangle)]
pub extern "C" fn stop(slot: usize) {
    THINKING.with_borrow_mut(|all| {
        if let Some(place) = all.get_mut(slot) {
            *place = None;
        }
    });
}

/// Plays `count` uniform playouts from the empty square board of side `side`, many side by
/// side; returns how many Black won without komi. The caller measures the time.
#[unsafe(no_mangle)]
pub extern "C" fn playouts(side: u8, count: u32) -> u32 {
    let Ok(size) = Size::square(side) else { return 0 };
    with_words!(size, W => {
        let mut lanes = Lanes::<W>::new(size, Isa::Baseline);
        let mut seeds = 0..u64::from(count);
        let mut wins = 0;
        lanes.run(
            || seeds.next().map(|seed| (Ticket(seed), Job { start: Board::new(size), seed })),
            |_, playout| wins += u32::from(playout.score.half_points() > 0),
        );
        wins
    })
}
