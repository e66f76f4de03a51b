//! The program `learn` as a user meets it, and weights files in other programs.

use crate::common::{
    Csv, LEARN, Scratch, TENGEN, TOURNAMENT, command, fault, kill_when, lines, names, printed,
    read, refused, run, text,
};
use std::fs;
use std::path::Path;
use tengen::features::WeightsFile;

/// Two rounds on 3×3, each with a match that its sequential test ends before all pairs are played.
const LINE: &str = "--size 3 --rounds 2 --games 24 --max-plies 40 --seed 3 \
                    --teacher uct:simulations=20,prior=none,temperature=1:6 --student uct:simulations=20 \
                    --pairs 40 --sprt 'elo0=-400 elo1=-300'";

/// What decides everything after it: the rows without their seconds, and the weights.
fn results(folder: &Path) -> Vec<String> {
    let rows = Csv::read(&folder.join("rounds.csv")).without("seconds");
    let files = ["weights.txt", "round-1/weights.txt", "round-2/weights.txt"];
    rows.into_iter().chain(files.map(|file| read(&folder.join(file)))).collect()
}

#[test]
fn threads_change_nothing_nor_does_a_kill() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    let said = printed(LEARN, &folder, &format!("{LINE} --threads 2 --out whole"));
    let rounds = Csv::read(&path("whole/rounds.csv"));
    assert_eq!(rounds.len(), 2, "{said}");
    assert_eq!([rounds.get(0, "opponent"), rounds.get(1, "opponent")], ["given", "1"]);
    for row in 0..2 {
        let of = |column: &str| rounds.number(row, column);
        assert!(of("won") + of("split") + of("lost") < 40.0, "the test ends the match");
        assert_eq!(rounds.get(row, "accepted"), "true", "that accepts nearly everything");
        assert!((of("games") - 24.0 * of("round")).abs() < 1e-9, "{said}");
    }
    assert!(said.contains("\nprior=learned:whole/weights.txt:14:100\nwhole\n"), "{said}");
    // The weights of the run are those of the last accepted round, and say where they are from.
    let weights = read(&path("whole/weights.txt"));
    assert_eq!(weights, read(&path("whole/round-2/weights.txt")));
    for said in ["run learn, round 2, seed 3\n", "size 3x3\n", "games 48\n", "\nteacher uct:"] {
        assert!(weights.contains(said), "{said}\n{weights}");
    }
    let report = read(&path("whole/report.html"));
    assert!(report.contains("Learning curve") && report.contains("Strongest shapes"), "{report}");
    let predictions = Csv::read(&path("whole/prediction.csv"));
    assert_eq!((predictions.len(), predictions.get(0, "judge")), (3 * 5, "uniform"));
    let last = rounds.number(1, "log_loss");
    assert!((predictions.number(10, "log_loss") - last).abs() < 1e-6, "{said}");

    let elsewhere = Scratch::new();
    printed(LEARN, &elsewhere, &format!("{LINE} --threads 1 --out whole"));
    let expected = results(&path("whole"));
    assert_eq!(results(&elsewhere.join("whole")), expected);

    let killed = Scratch::new();
    let whole = killed.join("whole");
    kill_in_round(&killed, LINE, 1, "games");
    kill_in_round(&killed, "--resume whole", 1, "match");
    kill_in_round(&killed, "--resume ./whole/.", 2, "games");
    let line = format!("--resume {} --threads 1", whole.display());
    printed(LEARN, &killed, &line);
    assert_eq!(results(&whole), expected);

    // What follows from the rounds is made again.
    for file in ["report.html", "prediction.csv", "learning_curve.csv"] {
        fs::remove_file(whole.join(file)).unwrap();
    }
    let again = printed(LEARN, &killed, "--report whole");
    assert_eq!(again, said);
    assert_eq!(read(&whole.join("prediction.csv")), read(&path("whole/prediction.csv")));
    assert!(whole.join("report.html").exists());
}

