//! Compares `shapes.json` with the schemas of these Kubernetes types in `k8s-openapi`. `BLESS=1` writes it.

use std::process::ExitCode;
use std::{env, fs};

use k8s_openapi::api::core::v1::{EnvVar, LocalObjectReference, ResourceRequirements, Toleration};
use k8s_openapi::api::networking::v1::IngressTLS;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/toolbox/src/shapes.json");

/// The schemas of all types in `crates/toolbox/src/shapes.rs`.
fn shapes() -> Value {
    json!({
        "EnvVar": schema::<EnvVar>(),
        "IngressTLS": schema::<IngressTLS>(),
        "LocalObjectReference": schema::<LocalObjectReference>(),
        "ResourceRequirements": schema::<ResourceRequirements>(),
        "Toleration": schema::<Toleration>(),
    })
}

fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn main() -> ExitCode {
    let text = format!("{:#}\n", shapes());
    if env::var_os("BLESS").is_some() {
        fs::write(FILE, text).expect("the shapes can be written");
    } else if fs::read_to_string(FILE).ok().as_deref() != Some(&text) {
        eprintln!("{FILE} is not current: `BLESS=1 make shapes`, then `make generate`");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
