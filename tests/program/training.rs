//! `tournament --training FILE`: the file is the same however the run was played, and what cannot be
//! written is refused.

use crate::common::{
    Csv, Scratch, TENGEN, TOURNAMENT, command, fault, in_repository, kill_when, lines, names,
    printed, read, refused, rows, run_shell, text,
};
use crate::npz::{by_name, read as arrays};
use std::fs;
use std::path::Path;

#[test]
fn the_arrays_have_their_types_and_shapes() {
    let folder = Scratch::new();
    let line =
        "--bot uct:simulations=20 --bot random --size 4x3 --pairs 1 --out run --training a.npz";
    printed(TENGEN, &folder, &format!("tournament {line}"));
    // Without a search there is no position; a name without a folder is one here.
    let line = "--bot two-ply --bot random --size 3 --pairs 1 --out none --training none.npz";
    let said = printed(TOURNAMENT, &folder, line);
    assert!(said.ends_with("\n0 positions in none.npz\n"), "{said}");
    for (file, width, height) in [("a.npz", 4, 3), ("none.npz", 3, 3)] {
        let arrays = arrays(&folder.join(file));
        let count = arrays[0].1.shape[0];
        assert_eq!(count == 0, file == "none.npz");
        let found: Vec<(&str, &str, &[usize])> = arrays
            .iter()
            .map(|(name, array)| (name.as_str(), array.kind.as_str(), array.shape.as_slice()))
            .collect();
        let expected: [(&str, &str, &[usize]); 12] = [
            ("planes", "|u1", &[count, 5, height, width]),
            ("komi", "<f4", &[count]),
            ("visits", "<u4", &[count, width * height + 1]),
            ("move", "<i2", &[count]),
            ("value", "<f4", &[count]),
            ("result", "<f4", &[count]),
            ("score", "<f4", &[count]),
            ("player", "|u1", &[count]),
            ("bot", "<i2", &[count]),
            ("ply", "<i4", &[count]),
            ("game", "<i8", &[count]),
            ("termination", "|u1", &[count]),
        ];
        assert_eq!(found, expected);
        // The manual names them all.
        let manual = read(&in_repository("docs/reference/training-data.md"));
        for (name, _, _) in found {
            assert!(manual.contains(&format!("\n| `{name}` |")), "{name} is not in the manual");
        }
    }
}

const LINE: &str = "--size 5 --seed 9 --pairs 6 --bot u=uct:simulations=150,reuse=true --bot two-ply \
                    --bot w=uct:workers=3,simulations=90 --max-plies 90";

/// Kills the run or the chunk of `line` once there are as many lines in the file `rows`.
fn kill_at(folder: &Path, line: &str, rows: &str, count: usize) {
    let child = command(TOURNAMENT, folder, line).spawn().unwrap();
    kill_when(child, || lines(&folder.join(rows)) >= count);
}

/// Takes so many bytes off the end of a file.
fn cut(path: &Path, bytes: usize) {
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() - bytes]).unwrap();
}

#[test]
fn the_file_does_not_depend_on_how_the_run_was_played() {
    let folder = Scratch::new();
    let path = |name: &str| folder.join(name);
    let done = |line: &str| printed(TOURNAMENT, &folder, line);
    done(&format!("{LINE} --threads 2 --out whole --training whole.npz"));
    let whole = fs::read(path("whole.npz")).unwrap();
    assert!(whole.len() > 100_000);
    let assert_is_whole = |name: &str| {
        assert!(fs::read(path(name)).unwrap() == whole, "{name}");
        fs::remove_file(path(name)).unwrap();
    };
    let line = format!("{LINE} --threads 1 --out one --training one.npz");
    let output = command(TOURNAMENT, &folder, &line).env("TENGEN_ISA", "baseline").output();
    assert!(output.unwrap().status.success());
    assert_is_whole("one.npz");
    // The games are those of a run without the option.
    done(&format!("{LINE} --threads 2 --out plain"));
    let timeless = |run: &str| -> Vec<String> {
        let without = Csv::read(&path(run).join("games.csv"));
        without.without("_seconds")
    };
    assert_eq!(timeless("plain"), timeless("whole"));
    assert_eq!(read(&path("plain/config.toml")), read(&path("whole/config.toml")));

    let resume = "--resume killed --training killed.npz";
    kill_at(
        &folder,
        &format!("{LINE} --threads 1 --out killed --training killed.npz"),
        "killed/games.csv",
        9,
    );
    assert!(!path("killed.npz").exists(), "the run is over too soon");
    let journal = path("killed/searches.journal");
    // A record that was cut off, though the row of its game is there.
    cut(&journal, 5);
    kill_at(&folder, resume, "killed/games.csv", 20);
    done(resume);
    assert_is_whole("killed.npz");
    // Of a run that is over, too; and one that lost all.
    for lost in [1, fs::read(&journal).unwrap().len() / 2] {
        cut(&journal, lost);
        let output = command(TOURNAMENT, &folder, "--report killed --training killed.npz");
        let said = fault(&{ output }.output().unwrap(), 2, &["killed lacks the searches of"]);
        assert!(said.contains("--resume killed --training killed.npz plays them again"), "{said}");
        done(resume);
        assert_is_whole("killed.npz");
    }
    done("--report killed --training killed.npz");
    assert_is_whole("killed.npz");

    let chunk = |number: u8| {
        format!("{LINE} --threads 1 --out cut --chunk {number}/2 --training absent/cut.npz")
    };
    kill_at(&folder, &chunk(1), "cut/chunk-1-of-2.partial", 3);
    for number in [1, 2] {
        done(&chunk(number));
    }
    assert!(!path("cut.npz").exists() && lines(&path("cut/games.csv")) == 0);
    done("--merge cut --training cut.npz");
    assert_is_whole("cut.npz");
    // The journal of a chunk that lost a record: its game is played again.
    cut(&path("cut/chunk-2-of-2.journal"), 1);
    fs::remove_file(path("cut/games.csv")).unwrap();
    refused(TOURNAMENT, &folder, "--merge cut", &["1 game is", "run --chunk 2/2 again"]);
    let output = command(TOURNAMENT, &folder, &chunk(2)).output().unwrap();
    assert!(text(&output.stdout).starts_with("1 games made"), "{}", text(&output.stderr));
    done("--merge cut");
    done("--resume cut --training cut.npz");
    assert_is_whole("cut.npz");

    // A longer run has the same positions first.
    done("--resume killed --extend 7 --training longer.npz");
    let [long, short] = ["longer.npz", "whole.npz"].map(|name| by_name(&path(name)));
    let count = short["game"].shape[0];
    assert!(long["game"].shape[0] > count);
    for (name, array) in &short {
        let same = |row: &usize| {
            let pair = [array.row(*row), long[name].row(*row)];
            format!("{:?}", pair[0]) == format!("{:?}", pair[1])
        };
        assert!((0..count).all(|row| same(&row)), "{name}");
    }
}

