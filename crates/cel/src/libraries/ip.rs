//! `ip()`, and what kind of address one is.

use std::net::IpAddr;

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::value::Value;
use crate::value::ip::Ip;

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
