//! Errors of the API server's client.

use crate::foreign::{cut, visible};

/// The largest message, in bytes.
const MAX_MESSAGE: usize = 512;

/// The message of an error in one line, without the Status object that the client prints too.
pub(super) fn one_line(error: &kube::Error) -> String {
    let message = match error {
        kube::Error::Api(status) => status.message.clone(),
        error => format!("{:#}", anyhow::anyhow!("{error}")),
    };
    cut(&visible(&message.replace(['\n', '\r'], " ")), MAX_MESSAGE).into_owned()
}
