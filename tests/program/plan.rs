//! Plans with rules: `tournament --plan`, and the verdicts at the end of a run.

use crate::common::{Csv, Scratch, TOURNAMENT, printed, read, refused};
use std::fs;
use std::path::Path;
use std::process::Command;

const PLAN: &str = "size = '5x5'\npairs = 12\nrule = ['two-ply > random + 50', 'random > two-ply']\n\
                    bot = ['random', 'two-ply']\n";

fn git(folder: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let mut command = Command::new("git");
    // A second before the run at the least.
    command.current_dir(folder).env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
    let done = command.args(who).args(arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

/// A repository with the plan `text` in `file`, committed.
fn planned(folder: &Path, file: &str, text: &str) {
    fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
    fs::write(folder.join(file), text).unwrap();
    git(folder, &["init", "-q"]);
    git(folder, &["add", file]);
    git(folder, &["commit", "-qm", "Plan"]);
}

#[test]
fn the_rule_of_a_plan_is_decided_when_the_run_is_over() {
    let folder = &Scratch::new();
    planned(folder, "configs/plan.toml", PLAN);
    let said = printed(TOURNAMENT, folder, "--plan configs/plan.toml --out run");
    assert!(said.contains("the rule `two-ply > random + 50` holds: +"), "{said}");
    assert!(said.contains("the rule `random > two-ply` fails: -"), "{said}");
    let planned = "planned in configs/plan.toml of commit";
    assert!(said.contains(planned), "{said}");
    for chunk in ["1/2", "2/2"] {
        printed(TOURNAMENT, folder, &format!("--plan configs/plan.toml --out cut --chunk {chunk}"));
    }
    let merged = printed(TOURNAMENT, folder, "--merge cut");
    assert!(merged.contains(planned), "{merged}");
    let verdicts = read(&folder.join("run/verdicts.csv"));
    let columns =
        "rule,verdict,elo,elo_low,elo_high,look,pairs,p_value,p_value_adjusted,verdict_adjusted\n";
    assert!(verdicts.starts_with(columns), "{verdicts}");
    // The second rule is the first one reversed, with another margin: two rules, corrected by Holm.
    let line = verdicts.lines().nth(1).unwrap();
    assert!(line.ends_with(",holds"), "{verdicts}");
    let p_values: Vec<f64> =
        line.split(',').skip(7).take(2).map(|cell| cell.parse().unwrap()).collect();
    assert!(p_values[0] <= p_values[1] && p_values[1] <= 0.05, "{verdicts}");
    assert!(said.contains("among the 2 rules it holds, by Holm's correction"), "{said}");
    assert!(verdicts.contains("two-ply > random + 50,holds,"), "{verdicts}");
    assert!(read(&folder.join("run/report.html")).contains("holds"));
    assert!(read(&folder.join("run/config.toml")).contains("two-ply > random + 50"));
    // No game depends on a rule: the run may be resumed, and has the games of a run without it.
    printed(TOURNAMENT, folder, "--resume run");
    let plain = "--size 5 --pairs 12 --bot random --bot two-ply --out plain";
    printed(TOURNAMENT, folder, plain);
    let [run, plain] = ["run", "plain"].map(|run| Csv::read(&folder.join(run).join("games.csv")));
    assert_eq!(run.column("moves"), plain.column("moves"));
}

#[test]
fn equivalence_and_transitivity_are_said() {
    let folder = &Scratch::new();
    let file = "size = '3x3'\nkomi = 2.5\npairs = 20\ncorrection = 'none'\nrule = ['a = b +- 900']\n\
                bot = ['a=random', 'b=random', 'c=two-ply']\n";
    fs::write(folder.join("run.toml"), file).unwrap();
    let said = printed(TOURNAMENT, folder, "--config run.toml --out run");
    assert!(said.contains("the rule `a = b +- 900` holds: "), "{said}");
    assert!(said.contains("degrees of freedom 1, p = "), "{said}");
    assert!(read(&folder.join("run/report.html")).contains("transitivity: "));
    assert!(read(&folder.join("run/config.toml")).contains("correction = \"none\""));
    let differences = Csv::read(&folder.join("run/differences.csv"));
    let names =
        ["together_low", "difference_low", "difference", "difference_high", "together_high"];
    for row in 0..differences.len() {
        let cells = names.map(|name| differences.number(row, name));
        assert!(cells.is_sorted(), "{cells:?}");
        // Three comparisons: 2.388 in place of 1.960 standard errors, and by Student's quantile more.
        let ratio = (cells[4] - cells[0]) / (cells[3] - cells[1]);
        assert!(ratio > 2.3877 / 1.96 && ratio < 1.3, "{ratio}");
    }
}

#[test]
fn a_plan_that_proves_or_decides_nothing_is_refused() {
    let folder = &Scratch::new();
    fs::write(folder.join("plan.toml"), PLAN).unwrap();
    refused(TOURNAMENT, folder, "--plan plan.toml", &["--plan plan.toml", "committed unmodified"]);
    planned(folder, "plan.toml", PLAN);
    refused(TOURNAMENT, folder, "--plan plan.toml --seed 2", &["no other setting"]);
    fs::write(folder.join("plan.toml"), PLAN.replace("+ 50", "+ 40")).unwrap();
    refused(TOURNAMENT, folder, "--plan plan.toml", &["committed unmodified"]);
    fs::write(folder.join("plan.toml"), PLAN.replace("rule", "# rule")).unwrap();
    refused(TOURNAMENT, folder, "--plan plan.toml", &["the key `rule`"]);
    fs::write(folder.join("plan.toml"), PLAN.replace("random > two-ply", "random > x")).unwrap();
    refused(TOURNAMENT, folder, "--config plan.toml", &["`random > x` do not meet"]);
    fs::write(folder.join("plan.toml"), PLAN.replace("random > two-ply", "random")).unwrap();
    refused(TOURNAMENT, folder, "--config plan.toml", &["expected `A > B`"]);
    fs::write(folder.join("plan.toml"), PLAN.replace("> random + 50", "= random +- -5")).unwrap();
    refused(
        TOURNAMENT,
        folder,
        "--config plan.toml",
        &["`two-ply = random +- -5`", "`A = B +- ELO`"],
    );
    fs::write(folder.join("plan.toml"), format!("correction = 'bonferroni'\n{PLAN}")).unwrap();
    refused(TOURNAMENT, folder, "--config plan.toml", &["bonferroni", "holm"]);
    assert!(!folder.join("runs").exists());
}

#[test]
fn the_verdict_of_each_look_is_kept() {
    let folder = &Scratch::new();
    let plan = "size = '3x3'\npairs = 6\nrule = ['b > a']\nbot = ['a=random', 'b=random']\n";
    planned(folder, "plan.toml", plan);
    printed(TOURNAMENT, folder, "--plan plan.toml --out run");
    let verdicts = || read(&folder.join("run/verdicts.csv"));
    let first = verdicts();
    assert!(first.contains(",1,6,") && first.lines().count() == 2, "{first}");
    let said = printed(TOURNAMENT, folder, "--resume run --extend 12");
    let second = verdicts();
    // The row of the first look, unchanged, and a row of the second.
    let rest = second.strip_prefix(first.as_str()).expect("the first verdict is kept");
    assert!(rest.starts_with("b > a,") && rest.contains(",2,12,"), "{rest}");
    let named = [
        "the rule `b > a`: at look 1, after 6 pairs, it ",
        "; at look 2, after 12 pairs, it ",
        "2 looks: extended after 12 games to 24, so that the intervals of the tables",
        "at look 1, after 6 pairs: ",
        "at look 2, after 12 pairs: ",
    ];
    let report = read(&folder.join("run/report.html")).replace("&gt;", ">");
    for named in named {
        assert!(said.contains(named), "{named}: {said}");
        assert!(report.contains(named), "{named}: {report}");
    }
}
