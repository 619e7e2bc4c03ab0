//! The Secret with the certificates that the replicas share.

use std::collections::BTreeMap;
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::PostParams;
use kube::{Api, Client};

use super::args::SelfSigned;
use super::material::Material;
use crate::admission::client::one_line;

/// The keys of the Secret.
const BUNDLE: &str = "ca.crt";
const CHAIN: &str = "tls.crt";
const KEY: &str = "tls.key";
/// Attempts to write the Secret, while other replicas write it too.
const ATTEMPTS: usize = 5;

/// The shared certificates. They are made when there are none, and replaced before they expire.
///
/// # Errors
/// When the Secret cannot be read or written.
pub(super) async fn shared(client: &Client, args: &SelfSigned, now: SystemTime) -> Result<Material> {
    let secrets: Api<Secret> = Api::namespaced(client.clone(), &args.namespace);
    let names = args.names();
    let failed = |what: &str, error: &kube::Error| {
        format!("cannot {what} Secret {}/{}: {}", args.namespace, args.secret, one_line(error))
    };
    for _ in 0..ATTEMPTS {
        let stored = secrets.get_opt(&args.secret).await.map_err(|error| anyhow::anyhow!(failed("read", &error)))?;
        let known = stored.as_ref().and_then(material);
        if let Some(known) = known.as_ref().filter(|known| !known.is_due(&names, now)) {
            return Ok(known.clone());
        }
        let trusted = known.map(|known| known.bundle).unwrap_or_default();
        let made = Material::make(&names, &trusted, now).context("cannot make a certificate")?;
        let params = PostParams::default();
        let written = match stored {
            // The resource version makes sure that only one replica replaces it.
            Some(stored) => secrets.replace(&args.secret, &params, &with(stored, &made)).await,
            None => {
                let mut secret = with(Secret::default(), &made);
                secret.metadata.name = Some(args.secret.clone());
                secret.type_ = Some("kubernetes.io/tls".to_owned());
                secrets.create(&params, &secret).await
            }
        };
        match written {
            Ok(_) => return Ok(made),
            Err(kube::Error::Api(status)) if status.code == 409 => {} // another replica was faster
            Err(error) => bail!(failed("write", &error)),
        }
    }
    bail!("cannot write Secret {}/{}: others keep changing it", args.namespace, args.secret)
}

fn material(secret: &Secret) -> Option<Material> {
    let data = secret.data.as_ref()?;
    let text = |key: &str| String::from_utf8(data.get(key)?.0.clone()).ok();
    Some(Material { bundle: text(BUNDLE)?, chain: text(CHAIN)?, key: text(KEY)? })
}

fn with(mut secret: Secret, Material { bundle, chain, key }: &Material) -> Secret {
    let entries = [(BUNDLE, bundle), (CHAIN, chain), (KEY, key)];
    let entries = entries.map(|(key, text)| (key.to_owned(), ByteString(text.as_bytes().to_vec())));
    secret.data.get_or_insert_with(BTreeMap::new).extend(entries);
    secret
}
