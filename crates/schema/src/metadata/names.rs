//! The rules for names (apimachinery `pkg/api/validate/content`, `pkg/util/validation`). Each returns all errors in the words
//! of the API server. Lengths are in bytes, though the messages of the second package say characters.

/// The unit of lengths in messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    Bytes,
    Characters,
}

/// A DNS subdomain (RFC 1123).
pub(super) fn dns_subdomain(text: &str, unit: Unit) -> Vec<String> {
    let mut wrong = too_long(text, 253, unit);
    if !is_dns_subdomain(text) {
        wrong.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    wrong
}

/// A DNS label (RFC 1123).
pub(super) fn dns_label(text: &str) -> Vec<String> {
    let mut wrong = too_long(text, 63, Unit::Characters);
    if is_dns_label(text) {
        return wrong;
    }
    wrong.push(if is_dns_subdomain(text) {
        "must not contain dots".to_owned()
    } else {
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end \
         with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
         '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
            .to_owned()
    });
    wrong
}

/// A DNS label (RFC 1035), which begins with a letter.
pub(crate) fn dns_1035_label(text: &str) -> Vec<String> {
    let mut wrong = too_long(text, 63, Unit::Characters);
    if !is_dns_label(text) || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        wrong.push(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
             character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
             validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    wrong
}

/// A qualified name, such as the key of a label: a name with an optional domain before it.
pub(super) fn qualified_name(text: &str) -> Vec<String> {
    const SHAPE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
         alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
         '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    let mut wrong = Vec::new();
    let parts: Vec<_> = text.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        ["", name] => {
            wrong.push("prefix part must be non-empty".to_owned());
            name
        }
        [prefix, name] => {
            wrong.extend(dns_subdomain(prefix, Unit::Bytes).into_iter().map(|says| format!("prefix part {says}")));
            name
        }
        _ => {
            let domain = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a valid label key {SHAPE} {domain}")];
        }
    };
    if name.is_empty() {
        wrong.push("name part must be non-empty".to_owned());
    } else {
        wrong.extend(too_long(name, 63, Unit::Bytes).into_iter().map(|says| format!("name part {says}")));
    }
    if !is_label_text(name) {
        wrong.push(format!("name part {SHAPE}"));
    }
    wrong
}

/// The value of a label, which may be empty.
pub(super) fn label_value(text: &str) -> Vec<String> {
    let mut wrong = too_long(text, 63, Unit::Bytes);
    if !text.is_empty() && !is_label_text(text) {
        wrong.push(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
             start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
             for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                .to_owned(),
        );
    }
    wrong
}

/// A name that is valid as a segment of a path.
pub(super) fn path_segment(text: &str) -> Vec<String> {
    if matches!(text, "." | "..") { vec![format!("may not be '{text}'")] } else { path_segment_prefix(text) }
}

/// The prefix of a name that is valid as a segment of a path.
pub(super) fn path_segment_prefix(text: &str) -> Vec<String> {
    let contained = ['/', '%'].into_iter().filter(|&c| text.contains(c));
    contained.map(|c| format!("may not contain '{c}'")).collect()
}

fn too_long(text: &str, most: usize, unit: Unit) -> Vec<String> {
    let unit = match unit {
        Unit::Bytes => "bytes",
        Unit::Characters => "characters",
    };
    (text.len() > most).then(|| format!("must be no more than {most} {unit}")).into_iter().collect()
}

fn is_dns_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

/// Lower case letters, digits and inner dashes, of any length.
fn is_dns_label(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    has_shape(text, plain, |b| b == b'-')
}

/// Letters, digits and inner dashes, underscores and dots, of any length.
fn is_label_text(text: &str) -> bool {
    has_shape(text, |b| b.is_ascii_alphanumeric(), |b| matches!(b, b'-' | b'_' | b'.'))
}

fn has_shape(text: &str, plain: impl Fn(u8) -> bool, inner: impl Fn(u8) -> bool) -> bool {
    let ends = [text.bytes().next(), text.bytes().next_back()];
    ends.into_iter().all(|end| end.is_some_and(&plain)) && text.bytes().all(|b| plain(b) || inner(b))
}
