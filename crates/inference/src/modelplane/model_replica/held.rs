//! What a replica holds while its cluster is not known.

use toolbox::composed::Composed;
use toolbox::observed::Observed;

use super::keys::ready_when;
use super::read::is_object;
use toolbox::held::held;

/// Every composed Object, exactly as it is observed. The model runs on, whatever becomes of the InferenceCluster.
pub(super) fn resources(observed: &Observed<'_>) -> Vec<Composed> {
    let ours = observed.iter().filter(|(_, resource)| is_object(resource));
    ours.map(|(key, resource)| held(key, resource).ready(ready_when(key))).collect()
}
