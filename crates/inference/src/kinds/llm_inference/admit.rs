//! Judges what a schema cannot say, with the words that composing has for it.

use serde_json::Value;

use super::advice::{advice, too_large};
use super::derive::Inputs;
use super::{KIND, inputs};
use crate::admit::{Operation, Request, Verdict};
use crate::names::ServiceName;
use crate::options::{MemoryAdvice, Options};
use crate::path;
use crate::problem::{Code, Fault, Problem};

/// The door `admit`.
pub(super) fn admit(request: &Request) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?;
    Ok(match &request.operation {
        Operation::Create(object) => judge(object, options, true, &[]),
        Operation::Update { old, new } => judge(new, options, false, &KIND.validate(old)),
        Operation::Delete(_) => Verdict::default(),
    })
}

/// `tolerated` are problems that the stored object has already. What can only be chosen on creation is held
/// against new objects alone: an object that runs stays editable.
fn judge(object: &Value, options: Options, is_new: bool, tolerated: &[Problem]) -> Verdict {
    let mut denials = KIND.validate(object);
    denials.retain(|problem| !tolerated.contains(problem));
    let name = path::get(object, "metadata.name").and_then(Value::as_str).unwrap_or_default();
    let refuse_memory = is_new && options.memory_advice == MemoryAdvice::Refuse;
    if is_new {
        let problems = ServiceName::problems(name).into_iter().map(|problem| name_problem(name, problem));
        // A name that the schema refuses needs no second reason of the same sort.
        let new =
            problems.filter(|problem| !denials.iter().any(|it| (&it.path, it.code) == (&problem.path, problem.code)));
        denials = new.collect::<Vec<_>>().into_iter().chain(denials).collect();
    }
    let Ok(inputs) = inputs(object, options, None) else {
        return Verdict { denials, ..Verdict::default() };
    };
    if refuse_memory {
        denials.extend(too_large(&inputs).map(|words| Problem::new("spec.gpu", Code::Invalid, words)));
    }
    let warnings = if denials.is_empty() { warnings(&inputs) } else { Vec::new() };
    Verdict { denials, warnings, defaults: (KIND.definition)().defaults(object), ..Verdict::default() }
}

fn warnings(inputs: &Inputs) -> Vec<String> {
    advice(inputs).iter().filter_map(|said| said.warning().map(str::to_owned)).collect()
}

