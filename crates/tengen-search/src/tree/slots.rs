//! The columns of a tree: parallel arrays with one item per slot.

use super::header::NodeHeader;
use super::prior_rows::PriorRows;
use crate::amaf::{Amaf, NO_MEAN};
use crate::column::{Node, SLOT_SHARE, grow};
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
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
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

/// Does `$work` for each plain column of `$slots` that the tree has: with the column, and with its item
/// in a slot without statistics. `amaf` and `prior_rows` hold columns of their own.
macro_rules! each_column {
    ($slots:expr, |$column:ident, $empty:ident| $work:expr) => {{
        let Slots { headers, visits, rewards, means, cells, priors, positions, epochs, extras, .. } =
            $slots;
        each_column!($column, $empty, $work; headers = NodeHeader::new(Move::Pass));
        each_column!($column, $empty, $work; visits = 0, rewards = 0.0);
        if extras.amaf {
            each_column!($column, $empty, $work; means = NO_MEAN, cells = 0);
        }
        if extras.priors {
            each_column!($column, $empty, $work; priors = 0.0);
        }
        if extras.positions {
            each_column!($column, $empty, $work; positions = 0);
        }
        if extras.epochs {
            each_column!($column, $empty, $work; epochs = 0);
        }
    }};
    ($column:ident, $empty:ident, $work:expr; $($one:ident = $item:expr),*) => {
        $({
            let ($column, $empty) = ($one, $item);
            $work;
        })*
    };
}

impl Slots {
    /// No slots.
    pub(super) fn new(extras: Extras) -> Self {
        Self { extras, ..Self::default() }
    }

    /// Memory in bytes, room for more slots included.
    pub(super) fn bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>, _: T) -> usize {
            column.capacity() * size_of::<T>()
        }
        let mut bytes = self.amaf.bytes() + self.prior_rows.bytes();
        each_column!(self, |column, empty| bytes += of(column, empty));
        bytes
    }

    /// Removes all slots; keeps the memory, except that of the rows of priors.
    pub(super) fn remove_all(&mut self) {
        each_column!(self, |column, _empty| column.clear());
        self.amaf.remove_all();
        self.prior_rows = PriorRows::default();
    }

    /// Appends `count` slots without statistics and returns the first.
    pub(super) fn append(&mut self, count: usize) -> Node {
        let first = self.headers.len();
        let grown = first + count;
        each_column!(self, |column, empty| grow(column, grown, empty, SLOT_SHARE));
        if self.extras.amaf {
            self.amaf.resize(grown);
        }
        if self.extras.prior_rows {
            self.prior_rows.resize(grown);
        }
        first
    }

    /// Makes `slot` the node to which `mv` leads, without children and statistics.
    pub(super) fn clear(&mut self, slot: Node, mv: Move) {
        each_column!(self, |column, empty| column[slot] = empty);
        if self.extras.amaf {
            self.amaf.clear(slot);
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
        each_column!(self, |column, _empty| column.copy_within(from.clone(), to));
        if self.extras.amaf {
            self.amaf.move_nodes(from.clone(), to);
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
