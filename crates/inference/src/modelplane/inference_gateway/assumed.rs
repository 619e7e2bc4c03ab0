//! What a preview makes of a gateway that has no status: it is up.

use serde_json::{Value, json};
use toolbox::kind::{Assumed, Find};
use toolbox::path;

use crate::modelplane::made_up::address;

/// The row of the kind says this.
pub(super) const ASSUMED: Assumed = Assumed { status, counts_as: "up, with a made-up address" };

/// The status of a gateway that is up. `None` for one without a name.
fn status(gateway: &Value, _: &Find<'_>) -> Option<Value> {
    let name = path::get(gateway, "metadata.name")?.as_str().filter(|name| !name.is_empty())?;
    let conditions = json!([{"type": "Ready", "status": "True", "reason": "Available"}]);
    // A cluster may have the same name.
    Some(json!({"conditions": conditions, "address": address(&format!("gateway {name}"))}))
}
