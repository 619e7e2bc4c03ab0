//! Source files, and which file uses which.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The texts of files, by their paths in a folder.
pub(crate) type Files = BTreeMap<String, String>;

/// For each file the files that it uses, and how the first use of each is written.
pub(crate) type Uses = BTreeMap<String, BTreeMap<String, String>>;

/// The files of a folder with an extension.
pub(crate) fn read(folder: &Path, extension: &str) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                let name = path.strip_prefix(folder).expect("a path in the folder").display().to_string();
                files.insert(name, fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    files
}
