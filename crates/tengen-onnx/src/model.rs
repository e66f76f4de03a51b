//! A model of a file, and the checks that it passes before it judges a leaf.

use rten::{
    DataType, Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueType,
};
use rten_tensor::NdTensorView;
use rten_tensor::prelude::*;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use tengen_search::evaluator::PLANES;

/// The error message where the library of networks panics.
pub(super) const PANICKED: &str = "the library of networks panicked";

/// A model whose inputs and outputs were checked, as far as it declares them.
pub(super) struct Network {
    model: Model,
    digest: String,
    input: NodeId,
    policy: NodeId,
    value: NodeId,
    /// None where it is dynamic.
    height: Option<usize>,
    /// None where it is dynamic.
    width: Option<usize>,
}

impl Network {
    /// Reads and checks the model of `file`.
    pub(super) fn read(file: &str) -> Result<Self, String> {
        if file.is_empty() {
            return Err("expected onnx:FILE, a network in an ONNX file".to_owned());
        }
        let unreadable = |fault: std::io::Error| format!("the file cannot be read: {fault}");
        if !fs::metadata(Path::new(file)).map_err(unreadable)?.is_file() {
            return Err("expected a file, not a folder or a device".to_owned());
        }
        Self::of_bytes(fs::read(file).map_err(unreadable)?)
    }

    /// The model whose file has these `bytes`.
    fn of_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        let digest = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}"); // a string takes all that is written
            text
        });
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        // The library accepts some files that are cut in their last field.
        let whole =
            if is_whole(&bytes) { Ok(()) } else { Err("it is cut, or no model".to_owned()) };
        let model = whole
            .and_then(|()| unless_it_panics(|| options.load(bytes)))
            .and_then(|loaded| loaded.map_err(|error| one_line(&error.to_string())))
            .map_err(|reason| {
                format!("expected a whole ONNX model with its weights inside: {reason}")
            })?;
        let network = Self::with_ends(model, digest)?;
        network.try_out()?;
        Ok(network)
    }

    /// Judges an empty board, where the size of boards is fixed.
    fn try_out(&self) -> Result<(), String> {
        let (Some(height), Some(width)) = (self.height, self.width) else { return Ok(()) };
        let planes = vec![0.0; PLANES * height * width];
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let options = RunOptions::default().with_thread_pool(Some(pool));
        self.run(&planes, [height, width], &mut Vec::new(), options)?;
        Ok(())
    }

    /// Finds the input and the outputs of `model`, and checks what it declares of them.
    fn with_ends(model: Model, digest: String) -> Result<Self, String> {
        let inputs = model.input_ids();
        let input = named(&model, inputs, "planes").or(match inputs {
            [only] => Some(*only),
            _ => None,
        });
        let Some(input) = input.filter(|_| inputs.len() == 1) else {
            return Err(format!(
                "it has {}: expected 1 input, `planes` of shape [N, {PLANES}, H, W]",
                listed(&model, inputs, "input")
            ));
        };
        let outputs = model.output_ids();
        let ends = (named(&model, outputs, "policy"), named(&model, outputs, "value"));
        let (policy, value) = match (ends, outputs) {
            ((Some(policy), Some(value)), _) => (policy, value),
            (_, [policy, value]) => (*policy, *value),
            _ => {
                let found = listed(&model, outputs, "output");
                return Err(format!("it has {found}: expected 2 outputs, `policy` and `value`"));
            }
        };
        let mut network = Self { model, digest, input, policy, value, height: None, width: None };
        let expected = format!("[N, {PLANES}, H, W] of float32, N dynamic or 1");
        if let Some([_, _, height, width]) = network.checked(
            input,
            "input",
            &expected,
            |shape| matches!(shape, [n, planes, _, _] if fits(n, 1) && fits(planes, PLANES)),
        )? {
            (network.height, network.width) = (height, width);
        }
        let moves = network.height.zip(network.width).map(|(height, width)| height * width + 1);
        let number = moves.map_or("H·W + 1".to_owned(), |moves| moves.to_string());
        let expected = format!("policy as [N, {number}] of float32, N dynamic or 1");
        network.checked::<2>(policy, "output", &expected, |shape| match shape {
            [n, of_moves] => fits(n, 1) && moves.is_none_or(|moves| fits(of_moves, moves)),
            _ => false,
        })?;
        let expected = "value as [N] or [N, 1] of float32, N dynamic or 1";
        network.checked::<2>(value, "output", expected, |shape| match shape {
            [n] => fits(n, 1),
            [n, one] => fits(n, 1) && fits(one, 1),
            _ => false,
        })?;
        Ok(network)
    }

    /// The dimensions that the model declares for its input or output `id`, none for each dynamic
    /// one. Refuses them unless `is_right`. Returns none if the model declares none, or other than
    /// `D` of them.
    fn checked<const D: usize>(
        &self,
        id: NodeId,
        what: &str,
        expected: &str,
        is_right: impl Fn(&[Dimension]) -> bool,
    ) -> Result<Option<[Option<usize>; D]>, String> {
        let Some(node) = self.model.node_info(id) else { return Ok(None) };
        let is_float = |kind| kind == ValueType::Tensor(DataType::Float);
        let shape = node.shape();
        if !node.dtype().is_none_or(is_float) || shape.as_deref().is_some_and(|s| !is_right(s)) {
            let name = node.name().unwrap_or_default();
            let shape = shape.as_deref().map(written).unwrap_or_default();
            let kind = node.dtype().map(|kind| format!(" of {}", type_name(kind)));
            let kind = kind.unwrap_or_default();
            return Err(format!("the {what} `{name}` is {shape}{kind}: expected {expected}"));
        }
        let fixed = |dimension: &Dimension| match dimension {
            Dimension::Fixed(number) => Some(*number),
            Dimension::Symbolic(_) => None,
        };
        let fixed: Option<Vec<_>> = shape.map(|shape| shape.iter().map(fixed).collect());
        Ok(fixed.and_then(|fixed| fixed.try_into().ok()))
    }

    /// The SHA-256 of the file, as `sha256sum` prints it.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// Judges the leaf of `planes` on a board of height × width points, `board`: adds the logits of
    /// all moves to `logits`, and returns the value.
    pub(super) fn run(
        &self,
        planes: &[f32],
        board: [usize; 2],
        logits: &mut Vec<f32>,
        options: RunOptions,
    ) -> Result<f32, String> {
        let [height, width] = board;
        let takes = |fixed: Option<usize>, asked| fixed.is_none_or(|fixed| fixed == asked);
        if !takes(self.height, height) || !takes(self.width, width) {
            let side = |fixed: Option<usize>| fixed.map_or("any".to_owned(), |n| n.to_string());
            let (rows, columns) = (side(self.height), side(self.width));
            return Err(format!(
                "its boards are {rows} high and {columns} wide, and this one {height} and {width}"
            ));
        }
        let input = NdTensorView::from_data([1, PLANES, height, width], planes);
        let outputs = [self.policy, self.value];
        // A graph that does not fit the board makes the library return an error, or panic.
        let inputs = vec![(self.input, input.into())];
        let found = unless_it_panics(|| self.model.run_n(inputs, outputs, Some(options)))
            .and_then(|found| found.map_err(|error| one_line(&error.to_string())));
        let [policy, value] = found.map_err(|reason| {
            format!("it cannot judge a board {height} high and {width} wide: {reason}")
        })?;
        let moves = height * width + 1;
        let before = logits.len();
        let is_policy = copy(policy, logits) == Some(vec![1, moves]);
        if !is_policy || logits.len() != before + moves {
            return Err(format!(
                "its policy for a board {height} high and {width} wide has another shape: \
                 expected [1, {moves}] of float32"
            ));
        }
        let mut values = Vec::new();
        let shape = copy(value, &mut values);
        match (shape.as_deref(), &values[..]) {
            (Some([1] | [1, 1]), [value]) => Ok(*value),
            _ => Err("its value has another shape: expected [1] or [1, 1] of float32".to_owned()),
        }
    }
}

