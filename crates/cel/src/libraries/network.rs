//! The libraries of IP addresses and networks.

use std::net::IpAddr;

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::ALLOCATION;
use crate::value::Value;
use crate::value::cidr::Cidr;
use crate::value::ip::Ip;
use crate::value::text::Text;

pub(crate) fn parse_ip<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Cidr(cidr) => Ok(Value::Ip(cidr.address())),
        _ => Ip::read(text(call, 0)?).map(Value::Ip),
    }
}

pub(crate) fn is_ip<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(Ip::read(text(call, 0)?).is_ok()))
}

pub(crate) fn is_canonical<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = text(call, 0)?;
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

pub(crate) fn parse_cidr<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Cidr::read(text(call, 0)?).map(Value::Cidr)
}

pub(crate) fn is_cidr<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(Cidr::read(text(call, 0)?).is_ok()))
}

pub(crate) fn masked<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Cidr(network(call, 0)?.masked()))
}

pub(crate) fn prefix_length<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Int(i64::from(network(call, 0)?.length)))
}

pub(crate) fn contains_ip<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let network = network(call, 0)?;
    let ip = match call.get(1)? {
        Value::Ip(ip) => *ip,
        // Upstream loses what is wrong with the text.
        Value::String(_) => Ip::read(text(call, 1)?).map_err(|_| RunError::no_overload())?,
        _ => return Err(call.no_overload()),
    };
    Ok(Value::Bool(network.contains(ip.0)))
}

pub(crate) fn contains_cidr<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let outer = network(call, 0)?;
    let inner = match call.get(1)? {
        Value::Cidr(cidr) => *cidr,
        Value::String(_) => Cidr::read(text(call, 1)?)?,
        _ => return Err(call.no_overload()),
    };
    Ok(Value::Bool(outer.length <= inner.length && outer.contains(inner.address)))
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

fn network(call: &Call<'_, '_>, index: usize) -> Result<Cidr, RunError> {
    if let Value::Cidr(cidr) = call.get(index)? { Ok(*cidr) } else { Err(call.no_overload()) }
}

/// An argument to read as an address or network. Spends the work of reading it.
fn text<'c, 'a>(call: &mut Call<'c, 'a>, index: usize) -> Result<&'c Text<'a>, RunError> {
    let text = call.text(index)?;
    call.fuel.spend(ALLOCATION + 4 * text.len())?;
    Ok(text)
}
