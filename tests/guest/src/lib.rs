//! A composition module that does what its composite says, well-behaved or not.
//!
//! A `Puppet` acts out its `spec`, also when it is judged; without a composite, the step's input is acted out. The module has
//! `LLMInference` too, so that it can take that kind from another module.

/// The contract's types, generated from `wit/`.
#[expect(missing_docs, reason = "generated from wit/, where it is documented")]
pub mod wit {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "composition-module",
        additional_derives: [PartialEq, serde::Deserialize, serde::Serialize],
        generate_all,
        default_bindings_module: "crate::wit",
    });
}

mod judge;

use serde::Deserialize;
use serde_json::{Value, json};

use wit::exports::sailplane::composition::{catalog, compose, expressions, plan, preview, types};

/// What a puppet does.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Act {
    /// Says that it was called.
    Greet,
    /// Composes one resource, which holds the request.
    Echo,
    /// Desires all that is observed.
    Mirror,
    /// Returns this response.
    Respond(Box<compose::Response>),
    /// Returns this fault.
    Refuse(types::Fault),
    /// Asks for something else whenever it has been answered.
    Wander,
    /// Composes resources with this many bytes of data each.
    Swell(Vec<usize>),
    /// Stops.
    Trap,
    /// Never ends.
    Spin,
    /// Takes memory until there is none.
    Gorge,
}

/// A kind of step input: with it, the module greets composites of any kind.
const PROMPT: &str = "Prompt";

struct Puppet;

impl catalog::Guest for Puppet {
    fn describe() -> catalog::Contents {
        catalog::Contents {
            name: "guest".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kinds: vec![
                entry("guest.example.org/v1", "Puppet", "puppets"),
                entry("inference.devopstoolkit.ai/v1alpha1", "LLMInference", "llminferences"),
            ],
            inputs: vec![catalog::Input {
                kind: types::KindRef { api_version: "guest.example.org/v1".to_owned(), kind: PROMPT.to_owned() },
                acts_on: catalog::ActsOn::AnyKind,
                definition: "{}".to_owned(),
            }],
        }
    }
}

fn entry(api_version: &str, kind: &str, plural: &str) -> catalog::Entry {
    catalog::Entry {
        kind: types::KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() },
        plural: plural.to_owned(),
        short_names: Vec::new(),
        scope: catalog::Scope::Namespaced,
        definition: "{}".to_owned(),
        composed: true,
        composes: Vec::new(),
        wraps: Vec::new(),
        looks_up: Vec::new(),
        found_by: Vec::new(),
        admission: catalog::Admission {
            reads: vec![catalog::ApiResource {
                kind: types::KindRef { api_version: "v1".to_owned(), kind: "ConfigMap".to_owned() },
                plural: "configmaps".to_owned(),
                scope: catalog::Scope::Namespaced,
            }],
            writes_defaults: true,
            judges_deletion: true,
            policies: Vec::new(),
            beyond_policies: Vec::new(),
        },
        examples: Vec::new(),
    }
}

impl compose::Guest for Puppet {
    fn compose(request: compose::Request) -> Result<compose::Response, types::Fault> {
        let input = request.input.as_deref().map(read).transpose()?;
        if input.is_some_and(|input| input["kind"] == PROMPT) {
            return perform(Act::Greet, &request);
        }
        let script = match (&request.composite, &request.input) {
            (Some(composite), _) => spec(read(&composite.object)?)?,
            (None, Some(input)) => read(input)?,
            (None, None) => return Err(fault(types::FaultCause::Request, "", "nothing to act out")),
        };
        let act = match script {
            Value::Object(ref spec) if !spec.contains_key("act") => Act::Greet,
            mut script => serde_json::from_value(script["act"].take())
                .map_err(|error| fault(types::FaultCause::Composite, "spec.act", &error.to_string()))?,
        };
        perform(act, &request)
    }
}

fn spec(mut composite: Value) -> Result<Value, types::Fault> {
    match composite["kind"].as_str() {
        Some("Puppet" | "LLMInference") => Ok(composite["spec"].take()),
        other => Err(fault(types::FaultCause::UnknownKind, "kind", &format!("no kind {other:?}"))),
    }
}

fn perform(act: Act, request: &compose::Request) -> Result<compose::Response, types::Fault> {
    match act {
        Act::Greet => Ok(compose::Response { resources: vec![resource("greeting", &json!("hello"))], ..silence() }),
        Act::Echo => {
            let request = serde_json::to_value(request)
                .map_err(|error| fault(types::FaultCause::State, "", &error.to_string()))?;
            Ok(compose::Response { resources: vec![resource("echo", &request)], ..silence() })
        }
        Act::Mirror => {
            Ok(compose::Response { resources: request.observed.iter().map(mirrored).collect(), ..silence() })
        }
        Act::Respond(response) => Ok(*response),
        Act::Refuse(fault) => Err(fault),
        Act::Wander => Ok(compose::Response { lookups: vec![further(request)], ..silence() }),
        Act::Swell(sizes) => {
            let swollen = sizes.iter().enumerate();
            let resources =
                swollen.map(|(index, size)| resource(&format!("swollen-{index}"), &"x".repeat(*size).into()));
            Ok(compose::Response { resources: resources.collect(), ..silence() })
        }
        #[expect(clippy::panic, reason = "a panic is a trap")]
        Act::Trap => panic!("as told"),
        Act::Spin => loop {
            std::hint::spin_loop();
        },
        Act::Gorge => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1u8; 1 << 20]);
                std::hint::black_box(&eaten);
            }
        }
    }
}

