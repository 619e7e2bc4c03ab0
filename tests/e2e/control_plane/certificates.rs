//! Keys and certificates.

use std::fs;
use std::path::Path;

use anyhow::Result;
use rcgen::{CertificateParams, ExtendedKeyUsagePurpose, Issuer, KeyPair};
use tests::real::kubectl::Kubectl;

use crate::names::NAMESPACE;

/// Writes the TLS Secret `name` of Crossplane to `dir`, as a volume has it.
pub(crate) fn write_secret(kubectl: &Kubectl, name: &str, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    for key in ["tls.crt", "tls.key", "ca.crt"] {
        fs::write(dir.join(key), secret(kubectl, name, key)?)?;
    }
    Ok(())
}

/// Writes the certificates of a function on loopback to `dir`: a server certificate that is signed by Crossplane's own
/// CA, and this CA, which also signed Crossplane's client certificate.
pub(crate) fn write_server_certificate(kubectl: &Kubectl, dir: &Path) -> Result<()> {
    const CA: &str = "crossplane-root-ca";
    let ca = secret(kubectl, CA, "tls.crt")?;
    let issuer = Issuer::from_ca_cert_pem(&ca, KeyPair::from_pem(&secret(kubectl, CA, "tls.key")?)?)?;
    let mut server = CertificateParams::new(["127.0.0.1".to_owned()])?;
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;

    fs::create_dir_all(dir)?;
    fs::write(dir.join("tls.crt"), server.signed_by(&key, &issuer)?.pem())?;
    fs::write(dir.join("tls.key"), key.serialize_pem())?;
    fs::write(dir.join("ca.crt"), ca)?;
    Ok(())
}

fn secret(kubectl: &Kubectl, name: &str, key: &str) -> Result<String> {
    let template = format!("go-template={{{{index .data {key:?} | base64decode}}}}");
    kubectl.run(&["get", "secret", "-n", NAMESPACE, name, "-o", &template])
}
