//! Metrics for Prometheus, over plain HTTP.

use std::collections::BTreeSet;

use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::routing::get;

use super::address::Monitoring;
use super::clients::Clients;
use super::side;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PLAIN: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Serves `/metrics`: what `text` returns, which is OpenMetrics. Who accepts only the older format of Prometheus gets that.
pub(crate) fn serve_metrics(
    at: &Monitoring,
    clients: &Clients,
    text: impl Fn() -> String + Clone + Send + Sync + 'static,
) {
    let Some(address) = at.metrics_address.0 else { return };
    let answer = move |headers: HeaderMap| {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let plain = accept.contains("text/plain") && !accept.contains("application/openmetrics-text");
        let (kind, text) = if plain { (PLAIN, in_plain_text(&text())) } else { (OPEN_METRICS, text()) };
        async move { ([(CONTENT_TYPE, kind)], text) }
    };
    side::serve("/metrics", address, clients.side_bounds(), Router::new().route("/metrics", get(answer)));
}

/// OpenMetrics in the older format, where the names of counters end with `_total` in comments too.
fn in_plain_text(text: &str) -> String {
    let counters: BTreeSet<_> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter")).collect();
    let lines = text.lines().filter(|line| *line != "# EOF").map(|line| {
        let mut words = line.splitn(4, ' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some(what), Some(name), Some(rest)) if counters.contains(name) => {
                format!("# {what} {name}_total {rest}\n")
            }
            _ => format!("{line}\n"),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::in_plain_text;

    #[test]
    fn plain_text() {
        let open = "# HELP a How many.\n# TYPE a counter\na_total{b=\"c d\"} 1\n# HELP a_b Size.\n# TYPE a_b gauge\na_b 2\n# EOF\n";
        let plain = "# HELP a_total How many.\n# TYPE a_total counter\na_total{b=\"c d\"} 1\n# HELP a_b Size.\n# TYPE a_b gauge\na_b 2\n";
        assert_eq!(in_plain_text(open), plain);
    }
}
