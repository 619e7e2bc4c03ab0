//! Faults in the code of kinds, besides the violations of their definitions. They are read from the source code.

use std::fs;
use std::path::{Path, PathBuf};

use contract::types::Code;
use native::files::workspace;

/// A fault in the code.
#[derive(Debug, PartialEq)]
pub(crate) struct Written {
    /// The file with the code.
    pub(crate) file: String,
    /// The field that is wrong.
    pub(crate) path: String,
    /// The sort of mistake.
    pub(crate) code: Code,
}

const CODES: [(&str, Code); 11] = [
    ("Required", Code::Required),
    ("TypeInvalid", Code::TypeInvalid),
    ("Invalid", Code::Invalid),
    ("NotSupported", Code::NotSupported),
    ("Duplicate", Code::Duplicate),
    ("TooLong", Code::TooLong),
    ("TooMany", Code::TooMany),
    ("Forbidden", Code::Forbidden),
    ("NotFound", Code::NotFound),
    ("UnknownField", Code::UnknownField),
    ("Syntax", Code::Syntax),
];

/// The files of admission and of plans, which do not compose.
const OTHERS: &[&str] = &["admit", "claims", "judge", "long_names", "mentions", "plan", "service_names"];

/// All faults in the code, except those of admission and of plans.
pub(crate) fn faults() -> Vec<Written> {
    let mut files = Vec::new();
    collect(&workspace().join("crates/inference/src"), &mut files);
    files.sort();
    let found = files.iter().flat_map(|file| {
        let text = fs::read_to_string(file).expect("sources can be read");
        let file = file.strip_prefix(workspace()).unwrap_or(file).display().to_string();
        faults_in(&file, &text)
    });
    found.collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("sources can be listed").flatten() {
        let path = entry.path();
        if path.file_stem().is_some_and(|name| OTHERS.iter().any(|other| name == *other)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn faults_in(file: &str, text: &str) -> Vec<Written> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let read = |arguments: &str| {
        let (path, code) = path_and_code(arguments)
            .unwrap_or_else(|| panic!("{file}: a fault has a literal path and code, for this test to read"));
        Written { file: file.to_owned(), path: path.to_owned(), code }
    };
    code.split("Problem::new(").skip(1).map(read).collect()
}

/// The first two arguments, if they are literal.
fn path_and_code(arguments: &str) -> Option<(&str, Code)> {
    let (path, rest) = arguments.trim_start().strip_prefix('"')?.split_once('"')?;
    let rest = rest.trim_start_matches([',', ' ', '\n']).strip_prefix("Code::")?;
    let name = rest.split(|letter: char| !letter.is_alphanumeric()).next()?;
    let (_, code) = *CODES.iter().find(|(known, _)| *known == name)?;
    Some((path, code))
}

#[test]
fn faults_are_read() {
    let text = "
        problems.push(Problem::new(\"spec.a\", Code::Required, message));
        Problem::new(
            \"spec.b\",
            Code::TooMany,
            \"too many\",
        )
        #[cfg(test)]\nmod tests { Problem::new(path, code, \"\") }
    ";
    let text = text.replace("        #[cfg", "#[cfg");
    let written = |path: &str, code| Written { file: "a.rs".to_owned(), path: path.to_owned(), code };
    assert_eq!(faults_in("a.rs", &text), [written("spec.a", Code::Required), written("spec.b", Code::TooMany)]);
}