/// More rounds append to those of a shorter run, and the result is there as JSON.
#[test]
fn a_run_is_extended_by_rounds() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    let short = LINE.replace("--rounds 2", "--rounds 1");
    printed(LEARN, &folder, &format!("{LINE} --out whole"));
    printed(LEARN, &folder, &format!("{short} --out grown"));
    // An edit extends nothing, nor do other settings.
    let config = read(&path("grown/config.toml"));
    fs::write(path("grown/config.toml"), config.replace("rounds = 1", "rounds = 2")).unwrap();
    let named = ["`rounds` was changed", "1 rounds", "--extend"];
    refused(LEARN, &folder, "--resume grown", &named);
    fs::write(path("grown/config.toml"), config).unwrap();
    let named = ["rounds is 1 and not 2", "--extend"];
    refused(LEARN, &folder, &format!("--resume grown {LINE}"), &named);
    refused(LEARN, &folder, "--resume whole --extend 1", &["--extend 1", "2 rounds"]);
    refused(LEARN, &folder, "--resume grown --extend 1001", &["--extend 1001", "1 to 1000"]);
    printed(LEARN, &folder, &format!("--resume grown {short}"));
    let json = printed(LEARN, &folder, "--resume grown --extend 2 --json");
    assert_eq!(results(&path("grown")), results(&path("whole")));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rounds"][1]["opponent"], "1");
    assert_eq!(json["prior"], "learned:grown/weights.txt:14:100");
    // A run that is not over has a report that says so.
    let rows = read(&path("grown/rounds.csv"));
    let first: String = rows.split_inclusive('\n').take(2).collect();
    fs::write(path("grown/rounds.csv"), first).unwrap();
    let said = printed(LEARN, &folder, "--report grown");
    assert!(
        said.ends_with("the run is not over, with 1 of 2 rounds made: go on with --resume grown\n"),
        "{said}"
    );
}

/// The head of a weights file names the program, and its hash tells bots apart: another build keeps the file.
#[test]
fn another_build_resumes_a_match() {
    let folder = Scratch::new();
    kill_in_round(&folder, LINE, 1, "match");
    let path = folder.join("whole/round-1/weights.txt");
    let mut file = WeightsFile::read(&path).unwrap();
    let program = file.provenance.iter_mut().find(|(name, _)| name == "program").unwrap();
    program.1 = "0.0.1 of another build".to_owned();
    let of_other = WeightsFile::new(file.weights.rows().to_vec(), file.provenance).to_text();
    assert!(of_other.contains("program 0.0.1 of another build\n"));
    fs::remove_dir_all(folder.join("whole/round-1/match")).unwrap();
    fs::write(&path, &of_other).unwrap();
    kill_in_round(&folder, "--resume whole", 1, "match");
    printed(LEARN, &folder, "--resume whole");
    assert_eq!(read(&path), of_other);
}

#[test]
fn openings_that_are_too_few_are_refused() {
    let folder = Scratch::new();
    let two = folder.join("two");
    fs::create_dir(&two).unwrap();
    for (name, record) in [("c3.sgf", "(;SZ[5];B[cc])"), ("b4.sgf", "(;SZ[5];B[bb])")] {
        fs::write(two.join(name), record).unwrap();
    }
    let line = "--size 5 --openings two --pairs 2 --games 6 --out run";
    refused(LEARN, &folder, line, &["2 openings for 3 pairs", "--games", "4 or less"]);
    let line = line.replace("--games 6", "--games 4 --watch random");
    refused(LEARN, &folder, &line, &["2 openings for 10 pairs", "watch_pairs", "2 or less"]);
    assert!(!folder.join("run").exists());
}

