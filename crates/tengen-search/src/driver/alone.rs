//! A driver run for the searches of one move, such as the workers of a single search.

use super::{Ended, Host, PartSeconds, drive, drive_watched};
use crate::resource::ResourceFault;
use crate::result::SearchResult;
use crate::search::{AnySearch, reports};
use tengen_go::Size;

/// Drives `searches`, all on boards of `size`, until each is done or suspended, or until
/// `should_stop`, called about every 64 simulations, returns true. Each search makes at least one
/// simulation. Returns the searches in order: they can be driven further, or reported.
pub fn advance(
    size: Size,
    searches: Vec<AnySearch>,
    should_stop: &dyn Fn() -> bool,
) -> Result<Vec<AnySearch>, ResourceFault> {
    let mut host = Alone { searches: Some(searches), should_stop, ended: Vec::new() };
    drive(size, 1, &mut host)?;
    match host.ended.iter().find_map(|search| search.failure()) {
        Some(panic) => Err(panic.clone().into()),
        None => Ok(host.ended),
    }
}

/// Drives `searches` as [`advance`] does, until they are done. Returns their results, in order.
pub fn run(size: Size, searches: Vec<AnySearch>) -> Result<Vec<SearchResult>, ResourceFault> {
    reports(advance(size, searches, &|| false)?)
}

/// Drives `searches` as [`run`] does; returns their results and the seconds of each part.
pub fn run_watched(
    size: Size,
    searches: Vec<AnySearch>,
) -> Result<(Vec<SearchResult>, PartSeconds), ResourceFault> {
    let mut host = Alone { searches: Some(searches), should_stop: &|| false, ended: Vec::new() };
    let seconds = drive_watched(size, 1, &mut host)?;
    Ok((reports(host.ended)?, seconds))
}

struct Alone<'a> {
    searches: Option<Vec<AnySearch>>,
    should_stop: &'a dyn Fn() -> bool,
    ended: Vec<AnySearch>,
}

impl Host for Alone<'_> {
    fn next(&mut self, _: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if let Some(ended) = ended {
            self.ended = ended.searches;
        }
        self.searches.take().filter(|searches| !searches.is_empty())
    }

    fn should_stop(&mut self) -> bool {
        (self.should_stop)()
    }
}
