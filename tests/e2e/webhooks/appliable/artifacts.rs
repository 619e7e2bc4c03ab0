//! Artifacts of OtterScale's API, with what people may write in their fields.

use serde_json::json;

use super::subject::{Subject, composed, none, nothing};

pub(super) const ARTIFACTS: Subject = Subject {
    what: "artifacts",
    api_version: "model.otterscale.io/v1alpha1",
    kind: "ModelArtifact",
    allowed: 200,
    others: none,
    named: nothing,
    names: NAMES,
    sections: ("modelService", SECTIONS),
    spec: |_| {
        json!({
            "source": {"huggingFace": {"model": "facebook/opt-125m"}},
            "target": {"registry": "ghcr.io", "repository": "acme/opt-125m"},
            "storage": {"size": "5Gi"},
        })
    },
    fields: FIELDS,
    most: 4,
    beside: BESIDE,
    becomes: composed,
};

const NAMES: &[&str] = &[
    "opt",
    "a",
    "0.6b",
    "opt-125m.v1",
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
    "7.mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm-7.mmmmmmmmmmm-m",
];

/// Options of the platform.
const SECTIONS: &[&str] = &["{}", r#"{"version": ""}"#, r#"{"version": "v1.0.1", "images": {"kit": "kit:v1"}}"#];

/// Fields of an artifact, each with what people may write there.
#[rustfmt::skip]
const FIELDS: &[(&str, &str)] = &[
    ("/source/huggingFace/model", r#"["a", "facebook/opt-125m", "A.b_c-d/e", "a b"]"#),
    ("/source/huggingFace/revision", r#"["main", "refs/pr/1", "-", ""]"#),
    ("/source/huggingFace/tokenSecretRef", r#"[{"name": "hf"}, {"name": "hf", "key": ""}, {"name": "A b", "key": "t"}, {"name": ""}]"#),
    ("/source/huggingFace/tokenSecretRef/key", r#"["token", "hf_token.txt", ".a", ".", "..", "..a", "a/b", "a b", "é"]"#),
    ("/target/registry", r#"["registry.local:5001", "R", "a:b:c", "a/b"]"#),
    ("/target/repository", r#"["a", "a//b", "A.b/c"]"#),
    ("/target/tag", r#"["v1", "latest", "A_b.c-1", "a:b"]"#),
    ("/target/credentialsSecretRef", r#"[{"name": "a"}, {"name": "A b"}, {"name": ""}]"#),
    ("/target/insecure", "[true, false]"),
    ("/format", r#"["ModelPack", "ModelKit", "Tar"]"#),
    ("/storage/size", r#"["5Gi", 1, 5000000000, "1.5Ti", "100m", "0", 0, -1, "-5Gi", "0.0Gi", "1e3", "five"]"#),
    ("/storage/storageClassName", r#"["fast", "fast.v2", "", "Fast", "a b", "-a", "a..b"]"#),
];

/// Fields that the schema wants beside one.
const BESIDE: &[(&str, &str, &str)] =
    &[("/source/huggingFace/tokenSecretRef/key", "/source/huggingFace/tokenSecretRef/name", r#""hf""#)];
