//! Where traces go, as the variables of OpenTelemetry say.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::foreign::{cut, visible};

/// The longest time to send a batch, when the environment states none.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The samplers that there are.
const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// The largest value of a variable in a message, in bytes.
const MAX_SHOWN: usize = 128;

/// Where traces go.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Destination {
    /// The endpoint's URL. Without a scheme it is one with TLS.
    pub(super) endpoint: String,
    /// The longest time to send a batch.
    pub(super) timeout: Duration,
    /// `None` for an endpoint without TLS.
    pub(super) tls: Option<TlsFiles>,
}

/// The files for TLS.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TlsFiles {
    /// The certificates of the authorities to trust. `None` for those of the system.
    pub(super) authorities: Option<PathBuf>,
    /// The certificate and the key of the client.
    pub(super) identity: Option<[PathBuf; 2]>,
}

impl Destination {
    /// Where traces go. `None` when the environment names no endpoint, or asks for no traces.
    ///
    /// # Errors
    /// When the environment asks for what there is not.
    pub(super) fn of(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        // What is said about traces stands above what is said about all signals.
        let about_otlp = |what: &str| {
            let [traces, all] = ["TRACES_", ""].map(|signal| format!("OTEL_EXPORTER_OTLP_{signal}{what}"));
            variable(&traces).or_else(|| variable(&all))
        };
        let is = |name: &str, value: &str| variable(name).is_some_and(|text| text.eq_ignore_ascii_case(value));
        let Some(endpoint) = about_otlp("ENDPOINT") else { return Ok(None) };
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Ok(None);
        }
        one_of("OTEL_TRACES_EXPORTER", variable("OTEL_TRACES_EXPORTER"), &["otlp"])?;
        one_of("OTEL_EXPORTER_OTLP_PROTOCOL", about_otlp("PROTOCOL"), &["grpc"])?;
        one_of("OTEL_TRACES_SAMPLER", variable("OTEL_TRACES_SAMPLER"), &SAMPLERS)?;
        let plain = match endpoint.split_once("://") {
            Some((scheme, _)) => scheme == "http",
            None => about_otlp("INSECURE").is_some_and(|text| text.eq_ignore_ascii_case("true")),
        };
        let file = |what: &str| about_otlp(what).map(PathBuf::from);
        let tls = || TlsFiles {
            authorities: file("CERTIFICATE"),
            identity: file("CLIENT_CERTIFICATE").zip(file("CLIENT_KEY")).map(<[PathBuf; 2]>::from),
        };
        let milliseconds = about_otlp("TIMEOUT").and_then(|text| text.parse().ok());
        let timeout = milliseconds.map_or(TIMEOUT, Duration::from_millis);
        Ok(Some(Self { tls: (!plain).then(tls), endpoint, timeout }))
    }

    /// The endpoint as logs show it, without a password.
    pub(super) fn shown(&self) -> String {
        let (scheme, rest) = self.endpoint.split_once("://").unwrap_or(("", &self.endpoint));
        let authority = rest.split('/').next().and_then(|authority| authority.rsplit('@').next()).unwrap_or_default();
        let separator = if scheme.is_empty() { "" } else { "://" };
        cut(&visible(&format!("{scheme}{separator}{authority}")), MAX_SHOWN).into_owned()
    }
}

/// Checks a variable whose value is one of a few. It may be absent.
fn one_of(name: &str, value: Option<String>, known: &[&str]) -> Result<()> {
    match value {
        Some(value) if !known.contains(&value.as_str()) => {
            bail!("{name} is `{}`, and may be {}", cut(&visible(&value), MAX_SHOWN), known.join(", "))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317");

    fn of(variables: &[(&str, &str)]) -> Result<Option<Destination>> {
        let find = |name: &str| variables.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        Destination::of(&find)
    }

    #[test]
    fn where_traces_go() {
        let to = |endpoint: &str, seconds: u64, tls: Option<TlsFiles>| {
            Some(Destination { endpoint: endpoint.to_owned(), timeout: Duration::from_secs(seconds), tls })
        };
        let plain = || to("http://collector:4317", 10, None);
        let tls = || Some(TlsFiles::default());
        for (variables, expected) in [
            (&[][..], None),
            (&[("OTEL_EXPORTER_OTLP_HEADERS", "a=b")], None),
            (&[ENDPOINT], plain()),
            (&[ENDPOINT, ("OTEL_SDK_DISABLED", "True")], None),
            (&[ENDPOINT, ("OTEL_SDK_DISABLED", "false")], plain()),
            (&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none")], None),
            (&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "otlp"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")], plain()),
            (&[ENDPOINT, ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:1")], to("http://b:1", 10, None)),
            (&[ENDPOINT, ("OTEL_EXPORTER_OTLP_TIMEOUT", "3000")], to("http://collector:4317", 3, None)),
            (&[ENDPOINT, ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")], plain()),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "https://b")], to("https://b", 10, tls())),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "b:1")], to("b:1", 10, tls())),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "b:1"), ("OTEL_EXPORTER_OTLP_INSECURE", "true")], to("b:1", 10, None)),
            (
                &[
                    ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://b"),
                    ("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "ca.crt"),
                    ("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "tls.crt"),
                    ("OTEL_EXPORTER_OTLP_CLIENT_KEY", "tls.key"),
                ],
                to(
                    "https://b",
                    10,
                    Some(TlsFiles {
                        authorities: Some("ca.crt".into()),
                        identity: Some(["tls.crt".into(), "tls.key".into()]),
                    }),
                ),
            ),
        ] {
            assert_eq!(of(variables).unwrap(), expected, "{variables:?}");
        }
    }

    #[test]
    fn what_there_is_not() {
        for (name, value, expected) in [
            (
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "http/protobuf",
                "OTEL_EXPORTER_OTLP_PROTOCOL is `http/protobuf`, and may be grpc",
            ),
            ("OTEL_TRACES_EXPORTER", "zipkin", "OTEL_TRACES_EXPORTER is `zipkin`, and may be otlp"),
            (
                "OTEL_TRACES_SAMPLER",
                "xray\n",
                "OTEL_TRACES_SAMPLER is `xray\\n`, and may be always_on, always_off, traceidratio, \
                 parentbased_always_on, parentbased_always_off, parentbased_traceidratio",
            ),
        ] {
            assert_eq!(of(&[ENDPOINT, (name, value)]).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn endpoints_in_logs() {
        for (endpoint, expected) in [
            ("http://collector:4317", "http://collector:4317"),
            ("https://ada:secret@collector/v1?key=1", "https://collector"),
            ("collector:4317", "collector:4317"),
            ("http://a\u{1b}", "http://a\\u{1b}"),
        ] {
            let to = Destination { endpoint: endpoint.to_owned(), timeout: TIMEOUT, tls: None };
            assert_eq!(to.shown(), expected);
        }
    }
}
