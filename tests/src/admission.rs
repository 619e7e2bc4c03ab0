//! Running admission webhooks, and messages of their protocol.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::artifacts::sailplane;
use crate::function::{eventually, free_address, get, patient, without_traces};

/// A running `sailplane admission`. It is killed when it is dropped.
#[derive(Debug)]
pub struct Webhooks {
    child: Child,
    /// The address for reviews.
    pub address: SocketAddr,
    /// The address for metrics.
    pub metrics: SocketAddr,
    /// The address for probes.
    pub health: SocketAddr,
}

impl Webhooks {
    /// Starts webhooks without TLS and without a cluster, with further flags, and waits until they are ready.
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(|command| command.args(["--insecure", "--no-lookups"]).args(flags))
    }

    /// Starts webhooks with the settings of `configure`, and waits until they are ready.
    pub fn start_with(configure: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut webhooks = Self::spawn(configure);
        let Self { child, health, .. } = &mut webhooks;
        eventually("the webhooks are ready", || {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                panic!("the webhooks ended: {status}");
            }
            TcpStream::connect(*health).is_ok() && get(*health, "/readyz").0 == 200
        });
        webhooks
    }

    /// Starts webhooks without waiting until they are ready. Unless a flag sets it, the timeout of reviews is the
    /// longest possible, and clients have a long time to send and to receive, so that a busy machine does not change
    /// results.
    pub fn spawn(configure: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = command();
        configure(&mut command);
        if command.get_args().all(|flag| flag != "--timeout") {
            command.args(["--timeout", "30"]);
        }
        patient(&mut command);
        let [address, metrics, health] = [(); 3].map(|()| free_address());
        command.arg("--address").arg(address.to_string());
        command.env("METRICS_ADDRESS", metrics.to_string()).env("HEALTH_ADDRESS", health.to_string());
        let child = command.spawn().expect("the binary can be run");
        Self { child, address, metrics, health }
    }

    /// Posts a review and returns the status code and the body of the answer.
    pub fn post(&self, path: &str, body: &[u8]) -> (u16, String) {
        let stream = TcpStream::connect(self.address).expect("it listens");
        exchange(stream, path, body).expect("it answers")
    }

    /// Posts a review that must have an answer, and returns its response.
    #[track_caller]
    pub fn review(&self, path: &str, review: &Value) -> Value {
        let (code, body) = self.post(path, review.to_string().as_bytes());
        assert_eq!(code, 200, "{body}");
        response(&body)
    }

    /// The metrics.
    pub fn metrics(&self) -> String {
        get(self.metrics, "/metrics").1
    }

    /// The process ID.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// How often its threads have been woken.
    pub fn wakes(&self) -> u64 {
        crate::function::wakes(self.child.id())
    }

    /// Sends a signal, by name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill can be run").success());
    }

    /// Waits for the end of the process.
    pub fn wait(mut self) -> ExitStatus {
        let mut ended = None;
        eventually("the webhooks end", || {
            ended = self.child.try_wait().expect("a child can be waited for");
            ended.is_some()
        });
        ended.expect("it has ended")
    }
}

impl Drop for Webhooks {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `sailplane admission`, without its environment variables.
pub fn command() -> Command {
    let mut command = Command::new(sailplane());
    command.arg("admission").stdin(Stdio::null());
    for variable in ["TLS_SERVER_CERTS_DIR", "METRICS_ADDRESS", "HEALTH_ADDRESS", "POD_NAMESPACE", "KUBECONFIG"] {
        command.env_remove(variable);
    }
    without_traces(&mut command);
    command.env("RUST_LOG", "error");
    command
}

/// Posts `body` over `stream`, and returns the status code and the body of the answer.
///
/// # Errors
/// When the connection is closed before the answer.
pub fn exchange(mut stream: impl Read + Write, path: &str, body: &[u8]) -> std::io::Result<(u16, String)> {
    begin(&mut stream, path, body.len())?;
    finish(stream, body)
}

/// Sends the headers of a request whose body has `length` bytes.
///
/// # Errors
/// When the connection is closed.
pub fn begin(stream: &mut impl Write, path: &str, length: usize) -> std::io::Result<()> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}

/// Sends the rest of a body, and returns the status code and the body of the answer.
///
/// # Errors
/// When the connection is closed before the answer.
pub fn finish(mut stream: impl Read + Write, body: &[u8]) -> std::io::Result<(u16, String)> {
    // The server may answer before it has read everything, when the body is too large.
    let sent = stream.write_all(body).and_then(|()| stream.flush());
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    if answer.is_empty() {
        sent?;
        read?;
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let code = answer.split_whitespace().nth(1).and_then(|code| code.parse().ok());
    let code = code.ok_or_else(|| std::io::Error::other(format!("no HTTP: {answer:?}")))?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_head, body)| body);
    Ok((code, body.to_owned()))
}

/// The response in the text of an AdmissionReview.
#[track_caller]
pub fn response(text: &str) -> Value {
    let mut review: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!((&review["apiVersion"], &review["kind"]), (&json!("admission.k8s.io/v1"), &json!("AdmissionReview")));
    review["response"].take()
}

/// An API server's review of the creation of `object`.
pub fn create(object: &Value) -> Value {
    request("CREATE", object, object, &Value::Null)
}

/// A review of the update of `old` to `new`.
pub fn update(old: &Value, new: &Value) -> Value {
    request("UPDATE", new, new, old)
}

/// A review of the deletion of `object`.
pub fn delete(object: &Value) -> Value {
    request("DELETE", object, &Value::Null, object)
}

fn request(operation: &str, subject: &Value, object: &Value, old: &Value) -> Value {
    let (group, version) = subject["apiVersion"].as_str().and_then(|it| it.split_once('/')).unwrap_or(("", "v1"));
    let kind = json!({"group": group, "version": version, "kind": subject["kind"]});
    let plural = format!("{}s", subject["kind"].as_str().unwrap_or_default().to_lowercase());
    let resource = json!({"group": group, "version": version, "resource": plural});
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": kind,
            "resource": resource,
            "requestKind": kind,
            "requestResource": resource,
            "name": subject["metadata"]["name"],
            "namespace": subject["metadata"]["namespace"],
            "operation": operation,
            "userInfo": {"username": "ada", "groups": ["system:authenticated"]},
            "object": object,
            "oldObject": old,
            "dryRun": false,
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
        },
    })
}

/// A puppet that states the verdict on itself; see `tests/guest`.
pub fn puppet(opinion: &Value) -> Value {
    crate::function::puppet(opinion)
}

/// A valid composite.
pub fn composite(name: &str) -> Value {
    json!({
        "apiVersion": "inference.devopstoolkit.ai/v1alpha1",
        "kind": "LLMInference",
        "metadata": {"name": name, "namespace": "team-a"},
        "spec": {"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": 1, "providerConfigName": "gpu-cluster"},
    })
}

/// Waits a moment, in which something must not happen.
pub fn a_moment() {
    std::thread::sleep(Duration::from_millis(300));
}
