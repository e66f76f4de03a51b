//! The loop of the coordinator: blocks out, answers in.

use super::block::RunSettings;
use super::journal::Spent;
use super::worker::{UnitKind, make};
use super::{Answer, Block, Blocks, Part, Process, Ticket, TravellingFiles, clock};
use crate::run::{Provenance, RunError};
use serde_json::Value;
use std::collections::HashMap;
use std::iter::once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_bots::SideBySide;
use tengen_search::ResourceFault;
use tengen_stats::seed::uniform;

/// How long the loop waits for an answer before it checks whether to stop.
const EVERY: Duration = Duration::from_millis(100);

/// Least time between two warnings of missing worker processes, or of failed blocks.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// How long a block should take: what a lost process costs.
const BLOCK_SECONDS: f64 = 60.0;

/// The seed by which the blocks for an audit are drawn.
const AUDITS: u64 = 1;

/// Number of failures of a block that end the run.
const MOST_FAILURES: usize = 8;

/// Number of attempts to have another process make a block, or its audit, before this process makes
/// it.
const MOST_TRIES: usize = 5;

/// Least time before a block that nobody has answered is submitted again.
const LEAST_PATIENCE: Duration = Duration::from_secs(600);

/// The units of a run: how they are cut into blocks, and how their rows are read.
pub(crate) trait Units {
    type Unit: Clone;
    type Made;

    /// How worker processes make the units.
    const KIND: UnitKind;

    /// The settings of the run for the worker processes, in which texts for a block replace the `files`.
    fn settings(&self) -> Result<Value, RunError>;

    /// The files that the settings name.
    fn files(&self) -> &TravellingFiles;

    /// The provenance of the rows.
    fn provenance(&self) -> Result<Provenance, RunError>;

    fn number(&self, unit: &Self::Unit) -> usize;

    /// The `units` in the form of a block.
    fn work(&self, units: &[Self::Unit]) -> Result<Value, RunError>;

    /// Reads the rows, and what came with them, that a worker process made of `units`; an error says why
    /// they cannot be these rows.
    fn read(
        &self,
        units: &[Self::Unit],
        rows: &str,
        extra: Value,
    ) -> Result<Vec<Self::Made>, String>;

    /// Whether `one` and `other` have the same rows, apart from times.
    fn is_alike(&self, one: &Self::Made, other: &Self::Made) -> bool;

    /// Most units that a worker process makes side by side.
    fn most(&self) -> usize;

    /// How many units a thread could make side by side: any number if making a unit twice gives the
    /// same rows, one if the rows depend on the speed of the processor.
    fn side_by_side(&self) -> SideBySide;
}

/// Where units come from.
pub(crate) struct Source<'a, U> {
    /// The next unit; none if there is none now.
    pub next: &'a dyn Fn() -> Option<U>,
    /// Whether no more rows are wanted.
    pub is_over: &'a dyn Fn() -> bool,
    /// Estimate of the units still to begin.
    pub expected: &'a dyn Fn() -> usize,
}

/// A block whose rows, or whose audit, are pending.
struct Open<U: Units> {
    units: Vec<U::Unit>,
    /// Submissions that nobody has answered.
    out: usize,
    failures: usize,
    /// Number of useless answers: from a distrusted process, or an audit by the process that made
    /// the rows.
    tries: usize,
    submitted: Instant,
    /// When the block is submitted again after a failure.
    again: Option<Instant>,
    is_made: bool,
    /// The rows and their maker, while another process makes them again for comparison.
    audited: Option<(Vec<U::Made>, Process)>,
}

/// The open blocks of a part of a run.
struct Table<'a, U: Units> {
    blocks: &'a Blocks,
    units: &'a U,
    /// The parts of the blocks: first the settings, then the files.
    parts: Vec<Part>,
    open: HashMap<usize, Open<U>>,
    /// The block of each ticket, and when it was submitted.
    tickets: HashMap<Ticket, (usize, Instant)>,
    /// Number of the next block.
    next: usize,
    /// Seconds of processor time per unit of the last block.
    seconds_per_unit: Option<f64>,
    /// The longest time that a block took.
    longest: Duration,
    /// When late blocks were last looked for.
    looked: Instant,
    /// Time of the last warning that there are no worker processes.
    warned: Option<Instant>,
    /// Time of the last warning of a failed block.
    failed: Option<Instant>,
}

