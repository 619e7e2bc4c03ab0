//! How an observed object is: there, waiting for something else, or refused. Providers say both of the last in one condition, so
//! their words decide.

use contract::types::ConditionStatus::{False, True};
use serde_json::Value;
use toolbox::conditions::{self, ObservedCondition};

/// How an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// There.
    Ready,
    /// Not yet, with the provider's words.
    Waits(String),
    /// Refused, with the provider's words.
    Failed(String),
}

/// The conditions in which a provider says that the cloud refuses something. Nobody looks there.
const REFUSALS: [&str; 2] = ["LastAsyncOperation", "Synced"];

/// The reason of `Synced` while somebody has paused the object, by the annotation `crossplane.io/paused`.
const PAUSED: &str = "ReconcilePaused";

/// What providers say while another object is not there yet. The first three are of `pkg/reference` of crossplane-runtime v2.3.3,
/// which all providers are made with, and of provider-kubernetes v1.2.1; the next ones of `pkg/reconciler/managed` there. The last
/// one is the API server's when two wrote at once: the next attempt reads it again.
const WAITS: &[&str] = &[
    "cannot get referenced resource",
    "no resources matched selector",
    "referenced field was empty",
    "cannot resolve references",
    "cannot resolve resource references",
    "the object has been modified",
];

/// What clouds say when they want to be asked again later: too many requests
/// ([EC2](https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html),
/// [Azure](https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling),
/// [Google Cloud](https://cloud.google.com/apis/design/errors)), or another operation on the same object that goes on.
const LATER: &[&str] = &[
    "Throttling",
    "RequestLimitExceeded",
    "TooManyRequests",
    "RATE_LIMIT_EXCEEDED",
    "rateLimitExceeded",
    "incompatible operation",
    "in progress",
];

/// What providers say while they cannot reach the new cluster: its kubeconfig is empty (`clientcmd` of client-go), or nothing answers at
/// its address (Go's `net`).
const UNREACHABLE: &[&str] = &[
    "no configuration has been provided",
    "no such host",
    "connection refused",
    "i/o timeout",
    "TLS handshake timeout",
];

/// What an API server says of a kind, and of a namespace, that something else brings.
const NOT_SERVED: &[&str] = &["no matches for kind", "the server could not find the requested resource"];
const NO_NAMESPACE: (&str, &str) = ("namespaces \"", "\" not found");

/// The most characters of a provider's words. They can be pages.
const MOST_WORDS: usize = 600;

/// How an object is, as its conditions say. What is not observed waits.
pub fn state(object: Option<&Value>) -> State {
    of(object, |_| false)
}

/// How an object on the new cluster is. It waits for the Secret `kubeconfig`; and while other software `is_missing`, it may wait for a
/// kind or a namespace of that.
pub fn state_on_cluster(object: Option<&Value>, kubeconfig: &str, is_missing: bool) -> State {
    let no_kubeconfig = format!("\"{kubeconfig}\" not found");
    of(object, |words| {
        let (begin, end) = NO_NAMESPACE;
        let not_served = NOT_SERVED.iter().any(|it| words.contains(it)) || words.contains(begin) && words.contains(end);
        let unreachable = UNREACHABLE.iter().any(|it| words.contains(it)) || words.contains(&no_kubeconfig);
        unreachable || is_missing && not_served
    })
}

/// Whether an object is there, whatever became of a later change.
pub fn is_there(object: Option<&Value>) -> bool {
    object.is_some_and(|object| conditions::holds(object, "Ready"))
}

fn of(object: Option<&Value>, waits: impl Fn(&str) -> bool) -> State {
    let Some(object) = object else { return State::Waits("not created yet".to_owned()) };
    let is_wait = |found: &ObservedCondition<'_>| {
        let later = WAITS.iter().chain(LATER).any(|it| found.message.contains(it));
        found.reason == PAUSED || later || waits(found.message)
    };
    let not_done = REFUSALS.iter().filter_map(|name| conditions::find(object, name)).filter(|it| it.status == False);
    let not_done: Vec<_> = not_done.collect();
    if let Some(refused) = not_done.iter().find(|it| !is_wait(it)) {
        return State::Failed(words(refused));
    }
    match (conditions::find(object, "Ready"), not_done.first()) {
        (Some(ready), _) if ready.status == True => State::Ready,
        (_, Some(waits)) => State::Waits(words(waits)),
        (Some(ready), None) if !ready.reason.is_empty() => State::Waits(ready.reason.to_owned()),
        _ => State::Waits("the provider has said nothing yet".to_owned()),
    }
}

