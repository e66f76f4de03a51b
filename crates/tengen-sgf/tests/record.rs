//! Records out and in.

use proptest::prelude::*;
use tengen_go::{Bits, Board, Color, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, Size};
use tengen_sgf::{Overrides, Record, SgfError};

fn read(text: &str) -> Record {
    Record::read(text, Overrides::default()).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn refused(text: &str) -> SgfError {
    Record::read(text, Overrides::default()).map(|record| record.to_sgf()).unwrap_err()
}

fn moves(record: &Record) -> String {
    record.game.moves().fold(String::new(), |line, (color, mv)| line + &format!("{color} {mv} "))
}

#[test]
fn a_record_looks_like_this() {
    let size = Size::new(7, 5).unwrap();
    let start =
        Board::from_diagram(".....O./......./......./..X..../.......", Color::White).unwrap();
    let rules = Rules::new(Preset::Chinese, size, "-5.5".parse().unwrap());
    let mut game = Game::from_position(start, rules);
    for mv in ["B2", "pass", "G1"] {
        game.play(game.to_play(), mv.parse().unwrap()).unwrap();
    }
    let mut record = Record::new(game);
    record.black = "uct:simulations=10".into();
    record.white = r"a\b]c".into();
    record.result = "W+R".into();
    record.comments.insert(2, "visits [10]\nwin rate 0.5".into());
    assert_eq!(
        record.to_sgf(),
        "(;FF[4]GM[1]CA[UTF-8]AP[Tengen]SZ[7:5]KM[-5.5]RU[Chinese]PB[uct:simulations=10]\
         PW[a\\\\b\\]c]RE[W+R]AB[cd]AW[fa]PL[W]\n\
         ;W[bd];B[]C[visits [10\\]\nwin rate 0.5]\n;W[ge])\n"
    );
    let again = read(&record.to_sgf());
    assert_eq!(again.to_sgf(), record.to_sgf());
    assert_eq!(again.white, r"a\b]c");
    assert_eq!(again.comments, record.comments);
    assert_eq!(again.game.board(), record.game.board());
}

#[test]
fn reads_what_people_write() {
    // No size is 19x19, where [tt] is a pass; lower case of FF[3]; text around.
    let record =
        read("From: me\n (not this)\n( ;GaMe[1]\nPlayerBlack[me];Black[dd];White[tt]) \u{1a}");
    assert_eq!(
        (record.game.size().width(), moves(&record).as_str()),
        (19, "black D16 white pass ")
    );
    assert_eq!(record.black, "me");
    // A handicap game: White begins though nobody says so.
    let record = read("(;GM[1]SZ[9]HA[2]KM[0.50]AB[cg][gc])");
    assert_eq!(record.game.to_play(), Color::White);
    assert_eq!(record.game.rules().komi.to_string(), "0.5");
    assert_eq!(record.game.board().at("C3".parse().unwrap()), Some(Color::Black));
    // Stones in a second node, a rectangle of them, and one taken off again.
    let record = read("(;SZ[5]C[x];AB[aa:bb]AW[ee];AE[ab];W[ea])");
    assert_eq!(record.game.position_at(0).unwrap().to_rows(), "XX.../.X.../...../...../....O");
    assert_eq!(record.comments[&0], "x");
    // Main line only; three passes; one player twice.
    let record = read("(;SZ[5](;B[aa];W[];B[];W[];W[bb](;B[cc])(;B[dd]))(;B[ee]))");
    assert_eq!(moves(&record), "black A5 white pass black pass white pass white B4 black C3 ");
    // A komi between half points; a mark of byte order.
    let between = read("\u{feff}(;SZ[9]KM[7.25])");
    assert_eq!((between.game.komi().to_string().as_str(), between.warnings.len()), ("7.5", 1));
    // The second game of a collection is not asked.
    assert_eq!(moves(&read("(;SZ[5];B[aa])(;SZ[5];B[zz])")), "black A5 ");
}

#[test]
fn who_begins() {
    let to_play = |text: &str| read(text).game.to_play();
    let stones = "SZ[9]AB[cg][gc]";
    // Only handicap stones make White begin; PL and the first move take precedence.
    assert_eq!(to_play(&format!("(;{stones}HA[2])")), Color::White);
    assert_eq!(to_play(&format!("(;HA[2];{stones})")), Color::White);
    assert_eq!(to_play("(;SZ[9]HA[2]AB[cg][gc]AW[ee][ef])"), Color::White);
    for even in ["", "HA[0]", "HA[1]", "HA[]", "HA[-2]", "HA[two]", "HA[2]PL[B]", "HA[400]"] {
        assert_eq!(to_play(&format!("(;{stones}{even})")), Color::Black, "{even}");
    }
    assert_eq!(to_play("(;SZ[9]HA[2])"), Color::Black);
    assert_eq!(to_play("(;SZ[9]HA[0]AB[aa]AW[bb])"), Color::Black);
    let begins = |text: &str| read(text).game.moves().next().unwrap().0;
    assert_eq!(begins(&format!("(;{stones}HA[2];B[ee])")), Color::Black);
    assert_eq!(begins(&format!("(;{stones}HA[0];W[ee])")), Color::White);
}

#[test]
fn handicap_stones_are_compensated() {
    let conditions = |text: &str| read(text).game.conditions();
    let stones = "SZ[9]KM[0.5]AB[cg][gc][cc]";
    let with = |stones, points| format!("komi 0.5, handicap {stones} ({points} to White)");
    for (rules, expected) in [
        ("RU[Chinese]HA[3]", with(3, "3 points")),
        ("RU[AGA]HA[3]", with(3, "2 points")),
        ("RU[AGA]HA[2]", with(2, "1 point")),
        ("RU[Japanese]HA[3]", with(3, "0 points")),
        ("RU[NZ]HA[3]", with(3, "0 points")),
        ("RU[tengen]HA[3]", with(3, "0 points")),
        ("HA[3]", with(3, "0 points")),
        ("RU[Chinese]", "komi 0.5".into()),
        ("RU[Chinese]HA[0]", "komi 0.5".into()),
        ("RU[Chinese]HA[1]", "komi 0.5".into()),
    ] {
        let text = format!("(;{rules}{stones};W[ee])");
        assert_eq!(conditions(&text), expected, "{text}");
        let record = read(&text);
        let again = read(&record.to_sgf());
        assert_eq!(again.game.conditions(), expected, "{}", record.to_sgf());
        assert_eq!(again.game.score(), record.game.score(), "{text}");
        assert_eq!(again.game.rules(), record.game.rules(), "{text}");
    }
    // Stones that Black played, and none at all.
    let played = "(;SZ[9]KM[0.5]RU[Chinese]HA[2];B[cg];W[];B[gc];W[ee];B[ef])";
    assert_eq!(conditions(played), with(2, "2 points"));
    assert_eq!(conditions("(;SZ[9]KM[0.5]RU[Chinese]HA[2];B[cg];W[ee];B[ef])"), "komi 0.5");
    // The rules of a reader bring their own compensation; stones that are set up later keep it.
    let by = |rules| {
        let overrides = Overrides { rules: Some(rules), ..Overrides::default() };
        let text = format!("(;RU[Chinese]HA[3]{stones};W[ee])");
        Record::read(&text, overrides).unwrap().game.conditions()
    };
    assert_eq!(by(Preset::Aga.into()), with(3, "2 points"));
    assert_eq!(by(Preset::Chinese.ko_and_suicide().into()), with(3, "0 points"));
    let later = format!("(;RU[Chinese]HA[3]{stones};W[ee];AW[aa];B[bb])");
    let games = tengen_sgf::parse(&later).unwrap();
    let (game, _) = tengen_sgf::replay(&games[0], Overrides::default(), None).unwrap();
    assert_eq!(game.conditions(), with(3, "3 points"));
    // A compensation that no named rules give is written as komi.
    let game = read(&format!("(;RU[NZ]{stones})")).game.with_handicap(Preset::Aga.handicap(3));
    let again = read(&Record::new(game.clone()).to_sgf()).game;
    assert_eq!((again.conditions(), again.score()), ("komi 2.5".into(), game.score()));
}

/// Black takes a ko, White takes it back at once; and a suicide.
#[test]
fn what_is_past_is_not_held_to_the_rules() {
    let ko = "SZ[4]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[bb]";
    for rules in ["", "RU[Chinese]", "RU[AGA]", "RU[NZ]"] {
        let record = read(&format!("(;{rules}{ko};B[cb];W[dd])"));
        assert_eq!(moves(&record), "black C3 white B3 black C3 white D1 ", "{rules}");
        let [warning] = &record.warnings[..] else { panic!("{:?}", record.warnings) };
        assert!(warning.to_string().starts_with("move 2: white B3: "), "{warning}");
    }
    let record = read("(;SZ[3]RU[Chinese]AB[ab][ba];W[aa];B[aa];W[cc])");
    assert_eq!(record.game.board().to_rows(), "XX./X../..O");
    assert_eq!(
        record.warnings[0].to_string().split("; ").next(),
        Some("move 1: white A3: the move is suicide")
    );
    assert_eq!(read("(;SZ[3]RU[NZ]AB[ab][ba];W[aa])").warnings, []);
}

#[test]
fn rules_and_komi_from_elsewhere_go_first() {
    let overrides = Overrides {
        rules: Some(Preset::TrompTaylor.into()),
        komi: Some("7.5".parse().unwrap()),
        size: None,
    };
    // With a komi from elsewhere, KM need not be valid.
    let record = Record::read("(;SZ[5]RU[Japanese]KM[375])", overrides).unwrap();
    assert_eq!((record.game.rules().ko, record.game.rules().komi.half_points()), (Ko::Psk, 15));
}

#[test]
fn names_what_is_wrong() {
    assert_eq!(refused("(;GM[2])"), SgfError::NotGo);
    assert_eq!(refused("(;SZ[25])"), SgfError::Size("25".into()));
    assert_eq!(refused("(;SZ[nine])"), SgfError::Size("nine".into()));
    assert_eq!(refused("(;SZ[9]KM[lots])"), SgfError::Komi("lots".into()));
    assert!(matches!(refused("(;SZ[2]AB[aa][ab][ba][bb])"), SgfError::Setup(_)));
    assert!(matches!(refused("(;SZ[5]AB[ff])"), SgfError::SetupPoints(_)));
    assert_eq!(refused("(;SZ[5];B[aa];AB[bb])"), SgfError::LateSetup(1));
    assert_eq!(
        refused("(;SZ[5]\n;B;W[bb])").to_string(),
        "invalid SGF: line 2, column 2: the property B has no value"
    );
    let fault = refused("(;SZ[5];B[aa];W[bb];B[gg])");
    assert!(fault.to_string().starts_with("move 3: invalid black move [gg]"), "{fault}");
    let fault = refused("(;SZ[5];B[aa];W[?])");
    assert_eq!(fault, SgfError::Point { ply: 2, color: Color::White, text: "?".into() });
    let fault = refused("(;SZ[5];B[aa];W[aa])");
    let mv = "A5".parse().unwrap();
    let reason = IllegalMove::Occupied;
    assert_eq!(fault, SgfError::Illegal { ply: 2, color: Color::White, mv, reason });
    assert_eq!(fault.to_string(), "move 2: white A5: the point is occupied");
}

/// A game of random moves, passes among them.
fn any_game() -> impl Strategy<Value = Game> {
    let sides = (1_u8..=19, 1_u8..=19);
    let komi = -40_i16..40;
    let names = ["tengen", "chinese", "tromp-taylor", "aga", "new-zealand", "simple"];
    let rules = proptest::sample::select(names.to_vec()).prop_map(|name| name.parse().unwrap());
    (sides, komi, rules, proptest::collection::vec(any::<u16>(), 0..80)).prop_map(
        |((width, height), komi, preset, draws)| {
            let size = Size::new(width, height).unwrap();
            let rules = Rules::new(preset, size, Komi::from_half_points(komi).unwrap());
            let mut game = Game::new(size, rules);
            for draw in draws {
                let points = game.legal_points();
                let mv = match points.count() {
                    count if count > 0 && draw % 16 > 0 => {
                        Move::Play(Bits::<6>::vertex(points.nth(u32::from(draw) % count)))
                    }
                    _ => Move::Pass,
                };
                let _ = game.play(game.to_play(), mv);
            }
            game
        },
    )
}

proptest! {
    #[test]
    fn records_round_trip(
        game in any_game(),
        black in "\\PC{0,20}",
        comments in proptest::collection::btree_map(0_usize..20, "(\\PC|\n){1,40}", 0..4),
    ) {
        let mut record = Record::new(game);
        record.black = black.trim().to_owned();
        record.result = record.game.score().to_result();
        record.comments = comments;
        let most = record.game.moves().len();
        record.comments.retain(|&ply, _| ply <= most);
        let text = record.to_sgf();
        let again = Record::read(&text, Overrides::default()).unwrap();
        prop_assert!(again.game.moves().eq(record.game.moves()), "{}", text);
        prop_assert_eq!(again.game.board().to_rows(), record.game.board().to_rows());
        prop_assert_eq!(again.game.rules().komi, record.game.rules().komi);
        prop_assert_eq!(again.game.rules().ko, record.game.rules().ko);
        prop_assert_eq!(&again.black, &record.black);
        prop_assert_eq!(&again.comments, &record.comments);
        prop_assert_eq!(again.to_sgf(), text);
    }
}
