//! Networks of `tests/data/onnx`: games, results that do not depend on the batch, and refusals.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::AtomicBool;
use tengen_experiments::run::RunError;
use tengen_experiments::tournament::{Tournament, play_games};
use tengen_go::{Bits, Game, Move, Preset, Rules, Size};
use tengen_search::evaluator::{EvaluatorError, Leaf, NamedEvaluator, RECENT};

/// The file `name` of the tests' data.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/onnx").join(name)
}

/// The text that names the network of `file`, once the evaluator is registered.
fn text(file: &Path) -> String {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| tengen_onnx::register().unwrap());
    format!("onnx:{}", file.display())
}

fn registered(file: &Path) -> Result<NamedEvaluator, EvaluatorError> {
    tengen_search::evaluator::registered(&text(file))
}

/// Why the network of `file` is refused, in one line.
#[track_caller]
fn refused(file: &Path) -> String {
    let reason = registered(file).unwrap_err().reason;
    assert!(!reason.contains('\n'), "{reason}");
    reason
}

/// The values and weights that the network of `file` finds for `leaves`, in batches of `batch`.
fn judged(file: &Path, leaves: &[Leaf], batch: usize) -> Result<(Vec<f32>, Vec<f32>), String> {
    let named = registered(file).unwrap();
    let mut evaluator = named.make().unwrap();
    let (mut values, mut weights) = (Vec::new(), Vec::new());
    let (mut some_values, mut some_weights) = (Vec::new(), Vec::new());
    for leaves in leaves.chunks(batch) {
        let done = named.evaluate(&mut *evaluator, leaves, &mut some_values, &mut some_weights);
        done.map_err(|error| error.reason)?;
        values.append(&mut some_values);
        weights.append(&mut some_weights);
    }
    Ok((values, weights))
}

/// The positions of a game of `size` with random moves.
fn leaves(size: &str, number: usize) -> Vec<Leaf> {
    let size: Size = size.parse().unwrap();
    let rules = Rules::new(Preset::Tengen, size, "0.5".parse().unwrap());
    let (mut game, mut recent, mut draw) = (Game::new(size, rules), [None; RECENT], 1_u32);
    let mut found = Vec::new();
    while found.len() < number {
        let legal = game.sensible_points();
        found.push(Leaf {
            board: *game.board(),
            legal,
            recent,
            before: Vec::new(),
            komi: rules.komi,
            seed: 1,
        });
        if legal.count() == 0 {
            (game, recent) = (Game::new(size, rules), [None; RECENT]);
            continue;
        }
        draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mv = Move::Play(Bits::<6>::vertex(legal.nth((draw >> 8) % legal.count())));
        game.play(game.to_play(), mv).unwrap();
        recent.rotate_right(1);
        recent[0] = Some(mv);
    }
    found
}

#[test]
fn twenty_games_are_equal_on_one_and_two_threads() {
    let net = text(&data("any_size.onnx"));
    let settings = format!(
        "size = '5x5'
        pairs = 10
        bot = ['net=uct:evaluator={net},simulations=40,in_flight=4', 'random']"
    );
    let tournament: Tournament = settings.parse().unwrap();
    let played = |threads: usize| {
        let games: Vec<usize> = (0..tournament.schedule().games()).collect();
        let mut rows = Vec::new();
        play_games(&tournament, threads, &games[..], &AtomicBool::new(false), |played| {
            let row = played.row;
            assert!(row.is_played() && row.plies > 0, "{}", row.reason);
            rows.push((row.game, row.result(), row.moves));
            Ok::<_, RunError>(())
        })
        .unwrap();
        rows.sort();
        rows
    };
    let rows = played(1);
    assert_eq!(rows.len(), 20);
    assert_eq!(played(2), rows);
}

#[test]
fn a_leaf_is_judged_alike_in_every_batch() {
    for (file, size) in [
        ("any_size.onnx", "5x5"),
        ("any_size.onnx", "9x7"),
        ("any_size.onnx", "19x19"),
        ("five.onnx", "5x5"),
    ] {
        let leaves = leaves(size, 64);
        let judged = |batch| judged(&data(file), &leaves, batch).unwrap();
        let alone = judged(1);
        let different = alone.0.iter().any(|value| *value != alone.0[0]);
        assert!(different, "{file} judges all positions of {size} alike");
        assert!(judged(7) == alone && judged(64) == alone, "{file} {size}");
    }
}

#[test]
fn only_legal_moves_and_the_pass_have_weights() {
    let leaves = leaves("5x5", 20);
    let (values, weights) = judged(&data("five.onnx"), &leaves, 20).unwrap();
    assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{values:?}");
    for (leaf, weights) in leaves.iter().zip(weights.chunks_exact(26)) {
        let legal = leaf.legal.numbered(leaf.board.size())[0] | 1 << 25;
        for (number, weight) in weights.iter().enumerate() {
            assert_eq!(*weight > 0.0, legal >> number & 1 == 1, "move {number}");
        }
        assert_eq!(weights.iter().copied().fold(0.0, f32::max), 1.0);
    }
}

