//! Workers and a dispatcher that work through the chunks of a tournament, as events on
//! virtual time.

use super::agenda::Agenda;
use super::progress::{Progress, advance};
use super::settings::{Jobs, Settings, Workers};
use super::worker::Worker;
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use tengen_go::seed::mix;
use tengen_tournament::open_games;

/// What the cores of the workers did while the workers were there, in seconds of work at
/// speed 1: a second of a worker of speed 2 counts 2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Games that are kept.
    pub useful: f64,
    /// Games that were not finished when their job ended.
    pub lost: f64,
    /// Jobs that start.
    pub starting: f64,
    /// Workers that wait for the dispatcher.
    pub dispatch: f64,
    /// Stalls.
    pub stalled: f64,
    /// Workers for which no chunk is left.
    pub idle: f64,
}

impl Shares {
    /// The sum: all that the workers could have done.
    pub fn present(&self) -> f64 {
        let Self { useful, lost, starting, dispatch, stalled, idle } = self;
        useful + lost + starting + dispatch + stalled + idle
    }
}

/// A job that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'job> {
    /// Seconds since the beginning.
    pub time: f64,
    /// The number of the chunk.
    pub chunk: usize,
    /// The number of the worker.
    pub worker: usize,
    /// The games that the job finished, in order of completion.
    pub games: &'job [usize],
    /// Whether the chunk is complete.
    pub is_complete: bool,
}

/// What a simulation comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Seconds until the last chunk was complete.
    pub seconds: f64,
    /// What the workers did.
    pub shares: Shares,
    /// Number of jobs that were dispatched.
    pub jobs: u64,
    /// Number of jobs that ended before their chunk was complete.
    pub broken: u64,
    /// The most jobs that a chunk needed.
    pub most_attempts: u32,
    /// How often a worker came.
    pub arrivals: u64,
}

/// The chunks of a tournament: the numbers of their games, in the order in which the chunks
/// are handed out, and the seconds of work of each game by its number.
#[derive(Clone, Copy, Debug)]
pub struct Load<'load> {
    /// The games of each chunk.
    pub chunks: &'load [Vec<usize>],
    /// The seconds of each game.
    pub seconds: &'load [f64],
}

enum Event {
    Comes(usize),
    /// The worker goes, if it is still idle and its stay ends now.
    Goes(usize),
    Ends(Box<Job>),
}

struct Job {
    worker: usize,
    chunk: usize,
    games: Vec<usize>,
    is_complete: bool,
}

struct Simulation<'a> {
    load: Load<'a>,
    job: Jobs,
    settings: Workers,
    workers: Vec<Worker>,
    idle: BTreeSet<usize>,
    waiting: VecDeque<usize>,
    /// The games of each chunk that are still to be played.
    missing: Vec<Vec<usize>>,
    attempts: Vec<u32>,
    /// Seconds after which the batch system ends a job.
    limit: f64,
    /// When the dispatcher can start the next job.
    dispatcher: f64,
    agenda: Agenda<Event>,
    totals: Totals,
}

