//! The commands that look at game records, and the game in the terminal.

use crate::common::{Scratch, TENGEN, TOURNAMENT, command, fed, printed, run, text};
use std::fs;
use std::path::Path;

const RECORD: &str = "(;FF[4]SZ[5]KM[2.5]PB[me]PW[you]RE[B+1.5];B[cc];W[bb];B[cb];W[bc]\n\
                      ;B[cd];W[bd];B[ba];W[ab];B[be];W[ae];B[];W[])(;SZ[4];B[bb])";

/// The folder of the repository, and a record.
fn record() -> Scratch {
    let folder = Scratch::new();
    fs::write(folder.join("a.sgf"), RECORD).unwrap();
    folder
}

#[test]
fn a_position_is_shown_and_its_area_is_counted_by_regions() {
    let folder = record();
    let shown = printed(TENGEN, &folder, "show a.sgf --game 2");
    assert!(shown.contains(" 3 . X . .\n") && shown.contains("move 1: black B3"), "{shown}");
    for (name, line) in [
        ("show", "show a.sgf --move 3"),
        ("score", "score a.sgf"),
        ("score-empty", "score a.sgf --move 0 --komi 0"),
    ] {
        insta::assert_snapshot!(format!("output-{name}"), printed(TENGEN, &folder, line));
    }
}

/// GNU Go 3.8 against itself with `--chinese-rules` and three handicap stones; its `final_score`
/// is B+33.5.
const HANDICAP: &str = "(;GM[1]FF[4]SZ[9]KM[0.5]HA[3]RU[Chinese]AB[cc][gc][cg]\
    ;W[df];B[dg];W[cf];B[ef];W[ee];B[de];W[ec];B[fe];W[gb];B[fb];W[fc];B[hb];W[gd]\
    ;B[hc];W[eg];B[ff];W[hd];B[fd];W[fg];B[gf];W[gg];B[ed];W[hf];B[he];W[hg];B[ie]\
    ;W[eh];B[ce];W[bi];B[dh];W[di];B[bf];W[bh];B[bg];W[ah];B[ch];W[ci];B[if];W[ig]\
    ;B[ag];W[fi];B[eb];W[fh];B[ga];W[gi];B[ia];W[hh];B[ib];W[];B[dc];W[];B[ge];W[]\
    ;B[id];W[];B[df];W[];B[ec];W[];B[])";

#[test]
fn a_handicap_game_is_scored_as_gnu_go_does() {
    let folder = Scratch::new();
    fs::write(folder.join("a.sgf"), HANDICAP).unwrap();
    for (rules, score) in [("", "33.5"), ("--rules aga", "34.5"), ("--rules tengen", "36.5")] {
        let scored = printed(TENGEN, &folder, &format!("score a.sgf {rules}"));
        assert_eq!(scored.lines().last(), Some(&*format!("score: B+{score}")), "{rules}");
    }
}

/// A game of Fox's, a record whose bytes are not UTF-8, and values that are none.
#[test]
fn what_is_read_otherwise_is_said() {
    let folder = Scratch::new();
    for (line, record, shown, warnings) in [
        (
            "score a.sgf",
            &b"(;SZ[9]AP[foxwq]RU[Chinese]KM[375]HA[2]AB[cg][gc];W[];B[];W[]RE[B+66.5])"[..],
            "komi: 7.5\nhandicap: 2, points to White: 2\nscore: B+71.5\n",
            &["KM[375] is read as 7.5"][..],
        ),
        (
            "show a.sgf",
            b"(;SZ[5]PB[\x83\x5c];B[aa];W[bb])",
            "\u{30bd}",
            &[
                "the record has no CA in its first node: it is read as Shift_JIS, judging by its bytes",
            ],
        ),
        (
            "score a.sgf",
            b"(;SZ[5]B[aa]AB[cc]RU[mine]PL[2])",
            "score: B+25",
            &[
                "PL[2] is ignored: expected B or W",
                "RU[mine] is not known and read as simple ko without suicide: expected",
                "move 1 stands in a node that sets up stones: they are set up before it",
            ],
        ),
    ] {
        fs::write(folder.join("a.sgf"), record).unwrap();
        let output = run(TENGEN, &folder, line);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(text(&output.stdout).contains(shown), "{shown} of {line}: {output:?}");
        assert_eq!(said.lines().count(), warnings.len(), "{said}");
        for (line, expected) in said.lines().zip(warnings) {
            assert!(line.starts_with(&format!("warning: a.sgf: {expected}")), "{line}");
        }
    }
}

