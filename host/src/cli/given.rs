//! What a command was given, told apart by its content.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cluster::text;
use super::composition::Composition;
use super::files::File;
use crate::engine::Engine;
use crate::wit::preview::{Location, Role, Source};
use crate::wit::types::KindRef;

/// A document of a file; what cannot be read is for a module to explain.
type Document = Result<Value, yaml::Error>;

/// The files of the command line, told apart.
pub(super) struct Given {
    /// Every file with its documents.
    files: Vec<(File, Vec<Document>)>,
    pub(super) functions: Vec<Value>,
}

/// What a document is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Composition,
    Function,
    /// Of no use here, but often in the same folder.
    Package,
    /// An object to render, one that lookups may find, or what cannot be read.
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

impl Given {
    /// Tells apart what files hold.
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

    /// The files that are about something to render, or about nothing at all.
    fn subjects(&self) -> impl Iterator<Item = &(File, Vec<Document>)> {
        self.files.iter().filter(|(_, documents)| {
            let mut purposes = documents.iter().map(Purpose::of).filter(|purpose| *purpose != Purpose::Nothing);
            let first = purposes.next();
            first.is_none_or(|first| first == Purpose::Object) || purposes.any(|purpose| purpose == Purpose::Object)
        })
    }

    /// Whether there is nothing that a module could render, or say something about.
    pub(super) fn is_void(&self) -> bool {
        let mut documents = self.files.iter().flat_map(|(_, documents)| documents);
        documents.all(|document| Purpose::of(document) != Purpose::Object)
    }

    /// The texts to preview.
    pub(super) fn sources(&self) -> Vec<Source> {
        let source =
            |(file, _): &(File, _)| Source { name: file.name.clone(), role: Role::Subject, text: file.text.clone() };
        self.subjects().map(source).collect()
    }

    /// The objects to render, and whatever stands beside them.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Value> {
        let documents = self.subjects().flat_map(|(_, documents)| documents);
        let objects = documents.filter(|document| Purpose::of(document) == Purpose::Object);
        objects.filter_map(|document| document.as_ref().ok())
    }

    /// The document at a location, as it was written.
    pub(super) fn document(&self, at: Location) -> Option<Value> {
        let (_, documents) = self.subjects().nth(usize::try_from(at.text).ok()?)?;
        documents.get(usize::try_from(at.document).ok()?)?.as_ref().ok().cloned()
    }

    /// The kinds to preview: those that a module has, or else one that lets the last module say what it has.
    pub(super) fn kinds(&self, engine: &Engine) -> Vec<KindRef> {
        let written: BTreeSet<_> = self.objects().map(kind_of).map(|kind| (kind.api_version, kind.kind)).collect();
        let served = engine.catalog().map(|entry| entry.kind.clone());
        let known: Vec<_> =
            served.filter(|kind| written.contains(&(kind.api_version.clone(), kind.kind.clone()))).collect();
        if known.is_empty() { vec![KindRef { api_version: String::new(), kind: String::new() }] } else { known }
    }
}

/// The kind of an object; empty where it does not say.
pub(super) fn kind_of(object: &Value) -> KindRef {
    KindRef { api_version: text(object, "/apiVersion").to_owned(), kind: text(object, "/kind").to_owned() }
}
