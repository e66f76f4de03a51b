//! Games, bots and trees that the tests share.

pub use super::driven::{NodeRow, rows};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use std::collections::{HashSet, VecDeque};
use std::iter::Enumerate;
use std::vec::IntoIter;
use tengen::bots::{Bot, BotConfig};
use tengen::go::{Bits, Board, Color, Game, Ko, Move, Preset, Rules, Score, Size};
use tengen::playout::{Ending, Playout, scalar};
use tengen::search::driver::{self, Ended, Host};
use tengen::search::tree::{Node, Tree};
use tengen::search::uct::UctSearch;
use tengen::search::{AnySearch, Request, Search, SearchControl, SearchReport, UctConfig};

/// Sending two stones, returning one. White to move: A1 sends the second
/// stone, C1 takes both, B1 takes back one, and the board is as it was.
pub const SEND_TWO: &str = "
    . X . X .
    X X X X X
    X X O O O
    X X O . O
    . O . O .";

/// Three kos between two chains that have no other liberty: whoever cannot
/// retake is lost.
pub const TRIPLE_KO: &str = "
    X O . O
    X X O O
    X O . O
    X X O O
    X . X O";

/// Eternal life: each player in turn throws in a stone and takes two.
pub const ETERNAL_LIFE: &str = "
    X O O O X
    . O O O .
    X X . X O
    X O . X O";

/// Sending two again, at an edge where both chains fight for their lives.
pub const SENDING_BACK: &str = "
    X O . X
    . X X O
    O O . O
    . O O .";

/// Sending two, returning one in a corner, and a board to play on.
pub const SEND_TWO_AND_MORE: &str = "
    . . . . . . .
    . X . . . O .
    . X X . O O .
    X X X X O O O
    X X O O O . O
    X X O . O O .
    . O . O . O O";

/// Black lives all over the board: White has no move, Black no sensible one.
pub const SETTLED: &str = "
    . X .
    X X X
    . X .";

pub fn rules(preset: Preset, size: Size, komi: &str) -> Rules {
    Rules::new(preset, size, komi.parse().unwrap())
}

pub fn empty(size: u8, komi: &str) -> Game {
    let size = Size::square(size).unwrap();
    Game::new(size, rules(Preset::Tengen, size, komi))
}

pub fn drawn(diagram: &str, to_play: Color, ko: Ko, komi: &str) -> Game {
    let board = Board::from_diagram(diagram, to_play).unwrap();
    Game::from_position(board, Rules { ko, ..rules(Preset::Tengen, board.size(), komi) })
}

pub fn play_all(game: &mut Game, moves: &str) {
    for mv in moves.split_whitespace() {
        let played = game.play(game.to_play(), mv.parse().unwrap());
        assert_eq!(played, Ok(()), "{mv} of `{moves}`\n{}", game.board());
    }
}

/// Plain UCT.
pub fn uct(playouts: u64) -> UctConfig {
    UctConfig { simulations: Some(playouts), expansion: 1, ..UctConfig::plain() }
}

/// Plain UCT but for the settings in `text`, as TOML; every node gets its children at the
/// first visit.
pub fn config(text: &str) -> UctConfig {
    let mut table = toml::Table::try_from(UctConfig::plain()).unwrap();
    table.insert("expansion".into(), 1.into());
    table.extend(text.parse::<toml::Table>().unwrap());
    table.try_into().unwrap()
}

/// A made-up result in which nobody took a point first.
pub fn result(points: i32) -> Playout<1> {
    Playout {
        score: Score::from_points(points),
        plies: 1,
        ending: Ending::Passes,
        first_plays: [Bits::EMPTY; 2],
        area: None,
    }
}

/// The line of the nodes with more visits than before.
pub fn new_visits(before: &Tree, after: &Tree) -> Vec<Move> {
    let (mut was, mut node) = (Some(Tree::ROOT), Tree::ROOT);
    let mut line = Vec::new();
    loop {
        let same = |child| was.and_then(|was| before.child(was, after.mv(child)));
        let visits_before = |child| same(child).map_or(0, |child| before.visits(child));
        let gained = |&child: &usize| after.visits(child) > visits_before(child);
        let Some(child) = after.children(node).find(gained) else { return line };
        line.push(after.mv(child));
        (was, node) = (same(child), child);
    }
}

pub fn bot(config: &UctConfig, seed: u64) -> Box<dyn Bot> {
    config.validate().unwrap();
    BotConfig::from(config.clone()).build(seed, None)
}

