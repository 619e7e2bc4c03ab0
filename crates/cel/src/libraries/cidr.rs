//! `cidr()`, and what is in a network.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::value::Value;
use crate::value::cidr::Cidr;
use crate::value::ip::Ip;

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Cidr::read(call.text(0)?).map(Value::Cidr)
}

pub(crate) fn is_cidr<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(Cidr::read(call.text(0)?).is_ok()))
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
        Value::String(text) => Ip::read(text).map_err(|_| RunError::no_overload())?,
        _ => return Err(call.no_overload()),
    };
    Ok(Value::Bool(network.contains(ip.0)))
}

pub(crate) fn contains_cidr<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let outer = network(call, 0)?;
    let inner = match call.get(1)? {
        Value::Cidr(cidr) => *cidr,
        Value::String(text) => Cidr::read(text)?,
        _ => return Err(call.no_overload()),
    };
    Ok(Value::Bool(outer.length <= inner.length && outer.contains(inner.address)))
}

fn network(call: &Call<'_, '_>, index: usize) -> Result<Cidr, RunError> {
    if let Value::Cidr(cidr) = call.get(index)? { Ok(*cidr) } else { Err(call.no_overload()) }
}
