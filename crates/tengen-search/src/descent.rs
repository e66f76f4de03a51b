//! From the root to a leaf.

use super::config::{Expansion, WhenFull};
use super::move_priors::MovePriors;
use super::pending_leaf::LeafOutcome;
use super::prior::Prior;
use super::select::{Parent, most_urgent};
use super::tree::{Node, Proof, Tree, cell};
use super::uct::UctSearch;
use rand::seq::SliceRandom;
use rand_xoshiro::rand_core::Rng;
use tengen_go::{Bits, Board, Move};

impl<const W: usize> UctSearch<W> {
    /// The position at the leaf and how its simulations end; fills the nodes
    /// that lead there, the root included, and their numbers as children.
    pub(super) fn descend(&mut self, path: &mut Vec<u16>) -> (Board<W>, LeafOutcome) {
        let mut board = self.root;
        let mut node = Tree::ROOT;
        path.clear();
        self.nodes.clear();
        self.nodes.push(node);
        let outcome = loop {
            if board.is_over() || path.len() >= self.plies_left {
                break LeafOutcome::Terminal(board.area_score());
            }
            if self.config.solver
                && node != Tree::ROOT
                && let Some(proof) = self.tree.proof(node)
            {
                break LeafOutcome::Proven(proof);
            }
            let Some(child) = self.next_child(node, &board) else { break LeafOutcome::Playouts };
            let first = self.tree.children(node).start;
            path.push(u16::try_from(child - first).expect("at most 362 children"));
            node = child;
            let mv = self.tree.mv(node);
            board.play_unchecked(mv);
            self.history.push(mv, &board);
            self.nodes.push(node);
            if self.config.transpositions && self.tree.position(node) == 0 {
                let position = self.positions.number(&board);
                self.tree.set_position(node, position);
            }
        };
        for _ in 0..path.len() {
            self.history.pop();
        }
        (board, outcome)
    }

    /// The child of `node`, whose position is `board`, that comes next; none
    /// if the node is a leaf.
    fn next_child(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        let is_root = node == Tree::ROOT;
        let visits = self.tree.visits(node);
        let count = self.tree.children(node).len();
        if count == 0 && !is_root && visits < self.config.expansion {
            return None;
        }
        match self.growth {
            Expansion::AllAtOnce => {}
            Expansion::Singly => return self.next_of_growing(node, board),
            Expansion::ByAmaf | Expansion::ByCells => return self.next_by_amaf(node, board),
        }
        if count == 0 && !self.expand(node, board) {
            return None;
        }
        let mut children = self.tree.children(node);
        let limit = self.config.widening.limit(visits).min(children.len());
        children.end = children.start + limit;
        let (child, _) = self.most_urgent_child(node, children.clone());
        Some(children.start + child)
    }

    /// The same where children come one by one: all moves that are not in the
    /// tree yet have the urgency of a first play.
    fn next_of_growing(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        let children = self.tree.children(node);
        let may_grow = !self.tree.is_complete(node)
            && children.len() < self.config.widening.limit(self.tree.visits(node));
        let best = |search: &mut Self| {
            (!children.is_empty()).then(|| search.most_urgent_child(node, children.clone()))
        };
        if may_grow {
            let first_play = self.selector.first_play.value(self.parent(node).mean);
            let rival = if first_play == f64::INFINITY { None } else { best(self) };
            if rival.is_none_or(|(_, urgency)| first_play > urgency)
                && let Some(child) = self.grow(node, board)
            {
                return Some(child);
            }
        }
        best(self).map(|(child, _)| children.start + child)
    }

    /// The same where all-moves-as-first tells moves that are not in the tree
    /// yet from each other. Of those that are equally urgent one is drawn.
    fn next_by_amaf(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if !self.tree.amaf().has(node) {
            let pass = Bits::point(cell::<W>(Move::Pass));
            let untried = Self::candidates(board) | pass;
            self.tree.open_amaf(node, board, untried);
            self.begin_with_priors(node, board, untried);
        }
        if self.growth == Expansion::ByCells {
            return self.next_by_cells(node, board);
        }
        let children = self.tree.children(node);
        let best = |search: &mut Self| {
            (!children.is_empty()).then(|| search.most_urgent_child(node, children.clone()))
        };
        let mut rival = None;
        if !self.tree.is_complete(node) {
            let first_play = self.selector.first_play.value(self.parent(node).mean);
            #[allow(clippy::cast_possible_truncation)] // compared with means of single precision
            let first_play = first_play as f32;
            let mut words = [0; W];
            loop {
                let means = &mut self.scratch.cells;
                let promise = self.tree.amaf().most_promising(node, first_play, means, &mut words);
                let Some(promise) = promise else {
                    self.tree.complete(node);
                    break;
                };
                if promise < f32::INFINITY && rival.is_none() {
                    rival = best(self);
                }
                if rival.is_some_and(|(_, urgency)| f64::from(promise) <= urgency) {
                    break;
                }
                if !self.has_room(node, 1) {
                    break;
                }
                let index = self.one_of(Bits::from_words(words));
                if let Some(child) = self.try_cell(node, board, index) {
                    return Some(child);
                }
            }
        }
        rival.or_else(|| best(self)).map(|(child, _)| children.start + child)
    }

