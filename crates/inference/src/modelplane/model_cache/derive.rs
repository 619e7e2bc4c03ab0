//! Derives every value of what is on each cluster, and of the status.

use serde_json::{Value, json};
use toolbox::builders::managed::MANAGEMENT_POLICIES;
use toolbox::data;
use toolbox::hashed::child;
use toolbox::names::LONGEST_LABEL;
use toolbox::rule::{Element, Rule, Table, constant, rule, secret};

use super::source::{impossible, script};
use super::spec::{CachePhase, HuggingFaceSource, ModelCacheSpec};
use crate::modelplane::labels::{MODEL_CACHE, WORKLOAD_NAMESPACE};
use crate::modelplane::subject::Subject;
use crate::modelplane::wrap::{self, Wrapping};
use toolbox::held::{HELD, HELD_WITH_TOKEN};

/// The inputs of the rules. They have no `Debug`, because they have the token.
pub struct CacheInputs {
    /// The cache.
    pub cache: Subject<ModelCacheSpec>,
    /// Where the weights come from.
    pub source: HuggingFaceSource,
    /// The token for the source.
    pub token: Token,
    /// The clusters that have the weights, or shall have them.
    pub clusters: Vec<StagedCluster>,
    /// Whether any of them was found.
    pub is_matched: bool,
    /// Whether every lookup has an answer.
    pub resolved: bool,
}

/// The token for a source.
pub enum Token {
    /// The source is public.
    NotNeeded,
    /// There is no such Secret, or it has no such key.
    Missing,
    /// The token, in base64.
    Present(String),
}

/// A cluster that has the weights, or shall have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedCluster {
    /// Its name.
    pub name: String,
    /// The name of its ClusterProviderConfig.
    pub provider_config: String,
    /// The storage class for the volume.
    pub storage_class: String,
    /// How far the download is.
    pub phase: CachePhase,
    /// Whether its volume is observed.
    pub is_begun: bool,
    /// Whether what is there is held as it is, because the cluster says too little about itself at the moment.
    pub is_held: bool,
}

impl CacheInputs {
    /// The names of the objects of the cache on every cluster: replicas mount the volume by this name.
    fn name(&self, suffix: &[&str]) -> Value {
        let parts = ["modelcache", &self.cache.namespace, &self.cache.name];
        child(&[&parts, suffix].concat()).into()
    }

    /// The name of the cache as a label. One that is too long is cut, with a hash.
    fn labels(&self) -> Value {
        let name = &self.cache.name;
        let value = if name.chars().count() > LONGEST_LABEL { child(&[name]) } else { name.clone() };
        json!({MODEL_CACHE: value})
    }

    /// Whether the weights are on all clusters.
    pub fn is_staged(&self) -> bool {
        !self.clusters.is_empty() && self.ready() == self.clusters.len()
    }

    /// The number of clusters with the weights.
    pub fn ready(&self) -> usize {
        self.clusters.iter().filter(|cluster| cluster.phase == CachePhase::Ready).count()
    }

    /// Why the weights cannot be downloaded. `None` when they can.
    pub fn refusal(&self) -> Option<String> {
        let of = |field: &str, what: &str, text: &str| {
            impossible(what, text).map(|why| format!("spec.huggingFace.{field}: {why}"))
        };
        let revision = || of("revision", "revision", self.source.revision.as_deref()?);
        of("repo", "repository", &self.source.repo).or_else(revision)
    }
}

/// A cache on one cluster.
#[derive(Clone, Copy)]
pub struct CacheCopy<'a> {
    /// The cache.
    pub of: &'a CacheInputs,
    /// The cluster.
    pub on: &'a StagedCluster,
}

impl Element for CacheCopy<'_> {
    const WORD: &'static str = "cluster";

    fn name(&self) -> &str {
        &self.on.name
    }
}

const NAMES: &[&str] = &["metadata.namespace", "metadata.name"];
const REPOSITORY: &[&str] = &["spec.huggingFace.repo", "spec.huggingFace.revision"];
const TOKEN: &[&str] = &["spec.huggingFace.authSecret"];

