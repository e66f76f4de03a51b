//! The leaves of searches, answered by a Python callable on the thread that calls the search:
//! settings of that thread, such as `torch.no_grad()`, hold in the callable, and its exceptions are
//! raised unchanged.

use super::callable::Callable;
use crate::ending::{self, attach, detach};
use crate::errors::{RunError, invalid};
use crate::interrupt::EVERY;
use crate::raised;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use tengen::search::driver::{Gathered, Host, Steps};
use tengen::search::evaluator::{Batch, Leaf};

/// A host that stops a search for a while, so that its caller can look for signals.
pub trait Pausing {
    /// The next pause is [`EVERY`] after this call.
    fn go_on(&mut self);

    /// An exception has unwound the search, which is lost.
    fn give_up(&mut self) {}
}

/// Has `callable` answer the leaves of each of `all`, in batches of up to `most`, until none has
/// another; each of `all` runs on a thread of its own if there are several. After an exception of
/// the callable or of a signal, an unusable answer, or a lack of memory, the leaves of the batch
/// still wait.
pub fn answer<H: Host + Pausing + Send>(
    py: Python<'_>,
    mut all: Vec<&mut Steps<'_, H>>,
    most: usize,
    callable: &mut Callable,
) -> PyResult<()> {
    ending::check()?;
    match &mut all[..] {
        [one] => answer_one(py, one, most, callable),
        _ => answer_several(py, all, most, callable),
    }
}

/// The next batch of `steps`, or why there is none; the results of the batch before are handed back first.
pub fn next<H: Host + Pausing + Send>(
    steps: &mut Steps<'_, H>,
    most: usize,
    has_answer: bool,
) -> PyResult<Gathered> {
    let next = raised::caught(|| {
        if has_answer {
            steps.hand_back().map_err(invalid)?;
        }
        steps.host_mut().go_on();
        steps.gather(most).map_err(|fault| RunError::new_err(fault.to_string()))
    });
    next.unwrap_or_else(|error| {
        steps.host_mut().give_up();
        Err(error)
    })
}

/// Hands the searches the results of the batch that waits. If they cannot be used, the leaves still wait;
/// after an exception of a callable the searches are lost.
pub fn hand_back<H: Host + Pausing>(steps: &mut Steps<'_, H>) -> PyResult<()> {
    raised::caught(|| steps.hand_back().map_err(invalid)).unwrap_or_else(|error| {
        steps.host_mut().give_up();
        Err(error)
    })
}

fn answer_one<H: Host + Pausing + Send>(
    py: Python<'_>,
    steps: &mut Steps<'_, H>,
    most: usize,
    callable: &mut Callable,
) -> PyResult<()> {
    let mut has_answer = false;
    loop {
        let gathered = detach(py, || next(steps, most, has_answer))?;
        py.check_signals()?;
        match (gathered, steps.batch()) {
            (Gathered::Leaves, Some(batch)) => callable.ask(py, batch)?,
            (Gathered::Nothing, _) => return Ok(()),
            _ => {}
        }
        has_answer = gathered == Gathered::Leaves;
    }
}

/// A batch that a thread asks about: the number of the thread, and the leaves.
type Question = (usize, Vec<Leaf>);
/// The values of the leaves, and the priors of their moves.
type Answer = (Vec<f32>, Vec<f32>);

fn answer_several<H: Host + Pausing + Send>(
    py: Python<'_>,
    all: Vec<&mut Steps<'_, H>>,
    most: usize,
    callable: &mut Callable,
) -> PyResult<()> {
    let stop = AtomicBool::new(false);
    detach(py, || {
        thread::scope(|scope| {
            let (ask, questions) = channel::<Question>();
            let (mut replies, mut threads) = (Vec::new(), Vec::new());
            for (number, steps) in all.into_iter().enumerate() {
                let (reply, answers) = channel::<Answer>();
                let (ask, stop) = (ask.clone(), &stop);
                let work = move || work(steps, most, number, &ask, &answers, stop);
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(RunError::new_err(format!("cannot start a thread: {error}")));
                    }
                }
                replies.push(reply);
            }
            drop(ask);
            let mut outcome: PyResult<()> = Ok(());
            loop {
                let asked = match questions.recv_timeout(EVERY) {
                    Ok(question) => Some(question),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if outcome.is_err() {
                    continue;
                }
                outcome = attach(|py| {
                    py.check_signals()?;
                    let Some((number, leaves)) = asked else { return Ok(()) };
                    let answer = answer_to(py, callable, &leaves)?;
                    // A thread that is gone has said why.
                    let _ = replies[number].send(answer);
                    Ok(())
                });
                if outcome.is_err() {
                    stop.store(true, Ordering::Relaxed);
                    replies.clear();
                }
            }
            let ended = threads.into_iter().map(|thread| {
                thread.join().map_err(raised::of_payload).and_then(std::convert::identity)
            });
            let ended: Vec<PyResult<()>> = ended.collect();
            outcome?;
            ended.into_iter().collect()
        })
    })
}

fn answer_to(py: Python<'_>, callable: &mut Callable, leaves: &[Leaf]) -> PyResult<Answer> {
    let Some(size) = leaves.first().map(|leaf| leaf.board.size()) else {
        return Ok(Answer::default());
    };
    let mut values = vec![f32::NAN; leaves.len()];
    let mut priors = vec![1.0; leaves.len() * (size.points() + 1)];
    callable.ask(py, Batch { size, leaves, values: &mut values, priors: &mut priors })?;
    Ok((values, priors))
}

/// Runs `steps` on a thread of its own, which asks and waits for answers.
fn work<H: Host + Pausing + Send>(
    steps: &mut Steps<'_, H>,
    most: usize,
    number: usize,
    ask: &Sender<Question>,
    answers: &Receiver<Answer>,
    stop: &AtomicBool,
) -> PyResult<()> {
    let mut has_answer = false;
    while !stop.load(Ordering::Relaxed) {
        let gathered = next(steps, most, has_answer)?;
        has_answer = false;
        match (gathered, steps.batch()) {
            (Gathered::Leaves, Some(batch)) => {
                let is_heard = ask.send((number, batch.leaves.to_vec())).is_ok();
                let Some((values, priors)) = is_heard.then(|| answers.recv().ok()).flatten() else {
                    return Ok(());
                };
                batch.values.copy_from_slice(&values);
                batch.priors.copy_from_slice(&priors);
                has_answer = true;
            }
            (Gathered::Nothing, _) => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}
