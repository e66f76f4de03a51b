//! What is unconditionally safe stays, whatever the opponent does.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tengen_go::{
    Bits, Board, Color, Komi, Move, Preset, Rules, Size, Suicide, alive_stones, safe_area,
};
use tengen_playout::scalar;

/// Random play by the opponent alone never takes a safe point.
#[test]
fn the_opponent_alone_takes_nothing() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut points = 0;
    for game in 0..400 {
        let mut board: Board<1> = Board::new(Size::square(5).unwrap());
        for _ in 0..20 + game % 40 {
            scalar::play_one(&mut board, &mut random);
            if board.is_over() {
                break;
            }
        }
        for color in Color::BOTH {
            let safe = safe_area(&board, color, Suicide::No);
            let alive = alive_stones(&board, color, Suicide::No);
            points += safe.count();
            let mut attacked = board;
            attacked.turn_to(!color);
            for _ in 0..60 {
                let legal = attacked.legal_points(Rules::new(
                    Preset::Simple,
                    board.size(),
                    Komi::default(),
                ));
                if legal.is_empty() {
                    break;
                }
                let drawn = u32::try_from(random.next_u64() % u64::from(legal.count()));
                let index = legal.nth(drawn.unwrap());
                attacked.play_unchecked(Move::Play(Bits::<1>::vertex(index)));
                attacked.turn_to(!color);
                assert!((alive - attacked.stones(color)).is_empty());
            }
            // Nothing of the opponent lives in it either: at the end its
            // stones there have no safe area of their own.
            let settled = safe_area(&attacked, !color, Suicide::No);
            assert!(!settled.intersects(safe));
        }
    }
    assert!(points > 1_000, "{points} safe points say little");
}
