//! Writes what fuzzing starts from: the golden corpus as protobuf requests into one folder, for `fuzz-function`, and
//! device selectors into another, for `fuzz-cel`.

use std::path::PathBuf;
use std::{env, fs, io};

use prost::Message as _;

fn main() -> io::Result<()> {
    let folder = folder(1)?;
    for case in tests::golden::cases()? {
        let request = tests::function::from_domain(&case.request);
        fs::write(folder.join(case.name.replace('/', "-")), request.encode_to_vec())?;
    }
    let folder = self::folder(2)?;
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../crates/cel/tests/devices.json"))?;
    for (index, case) in vectors["cases"].as_array().into_iter().flatten().enumerate() {
        fs::write(folder.join(index.to_string()), case["expr"].as_str().unwrap_or_default())?;
    }
    Ok(())
}

/// The folder that an argument names, made if it is not there.
fn folder(argument: usize) -> io::Result<PathBuf> {
    let folder = env::args_os().nth(argument);
    let folder: PathBuf = folder.ok_or_else(|| io::Error::other("which folders should be written to?"))?.into();
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
