//! Lists the files of folders.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::exclusions::Exclusions;
use crate::foreign::visible;

/// The extensions of the files that are read from folders.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];

/// The file that makes a folder a Helm chart. What is beside it are templates, which are no manifests.
const CHART: &str = "Chart.yaml";

/// The YAML and JSON files in a folder and its folders, sorted. Leaves out hidden folders, such as `.git`, what is ignored,
/// and Helm charts, which it mentions on standard error.
pub(super) fn list(folder: &Path, ignored: &Exclusions) -> Result<Vec<PathBuf>> {
    let mut listing = Listing::default();
    listing.add(folder, ignored)?;
    let Listing { mut files, left_out } = listing;
    let name = folder.display();
    ensure!(
        !files.is_empty() || left_out > 0,
        "no YAML or JSON files in folder {name}; their names end with .yaml, .yml or .json"
    );
    if files.is_empty() {
        eprintln!("note: nothing is left of folder {}", visible(&name.to_string()));
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Listing {
    files: Vec<PathBuf>,
    /// How many files and folders are left out.
    left_out: usize,
}

impl Listing {
    /// Adds what is in a folder. It does not follow links to folders, which could form a circle.
    fn add(&mut self, folder: &Path, ignored: &Exclusions) -> Result<()> {
        if folder.join(CHART).is_file() {
            let name = folder.display().to_string();
            eprintln!(
                "note: {} is left out: it is a Helm chart; check what `helm template` makes of it",
                visible(&name)
            );
            self.left_out += 1;
            return Ok(());
        }
        let ignored = ignored.within(folder)?;
        let wrong = || format!("cannot read folder {}", folder.display());
        for entry in fs::read_dir(folder).with_context(wrong)? {
            let entry = entry.with_context(wrong)?;
            let path = entry.path();
            let is_folder = entry.file_type().with_context(wrong)?.is_dir();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let wanted = if is_folder { !hidden } else { ENDINGS.contains(&ending) && path.is_file() };
            if !wanted {
                continue;
            }
            if ignored.leaves_out(&path, is_folder) {
                self.left_out += 1;
            } else if is_folder {
                self.add(&path, &ignored)?;
            } else {
                self.files.push(path);
            }
        }
        Ok(())
    }
}
