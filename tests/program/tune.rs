//! The program `tune` as a user meets it.

use crate::common::{
    Csv, LEARN, SCALING, Scratch, TENGEN, TUNE, names, printed, read, refused, run, text,
};
use std::fs;
use std::path::Path;

/// Two dozen pairs that take a second.
const SMALL: &str = "--size 5 --bot uct:simulations=40,rave=none,prior=none,exploration=0.5 \
                     --param exploration=0.05..2:log --games 48 --validation 4 --seed 3";

/// What `tune` prints for `line`, which writes to `out`.
fn tuned(folder: &Path, line: &str, out: &str) -> String {
    printed(TUNE, folder, &format!("{line} --out {out}"))
}

/// The files of `folder` that do not depend on time.
fn results(folder: &Path) -> [String; 3] {
    ["samples.csv", "estimate.csv", "validation.csv"].map(|name| read(&folder.join(name)))
}

#[test]
fn a_tuning_ends_with_a_validated_answer() {
    let folder = Scratch::new();
    let said = tuned(&folder, SMALL, "run");
    let at = |name: &str| folder.join("run").join(name);
    assert!(said.contains("After 48 games on 5x5 with thompson, "), "{said}");
    assert!(said.contains("Validated on fresh openings, the tuned bot wins "), "{said}");
    assert!(said.contains("while tuning (biased): "), "{said}");
    let samples = Csv::read(&at("samples.csv"));
    assert_eq!(samples.header, "trial,opening,exploration,exploration_opponent,wins,losses");
    assert_eq!(samples.len(), 24);
    let games = Csv::read(&at("games.csv"));
    assert_eq!(games.len(), 48);
    for trial in 0..24 {
        assert_eq!(samples.number(trial, "wins") + samples.number(trial, "losses"), 2.0);
        let value = samples.number(trial, "exploration");
        assert!((0.05..=2.0).contains(&value), "{value}");
        // Both games of a pair are on one opening, and the bots swap colours.
        let (one, other) = (2 * trial, 2 * trial + 1);
        let opening = |game| {
            let plies = games.get(game, "opening_plies").parse().unwrap();
            games.get(game, "moves").split(' ').take(plies).collect::<Vec<_>>()
        };
        assert_eq!(opening(one), opening(other));
        assert_eq!(games.get(one, "black"), games.get(other, "white"));
        assert!(games.get(one, "black").contains(&format!("exploration={value}")) || value == 0.1);
    }
    let estimates = Csv::read(&at("estimate.csv"));
    let header = "games,exploration,exploration_low,exploration_high,exploration_flat";
    assert_eq!(estimates.header, header);
    assert_eq!(estimates.get(estimates.len() - 1, "games"), "48");
    let validation = Csv::read(&at("validation.csv"));
    assert_eq!((validation.len(), validation.get(0, "opponent")), (1, "default"));
    assert_eq!(validation.get(0, "games"), "8");
    // The validation has openings of its own.
    let fresh = Csv::read(&at("validation/games.csv"));
    let seeds = games.column("seed");
    assert!(fresh.column("seed").iter().all(|seed| !seeds.contains(seed)));
    let page = read(&at("report.html"));
    assert!(page.contains("<h2>Validation</h2>") && page.contains("It is biased"));
    let wanted = ["estimate-exploration.svg", "samples-exploration.svg"];
    assert!(wanted.iter().all(|name| names(&at("plots")).contains(&(*name).to_owned())));
    // What follows from the games is written again, and only that is.
    let (before, report) = (results(&at("")), read(&at("report.html")));
    for name in ["samples.csv", "estimate.csv", "validation.csv", "report.html"] {
        fs::remove_file(at(name)).unwrap();
    }
    fs::remove_dir_all(at("plots")).unwrap();
    assert_eq!(printed(TUNE, &folder, "--report run"), said);
    assert_eq!((results(&at("")), read(&at("report.html"))), (before, report));
    assert!(wanted.iter().all(|name| names(&at("plots")).contains(&(*name).to_owned())));
    let json: serde_json::Value =
        serde_json::from_str(&printed(TUNE, &folder, "--report run --json")).unwrap();
    assert_eq!(
        (&json["games"], &json["parameters"][0]["name"]),
        (&48.into(), &"exploration".into())
    );
    assert_eq!(json["validation"][0]["games"], 8);
    let named = ["--extend 60", "begin a new run with more --games"];
    refused(TUNE, &folder, "--resume run --extend 60", &named);
    refused(TUNE, &folder, "--resume run --games 60", &["games is [48] and not [60]"]);
    let fault = refused(TUNE, &folder, "--report run --games 60", &["--report", "--games"]);
    assert!(fault.contains("leave --games out"), "{fault}");
    // The settings in the folder repeat the run.
    tuned(&folder, "--config run/config.toml", "again");
    assert_eq!(results(&folder.join("again")), results(&at("")));
}

