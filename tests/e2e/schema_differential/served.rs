//! Definitions in the API server, and its verdicts on their objects.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use schema::Schema;
use serde_json::{Value, json};
use tests::real::processes::eventually;
use tests::real::{api_server::RealApiServer, http::HttpClient};

use crate::compare::{Tally, compare};
use crate::definitions::Definition;
use crate::values::Case;

const SOON: Duration = Duration::from_secs(60);
/// How often the API server is asked again when its verdict differs from ours.
const AGAIN: usize = 8;
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The API server.
pub(crate) struct Served(pub(crate) RealApiServer);

impl Served {
    /// Installs a definition in two steps. First its schema accepts everything, so that the old objects for updates can
    /// be stored. Then it gets its own schema.
    pub(crate) fn install(&self, definition: &Definition) -> Result<()> {
        let mut client = self.0.client()?;
        let (status, answer) = client.send("POST", CRDS, Some(&definition.crd(&Definition::lax())))?;
        ensure!(status == 201, "{}: {status} {}", definition.kind, answer["message"]);
        self.probe(&mut client, definition, 201)
    }

    /// Compares what both sides report for a schema, for each field of its `spec`. Returns the places of all mistakes.
    pub(crate) fn judge_schema(&self, kind: &str, schema: &Value, tally: &mut Tally) -> Result<Vec<String>> {
        let definition = Definition::unchecked("rules.sailplane.test", kind, schema.clone())?;
        let path = format!("{CRDS}?dryRun=All");
        let (status, answer) = self.0.client()?.send("POST", &path, Some(&definition.crd(schema)))?;
        ensure!(status == 201 || status == 422, "{kind}: {status} {}", answer["message"]);
        let ours = Schema::read(schema).err().unwrap_or_default();
        Ok(tally.add_schema(schema, &answer, &ours))
    }

    /// Gives the definition its own schema.
    fn tighten(&self, definition: &Definition) -> Result<()> {
        let mut client = self.0.client()?;
        let path = format!("{CRDS}/{}", definition.name());
        eventually("the definition is replaced", SOON, || {
            let (_, current) = client.send("GET", &path, None)?;
            let mut crd = definition.crd(&definition.source);
            crd["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
            let (status, answer) = client.send("PUT", &path, Some(&crd))?;
            ensure!(status == 200, "{}: {status} {}", definition.kind, answer["message"]);
            Ok(())
        })?;
        self.probe(&mut client, definition, 400)
    }

    /// Waits until the API server answers with this status to an object with an unknown field: this shows which of the
    /// two schemas it uses.
    fn probe(&self, client: &mut HttpClient, definition: &Definition, wanted: u16) -> Result<()> {
        let mut probe = definition.object(&json!({}));
        probe["sailplaneProbe"] = json!(1);
        eventually("the schema is served", SOON, || {
            let (status, answer) = client.send("POST", &definition.dry_run(None), Some(&probe))?;
            ensure!(status == wanted, "{status} {answer}");
            Ok(())
        })
    }

    /// Deletes a definition and its objects.
    pub(crate) fn remove(&self, definition: &Definition) -> Result<()> {
        let (status, answer) = self.0.client()?.send("DELETE", &format!("{CRDS}/{}", definition.name()), None)?;
        ensure!(status == 200, "{}: {status} {answer}", definition.kind);
        Ok(())
    }

    /// Sends every case to the API server and compares the verdicts.
    pub(crate) fn compare(&self, definition: &Definition, cases: &[Case], tally: &mut Tally) -> Result<()> {
        let stored: Vec<Option<Value>> = self.0.parallel(cases, |client, index, case| {
            let Some(old) = &case.old else { return Ok(None) };
            let mut old = old.clone();
            old["metadata"]["name"] = format!("old-{index}").into();
            let (status, answer) = client.send("POST", &definition.collection(), Some(&old))?;
            ensure!(status == 201, "{status} {answer}");
            Ok(Some(answer))
        })?;
        self.tighten(definition)?;
        let numbered: Vec<_> = cases.iter().zip(&stored).collect();
        let outcomes = self.0.parallel(&numbered, |client, _, (case, old)| {
            let mut judge = || -> Result<_> {
                let (status, answer) = ask(client, definition, case, old.as_ref())?;
                Ok(compare(definition, case, old.as_ref(), (status, &answer)))
            };
            let mut outcome = judge()?;
            // Rules iterate over maps in random order, so the message may differ.
            for _ in 0..AGAIN {
                if outcome.as_ref().is_none_or(|outcome| outcome.difference.is_none()) {
                    break;
                }
                outcome = judge()?;
            }
            Ok(outcome)
        })?;
        for ((case, _), outcome) in numbered.into_iter().zip(outcomes) {
            if let Some(outcome) = outcome {
                tally.add(definition, case, outcome);
            }
        }
        Ok(())
    }
}

/// Sends one case to the API server: a new object, or an update of the stored object `old`.
fn ask(client: &mut HttpClient, definition: &Definition, case: &Case, old: Option<&Value>) -> Result<(u16, Value)> {
    let Some(old) = old else { return client.send("POST", &definition.dry_run(None), Some(&case.object)) };
    let name = old["metadata"]["name"].as_str().context("a stored object has a name")?;
    let mut object = case.object.clone();
    object["metadata"]["name"] = name.into();
    object["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"].clone();
    client.send("PUT", &definition.dry_run(Some(name)), Some(&object))
}
