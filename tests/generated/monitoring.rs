//! `package/monitoring`: what Prometheus scrapes, when it alerts, and a dashboard for Grafana.

use std::collections::BTreeSet;
use std::process::Command;

use host::metrics::{COMMON, Metric};
use serde_json::{Value, json};
use tests::files::workspace;

use crate::files::File;
use crate::names;

const FOLDER: &str = "package/monitoring";
/// The namespace of Crossplane, with the pods of the Function and of the webhooks.
const NAMESPACE: &str = "crossplane-system";

/// All files.
pub(crate) fn files() -> Vec<File> {
    let file =
        |name: &str, comment: &str, objects: &[Value]| File::yaml(format!("{FOLDER}/{name}.yaml"), comment, objects);
    let dashboard = serde_json::to_string_pretty(&dashboard()).expect("it is JSON");
    vec![
        file("pod-monitors", "What Prometheus scrapes; for the Prometheus Operator.", &monitors()),
        file("alerts", "When Prometheus alerts; for the Prometheus Operator.", &[alerts()]),
        File::new(format!("{FOLDER}/dashboard.json"), format!("{dashboard}\n")),
        file(
            "kustomization",
            "kubectl apply -k package/monitoring\nGrafana's sidecar takes the dashboard from the ConfigMap. Without it, import dashboard.json.",
            &[kustomization()],
        ),
    ]
}

fn kustomization() -> Value {
    json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["pod-monitors.yaml", "alerts.yaml"],
        "configMapGenerator": [{
            "name": "sailplane-dashboard",
            "namespace": NAMESPACE,
            "files": ["sailplane.json=dashboard.json"],
            "options": {"disableNameSuffixHash": true, "labels": {"grafana_dashboard": "1"}},
        }],
    })
}

/// Crossplane gives the pods of a Function this label, and their port for metrics this name.
fn monitors() -> [Value; 2] {
    let function = names::of_dependency(&names::reference(names::FUNCTION));
    let monitor = |name: &str, labels: Value| {
        json!({
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "PodMonitor",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {"selector": {"matchLabels": labels}, "podMetricsEndpoints": [{"port": "metrics"}]},
        })
    };
    [
        monitor("sailplane-function", json!({"pkg.crossplane.io/function": function})),
        monitor("sailplane-admission", json!({"app.kubernetes.io/name": "sailplane-admission"})),
    ]
}

/// An alert.
struct Alert {
    name: &'static str,
    /// What Prometheus evaluates.
    expression: &'static str,
    /// How long it must hold.
    lasting: &'static str,
    severity: &'static str,
    summary: &'static str,
    advice: &'static str,
}

const ALERTS: &[Alert] = &[
    Alert {
        name: "SailplaneAbsent",
        expression: "absent(sailplane_build_info)",
        lasting: "10m",
        severity: "critical",
        summary: "Nothing of Sailplane is scraped",
        advice: "Look at the pods of the Function in the namespace of Crossplane: without it, no composite changes.",
    },
    Alert {
        name: "SailplaneModuleFails",
        expression: "sum by (kind, reason) (rate(sailplane_function_fatal_results_total{reason=~\"ModuleFailed|InvalidResponse|BudgetExceeded|ResponseTooLarge\"}[10m])) > 0",
        lasting: "10m",
        severity: "warning",
        summary: "Composites of kind {{ $labels.kind }} are not composed: {{ $labels.reason }}",
        advice: "The log of the Function names the composites; their condition Synced has the message.",
    },
    Alert {
        name: "SailplaneCallsSlow",
        expression: "histogram_quantile(0.99, sum by (le, kind) (rate(sailplane_function_call_duration_seconds_bucket[10m]))) > 1",
        lasting: "15m",
        severity: "warning",
        summary: "Of 100 calls for {{ $labels.kind }}, one takes longer than a second",
        advice: "Look at the CPU and the waiting calls of the Function, and at the number of objects of the composites.",
    },
    Alert {
        name: "SailplaneCallsOverloaded",
        expression: "sum(rate(sailplane_function_call_duration_seconds_count{outcome=\"overloaded\"}[5m])) > 0",
        lasting: "5m",
        severity: "warning",
        summary: "The Function turns calls away",
        advice: "Add a replica of the Function, or memory: the number of calls at once follows from it.",
    },
    Alert {
        name: "SailplaneReviewsFail",
        expression: "sum by (kind, outcome) (rate(sailplane_admission_reviews_total{outcome=~\"failed|malformed\"}[10m])) > 0",
        lasting: "10m",
        severity: "critical",
        summary: "Reviews of {{ $labels.kind }} are {{ $labels.outcome }}",
        advice: "Nobody can create or change such objects while the failure policy is Fail. The log of the webhooks names the reason.",
    },
    Alert {
        name: "SailplaneReviewsOverloaded",
        expression: "sum(rate(sailplane_admission_reviews_overloaded_total[5m])) > 0",
        lasting: "5m",
        severity: "warning",
        summary: "The webhooks turn reviews away",
        advice: "Add a replica of the webhooks.",
    },
    Alert {
        name: "SailplaneLookupsUnknown",
        expression: "min by (group, kind) (sailplane_admission_lookup_synced) == 0",
        lasting: "15m",
        severity: "warning",
        summary: "The webhooks cannot look up {{ $labels.kind }} of the group {{ $labels.group }}",
        advice: "What depends on these objects is not judged. The log of the webhooks names the reason.",
    },
    Alert {
        name: "SailplaneCertificateExpires",
        expression: "min(sailplane_admission_certificate_expiry_timestamp_seconds > 0) - time() < 7 * 86400",
        lasting: "1h",
        severity: "critical",
        summary: "The certificate of the webhooks expires within a week",
        advice: "Renew it; see docs/admission.md.",
    },
    Alert {
        name: "SailplaneReloadRefused",
        expression: "increase(sailplane_admission_reloads_total{outcome=\"refused\"}[15m]) > 0",
        lasting: "0m",
        severity: "warning",
        summary: "Changed {{ $labels.what }} of the webhooks are wrong",
        advice: "The earlier ones stay in use. The log of the webhooks says where they are wrong.",
    },
];

