//! A file of arrays, `.npz`: a zip archive with an `.npy` for each.
//!
//! The arrays are stored, not compressed. So all places in the file are known before the first
//! position, the arrays grow side by side in one pass over the games with a buffer for each, the
//! bytes depend on no version of a compressor, and a program may map an array into memory.
//!
//! ```text
//! for each array:  local header, header of the array, its data
//! directory:       for each array where it begins, its length and its sum
//! end:             where the directory begins
//! ```
//!
//! Lengths and places are those of ZIP64 throughout, so that an array may be of any length.

use super::journal::SUM;
use super::npy::Array;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes that an array gathers before they are written.
const BUFFER: usize = 1 << 18;

/// The first version of zip with ZIP64.
const VERSION: u16 = 45;

/// The date of all arrays, 1 January 1980, so that equal runs give equal files.
const DATE: u16 = 0x21;

/// Value of a 32-bit length or place whose true value is in a 64-bit field.
const IN_64_BITS: u32 = u32::MAX;

/// An archive to which the positions of all arrays are written side by side.
pub struct Archive<'file> {
    file: &'file mut File,
    members: Vec<Member>,
}

/// An array of the archive.
struct Member {
    name: String,
    /// Where its local header begins.
    begin: u64,
    /// Length of its contents, header of the array included.
    bytes: u64,
    /// Number of bytes of its contents that were written.
    written: u64,
    buffer: Vec<u8>,
    sum: crc::Digest<'static, u32, crc::Table<16>>,
}

impl Member {
    /// Where its contents begin.
    fn contents(&self) -> u64 {
        self.begin + self.local_header(0).len() as u64
    }

