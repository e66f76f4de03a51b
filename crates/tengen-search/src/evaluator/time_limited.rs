//! An evaluator with a time limit: it runs on a thread of its own, so that a call that hangs holds up
//! nobody else.

use super::named::called_by_name;
use super::{Batch, Evaluator, Leaf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use tengen_go::{RegisteredPanic, Size, catch_registered_panic};

/// A batch with buffers of its own, which goes to the thread and comes back.
#[derive(Default)]
struct OwnedBatch {
    leaves: Vec<Leaf>,
    values: Vec<f32>,
    priors: Vec<f32>,
}

/// The answer of an evaluator, or its panic, after which its thread ends.
type Answer = Result<Result<(), String>, RegisteredPanic>;

/// The caller's ends of the channels.
struct Thread {
    calls: Sender<(Size, OwnedBatch)>,
    answers: Receiver<(OwnedBatch, Answer)>,
}

/// An evaluator on a thread of its own.
pub(super) struct TimeLimited {
    limit: Duration,
    batch: usize,
    /// None once a call has exceeded the limit: the thread is left behind, and ends with the
    /// process or when the call returns at last.
    thread: Option<Thread>,
    /// The buffers of the last call.
    buffers: OwnedBatch,
}

impl TimeLimited {
    /// Starts the thread of `evaluator`, whose calls may each take up to `limit`.
    pub(super) fn new(
        mut evaluator: Box<dyn Evaluator>,
        limit: Duration,
        name: &str,
    ) -> Result<Self, String> {
        let batch = evaluator.batch();
        let (calls, called) = channel::<(Size, OwnedBatch)>();
        let (answer, answers) = channel();
        let name = name.to_owned();
        let work = move || {
            for (size, mut owned) in called {
                let OwnedBatch { leaves, values, priors } = &mut owned;
                let batch = Batch { size, leaves, values, priors };
                let call = || called_by_name(&name, || evaluator.evaluate(batch));
                let result = catch_registered_panic(call);
                let is_last = result.is_err();
                if answer.send((owned, result)).is_err() || is_last {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("evaluator".to_owned()).spawn(work);
        thread.map_err(|fault| format!("its thread cannot be started: {fault}"))?;
        let thread = Some(Thread { calls, answers });
        Ok(Self { limit, batch, thread, buffers: OwnedBatch::default() })
    }

    fn no_answer(&self) -> String {
        format!("no answer in {} s", self.limit.as_secs_f64())
    }
}

impl Evaluator for TimeLimited {
    fn batch(&self) -> usize {
        self.batch
    }

    fn evaluate(&mut self, batch: Batch<'_>) -> Result<(), String> {
        let Some(thread) = &self.thread else { return Err(self.no_answer()) };
        let mut owned = std::mem::take(&mut self.buffers);
        owned.leaves.clear();
        owned.leaves.extend_from_slice(batch.leaves);
        owned.values.clear();
        owned.values.extend_from_slice(batch.values);
        owned.priors.clear();
        owned.priors.extend_from_slice(batch.priors);
        // Without a receiver there is no answer either.
        let _ = thread.calls.send((batch.size, owned));
        match thread.answers.recv_timeout(self.limit) {
            Ok((owned, result)) => {
                batch.values.copy_from_slice(&owned.values);
                batch.priors.copy_from_slice(&owned.priors);
                self.buffers = owned;
                result.unwrap_or_else(|panic| panic.resume())
            }
            Err(RecvTimeoutError::Timeout) => {
                self.thread = None;
                Err(self.no_answer())
            }
            Err(RecvTimeoutError::Disconnected) => Err("its thread has ended".to_owned()),
        }
    }
}
