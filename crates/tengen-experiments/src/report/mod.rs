//! Tables, plots and pages, and the files of a run from which they are made.

pub mod cells;
pub mod files;
pub(crate) mod page;
pub mod plots;
pub mod text;

/// Groups `rows` by `key`; the keys are in order of first appearance.
pub(crate) fn groups<R, K: PartialEq>(
    rows: impl IntoIterator<Item = R>,
    key: impl Fn(&R) -> K,
) -> Vec<(K, Vec<R>)> {
    let mut groups: Vec<(K, Vec<R>)> = Vec::new();
    for row in rows {
        let key = key(&row);
        match groups.iter_mut().find(|group| group.0 == key) {
            Some(group) => group.1.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}
