//! Games with other programs, most of which misbehave.

use crate::common::{Scratch, TENGEN, TOURNAMENT, in_repository, printed, read, rows, wait_until};
use std::fs;
use std::path::{Path, PathBuf};
use tengen::tournament::{GameRow, Outcome, Termination};
use tengen::tournament::{Tournament, play, preflight};

/// The variable by which all descendants of a test are found.
pub const MARK: &str = "TENGEN_TEST_MARK";

pub fn engine() -> PathBuf {
    in_repository("tests/engines/engine.sh")
}

/// `tournament` as `text` with the settings in `change` replaced.
fn changed<const N: usize>(tournament: &Tournament, changes: [(&str, &str); N]) -> Tournament {
    let mut text = toml::to_string(tournament).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} is not in {text}");
        text = text.replace(from, to);
    }
    text.parse().unwrap()
}

/// What does not depend on the clock, nor on the name of the run.
fn timeless(row: &GameRow) -> GameRow {
    GameRow { run: String::new(), ..row.clone().without_times() }
}

/// `bad`, an engine that misbehaves as told, against a random player.
fn tournament(how: &str, size: &str, mark: &str) -> Tournament {
    let text = format!(
        "size = '{size}'\nopening_plies = 0\n\
         [[bot]]\nname = 'bad'\nkind = 'gtp'\ncommand = \"sh '{}' {how}\"\n\
         move_seconds = 1\nstart_seconds = 1\nanswer_bytes = 65536\nenv = {{ {MARK} = '{mark}' }}\n\
         [[bot]]\nname = 'random'\nkind = 'random'\n",
        engine().display(),
    );
    text.parse().unwrap()
}

/// The living processes that carry `mark`.
pub fn alive(mark: &str) -> Vec<String> {
    let needle = format!("{MARK}={mark}");
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter(|process| {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|entry| entry == needle.as_bytes())
        })
        .map(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            format!("{} {}", process.path().display(), String::from_utf8_lossy(&line))
        })
        .collect()
}

pub fn assert_none_alive(mark: &str) {
    wait_until("all processes end", || alive(mark).is_empty());
}

fn played(how: &str, size: &str) -> GameRow {
    let mark = format!("{}-{how}-{size}", std::process::id());
    let tournament = tournament(how, size, &mark);
    let row = play(&tournament, &tournament.schedule().plan(0)).unwrap();
    assert_none_alive(&mark);
    row
}

#[test]
fn a_game_is_lost_for_its_reason() {
    use Termination::{Crash, Illegal, Resign, Time};
    for (how, termination, reason) in [
        (
            "crash",
            Crash,
            "`genmove black`: it ended by itself (exit status: 7); its last words: out of luck",
        ),
        ("crash 3", Crash, "out of luck"),
        ("crash-at-start", Crash, "out of luck"),
        ("killed", Crash, "signal: 11"),
        ("unfinished", Crash, "exit status: 0"),
        ("garbage", Crash, "invalid answer `hello there`"),
        ("garbage-at-start", Crash, "invalid answer `hello there`"),
        ("refuse", Crash, "`genmove black`: it refused: `I would rather not`"),
        ("refuse-at-length", Crash, "it refused: `I would\nrather\nnot, \"really\"`"),
        ("twice", Crash, "invalid answer"),
        ("flood", Crash, "more than 65536 bytes"),
        ("blank-at-start", Crash, "more than 65536 bytes"),
        ("answers 2", Crash, "was not requested"),
        ("mute", Crash, "closed its output"),
        ("child", Crash, "exit status: 0"),
        ("hang", Time, "`genmove black`: no answer within 1 s"),
        ("hang-at-start", Time, "`name`: no answer within 1 s"),
        ("deaf", Time, "no answer within 1 s"),
        ("slow", Time, "no answer within 1 s"),
        ("occupied", Illegal, "A1: the point is occupied"),
        ("off-board", Illegal, "T19: the point is not on the board"),
        ("nonsense", Illegal, "`genmove black`: invalid vertex `banana`"),
        ("resign", Resign, ""),
    ] {
        let row = played(how, "5x5");
        assert_eq!((row.termination, row.outcome), (termination, Outcome::White), "{how}: {row:?}");
        assert!(row.reason.contains(reason), "{how}: {}", row.reason);
        assert_eq!(row.reason.is_empty(), reason.is_empty(), "{how}: {}", row.reason);
        assert_eq!(row.score, None, "{how}");
    }
}

#[test]
fn odd_but_honest_engines_play_on() {
    for how in ["good", "chatty", "stubborn", "numberless", "beside-at-start", "counts"] {
        let row = played(how, "5x5");
        assert_eq!((row.termination, row.outcome), (Termination::Passes, Outcome::White), "{how}");
        // Another winner is told.
        let counts = how == "counts";
        assert_eq!(row.reason, if counts { "black counts B+3.5" } else { "" });
        assert_eq!((row.black_engine_score, row.is_disputed()), (counts.then_some(3.5), counts));
    }
}

