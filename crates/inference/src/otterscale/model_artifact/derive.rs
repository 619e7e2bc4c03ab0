//! Derives every value of the Job, of its volume, and of the status.

use serde_json::{Value, json};
use toolbox::data;
use toolbox::duration::Duration;
use toolbox::hashed::sha256;
use toolbox::names::LONGEST_LABEL;
use toolbox::rule::{Plan, Rule, Table, constant, rule};

use super::spec::{ArtifactPhase, ArtifactSpec, HuggingFaceModel};
use crate::otterscale::labels::{COMPONENT, NAME, OF_PLATFORM, VERSION, VERSION_CAUSES, managed_by, part_of};
use crate::otterscale::options::ModelServiceOptions;
use crate::otterscale::{quantities, shell};
use crate::served::Served;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ArtifactInputs {
    /// The artifact.
    pub artifact: Served<ArtifactSpec>,
    /// Where the model comes from.
    pub source: HuggingFaceModel,
    /// The platform's options.
    pub options: ModelServiceOptions,
    /// How long a response holds when there is nothing to wait for.
    pub ttl: Duration,
    /// Hash of what the artifact says: what was imported once is not imported again.
    pub content: String,
    /// How far the import is.
    pub progress: Progress,
}

/// How far an import is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The phase.
    pub phase: ArtifactPhase,
    /// The reason of the condition.
    pub reason: &'static str,
    /// Its message.
    pub message: String,
    /// The digest, when it is known.
    pub digest: Option<String>,
    /// What the status keeps of the Job: `jobRef`, `startTime` and `completionTime`.
    pub job: Value,
    /// Whether the Job should exist.
    pub needs_job: bool,
    /// Whether the messages of pods are wanted.
    pub asks_pods: bool,
}

impl Progress {
    /// Whether the import has come to its end.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, ArtifactPhase::Succeeded | ArtifactPhase::Failed)
    }
}

impl ArtifactInputs {
    /// Hash of the Job's pods and volume, neither of which can be changed: part of their keys, so that others replace them.
    pub fn hash(&self) -> String {
        let made = json!([Plan::of(TEMPLATE, self).into_object(), Plan::of(CLAIM, self).into_object(), self.labels()]);
        sha256([made.to_string().as_str()]).chars().take(8).collect()
    }

    fn labels(&self) -> Value {
        Plan::of(LABELS, self).into_object()
    }

    /// The name of the Job, which is the value of a label too.
    pub fn job_name(&self) -> String {
        let (name, hash) = (&self.artifact.name, self.hash());
        if name.len() + 1 + hash.len() <= LONGEST_LABEL {
            return format!("{name}-{hash}");
        }
        let kept: String = name.chars().take(48).collect();
        let kept = kept.trim_end_matches(|last: char| !last.is_ascii_alphanumeric());
        let digits: String = sha256([name.as_str()]).chars().take(5).collect();
        format!("{kept}-{digits}-{hash}")
    }

    /// The name of the volume.
    pub fn claim_name(&self) -> String {
        format!("{}-workspace", self.artifact.name)
    }

    /// The reference of the artifact.
    pub fn reference(&self) -> String {
        let target = &self.artifact.spec.target;
        let tag = target.tag.as_deref().filter(|tag| !tag.is_empty()).unwrap_or("latest");
        format!("{}/{}:{tag}", target.registry, target.repository)
    }

    fn credentials(&self) -> Option<&str> {
        self.artifact.spec.target.credentials_secret_ref.as_ref().map(|secret| secret.name.as_str())
    }
}

const OF_ARTIFACT: &[&str] = &["metadata.name"];
const CREDENTIALS: &[&str] = &["spec.target.credentialsSecretRef.name"];
const TARGET: &[&str] = &["spec.target.registry", "spec.target.repository", "spec.target.tag"];
const TOKEN: &[&str] = &["spec.source.huggingFace.tokenSecretRef"];

/// Labels of everything.
#[rustfmt::skip]
pub const LABELS: &[Rule<ArtifactInputs>] = &[
    rule(NAME, "the artifact", OF_ARTIFACT, |i| Some(json!(i.artifact.name))),
    constant(COMPONENT, "always", data!("model-artifact")),
    part_of(),
    managed_by(),
    rule(VERSION, OF_PLATFORM, VERSION_CAUSES, |i| Some(&i.options.version).filter(|it| !it.is_empty()).map(|it| json!(it))),
];

/// The names of the volume.
#[rustfmt::skip]
pub const CLAIM_NAMES: &[Rule<ArtifactInputs>] = &[
    rule("metadata.name", "name of the artifact, with `-workspace`", OF_ARTIFACT, |i| Some(json!(i.claim_name()))),
    rule("metadata.namespace", "that of the artifact", &["metadata.namespace"], |i| Some(json!(i.artifact.namespace))),
];

/// The volume.
#[rustfmt::skip]
pub const CLAIM: &[Rule<ArtifactInputs>] = &[
    constant("spec.accessModes", "always: one pod has it", data!(["ReadWriteOnce"])),
    rule("spec.resources.requests.storage", "the size", &["spec.storage.size"], |i| Some(quantities::text(&i.artifact.spec.storage.size))),
    rule("spec.storageClassName", "the storage class", &["spec.storage.storageClassName"], |i| i.artifact.spec.storage.storage_class_name.clone().map(Value::from)),
];

