//! Kinds of other projects, on the control plane.

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use tests::real::others;
use tests::real::watching::Which;

use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::DEFINITIONS;

/// Installs the definitions of kinds, which may be there already, and waits until they are served.
pub(crate) fn install(plane: &Plane, kinds: &[ApiResource]) -> Result<()> {
    let definitions = others::definitions(kinds)?;
    plane.administrator.apply_all(&definitions)?;
    definitions.iter().try_for_each(|definition| {
        let name = definition["metadata"]["name"].as_str().context("a definition without a name")?;
        plane.administrator.condition("Established", Which::all(DEFINITIONS).named(name), SOON)
    })
}