    /// The fields that the local header and the directory share, from the version on.
    fn common(&self, sum: u32, extra: u16) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (flags, stored, time) = (0, 0, 0);
        for number in [VERSION, flags, stored, time, DATE] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [sum, IN_64_BITS, IN_64_BITS] {
            bytes.extend(number.to_le_bytes());
        }
        let name = u16::try_from(self.name.len()).unwrap_or(u16::MAX);
        bytes.extend(name.to_le_bytes());
        bytes.extend(extra.to_le_bytes());
        bytes
    }

    fn local_header(&self, sum: u32) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend(self.common(sum, 20));
        bytes.extend(self.name.bytes());
        bytes.extend([1, 0, 16, 0]);
        bytes.extend(self.bytes.to_le_bytes());
        bytes.extend(self.bytes.to_le_bytes());
        bytes
    }

    fn directory(&self, sum: u32) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02".to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.common(sum, 28));
        // No comment, first disk, no attributes.
        bytes.extend([0; 10]);
        bytes.extend(IN_64_BITS.to_le_bytes());
        bytes.extend(self.name.bytes());
        bytes.extend([1, 0, 24, 0]);
        for number in [self.bytes, self.bytes, self.begin] {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    fn flush(&mut self, file: &mut File) -> io::Result<()> {
        file.seek(SeekFrom::Start(self.contents() + self.written))?;
        file.write_all(&self.buffer)?;
        self.sum.update(&self.buffer);
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl<'file> Archive<'file> {
    /// An archive in `file`, which is empty, with `rows` positions in each of `arrays`.
    pub fn new(file: &'file mut File, arrays: &[Array], rows: u64) -> Self {
        let mut end = 0;
        let member = |array: &Array| {
            let buffer = array.header(rows);
            let member = Member {
                name: format!("{}.npy", array.name),
                begin: end,
                bytes: buffer.len() as u64 + array.bytes(rows),
                written: 0,
                buffer,
                sum: SUM.digest(),
            };
            end = member.contents() + member.bytes;
            member
        };
        Self { file, members: arrays.iter().map(member).collect() }
    }

    /// Appends `bytes` to the data of the array with this number.
    pub fn append(&mut self, number: usize, bytes: impl IntoIterator<Item = u8>) -> io::Result<()> {
        let member = &mut self.members[number];
        member.buffer.extend(bytes);
        if member.buffer.len() < BUFFER { Ok(()) } else { member.flush(self.file) }
    }

    /// Ends the archive, to which all positions were written.
    pub fn finish(mut self) -> io::Result<()> {
        let mut directory = Vec::new();
        for member in &mut self.members {
            member.flush(self.file)?;
            if member.written != member.bytes {
                let (name, written, bytes) = (&member.name, member.written, member.bytes);
                let fault = format!("{name} has {written} bytes in place of {bytes}");
                return Err(io::Error::other(fault));
            }
            let sum = member.sum.clone().finalize();
            self.file.seek(SeekFrom::Start(member.begin))?;
            self.file.write_all(&member.local_header(sum))?;
            directory.extend(member.directory(sum));
        }
        let begin = self.members.last().map_or(0, |last| last.contents() + last.bytes);
        self.file.seek(SeekFrom::Start(begin))?;
        self.file.write_all(&directory)?;
        self.file.write_all(&end_of(begin, directory.len() as u64, self.members.len() as u64))
    }
}

/// The end of an archive, after a directory of `bytes` bytes at `begin` with so many `members`.
fn end_of(begin: u64, bytes: u64, members: u64) -> Vec<u8> {
    let mut end = b"PK\x06\x06".to_vec();
    end.extend(44_u64.to_le_bytes());
    end.extend(VERSION.to_le_bytes());
    end.extend(VERSION.to_le_bytes());
    // First disk.
    end.extend([0; 8]);
    for number in [members, members, bytes, begin] {
        end.extend(number.to_le_bytes());
    }
    end.extend(b"PK\x06\x07\0\0\0\0");
    end.extend((begin + bytes).to_le_bytes());
    end.extend(1_u32.to_le_bytes());
    end.extend(b"PK\x05\x06\0\0\0\0");
    // Numbers and places in 64 bits; no comment.
    end.extend([0xff; 12]);
    end.extend([0, 0]);
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::npy::Kind;
    use std::fs;

    fn arrays() -> [Array; 2] {
        let player = Array { name: "player", kind: Kind::U8, shape: Vec::new() };
        [player, Array { name: "visits", kind: Kind::U32, shape: vec![3] }]
    }

    #[test]
    fn arrays_that_grow_side_by_side_are_whole() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("x.npz");
        // More than a buffer.
        let rows = 50_000_u32;
        let mut file = File::create(&path).unwrap();
        let mut archive = Archive::new(&mut file, &arrays(), rows.into());
        for row in 0..rows {
            archive.append(0, [row as u8]).unwrap();
            archive.append(1, [row, 1, 2].iter().flat_map(|number| number.to_le_bytes())).unwrap();
        }
        archive.finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        // Without a reader of zip: the contents follow one another behind their headers.
        let local = 30 + "player.npy".len() + 20;
        let player = &bytes[local..][..128 + rows as usize];
        assert_eq!(player[..128], arrays()[0].header(rows.into()));
        assert!((0..rows).all(|row| player[128 + row as usize] == row as u8));
        let visits = &bytes[local + player.len() + local..];
        assert_eq!(visits[..128], arrays()[1].header(rows.into()));
        let last = 128 + (rows as usize - 1) * 12;
        assert_eq!(visits[last..last + 5], [0x4f, 0xc3, 0, 0, 1]);
        assert_eq!(bytes[14..18], SUM.checksum(player).to_le_bytes());
    }

    #[test]
    fn an_array_that_lacks_rows_is_an_error() {
        let scratch = tempfile::tempdir().unwrap();
        let mut file = File::create(scratch.path().join("x.npz")).unwrap();
        let mut archive = Archive::new(&mut file, &arrays(), 2);
        archive.append(0, [1, 2]).unwrap();
        archive.append(1, [1; 12]).unwrap();
        let error = archive.finish().unwrap_err().to_string();
        assert_eq!(error, "visits.npy has 140 bytes in place of 152");
    }
}
