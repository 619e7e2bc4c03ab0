//! The Secret with the certificate.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::PostParams;
use kube::{Api, Client};

use super::args::CertificateArgs;
use super::material::Material;
use crate::admission::client::one_line;

/// The keys of the Secret.
const BUNDLE: &str = "ca.crt";
const CHAIN: &str = "tls.crt";
const KEY: &str = "tls.key";

/// The Secret, when it exists.
///
/// # Errors
/// When it cannot be read.
pub(super) async fn read(client: &Client, args: &CertificateArgs) -> Result<Option<Secret>> {
    secrets(client, args).get_opt(&args.secret).await.map_err(|error| failed("read", args, &error))
}

/// The certificate in a Secret.
pub(super) fn material(secret: &Secret) -> Option<Material> {
    let data = secret.data.as_ref()?;
    let text = |key: &str| String::from_utf8(data.get(key)?.0.clone()).ok();
    Some(Material { bundle: text(BUNDLE)?, chain: text(CHAIN)?, key: text(KEY)? })
}

/// Writes a certificate into the Secret, or creates the Secret. Returns whether it did: it does not when the Secret has
/// changed since `stored` was read.
///
/// # Errors
/// When the Secret cannot be written.
pub(super) async fn write(
    client: &Client,
    args: &CertificateArgs,
    stored: Option<Secret>,
    made: &Material,
) -> Result<bool> {
    let secrets = secrets(client, args);
    let params = PostParams::default();
    let written = match stored {
        // The resource version makes sure that no change of another process is lost.
        Some(stored) => secrets.replace(&args.secret, &params, &with(stored, made)).await,
        None => {
            let mut secret = with(Secret::default(), made);
            secret.metadata.name = Some(args.secret.clone());
            secret.type_ = Some("kubernetes.io/tls".to_owned());
            secrets.create(&params, &secret).await
        }
    };
    match written {
        Ok(_) => Ok(true),
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(false),
        Err(error) => Err(failed("write", args, &error)),
    }
}

fn secrets(client: &Client, args: &CertificateArgs) -> Api<Secret> {
    Api::namespaced(client.clone(), &args.namespace)
}

fn failed(what: &str, args: &CertificateArgs, error: &kube::Error) -> anyhow::Error {
    anyhow!("cannot {what} Secret {}/{}: {}", args.namespace, args.secret, one_line(error))
}

fn with(mut secret: Secret, Material { bundle, chain, key }: &Material) -> Secret {
    let entries = [(BUNDLE, bundle), (CHAIN, chain), (KEY, key)];
    let entries = entries.map(|(key, text)| (key.to_owned(), ByteString(text.as_bytes().to_vec())));
    secret.data.get_or_insert_with(BTreeMap::new).extend(entries);
    secret
}
