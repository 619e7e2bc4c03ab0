//! Which file of a folder of TypeScript imports which, of types too.

use crate::files::{Files, Uses};

/// What stands before the file that is imported.
const IMPORTS: [&str; 3] = ["from ", "import ", "import("];

/// What the files of a folder import of one another.
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

/// The files that a line imports, as it names them.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    IMPORTS.iter().filter_map(|before| {
        let quoted = &line[line.find(before)? + before.len()..];
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        quoted[1..].split(quote).next().filter(|name| name.starts_with('.'))
    })
}

/// The file that is meant, as a path in the folder of all.
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