#[test]
fn rounds_before_the_window_are_forgotten() {
    let folder = Scratch::new();
    let line = LINE.replace("--rounds 2", "--rounds 3").replace("--pairs 40", "--pairs 0");
    let line = line + " --window 2 --out run";
    printed(LEARN, &folder, &line);
    let rounds = Csv::read(&folder.join("run/rounds.csv"));
    assert_eq!(rounds.column("games"), ["24", "48", "48"]);
    let last_two =
        "--size 3 --max-plies 40 --seed 3 --from run/round-2/games --from run/round-3/games";
    printed(LEARN, &folder, &format!("{last_two} --out again"));
    let fitted = |file: &str| {
        let text = read(&folder.join(file));
        let (rows, _) = text.split_once("\n\n").unwrap().1.split_once("end ").unwrap();
        rows.to_owned()
    };
    assert_eq!(fitted("run/weights.txt"), fitted("again/weights.txt"));
}

/// Kills the run of `line` once the part `what` of a round has a few games.
fn kill_in_round(folder: &Path, line: &str, round: usize, what: &str) {
    let out = if line.contains("--resume") { "" } else { "--out whole" };
    let child = command(LEARN, folder, &format!("{line} {out} --threads 1")).spawn().unwrap();
    let games = folder.join(format!("whole/round-{round}/{what}/games.csv"));
    let is_killed = kill_when(child, || lines(&games) > 3);
    assert!(is_killed, "it is over before {what} of round {round}");
}

/// A recorded tournament `t5` on 5×5, and `t4` on 4×4.
fn recorded() -> Scratch {
    let folder = Scratch::new();
    for (size, pairs) in [(5, 10), (4, 1)] {
        let line = format!(
            "--size {size} --pairs {pairs} --bot u=uct:simulations=30 --bot random --max-plies 60 \
             --out t{size} --training t{size}.npz"
        );
        printed(TOURNAMENT, &folder, &line);
    }
    let plain = "--size 5 --pairs 1 --bot uct:simulations=9 --bot random --out plain";
    printed(TOURNAMENT, &folder, plain);
    folder
}

