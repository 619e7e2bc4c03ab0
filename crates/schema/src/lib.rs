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
//! | rules in CEL: types, costs, transitions, messages | `pkg/apiserver/schema/cel`, `pkg/apis/apiextensions/validation`; the language itself is the crate `cel` |
//! | order of the steps, ratcheting | `pkg/registry/customresource/strategy.go`, `pkg/apiserver/validation/ratcheting.go` |
//!
//! The test `schema_differential` holds all of it against a real kube-apiserver v1.35.3, message by message.
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
//! * Errors of decoding do not hide those of validation: the API server stops at the former
//!   ([`Kind::is_decoding`] tells them apart).
//! * A schema need not be structural: what the API server refuses of its shape (types inside `allOf`, `items` without
//!   a type) is taken as it stands, since the schemas of core kinds are not structural either. Wrong keywords, defaults that
//!   the schema itself refuses, and rules that do not compile or cost too much are errors.
//! * Where a Go parser says why it cannot read a text (a time, a URL), the reason is given in other words.
//! * An update that is excused may hold values that do not fit their schema. Where a rule reaches them, some functions over
//!   lists (`in`, `slice`, `distinct`, `[?i]`) fail here that pass over such elements upstream.
//! * The symbols that `format: hostname` takes are known by block, not each.
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
mod schema;
pub mod sources;
mod suggest;
mod validate;

pub use admit::{Admitted, Options, Unknown};
pub use error::{FieldError, Hint, Kind};
pub use path::Segment;
pub use schema::Schema;
