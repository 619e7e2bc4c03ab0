//! The flags of `--self-signed`.

/// The flags of certificates that the server makes itself.
#[derive(clap::Args, Clone, Debug)]
pub struct SelfSigned {
    /// Make an authority and a certificate, share them with the other replicas, and tell the API server; stands above
    /// --tls-certs-dir
    #[arg(long, conflicts_with = "insecure")]
    pub self_signed: bool,

    /// Service that the API server reaches the replicas by, with --self-signed
    #[arg(long, default_value = "sailplane-admission", value_name = "NAME")]
    pub service: String,

    /// Namespace of that Service, and of the Secret, with --self-signed
    #[arg(long, env = "POD_NAMESPACE", default_value = "crossplane-system", value_name = "NAME")]
    pub namespace: String,

    /// Further host name or address that the replicas are reached by, with --self-signed. May be repeated
    #[arg(long = "also-reached-by", value_name = "HOST")]
    pub hosts: Vec<String>,

    /// Secret to share certificates in, with --self-signed
    #[arg(long, default_value = "sailplane-admission-tls", value_name = "NAME")]
    pub secret: String,

    /// Name of the validating and the mutating webhook configuration to tell, with --self-signed
    #[arg(long, default_value = "sailplane-admission", value_name = "NAME")]
    pub webhook_configuration: String,
}

impl SelfSigned {
    /// The host names and addresses in the certificate.
    pub(super) fn names(&self) -> Vec<String> {
        let Self { service, namespace, hosts, .. } = self;
        let of_service = ["", ".cluster.local"].map(|domain| format!("{service}.{namespace}.svc{domain}"));
        of_service.into_iter().chain(hosts.iter().cloned()).collect()
    }
}
