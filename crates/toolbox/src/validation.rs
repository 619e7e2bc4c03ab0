//! Validation of objects by the definition of their kind, with the errors that an API server would give.

use contract::types::{Code, Edit, Problem};
use schema::metadata::Scope;
use schema::sources::{self, Source};
use schema::{FieldError, Hint, Kind, Options, Scale, Schema, Segment, Unknown};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::{path, typed};

/// The definition of one kind, compiled to validate its objects.
#[derive(Debug)]
pub struct Validator {
    document: Value,
    /// The schema of `spec` without its CEL rules, for composing. The API server judged the object by these rules when it
    /// was stored. A newer rule must not become a fatal result for what already runs.
    own: Schema,
    /// The whole schema as it is installed, with the fields that Crossplane adds.
    installed: Schema,
    scope: Option<Scope>,
    scale: Option<Scale>,
}

impl Validator {
    /// Reads a generated definition: a CompositeResourceDefinition or a CustomResourceDefinition, as JSON text.
    ///
    /// # Panics
    /// When the definition cannot be used. It is a part of the program. Without it, nothing could be refused.
    #[expect(clippy::panic, reason = "a module with a broken definition must not run: it would accept everything")]
    pub fn read(text: &str) -> Self {
        Self::compile(text).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Reads a definition.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn compile(text: &str) -> Result<Self, String> {
        let document: Value =
            serde_json::from_str(text).map_err(|error| format!("a definition is no JSON: {error}"))?;
        let name = document["metadata"]["name"].as_str().unwrap_or("without a name");
        let unusable = |what: &str, errors: Vec<FieldError>| {
            let errors: Vec<_> = errors.iter().map(FieldError::to_string).collect();
            format!("definition {name}: {what} cannot be used: {}", errors.join("; "))
        };
        let Some(Source { schema, scope, scale, .. }) = sources::find("", &document).into_iter().next() else {
            return Err(format!("definition {name}: it has no schema"));
        };
        let own = Schema::read_without_rules(&of_spec(&document));
        let own = own.map_err(|errors| unusable("the schema of `spec`", errors))?;
        let installed = Schema::read(&schema).map_err(|errors| unusable("its schema", errors))?;
        Ok(Self { own, installed, scope, scale, document })
    }

    /// The definition.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The new object as an API server would store it under strict validation. Its status is not validated and stays as it
    /// is.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn stored(&self, object: &Value) -> Result<Value, Vec<Problem>> {
        let scale = self.scale.as_ref();
        let options = Options { unknown: Unknown::Strict, scope: self.scope, scale, ..Options::default() };
        let admitted = self.installed.admit_owned(without_status(object), &options);
        let mut stored = admitted.map_err(|errors| self.problems(errors))?.object;
        if let (Some(fields), Some(status)) = (stored.as_object_mut(), object.get("status")) {
            fields.insert("status".to_owned(), status.clone());
        }
        Ok(stored)
    }

    /// All errors that an API server would give for a new `object` under strict validation. Empty when it is valid.
    pub fn validate(&self, object: &Value) -> Vec<Problem> {
        self.stored(object).err().unwrap_or_default()
    }

    /// Reads the `spec` of a stored `object` and sets defaults. Unknown fields are ignored: the API server has pruned those
    /// of the user, and Crossplane adds fields of its own. The CEL rules of the definition are not evaluated.
    ///
    /// # Errors
    /// All violations of the types and bounds in the schema.
    pub fn spec<T: DeserializeOwned>(&self, object: &Value) -> Result<T, Vec<Problem>> {
        let mut written = Map::new();
        written.extend(object.get("spec").map(|spec| ("spec".to_owned(), spec.clone())));
        let options = Options { unknown: Unknown::Prune, ..Options::default() };
        let admitted = self.own.admit_owned(written.into(), &options).map_err(|errors| self.problems(errors))?;
        let mut stored = admitted.object;
        read(stored["spec"].take(), "spec").map_err(|unread| self.lists_for_texts(object).unwrap_or(unread))
    }

    /// The lists where a text with a format is due: an API server takes them, and nothing can read them.
    fn lists_for_texts(&self, object: &Value) -> Option<Vec<Problem>> {
        let mut schema = of_spec(&self.document);
        drop_formats(&mut schema);
        let options = Options { unknown: Unknown::Prune, ..Options::default() };
        let schema = Schema::read_without_rules(&schema).ok()?;
        Some(self.problems(schema.admit(&json!({"spec": object["spec"]}), &options).err()?))
    }

