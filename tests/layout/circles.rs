//! The files of a crate, or of the page, do not use each other in a circle. So each file can be read, and moved, with only
//! the files that it uses. A module and its parent module are two files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use native::files::workspace;

use crate::files::{self, Files, Uses};
use crate::{edges, rust, typescript};

/// An exception: files that have to use each other.
struct Exception {
    folder: &'static str,
    /// All files of the circle, sorted.
    files: &'static [&'static str],
    because: &'static str,
}

const EXCEPTIONS: &[Exception] = &[];

/// The folder with TypeScript. The folders with Rust are those of the crates.
const PAGE: &str = "host/web/src";

#[test]
fn no_files_use_one_another_in_a_circle() {
    let rust = edges::folders().into_iter().map(|folder| (folder, Language::Rust));
    let uses: Vec<(String, Uses)> = rust
        .chain([(PAGE.to_owned(), Language::TypeScript)])
        .map(|(folder, language)| {
            let files = files::read(&workspace().join(&folder), language.extension());
            assert!(!files.is_empty(), "{folder} has no files");
            (folder, language.uses(&files))
        })
        .collect();
    let faults = faults(&uses, EXCEPTIONS);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The circles that no exception allows, and the exceptions for which there is no circle.
fn faults(folders: &[(String, Uses)], exceptions: &[Exception]) -> Vec<String> {
    let (mut faults, mut allowed) = (Vec::new(), BTreeSet::new());
    for (folder, uses) in folders {
        for circle in circles(uses) {
            let files: Vec<&str> = circle.iter().map(String::as_str).collect();
            let row = exceptions.iter().position(|row| row.folder == folder && row.files == files);
            if row.is_none() {
                faults.push(format!("{folder}: a circle of {}", shown(&circle, uses)));
            }
            allowed.extend(row);
        }
    }
    for (index, Exception { folder, files, because }) in exceptions.iter().enumerate() {
        if !allowed.contains(&index) {
            faults.push(format!("{folder}: {} are no circle, or not all of it ({because})", files.join(", ")));
        }
    }
    faults
}

#[derive(Clone, Copy)]
enum Language {
    Rust,
    TypeScript,
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::TypeScript => "ts",
        }
    }

    fn uses(self, files: &Files) -> Uses {
        match self {
            Self::Rust => rust::uses(files),
            Self::TypeScript => typescript::uses(files),
        }
    }
}

/// The largest sets of files in which each file reaches all others.
fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = uses.keys().map(|file| (file, reached(file, uses))).collect();
    let mut circles: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for (file, others) in &reached {
        let back = others.iter().filter(|other| reached.get(*other).is_some_and(|others| others.contains(file)));
        circles.insert(back.map(|other| (*other).clone()).collect());
    }
    circles.into_iter().filter(|circle| !circle.is_empty()).collect()
}

