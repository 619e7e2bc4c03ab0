//! Named formats of text, as in `format.dns1123Label().validate(x)`.

use super::base64;
use super::url::Url;

/// A named format.
#[derive(Debug)]
pub struct Format {
    pub(crate) name: &'static str,
    /// The length of the pattern from which upstream computes the cost.
    pub(crate) regex_size: u64,
    /// The problems of a text; empty if it has this format.
    pub(crate) validate: fn(&str) -> Vec<String>,
}

/// All formats, by the names that expressions use.
const FORMATS: &[(&str, Format)] = &[
    ("byte", Format { name: "byte", regex_size: 84, validate: |text| unless(is_base64(text), "invalid base64") }),
    ("date", Format { name: "date", regex_size: 71, validate: |text| unless(is_date(text), "invalid date") }),
    (
        "datetime",
        Format {
            name: "datetime",
            regex_size: 71,
            validate: |text| unless(quantity::is_date_time(text), "invalid datetime"),
        },
    ),
    ("dns1035Label", Format { name: "DNS1035Label", regex_size: 30, validate: validate_dns1035_label }),
    (
        "dns1035LabelPrefix",
        Format { name: "DNS1035LabelPrefix", regex_size: 30, validate: |text| validate_dns1035_label(&masked(text)) },
    ),
    ("dns1123Label", Format { name: "DNS1123Label", regex_size: 30, validate: validate_dns1123_label }),
    (
        "dns1123LabelPrefix",
        Format { name: "DNS1123LabelPrefix", regex_size: 30, validate: |text| validate_dns1123_label(&masked(text)) },
    ),
    ("dns1123Subdomain", Format { name: "DNS1123Subdomain", regex_size: 60, validate: validate_subdomain }),
    (
        "dns1123SubdomainPrefix",
        Format { name: "DNS1123SubdomainPrefix", regex_size: 60, validate: |text| validate_subdomain(&masked(text)) },
    ),
    ("labelValue", Format { name: "LabelValue", regex_size: 40, validate: validate_label_value }),
    ("qualifiedName", Format { name: "QualifiedName", regex_size: 60, validate: validate_qualified_name }),
    ("uri", Format { name: "URI", regex_size: 1103, validate: |text| Url::read(text).err().into_iter().collect() }),
    (
        "uuid",
        Format {
            name: "uuid",
            regex_size: 70,
            validate: |text| unless(is_uuid(text), "does not match the UUID format"),
        },
    ),
];

/// The format with this name.
pub(crate) fn lookup(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|row| row.0 == name).map(|row| &row.1)
}

fn unless(valid: bool, problem: &str) -> Vec<String> {
    if valid { Vec::new() } else { vec![problem.to_owned()] }
}

fn validate_dns1123_label(text: &str) -> Vec<String> {
    let mut problems = too_long(text, 63, "characters");
    if !is_label(text) {
        problems.push(if is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            pattern_error(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end \
                 with an alphanumeric character",
                "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
                &["my-name", "123-abc"],
            )
        });
    }
    problems
}

fn validate_subdomain(text: &str) -> Vec<String> {
    let mut problems = too_long(text, 253, "characters");
    if !is_subdomain(text) {
        problems.push(pattern_error(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and \
             end with an alphanumeric character",
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
            &["example.com"],
        ));
    }
    problems
}

fn validate_dns1035_label(text: &str) -> Vec<String> {
    let mut problems = too_long(text, 63, "characters");
    if !(is_label(text) && text.starts_with(|first: char| first.is_ascii_lowercase())) {
        problems.push(pattern_error(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, \
             and end with an alphanumeric character",
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            &["my-name", "abc-123"],
        ));
    }
    problems
}

fn validate_qualified_name(text: &str) -> Vec<String> {
    let error = || {
        pattern_error(
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
            &["MyName", "my.name", "123-abc"],
        )
    };
    let mut problems = Vec::new();
    let parts: Vec<&str> = text.split('/').collect();
    let name = match parts.as_slice() {
        [name] => *name,
        [prefix, name] => {
            if prefix.is_empty() {
                problems.push("prefix part must be non-empty".to_owned());
            } else {
                problems.extend(validate_subdomain(prefix).iter().map(|problem| format!("prefix part {problem}")));
            }
            *name
        }
        _ => {
            let error = error();
            return vec![format!(
                "a qualified name {error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        problems.push("name part must be non-empty".to_owned());
    }
    problems.extend(too_long(name, 63, "bytes").iter().map(|problem| format!("name part {problem}")));
    if !is_name(name) {
        problems.push(format!("name part {}", error()));
    }
    problems
}

fn validate_label_value(text: &str) -> Vec<String> {
    let mut problems = too_long(text, 63, "bytes");
    if !text.is_empty() && !is_name(text) {
        problems.push(pattern_error(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and \
             end with an alphanumeric character",
            "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
            &["MyValue", "my_value", "12345"],
        ));
    }
    problems
}

fn too_long(text: &str, most: usize, unit: &str) -> Vec<String> {
    unless(text.len() <= most, &format!("must be no more than {most} {unit}"))
}

fn pattern_error(message: &str, pattern: &str, examples: &[&str]) -> String {
    let examples: Vec<String> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{message} (e.g. {}regex used for validation is '{pattern}')", examples.join(" or "))
}

fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.bytes().all(|byte| inner(byte) || byte == b'-')
        && text.bytes().next().is_some_and(inner)
        && text.bytes().last().is_some_and(inner)
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric())
}

/// A prefix of a name, changed so that it is valid even with a hyphen at its end.
fn masked(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let mut masked = rest.to_owned();
            masked.pop();
            masked + "a"
        }
        _ => text.to_owned(),
    }
}

fn is_base64(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\r', '\n']) && base64::decode(text).is_some()
}

fn is_date(text: &str) -> bool {
    text.parse::<quantity::Date>().is_ok()
}

fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        match rest.get(..length).filter(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            Some(_) => rest = &rest[length..],
            None => return false,
        }
    }
    rest.is_empty()
}
