//! Addresses to listen on.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::str::FromStr;

/// An address to listen on. The empty string means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen(pub Option<SocketAddr>);

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(Self(None)) } else { address(text).map(Some).map(Self) }
    }
}

/// The flags for metrics and probes, which are served over plain HTTP.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Monitoring {
    /// Where to serve Prometheus metrics at /metrics; empty for nowhere
    #[arg(long, env = "METRICS_ADDRESS", default_value = ":8080", value_name = "[HOST]:PORT")]
    pub metrics_address: Listen,

    /// Where to serve /livez and /readyz; empty for nowhere
    #[arg(long, env = "HEALTH_ADDRESS", default_value = ":8081", value_name = "[HOST]:PORT")]
    pub health_address: Listen,
}

/// Reads `HOST:PORT`, or `:PORT` for every interface.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    if let Some(port) = text.strip_prefix(':') {
        let port = port.parse().map_err(|_| format!("`{port}` is no port; give a number from 0 to 65535"))?;
        return Ok(every_interface(port));
    }
    let found =
        text.to_socket_addrs().map_err(|error| format!("{error}; give `HOST:PORT`, or `:PORT` for all of them"))?;
    found.into_iter().next().ok_or_else(|| "the host has no address".to_owned())
}

/// The address of all interfaces. An IPv6 socket serves IPv4 too, but a machine may have no IPv6.
fn every_interface(port: u16) -> SocketAddr {
    match TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) {
        Ok(_) => (Ipv6Addr::UNSPECIFIED, port).into(),
        Err(_) => (Ipv4Addr::UNSPECIFIED, port).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let port = |text: &str| address(text).map(|address| (address.ip().is_unspecified(), address.port()));
        //    given                 every interface, port
        for (text, expected) in [
            (":9443", Ok((true, 9443))),
            ("0.0.0.0:9443", Ok((true, 9443))),
            ("[::]:9443", Ok((true, 9443))),
            ("127.0.0.1:1", Ok((false, 1))),
            ("localhost:0", Ok((false, 0))),
            (":http", Err("`http` is no port; give a number from 0 to 65535")),
            (":65536", Err("`65536` is no port; give a number from 0 to 65535")),
        ] {
            assert_eq!(
                port(text).as_ref().map_err(String::as_str),
                expected.as_ref().map_err(|error| *error),
                "{text}"
            );
        }
        assert!(address("nowhere").is_err());
        assert_eq!("".parse(), Ok(Listen(None)));
    }
}
