//! `Searches` as bytes: to be pickled, or saved in a file.

use super::super::bot;
use super::super::callable::{Inputs, Names};
use super::Searches;
use crate::ending::detach;
use crate::errors::invalid;
use crate::position::{Position, State};
use crc::{CRC_32_ISO_HDLC, Crc};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use tengen::go::{Game, Size};
use tengen::search::{SavedSearch, root_parallel};

/// What the bytes begin with; the number is that of the format.
const BEGIN: &[u8] = b"tengen searches 2\n";

/// The content between [`BEGIN`] and its CRC-32.
#[derive(Serialize, Deserialize)]
struct Saved {
    bot: String,
    /// The versions of the registered callables that the bot names.
    versions: Vec<String>,
    /// Names of planes and number of positions, if leaves are answered from Python.
    inputs: Option<(String, usize)>,
    is_one: bool,
    batch: usize,
    threads: usize,
    seeds: Vec<u64>,
    games: Vec<State>,
    /// None where the game is over.
    searches: Vec<Option<SavedSearch>>,
}

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

#[pymethods]
impl Searches {
    /// Everything that a process needs to continue the searches, except a callable that answers
    /// leaves.
    fn save<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.check()?;
        if self.is_waiting() {
            return Err(invalid(
                "leaves wait for a reply: answer them by a loop over steps(0) before the searches are saved \
                 or copied",
            ));
        }
        let positions: Vec<Position> =
            self.games.iter().map(|game| Position::of(game.clone())).collect();
        let games = positions.iter().map(Position::state).collect();
        let (mut searches, threads) = self.take();
        let saved = Saved {
            bot: self.bot.clone(),
            versions: self.config.versions(),
            inputs: self.inputs.as_ref().map(Inputs::state),
            is_one: self.is_one,
            batch: self.batch,
            threads,
            seeds: self.seeds.clone(),
            games,
            searches: searches.iter_mut().map(|one| one.as_mut()?.save()).collect(),
        };
        self.park(searches, threads);
        // Until they are suspended, as in the middle of a run.
        self.parts().iter_mut().for_each(|part| part.parked_mut().wake_all());
        let bytes = detach(py, || {
            let bytes = postcard::to_stdvec_crc32(&saved, CRC.digest());
            bytes.map_err(|error| invalid(format!("the searches cannot be saved: {error}")))
        })?;
        Ok(PyBytes::new(py, &[BEGIN, &bytes].concat()))
    }

    /// The searches from bytes that [`Searches::save`] made.
    #[staticmethod]
    fn load(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let Some(saved) = bytes.strip_prefix(BEGIN) else {
            return Err(invalid(
                "this file holds no saved searches, or in a format that this version of Tengen does not read",
            ));
        };
        let saved: Saved = detach(py, || {
            let whole = postcard::take_from_bytes_crc32(saved, CRC.digest());
            whole.ok().and_then(|(saved, rest)| rest.is_empty().then_some(saved)).ok_or_else(|| {
                invalid("the file is damaged: it is not what Searches.save has written")
            })
        })?;
        let inputs = saved
            .inputs
            .map(|(planes, positions)| Inputs::new(Some(Names::One(planes)), positions));
        let inputs = inputs.transpose()?;
        let config = bot::config(&saved.bot, inputs.as_ref(), "Searches").map_err(|error| {
            let said = error.value(py);
            invalid(format!("{said} (what the bot names must be registered before it is loaded)"))
        })?;
        let versions = config.versions();
        if versions != saved.versions {
            return Err(invalid(format!(
                "bot `{}`: what it names was registered in version {}, and is in version {} now",
                saved.bot,
                saved.versions.join(", "),
                versions.join(", ")
            )));
        }
        let games: PyResult<Vec<Game>> =
            saved.games.into_iter().map(|it| Ok(Position::of_state(it)?.game().clone())).collect();
        let games = games?;
        let other = || {
            invalid(format!(
                "these searches do not fit the bot `{}`: its settings differ in this version of Tengen",
                saved.bot
            ))
        };
        let resumed = games.iter().zip(saved.searches).map(|(game, saved)| {
            let Some(saved) = saved else { return Ok(None) };
            let resumed = root_parallel::resume_one(game, &config, u64::MAX, saved);
            let mut search = resumed.ok_or_else(other)?;
            search.suspend_after(0);
            Ok(Some(search))
        });
        let searches: PyResult<Vec<_>> = resumed.collect();
        let searches = searches?;
        let size: Size = games.first().map(Game::size).ok_or_else(other)?;
        let waiting = Vec::new();
        let mut own = Self {
            size,
            bot: saved.bot,
            config,
            games,
            seeds: saved.seeds,
            is_one: saved.is_one,
            inputs,
            batch: saved.batch,
            parts: Mutex::default(),
            batches: 0,
            waiting,
            failure: None,
        };
        own.park(searches, saved.threads);
        Ok(own)
    }
}
