//! Documents that are read differently, each with the reason.

use serde_json::Value;
use yaml::{Category, Error};

use crate::documents::Document;
use crate::equal::same_but;
use crate::toolchain::Answer;

/// A difference that is known.
pub(crate) struct Difference {
    /// What differs.
    pub(crate) name: &'static str,
    /// Why it does.
    pub(crate) reason: &'static str,
    /// Whether only documents with mistakes may show it. Such a row says little, so few documents may need one.
    pub(crate) mistaken: bool,
    explains: Explains,
}

/// How a difference is recognised.
enum Explains {
    /// Only we refuse a document, and say this.
    Ours(Category, &'static str),
    /// Only the toolchain refuses a document, and says this.
    Theirs(&'static str),
    /// Both read a value. They are equal but for keys, and but for scalars, that these functions accept.
    Values(fn(&str, &str) -> bool, fn(&Value, &Value) -> bool),
    /// The text has one of these characters, and only one side refuses it, or the values differ.
    Characters(&'static [char]),
}

const GRAMMAR: &str =
    "our parser is one of YAML 1.2, that of the toolchain is a port of libyaml, with the grammar of 1.1";
const NUMBERS: &str = "nobody writes such numbers on purpose, and the toolchain loses digits of some";

#[rustfmt::skip]
pub(crate) const DIFFERENCES: &[Difference] = &[
    row("duplicate keys", "they are mistakes, which API servers refuse in strict mode", Explains::Ours(Category::Duplicate, "duplicate key")),
    row("`!!binary`", "the toolchain decodes it, so that text in base64 becomes other text", Explains::Ours(Category::Invalid, "tag `!!binary`")),
    row("numbers beyond JSON which a later entry replaces", "the toolchain converts to JSON only what remains", Explains::Ours(Category::Invalid, "is no number that JSON can hold")),
    row("other keys which a later entry replaces", "the toolchain converts to JSON only what remains", Explains::Ours(Category::Invalid, "a key is text, a number or a boolean")),
    row("keys from 2⁶³", "JSON can have them", Explains::Theirs("unsupported map key of type: uint64")),
    row("tags that do not fit", "their value is read as without the tag", Explains::Theirs("cannot decode")),
    row("fractional keys", NUMBERS, Explains::Values(same_in_32_bits, |_, _| false)),
    row("`.5_0` and `0b-10`", NUMBERS, Explains::Values(is_odd_key, is_odd_number)),
    row("tags on `.5_0` and `0b-10`", NUMBERS, Explains::Ours(Category::Invalid, "is no `!!")),
    row("escapes that JSON has", "every JSON text is YAML 1.2", Explains::Theirs("found unknown escape character")),
    row("control characters", "messages spell them out, and they do no harm in a value", Explains::Theirs("control characters are not allowed")),
    row("directives", GRAMMAR, Explains::Theirs("found incompatible YAML document")),
    row("unknown directives", GRAMMAR, Explains::Theirs("found unknown directive name")),
    row("line breaks of Unicode", GRAMMAR, Explains::Characters(&['\u{85}', '\u{2028}', '\u{2029}'])),
    row("byte order marks", GRAMMAR, Explains::Ours(Category::Syntax, "a byte order mark must not appear inside a document")),
    in_mistakes("texts that only YAML 1.1 allows", GRAMMAR, Explains::Ours(Category::Syntax, "not well-formed YAML")),
    in_mistakes("texts that only YAML 1.2 allows", GRAMMAR, Explains::Theirs("yaml: ")),
    in_mistakes("texts that mean something else in YAML 1.2", GRAMMAR, Explains::Characters(&['!', ':', '?', '|', '&'])),
];

const fn row(name: &'static str, reason: &'static str, explains: Explains) -> Difference {
    Difference { name, reason, mistaken: false, explains }
}

const fn in_mistakes(name: &'static str, reason: &'static str, explains: Explains) -> Difference {
    Difference { name, reason, mistaken: true, explains }
}

impl Difference {
    /// Whether this explains the answers for a text.
    pub(crate) fn explains(&self, document: &Document, ours: &Result<Value, Error>, theirs: &Answer) -> bool {
        match (&self.explains, ours, theirs) {
            _ if self.mistaken && !document.mistaken => false,
            (Explains::Ours(category, message), Err(error), Ok(_)) => {
                error.category == *category && error.message.contains(message)
            }
            (Explains::Theirs(message), Ok(_), Err(error)) => error.contains(message),
            (Explains::Values(keys, scalars), Ok(ours), Ok(theirs)) => same_but(ours, theirs, *keys, *scalars),
            (Explains::Characters(characters), ..) => document.text.contains(*characters),
            _ => false,
        }
    }
}

/// Whether two keys are the same number in 32 bits.
fn same_in_32_bits(ours: &str, theirs: &str) -> bool {
    let number = |key: &str| key.replace(".inf", "inf").parse::<f32>().ok();
    number(ours).is_some() && number(ours) == number(theirs)
}

/// Whether a text is a number to the toolchain alone: with a `_` after a point, or with a sign after `0b`.
fn is_odd(text: &str) -> bool {
    (text.starts_with(['.', '+', '-']) && text.contains('_')) || text.contains("0b+") || text.contains("0b-")
}

fn is_odd_key(ours: &str, theirs: &str) -> bool {
    same_in_32_bits(ours, theirs) || (is_odd(ours) && theirs.parse::<f64>().is_ok())
}

fn is_odd_number(ours: &Value, theirs: &Value) -> bool {
    ours.as_str().is_some_and(is_odd) && theirs.is_number()
}
