//! What is wrong with a record, and where.

use std::fs;
use std::path::Path;
use tengen_sgf::{Severity, check, decode};

fn faults(text: &str) -> Vec<String> {
    check(text).1.iter().map(ToString::to_string).collect()
}

#[test]
fn faults_have_their_places() {
    for (text, expected) in [
        ("(;SZ[9];B[aa];W[bb])", ""),
        ("", "1:1: error: missing game: expected `(;`"),
        ("hello", "1:1: error: missing game: expected `(;`"),
        ("x\n(;SZ[9])", "1:1: warning: text outside of a game"),
        ("(;SZ[9]))", "1:9: error: unexpected `)` outside of a game"),
        ("(;SZ[9]", "1:1: error: the game is not closed: `)` is missing"),
        ("(;SZ[9]\n(;B[aa]", "2:1: error: the variation is not closed: `)` is missing"),
        ("(;SZ[9]\n;C[abc", "2:3: error: the value of C is not closed: `]` is missing"),
        ("(;SZ[9];B)", "1:9: error: the property B has no value"),
        ("(;SZ[9];[aa])", "1:9: error: a value without a property"),
        ("(;SZ[9];b[aa])", "1:9: error: the property b has no capital letter"),
        ("(;SZ[9];b1[aa])", "1:9: error: the property b1 has no capital letter"),
        ("(;SZ[9]()(;B[aa]))", "1:8: error: a variation without nodes"),
        ("(;SZ[9](;B[aa]);W[bb])", "1:16: error: a node behind variations"),
        ("(SZ[9];B[aa])", "1:2: warning: `;` is missing before the first property"),
        ("(;SZ[9]{};B[aa])", "1:8: error: unexpected `{}`: expected a node or property"),
        ("(;SZ[25];B[aa])", "1:3: error: invalid board size SZ[25]: expected 1 to 19"),
        (
            "(;SZ[9]KM[6.25])",
            "1:8: warning: KM[6.25] is read as 6.5, by which the same player wins",
        ),
        ("(;SZ[9]KM[325]AP[foxwq])", "1:8: warning: KM[325] is read as 6.5"),
        ("(;SZ[9]KM[1e9])", "1:8: warning: invalid komi KM[1e9]: expected a number of points"),
        ("(;SZ[9]KM[x])", "1:8: warning: invalid komi KM[x]"),
        ("(;SZ[9];B[jj])", "1:9: error: invalid B[jj]: expected a point of the board"),
        ("(;SZ[9];B[aa][bb])", "1:9: error: B has 2 values, and takes one"),
        ("(;SZ[9];B[aa];W[aa])", "1:15: error: move 2: white A9: the point is occupied"),
        ("(;SZ[9];B[aa]W[bb])", "1:14: error: two moves in a node: black and white"),
        ("(;SZ[9];B[aa]B[bb])", "1:14: error: B stands twice in a node"),
        ("(;SZ[9];B[aa]AW[bb])", "1:14: warning: stones are set up in a node with a move"),
        ("(;SZ[9]AB[aa]AW[ab]AE[bb])", ""),
        ("(;SZ[9]AB[aa]AW[aa])", "1:14: error: A9 is set up twice in a node, by AB and AW"),
        ("(;SZ[9]AB[aa]AE[ee];AE[aa:bb]AW[bb])", "1:30: error: B8 is set up twice in a node"),
        ("(;SZ[9]AB[aa]AW[aa]AE[aa])", "1:20: error: A9 is set up twice in a node, by AW and AE"),
        ("(;SZ[9]AB[aa:ab][aa])", "1:8: warning: AB has A9 twice"),
        ("(;SZ[2]AB[aa][ab][ba][bb])", "1:8: error: the set-up stones: the chain at"),
        ("(;SZ[9]AB[aa:zz])", "1:8: error: invalid AB[aa:zz]: expected points of the board"),
        ("(;SZ[9]HA[3]AB[aa][cc])", "1:8: warning: HA[3], but AB has 2 stones"),
        ("(;SZ[9]RE[black wins])", "1:8: warning: invalid RE[black wins]: expected a result"),
        (
            "(;SZ[9]DT[21.11.2026])",
            "1:8: warning: invalid DT[21.11.2026]: expected dates such as 2001-12-31",
        ),
        ("(;SZ[9]DT[1996-05-06,07,2001])RE[W+R]", "1:31: warning: text outside of a game"),
        ("(;SZ[9]PL[green])", "1:8: error: invalid PL[green]: expected B or W"),
        ("(;SZ[9];MN[x])", "1:9: error: invalid MN[x]: expected a whole number"),
        ("(;SZ[9]CA[klingon])", "1:8: warning: invalid CA[klingon]: expected a charset"),
        ("(;SZ[9]FF[5])", "1:8: warning: invalid FF[5]: expected a number from 1 to 4"),
        ("(;SZ[9];SZ[9])", "1:9: warning: SZ belongs into the root"),
        ("(;SZ[9]PB[a];PW[b])", "1:14: warning: PW is told about the game again"),
        ("(;SZ[9]LB[aa])", "1:8: error: invalid LB[aa]: expected a point of the board and a text"),
        ("(;SZ[9]LN[aa:bb]AR[aa:b])", "1:17: error: invalid AR[aa:b]: expected two points"),
        ("(;SZ[9]DD[]VW[]TB[])", ""),
        ("(;GM[2];B[banana])", "1:3: warning: GM[2] is not Go"),
        ("(;SZ[9]XX[private][values])", ""),
        ("(;PB[\u{fffd}])", "1:6: warning: invalid bytes: expected text"),
    ] {
        let found = faults(text);
        let is_as_expected = if expected.is_empty() {
            found.is_empty()
        } else {
            found.iter().any(|fault| fault.starts_with(expected))
        };
        assert!(is_as_expected, "{text}: {found:?}");
    }
}

#[test]
fn moves_are_played_in_every_variation() {
    // Suicide is legal by the rules of New Zealand alone.
    let text = |rules: &str| format!("(;SZ[3]RU[{rules}];AB[ab][ba](;W[aa])(;W[cc];B[cc]))");
    assert_eq!(
        faults(&text("Chinese")),
        [
            "1:32: error: move 1: white A3: the move is suicide",
            "1:46: error: move 2: black C1: the point is occupied"
        ]
    );
    assert_eq!(faults(&text("NZ")).len(), 1);
    // A ko, retaken at once in the second variation.
    let ko = "(;SZ[4]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb](;W[dd])(;W[bb]))";
    let ko_faults = faults(ko);
    assert_eq!(ko_faults, ["1:56: error: move 2: white B3: the ko may not be taken back at once"]);
}

#[test]
fn the_place_counts_characters() {
    assert_eq!(
        faults("(;SZ[9]C[古力]\n;C[é];B[zz])")[0],
        "2:7: error: invalid B[zz]: expected a point of the board"
    );
}

/// What other programs write has no errors but what is known to be odd.
#[test]
fn files_of_other_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sgf") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (_, faults) = check(&decode(&fs::read(&path).unwrap()));
        let errors: Vec<String> = faults
            .iter()
            .filter(|fault| fault.severity == Severity::Error)
            .map(ToString::to_string)
            .collect();
        let expected: &[&str] = match name.as_str() {
            "fox.sgf" => &["1:154: error: AP stands twice in a node"],
            _ => &[],
        };
        assert_eq!(errors, expected, "{name}");
    }
}
