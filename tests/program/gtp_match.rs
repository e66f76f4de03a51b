//! Games with other programs, most of which misbehave.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tengen::tournament::{GameRow, Outcome, Termination};
use tengen::tournament::{Tournament, play, preflight};

/// The variable by which all descendants of a test are found.
pub const MARK: &str = "TENGEN_TEST_MARK";

pub fn engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/engine.sh")
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
    text.parse::<Tournament>().unwrap()
}

/// The living processes that carry `mark`.
pub fn alive(mark: &str) -> Vec<String> {
    let needle = format!("{MARK}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter(|process| {
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|entry| entry == needle.as_bytes())
        })
        .map(|process| {
            let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            format!("{} {}", process.path().display(), String::from_utf8_lossy(&line))
        })
        .collect()
}

pub fn assert_none_alive(mark: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !alive(mark).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(alive(mark), Vec::<String>::new());
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
    for how in ["good", "chatty", "stubborn", "numberless", "beside-at-start"] {
        let row = played(how, "5x5");
        assert_eq!((row.termination, row.outcome), (Termination::Passes, Outcome::White), "{how}");
        assert_eq!((row.reason.as_str(), row.black_engine_score), ("", None), "{how}");
    }
}

#[test]
fn another_winner_is_told() {
    let row = played("counts", "5x5");
    assert_eq!((row.termination, row.outcome), (Termination::Passes, Outcome::White));
    assert_eq!((row.reason.as_str(), row.black_engine_score), ("black counts B+3.5", Some(3.5)));
    assert!(row.is_disputed());
}

#[test]
fn a_board_that_the_engine_does_not_know() {
    let row = played("small", "7x7");
    assert_eq!(row.termination, Termination::Crash);
    assert!(
        row.reason.contains("`boardsize 7`: it refused: `unacceptable size`"),
        "{}",
        row.reason
    );
    let row = played("good", "5x4");
    assert!(row.reason.contains("rectangular_boardsize for 5x4"), "{}", row.reason);
}

#[test]
fn the_preflight_tells_every_fault() {
    let text = "size = '7'\nbot = ['a=gtp:no-such-engine x', 'random', 'b=gtp:sh ENGINE small', \
                'c=gtp:sh ENGINE good']"
        .replace("ENGINE", &engine().display().to_string());
    let tournament = text.parse::<Tournament>().unwrap();
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
    let mut text = toml::to_string(&tournament("good", "5x5", &mark)).unwrap();
    text = text.replace("keep = false", "keep = true");
    let tournament = text.parse::<Tournament>().unwrap();
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
    let scratch = tempfile::tempdir().unwrap();
    let text = toml::to_string(&tournament("crash 2", "5x5", "log")).unwrap();
    let log = format!("move_seconds = 1.0\nlog = '{}'", scratch.path().join("logs").display());
    let text = text.replace("move_seconds = 1.0", &log);
    let tournament = text.parse::<Tournament>().unwrap();
    let _ = play(&tournament, &tournament.schedule().plan(1)).unwrap();
    let text = std::fs::read_to_string(scratch.path().join("logs/game-000001-white.log")).unwrap();
    for line in ["-> 4 boardsize 5", " play black ", " genmove white", " pass", "!! out of luck"] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

#[test]
fn what_an_engine_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let text = toml::to_string(&tournament("lists", "5x4", "told")).unwrap();
    let settings = format!(
        "move_seconds = 1.0\nstartup = ['level 3']\nlog = '{}'\n\
         clock = {{ main = 60, period = 10, stones = 5 }}",
        scratch.path().display()
    );
    let text = text.replace("move_seconds = 1.0", &settings);
    let text = text.replace("opening_plies = 0", "opening_plies = 1");
    let tournament = text.parse::<Tournament>().unwrap();
    let row = play(&tournament, &tournament.schedule().plan(1)).unwrap();
    let log = std::fs::read_to_string(scratch.path().join("game-000001-white.log")).unwrap();
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
    let tengen = env!("CARGO_BIN_EXE_tengen");
    for size in ["5x5", "4x6"] {
        let text = format!(
            "size = '{size}'\nopening_plies = 3\n\
             bot = [\"there=gtp:'{tengen}' gtp --bot uct:playouts=30 --seed {{seed}}\", 'two-ply']"
        );
        let tournament = text.parse::<Tournament>().unwrap();
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
            let timeless =
                |row: &GameRow| GameRow { black_seconds: 0.0, white_seconds: 0.0, ..row.clone() };
            assert_eq!(timeless(&row), timeless(&again));
        }
        let programs = preflight(&tournament).unwrap();
        assert_eq!(programs[1], None);
        assert!(programs[0].as_ref().unwrap().starts_with("Tengen "), "{programs:?}");
    }
}

