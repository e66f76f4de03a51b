//! `tengen serve`.

use super::experiments::{self, RunKind};
use super::front::{self, Front};
use super::memory::MemoryArgument;
use super::schema::schema;
use super::{Failure, on_ctrl_c};
use crate::bots::NamedBot;
use crate::page::{Limits, Offers};
use crate::settings::parse;
use crate::web::{Options, Server, StartKind, Starts, new_token};
use std::ffi::OsString;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Serve the page: play a bot, watch it think, look at runs
///
/// The command prints the address of the page, and serves the page until Ctrl-C. Only this machine
/// can open the page, unless --listen names another address. With --allow-runs the page starts,
/// stops, resumes and extends runs. Ctrl-C then stops these runs too, and they can be resumed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen serve --port 8000 --runs results")]
pub struct Arguments {
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Folder of the runs that the page shows [default: runs, else results]
    ///
    /// The server writes to the folder only with --allow-runs. The default is results if the folder
    /// runs is missing and --allow-runs is not given.
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Folder of game records that the page lists and opens
    ///
    /// The server lists the SGF files in DIR and in the folders below DIR, and only reads them.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Address to listen on, such as 0.0.0.0 for all addresses of this machine
    ///
    /// On any address but a loopback address, the server answers only requests with the token of
    /// the printed link. With 0.0.0.0 the printed link names this machine: on another machine,
    /// write the name or the address of this machine in the link.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Bot that the page offers by name, given any number of times, such as gnugo=gtp:gnugo --mode
    /// gtp
    ///
    /// The page plays against another program, or against a bot with a file, only if --bot names
    /// this program or bot.
    #[arg(long, value_name = "NAME=SPEC")]
    bot: Vec<NamedBot>,
    /// Largest number of searches at once, 1 to 256 [default: 4]
    ///
    /// The server refuses further searches. If the number is above 1, one search is reserved for
    /// moves of bots. With --allow-runs the number also limits the runs at once; without --searches
    /// this limit is 1.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,
    /// Let the page start, stop, resume and extend runs
    ///
    /// The server writes the runs to the folder of --runs. The option is not allowed with a
    /// --listen that other machines can reach.
    #[arg(long)]
    allow_runs: bool,
    #[command(flatten)]
    memory: MemoryArgument,
}

/// The folder of the user's own runs; if it is missing, the folder of the published runs.
fn default_runs() -> PathBuf {
    let own = PathBuf::from("runs");
    if own.is_dir() { own } else { "results".into() }
}

/// Searches at once by default.
const SEARCHES: u16 = 4;

/// The runs of `kind`, that of `F`, which the page may start.
pub fn start_kind<F: Front>(kind: RunKind) -> Result<StartKind, Failure> {
    let first = parse(F::DEFAULT)?;
    let main: Vec<String> = match F::SHOWN_FIRST {
        [] => {
            let keys = (kind.settings)().0.into_iter().map(|setting| setting.key);
            keys.filter(|key| first.contains_key(*key)).map(str::to_owned).collect()
        }
        main => main.iter().map(|key| (*key).to_owned()).collect(),
    };
    Ok(StartKind {
        name: kind.name(),
        schema: schema(kind),
        first,
        main,
        hidden: F::HIDDEN,
        plan: |table| front::plan(&F::default(), table).map_err(|failure| failure.to_string()),
        extent: F::EXTENT.ok(),
    })
}

/// The runs that the page may start, at most `at_once` at the same time, by this program.
fn starts(at_once: usize) -> Result<Starts, Failure> {
    // If a script in another language runs this program, its words stand before the command.
    let words = std::env::args_os().skip(1).take_while(|word| word != "serve");
    let program = std::iter::once(OsString::from(std::env::current_exe()?)).chain(words).collect();
    let kinds: Result<_, Failure> =
        experiments::all().iter().map(|kind| (kind.start)(*kind)).collect();
    let starts = Starts::new(program, kinds?, at_once);
    let ending = starts.clone();
    on_ctrl_c(move || {
        ending.stop_all();
        std::process::exit(130);
    })?;
    Ok(starts)
}

pub fn run(arguments: Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    arguments.memory.limit();
    let address = SocketAddr::new(arguments.listen, arguments.port);
    if arguments.allow_runs && !arguments.listen.is_loopback() {
        let listen = arguments.listen;
        refuse!(
            "--allow-runs: only this machine may start runs, and others can reach --listen {listen}: leave one of them out"
        );
    }
    let token = if arguments.listen.is_loopback() { None } else { Some(new_token()?) };
    for (option, folder) in [("--runs", &arguments.runs), ("--records", &arguments.records)] {
        if let Some(folder) = folder.as_ref().filter(|folder| !folder.is_dir()) {
            refuse!("{option} {}: there is no such folder", folder.display());
        }
    }
    if let Some(bot) = arguments.bot.iter().find(|bot| !bot.is_named()) {
        refuse!("--bot {}: expected NAME=SPEC", bot.name);
    }
    let at_once = arguments.searches.unwrap_or(1).into();
    let own = || if arguments.allow_runs { "runs".into() } else { default_runs() };
    let options = Options {
        address,
        runs: arguments.runs.unwrap_or_else(own),
        records: arguments.records,
        starts: arguments.allow_runs.then(|| starts(at_once)).transpose()?,
        offers: Offers::new(arguments.bot),
        limits: Limits::default(),
        searches: arguments.searches.unwrap_or(SEARCHES).into(),
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
