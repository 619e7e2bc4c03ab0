//! How far an import is: from the Job, from what its pods said, and from what the status has kept.

use serde_json::{Value, json};
use toolbox::conditions;

use super::derive::Progress;
use super::spec::ArtifactPhase::{self, Failed, Pending, Running, Succeeded};

/// What the status of the composite says about the same content.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Before {
    /// The phase, when it is the last one.
    pub over: Option<bool>,
    /// The digest.
    pub digest: Option<String>,
    /// Why it failed.
    pub message: Option<String>,
    /// What is kept of the Job.
    pub job: Value,
}

/// The most characters of a message.
const LONGEST: usize = 1024;

impl Before {
    /// Reads a composite. A status about another content says nothing; one without a hash is about this one.
    pub(super) fn of(composite: &Value, content: &str) -> Self {
        let status = &composite["status"];
        if status["contentHash"].as_str().is_some_and(|hash| hash != content) {
            return Self { job: Value::Null, ..Self::default() };
        }
        let over = match status["phase"].as_str() {
            Some("Succeeded") => Some(true),
            Some("Failed") => Some(false),
            _ => None,
        };
        let said = conditions::find(composite, "ArtifactReady").filter(|it| it.reason == "JobFailed");
        Self {
            over,
            digest: status["digest"].as_str().filter(|it| !it.is_empty() && over.is_some()).map(str::to_owned),
            message: said.map(|it| it.message.to_owned()).filter(|_| over == Some(false)),
            job: json!({"jobRef": status["jobRef"], "startTime": status["startTime"], "completionTime": status["completionTime"]}),
        }
    }
}

/// How far an import is: the first row that holds. `said` is what its pods said at their end, `None` when nobody has asked.
pub(super) fn progress(job: Option<&Value>, before: &Before, said: Option<&str>) -> Progress {
    let at = |phase: ArtifactPhase, reason: &'static str, message: &str| Progress {
        phase,
        reason,
        message: message.to_owned(),
        digest: None,
        job: Value::Null,
        needs_job: true,
        asks_pods: false,
    };
    let number = |job: &Value, field: &str| job["status"][field].as_i64().unwrap_or_default();
    let is_over =
        |job: &Value| number(job, "succeeded") > 0 || number(job, "failed") > 0 || conditions::holds(job, "Failed");
    // A Job that begins once more, because it was applied just when it was cleaned up, is not left to run.
    let Some(job) = job.filter(|job| before.over.is_none() || is_over(job)) else {
        let gone = |phase| Progress {
            needs_job: false,
            job: before.job.clone(),
            ..at(phase, "Completed", "Pipeline completed; Job was cleaned up")
        };
        return match before.over {
            Some(true) => Progress { digest: before.digest.clone(), ..gone(Succeeded) },
            Some(false) => gone(Failed),
            None => at(Pending, "JobNotCreated", "Waiting for job to be created"),
        };
    };
    let (metadata, status) = (&job["metadata"], &job["status"]);
    let kept = json!({
        "jobRef": {"name": metadata["name"], "namespace": metadata["namespace"]},
        "startTime": status["startTime"],
        "completionTime": status["completionTime"],
    });
    let failed = conditions::find(job, "Failed").filter(|it| it.status == contract::types::ConditionStatus::True);
    let found = if number(job, "succeeded") > 0 {
        let digest = before.digest.clone().or_else(|| said.and_then(digest));
        Progress {
            asks_pods: before.digest.is_none(),
            digest,
            ..at(Succeeded, "Succeeded", "Model artifact pushed successfully")
        }
    } else if is_over(job) {
        let why =
            said.map(str::trim).filter(|it| !it.is_empty()).or(failed.map(|it| it.message).filter(|it| !it.is_empty()));
        let why = before.message.as_deref().or(why).unwrap_or("Job failed with unknown reason");
        Progress { asks_pods: before.message.is_none(), ..at(Failed, "JobFailed", &shortened(why)) }
    } else if number(job, "active") > 0 {
        at(Running, "JobRunning", "Import/pack/push pipeline is running")
    } else {
        at(Pending, "JobPending", "Job is pending scheduling")
    };
    Progress { job: kept, ..found }
}

/// What the pods said at their end: the newest message that is not empty.
pub(super) fn said<'p>(pods: impl Iterator<Item = &'p Value>) -> Option<&'p str> {
    let ended = pods.filter_map(|pod| pod["status"]["containerStatuses"].as_array()).flatten();
    let messages = ended.filter_map(|container| {
        let ended = &container["state"]["terminated"];
        let message = ended["message"].as_str().map(str::trim).filter(|message| !message.is_empty())?;
        Some((ended["finishedAt"].as_str().unwrap_or_default(), message))
    });
    messages.max().map(|(_, message)| message)
}

/// The last digest in a text.
fn digest(text: &str) -> Option<String> {
    const START: &str = "sha256:";
    let digits = |rest: &str| -> Option<String> {
        let digits: String = rest.chars().take(64).collect();
        let hexadecimal = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits.len() == 64 && hexadecimal).then(|| format!("{START}{digits}"))
    };
    text.rmatch_indices(START).find_map(|(at, _)| digits(text.get(at + START.len()..)?))
}

/// A message of at most 1024 characters, on one line.
fn shortened(message: &str) -> String {
    let line = message.replace(['\n', '\r'], " ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let start: String = line.chars().take(LONGEST - 3).collect();
    format!("{start}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests() {
        let one = format!("sha256:{}", "a".repeat(64));
        let two = format!("sha256:{}", "0".repeat(64));
        assert_eq!(digest(&one), Some(one.clone()));
        assert_eq!(digest(&format!("{two} pushed, {one}\n")), Some(one.clone()));
        assert_eq!(digest(&format!("{one} sha256:short")), Some(one));
        assert_eq!(digest("sha256:"), None);
        assert_eq!(digest(&format!("sha256:{}", "A".repeat(64))), None);
        assert_eq!(digest(&format!("sha256:{}", "é".repeat(64))), None);
    }

    #[test]
    fn messages() {
        assert_eq!(shortened("a\nb"), "a b");
        assert_eq!(shortened(&"a".repeat(1024)).len(), 1024);
        let cut = shortened(&"a".repeat(1500));
        assert_eq!((cut.len(), cut.ends_with("a...")), (1024, true));
    }

    #[test]
    fn the_newest_message_counts() {
        let pod = |at: &str, message: &str| json!({"status": {"containerStatuses": [{"state": {"terminated": {"finishedAt": at, "message": message}}}]}});
        let pods =
            [pod("2026-01-01T00:00:01Z", "b"), pod("2026-01-01T00:00:02Z", " c \n"), pod("2026-01-01T00:00:03Z", " ")];
        assert_eq!(said(pods.iter()), Some("c"));
        assert_eq!(said([json!({}), json!({"status": {"containerStatuses": 1}})].iter()), None);
    }
}