/// Games side by side on one thread have a process each, and go as one after the other.
#[test]
fn a_thread_plays_games_with_programs_side_by_side() {
    let scratch = tempfile::tempdir().unwrap();
    let engine = engine().display().to_string();
    std::fs::write(scratch.path().join("four.toml"), "games_per_thread = 4\n").unwrap();
    let config = scratch.path().join("four.toml").display().to_string();
    let play = |name: &str, options: &[&str]| {
        let folder = scratch.path().join(name);
        let processes = scratch.path().join(format!("{name}-processes"));
        std::fs::create_dir(&processes).unwrap();
        // Each process writes down how many of its kind live when it starts.
        let count = "cd \"$1\"; touch $$; n=0; \
                     for p in [0-9]*; do kill -0 $p 2>/dev/null && n=$((n+1)); done; \
                     echo $n >>living; exec sh \"$0\" good";
        let good = format!("good=gtp:sh -c '{count}' '{engine}' '{}'", processes.display());
        let crashes = format!("crashes=gtp:sh '{engine}' crash 3");
        let line = "--size 5 --pairs 4 --threads 1 --bot uct:playouts=400 \
                    --bot uct:playouts=500,workers=2 --bot";
        let mut arguments: Vec<&str> = line.split_whitespace().collect();
        arguments.extend([&good, "--bot", &crashes]);
        arguments.extend(options);
        let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
        assert_eq!(run(&folder, &mut program, &arguments), (Some(0), Vec::new()));
        let timeless = |row: GameRow| GameRow {
            run: String::new(),
            black_seconds: 0.0,
            white_seconds: 0.0,
            ..row
        };
        let rows = crate::common::rows(&folder);
        let living = std::fs::read_to_string(processes.join("living")).unwrap();
        let most: usize = living.lines().map(|line| line.parse().unwrap()).max().unwrap();
        let manifest = std::fs::read_to_string(folder.join("manifest.toml")).unwrap();
        (rows.into_iter().map(timeless).collect::<Vec<_>>(), most, manifest)
    };
    let (one_by_one, most, _) = play("one", &[]);
    assert_eq!((one_by_one.len(), most), (48, 1));
    for (name, options, games_per_thread) in [
        ("of-file", &["--config", &config][..], 4),
        ("of-line", &["--config", &config, "--games-per-thread", "3"], 3),
    ] {
        let (side_by_side, most, manifest) = play(name, options);
        assert_eq!(side_by_side, one_by_one);
        assert!((2..=games_per_thread).contains(&most), "{most}");
        let told = format!("\ngames_per_thread = {games_per_thread}\n");
        assert!(manifest.contains(&told), "{manifest}");
    }
}

#[test]
fn a_chunk_records_the_games_per_thread() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let good = format!("good=gtp:sh '{}' good", engine().display());
    let line = "--size 5 --pairs 2 --threads 1 --chunk 1/1 --games-per-thread 2 --bot random --bot";
    let arguments: Vec<&str> = line.split(' ').chain([good.as_str()]).collect();
    let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
    assert_eq!(run(&folder, &mut program, &arguments), (Some(0), Vec::new()));
    let manifest = std::fs::read_to_string(folder.join("chunk-1-of-1.toml")).unwrap();
    assert!(manifest.contains("\ngames_per_thread = 2\n"), "{manifest}");
}

/// The exit code of a run in `folder`, and what it wrote to standard error.
pub fn run(folder: &Path, program: &mut Command, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = program.args(arguments).arg("--out").arg(folder).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), errors.lines().map(str::to_owned).collect())
}

/// Goes on with the run in `folder` and returns its rows, which are whole.
pub fn resumed(folder: &Path) -> Vec<GameRow> {
    let resumed = Command::new(env!("CARGO_BIN_EXE_tournament"))
        .args(["--threads", "2", "--resume"])
        .arg(folder)
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{resumed:?}");
    crate::common::rows(folder)
}

#[test]
fn a_row_is_one_line() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    let bad = format!("bad=gtp:sh '{}' refuse-at-length", engine().display());
    // A command of several lines is fine for a bot that has a name.
    let named = format!("named=gtp:sh -c '\nexec sh \"$0\" good' '{}'", engine().display());
    let arguments = ["--size", "5", "--pairs", "2", "--bot", &bad, "--bot", &named];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
    assert_eq!(run(&folder, &mut program, &arguments), (Some(0), Vec::new()));
    for file in ["games.csv", "games.csv"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(!text.contains('\r'), "{text}");
    }
    // Cut in the middle of what were several lines.
    let text = std::fs::read_to_string(folder.join("games.csv")).unwrap();
    let cut = text.rfind("rather").unwrap() + 8;
    std::fs::write(folder.join("games.csv"), &text[..cut]).unwrap();
    assert_eq!(resumed(&folder).len(), 4);
    // Without a name the command is the name, by which rows are found again.
    let unnamed = named.strip_prefix("named=").unwrap();
    let arguments = ["--size", "5", "--pairs", "2", "--bot", &bad, "--bot", unnamed];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tournament"));
    let (code, errors) = run(&scratch.path().join("other"), &mut program, &arguments);
    assert_eq!((code, errors.len()), (Some(2), 1), "{errors:?}");
    assert!(errors[0].contains("give the bot a name"), "{errors:?}");
    assert!(!scratch.path().join("other").exists());
}