impl<'a> CacheCopy<'a> {
    /// What the objects have in common.
    #[rustfmt::skip]
    pub const COMMON: &'a [Rule<Self>] = &[
        constant("metadata.namespace", "always: the namespace of everything on clusters", data!(WORKLOAD_NAMESPACE)),
        rule("metadata.labels", "the cache", &["metadata.name"], |c| Some(c.of.labels())),
    ];

    /// The volume.
    #[rustfmt::skip]
    pub const VOLUME: &'a [Rule<Self>] = &[
        rule("metadata.name", "namespace and name of the cache, with a hash: replicas mount it by this name", NAMES, |c| Some(c.of.name(&[]))),
        constant("spec.accessModes", "always: replicas on several nodes mount it", data!(["ReadWriteMany"])),
        rule("spec.storageClassName", "the storage class for caches of cluster `{cluster}`, from its status", &[], |c| Some(json!(c.on.storage_class))),
        rule("spec.resources.requests.storage", "the size", &["spec.huggingFace.sizeGiB"], |c| Some(json!(format!("{}Gi", c.of.source.size_gib)))),
    ];

    /// The Secret with the token, which is there until the weights are.
    #[rustfmt::skip]
    pub const SECRET: &'a [Rule<Self>] = &[
        rule("metadata.name", "namespace and name of the cache, with `auth` and a hash", NAMES, |c| Some(c.of.name(&["auth"]))),
        secret("data", "the token in the Secret of the cache", TOKEN, |c| c.token().map(|(key, token)| json!({key: token}))),
    ];

    /// The Job that downloads.
    #[rustfmt::skip]
    pub const DOWNLOAD: &'a [Rule<Self>] = &[
        rule("metadata.name", "namespace and name of the cache, with `hydrate` and a hash", NAMES, |c| Some(c.of.name(&["hydrate"]))),
        constant("spec.backoffLimit", "always: then it has failed", data!(3)),
        constant("spec.ttlSecondsAfterFinished", "always: long enough for its end to be observed", data!(180)),
        rule("spec.template.metadata.labels", "the cache", &["metadata.name"], |c| Some(c.of.labels())),
        constant("spec.template.spec.restartPolicy", "always: the download goes on where it was", data!("OnFailure")),
        constant("spec.template.spec.containers[0].name", "always", data!("hydrate")),
        constant("spec.template.spec.containers[0].image", "always: the downloader is installed into it", data!("python:3.11-slim")),
        rule("spec.template.spec.containers[0].command", "it downloads the repository, unless a marker says that it is there", REPOSITORY, |c| Some(c.command())),
        rule("spec.template.spec.containers[0].env", "the token in its Secret, if the cache has one", TOKEN, |c| Some(c.environment())),
        constant("spec.template.spec.containers[0].volumeMounts", "always: the volume", data!([{"name": "artifact", "mountPath": "/mnt/artifact"}])),
        constant("spec.template.spec.volumes[0].name", "always: the volume", data!("artifact")),
        rule("spec.template.spec.volumes[0].persistentVolumeClaim.claimName", "the volume", NAMES, |c| Some(c.of.name(&[]))),
    ];

    /// The Object around the Job.
    #[rustfmt::skip]
    pub const DOWNLOAD_OBJECT: &'a [Rule<Self>] = &[
        constant(MANAGEMENT_POLICIES, "always: the Job is left to its end when it is not needed any more", data!(["Observe", "Create", "Update", "LateInitialize"])),
    ];

    fn token(&self) -> Option<(&str, &str)> {
        match (&self.of.token, &self.of.source.auth_secret) {
            (Token::Present(token), Some(secret)) => Some((&secret.key, token)),
            _ => None,
        }
    }

    fn command(&self) -> Value {
        let source = &self.of.source;
        json!(["/bin/sh", "-c", script(&source.repo, source.revision.as_deref())])
    }

    fn environment(&self) -> Value {
        let Some(secret) = &self.of.source.auth_secret else { return json!([]) };
        let reference = json!({"name": self.of.name(&["auth"]), "key": secret.key});
        json!([{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": reference}}])
    }
}

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<CacheInputs>] = &[
    rule("summary.ready", "the clusters with the weights, of all", &[], |i| Some(json!(format!("{}/{}", i.ready(), i.clusters.len())))),
    rule("clusters", "how far the download to each cluster is", &[], |i| Some(i.clusters.iter().map(|it| json!({"name": it.name, "phase": it.phase.as_str()})).collect())),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::each("PersistentVolumeClaim, Secret and Job", CacheCopy::COMMON),
        Table::each("PersistentVolumeClaim", CacheCopy::VOLUME),
        Table::each("Secret", CacheCopy::SECRET),
        Table::each("Job", CacheCopy::DOWNLOAD),
        wrap::table(Wrapping::ON_SELECTED),
        Table::each("Object of the Job", CacheCopy::DOWNLOAD_OBJECT),
        Table::of("Object, while it is held", HELD),
        Table::of("Object of the Secret, while it is held", HELD_WITH_TOKEN),
        Table::of("status", STATUS),
    ]
}