/// The files that a file reaches: those that it uses, those that these use, and so on.
fn reached<'u>(file: &String, uses: &'u Uses) -> BTreeSet<&'u String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&'u String> = uses.get(file).into_iter().flat_map(BTreeMap::keys).collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(uses.get(file).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

/// The files of a circle, and their uses of each other.
fn shown(circle: &BTreeSet<String>, uses: &Uses) -> String {
    let mut text = format!("{} files\n", circle.len());
    for (file, used) in uses.iter().filter(|(file, _)| circle.contains(*file)) {
        for (other, written) in used.iter().filter(|(other, _)| circle.contains(*other)) {
            writeln!(text, "  {file} uses {other}: {written}").expect("memory");
        }
    }
    text
}

/// Compares the circles among `files`, which are names and texts. A circle is a list of its files.
fn check(language: Language, files: &[(&str, &str)], want: &[&str]) {
    let texts = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let uses = language.uses(&texts);
    let found: Vec<String> =
        circles(&uses).into_iter().map(|circle| circle.into_iter().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(found, want, "{files:#?}\n{uses:#?}");
}

#[test]
fn circles_of_rust() {
    let check = |files: &[(&str, &str)], want: &[&str]| check(Language::Rust, files, want);
    let both = ["a.rs b.rs"];
    // Ways to write a use.
    check(&[("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "use std::fmt;")], &[]);
    check(&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::{self, A};")], &both);
    check(&[("a.rs", "use super::b;"), ("b.rs", "pub(crate) use super::{x::Y, a::{A, B as C}};")], &both);
    check(&[("a.rs", "fn f() { crate::b::g::<u8>() }"), ("b.rs", "fn g() -> super::a::A {}")], &both);
    check(&[("a.rs", "use {crate::b::*};"), ("b.rs", "fn g(a: &mut $crate::a::A) {}")], &both);
    // Uses through imported modules.
    let deep = ("b/c.rs", "use crate::a;");
    check(&[("a.rs", "use crate::b; fn f() { b::c::g() }"), ("b.rs", "pub mod c;"), deep], &["a.rs b/c.rs"]);
    check(&[("a.rs", "use crate::b as d; fn f() { d::c::g() }"), ("b.rs", ""), deep], &["a.rs b/c.rs"]);
    check(&[("a.rs", "fn f() { b::c::g() }"), ("b.rs", ""), deep], &[]);
    // A module and its child modules.
    check(&[("a.rs", "mod b;"), ("a/b.rs", "use super::A;")], &[]);
    check(&[("a.rs", "mod b; pub use b::B;"), ("a/b.rs", "use super::A;")], &["a.rs a/b.rs"]);
    check(&[("a.rs", "mod b; fn f() { b::g() }"), ("a/b.rs", "use crate::a::A;")], &["a.rs a/b.rs"]);
    check(&[("a/mod.rs", "mod b; pub use self::b::B;"), ("a/b.rs", "use super::A;")], &["a/b.rs a/mod.rs"]);
    check(&[("a/b.rs", "use super::c::C;"), ("a/c.rs", "use super::super::a::b::B;")], &["a/b.rs a/c.rs"]);
    // Uses through the root.
    check(&[("lib.rs", "mod a; pub use a::A;"), ("a.rs", "fn f(b: crate::B) {}")], &["a.rs lib.rs"]);
    check(&[("lib.rs", "mod a; pub use a::A;"), ("main.rs", "mod c; use c::C;"), ("c.rs", "use crate::D;")], &[]);
    check(&[("main.rs", "mod c; use c::C;"), ("c.rs", "use crate::D;")], &["c.rs main.rs"]);
    check(&[("main.rs", "#[path = \"x\"] mod a; mod c; use c::C;"), ("c.rs", "use crate::a::A;")], &[]);
    // Modules within a file.
    check(&[("a.rs", "mod x { use super::super::b; } mod y;"), ("b.rs", "use crate::a::x::X;")], &both);
    check(&[("a.rs", "mod x { mod z {} use super::B; } fn f() { super::b::g() }"), ("b.rs", "use crate::a;")], &both);
    // Longer circles, and two circles.
    let long = [("a.rs", "use crate::b::B;"), ("b.rs", "use crate::c::C;"), ("c.rs", "use crate::a::A;")];
    check(&long, &["a.rs b.rs c.rs"]);
    let two = [("c.rs", "use super::d::D; use super::a::A;"), ("d.rs", "use super::c::C;")];
    check(&[("a.rs", "use crate::b;"), ("b.rs", "use crate::a;"), two[0], two[1]], &["a.rs b.rs", "c.rs d.rs"]);
    // What is no use: comments, texts, tests, other crates, bounds, the file itself.
    let back = ("b.rs", "use crate::a::A;");
    check(&[("a.rs", "//! [`crate::b::B`]\n/* crate::b::B /* */ crate::b::B */"), back], &[]);
    check(&[("a.rs", r##"const A: &str = "\" crate::b::B"; const B: &str = r#"" crate::b::B"#;"##), back], &[]);
    check(&[("a.rs", "const A: char = '\"'; use crate::b; const B: char = '\\''; fn f<'a>() {}"), back], &both);
    check(&[("a.rs", "#[cfg(test)]\n#[expect(x)]\nmod tests { use crate::b; fn f() { {} } }"), back], &[]);
    check(&[("a.rs", "#[cfg(test)] use crate::b::{B}; #[cfg(test)] fn f(b: [crate::b::B; 1]) {}"), back], &[]);
    check(&[("a.rs", "#[cfg(test)] mod tests;"), ("a/tests.rs", "use crate::b;"), back], &[]);
    check(&[("a.rs", "#[cfg(test)] mod tests {} use crate::b;"), back], &both);
    check(&[("a.rs", "use b::B; use ::b::B; use other::b::B;"), back], &[]);
    check(&[("a.rs", "pub(in crate::b) struct A;"), back], &[]);
    check(&[("a.rs", "use self::A; fn f() -> impl X + use<'a> { crate::a::g() }"), back], &[]);
}

#[test]
fn circles_of_typescript() {
    let check = |files: &[(&str, &str)], want: &[&str]| check(Language::TypeScript, files, want);
    let back = ("b/c.ts", "import type { A } from '../a.ts';");
    check(&[("a.ts", "import {\n  c,\n} from './b/c.ts';"), back], &["a.ts b/c.ts"]);
    check(&[("a.ts", "export * from \"./b/c\";"), back], &["a.ts b/c.ts"]);
    check(&[("a.ts", "const c = await import('./b/c.js');"), back], &[]);
    check(&[("a.ts", "const c = await import('./b/c.ts');"), back], &["a.ts b/c.ts"]);
    check(&[("a.ts", "import './b/c.ts';"), back], &["a.ts b/c.ts"]);
    check(&[("a.ts", "// import './b/c.ts';\nimport c from 'b/c.ts';\nimport d from './d.ts';"), back], &[]);
}

#[test]
fn exceptions_from_circles() {
    let folder = |uses: &[(&str, &str)]| {
        let uses = uses
            .iter()
            .map(|(file, used)| ((*file).to_owned(), BTreeMap::from([((*used).to_owned(), format!("crate::{used}"))])));
        ("x/src".to_owned(), uses.collect())
    };
    let row = |folder, files| Exception { folder, files, because: "a tree" };
    let check = |folder: &(String, Uses), exceptions: &[Exception], want: &[&str]| {
        assert_eq!(faults(std::slice::from_ref(folder), exceptions), want);
    };
    let (circle, line) = (folder(&[("a", "b"), ("b", "a")]), folder(&[("a", "b"), ("b", "c")]));
    let circle_of_two = "x/src: a circle of 2 files\n  a uses b: crate::b\n  b uses a: crate::a\n";
    check(&line, &[], &[]);
    check(&circle, &[], &[circle_of_two]);
    check(&circle, &[row("x/src", &["a", "b"])], &[]);
    check(
        &circle,
        &[row("y/src", &["a", "b"])],
        &[circle_of_two, "y/src: a, b are no circle, or not all of it (a tree)"],
    );
    check(&circle, &[row("x/src", &["a"])], &[circle_of_two, "x/src: a are no circle, or not all of it (a tree)"]);
    check(&line, &[row("x/src", &["a", "b"])], &["x/src: a, b are no circle, or not all of it (a tree)"]);
}
