//! The shapes that MoGo's playouts prefer, as formulas on sets of points (Gelly, Wang, Munos and
//! Teytaud 2006, "Modification of UCT with Patterns in Monte-Carlo Go").
//!
//! A shape says what is on the eight points around a point, `*`. X and O are the two colours,
//! either way round unless a player is named; a shape may be turned and mirrored:
//!
//! ```text
//! hane 1      hane 2      hane 3      hane 4              . an empty point
//!  X O X       X O .       X O ?       X O O              ? anything, or off the board
//!  . * .       . * .       X * .       . * .              x anything but X, or off the board
//!  ? ? ?       ? . ?       x . ?       ? . ?              o anything but O, or off the board
//!                                      for X to play
//! cut 1       cut 1       cut 2
//!  X O ?       X O ?       ? X ?
//!  O * o       O * X       O * O
//!  ? o ?       ? ? ?       o o o
//! ```
//!
//! The formulas find the points of a shape on the whole board at once. A set shifted by one tells
//! of every point what is beside it, so that few operations serve all turned and mirrored forms:
//!
//! ```text
//! hane 1, 2, 4    the only stone beside the point, O, has a stone X on one of its sides, or on both
//! cut 1           two stones O beside the point meet in a stone X at the corner between them; without
//!                 a stone X beside the point there is no third O there
//! ```
//!
//! MoGo's shapes at the edge are left out (docs/reference/playouts.md).

use crate::sets::grid_set::GridSet;

/// The points around which the player to move, whose stones are `own`, finds a shape. The
/// result may hold points with stones, and bits of the padding.
#[inline(always)]
pub fn points_of_shapes<S: GridSet>(own: S, other: S, empty: S) -> S {
    let (own, other) = (Around::of(own), Around::of(other));
    let empty = Beside::of(empty);
    let hanes = long_hanes(&own, &other, &empty).or(bent_hanes(&own, &other, &empty));
    hanes.or(cuts(&own, &other))
}

/// For every point whether a point of a set is north, south, east or west of it.
#[derive(Clone, Copy)]
struct Beside<S> {
    north: S,
    south: S,
    east: S,
    west: S,
}

impl<S: GridSet> Beside<S> {
    #[inline(always)]
    fn of(set: S) -> Self {
        // A shift to the south moves a point to its southern neighbour, which has that
        // point in the north.
        Self { north: set.south(), south: set.north(), east: set.west(), west: set.east() }
    }
}

/// The stones of one colour, and for every point which of them are around it.
#[derive(Clone, Copy)]
struct Around<S> {
    stones: S,
    beside: Beside<S>,
    /// Points with a stone beside them in their row, and on both sides; the same in their
    /// column.
    in_row: S,
    both_in_row: S,
    in_column: S,
    both_in_column: S,
}

impl<S: GridSet> Around<S> {
    #[inline(always)]
    fn of(stones: S) -> Self {
        let beside = Beside::of(stones);
        let Beside { north, south, east, west } = beside;
        Self {
            stones,
            beside,
            in_row: east.or(west),
            both_in_row: east.and(west),
            in_column: north.or(south),
            both_in_column: north.and(south),
        }
    }

    /// Points beside at least one stone.
    #[inline(always)]
    fn any(&self) -> S {
        self.in_row.or(self.in_column)
    }

    /// Points beside at least three stones.
    #[inline(always)]
    fn three(&self) -> S {
        self.both_in_row.and(self.in_column).or(self.both_in_column.and(self.in_row))
    }
}

