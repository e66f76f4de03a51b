//! The charsets of files, game by game: no bracket is lost in a character.

use encoding_rs::Encoding;
use proptest::prelude::*;
use tengen_sgf::{
    GameTree, Overrides, Record, SgfWarning, charset, charset_without_statistics, decode,
    parse_bytes,
};

fn games(bytes: &[u8]) -> Vec<GameTree> {
    parse_bytes(bytes).unwrap_or_else(|error| panic!("{}: {error}", bytes.escape_ascii()))
}

fn encode(charset: &str, text: &str) -> Vec<u8> {
    let charset = Encoding::for_label(charset.as_bytes()).unwrap();
    let (bytes, _, has_failed) = charset.encode(text);
    assert!(!has_failed, "{text}");
    bytes.into_owned()
}

/// The moves of the main line.
fn moves(tree: &GameTree) -> usize {
    let record = Record::of_tree(tree, Overrides::default()).unwrap();
    record.game.moves().len()
}

fn warnings(tree: &GameTree) -> Vec<String> {
    tree.warnings().iter().map(ToString::to_string).collect()
}

/// Names with characters whose second byte is `\`, `]` or `[`, and a text.
const TEXTS: [(&str, &str, &str, &str); 6] = [
    ("Shift_JIS", "高尾紳路ソ", "表十能", "白の中押し勝ち。黒は十五手目で表を出した。能登の申告ソ"),
    ("GBK", "俓弢乗", "聂卫平乛", "黑中盘胜。白棋第五十手是一步好棋,但是中腹的大龙没有活乗"),
    ("Big5", "許功蓋", "周俊勳", "黑中盤勝。白棋的第五十手是一步好棋,許功蓋中腹的大龍沒有活"),
    ("EUC-KR", "이창호", "조훈현", "백의 불계승. 흑은 오십 번째 수로 중앙의 대마를 살리지 못했다"),
    (
        "windows-1252",
        "Jürgen é",
        "Édouard è",
        "Très bon coup; la réponse était à côté, où l'élève a cédé.",
    ),
    ("UTF-8", "古力", "이세돌", "Très bon coup; 白の中押し勝ち。"),
];

fn record(ca: &str, black: &str, white: &str, comment: &str) -> String {
    format!("(;SZ[5]PB[{black}]{ca}PW[{white}];B[aa]C[{comment}];W[bb]C[{black}];B[cc];W[dd])")
}

#[test]
fn every_charset_is_read_with_and_without_ca() {
    for (charset, black, white, comment) in TEXTS {
        for ca in [format!("CA[{charset}]"), String::new()] {
            let bytes = encode(charset, &record(&ca, black, white, comment));
            let tree = &games(&bytes)[0];
            assert_eq!(moves(tree), 4, "{charset} {ca}");
            let read = ["PB", "PW"].map(|key| tree.root().text(key).unwrap());
            assert_eq!(read, [black, white], "{charset} {ca}");
            assert_eq!(tree.node(1).text("C").unwrap(), comment, "{charset} {ca}");
            let is_sure = !ca.is_empty() || charset == "UTF-8";
            let expected = SgfWarning::Guessed {
                label: String::new(),
                charset: Encoding::for_label(charset.as_bytes()).unwrap().name(),
            };
            let expected = if is_sure { vec![] } else { vec![expected] };
            assert_eq!(tree.warnings(), expected, "{charset} {ca}");
        }
    }
}

/// Each game of a collection has its own charset, whatever is before it.
#[test]
fn collections_have_a_charset_per_game() {
    let of = |(charset, black, white, comment): (&str, &str, &str, &str), ca: bool| {
        let ca = if ca { format!("CA[{charset}]") } else { String::new() };
        encode(charset, &record(&ca, black, white, comment))
    };
    for has_ca in [true, false] {
        for first in TEXTS {
            for second in TEXTS {
                let bytes = [of(first, has_ca), b"\n\n".to_vec(), of(second, has_ca)].concat();
                let trees = games(&bytes);
                let read: Vec<_> =
                    trees.iter().map(|tree| tree.root().text("PB").unwrap()).collect();
                assert_eq!(read, [first.1, second.1], "{has_ca}");
                assert!(trees.iter().all(|tree| moves(tree) == 4));
                let one = charset(&bytes);
                assert_eq!(one.end, of(first, has_ca).len());
                assert_eq!(one.doubt.is_some(), !has_ca && first.0 != "UTF-8", "{}", first.0);
                let alone = charset_without_statistics(&bytes);
                assert!(alone.end == one.end || !has_ca);
                assert!(!has_ca || alone == one);
            }
        }
    }
}

