//! The storage of blocks of one kind.

use crate::column::grow;

/// A full pool grows by half of its capacity.
const SHARE: usize = 2;

/// Blocks of one length in one array, and the sets of their untried moves in another.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Pool<T> {
    /// Number of items of a block.
    length: usize,
    items: Vec<T>,
    /// Number of words of a set of moves.
    words: usize,
    untried: Vec<u64>,
    /// The numbers of the blocks that are free to be used again.
    free: Vec<u32>,
}

impl<T: Copy + Default> Pool<T> {
    /// A pool without blocks, for blocks of `length` items and sets of `words` words.
    pub fn new(length: usize, words: usize) -> Self {
        Self { length, words, ..Self::default() }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>()
            + self.untried.capacity() * size_of::<u64>()
            + self.free.capacity() * size_of::<u32>()
    }

    /// Removes all blocks, and keeps the memory.
    pub fn remove_all(&mut self) {
        self.items.clear();
        self.untried.clear();
        self.free.clear();
    }

    /// Adds a block of zeros with this set of untried moves; returns its number.
    pub fn open(&mut self, untried: &[u64]) -> usize {
        let number = self.free.pop().map_or_else(|| self.append(), |number| number as usize);
        self.items_mut(number).fill(T::default());
        self.untried_mut(number).copy_from_slice(untried);
        number
    }

    fn append(&mut self) -> usize {
        let number = self.untried.len() / self.words;
        grow(&mut self.items, (number + 1) * self.length, T::default(), SHARE);
        grow(&mut self.untried, (number + 1) * self.words, 0, SHARE);
        number
    }

    /// Adds a copy of the block `number` of another pool; returns the number of the copy.
    pub fn copy(&mut self, other: &Self, number: usize) -> usize {
        let copy = self.open(other.untried(number));
        self.items_mut(copy).copy_from_slice(other.items(number));
        copy
    }

    /// Frees the block `number`.
    ///
    /// # Panics
    /// If there are more than 2³² blocks.
    pub fn close(&mut self, number: usize) {
        self.free.push(u32::try_from(number).expect("the number of a node's block"));
    }

    /// The items of the block `number`.
    #[inline]
    pub fn items(&self, number: usize) -> &[T] {
        &self.items[number * self.length..][..self.length]
    }

    /// The items of the block `number`, to be changed.
    #[inline]
    pub fn items_mut(&mut self, number: usize) -> &mut [T] {
        &mut self.items[number * self.length..][..self.length]
    }

    /// The set of the untried moves of the block `number`.
    #[inline]
    pub fn untried(&self, number: usize) -> &[u64] {
        &self.untried[number * self.words..][..self.words]
    }

    /// The set of the untried moves of the block `number`, to be changed.
    #[inline]
    pub fn untried_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.untried[number * self.words..][..self.words]
    }
}
