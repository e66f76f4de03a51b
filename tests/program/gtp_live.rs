//! Analyses that go on while input is read, and the program around the engine.

use crate::common::{Scratch, TENGEN, command, gtp, read, text};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// A running `tengen gtp`, killed if a test fails.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Running {
    fn start(line: &str) -> Self {
        let mut command = command(TENGEN, Path::new("."), &format!("gtp {line}"));
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = child.stdout.take().map(BufReader::new);
        Self { input: child.stdin.take(), child, output }
    }

    fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.as_mut().unwrap().read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    /// The lines up to an empty one.
    fn answer(&mut self) -> Vec<String> {
        std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_analysis_goes_on_until_the_next_line() {
    let mut tengen = Running::start("--size 9");
    for (command, next) in [
        ("lz-analyze 5", "5 name"),
        ("kata-analyze b 5", ""),
        ("8 lz-analyze interval 5", "6 name"),
    ] {
        tengen.send(&format!("{command}\n"));
        assert!(tengen.line().starts_with('='), "{command}");
        let visits = |line: &str| -> u64 {
            assert!(line.starts_with("info move ") && line.contains(" order 0 pv "), "{line}");
            let visits = line.split(" visits ").skip(1).map(|rest| rest.split(' ').next().unwrap());
            visits.map(|visits| visits.parse::<u64>().unwrap()).sum()
        };
        let reports: Vec<u64> = (0..4).map(|_| visits(&tengen.line())).collect();
        assert!(reports.is_sorted_by(|a, b| a < b), "{reports:?}");
        let began = Instant::now();
        tengen.send(&format!("{next}\n"));
        while !tengen.line().is_empty() {}
        if let Some((id, _)) = next.split_once(' ') {
            assert_eq!(tengen.answer(), [format!("={id} Tengen")]);
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
    // What was searched can be asked for, and the game has not changed.
    tengen.send("tengen-stats\nshowboard\n");
    assert!(tengen.answer().len() > 3);
    assert!(tengen.answer().last().unwrap().starts_with("black to move, ply 0"));
}

#[test]
fn the_end_of_the_input_ends_an_analysis_and_the_program() {
    let mut tengen = Running::start("--size 9");
    tengen.send("lz-analyze 5\n");
    for _ in 0..3 {
        assert!(!tengen.line().is_empty());
    }
    let began = Instant::now();
    drop(tengen.input.take());
    let status = tengen.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_search_that_nobody_waits_for_ends() {
    for (command, closes_input) in
        [("lz-analyze 5", false), ("genmove b", false), ("genmove b", true)]
    {
        let mut tengen = Running::start("--size 9 --bot uct:seconds=60");
        tengen.send(&format!("name\n{command}\n"));
        tengen.answer();
        drop(tengen.output.take());
        drop(tengen.input.take_if(|_| closes_input));
        let began = Instant::now();
        assert_eq!(tengen.child.wait().unwrap().code(), Some(0));
        assert!(began.elapsed() < Duration::from_secs(20), "{command}: {:?}", began.elapsed());
    }
}

#[test]
fn a_move_with_analysis_is_not_interrupted() {
    let mut tengen = Running::start("--size 5 --bot uct:seconds=0.3");
    let began = Instant::now();
    tengen.send("lz-genmove_analyze b 5\n7 showboard\n");
    let answer = tengen.answer();
    assert!(began.elapsed() >= Duration::from_millis(290), "{:?}", began.elapsed());
    assert!(answer.len() > 3 && answer[0] == "=", "{answer:?}");
    assert!(answer.last().unwrap().starts_with("play "), "{answer:?}");
    assert!(tengen.answer().last().unwrap().starts_with("white to move, ply 1"));
}

#[test]
fn options_of_the_program() {
    let folder = Scratch::new();
    let log = folder.join("dialogue.log");
    let line = format!("--size 4x3 --komi -2 --rules aga --bot random --log {}", log.display());
    let output = gtp(&line, "showboard\n3 play b Z9\n");
    let answers = text(&output.stdout);
    assert!(answers.contains("A B C D\nblack to move, ply 0, komi -2, aga rules"), "{answers}");
    assert!(answers.ends_with("?3 syntax error\n\n"), "{answers}");
    assert_eq!(
        text(&output.stderr),
        "play: invalid vertex `Z9`: expected a column A to T without I and a row 1 to 19, or pass\n"
    );
    let log = read(&log);
    for line in ["<- showboard", "-> ?3 syntax error", "!! invalid vertex `Z9`: ", "<- 3 play b Z9"]
    {
        assert!(log.contains(line), "{log}");
    }
}

/// How long the moves of `tengen gtp` take under `time_settings` of a second a
/// move.
fn move_times(line: &str, moves: usize) -> Vec<Duration> {
    let mut tengen = Running::start(line);
    tengen.send("time_settings 0 1 1\n");
    tengen.answer();
    let mut times = Vec::new();
    for number in 0..moves {
        let color = ["b", "w"][number % 2];
        let began = Instant::now();
        tengen.send(&format!("genmove {color}\n"));
        let answer = tengen.answer();
        times.push(began.elapsed());
        assert!(answer[0].starts_with("= "), "{answer:?}");
        if number % 100 == 99 {
            tengen.send("clear_board\n");
            tengen.answer();
        }
    }
    times
}

/// A bot whose searches do not end before their time.
const WHOLE_TIME: &str = "--bot strong:smart_pruning=0,sure_win=1";

#[test]
fn the_clock_is_heeded() {
    let times = move_times(&format!("--size 9 {WHOLE_TIME}"), 3);
    assert!(times.iter().all(|time| *time >= Duration::from_millis(500)), "{times:?}");
    let times = move_times("--size 9 --ignore-clock", 1);
    assert!(times[0] < Duration::from_secs(5), "{times:?}");
}

/// Two hundred moves of a second each, with every core twice as busy as it can be.
#[test]
#[ignore = "takes minutes, and all cores: cargo test --release --test program moves_in_time -- --ignored"]
fn moves_in_time_on_a_loaded_machine() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let is_over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let times = std::thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let times = move_times(&format!("--size 19 {WHOLE_TIME}"), 200);
        is_over.store(true, Ordering::Relaxed);
        times
    });
    let longest = times.iter().max().unwrap();
    println!("longest {longest:?}, shortest {:?}", times.iter().min().unwrap());
    assert!(*longest < Duration::from_secs(1), "{longest:?}");
    // 19x19 is open all the time.
    assert!(times.iter().all(|time| *time >= Duration::from_millis(500)), "{times:?}");
}
