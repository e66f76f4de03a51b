//! Help and output of the programs as they stand in `snapshots/`. After a change that is
//! meant: `INSTA_UPDATE=always cargo test --test program snapshots`, and a look at the
//! difference.

use crate::common::{PROGRAMS, Scratch, TENGEN, TOURNAMENT, printed};

/// What `program` prints for the words of `line`, in an empty folder.
fn said(program: &str, line: &str) -> String {
    let folder = Scratch::new();
    printed(program, &folder, line)
}

#[test]
fn help_of_the_programs() {
    for (name, program) in PROGRAMS {
        insta::assert_snapshot!(format!("help-{name}"), said(program, "--help"));
    }
}

#[test]
fn help_of_the_commands() {
    let overview = said(TENGEN, "--help");
    let listed = overview.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let help = said(TENGEN, &format!("{command} --help"));
        insta::assert_snapshot!(format!("help-tengen-{command}"), help);
    }
}

#[test]
fn outputs() {
    for (name, program, line) in [
        ("perft", TENGEN, "perft --size 3 --depth 4"),
        ("analyze", TENGEN, "analyze --size 5 --bot uct:simulations=1000 --seed 1 --tree 2"),
        ("signature", TENGEN, "signature --bot uct:simulations=300"),
        ("sprt", TENGEN, "sprt --wins 60 --losses 40"),
        ("plan", TENGEN, "plan --elo -5,20,50 --pairs 100,1000 --split 0.6"),
        (
            "plan-hours",
            TENGEN,
            "plan --within 20 --elo 0 --hours 8 --seconds 2.5 --threads 2 --jigo 0.1",
        ),
        ("plan-test", TENGEN, "plan --sprt 'elo0=0 elo1=100 model=wald' --power 0.9"),
        (
            "plan-simulated",
            TENGEN,
            "plan --sprt elo1=200 --truths 0,150 --tests 200 --most-pairs 30",
        ),
        ("tournament", TOURNAMENT, "--size 3 --pairs 4 --bot random --bot two-ply --out run"),
    ] {
        let said = said(program, line);
        // The table of CPU times ends with an empty line.
        let mut is_in_table = false;
        let is_timed = |line: &&str| {
            let was_in_table = is_in_table;
            is_in_table = (is_in_table || line.contains("CPU s per move")) && !line.is_empty();
            was_in_table
                || is_in_table
                || line.contains(" a second)")
                || line.contains(" the CPU time of ")
        };
        let (_, stable): (Vec<&str>, Vec<&str>) = said.lines().partition(is_timed);
        insta::assert_snapshot!(format!("output-{name}"), stable.join("\n"));
    }
}
