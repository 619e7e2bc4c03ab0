//! `InferenceGateway`: the gateway of the control plane, of which there is one with the name `default`.
//!
//! It installs Traefik, and the definitions of Gateway API that Traefik watches. The routes of ModelServices attach to its gateway,
//! and they read its address. The kind follows Modelplane v0.3.1, except that its Usages keep Traefik until what it controls is gone.

use std::rc::Rc;

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{
    CLUSTER_USAGES, CRDS, GATEWAY_CLASSES, GATEWAYS as CONTROLLED, HELM_CONFIGS, NAMESPACES, RELEASES, USAGES,
};

use self::read::{definition, observed, read};
use super::platform::gates;
use super::resources::{ADDRESS_POOLS, INFERENCE_GATEWAYS as GATEWAYS, L2_ADVERTISEMENTS};
use super::shapes;

mod admit;
mod assumed;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
mod status;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ig"],
    api: "modelplane",
    scope: GATEWAYS.scope,
    composes: &[
        CRDS,
        CONTROLLED,
        GATEWAY_CLASSES,
        HELM_CONFIGS,
        RELEASES,
        ADDRESS_POOLS,
        L2_ADVERTISEMENTS,
        CLUSTER_USAGES,
        USAGES,
        NAMESPACES,
    ],
    looks_up: &[CRDS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    waits_for: |composite, key| gates::waits_for(derive::ROWS, composite, key),
    assumed: Some(assumed::ASSUMED),
    admit: |request| shapes::judge::admitted(GATEWAYS.kind, definition(), request, admit::admit),
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(GATEWAYS.api_version, GATEWAYS.kind, GATEWAYS.plural, definition, compose)
};

/// Composes Traefik and the gateway.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = Rc::new(read(request, &observed)?);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &*inputs);
    Ok((status::respond(&observed, &inputs, resources), reasons))
}

const EXAMPLES: &[Example] = &[
    example!("modelplane", "gateway", "the gateway of the control plane"),
    example!("modelplane", "gateway-metallb", "the same where no cloud gives addresses"),
];
