//! Authorities and certificates for tests.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};

/// An authority that signs certificates of servers on loopback and of their clients.
#[derive(Debug)]
pub struct Authority {
    /// Its own certificate, in PEM.
    pub certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Default for Authority {
    fn default() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("there is randomness");
        let certificate = params.self_signed(&key).expect("its parameters are sound").pem();
        Self { certificate, issuer: Issuer::new(params, key) }
    }
}

impl Authority {
    /// A certificate for 127.0.0.1 and its key, in PEM.
    pub fn sign(&self, purpose: ExtendedKeyUsagePurpose) -> (String, String) {
        let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("an address");
        params.extended_key_usages = vec![purpose];
        let key = KeyPair::generate().expect("there is randomness");
        let signed = params.signed_by(&key, &self.issuer).expect("its parameters are sound");
        (signed.pem(), key.serialize_pem())
    }

    /// Writes a certificate that has expired, for the key in the directory.
    pub fn write_expired(&self, directory: &Directory) {
        let key = fs::read_to_string(directory.path().join("tls.key")).expect("there is a key");
        let key = KeyPair::from_pem(&key).expect("it is a key");
        let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("an address");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        let expired = params.signed_by(&key, &self.issuer).expect("its parameters are sound").pem();
        fs::write(directory.path().join("tls.crt"), expired).expect("the directory can be written to");
    }

    /// Writes a new certificate for a server, its key, and the authority's certificate.
    pub fn write(&self, directory: &Directory) {
        let (certificate, key) = self.sign(ExtendedKeyUsagePurpose::ServerAuth);
        for (file, contents) in [("tls.crt", &certificate), ("tls.key", &key), ("ca.crt", &self.certificate)] {
            fs::write(directory.path().join(file), contents).expect("the directory can be written to");
        }
    }
}

/// A directory that is removed at the end of the test.
#[derive(Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// Creates an empty directory.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sailplane-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the directory can be made");
        Self(path)
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
