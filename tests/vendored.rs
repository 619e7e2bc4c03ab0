//! Definitions of others are packed as `toolbox::packed` packs them, and with `SAILPLANE_VENDORED` they are those of the releases:
//! the folder has the files of each Go module.

use std::fs;
use std::path::Path;

use inference::vendored::{RELEASES, VendoredRelease};
use native::files::{bless, workspace};
use native::golden::documents;
use serde_json::Value;
use toolbox::packed::{pack, unpack};

/// The definitions of a release in a folder, as they are composed: without what the API server owns.
fn released(release: &VendoredRelease, folder: &Path) -> Vec<Value> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.join(release.file).join(release.folder)).expect("a folder of definitions") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a file");
        found.extend(documents(&text).expect("YAML"));
    }
    found.retain(|object| object["kind"] == "CustomResourceDefinition");
    for object in &mut found {
        object.as_object_mut().and_then(|fields| fields.remove("status"));
        object["metadata"].as_object_mut().and_then(|fields| fields.remove("creationTimestamp"));
    }
    found.sort_by_key(|object| object["metadata"]["name"].as_str().map(str::to_owned));
    found
}

#[test]
fn definitions_are_packed() {
    for release in RELEASES {
        let file = workspace().join("crates/inference/src/vendored").join(release.file);
        let packed = match std::env::var_os("SAILPLANE_VENDORED") {
            Some(folder) => pack(&released(release, Path::new(&folder))),
            None => pack(&unpack(&fs::read_to_string(&file).expect("a packed file"))),
        };
        let difference = bless(&file, &packed).err().unwrap_or_default();
        assert!(difference.is_empty(), "{difference}");
    }
}
