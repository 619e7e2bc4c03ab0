//! Network addresses (Go's `net`, and k8s.io/utils `net`, which accepts leading zeros).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::numbers;

/// An IPv4 address, also with leading zeros, or an IPv6 address that ends in one.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.contains('.') && sloppy(text).is_some()
}

/// An IPv6 address without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// An address and the length of its prefix.
pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let length = Some(length).filter(|length| is_digits(length)).and_then(|length| length.parse::<u32>().ok());
    match (sloppy_v4(address), sloppy(address), length) {
        (Some(_), _, Some(length)) => length <= 32,
        (None, Some(IpAddr::V6(_)), Some(length)) => length <= 128,
        _ => false,
    }
}

/// 6, 8 or 20 bytes in hexadecimal digits: in pairs separated by `:` or `-`, in groups of four separated by `.`, or without
/// separators.
pub(super) fn is_mac(text: &str) -> bool {
    let is_groups = |separator: char, digits: usize| {
        let mut groups = text.split(separator);
        groups.all(|group| group.len() == digits && numbers::is_hex(group))
            && matches!((text.len() + 1) / (digits + 1) * digits / 2, 6 | 8 | 20)
    };
    match text.as_bytes() {
        [_, _, separator @ (b':' | b'-'), ..] => is_groups(char::from(*separator), 2),
        [_, _, _, _, b'.', ..] => is_groups('.', 4),
        _ => numbers::is_hex(text) && matches!(text.len(), 12 | 16 | 40),
    }
}

fn sloppy(text: &str) -> Option<IpAddr> {
    match text.find(['.', ':']).and_then(|at| text.as_bytes().get(at))? {
        b'.' => sloppy_v4(text).map(IpAddr::V4),
        _ => sloppy_v6(text).map(IpAddr::V6),
    }
}

fn sloppy_v4(text: &str) -> Option<Ipv4Addr> {
    let octets: Vec<_> = text.split('.').map(|octet| trimmed(octet, is_digits)).collect::<Option<_>>()?;
    octets.join(".").parse().ok()
}

fn sloppy_v6(text: &str) -> Option<Ipv6Addr> {
    let group = |group: &str| match group {
        "" => Some(String::new()),
        group if group.contains('.') => sloppy_v4(group).map(|address| address.to_string()),
        group => trimmed(group, numbers::is_hex),
    };
    text.split(':').map(group).collect::<Option<Vec<_>>>()?.join(":").parse().ok()
}

/// The digits without leading zeros; `None` if they are not valid.
fn trimmed(digits: &str, valid: fn(&str) -> bool) -> Option<String> {
    let bare = digits.trim_start_matches('0');
    valid(digits).then(|| if bare.is_empty() && !digits.is_empty() { "0" } else { bare }.to_owned())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
