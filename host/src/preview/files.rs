//! The files of the page, from the binary or from a folder.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::read;

/// The largest file of the page, in bytes.
pub(super) const MAX_FILE: usize = 64 << 20;

/// The paths and contents of the files in the binary.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The files: of the folder, or without a folder those in the binary.
#[derive(Clone, Debug)]
pub(super) struct Files(Option<Arc<Path>>);

impl Files {
    /// The files in the binary. There are none when it was built without the page.
    pub(super) fn embedded() -> Self {
        Self(None)
    }

    /// The files in a folder. They are read for each request.
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self(Some(folder.into()))
    }

    /// The content of the file at the relative path `path`. `None` when there is none, or when the path leaves the
    /// folder.
    pub(super) fn read(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match &self.0 {
            None => EMBEDDED.iter().find(|(name, _)| *name == path).map(|(_, content)| Cow::Borrowed(*content)),
            Some(folder) => read::file(&inside(folder, path)?, MAX_FILE).ok().map(Cow::Owned),
        }
    }
}

/// Where the file is, without symbolic links. `None` when there is none, or when a link leads out of the folder.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    if !stays_inside(path) {
        return None;
    }
    let (folder, file) = (folder.canonicalize().ok()?, folder.join(path).canonicalize().ok()?);
    file.starts_with(folder).then_some(file)
}

fn stays_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_stay_inside() {
        for (path, inside) in [
            ("index.html", true),
            ("assets/a.js", true),
            ("../Cargo.toml", false),
            ("assets/../../Cargo.toml", false),
            ("/etc/passwd", false),
        ] {
            assert_eq!(stays_inside(path), inside, "{path}");
        }
    }
}
