//! A search by itself, whose playouts come back in any order.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen::playout::{Playout, scalar};
use tengen::search::{Request, Search, SearchResult};

/// What `search` finds whose playouts are played one after the other, and
/// handed back in any order and at any moment that a search has to bear. It may be suspended on
/// the way, or stopped as by a clock: after `most` requests no further one is made.
pub fn driven<const W: usize>(
    mut search: Box<dyn Search<W>>,
    random: &mut Xoshiro256PlusPlus,
    most: u64,
) -> Result<SearchResult, String> {
    let mut requests = 0;
    let mut out: Vec<(u64, Playout<W>)> = Vec::new();
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
                    out.push((simulation, scalar::play_by(search.playout_config(), &job)));
                }
                Request::Wait if out.is_empty() => {
                    return Err("a search waits for nothing".to_owned());
                }
                Request::Wait => must_wait = true,
                Request::Pause | Request::Evaluation { .. } => {}
                Request::Done if !out.is_empty() => {
                    return Err("a search is done before its playouts are".to_owned());
                }
                Request::Done if search.is_done() => return Ok(search.report()),
                Request::Done => {
                    let (begun, view) = (search.simulations(), search.view());
                    if view.simulations != begun {
                        return Err(format!("{} of {begun} results are seen", view.simulations));
                    }
                    search.suspend_after(begun + slice);
                }
            }
        }
        if must_wait || (!out.is_empty() && random.random()) {
            let (simulation, playout) = out.swap_remove(random.random_range(0..out.len()));
            search.update(simulation, &playout);
        }
    }
}
