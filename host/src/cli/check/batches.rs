//! Asks modules about many files at once.
//!
//! A call takes a batch of files, and calls are spread over the processors. Schemas are parsed anew in every call, so
//! first the files are looked at without any. That says which objects no module knows; their files are then looked at
//! again, beside the schemas that may be theirs.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};

use super::found::Found;
use super::parallel::{each, processors};
use super::schemas::{Kind, describing};
use crate::cli::files::File;
use crate::engine::Engine;
use crate::wit::preview::{Checked, Diagnostic, Role, Source};

/// Most bytes in the files of a batch, if they are several: a text takes many times its size when it is parsed, and
/// an instance has bounds.
const BATCH: usize = 4 << 20;

/// Checks files beside schemas, under the platform's options in `input`.
///
/// # Errors
/// When the module gives no answer.
pub(super) fn check(engine: &Engine, files: Vec<File>, schemas: Vec<File>, input: Option<File>) -> Result<Found> {
    let all: Vec<_> = (0..files.len()).collect();
    let texts = Texts { files: &files, schemas: &schemas, input: input.as_ref() };
    let mut looked = Looked::default();
    for batch in each(&batches(&files, &all), |batch| texts.look(engine, batch, &[])) {
        looked.take(batch?);
    }

    let unknown: BTreeSet<_> = looked.of_files.values().flat_map(OfFile::unknown).collect();
    let describing = describing(&schemas, &unknown);
    let wanted = |found: &OfFile| -> BTreeSet<usize> {
        found.unknown().filter_map(|kind| describing.get(&kind)).flatten().copied().collect()
    };
    let again: BTreeMap<_, _> = looked.of_files.iter().map(|(file, found)| (*file, wanted(found))).collect();
    let doubtful: Vec<_> = all.into_iter().filter(|file| again.get(file).is_some_and(|it| !it.is_empty())).collect();
    let beside = |batch: &Vec<usize>| {
        let schemas: BTreeSet<_> = batch.iter().filter_map(|file| again.get(file)).flatten().copied().collect();
        texts.look(engine, batch, &schemas.into_iter().collect::<Vec<_>>())
    };
    for batch in each(&batches(&files, &doubtful), beside) {
        looked.take(batch?);
    }

    let count = files.len();
    let (mut diagnostics, mut objects) = (Vec::new(), Vec::new());
    for found in looked.of_files.into_values() {
        diagnostics.extend(found.diagnostics);
        objects.extend(found.objects);
    }
    looked.elsewhere.sort_by_key(|found| found.location.map(|at| (at.text, at.document, at.line, at.column)));
    diagnostics.extend(looked.elsewhere);
    let texts = files.into_iter().chain(schemas).chain(input).map(|file| (file.name, file.text)).collect();
    Ok(Found { texts, files: count, diagnostics, objects })
}

/// What calls said. Locations count files, then schemas, then the options.
#[derive(Default)]
struct Looked {
    of_files: BTreeMap<usize, OfFile>,
    /// About schemas and options, or about nothing in particular; each once.
    elsewhere: Vec<Diagnostic>,
}

impl Looked {
    /// Takes over what a later call said.
    fn take(&mut self, later: Self) {
        self.of_files.extend(later.of_files);
        for diagnostic in later.elsewhere {
            if !self.elsewhere.contains(&diagnostic) {
                self.elsewhere.push(diagnostic);
            }
        }
    }
}

/// What a call said of one file.
#[derive(Default)]
struct OfFile {
    diagnostics: Vec<Diagnostic>,
    objects: Vec<Checked>,
}

impl OfFile {
    /// The kinds of the objects that had no schema.
    fn unknown(&self) -> impl Iterator<Item = Kind> {
        self.objects.iter().filter(|object| !object.known).map(|object| Kind::of(&object.kind))
    }
}

/// Everything that calls may be about.
struct Texts<'a> {
    files: &'a [File],
    schemas: &'a [File],
    /// The platform's options.
    input: Option<&'a File>,
}

impl Texts<'_> {
    /// Makes one call, about some of the files beside some of the schemas.
    fn look(&self, engine: &Engine, files: &[usize], schemas: &[usize]) -> Result<Looked> {
        // A number per text of the call: where it stands among all of them.
        let mut places: Vec<_> =
            files.iter().copied().chain(schemas.iter().map(|schema| self.files.len() + schema)).collect();
        let sources: Vec<_> = places.iter().filter_map(|&place| self.source(place)).collect();
        let input = self.input.map(|file| file.text.as_str());
        let findings = engine.check(&sources, input).with_context(|| match sources.as_slice() {
            [only] => format!("cannot check {}", only.name),
            _ => format!("cannot check {} files, {} the first", files.len(), sources.first().map_or("", |it| &it.name)),
        })?;

        places.push(self.files.len() + self.schemas.len()); // the options

        let mut looked = Looked::default();
        looked.of_files.extend(files.iter().map(|&file| (file, OfFile::default())));
        let place = |text: u32| usize::try_from(text).ok().and_then(|text| places.get(text)).copied();
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        for mut diagnostic in findings.diagnostics {
            let place = diagnostic.location.and_then(|location| place(location.text));
            if let (Some(place), Some(location)) = (place, &mut diagnostic.location) {
                location.text = number(place);
            }
            match place.and_then(|place| looked.of_files.get_mut(&place)) {
                Some(of_file) => of_file.diagnostics.push(diagnostic),
                None => looked.elsewhere.push(diagnostic),
            }
        }
        for mut object in findings.objects {
            let Some(place) = place(object.location.text) else { continue };
            object.location.text = number(place);
            looked.of_files.entry(place).or_default().objects.push(object);
        }
        Ok(looked)
    }

    fn source(&self, place: usize) -> Option<Source> {
        let (file, role) = match place.checked_sub(self.files.len()) {
            None => (self.files.get(place)?, Role::Subject),
            Some(schema) => (self.schemas.get(schema)?, Role::Schema),
        };
        Some(Source { name: file.name.clone(), role, text: file.text.clone() })
    }
}

/// Splits files, given by index, into as many batches as there are processors, or more where those would be large.
fn batches(files: &[File], wanted: &[usize]) -> Vec<Vec<usize>> {
    let size = |index: &usize| files.get(*index).map_or(0, |file| file.text.len());
    let share = wanted.iter().map(size).sum::<usize>().div_ceil(processors()).min(BATCH);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for index in wanted {
        match batches.last_mut() {
            Some(batch) if size(index) <= room => batch.push(*index),
            _ => {
                batches.push(vec![*index]);
                room = share;
            }
        }
        room = room.saturating_sub(size(index));
    }
    batches
}
