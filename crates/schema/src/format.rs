//! `format`: the formats of text that the API server validates (apiextensions-apiserver
//! `pkg/apiserver/validation/formats.go`, kube-openapi `pkg/validation/strfmt`). Other formats are ignored.

mod dates;
mod mail;
mod names;
mod network;
mod numbers;
mod uri;

/// A format that is validated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format(&'static Row);

#[derive(Debug)]
struct Row {
    /// The name without dashes, which do not matter in names of formats.
    name: &'static str,
    accepts: fn(&str) -> bool,
}

impl Format {
    /// The format with this name, with or without dashes.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if name.is_empty() {
            return None;
        }
        let name = name.replace('-', "");
        FORMATS.iter().find(|row| row.name == name).map(Self)
    }

    pub(crate) fn accepts(self, text: &str) -> bool {
        (self.0.accepts)(text)
    }
}

const fn row(name: &'static str, accepts: fn(&str) -> bool) -> Row {
    Row { name, accepts }
}

/// All formats that Kubernetes 1.35 validates.
const FORMATS: &[Row] = &[
    row("bsonobjectid", |text| text.len() == 24 && numbers::is_hex(text)),
    row("uri", uri::is_request_uri),
    row("email", mail::is_address),
    row("hostname", names::is_hostname),
    row("ipv4", network::is_ipv4),
    row("ipv6", network::is_ipv6),
    row("cidr", network::is_cidr),
    row("mac", network::is_mac),
    row("uuid", |text| names::is_uuid(text, None)),
    row("uuid3", |text| names::is_uuid(text, Some('3'))),
    row("uuid4", |text| names::is_uuid(text, Some('4'))),
    row("uuid5", |text| names::is_uuid(text, Some('5'))),
    row("isbn", |text| numbers::is_isbn10(text) || numbers::is_isbn13(text)),
    row("isbn10", numbers::is_isbn10),
    row("isbn13", numbers::is_isbn13),
    row("creditcard", numbers::is_credit_card),
    row("ssn", numbers::is_ssn),
    row("hexcolor", names::is_hex_color),
    row("rgbcolor", names::is_rgb_color),
    row("byte", names::is_base64),
    row("password", |_| true),
    row("date", dates::is_date),
    row("duration", dates::is_duration),
    row("datetime", quantity::is_date_time),
    row("k8sshortname", names::is_short_name),
    row("k8slongname", names::is_long_name),
];

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Many texts, each with the formats that accept it in kube-openapi's `strfmt` (2025-09-10). `password` accepts any text
    /// and is left out.
    const SAMPLES: &str = include_str!("../tests/formats.json");

    #[test]
    fn formats_accept_their_samples() {
        let samples: Vec<Value> = serde_json::from_str(SAMPLES).unwrap();
        for sample in &samples {
            let text = sample["text"].as_str().unwrap();
            let accepting = FORMATS.iter().filter(|row| row.name != "password" && (row.accepts)(text));
            let names: Vec<&str> = accepting.map(|row| row.name).collect();
            assert_eq!(Value::from(names), sample["formats"], "{text:?}");
        }
    }

    #[test]
    fn formats_by_name() {
        let check = |name: &str, want: Option<&str>| {
            assert_eq!(Format::named(name).map(|format| format.0.name), want, "{name:?}");
        };
        check("date-time", Some("datetime"));
        check("k8s-short-name", Some("k8sshortname"));
        check("password", Some("password"));
        check("int32", None);
        check("", None);
    }
}
