//! Blocks of slots for children that come one at a time.
//!
//! The children of a node lie in neighbouring slots: in a block, of one of a few sizes.
//! When the block is full and another child comes, all children move to a block of the
//! next size, and the old block is free for the children of another node:
//!
//! ```text
//! slots   0   1 2 3   4 5 6 7   …
//!         A   B C D                    A has a block of three, and it is full
//!         A   . . .   B C D E          a fourth child: B, C, D have moved, 1 to 3 are free
//! ```

use crate::column::Node;

/// The numbers of slots that a block may have: powers of two and the numbers halfway
/// between them, so that at most a third of a block is unused.
const SIZES: [usize; 18] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/// The index in [`SIZES`] of the smallest size that holds `count` children.
fn size_for(count: usize) -> usize {
    SIZES.partition_point(|&size| size < count)
}

/// The number of slots of the smallest block that holds `count` children.
pub(super) fn slots_for(count: usize) -> usize {
    SIZES[size_for(count)]
}

/// Whether `count` is one of [`SIZES`], so that this many children fill their block. The sizes are
/// the numbers whose bits below the two highest are all 0.
#[inline]
pub(super) const fn fills_block(count: usize) -> bool {
    count > 0 && count.trailing_zeros() + 2 > count.ilog2()
}

/// The blocks that are free to be used again.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct FreeBlocks {
    /// The first slots of free blocks, by the index of their size.
    first_slots: [Vec<u32>; SIZES.len()],
}

impl FreeBlocks {
    /// Takes a free block for `count` children, if there is one; returns its first slot.
    pub(super) fn take(&mut self, count: usize) -> Option<Node> {
        self.first_slots[size_for(count)].pop().map(|first| first as Node)
    }

    /// Frees the block of `count` children that begins at the slot `first`.
    pub(super) fn give_back(&mut self, first: Node, count: usize) {
        let first = u32::try_from(first).expect("the limit of nodes is below");
        self.first_slots[size_for(count)].push(first);
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.first_slots.iter().map(|first| first.capacity() * size_of::<u32>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_sizes() {
        for count in 1..=512 {
            let size = size_for(count);
            assert!(SIZES[size] >= count && (size == 0 || SIZES[size - 1] < count));
            assert_eq!(fills_block(count), SIZES.contains(&count), "{count}");
        }
        assert!(!fills_block(0));
    }
}
