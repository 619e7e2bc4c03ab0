//! `LLMInference`: one model, served by vLLM, on one target cluster.

use super::Kind;
use crate::admit::Verdict;
use crate::catalog::Scope;
use crate::compose::Response;

/// The kind's row.
pub(super) const KIND: Kind = Kind {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    plural: "llminferences",
    scope: Scope::Namespaced,
    definition: "{}",
    composes: &[("kubernetes.m.crossplane.io/v1alpha1", "Object")],
    looks_up: &[],
    examples: &[],
    compose: |_| Ok(Response::default()),
    explain: |_| Ok(Vec::new()),
    admit: |_| Ok(Verdict::default()),
};
