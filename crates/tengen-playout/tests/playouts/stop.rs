//! The rules that stop playouts, against their definition.

use crate::reference::{Point, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Board, Color, Komi, Size, default_komi};
use tengen_playout::{EarlyStop, Ending, Job, PlayoutConfig, scalar};

/// Whether the rule holds, from the definition, point by point.
fn holds_by_definition(board: &Board<2>, playout_config: PlayoutConfig) -> bool {
    let position = Position::of(board);
    let all = position.points();
    let color = |at: &Point| position.stones.get(at).copied();
    let touches = |at, of| position.neighbors(at).any(|other| color(&other) == Some(of));
    let komi = f64::from(playout_config.komi);
    let number = |of: Color, empty_too: bool| {
        let counts = |&&at: &&Point| match color(&at) {
            Some(stone) => stone == of,
            None => empty_too && touches(at, of) && !touches(at, !of),
        };
        all.iter().filter(counts).count() as f64
    };
    Color::BOTH.into_iter().any(|of| {
        let bonus = if of == Color::White { komi } else { -komi };
        match playout_config.stop {
            EarlyStop::Never => false,
            EarlyStop::Mercy { lead } => {
                number(of, false) - number(!of, false) + bonus > f64::from(lead)
            }
            EarlyStop::Decided { margin } => {
                let held = number(of, true);
                held - (all.len() as f64 - held) + bonus > f64::from(margin)
            }
        }
    })
}

/// A stopped playout is the beginning of the one that goes on, up to the first
/// position where the rule holds; its winner is the player for whom it does.
#[test]
fn a_playout_stops_where_the_rule_first_holds() {
    for (width, height, games) in [(5, 5, 60), (4, 7, 40), (9, 9, 25)] {
        let size = Size::new(width, height).unwrap();
        let fifth = u16::try_from(size.points() / 5).unwrap();
        let mut stopped = 0;
        for stop in [EarlyStop::Mercy { lead: fifth }, EarlyStop::Decided { margin: fifth / 2 }] {
            for komi in [default_komi(size), Komi::from_half_points(-9).unwrap()] {
                let playout_config = PlayoutConfig { stop, komi, ..PlayoutConfig::default() };
                for seed in 0..games {
                    let start = Board::<2>::new(size);
                    let playout = scalar::play_by(playout_config, &Job { start, seed });
                    let mut board = start;
                    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                    for _ in 0..playout.plies {
                        assert!(
                            !board.is_over() && !holds_by_definition(&board, playout_config),
                            "{stop}\n{board}"
                        );
                        scalar::play_one(&mut board, &mut random);
                    }
                    if playout.ending != Ending::Stopped {
                        assert!(board.is_over() && playout.score == board.area_score());
                        continue;
                    }
                    stopped += 1;
                    assert!(
                        holds_by_definition(&board, playout_config),
                        "{stop} at komi {komi}\n{board}"
                    );
                    // The winner's lead exceeds the number of the rule.
                    let least = match stop {
                        EarlyStop::Mercy { lead } => lead,
                        EarlyStop::Decided { margin } => margin,
                        EarlyStop::Never => 0,
                    };
                    let lead = (playout.score - komi).half_points();
                    assert!(lead.unsigned_abs() > 2 * u32::from(least), "{stop} {lead}\n{board}");
                }
            }
        }
        assert!(stopped > 2 * games, "{size}: only {stopped} were stopped");
    }
}
