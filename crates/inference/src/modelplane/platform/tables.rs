//! Rules that the objects of several kinds have in common.

use std::marker::PhantomData;

use serde_json::{Value, json};
use toolbox::builders::{managed, remote};
use toolbox::data;
use toolbox::data::Data;
use toolbox::observed::ReadyWhen;
use toolbox::resources::{HELM_CONFIGS, KUBERNETES_CONFIGS, OBJECTS, RELEASES};
use toolbox::rows::{Named, ObjectRow, Part, RowTable};
use toolbox::rule::{Rule, Table, constant, rule};

use super::credentials::Credentials;
use super::names;
use super::secrets::{ClusterSecret, KUBECONFIG, KUBECONFIG_KEY};

/// What pods need to run on nodes with GPUs, of whatever cloud.
pub const GPU_TOLERATIONS: Data = data!([{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]);

/// A selector: the object of this composite.
pub const SAME: Data = data!({"matchControllerRef": true});

/// The inputs of a cluster in a cloud.
pub trait CloudCluster: Named {
    /// The namespace of the composite.
    fn namespace(&self) -> &str;

    /// The credentials for the cloud.
    fn credentials(&self) -> &Credentials;

    /// The identity that the kubeconfig lacks. `None` where it has one, or while it is not known.
    fn identity(&self) -> Option<ClusterSecret> {
        None
    }

    /// The Secret with the kubeconfig, which the cloud's provider writes.
    fn kubeconfig(&self) -> ClusterSecret {
        ClusterSecret::new(KUBECONFIG, names::kubeconfig(self.name()), KUBECONFIG_KEY)
    }
}

const NAME: &[&str] = &["metadata.name"];
const NAMES: &[&str] = &["metadata.name", "metadata.namespace"];
const CREDENTIALS: &[&str] = &["spec.credentials.type", "spec.credentials.name"];

/// The tables that clusters in clouds have in common, for inputs `I`.
pub struct Shared<I>(PhantomData<I>);

impl<I: CloudCluster + 'static> Shared<I> {
    /// What every object in the cloud has.
    #[rustfmt::skip]
    pub const IN_CLOUD: &'static [Rule<Part<I>>] = &[
        rule(managed::PROVIDER_CONFIG, "the credentials for the cloud", CREDENTIALS, |p| Some(p.of.credentials().reference())),
    ];

    /// What the object has that makes the kubeconfig.
    #[rustfmt::skip]
    pub const WITH_KUBECONFIG: &'static [Rule<Part<I>>] = &[
        rule(managed::CONNECTION_SECRET, "the Secret with the kubeconfig", NAME, |p| Some(managed::named(&p.of.kubeconfig().name))),
    ];

    /// What every Release and Object on the cluster has.
    #[rustfmt::skip]
    pub const ON_CLUSTER: &'static [Rule<Part<I>>] = &[
        rule("metadata.namespace", "the namespace of the composite", &["metadata.namespace"], |p| Some(json!(p.of.namespace()))),
        rule(managed::PROVIDER_CONFIG, "the configuration that leads to the cluster", NAME, |p| Some(managed::provider_config("ProviderConfig", &names::kubeconfig(p.of.name())))),
    ];

    /// What an Object or a Release has that goes with the cluster.
    #[rustfmt::skip]
    pub const LEFT_BEHIND: &'static [Rule<Part<I>>] = &[
        constant(managed::MANAGEMENT_POLICIES, "always: it goes with the cluster, whose kubeconfig is gone before it could be deleted", managed::LEFT_BEHIND),
    ];

    /// What an Object has that is ready once it is applied.
    #[rustfmt::skip]
    pub const APPLIED: &'static [Rule<Part<I>>] = &[
        constant(remote::READINESS, "always: it reports no state", remote::SUCCESSFUL_CREATE),
    ];

    /// A provider configuration that leads to the cluster.
    #[rustfmt::skip]
    pub const CONFIG: &'static [Rule<Part<I>>] = &[
        rule("metadata.name", "the name of the Secret with the kubeconfig", NAME, |p| Some(json!(names::kubeconfig(p.of.name())))),
        constant("spec.credentials.source", "always: a Secret", data!("Secret")),
        rule("spec.credentials.secretRef", "the Secret with the kubeconfig", NAMES, |p| Some(p.of.kubeconfig().reference(p.of.namespace()))),
    ];

    /// What both configurations have of a cloud whose kubeconfig has no identity.
    #[rustfmt::skip]
    pub const IDENTITY: &'static [Rule<Part<I>>] = &[
        rule("spec.identity", "the identity that the kubeconfig lacks", NAMES, |p| Some(p.of.identity()?.identity(p.of.namespace()))),
    ];

    /// The tables of a configuration with an identity.
    pub const WITH_IDENTITY: &'static [RowTable<I>] = &[("", Self::CONFIG), ("", Self::IDENTITY)];

    /// The tables of an Object on the cluster that is left behind, and ready once it is applied, as a StorageClass is.
    pub const APPLIED_OBJECT: &'static [RowTable<I>] =
        &[("", Self::ON_CLUSTER), ("", Self::LEFT_BEHIND), ("", Self::APPLIED)];

    /// The provider configuration for Objects. It reports no state, so it is ready when it is desired.
    pub const KUBERNETES_CONFIG: ObjectRow<I> = ObjectRow {
        tables: &[("", Self::CONFIG)],
        ready: ReadyWhen::Desired,
        ..ObjectRow::unnamed(&KUBERNETES_CONFIGS, "provider-config-kubernetes")
    };

    /// The provider configuration for Releases.
    pub const HELM_CONFIG: ObjectRow<I> = ObjectRow {
        tables: &[("", Self::CONFIG)],
        ready: ReadyWhen::Desired,
        ..ObjectRow::unnamed(&HELM_CONFIGS, "provider-config-helm")
    };

    /// A StorageClass on the cluster: add what it wraps, and what it waits for. It reports no state.
    pub const fn storage_class(key: &'static str) -> ObjectRow<I> {
        let row = ObjectRow::unnamed(&OBJECTS, key);
        ObjectRow { tables: Self::APPLIED_OBJECT, ready: ReadyWhen::Desired, ..row }
    }

    /// A Release on the cluster that is left behind: add a table of its chart, and what it waits for.
    pub const fn release(key: &'static str) -> ObjectRow<I> {
        ObjectRow::unnamed(&RELEASES, key)
    }

    /// A value of the status: the Secrets that lead to the cluster.
    pub fn secrets(of: &I) -> Value {
        let secrets = [Some(of.kubeconfig()), of.identity()];
        secrets.iter().flatten().map(ClusterSecret::to_value).collect()
    }

    /// The tables above, for documentation.
    #[rustfmt::skip]
    pub const LISTED: &'static [(&'static str, &'static [Rule<Part<I>>])] = &[
        ("every object in the cloud", Self::IN_CLOUD),
        ("the object with the kubeconfig", Self::WITH_KUBECONFIG),
        ("every Release and Object on the cluster", Self::ON_CLUSTER),
        ("every ProviderConfig", Self::CONFIG),
    ];

    /// Those of what is left behind, which not every cloud has.
    #[rustfmt::skip]
    pub const LISTED_LEFT: [(&'static str, &'static [Rule<Part<I>>]); 2] = [
        ("Releases and Objects that are left behind", Self::LEFT_BEHIND),
        ("Objects that report no state", Self::APPLIED),
    ];
}

/// All tables of a kind, for documentation: those above, its own, and that of its status.
pub fn documented<I: CloudCluster + 'static>(
    own: &[(&'static str, &'static [Rule<Part<I>>])],
    status: &'static [Rule<I>],
) -> Vec<Table> {
    let parts = Shared::<I>::LISTED.iter().chain(own).map(|(subject, rules)| Table::each(subject, rules));
    parts.chain([Table::of("status", status)]).collect()
}
