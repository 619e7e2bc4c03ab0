//! Checks many files with few calls.
//!
//! A call checks a batch of files, and calls run on all processors. Every call parses its schemas again. So the first
//! calls have no schemas; they show which objects no module knows. The files of those objects are then checked again,
//! with the schemas that may describe them. The objects of the modules' own kinds are judged as neighbours, so the files
//! that mention such a kind are in one batch. Objects that are in several files are neighbours too. When neighbours were
//! in several batches, their files are checked again, in one.
//!
//! A file that cannot be read or checked has a finding that says so, and all others are checked.

use std::collections::{BTreeMap, BTreeSet};

use super::parallel::{each, processors};
use super::result::CheckResult;
use super::schemas::{SchemaName, describing};
use crate::cli::files::{File, Read};
use crate::cli::report::Mistake;
use crate::engine::{Engine, Failure};
use crate::wit::preview::{Checked, Diagnostic, Role, Source};

/// The largest size of a batch with several files, in bytes. A parsed text takes many times its size in memory, and the
/// memory of an instance is limited.
const BATCH: usize = 4 << 20;

/// The largest size of a batch of neighbours. What has more is compared in parts.
const NEIGHBOURS: usize = 16 << 20;

/// Checks files with schemas and the platform's options in `input`.
pub(super) fn check(engine: &Engine, files: Vec<Read>, schemas: Vec<Read>, input: Option<File>) -> CheckResult {
    let (files, unreadable) = readable(files);
    let (schemas, unreadable_schemas) = readable(schemas);
    let all: Vec<_> = (0..files.len()).filter(|file| !unreadable.contains_key(file)).collect();
    let count = all.len();
    let texts = CheckedTexts { files: &files, schemas: &schemas, input: input.as_ref() };
    // When the options are wrong, nothing else is reported. So they are read once alone, and not with each batch.
    let mut results = if input.is_some() { texts.check(engine, &[], &[]) } else { BatchResult::default() };
    let all = if results.elsewhere.is_empty() { all } else { Vec::new() };
    let groups: BTreeSet<_> = engine.catalog().map(|entry| group(&entry.kind.api_version)).collect();
    let mentions_own =
        |file: &&usize| files.get(**file).is_some_and(|file| groups.iter().any(|group| file.text.contains(group)));
    // Texts that spell a group with escapes are found when they have been read.
    let (own, others): (Vec<_>, Vec<_>) = all.iter().partition(mentions_own);
    let mut first = split(&files, &own, NEIGHBOURS);
    let together: BTreeSet<_> = if first.len() == 1 { own.into_iter().collect() } else { BTreeSet::new() };
    first.extend(batches(&files, &others));
    for batch in each(&first, |batch| texts.check(engine, batch, &[])) {
        results.add(batch);
    }

    let unknown: BTreeSet<_> = results.by_file.values().flat_map(FileResult::unknown).collect();
    let schemas_by_kind = describing(&schemas, &unknown);
    let schemas_for = |file: &FileResult| -> BTreeSet<usize> {
        let found = file.unknown().filter_map(|kind| schemas_by_kind.get(&kind)).flatten().copied();
        found.filter(|schema| !unreadable_schemas.contains_key(schema)).collect()
    };
    let schemas_by_file: BTreeMap<_, _> =
        results.by_file.iter().map(|(index, file)| (*index, schemas_for(file))).collect();
    let has_schemas = |file: &usize| schemas_by_file.get(file).is_some_and(|it| !it.is_empty());
    let mut neighbours = neighbours(engine, &results);
    let were_together = first.len() == 1 || neighbours.is_subset(&together);
    if were_together && !neighbours.iter().any(has_schemas) {
        neighbours.clear();
    }
    let (together, again): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(|file| neighbours.contains(file) || has_schemas(file))
        .partition(|file| neighbours.contains(file));
    let with_schemas = |batch: &Vec<usize>| {
        let schemas: BTreeSet<_> =
            batch.iter().filter_map(|file| schemas_by_file.get(file)).flatten().copied().collect();
        texts.check(engine, batch, &schemas.into_iter().collect::<Vec<_>>())
    };
    let mut last = batches(&files, &again);
    last.extend(split(&files, &together, NEIGHBOURS));
    for batch in each(&last, with_schemas) {
        results.add(batch);
    }

    for (file, mistake) in &unreadable {
        results.by_file.entry(*file).or_default().diagnostics.push(mistake.diagnostic(text_number(*file)));
    }
    for (schema, mistake) in &unreadable_schemas {
        results.elsewhere.push(mistake.diagnostic(text_number(files.len() + schema)));
    }
    let (mut diagnostics, mut objects) = (Vec::new(), Vec::new());
    for file in results.by_file.into_values() {
        diagnostics.extend(file.diagnostics);
        objects.extend(file.objects);
    }
    results.elsewhere.sort_by_key(|found| found.location.map(|at| (at.text, at.document, at.line, at.column)));
    diagnostics.extend(results.elsewhere);
    let texts = files.into_iter().chain(schemas).chain(input).map(|file| (file.name, file.text)).collect();
    CheckResult { texts, files: count, diagnostics, objects }
}

