//! Trees in and out, against the crate `sgf-parse` and against records of other
//! programs.

use sgf_parse::{GameTree as OtherTree, SgfNode, SgfProp};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_go::{Color, Move};
use tengen_sgf::{
    GameTree, NodeId, Overrides, Property, Record, decode, escape, parse, replay, unescape,
};

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    decode(&bytes).into_owned()
}

fn games(text: &str) -> Vec<GameTree> {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The tree as nested lists of keys.
fn shape(tree: &GameTree, node: NodeId) -> String {
    let node = tree.node(node);
    let keys: Vec<&str> = node.properties.iter().map(|property| property.key.as_str()).collect();
    let below: Vec<String> = node.children.iter().map(|&child| shape(tree, child)).collect();
    format!("({}{})", keys.join(" "), below.concat())
}

fn other_shape<P: SgfProp>(node: &SgfNode<P>) -> String {
    let keys: Vec<String> = node.properties().map(SgfProp::identifier).collect();
    let below: Vec<String> = node.children().map(other_shape).collect();
    format!("({}{})", keys.join(" "), below.concat())
}

fn other_shapes(text: &str) -> Vec<String> {
    let shape = |tree: &OtherTree| match tree {
        OtherTree::GoGame(node) => other_shape(node),
        OtherTree::Unknown(node) => other_shape(node),
    };
    sgf_parse::parse(text).unwrap().iter().map(shape).collect()
}

fn shapes(games: &[GameTree]) -> Vec<String> {
    games.iter().map(|tree| shape(tree, GameTree::ROOT)).collect()
}

/// Writing and reading again leads to the same trees.
fn assert_round_trip(games: &[GameTree], name: &str) {
    let text: String = games.iter().map(ToString::to_string).collect();
    let again = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    assert_eq!(again.len(), games.len(), "{name}");
    for (tree, again) in games.iter().zip(&again) {
        // What is written is UTF-8.
        let mut tree = tree.clone();
        for property in &mut tree.node_mut(GameTree::ROOT).properties {
            if property.key == "CA" {
                property.values = vec!["UTF-8".to_owned()];
            }
        }
        assert_eq!(&tree, again, "{name}");
    }
}

#[test]
fn the_example_of_the_specification() {
    let text = file("ff4_ex.sgf");
    let games = games(&text);
    assert_eq!(games.len(), 2);
    assert_eq!(shapes(&games), other_shapes(&text));
    assert_round_trip(&games, "ff4_ex");
    let [properties, game] = &games[..] else { panic!() };
    assert_eq!(properties.root().children.len(), 5);
    assert_eq!(properties.root().text("GN").unwrap(), "Gametree 1: properties");
    let setup = properties.node(properties.root().children[1]);
    assert_eq!(setup.get("AB").unwrap().values, ["dd", "de", "df", "dg", "do:gq"]);
    assert!(setup.text("C").unwrap().starts_with("Black & white stones at the top"));
    // The first variation: eleven moves and both notations of a pass.
    let (moves, _) = replay(properties, Overrides::default(), None).unwrap();
    assert_eq!(moves.moves().len(), 13);
    let passes: Vec<(Color, Move)> = moves.moves().skip(11).collect();
    assert_eq!(passes, [(Color::White, Move::Pass), (Color::Black, Move::Pass)]);
    let (game, _) = replay(game, Overrides::default(), None).unwrap();
    assert_eq!(game.moves().len(), 2, "four games that begin alike");
}

/// Files, the games in each, and what is known of the first: moves of the main
/// line, stones on the last board, and a player.
const RECORDS: [(&str, usize, usize, u32, &str); 11] = [
    ("cgoban.sgf", 1, 78, 78, "AlphaGo"),
    ("cgoban-variations.sgf", 1, 5, 5, "Black"),
    ("fox.sgf", 1, 2, 4, "testname1"),
    ("multigo-gbk.sgf", 1, 7, 29, ""),
    ("sabaki-utf16le.sgf", 1, 164, 154, "Kitani Minoru"),
    ("sabaki-bom.sgf", 1, 164, 154, "Kitani Minoru"),
    ("nihon-kiin-shift-jis.sgf", 1, 8, 8, ""),
    ("gb2312.sgf", 1, 2, 2, "古力"),
    ("euc-kr.sgf", 1, 2, 2, "이세돌"),
    ("shift-jis.sgf", 1, 2, 2, "井山 裕太"),
    ("gnugo.sgf", 1, 0, 8, ""),
];

#[test]
fn records_of_other_programs() {
    for (name, count, moves, stones, black) in RECORDS {
        let text = file(name);
        let games = games(&text);
        assert_eq!(games.len(), count, "{name}");
        assert_round_trip(&games, name);
        let overrides = Overrides { komi: Some("6.5".parse().unwrap()), ..Overrides::default() };
        let (game, warnings) =
            replay(&games[0], overrides, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(warnings, [], "{name}");
        let board = game.board();
        let on_board = Color::BOTH.map(|color| board.stones(color).count()).iter().sum::<u32>();
        assert_eq!((game.moves().len(), on_board), (moves, stones), "{name}\n{board}");
        if !black.is_empty() {
            assert_eq!(games[0].root().text("PB").as_deref(), Some(black), "{name}");
        }
        // The oracle wants a `;` before the first property, no byte order mark, and
        // keys once.
        if !name.starts_with("nihon") {
            let text = text.trim_start_matches('\u{feff}');
            assert_eq!(shapes(&games), other_shapes(text), "{name}");
        }
    }
}

#[test]
fn structure_of_any_kind() {
    for text in [
        "(;)",
        "(;;;)",
        "(;(;)(;))",
        "(;B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ff]))(;SZ[5])",
        "(;C[a\\]b\\\\]N[x:y]\n\n LB [aa:1]\n[bb:2]  )",
        "(;GaMe[1]CoPyright[me];Black[aa])",
    ] {
        let games = games(text);
        assert_eq!(shapes(&games), other_shapes(text), "{text}");
        assert_round_trip(&games, text);
    }
}

#[test]
fn errors_have_their_places() {
    for (text, expected) in [
        ("", "1, column 1: missing game: expected `(;`"),
        ("hello", "1, column 1: missing game: expected `(;`"),
        ("(;SZ[9]))", "1, column 9: unexpected `)` outside of a game"),
        ("(;SZ[9]", "1, column 1: the game is not closed: `)` is missing"),
        ("(;SZ[9]\n(;B[aa]", "2, column 1: the variation is not closed: `)` is missing"),
        ("(;SZ[9]C[古力]\n;é", "2, column 2: unexpected `é`: expected a node or property"),
        ("(;SZ[9]\n;C[abc", "2, column 3: the value of C is not closed: `]` is missing"),
        ("(;SZ[9];B)", "1, column 9: the property B has no value"),
        ("(;SZ[9];[aa])", "1, column 9: a value without a property"),
        ("(;SZ[9];b[aa])", "1, column 9: the property b has no capital letter"),
        ("(;SZ[9];b1[aa])", "1, column 9: the property b1 has no capital letter"),
        ("(;SZ[9]()(;B[aa]))", "1, column 8: a variation without nodes"),
        ("(;SZ[9]((;B[aa])))", "1, column 9: a variation before its first node: `;` is missing"),
        ("(;SZ[9](;B[aa]);W[bb])", "1, column 16: a node after variations: `)` or `(` is missing"),
        ("(;SZ[9]{};B[aa])", "1, column 8: unexpected `{}`: expected a node or property"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert_eq!(error, format!("line {expected}"), "{text}");
    }
}

#[test]
fn text_of_a_value() {
    for (value, text) in [
        ("plain", "plain"),
        (r"a\]b\\c\:d", r"a]b\c:d"),
        ("soft\\\nbreak", "softbreak"),
        ("soft\\\r\nbreak", "softbreak"),
        ("hard\r\nbreak\rand\n\rmore", "hard\nbreak\nand\nmore"),
        ("a\tb", "a b"),
        ("end\\", "end"),
    ] {
        assert_eq!(unescape(value), text, "{value:?}");
    }
    assert_eq!(escape("a]b\\c\n\u{7}"), "a\\]b\\\\c\n");
    assert_eq!(Property::new("C", "[x]").values, ["[x\\]"]);
}

#[test]
fn stones_between_moves_begin_a_new_game() {
    let text = "(;SZ[5];B[cc];W[bb];AW[dd]AE[bb]PL[W];W[aa];B[])";
    let tree = &games(text)[0];
    let at = |moves| {
        let (game, _) = replay(tree, Overrides::default(), moves).unwrap();
        (game.board().to_rows(), game.to_play(), game.moves().len())
    };
    assert_eq!(at(Some(0)), ("...../...../...../...../.....".into(), Color::Black, 0));
    assert_eq!(at(Some(1)), ("...../...../..X../...../.....".into(), Color::White, 1));
    assert_eq!(at(Some(2)), ("...../...../..X../...O./.....".into(), Color::White, 0));
    assert_eq!(at(None), ("O..../...../..X../...O./.....".into(), Color::White, 2));
    assert_eq!(at(Some(99)), at(None));
    assert!(Record::of_tree(tree, Overrides::default()).is_err(), "a record is one game");
}

/// Deep and wide trees, and invalid ones: nothing recurses, and nothing takes long.
#[test]
fn the_stack_has_no_say() {
    let deep = format!("{}{}", "(;B[aa]".repeat(200_000), ")".repeat(200_000));
    let tree = &games(&deep)[0];
    assert_eq!(tree.nodes().len(), 200_000);
    assert_eq!(tree.main_line().count(), 200_000);
    assert_eq!(games(&tree.to_string())[0], *tree);
    let wide = format!("(;{})", "(;B[aa])".repeat(200_000));
    assert_eq!(games(&wide)[0].root().children.len(), 200_000);
    let long = format!("(;{})", ";".repeat(300_000));
    assert_eq!(games(&long)[0].main_line().count(), 300_001);
    for c in ["(", ")", ";", "[", "]", "\\", "a", "A[", "(;A[", ")(", "\u{3000}", "A[]", "é"] {
        let text = c.repeat(100_000);
        let began = Instant::now();
        for text in [text.clone(), format!("(;{text}"), format!("(;C[{text}")] {
            let _ = parse(&text);
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{c}: {:?}", began.elapsed());
    }
}
