//! The CPU time of a running process and its descendants.

/// CPU time so far, in seconds, of the process `id`, of its children that have ended and that it has
/// waited for, and of its running descendants with theirs; none if the process does not run, and
/// where the system does not tell. It counts in ticks of the system, mostly 10 ms.
#[cfg(target_os = "linux")]
pub fn cpu_seconds(id: u32) -> Option<f64> {
    let mut ticks = linux::ticks(id)?;
    let mut waiting = linux::children(id);
    while let Some(descendant) = waiting.pop() {
        // A descendant that has just ended counts with its parent.
        ticks += linux::ticks(descendant).unwrap_or(0);
        waiting.extend(linux::children(descendant));
    }
    #[allow(clippy::cast_precision_loss)] // below 2⁵³ ticks
    let seconds = ticks as f64 / rustix::param::clock_ticks_per_second() as f64;
    Some(seconds)
}

/// None: this system does not tell.
#[cfg(not(target_os = "linux"))]
pub const fn cpu_seconds(_: u32) -> Option<f64> {
    None
}

#[cfg(target_os = "linux")]
pub use linux::children;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    /// The ticks that the process and its children that it has waited for have used.
    pub fn ticks(id: u32) -> Option<u64> {
        of_stat(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    /// The sum of `utime`, `stime`, `cutime` and `cstime`, the fields 14 to 17 of `stat` (proc(5)).
    /// The second field, the name of the program, may contain spaces and parentheses.
    pub fn of_stat(stat: &str) -> Option<u64> {
        let (_, rest) = stat.rsplit_once(')')?;
        let ticks: Option<Vec<u64>> =
            rest.split_whitespace().skip(11).take(4).map(|field| field.parse().ok()).collect();
        ticks.filter(|ticks| ticks.len() == 4).map(|ticks| ticks.iter().sum())
    }

    /// The running children of a process, as Linux lists them by thread.
    pub fn children(id: u32) -> Vec<u32> {
        let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let list = lists.collect::<Vec<String>>().join(" ");
        list.split_whitespace().filter_map(|id| id.parse().ok()).collect()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{cpu_seconds, linux};
    use crate::process::Process;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "42 (a) b (c) R 1 42 42 0 -1 4194304 98 7 0 3 100 20 5 1 20 0 1 0 80136 3133440";
        assert_eq!(linux::of_stat(stat), Some(126));
        for cut in ["", "42 (sh", "42 (sh) R 1 42", "42 (sh) R 1 42 42 0 -1 4 98 7 0 3 100 20 5"] {
            assert_eq!(linux::of_stat(cut), None, "{cut}");
        }
        let negative = stat.replace(" 20 5 1 ", " -20 5 1 ");
        assert_eq!(linux::of_stat(&negative), None);
    }

    /// A shell with this script. Started as a program: tests beside this one kill all other children.
    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped());
        Process::spawn(command).unwrap()
    }

    /// The CPU time of a program, once it exceeds `least` seconds or 20 s are over.
    fn reached(process: &mut Process, least: f64) -> f64 {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let found = process.cpu_seconds().unwrap();
            if found > least || Instant::now() > until {
                return found;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_process_counts_with_its_children() {
        let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        for (who, script) in [
            ("the process", format!("{burn}; read -r _")),
            ("a child that runs", format!("sh -c '{burn}; sleep 60' & wait")),
            ("a child that has ended", format!("sh -c '{burn}'; read -r _")),
        ] {
            let mut process = shell(&script);
            let found = reached(&mut process, 0.1);
            assert!(found > 0.1, "{who}: {found} s");
            process.end(Duration::ZERO);
            assert!(process.cpu_seconds() >= Some(found), "{who}, after its end");
            assert_eq!(cpu_seconds(process.child().id()), None, "{who}");
        }
        let mut process = shell(burn);
        process.end(Duration::from_secs(20));
        assert!(process.cpu_seconds() > Some(0.05), "{:?}", process.cpu_seconds());
    }

    #[test]
    fn a_process_that_sleeps_takes_nearly_none() {
        let mut process = shell("read -r _");
        thread::sleep(Duration::from_millis(300));
        let found = process.cpu_seconds().unwrap();
        assert!(found < 0.1, "{found} s");
    }
}
