//! Networks in CIDR notation.

use std::fmt;
use std::net::IpAddr;

use super::ip::{self, Ip};
use crate::error::RunError;

/// A network: an address and the length of its prefix. Bits after the prefix may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    pub(crate) address: IpAddr,
    pub(crate) length: u8,
}

impl Cidr {
    pub(crate) fn read(text: &str) -> Result<Self, RunError> {
        let wrong = |why: &str| {
            // Upstream repeats this.
            const TWICE: &str = "network address parse error during conversion from string: ";
            RunError::failed(format!("{TWICE}{TWICE}netip.ParsePrefix({text:?}): {why}"))
        };
        let (address, bits) = text.rsplit_once('/').ok_or_else(|| wrong("no '/'"))?;
        let address: IpAddr = address.parse().map_err(|_| wrong(&ip::why_not(address)))?;
        let bad = || wrong(&format!("bad bits after slash: {bits:?}"));
        let plain = bits.bytes().all(|byte| byte.is_ascii_digit()) && (bits.len() == 1 || !bits.starts_with('0'));
        let length: u32 = bits.parse().ok().filter(|_| plain).ok_or_else(bad)?;
        let length = u8::try_from(length).ok().filter(|length| *length <= width(address));
        let length = length.ok_or_else(|| wrong("prefix length out of range"))?;
        if let IpAddr::V6(address) = address
            && address.to_ipv4_mapped().is_some()
        {
            return Err(RunError::failed(format!(
                "network address parse error during conversion from string: IPv4-mapped IPv6 address {text:?} is not allowed"
            )));
        }
        Ok(Self { address, length })
    }

    pub(crate) fn address(self) -> Ip {
        Ip(self.address)
    }

    /// The number of bytes of the prefix, rounded up.
    pub(crate) fn bytes(self) -> usize {
        usize::from(self.length).div_ceil(8)
    }

    pub(crate) fn masked(self) -> Self {
        let prefix = |bits: u128, width: u32| {
            let behind = width - u32::from(self.length);
            bits.checked_shr(behind).and_then(|bits| bits.checked_shl(behind)).unwrap_or(0)
        };
        let address = match self.address {
            IpAddr::V4(address) => {
                let bits = prefix(u128::from(u32::from(address)), 32);
                IpAddr::V4(u32::try_from(bits).unwrap_or(0).into())
            }
            IpAddr::V6(address) => IpAddr::V6(prefix(address.into(), 128).into()),
        };
        Self { address, ..self }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        let same_family = self.address.is_ipv4() == address.is_ipv4();
        same_family && Self { address, ..self }.masked().address == self.masked().address
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}
