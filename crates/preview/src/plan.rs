//! Interface `plan` for a table of kinds: reads the texts, and lets the kinds plan.

use contract::plan::{PlanRequest, PlanResponse};
use contract::preview::{Gravity, PreviewRequest};
use serde_json::Value;
use toolbox::kind::Kinds;

use super::assumed;
use super::check::read_options;
use super::cluster::Cluster;
use super::namespace;
use super::render::store;
use super::texts::{self, Document, Identity};
use contract::types::KindRef;

/// Plans the places of what is in the texts. An object without a status, of a kind that others need the status of, counts as
/// up, and a warning says so.
pub fn plan(request: &PlanRequest, kinds: &Kinds) -> PlanResponse {
    let number = u32::try_from(request.sources.len()).unwrap_or(u32::MAX);
    let input = match request.input.as_deref().map(|text| read_options(number, text, kinds)).transpose() {
        Ok(input) => input,
        Err(diagnostics) => return PlanResponse { diagnostics, ..PlanResponse::default() },
    };
    let mut diagnostics = Vec::new();
    let documents = texts::read(&request.sources, &mut diagnostics);
    let written = Cluster::of(&documents, kinds);
    let cascade = PreviewRequest { cascade: true, ..PreviewRequest::default() };
    let assumed = assumed::statuses(&documents, &cascade, kinds, &written);
    let whole = assumed::with_statuses(written, &assumed, &documents, &cascade, kinds);
    let mut response = PlanResponse::default();
    for row in kinds.rows {
        let Some(plan) = row.plan else { continue };
        let is_subject = |object: &Value| kinds.find(&KindRef::of(object)).is_some_and(|it| it.kind == row.kind);
        let mut subjects = Vec::new();
        for document in documents.iter().filter(|it| is_subject(&it.object) && is_latest(it, &whole)) {
            let mut object = Value::clone(&document.object);
            let warning = namespace::complete(&mut object, row, None);
            let problems = store(&mut object, row);
            if problems.is_empty() {
                subjects.push(object);
            }
            let found = warning.map(|it| (Gravity::Warning, it)).into_iter();
            let found = found.chain(problems.into_iter().map(|it| (Gravity::Error, it)));
            diagnostics.extend(found.map(|(gravity, problem)| document.diagnose(gravity, problem)));
        }
        let others: Vec<_> = whole.objects().map(|(_, it)| it).filter(|it| !is_subject(it)).cloned().collect();
        let planned = plan(&subjects, &others, input.as_ref(), &request.changes);
        response.subjects.extend(planned.subjects);
        response.stock.extend(planned.stock);
        response.diagnostics.extend(planned.diagnostics);
    }
    response.diagnostics.extend(diagnostics);
    response.diagnostics.extend(assumed::said(&assumed, |_| true));
    response.diagnostics = texts::in_order(response.diagnostics);
    response
}

/// Whether a document is the last one with its object.
fn is_latest(document: &Document, written: &Cluster<'_>) -> bool {
    written.get(&Identity::of(&document.object)).is_some_and(|it| std::ptr::eq(it, &raw const *document.object))
}
