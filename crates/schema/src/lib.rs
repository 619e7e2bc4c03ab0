//! Structural schemas, as in the Kubernetes API server 1.35: an object is decoded, pruned, defaulted and validated exactly as
//! on `kubectl apply`, but without a server, and with the same error messages.
//!
//! [`Schema::read`] reads the schema of a kind; [`Schema::admit`] does with an object what the API server does before it
//! stores it. The steps can also be called one by one.
//!
//! | step | source at v0.35.3 |
//! |---|---|
//! | decoding of `metadata`, pruning, nulls | apiextensions-apiserver `pkg/apiserver/customresource_handler.go`, `schema/{pruning,objectmeta}` |
//! | defaults | `pkg/apiserver/schema/defaulting` |
//! | names, labels, annotations, owners, finalizers | apimachinery `pkg/api/validation` |
//! | keywords of the schema | kube-openapi `pkg/validation/{validate,errors,strfmt}` |
//! | lists that are sets or maps, embedded objects | `pkg/apiserver/schema/{listtype,objectmeta}` |
//! | rules in CEL: types, costs, transitions, messages | `pkg/apiserver/schema/cel`, `pkg/apis/apiextensions/validation`; the language itself is the crate `cel` |
//! | numbers of the subresource `scale` | `pkg/registry/customresource/validator.go` |
//! | order of the steps, ratcheting | `pkg/registry/customresource/strategy.go`, `pkg/apiserver/validation/ratcheting.go` |
//!
//! The test `schema_differential` compares all messages with those of a real kube-apiserver v1.35.3.
//!
//! ```
//! use schema::{Options, Schema};
//! use serde_json::json;
//!
//! let schema = Schema::read(&json!({
//!     "type": "object",
//!     "properties": {"spec": {"type": "object", "properties": {"gpu": {"type": "integer", "minimum": 1, "default": 1}}}},
//! }))
//! .expect("a sound schema");
//! let admitted = schema.admit(&json!({"spec": {}}), &Options::default()).expect("a sound object");
//! assert_eq!(admitted.object, json!({"spec": {"gpu": 1}}));
//!
//! let errors = schema.admit(&json!({"spec": {"gpu": 0, "gpus": 2}}), &Options::default()).unwrap_err();
//! assert_eq!(errors[0].to_string(), "unknown field \"spec.gpus\"");
//! assert_eq!(errors[1].to_string(), "spec.gpu: Invalid value: 0: spec.gpu in body should be greater than or equal to 1");
//! ```
//!
//! # What differs
//! * Errors of decoding and errors of validation are returned together. The API server returns only the former if there are
//!   any ([`Kind::is_decoding`]).
//! * A schema need not be structural: types in `allOf`, or `items` without a type, are accepted, because the schemas of core
//!   kinds are not structural either. Wrong keywords, defaults that do not fit the schema, and rules that do not compile or
//!   cost too much are errors.
//! * Where a message contains the error of a Go parser (of a time, of a URL), the words of that error differ.
//! * After ratcheting, an object can contain values that do not fit their schema. When a rule uses such elements of a list,
//!   some functions (`in`, `slice`, `distinct`, `[?i]`) fail here, and ignore them in Kubernetes.
//! * `format: hostname` knows symbols by their Unicode blocks, not one by one.
//!
//! The API server visits maps in random order, so the order of its errors is random. Here errors are in the order of the
//! steps, and within a step in the order of field names.

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
mod scale;
mod schema;
pub mod sources;
mod validate;

pub use admit::{Admitted, Options, Unknown};
pub use error::{FieldError, Hint, Kind};
pub use path::Segment;
pub use scale::Scale;
pub use schema::Schema;