/// Has worker processes make the units of `source`, and passes the rows of each unit to `finished`.
/// Ends when no units are left, when `stop` is true (open submissions are then dropped), or on an
/// error, which is returned: an error of `finished`, the refusal of a worker process, or a block
/// that failed too often.
pub(crate) fn dispatch<U: Units, E: From<ResourceFault>>(
    blocks: &Blocks,
    units: &U,
    source: &Source<'_, U::Unit>,
    stop: &AtomicBool,
    mut finished: impl FnMut(U::Made) -> Result<(), E>,
) -> Result<(), E>
where
    U::Made: Clone,
{
    let mut table = Table::begin(blocks, units).map_err(RunError::into_fault)?;
    let worked = table.work(source, stop, &mut finished);
    for &ticket in table.tickets.keys() {
        blocks.executor.cancel(ticket);
    }
    worked
}

impl<'a, U: Units> Table<'a, U>
where
    U::Made: Clone,
{
    fn begin(blocks: &'a Blocks, units: &'a U) -> Result<Self, RunError> {
        if units.side_by_side() != SideBySide::Any {
            blocks.refuse_audit().map_err(RunError::Input)?;
        }
        let timed = blocks.settings.mixed_hosts && units.side_by_side() == SideBySide::One;
        let search_seconds = if timed { Some(clock::search_seconds()?) } else { None };
        let text = serde_json::to_vec(&run_settings(units, search_seconds)?)?;
        let parts = once(Part::of(text)).chain(units.files().parts()).collect();
        Ok(Self {
            blocks,
            units,
            parts,
            open: HashMap::new(),
            tickets: HashMap::new(),
            next: 0,
            seconds_per_unit: None,
            longest: Duration::ZERO,
            looked: Instant::now(),
            warned: None,
            failed: None,
        })
    }

    fn work<E: From<ResourceFault>>(
        &mut self,
        source: &Source<'_, U::Unit>,
        stop: &AtomicBool,
        finished: &mut impl FnMut(U::Made) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if (source.is_over)() {
                self.drop_unmade();
            } else {
                self.fill(source).map_err(RunError::into_fault)?;
            }
            if self.open.is_empty() {
                return Ok(());
            }
            let answered = self.blocks.executor.next(EVERY);
            if self.looked.elapsed() >= EVERY {
                self.looked = Instant::now();
                self.submit_again().map_err(RunError::into_fault)?;
                self.warn_without_processes();
            }
            let Some((ticket, answer)) = answered else { continue };
            // Second and late answers have no ticket.
            let Some((number, submitted)) = self.tickets.remove(&ticket) else { continue };
            let made = self
                .take_answer(number, submitted.elapsed(), answer)
                .map_err(RunError::into_fault)?;
            for made in made.into_iter().flatten() {
                // Once a row of a block decides the run, the rest of the block is dropped.
                if (source.is_over)() {
                    break;
                }
                finished(made)?;
            }
            self.forget(number);
        }
    }

    /// Submits new blocks until enough are out.
    fn fill(&mut self, source: &Source<'_, U::Unit>) -> Result<(), RunError> {
        let processes = self.blocks.executor.processes().max(1);
        let in_flight = self.blocks.settings.in_flight.unwrap_or(processes + processes.div_ceil(4));
        let waiting = self.open.values().filter(|open| open.again.is_some()).count();
        while self.tickets.len() + waiting < in_flight {
            let most = self.block_size(in_flight, (source.expected)());
            let units: Vec<U::Unit> = std::iter::from_fn(|| (source.next)()).take(most).collect();
            if units.is_empty() {
                return Ok(());
            }
            let number = self.next;
            self.next += 1;
            let open = Open {
                units,
                out: 0,
                failures: 0,
                tries: 0,
                submitted: Instant::now(),
                again: None,
                is_made: false,
                audited: None,
            };
            self.open.insert(number, open);
            self.submit(number, &[])?;
        }
        Ok(())
    }

    /// Number of units of the next block, if about `expected` units are still to begin: a pair
    /// until the time of a unit is known, and a pair again near the end.
    fn block_size(&self, in_flight: usize, expected: usize) -> usize {
        let most = self.units.most();
        if let Some(units) = self.blocks.settings.units {
            return units;
        }
        let Some(seconds) = self.seconds_per_unit else { return 2 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        let in_time = (BLOCK_SECONDS / seconds.max(1e-9)) as usize;
        // The games of a pair share an opening, and a sequential test takes them together.
        (expected / (2 * in_flight)).min(in_time).min(most).max(2) & !1
    }

    /// Submits the block `number`, with the parts whose digests are `missing`.
    fn submit(&mut self, number: usize, missing: &[String]) -> Result<(), RunError> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        let parts: Vec<&Part> =
            self.parts.iter().filter(|part| missing.contains(&part.digest)).collect();
        let work = self.units.work(&open.units)?;
        let block = Block::to_bytes(&self.parts[0].digest, work, &parts);
        open.out += 1;
        open.submitted = Instant::now();
        let ticket = self.blocks.ticket();
        self.tickets.insert(ticket, (number, open.submitted));
        let first = open.audited.as_ref().map(|(_, first)| first);
        self.blocks.executor.submit(ticket, block, first);
        Ok(())
    }

    /// Submits again the blocks that failed or take too long.
    fn submit_again(&mut self) -> Result<(), RunError> {
        let now = Instant::now();
        let is_due = |open: &mut Open<U>| open.again.take_if(|again| *again <= now);
        let due = self.open.iter_mut().filter_map(|(&number, open)| is_due(open).map(|_| number));
        for number in due.collect::<Vec<_>>() {
            self.submit(number, &[])?;
        }
        if self.blocks.executor.processes() == 0 {
            // No block is late while no process works, as in a queue for nodes.
            self.open.values_mut().for_each(|open| open.submitted = now);
            return Ok(());
        }
        let patience = self.blocks.settings.patience;
        let patience = patience.unwrap_or((self.longest * 10).max(LEAST_PATIENCE));
        let is_late = |open: &Open<U>| open.out > 0 && open.submitted.elapsed() > patience;
        let late: Vec<usize> =
            self.open.iter().filter(|(_, open)| is_late(open)).map(|(&number, _)| number).collect();
        for number in late {
            let Some(open) = self.open.get(&number) else { continue };
            if open.out > MOST_TRIES {
                let (times, seconds) = (open.out, patience.as_secs_f64());
                return Err(RunError::Work(format!(
                    "nobody answers: a block was submitted {times} times, for {seconds} seconds each: see \
                     whether the worker processes are alive, or raise `patience`"
                )));
            }
            self.submit(number, &[])?;
        }
        Ok(())
    }

    fn warn_without_processes(&mut self) {
        if self.blocks.executor.processes() > 0 {
            self.warned = None;
            return;
        }
        let is_due = self.warned.is_none_or(|last| last.elapsed() >= WARN_EVERY);
        if is_due {
            self.warned = Some(Instant::now());
            self.blocks.warn("the executor has no worker processes: waiting for one");
        }
    }

    /// Takes the answer to a submission of the block `number`; returns its rows when they first
    /// arrive.
    fn take_answer(
        &mut self,
        number: usize,
        elapsed: Duration,
        answer: Result<Vec<u8>, String>,
    ) -> Result<Option<Vec<U::Made>>, RunError> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(None) };
        open.out -= 1;
        let answer = match answer.and_then(|bytes| Answer::read(&bytes)) {
            Ok(answer) => answer,
            Err(why) => return self.fail(number, &why),
        };
        match answer {
            Answer::Missing(parts) => {
                if !parts.iter().all(|digest| self.parts.iter().any(|own| own.digest == *digest)) {
                    return self.fail(number, "it asks for what no block has");
                }
                // The next process may lack the settings too.
                let settings = self.parts[0].digest.clone();
                let parts: Vec<String> = parts.into_iter().chain([settings]).collect();
                self.submit(number, &parts).map(|()| None)
            }
            Answer::Refused { process, why } => {
                Err(RunError::Input(format!("host {}: {why}", process.host)))
            }
            Answer::Failed { process, why } => {
                self.fail(number, &format!("host {}: {why}", process.host))
            }
            Answer::Made { process, cpu_seconds, clock, rows, extra } => {
                if self.blocks.is_distrusted(&process) {
                    return self.make_elsewhere(number);
                }
                let made = match self.units.read(&open.units, &rows, extra) {
                    Ok(made) => made,
                    Err(why) => {
                        let why = format!("host {}: {why}", process.host);
                        return self.fail(number, &why);
                    }
                };
                self.longest = self.longest.max(elapsed);
                let seconds = cpu_seconds.unwrap_or(elapsed.as_secs_f64());
                self.seconds_per_unit = Some(seconds / made.len().max(1) as f64);
                self.check_clock(&process)?;
                self.take_rows(number, made, process, Spent { cpu_seconds, clock })
            }
        }
    }

    /// Takes the rows `made` of the block `number` by `process`: as the block's rows, or for
    /// comparison.
    fn take_rows(
        &mut self,
        number: usize,
        made: Vec<U::Made>,
        process: Process,
        spent: Spent,
    ) -> Result<Option<Vec<U::Made>>, RunError> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(None) };
        let numbers: Vec<usize> = open.units.iter().map(|unit| self.units.number(unit)).collect();
        let Some((rows, first)) = &open.audited else {
            self.blocks.note(&numbers, &process, spent)?;
            open.is_made = true;
            if is_audited(&numbers, self.blocks.settings.audit) {
                open.audited = Some((made.clone(), process));
                self.submit(number, &[])?;
            }
            return Ok(Some(made));
        };
        let is_elsewhere = *first != process;
        if !is_elsewhere && open.tries < MOST_TRIES {
            open.tries += 1;
            return self.submit(number, &[]).map(|()| None);
        }
        let are_alike = |one: &[U::Made], other: &[U::Made]| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| self.units.is_alike(one, other))
        };
        self.blocks.state().tally.of(first).audited += 1;
        let is_right = is_elsewhere && are_alike(rows, &made);
        let Some((rows, first)) = open.audited.take() else { return Ok(None) };
        if is_right {
            return Ok(None);
        }
        // The rows that this process makes decide.
        let truth = self.made_here(number)?;
        let mut wrong = Vec::new();
        if !are_alike(&rows, &truth) {
            wrong.push(first);
        }
        if is_elsewhere && !are_alike(&made, &truth) {
            wrong.push(process);
        }
        for process in &wrong {
            self.blocks.state().tally.of(process).differing += 1;
            self.blocks.distrust(process, numbers.first().copied().unwrap_or_default())?;
        }
        // A process may have made nothing but this audit.
        if !self.blocks.state().again.is_empty() {
            return Err(RunError::Work("units are made again".to_owned()));
        }
        Ok(None)
    }

    fn made_here(&self, number: usize) -> Result<Vec<U::Made>, RunError> {
        let work_fault =
            |why: String| RunError::Work(format!("a block cannot be made here: {why}"));
        let Some(open) = self.open.get(&number) else { return Ok(Vec::new()) };
        let work = self.units.work(&open.units)?;
        let parts: Vec<&Part> = self.parts.iter().collect();
        let block = Block::to_bytes(&self.parts[0].digest, work, &parts);
        match Answer::read(&make(&block, &[U::KIND])).map_err(work_fault)? {
            Answer::Made { rows, extra, .. } => {
                self.units.read(&open.units, &rows, extra).map_err(work_fault)
            }
            Answer::Refused { why, .. } | Answer::Failed { why, .. } => Err(work_fault(why)),
            Answer::Missing(_) => Err(work_fault("parts are missing".to_owned())),
        }
    }

    /// Has another process make the block `number`, which a distrusted process made.
    fn make_elsewhere(&mut self, number: usize) -> Result<Option<Vec<U::Made>>, RunError> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(None) };
        open.tries += 1;
        if open.tries < MOST_TRIES {
            return self.submit(number, &[]).map(|()| None);
        }
        let made = self.made_here(number)?;
        self.take_rows(number, made, Process::this(), Spent::default())
    }

    /// Notes that the block `number` failed for the reason `why`: it is submitted again after a
    /// while, unless it failed too often.
    fn fail(&mut self, number: usize, why: &str) -> Result<Option<Vec<U::Made>>, RunError> {
        let Some(open) = self.open.get_mut(&number) else { return Ok(None) };
        open.failures += 1;
        if open.failures == MOST_FAILURES {
            let failures = open.failures;
            return Err(RunError::Work(format!("a block failed {failures} times, at last: {why}")));
        }
        let wait = self.blocks.settings.retry * (1 << open.failures);
        open.again = Some(Instant::now() + wait);
        if self.failed.is_none_or(|last| last.elapsed() >= WARN_EVERY) {
            self.failed = Some(Instant::now());
            self.blocks.warn(&format!("a block failed, and is submitted again: {why}"));
        }
        Ok(None)
    }

    /// Refuses `process` if bots have a clock and its processor differs from the first process's.
    fn check_clock(&self, process: &Process) -> Result<(), RunError> {
        if self.units.side_by_side() != SideBySide::One || self.blocks.settings.mixed_hosts {
            return Ok(());
        }
        let mut state = self.blocks.state();
        let first = state.cpu.get_or_insert_with(|| process.cpu.clone());
        if *first == process.cpu {
            return Ok(());
        }
        let (host, cpu) = (&process.host, &process.cpu);
        Err(RunError::Input(format!(
            "a bot has a clock, and the processors differ ({first}, and {cpu} on host {host}): give bots \
             simulations instead of seconds, use hosts that are alike, or allow `mixed_hosts`"
        )))
    }

    /// Forgets the block `number` once its rows have arrived and any audit is done.
    fn forget(&mut self, number: usize) {
        if self.open.get(&number).is_none_or(|open| !open.is_made || open.audited.is_some()) {
            return;
        }
        // Most blocks have no other submission, and need no search through all open submissions.
        if self.open.remove(&number).is_some_and(|open| open.out > 0) {
            self.cancel_forgotten();
        }
    }

    /// Forgets the blocks whose rows have not arrived.
    fn drop_unmade(&mut self) {
        self.open.retain(|_, open| open.is_made);
        self.cancel_forgotten();
    }

    /// Cancels the open submissions of forgotten blocks.
    fn cancel_forgotten(&mut self) {
        let (open, blocks) = (&self.open, self.blocks);
        self.tickets.retain(|&ticket, (number, _)| {
            let is_open = open.contains_key(number);
            if !is_open {
                blocks.executor.cancel(ticket);
            }
            is_open
        });
    }
}

/// The settings of the run with these `units`, as its blocks name them.
fn run_settings<U: Units>(units: &U, search_seconds: Option<f64>) -> Result<RunSettings, RunError> {
    let Provenance { bots, openings, .. } = units.provenance()?;
    let (kind, settings) = (U::KIND.name.to_owned(), units.settings()?);
    let files = units.files().names();
    Ok(RunSettings { kind, settings, bots, openings, files, search_seconds })
}

/// Whether the block with these units is among the share `audit` of blocks.
fn is_audited(units: &[usize], audit: f64) -> bool {
    let first = units.first().copied().unwrap_or_default() as u64;
    uniform(AUDITS, first) < audit
}
