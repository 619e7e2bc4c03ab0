//! The schema of a kind, and the steps that an object goes through by it.

use serde_json::Value;

use crate::error::FieldError;
use crate::node::Node;
use crate::read::{self, Expressions};
use crate::{defaults, prune, validate};

/// The schema of one kind, compiled.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) root: Node,
}

impl Schema {
    /// Reads an OpenAPI v3 schema: the `openAPIV3Schema` of a CustomResourceDefinition, or a JSON schema without
    /// references.
    ///
    /// # Errors
    /// Everything that is wrong with the schema, by its place in it.
    pub fn read(schema: &Value) -> Result<Self, Vec<FieldError>> {
        Self::read_with(schema, Expressions::Compiled)
    }

    /// The same schema without its rules in CEL. It is for objects that are stored: rules judge an object when it is
    /// stored, and a younger rule does not judge it again.
    ///
    /// # Errors
    /// Everything else that is wrong with the schema.
    pub fn read_without_rules(schema: &Value) -> Result<Self, Vec<FieldError>> {
        Self::read_with(schema, Expressions::LeftOut)
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

    fn read_with(schema: &Value, expressions: Expressions) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let root = read::read(schema, expressions, &mut errors);
        if errors.is_empty() { Ok(Self { root }) } else { Err(errors) }
    }
}
