//! Errors of the API server's client.

/// The message of an error in one line, without the Status object that the client prints too.
pub(super) fn one_line(error: &kube::Error) -> String {
    let message = match error {
        kube::Error::Api(status) => status.message.clone(),
        error => format!("{:#}", anyhow::anyhow!("{error}")),
    };
    message.replace(['\n', '\r'], " ")
}
