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

/// Makes one response of the responses of all modules.
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
            if !diagnostics.iter().any(|other| other == diagnostic || name_one_unknown_kind(other, diagnostic)) {
                diagnostics.push(diagnostic.clone());
            }
        }
    }
    roots.sort();
    for (_, module, index) in roots {
        merged.place(module, index);
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.location.is_none(), place(diagnostic.location)));
    Response { composites: merged.composites, diagnostics, foreign_steps: Vec::new() }
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

/// The composites of all modules, each followed by the composites that it composes.
struct Merged<'p> {
    parts: &'p [Part],
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
