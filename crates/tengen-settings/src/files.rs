//! Reading of files that a user names. All of them are read by these functions.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes: larger than any settings or game record,
/// and small enough to fit in memory.
const MAX_BYTES: u64 = 256 << 20;

/// Reads all bytes of the regular file `path`; `-` is the standard input.
///
/// A pipe or a device is refused before it is opened, since a pipe without a writer
/// blocks and a device may have no end. Pipes that the shell has opened for this
/// process, as `<(command)` does, are read. Refuses a file larger than 2²⁸ bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return read_bounded(io::stdin().lock());
    }
    check(path, &fs::metadata(path)?)?;
    read_bounded(File::open(path)?)
}

/// Reads the regular file `path` as text, in the way of [`read`].
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the text is not UTF-8"))
}

/// Refuses a path that is neither a regular file nor a pipe that is open already.
fn check(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let fault = |fault: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, fault));
    if metadata.is_dir() {
        fault("it is a folder")
    } else if metadata.is_file() || is_open_pipe(path, metadata) {
        Ok(())
    } else {
        fault("it is a pipe or a device: expected a regular file")
    }
}

#[cfg(unix)]
fn is_open_pipe(path: &Path, metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_ours = path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    is_ours && metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_open_pipe(_: &Path, _: &Metadata) -> bool {
    false
}

fn read_bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger than 256 MiB"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "text").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "text");
        fs::write(&path, b"\xff").unwrap();
        assert!(read_to_string(&path).unwrap_err().to_string().contains("UTF-8"));
        let fault = read(folder.path()).unwrap_err().to_string();
        assert!(fault.contains("folder"), "{fault}");
        let absent = read(&folder.path().join("absent")).unwrap_err();
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_that_would_fill_the_memory_is_refused() {
        let fault = read_bounded(io::repeat(b'x')).unwrap_err().to_string();
        assert!(fault.contains("256 MiB"), "{fault}");
    }
}