fn alerts() -> Value {
    let rule = |alert: &Alert| {
        json!({
            "alert": alert.name,
            "expr": alert.expression,
            "for": alert.lasting,
            "labels": {"severity": alert.severity},
            "annotations": {"summary": alert.summary, "description": alert.advice},
        })
    };
    json!({
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "sailplane", "namespace": NAMESPACE},
        "spec": {"groups": [{"name": "sailplane", "rules": ALERTS.iter().map(rule).collect::<Vec<_>>()}]},
    })
}

/// A panel: title, unit, and what is shown with its legend.
type Panel = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PANELS: &[Panel] = &[
    (
        "Calls",
        "reqps",
        &[(
            "sum by (kind, outcome) (rate(sailplane_function_call_duration_seconds_count[$__rate_interval]))",
            "{{kind}} {{outcome}}",
        )],
    ),
    (
        "Time of calls",
        "s",
        &[
            (
                "histogram_quantile(0.5, sum by (le, kind) (rate(sailplane_function_call_duration_seconds_bucket[$__rate_interval])))",
                "{{kind}}, half",
            ),
            (
                "histogram_quantile(0.99, sum by (le, kind) (rate(sailplane_function_call_duration_seconds_bucket[$__rate_interval])))",
                "{{kind}}, 99 of 100",
            ),
        ],
    ),
    (
        "Fatal results",
        "reqps",
        &[(
            "sum by (kind, reason) (rate(sailplane_function_fatal_results_total[$__rate_interval]))",
            "{{kind}} {{reason}}",
        )],
    ),
    (
        "Lookups of composing",
        "reqps",
        &[(
            "sum by (kind, outcome) (rate(sailplane_function_lookups_total[$__rate_interval]))",
            "{{kind}} {{outcome}}",
        )],
    ),
    (
        "gRPC",
        "reqps",
        &[(
            "sum by (grpc_method, grpc_code) (rate(grpc_server_handled_total[$__rate_interval]))",
            "{{grpc_method}} {{grpc_code}}",
        )],
    ),
    (
        "Reviews",
        "reqps",
        &[(
            "sum by (kind, webhook, outcome) (rate(sailplane_admission_reviews_total[$__rate_interval]))",
            "{{kind}} {{webhook}} {{outcome}}",
        )],
    ),
    (
        "Time of reviews",
        "s",
        &[(
            "histogram_quantile(0.99, sum by (le, webhook) (rate(sailplane_admission_review_duration_seconds_bucket[$__rate_interval])))",
            "{{webhook}}, 99 of 100",
        )],
    ),
    (
        "Mistakes in reviewed objects",
        "reqps",
        &[("sum by (kind, reason) (rate(sailplane_admission_denials_total[$__rate_interval]))", "{{kind}} {{reason}}")],
    ),
    (
        "Lookups of reviews",
        "reqps",
        &[(
            "sum by (kind, outcome) (rate(sailplane_admission_lookups_total[$__rate_interval]))",
            "{{kind}} {{outcome}}",
        )],
    ),
    (
        "Objects that reviews look up",
        "short",
        &[("max by (group, kind) (sailplane_admission_lookup_objects)", "{{kind}} {{group}}")],
    ),
    ("Reviews in flight", "short", &[("sum by (pod) (sailplane_admission_reviews_in_flight)", "{{pod}}")]),
    (
        "Instances",
        "short",
        &[
            ("sum by (pod, module, state) (sailplane_module_instances)", "{{pod}} {{module}} {{state}}"),
            ("sum by (pod, module) (sailplane_module_calls_waiting)", "{{pod}} {{module}} waiting"),
        ],
    ),
    ("Memory of instances", "bytes", &[("sum by (pod, module) (sailplane_module_memory_bytes)", "{{pod}} {{module}}")]),
    (
        "Versions",
        "short",
        &[("count by (version, commit, component) (sailplane_build_info)", "{{version}} {{commit}}")],
    ),
];