/// What may have other moves or stones than its record is no opening.
#[test]
fn an_opening_that_may_lack_moves_is_refused() {
    let folder = Scratch::new();
    let play = "--size 5 --pairs 1 --bot random --bot two-ply --openings a.sgf --out";
    for (number, (record, why)) in [
        (&b"(;SZ[5]CA[latin1]PB[\x83\x5c];B[aa];W[bb])"[..], "the value of PB ends with `;B[aa]`"),
        (b"(;SZ[5];B[aa]W[bb])", "move 2 is in the same node as move 1"),
        (b"(;SZ[5]AB[aa]PL[2])", "PL[2] is ignored: expected B or W"),
        (b"(;SZ[5];B[aa];PL[B])", "PL gives black the turn after its moves"),
        // Read as it should be.
        (b"(;SZ[5]CA[Shift_JIS]PB[\x83\x5c]RU[mine];B[aa];W[bb])", ""),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(folder.join("a.sgf"), record).unwrap();
        let output = run(TOURNAMENT, &folder, &format!("{play} run-{number}"));
        let said = text(&output.stderr);
        let expected = format!("the opening a.sgf: {why}");
        assert!(why.is_empty() || said.contains(&expected), "{said}");
        assert_eq!(output.status.code(), Some(if why.is_empty() { 0 } else { 2 }), "{said}");
    }
}

#[test]
fn a_position_of_a_record_is_analyzed() {
    let folder = record();
    let line = "analyze a.sgf --move 3 --bot uct:simulations=200";
    let table = printed(TENGEN, &folder, line);
    assert!(table.contains("white to move, komi 2.5, simple rules"), "{table}");
    assert!(table.contains("principal variation: "), "{table}");
    let json = printed(TENGEN, &folder, &format!("{line} --json"));
    let mut visits = 0;
    for (order, line) in json.lines().enumerate() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["order"], order);
        assert_eq!(object["player"], "white");
        assert_eq!(object["variation"][0], object["move"]);
        visits += object["visits"].as_u64().unwrap();
    }
    assert!((199..=200).contains(&visits), "{visits}");
}

/// What `tengen play` prints to `lines`.
fn play(folder: &Path, line: &str, lines: &str) -> String {
    let output = fed(command(TENGEN, folder, &format!("play {line}")), lines);
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout)
}

#[test]
fn a_game_in_the_terminal() {
    let folder = Scratch::new();
    let bot = "--size 3 --bot two-ply";
    let lines = "B2\nhelp\nB2\nz9\nscore\nundo\nundo\nb2\nsave a.sgf\nsave\nresign\n";
    let shown = play(&folder, bot, lines);
    for part in [
        "you are black, two-ply is white",
        " 2 .(X). 2",
        "a vertex such as D4",
        "B2: the point is occupied",
        "invalid vertex `z9`",
        "as the board stands ",
        "there is no move to take back",
        "written to a.sgf",
        "the name of a file is needed",
        "white wins by resignation",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let saved = fs::read_to_string(folder.join("a.sgf")).unwrap();
    assert!(saved.contains("PB[you]PW[two-ply]") && saved.contains(";B[bb]"), "{saved}");
    // To the end, and with the other colour; the end of the input ends it as well.
    let passes = "pass\n".repeat(30);
    let shown = play(&folder, &format!("{bot} --color w"), &passes);
    assert!(shown.contains("you are white") && shown.contains("the game is over: "), "{shown}");
    assert!(play(&folder, bot, "").contains("black> "), "the input ends");
}
