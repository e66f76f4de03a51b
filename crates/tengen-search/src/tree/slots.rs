//! The columns of a tree: parallel arrays with one item per slot.

use super::header::NodeHeader;
use super::prior_rows::PriorRows;
use crate::amaf::{Amaf, NO_MEAN};
use crate::column::{SLOT_SHARE, grow};
use crate::node::Node;
use std::ops::Range;
use tengen_go::Move;

/// The columns of a tree that only some searches need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(clippy::struct_excessive_bools)] // each is a column of its own
pub struct Extras {
    /// The all-moves-as-first (AMAF) statistics.
    pub amaf: bool,
    /// A prior value for each move.
    pub priors: bool,
    /// The number of the position that each move leads to.
    pub positions: bool,
    /// Rows of priors for nodes whose children come by falling prior.
    pub prior_rows: bool,
    /// The child that each node selects again without a comparison.
    pub epochs: bool,
}

/// The columns of a tree. Those that [`Extras`] leaves out are empty.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Slots {
    pub(super) headers: Vec<NodeHeader>,
    pub(super) visits: Vec<u32>,
    pub(super) rewards: Vec<f64>,
    pub(super) amaf: Amaf,
    /// The mean reward of each node, [`NO_MEAN`] without visits; for AMAF.
    pub(super) means: Vec<f32>,
    /// The cell of each node's move; for AMAF.
    pub(super) cells: Vec<u16>,
    pub(super) priors: Vec<f32>,
    pub(super) positions: Vec<u32>,
    pub(super) epochs: Vec<u32>,
    pub(super) prior_rows: PriorRows,
    pub(super) extras: Extras,
}

impl Slots {
    /// No slots.
    pub(super) fn new(extras: Extras) -> Self {
        Self {
            headers: Vec::new(),
            visits: Vec::new(),
            rewards: Vec::new(),
            amaf: Amaf::default(),
            means: Vec::new(),
            cells: Vec::new(),
            priors: Vec::new(),
            positions: Vec::new(),
            epochs: Vec::new(),
            prior_rows: PriorRows::default(),
            extras,
        }
    }

    /// Memory in bytes, room for more slots included.
    pub(super) fn bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        of(&self.headers)
            + of(&self.visits)
            + of(&self.rewards)
            + self.amaf.bytes()
            + of(&self.means)
            + of(&self.cells)
            + of(&self.priors)
            + of(&self.positions)
            + of(&self.epochs)
            + self.prior_rows.bytes()
    }

    /// Removes all slots; keeps the memory, except that of the rows of priors.
    pub(super) fn remove_all(&mut self) {
        self.headers.clear();
        self.visits.clear();
        self.rewards.clear();
        self.amaf.remove_all();
        self.means.clear();
        self.cells.clear();
        self.priors.clear();
        self.positions.clear();
        self.epochs.clear();
        self.prior_rows = PriorRows::default();
    }

    /// Appends `count` slots without statistics and returns the first.
    pub(super) fn append(&mut self, count: usize) -> Node {
        let first = self.headers.len();
        let grown = first + count;
        grow(&mut self.headers, grown, NodeHeader::new(Move::Pass), SLOT_SHARE);
        grow(&mut self.visits, grown, 0, SLOT_SHARE);
        grow(&mut self.rewards, grown, 0.0, SLOT_SHARE);
        if self.extras.amaf {
            self.amaf.resize(grown);
            grow(&mut self.means, grown, NO_MEAN, SLOT_SHARE);
            grow(&mut self.cells, grown, 0, SLOT_SHARE);
        }
        if self.extras.priors {
            grow(&mut self.priors, grown, 0.0, SLOT_SHARE);
        }
        if self.extras.positions {
            grow(&mut self.positions, grown, 0, SLOT_SHARE);
        }
        if self.extras.epochs {
            grow(&mut self.epochs, grown, 0, SLOT_SHARE);
        }
        if self.extras.prior_rows {
            self.prior_rows.resize(grown);
        }
        first
    }

    /// Makes `slot` the node to which `mv` leads, without children and statistics.
    pub(super) fn clear(&mut self, slot: Node, mv: Move) {
        self.visits[slot] = 0;
        self.rewards[slot] = 0.0;
        if self.extras.amaf {
            self.amaf.clear(slot);
            self.means[slot] = NO_MEAN;
        }
        if self.extras.priors {
            self.priors[slot] = 0.0;
        }
        if self.extras.positions {
            self.positions[slot] = 0;
        }
        if self.extras.epochs {
            self.epochs[slot] = 0;
        }
        if self.extras.prior_rows {
            self.prior_rows.clear(slot);
        }
        self.begin(slot, mv);
    }

    /// Makes `slot`, which has no statistics, the node to which `mv` leads.
    pub(super) fn begin(&mut self, slot: Node, mv: Move) {
        self.headers[slot] = NodeHeader::new(mv);
        if self.extras.amaf {
            self.cells[slot] = self.amaf.cell(mv);
        }
    }

    /// Copies the nodes of the slots `from` to as many slots from `to` on.
    pub(super) fn copy_within(&mut self, from: Range<Node>, to: Node) {
        self.headers.copy_within(from.clone(), to);
        self.visits.copy_within(from.clone(), to);
        self.rewards.copy_within(from.clone(), to);
        if self.extras.amaf {
            self.amaf.move_nodes(from.clone(), to);
            self.means.copy_within(from.clone(), to);
            self.cells.copy_within(from.clone(), to);
        }
        if self.extras.priors {
            self.priors.copy_within(from.clone(), to);
        }
        if self.extras.positions {
            self.positions.copy_within(from.clone(), to);
        }
        if self.extras.epochs {
            self.epochs.copy_within(from.clone(), to);
        }
        if self.extras.prior_rows {
            self.prior_rows.move_nodes(from, to);
        }
    }

    /// Copies the node `from` of another tree to the slot `to`, without its children and its AMAF
    /// statistics.
    pub(super) fn copy_from(&mut self, other: &Self, from: Node, to: Node) {
        self.headers[to] = other.headers[from].childless();
        self.visits[to] = other.visits[from];
        self.rewards[to] = other.rewards[from];
        if self.extras.amaf {
            self.means[to] = other.means[from];
            self.cells[to] = other.cells[from];
        }
        if self.extras.priors {
            self.priors[to] = other.priors[from];
        }
        if self.extras.positions {
            self.positions[to] = other.positions[from];
        }
        if self.extras.epochs {
            self.epochs[to] = other.epochs[from];
        }
        if self.extras.prior_rows {
            self.prior_rows.copy_from(&other.prior_rows, from, to);
        }
    }
}
