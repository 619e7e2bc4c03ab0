//! The client of the API server.

/// What the client says, without the whole Status that it prints behind it.
pub(super) fn one_line(error: &kube::Error) -> String {
    let said = match error {
        kube::Error::Api(status) => status.message.clone(),
        error => format!("{:#}", anyhow::anyhow!("{error}")),
    };
    said.replace(['\n', '\r'], " ")
}
