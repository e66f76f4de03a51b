//! The command lines of the manual are run: each begins what it says.

use crate::common::{Scratch, command, program, read, signal, text};
use crate::manual::{commands, invocation, pages, root};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::thread;
use std::time::{Duration, Instant};

/// How long a command may compute before it is interrupted: on a busy machine it goes on for longer.
const LIMIT: Duration = Duration::from_millis(800);
/// How long it may go on in all, such as a server that waits.
const MOST: Duration = Duration::from_secs(5);
/// How long it may take to end then, before it is killed.
const END: Duration = Duration::from_secs(60);

/// SIGINT, by which a command ends that does not catch it.
const INTERRUPT: i32 = 2;
/// The exit codes of an interrupted command that catches it: unfinished, or as if it had not.
const INTERRUPTED: [i32; 2] = [1, 130];

/// What the reader of a page is said to have: the page, and a command that makes it.
const AT_HAND: [(&str, &str); 2] = [
    (
        "resume-and-extend.md",
        "tournament --size 5 --pairs 2 --bot random --bot two-ply --out runs/first",
    ),
    ("use-the-page.md", "tournament --size 5 --pairs 1 --bot random --bot two-ply --out runs/any"),
];

/// A folder in which the reader of the `page` works. Nothing in it is a file of the repository.
fn workplace(page: &str) -> Scratch {
    let folder = Scratch::new();
    let written = read(Path::new(page));
    for name in ["results", "experiments/configs"] {
        let copy = folder.join(name);
        fs::create_dir_all(&copy).unwrap();
        for entry in fs::read_dir(root().join(name)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if written.contains(&*name.to_string_lossy()) {
                copy_all(&path, &copy.join(name));
            }
        }
    }
    let run = "size = 5\npairs = 4\nbot = ['random', 'two-ply']\n";
    fs::write(folder.join("run.toml"), run).unwrap();
    let moves = ";B[ee];W[gc]".to_owned() + &";B[];W[]".repeat(20);
    fs::write(folder.join("game.sgf"), format!("(;SZ[9]{moves})")).unwrap();
    fs::create_dir(folder.join("runs")).unwrap();
    for (_, made) in AT_HAND.iter().filter(|(name, _)| page.ends_with(name)) {
        let output = command(program("tengen"), &folder, made).output().unwrap();
        assert!(output.status.success(), "{made}: {}", text(&output.stderr));
    }
    folder
}

/// Copies a file, or a folder with all that is in it.
fn copy_all(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        copy_all(&path, &to.join(path.file_name().unwrap()));
    }
}

/// The program of a line, its arguments, and the file that its output goes to; none where the line
/// is another command, or needs what is not here: a feature, a program that is not installed, or a
/// plan that is committed.
fn read_line(words: &[String]) -> Option<(&'static str, Vec<String>, Option<String>)> {
    let needs = |name: &str| words.iter().any(|word| word.contains(name));
    if needs("onnx")
        || needs("--plan")
        || (needs("gnugo") && !Path::new("/usr/games/gnugo").exists())
    {
        return None;
    }
    let (name, arguments) = invocation(words)?;
    let end = arguments.iter().position(|word| word == ">" || word.starts_with('#'));
    let (own, rest) = arguments.split_at(end.unwrap_or(arguments.len()));
    let target = rest.first().filter(|word| *word == ">").map(|_| rest[1].clone());
    // Any port that is free.
    let own = own.iter().map(|word| if word == "8000" { "0".to_owned() } else { word.clone() });
    Some((program(name), own.collect(), target))
}

/// What a command leaves in `folder`, and whether it was interrupted.
fn run(program: &str, arguments: &[String], target: Option<&str>, folder: &Path) -> (Output, bool) {
    let mut command = command(program, folder, "");
    command.args(arguments);
    // What is printed is more than a pipe holds, and nobody reads it meanwhile.
    let printed = target.unwrap_or("printed");
    command.stdout(File::create(folder.join(printed)).unwrap());
    let mut child = command.spawn().unwrap();
    let pid = child.id();
    let has_worked = |since: Instant| since.elapsed() >= MOST || computed(pid) >= LIMIT;
    let is_interrupted = !ends_before(&mut child, has_worked);
    if is_interrupted {
        signal(&child, "-INT");
        if !ends_before(&mut child, |since| since.elapsed() >= END) {
            child.kill().unwrap();
        }
    }
    (child.wait_with_output().unwrap(), is_interrupted)
}

/// Whether `child` ends before `is_over`, which gets the time of the call.
fn ends_before(child: &mut Child, is_over: impl Fn(Instant) -> bool) -> bool {
    let since = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        if is_over(since) {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The processor time of the process `pid` so far; where the system does not tell it, more than any limit.
fn computed(pid: u32) -> Duration {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return Duration::MAX };
    // The name of the program, in parentheses, may have spaces. The times are in hundredths of a second.
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

#[test]
fn command_lines_of_the_manual_begin_what_they_say() {
    let (mut begun, mut left_out) = (0, 0);
    // CONTRIBUTING.md has commands that write into the repository.
    let is_run = |page: &&PathBuf| {
        let name = page.to_string_lossy();
        !name.contains("docs/archive") && !name.ends_with("CONTRIBUTING.md")
    };
    for page in pages().iter().filter(is_run) {
        let name = page.display().to_string();
        let folder = workplace(&name);
        // What an interrupted command was to leave; later lines may need the whole of it.
        let mut unfinished: Vec<String> = Vec::new();
        for words in commands(&read(page)) {
            let Some((program, arguments, target)) = read_line(&words) else { continue };
            let of_option = |pair: &[String]| match pair[0].as_str() {
                "--out" | "--training" => Some(pair[1].clone()),
                _ => None,
            };
            let left: Vec<String> =
                arguments.windows(2).filter_map(of_option).chain(target.clone()).collect();
            let is_of = |word: &String| unfinished.iter().any(|name| word.contains(name.as_str()));
            if arguments.iter().any(is_of) {
                left_out += 1;
                unfinished.extend(left);
                continue;
            }
            let (output, is_interrupted) = run(program, &arguments, target.as_deref(), &folder);
            let said = String::from_utf8_lossy(&output.stderr);
            let status = output.status;
            let is_stopped = status.code().is_some_and(|code| INTERRUPTED.contains(&code))
                || status.signal() == Some(INTERRUPT);
            let is_good = status.success() || (is_interrupted && is_stopped);
            assert!(is_good, "{name}: {}: {}: {said}", words.join(" "), status);
            if is_interrupted {
                unfinished.extend(left);
                // Positions are added as they are found: perhaps none is yet.
                if let [command, file, ..] = &arguments[..]
                    && command == "positions"
                    && !folder.join(file).exists()
                {
                    unfinished.push(file.clone());
                }
            }
            begun += 1;
        }
    }
    assert!(begun >= 50 && left_out <= 20, "{begun} lines were run, and {left_out} left out");
}
