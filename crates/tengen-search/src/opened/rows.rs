//! The moves of an opened node, with their terms.

use super::{OpenedMove, Terms, Urgency};
use crate::amaf::Weight;
use crate::by_amaf::single;
use crate::config::Expansion;
use crate::prior::{MovePriors, VirtualVisits};
use crate::select::SelectingNode;
use crate::tree::{Node, Tree, cell};
use crate::uct::UctSearch;
use tengen_go::{Bits, Board, Move};

/// What is known of a move before its terms are computed.
struct Known {
    mv: Move,
    /// Its node and its number among the children.
    place: Option<(Node, usize)>,
    pending: u32,
}

/// What the blend of a node needs beside the statistics of a move.
struct Blending<const W: usize> {
    priors: Option<MovePriors<W>>,
    /// The value of a first play.
    first_play: f64,
    /// The weight β of RAVE.
    rave_weight: Weight,
}

impl<const W: usize> UctSearch<W> {
    /// The moves of the last of `nodes`, whose position is `board`, the most visited first; none if the
    /// node is a leaf.
    pub(super) fn read_moves(&self, board: &Board<W>, draws: bool) -> Vec<OpenedMove> {
        let node = self.nodes[self.nodes.len() - 1];
        let selecting = self.selecting(node);
        let is_by_amaf = self.growth == Expansion::ByAmaf;
        let recent = self.moves_to(node);
        let priors = is_by_amaf
            .then(|| self.config.prior.of(board, recent, self.candidates(board)))
            .flatten();
        let rave_weight = self.config.rave.weight(selecting.visits);
        let blending = Blending { priors, first_play: selecting.first_play, rave_weight };
        let pending = self.pending_of_children();
        let children = self.tree.children(node).enumerate().map(|(number, child)| Known {
            mv: self.tree.mv(child),
            place: Some((child, number)),
            pending: pending.get(number).copied().unwrap_or(0),
        });
        let untried = self.untried_moves(node, board);
        let untried = untried.into_iter().map(|mv| Known { mv, place: None, pending: 0 });
        let mut moves: Vec<OpenedMove> =
            children.chain(untried).map(|known| self.read_move(&known, &blending, draws)).collect();
        self.mark_most_urgent(&mut moves);
        sort_by_visits(&mut moves);
        moves
    }

    /// The visits in flight through each child of the last of `nodes`; children at the end may be
    /// missing.
    fn pending_of_children(&self) -> Vec<u32> {
        let path = self.numbers();
        let mut counts = Vec::new();
        for leaf in self.pending.iter().filter(|leaf| leaf.path.starts_with(&path)) {
            if let Some(&next) = leaf.path.get(path.len()) {
                let next = usize::from(next);
                counts.resize(counts.len().max(next + 1), 0);
                counts[next] += leaf.count;
            }
        }
        counts
    }

    /// The legal moves of `node` that may be selected though they have no child.
    fn untried_moves(&self, node: Node, board: &Board<W>) -> Vec<Move> {
        let is_new = |mv: &Move| self.tree.child(node, *mv).is_none();
        let at = |index| Move::Play(Bits::<W>::vertex(index));
        let allowed = |index: &usize| self.is_allowed(board, *index);
        match self.growth {
            Expansion::Singly => {
                let selects = !self.tree.children(node).is_empty() && !self.tree.is_complete(node);
                let points = if selects { self.candidates(board) } else { Bits::EMPTY };
                let pass = selects.then_some(Move::Pass);
                points.iter().filter(allowed).map(at).chain(pass).filter(is_new).collect()
            }
            Expansion::ByAmaf if self.tree.amaf().has(node) => {
                let is_untried = |index: &usize| self.tree.amaf().is_untried(node, *index);
                let points = board.empty().iter().filter(is_untried).filter(allowed).map(at);
                let pass = is_untried(&cell::<W>(Move::Pass)).then_some(Move::Pass);
                points.chain(pass).collect()
            }
            Expansion::AllAtOnce | Expansion::ByAmaf => Vec::new(),
            Expansion::ByPrior => {
                let size = self.root.size();
                let highest = self.tree.untried(node).map(|untried| usize::from(untried.number));
                highest.map(|number| size.move_of(number)).into_iter().collect()
            }
        }
    }

