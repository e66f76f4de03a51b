//! `tengen serve`.

use super::Failure;
use super::memory::MemoryArgument;
use crate::bots::NamedBot;
use crate::page::{Limits, Offers};
use crate::web::{Options, Server, new_token};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Serve the page: play a bot, watch it think, look at runs
///
/// Prints the address of the page and serves it until it is stopped. Only this machine can
/// open it, unless --listen names another address: then the printed link has a token,
/// without which nothing is answered.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen serve --port 8000 --runs results")]
pub struct Arguments {
    /// Port; 0 for any that is free
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// The folder of the runs, which are only read [default: runs, or results where there is no
    /// folder runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Address to listen on; any but a loopback address needs the token of the printed link
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Bot that the page offers by its name, NAME=SPEC, given any number of times: the only way
    /// to play against another program, as in gnugo=gtp:gnugo --mode gtp
    #[arg(long, value_name = "NAME=SPEC")]
    bot: Vec<NamedBot>,
    /// Most searches at once; further ones are refused
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: u16,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The folder of one's own runs, or else that of the published ones.
fn default_runs() -> PathBuf {
    let own = PathBuf::from("runs");
    if own.is_dir() { own } else { "results".into() }
}

/// Serves until the process ends.
pub fn run(arguments: Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let token = if arguments.listen.is_loopback() { None } else { Some(new_token()?) };
    if let Some(runs) = arguments.runs.as_ref().filter(|runs| !runs.is_dir()) {
        return Err(Failure::Usage(format!("--runs {}: there is no such folder", runs.display())));
    }
    if let Some(bot) = arguments.bot.iter().find(|bot| !bot.is_named()) {
        return Err(Failure::Usage(format!("--bot {}: expected NAME=SPEC", bot.name)));
    }
    let options = Options {
        address,
        runs: arguments.runs.unwrap_or_else(default_runs),
        offers: Offers::new(arguments.bot),
        limits: Limits::default(),
        searches: arguments.searches.into(),
        token,
    };
    let server = Server::bind(options)
        .map_err(|why| Failure::usage(format!("cannot listen at {address}: {why}")))?;
    writeln!(output, "Tengen is at {}", server.link())?;
    if address.ip().is_unspecified() {
        let other = "the same link with this machine's name or address";
        writeln!(output, "On other machines, open {other}")?;
    }
    output.flush()?;
    server.run();
    Ok(())
}