fn name_problem(name: &str, problem: ServiceName) -> Problem {
    let code = if problem == ServiceName::TooLong { Code::TooLong } else { Code::Invalid };
    let message = format!(
        "no Service can be named `{name}`: the name {}; use at most 63 lower-case letters, digits and `-`, starting with a letter",
        problem.words(),
    );
    Problem::new("metadata.name", code, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::problem::{Cause, Edit};

    fn composite(name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": "inference.devopstoolkit.ai/v1alpha1", "kind": "LLMInference",
            "metadata": {"name": name, "namespace": "team-a"}, "spec": spec,
        })
    }

    fn sound() -> Value {
        json!({"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": 1, "providerConfigName": "gpu-cluster"})
    }

    fn with(mut spec: Value, key: &str, value: Value) -> Value {
        spec[key] = value;
        spec
    }

    /// Paths and codes of the denials, and how many warnings there are.
    fn verdict(operation: Operation, options: Value) -> (Vec<(String, Code)>, usize) {
        let mut input = json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options"});
        for (key, value) in options.as_object().into_iter().flatten() {
            input[key] = value.clone();
        }
        let request = Request { operation, input: Some(input), lookups: std::collections::BTreeMap::new() };
        let verdict = admit(&request).expect("sound options");
        (verdict.denials.into_iter().map(|problem| (problem.path, problem.code)).collect(), verdict.warnings.len())
    }

    fn check(operation: Operation, options: Value, denials: &[(&str, Code)], warnings: usize) {
        let shown = format!("{operation:?}");
        let want: Vec<_> = denials.iter().map(|&(path, code)| (path.to_owned(), code)).collect();
        assert_eq!(verdict(operation, options), (want, warnings), "{shown}");
    }

    #[test]
    fn creating() {
        let create = |name: &str, spec| Operation::Create(composite(name, spec));
        let check = |operation, denials: &[(&str, Code)], warnings| check(operation, json!({}), denials, warnings);
        check(create("qwen", sound()), &[], 0);
        check(
            create("qwen", with(sound(), "crossplane", json!({"compositionRef": {"name": "llm-inference"}}))),
            &[],
            0,
        );
        check(create("qwen", with(sound(), "gpu", json!(3))), &[], 1);
        check(create("qwen", with(sound(), "gpu", json!(12))), &[], 1);
        check(create("qwen", with(sound(), "model", json!("meta-llama/Llama-3.1-405B"))), &[], 2);
        check(create(&"a".repeat(63), sound()), &[], 0);
        check(create(&"a".repeat(64), sound()), &[("metadata.name", Code::TooLong)], 0);
        check(create("qwen2.5", sound()), &[("metadata.name", Code::Invalid)], 0);
        check(create("7b", sound()), &[("metadata.name", Code::Invalid)], 0);
        check(create("Qwen", sound()), &[("metadata.name", Code::Invalid)], 0);
        check(create("qwen", with(sound(), "gpu", json!(0))), &[("spec.gpu", Code::Invalid)], 0);
        check(create("qwen", with(sound(), "gpus", json!(2))), &[("spec.gpus", Code::UnknownField)], 0);
        check(
            create("7b", json!({"modle": "a", "gpu": "4"})),
            &[
                ("metadata.name", Code::Invalid),
                ("spec.modle", Code::UnknownField), // told as the object is decoded, before it is validated
                ("spec.gpu", Code::TypeInvalid),
                ("spec.model", Code::Required),
                ("spec.providerConfigName", Code::Required),
            ],
            0,
        );
        let mut odd = composite("qwen", sound());
        odd["sepc"] = json!({});
        check(Operation::Create(odd), &[("sepc", Code::UnknownField)], 0);
    }

    #[test]
    fn updating() {
        let update = |name: &str, old, new| Operation::Update { old: composite(name, old), new: composite(name, new) };
        let check = |operation, denials: &[(&str, Code)], warnings| check(operation, json!({}), denials, warnings);
        // What has an unusable name, or was stored with a mistake, stays editable.
        check(update("qwen2.5", sound(), with(sound(), "gpu", json!(2))), &[], 1);
        let mistaken = with(sound(), "gpu", json!(0));
        check(update("qwen", mistaken.clone(), with(mistaken.clone(), "model", json!("a"))), &[], 0);
        check(
            update("qwen", mistaken.clone(), with(mistaken.clone(), "gpu", json!(-1))),
            &[("spec.gpu", Code::Invalid)],
            0,
        );
        check(update("qwen", sound(), mistaken), &[("spec.gpu", Code::Invalid)], 0);
        check(Operation::Delete(composite("7b", json!({}))), &[], 0);
    }

    #[test]
    fn memory_advice() {
        let large = with(sound(), "model", json!("Qwen/Qwen2.5-72B-Instruct"));
        let create = || Operation::Create(composite("qwen", large.clone()));
        let update = || Operation::Update { old: composite("qwen", sound()), new: composite("qwen", large.clone()) };
        check(create(), json!({}), &[], 0);
        check(create(), json!({"gpuMemory": "80Gi"}), &[], 1);
        check(create(), json!({"memoryAdvice": "refuse"}), &[], 0);
        check(create(), json!({"gpuMemory": "80Gi", "memoryAdvice": "refuse"}), &[("spec.gpu", Code::Invalid)], 0);
        check(update(), json!({"gpuMemory": "80Gi", "memoryAdvice": "refuse"}), &[], 1);
    }

    #[test]
    fn slips_are_mended() {
        let slip = with(sound(), "ingresHost", json!("a.example.org"));
        let denials = KIND.validate(&composite("qwen", slip));
        let want = Problem::new("spec.ingresHost", Code::UnknownField, "unknown field \"spec.ingresHost\"");
        assert_eq!(denials, [want.with_fix(Edit::Rename("ingressHost".to_owned()))]);
    }

    #[test]
    fn defaults_are_written_where_they_lack() {
        let mut spec = sound();
        let defaults = |spec: &Value| (KIND.definition)().defaults(&composite("qwen", spec.clone()));
        assert_eq!(defaults(&spec), []);
        spec.as_object_mut().map(|spec| spec.remove("gpu"));
        let found = defaults(&spec);
        assert_eq!(
            found.iter().map(|it| (it.pointer.as_str(), &it.value)).collect::<Vec<_>>(),
            [("/spec/gpu", &json!(1))]
        );
        let stored = (KIND.definition)().admit(&composite("qwen", spec), None);
        assert_eq!(stored, Ok(composite("qwen", sound())));
    }

    #[test]
    fn options_are_checked_first() {
        let input = Some(json!({"ttl": "1m"}));
        let request =
            Request { operation: Operation::Create(json!({})), input, lookups: std::collections::BTreeMap::new() };
        assert_eq!(admit(&request).map_err(|fault| fault.cause), Err(Cause::Input));
    }
}
