//! `package/backstage/`: a template of Backstage's scaffolder for `Cluster`, and the skeleton that it fills.
//!
//! Both are made from the definition's schema, so that a field of the kind is a field of the form too.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use toolbox::kind::Kind;

use crate::files::File;

const FOLDER: &str = "package/backstage";

/// Where the skeleton is, and the manifest that it becomes.
const SKELETON: &str = "manifest-templates";

/// What applications are called in the form.
const APPS: &[(&str, &str)] = &[
    ("crossplane", "Crossplane"),
    ("argocd", "Argo CD"),
    ("openfunction", "OpenFunction"),
    ("dapr", "Dapr"),
    ("traefik", "Traefik"),
    ("nvidia", "NVIDIA"),
    ("vllm", "vLLM"),
    ("keda", "KEDA"),
    ("envoyGateway", "Envoy Gateway"),
    ("prometheus", "Prometheus"),
    ("externalSecrets", "External Secrets"),
];

/// The files for those of `kinds` that have a form.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    kinds
        .iter()
        .filter(|kind| kind.api == "gpu-cluster")
        .flat_map(|kind| {
            let parameters = parameters(kind);
            let skeleton = File::new(format!("{FOLDER}/{SKELETON}/cluster.yaml"), skeleton(kind, &parameters));
            let comment = "A template for Backstage. It opens a pull request with a manifest of a cluster.";
            [File::yaml(format!("{FOLDER}/template.yaml"), comment, &[template(kind, &parameters)]), skeleton]
        })
        .collect()
}

/// The schemas of the fields in `spec.parameters`.
fn parameters(kind: &Kind) -> Map<String, Value> {
    let path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/parameters/properties";
    let found = (kind.definition)().document().pointer(path).and_then(Value::as_object);
    found.expect("the definition has parameters").clone()
}

fn template(kind: &Kind, parameters: &Map<String, Value>) -> Value {
    json!({
        "apiVersion": "scaffolder.backstage.io/v1beta3",
        "kind": "Template",
        "metadata": {
            "name": "crossplane-kubernetes",
            "title": "Crossplane Kubernetes",
            "description": "A managed Kubernetes cluster on AWS, Azure or Google Cloud, with nodes, GPUs and applications",
        },
        "spec": {
            "owner": "sailplane/sailplane",
            "type": "service",
            "parameters": pages(kind, parameters),
            "steps": steps(parameters),
            "output": {"links": [{"title": "Pull Request", "url": "${{ steps['create-pull-request'].output.remoteUrl }}"}]},
        },
    })
}

