//! The columns (arrays) of a tree: their index, and their growth with little unused capacity.
//!
//! `Vec` doubles its capacity when it is full: a large tree could then take twice the
//! memory that it needs. A column grows by a smaller part of its capacity.

use crate::resource::{Resource, ResourceFault};

/// A node, as the index of its slot in a [`Tree`](crate::tree::Tree). The index may change when the
/// node's parent gets another child. The path from the root does not change: at each node the
/// number of the child among its siblings.
pub type Node = usize;

/// Number of bytes from which the C library keeps a column in memory pages of its own (glibc's
/// largest such threshold). Growing such a column remaps the pages and copies no items.
const OWN_PAGES: usize = 32 << 20;

/// A full column of [`OWN_PAGES`] or more grows by 1/32 of its capacity.
const SHARE_OF_PAGES: usize = 32;

/// A full column of fewer items than this grows by half of its capacity: a small tree would
/// otherwise copy its columns over and over.
pub(super) const FEW: usize = 1_024;

/// A full column between these sizes, with one item per slot, grows by 1/16 of its capacity.
pub(super) const SLOT_SHARE: usize = 16;

/// Lengthens `column` to `length` by copies of `item`. If its capacity is too small, it
/// grows by 1/`share` of itself, or to `length` if that is more: the larger the growth,
/// the fewer items are copied and the more memory lies unused.
pub(super) fn grow<T: Clone>(column: &mut Vec<T>, length: usize, item: T, share: usize) {
    let capacity = column.capacity();
    if length > capacity {
        let is_large = capacity * size_of::<T>() >= OWN_PAGES;
        let share = if is_large { SHARE_OF_PAGES } else { share };
        let share = if capacity < FEW { share.min(2) } else { share };
        reserve(column, length.max(capacity + capacity / share));
    }
    column.resize(length, item);
}

/// Makes room in `column` for `length` items in all, and no more.
pub(super) fn reserve<T>(column: &mut Vec<T>, length: usize) {
    let more = length.saturating_sub(column.len());
    if tengen_system::may_fail(|| column.try_reserve_exact(more)).is_err() {
        out_of_memory(length.saturating_mul(size_of::<T>()));
    }
}

/// Ends the search without the message of a panic: [`catch_fault`](crate::catch_fault) turns the panic
/// into its payload.
fn out_of_memory(bytes: usize) -> ! {
    let reason = format!("out of memory: a search tree cannot grow to {} MiB", bytes >> 20);
    std::panic::resume_unwind(Box::new(ResourceFault::because(Resource::Memory, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catch_fault;

    #[test]
    fn a_column_too_long_for_the_memory_is_an_error() {
        let grown = catch_fault(|| grow(&mut Vec::new(), 1 << 62, 0_u8, 1));
        let told = grown.unwrap_err().to_string();
        assert!(told.contains("out of memory"), "{told}");
        assert!(catch_fault(|| 5).is_ok());
        let other = std::panic::catch_unwind(|| {
            catch_fault(|| std::panic::resume_unwind(Box::new("other")))
        });
        assert!(other.is_err(), "another panic goes on");
    }

    #[test]
    fn a_long_column_has_little_to_spare() {
        for share in [1, 8] {
            let mut column = Vec::new();
            let mut moves = 0;
            for length in (3..24_000_000).step_by(17) {
                let before = column.capacity();
                grow(&mut column, length, 5_u16, share);
                moves += usize::from(column.capacity() > before);
                assert_eq!(column.len(), length);
                let is_large = 2 * length > 3 * OWN_PAGES / 2;
                let most =
                    length + length / if share == 1 && !is_large { 1 } else { 8 } + FEW / 2 + 17;
                assert!(column.capacity() <= most, "{length}: {}", column.capacity());
            }
            assert!(column.iter().all(|&item| item == 5));
            assert!(moves < 150, "{moves}");
        }
    }
}
