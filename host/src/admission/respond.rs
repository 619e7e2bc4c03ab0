//! Writes the answer to an AdmissionReview.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use super::mode::{Mode, Webhook};
use super::patch::patch;
use super::review::{self, Review, qualified};
use super::warnings::limited;
use crate::foreign::{cut, visible, visible_lines};
use crate::problem::{line_with_help, message_with_help, places};
use crate::wit::admit::Verdict;
use crate::wit::types::{Problem, ProblemCode};

/// The largest text about denials, in bytes. It is in a response three times: in the message of the Status, in its causes
/// and in the audit annotation. Together with warnings they have less than 64 kB.
const MAX_REASONS: usize = 16 << 10;
/// The largest text about one denial, in bytes.
const MAX_REASON: usize = 4 << 10;
/// The largest name in a message, in bytes. Kubernetes has no longer one.
const MAX_NAME: usize = 253;

/// The outcome of a review, for logs and metrics. It has no values of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing is wrong.
    Allowed,
    /// Something is wrong at these places, and the mode allows it.
    Tolerated(String),
    /// Something is wrong at these places, and the object is refused.
    Denied(String),
    /// The module could not judge the object because of these places.
    Undecided(String),
    /// There is no answer, for this reason.
    Failed(String),
}

impl Outcome {
    /// The name in metrics and logs.
    pub(super) fn as_str(&self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Tolerated(_) => "tolerated",
            Self::Denied(_) => "denied",
            Self::Undecided(_) => "undecided",
            Self::Failed(_) => "failed",
        }
    }
}

/// The answer to a review with a `verdict`.
pub(super) fn judged(review: &Review, webhook: Webhook, mode: Mode, verdict: &Verdict) -> (Vec<u8>, Outcome) {
    match webhook {
        Webhook::Validate => validated(review, mode, verdict),
        Webhook::Mutate => {
            let mut response = allowed(review);
            if mode != Mode::Audit {
                let operations = patch(&review.object, &verdict.defaults);
                if !operations.is_empty() {
                    response.insert("patchType".to_owned(), "JSONPatch".into());
                    let operations = Value::Array(operations).to_string();
                    response.insert("patch".to_owned(), BASE64_STANDARD.encode(operations).into());
                }
            }
            (spell(response), Outcome::Allowed)
        }
    }
}

/// The answer to a review of an operation that no module judges.
pub(super) fn untouched(review: &Review) -> Vec<u8> {
    spell(allowed(review))
}

/// The answer to a review that could not be judged. The validating webhook warns of it, the mutating webhook does not.
pub(super) fn undecided(review: &Review, webhook: Webhook, mode: Mode, problems: &[Problem]) -> (Vec<u8>, Outcome) {
    let mut response = allowed(review);
    if webhook == Webhook::Validate && mode != Mode::Audit {
        let why = problems.iter().map(line_with_help).collect::<Vec<_>>().join("; ");
        response.insert("warnings".to_owned(), limited([format!("not judged: {why}")]).into());
    }
    (spell(response), Outcome::Undecided(places(problems)))
}

fn validated(review: &Review, mode: Mode, verdict: &Verdict) -> (Vec<u8>, Outcome) {
    let mut response = allowed(review);
    let mut warnings: Vec<String> = Vec::new();
    let mut annotations = json!({"mode": mode.as_str()});
    let mut outcome = Outcome::Allowed;
    if !verdict.denials.is_empty() {
        let listed = listed(&verdict.denials);
        let reasons = reasons(listed, verdict.denials.len());
        annotations["denied"] = reasons.as_str().into();
        if mode == Mode::Enforce {
            response.insert("allowed".to_owned(), false.into());
            response.insert("status".to_owned(), status(review, listed, &reasons));
            outcome = Outcome::Denied(places(&verdict.denials));
        } else {
            warnings.extend(listed.iter().map(|problem| format!("would be refused: {}", line_with_help(problem))));
            outcome = Outcome::Tolerated(places(&verdict.denials));
        }
    }
    warnings.extend(verdict.warnings.iter().map(message_with_help));
    warnings.extend(verdict.unjudged.iter().map(|what| visible_lines(what).into_owned()));
    if mode != Mode::Audit && !warnings.is_empty() {
        response.insert("warnings".to_owned(), limited(warnings).into());
    }
    response.insert("auditAnnotations".to_owned(), annotations);
    (spell(response), outcome)
}

fn allowed(review: &Review) -> Map<String, Value> {
    [("uid".to_owned(), review.uid.as_str().into()), ("allowed".to_owned(), true.into())].into_iter().collect()
}

/// The first problems: as many as [`MAX_REASONS`] has space for.
fn listed(problems: &[Problem]) -> &[Problem] {
    let mut length = 0;
    let fits = |problem: &&Problem| {
        length += cut(&line_with_help(problem), MAX_REASON).len() + ", ".len();
        length <= MAX_REASONS
    };
    &problems[..problems.iter().take_while(fits).count()]
}

/// The listed problems in one line, in the format of the API server's own validation. There are `count` problems in all.
fn reasons(listed: &[Problem], count: usize) -> String {
    let mut lines: Vec<_> =
        listed.iter().map(|problem| cut(&line_with_help(problem), MAX_REASON).into_owned()).collect();
    if count > listed.len() {
        lines.push(format!("and {} more", count - listed.len()));
    }
    match lines.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(", ")),
    }
}

/// The Status with which the API server itself refuses an invalid object.
fn status(review: &Review, problems: &[Problem], reasons: &str) -> Value {
    let kind = qualified(&review.kind);
    let group = kind.split_once('.').map_or("", |(_kind, group)| group);
    let cause = |problem: &Problem| {
        json!({
            "reason": cause_type(problem.code),
            "message": cut(&message_with_help(problem), MAX_REASON),
            "field": cut(&visible(&problem.path), MAX_REASON),
        })
    };
    let [name, shown_kind] = [&review.name, &kind].map(|text| cut(&visible(text), MAX_NAME).into_owned());
    json!({
        "code": 422,
        "reason": "Invalid",
        "message": format!("{shown_kind} \"{name}\" is invalid: {reasons}"),
        "details": {
            "name": name,
            "group": group,
            "kind": review.kind.kind,
            "causes": problems.iter().map(cause).collect::<Vec<_>>(),
        },
    })
}

/// The API server's name for a code (`CauseType` of `meta/v1`).
pub(super) fn cause_type(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Required => "FieldValueRequired",
        ProblemCode::TypeInvalid => "FieldValueTypeInvalid",
        ProblemCode::Invalid | ProblemCode::UnknownField | ProblemCode::Syntax => "FieldValueInvalid",
        ProblemCode::NotSupported => "FieldValueNotSupported",
        ProblemCode::Duplicate => "FieldValueDuplicate",
        ProblemCode::TooLong => "FieldValueTooLong",
        ProblemCode::TooMany => "FieldValueTooMany",
        ProblemCode::Forbidden => "FieldValueForbidden",
        ProblemCode::NotFound => "FieldValueNotFound",
    }
}

fn spell(response: Map<String, Value>) -> Vec<u8> {
    let review = json!({"apiVersion": review::API_VERSION, "kind": review::KIND, "response": response});
    review.to_string().into_bytes()
}
