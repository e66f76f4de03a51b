//! What travels: blocks and answers.
//!
//! A block names its settings, and the files that the settings need, by digest. A worker process
//! that lacks one of these parts answers with its digest, and the coordinator submits the block
//! again with the bytes of the part: each part travels once to each worker process.

use super::Process;
use crate::run::{BotSignature, Digest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the format of blocks and answers.
const FORMAT: u32 = 2;

/// Units of a run, to be made by any process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Version of the format.
    pub format: u32,
    /// Digest of the settings, a [`Part`].
    pub settings: String,
    /// The units, as their experiment writes them.
    pub units: Value,
    /// The parts that come with the block: the digest and the number of bytes of each.
    pub parts: Vec<(String, usize)>,
}

/// The settings of a run, which its blocks name by digest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunSettings {
    /// The name of the [`UnitKind`](super::UnitKind).
    pub kind: String,
    /// The settings, as the experiment writes them.
    pub settings: Value,
    /// Signatures of the bots in the program of the coordinator.
    pub bots: Vec<BotSignature>,
    /// Hash of an opening that the program of the coordinator draws.
    pub openings: Digest,
    /// The files that the settings name, by digest and name.
    pub files: Vec<(String, String)>,
    /// Seconds that the coordinator's host takes for a fixed search; none unless bots have a clock
    /// and may play on unlike processors.
    pub search_seconds: Option<f64>,
}

/// Bytes that blocks name by digest: settings or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The digest of the bytes.
    pub digest: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Part {
    /// The part with these `bytes`.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let mut digest = Digest::default();
        digest.bytes(&bytes);
        Self { digest: digest.to_string(), bytes }
    }
}

/// What a worker process answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The units are made.
    Made {
        /// The process that made the units.
        process: Process,
        /// Seconds of processor time that the units took; none where the system does not count it.
        cpu_seconds: Option<f64>,
        /// Factor by which the seconds of bots with a clock were multiplied.
        clock: Option<f64>,
        /// The rows of the units, as CSV text with a header.
        rows: String,
        /// What the experiment keeps of the units besides rows.
        extra: Value,
    },
    /// Parts are missing, by digest.
    Missing(Vec<String>),
    /// The process must not make units of the run: its program plays differently, or lacks
    /// something.
    Refused {
        /// Who refuses.
        process: Process,
        /// Why.
        why: String,
    },
    /// The units could not be made this time.
    Failed {
        /// Who tried.
        process: Process,
        /// Why.
        why: String,
    },
}

impl Block {
    /// The bytes of the block, with `parts`.
    #[must_use]
    pub fn to_bytes(settings: &str, units: Value, parts: &[&Part]) -> Vec<u8> {
        let sizes = parts.iter().map(|part| (part.digest.clone(), part.bytes.len())).collect();
        let block = Self { format: FORMAT, settings: settings.to_owned(), units, parts: sizes };
        let mut bytes = serde_json::to_vec(&block).unwrap_or_default();
        bytes.push(b'\n');
        for part in parts {
            bytes.extend_from_slice(&part.bytes);
        }
        bytes
    }

    /// The block of `bytes`, with the parts in it. An error says what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<Part>), String> {
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("it has no end of a line")?;
        let block: Self = serde_json::from_slice(&bytes[..end]).map_err(|why| why.to_string())?;
        if block.format != FORMAT {
            let format = block.format;
            return Err(format!("its format is {format}, and this version of Tengen has {FORMAT}"));
        }
        let mut rest = &bytes[end + 1..];
        let mut parts = Vec::new();
        for (digest, size) in &block.parts {
            let (own, others) = rest.split_at_checked(*size).ok_or("a part is cut off")?;
            let part = Part::of(own.to_vec());
            if part.digest != *digest {
                return Err("a part was changed on its way".to_owned());
            }
            parts.push(part);
            rest = others;
        }
        Ok((block, parts))
    }
}

impl Answer {
    /// The bytes of the answer.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The answer of `bytes`. An error says what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|why| format!("invalid answer: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_reads_as_it_was_written_and_changed_parts_are_refused() {
        let parts = [Part::of(b"one\ntwo".to_vec()), Part::of(Vec::new())];
        let units = Value::from(vec![3, 1]);
        let bytes = Block::to_bytes("digest", units.clone(), &[&parts[0], &parts[1]]);
        let (block, read) = Block::read(&bytes).unwrap();
        assert_eq!((block.settings.as_str(), &read[..]), ("digest", &parts[..]));
        assert_eq!(block.units, units);
        let mut changed = bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(Block::read(&changed).unwrap_err().contains("changed"));
        assert!(Block::read(&bytes[..bytes.len() - 1]).unwrap_err().contains("cut off"));
        assert!(Block::read(b"").is_err());
    }
}
