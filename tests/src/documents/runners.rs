//! Which suite runs a command that needs more than `sailplane`.

use super::commands::Command;

/// What runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A suite with real components.
    Suite(Suite),
    /// Nothing runs it, for this reason.
    Nobody(&'static str),
}

/// A suite with real components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// `tests/e2e/webhooks`.
    Webhooks,
    /// `tests/e2e/control_plane`.
    ControlPlane,
}

/// Commands of a document that need more than the shell has.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// The document.
    pub document: &'static str,
    /// The beginning of the commands.
    pub begins: &'static str,
    /// What runs them.
    pub runner: Runner,
}

const fn row(document: &'static str, begins: &'static str, runner: Runner) -> Elsewhere {
    Elsewhere { document, begins, runner }
}

const WEBHOOKS: Runner = Runner::Suite(Suite::Webhooks);
const CONTROL_PLANE: Runner = Runner::Suite(Suite::ControlPlane);
const BUILDS: Runner = Runner::Nobody("it compiles the binary, as `make package` does, which CI makes");
const DOCKER: Runner = Runner::Nobody("it needs Docker; tests/e2e/package.rs runs the binary of that image");
const MODELPLANE: Runner = Runner::Nobody("it needs the packages of Modelplane's providers, which no suite has");
const GPUS: Runner = Runner::Nobody("it needs GPUs, and the operator on a cluster with nodes");

/// Commands that need more than the shell has. The first matching row counts.
#[rustfmt::skip]
pub static ELSEWHERE: &[Elsewhere] = &[
    row("README.md", "kubectl apply -f package/install/", CONTROL_PLANE),
    row("README.md", "kubectl apply -k package/admission", WEBHOOKS),
    row("docs/admission.md", "", WEBHOOKS),
    row("docs/check.md", "kubectl kustomize", WEBHOOKS),
    row("docs/function.md", "kubectl ", CONTROL_PLANE),
    row("docs/fleet-clusters.md", "", CONTROL_PLANE),
    row("docs/from-dot-kubernetes.md", "", CONTROL_PLANE),
    row("docs/from-inference-budget-controller.md", "", CONTROL_PLANE),
    row("docs/from-modelplane.md", "", CONTROL_PLANE),
    row("docs/from-otterscale.md", "", CONTROL_PLANE),
    row("docs/inference-model-budgets.md", "", CONTROL_PLANE),
    row("docs/install.md", "cargo install", BUILDS),
    row("docs/gitops.md", "", CONTROL_PLANE),
    row("docs/install.md", "kubectl apply -f package/install/provider-config-nebius", MODELPLANE),
    row("docs/install.md", "kubectl apply -f package/install/provider-config-vultr", MODELPLANE),
    row("docs/install.md", "kubectl apply -f package/install/prerequisites-modelplane.yaml", MODELPLANE),
    row("docs/install.md", "kubectl apply -f package/install/configuration-modelplane.yaml", MODELPLANE),
    row("docs/install.md", "kubectl ", CONTROL_PLANE),
    row("docs/install.md", "MIRROR=", CONTROL_PLANE),
    row("docs/install.md", "while read -r image", CONTROL_PLANE),
    row("docs/kubectl.md", "", CONTROL_PLANE),
    row("docs/prerequisites.md", "kubectl ", CONTROL_PLANE),
    row("docs/quick-start.md", "docker run", DOCKER),
    row("docs/quick-start.md", "curl ", GPUS),
    row("docs/quick-start.md", "kubectl --kubeconfig", GPUS),
    row("docs/quick-start.md", "kubectl apply -k", WEBHOOKS),
    row("docs/quick-start.md", "sed 's/gpu-cluster/", WEBHOOKS),
    row("docs/quick-start.md", "kubectl ", CONTROL_PLANE),
    row("docs/security.md", "", WEBHOOKS),
    row("docs/troubleshooting.md", "", CONTROL_PLANE),
    row("docs/upgrade.md", "kubectl apply -k", WEBHOOKS),
    row("docs/upgrade.md", "kubectl delete -k", WEBHOOKS),
    row("docs/upgrade.md", "kubectl delete secret", WEBHOOKS),
    row("docs/upgrade.md", "", CONTROL_PLANE),
    row("examples/plain/vllm-embedding.md", "kubectl wait", GPUS),
    row("examples/plain/vllm-embedding.md", "curl ", GPUS),
    row("examples/plain/vllm-embedding.md", "", CONTROL_PLANE),
    row("examples/plain/vllm-kimi.md", "kubectl wait", GPUS),
    row("examples/plain/vllm-kimi.md", "curl ", GPUS),
    row("examples/plain/vllm-kimi.md", "", CONTROL_PLANE),
    row("examples/plain/vllm-qwen.md", "kubectl wait", GPUS),
    row("examples/plain/vllm-qwen.md", "curl ", GPUS),
    row("examples/plain/vllm-qwen.md", "", CONTROL_PLANE),
];

/// The row for a command.
pub fn runner(command: &Command) -> Option<&'static Elsewhere> {
    ELSEWHERE.iter().find(|row| row.document == command.document && command.text.starts_with(row.begins))
}
