//! A cluster with both webhooks.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::json;
use tests::files::workspace;
use tests::real::api_server::RealApiServer;
use tests::real::certificate::ServerCertificates;
use tests::real::installed;
use tests::real::kubectl::Kubectl;
use tests::real::nebius;
use tests::real::processes::{eventually, progress};
use tests::real::replica::Replica;
use tests::real::tools::Tools;

use crate::balancer::Balancer;
use crate::objects;

/// The namespace of most objects.
pub(crate) const NAMESPACE: &str = "team-a";

/// An API server, two replicas behind a balancer, and the webhooks registered.
pub(crate) struct Site {
    pub(crate) server: RealApiServer,
    /// Acts as cluster administrator, as do the clients whose objects are reviewed.
    pub(crate) kubectl: Kubectl,
    /// Acts with the rights of the webhooks.
    pub(crate) admission: Kubectl,
    pub(crate) authority: ServerCertificates,
    pub(crate) balancer: Balancer,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) certificates: PathBuf,
    pub(crate) dir: PathBuf,
}

impl Site {
    pub(crate) fn start(tools: Tools, dir: &Path) -> Result<Self> {
        progress("starting etcd and the API server");
        let server = RealApiServer::start(&tools, dir, &[])?;
        let kubectl = server.kubectl().clone();
        for definition in installed::definitions() {
            kubectl.apply(&definition)?;
        }
        for kind in ["clusterproviderconfigs", "objects", "observedobjectcollections", "providerconfigs"] {
            kubectl.apply_path(
                &tools.sources.join(format!("provider-kubernetes/package/crds/kubernetes.m.crossplane.io_{kind}.yaml")),
            )?;
        }
        nebius::let_configs_name_it(&kubectl)?;
        let crds = ["--for=condition=Established", "crds", "--all", "--timeout=60s"];
        kubectl.run(&[&["wait"], &crds[..]].concat())?;
        for namespace in [NAMESPACE, "team-b", "kube-system", "crossplane-system"] {
            kubectl.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}))?;
        }
        for config in ["gpu-cluster", "other"] {
            kubectl.apply(&objects::provider_config(config))?;
        }

        kubectl.apply_path(&workspace().join("package/admission/base/rbac.yaml"))?;
        let admission = kubectl.of_service_account("crossplane-system", "sailplane-admission")?;

        progress("starting two replicas, and registering the webhooks");
        let certificates = dir.join("certificates");
        let authority = ServerCertificates::default();
        authority.issue(&certificates)?;
        let balancer = Balancer::start()?;
        let mut site = Self {
            server,
            kubectl,
            admission,
            authority,
            balancer,
            replicas: Vec::new(),
            certificates,
            dir: dir.to_owned(),
        };
        for _ in 0..2 {
            site.replicas.push(site.replica(&[])?);
        }
        site.balance();
        site.register()?;
        Ok(site)
    }

    /// Starts another replica. It gets no requests yet.
    pub(crate) fn replica(&self, arguments: &[&str]) -> Result<Replica> {
        Replica::start(&self.certificates, self.admission.kubeconfig(), &self.dir, arguments)
    }

    /// Sends requests to the current replicas.
    pub(crate) fn balance(&self) {
        self.balancer.set(&self.replicas.iter().map(|replica| replica.port).collect::<Vec<_>>());
    }

    /// Registers the webhooks as they are shipped, and waits until the API server calls them. kubectl remembers what it
    /// applied, so that the same command in a document takes back the address of this site.
    pub(crate) fn register(&self) -> Result<()> {
        for configuration in installed::webhooks(self.balancer.port, self.authority.pem())? {
            self.kubectl.apply_by_command(&configuration)?;
        }
        let mut client = self.server.client()?;
        let refused = objects::named("7b");
        eventually("the webhooks are asked", Duration::from_secs(30), || {
            match client.send("POST", &objects::dry_run(NAMESPACE), Some(&refused))? {
                (200..300, _) => bail!("an object is accepted that they refuse"),
                _ => Ok(()),
            }
        })
    }

    /// Deletes the webhook configurations, and waits until the API server no longer calls the webhooks.
    pub(crate) fn deregister(&self) -> Result<()> {
        self.kubectl.run(&["delete", "validatingwebhookconfigurations,mutatingwebhookconfigurations", "--all"])?;
        let mut client = self.server.client()?;
        let refused = objects::named("7b");
        eventually("the webhooks are not asked", Duration::from_secs(30), || {
            match client.send("POST", &objects::dry_run(NAMESPACE), Some(&refused))? {
                (200..300, _) => Ok(()),
                (status, answer) => bail!("{status} {answer}"),
            }
        })
    }
}
