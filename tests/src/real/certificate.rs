//! A certificate authority, and server certificates in files as in the volume of a Secret.

use std::fs;
use std::path::Path;

use anyhow::Result;
use rcgen::ExtendedKeyUsagePurpose;

use crate::certificates;

/// Server certificates for loopback, and the authority that signs them.
#[derive(Default)]
pub struct ServerCertificates(certificates::Authority);

impl ServerCertificates {
    /// Its own certificate.
    pub fn pem(&self) -> &str {
        &self.0.certificate
    }

    /// Writes a new certificate and its key to `dir`. Both appear at the same time: like the kubelet, this replaces a
    /// symbolic link.
    pub fn issue(&self, dir: &Path) -> Result<()> {
        let (certificate, key) = self.0.sign(ExtendedKeyUsagePurpose::ServerAuth);
        let version = format!("..version-{}", fs::read_dir(dir).map_or(0, Iterator::count));
        fs::create_dir_all(dir.join(&version))?;
        fs::write(dir.join(&version).join("tls.crt"), certificate)?;
        fs::write(dir.join(&version).join("tls.key"), key)?;
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
