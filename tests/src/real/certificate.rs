//! A certificate authority, and server certificates in files as a Secret's volume has them.

use std::fs;
use std::path::Path;

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair};

/// An authority that signs certificates for loopback.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// A new one, with a key of its own.
    pub fn new() -> Result<Self> {
        let mut ca = CertificateParams::default();
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Ok(Self(CertifiedIssuer::self_signed(ca, KeyPair::generate()?)?))
    }

    /// Its own certificate.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Puts a new certificate and its key in `dir`, both at once: as the kubelet does, they appear under a link that
    /// is replaced.
    pub fn issue(&self, dir: &Path) -> Result<()> {
        let mut server = CertificateParams::new(["127.0.0.1".to_owned()])?;
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate()?;
        let version = format!("..{}", key.serialize_pem().len() + fs::read_dir(dir).map_or(0, Iterator::count));
        fs::create_dir_all(dir.join(&version))?;
        fs::write(dir.join(&version).join("tls.crt"), server.signed_by(&key, &self.0)?.pem())?;
        fs::write(dir.join(&version).join("tls.key"), key.serialize_pem())?;
        let (data, next) = (dir.join("..data"), dir.join("..data_tmp"));
        std::os::unix::fs::symlink(&version, &next)?;
        fs::rename(&next, &data)?;
        for file in ["tls.crt", "tls.key"] {
            if !dir.join(file).exists() {
                std::os::unix::fs::symlink(Path::new("..data").join(file), dir.join(file))?;
            }
        }
        Ok(())
    }
}
