//! When Crossplane runs without its RBAC manager, `rbac-crossplane.yaml` gives it the rights that our kinds need.

use anyhow::{Result, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::real::access::allowed;
use tests::real::processes::progress;

use crate::chart;
use crate::composites::Composite;
use crate::plane::Plane;
use crate::subjects::{LLM_INFERENCE, SUBJECTS};

const NAMESPACE: &str = "without-manager";

/// Afterwards there is no RBAC manager. The provider keeps the rights that it had.
pub(crate) fn without_manager(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    plane.end_manager()?;
    let composites = SUBJECTS.iter().map(|subject| subject.name());
    let resources: Vec<_> = composites.chain(["objects.kubernetes.m.crossplane.io".to_owned()]).collect();
    let granted = || resources.iter().map(|it| allowed(&plane.crossplane, "create", it)).collect::<Result<Vec<_>>>();
    // After this, Crossplane has only the chart's own role.
    plane.administrator.apply_all(&chart::objects(&plane.tools.sources.join("crossplane/templates"), false)?)?;
    ensure!(granted()?.iter().all(|granted| !granted), "the chart's own role grants {resources:?}: {:?}", granted()?);

    plane.administrator.apply_path(&workspace().join("package/install/rbac-crossplane.yaml"))?;
    ensure!(granted()?.iter().all(|granted| *granted), "not all of {resources:?} are granted: {:?}", granted()?);
    progress("without RBAC manager: Crossplane has its rights by our role alone");
    let llm = Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, "ours-alone", &json!({}))?;
    llm.ready()?;
    llm.edit(&json!({"gpu": 2}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("2"))
}
