//! The `ImageConfig`s that documents show lead Crossplane to every package, dependencies included: to where the commands
//! beside them put it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tests::documents;
use tests::files::workspace;
use tests::golden;

use crate::none_wrong;

const PAGE: &str = "docs/install.md";
/// The registries of packages: ours, and that of the providers that Modelplane's API depends on.
const PUBLIC: [&str; 2] = ["xpkg.crossplane.io/", "xpkg.upbound.io/"];

/// The section, where its command puts a package, and the packages that it is about: how their names begin.
const ROWS: &[(&str, &str, &str)] = &[
    ("mirror", "mirror.example.org/", "xpkg."),
    ("publish-packages-of-your-own", "registry.example.org/", "xpkg.crossplane.io/sailplane/"),
];

#[test]
fn lead_to_every_package() {
    let packages = references();
    let page = documents::read(PAGE);
    let mut wrong = Vec::new();
    for (section, registry, begins) in ROWS {
        let blocks = page.blocks.iter().filter(|block| block.anchor == *section);
        let (yaml, commands): (Vec<_>, Vec<_>) = blocks.partition(|block| block.language == "yaml");
        let objects: Vec<Value> =
            yaml.iter().flat_map(|block| golden::documents(&block.text).expect("it is checked")).collect();
        let named = registry.trim_end_matches('/');
        assert!(commands.iter().any(|block| block.text.contains(named)), "no command of {section} has {named}");
        for package in packages.iter().filter(|package| package.starts_with(begins)) {
            let (_registry, path) = package.split_once('/').expect("it has a registry");
            let (found, put) = (rewritten(&objects, package), format!("{registry}{path}"));
            if found.as_ref() != Some(&put) {
                wrong.push(format!("{PAGE}#{section}: {package} is led to {found:?}, and put at {put}"));
            }
        }
    }
    none_wrong(&wrong);
    assert!(packages.len() > 3, "{packages:?}");
}

/// Where Crossplane pulls a package from: the longest prefix that matches is replaced.
fn rewritten(objects: &[Value], package: &str) -> Option<String> {
    let rewriting = objects.iter().filter(|object| object["spec"]["rewriteImage"].is_object());
    let prefixes = rewriting.flat_map(|object| {
        let prefixes = object["spec"]["matchImages"].as_array().into_iter().flatten();
        prefixes.filter_map(|it| Some((it["prefix"].as_str()?, object["spec"]["rewriteImage"]["prefix"].as_str()?)))
    });
    let (from, to) = prefixes.filter(|(from, _)| package.starts_with(from)).max_by_key(|(from, _)| from.len())?;
    Some(package.replacen(from, to, 1))
}

/// What `package/` names in the registries, without versions.
fn references() -> BTreeSet<String> {
    let mut text = String::new();
    read(&workspace().join("package"), &mut text);
    let end = |it: char| !(it.is_ascii_alphanumeric() || ['-', '/', '.', '_'].contains(&it));
    let begins = PUBLIC.iter().flat_map(|registry| text.match_indices(registry));
    let references = begins.map(|(at, _)| text[at..].split(end).next().unwrap_or_default());
    references.map(str::to_owned).collect()
}

/// Appends the text of every file below `folder`.
fn read(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, text);
        } else {
            text.push_str(&fs::read_to_string(&path).expect("a text"));
        }
    }
}
