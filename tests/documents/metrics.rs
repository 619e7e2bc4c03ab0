//! The metrics that documents name are those that are served.

use serde_json::json;
use tests::admission::{Webhooks, composite, create};
use tests::api_server::ApiServer;
use tests::artifacts::guest;
use tests::command::file;
use tests::documents;
use tests::function::{Server, act, eventually, get, request};

use crate::none_wrong;

const LOOKED_UP: &[&str] = &[
    "/apis/inference.devopstoolkit.ai/v1alpha1/llminferences",
    "/apis/kubernetes.m.crossplane.io/v1alpha1/clusterproviderconfigs",
    "/apis/kubernetes.m.crossplane.io/v1alpha1/providerconfigs",
];
const OPTIONS: &str = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n";

#[tokio::test]
async fn of_the_function() {
    let server = Server::start(&["--module", guest().to_str().expect("it is UTF-8")]);
    for call in [request(&json!({})), act(&json!("wander"))] {
        server.client().await.run_function(call).await.expect("it answers");
    }
    none_wrong(&unknown("docs/function.md", "", &get(server.metrics, "/metrics").1));
}

/// Each is there once it has counted something: a review, what is looked up, options that were read again.
#[test]
fn of_the_webhooks() {
    let cluster = ApiServer::start("documents", LOOKED_UP);
    let options = file("options.yaml", OPTIONS);
    let webhooks = Webhooks::start_with(|command| {
        command.args(["--insecure", "--options"]).arg(&options).env("KUBECONFIG", cluster.kubeconfig())
    });
    webhooks.review("/validate", &create(&composite("qwen")));
    file("options.yaml", &format!("{OPTIONS}ttl: 2m\n"));
    eventually("the options are read again", || webhooks.metrics().contains("reloads_total{"));
    none_wrong(&unknown("docs/admission.md", "sailplane_admission_", &webhooks.metrics()));
}

#[test]
fn all_are_documented() {
    let mut wrong = Vec::new();
    for (document, prefix, metrics) in [
        ("docs/function.md", "", [host::metrics::COMMON, host::function::METRICS].concat()),
        ("docs/admission.md", "sailplane_admission_", host::admission::METRICS.to_vec()),
    ] {
        let text = documents::read(document).text;
        for metric in metrics {
            let name = metric.name.strip_prefix(prefix).expect("the prefix of the table");
            let row = text.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{name}")));
            let lacks = |label: &&&str| !row.is_some_and(|row| row.contains(&format!("`{label}`")));
            wrong.extend(metric.labels.iter().filter(lacks).map(|label| format!("{document}: {name} has no {label}")));
            wrong.extend(row.is_none().then(|| format!("{document}: no row for {name}")));
        }
    }
    none_wrong(&wrong);
}

/// Names in the document's table that `served` does not have.
fn unknown(document: &str, prefix: &str, served: &str) -> Vec<String> {
    let text = documents::read(document).text;
    let (_, table) = text.split_once("\n| Metric").unwrap_or_else(|| panic!("{document} has no table of metrics"));
    let rows = table.split("\n\n").next().unwrap_or_default().lines().skip(2);
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() > 3, "{document}: {names:?}");
    // The type of a counter is told without its ending.
    let has = |name: &str| served.contains(&format!("# TYPE {prefix}{}", name.trim_end_matches("_total")));
    names.into_iter().filter(|name| !has(name)).map(|name| format!("{document}: no metric `{prefix}{name}`")).collect()
}
