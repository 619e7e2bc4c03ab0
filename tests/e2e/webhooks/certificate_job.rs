//! The Job makes the certificate with the rights that are shipped for it, and gives these up. The replicas only read the
//! files of its Secret.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tests::artifacts::sailplane;
use tests::base64::decode;
use tests::files::workspace;
use tests::real::installed;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{eventually, progress, run};
use tests::real::replica::Replica;

use crate::faults::{reloaded, under_load};
use crate::objects::{dry_run, named};
use crate::site::{NAMESPACE, Site};

/// The namespace of the webhooks.
const INSTALLED_IN: &str = "crossplane-system";
/// The ServiceAccount of the Job, and the bindings with its rights.
const MAKER: &str = "sailplane-admission-certificate";
/// The Secret with the certificate.
const SECRET: &str = "sailplane-admission-tls";

/// Afterwards the webhooks of the site are registered again.
pub(crate) fn all(site: &mut Site) -> Result<()> {
    site.deregister()?;
    // Without a CA: the Job writes its own.
    for mut configuration in installed::webhooks(site.balancer.port, "")? {
        for webhook in configuration["webhooks"].as_array_mut().into_iter().flatten() {
            webhook["clientConfig"].as_object_mut().and_then(|config| config.remove("caBundle"));
        }
        site.kubectl.apply(&configuration)?;
    }
    let job = Job::of(site)?;
    job.run(site, &[])?;
    job.has_no_rights(site)?;
    ensure!(!may_patch_webhooks(&site.admission)?, "the replicas may change webhook configurations");

    let start = || Replica::start(&job.files, site.admission.kubeconfig(), &site.dir, &[]);
    let replicas = [start()?, start()?];
    for replica in &replicas {
        site.balancer.set(&[replica.port]);
        refuses(site)?;
    }
    site.balancer.set(&replicas.each_ref().map(|replica| replica.port));
    // A certificate without all its names is replaced, as an old one is. The earlier authority stays trusted.
    let requests = under_load(site, || reloaded(&replicas, || job.run(site, &["--also-reached-by=localhost"])))?;
    progress(&format!("a new certificate of the Job, {requests} requests, none failed"));
    job.has_no_rights(site)?;

    site.deregister()?;
    for replica in replicas {
        replica.kill();
    }
    site.balance();
    site.register()
}

/// What a Job in the cluster would be, and the volume with its Secret.
struct Job {
    identity: Kubectl,
    files: PathBuf,
}

impl Job {
    fn of(site: &Site) -> Result<Self> {
        site.kubectl.apply_path(&rights())?;
        let identity = site.kubectl.of_service_account(INSTALLED_IN, MAKER)?;
        Ok(Self { identity, files: site.dir.join("certificate-of-the-job") })
    }

    /// Applies its rights, as every installation does, runs it to its end, and writes the files of the Secret.
    fn run(&self, site: &Site, flags: &[&str]) -> Result<()> {
        site.kubectl.apply_path(&rights())?;
        eventually("the Job has its rights", Duration::from_secs(10), || {
            ensure!(may_patch_webhooks(&self.identity)?, "not yet");
            Ok(())
        })?;
        let bindings = format!("--delete-bindings={MAKER}");
        let mut make = Command::new(sailplane());
        make.args(["admission-certificate", "--also-reached-by=127.0.0.1", &bindings]).args(flags);
        run(make.env("KUBECONFIG", self.identity.kubeconfig()))?;

        let secret = site.kubectl.get(&["secret", "-n", INSTALLED_IN, SECRET])?;
        fs::create_dir_all(&self.files)?;
        for file in ["tls.crt", "tls.key"] {
            let text = secret["data"][file].as_str().with_context(|| format!("the Secret has no {file}"))?;
            fs::write(self.files.join(file), decode(text))?;
        }
        Ok(())
    }

    /// Its bindings do not exist, so it can do nothing.
    fn has_no_rights(&self, site: &Site) -> Result<()> {
        for kind in ["clusterrolebinding", "rolebinding"] {
            let found = site.kubectl.run(&["get", kind, "-n", INSTALLED_IN, MAKER, "--ignore-not-found", "-o=name"])?;
            ensure!(found.is_empty(), "{found} still exists");
        }
        eventually("the Job has lost its rights", Duration::from_secs(10), || {
            ensure!(!may_patch_webhooks(&self.identity)?, "it may still change webhook configurations");
            Ok(())
        })
    }
}

fn rights() -> PathBuf {
    workspace().join("package/admission/certificate-job/rbac.yaml")
}

/// Whether an identity may change either of our webhook configurations.
fn may_patch_webhooks(identity: &Kubectl) -> Result<bool> {
    let mut may = false;
    for kind in ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"] {
        let ours = format!("{kind}/sailplane-admission");
        let asked = identity.command().args(["auth", "can-i", "patch", &ours]).output()?;
        match String::from_utf8_lossy(&asked.stdout).trim() {
            "yes" => may = true,
            "no" => {}
            other => bail!("{other}: {}", String::from_utf8_lossy(&asked.stderr)),
        }
    }
    Ok(may)
}

fn refuses(site: &Site) -> Result<()> {
    let mut client = site.server.client()?;
    eventually("the webhooks refuse", Duration::from_secs(60), || {
        let (status, answer) = client.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
        let refused = answer["message"].as_str().is_some_and(|message| message.contains("no Service can be named"));
        ensure!(refused, "{status} {answer}");
        Ok(())
    })
}
