//! The files of the page, from the binary or from a folder.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::read;

/// The largest file of the page, in bytes.
const MAX_FILE: usize = 64 << 20;

/// The paths and contents of the files in the binary.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The files: of the folder, or without a folder those in the binary.
#[derive(Clone, Debug)]
pub(super) struct Files(Option<PathBuf>);

impl Files {
    /// The files in the binary. There are none when it was built without the page.
    pub(super) fn embedded() -> Self {
        Self(None)
    }

    /// The files in a folder. They are read for each request.
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        Self(Some(folder))
    }

    /// The content of the file at the relative path `path`. `None` when there is none, or when the path leaves the
    /// folder.
    pub(super) fn read(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match &self.0 {
            None => EMBEDDED.iter().find(|(name, _)| *name == path).map(|(_, content)| Cow::Borrowed(*content)),
            Some(folder) if stays_inside(path) => read::file(&folder.join(path), MAX_FILE).ok().map(Cow::Owned),
            Some(_) => None,
        }
    }
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
