//! Objects without a status, of kinds that others need the status of: a person who writes them asks what would be if they
//! were up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use contract::preview::{Diagnostic, Gravity, PreviewRequest, Role};
use contract::types::{Code, Problem, Selector};
use serde_json::Value;
use toolbox::entries::by_key;
use toolbox::kind::{Assumed, Kinds};

use super::cluster::{Cluster, matches};
use super::fields::set;
use super::render::own_kind;
use super::texts::{Document, Identity};

/// The most objects that a message names.
const NAMED: usize = 3;

/// An object with the status that it is assumed to have.
pub(super) struct WithStatus {
    pub(super) identity: Identity,
    pub(super) object: Arc<Value>,
    assumed: Assumed,
}

impl WithStatus {
    /// Whether one of the lookups finds it.
    pub(super) fn is_found(&self, asked: &BTreeSet<Selector>, kinds: &Kinds) -> bool {
        asked.iter().any(|selector| matches(kinds, selector, &self.identity, &self.object))
    }
}

/// The cluster in which these objects have their status. In a cascade, a status that is written stays too: what is composed
/// anew knows of nothing that was there.
pub(super) fn with_statuses<'a>(
    written: Cluster<'a>,
    all: &'a [WithStatus],
    documents: &[Document],
    request: &PreviewRequest,
    kinds: &Kinds,
) -> Cluster<'a> {
    let is_looked_up = |object: &Value| own_kind(kinds, request, object).is_some_and(|kind| kind.assumed.is_some());
    let stated = documents.iter().map(|document| &*document.object).filter(|it| request.cascade && !has_no_status(it));
    let stated = stated.filter(|object| is_looked_up(object)).map(Identity::of);
    let cluster = all.iter().fold(written, |cluster, it| cluster.assuming(it.identity.clone(), &it.object));
    stated.fold(cluster, Cluster::keeping)
}

/// In a cascade: the objects of the texts without a status whose kind says what to assume.
pub(super) fn statuses(
    documents: &[Document],
    request: &PreviewRequest,
    kinds: &Kinds,
    written: &Cluster<'_>,
) -> Vec<WithStatus> {
    let find = |selector: &Selector| written.find(selector).into_iter().cloned().collect();
    let with_status = |document: &Document| {
        let assumed = own_kind(kinds, request, &document.object)?.assumed?;
        let identity = Identity::of(&document.object);
        // Of two with the same identity only the later one is in the cluster.
        let mut object = written.get(&identity).filter(|it| has_no_status(it))?.clone();
        let status = (assumed.status)(&object, &find)?;
        set(&mut object, &["status"], status);
        Some((identity, (Arc::new(object), assumed)))
    };
    let shown = documents.iter().filter(|it| matches!(it.role, Role::Subject | Role::Available) && request.cascade);
    let found = by_key(shown.filter_map(with_status));
    found.into_iter().map(|(identity, (object, assumed))| WithStatus { identity, object, assumed }).collect()
}

/// One warning for each kind, about the objects that counted.
pub(super) fn said(all: &[WithStatus], counted: impl Fn(&WithStatus) -> bool) -> Vec<Diagnostic> {
    let mut found: BTreeMap<&str, (Vec<&str>, Assumed)> = BTreeMap::new();
    for WithStatus { identity, assumed, .. } in all.iter().filter(|it| counted(it)) {
        found.entry(&identity.kind).or_insert_with(|| (Vec::new(), *assumed)).0.push(&identity.name);
    }
    let warning = |(kind, (names, Assumed { counts_as, .. })): (&str, (Vec<&str>, Assumed))| {
        let named: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = match names.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("{kind} without a status counts as {counts_as}: {}{more}", named.join(", "));
        let problem = Problem::new("status", Code::Required, message);
        Diagnostic { gravity: Gravity::Warning, problem, location: None }
    };
    found.into_iter().map(warning).collect()
}

fn has_no_status(object: &Value) -> bool {
    match object.get("status") {
        None | Some(Value::Null) => true,
        Some(Value::Object(status)) => status.is_empty(),
        Some(_) => false,
    }
}
