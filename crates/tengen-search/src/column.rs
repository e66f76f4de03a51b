//! Columns that grow without much room to spare.

/// Bytes from which on a column lies in pages of its own, so that growing moves
/// no items but only pages (the C library's largest threshold for that).
const OWN_PAGES: usize = 32 << 20;

/// What a column in pages of its own gets more when it is full: one of so many.
const SHARE_OF_PAGES: usize = 32;

/// Lengthens `column` to `length` by copies of `item`. A full column gets one
/// in `share` more: the more, the less is copied and the more lies unused. So
/// a large tree does not hold twice the memory that it needs.
pub(super) fn grow<T: Clone>(column: &mut Vec<T>, length: usize, item: T, share: usize) {
    let capacity = column.capacity();
    if length > capacity {
        let is_large = capacity * size_of::<T>() >= OWN_PAGES;
        let more = capacity / if is_large { SHARE_OF_PAGES } else { share };
        column.reserve_exact(length.max(capacity + more) - column.len());
    }
    column.resize(length, item);
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let most = length + length / if share == 1 && !is_large { 1 } else { 8 } + 17;
                assert!(column.capacity() <= most, "{length}: {}", column.capacity());
            }
            assert!(column.iter().all(|&item| item == 5));
            assert!(moves < 150, "{moves}");
        }
    }
}