fn dashboard() -> Value {
    let source = json!({"type": "prometheus", "uid": "${datasource}"});
    let panel = |(index, (title, unit, targets)): (usize, &Panel)| {
        let (column, row) = (index % 2 * 12, index / 2 * 8);
        let target = |(index, (expression, legend)): (usize, &(&str, &str))| json!({"refId": format!("Q{index}"), "expr": expression, "legendFormat": legend, "datasource": source});
        json!({
            "id": index + 1,
            "type": "timeseries",
            "title": title,
            "datasource": source,
            "gridPos": {"x": column, "y": row, "w": 12, "h": 8},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": targets.iter().enumerate().map(target).collect::<Vec<_>>(),
        })
    };
    json!({
        "title": "Sailplane",
        "uid": "sailplane",
        "schemaVersion": 39,
        "tags": ["crossplane"],
        "time": {"from": "now-1h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": [{"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"}]},
        "panels": PANELS.iter().enumerate().map(panel).collect::<Vec<_>>(),
    })
}

/// Metrics with this beginning are for dashboards that people have: functions in Go have them too.
const OF_THE_SDK: &str = "grpc_server_";
/// The labels that each series has: Prometheus adds them.
const ADDED: &[&str] = &["pod", "le"];

/// Each expression names metrics that exist, and labels that they have.
#[test]
fn what_is_shown_exists() {
    let metrics = [COMMON, host::function::METRICS, host::admission::METRICS].concat();
    let series = |metric: &Metric| metric.series().into_iter().map(|name| (name, metric.labels)).collect::<Vec<_>>();
    let known: Vec<_> = metrics.iter().flat_map(series).collect();
    let different: BTreeSet<_> = known.iter().map(|(name, _)| name).collect();
    assert_eq!(different.len(), known.len(), "two metrics have the same name");
    let alerts = ALERTS.iter().map(|alert| alert.expression);
    let shown = PANELS.iter().flat_map(|(_, _, targets)| targets.iter().map(|(expression, _)| *expression));
    let mut named = BTreeSet::new();
    for expression in alerts.chain(shown) {
        let words = words(expression);
        let series: Vec<_> = words.iter().filter(|word| is_series(word)).collect();
        let [series] = series.as_slice() else { panic!("{expression}: {series:?}") };
        let found = known.iter().find(|(name, _)| name == *series);
        let (_, labels) = found.unwrap_or_else(|| panic!("{expression}: nothing exports {series}"));
        let unknown = words.iter().filter(|word| *word != *series && !FUNCTIONS.contains(&word.as_str()));
        let unknown: Vec<_> =
            unknown.filter(|word| !labels.contains(&word.as_str()) && !ADDED.contains(&word.as_str())).collect();
        assert!(unknown.is_empty(), "{expression}: {unknown:?} of {series}");
        named.insert((*series).clone());
    }
    // What is exported is shown or alerted on.
    let parts = |name: &str| name.ends_with("_sum") || name.ends_with("_count");
    let names = known.iter().map(|(name, _)| name).filter(|name| !parts(name) && !name.starts_with(OF_THE_SDK));
    let hidden: Vec<_> = names.filter(|name| !named.contains(*name)).collect();
    assert!(hidden.is_empty(), "nobody sees {hidden:?}");
}

/// Prometheus itself can read the expressions.
#[test]
#[ignore = "needs `make -C tests/e2e/tools promql`"]
fn prometheus_reads_them() {
    let alerts = ALERTS.iter().map(|alert| alert.expression);
    let shown = PANELS.iter().flat_map(|(_, _, targets)| targets.iter().map(|(expression, _)| *expression));
    // Grafana writes a duration in the place of its variable.
    let expressions: String =
        alerts.chain(shown).map(|it| format!("{}\n", it.replace("$__rate_interval", "1m"))).collect();
    let file = tests::command::file("expressions", &expressions);
    let input = std::fs::File::open(file).expect("it was written");
    let parser = workspace().join("target/tools/bin/promql");
    let parsed = Command::new(parser).stdin(input).output().expect("it is built");
    assert!(parsed.status.success(), "{}", String::from_utf8_lossy(&parsed.stdout));
}

/// The words of PromQL in the expressions.
const FUNCTIONS: &[&str] =
    &["absent", "by", "count", "histogram_quantile", "increase", "max", "min", "rate", "sum", "time"];

fn is_series(word: &str) -> bool {
    word.starts_with("sailplane_") || word.starts_with(OF_THE_SDK)
}

/// The names in an expression, without texts and durations.
fn words(expression: &str) -> Vec<String> {
    let code: String = expression.split('"').step_by(2).collect();
    let without_ranges = code.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
    let code: String = without_ranges.collect();
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
}