fn words(found: &ObservedCondition<'_>) -> String {
    let words = if found.message.is_empty() { found.reason } else { found.message };
    words.chars().take(MOST_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(conditions: &[(&str, &str, &str, &str)]) -> Value {
        let conditions = conditions.iter().map(|(condition_type, status, reason, message)| {
            json!({"type": condition_type, "status": status, "reason": reason, "message": message})
        });
        json!({"status": {"conditions": conditions.collect::<Vec<_>>()}})
    }

    /// A row for each of the provider's words.
    #[test]
    fn what_waits_is_no_failure() {
        #[track_caller]
        fn check(words: &str, alone: bool, beside_missing_software: bool, in_cloud: bool) {
            let object = object(&[("Synced", "False", "ReconcileError", words), ("Ready", "False", "Creating", "")]);
            let waits = |state: State| match state {
                State::Waits(said) => said == words,
                State::Ready | State::Failed(_) => false,
            };
            let on_cluster = |is_missing| state_on_cluster(Some(&object), "a-cluster", is_missing);
            let found = [on_cluster(false), on_cluster(true), state(Some(&object))];
            assert_eq!(found.map(waits), [alone, beside_missing_software, in_cloud], "{words}");
        }
        for words in [
            "cannot resolve references: mg.Spec.ForProvider.ClusterName: referenced field was empty (referenced resource may not yet be ready)",
            "cannot resolve references: mg.Spec.ForProvider.SubnetIds: no resources matched selector",
            "cannot resolve resource references: cannot get referenced resource: secrets \"aws-creds\" not found",
            "cannot update managed resource: the object has been modified; please apply your changes to the latest version",
            "create failed: ThrottlingException: Rate exceeded",
            "create failed: api error RequestLimitExceeded: Request limit exceeded",
            "create failed: unexpected status 429: TooManyRequests",
            "create failed: googleapi: Error 429: Quota exceeded for requests per minute, reason: RATE_LIMIT_EXCEEDED",
            "create failed: googleapi: Error 403: rateLimitExceeded",
            "create failed: googleapi: Error 400: Cluster is running incompatible operation operation-1",
            "update failed: ResourceInUseException: Cluster already has update in progress",
        ] {
            check(words, true, true, true);
        }
        for words in [
            "connect failed: cannot get credentials: cannot get credentials secret: Secret \"a-cluster\" not found",
            "connect failed: cannot create new REST config using provider secret: invalid configuration: no configuration has been provided",
            "observe failed: Get \"https://a.eks.amazonaws.com\": dial tcp: lookup a.eks.amazonaws.com: no such host",
            "observe failed: dial tcp 10.0.0.1:443: connect: connection refused",
            "observe failed: dial tcp 10.0.0.1:443: i/o timeout",
            "observe failed: net/http: TLS handshake timeout",
        ] {
            check(words, true, true, false);
        }
        for words in [
            "create failed: no matches for kind \"ClusterSecretStore\" in version \"external-secrets.io/v1\"",
            "observe failed: the server could not find the requested resource",
            "create failed: namespaces \"argocd\" not found",
        ] {
            check(words, false, true, false);
        }
        for words in [
            "create failed: async create failed: InsufficientInstanceCapacity",
            "connect failed: cannot get credentials: cannot get credentials secret: Secret \"gcp-creds\" not found",
            "create failed: VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit",
            "create failed: InvalidParameterException: The role is not valid",
            "",
        ] {
            check(words, false, false, false);
        }
    }

    #[test]
    fn states() {
        #[track_caller]
        fn check(conditions: &[(&str, &str, &str, &str)], want: State) {
            assert_eq!(state(Some(&object(conditions))), want);
        }
        let waits = |words: &str| State::Waits(words.to_owned());
        let failed = |words: &str| State::Failed(words.to_owned());
        const WAITING: &str = "no resources matched selector";
        check(&[], waits("the provider has said nothing yet"));
        check(&[("Ready", "False", "Creating", "")], waits("Creating"));
        check(&[("Ready", "True", "Available", "")], State::Ready);
        check(&[("Ready", "True", "Available", ""), ("Synced", "False", "ReconcileError", WAITING)], State::Ready);
        check(&[("Ready", "True", "Available", ""), ("Synced", "False", "ReconcileError", "a")], failed("a"));
        check(&[("Ready", "True", "Available", ""), ("Synced", "False", PAUSED, "")], State::Ready);
        check(&[("Ready", "False", "Creating", ""), ("Synced", "False", PAUSED, "")], waits(PAUSED));
        check(&[("Synced", "False", "ReconcileError", "")], failed("ReconcileError"));
        // A refusal comes before what waits, wherever it stands.
        check(
            &[
                ("LastAsyncOperation", "False", "AsyncCreateFailure", WAITING),
                ("Synced", "False", "ReconcileError", "a"),
            ],
            failed("a"),
        );
        check(
            &[
                ("Synced", "True", "ReconcileSuccess", ""),
                ("LastAsyncOperation", "False", "AsyncCreateFailure", "quota"),
            ],
            failed("quota"),
        );
        check(&[("Synced", "False", "ReconcileError", &"a".repeat(5_000))], failed(&"a".repeat(600)));
        assert_eq!(state(None), waits("not created yet"));
    }
}