#[test]
fn games_of_a_tournament_teach_and_features_may_be_left_out() {
    let folder = recorded();
    let path = |name: &str| folder.join(name);
    let said = printed(LEARN, &folder, "--from t5 --size 5 --out one");
    assert!(said.starts_with("round 1: ") && !said.contains("against"), "{said}");
    let rows = Csv::read(&path("one/rounds.csv"));
    assert_eq!((rows.len(), rows.get(0, "games"), rows.get(0, "opponent")), (1, "20", ""));
    let weights = read(&path("one/weights.txt"));
    assert!(weights.contains("\nsize 5x5\n") && !weights.contains("\nteacher "), "{weights}");
    assert!(!path("one/round-1/games").exists());
    // The games of a run count once, under whatever name it is given.
    std::os::unix::fs::symlink("t5", path("link")).unwrap();
    for other in ["t5", "./t5/", "link"] {
        let line = format!("--from t5 --from {other} --size 5 --out twice");
        refused(LEARN, &folder, &line, &["would count twice", "name each run once"]);
    }

    printed(LEARN, &folder, "--from t5 --size 5 --leave-out shape,last --out fewer");
    let kinds = |file: &str| -> Vec<String> {
        let text = read(&path(file));
        let rows = text.split_once("\n\n").unwrap().1.lines();
        let mut kinds: Vec<String> =
            rows.map(|row| row.split(' ').next().unwrap().to_owned()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    let all = ["before", "crossing", "end", "last", "line", "pass", "shape", "tactic"];
    assert_eq!(kinds("one/weights.txt"), all);
    assert_eq!(
        kinds("fewer/weights.txt"),
        all.map(str::to_owned)
            .into_iter()
            .filter(|kind| { !["shape", "last"].contains(&kind.as_str()) })
            .collect::<Vec<_>>()
    );

    // The settings of a run that played games say nothing of one that does not.
    fs::write(path("other.toml"), "kind = 'learn'\nsize = '5x5'\nrounds = 5\npairs = 300\n")
        .unwrap();
    let said = printed(LEARN, &folder, "--config other.toml --from t5 --out as-one");
    assert!(said.starts_with("round 1: ") && !said.contains("against"), "{said}");

    // Fewer positions are spread over all.
    printed(LEARN, &folder, "--from t5 --size 5 --positions 50 --out few");
    assert_eq!(Csv::read(&path("few/rounds.csv")).get(0, "positions"), "50");
    // A bot plays with them, and other weights play otherwise.
    let play = |file: &str| {
        let bot = format!("uct:simulations=200,prior=learned:{file}:20:150");
        let said = printed(TENGEN, &folder, &format!("analyze --size 5 --seed 1 --bot {bot}"));
        // Without the line of the speed.
        said.lines().filter(|line| !line.contains(" a second)")).collect::<String>()
    };
    assert_eq!(play("one/weights.txt"), play("one/round-1/weights.txt").replace("round-1/", ""));
    assert_ne!(play("one/weights.txt"), play("fewer/weights.txt").replace("fewer", "one"));
}

#[test]
fn runs_that_cannot_teach_are_refused() {
    let folder = recorded();
    let learn = |line: &str, named: &[&str]| refused(LEARN, &folder, line, named);
    learn("--from plain --size 5", &["plain lacks the searches of its games"]);
    learn("--from t5 --from t4 --size 5", &["t4 is a run on 4x4 and not on 5x5", "--size"]);
    learn("--from t5", &["t5 is a run on 5x5 and not on 9x9"]);
    learn("--from t5 --size 5 --rounds 2", &["--from", "leave --rounds out"]);
    // Without the games of its chunks.
    fs::create_dir(folder.join("empty")).unwrap();
    for file in names(&folder.join("t5")) {
        let from = folder.join("t5").join(&file);
        if file != "games.csv" && from.is_file() {
            fs::copy(from, folder.join("empty").join(file)).unwrap();
        }
    }
    learn("--from empty --size 5 --out none", &["empty has no games", "--merge"]);
    assert!(!folder.join("none").exists());
    learn("--report t5", &["t5", "tournament"]);
}

/// A bot's weights file belongs to its settings, although only its path is written there.
#[test]
fn a_weights_file_that_was_changed_is_noticed() {
    let folder = recorded();
    let path = |name: &str| folder.join(name);
    printed(LEARN, &folder, "--from t5 --size 5 --out one");
    printed(LEARN, &folder, "--from t5 --size 5 --leave-out shape --out other");
    let good = read(&path("one/weights.txt"));
    fs::write(path("mine.txt"), &good).unwrap();
    let student = "--student uct:simulations=20,prior=learned:mine.txt:20:150";
    let line = LINE.replace("--student uct:simulations=20", student);
    let played =
        "--size 5 --pairs 9 --bot uct:simulations=20,prior=learned:mine.txt:20:150 --bot random";
    kill_in_round(&folder, &line, 1, "games");
    printed(TOURNAMENT, &folder, &format!("{played} --out played"));
    for (content, said) in [
        (read(&path("other/weights.txt")), "its weights file mine.txt was changed"),
        (good[..good.len() / 2].to_owned(), "mine.txt, line "),
        (good.replacen("size 5x5", "size 5x6", 1), "mine.txt, line "),
    ] {
        fs::write(path("mine.txt"), content).unwrap();
        for (program, line) in [(LEARN, "--resume whole"), (TOURNAMENT, "--resume played")] {
            let before = names(&path("whole"));
            let output = run(program, &folder, line);
            fault(&output, 2, &[said]);
            assert_eq!(names(&path("whole")), before, "{}", text(&output.stderr));
        }
    }
    fs::remove_file(path("mine.txt")).unwrap();
    fault(&run(LEARN, &folder, "--resume whole"), 2, &["cannot read", "mine.txt"]);
    fs::write(path("mine.txt"), &good).unwrap();
    printed(TOURNAMENT, &folder, "--resume played");
    printed(LEARN, &folder, "--resume whole");
}

/// A run that is moved, renamed and resumed from elsewhere is that which was left alone: its settings name
/// files relative to it, and what tells its bots apart is the content of their files.
#[test]
fn a_killed_run_may_be_moved_and_resumed_from_anywhere() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    let fingerprints = |run: &Path| {
        let parts = ["rounds.csv", "round-1/match/games.csv", "round-2/games/games.csv"];
        let files = parts.into_iter().chain(["round-2/match/games.csv"]);
        files.map(|file| Csv::read(&run.join(file)).without("seconds")).collect::<Vec<_>>()
    };
    fs::create_dir_all(path("here/deep")).unwrap();
    // Weights that a user names, beside those of the rounds.
    let first = LINE.replace("--rounds 2", "--rounds 1").replace("--seed 3", "--seed 4");
    printed(LEARN, &path("here"), &format!("{first} --out first"));
    fs::copy(path("here/first/weights.txt"), path("here/mine.txt")).unwrap();
    let student = "--student s=uct:simulations=20,prior=learned:mine.txt:14:100";
    let line = LINE.replace("--student uct:simulations=20", student);
    printed(LEARN, &path("here"), &format!("{line} --out alone"));
    let expected = (results(&path("here/alone")), fingerprints(&path("here/alone")));
    // The folder has no part in it, nor how it is written.
    let whole = path("here/deep/whole");
    printed(LEARN, &path("here"), &format!("{line} --out {}", whole.display()));
    assert_eq!((results(&whole), fingerprints(&whole)), expected);
    for file in ["round-1/match", "round-2/games", "round-2/match"] {
        let config = read(&whole.join(file).join("config.toml"));
        assert!(config.contains("prior = \"learned:../"), "{config}");
        assert!(!config.contains(&path("here").display().to_string()), "{config}");
    }
    fs::remove_dir_all(&whole).unwrap();

    kill_in_round(&path("here"), &line, 1, "match");
    fs::create_dir(path("elsewhere")).unwrap();
    fs::rename(path("here/whole"), path("elsewhere/whole")).unwrap();
    // Its student's weights lie beside it, where it is now.
    let output = run(LEARN, &path("elsewhere"), "--resume whole");
    fault(&output, 2, &["cannot read", "mine.txt"]);
    fs::rename(path("here/mine.txt"), path("elsewhere/mine.txt")).unwrap();
    kill_in_round(&path("elsewhere"), "--resume whole", 2, "match");
    fs::rename(path("elsewhere/whole"), path("elsewhere/renamed")).unwrap();
    printed(LEARN, &path("here/deep"), "--resume ../../elsewhere/renamed");
    let moved = path("elsewhere/renamed");
    assert_eq!((results(&moved), fingerprints(&moved)), expected);
    printed(LEARN, &path("here/deep"), &format!("--report {}", moved.display()));
    // The match by itself, from a third folder, and by its absolute path.
    let games = moved.join("round-2/match");
    printed(TOURNAMENT, &path("here"), &format!("--resume {}", games.display()));
    let said = printed(TENGEN, &path("here"), &format!("reproduce --games 4 {}", games.display()));
    assert!(said.contains("4 of 4 games are equal"), "{said}");
}

/// An early version wrote the absolute path of its own folder.
#[test]
fn an_absolute_path_is_read_where_the_file_is_there() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    kill_in_round(&folder, LINE, 1, "match");
    let config = path("whole/round-1/match/config.toml");
    let absolute = path("whole/round-1/weights.txt").display().to_string();
    let early = read(&config).replace("learned:../weights.txt", &format!("learned:{absolute}"));
    fs::write(&config, early).unwrap();
    let games = path("whole/round-1/match").display().to_string();
    let said = printed(TOURNAMENT, Path::new("/"), &format!("--resume {games}"));
    assert!(said.contains("new"), "{said}");
    assert!(read(&config).contains("learned:../weights.txt"));
    printed(LEARN, Path::new("/"), &format!("--resume {}", path("whole").display()));
}