    fn read_move(&self, known: &Known, blending: &Blending<W>, draws: bool) -> OpenedMove {
        let node = self.nodes[self.nodes.len() - 1];
        let Known { mv, place, pending } = *known;
        let visits = place.map_or(0, |(child, _)| self.tree.visits(child));
        let reward = place.map_or(0.0, |(child, _)| self.tree.reward(child));
        let results = visits - pending.min(visits);
        let prior = self.prior_of(known, blending);
        let prior_visits = self.virtual_visits(mv, prior);
        let rave = self.rave_of(mv, prior_visits);
        let proof = place.and_then(|(child, _)| self.tree.proof(child));
        let scores = place.filter(|_| node == Tree::ROOT).and_then(|(_, n)| self.scores.get(n));
        let mut opened = OpenedMove {
            mv,
            is_in_tree: place.is_some(),
            visits,
            pending,
            reward,
            win_rate: (results > 0).then(|| reward / f64::from(results)),
            rave,
            prior,
            prior_visits,
            score: scores.and_then(|sum| sum.mean()),
            proof,
            urgency: Urgency::Unranked,
            is_most_urgent: false,
        };
        let proven = proof.filter(|_| self.config.proofs);
        opened.urgency = match (proven, self.urgency_of(known, prior)) {
            (_, None | Some(f64::NEG_INFINITY)) => Urgency::Unranked,
            (Some(proof), _) => Urgency::Proven { proof },
            (None, Some(value)) if draws => Urgency::Drawn {
                value,
                beta: self.config.selection.beta(visits, self.read_reward(known)),
            },
            (None, Some(f64::INFINITY)) => Urgency::FirstPlay,
            (None, Some(value)) => {
                let mut terms = self.mean_terms(known, &opened, blending);
                let mean = self.mean_of(known, &terms);
                terms.exploration = if mean.is_finite() { value - mean } else { 0.0 };
                Urgency::Terms { value, terms }
            }
        };
        opened
    }

    /// The prior of a move, as selection reads it.
    fn prior_of(&self, known: &Known, blending: &Blending<W>) -> Option<f64> {
        if let Some(priors) = &blending.priors {
            return Some(priors.value(known.mv));
        }
        let node = self.nodes[self.nodes.len() - 1];
        let Some((child, number)) = known.place else {
            return self.tree.untried(node).map(|untried| untried.prior.into());
        };
        if self.has_noise(node)
            && let Some(&noisy) = self.root_priors.get(number)
        {
            return Some(noisy.into());
        }
        self.tree.columns(child..child + 1).priors.first().map(|&prior| prior.into())
    }

    /// The visits and rewards as which the prior `value` of `mv` counts; none without a prior, or
    /// if the formula reads it.
    fn virtual_visits(&self, mv: Move, value: Option<f64>) -> Option<VirtualVisits> {
        let (prior, counts) = (self.config.prior, !self.config.selection.properties().reads_priors);
        let is_by_amaf = self.growth == Expansion::ByAmaf;
        value.filter(|_| counts).map(|value| {
            if is_by_amaf {
                prior.virtual_visits_of(mv, value)
            } else {
                prior.virtual_visits(value)
            }
        })
    }

    /// Visits and rewards of all-moves-as-first of a move, without those of its prior.
    fn rave_of(&self, mv: Move, of_prior: Option<VirtualVisits>) -> Option<[f64; 2]> {
        let node = self.nodes[self.nodes.len() - 1];
        let has_rave = self.growth == Expansion::ByAmaf && self.tree.amaf().has(node);
        has_rave.then(|| {
            let sums = self.tree.amaf().sums(node, cell::<W>(mv));
            let VirtualVisits { visits, rewards } = of_prior.unwrap_or_default();
            [f64::from(sums.visits) - visits, f64::from(sums.rewards) - rewards]
        })
    }

    /// The urgency by which the last ranking ranked a move; none if it ranked none.
    fn urgency_of(&self, known: &Known, prior: Option<f64>) -> Option<f64> {
        let node = self.nodes[self.nodes.len() - 1];
        let selecting = self.selecting(node);
        let ranked = known.place.and_then(|(_, number)| self.scratch.urgencies.get(number));
        let of_cell = || self.scratch.cells.get(cell::<W>(known.mv)).map(|&mean| mean.into());
        let is_new = known.place.is_none_or(|(child, _)| self.tree.visits(child) == 0);
        match (ranked, self.growth) {
            (Some(&urgency), _) => Some(urgency),
            (None, Expansion::ByAmaf) => of_cell(),
            // Ranked before the move had a child.
            (None, Expansion::ByPrior) if is_new => {
                let columns = self.tree.columns(self.tree.children(node));
                #[allow(clippy::cast_possible_truncation)] // it was single
                let prior = prior.unwrap_or_default() as f32;
                let mut random = self.random.clone();
                let selecting = SelectingNode { children: &columns, ..selecting };
                Some(self.config.selection.of_untried(&selecting, prior, &mut random))
            }
            (None, Expansion::Singly) if is_new => Some(selecting.first_play),
            (None, _) => None,
        }
    }

