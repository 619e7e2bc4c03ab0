//! Which composed resources are explained, where a composite has many.

use anyhow::{Result, bail};

use crate::cli::preview::Composite;
use crate::foreign::visible;
use crate::wit::preview::RenderedResource;

/// The composites with a composed resource that is among `keys`. All composites when there are no keys.
///
/// # Errors
/// When no composite composes a resource with one of the keys.
pub(super) fn narrowed<'a>(
    composites: &'a [Composite],
    keys: &'a [String],
) -> Result<impl Iterator<Item = &'a Composite>> {
    let known = || composites.iter().flat_map(|it| &it.rendered.resources).map(|resource| resource.name.as_str());
    if let Some(key) = keys.iter().find(|key| !known().any(|it| it == key.as_str())) {
        match quantity::nearest(known(), key) {
            Some(near) => bail!("no composed resource `{}`; the nearest is `{}`", visible(key), visible(near)),
            None => {
                bail!("no composed resource `{}`; `sailplane render --output tree` names those there are", visible(key))
            }
        }
    }
    Ok(composites.iter().filter(|it| keys.is_empty() || it.rendered.resources.iter().any(|it| is_among(keys, it))))
}

/// Whether the resource is explained.
pub(super) fn is_among(keys: &[String], resource: &RenderedResource) -> bool {
    keys.is_empty() || keys.contains(&resource.name)
}
