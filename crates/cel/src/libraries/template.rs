//! Templates of `format`, with `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X`.

use quantity::order::sorted;

use super::convert;
use crate::error::RunError;
use crate::fuel::{ALLOCATION, COMPARISON, Fuel};
use crate::types::Type;
use crate::value::key::Key;
use crate::value::{List, Map, Value, number, order};

/// The number of decimals when the template has no precision.
const PRECISION: usize = 6;
/// No double has more decimals; further ones are zeros.
const MOST_DECIMALS: usize = 1_074;
/// The deepest nesting of lists and maps.
const MOST_DEPTH: usize = 64;

/// A part of a template.
pub(crate) enum TemplatePart<'t> {
    Text(&'t str),
    Clause { verb: char, precision: Option<usize> },
}

/// The parts of a template.
pub(crate) fn pieces(template: &str) -> Result<Vec<TemplatePart<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        let (text, clause) = rest.split_at(at);
        pieces.push(TemplatePart::Text(text));
        let clause = &clause[1..];
        if let Some(after) = clause.strip_prefix('%') {
            pieces.push(TemplatePart::Text("%"));
            rest = after;
            continue;
        }
        if clause.is_empty() {
            return Err("unexpected end of string".to_owned());
        }
        let (precision, clause) = match clause.strip_prefix('.') {
            Some(after) => {
                let digits = after.bytes().take_while(u8::is_ascii_digit).count();
                let precision =
                    after[..digits].parse().map_err(|_| "could not convert precision to integer".to_owned())?;
                (Some(precision), &after[digits..])
            }
            None => (None, clause),
        };
        let verb = clause
            .chars()
            .next()
            .ok_or_else(|| "could not parse formatting clause: unexpected end of string".to_owned())?;
        if !"sdfebxXo".contains(verb) {
            return Err(format!("could not parse formatting clause: unrecognized formatting clause \"{verb}\""));
        }
        pieces.push(TemplatePart::Clause { verb, precision });
        rest = &clause[verb.len_utf8()..];
    }
    pieces.push(TemplatePart::Text(rest));
    Ok(pieces)
}

/// Whether a clause accepts an argument of this static type. The error is the message for types that it does not accept.
pub(crate) fn accepts(verb: char, ty: &Type) -> Result<(), &'static str> {
    let fits = |types: &[Type], words| if types.contains(ty) || *ty == Type::Dyn { Ok(()) } else { Err(words) };
    match verb {
        'd' => fits(&[Type::Int, Type::Uint], "decimal clause can only be used on integers"),
        'f' => fits(&[Type::Double, Type::String], "fixed-point clause can only be used on doubles"),
        'e' => fits(&[Type::Double, Type::String], "scientific clause can only be used on doubles"),
        'b' => fits(&[Type::Bool, Type::Int, Type::Uint], "only integers and bools can be formatted as binary"),
        'o' => fits(&[Type::Int, Type::Uint], "octal clause can only be used on integers"),
        'x' | 'X' => fits(
            &[Type::Int, Type::Uint, Type::String, Type::Bytes],
            "only integers, byte buffers, and strings can be formatted as hex",
        ),
        _ => match ty {
            Type::List(_) | Type::Map(_) | Type::Type(_) => Ok(()),
            _ => fits(
                &[
                    Type::Int,
                    Type::Uint,
                    Type::Double,
                    Type::Bool,
                    Type::String,
                    Type::Timestamp,
                    Type::Bytes,
                    Type::Duration,
                    Type::Null,
                ],
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
            ),
        },
    }
}

