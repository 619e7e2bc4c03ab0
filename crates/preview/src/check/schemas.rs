//! The schemas of kinds that are not in the table.

use std::collections::BTreeMap;

use contract::preview::{self, Diagnostic, Gravity, Role};
use contract::types::{Code, KindRef, Problem};
use schema::sources::{self, Source};
use schema::{Options, Schema};
use serde_json::Value;
use toolbox::validation;

use crate::texts::Document;

/// The schemas of other kinds. Each is compiled when the first object needs it.
pub(super) struct Schemas<'a> {
    found: Vec<(&'a Document, Source)>,
    /// The indexes of the schemas of a kind, which is in lower case as file names have it, by version and kind.
    by_kind: BTreeMap<(String, String), Vec<usize>>,
    compiled: BTreeMap<usize, Option<Schema>>,
}

impl<'a> Schemas<'a> {
    pub(super) fn of(sources: &[preview::Source], documents: &'a [Document]) -> Self {
        let given = documents.iter().filter(|document| document.role == Role::Schema);
        let found = given.flat_map(|document| {
            let name = document.source(sources).map_or("", |source| source.name.as_str());
            sources::find(name, &document.object).into_iter().map(move |source| (document, source))
        });
        let found: Vec<_> = found.collect();
        let mut by_kind: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (index, (_, source)) in found.iter().enumerate() {
            by_kind.entry((source.version.clone(), source.kind.to_lowercase())).or_default().push(index);
        }
        Self { found, by_kind, compiled: BTreeMap::new() }
    }

    /// The problems in an object by the schema of its kind. `None` when there is no schema. The last of several schemas is
    /// used. A schema that cannot be used is reported once.
    pub(super) fn judge(
        &mut self,
        object: &Value,
        kind: &KindRef,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<(Gravity, Problem)>> {
        let version = kind.api_version.rsplit('/').next().unwrap_or_default();
        let alike = self.by_kind.get(&(version.to_owned(), kind.kind.to_lowercase()))?;
        let describes = |index: &usize| self.found[*index].1.describes(&kind.api_version, &kind.kind);
        let index = alike.iter().rev().copied().find(describes)?;
        let (origin, source) = &self.found[index];
        let compiled = self.compiled.entry(index).or_insert_with(|| match Schema::read(&source.schema) {
            Ok(schema) => Some(schema),
            Err(errors) => {
                let first = errors.iter().take(validation::MAX_PROBLEMS);
                diagnostics.extend(first.map(|error| unusable(origin, source, error)));
                None
            }
        });
        let schema = compiled.as_ref()?;
        let options = Options { scope: source.scope, scale: source.scale.as_ref(), ..Options::default() };
        let judged = if source.status { validation::without_status(object) } else { object.clone() };
        Some(match schema.admit(&judged, &options) {
            Ok(admitted) => admitted
                .warnings
                .into_iter()
                .map(|words| (Gravity::Warning, Problem::new("", Code::Invalid, words)))
                .collect(),
            Err(errors) => validation::problems(errors).into_iter().map(|it| (Gravity::Error, it)).collect(),
        })
    }
}

fn unusable(document: &Document, source: &Source, error: &schema::FieldError) -> Diagnostic {
    let message = format!("the schema of {} {} is unusable: {error}", source.version, source.kind);
    document.diagnose(Gravity::Error, Problem::new("", Code::Invalid, message))
}
