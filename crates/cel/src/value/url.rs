//! URLs, as Go's `net/url` reads them. `url()` accepts absolute URIs and absolute paths.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::net::Ipv6Addr;

/// What is wrong with a URL, in the words of Go.
type Wrong = Cow<'static, str>;

/// Where a text is unescaped: what Go allows differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A path, a fragment or what stands before `@`.
    Path,
    /// A host or a port, in which only what is not ASCII may be escaped.
    Host,
    /// The zone of an IPv6 address.
    Zone,
    /// A key or a value of the query, in which `+` is a space.
    Query,
}

/// A URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    pub(crate) scheme: String,
    /// The part after the scheme, when it is not a path.
    opaque: String,
    user: Option<String>,
    /// The host with the port.
    pub(crate) host: String,
    /// The path as written.
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl Url {
    /// Reads an absolute URI or an absolute path (`url.ParseRequestURI`) with its fragment.
    ///
    /// # Errors
    /// The message for a malformed URL, in the words of Go.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let wrong = |what: Wrong| format!("parse {text:?}: {what}");
        Self::parse(text, true).map_err(wrong)?;
        let (rest, fragment) = match text.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (text, None),
        };
        let mut url = Self::parse(rest, false).map_err(wrong)?;
        if let Some(fragment) = fragment {
            unescape(fragment, Part::Path).map_err(wrong)?;
            url.fragment = Some(fragment.to_owned());
        }
        Ok(url)
    }

    pub(crate) fn parse(text: &str, request: bool) -> Result<Self, Wrong> {
        if text.bytes().any(|byte| byte.is_ascii_control()) {
            return Err("net/url: invalid control character in URL".into());
        }
        if text.is_empty() && request {
            return Err("empty url".into());
        }
        if text == "*" {
            return Ok(Self { path: text.to_owned(), ..Self::default() });
        }
        let (scheme, rest) = split_scheme(text)?;
        let mut url = Self { scheme: scheme.to_ascii_lowercase(), ..Self::default() };
        let mut rest = rest;
        if let Some((before, query)) = rest.split_once('?') {
            rest = before;
            url.query = Some(query.to_owned());
        }
        if !rest.starts_with('/') {
            if !scheme.is_empty() {
                url.opaque = rest.to_owned();
                return Ok(url);
            }
            if request {
                return Err("invalid URI for request".into());
            }
            if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return Err("first path segment in URL cannot contain colon".into());
            }
        }
        if (!scheme.is_empty() || (!request && !rest.starts_with("///")))
            && let Some(after) = rest.strip_prefix("//")
        {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
            url.host = host_of(host)?;
            if let Some(user) = user {
                if !user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)) {
                    return Err("net/url: invalid userinfo".into());
                }
                unescape(user, Part::Path)?;
                url.user = Some(user.to_owned());
            }
            rest = path;
        }
        unescape(rest, Part::Path)?;
        url.path = rest.to_owned();
        Ok(url)
    }

    /// The number of bytes of all parts.
    pub(crate) fn length(&self) -> usize {
        let optional = [&self.user, &self.query, &self.fragment].into_iter().flatten().map(String::len).sum::<usize>();
        self.scheme.len() + self.opaque.len() + self.host.len() + self.path.len() + optional
    }

    pub(crate) fn hostname(&self) -> &str {
        let host = self.split_port().0;
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    pub(crate) fn split_port(&self) -> (&str, &str) {
        match self.host.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port),
            _ => (&self.host, ""),
        }
    }

    /// The path as written, if it is validly escaped; otherwise escaped again.
    pub(crate) fn escaped_path(&self) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte);
        if self.path.bytes().all(|byte| plain(byte) || b"!'()*[]%".contains(&byte)) {
            return self.path.clone();
        }
        let path = unescape(&self.path, Part::Path).unwrap_or_default();
        path.iter().fold(String::new(), |text, &byte| {
            if plain(byte) { text + char::from(byte).encode_utf8(&mut [0; 4]) } else { text + &format!("%{byte:02X}") }
        })
    }

    /// The values of each key of the query. Malformed pairs are left out.
    pub(crate) fn values(&self) -> BTreeMap<String, Vec<String>> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let query = self.query.as_deref().unwrap_or_default();
        for pair in query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';')) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let text =
                |part: &str| unescape(part, Part::Query).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            if let (Some(key), Some(value)) = (text(key), text(value)) {
                values.entry(key).or_default().push(value);
            }
        }
        values
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if !self.opaque.is_empty() {
            f.write_str(&self.opaque)?;
        } else {
            if !self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some() {
                f.write_str(if self.host.is_empty() && self.path.is_empty() && self.user.is_none() {
                    ""
                } else {
                    "//"
                })?;
            }
            if let Some(user) = &self.user {
                write!(f, "{user}@")?;
            }
            write!(f, "{}{}", self.host, self.escaped_path())?;
        }
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if let Some(fragment) = self.fragment.as_ref().filter(|fragment| !fragment.is_empty()) {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

fn split_scheme(text: &str) -> Result<(&str, &str), Wrong> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index > 0 => return Ok((&text[..index], &text[index + 1..])),
            b':' => return Err("missing protocol scheme".into()),
            _ => break,
        }
    }
    Ok(("", text))
}

