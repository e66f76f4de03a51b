//! Arrays as numpy has them in a file.

/// The type of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    U8,
    I16,
    I32,
    I64,
    U32,
    F32,
}

impl Kind {
    /// The name of the type in a header, and its length in bytes.
    const fn form(self) -> (&'static str, u64) {
        match self {
            Self::U8 => ("|u1", 1),
            Self::I16 => ("<i2", 2),
            Self::I32 => ("<i4", 4),
            Self::I64 => ("<i8", 8),
            Self::U32 => ("<u4", 4),
            Self::F32 => ("<f4", 4),
        }
    }
}

/// An array with a number, or an array of numbers, for each position.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: &'static str,
    /// The type of its numbers.
    pub kind: Kind,
    /// The shape of the numbers of one position; empty for a single number.
    pub shape: Vec<usize>,
}

impl Array {
    /// Length in bytes of the data of `rows` positions.
    pub fn bytes(&self, rows: u64) -> u64 {
        rows * self.shape.iter().product::<usize>() as u64 * self.kind.form().1
    }

    /// The header of a file with `rows` positions, in version 1.0 of the format: magic, version,
    /// length of the rest, and the literal of a Python dictionary, filled up so that the data begin
    /// at a multiple of 64 bytes.
    pub fn header(&self, rows: u64) -> Vec<u8> {
        let sides: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let sides = sides.join(", ");
        let kind = self.kind.form().0;
        let text =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {sides}), }}");
        let before = 10;
        let length = (before + text.len() + 1).next_multiple_of(64) - before;
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
        header.extend(format!("{text:<0$}\n", length - 1).bytes());
        header
    }
}
