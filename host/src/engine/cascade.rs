//! A preview with several modules: each module composes its kinds, and gets the objects that others compose.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::wit::preview::{Diagnostic, Gravity, Location, RenderedComposite, Request, Response};
use crate::wit::types::{KindRef, Problem, ProblemCode};

/// Rounds after which a cascade ends, even when modules still compose new objects for one another.
const MAX_ROUNDS: usize = 16;

/// A kind: API version and kind.
pub(super) type Route = (String, String);

/// The kinds that concern a module.
pub(super) struct ModuleKinds {
    /// The kinds that it composes.
    pub(super) composes: BTreeSet<Route>,
    /// The kinds that it looks up, and the kinds that its kinds compose: another module may compose the same object.
    pub(super) sees: BTreeSet<Route>,
    /// The kinds that other modules compose.
    pub(super) foreign: Vec<KindRef>,
}

/// Previews a request with several modules. `ask` calls the module with an index. The modules in `first` are called
/// first. With a cascade, modules that need objects of others are then called again, until nothing changes.
///
/// # Errors
/// When a call fails.
pub(super) fn preview<E>(
    modules: &[ModuleKinds],
    first: BTreeSet<usize>,
    request: &Request,
    ask: impl Fn(usize, &Request) -> Result<Response, E>,
) -> Result<Response, E> {
    let mut parts: Vec<Part> = modules.iter().map(|_| Part::default()).collect();
    let mut request = request.clone();
    let mut due = first;
    for _ in 0..MAX_ROUNDS {
        for &index in &due {
            let (Some(kinds), Some(part)) = (modules.get(index), parts.get_mut(index)) else { continue };
            request.foreign_kinds.clone_from(&kinds.foreign);
            request.foreign_objects.clone_from(&part.given);
            let response = ask(index, &request)?;
            part.answer = Some(LastAnswer { given: part.given.clone(), response });
        }
        if !request.cascade || modules.len() < 2 {
            return Ok(merge(parts));
        }
        due = pass_on(modules, &mut parts);
        if due.is_empty() {
            return Ok(merge(parts));
        }
    }
    let mut response = merge(parts);
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
    /// The objects of other modules that the module composes or looks up.
    given: Vec<String>,
    answer: Option<LastAnswer>,
}

/// The last answer of a module, and the objects of other modules in its request.
struct LastAnswer {
    given: Vec<String>,
    response: Response,
}

/// Gives every module the objects that others compose. Returns the modules that must be called because of them.
fn pass_on(modules: &[ModuleKinds], parts: &mut [Part]) -> BTreeSet<usize> {
    let objects = composed(parts);
    let mut due = BTreeSet::new();
    for (index, (kinds, part)) in modules.iter().zip(parts).enumerate() {
        let concerns = |kind: &Route| kinds.composes.contains(kind) || kinds.sees.contains(kind);
        let wanted: Vec<_> = objects.iter().filter(|object| object.module != index && concerns(&object.kind)).collect();
        let composes = wanted.iter().any(|object| kinds.composes.contains(&object.kind));
        let given: Vec<_> = wanted.iter().map(|object| object.json.clone()).collect();
        if given != part.given && (part.answer.is_some() || composes) {
            due.insert(index);
        }
        part.given = given;
    }
    due
}

/// An object that a module composed.
struct ComposedObject {
    module: usize,
    kind: Route,
    json: String,
}

/// All objects that modules composed, then all composites as they would be stored: a stored composite has more fields
/// than the composed object it was made from.
fn composed(parts: &[Part]) -> Vec<ComposedObject> {
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
        .map(|(module, object)| ComposedObject { module, kind: kind_of(object), json: object.clone() })
        .collect()
}

/// The kind of an object in JSON. What the object does not state is empty.
fn kind_of(object: &str) -> Route {
    let object: Value = serde_json::from_str(object).unwrap_or_default();
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("apiVersion"), text("kind"))
}

