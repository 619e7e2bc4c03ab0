//! Models in a namespace, with the options of a platform.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use inference::inference_model::resources::{DEPLOYMENTS, INFERENCE_MODELS};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::watching::{Objects, Which};

use crate::composites::condition;
use crate::names::SOON;
use crate::plane::Plane;
use crate::subjects::INFERENCE_MODEL;

/// The annotation with the time of the last request.
pub(super) const LAST_REQUEST: &str = "inference.eh-ops.io/last-request-time";

/// A namespace, whose models name the Composition of the same name.
#[derive(Clone, Copy)]
pub(super) struct InferenceModels<'a> {
    pub(super) plane: &'a Plane,
    pub(super) namespace: &'a str,
    composition: &'a str,
}

impl<'a> InferenceModels<'a> {
    /// Creates the namespace, and the Composition with these options.
    pub(super) fn start(plane: &'a Plane, namespace: &'a str, options: &Value) -> Result<Self> {
        let input = self::options(options);
        plane.copy_composition(INFERENCE_MODEL, namespace, |step| step["input"] = input.clone())?;
        Self::within(plane, namespace)
    }

    /// Creates the namespace. The Composition of the same name is there.
    pub(super) fn within(plane: &'a Plane, namespace: &'a str) -> Result<Self> {
        plane.kubectl.run(&["create", "namespace", namespace])?;
        Ok(Self { plane, namespace, composition: namespace })
    }

    /// Models of the same Composition in another namespace, which is created.
    pub(super) fn beside(&self, namespace: &'a str) -> Result<Self> {
        self.plane.kubectl.run(&["create", "namespace", namespace])?;
        Ok(Self { namespace, ..*self })
    }

    /// A model of 10Gi in a pool, whose spec has also `spec`.
    pub(super) fn model(&self, name: &str, pool: &str, spec: &Value) -> Value {
        let mut whole = (INFERENCE_MODEL.spec)(name);
        whole["crossplane"] = json!({"compositionRef": {"name": self.composition}});
        whole["nodeSelector"] = json!({"inference-pool": pool});
        for (key, value) in spec.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        json!({
            "apiVersion": INFERENCE_MODELS.api_version, "kind": INFERENCE_MODELS.kind,
            "metadata": {"name": name, "namespace": self.namespace}, "spec": whole,
        })
    }

    /// Applies such a model.
    pub(super) fn apply(&self, name: &str, pool: &str, spec: &Value) -> Result<()> {
        self.plane.kubectl.apply(&self.model(name, pool, spec))
    }

    /// Merges `spec` into the spec of a model.
    pub(super) fn edit(&self, name: &str, spec: &Value) -> Result<()> {
        let args = [&*named(&INFERENCE_MODELS), name, "-n", self.namespace];
        self.plane.kubectl.patch(&args, &json!({ "spec": spec }))
    }

    /// Asks for models, as documents show it.
    pub(super) fn wake(&self, names: &[&str]) -> Result<()> {
        self.keep_awake(names, 0)
    }

    /// The same by a clock that is so many seconds ahead, so that they stay awake for longer than their cooldown.
    pub(super) fn keep_awake(&self, names: &[&str], ahead: u64) -> Result<()> {
        let stamp = format!("{LAST_REQUEST}={}", written(seconds() + ahead));
        let args = ["annotate", "--overwrite", "-n", self.namespace, &*named(&INFERENCE_MODELS)];
        self.plane.kubectl.run(&[&args[..], names, &[&*stamp]].concat()).map(drop)
    }

    /// Deletes models, without waiting.
    pub(super) fn delete(&self, names: &[&str]) -> Result<()> {
        let args = ["delete", "--wait=false", &*named(&INFERENCE_MODELS), "-n", self.namespace];
        self.plane.kubectl.run(&[&args[..], names].concat()).map(drop)
    }

    /// Deletes all models and the Composition, and waits until everything is gone.
    pub(super) fn end(&self) -> Result<()> {
        self.delete(&["--all"])?;
        INFERENCE_MODEL.brings().try_for_each(|resource| {
            let which = Which::all(&resource).within(self.namespace);
            self.plane.administrator.gone(which, SOON)
        })?;
        let args = ["delete", "--ignore-not-found", "compositions.apiextensions.crossplane.io", self.composition];
        self.plane.kubectl.run(&args).map(drop)
    }

    /// The models.
    pub(super) fn all(&self) -> Which<'_> {
        Which::all(&INFERENCE_MODELS).within(self.namespace)
    }

    /// Their Deployments.
    pub(super) fn deployments(&self) -> Which<'_> {
        Which::all(&DEPLOYMENTS).within(self.namespace)
    }

    /// The Deployment of a model.
    pub(super) fn deployment(&self, name: &str) -> Result<Value> {
        self.plane.administrator.only(self.deployments().named(name))
    }

    /// Waits until `decide` accepts a model.
    pub(super) fn until<T>(&self, name: &str, what: &str, decide: impl FnMut(&Value) -> Result<T>) -> Result<T> {
        let what = format!("{}/{name}: {what}", self.namespace);
        self.plane.kubectl.until_it(&what, self.all().named(name), SOON, decide)
    }

    /// Waits until `decide` accepts all models.
    pub(super) fn until_all<T>(
        &self,
        what: &str,
        limit: Duration,
        decide: impl FnMut(&Objects) -> Result<T>,
    ) -> Result<T> {
        self.plane.kubectl.until(&format!("{}: {what}", self.namespace), self.all(), limit, decide)
    }

    /// Waits until models have these reasons in their condition `ModelReady`.
    pub(super) fn are(&self, reasons: &[(&str, &str)]) -> Result<()> {
        self.until_all(&format!("{reasons:?}"), SOON, |models| {
            reasons.iter().try_for_each(|(name, wanted)| {
                let model = models.get(&format!("{}/{name}", self.namespace)).context("a model is missing")?;
                let found = reason(model, "ModelReady");
                ensure!(found == *wanted, "{name} is {found}: {}", model["status"]);
                Ok(())
            })
        })
    }
}

/// A step's input with options of models.
pub(super) fn options(options: &Value) -> Value {
    json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "inferenceModel": options})
}

/// The reason of a condition of a model.
pub(super) fn reason(model: &Value, kind: &str) -> String {
    text(model, kind, "reason")
}

/// The message of a condition of a model.
pub(super) fn message(model: &Value, kind: &str) -> String {
    text(model, kind, "message")
}

fn text(model: &Value, kind: &str, field: &str) -> String {
    condition(model, kind)[field].as_str().unwrap_or("missing").to_owned()
}

/// The time, as stamps are written.
pub(super) fn now() -> String {
    written(seconds())
}

fn written(seconds: u64) -> String {
    quantity::Time::from_seconds(seconds.cast_signed()).to_string()
}

/// The seconds since 1970.
pub(super) fn seconds() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}
