//! The name of a type is unique in its crate, so that a name in a message, in a search or in a review means one thing.

use std::collections::BTreeMap;

use native::files::workspace;

use crate::files::{self, Files};
use crate::{edges, rust};

#[test]
fn names_of_types_are_unique_in_a_crate() {
    let mut faults = Vec::new();
    // The host is there twice: the tests build its binary too.
    for folder in edges::folders().into_iter().filter(|folder| !folder.contains("..")) {
        let files = files::read(&workspace().join(&folder), "rs");
        assert!(!files.is_empty(), "{folder} has no files");
        faults.extend(repeated(&files).into_iter().map(|fault| format!("{folder}: {fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The names that several types have, each with the files of these types.
fn repeated(files: &Files) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, text) in files {
        for name in rust::types(text) {
            places.entry(name).or_default().push(file);
        }
    }
    places.retain(|_, files| files.len() > 1);
    places.into_iter().map(|(name, files)| format!("`{name}` in {}", files.join(", "))).collect()
}

#[test]
fn names_that_are_repeated() {
    let check = |files: &[(&str, &str)], want: &[&str]| {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(repeated(&files), want, "{files:#?}");
    };
    check(&[("a.rs", "struct A; enum B {} trait C {} type D = A;"), ("b.rs", "struct E;")], &[]);
    check(&[("a.rs", "pub struct A<'a>(&'a str);"), ("b.rs", "pub(crate) enum A { B }")], &["`A` in a.rs, b.rs"]);
    check(&[("a.rs", "trait A {}"), ("b.rs", "type A = u8;"), ("c.rs", "union A {}")], &["`A` in a.rs, b.rs, c.rs"]);
    // Types in modules of a file count, those in tests and comments do not.
    check(&[("a.rs", "struct A; mod b { struct A; }")], &["`A` in a.rs, a.rs"]);
    check(&[("a.rs", "struct A; #[cfg(test)] mod tests { struct A; } // struct A;")], &[]);
    // Neither do associated types, nor types in functions.
    check(&[("a.rs", "impl A for B { type C = u8; } impl A for D { type C = u8; }")], &[]);
    check(&[("a.rs", "fn f() { struct A; } fn g() { struct A; }")], &[]);
}
