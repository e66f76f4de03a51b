//! The host of the searches of many positions, each by one bot.

use super::answers::Pausing;
use super::found::Found;
use crate::interrupt::EVERY;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tengen::go::Game;
use tengen::search::driver::{Ended, Host};
use tengen::search::shared::SharedSearch;
use tengen::search::{AnySearch, SearchResult, SearchView, UctConfig};
use tengen::seed::mix;

pub struct Work<'a> {
    pub games: Vec<&'a Game>,
    /// The seed of the bot of each game.
    pub seeds: Vec<u64>,
    pub config: &'a UctConfig,
    pub with_trees: bool,
}

impl Work<'_> {
    /// The seed of the search of the game of this number: its bot's seed for the ply.
    fn seed(&self, number: usize) -> u64 {
        mix(self.seeds[number], u64::from(self.games[number].ply()))
    }
}

/// The searches of the positions of a range.
pub struct Many<'a> {
    work: &'a Work<'a>,
    waiting: Range<usize>,
    /// By slot: the number of the position, and its search.
    current: Vec<Option<(usize, SharedSearch)>>,
    /// What has been found, with the numbers of the positions.
    pub found: Vec<(usize, Found)>,
    stop: &'a AtomicBool,
    /// When the next pause is due, for searches that pause.
    pause: Option<Instant>,
}

impl<'a> Many<'a> {
    /// The searches of the positions of `range` in so many `slots`, until `stop`.
    pub fn new(
        work: &'a Work<'a>,
        range: Range<usize>,
        slots: usize,
        stop: &'a AtomicBool,
    ) -> Self {
        let current = (0..slots).map(|_| None).collect();
        Self { work, waiting: range, current, found: Vec::new(), stop, pause: None }
    }

    /// Keeps what the search of the position `number` has found.
    fn end(&mut self, number: usize, search: SharedSearch) {
        let results = search.into_results();
        let views: Vec<SearchView<'_>> = results.iter().map(SearchResult::view).collect();
        let work = self.work;
        let seed = work.seed(number);
        let found = Found::of(work.games[number], work.config, seed, &views, work.with_trees);
        self.found.push((number, found));
    }
}

impl Host for Many<'_> {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        if let (Some(ended), Some((_, search))) = (ended, &mut self.current[slot]) {
            search.end_round(ended.searches.into_iter().map(AnySearch::report).collect());
        }
        loop {
            if let Some((number, mut search)) = self.current[slot].take() {
                let round = search.next_round(self.work.games[number]);
                if round.is_some() {
                    self.current[slot] = Some((number, search));
                    return round;
                }
                self.end(number, search);
            }
            let number = self.waiting.next()?;
            let search = SharedSearch::new(self.work.config, self.work.seed(number), Vec::new());
            self.current[slot] = Some((number, search));
        }
    }

    fn should_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.pause.is_some_and(|pause| Instant::now() >= pause)
    }
}

impl Pausing for Many<'_> {
    fn go_on(&mut self) {
        self.pause = Some(Instant::now() + EVERY);
    }
}
