//! Derives every value. Objects, the output of `explain` and the documentation are all made from the tables in this folder.

pub mod claim;
pub mod kserve;
pub mod picker;
pub mod pod;
pub mod surface;
pub mod workload;

use toolbox::rule::Table;

use self::claim::ClaimedDevices;
use self::kserve::KserveService;
use self::pod::EnginePod;
use self::workload::EngineWorkload;
use crate::modelplane::wrap::{self, Wrapping};
use toolbox::held;

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::each("Deployment", EngineWorkload::DEPLOYMENT),
        Table::each("LeaderWorkerSet", EngineWorkload::GANG),
        Table::each("pod template", EnginePod::TEMPLATE),
        Table::each("ResourceClaimTemplate", EnginePod::CLAIM),
        Table::each("request in a ResourceClaimTemplate", ClaimedDevices::REQUEST),
        Table::of("LLMInferenceService", KserveService::SERVICE),
        Table::each("LLMInferenceService, spec and spec.prefill", EngineWorkload::IN_KSERVE),
        Table::each("LLMInferenceService, template and worker", EnginePod::IN_KSERVE),
        Table::of("HTTPRoute", surface::ROUTE),
        Table::of("InferencePool", surface::POOL),
        Table::of("ServiceAccount of the endpoint picker", picker::ACCOUNT),
        Table::of("Role of the endpoint picker", picker::ROLE),
        Table::of("RoleBinding of the endpoint picker", picker::BINDING),
        Table::of("ConfigMap of the endpoint picker", picker::CONFIG),
        Table::of("Deployment of the endpoint picker", picker::PICKER),
        Table::of("Service of the endpoint picker", picker::SERVICE),
        wrap::table(Wrapping::ON_NAMED),
        Table::of("Object that is held", held::HELD),
    ]
}
