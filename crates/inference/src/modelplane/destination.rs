//! Where the URL of an endpoint leads: the host and port of a backend.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Host and port of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// A host name in lower case, or an IP address without brackets. Never empty.
    pub host: String,
    /// The port, or else that of the scheme.
    pub port: u16,
}

impl Destination {
    /// Reads `scheme://[userinfo@]host[:port]/…`. Any scheme is taken, and none too (`//host/`). `None` when there is no
    /// host, or when the port is no number up to 65535.
    pub fn of(url: &str) -> Option<Self> {
        let url = url.trim_start_matches(|first: char| first <= ' ');
        let (scheme, rest) = match url.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (scheme, rest),
            _ => ("", url),
        };
        let rest = rest.strip_prefix("//")?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let place = authority.rsplit_once('@').map_or(authority, |(_userinfo, place)| place);
        let (host, port) = match place.strip_prefix('[') {
            Some(bracketed) => {
                let (host, after) = bracketed.split_once(']')?;
                address(host).is_some_and(|it| it == AddressType::IPv6).then_some(())?;
                (host, if after.is_empty() { "" } else { after.strip_prefix(':')? })
            }
            None if place.contains(['[', ']']) => return None,
            None => place.split_once(':').unwrap_or((place, "")),
        };
        if host.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let stated = if port.is_empty() { 0 } else { port.parse().ok()? };
        let of_scheme = if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
        Some(Self { host: host.to_ascii_lowercase(), port: if stated == 0 { of_scheme } else { stated } })
    }

    /// What an EndpointSlice calls the host.
    pub fn address_type(&self) -> AddressType {
        address(&self.host).unwrap_or(AddressType::FullyQualified)
    }
}

/// What an EndpointSlice calls an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressType {
    /// An IPv4 address.
    IPv4,
    /// An IPv6 address.
    IPv6,
    /// A host name, and everything that is no IP address.
    FullyQualified,
}

impl AddressType {
    /// As Kubernetes writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IPv4 => "IPv4",
            Self::IPv6 => "IPv6",
            Self::FullyQualified => "FQDN",
        }
    }
}

/// The type of an IP address. An IPv6 address may have a zone.
fn address(host: &str) -> Option<AddressType> {
    if host.parse::<Ipv4Addr>().is_ok() {
        return Some(AddressType::IPv4);
    }
    let bare = host.split_once('%').map_or(host, |(bare, zone)| if zone.is_empty() { "" } else { bare });
    bare.parse::<Ipv6Addr>().is_ok().then_some(AddressType::IPv6)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations() {
        #[track_caller]
        fn check(url: &str, want: Option<(&str, u16, &str)>) {
            let found = Destination::of(url);
            let found = found.as_ref().map(|it| (it.host.as_str(), it.port, it.address_type().as_str()));
            assert_eq!(found, want, "{url}");
        }
        check("http://10.0.0.1/ns/qwen/v1", Some(("10.0.0.1", 80, "IPv4")));
        check("http://10.0.0.1:8080/v1", Some(("10.0.0.1", 8080, "IPv4")));
        check("https://api.example.org/v1", Some(("api.example.org", 443, "FQDN")));
        check("HTTPS://API.Example.org", Some(("api.example.org", 443, "FQDN")));
        check("https://api.example.org:8443?x=1", Some(("api.example.org", 8443, "FQDN")));
        check("http://user:p%40ss@api.example.org:81#x", Some(("api.example.org", 81, "FQDN")));
        check("http://a@b@api.example.org", Some(("api.example.org", 80, "FQDN")));
        check("http://[2001:DB8::1]:8000/v1", Some(("2001:db8::1", 8000, "IPv6")));
        check("https://[::1]", Some(("::1", 443, "IPv6")));
        check("http://[fe80::1%eth0]/", Some(("fe80::1%eth0", 80, "IPv6")));
        check("//api.example.org/v1", Some(("api.example.org", 80, "FQDN")));
        check(" http://api.example.org", Some(("api.example.org", 80, "FQDN")));
        check("grpc://api.example.org", Some(("api.example.org", 80, "FQDN")));
        check("http://api.example.org:/v1", Some(("api.example.org", 80, "FQDN")));
        check("http://api.example.org:0/v1", Some(("api.example.org", 80, "FQDN")));
        check("https://api.example.org:0", Some(("api.example.org", 443, "FQDN")));
        check("http://api.example.org:00081", Some(("api.example.org", 81, "FQDN")));
        check("http://api.example.org:65535", Some(("api.example.org", 65535, "FQDN")));
        // Neither is an IP address.
        check("http://1.2.3/", Some(("1.2.3", 80, "FQDN")));
        check("http://1.2.3.04/", Some(("1.2.3.04", 80, "FQDN")));

        for odd in [
            "",
            "api.example.org",
            "foo:80",
            "10.0.0.1:80",
            "http://",
            "http:///v1",
            "http://:80/",
            "http://user@/",
            "unix:///x",
            "http:/api.example.org",
            "http://api.example.org:65536",
            "http://api.example.org:99999999999999999999",
            "http://api.example.org:http",
            "http://api.example.org:+80",
            "http://api.example.org:-1",
            "http://a:b:80/",
            "http://::1/",
            "http://[::1/",
            "http://[::1]x/",
            "http://[api.example.org]/",
            "http://[]/",
            "http://::1]/",
        ] {
            check(odd, None);
        }
    }
}
