//! HTTP over a kept connection: to `kubectl proxy`, which adds TLS and credentials, or directly over TLS.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::Value;

/// A client with a connection that it keeps.
pub struct HttpClient<S = TcpStream> {
    stream: BufReader<S>,
    /// Additional headers of every request.
    headers: String,
}

/// A client with TLS.
pub type TlsClient = HttpClient<StreamOwned<ClientConnection, TcpStream>>;

impl HttpClient {
    /// Connects to `port` on loopback.
    ///
    /// # Errors
    /// When no server listens on the port.
    pub fn connect(port: u16) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), headers: String::new() })
    }
}

impl TlsClient {
    /// Connects to `port` on loopback with TLS and the bearer token `token`. The server's certificate must be signed by
    /// one of `roots` (PEM).
    ///
    /// # Errors
    /// When no server listens on the port, or `roots` are no certificates.
    pub fn connect_tls(port: u16, roots: &str, token: Option<&str>) -> Result<Self> {
        let mut store = RootCertStore::empty();
        for root in CertificateDer::pem_slice_iter(roots.as_bytes()) {
            store.add(root?)?;
        }
        let config = ClientConfig::builder().with_root_certificates(store).with_no_client_auth();
        let connection = ClientConnection::new(Arc::new(config), Ipv4Addr::LOCALHOST.into())?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        let headers = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        Ok(Self { stream: BufReader::new(StreamOwned::new(connection, stream)), headers })
    }
}

impl<S: Read + Write> HttpClient<S> {
    /// Sends a request and returns status and body.
    pub fn send(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value)> {
        self.send_with_warnings(method, path, body).map(|(status, body, _)| (status, body))
    }

    /// Sends a request and returns status, body and warnings.
    pub fn send_with_warnings(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value, Vec<String>)> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let (status, body, warnings) = self.exchange(method, path, body.as_bytes())?;
        let body = serde_json::from_slice(&body)
            .with_context(|| format!("{method} {path}: {status} {}", String::from_utf8_lossy(&body)))?;
        Ok((status, body, warnings))
    }

    /// Sends a request with the bytes of its body, and returns status, the bytes of the body, and warnings. A `PATCH` applies.
    pub fn exchange(&mut self, method: &str, path: &str, body: &[u8]) -> Result<(u16, Vec<u8>, Vec<String>)> {
        let content = if method == "PATCH" { "application/apply-patch+yaml" } else { "application/json" };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content}\r\n\
             Accept: application/json\r\n{}Content-Length: {}\r\n\r\n",
            self.headers,
            body.len()
        );
        self.stream.get_mut().write_all(&[head.as_bytes(), body].concat())?;

        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
        let (mut length, mut chunked, mut warnings) = (0, false, Vec::new());
        loop {
            let header = self.line()?;
            let Some((name, value)) = header.split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse()?,
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "warning" => warnings.push(warning(value)),
                _ => {}
            }
        }
        let body = if chunked { self.chunks()? } else { self.take(length)? };
        Ok((status, body, warnings))
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16)?;
            body.extend(self.take(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}

/// Gets a page from `port` on loopback over plain HTTP.
///
/// # Errors
/// When there is no answer, or when the status is not 200.
pub fn page(port: u16, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").as_bytes())?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let (head, body) = response.split_once("\r\n\r\n").context("not HTTP")?;
    ensure!(head.split(' ').nth(1) == Some("200"), "{path}: {head} {body}");
    Ok(body.to_owned())
}

/// The text of a warning (RFC 7234): `299 - "text"`.
fn warning(value: &str) -> String {
    let text = value.split_once('"').map_or(value, |(_, text)| text.strip_suffix('"').unwrap_or(text));
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}
