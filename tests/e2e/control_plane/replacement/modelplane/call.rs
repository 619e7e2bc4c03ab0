//! A call of the function.

use std::time::Duration;

use anyhow::Result;
use function_sdk_rust::proto::v1::{Condition, Ready, RunFunctionRequest, RunFunctionResponse};
use function_sdk_rust::response::ResourceMatch;
use function_sdk_rust::{request, resource, response};
use serde_json::Value;

use crate::replacement::rows::{AnswerPass, AnswerRows, SeenObjects};

/// A request, and the answer that is made of it.
pub(super) struct Call {
    pub(super) request: RunFunctionRequest,
    pub(super) composite: Value,
    pub(super) response: RunFunctionResponse,
}

/// Whether the answer could be made.
pub(super) type Composed = Result<()>;

impl Call {
    pub(super) fn new(request: RunFunctionRequest) -> Self {
        let composite = request::observed_composite(&request).and_then(|it| it.resource.as_ref());
        let composite = composite.map(resource::struct_to_json).unwrap_or_default();
        let response = response::to(&request, Duration::from_secs(60));
        Self { request, composite, response }
    }

    pub(super) fn desired(&mut self, key: &str, object: &Value, ready: bool) -> Composed {
        let desired = response::desired_composed(&mut self.response, key);
        resource::update(desired, object)?;
        if ready {
            resource::set_ready(desired, Ready::True);
        }
        Ok(())
    }

    /// Composes what the rows of a file say, whose own placeholders stand for `values`.
    pub(super) fn rows(&mut self, text: &str, values: Value) -> Composed {
        let seen = self.seen();
        let pass = AnswerPass { composite: &self.composite, seen: &seen, values };
        let composed = AnswerRows::read(text)?.composed(&pass)?;
        for next in composed {
            self.desired(&next.key, &next.object, next.ready)?;
        }
        Ok(())
    }

    pub(super) fn status(&mut self, status: &Value) -> Composed {
        let composite = response::desired_composite(&mut self.response);
        Ok(resource::update_status(composite, status)?)
    }

    pub(super) fn condition(&mut self, name: &str, holds: bool, reason: &str) -> &mut Condition {
        if holds {
            response::condition_true(&mut self.response, name, reason)
        } else {
            response::condition_false(&mut self.response, name, reason)
        }
    }

    pub(super) fn observed(&self, key: &str) -> Option<Value> {
        let found = request::observed_composed(&self.request, key)?;
        found.resource.as_ref().map(resource::struct_to_json)
    }

    pub(super) fn ready(&self, key: &str) -> bool {
        resource::get_condition(request::observed_composed(&self.request, key), "Ready").status == "True"
    }

    pub(super) fn require(&mut self, name: &str, kind: &str, matching: Option<ResourceMatch>) -> Vec<Value> {
        response::require_resources(&mut self.response, name, "modelplane.ai/v1alpha1", kind, matching, None);
        request::get_required_resources(&self.request, name).unwrap_or_default()
    }

    pub(super) fn meta(&self, field: &str) -> String {
        self.composite["metadata"][field].as_str().unwrap_or_default().to_owned()
    }

    fn seen(&self) -> SeenObjects {
        let all = self.request.observed.iter().flat_map(|observed| &observed.resources);
        let objects = all.filter_map(|(key, it)| Some((key.clone(), resource::struct_to_json(it.resource.as_ref()?))));
        objects.collect()
    }
}
