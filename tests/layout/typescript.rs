//! Which TypeScript file of a folder imports which, for types too.

use crate::files::{Files, Uses};

/// The texts before the name of an imported file.
const IMPORTS: [&str; 3] = ["from ", "import ", "import("];

/// The imports between the files of a folder.
pub(crate) fn uses(files: &Files) -> Uses {
    let mut uses = Uses::new();
    for (file, text) in files {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
        for import in lines.flat_map(imports) {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(used) = resolve(files, folder, import).filter(|used| used != file) {
                uses.entry(file.clone()).or_default().entry(used).or_insert_with(|| import.to_owned());
            }
        }
    }
    uses
}

/// The files that a line imports, as they are written.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    IMPORTS.iter().filter_map(|before| {
        let quoted = &line[line.find(before)? + before.len()..];
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        quoted[1..].split(quote).next().filter(|name| name.starts_with('.'))
    })
}

/// The imported file, as a path from the root folder.
fn resolve(files: &Files, folder: &str, import: &str) -> Option<String> {
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop()?;
            }
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let candidates = [path.clone(), format!("{path}.ts"), format!("{path}/index.ts")];
    candidates.into_iter().find(|candidate| files.contains_key(candidate))
}