/// Formats the arguments.
pub(crate) fn format(template: &str, arguments: &[Value<'_>], fuel: &mut Fuel) -> Result<String, RunError> {
    fuel.spend(ALLOCATION + 5 * template.len())?;
    let mut text = String::with_capacity(template.len());
    let mut arguments = arguments.iter().enumerate();
    for piece in pieces(template).map_err(RunError::failed)? {
        match piece {
            TemplatePart::Text(piece) => text.push_str(piece),
            TemplatePart::Clause { verb, precision } => {
                let Some((_, argument)) = arguments.next() else {
                    return Err(RunError::failed("index out of range"));
                };
                let filled = clause(verb, precision, argument, fuel)?;
                fuel.spend(ALLOCATION + filled.len())?;
                text.push_str(&filled);
            }
        }
    }
    Ok(text)
}

fn clause(verb: char, precision: Option<usize>, value: &Value<'_>, fuel: &mut Fuel) -> Result<String, RunError> {
    let wrong = || {
        let words = accepts(verb, &Type::Opaque("")).err().unwrap_or_default();
        RunError::failed(format!("error during formatting: {words}, was given {}", value.ty().name()))
    };
    let precision = precision.unwrap_or(PRECISION);
    let double = || match value {
        Value::Double(double) => Ok(*double),
        Value::String(text) if matches!(&**text, "NaN" | "Infinity" | "-Infinity") => {
            Ok(text.replace("Infinity", "inf").parse().unwrap_or(f64::NAN))
        }
        _ => Err(wrong()),
    };
    Ok(match (verb, value) {
        ('s', value) => spelled(value, fuel, 0)?,
        ('d', Value::Int(value)) => value.to_string(),
        ('d', Value::Uint(value)) => value.to_string(),
        ('f', _) => {
            let double = double()?;
            spend_digits(double, precision, fuel)?;
            grouped(double, precision)
        }
        ('e', _) => {
            let double = double()?;
            spend_digits(double, precision, fuel)?;
            scientific(double, precision)
        }
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('b', Value::Int(value)) => format!("{}{:b}", sign(*value), value.unsigned_abs()),
        ('b', Value::Uint(value)) => format!("{value:b}"),
        ('o', Value::Int(value)) => format!("{}{:o}", sign(*value), value.unsigned_abs()),
        ('o', Value::Uint(value)) => format!("{value:o}"),
        ('x', Value::Int(value)) => format!("{}{:x}", sign(*value), value.unsigned_abs()),
        ('x', Value::Uint(value)) => format!("{value:x}"),
        ('X', Value::Int(value)) => format!("{}{:X}", sign(*value), value.unsigned_abs()),
        ('X', Value::Uint(value)) => format!("{value:X}"),
        ('x', Value::String(text)) => hexadecimal(text.as_bytes(), b"0123456789abcdef", fuel)?,
        ('X', Value::String(text)) => hexadecimal(text.as_bytes(), b"0123456789ABCDEF", fuel)?,
        ('x', Value::Bytes(bytes)) => hexadecimal(bytes, b"0123456789abcdef", fuel)?,
        ('X', Value::Bytes(bytes)) => hexadecimal(bytes, b"0123456789ABCDEF", fuel)?,
        _ => return Err(wrong()),
    })
}

fn sign(value: i64) -> &'static str {
    if value < 0 { "-" } else { "" }
}

fn hexadecimal(bytes: &[u8], digits: &[u8; 16], fuel: &mut Fuel) -> Result<String, RunError> {
    fuel.spend(2 * bytes.len())?;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from(digits[usize::from(digit)]));
        }
    }
    Ok(text)
}

/// Spends the work of writing a double with so many decimals.
fn spend_digits(double: f64, precision: usize, fuel: &mut Fuel) -> Result<(), RunError> {
    // Large and small numbers need long arithmetic, for each digit.
    let words = usize::from(exponent(double).unsigned_abs()) / 32 + 1;
    let digits = (10 * words).saturating_add(precision.min(MOST_DECIMALS));
    fuel.spend((300 + words * digits).saturating_add(2 * precision))
}

/// The exponent of a double, as a power of two.
fn exponent(double: f64) -> i16 {
    let biased = i16::try_from(double.to_bits() >> 52 & 0x7ff).unwrap_or(0);
    biased - 1023
}

/// `%s`.
fn spelled(value: &Value<'_>, fuel: &mut Fuel, depth: usize) -> Result<String, RunError> {
    fuel.spend(ALLOCATION + order::bytes(value))?;
    if depth > MOST_DEPTH {
        return Err(RunError::failed("error during formatting: the value nests too deep"));
    }
    match value {
        Value::Null => Ok("null".to_owned()),
        Value::Type(ty) => Ok(ty.name()),
        Value::List(list) => listed(list, fuel, depth),
        Value::Map(map) => mapped(map, fuel, depth),
        _ => match convert::text_of(value) {
            Some(text) if !matches!(value, Value::Ip(_) | Value::Cidr(_)) => text,
            _ => Err(RunError::failed(format!(
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, \
                 types, durations, and timestamps, was given {}",
                value.ty().name()
            ))),
        },
    }
}

