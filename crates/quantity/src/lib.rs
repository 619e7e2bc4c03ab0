//! Kubernetes quantities and semantic versions.
