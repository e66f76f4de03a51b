//! A search by itself, whose playouts or evaluations come back in any order.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen::go::{Move, RegisteredPanic};
use tengen::playout::{Playout, scalar};
use tengen::search::evaluator::Evaluator;
use tengen::search::tree::Tree;
use tengen::search::{Request, Search, SearchResult, Work};

/// What a search requested.
enum Found<const W: usize> {
    Playout(Playout<W>),
    /// The value, the weights, and the playout of the leaf where it is needed.
    Evaluation(f32, Vec<f32>, Option<Playout<W>>),
}

/// Judges the last leaf of `search` by its evaluator, which is made once.
fn judged<const W: usize>(
    search: &dyn Search<W>,
    evaluator: &mut Option<Box<dyn Evaluator>>,
) -> Result<Found<W>, String> {
    let Work::Evaluations(named, playouts) = search.work() else {
        return Err("no evaluator".to_owned());
    };
    let leaf = search.leaf();
    let (mut values, mut weights) = (Vec::new(), Vec::new());
    if evaluator.is_none() {
        *evaluator = Some(named.make().map_err(|error| error.to_string())?);
    }
    let by = evaluator.as_deref_mut().ok_or("no evaluator")?;
    let done = named.evaluate(by, std::slice::from_ref(&leaf), &mut values, &mut weights);
    done.map_err(|error| match error.reason.strip_prefix("it panicked: ") {
        Some(message) => {
            let what = format!("evaluator `{}`", error.name);
            RegisteredPanic { what, message: message.to_owned() }.resume()
        }
        None => error.to_string(),
    })?;
    let playout = playouts.map(|config| scalar::play_by(config, &leaf.playout()));
    Ok(Found::Evaluation(values[0], weights, playout))
}

/// All that a node holds, but for its place and all-moves-as-first: the move, visits, rewards and
/// the number of its children.
pub type NodeRow = (Move, u32, f64, usize);

/// The nodes by depth, the children of a node together.
pub fn rows(tree: &Tree) -> Vec<NodeRow> {
    let row = |n| (tree.mv(n), tree.visits(n), tree.reward(n), tree.children(n).len());
    tree.nodes().map(row).collect()
}

/// What `search` finds whose playouts are played one after the other, and
/// handed back in any order and at any moment that a search has to bear. It may be suspended on
/// the way, or stopped as by a clock: after `most` requests no further one is made.
pub fn driven<const W: usize>(
    mut search: Box<dyn Search<W>>,
    random: &mut Xoshiro256PlusPlus,
    most: u64,
) -> Result<SearchResult, String> {
    let mut requests = 0;
    let mut out: Vec<(u64, Found<W>)> = Vec::new();
    let mut evaluator = None;
    let slice = if random.random() { random.random_range(1..1_000) } else { u64::MAX };
    search.suspend_after(slice);
    loop {
        let mut must_wait = requests >= most;
        if must_wait && out.is_empty() {
            return Ok(search.report());
        }
        if !must_wait && (out.is_empty() || random.random()) {
            requests += 1;
            match search.select() {
                Request::Playout { simulation, job } => {
                    let Work::Playouts(config) = search.work() else {
                        return Err("a playout of a search by evaluations".to_owned());
                    };
                    let playout = scalar::play_by(config, &job);
                    out.push((simulation, Found::Playout(playout)));
                }
                Request::Evaluation { simulation } => {
                    out.push((simulation, judged(&*search, &mut evaluator)?));
                }
                Request::Wait if out.is_empty() => {
                    return Err("a search waits for nothing".to_owned());
                }
                Request::Wait => must_wait = true,
                Request::Pause => {}
                Request::Done if !out.is_empty() => {
                    return Err("a search is done before its playouts are".to_owned());
                }
                Request::Done if search.is_done() => return Ok(search.report()),
                Request::Done => {
                    let (begun, view) = (search.simulations(), search.view());
                    if view.counts.simulations != begun {
                        return Err(format!(
                            "{} of {begun} results are seen",
                            view.counts.simulations
                        ));
                    }
                    search.suspend_after(begun + slice);
                }
            }
        }
        if must_wait || (!out.is_empty() && random.random()) {
            let (simulation, found) = out.swap_remove(random.random_range(0..out.len()));
            match found {
                Found::Playout(playout) => search.update(simulation, &playout),
                Found::Evaluation(value, weights, playout) => {
                    search.take_evaluation(simulation, value, &weights, playout.as_ref());
                }
            }
        }
    }
}