/// A value in a list or map, written as a literal.
fn inner(value: &Value<'_>, fuel: &mut Fuel, depth: usize) -> Result<String, RunError> {
    let no_function =
        || RunError::failed(format!("error during formatting: no formatting function for {}", value.ty().name()));
    match value {
        Value::String(text) => {
            fuel.spend(ALLOCATION + 3 * text.len())?;
            Ok(format!("{:?}", &**text))
        }
        Value::Bytes(_) => Ok(format!("b{:?}", spelled(value, fuel, depth)?)),
        Value::Double(double) if !double.is_finite() => Ok(format!("{:?}", number::shortest(*double))),
        Value::Double(double) => {
            spend_digits(*double, PRECISION, fuel)?;
            Ok(fixed(*double, PRECISION))
        }
        Value::Timestamp(time) => Ok(format!("timestamp({:?})", time.to_string())),
        Value::Duration(span) => Ok(format!("duration({:?})", span.to_string())),
        Value::Optional(_)
        | Value::Quantity(_)
        | Value::Version(_)
        | Value::Url(_)
        | Value::Ip(_)
        | Value::Cidr(_)
        | Value::Format(_)
        | Value::Message(_)
        | Value::Unknown(_) => Err(no_function()),
        value => spelled(value, fuel, depth + 1),
    }
}

fn listed(list: &List<'_>, fuel: &mut Fuel, depth: usize) -> Result<String, RunError> {
    let parts = list.iter().map(|element| inner(&element?, fuel, depth)).collect::<Result<Vec<_>, _>>()?;
    joined('[', &parts, ']', fuel)
}

fn joined(open: char, parts: &[String], close: char, fuel: &mut Fuel) -> Result<String, RunError> {
    fuel.spend(ALLOCATION + parts.iter().map(|part| part.len() + 2).sum::<usize>())?;
    Ok(format!("{open}{}{close}", parts.join(", ")))
}

fn mapped(map: &Map<'_>, fuel: &mut Fuel, depth: usize) -> Result<String, RunError> {
    let mut parts = Vec::with_capacity(map.len());
    for key in map.keys() {
        let Some(value) = map.find(&key) else { continue };
        let value = inner(&value?, fuel, depth)?;
        let key = match key {
            Key::String(key) => {
                fuel.spend(ALLOCATION + 3 * key.len())?;
                format!("{:?}", &*key)
            }
            Key::Double(_) => {
                return Err(RunError::failed(
                    "error during formatting: no formatting function for map key of type double",
                ));
            }
            key => spelled(&key.value(), fuel, depth)?,
        };
        parts.push((key, value));
    }
    // The keys differ, but may be as long as they like before they do.
    let bytes: usize = parts.iter().map(|(key, value)| key.len() + value.len()).sum();
    fuel.spend(parts.len() * (ALLOCATION + 10 * COMPARISON) + 2 * bytes)?;
    let parts: Vec<String> = sorted(parts, Ord::cmp).into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
    joined('{', &parts, '}', fuel)
}

fn fixed(double: f64, precision: usize) -> String {
    if !double.is_finite() {
        return number::shortest(double);
    }
    let written = precision.min(MOST_DECIMALS);
    format!("{double:.written$}{}", "0".repeat(precision - written))
}

/// Infinity and NaN as upstream writes them, for the language English.
fn infinite(double: f64) -> &'static str {
    if double.is_nan() {
        "NaN"
    } else if double > 0.0 {
        "\u{221e}"
    } else {
        "-\u{221e}"
    }
}

/// A number with commas between groups of three digits.
fn grouped(double: f64, precision: usize) -> String {
    if !double.is_finite() {
        return infinite(double).to_owned();
    }
    let number = fixed(double, precision);
    let (sign, digits) = number.split_at(usize::from(number.starts_with('-')));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + fraction
}

/// A number like `1.234500×10⁰³`. Upstream uses the precision as the width.
fn scientific(double: f64, width: usize) -> String {
    const DIGITS: [char; 10] = [
        '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}', '\u{2078}',
        '\u{2079}',
    ];
    if !double.is_finite() {
        return right_aligned(infinite(double), width);
    }
    let text = format!("{double:.PRECISION$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let raised: String =
        format!("{:02}", exponent.abs()).bytes().map(|digit| DIGITS[usize::from(digit - b'0') % 10]).collect();
    let sign = if exponent < 0 { "\u{207b}" } else { "" };
    right_aligned(&format!("{mantissa}\u{d7}10{sign}{raised}"), width)
}

fn right_aligned(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.chars().count());
    format!("{}{text}", " ".repeat(blanks))
}