    /// The sum of the rewards of a child as selection reads it: with transpositions, scaled so that
    /// the child has the mean of its position.
    fn read_reward(&self, known: &Known) -> f64 {
        let Some((child, number)) = known.place else { return 0.0 };
        let shared = self.scratch.rewards.get(number).filter(|_| self.config.transpositions);
        shared.copied().unwrap_or_else(|| self.tree.reward(child))
    }

    /// The terms of the blended mean of a move, from the statistics of the tree.
    fn mean_terms(&self, known: &Known, opened: &OpenedMove, blending: &Blending<W>) -> Terms {
        let Blending { first_play, rave_weight, .. } = *blending;
        let visits = f64::from(opened.visits);
        let mut terms = Terms::default();
        let mut own_weight = f64::from(u8::from(opened.visits > 0));
        if let Some([rave_visits, rave_rewards]) = opened.rave {
            let of_prior = opened.prior_visits.unwrap_or_default();
            let all = rave_visits + of_prior.visits;
            #[allow(clippy::cast_possible_truncation)] // as the blend does
            let of_visits = || f64::from(rave_weight.of(visits as f32, all as f32));
            let weight = if opened.visits > 0 { of_visits() } else { 1.0 };
            if all > 0.0 {
                own_weight *= 1.0 - weight;
                terms.rave = weight * rave_rewards / all;
                terms.prior = weight * of_prior.rewards / all;
            } else if opened.visits == 0 {
                terms.first_play = first_play;
            }
        } else if self.scratch.means.is_empty() || known.place.is_none() {
            if opened.visits == 0 {
                terms.first_play = first_play;
            }
        } else {
            let of_prior = opened.prior_visits.unwrap_or_default();
            let all = visits + of_prior.visits;
            if all > 0.0 {
                own_weight = visits / all;
                terms.prior = of_prior.rewards / all;
            } else {
                terms.first_play = first_play;
            }
        }
        if opened.visits > 0 {
            let (own, read) = (opened.reward / visits, self.read_reward(known) / visits);
            let backed_up = opened.win_rate.unwrap_or(0.0);
            terms.win_rate = own_weight * backed_up;
            terms.virtual_loss = own_weight * (own - backed_up);
            terms.transpositions = own_weight * (read - own);
        }
        terms
    }

    /// The blended mean of a move that the formula read: from the buffers, or without a blend from
    /// `terms`.
    fn mean_of(&self, known: &Known, terms: &Terms) -> f64 {
        // When the move was ranked without a visit, its cell holds what its prior adds, too.
        let is_visited = known.place.is_some_and(|(child, _)| self.tree.visits(child) > 0);
        let holds_mean = is_visited || self.config.prior_exploration == 0.0;
        let of_cell = self.scratch.cells.get(cell::<W>(known.mv)).filter(|_| holds_mean);
        let of_child = known.place.and_then(|(_, number)| self.scratch.means.get(number));
        match (self.growth, of_cell, of_child) {
            (Expansion::ByAmaf, Some(&mean), _) => mean.into(),
            (_, _, Some(&mean)) => mean,
            _ => terms.mean(),
        }
    }

    /// Marks the moves that no other one exceeds in urgency, compared as selection does.
    fn mark_most_urgent(&self, moves: &mut [OpenedMove]) {
        let is_by_amaf = self.growth == Expansion::ByAmaf;
        let compared = |one: &OpenedMove| {
            let value = one.urgency.value().unwrap_or(f64::NEG_INFINITY);
            if is_by_amaf { single(value).into() } else { value }
        };
        let most = moves.iter().map(compared).fold(f64::NEG_INFINITY, f64::max);
        for one in moves.iter_mut() {
            one.is_most_urgent = compared(one) == most && one.urgency != Urgency::Unranked;
        }
    }
}

/// Sorts by falling visits, then by falling urgency. Not generic, since each copy of a sort is
/// large.
fn sort_by_visits(moves: &mut [OpenedMove]) {
    let urgency = |one: &OpenedMove| one.urgency.value().unwrap_or(f64::NEG_INFINITY);
    moves.sort_by(|one, other| {
        other.visits.cmp(&one.visits).then(urgency(other).total_cmp(&urgency(one)))
    });
}
