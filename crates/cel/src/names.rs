//! Property names as identifiers. Names that are not identifiers are escaped (`k8s.io/apiserver/pkg/cel/escaping.go`).

/// Words that have a meaning in CEL.
const KEYWORDS: &[&str] = &["true", "false", "null", "in"];

/// Words that CEL reserves for future use.
pub(crate) const KEPT: &[&str] = &[
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Characters and their escapes.
const ESCAPES: &[(&str, &str)] = &[("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")];

/// The identifier for a property, or `None` if there is none: `my-field` is `my__dash__field`, `namespace` is
/// `__namespace__`, and `1st` and `größe` have no identifier.
pub fn escape(property: &str) -> Option<String> {
    if property.is_empty() || property.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if is_reserved(property) {
        return Some(format!("__{property}__"));
    }
    let mut escaped = String::with_capacity(property.len());
    let mut rest = property;
    while let Some(first) = rest.chars().next() {
        if let Some((text, escape)) = ESCAPES.iter().find(|row| rest.starts_with(row.0)) {
            escaped.push_str(escape);
            rest = &rest[text.len()..];
        } else if first.is_ascii_alphanumeric() || first == '_' {
            escaped.push(first);
            rest = &rest[1..];
        } else {
            return None;
        }
    }
    Some(escaped)
}

/// The property for an identifier, or `None` if it has an unknown escape (`a__b__c`).
pub fn unescape(identifier: &str) -> Option<String> {
    let mut property = String::with_capacity(identifier.len());
    let mut rest = identifier;
    while let Some(start) = rest.find("__") {
        // An escape begins with the last two of several underscores.
        let start = start + rest[start..].bytes().take_while(|&byte| byte == b'_').count() - 2;
        let word = &rest[start + 2..];
        let Some(length) = word.find('_').filter(|&length| length > 0 && word[length..].starts_with("__")) else {
            let (passed, after) = rest.split_at(start + 2);
            property.push_str(passed);
            rest = after;
            continue;
        };
        let escape = &rest[start..start + length + 4];
        property.push_str(&rest[..start]);
        if let Some((text, _)) = ESCAPES.iter().find(|row| row.1 == escape) {
            property.push_str(text);
        } else if is_reserved(&word[..length]) && escape.len() == identifier.len() {
            property.push_str(&word[..length]);
        } else {
            return None;
        }
        rest = &rest[start + escape.len()..];
    }
    property.push_str(rest);
    Some(property)
}

pub(crate) fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || KEPT.contains(&word)
}
