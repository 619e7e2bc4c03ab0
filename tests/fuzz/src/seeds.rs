//! Writes the golden corpus as protobuf requests into a folder, for `fuzz-function` to start from.

use std::path::PathBuf;
use std::{env, fs, io};

use prost::Message as _;

fn main() -> io::Result<()> {
    let folder: PathBuf =
        env::args_os().nth(1).ok_or_else(|| io::Error::other("which folder should the seeds be written to?"))?.into();
    fs::create_dir_all(&folder)?;
    for case in tests::golden::cases()? {
        let request = tests::function::from_domain(&case.request);
        fs::write(folder.join(case.name.replace('/', "-")), request.encode_to_vec())?;
    }
    Ok(())
}
