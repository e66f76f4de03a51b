//! The thread that runs a network for an evaluator.
//!
//! The library runs a model on threads of rayon, by default on all cores. Here it has a pool of one
//! thread, in which a loop waits for batches. The caller waits on a channel. Were the model
//! installed into the pool directly, a caller on a thread of another pool of rayon would take up
//! other work while it waits, such as a whole other search.

use super::model::{Network, PANICKED};
use rten::{RunOptions, ThreadPool};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use tengen_search::evaluator::PLANES;

/// The leaves of a batch, and what the network says of them. It goes to the thread and comes back.
#[derive(Default)]
pub(super) struct Work {
    /// Height and width of the boards.
    pub board: [usize; 2],
    /// The planes of all leaves.
    pub planes: Vec<f32>,
    /// The logits of all moves of all leaves.
    pub logits: Vec<f32>,
    /// The values of all leaves, -1 to 1.
    pub values: Vec<f32>,
}

/// The caller's ends of the channels.
pub(super) struct Runner {
    calls: Sender<Work>,
    answers: Receiver<(Work, Result<(), String>)>,
}

impl Runner {
    /// Starts the thread, which ends when this is dropped.
    pub(super) fn new(network: Arc<Network>) -> Result<Self, String> {
        let (calls, called) = channel::<Work>();
        let (answer, answers) = channel();
        let work = move || {
            let pool = Arc::new(ThreadPool::with_num_threads(1));
            let options = RunOptions::default().with_thread_pool(Some(pool.clone()));
            pool.run(move || {
                for mut work in called {
                    let result = run(&network, &mut work, &options);
                    if answer.send((work, result)).is_err() {
                        return;
                    }
                }
            });
        };
        let thread = thread::Builder::new().name(super::NAME.to_owned()).spawn(work);
        thread.map_err(|fault| format!("its thread cannot be started: {fault}"))?;
        Ok(Self { calls, answers })
    }

    /// Has the network judge the leaves of `work`, and returns it with the logits and values.
    pub(super) fn run(&self, work: Work) -> Result<Work, String> {
        // The thread only ends by itself in a panic, which its loop does not expect.
        self.calls.send(work).map_err(|_| PANICKED.to_owned())?;
        let (work, result) = self.answers.recv().map_err(|_| PANICKED.to_owned())?;
        result.map(|()| work)
    }
}

/// Judges the leaves of `work` one by one, so that the result of a leaf does not depend on the
/// others.
fn run(network: &Network, work: &mut Work, options: &RunOptions) -> Result<(), String> {
    let [height, width] = work.board;
    for planes in work.planes.chunks_exact(PLANES * height * width) {
        let value = network.run(planes, work.board, &mut work.logits, options.clone())?;
        work.values.push(value);
    }
    Ok(())
}
