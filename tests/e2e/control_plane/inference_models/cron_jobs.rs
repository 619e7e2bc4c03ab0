//! The CronJobs of examples: their commands run here, as their pods would.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tests::files::workspace;
use tests::golden::documents;
use tests::real::kubectl::Kubectl;
use tests::real::processes::eventually;

use crate::granted::{of_rule, rules_of};
use crate::names::SOON;
use crate::plane::Plane;

/// The command of the CronJob in a file, in the shell of its image and with the rights of its account. `name` is that of all objects in
/// the file, which are applied in the namespace.
pub(super) fn command(plane: &Plane, file: &str, name: &str, namespace: &str) -> Result<Command> {
    let administrator = &plane.administrator;
    let text = fs::read_to_string(workspace().join(file))?;
    let objects = documents(&text.replace("namespace: models", &format!("namespace: {namespace}")))?;
    administrator.apply_all(&objects)?;
    let job = objects.iter().find(|it| it["kind"] == "CronJob").context("no CronJob")?;
    let pod = &job["spec"]["jobTemplate"]["spec"]["template"]["spec"];
    ensure!(pod["serviceAccountName"] == name, "it runs as {}", pod["serviceAccountName"]);
    let container = &pod["containers"][0];
    let words = |field: &str| container[field].as_array().into_iter().flatten().filter_map(Value::as_str);
    let account = administrator.of_service_account(namespace, name)?;
    let roles = objects.iter().filter(|it| it["kind"] == "Role" || it["kind"] == "ClusterRole");
    roles.flat_map(rules_of).try_for_each(|rule| has_rights(&account, namespace, &rule))?;
    let tools = account.binary().parent().context("kubectl has no folder")?;
    let path = format!("{}:{}", tools.display(), std::env::var("PATH")?);
    let mut command = Command::new("busybox"); // the shell of Alpine
    command.arg("sh").args(words("command").skip(1)).args(words("args"));
    command.env("PATH", path).env("KUBECONFIG", account.kubeconfig()).env("NAMESPACE", namespace);
    administrator.run(&["delete", "cronjob", name, "-n", namespace])?; // the test runs it
    Ok(command)
}

/// Waits until an account has the rights of a rule: the API server learns of roles a moment after they are stored.
fn has_rights(account: &Kubectl, namespace: &str, rule: &Value) -> Result<()> {
    let texts = |field: &str| rule[field].as_array().into_iter().flatten().filter_map(Value::as_str);
    let name = texts("resourceNames").next().map(|name| format!("/{name}")).unwrap_or_default();
    for resource in of_rule(rule) {
        for verb in texts("verbs") {
            let what = format!("{resource}{name}");
            eventually(&format!("{verb} {what}"), SOON, || {
                account.run(&["auth", "can-i", verb, &what, "--namespace", namespace]).map(drop)
            })?;
        }
    }
    Ok(())
}
