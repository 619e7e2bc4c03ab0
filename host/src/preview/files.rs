//! The files of the page, from the binary or from a folder.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::read;

/// The largest file of the page, in bytes.
pub(super) const MAX_FILE: usize = 64 << 20;

/// The paths and contents of the files in the binary.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// How the content of a file is coded for the way to the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    /// Its name in HTTP.
    pub(super) name: &'static str,
    /// How the name of such a copy ends.
    ending: &'static str,
}

/// The codings of the copies that `make web` writes beside the files, the smallest copies first.
const CODINGS: [Coding; 2] = [Coding { name: "br", ending: ".br" }, Coding { name: "gzip", ending: ".gz" }];

/// The codings that a client accepts, of those that there are copies in. `accepted` is the value of its `Accept-Encoding`.
pub(super) fn codings(accepted: &str) -> impl Iterator<Item = Coding> {
    let accepts = |coding: &Coding| {
        accepted.split(',').any(|listed| {
            let (name, quality) = listed.split_once(';').unwrap_or((listed, ""));
            // A weight of zero, which may have decimals, is a refusal.
            let weight = quality.trim().strip_prefix("q=");
            let refuses = weight.is_some_and(|weight| weight.chars().all(|c| matches!(c, '0' | '.')));
            name.trim().eq_ignore_ascii_case(coding.name) && !refuses
        })
    };
    CODINGS.into_iter().filter(accepts)
}

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

    /// The same as [`Files::read`], in the first of these codings that there is a copy in; otherwise as it is.
    pub(super) fn read_coded(
        &self,
        path: &str,
        codings: impl IntoIterator<Item = Coding>,
    ) -> Option<(Cow<'static, [u8]>, Option<Coding>)> {
        let copy = |coding: Coding| Some((self.read(&format!("{path}{}", coding.ending))?, Some(coding)));
        codings.into_iter().find_map(copy).or_else(|| Some((self.read(path)?, None)))
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

    #[test]
    fn codings_that_are_accepted() {
        for (accepted, names) in [
            ("gzip, deflate, br, zstd", &["br", "gzip"][..]),
            ("GZIP", &["gzip"]),
            ("br;q=0.5,gzip; q=1.0", &["br", "gzip"]),
            ("br;q=0, gzip", &["gzip"]),
            ("br; q=0.000, gzip; q=0.001", &["gzip"]),
            ("identity", &[]),
            ("", &[]),
        ] {
            assert_eq!(codings(accepted).map(|coding| coding.name).collect::<Vec<_>>(), names, "{accepted}");
        }
    }
}