#[test]
fn a_board_that_the_engine_does_not_know() {
    for (how, size, reason) in [
        ("small", "7x7", "`boardsize 7`: it refused: `unacceptable size`"),
        ("good", "5x4", "rectangular_boardsize for 5x4"),
    ] {
        let row = played(how, size);
        assert_eq!(row.termination, Termination::Crash);
        assert!(row.reason.contains(reason), "{}", row.reason);
    }
}

#[test]
fn the_preflight_tells_every_fault() {
    let text = "size = '7'\nbot = ['a=gtp:no-such-engine x', 'random', 'b=gtp:sh ENGINE small', \
                'c=gtp:sh ENGINE good']"
        .replace("ENGINE", &engine().display().to_string());
    let tournament: Tournament = text.parse().unwrap();
    let fault = preflight(&tournament).unwrap_err().to_string();
    let lines: Vec<&str> = fault.lines().collect();
    assert_eq!(lines.len(), 2, "{fault}");
    assert!(
        lines[0].starts_with("bot a cannot play: `no-such-engine` cannot be started"),
        "{fault}"
    );
    assert!(lines[1].starts_with("bot b cannot play: `boardsize 7`"), "{fault}");
}

#[test]
fn a_kept_engine_plays_several_games() {
    let mark = format!("{}-kept", std::process::id());
    let kept = [("keep = false", "keep = true")];
    let tournament = changed(&tournament("good", "5x5", &mark), kept);
    for game in 0..4 {
        let row = play(&tournament, &tournament.schedule().plan(game)).unwrap();
        assert_eq!(row.termination, Termination::Passes);
        #[cfg(target_os = "linux")]
        assert_eq!(alive(&mark).len(), 1);
    }
    drop(tournament);
    assert_none_alive(&mark);
}

