//! Values as people and programs write them: each is read, or a warning says that it is not.

use tengen_go::{Color, Ko, Preset, Suicide};
use tengen_sgf::{
    Mark, Overrides, Record, RecordRules, SgfError, SgfWarning, parse, replay, variations,
};

fn read(text: &str) -> Record {
    Record::read(text, Overrides::default()).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn said(record: &Record) -> Vec<String> {
    record.warnings.iter().map(ToString::to_string).collect()
}

/// The board after all moves, who moves next, and the moves since stones were set up.
fn end(text: &str) -> (String, Color, usize) {
    let tree = &parse(text).unwrap()[0];
    let (game, _) = replay(tree, Overrides::default(), None).unwrap();
    (game.board().to_rows(), game.to_play(), game.moves().len())
}

/// Every order of the `parts` of a node.
fn orders(parts: &[&str]) -> Vec<String> {
    match parts {
        [] => vec![String::new()],
        parts => (0..parts.len())
            .flat_map(|first| {
                let mut others = parts.to_vec();
                let first = others.remove(first);
                orders(&others).into_iter().map(move |rest| format!("{first}{rest}"))
            })
            .collect(),
    }
}

#[test]
fn properties_of_a_node_have_no_order() {
    for node in orders(&["SZ[5]", "B[aa]", "AB[cc]", "HA[2]", "AW[ee]", "C[x]"]) {
        let record = read(&format!("(;{node};W[bb])"));
        assert_eq!(record.game.board().to_rows(), "X..../.O.../..X../...../....O", "{node}");
        assert_eq!(record.game.moves().len(), 2, "{node}");
        assert_eq!(record.comments[&1], "x", "{node}");
        assert_eq!(
            said(&record),
            ["move 1 stands in a node that sets up stones: they are set up before it"],
            "{node}"
        );
        let again = read(&record.to_sgf());
        assert_eq!(again.game.board(), record.game.board(), "{node}");
        assert_eq!(again.warnings, [], "{node}");
    }
    // A capture by the move is of stones that the node sets up.
    for node in orders(&["B[ba]", "AW[aa]", "AB[ab]"]) {
        assert_eq!(end(&format!("(;SZ[5];{node})")).0, ".X.../X..../...../...../.....", "{node}");
    }
    // After a move; before it, in a node of its own.
    for node in orders(&["B[dd]", "AB[cc]AE[aa]", "PL[W]"]) {
        let text = format!("(;SZ[5];B[aa];W[bb];{node};W[ee])");
        let after = ("...../.O.../..X../...X./....O".to_owned(), Color::Black, 2);
        assert_eq!(end(&text), after, "{node}");
        assert_eq!(Record::read(&text, Overrides::default()).unwrap_err(), SgfError::LateSetup(2));
        assert_eq!(end(&format!("(;SZ[5];B[aa]PL[W];W[bb];{node};W[ee])")), after, "{node}");
    }
    // Where a node sets up a point twice, nobody can say in which order.
    let record = read("(;SZ[5]AB[aa:bb]AE[bb];B[cc])");
    assert_eq!(said(&record), ["a node sets up B4 in two ways: the last one counts"]);
    assert_eq!(read("(;SZ[5]AB[aa:bb][aa];AE[bb];B[cc])").warnings, []);
    // Nor which of two moves is first.
    let record = read("(;SZ[5];B[aa]W[bb];B[cc]W[dd])");
    assert_eq!(record.game.moves().len(), 4);
    assert_eq!(
        said(&record),
        ["move 2 is in the same node as move 1: both are played, in the order of the text"]
    );
}

#[test]
fn variations_begin_from_the_same_stones() {
    for node in orders(&["B[aa]", "AB[cc]", "TR[cc]"]) {
        let tree = &parse(&format!("(;SZ[5];{node}(;W[bb])(;W[dd]))")).unwrap()[0];
        let record = Record::of_tree(tree, Overrides::default()).unwrap();
        let start = record.game.position_at(0).unwrap();
        let (positions, warnings) = variations(tree, start, 100);
        assert_eq!((positions.len(), warnings), (4, vec![]), "{node}");
        assert_eq!(positions[1].marks.len(), 1);
        assert_eq!(positions[1].marks[0].1, Mark::Triangle);
    }
}

#[test]
fn pl_gives_the_turn_at_any_place() {
    for (text, to_play) in [
        ("(;SZ[5];B[cc];PL[B])", Color::Black),
        ("(;SZ[5];B[cc];PL[W])", Color::White),
        ("(;SZ[5];B[cc];W[dd];PL[White])", Color::White),
        ("(;SZ[5];B[cc];AW[dd]PL[B])", Color::Black),
        ("(;SZ[5];B[];W[];PL[W])", Color::White),
        ("(;SZ[5]PL[W])", Color::White),
        ("(;SZ[5];PL[w])", Color::White),
        // A move says itself whose it is, and who is next.
        ("(;SZ[5];B[cc]PL[B])", Color::White),
        ("(;SZ[5];PL[B]B[cc])", Color::White),
        ("(;SZ[5];PL[W]B[cc])", Color::White),
    ] {
        assert_eq!(end(text).1, to_play, "{text}");
        if !text.contains("AW") {
            let record = read(text);
            assert_eq!(record.warnings, [], "{text}");
            let again = read(&record.to_sgf());
            assert_eq!(again.game.to_play(), to_play, "{}", record.to_sgf());
        }
    }
    let tree = &parse("(;SZ[5];B[cc];PL[B];B[dd])").unwrap()[0];
    let at = |moves| replay(tree, Overrides::default(), Some(moves)).unwrap().0.to_play();
    assert_eq!([0, 1, 2].map(at), [Color::Black, Color::Black, Color::White]);
    let starts = |text: &str| read(text).game.position_at(0).unwrap().to_play();
    assert_eq!(starts("(;SZ[5];B[cc]PL[W])"), Color::Black);
}

#[test]
fn names_of_rules() {
    let rules = |text: &str| {
        let record = read(&format!("(;SZ[9]KM[0.5]RU[{text}]HA[3]AB[aa][bb][cc])"));
        let game = &record.game;
        (game.rules().ko, game.rules().suicide, game.handicap().points, said(&record).join("; "))
    };
    for (names, preset) in [
        (
            "Chinese|Chinese Rules|chinese rules|CHINESE|Chinese, Pair Go|Chinese (2002)|\
             Chinese-OGS|chinese_kgs|中国规则|中國",
            Preset::Chinese,
        ),
        ("AGA|AGA Rules|aga rule|BGA|French", Preset::Aga),
        ("NZ|New Zealand|new-zealand|New Zealand rules|NewZealand", Preset::NewZealand),
        ("Tromp-Taylor|tromp taylor|TrompTaylor|tromp_taylor|GOE|Ing", Preset::TrompTaylor),
        ("Japanese|Korean|Japanese rules|日本ルール|simple| ", Preset::Simple),
        ("tengen", Preset::Tengen),
    ] {
        let (ko, suicide) = preset.ko_and_suicide();
        for name in names.split('|') {
            let expected = (ko, suicide, preset.handicap(3).points, String::new());
            assert_eq!(rules(name), expected, "{name}");
        }
    }
    for (text, ko, suicide, points) in [
        ("koPOSITIONALscoreAREAtaxNONEsui1", Ko::Psk, Suicide::All, 0),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", Ko::Simple, Suicide::No, 0),
        ("koSIMPLEscoreAREAtaxNONEsui0whbNfpok1", Ko::Simple, Suicide::No, 3),
        ("koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1", Ko::Ssk, Suicide::No, 2),
        ("koSITUATIONALscoringAREAsui1button0whb0", Ko::Ssk, Suicide::All, 0),
        ("koSIMPLEscoreAREAtaxNONEsui1", Ko::Simple, Suicide::Multi, 0),
        ("ko nssk suicide multi", Ko::Nssk, Suicide::Multi, 0),
    ] {
        assert_eq!(rules(text), (ko, suicide, points, String::new()), "{text}");
    }
    for text in ["koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1", "AGA-Button", "Stone Scoring"] {
        let (.., warnings) = rules(text);
        assert!(warnings.ends_with("the score is by area, without group tax and button"), "{text}");
    }
    for text in ["my own", "koSPIGHTscoreAREA", "ko none suicide some", "3", "Chinesisch", "rules"]
    {
        let (ko, suicide, points, warnings) = rules(text);
        assert_eq!((ko, suicide, points), (Ko::Simple, Suicide::No, 0), "{text}");
        let begin = format!("RU[{text}] is not known and read as simple ko without suicide: exp");
        assert!(warnings.starts_with(&begin), "{warnings}");
    }
    // With rules from elsewhere RU need not be known.
    let rules = Some(RecordRules::from(Preset::Chinese));
    let overrides = Overrides { rules, ..Overrides::default() };
    assert_eq!(Record::read("(;SZ[9]RU[my own])", overrides).unwrap().warnings, []);
}

#[test]
fn odd_values_are_read_or_warned_about() {
    let handicap = |text: &str| {
        let record = read(&format!("(;SZ[9]RU[Chinese]AB[aa][bb]HA[{text}])"));
        (record.game.handicap().points, record.game.to_play(), said(&record).join("; "))
    };
    for text in ["2", " 2 ", "2.0", "02", "2."] {
        assert_eq!(handicap(text), (2, Color::White, String::new()), "{text}");
    }
    for text in ["0", "1", "", "0.0"] {
        assert_eq!(handicap(text), (0, Color::Black, String::new()), "{text}");
    }
    for text in ["two", "-2", "2.5", "82", "400", "99999999", "2 stones", "nan"] {
        let warning = format!("HA[{text}] is ignored: expected a number of stones from 0 to 81");
        assert_eq!(handicap(text), (0, Color::Black, warning), "{text}");
    }
    for (text, expected) in [
        ("(;SZ[9]PL[2])", "PL[2] is ignored: expected B or W"),
        ("(;SZ[9]PL[])", "PL[] is ignored: expected B or W"),
        ("(;SZ[9];B[aa];PL[both])", "PL[both] is ignored: expected B or W"),
        ("(;SZ[9];B[aa]PL[1])", "PL[1] is ignored: expected B or W"),
        (
            "(;SZ[9]HA[3];B[aa];W[bb])",
            "HA[3] is ignored: expected stones set up for it, or two moves with which Black begins",
        ),
        ("(;SZ[9];KM[6.5];B[aa])", "KM[6.5] is ignored: expected KM once, in the first node"),
        ("(;KM[0];SZ[9];B[aa])", "SZ[9] is ignored: expected SZ once, in the first node"),
        ("(;SZ[9];B[aa]RU[AGA])", "RU[AGA] is ignored: expected RU once, in the first node"),
        ("(;SZ[9]KM[1]KM[2];B[aa])", "KM[2] is ignored: expected KM once, in the first node"),
        ("(;SZ[9];B[aa]HA[2];B[bb])", ""),
        (
            "(;SZ[9]AB[aa];B[bb];HA[2];B[cc])",
            "HA[2] is ignored: expected HA once, no later than the first move",
        ),
        ("(;SZ[9]KM[6.5]GM[1];KM[6.5]GM[1])", ""),
    ] {
        assert_eq!(said(&read(text)).join("; "), expected, "{text}");
    }
    // Invalid numbers are errors.
    for text in ["SZ[]", "SZ[9.5]", "SZ[9][13]", "KM[six]", "KM[1e9]", "KM[6][7]", "GM[Go]"] {
        assert!(Record::read(&format!("(;{text})"), Overrides::default()).is_err(), "{text}");
    }
    let about = |text: &str| read(text).warnings.iter().any(SgfWarning::is_about_moves);
    assert!(about("(;SZ[9]PL[2])") && about("(;SZ[9]C[\u{9f8d};B[aa])"));
    assert!(about("(;SZ[9]AB[aa]B[bb])"));
    assert!(!about("(;SZ[9]KM[6.75]RU[mine]KM[1])"));
}

#[test]
fn no_comment_is_lost() {
    let record = read("(;SZ[5]C[one]C[two];C[three];B[aa];C[];C[four])");
    assert_eq!(
        (record.comments[&0].as_str(), record.comments[&1].as_str()),
        ("one\ntwo\nthree", "four")
    );
}
