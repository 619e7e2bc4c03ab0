//! Both webhooks with a real API server, and kubectl as the client: what is refused and why, which defaults are
//! written, and that no request fails while certificates, replicas and the API server itself are replaced.
//!
//! `make -C tests/e2e/tools` builds the components. Each run starts in an empty folder, and the logs stay there
//! afterwards.

mod appliable;
mod balancer;
mod certificate_job;
mod examples;
mod faults;
mod judged;
mod lookups;
mod modes;
mod objects;
mod policies;
mod rights;
mod shown;
mod site;
mod statuses;
mod tenants;
mod updates;

use std::path::Path;
use std::process::ExitCode;
use std::slice;

use anyhow::Result;

use crate::site::Site;
use tests::documents::Shown;
use tests::real::processes::{empty, end, logs, progress};
use tests::real::tools::Tools;

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn webhooks() -> ExitCode {
    // An error means that a provider is already installed.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("webhooks");
    let outcome = empty(&dir).and_then(|()| all(&dir));
    if outcome.is_err() {
        progress(&logs(&dir).unwrap_or_default());
    }
    end(outcome)
}

fn all(dir: &Path) -> Result<()> {
    let mut site = Site::start(Tools::find()?, dir)?;
    let shown = shown::commands(&site, dir);
    progress("what documents show");
    shown::install(&site, &shown)?;
    shown::verdicts(&site, &shown)?;
    rights::rights(&site)?;
    progress("examples, and the defaults that are written into them");
    examples::examples(&site)?;
    progress("objects that are refused");
    judged::refused(&site)?;
    progress("composites that are allowed, and what they become");
    appliable::all(&site)?;
    progress("updates and deletions");
    updates::all(&site)?;
    progress("statuses that Crossplane writes of a model by itself");
    statuses::all(&site)?;
    progress("what depends on other objects");
    lookups::all(&mut site)?;
    progress("modes of namespaces");
    modes::all(&site)?;
    progress("certificates, replicas and the API server come and go under load");
    faults::all(&mut site)?;
    progress("a Job makes the certificate");
    certificate_job::all(&mut site)?;
    progress("policies instead of webhooks");
    policies::all(&mut site, &shown)?;
    progress("provider configurations of tenants");
    tenants::all(&site, &shown)?;
    progress("the webhooks are applied again, and deleted");
    shown.run("docs/upgrade.md#upgrade")?;
    shown.run("docs/upgrade.md#uninstall")?;
    Shown::finish(slice::from_ref(&shown))
}
