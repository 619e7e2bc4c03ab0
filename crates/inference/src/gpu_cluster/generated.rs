//! Clusters for tests: parameters of every kind, from few words, so that names meet.

use serde_json::{Map, Value, json};

/// Pseudo-random choices (SplitMix64), the same in every run.
pub(super) struct Choices(u64);

impl Choices {
    pub(super) fn new(start: u64) -> Self {
        Self(start)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(limit).unwrap_or(1)).unwrap_or(0)
    }

    /// Whether something is so, in one of `of` times.
    pub(super) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Words that look like ends of names here.
const WORDS: &[&str] = &[
    "a",
    "a-usage",
    "a-usage-usage",
    "a-app",
    "creds",
    "creds-usage",
    "usage",
    "secret-a",
    "gpu",
    "cilium",
    "1a",
    "dev",
];

/// Names of clusters, some of which look like keys of objects, and some of which a cloud refuses.
const NAMES: &[&str] =
    &["a", "a-app", "a-secret", "iamrole", "subnet", "route", "eksnodegroup", "sg-a", "7a", "gateway"];

/// A Cluster, and the section of options that it is composed with.
pub(super) fn cluster(choices: &mut Choices) -> (Value, Value) {
    let mut name = choices.pick(NAMES).to_owned();
    if choices.one_in(8) {
        name.push_str(&"x".repeat(25 + choices.below(30)));
    }
    let provider = choices.pick(&["aws", "azure", "google"]);
    let object = json!({
        "apiVersion": "devopstoolkitseries.com/v2",
        "kind": "Cluster",
        "metadata": {"name": name, "namespace": "team-a"},
        "spec": {
            "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
            "parameters": parameters(choices, provider),
        },
    });
    let mut options = json!({});
    if choices.one_in(3) {
        options["ebsRights"] = "podIdentity".into();
    }
    if choices.one_in(3) {
        options["externalSecrets"] = "v1".into();
    }
    if choices.one_in(3) {
        options["usages"] = "always".into();
    }
    (object, options)
}

fn words(choices: &mut Choices, most: usize) -> Vec<&'static str> {
    let count = choices.below(most + 1);
    let mut words: Vec<_> = (0..count).map(|_| choices.pick(WORDS)).collect();
    if !choices.one_in(6) {
        words.sort_unstable();
        words.dedup();
    }
    words
}

fn parameters(choices: &mut Choices, provider: &str) -> Value {
    let mut parameters = Map::new();
    let mut set = |name: &str, value: Value| parameters.insert(name.to_owned(), value);
    if choices.one_in(2) {
        set("namespaces", json!(words(choices, 4)));
    }
    if choices.one_in(2) {
        set("usage", json!({"enabled": choices.one_in(2)}));
    }
    if choices.one_in(3) {
        set("minNodeCount", json!(choices.pick(&[0, 1, 3, 12])));
    }
    if choices.one_in(3) {
        set("nodeSize", json!(choices.pick(&["small", "medium", "large"])));
    }
    if choices.one_in(4) {
        set("region", json!(choices.pick(&["us-east-1", "us-east1", "eastus", "westeurope"])));
    }
    if choices.one_in(3) {
        let zones: &[&str] = match provider {
            "aws" => &["us-east-1a", "us-east-1b", "us-east-1-bos-1a", "us-east-1-chi-1a"],
            "google" => &["us-east1-b", "us-east1-c", "us-east1-d"],
            _ => &["1", "2", "eastus-1"],
        };
        let count = 1 + choices.below(3);
        set("zones", json!((0..count).map(|_| choices.pick(zones)).collect::<Vec<_>>()));
    }
    if choices.one_in(2) {
        let mut gpu = json!({"enabled": !choices.one_in(4)});
        if choices.one_in(3) {
            gpu["minNodeCount"] = choices.pick(&[0, 1, 2]).into();
        }
        if choices.one_in(4) {
            gpu["nodeSize"] = choices.pick(&["small", "medium", "large"]).into();
        }
        if choices.one_in(4) {
            gpu["capacity"] = choices.pick(&["OnDemand", "Spot"]).into();
        }
        set("gpu", gpu);
    }
    if choices.one_in(2) {
        let keys = words(choices, 3);
        set("creds", json!({"name": choices.pick(WORDS), "namespace": "crossplane-system", "keys": keys}));
    }
    let mut apps = Map::new();
    const APPS: &[&str] = &[
        "argocd",
        "crossplane",
        "dapr",
        "envoyGateway",
        "keda",
        "nvidia",
        "openfunction",
        "prometheus",
        "traefik",
        "vllm",
    ];
    for app in APPS {
        if choices.one_in(3) {
            apps.insert((*app).to_owned(), json!({"enabled": !choices.one_in(4)}));
        }
    }
    if choices.one_in(2) {
        let secrets = words(choices, 4);
        let secrets = secrets.iter().map(|to| json!({"fromSecret": "a", "toSecret": to, "toNamespace": "dev"}));
        let mut operator = json!({"enabled": !choices.one_in(5), "secrets": secrets.collect::<Vec<_>>()});
        if !choices.one_in(4) {
            operator["store"] = true.into();
        }
        if choices.one_in(2) {
            operator["azureVaultUrl"] = "https://a.vault.azure.net".into();
        }
        if choices.one_in(2) {
            operator["googleCredentialsKey"] = "creds".into();
        }
        apps.insert("externalSecrets".to_owned(), operator);
    }
    set("apps", apps.into());
    parameters.into()
}
