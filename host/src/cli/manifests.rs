//! The manifests of a command, sorted by their kinds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::cluster::text;
use super::composition::Composition;
use super::files::File;
use crate::engine::Engine;
use crate::wit::preview::{Location, Role, Source};
use crate::wit::types::KindRef;

/// The manifests of the command line.
pub(super) struct Manifests {
    /// Every file with its documents.
    files: Vec<(File, Vec<Document>)>,
    pub(super) functions: Vec<Value>,
}

/// A document of a file, or an object in a `List`, as `kubectl get` prints several.
struct Document {
    /// The index of the document in the file.
    index: u32,
    /// The path of the object in the document. Empty when it is the document.
    path: String,
    /// The object. When the document cannot be read, the module reports the error.
    object: Option<Value>,
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

impl Document {
    /// The objects of a document.
    fn read((index, document): (u32, Result<Value, yaml::Error>)) -> Vec<Self> {
        let mut document = document.ok();
        let list = document.as_mut().filter(|it| text(it, "/apiVersion") == "v1" && text(it, "/kind") == "List");
        match list.and_then(|list| list.get_mut("items")).map(Value::take) {
            Some(Value::Array(items)) => {
                let path = |number| format!("items[{number}]");
                let item = |(number, object)| Self { index, path: path(number), object: Some(object) };
                items.into_iter().enumerate().map(item).collect()
            }
            _ => vec![Self { index, path: String::new(), object: document }],
        }
    }

    fn purpose(&self) -> Purpose {
        let Some(object) = &self.object else { return Purpose::Object };
        let group = text(object, "/apiVersion").split('/').next().unwrap_or_default();
        match (group, text(object, "/kind")) {
            ("apiextensions.crossplane.io", "Composition") => Purpose::Composition,
            ("pkg.crossplane.io", "Function") => Purpose::Function,
            ("apiextensions.crossplane.io" | "pkg.crossplane.io" | "meta.pkg.crossplane.io", _) => Purpose::Package,
            // `crossplane render` takes a project with `-f`.
            ("dev.crossplane.io" | "meta.dev.upbound.io", "Project") => Purpose::Package,
            _ if object.is_null() => Purpose::Nothing,
            _ => Purpose::Object,
        }
    }
}

impl Manifests {
    /// Reads the documents of files.
    pub(super) fn sort(files: Vec<File>) -> Self {
        let read = |file: File| {
            let documents = (0..).zip(yaml::values(&file.text)).flat_map(Document::read).collect();
            (file, documents)
        };
        let files: Vec<(File, Vec<Document>)> = files.into_iter().map(read).collect();
        let functions = files.iter().flat_map(|(_, documents)| documents);
        let functions = functions.filter(|document| document.purpose() == Purpose::Function);
        let functions = functions.filter_map(|document| document.object.clone()).collect();
        Self { files, functions }
    }

    /// The Compositions.
    pub(super) fn compositions(&self) -> Vec<Composition<'_>> {
        let all =
            self.files.iter().flat_map(|(file, documents)| documents.iter().map(move |document| (file, document)));
        let compositions = all.filter(|(_, document)| document.purpose() == Purpose::Composition);
        let composition = |(file, document): (_, &Document)| {
            let object = document.object.clone()?;
            Some(Composition { file, document: document.index, path: document.path.clone(), object })
        };
        compositions.filter_map(composition).collect()
    }

    /// The files that have an object, and the files that have no document.
    fn subjects(&self) -> impl Iterator<Item = &(File, Vec<Document>)> {
        self.files.iter().filter(|(_, documents)| {
            let mut purposes = documents.iter().map(Document::purpose).filter(|purpose| *purpose != Purpose::Nothing);
            let first = purposes.next();
            first.is_none_or(|first| first == Purpose::Object) || purposes.any(|purpose| purpose == Purpose::Object)
        })
    }

    /// Whether there is no object.
    pub(super) fn is_empty(&self) -> bool {
        let mut documents = self.files.iter().flat_map(|(_, documents)| documents);
        documents.all(|document| document.purpose() != Purpose::Object)
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
        let objects = documents.filter(|document| document.purpose() == Purpose::Object);
        objects.filter_map(|document| document.object.as_ref())
    }

    /// The objects by their places.
    pub(super) fn written(&self) -> Written<'_> {
        let mut written: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (number, (_, documents)) in (0..).zip(self.subjects()) {
            for (index, object) in documents.iter().filter_map(|it| Some((it.index, it.object.as_ref()?))) {
                let place = (number, index, text(object, "/kind"), text(object, "/metadata/name"));
                written.entry(place).or_default().push(object);
            }
        }
        Written(written)
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

/// Objects as they are in files: by the number of the text, the index of the document, kind and name.
pub(super) struct Written<'a>(BTreeMap<(u32, u32, &'a str, &'a str), Vec<&'a Value>>);

impl Written<'_> {
    /// The composite at a location.
    pub(super) fn get(&self, at: Location, composite: &Value) -> Option<Value> {
        let place = (at.text, at.document, text(composite, "/kind"), text(composite, "/metadata/name"));
        let alike = |object: &&&Value| {
            let namespace = text(object, "/metadata/namespace");
            namespace.is_empty() || namespace == text(composite, "/metadata/namespace")
        };
        self.0.get(&place)?.iter().find(alike).map(|object| (*object).clone())
    }
}

/// The kind of an object. What the object does not state is empty.
pub(super) fn kind_of(object: &Value) -> KindRef {
    KindRef { api_version: text(object, "/apiVersion").to_owned(), kind: text(object, "/kind").to_owned() }
}
