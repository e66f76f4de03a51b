//! Which child a node selects: nodes whose urgencies were computed by hand, on
//! both sides of the constant at which the choice changes.

use super::*;
use tengen::go::{Bits, Board, Move, Size};
use tengen::search::tree::{Extras, Tree, cell};
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search};

/// A child: its move, visits and rewards, those of all-moves-as-first, and its
/// prior.
type Child = (&'static str, u32, f64, (u32, f64), f32);

/// 30 of 50, 12 of 30, 7 of 20, and one without visits: N = 100.
const USUAL: [Child; 4] = [
    ("A1", 50, 30.0, (100, 40.0), 0.2),
    ("B1", 30, 12.0, (0, 0.0), 0.2),
    ("C1", 20, 7.0, (100, 70.0), 0.5),
    ("D1", 0, 0.0, (0, 0.0), 0.1),
];

/// A root with `children`; with all-moves-as-first those without visits are not in
/// the tree yet.
fn tree_of_children(children: &[Child], extras: Extras) -> Tree {
    let mut tree = Tree::new(extras);
    let mv = |child: &Child| -> Move { child.0.parse().unwrap() };
    let is_in_tree = |child: &&Child| child.1 > 0 || !extras.amaf;
    let moves: Vec<Move> = children.iter().filter(is_in_tree).map(mv).collect();
    if extras.amaf {
        let board = Board::<1>::new(Size::square(5).unwrap());
        let points = children.iter().map(|child| 1 << cell::<1>(mv(child)));
        let untried = Bits::from_words([points.fold(0, |all, point| all | point)]);
        tree.open_amaf(Tree::ROOT, &board, untried);
        for &mv in &moves {
            tree.add_child_by_amaf::<1>(Tree::ROOT, mv);
        }
    } else {
        tree.expand(Tree::ROOT, &moves);
    }
    // Children that came one by one may have moved.
    let first = tree.children(Tree::ROOT).start;
    for (node, child) in (first..).zip(children.iter().filter(is_in_tree)) {
        let &(_, visits, reward, (amaf_visits, amaf_reward), prior) = child;
        tree.visit(node, visits);
        tree.reward_with(node, reward);
        tree.visit(Tree::ROOT, visits);
        // The root's rewards are those of the other player.
        tree.reward_with(Tree::ROOT, f64::from(visits) - reward);
        if extras.amaf {
            let taken = [1 << cell::<1>(tree.mv(node))];
            for count in 0..amaf_visits {
                let is_won = f64::from(count) < amaf_reward;
                tree.amaf_mut().count(Tree::ROOT, &taken, f32::from(u8::from(is_won)));
            }
            tree.refresh_mean(node);
        }
        if extras.priors {
            tree.set_prior(node, prior);
        }
    }
    tree
}

/// The move that a search selects first where the root has `children`.
fn selected(children: &[Child], text: &str, seed: u64) -> String {
    let config = config(text);
    let game = empty(5, "2.5");
    let tree = tree_of_children(children, config.extras());
    let visits = |tree: &Tree| -> Vec<(Move, u32)> {
        tree.children(Tree::ROOT).map(|child| (tree.mv(child), tree.visits(child))).collect()
    };
    let before = visits(&tree);
    let mut search = UctSearch::<1>::new(&game, &config, 10, seed, tree);
    assert!(matches!(search.select(), Request::Playout { .. }));
    let gained = visits(search.tree()).into_iter().find(|child| !before.contains(child));
    gained.unwrap().0.to_string()
}

#[test]
fn the_formulas_by_hand() {
    // 882 of 900 and 90 of 100: N = 1000.
    let tuned = [("A1", 900, 882.0, (0, 0.0), 0.0), ("C1", 100, 90.0, (0, 0.0), 0.0)];
    let lost = [("A1", 10, 0.0, (0, 0.0), 0.0), ("B1", 0, 0.0, (0, 0.0), 0.0)];
    let usual = USUAL;
    for (children, settings, expected) in [
        // 0.6 + c·0.303485 and 0.35 + c·0.479853 meet at c = 1.41750.
        (&usual[..], "first_play = 0\nexploration = 1.4174", "A1"),
        (&usual, "first_play = 0\nexploration = 1.4176", "C1"),
        // The first play against 0.6 + 0.303485.
        (&usual, "exploration = 1\nfirst_play = 0.9034", "A1"),
        (&usual, "exploration = 1\nfirst_play = 0.9036", "D1"),
        (&usual, "exploration = 1", "D1"),
        // V: 0.0196 + √0.0153506 = 0.143498 and ¼. 0.98 + c·0.0331873 and
        // 0.9 + c·0.131413 meet at c = 0.814448.
        (&tuned, "selection = 'ucb1-tuned'\nexploration = 0.8144", "A1"),
        (&tuned, "selection = 'ucb1-tuned'\nexploration = 0.8145", "C1"),
        // Where c · ln 100 makes both bounds 0.9218: c = 5.017597.
        (&usual, "selection = 'kl-ucb'\nfirst_play = 0\nexploration = 5.0175", "A1"),
        (&usual, "selection = 'kl-ucb'\nfirst_play = 0\nexploration = 5.0177", "C1"),
        // P = ¼ each: 0.6 + c·2.5/51 and 0 + c·2.5 meet at c = 0.2448.
        (&usual, "selection = 'puct'\nfirst_play = 0\nexploration = 0.2447", "A1"),
        (&usual, "selection = 'puct'\nfirst_play = 0\nexploration = 0.2449", "D1"),
        // The first play is a mean: 0.3 + c·2.5 is ahead from 0.1224 on.
        (&usual, "selection = 'puct'\nfirst_play = 0.3\nexploration = 0.1223", "A1"),
        (&usual, "selection = 'puct'\nfirst_play = 0.3\nexploration = 0.1225", "D1"),
        // P = 0.2, 0.2, 0.5, 0.1: 0.6 + c·2/51 and 0 + c·1 meet at 0.62449.
        (
            &usual,
            "selection = 'puct'\nprior = 'heuristic:9'\nfirst_play = 0\nexploration = 0.6244",
            "A1",
        ),
        (
            &usual,
            "selection = 'puct'\nprior = 'heuristic:9'\nfirst_play = 0\nexploration = 0.6245",
            "D1",
        ),
        // The highest mean.
        (&usual, "first_play = 0.59\nexploration = 0", "A1"),
        (&usual, "first_play = 0.61\nexploration = 0", "D1"),
        // 49 of 100 for the player to move: 0.49 + x against 0.6.
        (&usual, "exploration = 0\nfirst_play = 'parent+0.109'", "A1"),
        (&usual, "exploration = 0\nfirst_play = 'parent+0.111'", "D1"),
        (&usual, "exploration = 0\nfirst_play = 'parent-0.2'", "A1"),
        // A player who loses all takes a new move sooner than one seen to lose.
        (&lost, "exploration = 0\nfirst_play = 'parent+0.01'", "B1"),
        (&lost, "exploration = 0\nfirst_play = 'parent-0.01'", "A1"),
        // (30 + 0.2 W) / (50 + W) and (7 + 0.5 W) / (20 + W) meet where
        // 0.3 W² − 2 W − 250 = 0: W = 32.3927.
        (&usual, "exploration = 0\nfirst_play = 0\nprior = 'heuristic:32.39'", "A1"),
        (&usual, "exploration = 0\nfirst_play = 0\nprior = 'heuristic:32.40'", "C1"),
        // β = √(k / (300 + k)): 0.6 − 0.2 β and 0.35 + 0.35 β meet at k = 78.125.
        (&usual, "exploration = 0\nfirst_play = 0\nrave = 'equivalence:78.12'", "A1"),
        (&usual, "exploration = 0\nfirst_play = 0\nrave = 'equivalence:78.13'", "C1"),
        // With exploration UCB1's term is added to the blended mean: β = ½ at
        // k = 100; 0.5 + c·0.303485 and 0.525 + c·0.479853 for A1 and C1, and
        // nothing is added for D1, of which only the first play is known.
        (&usual, "exploration = 0.5\nfirst_play = 0.7649\nrave = 'equivalence:100'", "C1"),
        (&usual, "exploration = 0.5\nfirst_play = 0.7650\nrave = 'equivalence:100'", "D1"),
    ] {
        assert_eq!(selected(children, settings, 1), expected, "{settings}");
    }
}

/// Virtual loss by hand: 6 of 10 and 11 of 20, the highest mean first.
#[test]
fn leaves_in_flight_count_as_losses() {
    let children = [("A1", 10, 6.0, (0, 0.0), 0.0), ("B1", 20, 11.0, (0, 0.0), 0.0)];
    let config = config("exploration = 0\nin_flight = 4\nfirst_play = 0");
    let game = empty(5, "2.5");
    let tree = tree_of_children(&children, config.extras());
    let mut search = UctSearch::<1>::new(&game, &config, 10, 1, tree);
    let visits = |search: &UctSearch<1>| [1, 2].map(|child| search.tree().visits(child));
    // 0.6 | 0.55, then 6/11 = 0.545 | 0.55, then 0.545 | 11/21 = 0.524, then
    // 6/12 = 0.5 | 0.524.
    for expected in [[11, 20], [11, 21], [12, 21], [12, 22]] {
        assert!(matches!(search.select(), Request::Playout { .. }));
        assert_eq!(visits(&search), expected);
    }
    assert_eq!(search.select(), Request::Wait);
    assert_eq!([1, 2].map(|child| search.tree().reward(child)), [6.0, 11.0], "no result yet");
    // Black loses from A1; the oldest result is due while all places are taken.
    search.update(0, &result(-25));
    assert_eq!([1, 2].map(|child| search.tree().reward(child)), [6.0, 11.0]);
    // Black wins from B1, which is due when the next leaf is out, not before.
    search.update(1, &result(25));
    assert_eq!([1, 2].map(|child| search.tree().reward(child)), [6.0, 11.0]);
    assert!(matches!(search.select(), Request::Playout { simulation: 4, .. }));
    assert!(matches!(search.select(), Request::Playout { simulation: 5, .. }));
    assert_eq!([1, 2].map(|child| search.tree().reward(child)), [6.0, 12.0]);
}