/// Hane 1, 2 and 4.
#[inline(always)]
fn long_hanes<S: GridSet>(own: &Around<S>, other: &Around<S>, empty: &Beside<S>) -> S {
    let empty_row = empty.east.and(empty.west);
    let empty_column = empty.north.and(empty.south);
    // Three of the four points beside are empty.
    let three_empty = (empty_row.and(empty.north.xor(empty.south)))
        .or(empty_column.and(empty.east.xor(empty.west)));
    // Stones from which a hane at their north or south is possible: an opposing stone beside an own
    // one in the row; an own stone beside an opposing one, and no own stone in the row.
    let of_rows =
        (other.stones.and(own.in_row)).or(own.stones.and(other.in_row).and_not(own.in_row));
    let of_columns = (other.stones.and(own.in_column))
        .or(own.stones.and(other.in_column).and_not(own.in_column));
    let beside = (of_rows.north().or(of_rows.south())).or(of_columns.east().or(of_columns.west()));
    // Hane 1 whatever is on the fourth point: stones between two of the other colour.
    let enclosed_in_row = (other.stones.and(own.both_in_row)).or(own.stones.and(other.both_in_row));
    let enclosed_in_column =
        (other.stones.and(own.both_in_column)).or(own.stones.and(other.both_in_column));
    let by_row = enclosed_in_row.north().or(enclosed_in_row.south()).and(empty_row);
    let by_column = enclosed_in_column.east().or(enclosed_in_column.west()).and(empty_column);
    three_empty.and(beside).or(by_row.or(by_column))
}

/// Hane 3.
#[inline(always)]
fn bent_hanes<S: GridSet>(own: &Around<S>, other: &Around<S>, empty: &Beside<S>) -> S {
    // Two points beside are empty, one in the row and one in the column, and the other two
    // are stones of both colours.
    let bend = empty.north.xor(empty.south).and(empty.east.xor(empty.west));
    let mixed = bend.and(own.any()).and(other.any());
    // Ends: stones with one neighbour of their colour in the row, east or west of them; the same
    // in the column.
    let (own_row, other_row) = (
        own.stones.and(own.in_row.and_not(own.both_in_row)),
        other.stones.and(other.in_row.and_not(other.both_in_row)),
    );
    let (own_column, other_column) = (
        own.stones.and(own.in_column.and_not(own.both_in_column)),
        other.stones.and(other.in_column.and_not(other.both_in_column)),
    );
    let to_east = own_row.and(own.beside.east).or(other_row.and(other.beside.east));
    let to_west = own_row.and(own.beside.west).or(other_row.and(other.beside.west));
    let to_north = own_column.and(own.beside.north).or(other_column.and(other.beside.north));
    let to_south = own_column.and(own.beside.south).or(other_column.and(other.beside.south));
    // The neighbour of the end is at the corner between the two stones beside the point.
    let by_row = to_east
        .north()
        .or(to_east.south())
        .and(empty.west)
        .or(to_west.north().or(to_west.south()).and(empty.east));
    let by_column = to_north
        .east()
        .or(to_north.west())
        .and(empty.south)
        .or(to_south.east().or(to_south.west()).and(empty.north));
    mixed.and(by_row.or(by_column))
}

/// Cut 1 and cut 2.
#[inline(always)]
fn cuts<S: GridSet>(own: &Around<S>, other: &Around<S>) -> S {
    // Pairs of neighbours of different colours, at their western and at their southern stone.
    let row_pairs = own.stones.and(other.beside.east).or(other.stones.and(own.beside.east));
    let column_pairs = own.stones.and(other.beside.north).or(other.stones.and(own.beside.north));
    // The stone at a corner makes two such pairs with the stones beside the point.
    let (upper, lower) = (row_pairs.south(), row_pairs.north());
    let below = column_pairs.north();
    let corners = (upper.east().and(column_pairs.east()))
        .or(upper.and(column_pairs.west()))
        .or(lower.east().and(below.east()).or(lower.and(below.west())));
    let closed = own.three().and_not(other.any()).or(other.three().and_not(own.any()));
    let first = corners.and_not(closed);
    first.or(pushes(own, other)).or(pushes(other, own))
}

/// Cut 2, a push of `ours` between two stones of `theirs`.
#[inline(always)]
fn pushes<S: GridSet>(ours: &Around<S>, theirs: &Around<S>) -> S {
    // The middle point of three side by side that have a stone among them.
    let of_rows = theirs.stones.or(theirs.in_row);
    let of_columns = theirs.stones.or(theirs.in_column);
    let (ours, rows, columns) = (ours.beside, Beside::of(of_rows), Beside::of(of_columns));
    let by_row = ours.north.and_not(rows.south).or(ours.south.and_not(rows.north));
    let by_column = ours.east.and_not(columns.west).or(ours.west.and_not(columns.east));
    theirs.both_in_row.and(by_row).or(theirs.both_in_column.and(by_column))
}