    /// Reads a whole `object` under strict validation, CEL rules included. It is for objects that no API server validates,
    /// such as the input of a step.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn whole<T: DeserializeOwned>(&self, object: &Value) -> Result<T, Vec<Problem>> {
        let admitted = self.installed.admit(object, &Options::default());
        read(admitted.map_err(|errors| self.problems(errors))?.object, "")
    }

    /// The problems for these errors. Where a problem has no fix, the definition gives a hint.
    fn problems(&self, errors: Vec<FieldError>) -> Vec<Problem> {
        let mut problems = problems(errors);
        for problem in problems.iter_mut().filter(|problem| problem.fix.is_none() && problem.hint.is_none()) {
            if matches!(problem.code, Code::Required | Code::TypeInvalid | Code::Invalid) {
                problem.hint = self.schema_at(&problem.path).and_then(expected);
            }
        }
        problems
    }

    /// The schema of the field at `path` in the definition.
    fn schema_at(&self, path: &str) -> Option<&Value> {
        let root = &self.document["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        path::segments(path).try_fold(root, |schema, segment| match segment {
            path::Segment::Key(key) => schema["properties"].get(key).or_else(|| schema.get("additionalProperties")),
            path::Segment::Index(_) => schema.get("items"),
        })
    }
}

/// The schema of an object that has its `spec` alone.
fn of_spec(document: &Value) -> Value {
    let properties = &document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"];
    let spec = properties.get("spec").cloned().unwrap_or_else(|| json!({"type": "object"}));
    json!({"type": "object", "required": ["spec"], "properties": {"spec": spec}})
}

/// Removes the formats of texts from a schema.
fn drop_formats(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if keywords.get("type").is_some_and(|it| it == "string") {
                keywords.remove("format");
            }
            keywords.values_mut().for_each(drop_formats);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(drop_formats),
        _ => {}
    }
}

/// What a schema expects, in words, with the example in its description.
fn expected(schema: &Value) -> Option<String> {
    let kind = match schema["type"].as_str()? {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "boolean" => "`true` or `false`",
        "number" => "a number",
        "integer" => "a whole number",
        _ => return None,
    };
    let bounds = match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    let example = schema["description"].as_str().and_then(|text| text.split_once("e.g. ")?.1.split('`').nth(1));
    let example = example.map_or(String::new(), |example| format!(" like `{example}`"));
    let allowed = schema["enum"].as_array().map(|allowed| allowed.iter().map(Value::to_string).collect::<Vec<_>>());
    Some(match allowed {
        Some(allowed) => format!("give {}", allowed.join(" or ")),
        None => format!("give {kind}{bounds}{example}"),
    })
}

/// The object without its status: the API server does not validate the status where it is a subresource.
pub fn without_status(object: &Value) -> Value {
    let mut object = object.clone();
    object.as_object_mut().map(|fields| fields.remove("status"));
    object
}

/// Errors as problems of the contract. If a value cannot be decoded, the errors of validation are left out, as the API
/// server does.
pub fn problems(errors: Vec<FieldError>) -> Vec<Problem> {
    let malformed = errors.iter().any(|error| error.kind == Kind::Malformed);
    let mut errors = errors.iter().filter(|error| !malformed || error.kind.is_decoding());
    let mut problems: Vec<_> = errors.by_ref().take(MAX_PROBLEMS).map(problem).collect();
    if let Some(next) = errors.next() {
        problems.push(more(&problem(next), 1 + errors.count()));
    }
    problems
}

/// The most problems of an object, or of a document, that are listed.
pub const MAX_PROBLEMS: usize = 1_000;

/// Says that `count` more problems are not listed, of which `next` is the first.
pub fn more(next: &Problem, count: usize) -> Problem {
    let message = match count {
        1 => "1 more problem is not listed".to_owned(),
        _ => format!("{count} more problems are not listed; the first of them is here"),
    };
    Problem::new(next.path.clone(), Code::Invalid, message)
}

/// An error as a problem of the contract.
pub fn problem(error: &FieldError) -> Problem {
    let code = match error.kind {
        Kind::Required => Code::Required,
        Kind::TypeInvalid => Code::TypeInvalid,
        Kind::Invalid | Kind::Internal => Code::Invalid,
        Kind::NotSupported => Code::NotSupported,
        Kind::Duplicate => Code::Duplicate,
        Kind::TooLong => Code::TooLong,
        Kind::TooMany => Code::TooMany,
        Kind::Forbidden => Code::Forbidden,
        Kind::UnknownField => Code::UnknownField,
        Kind::Malformed => Code::TypeInvalid,
    };
    let problem = Problem::new(place(error), code, shortened(error.message()));
    match &error.hint {
        Some(Hint::Rename(meant)) => problem.with_fix(Edit::Rename(meant.clone())),
        Some(Hint::Replace(meant)) => problem.with_fix(Edit::Replace(meant.clone())),
        Some(Hint::OneOf(known)) => problem.with_fix(Edit::Remove).with_hint(format!("known are {}", listed(known))),
        None => problem,
    }
}

