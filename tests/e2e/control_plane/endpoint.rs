//! A ModelEndpoint composes objects of Kubernetes on the control plane itself, with the rights that are shipped for it.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::{Composite, kept};
use crate::names::SOON;
use crate::plane::Plane;
use crate::subjects::MODEL_ENDPOINT;

const NAMESPACE: &str = "endpoint";

pub(crate) fn endpoint(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let endpoint = Composite::apply(&plane.kubectl, MODEL_ENDPOINT, NAMESPACE, "provider", &json!({}))?;
    endpoint.ready()?;
    endpoint.until("it names its Service", |composite| {
        let name = composite["status"]["routing"]["backendName"].as_str();
        name.map(drop).with_context(|| format!("its status is {}", composite["status"]))
    })?;
    let slices = MODEL_ENDPOINT.composed("endpointslices");
    let leads_to = |address: &'static str| {
        let which = Which::all(slices).within(NAMESPACE);
        plane.administrator.until(&format!("a slice leads to {address}"), which, SOON, |found| {
            let mut addresses = found.values().map(|slice| &slice["endpoints"][0]["addresses"][0]);
            ensure!(addresses.any(|it| it == address), "there are {found:?}");
            Ok(())
        })
    };
    leads_to("inference.example.org")?;
    let before = endpoint.versions()?;
    endpoint.edit(&json!({"url": "https://other.example.org/v1"}))?;
    leads_to("other.example.org")?;
    kept(&before, &endpoint.versions()?).context("another URL")?;
    progress("endpoint: its Service and slice have stayed");
    endpoint.delete()?;
    endpoint.gone()
}
