//! Links lead somewhere.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use tests::documents::{self, Document, Link};
use tests::files::workspace;

use crate::none_wrong;

#[test]
fn lead_somewhere() {
    let documents = documents::all();
    let mut wrong = Vec::new();
    for document in &documents {
        for link in document.links.iter().filter(|link| !is_external(link)) {
            let found = follow(&documents, document, link);
            wrong.extend(found.err().map(|what| format!("{}:{}: {what}", document.path, link.line)));
        }
        for (line, html) in document.html.iter().filter(|(_, html)| !is_plain(html)) {
            wrong.push(format!("{}:{line}: `{}` is no plain Markdown", document.path, html.trim()));
        }
    }
    none_wrong(&wrong);
}

/// Whoever looks for something begins at the index.
#[test]
fn the_index_has_every_page() {
    let index = documents::read("docs/README.md");
    let linked: BTreeSet<_> = index.links.iter().map(|link| resolve(&index, file_of(&link.target))).collect();
    let pages = documents::all().into_iter().map(|document| document.path);
    let pages = pages.filter(|path| path.starts_with("docs/") && *path != index.path);
    let missing: Vec<_> = pages.filter(|path| !linked.contains(Path::new(path))).collect();
    none_wrong(&missing);
}

/// What leads out of the project answers. Run by `make links`, since it needs the whole network.
#[test]
#[ignore = "it needs the whole network"]
fn lead_out() {
    let documents = documents::all();
    let links = documents.iter().flat_map(|document| &document.links).filter(|link| is_external(link));
    let addresses: BTreeSet<_> = links.map(|link| file_of(&link.target)).collect();
    let mut wrong = Vec::new();
    for address in &addresses {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--fail", "--location", "--max-time", "30", "--retry", "2"]);
        let done = curl.args(["--output", "/dev/null", address]).output().expect("curl can be run");
        let said = String::from_utf8_lossy(&done.stderr);
        println!("{} {address}", if done.status.success() { "answers" } else { "FAILED " });
        wrong.extend(
            (!done.status.success()).then(|| format!("{address}: {}", said.lines().next_back().unwrap_or_default())),
        );
    }
    none_wrong(&wrong);
    assert!(!addresses.is_empty());
}

/// Whether Markdown has no other way to say it: notes to who changes the file, and lines within a table's cell.
fn is_plain(html: &str) -> bool {
    html == "<br>" || html.trim_start().starts_with("<!--")
}

fn is_external(link: &Link) -> bool {
    link.target.starts_with("https://")
}

fn follow(documents: &[Document], from: &Document, link: &Link) -> Result<(), String> {
    let path = resolve(from, file_of(&link.target));
    if !workspace().join(&path).exists() {
        return Err(format!("`{}` does not exist", link.target));
    }
    if link.image && link.text.len() < 20 {
        return Err(format!("the picture `{}` has no description", link.target));
    }
    let Some((_, anchor)) = link.target.split_once('#') else { return Ok(()) };
    let target = documents.iter().find(|document| Path::new(&document.path) == path);
    let found = target.is_some_and(|target| target.anchors.iter().any(|it| it == anchor));
    if found { Ok(()) } else { Err(format!("`{}` has no such heading", link.target)) }
}

/// What a link names, without the place in it.
fn file_of(target: &str) -> &str {
    target.split('#').next().unwrap_or_default()
}

/// Where a link leads, from the root of the checkout.
fn resolve(from: &Document, file: &str) -> PathBuf {
    if file.is_empty() {
        return PathBuf::from(&from.path);
    }
    let mut path = Path::new(&from.path).parent().map(Path::to_owned).unwrap_or_default();
    for component in Path::new(file).components() {
        match component {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}
