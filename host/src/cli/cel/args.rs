//! The flags of `sailplane cel`.

use std::path::PathBuf;

use crate::modules::Modules;

/// Try an expression in Kubernetes' dialect of CEL
///
/// Evaluates a device selector over a device, or a validation rule over a value of a custom resource, as Kubernetes
/// compiles and evaluates them, and prints the value with its cost in Kubernetes' units; for rules also what Kubernetes
/// would expect a rule to cost at most.
///
/// Exits with 0 when there is a value, also when it is false, and with 1 otherwise; with --batch, with 1 when a line
/// cannot be read.
#[derive(clap::Args, Debug)]
#[command(
    group = clap::ArgGroup::new("subject").args(["device", "this", "filename", "batch"]).required(true),
    group = clap::ArgGroup::new("value").args(["this", "filename"]),
    after_long_help = "\
Examples:
  Try a selector of a ResourceClaim or a DeviceClass on a device, as its ResourceSlice has it
    sailplane cel \"device.driver == 'gpu.nvidia.com'\" --device device.yaml
  Try a selector on the devices of a cluster
    kubectl get resourceslices -o yaml >slices.yaml
    sailplane cel \"device.driver == 'gpu.nvidia.com'\" --device slices.yaml
  Try a validation rule on an object, by the schema that its definition has for it
    sailplane cel 'self.spec.replicas <= 8' --self widget.yaml --schema crd.yaml
  Try a transition rule on a part of an object, by the schema of that part
    sailplane cel 'self >= oldSelf' --self new.yaml --old-self old.yaml --schema schema.yaml
  Try many selectors
    sailplane cel --batch < trials.jsonl

Lines of --batch are {\"expr\": …, \"device\": …}; each is answered by {\"value\": true, \"cost\": 4}, or by
{\"error\": …, \"message\": …} with one of these errors:
  compile  it does not compile: its syntax, an unknown name, a type error
  type     it compiles, and is not boolean
  runtime  it failed as it was evaluated, or the device cannot be read
  cost     it would cost more than Kubernetes allows
  input    the line cannot be read
  failed   the module did not answer, for instance within a minute"
)]
pub(in crate::cli) struct CelArgs {
    /// The expression
    #[arg(value_name = "EXPR", required_unless_present = "batch", conflicts_with = "batch")]
    pub(super) expression: Option<String>,

    /// File with a device, with `driver`, `attributes` and `capacity`, or with ResourceSlices, of which each device is tried;
    /// `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(super) device: Option<PathBuf>,

    /// File with the value that is `self` in a rule; `-` for standard input
    #[arg(long = "self", id = "this", value_name = "FILE", requires = "schema")]
    pub(super) this: Option<PathBuf>,

    /// With --schema the same as --self, otherwise the same as --device
    #[arg(short, long, value_name = "FILE")]
    pub(super) filename: Option<PathBuf>,

    /// File with the value before an update, which is `oldSelf` in a rule
    #[arg(long, value_name = "FILE", requires = "schema")]
    pub(super) old_self: Option<PathBuf>,

    /// File with the OpenAPI v3 schema of the value, or with the definition (CRD or XRD) of its kind
    #[arg(long, value_name = "FILE", requires = "value")]
    pub(super) schema: Option<PathBuf>,

    /// Read trials from standard input, one JSON object a line
    #[arg(long, conflicts_with = "output")]
    pub(super) batch: bool,

    /// How to print
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub(super) output: CelFormat,

    #[command(flatten)]
    pub(super) modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum CelFormat {
    /// A few lines, for people
    Text,
    /// {"value", "cost", "estimate"}, or {"error", "message", "line", "column"}, for programs; of ResourceSlices a list of
    /// these, with "device"
    Json,
}