/// Simulates `workers` workers until all chunks are complete, or `ended`, which is called
/// after every job, breaks.
pub fn simulate<B>(
    settings: &Settings,
    load: Load<'_>,
    workers: usize,
    mut ended: impl FnMut(Ended<'_>) -> ControlFlow<B>,
) -> (Totals, Option<B>) {
    let seed = mix(settings.seed, workers as u64);
    let mut simulation = Simulation {
        load,
        job: settings.job,
        settings: settings.worker,
        workers: Vec::new(),
        idle: BTreeSet::new(),
        waiting: (0..load.chunks.len()).collect(),
        missing: load.chunks.to_vec(),
        attempts: vec![0; load.chunks.len()],
        limit: 60.0 * settings.job.limit * settings.job.minutes,
        dispatcher: 0.0,
        agenda: Agenda::default(),
        totals: Totals::default(),
    };
    for number in 0..workers {
        let (worker, arrival) = Worker::new(settings.worker, mix(seed, number as u64));
        simulation.workers.push(worker);
        simulation.agenda.add(arrival, Event::Comes(number));
    }
    let mut incomplete = load.chunks.len();
    while incomplete > 0 {
        let Some((now, event)) = simulation.agenda.next() else { break };
        match event {
            Event::Comes(worker) => {
                simulation.totals.arrivals += 1;
                simulation.workers[worker].come(now);
                simulation.occupy(worker, now);
            }
            Event::Goes(worker) => {
                if simulation.workers[worker].stay.1 == now && simulation.idle.remove(&worker) {
                    simulation.leave(worker, now);
                }
            }
            Event::Ends(job) => {
                let Job { worker, chunk, ref games, is_complete } = *job;
                incomplete -= usize::from(is_complete);
                simulation.totals.seconds = now;
                let told = ended(Ended { time: now, chunk, worker, games, is_complete });
                if let ControlFlow::Break(result) = told {
                    return (simulation.totals, Some(result));
                }
                simulation.end(&job, now);
            }
        }
    }
    (simulation.settle(), None)
}

impl Simulation<'_> {
    /// The worker, which is free, begins the next chunk, or is idle until there is one.
    fn occupy(&mut self, worker: usize, now: f64) {
        if let Some(chunk) = self.waiting.pop_front() {
            self.begin(worker, chunk, now);
        } else {
            self.idle.insert(worker);
            self.agenda.add(self.workers[worker].stay.1, Event::Goes(worker));
        }
    }

    /// The worker's stay is over.
    fn leave(&mut self, number: usize, now: f64) {
        let worker = &mut self.workers[number];
        self.totals.shares.idle += (now - worker.stay.0) * worker.speed;
        worker.stay = (f64::INFINITY, f64::INFINITY);
        let back = now + worker.absence();
        self.agenda.add(back, Event::Comes(number));
    }

    /// A worker that is free begins a job of `chunk`: from now on its end is known.
    fn begin(&mut self, number: usize, chunk: usize, now: f64) {
        let Jobs { start_seconds, dispatched_per_second, .. } = self.job;
        self.dispatcher = self.dispatcher.max(now) + 1.0 / dispatched_per_second;
        let worker = &mut self.workers[number];
        let until = worker.stay.1;
        let dispatched = self.dispatcher.min(until);
        let ready = (self.dispatcher + start_seconds).min(until);
        let window = (until - ready).min(self.limit);
        let stretch = worker.stretch(window);

        let games = &self.missing[chunk];
        let seconds: Vec<f64> = games.iter().map(|&game| self.load.seconds[game]).collect();
        let open = open_games(games.len(), self.settings.lanes);
        let most = stretch.working(window) * worker.speed;
        let Progress { finished, work, lost } = advance(&seconds, open, most);
        let is_complete = finished.len() == games.len();
        let end = ready + if is_complete { stretch.elapsed(work / worker.speed) } else { window };

        let finished: Vec<usize> = finished.iter().map(|&place| games[place]).collect();
        let done: BTreeSet<usize> = finished.iter().copied().collect();
        self.missing[chunk].retain(|game| !done.contains(game));
        self.attempts[chunk] += 1;
        let Totals { shares, jobs, broken, most_attempts, .. } = &mut self.totals;
        *jobs += 1;
        *broken += u64::from(!is_complete);
        *most_attempts = (*most_attempts).max(self.attempts[chunk]);
        let speed = worker.speed;
        let parts = [
            (&mut shares.dispatch, (dispatched - now) * speed),
            (&mut shares.starting, (ready - dispatched) * speed),
            (&mut shares.useful, work - lost),
            (&mut shares.lost, lost),
            (&mut shares.stalled, (end - ready) * speed - work),
        ];
        for (share, part) in parts {
            *share += part;
            // What is left of the stay when all else is taken off was idle.
            shares.idle -= part;
        }
        let job = Job { worker: number, chunk, games: finished, is_complete };
        self.agenda.add(end, Event::Ends(Box::new(job)));
    }

    /// A job has ended: its worker is free, or goes; an incomplete chunk waits again, before
    /// those that nobody has begun.
    fn end(&mut self, job: &Job, now: f64) {
        if !job.is_complete {
            self.waiting.push_front(job.chunk);
        }
        if now >= self.workers[job.worker].stay.1 {
            self.leave(job.worker, now);
            if let Some(idle) = self.idle.pop_first() {
                self.occupy(idle, now);
            }
        } else {
            self.occupy(job.worker, now);
        }
    }

    /// Counts the stays that last beyond the end.
    fn settle(mut self) -> Totals {
        let now = self.totals.seconds;
        for worker in &self.workers {
            if worker.stay.0 < now && worker.stay.1 < f64::INFINITY {
                self.totals.shares.idle += (now - worker.stay.0) * worker.speed;
            }
        }
        self.totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Simulated;
    use crate::run::tests::{MODEL, restless};

    /// Workers of speed 1 that never go or stall.
    fn steady() -> Settings {
        let mut settings = restless();
        let worker = &mut settings.worker;
        worker.log_speed_deviation = 0.0;
        (worker.hours_present, worker.hours_absent) = (1e9, 1e-9);
        worker.hours_between_stalls = 1e9;
        settings
    }

    fn run(settings: &Settings, load: Load<'_>, workers: usize) -> (Totals, Vec<usize>) {
        let mut played = Vec::new();
        let (totals, _) = simulate::<()>(settings, load, workers, |ended| {
            played.extend_from_slice(ended.games);
            ControlFlow::Continue(())
        });
        (totals, played)
    }

    #[test]
    fn one_steady_worker_takes_the_work_and_the_starts() {
        let settings = steady();
        let simulated = Simulated::new(&settings, MODEL, 3, 0.0);
        let (_, chunks) = simulated.chunks(settings.job.minutes, 1);
        let load = Load { chunks: &chunks, seconds: &simulated.seconds };
        let (totals, _) = run(&settings, load, 1);
        let work: f64 = simulated.seconds.iter().sum();
        // Each job waits a fifth of a second for the dispatcher and 3 s for its start.
        let starts = chunks.len() as f64 * 3.2;
        assert!((totals.seconds - work - starts).abs() < 1e-6 * work, "{totals:?}");
        assert!((totals.shares.useful / work - 1.0).abs() < 1e-9);
        assert!(totals.shares.idle.abs() < 1e-6 && totals.shares.lost == 0.0, "{totals:?}");
        assert_eq!((totals.jobs, totals.broken), (chunks.len() as u64, 0));
    }

    #[test]
    fn every_game_is_played_once_and_all_time_is_accounted_for() {
        let settings = restless();
        let simulated = Simulated::new(&settings, MODEL, 3, 0.0);
        let (_, chunks) = simulated.chunks(settings.job.minutes, 1);
        let load = Load { chunks: &chunks, seconds: &simulated.seconds };
        let work: f64 = simulated.seconds.iter().sum();
        for workers in [1, 7, 40, 300] {
            let (totals, mut played) = run(&settings, load, workers);
            played.sort_unstable();
            assert_eq!(played, (0..400).collect::<Vec<_>>(), "{workers}");
            let Shares { useful, lost, starting, dispatch, stalled, idle } = totals.shares;
            assert!((useful / work - 1.0).abs() < 1e-9, "{totals:?}");
            for part in [lost, starting, dispatch, stalled, idle] {
                assert!(part >= -1e-6 * work, "{totals:?}");
            }
            assert!(totals.shares.present() >= work && lost > 0.0, "{totals:?}");
            assert_eq!(run(&settings, load, workers).0, totals, "another time");
        }
    }

    #[test]
    fn the_dispatcher_limits_short_jobs() {
        let settings = steady();
        let simulated = Simulated::new(&settings, MODEL, 3, 0.0);
        let chunks: Vec<Vec<usize>> = (0..400).map(|game| vec![game]).collect();
        let load = Load { chunks: &chunks, seconds: &simulated.seconds };
        let (totals, _) = run(&settings, load, 1_000);
        // The last of 400 jobs begins after 80 s.
        assert!((80.0 + 3.0..80.0 + 3.0 + 30.0).contains(&totals.seconds), "{totals:?}");
        assert!(totals.shares.dispatch > 0.0);
    }
}
