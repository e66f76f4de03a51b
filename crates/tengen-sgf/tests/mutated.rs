//! Damaged records: every byte string leads to trees or an error, soon.

#![allow(clippy::cast_possible_truncation)]

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_sgf::{Overrides, Record, decode, parse, replay};

fn originals() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sgf"));
    paths.sort();
    assert!(paths.len() >= 12, "{paths:?}");
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn byte(number: usize) -> u8 {
    u8::try_from(number).expect("a byte")
}

/// One to eight changes: bytes of the structure or of any kind put in, taken out
/// or copied from elsewhere, and ends cut off.
fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Xoshiro256PlusPlus) {
    #[allow(clippy::cast_possible_truncation)] // a remainder of a usize
    let mut below = |most: usize| (random.next_u64() % most.max(1) as u64) as usize;
    for _ in 0..=below(8) {
        let at = below(bytes.len() + 1);
        match below(7) {
            0 => bytes.insert(at, b"()[];\\:"[below(7)]),
            1 => bytes.insert(at, byte(below(256))),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() => bytes[at] = byte(below(256)),
            4 => bytes.truncate(at.max(bytes.len() / 2)),
            5 => {
                let part: Vec<u8> = bytes[at..(at + below(40)).min(bytes.len())].to_vec();
                let to = below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            _ => {
                let other = &others[below(others.len())];
                let from = below(other.len());
                let part = other[from..(from + below(60)).min(other.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}

#[test]
fn ten_thousand_damaged_files() {
    let originals = originals();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut read, mut refused) = (0, 0);
    let mut longest = Duration::ZERO;
    for number in 0..10_000 {
        let mut bytes = originals[number % originals.len()].clone();
        mutate(&mut bytes, &originals, &mut random);
        let began = Instant::now();
        let text = decode(&bytes);
        for tree in parse(&text).iter().flatten() {
            let _ = replay(tree, Overrides::default(), None);
            // What was read can be written and is then read without an error.
            let again = parse(&tree.to_string());
            let again = again.unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(again.len(), 1, "{text}");
            assert_eq!(again[0].nodes().len(), tree.nodes().len(), "{text}");
        }
        match Record::read_bytes(&bytes, Overrides::default()) {
            Ok(_) => read += 1,
            Err(_) => refused += 1,
        }
        longest = longest.max(began.elapsed());
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
    assert!(longest < Duration::from_secs(5), "{longest:?}");
}

#[test]
fn nothing_but_one_character() {
    for c in ["(", ")", ";", "[", "]", "\\", "a", "A[", "(;", "(;A[", ")(", "\u{3000}", "A[]", "é"]
    {
        let text = c.repeat(100_000);
        let began = Instant::now();
        for text in [text.clone(), format!("(;{text}"), format!("(;C[{text}")] {
            let _ = parse(&text);
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{c}: {:?}", began.elapsed());
    }
}