/// Bytes that look like the end or an escape of a value are half of a character.
#[test]
fn no_move_is_lost_in_a_character() {
    for (bytes, black, moves_there) in [
        (&b"(;SZ[5]PB[\x83\x5c];B[aa];W[bb])"[..], "ソ", 2),
        (b"(;SZ[5]C[\x83\x5c]PB[x];B[aa];W[bb])", "x", 2),
        // The same bytes are Latin-1 where that leaves more of the record.
        (b"(;SZ[5]PB[Andr\xe9];B[aa];W[bb])", "André", 2),
        (b"(;SZ[5]PB[Jos\xe9]PW[Andr\xe9];B[aa];W[bb])", "José", 2),
        (b"(;SZ[5]CA[Shift_JIS]PB[\x83\x5c];B[aa];W[bb])", "ソ", 2),
        // CA follows a value that can be read only with it.
        (b"(;SZ[5]PB[\x83\x5c]CA[Shift_JIS];B[aa];W[bb])", "ソ", 2),
        (b"(;SZ[5]PB[\x81\x5d]CA[GBK];B[aa];W[bb])", "乚", 2),
        (b"(;SZ[5]PB[\xa5\x5c]CA[Big5];B[aa];W[bb])", "功", 2),
        // Text, no property.
        (b"(;SZ[5]C[CA[GBK\\]]PB[\xc3\xa9];B[aa])", "é", 1),
        (b"(;SZ[5]PB[\xc3\xa9];B[aa]CA[GBK])", "é", 1),
        (b"(;SZ[5]PB[\xc3\xa9](;B[aa]CA[GBK]))", "é", 1),
        (b"CA[GBK] (;SZ[5]PB[\xc3\xa9];B[aa])", "é", 1),
        // Lower case of FF[3].
        (b"(;SZ[5]PlayerBlack[\xb9\xc5\xc1\xa6]CoAx[gbk];B[aa])", "古力", 1),
        (b"(;SZ[5]CA[ISO-2022-JP]PB[\x1b$B%=;3\x1b(B]PW[];B[aa])", "ソ山", 1),
        (b"(;SZ[5]PB[\x1b$B%];3\x1b(B]PW[];B[aa])", "ポ山", 1),
    ] {
        let tree = &games(bytes)[0];
        assert_eq!(tree.root().text("PB").as_deref(), Some(black), "{}", bytes.escape_ascii());
        assert_eq!(moves(tree), moves_there, "{}", bytes.escape_ascii());
    }
}

#[test]
fn doubts_are_warnings() {
    let said = |bytes: &[u8]| warnings(&games(bytes)[0]).join("; ");
    for (bytes, expected) in [
        (
            &b"(;SZ[5]CA[my own]PB[J\xfcrgen];B[aa])"[..],
            "CA[my own] names an unknown charset: the record is read as windows-1252, judging by its \
          bytes",
        ),
        (
            b"(;SZ[5]PB[J\xfcrgen];B[aa])",
            "the record has no CA in its first node: it is read as windows-1252, judging by its \
          bytes",
        ),
        (
            "(;SZ[5]CA[GBK]C[黑中盘胜!柯])".as_bytes(),
            "CA[GBK] does not fit the text, which is read as UTF-8",
        ),
        (
            b"(;SZ[5]CA[UTF-8]PB[J\xfcrgen];B[aa])",
            "CA[UTF-8]: bytes that UTF-8 does not have are read as \u{fffd}",
        ),
        (
            b"(;SZ[5]CA[latin1]PB[\x83\x5c];B[aa];W[bb])",
            "the value of PB ends with `;B[aa]`, which looks like the next property: a wrong charset, \
          or a `\\` before `]`, may hide that property",
        ),
        (
            b"(;SZ[5]CA[GBK]PB[Andr\xe9]PW[x];B[aa])",
            "the value of PB ends with `PW[x]`, which looks like the next property: a wrong charset, \
          or a `\\` before `]`, may hide that property",
        ),
        // No doubt.
        (b"(;SZ[5]CA[my own]PB[x];B[aa])", ""),
        (b"(;SZ[5]PB[\xe5\x8f\xa4];B[aa])", ""),
        (b"(;SZ[5]C[as in ;B[aa\\] or PB[me\\]];B[aa])", ""),
        (b"(;SZ[5]PB[Lee [9p\\]];B[aa])", ""),
    ] {
        assert_eq!(said(bytes), expected, "{}", bytes.escape_ascii());
    }
    // Text around a game is no part of it.
    assert_eq!(said(b"Andr\xe9 writes:\n(;SZ[5]CA[UTF-8]PB[x\xe5\x8f\xa4];B[aa])\n\xfc"), "");
    // A record is read with the warnings of its tree, and only with those of its own game.
    let both = b"(;SZ[5]PB[J\xfcrgen];B[aa])(;SZ[5]PB[x])";
    let record = Record::read_bytes(both, Overrides::default()).unwrap();
    assert!(matches!(record.warnings[..], [SgfWarning::Guessed { .. }]), "{:?}", record.warnings);
    assert_eq!(games(both)[1].warnings(), []);
}