#[test]
fn a_log_a_game() {
    let scratch = Scratch::new();
    let log = format!("move_seconds = 1.0\nlog = '{}'", scratch.join("logs").display());
    let crashes = tournament("crash 2", "5x5", "log");
    let tournament = changed(&crashes, [("move_seconds = 1.0", &log)]);
    let _ = play(&tournament, &tournament.schedule().plan(1)).unwrap();
    let text = read(&scratch.join("logs/game-000001-white.log"));
    for line in ["-> 4 boardsize 5", " play black ", " genmove white", " pass", "!! out of luck"] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

#[test]
fn what_an_engine_is_told() {
    let scratch = Scratch::new();
    let settings = format!(
        "move_seconds = 1.0\nstartup = ['level 3']\nlog = '{}'\n\
         clock = {{ main = 60, period = 10, stones = 5 }}",
        scratch.display()
    );
    let changes = [("move_seconds = 1.0", &*settings), ("opening_plies = 0", "opening_plies = 1")];
    let tournament = changed(&tournament("lists", "5x4", "told"), changes);
    let row = play(&tournament, &tournament.schedule().plan(1)).unwrap();
    let log = read(&scratch.join("game-000001-white.log"));
    let sent = log.lines().filter_map(|line| line[10..].strip_prefix("-> ")).skip(1);
    let mut sent = sent.map(|line| line.trim_start_matches(|c: char| c.is_ascii_digit()).trim());
    for expected in [
        "name",
        "version",
        "list_commands",
        "level 3",
        "set_random_seed ",
        "rectangular_boardsize 5 4",
        "clear_board",
        "kata-set-rules {\"hasButton\":false,\"ko\":\"POSITIONAL\",\"scoring\":\"AREA\",",
        "komi 2.5",
        "time_settings 60 10 5",
        &format!("play black {}", row.opening().collect::<Vec<_>>().join(" ")),
        "time_left white 60 0",
        "genmove white",
    ] {
        let line = sent.next().unwrap();
        assert!(line.starts_with(expected), "{expected}: {log}");
    }
    assert_eq!(sent.last(), Some("quit"), "{log}");
}

#[test]
fn a_second_tengen_plays_by_gtp() {
    for size in ["5x5", "4x6"] {
        let text = format!(
            "size = '{size}'\nopening_plies = 3\n\
             bot = [\"there=gtp:'{TENGEN}' gtp --bot uct:simulations=30 --seed {{seed}}\", 'two-ply']"
        );
        let tournament: Tournament = text.parse().unwrap();
        for game in 0..2 {
            let plan = tournament.schedule().plan(game);
            let row = play(&tournament, &plan).unwrap();
            assert_eq!(
                (row.termination, row.reason.as_str()),
                (Termination::Passes, ""),
                "{row:?}"
            );
            let scores = [row.black_engine_score, row.white_engine_score];
            assert_eq!(scores.into_iter().flatten().collect::<Vec<_>>(), [row.score.unwrap()]);
            let again = play(&tournament, &plan).unwrap();
            assert_eq!(timeless(&row), timeless(&again));
        }
        let programs = preflight(&tournament).unwrap();
        assert_eq!(programs[1], None);
        assert!(programs[0].as_ref().unwrap().starts_with("Tengen "), "{programs:?}");
    }
}

/// What a program that burns, and one that sleeps, use of the processor; and their opponent.
#[test]
#[cfg(target_os = "linux")]
fn the_cpu_time_of_a_program_is_that_of_its_processes() {
    let used = |how: &str| -> (GameRow, f64, f64) {
        let tournament = changed(
            &tournament(how, "5x5", "cpu"),
            [("move_seconds = 1.0", "move_seconds = 20.0")],
        );
        let row = play(&tournament, &tournament.schedule().plan(0)).unwrap();
        let (own, other) = (row.black_cpu_seconds.unwrap(), row.white_cpu_seconds.unwrap());
        (row, own, other)
    };
    for how in ["burn", "burn-beside"] {
        let (row, own, other) = used(how);
        assert_eq!(row.termination, Termination::Passes, "{row:?}");
        assert!(own > 0.1 && other < own / 5.0, "{how}: {own} s against {other} s, {row:?}");
        assert!(own < row.black_seconds + 0.1, "{how}: {own} s, {row:?}");
    }
    let (row, own, _) = used("nap");
    assert!(row.black_seconds > 0.2 && own < row.black_seconds / 2.0, "{own} s, {row:?}");
    let (row, own, _) = used("burn-and-crash");
    assert_eq!(row.termination, Termination::Crash);
    assert!(own > 0.1, "{own} s, {row:?}");
}

/// Games side by side on one thread have a process each, and go as one after the other.
#[test]
fn a_thread_plays_games_with_programs_side_by_side() {
    let scratch = Scratch::new();
    fs::write(scratch.join("four.toml"), "games_per_thread = 4\n").unwrap();
    let play = |name: &str, options: &str| {
        let processes = scratch.join(format!("{name}-processes"));
        fs::create_dir(&processes).unwrap();
        // Each process writes down how many of its kind live when it starts.
        let script = scratch.join("count.sh");
        let count = "cd \"$1\"; touch $$; n=0\n\
                     for p in [0-9]*; do kill -0 $p 2>/dev/null && n=$((n+1)); done\n\
                     echo $n >>living; exec sh \"$2\" good\n";
        fs::write(&script, count).unwrap();
        let engine = engine();
        let [script, processes, engine] = [&script, &processes, &engine].map(|path| path.display());
        let line = format!(
            "--size 5 --pairs 4 --threads 1 --bot uct:simulations=400 \
             --bot uct:simulations=500,workers=2 --bot \"good=gtp:sh {script} {processes} {engine}\" \
             --bot \"crashes=gtp:sh {engine} crash 3\" {options} --out {name}"
        );
        printed(TOURNAMENT, &scratch, &line);
        let folder = scratch.join(name);
        let living = read(&scratch.join(format!("{name}-processes/living")));
        let most: usize = living.lines().map(|line| line.parse().unwrap()).max().unwrap();
        let rows: Vec<GameRow> = rows(&folder).iter().map(timeless).collect();
        (rows, most, read(&folder.join("manifest.toml")))
    };
    let (one_by_one, most, _) = play("one", "");
    assert_eq!((one_by_one.len(), most), (48, 1));
    for (name, options, games_per_thread) in [
        ("of-file", "--config four.toml", 4),
        ("of-line", "--config four.toml --games-per-thread 3", 3),
    ] {
        let (side_by_side, most, manifest) = play(name, options);
        assert_eq!(side_by_side, one_by_one);
        assert!((2..=games_per_thread).contains(&most), "{most}");
        let told = format!("\ngames_per_thread = {games_per_thread}\n");
        assert!(manifest.contains(&told), "{manifest}");
    }
    let line = format!(
        "--size 5 --pairs 2 --threads 1 --chunk 1/1 --games-per-thread 2 --bot random \
         --bot \"good=gtp:sh '{}' good\" --out cut",
        engine().display()
    );
    printed(TOURNAMENT, &scratch, &line);
    let manifest = read(&scratch.join("cut/chunk-1-of-1.toml"));
    assert!(manifest.contains("\ngames_per_thread = 2\n"), "{manifest}");
}

/// Goes on with the run `name` in `folder` and returns its rows, which are whole.
pub fn resumed(folder: &Path, name: &str) -> Vec<GameRow> {
    printed(TOURNAMENT, folder, &format!("--threads 2 --resume {name}"));
    rows(&folder.join(name))
}