/// The Job.
#[rustfmt::skip]
pub const JOB: &[Rule<ArtifactInputs>] = &[
    rule("metadata.name", "name of the artifact, with a hash of what the pod does", OF_ARTIFACT, |i| Some(json!(i.job_name()))),
    rule("metadata.namespace", "that of the artifact", &["metadata.namespace"], |i| Some(json!(i.artifact.namespace))),
    constant("spec.backoffLimit", "always: it is not tried again", data!(0)),
    constant("spec.ttlSecondsAfterFinished", "always: long enough for its end to be observed", data!(3600)),
];

/// The pods of the Job.
#[rustfmt::skip]
pub const TEMPLATE: &[Rule<ArtifactInputs>] = &[
    constant("spec.restartPolicy", "always: it is not tried again", data!("Never")),
    constant("spec.automountServiceAccountToken", "always: it does not use the API server", data!(false)),
    constant("spec.securityContext", "always: it may write to its volume", data!({"runAsNonRoot": true, "fsGroup": 1000, "seccompProfile": {"type": "RuntimeDefault"}})),
    constant("spec.containers[0].name", "always", data!("kit")),
    rule("spec.containers[0].image", "the platform's", &["input.modelService.images.kit"], |i| Some(json!(i.options.images.kit))),
    constant("spec.containers[0].command", "always", data!(["/bin/sh", "-c"])),
    constant("spec.containers[0].args", "always: it imports, packs and pushes, with what the artifact says in variables", data!([(shell::IMPORT)])),
    rule("spec.containers[0].env[]", "where the artifact goes", TARGET, |i| Some(variable("OCI_TARGET", &i.reference()))),
    rule("spec.containers[0].env[]", "the format", &["spec.format"], |i| Some(variable("FORMAT", i.artifact.spec.format.as_str()))),
    constant("spec.containers[0].env[]", "always: where credentials would be", data!({"name": "DOCKER_CONFIG", "value": "/.docker"})),
    rule("spec.containers[0].env[]", "the registry has no TLS", &["spec.target.insecure"], |i| (i.artifact.spec.target.insecure == Some(true)).then(|| variable("PLAIN_HTTP", "true"))),
    rule("spec.containers[0].env[]", "the repository", &["spec.source.huggingFace.model"], |i| Some(variable("HF_REPO", &i.source.model))),
    rule("spec.containers[0].env[]", "the revision", &["spec.source.huggingFace.revision"], |i| i.source.revision.as_deref().map(|it| variable("HF_REVISION", it))),
    rule("spec.containers[0].env[]", "the token, in its Secret", TOKEN, |i| i.source.token_secret_ref.as_ref().map(|it| json!({"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": it.name, "key": it.key.as_deref().filter(|key| !key.is_empty()).unwrap_or("token")}}}))),
    constant("spec.containers[0].securityContext", "always: it needs no rights", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
    constant("spec.containers[0].terminationMessagePath", "always: it says the digest here", data!("/dev/termination-log")),
    constant("spec.containers[0].terminationMessagePolicy", "always: it says the digest here", data!("File")),
    constant("spec.containers[0].resources", "always: enough to start", data!({"requests": {"cpu": "100m", "memory": "256Mi"}})),
    constant("spec.containers[0].volumeMounts[]", "always: where it works", data!({"name": "workspace", "mountPath": "/workspace"})),
    rule("spec.containers[0].volumeMounts[]", "the credentials", CREDENTIALS, |i| i.credentials().map(|_| json!({"name": "docker-config", "mountPath": "/.docker", "readOnly": true}))),
    rule("spec.volumes[]", "where it works", OF_ARTIFACT, |i| Some(json!({"name": "workspace", "persistentVolumeClaim": {"claimName": i.claim_name()}}))),
    rule("spec.volumes[]", "the credentials", CREDENTIALS, |i| i.credentials().map(|name| json!({"name": "docker-config", "secret": {"secretName": name, "items": [{"key": ".dockerconfigjson", "path": "config.json"}]}}))),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<ArtifactInputs>] = &[
    rule("observedGeneration", "the generation that was composed", &["metadata.generation"], |i| i.artifact.generation.map(Value::from)),
    rule("phase", "what the Job says, and once it is over what it said", &[], |i| Some(json!(i.progress.phase.as_str()))),
    rule("digest", "what the pod said at its end", &[], |i| i.progress.digest.clone().map(Value::from)),
    rule("reference", "where the artifact is, once its digest is known", TARGET, |i| i.progress.digest.as_ref().map(|_| json!(i.reference()))),
    rule("jobRef", "the Job", &[], |i| of_job(i, "jobRef")),
    rule("startTime", "what the Job says", &[], |i| of_job(i, "startTime")),
    rule("completionTime", "what the Job says", &[], |i| of_job(i, "completionTime")),
    rule("contentHash", "hash of what came to its end, which is not done again", &["spec"], |i| i.progress.is_over().then(|| json!(i.content))),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("labels of Job, pods and PersistentVolumeClaim", LABELS),
        Table::of("PersistentVolumeClaim: names", CLAIM_NAMES),
        Table::of("PersistentVolumeClaim", CLAIM),
        Table::of("Job", JOB),
        Table::of("Job: pods", TEMPLATE),
        Table::of("status", STATUS),
    ]
}

fn of_job(inputs: &ArtifactInputs, field: &str) -> Option<Value> {
    inputs.progress.job.get(field).filter(|value| !value.is_null()).cloned()
}

fn variable(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}
