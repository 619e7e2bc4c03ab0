//! The scripts of containers. Everything that a user writes reaches them in variables, so it stays data.

/// Unpacks the model: `OCI_MODEL_IMAGE` is where it is, `MODEL_MOUNT_PATH` where it shall be. `kit` has its own folder.
pub const UNPACK: &str = r#"set -eu
(set -o pipefail) 2>/dev/null && set -o pipefail
KITOPS_HOME="${KITOPS_HOME:-/tmp/model-oci}"
export KITOPS_HOME
mkdir -p "$KITOPS_HOME"
exec kit unpack "$OCI_MODEL_IMAGE" --plain-http -o -d "$MODEL_MOUNT_PATH"
"#;

/// The same from a registry with TLS.
pub const UNPACK_WITH_TLS: &str = r#"set -eu
(set -o pipefail) 2>/dev/null && set -o pipefail
KITOPS_HOME="${KITOPS_HOME:-/tmp/model-oci}"
export KITOPS_HOME
mkdir -p "$KITOPS_HOME"
exec kit unpack "$OCI_MODEL_IMAGE" -o -d "$MODEL_MOUNT_PATH"
"#;

/// Imports a model and pushes it as an artifact: from `HF_REPO` to `OCI_TARGET`. At its end it says the digest.
pub const IMPORT: &str = r#"set -eu
(set -o pipefail) 2>/dev/null && set -o pipefail
cd /workspace
set -- import "$HF_REPO" --tag model:latest
if [ -n "${HF_REVISION:-}" ]; then set -- "$@" --ref "$HF_REVISION"; fi
if [ -n "${HF_TOKEN:-}" ]; then set -- "$@" --token "$HF_TOKEN"; fi
kit "$@"
if [ "$FORMAT" = ModelPack ]; then
  kit unpack model:latest -o -d /workspace/model
  kit pack /workspace/model --use-model-pack -t "$OCI_TARGET"
else
  kit tag model:latest "$OCI_TARGET"
fi
set -- push "$OCI_TARGET"
if [ -n "${PLAIN_HTTP:-}" ]; then set -- "$@" --plain-http; fi
if ! kit "$@" >/workspace/push.log 2>&1; then
  cat /workspace/push.log
  exit 1
fi
cat /workspace/push.log
digest="$(grep -Eo 'sha256:[0-9a-f]{64}' /workspace/push.log | tail -n 1 || true)"
printf %s "$digest" >/dev/termination-log
"#;
