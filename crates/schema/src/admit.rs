//! Admission: the steps of the API server before it stores an object.

use serde_json::{Map, Value};

use crate::embedded::{self, Wrong};
use crate::error::{FieldError, Kind};
use crate::metadata::{self, Scope};
use crate::node::Node;
use crate::path::Place;
use crate::scale::{self, Scale};
use crate::schema::Schema;
use crate::{defaults, lists, number, prune, rules, validate};

/// Options of [`Schema::admit`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How fields are treated that the schema does not know.
    pub unknown: Unknown,
    /// The old object in an update; `None` for a new object.
    pub old: Option<&'a Value>,
    /// The scope of the kind, for the validation of metadata. `None`: metadata is not validated.
    pub scope: Option<Scope>,
    /// Whether the kind has the subresource `status`. Then `status` of the object is ignored.
    pub status: bool,
    /// The subresource `scale` of the kind.
    pub scale: Option<&'a Scale>,
}

/// How fields are treated that the schema does not know.
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
    /// The object: pruned, with defaults, and with whole numbers as integers.
    pub object: Value,
    /// The warnings of the API server.
    pub warnings: Vec<String>,
}

impl Schema {
    /// Does with an object what the API server does before it stores it.
    ///
    /// # Errors
    /// All errors. The API server stops after decoding when there are errors of decoding ([`Kind::is_decoding`]); here the
    /// other errors follow them.
    pub fn admit(&self, object: &Value, options: &Options<'_>) -> Result<Admitted, Vec<FieldError>> {
        self.admit_owned(object.clone(), options)
    }

    /// Like [`Schema::admit`], for an object that nobody else needs.
    ///
    /// # Errors
    /// Those of [`Schema::admit`].
    pub fn admit_owned(&self, object: Value, options: &Options<'_>) -> Result<Admitted, Vec<FieldError>> {
        let (mut object, mut errors) = self.decode(object);
        if options.unknown == Unknown::Prune {
            errors.retain(|error| error.kind != Kind::UnknownField);
        }
        if !defaults::fill(&mut object, &self.root) {
            let detail = "the defaults of its schema make it larger than an API server stores";
            errors.push(FieldError::at(&Place::ROOT, Kind::Internal, None, detail));
        }
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
            let results = rules::run(&object, &self.root, options.old);
            errors.extend(results.errors);
            warnings.extend(results.warnings);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let old = options.old.map(|old| &old["metadata"]);
        warnings.extend(metadata::warnings(&object["metadata"], old));
        // The API server applies defaults again when it reads a stored object. This matters for a status that was replaced.
        if options.status {
            defaults::fill(&mut object, &self.root);
        }
        number::encode(&mut object);
        Ok(Admitted { object, warnings })
    }

    /// A stored object as the API server reads it: changed as by [`Schema::admit`], but not validated.
    pub fn stored(&self, object: &Value) -> Value {
        let mut object = number::decoded(object);
        prune::prune_object(&mut object, &self.root);
        defaults::drop_nulls(&mut object, Some(&self.root));
        // Values that cannot be decoded remain, unless they are dropped.
        let _ = embedded::decode(&mut object, &self.root, Wrong::Dropped);
        defaults::fill(&mut object, &self.root);
        number::encode(&mut object);
        object
    }

    /// The object after decoding: without unknown fields, and without nulls that are not allowed. The errors are in the order
    /// of the API server.
    fn decode(&self, mut object: Value) -> (Value, Vec<FieldError>) {
        number::decode(&mut object);
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

    /// The errors of validation.
    fn check(&self, object: &Value, options: &Options<'_>) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let Some(scope) = options.scope {
            errors.extend(match options.old {
                Some(old) => metadata::validate_update(&object["metadata"], &old["metadata"], scope),
                None => metadata::validate(&object["metadata"], scope),
            });
        }
        errors.extend(validate::check(object, &self.root, options.old));
        errors.extend(options.scale.iter().flat_map(|scale| scale::check(object, scale)));
        errors.extend(embedded::check(object, &self.root));
        errors.extend(list_errors(&self.root, object, options.old));
        errors
    }
}

/// Decodes metadata, which is not pruned.
fn decode_metadata(fields: &mut Map<String, Value>) -> Vec<FieldError> {
    let at = Place::ROOT.field("metadata");
    let Some(metadata) = fields.get_mut("metadata") else { return Vec::new() };
    metadata::decode(metadata, &at).unwrap_or_else(|error| vec![*error])
}

/// The errors of lists. There are none if any list of the old object had an error.
fn list_errors(node: &Node, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
    let excused = old.is_some_and(|old| !lists::check(old, node, &Place::ROOT).is_empty());
    if excused { Vec::new() } else { lists::check(object, node, &Place::ROOT) }
}

/// The error of the API server when rules are not evaluated because of other errors.
fn rules_left_out() -> FieldError {
    let detail = "some validation rules were not checked because the object was invalid; correct the existing errors \
                  to complete validation";
    FieldError::at(&Place::ROOT, Kind::Invalid, Some(Value::Null), detail)
}
