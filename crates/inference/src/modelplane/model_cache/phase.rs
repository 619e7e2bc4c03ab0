//! How far the download to a cluster is.

use serde_json::{Value, json};
use toolbox::conditions::holds;

use super::spec::CachePhase;
use crate::modelplane::wrap::remote_status;

/// The phase, from the observed Objects of the volume and of the download, and from the phase that the status of the cache
/// has. Once the weights are there, they stay: the Job is deleted soon after it completed.
pub(super) fn phase(volume: Option<&Value>, download: Option<&Value>, before: Option<&str>) -> CachePhase {
    let bound = volume.and_then(remote_status).is_some_and(|status| status["phase"] == "Bound");
    let job = json!({"status": download.and_then(remote_status)});
    if holds(&job, "Failed") {
        CachePhase::Failed
    } else if bound && (holds(&job, "Complete") || before == Some(CachePhase::Ready.as_str())) {
        CachePhase::Ready
    } else if bound {
        CachePhase::Hydrating
    } else {
        CachePhase::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases() {
        #[track_caller]
        fn check(volume: Option<&str>, job: &[(&str, &str)], before: Option<&str>, want: &str) {
            let object =
                |status: Value| json!({"status": {"atProvider": {"manifest": {"kind": "A", "status": status}}}});
            let volume = volume.map(|phase| object(json!({"phase": phase})));
            let conditions: Vec<_> = job.iter().map(|(kind, status)| json!({"type": kind, "status": status})).collect();
            let download = (!job.is_empty()).then(|| object(json!({"conditions": conditions})));
            assert_eq!(phase(volume.as_ref(), download.as_ref(), before).as_str(), want);
        }
        const COMPLETE: (&str, &str) = ("Complete", "True");
        const FAILED: (&str, &str) = ("Failed", "True");
        check(None, &[], None, "Pending");
        check(None, &[], Some("Ready"), "Pending");
        check(Some("Pending"), &[COMPLETE], Some("Ready"), "Pending");
        check(Some("Bound"), &[], None, "Hydrating");
        check(Some("Bound"), &[("Complete", "False")], Some("Hydrating"), "Hydrating");
        check(Some("Bound"), &[("Complete", "Unknown"), ("Suspended", "True")], Some("Failed"), "Hydrating");
        check(Some("Bound"), &[COMPLETE], None, "Ready");
        check(Some("Bound"), &[("SuccessCriteriaMet", "True"), COMPLETE], Some("Hydrating"), "Ready");
        check(Some("Bound"), &[], Some("Ready"), "Ready"); // the Job is gone
        check(Some("Bound"), &[("Complete", "False")], Some("Ready"), "Ready");
        check(Some("Bound"), &[FAILED], Some("Ready"), "Failed");
        check(Some("Bound"), &[COMPLETE, FAILED], None, "Failed");
        check(None, &[FAILED], None, "Failed");
        check(Some("Bound"), &[("Failed", "False")], None, "Hydrating");
    }

    /// What the provider has not observed has no state.
    #[test]
    fn objects_without_a_manifest() {
        let object = json!({"status": {"conditions": [{"type": "Failed", "status": "True"}], "phase": "Bound"}});
        assert_eq!(phase(Some(&object), Some(&object), Some("Ready")), CachePhase::Pending);
    }
}