/// The host and port of an authority, unescaped. Several colons are taken as the API server takes them: the port is after
/// the last one.
fn host_of(text: &str) -> Result<String, Wrong> {
    let Some(bracket) = text.rfind('[') else {
        check_port(text.rfind(':').map_or("", |colon| &text[colon..]))?;
        return Ok(in_text(&unescape(text, Part::Host)?));
    };
    if bracket > 0 {
        return Err("invalid IP-literal".into());
    }
    let end = text.rfind(']').ok_or("missing ']' in host")?;
    let (name, port) = (&text[1..end], &text[end + 1..]);
    check_port(port)?;
    let (address, zone) = name.split_at(name.find("%25").unwrap_or(name.len()));
    let address = in_text(&unescape(address, Part::Host)?);
    let zone = in_text(&unescape(zone, Part::Zone)?);
    let whole = format!("{address}{zone}");
    if !address.contains(':') && address.contains('.') && zone.is_empty() {
        return Err("invalid IP-literal".into());
    }
    if address.parse::<Ipv6Addr>().is_err() {
        return Err(format!("invalid host: ParseAddr({whole:?}): unable to parse IP").into());
    }
    if zone == "%" {
        return Err(format!("invalid host: ParseAddr({whole:?}): zone must be a non-empty string").into());
    }
    Ok(format!("[{whole}]{port}"))
}

/// What follows a host is nothing, or a colon and digits.
fn check_port(port: &str) -> Result<(), Wrong> {
    let digits = port.strip_prefix(':');
    if port.is_empty() || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        return Ok(());
    }
    Err(format!("invalid port {port:?} after host").into())
}

fn unescape(text: &str, part: Part) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        match first {
            b'%' => {
                let code = after.get(..2).filter(|code| code.iter().all(u8::is_ascii_hexdigit));
                let byte = code.and_then(|code| u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
                let byte = byte.filter(|byte| code == Some(b"25") || part.may_escape(*byte));
                let wrong = || format!("invalid URL escape {:?}", in_text(&rest[..rest.len().min(3)]));
                bytes.push(byte.ok_or_else(wrong)?);
                rest = &after[2..];
                continue;
            }
            b'+' if part == Part::Query => bytes.push(b' '),
            byte if part.takes(*byte) => bytes.push(*byte),
            byte => return Err(format!("invalid character {:?} in host name", char::from(*byte).to_string()).into()),
        }
        rest = after;
    }
    Ok(bytes)
}

fn in_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Part {
    /// Whether the byte may stand here as it is.
    fn takes(self, byte: u8) -> bool {
        !matches!(self, Self::Host | Self::Zone)
            || byte >= 0x80
            || byte.is_ascii_alphanumeric()
            || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
    }

    /// Whether the byte may stand here as an escape.
    fn may_escape(self, byte: u8) -> bool {
        match self {
            Self::Host => byte >= 0x80,
            Self::Zone => byte == b' ' || self.takes(byte),
            Self::Path | Self::Query => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_go() {
        #[track_caller]
        fn check(text: &str, wrong: Option<&str>) {
            assert_eq!(Url::read(text).err().as_deref(), wrong, "{text}");
        }
        check("http://a:80", None);
        check("http://a:b", Some("parse \"http://a:b\": invalid port \":b\" after host"));
        check("http://a:b:80", None);
        check("http://a::", None);
        check("http://[::1]:80/", None);
        check("http://[::1]b", Some("parse \"http://[::1]b\": invalid port \"b\" after host"));
        check("http://[::1", Some("parse \"http://[::1\": missing ']' in host"));
        check("http://a[::1]", Some("parse \"http://a[::1]\": invalid IP-literal"));
        check("http://[1.2.3.4]/", Some("parse \"http://[1.2.3.4]/\": invalid IP-literal"));
        check("http://[a]/", Some("parse \"http://[a]/\": invalid host: ParseAddr(\"a\"): unable to parse IP"));
        check("http://[::1%25en0]/", None);
        check(
            "http://[::1%25]/",
            Some("parse \"http://[::1%25]/\": invalid host: ParseAddr(\"::1%\"): zone must be a non-empty string"),
        );
        check("http://[::1%25%41]/", None);
        check("http://[::1%25%7f]/", Some("parse \"http://[::1%25%7f]/\": invalid URL escape \"%7f\""));
        check("http://a b/", Some("parse \"http://a b/\": invalid character \" \" in host name"));
        check("http://a^b:80", Some("parse \"http://a^b:80\": invalid character \"^\" in host name"));
        check("http://%41/", Some("parse \"http://%41/\": invalid URL escape \"%41\""));
        check("http://%c3%a9/", None);
        check("http://a%zz/", Some("parse \"http://a%zz/\": invalid URL escape \"%zz\""));
        check("http://a%4", Some("parse \"http://a%4\": invalid URL escape \"%4\""));
        check("http://a/%4", Some("parse \"http://a/%4\": invalid URL escape \"%4\""));
        check("http://a/%zzz", Some("parse \"http://a/%zzz\": invalid URL escape \"%zz\""));
        check("http://u%zz@a", Some("parse \"http://u%zz@a\": invalid URL escape \"%zz\""));
        check("http://u^@a", Some("parse \"http://u^@a\": net/url: invalid userinfo"));
        check("http://u^@a:b", Some("parse \"http://u^@a:b\": invalid port \":b\" after host"));
        check("http://a/?%zz", None);
        check("http://a/#%zz", Some("parse \"http://a/#%zz\": invalid URL escape \"%zz\""));
        check("/a%", Some("parse \"/a%\": invalid URL escape \"%\""));
        check("http://é/", None);
        check("http://[::1]%41", Some("parse \"http://[::1]%41\": invalid port \"%41\" after host"));
        check("http://a:%41", Some("parse \"http://a:%41\": invalid port \":%41\" after host"));
    }
}
