//! When Crossplane runs without its RBAC manager, `rbac-crossplane.yaml` gives it the rights that our kinds need.

use anyhow::Result;
use serde_json::json;
use tests::files::workspace;
use tests::real::access::until_allowed;
use tests::real::processes::progress;

use crate::chart;
use crate::composites::Composite;
use crate::names::SOON;
use crate::plane::Plane;
use crate::subjects::{LLM_INFERENCE, SUBJECTS};

const NAMESPACE: &str = "without-manager";

/// Afterwards there is no RBAC manager. The provider keeps the rights that it had.
pub(crate) fn without_manager(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    plane.end_manager()?;
    let composites = SUBJECTS.iter().map(|subject| subject.name());
    let resources: Vec<_> = composites.chain(["objects.kubernetes.m.crossplane.io".to_owned()]).collect();
    let until = |may| resources.iter().try_for_each(|it| until_allowed(&plane.crossplane, "create", it, may, SOON));
    // After this, Crossplane has only the chart's own role.
    plane.administrator.apply_all(&chart::objects(&plane.tools.sources.join("crossplane/templates"), false)?)?;
    until(false)?;

    plane.administrator.apply_path(&workspace().join("package/install/rbac-crossplane.yaml"))?;
    until(true)?;
    progress("without RBAC manager: Crossplane has its rights by our role alone");
    let llm = Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, "ours-alone", &json!({}))?;
    llm.ready()?;
    llm.edit(&json!({"gpu": 2}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("2"))
}
