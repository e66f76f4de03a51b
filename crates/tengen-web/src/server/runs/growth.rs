//! Files that grow by whole lines: reads the lines appended since the last reading.

use super::folder::{RunFolder, Stamp};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Number of last-read bytes that must be unchanged for the reading to continue.
const REMEMBERED: usize = 512;

/// How far a file was read: to the end of a line.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    /// The identity of the file, as in [`Stamp`].
    identity: Option<u64>,
    /// Number of bytes that were read.
    bytes: u64,
    /// The last of the bytes that were read.
    tail: Vec<u8>,
}

impl Prefix {
    /// Passes the whole lines appended to the file `name` of `run`, now in the state `stamp`, to
    /// `sink`, piece by piece. Returns false, and passes nothing, if the file was replaced or
    /// rewritten: then it must be read from its beginning.
    pub fn further(
        &mut self,
        run: &RunFolder,
        name: &str,
        stamp: Stamp,
        mut sink: impl FnMut(&[u8]),
    ) -> bool {
        let is_new = self.bytes == 0;
        let Ok(mut file) = run.open(name) else { return is_new };
        if !is_new && !self.begins(&mut file, stamp).unwrap_or(false) {
            return false;
        }
        self.identity = Some(stamp.identity);
        let (mut buffer, mut pending) = (vec![0; 1 << 16], Vec::new());
        while let Ok(count @ 1..) = file.read(&mut buffer) {
            let read = &buffer[..count];
            let Some(end) = read.iter().rposition(|&byte| byte == b'\n') else {
                pending.extend_from_slice(read);
                continue;
            };
            pending.extend_from_slice(&read[..=end]);
            self.take(&pending);
            sink(&pending);
            pending.clear();
            pending.extend_from_slice(&read[end + 1..]);
        }
        true
    }

    /// Whether `file` still begins with the bytes that were read; sets its position to their end.
    fn begins(&self, file: &mut File, stamp: Stamp) -> io::Result<bool> {
        if self.identity != Some(stamp.identity) || stamp.bytes < self.bytes {
            return Ok(false);
        }
        let mut tail = vec![0; self.tail.len()];
        file.seek(SeekFrom::Start(self.bytes - tail.len() as u64))?;
        file.read_exact(&mut tail)?;
        Ok(tail == self.tail)
    }

    /// Notes that `lines` were read.
    fn take(&mut self, lines: &[u8]) {
        self.bytes += lines.len() as u64;
        self.tail.extend_from_slice(&lines[lines.len().saturating_sub(REMEMBERED)..]);
        let surplus = self.tail.len().saturating_sub(REMEMBERED);
        self.tail.drain(..surplus);
    }
}

/// The number of whole lines of a file that grows.
#[derive(Clone, Debug, Default)]
pub struct LineCount {
    prefix: Prefix,
    lines: u64,
}

impl LineCount {
    /// The number of whole lines of the file `name` of `run`, now in the state `stamp`.
    pub fn of(&mut self, run: &RunFolder, name: &str, stamp: Stamp) -> u64 {
        if !self.go_on(run, name, stamp) {
            *self = Self::default();
            self.go_on(run, name, stamp);
        }
        self.lines
    }

    fn go_on(&mut self, run: &RunFolder, name: &str, stamp: Stamp) -> bool {
        let Self { prefix, lines } = self;
        prefix.further(run, name, stamp, |more| {
            *lines += more.split(|&byte| byte == b'\n').count() as u64 - 1;
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    const NAME: &str = "games.csv";

    #[test]
    fn lines_are_counted_however_the_file_is_written() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("run");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("config.toml"), "").unwrap();
        let file = path.join(NAME);
        let mut count = LineCount::default();
        let mut counted = || {
            let run = RunFolder::find(scratch.path(), "run").unwrap();
            run.stamp(NAME).map_or(0, |stamp| count.of(&run, NAME, stamp))
        };
        let text = |lines: usize, word: &str| format!("{word}\n").repeat(lines);
        fs::write(&file, text(3, "a")).unwrap();
        assert_eq!(counted(), 3);
        // Appended to: a line counts once it is whole.
        let append = |text: &str| {
            let mut file = fs::File::options().append(true).open(&file).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        append("b");
        assert_eq!(counted(), 3);
        append("b\nc");
        assert_eq!(counted(), 4);
        append("\n");
        assert_eq!(counted(), 5);
        // Rewritten in place: longer, equally long, shorter.
        fs::write(&file, text(4, "longer")).unwrap();
        assert_eq!(counted(), 4);
        fs::write(&file, text(14, "d")).unwrap();
        assert_eq!(counted(), 14);
        fs::write(&file, text(7, "eee")).unwrap();
        assert_eq!(counted(), 7);
        fs::write(&file, "f\n").unwrap();
        assert_eq!(counted(), 1);
        // Replaced by another file that ends a line at the same byte.
        fs::write(&file, text(400, "g")).unwrap();
        assert_eq!(counted(), 400);
        fs::write(path.join("new"), text(402, "g")).unwrap();
        fs::rename(path.join("new"), &file).unwrap();
        assert_eq!(counted(), 402);
        fs::write(path.join("new"), format!("{}{}", text(399, "h"), text(3, "long line"))).unwrap();
        fs::rename(path.join("new"), &file).unwrap();
        assert_eq!(counted(), 402);
        fs::remove_file(&file).unwrap();
        assert_eq!(counted(), 0);
        fs::write(&file, "i").unwrap();
        assert_eq!(counted(), 0);
    }

    #[test]
    fn a_long_line_is_passed_whole() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("run");
        fs::create_dir(&path).unwrap();
        let line = format!("{}\n", "x".repeat(200_000));
        fs::write(path.join("config.toml"), line.repeat(3) + "rest").unwrap();
        let run = RunFolder::find(scratch.path(), "run").unwrap();
        let stamp = run.stamp("config.toml").unwrap();
        let mut text = Vec::new();
        let mut prefix = Prefix::default();
        assert!(prefix.further(&run, "config.toml", stamp, |more| text.extend_from_slice(more)));
        assert_eq!(text.len(), 3 * line.len());
        assert!(prefix.further(&run, "config.toml", stamp, |_| panic!("nothing was appended")));
    }
}