/// The API group of an API version.
fn group(api_version: &str) -> &str {
    api_version.split('/').next().unwrap_or_default()
}

/// The files whose objects have to be compared with one another: those with objects of the modules' own kinds, and those
/// with an object that another file has too.
fn neighbours(engine: &Engine, results: &BatchResult) -> BTreeSet<usize> {
    let own: BTreeSet<_> =
        engine.catalog().map(|entry| (entry.kind.api_version.as_str(), entry.kind.kind.as_str())).collect();
    let mut neighbours = BTreeSet::new();
    let mut seen = BTreeMap::new();
    for (&file, result) in &results.by_file {
        for object in &result.objects {
            if own.contains(&(object.kind.api_version.as_str(), object.kind.kind.as_str())) {
                neighbours.insert(file);
            }
            let first = *seen.entry((SchemaName::of(&object.kind), &object.namespace, &object.name)).or_insert(file);
            if first != file && !object.name.is_empty() {
                neighbours.extend([first, file]);
            }
        }
    }
    neighbours
}

/// The files, and what is wrong with those that cannot be read, by index.
fn readable(read: Vec<Read>) -> (Vec<File>, BTreeMap<usize, Mistake>) {
    let mut unreadable = BTreeMap::new();
    let files = read.into_iter().enumerate().map(|(index, read)| {
        read.unwrap_or_else(|mistake| {
            let file = File { name: mistake.name.clone(), text: mistake.text.clone() };
            unreadable.insert(index, mistake);
            file
        })
    });
    (files.collect(), unreadable)
}

/// The number of a text in locations.
fn text_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The results of calls. In locations, texts are numbered: the files, then the schemas, then the options.
#[derive(Default)]
struct BatchResult {
    by_file: BTreeMap<usize, FileResult>,
    /// Findings about schemas and options, and those without a location. Each is there once.
    elsewhere: Vec<Diagnostic>,
    /// The findings in `elsewhere`, as text.
    seen: BTreeSet<String>,
}

impl BatchResult {
    /// Adds the result of a later call. Its results of files replace those of earlier calls, unless it failed.
    fn add(&mut self, later: Self) {
        for (file, result) in later.by_file {
            let known = self.by_file.entry(file).or_default();
            if result.failed {
                known.diagnostics.extend(result.diagnostics);
            } else {
                *known = result;
            }
        }
        for diagnostic in later.elsewhere {
            if self.seen.insert(format!("{diagnostic:?}")) {
                self.elsewhere.push(diagnostic);
            }
        }
    }
}

/// The result of one file.
#[derive(Default)]
struct FileResult {
    diagnostics: Vec<Diagnostic>,
    objects: Vec<Checked>,
    /// Whether the call failed.
    failed: bool,
}