/// The path of an error: as the API server prints it, if that leads to the value. The server prints keys of maps in two
/// ways, and one of them, like fields, is ambiguous.
fn place(error: &FieldError) -> String {
    let steps = error.path.iter().map(|step| match step {
        Segment::Key(key) => path::Segment::Key(key),
        Segment::Index(index) => path::Segment::Index(*index),
    });
    if path::segments(&error.field).eq(steps.clone()) {
        return error.field.clone();
    }
    steps.fold(String::new(), |path, step| match step {
        path::Segment::Key(key) => path::key(&path, key),
        path::Segment::Index(index) => path::index(&path, index),
    })
}

/// Some names in a sentence. When there are many, it says how many more.
fn listed(names: &[String]) -> String {
    const LISTED: usize = 100;
    match names.len().checked_sub(LISTED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..LISTED].join(", ")),
    }
}

/// A message without its middle part, if it is very long because it repeats a value from the user.
fn shortened(message: String) -> String {
    const LONGEST: usize = 1_000;
    const KEPT: usize = 400;
    if message.len() <= LONGEST {
        return message;
    }
    let start = message.char_indices().nth(KEPT).map_or(message.len(), |(at, _)| at);
    let end = message.char_indices().nth_back(KEPT).map_or(0, |(at, _)| at);
    format!("{}…{}", &message[..start], &message[end.max(start)..])
}