#[test]
fn two_parameters_against_another_bot() {
    let folder = Scratch::new();
    let line = "--size 5 --bot uct:simulations=20 --opponent two-ply --method sweep --steps 2 \
                --param exploration=0.05..2:log --param rave=100..1000:log --games 16 \
                --validation 2";
    let said = tuned(&folder, line, "run");
    assert!(said.contains("games against default") && said.contains("games against two-ply"));
    let samples = Csv::read(&folder.join("run/samples.csv"));
    let header = "trial,opening,exploration,rave,exploration_opponent,rave_opponent,wins,losses";
    assert_eq!(samples.header, header);
    // Every cell is played on the same openings.
    assert_eq!(samples.column("opening"), ["0", "0", "0", "0", "1", "1", "1", "1"]);
    assert!(names(&folder.join("run/plots")).contains(&"map.svg".to_owned()));
    assert_eq!(Csv::read(&folder.join("run/validation.csv")).len(), 2);
}

#[test]
fn synthetic_surfaces_have_a_table_of_regret() {
    let folder = Scratch::new();
    let line = "--synthetic log,rosenbrock --method clop,sweep --games 60,130 --repeats 20";
    let measured = |line: &str| {
        let output = run(TUNE, &folder, line);
        // 64 points of a grid have less than two games each at 60.
        let warned = "warning: left out: sweep on ROSENBROCK needs 128 games, not 60";
        assert!(text(&output.stderr).starts_with(warned), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = measured(&format!("{line} --out run"));
    assert!(said.contains("mean simple regret"), "{said}");
    let table = folder.join("run/regret.csv");
    let rows = Csv::read(&table);
    assert_eq!(
        rows.header,
        "surface,method,duels,games,repeats,mean_regret,low,high,coverage,width"
    );
    assert_eq!(rows.len(), 7);
    let few = "--synthetic log --method sweep --games 10";
    refused(TUNE, &folder, few, &["nothing to measure: sweep on LOG needs 16 games, not 10"]);
    for row in 0..rows.len() {
        let [low, mean, high] = ["low", "mean_regret", "high"].map(|name| rows.number(row, name));
        assert!(0.0 <= low && low <= mean && mean <= high && high < 0.5, "row {row}");
        for share in ["coverage", "width"].map(|name| rows.number(row, name)) {
            assert!((0.0..=1.0).contains(&share), "row {row}: {share}");
        }
    }
    assert_eq!(rows.get(6, "surface"), "ROSENBROCK");
    let json = measured(&format!("{line} --threads 1 --json --out again"));
    assert_eq!(read(&folder.join("again/regret.csv")), read(&table));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["regret"].as_array().unwrap().len(), &json["folder"]), (7, &"again".into()));
}

#[test]
fn thompson_plays_duels_or_a_fixed_opponent() {
    let folder = Scratch::new();
    let line = "--synthetic bowl --method thompson --games 40 --repeats 4";
    tuned(&folder, line, "duels");
    tuned(&folder, &format!("{line} --fixed-opponent"), "fixed");
    let rows = ["duels", "fixed"].map(|run| Csv::read(&folder.join(run).join("regret.csv")));
    assert_eq!(rows.each_ref().map(|rows| rows.get(0, "duels")), ["true", "false"]);
    assert!(rows[0].number(0, "mean_regret") != rows[1].number(0, "mean_regret"));
    let line = "--fixed-opponent --param exploration=0.1..1";
    refused(TUNE, &folder, line, &["--fixed-opponent belongs to --synthetic"]);
}

#[test]
fn a_damaged_validation_is_named_before_it_is_played_again() {
    let folder = Scratch::new();
    let line =
        "--size 3 --games 8 --validation 2 --bot uct:simulations=5 --param exploration=0.1..1";
    tuned(&folder, line, "run");
    let games = folder.join("run/validation/games.csv");
    let moves = || Csv::read(&games).column("moves").join("\n");
    let (text, whole) = (read(&games), moves());
    let some: String = text.split_inclusive('\n').take(3).collect();
    fs::write(&games, some).unwrap();
    refused(TUNE, &folder, "--report run", &["2 of 4 validation games"]);
    printed(TUNE, &folder, "--resume run");
    assert_eq!(moves(), whole);
    fs::remove_file(folder.join("run/validation/config.toml")).unwrap();
    let before = names(&folder.join("run"));
    for _ in 0..2 {
        let said = ["run/validation has files, but no config.toml", "delete this folder"];
        refused(TUNE, &folder, "--resume run", &said);
        assert_eq!(names(&folder.join("run")), before);
    }
    fs::remove_dir_all(folder.join("run/validation")).unwrap();
    printed(TUNE, &folder, "--resume run");
    assert_eq!(moves(), whole);
}

#[test]
fn names_leave_room_for_those_of_the_parts() {
    let folder = Scratch::new();
    let name = "a".repeat(90);
    refused(TUNE, &folder, &format!("--name {name}"), &["--name", "expected 1 to 89"]);
    refused(LEARN, &folder, &format!("--name {name}"), &["--name", "expected 1 to 89"]);
}

#[test]
fn a_measurement_takes_no_later_command() {
    let folder = Scratch::new();
    tuned(&folder, "--synthetic log --method clop --games 20 --repeats 2", "run");
    for line in ["--resume run", "--report run"] {
        refused(TUNE, &folder, line, &["run is a measurement (synthetic)", "measure again"]);
    }
    let speed = "--part speed --size 3 --simulations 10 --repeats 1 --threads 1 --out speed";
    printed(SCALING, &folder, speed);
    refused(SCALING, &folder, "--resume speed", &["speed is a measurement (speed)"]);
    refused(TENGEN, &folder, "reproduce speed", &["speed is a measurement (speed)"]);
}
