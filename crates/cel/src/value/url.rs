//! URLs, as Go's `net/url` reads them. `url()` accepts absolute URIs and absolute paths.

use std::collections::BTreeMap;
use std::fmt;

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
        let wrong = |what: &str| format!("parse {text:?}: {what}");
        Self::parse(text, true).map_err(wrong)?;
        let (rest, fragment) = match text.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (text, None),
        };
        let mut url = Self::parse(rest, false).map_err(wrong)?;
        if let Some(fragment) = fragment {
            unescape(fragment, false).map_err(|error| wrong(&error))?;
            url.fragment = Some(fragment.to_owned());
        }
        Ok(url)
    }

    pub(crate) fn parse(text: &str, request: bool) -> Result<Self, &'static str> {
        if text.bytes().any(|byte| byte.is_ascii_control()) {
            return Err("net/url: invalid control character in URL");
        }
        if text.is_empty() && request {
            return Err("empty url");
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
                return Err("invalid URI for request");
            }
            if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return Err("first path segment in URL cannot contain colon");
            }
        }
        if (!scheme.is_empty() || (!request && !rest.starts_with("///")))
            && let Some(after) = rest.strip_prefix("//")
        {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            let host = match authority.rsplit_once('@') {
                Some((user, host)) => {
                    if !user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)) {
                        return Err("net/url: invalid userinfo");
                    }
                    unescape(user, false).map_err(|_| "invalid URL escape")?;
                    url.user = Some(user.to_owned());
                    host
                }
                None => authority,
            };
            url.host = host_of(host)?;
            rest = path;
        }
        unescape(rest, false).map_err(|_| "invalid URL escape")?;
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
        let path = unescape(&self.path, false).unwrap_or_default();
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
            let text = |part: &str| unescape(part, true).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
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

fn split_scheme(text: &str) -> Result<(&str, &str), &'static str> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index > 0 => return Ok((&text[..index], &text[index + 1..])),
            b':' => return Err("missing protocol scheme"),
            _ => break,
        }
    }
    Ok(("", text))
}

/// The host and port of an authority, unescaped.
fn host_of(text: &str) -> Result<String, &'static str> {
    let port = if text.starts_with('[') {
        let end = text.rfind(']').ok_or("missing ']' in host")?;
        &text[end + 1..]
    } else {
        text.rfind(':').map_or("", |colon| &text[colon..])
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    if !port.is_empty() && (!port.starts_with(':') || !digits.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err("invalid port after host");
    }
    let allowed = |byte: u8| byte >= 0x80 || byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&byte);
    if !text.bytes().all(allowed) {
        return Err("invalid character in host name");
    }
    let bytes = unescape(text, false).map_err(|_| "invalid URL escape")?;
    let escaped_ascii = text.match_indices('%').any(|(at, _)| {
        let code = text.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        code.is_some_and(|code| code < 0x80 && code != b'%')
    });
    if escaped_ascii && !text.starts_with('[') {
        return Err("invalid URL escape");
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unescape(text: &str, plus: bool) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'%' => {
                let code = text.get(text.len() - after.len()..).and_then(|after| after.get(..2));
                let valid = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let byte = valid.and_then(|code| u8::from_str_radix(code, 16).ok());
                bytes.push(byte.ok_or_else(|| format!("invalid URL escape {:?}", code.unwrap_or("%")))?);
                rest = &after[2..];
            }
            b'+' if plus => bytes.push(b' '),
            byte => bytes.push(*byte),
        }
    }
    Ok(bytes)
}