    /// The same where one look at all cells tells which move is next, in the
    /// tree or not. Of those that are equally urgent one is drawn.
    fn next_by_cells(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        let parent = self.parent(node);
        let weight = self.selector.rave.weight(f64::from(parent.visits), 1.0, 1.0);
        let first_play = self.selector.first_play.value(parent.mean);
        #[allow(clippy::cast_possible_truncation)] // compared in single precision
        let (weight, first_play) = (weight as f32, first_play as f32);
        let mut words = [0; W];
        loop {
            let values = &mut self.scratch.cells;
            self.tree.amaf().most_urgent(node, weight, first_play, values, &mut words)?;
            let index = self.one_of(Bits::from_words(words));
            if let Some(number) = self.tree.amaf().child(node, index) {
                return Some(self.tree.children(node).start + number);
            }
            if !self.has_room(node, 1) {
                let children = self.tree.children(node);
                return (!children.is_empty())
                    .then(|| children.start + self.most_urgent_child(node, children).0);
            }
            if let Some(child) = self.try_cell(node, board, index) {
                return Some(child);
            }
        }
    }

    /// Counts the priors of moves as the first visits of all-moves-as-first.
    fn begin_with_priors(&mut self, node: Node, board: &Board<W>, untried: Bits<W>) {
        let Prior::Heuristic(visits) = self.config.prior else { return };
        let move_priors = MovePriors::new(board, self.move_to(node));
        for index in untried.iter() {
            let is_pass = index == cell::<W>(Move::Pass);
            let mv = if is_pass { Move::Pass } else { Move::Play(Bits::<W>::vertex(index)) };
            #[allow(clippy::cast_possible_truncation)] // counted in single precision
            let (visits, reward) = (visits as f32, (visits * move_priors.value(mv)) as f32);
            self.tree.amaf_mut().begin_with(node, index, visits, reward);
        }
    }

    /// The move that led to the position of `node`, if it is known.
    fn move_to(&self, node: Node) -> Option<Move> {
        if node == Tree::ROOT { self.last } else { Some(self.tree.mv(node)) }
    }

    /// A point of `points`, each with equal probability.
    fn one_of(&mut self, points: Bits<W>) -> usize {
        match points.count() {
            1 => points.nth(0),
            count => points.nth(below(count, self.random.next_u64())),
        }
    }

    /// The new child of `node` for the move of a cell, which is struck off if
    /// it is not legal.
    fn try_cell(&mut self, node: Node, board: &Board<W>, index: usize) -> Option<Node> {
        let mv = if index == cell::<W>(Move::Pass) {
            Move::Pass
        } else if self.is_allowed(board, index) {
            Move::Play(Bits::<W>::vertex(index))
        } else {
            self.tree.amaf_mut().remove_candidate(node, index);
            return None;
        };
        Some(self.tree.add_child_by_amaf::<W>(node, mv))
    }

    /// What the formulas know of `node`, which selects.
    fn parent(&self, node: Node) -> Parent {
        let visits = self.tree.visits(node);
        // The node's own rewards are those of the other player.
        let mean = if visits == 0 { 0.5 } else { 1.0 - self.tree.reward(node) / f64::from(visits) };
        Parent { visits, mean }
    }

    /// The most urgent of `children`, which are those of `node`, and its
    /// urgency.
    fn most_urgent_child(&mut self, node: Node, children: std::ops::Range<Node>) -> (usize, f64) {
        let parent = self.parent(node);
        let mut columns = self.tree.columns(children.clone());
        let scratch = &mut self.scratch;
        if self.tree.extras().amaf {
            let (visits, rewards) = self.tree.amaf().of(node);
            let cells = || children.clone().map(|child| cell::<W>(self.tree.mv(child)));
            scratch.amaf_visits.clear();
            scratch.amaf_visits.extend(cells().map(|cell| visits[cell]));
            scratch.amaf_rewards.clear();
            scratch.amaf_rewards.extend(cells().map(|cell| rewards[cell]));
            columns.amaf_visits = &scratch.amaf_visits;
            columns.amaf_rewards = &scratch.amaf_rewards;
        }
        if self.config.transpositions {
            let (numbers, visits) = (columns.positions, columns.visits);
            self.positions.share(numbers, visits, columns.rewards, &mut scratch.rewards);
            columns.rewards = &scratch.rewards;
        }
        let (means, urgencies) = (&mut scratch.means, &mut scratch.urgencies);
        self.selector.fill(parent, &columns, &mut self.random, means, urgencies);
        if self.config.solver {
            // A move that is known to lose is made only if all do.
            for (urgency, child) in urgencies.iter_mut().zip(children) {
                match self.tree.proof(child) {
                    Some(Proof::Loss) => *urgency = f64::NEG_INFINITY,
                    Some(Proof::Win) => *urgency = f64::INFINITY,
                    None => {}
                }
            }
        }
        most_urgent(urgencies)
    }

