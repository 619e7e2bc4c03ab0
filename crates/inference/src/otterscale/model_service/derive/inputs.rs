//! What the rules read.

use serde_json::{Value, json};
use toolbox::duration::Duration;

use crate::otterscale::model_service::names;
use crate::otterscale::model_service::spec::{
    DeviceFamily, EndpointPicker, FailureMode, PodMonitorSpec, RoleSpec, ServingPhase, ServingSpec,
};
use crate::otterscale::options::{ClusterRbac, GatewayProvider, ModelServiceOptions};
use crate::served::Served;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ServingInputs {
    /// The service.
    pub service: Served<ServingSpec>,
    /// The platform's options.
    pub options: ModelServiceOptions,
    /// How long a response holds.
    pub holds: Holds,
    /// The name of the endpoint picker.
    pub picker: String,
    /// The observed Deployment `decode`.
    pub decode: Option<Deployed>,
    /// The observed Deployment `prefill`, when there should be one.
    pub prefill: Option<Deployed>,
    /// The API groups that the cluster does not serve, as far as anybody has looked.
    pub missing: Vec<&'static str>,
    /// Whether the cluster-scoped binding has the name of ours, and is of something else.
    pub grant_is_taken: bool,
}

/// How long a response holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// When everything is ready.
    pub ready: Duration,
    /// While something is not.
    pub waiting: Duration,
}

/// What a Deployment says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deployed {
    /// The pods that there should be.
    pub desired: i64,
    /// The pods that are ready.
    pub ready: i64,
    /// The pods of its latest change.
    pub updated: i64,
    /// Whether it says so about an earlier generation of itself.
    pub lags: bool,
    /// Whether its pods do not become ready in time.
    pub failed: bool,
}

impl Deployed {
    /// Reads an observed Deployment. What it does not say is 0.
    pub fn of(deployment: &Value) -> Self {
        let number = |path: &str| deployment.pointer(path).and_then(Value::as_i64).unwrap_or_default();
        let progressing = toolbox::conditions::find(deployment, "Progressing");
        Self {
            desired: number("/spec/replicas").max(0),
            ready: number("/status/readyReplicas").max(0),
            updated: number("/status/updatedReplicas").max(0),
            lags: number("/status/observedGeneration") < number("/metadata/generation"),
            failed: progressing.is_some_and(|it| it.status == contract::types::ConditionStatus::False),
        }
    }

    /// Whether it still has pods of an earlier change, or has not begun to replace them.
    pub fn is_replacing(self) -> bool {
        self.lags || self.updated < self.desired
    }

    /// Whether all of its pods are ready.
    pub fn is_ready(self) -> bool {
        !self.lags && self.ready >= self.desired
    }
}

/// How far a service is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServingState {
    /// The row that says so.
    pub row: &'static StateRow,
    /// The message.
    pub message: String,
}

/// A phase with one of its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// The phase.
    pub phase: ServingPhase,
    /// The reason.
    pub reason: &'static str,
}

/// No Deployment is observed for some role.
pub const NOT_FOUND: StateRow = StateRow { phase: ServingPhase::Pending, reason: "DeploymentNotFound" };
/// Pods did not become ready in time.
pub const DEADLINE: StateRow = StateRow { phase: ServingPhase::Failed, reason: "ProgressDeadlineExceeded" };
/// No pod is ready.
pub const STARTING: StateRow = StateRow { phase: ServingPhase::Running, reason: "PodsStarting" };
/// Some pods are not ready.
pub const PARTIALLY: StateRow = StateRow { phase: ServingPhase::Running, reason: "PartiallyReady" };
/// A Deployment has not taken up its latest change.
pub const UPDATING: StateRow = StateRow { phase: ServingPhase::Running, reason: "Updating" };
/// All pods are ready.
pub const ALL: StateRow = StateRow { phase: ServingPhase::Ready, reason: "AllReplicasReady" };

impl ServingInputs {
    /// How far the service is: the first row that holds.
    pub fn state(&self) -> ServingState {
        let state = |row, message: String| ServingState { row, message };
        if let Some((name, _)) = self.deployments().find(|(_, deployed)| deployed.is_none()) {
            return state(&NOT_FOUND, format!("{name} Deployment has not been created yet"));
        }
        let deployed = || self.deployments().filter_map(|(name, deployed)| Some((name, deployed?)));
        let desired: i64 = deployed().map(|(_, it)| it.desired).fold(0, i64::saturating_add);
        let ready: i64 = deployed().map(|(_, it)| it.ready).fold(0, i64::saturating_add);
        let is_short = deployed().any(|(_, it)| it.ready < it.desired);
        if let Some((name, _)) = deployed().find(|(_, it)| it.failed && it.ready < it.desired) {
            return state(
                &DEADLINE,
                format!("{name} Deployment does not become ready in time: {ready}/{desired} replicas ready"),
            );
        }
        if ready == 0 && desired > 0 {
            return state(&STARTING, "Waiting for serving pods to become ready".to_owned());
        }
        if is_short {
            return state(&PARTIALLY, format!("{ready}/{desired} replicas ready"));
        }
        if let Some((name, _)) = deployed().find(|(_, it)| it.lags) {
            return state(&UPDATING, format!("{name} Deployment has not taken up its latest change yet"));
        }
        state(&ALL, format!("All {ready} replicas are ready"))
    }