/// Adds the numbers of `value` to `numbers`, and returns its shape; none if it is no tensor of
/// float32.
fn copy(value: Value, numbers: &mut Vec<f32>) -> Option<Vec<usize>> {
    let Value::FloatTensor(tensor) = value else { return None };
    numbers.extend(tensor.iter());
    Some(tensor.shape().to_vec())
}

/// Whether a dimension is dynamic or `number`.
fn fits(dimension: &Dimension, number: usize) -> bool {
    match dimension {
        Dimension::Fixed(fixed) => *fixed == number,
        Dimension::Symbolic(_) => true,
    }
}

fn named(model: &Model, ids: &[NodeId], name: &str) -> Option<NodeId> {
    let has_name = |id: &NodeId| model.node_info(*id).is_some_and(|node| node.name() == Some(name));
    ids.iter().copied().find(has_name)
}

/// The number of `ids`, each `what`, with their names.
fn listed(model: &Model, ids: &[NodeId], what: &str) -> String {
    let name = |id: &NodeId| {
        model.node_info(*id).and_then(|node| node.name()).map(|name| format!("`{name}`"))
    };
    let names: Vec<String> = ids.iter().filter_map(name).collect();
    let plural = if ids.len() == 1 { "" } else { "s" };
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!("{} {what}{plural}{names}", ids.len())
}

fn written(shape: &[Dimension]) -> String {
    let number = |dimension: &Dimension| match dimension {
        Dimension::Fixed(number) => number.to_string(),
        Dimension::Symbolic(name) => name.clone(),
    };
    format!("[{}]", shape.iter().map(number).collect::<Vec<_>>().join(", "))
}

fn type_name(kind: ValueType) -> String {
    match kind {
        ValueType::Tensor(DataType::Float) => "float32".to_owned(),
        ValueType::Tensor(kind) => format!("{kind:?}").to_lowercase(),
        _ => "sequences".to_owned(),
    }
}

/// Whether `bytes` are whole fields of protocol buffers, among them a graph and the version of its
/// operators, which every model names.
fn is_whole(bytes: &[u8]) -> bool {
    const GRAPH: u64 = 7;
    const OPERATORS: u64 = 8;
    let mut rest = bytes;
    let mut found = [false; 2];
    while !rest.is_empty() {
        let Some(tag) = number(&mut rest) else { return false };
        let length = match tag & 7 {
            0 => number(&mut rest).map(|_| 0),
            1 => Some(8),
            2 => number(&mut rest),
            5 => Some(4),
            _ => None,
        };
        let after = length.and_then(|length| rest.get(usize::try_from(length).ok()?..));
        let Some(after) = after else { return false };
        rest = after;
        found[0] |= tag >> 3 == GRAPH;
        found[1] |= tag >> 3 == OPERATORS;
    }
    found == [true; 2]
}

/// Reads a number of variable length from the beginning of `bytes`.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let end = bytes.iter().take(10).position(|byte| *byte < 128)?;
    let (digits, rest) = bytes.split_at(end + 1);
    *bytes = rest;
    Some(digits.iter().rev().fold(0, |number, digit| number << 7 | u64::from(digit & 127)))
}

/// Calls `work`, which uses the library of networks; a panic, which some models cause, becomes an
/// error.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| PANICKED.to_owned())
}

/// `text` with all white space as single spaces: some errors of the library have several lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
