//! IP addresses: without zones, and without IPv4 addresses mapped into IPv6.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::call::Call;
use crate::error::RunError;
use crate::eval::Evaluated;
use crate::value::Value;

/// An IP address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ip(pub(crate) IpAddr);

impl Ip {
    pub(crate) fn read(text: &str) -> Result<Self, RunError> {
        if text.contains('%') && text.split('%').next().is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()) {
            return Err(RunError::failed(format!("IP address {text:?} with zone value is not allowed")));
        }
        let address: IpAddr = text.parse().map_err(|_| {
            RunError::failed(format!(
                "IP Address {text:?} parse error during conversion from string: ParseAddr({text:?}): unable to parse IP"
            ))
        })?;
        if let IpAddr::V6(address) = address
            && address.to_ipv4_mapped().is_some()
        {
            return Err(RunError::failed(format!("IPv4-mapped IPv6 address {text:?} is not allowed")));
        }
        Ok(Self(address))
    }

    /// How many bytes it has.
    pub(crate) fn bytes(self) -> usize {
        if self.0.is_ipv4() { 4 } else { 16 }
    }
}

impl fmt::Display for Ip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Cidr(cidr) => Ok(Value::Ip(cidr.address())),
        _ => Ip::read(call.text(0)?).map(Value::Ip),
    }
}

pub(crate) fn is_ip<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(Ip::read(call.text(0)?).is_ok()))
}

pub(crate) fn is_canonical<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    Ok(Value::Bool(Ip::read(text)?.to_string() == **text))
}

pub(crate) fn family<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Int(if address(call)?.is_ipv4() { 4 } else { 6 }))
}

pub(crate) fn is_unspecified<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(address(call)?.is_unspecified()))
}

pub(crate) fn is_loopback<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(address(call)?.is_loopback()))
}

pub(crate) fn is_link_local_multicast<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(match address(call)? {
        IpAddr::V4(address) => address.octets()[..3] == [224, 0, 0],
        IpAddr::V6(address) => address.segments()[0] & 0xff0f == 0xff02,
    }))
}

pub(crate) fn is_link_local_unicast<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(is_link_local(address(call)?)))
}

pub(crate) fn is_global_unicast<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let address = address(call)?;
    let broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    let special = address.is_unspecified() || address.is_loopback() || address.is_multicast() || is_link_local(address);
    Ok(Value::Bool(!broadcast && !special))
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
    }
}

fn address(call: &Call<'_, '_>) -> Result<IpAddr, RunError> {
    if let Value::Ip(ip) = call.get(0)? { Ok(ip.0) } else { Err(call.no_overload()) }
}
