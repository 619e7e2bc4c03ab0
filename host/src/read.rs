//! Reads files of bounded size.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

/// The largest text that is read, in bytes. Modules accept no larger one.
pub(crate) const MAX_TEXT: usize = yaml::limits::MAX_TEXT;

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// When it cannot be read, is larger, or is no regular file: a device has no end, and a named pipe may never have a writer.
pub(crate) fn file(path: &Path, most: usize) -> Result<Vec<u8>> {
    match fs::metadata(path)?.file_type() {
        kind if kind.is_file() => to_end(File::open(path)?, most),
        kind if kind.is_dir() => Err(Error::from(ErrorKind::IsADirectory)),
        _ => Err(refused(NO_FILE)),
    }
}

/// Whether a file that a library reads whole is a regular file of at most `most` bytes, or a pipe.
///
/// # Errors
/// When it is larger, or has no end. None when it cannot be looked at: the library says why.
pub(crate) fn can_be_read(path: &Path, most: usize) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && usize::try_from(found.len()).is_ok_and(|length| length <= most) => Ok(()),
        Ok(found) if found.is_file() => Err(refused(&too_large(most))),
        Ok(found) if found.is_dir() || found.file_type().is_fifo() => Ok(()),
        Ok(_) => Err(refused(NO_FILE)),
        Err(_) => Ok(()),
    }
}

/// Like [`file`], and reads pipes too: shells pass the output of commands in pipes, as in `check <(kustomize build)`.
///
/// # Errors
/// As [`file`].
pub(crate) fn file_or_pipe(path: &Path, most: usize) -> Result<Vec<u8>> {
    if fs::metadata(path)?.file_type().is_fifo() { to_end(File::open(path)?, most) } else { file(path, most) }
}

/// Reads to the end, at most `most` bytes.
///
/// # Errors
/// When there is more, or reading fails.
pub(crate) fn to_end(reader: impl Read, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(refused(&too_large(most)));
    }
    Ok(bytes)
}

const NO_FILE: &str = "it is a device, a pipe or a socket, not a file";

fn too_large(most: usize) -> String {
    format!("it has more than {most} bytes")
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let error = |path: &str| file_or_pipe(Path::new(path), 10).unwrap_err().to_string();
        assert_eq!(error("/dev/zero"), "it is a device, a pipe or a socket, not a file");
        assert_eq!(error("Cargo.toml"), "it has more than 10 bytes");
        let looked_at = |path: &str| can_be_read(Path::new(path), 10).map_err(|error| error.to_string());
        assert_eq!(looked_at("/dev/zero"), Err(error("/dev/zero")));
        assert_eq!(looked_at("Cargo.toml"), Err("it has more than 10 bytes".to_owned()));
        assert_eq!(looked_at("not there"), Ok(()));
        assert_eq!(file(Path::new("src"), 10).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(to_end(std::io::repeat(b'a'), 10).unwrap_err().to_string(), "it has more than 10 bytes");
        assert_eq!(to_end(&b"0123456789"[..], 10).unwrap().len(), 10);
    }
}
