//! IP addresses. Zones and IPv4-mapped IPv6 addresses are not allowed.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::error::RunError;

/// An IP address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ip(pub(crate) IpAddr);

impl Ip {
    pub(crate) fn read(text: &str) -> Result<Self, RunError> {
        if text.contains('%') && text.split('%').next().is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()) {
            return Err(RunError::failed(format!("IP address {text:?} with zone value is not allowed")));
        }
        let address: IpAddr = text.parse().map_err(|_| {
            let why = why_not(text);
            RunError::failed(format!("IP Address {text:?} parse error during conversion from string: {why}"))
        })?;
        if let IpAddr::V6(address) = address
            && address.to_ipv4_mapped().is_some()
        {
            return Err(RunError::failed(format!("IPv4-mapped IPv6 address {text:?} is not allowed")));
        }
        Ok(Self(address))
    }

    /// The number of bytes.
    pub(crate) fn bytes(self) -> usize {
        if self.0.is_ipv4() { 4 } else { 16 }
    }
}

impl fmt::Display for Ip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The message of Go's `netip.ParseAddr` for a malformed address.
pub(crate) fn why_not(text: &str) -> String {
    let what = match text.find(['.', ':', '%']).map(|at| text.as_bytes()[at]) {
        Some(b'.') => why_not_v4(text),
        Some(b':') => why_not_v6(text),
        Some(_) => "missing IPv6 address".to_owned(),
        None => "unable to parse IP".to_owned(),
    };
    format!("ParseAddr({text:?}): {what}")
}

fn why_not_v4(text: &str) -> String {
    let (mut value, mut length, mut fields) = (0u32, 0, 0);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if length == 1 && value == 0 {
                    return "IPv4 field has octet with leading zero".to_owned();
                }
                value = value * 10 + u32::from(byte - b'0');
                length += 1;
                if value > 255 {
                    return "IPv4 field has value >255".to_owned();
                }
            }
            b'.' => {
                if at == 0 || at + 1 == bytes.len() || bytes[at - 1] == b'.' {
                    return format!("IPv4 field must have at least one digit (at {:?})", &text[at..]);
                }
                if fields == 3 {
                    return "IPv4 address too long".to_owned();
                }
                (value, length, fields) = (0, 0, fields + 1);
            }
            _ => return format!("unexpected character (at {:?})", text.get(at..).unwrap_or_default()),
        }
    }
    "IPv4 address too short".to_owned()
}

/// The message for a malformed IPv6 address, for the most common mistakes.
fn why_not_v6(text: &str) -> String {
    let (mut rest, mut fields, mut gap) = (text, 0, false);
    if let Some(after) = text.strip_prefix("::") {
        (rest, gap) = (after, true);
    }
    while fields < 8 && !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return format!("each group must have 4 or less digits (at {rest:?})");
        }
        if digits == 0 {
            return format!("each colon-separated field must have at least one digit (at {rest:?})");
        }
        fields += 1;
        rest = &rest[digits..];
        match rest.strip_prefix(':') {
            _ if rest.is_empty() => break,
            None => return format!("unexpected character, want colon (at {rest:?})"),
            Some("") => return format!("colon must be followed by more characters (at {rest:?})"),
            Some(after) => rest = after,
        }
        if let Some(after) = rest.strip_prefix(':') {
            if gap {
                return format!("multiple :: in address (at {rest:?})");
            }
            (rest, gap) = (after, true);
        }
    }
    match (rest.is_empty(), fields < 8) {
        (false, _) => format!("trailing garbage after address (at {rest:?})"),
        (true, true) => "address string too short".to_owned(),
        (true, false) => "the :: must expand to at least one field of zeros".to_owned(),
    }
}
