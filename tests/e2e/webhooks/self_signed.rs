//! Replicas with `--self-signed` make their certificates themselves, with the rights that are shipped for this.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::real::installed;
use tests::real::processes::eventually;
use tests::real::replica::Replica;

use crate::objects::{dry_run, named};
use crate::site::{NAMESPACE, Site};

/// Afterwards the webhooks of the site are registered again.
pub(crate) fn self_signed(site: &mut Site) -> Result<()> {
    site.deregister()?;
    site.kubectl.apply_path(&workspace().join("package/admission/rbac-self-signed.yaml"))?;
    // Without a CA: the replicas write theirs.
    for mut configuration in installed::webhooks(site.balancer.port, "")? {
        for webhook in configuration["webhooks"].as_array_mut().into_iter().flatten() {
            webhook["clientConfig"].as_object_mut().and_then(|config| config.remove("caBundle"));
        }
        site.kubectl.apply(&configuration)?;
    }
    let arguments = ["--self-signed", "--also-reached-by=127.0.0.1"];
    let nowhere = Path::new("/nowhere");
    let start = || Replica::start(nowhere, site.admission.kubeconfig(), &site.dir, &arguments);
    // The second replica uses the certificate that the first one shares in a Secret.
    let replicas = [start()?, start()?];
    for replica in &replicas {
        site.balancer.set(&[replica.port]);
        let mut client = site.server.client()?;
        eventually("the webhooks refuse", Duration::from_secs(60), || {
            let (status, answer) = client.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
            let refused = answer["message"].as_str().is_some_and(|message| message.contains("no Service can be named"));
            ensure!(refused, "{status} {answer}");
            Ok(())
        })?;
    }
    let secret = site.kubectl.get(&["secret", "-n", "crossplane-system", "sailplane-admission-tls"])?;
    ensure!(secret["data"] != json!({}), "nothing is shared: {secret}");
    site.deregister()?;
    for replica in replicas {
        replica.kill();
    }
    site.balance();
    site.register()
}