    /// The points that children of a node with this position may play: legal,
    /// no own eye, and but for superko.
    fn points(&self, board: &Board<W>) -> Bits<W> {
        board.legal_points(self.rules) - board.eyes()
    }

    /// Those points and some that are not legal: few are ever drawn, so that
    /// it is cheaper to ask of each when it is.
    fn candidates(board: &Board<W>) -> Bits<W> {
        board.empty() - board.eyes()
    }

    /// Whether a candidate is legal.
    fn is_allowed(&self, board: &Board<W>, index: usize) -> bool {
        board.check(Move::Play(Bits::<W>::vertex(index)), self.rules).is_ok()
            && !self.history.repeats(board.hash_after(index), !board.to_play())
    }

    /// Gives `node` one more child, drawn from the moves that it does not have
    /// yet; none if there is no more of them, or no room.
    fn grow(&mut self, node: Node, board: &Board<W>) -> Option<Node> {
        if !self.has_room(node, 1) {
            return None;
        }
        // Word by word: a set of one point a child would be made in memory.
        let mut words = Self::candidates(board).words();
        let mut may_pass = true;
        for child in self.tree.children(node) {
            match self.tree.mv(child) {
                Move::Play(vertex) => {
                    let index = Bits::<W>::index(vertex);
                    words[index / 64] &= !(1 << (index % 64));
                }
                Move::Pass => may_pass = false,
            }
        }
        let mut points = Bits::<W>::from_words(words);
        loop {
            let moves = points.count() + u32::from(may_pass);
            if moves == 0 {
                self.tree.complete(node);
                return None;
            }
            let drawn = below(moves, self.random.next_u64());
            if drawn == points.count() {
                return Some(self.tree.add_child(node, Move::Pass));
            }
            let index = points.nth(drawn);
            if self.is_allowed(board, index) {
                return Some(self.tree.add_child(node, Move::Play(Bits::<W>::vertex(index))));
            }
            points = points - Bits::point(index);
        }
    }

    /// Gives `node` all its children if the tree has room: every legal move
    /// that fills no own eye and repeats no position of the game or of the
    /// path, and the pass, by falling priors and else in random order.
    fn expand(&mut self, node: Node, board: &Board<W>) -> bool {
        let points = self.history.without_repeats(board, self.points(board));
        if !self.has_room(node, points.count() as usize + 1) {
            return false;
        }
        self.moves.clear();
        self.moves.extend(points.iter().map(|index| Move::Play(Bits::<W>::vertex(index))));
        self.moves.push(Move::Pass);
        self.moves.shuffle(&mut self.random);
        if self.tree.extras().amaf {
            self.tree.open_amaf(node, board, Bits::EMPTY);
        }
        if !self.tree.extras().priors {
            self.tree.expand(node, &self.moves);
            return true;
        }
        let move_priors = MovePriors::new(board, self.move_to(node));
        let value = |mv: Move| move_priors.value(mv);
        let mut valued: Vec<(Move, f64)> = self.moves.iter().map(|&mv| (mv, value(mv))).collect();
        valued.sort_by(|one, other| other.1.total_cmp(&one.1));
        self.moves.clear();
        self.moves.extend(valued.iter().map(|&(mv, _)| mv));
        self.tree.expand(node, &self.moves);
        let children = self.tree.children(node);
        for (child, (_, value)) in children.zip(valued) {
            #[allow(clippy::cast_possible_truncation)] // a prior needs no more digits
            self.tree.set_prior(child, value as f32);
        }
        true
    }

    /// Whether `node` may get so many children more; the root always may. Notes
    /// that the tree is full if not.
    fn has_room(&mut self, node: Node, more: usize) -> bool {
        if node == Tree::ROOT || self.tree.len() + more <= self.config.max_nodes as usize {
            return true;
        }
        self.was_full = true;
        self.wants_room = self.config.when_full == WhenFull::Prune;
        false
    }
}

/// A number below `count` from one output of a stream: none is likelier than
/// another by more than `count` / 2⁶⁴.
fn below(count: u32, number: u64) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the upper half of a product
    let below = ((u128::from(number) * u128::from(count)) >> 64) as u32;
    below
}
