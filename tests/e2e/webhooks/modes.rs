//! A label of the namespace chooses the mode.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::objects::{dry_run, named};
use crate::site::Site;

const LABEL: &str = "sailplane.fn.crossplane.io/admission";

pub(crate) fn all(site: &Site) -> Result<()> {
    let mut client = site.server.client()?;
    //   label               accepted, warned
    for (mode, accepted, warned) in [
        (None, false, false),
        (Some("enforce"), false, false),
        (Some("warn"), true, true),
        (Some("audit"), true, false),
    ] {
        let namespace = format!("mode-{}", mode.unwrap_or("none"));
        let labels = mode.map_or(json!({}), |mode| json!({LABEL: mode}));
        site.kubectl.apply(
            &json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": labels}}),
        )?;
        // The API server may see the label of a namespace a moment later.
        tests::real::processes::eventually("the mode counts", std::time::Duration::from_secs(10), || {
            let (status, answer, warnings) =
                client.send_with_warnings("POST", &dry_run(&namespace), Some(&named("7b")))?;
            ensure!((200..300).contains(&status) == accepted, "{namespace}: {status} {answer}");
            let found = warnings.iter().any(|it| it.contains("no Service can be named `7b`"));
            ensure!(found == warned, "{namespace}: {warnings:?}");
            Ok(())
        })?;
        // Defaults are written in every mode except audit.
        let (_, answer) = client.send("POST", &dry_run(&namespace), Some(&named("qwen")))?;
        let written = answer["spec"]["targetNamespace"].is_string();
        ensure!(written == (mode != Some("audit")), "{namespace}: {answer}");
    }
    // The webhooks do not handle the namespaces of the system.
    for namespace in ["kube-system", "crossplane-system"] {
        let (status, answer) = client.send("POST", &dry_run(namespace), Some(&named("7b")))?;
        ensure!((200..300).contains(&status), "{namespace}: {status} {answer}");
    }
    Ok(())
}
