//! Whole playouts by the plain form of a policy: for policies that the program registers, and
//! to record the moves of any playout.

use super::game::Counted;
use super::play_one_counted;
use crate::policy::Player;
use crate::{Ending, Job, Playout, PlayoutConfig, max_plies};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Bits, Color, Score};

/// Plays `job` by `playout_config`, and calls `made` with the point of each ply as a set, empty for
/// a pass.
pub(super) fn play<const W: usize>(
    playout_config: PlayoutConfig,
    job: &Job<W>,
    mut made: impl FnMut(Bits<W>),
) -> Counted<W> {
    let PlayoutConfig { policy, stop, komi } = playout_config;
    let (mut board, mut random) = (job.start, Xoshiro256PlusPlus::seed_from_u64(job.seed));
    let (limit, thresholds) = (max_plies(board.size()), stop.thresholds(board.size(), komi));
    let (mut last, mut first_plays) = (Bits::EMPTY, [Bits::EMPTY; 2]);
    let mut by_policy = Player::new(policy, &board, last);
    let (mut plies, mut attempts) = (0, 0);
    let ending = loop {
        if board.is_over() {
            break Ending::Passes;
        }
        if plies >= limit {
            break Ending::CutShort;
        }
        let counts = Color::BOTH.map(|color| stop.counted(&board, color).count());
        if stop.is_reached(counts, thresholds) {
            break Ending::Stopped;
        }
        let color = board.to_play();
        let (played, of_ply) =
            play_one_counted(|turn| by_policy.attempt(turn), &mut board, last, &mut random);
        first_plays[color.index()] |= played - first_plays[(!color).index()];
        made(played);
        last = played;
        plies += 1;
        attempts += of_ply;
    };
    let area = match ending {
        Ending::Stopped => Color::BOTH.map(|color| stop.counted(&board, color)),
        Ending::Passes | Ending::CutShort => board.areas(),
    };
    let [black, white] = area.map(|points| points.count().cast_signed());
    let score = Score::from_points(black - white);
    (Playout { score, plies, ending, first_plays, area: Some(area) }, attempts)
}
