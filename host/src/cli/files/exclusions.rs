//! Files that are left out: by `--ignore`, and by files called [`NAME`] with patterns as in `.gitignore`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use globset::{GlobBuilder, GlobMatcher};

use crate::cli::report::Mistake;
use crate::read::{self, MAX_TEXT};

/// The file with the patterns of a folder.
pub(in crate::cli) const NAME: &str = ".sailplaneignore";

/// A pattern as in `.gitignore`: without a slash it is a name at any depth, with one it is a path in the folder. With a
/// slash at the end it is a folder, and with `!` at the beginning it takes files in again.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Pattern {
    glob: GlobMatcher,
    takes_in: bool,
    only_folders: bool,
}

impl FromStr for Pattern {
    type Err = globset::Error;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        let (takes_in, rest) = written.strip_prefix('!').map_or((false, written), |rest| (true, rest));
        let (only_folders, rest) = rest.strip_suffix('/').map_or((false, rest), |rest| (true, rest));
        let anchored = rest.trim_start_matches("./");
        let glob = if rest.contains('/') { anchored.trim_start_matches('/').to_owned() } else { format!("**/{rest}") };
        let glob = GlobBuilder::new(&glob).literal_separator(true).build()?.compile_matcher();
        Ok(Self { glob, takes_in, only_folders })
    }
}

/// The patterns that count in a folder: those of the command line, of the folder, and of the folders around it.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Exclusions {
    /// The patterns of the command line.
    given: Arc<[Pattern]>,
    /// Patterns, with the folder that their paths begin in. The last one that matches counts.
    patterns: Vec<(PathBuf, Arc<[Pattern]>)>,
}

impl Exclusions {
    /// The patterns of the command line and of the working directory.
    ///
    /// # Errors
    /// When the file of the working directory cannot be read.
    pub(in crate::cli) fn of(given: &[Pattern]) -> Result<Self> {
        let ignored = Self { given: given.into(), ..Self::default() };
        let given = Arc::clone(&ignored.given);
        Ok(ignored.within(Path::new(""))?.and(Path::new(""), given))
    }

    /// Also with the patterns of the command line as paths in `folder`.
    pub(super) fn below(&self, folder: &Path) -> Self {
        self.clone().and(folder, Arc::clone(&self.given))
    }

    /// Also with the patterns of the file in `folder`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn within(&self, folder: &Path) -> Result<Self> {
        let file = folder.join(NAME);
        if !file.is_file() {
            return Ok(self.clone());
        }
        let name = file.display().to_string();
        let bytes = read::file(&file, MAX_TEXT).with_context(|| format!("cannot read {name}"))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let pattern = |(line, written): (u32, &str)| {
            let wrong = |error: globset::Error| Mistake {
                name: name.clone(),
                text: text.clone(),
                line,
                column: 1,
                message: error.kind().to_string(),
            };
            Ok(written.trim().parse::<Pattern>().map_err(wrong)?)
        };
        let patterns = lines.map(pattern).collect::<Result<Vec<_>>>()?;
        Ok(self.clone().and(folder, patterns.into()))
    }

    /// Whether a file or folder is left out.
    pub(super) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let matching = |(base, patterns): &(PathBuf, Arc<[Pattern]>)| {
            let path = path.strip_prefix(".").unwrap_or(path);
            let path = path.strip_prefix(base.strip_prefix(".").unwrap_or(base)).ok()?;
            let fits = |pattern: &&Pattern| (is_folder || !pattern.only_folders) && pattern.glob.is_match(path);
            patterns.iter().rev().find(fits).map(|pattern| !pattern.takes_in)
        };
        self.patterns.iter().rev().find_map(matching).unwrap_or(false)
    }

    fn and(mut self, folder: &Path, patterns: Arc<[Pattern]>) -> Self {
        self.patterns.push((folder.to_owned(), patterns));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        //    patterns                      path              folder  left out
        for (patterns, path, is_folder, expected) in [
            (&["*.json"][..], "a/b.json", false, true),
            (&["*.json"], "a/b.yaml", false, false),
            (&["values*.yaml"], "a/b/values-dev.yaml", false, true),
            (&["charts"], "a/charts", true, true),
            (&["charts/"], "charts", false, false),
            (&["a/*.yaml"], "a/b.yaml", false, true),
            (&["a/*.yaml"], "a/b/c.yaml", false, false),
            (&["a/**"], "a/b/c.yaml", false, true),
            (&["/b.yaml"], "b.yaml", false, true),
            (&["/b.yaml"], "a/b.yaml", false, false),
            (&["./a/b.yaml"], "./a/b.yaml", false, true),
            (&["*.yaml", "!b.yaml"], "b.yaml", false, false),
            (&["!b.yaml", "*.yaml"], "b.yaml", false, true),
        ] {
            let given: Vec<Pattern> = patterns.iter().map(|it| it.parse().unwrap()).collect();
            let ignored = Exclusions::default().and(Path::new(""), given.into());
            assert_eq!(ignored.leaves_out(Path::new(path), is_folder), expected, "{patterns:?} {path}");
        }
        assert!("a[".parse::<Pattern>().is_err());
    }
}
