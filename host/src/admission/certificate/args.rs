//! The flags of `sailplane admission-certificate`.

/// Make the certificate of the admission webhooks, once
///
/// Makes an authority and a certificate, writes the authority into the webhook configurations and the certificate into a
/// Secret, and ends. A certificate is valid for ten years; another run replaces one that is older than a year.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  In the cluster of the current context
    sailplane admission-certificate --namespace crossplane-system")]
pub struct CertificateArgs {
    /// Log more
    #[arg(short, long)]
    pub debug: bool,

    /// Service that the API server reaches the webhooks by
    #[arg(long, default_value = "sailplane-admission", value_name = "NAME")]
    pub service: String,

    /// Namespace of that Service, and of the Secret
    #[arg(long, env = "POD_NAMESPACE", default_value = "crossplane-system", value_name = "NAME")]
    pub namespace: String,

    /// Further host name or address that the webhooks are reached by. May be repeated
    #[arg(long = "also-reached-by", value_name = "HOST")]
    pub hosts: Vec<String>,

    /// Secret to write the certificate into
    #[arg(long, default_value = "sailplane-admission-tls", value_name = "NAME")]
    pub secret: String,

    /// Name of the validating and the mutating webhook configuration
    #[arg(long, default_value = "sailplane-admission", value_name = "NAME")]
    pub webhook_configuration: String,

    /// Name of a ClusterRoleBinding and a RoleBinding to delete at the end: those that give this command its rights
    #[arg(long, value_name = "NAME")]
    pub delete_bindings: Option<String>,
}

impl CertificateArgs {
    /// The host names and addresses in the certificate.
    pub(super) fn names(&self) -> Vec<String> {
        let Self { service, namespace, hosts, .. } = self;
        let of_service = ["", ".cluster.local"].map(|domain| format!("{service}.{namespace}.svc{domain}"));
        of_service.into_iter().chain(hosts.iter().cloned()).collect()
    }
}