/// Makes one response of the responses of all modules. There may be thousands of composites, so none is copied.
fn merge(parts: Vec<Part>) -> Response {
    let answers: Vec<_> = parts.into_iter().map(|part| part.answer.map(|it| (it.given, it.response)).unzip()).collect();
    let (given, responses): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
    let mut merged = Merged::default();
    let mut roots = Vec::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    // A kind belongs to one module, and so do its places.
    let mut capacities = Vec::new();
    for (module, response) in responses.into_iter().enumerate() {
        let given = given.get(module).and_then(Option::as_deref).unwrap_or_default();
        let Response { composites, diagnostics: found, capacities: places, .. } = response.unwrap_or_else(nothing);
        for (index, composite) in composites.iter().enumerate() {
            if composite.origin.is_some() {
                roots.push((place(composite.origin), module, index));
            }
            let object = composite.foreign_object.and_then(|object| given.get(usize::try_from(object).ok()?));
            if let Some(object) = object {
                merged.of_others.insert(object, (module, index));
            }
        }
        merged.left.push(composites.into_iter().map(Some).collect());
        for diagnostic in found {
            if !diagnostics.iter().any(|other| *other == diagnostic || name_one_unknown_kind(other, &diagnostic)) {
                diagnostics.push(diagnostic);
            }
        }
        capacities.extend(places);
    }
    roots.sort();
    for (_, module, index) in roots {
        merged.place(module, index);
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.location.is_none(), place(diagnostic.location)));
    Response { composites: merged.composites, diagnostics, capacities, foreign_steps: Vec::new() }
}

/// Whether both diagnostics say that the kind of one object is unknown. Each module suggests a kind of its own.
fn name_one_unknown_kind(some: &Diagnostic, other: &Diagnostic) -> bool {
    /// The document and the path of the object.
    fn unknown(diagnostic: &Diagnostic) -> Option<(u32, u32, &str)> {
        let (problem, at) = (&diagnostic.problem, diagnostic.location?);
        let object = problem.path.strip_suffix("kind").or_else(|| problem.path.strip_suffix("apiVersion"))?;
        (problem.code == ProblemCode::NotSupported).then_some((at.text, at.document, object))
    }
    unknown(some).is_some() && unknown(some) == unknown(other)
}

/// The answer of a module that was not asked.
fn nothing() -> Response {
    Response { composites: Vec::new(), diagnostics: Vec::new(), capacities: Vec::new(), foreign_steps: Vec::new() }
}

/// The composites of all modules, each followed by the composites that it composes.
#[derive(Default)]
struct Merged<'p> {
    /// The composites of each module that are not placed yet.
    left: Vec<Vec<Option<RenderedComposite>>>,
    /// Composites that one module made from an object that another module composed: module and index, by that object.
    of_others: BTreeMap<&'p str, (usize, usize)>,
    /// The index of each composite in `composites`, by module and index there. `None` while its children are placed.
    placed: BTreeMap<(usize, usize), Option<u32>>,
    composites: Vec<RenderedComposite>,
}

impl Merged<'_> {
    /// Adds a composite and those below it to `composites`. Returns its index there.
    fn place(&mut self, module: usize, index: usize) -> Option<u32> {
        // Each composite is added once, so a circle ends.
        if let Some(placed) = self.placed.get(&(module, index)) {
            return *placed;
        }
        let composite = self.left.get_mut(module)?.get_mut(index)?.take()?;
        let (at, resources) = (self.composites.len(), composite.resources.len());
        self.composites.push(RenderedComposite { foreign_object: None, ..composite });
        self.placed.insert((module, index), None);
        for number in 0..resources {
            let Some(resource) = self.composites.get(at).and_then(|it| it.resources.get(number)) else { break };
            let own = resource.composite.and_then(|index| Some((module, usize::try_from(index).ok()?)));
            let found = own.or_else(|| self.of_others.get(resource.object.as_str()).copied());
            let child = found.and_then(|(module, index)| self.place(module, index));
            if let Some(resource) = self.composites.get_mut(at).and_then(|it| it.resources.get_mut(number)) {
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
