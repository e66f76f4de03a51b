//! The root of a search as an evaluator sees it.

use super::evaluator::{Leaf, RECENT};
use tengen_go::{Board, Game};

impl Leaf {
    /// The last position of `game` as the leaf whose evaluation a search requests first: the root.
    /// `own_eyes` is the setting of the search. The seed is 0, since no search has drawn one.
    ///
    /// # Examples
    /// ```
    /// use tengen_go::{Game, Komi, Preset, Rules, Size};
    /// use tengen_search::evaluator::Leaf;
    ///
    /// let size = Size::square(5)?;
    /// let mut game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    /// game.play(game.to_play(), "C3".parse()?)?;
    /// let leaf = Leaf::of_root(&game, false);
    /// assert_eq!((leaf.recent[0], leaf.legal.count()), (Some("C3".parse()?), 24));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_root(game: &Game, own_eyes: bool) -> Self {
        let mut recent = [None; RECENT];
        let moves = game.moves().rev().map(|(_, mv)| Some(mv));
        recent.iter_mut().zip(moves).for_each(|(place, mv)| *place = mv);
        let legal = if own_eyes { game.legal_points() } else { game.sensible_points() };
        let before = positions_before(game, RECENT - 1);
        Self { board: *game.board(), legal, recent, before, komi: game.rules().komi, seed: 0 }
    }
}

/// The `count` positions before the last one of `game`, the newest first; fewer if the game is
/// shorter.
pub(super) fn positions_before(game: &Game, count: usize) -> Vec<Board<6>> {
    let plies = (0..game.ply() as usize).rev().take(count);
    plies.filter_map(|ply| game.position_at(ply).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Batch, NamedEvaluator};
    use crate::tree::Tree;
    use crate::uct::UctSearch;
    use crate::{Request, Search, UctConfig};
    use tengen_go::{Bits, Move, Preset, Rules, Size};
    use tengen_stats::seed::mix;

    /// A search whose evaluator is given so many `positions`.
    fn search(game: &Game, own_eyes: bool, positions: usize, seed: u64) -> UctSearch<6> {
        let even = |batch: Batch<'_>| {
            batch.values.fill(0.5);
            Ok(())
        };
        let evaluator = NamedEvaluator::new("even", "1", move || Ok(Box::new(even)));
        let evaluator = evaluator.with_positions(positions);
        let config = UctConfig { own_eyes, ..UctConfig::with_evaluator(evaluator) };
        UctSearch::new(game, &config, 150, seed, Tree::new(config.extras()))
    }

    /// The first leaf that a search of the game requests.
    fn requested(game: &Game, own_eyes: bool) -> Leaf {
        let mut search = search(game, own_eyes, RECENT, 1);
        assert_eq!(search.select(), Request::Evaluation { simulation: 0 });
        search.leaf()
    }

    /// Random games on small boards, which meet ko, superko, eyes and passes.
    #[test]
    fn it_is_what_a_search_requests_first() {
        let (mut bans, mut quiet_bans) = (0, 0);
        for seed in 0..200 {
            let sizes = [(3, 3), (4, 3), (2, 5), (2, 2), (1, 4), (2, 3), (1, 5), (9, 9)];
            let (width, height) = sizes[seed as usize % sizes.len()];
            let size = Size::new(width, height).unwrap();
            let preset = if seed % 3 == 0 { Preset::Tengen } else { Preset::TrompTaylor };
            let rules = Rules::new(preset, size, "1.5".parse().unwrap());
            let mut game = Game::new(size, rules);
            for ply in 0..60 {
                if game.end().is_some() {
                    break;
                }
                let own_eyes = seed % 16 >= 8;
                let (mut own, mut searched) =
                    (Leaf::of_root(&game, own_eyes), requested(&game, own_eyes));
                assert_eq!(own.before[..], searched.before[..]);
                let banned = game.board().legal_points(rules) - game.legal_points();
                bans += banned.count();
                let takes_none = |index: &usize| {
                    let (mut after, mv) = (*game.board(), Move::Play(Bits::<6>::vertex(*index)));
                    after.play_unchecked(mv);
                    after.stone_count() == game.board().stone_count() + 1
                };
                quiet_bans += banned.iter().filter(takes_none).count();
                let planes = |leaf: &mut Leaf| {
                    let mut planes = vec![0.0; Leaf::plane_values(size)];
                    leaf.write_planes(&mut planes);
                    planes
                };
                assert_eq!(planes(&mut own), planes(&mut searched), "seed {seed}, ply {ply}");
                assert_eq!(own.board, searched.board);
                assert_eq!((own.legal, own.recent), (searched.legal, searched.recent));
                assert_eq!(own.komi, searched.komi);
                let points: Vec<usize> = own.legal.iter().collect();
                let drawn = mix(seed, ply) as usize % (points.len() + 1);
                let mv = points
                    .get(drawn)
                    .map_or(Move::Pass, |&index| Move::Play(Bits::<6>::vertex(index)));
                game.play(game.to_play(), mv).unwrap();
            }
        }
        assert!(bans > 20 && quiet_bans > 5, "superko forbade {bans}, {quiet_bans} quiet ones");
    }

    /// Compares leaves below the root with games in which the moves to the leaf are played.
    #[test]
    fn leaves_have_the_legal_points_of_their_games() {
        let mut bans = 0;
        for seed in 0..60 {
            let (width, height) = [(2, 2), (1, 4), (2, 3), (3, 3), (1, 5)][seed as usize % 5];
            let size = Size::new(width, height).unwrap();
            let preset = if seed % 3 == 0 { Preset::Tengen } else { Preset::TrompTaylor };
            let game = Game::new(size, Rules::new(preset, size, "1.5".parse().unwrap()));
            let mut search = search(&game, true, 4, seed);
            while let Request::Evaluation { simulation } = search.select() {
                let mut played = game.clone();
                for &node in &search.nodes[1..] {
                    played.play(played.to_play(), search.tree.mv(node)).unwrap();
                }
                let leaf = search.leaf();
                assert_eq!(leaf.before, positions_before(&played, 3));
                let legal = leaf.legal;
                assert_eq!(legal, played.legal_points(), "seed {seed}, after {played:?}");
                bans += (played.board().legal_points(played.rules()) - legal).count();
                let number = mix(seed, simulation);
                let weight = |index| (mix(number, index) % 100) as f32;
                let weights: Vec<f32> = (0..=size.points() as u64).map(weight).collect();
                search.take_evaluation(simulation, weight(999) / 100.0, &weights, None);
            }
        }
        assert!(bans > 50, "superko has forbidden {bans} plays");
    }
}