/// The games that are learned from are known by their fingerprints, not by their folder.
#[test]
fn runs_that_teach_may_be_moved_and_not_be_replaced() {
    let folder = recorded();
    let path = |name: &str| folder.join(name);
    let rest = "--size 5 --student uct:simulations=20 --pairs 60 --sprt 'elo0=-400 elo1=-300' --max-plies 60";
    let line = format!("--from t5 {rest}");
    printed(LEARN, &folder, &format!("{line} --out one"));
    fs::create_dir(path("below")).unwrap();
    let below = path("below");
    let moved = format!("--from ../t5 {rest} --out ../two");
    printed(LEARN, &below, &moved);
    assert_eq!(read(&path("one/weights.txt")), read(&path("two/weights.txt")));
    let rounds = |run: &str| Csv::read(&path(run).join("rounds.csv")).without("seconds");
    assert_eq!(rounds("one"), rounds("two"));
    assert!(read(&path("two/config.toml")).contains("from = [\"../t5\"]"));
    kill_in_round(&folder, &line, 1, "match");
    // Another run in its place.
    fs::rename(path("t5"), path("kept")).unwrap();
    let other =
        "--size 5 --pairs 10 --seed 2 --bot u=uct:simulations=30 --bot random --max-plies 60";
    printed(TOURNAMENT, &folder, &format!("{other} --out t5 --training other.npz"));
    fault(&run(LEARN, &below, "--resume ../whole"), 2, &["has changed since the run began"]);
    fs::remove_dir_all(path("t5")).unwrap();
    fs::rename(path("kept"), path("t5")).unwrap();
    printed(LEARN, &below, "--resume ../whole");
    assert_eq!(rounds("whole"), rounds("one"));
}

