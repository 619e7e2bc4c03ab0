//! No kind uses a file of another kind. Files that the kinds of one API share are beside them in the folder of the API, and
//! other APIs do not use them. Files that all kinds share are outside the folders of APIs, or in `toolbox`.

use std::collections::BTreeSet;

use inference::KINDS;
use native::files::workspace;

use crate::files::{self, Files};
use crate::rust;

const FOLDER: &str = "crates/inference/src";

/// The files that use every kind: the table of kinds, and the options.
const TABLES: [&str; 2] = ["lib.rs", "options.rs"];

#[test]
fn no_kind_uses_the_files_of_another() {
    let files = files::read(&workspace().join(FOLDER), "rs");
    let faults = faults(&files, &KINDS.rows.iter().map(|row| Kind { api: row.api, name: row.kind }).collect());
    assert!(faults.is_empty(), "{FOLDER}:\n{}", faults.join("\n"));
}

/// API and name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind<'k> {
    api: &'k str,
    name: &'k str,
}

/// The owner of a file: a kind, or an API whose kinds share it.
#[derive(Debug)]
struct Owner<'k> {
    api: &'k str,
    kind: Option<&'k str>,
}

/// The uses that are forbidden, and the kinds without files.
fn faults(files: &Files, kinds: &BTreeSet<Kind<'_>>) -> Vec<String> {
    let owned = |kind: &Kind<'_>| files.keys().filter_map(|file| owner(file, kinds)).any(|it| it.is(kind));
    let without_files = kinds.iter().filter(|kind| !owned(kind));
    let mut faults: Vec<String> =
        without_files.map(|kind| format!("{} of {} has neither a folder nor a file", kind.name, kind.api)).collect();
    for (file, used) in &rust::uses(files) {
        let user = owner(file, kinds);
        for (other, written) in used {
            let Some(owner) = owner(other, kinds) else { continue };
            if !may_use(file, user.as_ref(), &owner) {
                let whose = owner.kind.unwrap_or(owner.api);
                faults.push(format!("{file} uses {other}, which is {whose}'s alone: {written}"));
            }
        }
    }
    faults
}

/// The owner of a file, or `None` when it belongs to no API. The only kind of an API has the folder of the API.
fn owner<'k>(file: &str, kinds: &BTreeSet<Kind<'k>>) -> Option<Owner<'k>> {
    let module = rust::module(file);
    let folder = module.first()?;
    let of_api: Vec<Kind<'k>> = kinds.iter().filter(|kind| kind.api.replace('-', "_") == *folder).copied().collect();
    let kind = match of_api.as_slice() {
        [only] => Some(only),
        several => several
            .iter()
            .find(|kind| module.get(1).is_some_and(|name| name.replace('_', "") == kind.name.to_lowercase())),
    };
    Some(Owner { api: of_api.first()?.api, kind: kind.map(|kind| kind.name) })
}

/// Whether `file`, which belongs to `user`, may use a file that belongs to `owner`.
fn may_use(file: &str, user: Option<&Owner<'_>>, owner: &Owner<'_>) -> bool {
    let Some(user) = user else { return TABLES.contains(&file) };
    // The file of an API contains the table of its kinds.
    let table = rust::module(file).len() == 1;
    user.api == owner.api && (table || owner.kind.is_none() || user.kind == owner.kind)
}

impl Owner<'_> {
    fn is(&self, kind: &Kind<'_>) -> bool {
        self.api == kind.api && self.kind == Some(kind.name)
    }
}

#[test]
fn uses_between_kinds() {
    let kinds = [("fleet", "NodePool"), ("fleet", "Cluster"), ("llm-cache", "Cache")];
    let kinds = BTreeSet::from(kinds.map(|(api, name)| Kind { api, name }));
    let folders = ["fleet/cluster/read.rs", "fleet/node_pool/derive.rs", "fleet/shared.rs", "llm_cache/derive.rs"];
    // Checks a further file with this text: the use that is forbidden, if any.
    let check = |file: &str, text: &str, want: Option<&str>| {
        let mut files: Files = folders.iter().map(|name| ((*name).to_owned(), String::new())).collect();
        files.insert(file.to_owned(), text.to_owned());
        let want = want.map(|want| format!("{file} uses {want}"));
        assert_eq!(faults(&files, &kinds), Vec::from_iter(want), "{text}");
    };
    let pool = "use crate::fleet::node_pool::derive::A;";
    let pools = "fleet/node_pool/derive.rs, which is NodePool's alone: crate::fleet::node_pool::derive::A";
    let shared = "use crate::fleet::shared::A;";
    let shareds = "fleet/shared.rs, which is fleet's alone: crate::fleet::shared::A";
    let cache = "use crate::llm_cache::derive::A;";
    let caches = "llm_cache/derive.rs, which is Cache's alone: crate::llm_cache::derive::A";
    // A kind uses its own files, and those that its API shares.
    check("fleet/node_pool/render.rs", pool, None);
    check("fleet/node_pool.rs", pool, None);
    check("fleet/cluster/derive.rs", shared, None);
    check("fleet/cluster.rs", "use super::shared::A;", None);
    check("llm_cache/admit/sizes.rs", cache, None);
    check("fleet/cluster/derive.rs", "use crate::options::A; use toolbox::rule::Rule;", None);
    // It does not use another kind, of its own API or of another.
    check("fleet/cluster/derive.rs", pool, Some(pools));
    check("fleet/cluster.rs", pool, Some(pools));
    check("fleet/cluster/admit/claims.rs", "fn f() { crate::fleet::node_pool::derive::A }", Some(pools));
    let above = "fleet/node_pool/derive.rs, which is NodePool's alone: super::super::node_pool::derive";
    check("fleet/cluster/derive.rs", "use super::super::node_pool::derive;", Some(above));
    check("fleet/cluster/derive.rs", cache, Some(caches));
    check("llm_cache/derive.rs", pool, Some(pools));
    check("fleet/cluster/derive.rs", "#[cfg(test)] use crate::fleet::node_pool::derive::A;", None);
    // It does not use what another API shares.
    check("llm_cache/derive.rs", shared, Some(shareds));
    // Shared files do not use kinds.
    check("fleet/sizes.rs", shared, None);
    check("fleet/sizes.rs", pool, Some(pools));
    check("fleet/sizes.rs", cache, Some(caches));
    check("clouds.rs", shared, Some(shareds));
    // Tables use all kinds.
    check("fleet.rs", pool, None);
    check("fleet.rs", cache, Some(caches));
    check("lib.rs", cache, None);
    check("options.rs", shared, None);
}

#[test]
fn kinds_without_files() {
    let files = Files::from([("fleet/shared.rs".to_owned(), String::new()), ("cache.rs".to_owned(), String::new())]);
    let check = |kinds: &[(&str, &str)], want: &[&str]| {
        let kinds = kinds.iter().map(|(api, name)| Kind { api, name }).collect();
        assert_eq!(faults(&files, &kinds), want);
    };
    check(&[("cache", "Cache")], &[]);
    check(&[("fleet", "NodePool"), ("fleet", "Shared")], &["NodePool of fleet has neither a folder nor a file"]);
    check(&[("store", "Store")], &["Store of store has neither a folder nor a file"]);
}
