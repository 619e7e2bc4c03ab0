//! Judges what a schema cannot state. The messages of warnings are those of the conditions that composing sets.

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRow;
use toolbox::names::named;

use self::repeated::twice;
use super::advice::advice;
use super::derive::objects::has_store;
use super::inputs::ClusterInputs;
use super::names;
use super::read::{assembled, provider, wrong_parameters};
use crate::clouds::Cloud;
use crate::options::Options;

mod clouds;
mod machines;
mod others;
mod places;
mod policies;
mod repeated;

pub(super) use others::FOUND_BY;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: others::READS,
    defaults: || None,
    judges_deletion: true,
    policies: policies::POLICIES,
    policy_variables: policies::VARIABLES,
    rules: policies::RULES,
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?;
    let answers = &request.lookups;
    Ok(match &request.operation {
        Operation::Create(object) => judge(object, None, &options, answers),
        Operation::Update { old, new } => judge(new, Some(old), &options, answers),
        Operation::Delete(deletion) => others::deletion(&deletion.object, answers),
    })
}

/// Judges a new or changed object. What the stored object `old` has too is tolerated.
fn judge(object: &Value, old: Option<&Value>, options: &Options, answers: &LookupAnswers) -> Verdict {
    let named = named(object);
    let mut verdict = Verdict::default();
    let cloud = provider(&named, options.cluster.provider);
    verdict.denials.extend(clouds::refused(&named, old, options.cluster.provider));
    let inputs = match (cloud, assembled(&named, options)) {
        (Err(unknown), _) => {
            verdict.denials.push(unknown);
            return verdict;
        }
        // The schema of the API server allows what this version cannot compose.
        (_, Err(problems)) => {
            let composed = |it: &Problem| {
                let message = format!("this version cannot compose it: {}: {}", it.path, it.message);
                Problem::new(it.path.clone(), it.code, message)
            };
            verdict.warnings.extend(problems.iter().take(1).map(composed));
            return verdict;
        }
        (Ok(_), Ok(inputs)) => inputs,
    };
    let before = old.and_then(|old| assembled(old, options).ok());
    let tolerated = before.as_ref().map(refusals).unwrap_or_default();
    verdict.denials.extend(refusals(&inputs).into_iter().filter(|problem| !tolerated.contains(problem)));
    if before.is_none() {
        let why = names::refused(&inputs);
        verdict.denials.extend(why.map(|why| Problem::new("metadata.name", Code::Invalid, why)));
        others::judge(object, &inputs, options, answers, &mut verdict);
    }
    if verdict.denials.is_empty() {
        verdict.warnings = warnings(&inputs, before.as_ref());
    }
    verdict
}

/// What is refused, whoever else there is.
fn refusals(inputs: &ClusterInputs) -> Vec<Problem> {
    let parameters = &inputs.parameters;
    let mut problems = wrong_parameters(inputs);
    problems.extend(places::refused(inputs));
    problems.extend(machines::refused(inputs));
    problems.extend(twice("spec.parameters.namespaces", parameters.namespaces.iter()));
    if let Some(creds) = &parameters.creds {
        problems.extend(twice("spec.parameters.creds.keys", creds.keys.iter()));
    }
    if parameters.apps.openfunction.enabled && parameters.apps.dapr.enabled {
        let message = "OpenFunction brings Dapr; enable one of them";
        problems.push(Problem::new("spec.parameters.apps.dapr", Code::Forbidden, message));
    }
    let Some(operator) = &parameters.apps.external_secrets else { return problems };
    let secrets = operator.secrets.iter().map(|it| &it.to_secret);
    problems.extend(twice("spec.parameters.apps.externalSecrets.secrets", secrets));
    if !operator.secrets.is_empty() && !has_store(inputs) {
        let message = "secrets come from a store: set `enabled` and `store` too";
        problems.push(Problem::new("spec.parameters.apps.externalSecrets.secrets", Code::Forbidden, message));
    }
    let google = has_store(inputs) && inputs.provider == Cloud::Google;
    if google && operator.google_credentials_key.as_deref().unwrap_or_default().is_empty() {
        let message = "missing: a secret store on GKE needs the key of Google's credentials";
        problems.push(Problem::new(
            "spec.parameters.apps.externalSecrets.googleCredentialsKey",
            Code::Required,
            message,
        ));
    }
    problems
}

