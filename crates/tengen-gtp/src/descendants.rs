//! Finds and kills the processes descended from an engine, also those outside its
//! process group: Linux only.
//!
//! One call kills an engine's process group, but a child that calls `setsid`
//! leaves the group, and a child whose parent exits is no longer below the engine
//! in the process tree. So each engine has a mark in its environment, which its
//! descendants inherit. When an engine is ended, its children, their children and
//! so on are killed, and every process that carries its mark. A program that has
//! called [`adopt_orphans`] becomes the parent of such orphans, and so finds even
//! those that have cleared their environment: they are killed with the last engine.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that lists the marks of all engines from which a process
/// descends.
pub const VARIABLE: &str = "TENGEN_ENGINE";

/// Prefix of the marks of all engines of this process: its id and start time, so
/// that no other process has the same.
pub static OWN_MARKS: LazyLock<String> = LazyLock::new(|| {
    let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("[{}.{}.", process::id(), began.as_nanos())
});

/// A mark in the environment of one engine and its descendants.
#[derive(Clone, Debug)]
pub struct Mark(String);

impl Mark {
    /// A new mark, which no other engine has.
    pub fn new() -> Self {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        Self(format!("{}{}]", *OWN_MARKS, ENGINES.fetch_add(1, Ordering::Relaxed)))
    }

    /// The value of [`VARIABLE`] for the engine: the marks that this process has
    /// inherited (it may itself run below an engine), then this mark.
    pub fn value(&self) -> String {
        let mut marks = std::env::var(VARIABLE).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = write!(marks, "{}", self.0);
        marks
    }
}

/// Process ids of the children that this process started and has not waited for.
#[derive(Debug)]
pub struct Children {
    /// The engines, those being ended included.
    pub engines: BTreeSet<u32>,
    /// The engines that are being ended.
    pub ending: BTreeSet<u32>,
    /// The shell that kills the engines should this process be killed.
    pub guard: Option<u32>,
}

impl Children {
    /// No children: before the first engine starts.
    pub const fn none() -> Self {
        Self { engines: BTreeSet::new(), ending: BTreeSet::new(), guard: None }
    }
}

#[cfg(target_os = "linux")]
pub use linux::{adopt_orphans, kill};

#[cfg(target_os = "linux")]
mod linux {
    use super::super::resource::Resource;
    use super::{Children, Mark, VARIABLE};
    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
    };
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};
    use std::{fs, io, thread};

    /// Time limit of [`kill`]. A kill takes effect after a moment, in which the
    /// killed process may start another one: so processes are listed repeatedly.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Whether children that this process did not start are orphans of engines.
    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// Makes this process the parent of all its orphaned descendants (a child
    /// subreaper of Linux). For programs whose only children are engines: when the
    /// last engine is ended, all other children are killed with it.
    pub fn adopt_orphans() {
        // Kernels before 3.4 refuse: then only the marks find orphans.
        let adopts = set_child_subreaper(Some(getpid())).is_ok();
        ADOPTS.store(adopts, Ordering::Relaxed);
    }

    /// A process as `/proc` shows it.
    struct Entry {
        pid: Pid,
        parent: i32,
        is_zombie: bool,
        /// Start time, in clock ticks since the system started.
        began: u64,
    }

    fn processes() -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for folder in fs::read_dir("/proc")? {
            let folder = folder?;
            let number = folder.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(pid) = number.and_then(Pid::from_raw) else { continue };
            let stat = match fs::read(folder.path().join("stat")) {
                Ok(stat) => stat,
                Err(fault) if Resource::of(&fault) == Resource::Descriptors => return Err(fault),
                // The process has ended meanwhile, or belongs to another user.
                Err(_) => continue,
            };
            // After the name in parentheses, which may hold anything: state, parent
            // and, as number 22 of all, the start.
            let stat = String::from_utf8_lossy(&stat);
            let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            let is_zombie = fields.next() == Some("Z");
            let parent = fields.next().and_then(|parent| parent.parse().ok()).unwrap_or(0);
            let began = fields.nth(17).and_then(|began| began.parse().ok()).unwrap_or(u64::MAX);
            entries.push(Entry { pid, parent, is_zombie, began });
        }
        Ok(entries)
    }

    fn carries(pid: Pid, mark: &Mark) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        // Unreadable are those that ended, and other users'.
        let environment = fs::read(path).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| {
            let text = String::from_utf8_lossy(entry);
            text.strip_prefix(VARIABLE).is_some_and(|value| value.contains(&mark.0))
        })
    }

    fn number(pid: Pid) -> u32 {
        pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// `leader`, its children, their children and so on.
    fn family(leader: u32, entries: &[Entry]) -> BTreeSet<u32> {
        let mut family = BTreeSet::from([leader]);
        let mut known = 0;
        while known < family.len() {
            known = family.len();
            let is_child = |entry: &&Entry| family.contains(&entry.parent.unsigned_abs());
            let children: Vec<u32> =
                entries.iter().filter(is_child).map(|child| number(child.pid)).collect();
            family.extend(children);
        }
        family
    }

    /// Kills those of `entries` that descend from the engine `leader` with
    /// `mark`, and returns how many.
    fn kill_among(entries: &[Entry], leader: u32, mark: &Mark, children: &Children) -> usize {
        let own = getpid().as_raw_nonzero().get();
        let adopts = ADOPTS.load(Ordering::Relaxed);
        let is_last = children.engines.is_subset(&children.ending);
        let is_orphan = |entry: &Entry| {
            let pid = number(entry.pid);
            let is_known = children.engines.contains(&pid) || children.guard == Some(pid);
            adopts && entry.parent == own && !is_known
        };
        let family = family(leader, entries);
        // A process older than the engine cannot descend from it; most are older,
        // and their environment need not be read.
        let began = entries.iter().find(|entry| number(entry.pid) == leader);
        let began = began.map_or(0, |leader| leader.began);
        let is_descendant = |entry: &Entry| {
            family.contains(&number(entry.pid))
                || (is_last && is_orphan(entry))
                || (entry.began >= began && carries(entry.pid, mark))
        };
        let mut killed = 0;
        for entry in entries.iter().filter(|entry| number(entry.pid) != leader) {
            if entry.is_zombie && is_orphan(entry) {
                // Nobody else waits for it.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                let _ = waitid(WaitId::Pid(entry.pid), options);
            } else if !entry.is_zombie && is_descendant(entry) {
                // Fails if the process has ended meanwhile.
                let _ = kill_process(entry.pid, Signal::KILL);
                killed += 1;
            }
        }
        killed
    }

    /// Kills all descendants of the engine `leader` with `mark`, but not the
    /// engine itself, which must not have been waited for.
    pub fn kill(leader: u32, mark: &Mark, children: &Children) {
        let deadline = Instant::now() + PATIENCE;
        let mut nap = Duration::from_micros(200);
        loop {
            // An error is most likely a lack of file descriptors: one may be free
            // in a moment.
            let entries = processes();
            let killed = entries.map(|entries| kill_among(&entries, leader, mark, children));
            if matches!(killed, Ok(0)) || Instant::now() >= deadline {
                return;
            }
            thread::sleep(nap);
            nap = (2 * nap).min(Duration::from_millis(10));
        }
    }
}

/// Does nothing: only Linux has child subreapers.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

/// Does nothing: only the engine's process group is killed.
#[cfg(not(target_os = "linux"))]
pub fn kill(_: u32, _: &Mark, _: &Children) {}
