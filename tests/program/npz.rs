//! A reader of numpy's archives that shares nothing with what writes them: the directory of the zip
//! archive, ZIP64 and sums included, and the headers of the arrays.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// An array as its file has it.
pub struct Array {
    pub kind: String,
    pub shape: Vec<usize>,
    data: Vec<u8>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// The CRC-32 of zip, bit by bit.
fn sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// The arrays in the file `path`, by name, in the order in which they stand there.
pub fn read(path: &Path) -> Vec<(String, Array)> {
    let bytes = fs::read(path).unwrap();
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06", "no comment behind the end");
    let locator = end - 20;
    assert_eq!(&bytes[locator..locator + 4], b"PK\x06\x07");
    let end64 = number(&bytes, locator + 8, 8);
    assert_eq!(&bytes[end64..end64 + 4], b"PK\x06\x06");
    assert_eq!(number(&bytes, end64 + 4, 8) + 12, locator - end64);
    let (members, length) = (number(&bytes, end64 + 32, 8), number(&bytes, end64 + 40, 8));
    let mut at = number(&bytes, end64 + 48, 8);
    assert_eq!(at + length, end64);
    let (mut arrays, mut next) = (Vec::new(), 0);
    for _ in 0..members {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        assert_eq!(number(&bytes, at + 10, 2), 0, "stored");
        let crc = number(&bytes, at + 16, 4);
        let name_length = number(&bytes, at + 28, 2);
        let name = String::from_utf8(bytes[at + 46..][..name_length].to_vec()).unwrap();
        let extra = at + 46 + name_length;
        assert_eq!((number(&bytes, extra, 2), number(&bytes, extra + 2, 2)), (1, 24));
        let [size, stored, local] = [4, 12, 20].map(|place| number(&bytes, extra + place, 8));
        assert_eq!((size, local), (stored, next), "one behind the other");
        // The local header says the same.
        assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
        assert_eq!(bytes[local + 4..local + 26], bytes[at + 6..at + 28], "{name}");
        assert_eq!(&bytes[local + 30..local + 30 + name_length], name.as_bytes());
        let local_extra = local + 30 + name_length;
        assert_eq!(number(&bytes, local_extra + 4, 8), size);
        let data = local_extra + number(&bytes, local + 28, 2);
        let contents = &bytes[data..data + size];
        assert_eq!(sum(contents) as usize, crc, "{name}");
        arrays.push((name.strip_suffix(".npy").unwrap().to_owned(), array(contents)));
        next = data + size;
        at = extra + 28;
    }
    assert_eq!(at, end64);
    arrays
}

/// The array in the `contents` of a `.npy`.
fn array(contents: &[u8]) -> Array {
    assert_eq!(&contents[..8], b"\x93NUMPY\x01\x00");
    let data = 10 + number(contents, 8, 2);
    assert_eq!((data % 64, contents[data - 1]), (0, b'\n'));
    let header = std::str::from_utf8(&contents[10..data]).unwrap();
    let between = |from: &str, to: &str| {
        header.split_once(from).unwrap().1.split_once(to).unwrap().0.to_owned()
    };
    assert_eq!(between("'fortran_order': ", ","), "False");
    let sides = between("'shape': (", ")");
    let sides = sides.split(',').map(str::trim).filter(|side| !side.is_empty());
    let shape: Vec<usize> = sides.map(|side| side.parse().unwrap()).collect();
    let array = Array { kind: between("'descr': '", "'"), shape, data: contents[data..].to_vec() };
    assert_eq!(array.data.len(), array.shape.iter().product::<usize>() * array.width());
    array
}

impl Array {
    /// Length of a number in bytes.
    fn width(&self) -> usize {
        self.kind[2..].parse().unwrap()
    }

    /// The numbers of a position.
    pub fn row(&self, row: usize) -> Vec<f64> {
        let length = self.shape[1..].iter().product::<usize>() * self.width();
        let bytes = &self.data[row * length..][..length];
        bytes.chunks(self.width()).map(|bytes| self.value(bytes)).collect()
    }

    fn value(&self, bytes: &[u8]) -> f64 {
        let whole = number(bytes, 0, bytes.len()) as u64;
        let unused = 64 - 8 * u32::try_from(bytes.len()).unwrap();
        match &self.kind[1..2] {
            "u" => whole as f64,
            "i" => ((whole << unused).cast_signed() >> unused) as f64,
            "f" => f32::from_bits(u32::try_from(whole).unwrap()).into(),
            other => panic!("{other}"),
        }
    }
}

/// The arrays by name.
pub fn by_name(path: &Path) -> BTreeMap<String, Array> {
    read(path).into_iter().collect()
}
