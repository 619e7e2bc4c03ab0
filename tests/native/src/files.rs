//! Files with expected texts.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}

/// The folder with the schemas of other projects, which are not part of this one: the one that `SAILPLANE_CRDS` names, or
/// `../shared/crds`. It may not be there.
pub fn schemas() -> PathBuf {
    env::var_os("SAILPLANE_CRDS").map_or_else(|| workspace().join("../shared/crds"), PathBuf::from)
}

/// Compares `actual` with the file at `path`. With `BLESS=1` in the environment, writes it to the file instead.
///
/// # Errors
/// When the texts differ: both texts, and what to do.
pub fn bless(path: &Path, actual: &str) -> Result<(), String> {
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    if env::var_os("BLESS").is_some() {
        let folder = path.parent().unwrap_or(path);
        return fs::create_dir_all(folder).and_then(|()| fs::write(path, actual)).map_err(|error| error.to_string());
    }
    let path = path.strip_prefix(workspace()).unwrap_or(path).display();
    Err(format!("{path} differs; BLESS=1 rewrites it\n--- expected\n{expected}\n--- actual\n{actual}"))
}
