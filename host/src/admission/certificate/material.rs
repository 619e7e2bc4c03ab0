//! A certificate, and the authority that signed it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use x509_parser::extensions::GeneralName;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a certificate and its authority are valid.
const VALID_FOR: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
/// How long before its end a certificate is replaced, by a run of the command: when it is older than a year.
const RENEWED_BEFORE: Duration = Duration::from_secs(9 * 365 * 24 * 60 * 60);
/// The last line of a certificate in PEM.
const END: &str = "-----END CERTIFICATE-----";

/// What the Secret holds, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Material {
    /// The authorities to trust: the authority of the certificate, and earlier ones that are still valid.
    pub(super) bundle: String,
    /// The certificate.
    pub(super) chain: String,
    /// Its private key.
    pub(super) key: String,
}

impl Material {
    /// Makes a certificate for `names` and an authority; the bundle has the certificates of `trusted` too. The key of
    /// the authority is not kept: who can read the Secret can act as this server, but as no other.
    pub(super) fn make(names: &[String], trusted: &str, now: SystemTime) -> Result<Self> {
        let mut authority = CertificateParams::default();
        authority.distinguished_name.push(DnType::CommonName, "sailplane admission authority");
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let mut server = CertificateParams::new(names)?;
        server.distinguished_name.push(DnType::CommonName, "sailplane admission");
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        for params in [&mut authority, &mut server] {
            // The clocks of clients may be late.
            params.not_before = (now - DAY).into();
            params.not_after = (now + VALID_FOR).into();
        }
        let authority_key = KeyPair::generate()?;
        let bundle = authority.self_signed(&authority_key)?.pem();
        let key = KeyPair::generate()?;
        let chain = server.signed_by(&key, &Issuer::new(authority, authority_key))?.pem();
        let earlier: String = still_valid(trusted, now).collect();
        Ok(Self { bundle: format!("{bundle}{earlier}"), chain, key: key.serialize_pem() })
    }

    /// Whether the certificate must be replaced: it expires soon, lacks one of `names`, or is no certificate at all.
    pub(super) fn is_due(&self, names: &[String], now: SystemTime) -> bool {
        let Ok(der) = CertificateDer::from_pem_slice(self.chain.as_bytes()) else { return true };
        let Ok((_, certificate)) = x509_parser::parse_x509_certificate(&der) else { return true };
        let ends_soon = certificate.validity().not_after.timestamp() <= seconds(now + RENEWED_BEFORE);
        let known = certificate.subject_alternative_name().ok().flatten();
        let known: Vec<_> = known.iter().flat_map(|names| &names.value.general_names).map(spell).collect();
        ends_soon || names.iter().any(|name| !known.contains(name))
    }
}

/// The certificates of a bundle that are still valid.
fn still_valid(bundle: &str, now: SystemTime) -> impl Iterator<Item = String> {
    bundle.split_inclusive(END).filter_map(move |pem| {
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).ok()?;
        let (_, certificate) = x509_parser::parse_x509_certificate(&der).ok()?;
        (certificate.validity().not_after.timestamp() > seconds(now)).then(|| format!("{}\n", pem.trim()))
    })
}

fn spell(name: &GeneralName) -> String {
    match name {
        GeneralName::DNSName(name) => (*name).to_owned(),
        GeneralName::IPAddress(bytes) => match *bytes {
            [a, b, c, d] => std::net::Ipv4Addr::from([*a, *b, *c, *d]).to_string(),
            bytes => <[u8; 16]>::try_from(bytes).map(|it| std::net::Ipv6Addr::from(it).to_string()).unwrap_or_default(),
        },
        _ => String::new(),
    }
}

fn seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["a.b.svc".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()]
    }

    fn count(bundle: &str) -> usize {
        bundle.matches(END).count()
    }

    #[test]
    fn renewal() {
        let begun = SystemTime::now();
        let first = Material::make(&names(), "", begun).unwrap();
        assert_eq!(count(&first.bundle), 1);
        assert!(!first.is_due(&names(), begun));
        assert!(!first.is_due(&names(), begun + VALID_FOR - RENEWED_BEFORE - DAY));
        assert!(first.is_due(&names(), begun + VALID_FOR - RENEWED_BEFORE + DAY));
        assert!(first.is_due(&["c.b.svc".to_owned()], begun));

        // The authority of a certificate that is still in use stays trusted until it expires.
        let second = Material::make(&names(), &first.bundle, begun + VALID_FOR - RENEWED_BEFORE).unwrap();
        assert_eq!(count(&second.bundle), 2);
        assert!(second.bundle.contains(first.bundle.trim()));
        let third = Material::make(&names(), &second.bundle, begun + VALID_FOR + DAY).unwrap();
        assert_eq!(count(&third.bundle), 2);
        assert!(!third.bundle.contains(first.bundle.trim()));
    }

    #[test]
    fn what_is_no_certificate_is_due() {
        let sound = Material::make(&names(), "", SystemTime::now()).unwrap();
        for chain in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            assert!(
                Material { chain: chain.to_owned(), ..sound.clone() }.is_due(&names(), SystemTime::now()),
                "{chain}"
            );
        }
        assert_eq!(count(&Material::make(&names(), "rubbish", SystemTime::now()).unwrap().bundle), 1);
    }
}
