//! A preview by several modules: each composes its kinds, and sees what the others compose.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::wit::preview::{Diagnostic, Gravity, Location, RenderedComposite, Request, Response};
use crate::wit::types::{KindRef, Problem, ProblemCode};

/// How often modules are asked again because of what others compose.
const MAX_ROUNDS: usize = 16;

/// A kind, by API version and kind.
pub(super) type Route = (String, String);

/// What a module has to do with kinds.
pub(super) struct Concerns {
    /// Those that it composes.
    pub(super) composes: BTreeSet<Route>,
    /// Those that it looks up.
    pub(super) looks_up: BTreeSet<Route>,
    /// Those that other modules compose.
    pub(super) foreign: Vec<KindRef>,
}

/// Has modules preview a request, by index: first those in `first`, then, with the cascade, those that are concerned by
/// what the others compose, until nothing changes.
///
/// # Errors
/// When a module gives no answer.
pub(super) fn preview<E>(
    modules: &[Concerns],
    first: BTreeSet<usize>,
    request: &Request,
    ask: impl Fn(usize, &Request) -> Result<Response, E>,
) -> Result<Response, E> {
    let mut parts: Vec<Part> = modules.iter().map(|_| Part::default()).collect();
    let mut request = request.clone();
    let mut due = first;
    for _ in 0..MAX_ROUNDS {
        for &index in &due {
            let (Some(concerns), Some(part)) = (modules.get(index), parts.get_mut(index)) else { continue };
            request.foreign_kinds.clone_from(&concerns.foreign);
            request.foreign_objects.clone_from(&part.given);
            let response = ask(index, &request)?;
            part.answer = Some(Answer { given: part.given.clone(), response });
        }
        if !request.cascade || modules.len() < 2 {
            return Ok(merge(&parts));
        }
        due = pass_on(modules, &mut parts);
        if due.is_empty() {
            return Ok(merge(&parts));
        }
    }
    let mut response = merge(&parts);
    response.diagnostics.push(Diagnostic {
        gravity: Gravity::Warning,
        problem: Problem {
            path: String::new(),
            code: ProblemCode::Invalid,
            message: format!("what modules compose for one another still changes after {MAX_ROUNDS} rounds"),
            fix: None,
            hint: None,
        },
        location: None,
    });
    Ok(response)
}

/// A module's part of a preview.
#[derive(Default)]
struct Part {
    /// What others compose, as far as it concerns the module.
    given: Vec<String>,
    answer: Option<Answer>,
}

/// What a module last answered, and what it had been given then.
struct Answer {
    given: Vec<String>,
    response: Response,
}

/// Gives every module what the others compose. Returns those that have to be asked because of it.
fn pass_on(modules: &[Concerns], parts: &mut [Part]) -> BTreeSet<usize> {
    let offered = offered(parts);
    let mut due = BTreeSet::new();
    for (index, (concerns, part)) in modules.iter().zip(parts).enumerate() {
        let others = offered.iter().filter(|offer| offer.module != index);
        let wanted =
            others.filter(|offer| concerns.composes.contains(&offer.kind) || concerns.looks_up.contains(&offer.kind));
        let (given, kinds): (Vec<_>, Vec<_>) = wanted.map(|offer| (offer.object.clone(), &offer.kind)).unzip();
        let has_work = part.answer.is_some() || kinds.iter().any(|kind| concerns.composes.contains(*kind));
        if given != part.given && has_work {
            due.insert(index);
        }
        part.given = given;
    }
    due
}

/// An object that a module composed.
struct Offer {
    module: usize,
    kind: Route,
    object: String,
}

/// What modules composed, and then the composites as they would be stored, which say more than what composed them.
fn offered(parts: &[Part]) -> Vec<Offer> {
    let composites = || {
        let answers = parts.iter().enumerate().filter_map(|(module, part)| Some((module, part.answer.as_ref()?)));
        answers.flat_map(|(module, answer)| answer.response.composites.iter().map(move |composite| (module, composite)))
    };
    let resources = composites().flat_map(|(module, composite)| {
        let leaves = composite.resources.iter().filter(|resource| resource.composite.is_none());
        leaves.map(move |resource| (module, &resource.object))
    });
    let stored = composites().map(|(module, composite)| (module, &composite.object));
    resources
        .chain(stored)
        .map(|(module, object)| Offer { module, kind: kind_of(object), object: object.clone() })
        .collect()
}

/// The kind of an object in JSON; empty where it does not say.
fn kind_of(object: &str) -> Route {
    let object: Value = serde_json::from_str(object).unwrap_or_default();
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("apiVersion"), text("kind"))
}

/// One response from those of several modules.
fn merge(parts: &[Part]) -> Response {
    let mut merged = Merged { parts, of_others: BTreeMap::new(), placed: BTreeMap::new(), composites: Vec::new() };
    let mut roots = Vec::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for (module, part) in parts.iter().enumerate() {
        let Some(answer) = &part.answer else { continue };
        for (index, composite) in answer.response.composites.iter().enumerate() {
            if composite.origin.is_some() {
                roots.push((place(composite.origin), module, index));
            }
            let object = composite.foreign_object.and_then(|given| answer.given.get(usize::try_from(given).ok()?));
            if let Some(object) = object {
                merged.of_others.insert(object, (module, index));
            }
        }
        for diagnostic in &answer.response.diagnostics {
            if !diagnostics.contains(diagnostic) {
                diagnostics.push(diagnostic.clone());
            }
        }
    }
    roots.sort();
    for (_, module, index) in roots {
        merged.place(module, index);
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.location.is_none(), place(diagnostic.location)));
    Response { composites: merged.composites, diagnostics }
}

/// Composites of all modules, each followed by those it composes.
struct Merged<'p> {
    parts: &'p [Part],
    /// The composites that a module made of what another composed: module and index, by what was composed.
    of_others: BTreeMap<&'p str, (usize, usize)>,
    /// Where composites are now, by module and index; none while what they compose is placed.
    placed: BTreeMap<(usize, usize), Option<u32>>,
    composites: Vec<RenderedComposite>,
}

impl Merged<'_> {
    /// Places a composite and those below it. Returns where it is now.
    fn place(&mut self, module: usize, index: usize) -> Option<u32> {
        // Each stands once, so that there is no circle.
        if let Some(placed) = self.placed.get(&(module, index)) {
            return *placed;
        }
        let composite = self.parts.get(module)?.answer.as_ref()?.response.composites.get(index)?;
        let at = self.composites.len();
        self.composites.push(RenderedComposite { foreign_object: None, ..composite.clone() });
        self.placed.insert((module, index), None);
        for (number, resource) in composite.resources.iter().enumerate() {
            let own = resource.composite.and_then(|index| Some((module, usize::try_from(index).ok()?)));
            let found = own.or_else(|| self.of_others.get(resource.object.as_str()).copied());
            let child = found.and_then(|(module, index)| self.place(module, index));
            let resource = self.composites.get_mut(at).and_then(|composite| composite.resources.get_mut(number));
            if let Some(resource) = resource {
                resource.composite = child;
            }
        }
        let at = u32::try_from(at).ok();
        self.placed.insert((module, index), at);
        at
    }
}

fn place(location: Option<Location>) -> Option<(u32, u32, u32, u32)> {
    location.map(|at| (at.text, at.document, at.line, at.column))
}
