//! A playout ply by ply, by the function that defines a ply: the reference of the scalar
//! playouts and of the lanes.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_go::{Bits, Color, Score};
use tengen_playout::policy::Player;
use tengen_playout::{Ending, Job, Playout, PlayoutConfig, max_plies, scalar};

/// The playout of `job` by `playout_config`.
pub fn play<const W: usize>(playout_config: PlayoutConfig, job: &Job<W>) -> Playout<W> {
    let PlayoutConfig { policy, stop, komi } = playout_config;
    let (mut board, mut random) = (job.start, Xoshiro256PlusPlus::seed_from_u64(job.seed));
    let thresholds = stop.thresholds(board.size(), komi);
    let (mut last, mut first_plays, mut plies) = (Bits::EMPTY, [Bits::EMPTY; 2], 0);
    let mut player = Player::new(policy, &board, last);
    let ending = loop {
        if board.is_over() {
            break Ending::Passes;
        }
        if plies >= max_plies(board.size()) {
            break Ending::CutShort;
        }
        if stop.is_reached(Color::BOTH.map(|color| stop.counted(&board, color).count()), thresholds)
        {
            break Ending::Stopped;
        }
        let color = board.to_play();
        last = scalar::play_one_by(&mut player, &mut board, last, &mut random);
        first_plays[color.index()] |= last - first_plays[(!color).index()];
        plies += 1;
    };
    let area = match ending {
        Ending::Stopped => Color::BOTH.map(|color| stop.counted(&board, color)),
        Ending::Passes | Ending::CutShort => board.areas(),
    };
    let [black, white] = area.map(|points| points.count().cast_signed());
    let score = Score::from_points(black - white);
    Playout { score, plies, ending, first_plays, area: Some(area) }
}