pub fn below(random: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    usize::try_from(random.next_u64() % count as u64).unwrap()
}

pub fn random_ply(game: &mut Game, random: &mut Xoshiro256PlusPlus) {
    let points: Vec<usize> = game.sensible_points().iter().collect();
    let mv = match points.len() {
        0 => Move::Pass,
        count => Move::Play(Bits::<6>::vertex(points[below(random, count)])),
    };
    game.play(game.to_play(), mv).unwrap();
}

/// Runs `search` with real playouts until it is done: asks for as many as it is given, then
/// plays the oldest.
pub fn run<const W: usize>(search: &mut UctSearch<W>) {
    let mut out = VecDeque::new();
    loop {
        match search.select() {
            Request::Playout { simulation, job } => out.push_back((simulation, job)),
            Request::Pause | Request::Evaluation { .. } => {}
            Request::Wait => {
                let (simulation, job) = out.pop_front().expect("a playout is out");
                search.update(simulation, &scalar::play(&job));
            }
            Request::Done => return,
        }
    }
}

/// Hands searches to a driver one by one as its slots become free, and keeps them as they end.
struct Queue {
    waiting: Enumerate<IntoIter<AnySearch>>,
    at: Vec<Option<usize>>,
    ended: Vec<Option<AnySearch>>,
}

impl Host for Queue {
    fn next(&mut self, slot: usize, ended: Option<Ended>) -> Option<Vec<AnySearch>> {
        if let (Some(number), Some(ended)) = (self.at[slot], ended) {
            self.ended[number] = ended.searches.into_iter().next();
        }
        let (number, search) = self.waiting.next()?;
        self.at[slot] = Some(number);
        Some(vec![search])
    }
}

/// Drives `searches`, on boards of `size`, with so many slots, and returns them as they ended.
pub fn in_slots(size: Size, searches: Vec<AnySearch>, slots: usize) -> Vec<AnySearch> {
    let ended = searches.iter().map(|_| None).collect();
    let waiting = searches.into_iter().enumerate();
    let mut queue = Queue { waiting, at: vec![None; slots], ended };
    driver::drive(size, slots, &mut queue).unwrap();
    queue.ended.into_iter().map(Option::unwrap).collect()
}

pub fn tree_of(game: &Game, config: &UctConfig, seed: u64) -> Tree {
    let mut search = UctSearch::<6>::new(
        game,
        config,
        config.simulations.unwrap(),
        seed,
        Tree::new(config.extras()),
    );
    run(&mut search);
    Box::new(search).report().tree
}

pub fn signature(tree: &Tree) -> u64 {
    tengen::search::signature::of(std::slice::from_ref(tree))
}

pub fn without_seconds(report: &SearchReport) -> SearchReport {
    SearchReport { seconds: 0.0, ..report.clone() }
}

/// Calls `visit` with every node of `tree` and the game there.
pub fn walk(tree: &Tree, node: Node, game: &mut Game, visit: &mut impl FnMut(Node, &Game)) {
    visit(node, game);
    for child in tree.children(node) {
        let mv = tree.mv(child);
        let played = game.play(game.to_play(), mv);
        assert_eq!(played, Ok(()), "{mv} is in the tree\n{}", game.board());
        walk(tree, child, game, visit);
        game.undo();
    }
}

/// The counts that hold in every tree grown from nothing under `expansion`.
pub fn assert_counts(tree: &Tree, simulations: u64, expansion: u32) {
    assert_eq!(u64::from(tree.visits(Tree::ROOT)), simulations);
    let mut nodes = 1;
    for node in tree.nodes() {
        let visits = tree.visits(node);
        assert!((0.0..=f64::from(visits)).contains(&tree.reward(node)), "node {node}");
        let children = tree.children(node);
        if children.is_empty() {
            continue;
        }
        nodes += children.len();
        let below: u32 = children.clone().map(|child| tree.visits(child)).sum();
        // What a node was visited before it had children, it was a leaf.
        let as_leaf = if node == Tree::ROOT { 0 } else { expansion };
        assert_eq!(below + as_leaf, visits, "node {node}");
        let moves: HashSet<Move> = children.map(|child| tree.mv(child)).collect();
        assert_eq!(moves.len(), tree.children(node).len(), "node {node} has a move twice");
    }
    assert_eq!(nodes, tree.len(), "every node is one node's child");
}
