//! What GitOps tools make of objects, by the checks in `package/gitops`. A program in `tests/e2e/tools` runs them in the
//! interpreters of these tools.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::files::workspace;
use crate::golden::documents;

/// The checks that we ship.
pub struct Checks {
    /// The ConfigMap of Argo CD.
    argo: Value,
    /// The Kustomizations of Flux.
    flux: Vec<Value>,
}

/// The health of an object.
#[derive(Debug, PartialEq, Eq)]
pub struct Health {
    /// For Argo CD, e.g. `Healthy`.
    pub argo: String,
    /// For Flux, e.g. `Current`. `Unknown` when an expression ends with an error, after which Flux waits. Empty when there
    /// are no expressions for the kind.
    pub flux: String,
    /// What Argo CD shows with it.
    pub message: String,
}

impl Checks {
    /// Reads them.
    ///
    /// # Errors
    /// When the files cannot be read.
    pub fn read() -> Result<Self, String> {
        let read = |file: &str| {
            let text =
                fs::read_to_string(workspace().join("package/gitops").join(file)).map_err(|it| it.to_string())?;
            documents(&text).map_err(|error| error.to_string())
        };
        let argo = read("argocd-cm.yaml")?.pop().ok_or("argocd-cm.yaml is empty")?;
        Ok(Self { argo, flux: read("flux.yaml")? })
    }

    /// The health of an object.
    ///
    /// # Errors
    /// When there is no check of Argo CD for its kind, or the check fails.
    pub fn health(&self, object: &Value) -> Result<Health, String> {
        let api_version = object["apiVersion"].as_str().unwrap_or_default();
        let kind = object["kind"].as_str().unwrap_or_default();
        let group = api_version.split('/').next().unwrap_or_default();
        let script = &self.argo["data"][format!("resource.customizations.health.{group}_{kind}")];
        if !script.is_string() {
            return Err(format!("argocd-cm.yaml has no check for {kind} of {api_version}"));
        }
        let mut questions = vec![json!({"object": object, "script": script})];
        let checks = self.flux.iter().flat_map(|it| it["spec"]["healthCheckExprs"].as_array().into_iter().flatten());
        let expressions = checks.into_iter().find(|it| it["apiVersion"] == api_version && it["kind"] == kind);
        questions.extend(expressions.map(|it| json!({"object": object, "expressions": it})));
        let answers = ask(&questions)?;
        let text = |answer: &Value, key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        if let Some(error) = answers[0]["error"].as_str() {
            return Err(format!("the check for {kind} fails: {error}"));
        }
        let flux = answers.get(1).map(|answer| match answer["error"].as_str() {
            Some(_) => "Unknown".to_owned(),
            None => text(answer, "status"),
        });
        let (argo, message) = (text(&answers[0], "status"), text(&answers[0], "message"));
        Ok(Health { argo, flux: flux.unwrap_or_default(), message })
    }
}

/// Answers of the program, one for each question.
fn ask(questions: &[Value]) -> Result<Vec<Value>, String> {
    let program = workspace().join("target/tools/bin/gitops-oracle");
    let shown = program.display();
    let mut running = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{shown}: {error}: run make -C tests/e2e/tools gitops"))?;
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let mut input = running.stdin.take().ok_or("it is piped")?;
    input.write_all(lines.as_bytes()).map_err(|error| error.to_string())?;
    drop(input);
    let output = running.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let answers: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let answers = answers.map_err(|error| error.to_string())?;
    if !output.status.success() || answers.len() != questions.len() {
        return Err(format!("{shown}: {}, {} answers", output.status, answers.len()));
    }
    Ok(answers)
}
