//! What serves a replica on its cluster: objects of our own, or KServe. This is decided once for each replica.
//!
//! The option says what new replicas get. Whoever places a replica notes it in an annotation, because the replica and its
//! endpoint must agree on a path, and because a replica that runs stays as it is when the option changes: to change it would
//! stop the model until its weights are loaded again, or take devices twice that the scheduler counted once. An edit of the
//! annotation, or deleting the ModelReplica, moves one replica at a time.

use serde_json::Value;

use super::engines::ServingMode;
use super::labels::{BACKEND, WORKLOAD_NAMESPACE};
use super::options::Backend;

impl Backend {
    /// Its name, in annotations too.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Kserve => "kserve",
        }
    }

    /// What the annotation of a replica says.
    pub fn noted(replica: &Value) -> Option<Self> {
        let noted = replica["metadata"]["annotations"][BACKEND].as_str()?;
        [Self::Direct, Self::Kserve].into_iter().find(|backend| backend.as_str() == noted)
    }

    /// The backend that can serve so many engines in this mode. An object of KServe has one workload, or one for each phase.
    #[must_use]
    pub fn serving(self, mode: ServingMode, engines: usize) -> Self {
        if mode == ServingMode::PrefillDecode || engines == 1 { self } else { Self::Direct }
    }

    /// The path of a replica at the gateway of its cluster. KServe makes it of the namespace on the cluster.
    pub fn path(self, namespace: &str, replica: &str) -> String {
        let namespace = match self {
            Self::Direct => namespace,
            Self::Kserve => WORKLOAD_NAMESPACE,
        };
        format!("/{namespace}/{replica}/")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn backends() {
        #[track_caller]
        fn check(noted: Value, want: Option<Backend>) {
            assert_eq!(Backend::noted(&json!({"metadata": {"annotations": {"modelplane.ai/backend": noted}}})), want);
        }
        check(json!("kserve"), Some(Backend::Kserve));
        check(json!("direct"), Some(Backend::Direct));
        check(json!("KServe"), None);
        check(json!(null), None);
        for backend in [Backend::Direct, Backend::Kserve] {
            assert_eq!(json!(backend), backend.as_str());
            assert_eq!(backend.serving(ServingMode::Unified, 1), backend);
            assert_eq!(backend.serving(ServingMode::PrefillDecode, 2), backend);
            assert_eq!(backend.serving(ServingMode::Unified, 2), Backend::Direct);
        }
        assert_eq!(Backend::Direct.path("ml", "llama-09209"), "/ml/llama-09209/");
        assert_eq!(Backend::Kserve.path("ml", "llama-09209"), "/default/llama-09209/");
    }
}