/// What may work, but should be looked at.
fn warnings(inputs: &ClusterInputs, before: Option<&ClusterInputs>) -> Vec<Problem> {
    let advised = advice(inputs).into_iter();
    let mut warnings: Vec<Problem> =
        advised.filter_map(|(field, it)| Some(Problem::new(field, Code::Invalid, it.warning()?))).collect();
    let mut warn = |path: &str, words: String| warnings.push(Problem::new(path, Code::Invalid, words));
    if !inputs.has_usages() {
        let words = "without Usages a deletion can hang, and leave load balancers behind; set it to true";
        warn("spec.parameters.usage.enabled", words.to_owned());
    }
    let places = inputs.zones().len();
    if inputs.provider == Cloud::Google && places != 1 {
        let words = match places {
            0 => "on GKE there are as many nodes in each zone".to_owned(),
            _ => format!("on GKE there are as many nodes in each of {places} zones"),
        };
        warn("spec.parameters.minNodeCount", words);
    }
    if let Some(before) = before {
        for (path, changed) in [
            ("spec.parameters.region", before.region() != inputs.region()),
            ("spec.parameters.zones", before.zones() != inputs.zones()),
            ("spec.parameters.nodeSize", before.parameters.node_size != inputs.parameters.node_size),
        ]
        .into_iter()
        .chain(machines::replaced(before, inputs))
        {
            if changed {
                warn(
                    path,
                    "the cloud cannot change it in place: it refuses the change, or makes nodes anew".to_owned(),
                );
            }
        }
    }
    warnings.extend(machines::quota(inputs).into_iter().chain(places::advice(inputs)));
    warnings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::inputs::CLUSTERS;
    use super::*;

    pub(super) fn cluster(provider: &str, name: &str, parameters: Value) -> Value {
        json!({
            "apiVersion": CLUSTERS.api_version, "kind": CLUSTERS.kind,
            "metadata": {"name": name, "namespace": "team-a"},
            "spec": {
                "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
                "parameters": parameters,
            },
        })
    }

    pub(super) fn judged(operation: Operation, lookups: LookupAnswers) -> Verdict {
        admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict")
    }

    pub(super) fn paths(problems: &[Problem]) -> Vec<&str> {
        problems.iter().map(|it| it.path.as_str()).collect()
    }

    #[track_caller]
    fn check(provider: &str, parameters: Value, denials: &[&str], warnings: &[&str]) {
        let verdict = judged(Operation::Create(cluster(provider, "a", parameters)), LookupAnswers::new());
        assert_eq!((paths(&verdict.denials), paths(&verdict.warnings)), (denials.to_vec(), warnings.to_vec()));
    }

    #[test]
    fn creating() {
        const USAGE: &str = "spec.parameters.usage.enabled";
        const COUNT: &str = "spec.parameters.minNodeCount";
        const QUOTA: &str = "spec.parameters.gpu.maxNodeCount";
        let secrets = json!([{"fromSecret": "a", "toSecret": "b", "toNamespace": "c"}]);
        check("aws", json!({}), &[], &[USAGE]);
        check("aws", json!({"usage": {"enabled": true}}), &[], &[]);
        check("google", json!({"usage": {"enabled": true}}), &[], &[COUNT]);
        check("google", json!({"usage": {"enabled": true}, "zones": ["us-east1-b"]}), &[], &[]);
        check("azure", json!({"usage": {"enabled": true}, "minNodeCount": 0}), &[], &[COUNT]);
        // Only on AWS an empty pool stays empty.
        check("aws", json!({"usage": {"enabled": true}, "minNodeCount": 0}), &[], &[COUNT]);
        let from_zero = json!({
            "usage": {"enabled": true}, "gpu": {"enabled": true, "minNodeCount": 0},
            "apps": {"nvidia": {"enabled": true}},
        });
        check("aws", from_zero.clone(), &[], &["spec.parameters.gpu.minNodeCount", QUOTA]);
        check("azure", from_zero.clone(), &[], &[QUOTA]);
        check("google", from_zero, &[], &[COUNT, QUOTA]);
        check("asw", json!({}), &["spec.crossplane.compositionSelector.matchLabels.provider"], &[]);
        const ZONES: &[&str] = &["spec.parameters.zones"];
        for (provider, zones) in [
            ("aws", json!(["us-east-1a", "us-east-1b", "us-east-1a"])),
            ("aws", json!(["us-east-1a", "eu-west-1a"])),
            ("aws", json!(["us-east-1a"])),
            ("google", json!(["us-east1-b", "europe-west4-a"])),
            ("azure", json!(["eastus-1"])),
        ] {
            check(provider, json!({"usage": {"enabled": true}, "zones": zones}), ZONES, &[]);
        }
        check("aws", json!({"usage": {"enabled": true}, "zones": ["us-east-1a", "us-east-1f"]}), &[], &[]);
        check("azure", json!({"usage": {"enabled": true}, "zones": ["1", "3"]}), &[], &[]);
        for (provider, machine) in [("google", "p5.48xlarge"), ("azure", "g5.xlarge"), ("aws", "g2-standard-8")] {
            let gpu = json!({"enabled": true, "machineType": machine});
            check(provider, json!({"gpu": gpu}), &["spec.parameters.gpu.machineType"], &[]);
        }
        check("aws", json!({"namespaces": ["a", "b", "a"]}), &["spec.parameters.namespaces"], &[]);
        check(
            "aws",
            json!({"creds": {"name": "a", "namespace": "b", "keys": ["k", "k"]}}),
            &["spec.parameters.creds.keys"],
            &[],
        );
        check(
            "aws",
            json!({"apps": {"openfunction": {"enabled": true}, "dapr": {"enabled": true}}}),
            &["spec.parameters.apps.dapr"],
            &[],
        );
        check(
            "aws",
            json!({"apps": {"externalSecrets": {"secrets": secrets}}}),
            &["spec.parameters.apps.externalSecrets.secrets"],
            &[],
        );
        let twice = json!([
            {"fromSecret": "a", "toSecret": "b", "toNamespace": "c"}, {"fromSecret": "a", "toSecret": "b", "toNamespace": "d"},
        ]);
        check(
            "azure",
            json!({"apps": {"externalSecrets": {
                "enabled": true, "store": true, "azureVaultUrl": "https://a", "secrets": twice,
            }}}),
            &["spec.parameters.apps.externalSecrets.secrets"],
            &[],
        );
        check(
            "aws",
            json!({"apps": {"externalSecrets": {"enabled": true, "store": true}}}),
            &["spec.parameters.creds"],
            &[],
        );
        check(
            "azure",
            json!({"apps": {"externalSecrets": {"enabled": true, "store": true}}}),
            &["spec.parameters.apps.externalSecrets.azureVaultUrl"],
            &[],
        );
        let creds = json!({"name": "a", "namespace": "b", "keys": ["k"]});
        check(
            "google",
            json!({"creds": creds, "apps": {"externalSecrets": {"enabled": true, "store": true}}}),
            &["spec.parameters.apps.externalSecrets.googleCredentialsKey"],
            &[],
        );
        check(
            "azure",
            json!({"gpu": {"enabled": true, "accelerator": "L4"}}),
            &["spec.parameters.gpu.accelerator"],
            &[],
        );
        check(
            "aws",
            json!({"usage": {"enabled": true}, "gpu": {"enabled": true}}),
            &[],
            &["spec.parameters.gpu", QUOTA],
        );
        check(
            "google",
            json!({"usage": {"enabled": true}, "zones": ["us-east1-b"], "gpu": {"enabled": true}}),
            &[],
            &[QUOTA, "spec.parameters.zones"],
        );
        check(
            "google",
            json!({"usage": {"enabled": true}, "gpu": {"enabled": true, "accelerator": "H100"}}),
            &[],
            &[COUNT, QUOTA, "spec.parameters.zones"],
        );
        check(
            "aws",
            json!({"usage": {"enabled": true}, "apps": {"argocd": {"enabled": true}}}),
            &[],
            &["spec.parameters.apps.argocd"],
        );
        // What a schema says is not judged here, but a warning says that this version cannot compose the object.
        check("aws", json!({"minNodeCount": -1}), &[], &["spec.parameters.minNodeCount"]);
    }

    #[test]
    fn updating() {
        #[track_caller]
        fn check(old: Value, new: Value, denials: &[&str], warnings: &[&str]) {
            let verdict = judged(Operation::Update { old, new }, LookupAnswers::new());
            assert_eq!((paths(&verdict.denials), paths(&verdict.warnings)), (denials.to_vec(), warnings.to_vec()));
        }
        let on = |mut parameters: Value| {
            parameters["usage"] = json!({"enabled": true});
            cluster("aws", "sg-a", parameters)
        };
        let name = "metadata.name";
        // A stored name cannot be changed any more.
        check(on(json!({})), on(json!({"minNodeCount": 2})), &[], &[name]);
        check(
            on(json!({"namespaces": ["a", "a"]})),
            on(json!({"namespaces": ["a", "a"], "minNodeCount": 2})),
            &[],
            &[name],
        );
        check(on(json!({})), on(json!({"namespaces": ["a", "a"]})), &["spec.parameters.namespaces"], &[]);
        check(on(json!({})), on(json!({"nodeSize": "large"})), &[], &[name, "spec.parameters.nodeSize"]);
        check(cluster("aws", "a", json!({})), cluster("google", "a", json!({})), &["spec.crossplane"], &[]);
        let gpus = |field: &str, value: &str| {
            let mut pool = json!({"enabled": true});
            pool[field] = value.into();
            on(json!({"apps": {"nvidia": {"enabled": true}}, "gpu": pool}))
        };
        const QUOTA: &str = "spec.parameters.gpu.maxNodeCount";
        for (field, value) in
            [("machineType", "p5.48xlarge"), ("accelerator", "H100"), ("nodeSize", "large"), ("capacity", "Spot")]
        {
            let at = format!("spec.parameters.gpu.{field}");
            check(
                on(json!({"apps": {"nvidia": {"enabled": true}}, "gpu": {"enabled": true}})),
                gpus(field, value),
                &[],
                &[name, &at, QUOTA],
            );
        }
        let composed_by = |name: &str| {
            let mut object = on(json!({}));
            object["spec"]["crossplane"]["compositionRef"] = json!({"name": name});
            object
        };
        let contradicts = "spec.crossplane.compositionRef.name";
        check(composed_by("cluster-aws"), composed_by("cluster-google"), &[contradicts], &[]);
        check(composed_by("cluster-google"), composed_by("cluster-google"), &[], &[name]);
        check(composed_by("cluster-aws"), composed_by("mine"), &[], &[name]);
    }

    #[test]
    fn quotas() {
        #[track_caller]
        fn check(provider: &str, mut parameters: Value, want: &str) {
            parameters["gpu"] = json!({"enabled": true, "accelerator": "H100", "maxNodeCount": 4});
            let inputs = assembled(&cluster(provider, "a", parameters), &Options::default()).expect("a cluster");
            let found = machines::quota(&inputs).expect("a quota").message;
            assert!(found.contains(want), "{found}");
        }
        check("aws", json!({}), "up to 768 of the quota");
        check("azure", json!({}), "up to 160 of the quota");
        check("google", json!({"zones": ["us-east1-b"]}), "up to 32 of the quota");
        check("google", json!({}), "up to 96 of the quota");
        check("google", json!({"region": "europe-west4"}), "in europe-west4 for each zone");
    }
}
