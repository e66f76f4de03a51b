//! The fuzz targets with the corpus and changed files of it, from a seed: what
//! libFuzzer does with coverage (`fuzz/run.sh`), here without.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[path = "../../fuzz/targets.rs"]
mod targets;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 3] =
    [("sgf", targets::sgf), ("gtp", targets::gtp), ("config", targets::config)];

/// Words that a change may put in.
const WORDS: &str =
    "(;|[|]|\\|)|\n|pass|A1|-1|99999999999999999999|nan|\0|genmove b\n|=|'|\u{fffd}";

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn change(bytes: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let words: Vec<&str> = WORDS.split('|').collect();
    let mut below = |most: usize| {
        usize::try_from(random.next_u64() % most.max(1) as u64).expect("below a usize")
    };
    for _ in 0..=below(6) {
        let at = below(bytes.len() + 1);
        match below(6) {
            0 => drop(bytes.splice(at..at, words[below(words.len())].bytes())),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 if at < bytes.len() => bytes[at] = u8::try_from(below(256)).expect("a byte"),
            3 => bytes.truncate(at.max(1)),
            4 => {
                let part = bytes[at..(at + below(30)).min(bytes.len())].to_vec();
                let to = below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            _ => bytes.insert(at, u8::try_from(below(256)).expect("a byte")),
        }
    }
}

/// Runs a target for `time`, and says how many inputs it had.
fn fuzz(name: &str, target: Target, time: Duration, seed: u64) -> u64 {
    let corpus = corpus(name);
    assert!(corpus.len() >= 3, "{name}");
    for bytes in &corpus {
        target(bytes);
    }
    target(b"");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let began = Instant::now();
    let mut inputs = 0;
    while began.elapsed() < time {
        let number = random.next_u64() % corpus.len() as u64;
        let mut bytes = corpus[usize::try_from(number).expect("below a usize")].clone();
        change(&mut bytes, &mut random);
        let is_well = std::panic::catch_unwind(|| target(&bytes)).is_ok();
        let text = String::from_utf8_lossy(&bytes);
        assert!(is_well, "{name}, seed {seed}, input {inputs}: {text:?}");
        inputs += 1;
    }
    inputs
}

#[test]
fn changed_files_of_the_corpus() {
    for (name, target) in TARGETS {
        let inputs = fuzz(name, target, Duration::from_secs(2), 1);
        assert!(inputs > 10, "{name}: {inputs}");
    }
}
