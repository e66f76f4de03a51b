//! A process outside of MPI that starts the ranks, and plays on if all of them end.

use crate::engine::{self, note};
use crate::ranks::{self, PatienceArgument};
use anyhow::Context;
use std::env;
use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tengen::commands::{Failure, gtp, refused};
use tengen::settings::Settings;
use tengen_gtp::GtpConfig;
use tengen_mpi::{Coordinator, FrontEnd};

/// Longest answer of the ranks, in bytes.
const ANSWER_BYTES: i64 = 256 << 20;

/// Answers GTP commands, with searches by the ranks that `mpirun` starts, a command line such as
/// `mpirun -n 8`.
pub fn play(
    arguments: &gtp::Arguments,
    mpirun: &str,
    patience: PatienceArgument,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let fault = |said: &dyn Display| Failure::Usage(format!("--mpirun `{mpirun}`: {said}"));
    let settings = [("command", mpirun.into()), ("answer_bytes", ANSWER_BYTES.into())];
    let settings = settings.map(|(key, value)| (key.to_owned(), value));
    let engine =
        GtpConfig::from_table(settings.into_iter().collect()).map_err(|said| fault(&said))?;
    let mut launch = engine.launch(0);
    let program = env::current_exe().context("cannot find this program")?;
    launch.words.push(program.to_string_lossy().into_owned());
    launch.words.extend(ranks::command(arguments, patience));
    let started = FrontEnd::start(&launch, patience.duration(), Box::new(|said| note(&said)));
    let (mut front_end, ranks) = started.map_err(|said| fault(&said))?;
    let bot = Coordinator::config_for(&arguments.bot, ranks).map_err(|fault| refused(&fault))?;
    let search = move |game: &_, config: &_, seed| front_end.search(game, config, seed);
    engine::play(arguments, bot, Arc::new(Mutex::new(search)), output)
}
