//! The schema of a kind, and its steps.

use serde_json::Value;

use crate::error::FieldError;
use crate::node::Node;
use crate::read::{self, Expressions};
use crate::{defaults, prune, validate};

/// The compiled schema of a kind.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) root: Node,
}

impl Schema {
    /// Reads an OpenAPI v3 schema: the `openAPIV3Schema` of a CustomResourceDefinition, or a JSON schema without
    /// references.
    ///
    /// # Errors
    /// All errors in the schema, with their places in it.
    pub fn read(schema: &Value) -> Result<Self, Vec<FieldError>> {
        Self::read_with(schema, Expressions::Compiled)
    }

    /// The same schema without its CEL rules, for objects that are stored already: the API server evaluates rules when an
    /// object is stored, and does not evaluate newer rules for it later.
    ///
    /// # Errors
    /// All other errors in the schema.
    pub fn read_without_rules(schema: &Value) -> Result<Self, Vec<FieldError>> {
        Self::read_with(schema, Expressions::LeftOut)
    }

    /// Removes the fields that the schema does not know from an object. Returns an error for each.
    pub fn prune(&self, object: &mut Value) -> Vec<FieldError> {
        prune::prune_object(object, &self.root)
    }

    /// Removes nulls that are not allowed, and then sets all defaults.
    pub fn default(&self, object: &mut Value) {
        defaults::drop_nulls(object, Some(&self.root));
        defaults::fill(object, &self.root);
    }

    /// The errors of an object by the keywords of the schema, without CEL rules. With `old`, errors of unchanged values are
    /// left out.
    pub fn validate(&self, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
        validate::check(object, &self.root, old)
    }

    fn read_with(schema: &Value, expressions: Expressions) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let root = read::read(schema, expressions, &mut errors);
        if errors.is_empty() { Ok(Self { root }) } else { Err(errors) }
    }
}