fn read<T: DeserializeOwned>(value: Value, at: &str) -> Result<T, Vec<Problem>> {
    typed::read(value).map_err(|error| vec![Problem::new(at, Code::Invalid, error.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A definition with a CEL rule that some stored objects violate.
    const DEFINITION: &str = r#"{
        "apiVersion": "apiextensions.crossplane.io/v2", "kind": "CompositeResourceDefinition",
        "metadata": {"name": "models.example.org"},
        "spec": {
            "group": "example.org", "scope": "Namespaced", "names": {"kind": "Model", "plural": "models"},
            "versions": [{"name": "v1", "served": true, "referenceable": true, "schema": {"openAPIV3Schema": {
                "type": "object", "required": ["spec"],
                "properties": {"spec": {
                    "type": "object", "required": ["size"],
                    "properties": {
                        "size": {"type": "integer", "minimum": 1},
                        "replicas": {"type": "integer", "default": 1},
                        "parts": {"type": "object", "maxProperties": 4, "additionalProperties": {
                            "type": "string", "minLength": 1, "maxLength": 9,
                            "x-kubernetes-validations": [{"rule": "self != 'bad'", "message": "must not be bad"}]
                        }}
                    },
                    "x-kubernetes-validations": [{"rule": "self.size != 3", "message": "must not be 3"}]
                }}
            }}}]
        }
    }"#;

    /// Composing gives the spec or these errors, and admission gives these errors.
    #[track_caller]
    fn check(spec: Value, composing: Result<Value, &[&str]>, admission: &[&str]) {
        let definition = Validator::read(DEFINITION);
        let object = json!({
            "apiVersion": "example.org/v1", "kind": "Model", "metadata": {"name": "a", "namespace": "b"}, "spec": spec,
        });
        let messages = |problems: Vec<Problem>| -> Vec<String> {
            problems.into_iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
        };
        let read = definition.spec::<Value>(&object).map_err(messages);
        assert_eq!(read, composing.map_err(|want| want.iter().map(|&it| it.to_owned()).collect()), "composing");
        assert_eq!(messages(definition.validate(&object)), admission, "admission");
    }

    /// Schema validation prints keys of maps like fields, and rules print them in brackets. A path leads to the value.
    #[test]
    fn paths_are_those_of_the_api_server_unless_they_are_ambiguous() {
        let rows = [
            ("a", "bad", "spec.parts[a]: Invalid value: \"bad\": must not be bad"),
            ("a.b", "bad", "spec.parts[a.b]: Invalid value: \"bad\": must not be bad"),
            ("a", "", "spec.parts.a: Invalid value: \"\": spec.parts.a in body should be at least 1 chars long"),
            ("a.b", "", "spec.parts[a.b]: Invalid value: \"\": spec.parts.a.b in body should be at least 1 chars long"),
        ];
        let definition = Validator::read(DEFINITION);
        for (key, value, want) in rows {
            let object = json!({
                "apiVersion": "example.org/v1", "kind": "Model", "metadata": {"name": "a", "namespace": "b"},
                "spec": {"size": 1, "parts": {key: value}},
            });
            let problem = definition.validate(&object).remove(0);
            assert_eq!(format!("{}: {}", problem.path, problem.message), want);
            assert_eq!(path::get(&object, &problem.path), Some(&json!(value)), "{}", problem.path);
        }
    }

    #[test]
    fn what_was_probably_meant_is_a_fix() {
        #[track_caller]
        fn check(schema: &Value, value: Value, fix: Option<Edit>) {
            let schema = json!({"type": "object", "properties": {"a": schema}});
            let schema = Schema::read(&schema).expect("a schema");
            let errors = schema.admit(&json!({"a": value}), &Options::default()).expect_err("it is wrong");
            assert_eq!(problem(&errors[0]).fix, fix, "{}", errors[0]);
        }
        let replace = |value: Value| Some(Edit::Replace(value));
        let (integer, number) = (json!({"type": "integer"}), json!({"type": "number"}));
        let (text, flag) = (json!({"type": "string"}), json!({"type": "boolean"}));
        check(&integer, json!("8"), replace(json!(8)));
        check(&integer, json!("-8"), replace(json!(-8)));
        check(&integer, json!("8.5"), None);
        check(&integer, json!("eight"), None);
        check(&integer, json!(" 8"), None);
        check(&integer, json!("true"), None);
        check(&number, json!("8"), replace(json!(8)));
        check(&number, json!("8.5"), replace(json!(8.5)));
        check(&flag, json!("true"), replace(json!(true)));
        check(&flag, json!("yes"), None);
        check(&text, json!(8), replace(json!("8")));
        check(&text, json!(true), replace(json!("true")));
        // YAML's `1.10` is this number too.
        check(&text, json!(1.1), None);
        check(&text, json!([8]), None);
        let cloud = json!({"type": "string", "enum": ["aws", "azure", "google"]});
        check(&cloud, json!("azur"), replace(json!("azure")));
        check(&cloud, json!("Google"), replace(json!("google")));
        check(&cloud, json!("hetzner"), None);
        check(&json!({"type": "integer", "enum": [1, 2]}), json!(3), None);
    }

    #[test]
    fn a_label_that_is_a_number_gets_quotes() {
        let definition = Validator::read(DEFINITION);
        let labelled = |value: Value| {
            let metadata = json!({"name": "a", "namespace": "b", "labels": {"tier": value}});
            let object =
                json!({"apiVersion": "example.org/v1", "kind": "Model", "metadata": metadata, "spec": {"size": 1}});
            definition.validate(&object).remove(0)
        };
        let (problem, other) = (labelled(json!(1)), labelled(json!([])));
        assert_eq!((problem.path.as_str(), problem.fix), ("metadata.labels[tier]", Some(Edit::Replace(json!("1")))));
        assert_eq!(other.fix, None);
    }

    #[test]
    fn composing_evaluates_no_rules() {
        let valid = |size| Ok(json!({"size": size, "replicas": 1}));
        check(json!({"size": 2}), valid(2), &[]);
        check(json!({"size": 3}), valid(3), &["spec: Invalid value: must not be 3"]);
        // Types and bounds are checked, and no error mentions the rules that are not evaluated.
        let least = "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1";
        check(json!({"size": 0}), Err(&[least]), &[least]);
        let missing = "spec.size: Required value";
        let left_out = ": Invalid value: null: some validation rules were not checked because the object was invalid; \
                        correct the existing errors to complete validation";
        check(json!({}), Err(&[missing]), &[missing, left_out]);
    }

    /// A definition that cannot be used is an error, and not a validator that accepts everything.
    #[test]
    fn broken_definitions() {
        let check = |broken: &str, by: &str, why: &str| {
            assert!(DEFINITION.contains(broken));
            let error = Validator::compile(&DEFINITION.replacen(broken, by, 1)).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        assert!(Validator::compile(DEFINITION).is_ok());
        check("{", "[", "a definition is no JSON: ");
        check("CompositeResourceDefinition", "Pod", "definition models.example.org: it has no schema");
        check("versions", "version", "definition models.example.org: it has no schema");
        check("openAPIV3Schema", "schema", "definition models.example.org: ");
        check("self.size != 3", "self.size !=", "definition models.example.org: its schema cannot be used: ");
        check("self.size != 3", "self.length != 3", "definition models.example.org: its schema cannot be used: ");
        check("\"type\": \"integer\"", "\"type\": \"int\"", "the schema of `spec` cannot be used: ");
        assert_eq!(Validator::compile("{}").expect_err("it is empty"), "definition without a name: it has no schema");
    }
}