    /// The Deployments of model servers that there should be, with their names for people. `None` for one that is not observed.
    pub fn deployments(&self) -> impl Iterator<Item = (&'static str, Option<Deployed>)> {
        [("Decode", self.decode)].into_iter().chain(self.is_divided().then_some(("Prefill", self.prefill)))
    }

    /// The roles that there are.
    pub fn roles(&self) -> impl Iterator<Item = (&'static str, &RoleSpec)> {
        let prefill = self.service.spec.prefill.as_ref().map(|spec| ("prefill", spec));
        [("decode", &self.service.spec.decode)].into_iter().chain(prefill)
    }

    /// Whether the work is divided.
    pub fn is_divided(&self) -> bool {
        self.service.spec.prefill.is_some()
    }

    /// The settings of the endpoint picker, if the service states any.
    pub fn endpoint_picker(&self) -> Option<&EndpointPicker> {
        self.service.spec.inference_pool.as_ref().map(|pool| &pool.endpoint_picker)
    }

    /// How many endpoint pickers there are.
    pub fn pickers(&self) -> i32 {
        self.endpoint_picker().map_or(1, |picker| picker.replicas)
    }

    /// The port of the endpoint picker.
    pub fn picker_port(&self) -> i32 {
        self.endpoint_picker().map_or(9002, |picker| picker.port)
    }

    /// What a gateway does when no endpoint picker answers.
    pub fn failure_mode(&self) -> FailureMode {
        self.endpoint_picker().map_or(FailureMode::FailClose, |picker| picker.failure_mode)
    }

    /// What the service says about monitors.
    pub fn pod_monitor(&self) -> Option<&PodMonitorSpec> {
        self.service.spec.monitoring.as_ref()?.pod_monitor.as_ref()
    }

    /// Whether what reads the picker's metrics needs a token, and gets it.
    pub fn has_grant(&self) -> bool {
        let wanted = self.service.spec.inference_pool.is_some() || self.options.always_metrics_auth;
        wanted && self.options.metrics_endpoint_auth
    }

    /// Whether the Secret with the token is composed.
    pub fn has_token(&self) -> bool {
        self.has_grant() && self.options.provider != GatewayProvider::Gke
    }

    /// Whether the grant is composed.
    pub fn composes_grant(&self) -> bool {
        self.has_grant() && self.options.grant() != ClusterRbac::None
    }

    /// Namespace and name of the gateway of the route. `None` when there is no route.
    pub fn gateway(&self) -> Option<(&str, &str)> {
        let own = self.service.namespace.as_str();
        if let Some(route) = &self.service.spec.http_route {
            let namespace = route.gateway_ref.namespace.as_deref().filter(|it| !it.is_empty());
            return Some((namespace.unwrap_or(own), &route.gateway_ref.name));
        }
        let default = &self.options.default_gateway;
        (!default.name.is_empty()).then_some((&default.namespace, &default.name))
    }

    /// The host names of the route, unless it has none.
    pub fn hostnames(&self) -> Option<Value> {
        let names = self.service.spec.http_route.as_ref()?.hostnames.as_ref()?;
        (!names.is_empty()).then(|| json!(names))
    }

    /// The name of the cluster-scoped grant.
    pub fn grant(&self) -> String {
        names::grant(&self.service.namespace, &self.service.name)
    }

    /// A label with the version, unless it is empty.
    pub fn version(&self) -> Option<Value> {
        Some(&self.options.version).filter(|version| !version.is_empty()).map(|version| json!(version))
    }

    /// The extended resource of the devices. `None` when there are no devices.
    pub fn device(&self) -> Option<&'static str> {
        match self.service.spec.accelerator.family {
            DeviceFamily::Nvidia => Some("nvidia.com/gpu"),
            DeviceFamily::Amd => Some("amd.com/gpu"),
            DeviceFamily::IntelGaudi => Some("habana.ai/gaudi"),
            DeviceFamily::Google => Some("google.com/tpu"),
            DeviceFamily::Cpu => None,
        }
    }
}
