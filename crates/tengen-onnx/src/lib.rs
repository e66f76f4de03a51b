#![deny(missing_docs, unsafe_code)]
#![doc = include_str!("../README.md")]
//!
//! # Model
//! ```text
//! input    planes  [N, 6, H, W]      float32, as Leaf::write_planes writes them
//! outputs  policy  [N, H·W + 1]      float32, logits of the points, row by row, and of the pass
//!          value   [N] or [N, 1]     float32, -1 for a loss of the player to move to 1 for a win
//! ```
//! The tensors are found by these names, and where a name is missing by their order. N is dynamic
//! or 1, since the model judges one leaf at a time: libraries use other instructions for matrices
//! of one row than of several, and then a result would depend on the batch. H and W are fixed or
//! dynamic; a model whose sizes are fixed is run once when it is read.
//!
//! The weight of a legal move is exp(logit − the greatest logit of a legal move), so that its share
//! of all is the softmax over the legal moves; logits of other moves are not read. The search gets
//! the value (value + 1) / 2, and rounds it, as the value of any evaluator, so that sums are exact.
//!
//! # Threads
//! A model is read once for each text and shared by all threads. Each evaluator runs it on one
//! thread of its own, for which the caller waits, so that a run takes no more cores than it is
//! given.

mod evaluator;
mod model;
mod runner;

use model::Network;
use std::sync::Arc;
use tengen_go::RegistryError;
use tengen_search::evaluator::{NamedEvaluator, register_named};

/// The name of the evaluator.
pub const NAME: &str = "onnx";

/// The version of this crate's part in a result, such as the weights from logits. It stands beside
/// the digest of the file.
const VERSION: &str = "1";

/// Registers the evaluator `onnx`: from now on `onnx:FILE` is a value of the setting `evaluator`.
/// FILE is relative to the working directory. Its SHA-256 is the evaluator's version.
///
/// # Examples
/// ```
/// use tengen_search::evaluator::registered;
///
/// tengen_onnx::register()?;
/// let error = registered("onnx:absent.onnx").unwrap_err().to_string();
/// assert!(error.starts_with("evaluator `onnx:absent.onnx`: the file cannot be read: "), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register() -> Result<(), RegistryError> {
    register_named(NAME, |file| {
        let network = Arc::new(Network::read(file)?);
        let version = format!("{VERSION} sha256:{}", network.digest());
        let make = move || Ok(Box::new(evaluator::Networked::new(network.clone())) as _);
        // The registry puts the text in place of this name.
        Ok(NamedEvaluator::new(NAME, version, make))
    })
}
