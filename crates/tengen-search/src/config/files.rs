//! The files that settings name.

use crate::prior::Learned;
use std::ops::Range;

/// Where the path of a file stands in `text`, the value of the setting `key` of a search, in bytes; none
/// if it names no file.
///
/// # Examples
/// ```
/// use tengen_search::config::path_in;
///
/// assert_eq!(path_in("prior", "learned:a/weights.txt:14:100"), Some(8..21));
/// assert_eq!(path_in("prior", "learned:14:100"), None);
/// assert_eq!(path_in("evaluator", "onnx:net.onnx"), Some(5..13));
/// ```
#[must_use]
pub fn path_in(key: &str, text: &str) -> Option<Range<usize>> {
    let (kind, path) = match key {
        "prior" => ("learned:", Learned::path_in(text.strip_prefix("learned:")?)),
        "evaluator" => ("onnx:", text.strip_prefix("onnx:")?),
        _ => return None,
    };
    (!path.is_empty()).then(|| kind.len()..kind.len() + path.len())
}