impl FileResult {
    /// The kinds of the objects without a schema.
    fn unknown(&self) -> impl Iterator<Item = SchemaName> {
        self.objects.iter().filter(|object| !object.known).map(|object| SchemaName::of(&object.kind))
    }
}

/// All texts of a check.
struct CheckedTexts<'a> {
    files: &'a [File],
    schemas: &'a [File],
    /// The platform's options.
    input: Option<&'a File>,
}

impl CheckedTexts<'_> {
    /// Checks some of the files with some of the schemas. When the call fails, checks each file alone.
    fn check(&self, engine: &Engine, files: &[usize], schemas: &[usize]) -> BatchResult {
        let failure = match self.call(engine, files, schemas) {
            Ok(result) => return result,
            Err(failure) => failure,
        };
        let mut results = BatchResult::default();
        match files {
            [file] => {
                let message = format!("the file cannot be checked: {failure}");
                let mistake = Mistake { name: String::new(), text: String::new(), line: 1, column: 1, message };
                let diagnostics = vec![mistake.diagnostic(text_number(*file))];
                results.by_file.insert(*file, FileResult { diagnostics, objects: Vec::new(), failed: true });
            }
            several => several.iter().for_each(|file| results.add(self.check(engine, &[*file], schemas))),
        }
        results
    }

    /// Makes one call.
    fn call(&self, engine: &Engine, files: &[usize], schemas: &[usize]) -> Result<BatchResult, Failure> {
        // For each text of the call, its number among all texts.
        let mut numbers: Vec<_> =
            files.iter().copied().chain(schemas.iter().map(|schema| self.files.len() + schema)).collect();
        let sources: Vec<_> = numbers.iter().filter_map(|&number| self.source(number)).collect();
        let input = self.input.map(|file| file.text.as_str());
        let findings = engine.check(&sources, input)?;

        numbers.push(self.files.len() + self.schemas.len()); // the options

        let mut result = BatchResult::default();
        result.by_file.extend(files.iter().map(|&file| (file, FileResult::default())));
        let number_of = |text: u32| usize::try_from(text).ok().and_then(|text| numbers.get(text)).copied();
        for mut diagnostic in findings.diagnostics {
            let number = diagnostic.location.and_then(|location| number_of(location.text));
            if let (Some(number), Some(location)) = (number, &mut diagnostic.location) {
                location.text = text_number(number);
            }
            match number.and_then(|number| result.by_file.get_mut(&number)) {
                Some(file) => file.diagnostics.push(diagnostic),
                None => result.elsewhere.push(diagnostic),
            }
        }
        for mut object in findings.objects {
            let Some(number) = number_of(object.location.text) else { continue };
            object.location.text = text_number(number);
            result.by_file.entry(number).or_default().objects.push(object);
        }
        Ok(result)
    }

    fn source(&self, number: usize) -> Option<Source> {
        let (file, role) = match number.checked_sub(self.files.len()) {
            None => (self.files.get(number)?, Role::Subject),
            Some(schema) => (self.schemas.get(schema)?, Role::Schema),
        };
        Some(Source { name: file.name.clone(), role, text: file.text.clone() })
    }
}

/// Splits files, given by index, into as many batches as there are processors, or more when they would be larger than
/// [`BATCH`].
fn batches(files: &[File], wanted: &[usize]) -> Vec<Vec<usize>> {
    let size = wanted.iter().map(|index| size(files, *index)).sum::<usize>();
    split(files, wanted, size.div_ceil(processors()).min(BATCH))
}

/// Splits files, given by index, into batches of at most `share` bytes. A larger file is a batch of its own.
fn split(files: &[File], wanted: &[usize], share: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut left = 0;
    for index in wanted {
        match batches.last_mut() {
            Some(batch) if size(files, *index) <= left => batch.push(*index),
            _ => {
                batches.push(vec![*index]);
                left = share;
            }
        }
        left = left.saturating_sub(size(files, *index));
    }
    batches
}

/// The size of a file, given by index.
fn size(files: &[File], index: usize) -> usize {
    files.get(index).map_or(0, |file| file.text.len())
}