/// Only the games that a sequential test has read are in the file.
#[test]
fn a_sequential_test_ends_the_file_too() {
    let folder = Scratch::new();
    let of = |threads: u8| {
        let line = format!(
            "--size 4 --bot uct:simulations=20 --bot random --sprt 'elo0=0 elo1=300' --threads \
             {threads} --out run-{threads} --training {threads}.npz"
        );
        printed(TOURNAMENT, &folder, &line);
        fs::read(folder.join(format!("{threads}.npz"))).unwrap()
    };
    assert!(of(1) == of(3));
    let games = rows(&folder.join("run-3")).len();
    let arrays = by_name(&folder.join("3.npz"));
    let last = arrays["game"].row(arrays["game"].shape[0] - 1)[0];
    assert_eq!(last, games as f64 - 1.0);
}

#[test]
fn what_cannot_be_is_refused_before_a_game() {
    let path = &Scratch::new();
    fs::create_dir(path.join("folder.npz")).unwrap();
    let two = "--size 3 --pairs 1 --bot uct:simulations=5 --bot random";
    let refused = |line: &str, named: &[&str]| refused(TOURNAMENT, path, line, named);
    for (file, why) in [
        ("absent/x.npz", "its folder is absent"),
        ("run/x.npz", "its folder is absent"),
        ("folder.npz", "expected a regular file"),
        ("/dev/null", "ends in .npz"),
        ("x.npy", "ends in .npz"),
        ("x", "ends in .npz"),
        ("/proc/x.npz", "cannot write /proc/x.npz"),
    ] {
        let line = format!("{two} --out run --training {file}");
        refused(&line, &["cannot write", file, why]);
    }
    printed(TOURNAMENT, path, &format!("{two} --out plain"));
    printed(TOURNAMENT, path, &format!("{two} --out kept --training kept.npz"));
    let chunk = |more: &str| format!("{two} --out chunks --chunk 1/1 {more}");
    printed(TOURNAMENT, path, &chunk("--training x.npz"));
    let without = ["was begun without --training", "leave --training out"];
    let with = ["keeps the searches of its games", "add --training FILE"];
    refused("--resume plain --training x.npz", &without);
    refused("--resume plain --extend 2 --training x.npz", &without);
    refused("--merge plain --training x.npz", &without);
    refused("--resume kept", &with);
    refused("--resume kept --extend 2", &with);
    refused(&chunk(""), &with);
    refused(&format!("{two} --out plain --chunk 1/1 --training x.npz"), &without);
    refused("--report plain --training x.npz", &without);
    let (journal, other) = (path.join("kept/searches.journal"), "something else, long enough");
    fs::write(&journal, other).unwrap();
    refused("--resume kept --training x.npz", &["searches.journal is not a journal"]);
    assert_eq!(read(&journal), other);
    assert_eq!(lines(&path.join("plain/games.csv")), 3);
}

/// A full disk loses no game that was finished, whatever was being written.
#[test]
fn a_full_disk_loses_nothing() {
    let path = &Scratch::new();
    let line = "--size 5 --pairs 20 --bot uct:simulations=60 --bot random --threads 1";
    printed(TOURNAMENT, path, &format!("{line} --out whole --training whole.npz"));
    let whole = fs::read(path.join("whole.npz")).unwrap();
    let size = |name: &str| fs::metadata(path.join(name)).unwrap().len();
    let most = ["whole/report.html", "whole/games.csv", "whole/searches.journal"].map(size);
    assert!(whole.len() as u64 > most.into_iter().max().unwrap() + 4096, "the largest file");
    // Files may grow to so many blocks of 1024 bytes.
    let limited = |blocks: u64, line: &str| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{TOURNAMENT}' {line}");
        run_shell(path, &script)
    };
    let output = limited(4, &format!("{line} --out run --training run.npz"));
    let remedy = ": go on with --resume run --training run.npz";
    fault(&output, 1, &["cannot write run/", "raise the limit of the size of files", remedy]);
    assert!((2..41).contains(&lines(&path.join("run/games.csv"))));
    let output = limited(whole.len() as u64 / 1024, "--resume run --training run.npz");
    let again = "the games are kept: write it again with --report run --training run.npz";
    fault(&output, 1, &["cannot write run.npz", again]);
    assert!(names(path).iter().all(|name| !name.starts_with("run.npz")), "{:?}", names(path));
    printed(TOURNAMENT, path, "--report run --training run.npz");
    assert!(fs::read(path.join("run.npz")).unwrap() == whole);
}
