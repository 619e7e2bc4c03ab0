//! What the API server does to an object before it stores it.

use serde_json::{Map, Value};

use crate::embedded::{self, Wrong};
use crate::error::{FieldError, Kind};
use crate::metadata::{self, Scope};
use crate::node::Node;
use crate::path::Place;
use crate::schema::Schema;
use crate::{defaults, lists, number, prune, rules, validate};

/// How an object is admitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// What becomes of fields that the schema does not know.
    pub unknown: Unknown,
    /// The object that is replaced; nothing for a new one.
    pub old: Option<&'a Value>,
    /// Whether metadata is validated, and by which scope. Without, only what stands beside it is.
    pub scope: Option<Scope>,
    /// Whether the kind has the subresource `status`: then an object cannot bring its own.
    pub status: bool,
}

/// What becomes of fields that the schema does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// They are errors, as with `fieldValidation=Strict`.
    #[default]
    Strict,
    /// They are removed.
    Prune,
}

/// An object as it would be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Admitted {
    /// The object: pruned, with defaults, whole numbers without fractions.
    pub object: Value,
    /// What the API server would warn of.
    pub warnings: Vec<String>,
}

impl Schema {
    /// Does to an object what the API server does before it stores it.
    ///
    /// # Errors
    /// Everything that is wrong. The API server stops after decoding, when that finds errors
    /// ([`Kind::is_decoding`]); here what else is wrong follows them.
    pub fn admit(&self, object: &Value, options: &Options<'_>) -> Result<Admitted, Vec<FieldError>> {
        let (mut object, mut errors) = self.decode(object);
        if options.unknown == Unknown::Prune {
            errors.retain(|error| error.kind != Kind::UnknownField);
        }
        defaults::fill(&mut object, &self.root);
        if let (true, Some(fields)) = (options.status, object.as_object_mut()) {
            fields.remove("status");
            if let Some(status) = options.old.and_then(|old| old.get("status")) {
                fields.insert("status".to_owned(), status.clone());
            }
        }
        errors.extend(self.check(&object, options));
        let mut warnings = Vec::new();
        if errors.iter().any(|error| error.kind.blocks_rules()) {
            errors.extend(self.root.has_rules.then(rules_left_out));
        } else {
            let judgement = rules::run(&object, &self.root, options.old);
            errors.extend(judgement.errors);
            warnings.extend(judgement.warnings);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let old = options.old.map(|old| &old["metadata"]);
        warnings.extend(metadata::warnings(&object["metadata"], old));
        // What is read of the stored object has its defaults again, those of a status that was reset too.
        defaults::fill(&mut object, &self.root);
        number::encode(&mut object);
        Ok(Admitted { object, warnings })
    }

    /// A stored object as the API server reads it: as [`Schema::admit`] would leave it, but without judging it.
    pub fn stored(&self, object: &Value) -> Value {
        let mut object = number::decoded(object);
        prune::prune_object(&mut object, &self.root);
        defaults::drop_nulls(&mut object, Some(&self.root));
        // What cannot be decoded stays, where it is not dropped.
        let _ = embedded::decode(&mut object, &self.root, Wrong::Dropped);
        defaults::fill(&mut object, &self.root);
        number::encode(&mut object);
        object
    }

    /// The object as the decoder leaves it: without fields and nulls that do not belong there. Unknown fields come
    /// in the order in which the API server tells them.
    fn decode(&self, object: &Value) -> (Value, Vec<FieldError>) {
        let mut object = number::decoded(object);
        let mut errors = Vec::new();
        if let Some(fields) = object.as_object_mut() {
            errors.extend(decode_metadata(fields));
        }
        errors.extend(prune::prune_object(&mut object, &self.root));
        defaults::drop_nulls(&mut object, Some(&self.root));
        match embedded::decode(&mut object, &self.root, Wrong::Refused) {
            Ok(unknown) => errors.extend(unknown),
            Err(error) => errors.push(*error),
        }
        (object, errors)
    }

    /// Everything that validation finds.
    fn check(&self, object: &Value, options: &Options<'_>) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let Some(scope) = options.scope {
            errors.extend(match options.old {
                Some(old) => metadata::validate_update(&object["metadata"], &old["metadata"], scope),
                None => metadata::validate(&object["metadata"], scope),
            });
        }
        errors.extend(validate::check(object, &self.root, options.old));
        errors.extend(embedded::check(object, &self.root));
        errors.extend(list_errors(&self.root, object, options.old));
        errors
    }
}

/// Metadata is decoded before anything else, and not pruned.
fn decode_metadata(fields: &mut Map<String, Value>) -> Vec<FieldError> {
    let at = Place::ROOT.field("metadata");
    let Some(metadata) = fields.get_mut("metadata") else { return Vec::new() };
    metadata::decode(metadata, &at).unwrap_or_else(|error| vec![*error])
}

/// Lists that were wrong before may stay wrong, all of them.
fn list_errors(node: &Node, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
    let excused = old.is_some_and(|old| !lists::check(old, node, &Place::ROOT).is_empty());
    if excused { Vec::new() } else { lists::check(object, node, &Place::ROOT) }
}

/// What the API server says when rules cannot be asked for what else is wrong.
fn rules_left_out() -> FieldError {
    let detail = "some validation rules were not checked because the object was invalid; correct the existing errors \
                  to complete validation";
    FieldError::at(&Place::ROOT, Kind::Invalid, Some(Value::Null), detail)
}
