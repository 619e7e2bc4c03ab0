//! Structural schemas, as the Kubernetes API server (1.35) treats them: an object is decoded, pruned, defaulted and
//! validated by its schema exactly as on `kubectl apply`, without a server, and refused in the same words.
//!
//! [`Schema::read`] takes the schema of a kind; [`Schema::admit`] does to an object what the API server does before
//! it stores it. The steps can also be called one by one.
//!
//! | step | source at v0.35.3 |
//! |---|---|
//! | decoding of `metadata`, pruning, nulls | apiextensions-apiserver `pkg/apiserver/customresource_handler.go`, `schema/{pruning,objectmeta}` |
//! | defaults | `pkg/apiserver/schema/defaulting` |
//! | names, labels, annotations, owners, finalizers | apimachinery `pkg/api/validation` |
//! | keywords of the schema | kube-openapi `pkg/validation/{validate,errors,strfmt}` |
//! | lists that are sets or maps, embedded objects | `pkg/apiserver/schema/{listtype,objectmeta}` |
//! | order of the steps, ratcheting | `pkg/registry/customresource/strategy.go`, `pkg/apiserver/validation/ratcheting.go` |
//!
//! The API server walks maps in random order and so tells errors in random order; here they stand in the order of
//! the steps, and in each step in that of the fields' names.

mod admit;
mod correlate;
mod defaults;
mod embedded;
mod error;
mod format;
mod go;
mod lists;
pub mod metadata;
mod node;
mod number;
mod path;
mod pattern;
mod prune;
mod read;
mod rules;
pub mod sources;
mod suggest;
mod validate;

pub use admit::{Admitted, Options, Unknown};
pub use error::{FieldError, Hint, Kind};
pub use path::Segment;
pub use suggest::nearest;

use serde_json::Value;

use node::Node;

/// The schema of one kind, compiled.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Node,
}

impl Schema {
    /// Reads an OpenAPI v3 schema: the `openAPIV3Schema` of a CustomResourceDefinition, or a JSON schema without
    /// references.
    ///
    /// # Errors
    /// Everything that is wrong with the schema, by its place in it.
    pub fn read(schema: &Value) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let root = read::read(schema, &mut errors);
        if errors.is_empty() { Ok(Self { root }) } else { Err(errors) }
    }

    /// Removes the fields that the schema does not know from an object, and tells them.
    pub fn prune(&self, object: &mut Value) -> Vec<FieldError> {
        prune::prune_object(object, &self.root)
    }

    /// Removes nulls that are not allowed, then writes all defaults.
    pub fn default(&self, object: &mut Value) {
        defaults::drop_nulls(object, Some(&self.root));
        defaults::fill(object, &self.root);
    }

    /// Everything that is wrong with an object by the keywords of the schema. With `old`, what an update leaves as
    /// it was is not told.
    pub fn validate(&self, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
        validate::check(object, &self.root, old)
    }
}