/// Marks of byte order, and games without an end.
#[test]
fn whole_files() {
    let utf16 = "\u{feff}(;SZ[5]PB[古力];B[aa])(;SZ[5]CA[GBK]PB[古力])".encode_utf16();
    let utf16: Vec<u8> = utf16.flat_map(u16::to_be_bytes).collect();
    let read = games(&utf16);
    assert!(read.iter().all(|tree| tree.root().text("PB").unwrap() == "古力"));
    assert_eq!((charset(&utf16).name, charset(&utf16).end), ("UTF-16BE", utf16.len()));
    let marked = "\u{feff}(;SZ[5]CA[GBK]PB[古力])".as_bytes();
    assert_eq!(games(marked)[0].root().text("PB").unwrap(), "古力");
    // A mark says nothing about a file that was appended to its own.
    let joined = [marked, b"(;SZ[5]CA[GBK]PB[\xb9\xc5\xc1\xa6])"].concat();
    assert!(games(&joined).iter().all(|tree| tree.root().text("PB").unwrap() == "古力"));
    let error = parse_bytes(b"(;PB[J\xfcrgen])\n(;PB[\x83\x5c]").unwrap_err();
    assert_eq!((error.line, error.column), (2, 1));
    assert_eq!(decode(b"\xff"), "\u{fffd}");
}

/// Files made to be scanned again and again take as long as their length allows.
#[test]
fn no_file_takes_long() {
    for part in
        [&b"(;C[\x81])"[..], b"(;C[\x83\x5c])", b"(;C[\xe9", b"(\xe9", b"(;A[\x1b$])", b"(;[]"]
    {
        let bytes = part.repeat(30_000);
        let began = std::time::Instant::now();
        let _ = parse_bytes(&bytes);
        let _ = charset_without_statistics(&bytes);
        assert!(began.elapsed().as_secs() < 20, "{}: {:?}", part.escape_ascii(), began.elapsed());
    }
}

fn any_text(charset: &'static str) -> impl Strategy<Value = String> {
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap();
    let lead = prop_oneof![Just(0x20_u8..0x7f), Just(0x81..0xff)];
    let byte = lead.prop_flat_map(|range| range).prop_map(|byte| byte);
    proptest::collection::vec(byte, 0..30).prop_map(move |bytes| {
        // The text that the charset can write.
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        let has =
            |c: &char| !c.is_control() && *c != '\u{fffd}' && !encoding.encode(&c.to_string()).2;
        text.chars().filter(has).collect()
    })
}

proptest! {
    /// Any text in a charset that is named comes back, with all moves.
    #[test]
    fn named_charsets_round_trip(
        texts in proptest::sample::select(vec!["Shift_JIS", "GBK", "Big5", "EUC-KR", "gb18030", "windows-1252"])
            .prop_flat_map(|charset| (Just(charset), any_text(charset), any_text(charset))),
        is_first in any::<bool>(),
    ) {
        let (charset, black, comment) = texts;
        let (ca, none) = (format!("CA[{charset}]"), String::new());
        let (before, after) = if is_first { (&ca, &none) } else { (&none, &ca) };
        let [black, comment] = [&black, &comment].map(|text| text.trim().to_owned());
        let [name, text] = [&black, &comment].map(|text| tengen_sgf::escape(text));
        let text = format!("(;SZ[5]{before}PB[{name}]C[{text}]{after};B[aa];W[bb]C[{text}];B[cc])");
        // A character may have two encodings, of which one is written.
        let bytes = encode(charset, &text);
        prop_assume!(Encoding::for_label(charset.as_bytes()).unwrap().decode_without_bom_handling(&bytes).0 == text);
        let tree = &games(&bytes)[0];
        prop_assert_eq!(moves(tree), 3);
        prop_assert_eq!(tree.root().get("PB").unwrap().text(), black);
        prop_assert_eq!(tree.root().get("C").unwrap().text(), comment);
        // None about the charset; a text may well look like a property.
        let is_other = |one: &SgfWarning| matches!(one, SgfWarning::Swallowed { .. });
        prop_assert!(tree.warnings().iter().all(is_other), "{:?}", tree.warnings());
    }
}