fn mirrored(observed: &compose::ObservedResource) -> compose::DesiredResource {
    compose::DesiredResource {
        name: observed.name.clone(),
        object: observed.state.object.clone(),
        readiness: types::Readiness::Ready,
    }
}

/// Asks for something that has not been asked for.
fn further(request: &compose::Request) -> types::Lookup {
    let asked = request.lookups.iter().filter_map(|answer| answer.name.strip_prefix("step-")?.parse::<u32>().ok());
    types::Lookup {
        name: format!("step-{}", asked.max().map_or(0, |last| last + 1)),
        selector: types::Selector {
            kind: types::KindRef { api_version: "v1".to_owned(), kind: "ConfigMap".to_owned() },
            match_by: types::MatchBy::Labels(Vec::new()),
            namespace: None,
            limit: None,
        },
    }
}

fn resource(name: &str, data: &Value) -> compose::DesiredResource {
    let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": data});
    compose::DesiredResource { name: name.to_owned(), object: object.to_string(), readiness: types::Readiness::Ready }
}

/// A response that says nothing.
fn silence() -> compose::Response {
    compose::Response {
        composite: compose::DesiredComposite {
            status: None,
            connection_details: Vec::new(),
            readiness: types::Readiness::Unspecified,
        },
        resources: Vec::new(),
        withdrawn: Vec::new(),
        conditions: Vec::new(),
        results: Vec::new(),
        lookups: Vec::new(),
        schemas: Vec::new(),
        context: Vec::new(),
        ttl: None,
        output: None,
        derivations: Vec::new(),
        decisions: Vec::new(),
    }
}

fn read(text: &str) -> Result<Value, types::Fault> {
    serde_json::from_str(text).map_err(|error| fault(types::FaultCause::Request, "", &error.to_string()))
}

fn fault(cause: types::FaultCause, path: &str, message: &str) -> types::Fault {
    types::Fault { cause, problems: vec![problem(path, message)], conditions: Vec::new() }
}

fn problem(path: &str, message: &str) -> types::Problem {
    types::Problem {
        path: path.to_owned(),
        code: types::ProblemCode::Invalid,
        message: message.to_owned(),
        fix: None,
        hint: None,
    }
}

impl preview::Guest for Puppet {
    fn preview(_request: preview::Request) -> preview::Response {
        preview::Response {
            composites: Vec::new(),
            diagnostics: Vec::new(),
            capacities: Vec::new(),
            foreign_steps: Vec::new(),
        }
    }

    /// Warns of puppets, in texts that hold one and nothing else, as JSON. Traps at a puppet whose act is a trap.
    #[expect(clippy::panic, reason = "a panic is a trap")]
    fn check(sources: Vec<preview::Source>, _input: Option<String>) -> preview::Findings {
        let mut findings = preview::Findings { diagnostics: Vec::new(), objects: Vec::new() };
        for (text, source) in (0..).zip(sources) {
            let Ok(object) = read(&source.text) else { continue };
            if object["spec"]["act"] == "trap" {
                panic!("as told");
            }
            let of = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
            let kind = types::KindRef { api_version: of("apiVersion"), kind: of("kind") };
            let known = kind.kind == "Puppet";
            let location = preview::Location { text, document: 0, line: 1, column: 1, end_line: 1, end_column: 2 };
            if known {
                let problem = problem("", "it does what it is told");
                let diagnostic =
                    preview::Diagnostic { gravity: preview::Gravity::Warning, problem, location: Some(location) };
                findings.diagnostics.push(diagnostic);
            }
            let (namespace, name) = (String::new(), String::new());
            findings.objects.push(preview::Checked { location, kind, namespace, name, known });
        }
        findings
    }
}

impl plan::Guest for Puppet {
    fn plan(_request: plan::Request) -> plan::Response {
        plan::Response { subjects: Vec::new(), stock: Vec::new(), diagnostics: Vec::new() }
    }
}

impl expressions::Guest for Puppet {
    fn evaluate(_request: expressions::Request) -> Vec<expressions::Outcome> {
        Vec::new()
    }
}

#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "the glue of the canonical ABI: exported functions with fixed symbol names")]
mod exports {
    use crate::Puppet;

    crate::wit::export!(Puppet with_types_in crate::wit);
}