/// A file is the same one by whatever path it is named.
#[test]
fn a_tournament_is_resumed_with_its_weights_by_another_path() {
    let folder = recorded();
    let path = |name: &str| folder.join(name);
    printed(LEARN, &folder, "--from t5 --size 5 --out one");
    printed(LEARN, &folder, "--from t5 --size 5 --leave-out shape --out other");
    let bots = |file: &str| {
        format!("--bot m=uct:simulations=20,prior=learned:{file}/weights.txt:20:150 --bot random")
    };
    printed(TOURNAMENT, &folder, &format!("--size 5 --pairs 2 {} --out run", bots("one")));
    // The manifest has the file and its hash.
    let manifest = read(&path("run/manifest.toml"));
    let weights = read(&path("one/weights.txt"));
    let hash = weights.trim_end().rsplit(' ').next().unwrap();
    for part in [&format!("hash = \"{hash}\""), "file = \"../one/weights.txt\""] {
        assert_eq!(manifest.matches(part).count(), 1, "{manifest}");
    }
    fs::create_dir(path("below")).unwrap();
    let resume =
        |file: &str| run(TOURNAMENT, &path("below"), &format!("--resume ../run {}", bots(file)));
    for same in ["../one", "../one/../one", &path("one").display().to_string()] {
        let output = resume(same);
        assert!(output.status.success(), "{same}: {}", text(&output.stderr));
    }
    let other = resume("../other");
    fault(&other, 2, &["cannot be resumed under other settings", "bot is"]);
    assert!(read(&path("run/config.toml")).contains("learned:../one/weights.txt:20:150"));
    // An unnamed bot is called by the path that it was begun with.
    let unnamed = bots("one").replace("m=", "");
    printed(TOURNAMENT, &folder, &format!("--size 5 --pairs 2 {unnamed} --out unnamed"));
    printed(TOURNAMENT, &path("below"), "--resume ../unnamed --extend 3");
    // Chunks of machines that name the file otherwise are of one run.
    for (folder, file, out, chunk) in
        [(&*folder, "one", "chunks", "1/2"), (&path("below"), "../one", "../chunks", "2/2")]
    {
        let line = format!("--size 5 --pairs 2 {} --out {out} --chunk {chunk}", bots(file));
        printed(TOURNAMENT, folder, &line);
    }
    printed(TOURNAMENT, &path("below"), "--merge ../chunks");
    let games = |run: &str| Csv::read(&path(run).join("games.csv")).without("seconds");
    assert_eq!(games("chunks"), games("run"));
}
