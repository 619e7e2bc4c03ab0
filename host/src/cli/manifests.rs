//! The manifests of a command, sorted by their kinds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cluster::text;
use super::composition::Composition;
use super::files::File;
use crate::engine::Engine;
use crate::wit::preview::{Location, Role, Source};
use crate::wit::types::KindRef;

/// A document of a file. When it cannot be read, the module reports the error.
type Document = Result<Value, yaml::Error>;

/// The manifests of the command line.
pub(super) struct Manifests {
    /// Every file with its documents.
    files: Vec<(File, Vec<Document>)>,
    pub(super) functions: Vec<Value>,
}

/// The use of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Composition,
    Function,
    /// Another object of Crossplane, which is not needed but often in the same folder.
    Package,
    /// An object to render, an object for lookups, or a document that cannot be read.
    Object,
    /// An empty document.
    Nothing,
}

impl Purpose {
    fn of(document: &Document) -> Self {
        let Ok(document) = document else { return Self::Object };
        let group = text(document, "/apiVersion").split('/').next().unwrap_or_default();
        match (group, text(document, "/kind")) {
            ("apiextensions.crossplane.io", "Composition") => Self::Composition,
            ("pkg.crossplane.io", "Function") => Self::Function,
            ("apiextensions.crossplane.io" | "pkg.crossplane.io" | "meta.pkg.crossplane.io", _) => Self::Package,
            _ if document.is_null() => Self::Nothing,
            _ => Self::Object,
        }
    }
}

impl Manifests {
    /// Reads the documents of files.
    pub(super) fn sort(files: Vec<File>) -> Self {
        let read = |file: File| {
            let documents = yaml::values(&file.text);
            (file, documents)
        };
        let files: Vec<_> = files.into_iter().map(read).collect();
        let functions = files.iter().flat_map(|(_, documents)| documents);
        let functions = functions.filter(|document| Purpose::of(document) == Purpose::Function);
        let functions = functions.filter_map(|document| document.as_ref().ok().cloned()).collect();
        Self { files, functions }
    }

    /// The Compositions.
    pub(super) fn compositions(&self) -> Vec<Composition<'_>> {
        let all =
            self.files.iter().flat_map(|(file, documents)| (0..).zip(documents).map(move |(at, it)| (file, at, it)));
        let compositions = all.filter(|(_, _, document)| Purpose::of(document) == Purpose::Composition);
        compositions
            .filter_map(|(file, document, object)| {
                Some(Composition { file, document, object: object.as_ref().ok()?.clone() })
            })
            .collect()
    }

    /// The files that have an object, and the files that have no document.
    fn subjects(&self) -> impl Iterator<Item = &(File, Vec<Document>)> {
        self.files.iter().filter(|(_, documents)| {
            let mut purposes = documents.iter().map(Purpose::of).filter(|purpose| *purpose != Purpose::Nothing);
            let first = purposes.next();
            first.is_none_or(|first| first == Purpose::Object) || purposes.any(|purpose| purpose == Purpose::Object)
        })
    }

    /// Whether there is no object.
    pub(super) fn is_empty(&self) -> bool {
        let mut documents = self.files.iter().flat_map(|(_, documents)| documents);
        documents.all(|document| Purpose::of(document) != Purpose::Object)
    }

    /// The texts to preview.
    pub(super) fn sources(&self) -> Vec<Source> {
        let source =
            |(file, _): &(File, _)| Source { name: file.name.clone(), role: Role::Subject, text: file.text.clone() };
        self.subjects().map(source).collect()
    }

    /// The objects, to be rendered or to be found by lookups.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Value> {
        let documents = self.subjects().flat_map(|(_, documents)| documents);
        let objects = documents.filter(|document| Purpose::of(document) == Purpose::Object);
        objects.filter_map(|document| document.as_ref().ok())
    }

    /// The document at a location, as it is in the file.
    pub(super) fn document(&self, at: Location) -> Option<Value> {
        let (_, documents) = self.subjects().nth(usize::try_from(at.text).ok()?)?;
        documents.get(usize::try_from(at.document).ok()?)?.as_ref().ok().cloned()
    }

    /// The kinds to preview: those that a module has. When there is none, an empty kind, for which the last module
    /// answers with the kinds that it has.
    pub(super) fn kinds(&self, engine: &Engine) -> Vec<KindRef> {
        let written: BTreeSet<_> = self.objects().map(kind_of).map(|kind| (kind.api_version, kind.kind)).collect();
        let served = engine.catalog().map(|entry| entry.kind.clone());
        let known: Vec<_> =
            served.filter(|kind| written.contains(&(kind.api_version.clone(), kind.kind.clone()))).collect();
        if known.is_empty() { vec![KindRef { api_version: String::new(), kind: String::new() }] } else { known }
    }
}

/// The kind of an object. What the object does not state is empty.
pub(super) fn kind_of(object: &Value) -> KindRef {
    KindRef { api_version: text(object, "/apiVersion").to_owned(), kind: text(object, "/kind").to_owned() }
}