/// `bytes` with `to` in place of `from` everywhere: of the same length, so that the file's own
/// lengths stay right.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty(), "{from:?} is not there");
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

/// A fixed dimension of a shape, below 128, as an ONNX file has it.
fn dimension(number: u8) -> [u8; 4] {
    [0x0a, 2, 8, number]
}

/// A file of `bytes` in `folder`. Use each name once: the file of a text is read once.
fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder.join(name);
    fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn what_is_no_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let absent = refused(Path::new("absent.onnx"));
    assert!(absent.starts_with("the file cannot be read: "), "{absent}");
    assert_eq!(refused(folder.path()), "expected a file, not a folder or a device");
    assert_eq!(refused(Path::new("")), "expected onnx:FILE, a network in an ONNX file");
    for (name, bytes) in [("empty", &b""[..]), ("text", b"size = '5x5'\n"), ("zeros", &[0; 99])] {
        let said = refused(&file(folder.path(), name, bytes));
        let whole = "expected a whole ONNX model with its weights inside: ";
        assert!(said.starts_with(whole), "{name}: {said}");
    }
}

#[test]
fn models_of_other_shapes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [any, five] = ["any_size.onnx", "five.onnx"].map(|name| fs::read(data(name)).unwrap());
    // Its number of leaves is 2, in as many bytes as the name of the dimension.
    let two = replaced(&five, b"\x12\x05batch", b"\x08\x82\x80\x80\x80\x80\x00");
    for (name, bytes, found, expected) in [
        (
            "planes",
            replaced(&any, &dimension(6), &dimension(17)),
            "the input `planes` is [batch, 17, height, width] of float32",
            "[N, 6, H, W] of float32, N dynamic or 1",
        ),
        (
            "moves",
            replaced(&five, &dimension(26), &dimension(25)),
            "the output `policy` is [batch, 25] of float32",
            "policy as [N, 26] of float32, N dynamic or 1",
        ),
        (
            "values",
            replaced(&five, &dimension(1), &dimension(3)),
            "the output `value` is [batch, 3] of float32",
            "value as [N] or [N, 1] of float32, N dynamic or 1",
        ),
        (
            "leaves",
            two,
            "the input `planes` is [2, 6, 5, 5] of float32",
            "[N, 6, H, W] of float32, N dynamic or 1",
        ),
    ] {
        let said = refused(&file(folder.path(), name, &bytes));
        assert_eq!(said, format!("{found}: expected {expected}"));
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(data("five.onnx")).unwrap();
    for length in (0..whole.len()).step_by(211).chain(whole.len() - 30..whole.len()) {
        let said = refused(&file(folder.path(), &length.to_string(), &whole[..length]));
        assert!(said.contains("expected"), "{length} bytes: {said}");
    }
}

#[test]
fn outputs_of_other_names_are_taken_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(data("any_size.onnx")).unwrap();
    for (from, to) in [("planes", "input0"), ("policy", "first0"), ("value", "other")] {
        bytes = replaced(&bytes, from.as_bytes(), to.as_bytes());
    }
    let renamed = file(folder.path(), "renamed.onnx", &bytes);
    let leaves = leaves("5x5", 5);
    assert_eq!(judged(&renamed, &leaves, 5), judged(&data("any_size.onnx"), &leaves, 5));
}

#[test]
fn a_board_of_another_size_is_an_error_that_names_it() {
    let oblong = leaves("7x6", 2);
    let said = judged(&data("five.onnx"), &oblong, 2);
    let expected = "its boards are 5 high and 5 wide, and this one 6 and 7";
    assert_eq!(said, Err(expected.to_owned()));
    // The same network in a file that leaves the sizes open.
    let folder = tempfile::tempdir().unwrap();
    let five = fs::read(data("five.onnx")).unwrap();
    let open = replaced(&five, &dimension(5), &[0x0a, 2, 0x12, 0]);
    let open = file(folder.path(), "open.onnx", &open);
    let said = judged(&open, &oblong, 2).unwrap_err();
    assert!(said.starts_with("it cannot judge a board 6 high and 7 wide: "), "{said}");
    assert!(judged(&open, &leaves("5x5", 2), 2).is_ok());
}

#[test]
fn the_digest_of_the_file_is_its_version() {
    let version = |name: &str| registered(&data(name)).unwrap().version().to_owned();
    let five = "1 sha256:bc210205a65f5c9ccdcb2ff97e484e37f2a660f3867626c5cba5041db77cf7b1";
    assert_eq!(version("five.onnx"), five);
    assert_ne!(version("any_size.onnx"), five);
}
