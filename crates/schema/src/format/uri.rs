//! URIs, as Go's `url.ParseRequestURI` accepts them.

use std::net::Ipv6Addr;

use super::numbers;

/// An absolute URI, an absolute path, or `*`.
pub(super) fn is_request_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|b| b < 0x20 || b == 0x7f) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = scheme(text) else { return false };
    let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
    if !rest.starts_with('/') {
        return !scheme.is_empty();
    }
    let path = match rest.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(&scheme.to_ascii_lowercase(), authority) {
                return false;
            }
            path
        }
        None => rest,
    };
    escapes(path).is_some()
}

/// The scheme and the rest; `None` when the text begins with a colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    for (index, b) in text.bytes().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return None,
            b':' => return Some((&text[..index], &text[index + 1..])),
            _ => break,
        }
    }
    Some(("", text))
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
    let user = user.is_none_or(|user| user.chars().all(allowed) && escapes(user).is_some());
    user && is_host(scheme, host)
}

fn is_host(scheme: &str, host: &str) -> bool {
    match host.rfind('[') {
        Some(0) => {
            let Some((address, port)) = host[1..].rsplit_once(']') else { return false };
            let (address, zone) = address.split_once("%25").map_or((address, None), |(host, zone)| (host, Some(zone)));
            let zone = zone.is_none_or(|zone| !zone.is_empty() && escapes(zone).is_some());
            zone && is_port(port) && address.parse::<Ipv6Addr>().is_ok()
        }
        Some(_) => false,
        None => {
            // The port begins at the last colon, but with `http` and `https` at the first one.
            let colon = if matches!(scheme, "http" | "https") { host.find(':') } else { host.rfind(':') };
            is_port(colon.map_or("", |at| &host[at..])) && is_host_name(host)
        }
    }
}

fn is_port(port: &str) -> bool {
    port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()))
}

/// A host name. Only characters beyond ASCII may be escaped in it.
fn is_host_name(host: &str) -> bool {
    let allowed = |b: u8| !b.is_ascii() || b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&b);
    let beyond_ascii = |escaped: u8| escaped >= 0x80 || escaped == b'%';
    host.bytes().all(allowed) && escapes(host).is_some_and(|escaped| escaped.into_iter().all(beyond_ascii))
}

/// The bytes that are escaped with a percent sign; `None` when an escape is malformed.
fn escapes(text: &str) -> Option<Vec<u8>> {
    let byte = |rest: &str| {
        let digits = rest.get(..2).filter(|digits| numbers::is_hex(digits))?;
        u8::from_str_radix(digits, 16).ok()
    };
    text.split('%').skip(1).map(byte).collect()
}
