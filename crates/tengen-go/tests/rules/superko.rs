//! Known repetitions under every ko rule.

use crate::reference::Position;
use crate::twin::Twin;
use tengen_go::{Bits, Board, Color, Game, IllegalMove, Ko, Komi, Move, Preset, Rules, Suicide};

/// Plays the moves in turn; all but the last must be legal. The verdict on the
/// last, which the twin must share.
fn last_of(mut game: Game, moves: &str) -> Result<(), IllegalMove> {
    let mut twin = Twin::new(Position::of(game.board()), game.rules());
    let moves: Vec<Move> = moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
    let (&last, before) = moves.split_last().unwrap();
    for &mv in before {
        let color = game.to_play();
        assert_eq!(game.play(color, mv), Ok(()), "{color} {mv}\n{}", game.board());
        twin.play(color, mv);
    }
    let verdict = game.check(game.to_play(), last);
    assert_eq!(verdict, twin.check(game.to_play(), last), "the twin disagrees on {last}");
    let listed = match last {
        Move::Play(vertex) => game.legal_points().contains(Bits::<6>::index(vertex)),
        Move::Pass => true,
    };
    assert_eq!(listed, verdict.is_ok(), "`legal_points` disagrees on {last}");
    assert_eq!(game.play(game.to_play(), last), verdict);
    verdict
}

/// Black takes at C2, White would take back at B2.
const KO: &str = ".XO../XO.O./.XO..";

/// White sends two stones with A1, Black takes both at C1, White returns one
/// at B1: the first position, but now it is Black's turn.
const SEND_TWO: &str = "X.OO/XXO./XXOO/.O.O";

/// Three kos: White holds the upper and the lower, Black the middle one.
const TRIPLE_KO: &str = ".XO./XO.O/.XO./X.XO/.XO./XO.O/.XO.";

/// Each player has an eye that the other can throw a stone into.
const TWO_EYES: &str = "OO.XX/.O.X./OO.XX";

const NO_STONES: &str = "....";

/// Every play is the suicide of one stone.
const ONE_POINT: &str = ".";

/// The verdict on the last move of each line under no ko rule, simple ko, and positional,
/// situational and natural situational superko: `.` where it is legal, `k` for ko, `r` for
/// a repetition, `s` for suicide, and `-` where an earlier move of the line is not legal.
#[test]
fn repetitions() {
    use Color::{Black, White};
    use Suicide::{All, Multi, No};
    for (start, to_play, suicide, line, verdicts) in [
        (KO, Black, No, "C2 B2", ".krrr"),
        // A threat and its answer lift it; so does a pass.
        (KO, Black, No, "C2 E1 E2 B2", "....."),
        (KO, Black, No, "C2 pass E2 B2", "....."),
        (SEND_TWO, White, No, "A1 C1 B1", "..r.."),
        // If Black passes, the first situation is there again: a pass is always legal, but
        // White may not begin anew.
        (SEND_TWO, White, No, "A1 C1 B1 pass", "..-.."),
        (SEND_TWO, White, No, "A1 C1 B1 pass A1", "..-rr"),
        // Each takes the ko that the other did not just take.
        (TRIPLE_KO, Black, No, "C6 B4 C2 B6 C4", "....."),
        (TRIPLE_KO, Black, No, "C6 B4 C2 B6 C4 B2", "..rrr"),
        // One stone: as good as a pass, the same stones but the other player's turn.
        (TWO_EYES, Black, No, "A2", "sssss"),
        (TWO_EYES, Black, Multi, "A2", "sssss"),
        (TWO_EYES, Black, All, "A2", "..r.."),
        (TWO_EYES, Black, All, "A2 pass A2", "..-rr"),
        // Two of them in turn are a ko.
        (TWO_EYES, Black, All, "A2 E2", ".k-rr"),
        (TWO_EYES, Black, All, "A2 C1 pass E2", "..-rr"),
        // The first position counts as created by the player who does not begin: Black may
        // create it, White may not.
        (ONE_POINT, Black, All, "A1", "..r.."),
        (ONE_POINT, Black, All, "pass A1", "..rrr"),
        // A suicide after a suicide is forbidden by simple ko, but not after a pass.
        (ONE_POINT, Black, All, "A1 A1", ".k-rr"),
        (ONE_POINT, Black, All, "A1 pass A1", "..-rr"),
        // After C1, B1 and a pass, White has created `.OX.` by a play and Black only by the
        // pass. Then White's D1 takes C1, and Black's C1 takes D1 back.
        (NO_STONES, Black, No, "C1 B1 pass D1 C1", ".krr."),
    ] {
        let board = Board::<6>::from_diagram(start, to_play).unwrap();
        let kos = [Ko::None, Ko::Simple, Ko::Psk, Ko::Ssk, Ko::Nssk];
        let verdicts = kos.into_iter().zip(verdicts.chars());
        for (ko, verdict) in verdicts.filter(|(_, verdict)| *verdict != '-') {
            let rules = Rules::new(Preset::Tengen, board.size(), Komi::default());
            let game = Game::from_position(board, Rules { ko, suicide, ..rules });
            let expected = match verdict {
                'k' => Err(IllegalMove::Ko),
                'r' => Err(IllegalMove::Superko),
                's' => Err(IllegalMove::Suicide),
                _ => Ok(()),
            };
            assert_eq!(last_of(game, line), expected, "{line} under {ko}, {suicide} suicide");
        }
    }
}
