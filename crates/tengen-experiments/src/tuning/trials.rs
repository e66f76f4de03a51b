//! The trials of a run: which games they are made of, and what is known of them.

use crate::tournament::{GamePlan, GameRow, Next, PlannedGame, Schedule};
use crate::tuning::tuning_run::Tuning;
use std::collections::{BTreeMap, VecDeque};
use tengen_bots::NamedBot;
use tengen_go::Color;
use tengen_optimize::trial::{Estimate, Score, Trial};
use tengen_optimize::tuner::{self, Tuner};
use tengen_stats::Outcome;

/// The first estimate is made after this many trials.
const FIRST: usize = 4;

/// The estimate of a tuner after some of its games.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateAt {
    /// Number of games whose scores the tuner had been told.
    pub games: usize,
    /// The estimate.
    pub estimate: Estimate,
}

/// The trials that were asked for, in order: games 2n and 2n + 1 are trial n, a
/// colour-swapped pair.
pub struct Trials<'run> {
    tuning: &'run Tuning,
    tuner: Tuner,
    schedule: Schedule,
    /// How many were asked for.
    asked: usize,
    /// Games to be played.
    due: VecDeque<PlannedGame>,
    /// Games of an earlier sitting that no trial has asked for yet.
    earlier: BTreeMap<usize, GameRow>,
    /// The score of the first side in trials of which one game is over.
    half: BTreeMap<usize, Score>,
    estimates: Vec<EstimateAt>,
    next_estimate: usize,
    /// A game of the journal that does not belong to this run.
    stranger: Option<usize>,
    /// Whether the method wants no more trials.
    is_over: bool,
}

impl<'run> Trials<'run> {
    pub fn new(tuning: &'run Tuning, earlier: BTreeMap<usize, GameRow>) -> Self {
        Self {
            tuning,
            tuner: tuning.tuner(),
            schedule: tuning.tournament.schedule(),
            asked: 0,
            due: VecDeque::new(),
            earlier,
            half: BTreeMap::new(),
            estimates: Vec::new(),
            next_estimate: FIRST,
            stranger: None,
            is_over: false,
        }
    }

    /// The next game that is not played yet.
    pub fn next_game(&mut self) -> Next {
        while self.stranger.is_none() {
            if let Some(planned) = self.due.pop_front() {
                return Next::Game(Box::new(planned));
            }
            match self.tuner.next_trial() {
                tuner::Next::Play(number, trial) => self.begin(number, &trial),
                tuner::Next::Wait => return Next::Later,
                tuner::Next::Done => {
                    self.is_over = true;
                    break;
                }
            }
        }
        Next::Done
    }

    /// Plans the games of a trial, and takes games of an earlier sitting. Makes estimates too: only
    /// here is the state of the tuner the same in every run.
    fn begin(&mut self, number: usize, trial: &Trial) {
        let told = self.tuner.samples().len();
        if told >= self.next_estimate {
            self.next_estimate = told + 1 + told / 5;
            let estimate = self.tuner.method().estimate();
            self.estimates.push(EstimateAt { games: 2 * told, estimate });
        }
        let planned = [0, 1].map(|half| self.planned(number, half, trial));
        self.asked += 1;
        for planned in planned {
            match self.earlier.remove(&planned.plan.game) {
                None => self.due.push_back(planned),
                Some(row) if is_of(&row, &planned) => self.take(&row),
                Some(row) => self.stranger = Some(row.game),
            }
        }
    }

    /// The game `half`, 0 or 1, of the trial `number`.
    fn planned(&self, number: usize, half: usize, trial: &Trial) -> PlannedGame {
        let plan = self.schedule.plan(2 * trial.opening + half);
        let plan = GamePlan { game: 2 * number + half, pair: number, ..plan };
        let sides = self.sides(trial);
        let bots = Color::BOTH.map(|color| sides[plan.bot(color)].clone());
        PlannedGame { plan, bots, keeps_searches: false }
    }

    /// The bots of a trial: its first side, then the other.
    fn sides(&self, trial: &Trial) -> [NamedBot; 2] {
        let candidate = &self.tuning.candidate;
        let second = match (&trial.second, &self.tuning.opponent) {
            (Some(point), _) => candidate.at(point),
            (None, Some(opponent)) => opponent.clone(),
            (None, None) => self.tuning.tournament.bots[0].clone(),
        };
        [candidate.at(&trial.first), second]
    }

    /// Takes a finished game.
    pub fn take(&mut self, row: &GameRow) {
        let number = row.game / 2;
        let mut score = match row.of_first() {
            Some(Outcome::Win) => Score::of_game(true),
            Some(Outcome::Loss) => Score::of_game(false),
            Some(Outcome::Draw) => Score { wins: 0.5, losses: 0.5 },
            None => Score::default(),
        };
        match self.half.remove(&number) {
            None => {
                self.half.insert(number, score);
            }
            Some(other) => {
                score += other;
                self.tuner.tell(number, score);
            }
        }
    }

    /// Makes the estimate from all games, once no more will be played.
    pub fn settle(&mut self) {
        self.tuner.settle();
        let games = 2 * self.tuner.samples().len();
        if games > 0 && self.estimates.last().is_none_or(|last| last.games < games) {
            let estimate = self.tuner.method().estimate();
            self.estimates.push(EstimateAt { games, estimate });
        }
    }

    /// The estimates so far, after more and more games.
    pub fn estimates(&self) -> &[EstimateAt] {
        &self.estimates
    }

    pub const fn tuner(&self) -> &Tuner {
        &self.tuner
    }

    /// A game of the journal that no trial of this run asks for: when all trials are known, every
    /// game left over is one.
    pub fn stranger(&self) -> Option<usize> {
        let left = self.earlier.keys().next().copied().filter(|_| self.is_over);
        self.stranger.or(left)
    }

    /// Whether every trial that the method wants has been played.
    pub fn is_complete(&self) -> bool {
        self.is_over && self.tuner.samples().len() == self.asked
    }
}

/// Whether `row` is the game `planned`.
pub fn is_of(row: &GameRow, planned: &PlannedGame) -> bool {
    let plays = |color: Color, name: &str| planned.bots[color.index()].is_called(name);
    (row.pair, row.seed) == (planned.plan.pair, planned.plan.seed)
        && plays(Color::Black, &row.black)
        && plays(Color::White, &row.white)
}
