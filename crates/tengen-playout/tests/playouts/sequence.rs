//! Counts of many playouts, held against playouts one by one.

use tengen_go::{Board, Color, Size, default_komi};
use tengen_playout::{Counts, EarlyStop, Ending, Isa, Job, PlayoutConfig, Sequence, scalar};

#[test]
fn counts_and_winners_are_those_of_playouts_one_by_one() {
    for width in [5, 9, 14] {
        let size = Size::square(width).unwrap();
        let komi = default_komi(size);
        let stop = EarlyStop::Mercy { lead: 20 };
        let playout_config = PlayoutConfig { stop, komi, ..PlayoutConfig::default() };
        let mut other = Board::new(size);
        other.turn_to(Color::White);
        let starts = [Board::new(size), other];
        let sequence = Sequence { starts: &starts, isa: Isa::fastest(), playout_config, seed: 5 };
        let (mut expected, mut winners) = (Counts::default(), Vec::new());
        for number in 0..100 {
            let job = Job { start: starts[number % 2], seed: 5 + number as u64 };
            let playout = scalar::play_by(playout_config, &job);
            let winner = (playout.score - komi).winner();
            expected.playouts += 1;
            expected.plies += u64::from(playout.plies);
            expected.wins += u64::from(winner == Some(Color::Black));
            expected.half_points += i64::from(playout.score.half_points());
            expected.stopped += u64::from(playout.ending == Ending::Stopped);
            winners.push(winner);
        }
        assert!(expected.stopped > 0 && expected.wins > 0);
        let counts = sequence.count(100, &mut || true);
        assert!(counts.steps >= counts.plies);
        assert_eq!(counts, Counts { steps: counts.steps, ..expected });
        assert_eq!(sequence.winners(100), winners);
        // A move takes an attempt or more.
        let attempts = sequence.attempts_per_move(1_000, 100);
        assert!((1.0..2.0).contains(&attempts), "{attempts}");
    }
}

#[test]
fn no_more_playouts_begin_once_it_does_not_go_on() {
    let starts = [Board::new(Size::square(5).unwrap())];
    let playout_config = PlayoutConfig::default();
    let sequence = Sequence { starts: &starts, isa: Isa::fastest(), playout_config, seed: 1 };
    assert_eq!(sequence.count(1_000, &mut || false).playouts, 64);
    let mut questions = 0..2;
    assert_eq!(sequence.count(1_000, &mut || questions.next().is_some()).playouts, 192);
    assert_eq!(sequence.count(70, &mut || true).playouts, 70);
}