fn pages(kind: &Kind, parameters: &Map<String, Value>) -> Value {
    let clouds: Vec<_> = kind.published.compositions.iter().filter_map(|it| label(it.labels, "provider")).collect();
    let by_default =
        kind.published.compositions.iter().find(|it| it.default).and_then(|it| label(it.labels, "provider"));
    let selector = json!({
        "name": {
            "title": "Name", "type": "string", "description": "Name of the cluster.", "ui:autofocus": true,
            "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        },
        "provider": {"title": "Provider", "type": "string", "description": "The cloud.", "enum": clouds, "default": by_default},
        "namespace": {
            "title": "Namespace", "type": "string", "description": "Namespace of the composite, on the control plane.",
            "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        },
        "repository": {"title": "Repository", "type": "string", "description": "The repository that gets the manifest.", "minLength": 1},
        "repositoryUser": {
            "title": "Repository User", "type": "string", "description": "The owner of the repository.", "default": "sailplane",
        },
    });
    let mut pages = vec![page("Service Selector", &["name", "provider", "namespace", "repository"], selector)];
    let general = scalars(parameters).map(|(name, schema)| (name.clone(), field(schema, &format!("General {name}"))));
    pages.push(page("Service Definition", &["nodeSize"], general.collect()));
    let objects = objects(parameters);
    for (name, title, page_title) in
        [("gpu", "GPU", "GPU"), ("usage", "Usage", "Deletion"), ("creds", "Credentials", "Credentials")]
    {
        let schema = objects.iter().find(|it| it.0 == name).expect("the definition has it").1;
        pages.push(page(page_title, &[], json!({ name: field(schema, title) })));
    }
    let apps = apps(parameters).map(|(name, title, schema)| (name.to_owned(), field(schema, title)));
    pages.push(page("Apps", &[], apps.collect()));
    pages.into()
}

fn page(title: &str, required: &[&str], properties: Value) -> Value {
    let mut page = json!({"title": title, "properties": properties});
    if !required.is_empty() {
        page["required"] = json!(required);
    }
    page
}

fn label<'l>(labels: &[(&'l str, &'l str)], name: &str) -> Option<&'l str> {
    labels.iter().find(|label| label.0 == name).map(|label| label.1)
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object"
}

fn scalars(parameters: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    parameters.iter().filter(|(_, schema)| !is_object(schema))
}

fn objects(parameters: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let objects = parameters.iter().filter(|(name, schema)| is_object(schema) && *name != "apps");
    let found: Vec<_> = objects.map(|(name, schema)| (name.as_str(), schema)).collect();
    assert_eq!(found.iter().map(|it| it.0).collect::<Vec<_>>(), ["creds", "gpu", "usage"], "a field has no page");
    found
}

/// The applications in the order of the form, with what they are called.
fn apps(parameters: &Map<String, Value>) -> impl Iterator<Item = (&'static str, &'static str, &Value)> {
    let known = parameters["apps"]["properties"].as_object().expect("applications");
    assert_eq!(known.len(), APPS.len(), "an application has no title, or is gone");
    APPS.iter().map(|&(name, title)| (name, title, known.get(name).expect("an application")))
}

/// The schema of a field as a form has it: with a title, and without what only an API server knows.
///
/// An object that a user leaves alone is empty in a form, so its required fields are not required there.
fn field(schema: &Value, title: &str) -> Value {
    let mut made = schema.clone();
    let Some(fields) = made.as_object_mut() else { return made };
    // A list that a user leaves alone is empty in a form.
    fields.remove("minItems");
    fields.remove("x-kubernetes-validations");
    fields.insert("title".to_owned(), title.into());
    if is_object(schema) {
        fields.remove("required");
        for (name, inner) in fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            *inner = field(inner, &format!("{title} {name}"));
        }
    }
    if let Some(items) = fields.get_mut("items").filter(|items| is_object(items)) {
        let required = items["required"].clone();
        *items = field(items, &singular(title));
        items["required"] = required;
    }
    made
}

fn singular(title: &str) -> String {
    title.strip_suffix('s').unwrap_or(title).to_owned()
}

/// The names of everything that a user may fill in.
fn names(parameters: &Map<String, Value>) -> Vec<String> {
    let general = scalars(parameters).map(|(name, _)| name.clone());
    let objects = objects(parameters).into_iter().map(|(name, _)| name.to_owned());
    let apps = apps(parameters).map(|(name, ..)| name.to_owned());
    ["name", "provider", "namespace"].map(str::to_owned).into_iter().chain(general).chain(objects).chain(apps).collect()
}

fn steps(parameters: &Map<String, Value>) -> Value {
    let given = |name: &str| format!("${{{{ parameters.{name} }}}}");
    let values: Map<String, Value> = names(parameters).iter().map(|name| (name.clone(), given(name).into())).collect();
    let name = given("name");
    json!([
        {"id": "log-message", "name": "Log Message", "action": "debug:log", "input": {"message": format!("Cluster {name}")}},
        {
            "id": "fetch-template", "name": "Fetch Template", "action": "fetch:template",
            "input": {"url": SKELETON, "targetPath": "manifests", "values": values},
        },
        {
            "id": "rename-manifest", "name": "Rename Manifest", "action": "fs:rename",
            "input": {"files": [{"from": "manifests/cluster.yaml", "to": format!("manifests/cluster-{name}.yaml")}]},
        },
        {
            "id": "create-pull-request", "name": "Create Pull Request", "action": "publish:github:pull-request",
            "input": {
                "repoUrl": format!("github.com?repo={}&owner={}", given("repository"), given("repositoryUser")),
                "branchName": format!("cluster-{name}"),
                "gitCommitMessage": format!("Add cluster {name}"),
                "title": format!("Add cluster {name}"),
                "description": format!("A cluster on {}, from Backstage", given("provider")),
            },
        },
    ])
}

/// The manifest, with what Nunjucks fills in. Texts are written as JSON, so that no value can be more than a value.
fn skeleton(kind: &Kind, parameters: &Map<String, Value>) -> String {
    let mut text = format!(
        "apiVersion: {}\nkind: {}\nmetadata:\n  name: ${{{{ values.name | dump }}}}\n  namespace: ${{{{ values.namespace | dump }}}}\n\
         spec:\n  crossplane:\n    compositionSelector:\n      matchLabels:\n        provider: ${{{{ values.provider | dump }}}}\n  parameters:",
        kind.api_version, kind.kind
    );
    for (name, schema) in scalars(parameters) {
        spell(&mut text, 4, name, &format!("values.{name}"), schema);
    }
    for (name, schema) in objects(parameters) {
        spell(&mut text, 4, name, &format!("values.{name}"), schema);
    }
    text.push_str("\n    apps:");
    for (name, _, schema) in apps(parameters) {
        spell(&mut text, 6, name, &format!("values.{name}"), schema);
    }
    text.push('\n');
    text
}

/// Adds a field, if it has a value. An object with a switch is always there.
fn spell(text: &mut String, indent: usize, name: &str, value: &str, schema: &Value) {
    let begin = format!("\n{:indent$}{name}:", "");
    let written = match schema["type"].as_str() {
        Some("boolean") if name == "enabled" => {
            format!("{begin} ${{{{ 'true' if {value} else 'false' }}}}")
        }
        Some("boolean") => {
            format!("{{%- if {value} === true or {value} === false %}}{begin} ${{{{ {value} }}}}{{%- endif %}}")
        }
        Some("integer") => format!("{{%- if {value} is number %}}{begin} ${{{{ {value} }}}}{{%- endif %}}"),
        Some("array") => list(indent, value, &begin, schema),
        Some("object") => {
            let fields = schema["properties"].as_object().expect("fields");
            let mut inner = String::new();
            // What is always there comes first.
            for (name, schema) in
                fields.iter().filter(|it| it.0 == "enabled").chain(fields.iter().filter(|it| it.0 != "enabled"))
            {
                spell(&mut inner, indent + 2, name, &format!("{value}.{name}"), schema);
            }
            if fields.contains_key("enabled") {
                format!("{begin}{inner}")
            } else {
                format!("{{%- if {value}.name %}}{begin}{inner}{{%- endif %}}")
            }
        }
        _ => format!("{{%- if {value} %}}{begin} ${{{{ {value} | dump }}}}{{%- endif %}}"),
    };
    text.push_str(&written);
}

/// A list, if there is one. An empty list is written too where it is allowed, since it means something else than none.
fn list(indent: usize, value: &str, begin: &str, schema: &Value) -> String {
    let items = &schema["items"];
    let mut item = String::new();
    if is_object(items) {
        let required = items["required"].as_array().expect("required fields");
        let mut lead = "- ";
        for name in required.iter().filter_map(Value::as_str) {
            let _ = write!(item, "\n{:indent$}{lead}{name}: ${{{{ it.{name} | dump }}}}", "");
            lead = "  ";
        }
        for (name, schema) in items["properties"].as_object().expect("fields") {
            if !required.iter().any(|it| it == name) {
                spell(&mut item, indent + 2, name, &format!("it.{name}"), schema);
            }
        }
    } else {
        let _ = write!(item, "\n{:indent$}- ${{{{ it | dump }}}}", "");
    }
    let repeated = format!("{{%- for it in {value} %}}{item}");
    if schema["minItems"].as_u64() > Some(0) {
        format!("{{%- if {value}.length > 0 %}}{begin}{repeated}{{%- endfor %}}{{%- endif %}}")
    } else {
        format!("{{%- if {value}.length >= 0 %}}{begin}{repeated}{{%- else %}} []{{%- endfor %}}{{%- endif %}}")
    }
}
