//! Tests of the packages that `make package` builds. `make publish` pushes them to a registry on loopback. The binary
//! that runs here is the one in the packages, for each architecture that they are built for.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use inference::KINDS;
use serde_json::{Value, json};
use tests::files::workspace;
use tests::function::{Server, eventually, free_address, request};
use tests::golden::documents;
use tests::real::http::page;

const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

#[test]
#[ignore = "it needs packages and what they are built with: `make e2e-package`"]
fn packages() {
    let registry = Registry::start();
    run(Command::new("make").current_dir(workspace()).arg("publish").arg(format!("REGISTRY={}", registry.repository)));

    let function = registry.package("function-sailplane");
    let architectures = architectures();
    let want: Vec<_> = architectures.iter().map(|it| format!("linux/{}", it.name)).collect();
    assert_eq!(platforms(&function), want);
    let inputs = KINDS.inputs.iter().map(|_| "CustomResourceDefinition");
    let want: Vec<_> = std::iter::once("Function").chain(inputs).collect();
    assert_eq!(kinds(&function, &architectures[0]), want);
    architectures.iter().for_each(|it| runs(&function, it));

    for (name, want) in configurations() {
        let mut found = kinds(&registry.package(&name), &architectures[0]);
        found.sort_unstable();
        assert_eq!(found, want, "{name}");
    }
}

/// The Configurations, each with the kinds of the objects in it.
fn configurations() -> BTreeMap<String, Vec<String>> {
    let mut configurations = BTreeMap::new();
    for folder in fs::read_dir(workspace().join("package")).expect("a folder").flatten() {
        let files = fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.path());
        let yaml = files.filter(|file| file.extension().is_some_and(|it| it == "yaml"));
        let kind = |file: PathBuf| -> String {
            let text = fs::read_to_string(file).expect("it can be read");
            documents(&text).expect("it is YAML")[0]["kind"].as_str().unwrap_or_default().to_owned()
        };
        let mut kinds: Vec<_> = yaml.map(kind).collect();
        kinds.sort_unstable();
        let is_package = folder.path().join("crossplane.yaml").exists();
        if is_package && kinds.iter().any(|kind| kind == "Configuration") {
            configurations.insert(folder.file_name().to_string_lossy().into_owned(), kinds);
        }
    }
    let defined = configurations.values().flatten().filter(|kind| *kind == "CompositeResourceDefinition").count();
    assert_eq!(defined, KINDS.entries().len(), "each kind is defined in one package");
    assert_eq!(configurations["sailplane"], ["Configuration"], "it holds nothing but dependencies");
    configurations
}

/// An architecture that packages are built for.
#[derive(Clone, Copy)]
struct Architecture {
    /// Its name in packages and in make.
    name: &'static str,
    /// Its name in Rust.
    rust: &'static str,
    /// `e_machine` in the ELF header of its executables.
    machine: u16,
    /// The emulator that runs its executables on other machines.
    emulator: &'static str,
}

#[rustfmt::skip]
const ARCHITECTURES: [Architecture; 2] = [
    Architecture { name: "amd64", rust: "x86_64", machine: 62, emulator: "qemu-x86_64-static" },
    Architecture { name: "arm64", rust: "aarch64", machine: 183, emulator: "qemu-aarch64-static" },
];

/// The architectures that make was told to build for; all when it was told nothing.
fn architectures() -> Vec<Architecture> {
    let told = std::env::var("ARCHITECTURES").unwrap_or_else(|_| "amd64 arm64".to_owned());
    let named = |it: &Architecture| told.split_whitespace().any(|name| name == it.name);
    ARCHITECTURES.into_iter().filter(named).collect()
}

/// Checks the image of an architecture: what is in it, how large it is, and that its binary answers.
fn runs(image: &str, architecture: &Architecture) {
    let emulator = Some(architecture.emulator).filter(|_| architecture.rust != std::env::consts::ARCH);
    let Architecture { name: architecture, machine, .. } = *architecture;
    let platform = format!("linux/{architecture}");
    let config = crane(&["config", "--platform", &platform, image]);
    let config: Value = serde_json::from_slice::<Value>(&config).expect("JSON")["config"].take();
    assert_eq!(config["User"], "2000:2000", "{platform}");
    assert_eq!(config["Entrypoint"], json!(["/sailplane", "function"]), "{platform}");
    assert_eq!(config["ExposedPorts"], json!({"8080/tcp": {}, "8081/tcp": {}, "9443/tcp": {}}), "{platform}");

    let folder = unpack(image, architecture);
    assert_eq!(files(&folder), [".up", "package.yaml", "sailplane"], "examples, the package, and one binary");
    let binary = folder.join("sailplane");
    assert_eq!(Elf::of(&binary), Elf { machine, interpreter: false }, "{platform}");
    for folder in [workspace(), sources()] {
        let folder = folder.to_string_lossy();
        assert!(!contains(&binary, &folder), "{platform}: the binary names the folder {folder} of who built it");
    }

    let command = |arguments: &[&str]| {
        let mut command = Command::new(emulator.map_or_else(|| binary.clone(), PathBuf::from));
        command.args(emulator.map(|_| &binary)).args(arguments);
        command
    };
    let version = run(&mut command(&["--version"]));
    let version = String::from_utf8(version).expect("it prints UTF-8");
    let named = commit().is_none_or(|commit| version.contains(&format!("\ncommit:    {commit}\n")));
    assert!(named, "{platform}: the binary is not of the commit that is checked out: {version}");

    let server = Server::run(command(&["function", "--insecure"]));
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let response = runtime.block_on(async { server.client().await.run_function(request(&example())).await });
    let desired = response.expect("it answers").into_inner().desired.expect("something is desired");
    let mut composed: Vec<_> = desired.resources.into_keys().collect();
    composed.sort();
    assert_eq!(composed, ["ingress", "vllm-runtime"], "{platform}");

    let address = free_address();
    let mut serve = command(&["preview", "--address", &address.to_string()]);
    let mut serving = serve.stderr(Stdio::null()).spawn().expect("it starts");
    eventually("the preview page is served", || {
        page(address.port(), "/").is_ok_and(|page| page.contains("<title>Sailplane"))
    });
    serving.kill().and_then(|()| serving.wait()).expect("it ends");
}

/// The commit that is checked out. None outside of a Git checkout.
fn commit() -> Option<String> {
    let is_checkout = workspace().join(".git").exists();
    let mut git = Command::new("git");
    git.current_dir(workspace()).args(["rev-parse", "--short=12", "HEAD"]);
    is_checkout.then(|| String::from_utf8_lossy(&run(&mut git)).trim_end().to_owned())
}

/// Where cargo keeps the sources of dependencies.
fn sources() -> PathBuf {
    let home = std::env::home_dir().expect("a home directory");
    std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from).join("registry/src")
}

fn contains(file: &Path, text: &str) -> bool {
    let bytes = fs::read(file).expect("it can be read");
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// What the ELF headers of an executable say.
#[derive(Debug, PartialEq)]
struct Elf {
    /// `e_machine`.
    machine: u16,
    /// Whether a segment names a dynamic loader.
    interpreter: bool,
}

impl Elf {
    fn of(binary: &Path) -> Self {
        const PT_INTERP: u64 = 3;
        let bytes = fs::read(binary).expect("it can be read");
        assert!(bytes.starts_with(b"\x7fELF\x02\x01"), "it is for 64 bits, little-endian");
        let number =
            |at, size| bytes[at..at + size].iter().rev().fold(0, |sum: u64, byte| (sum << 8) | u64::from(*byte));
        let position = |at, size| usize::try_from(number(at, size)).expect("it lies in the file");
        let (headers, size, count) = (position(32, 8), position(54, 2), position(56, 2));
        let interpreter = (0..count).any(|i| number(headers + i * size, 4) == PT_INTERP);
        Self { machine: u16::try_from(number(18, 2)).expect("two bytes"), interpreter }
    }
}

/// A registry on loopback. It ends when this is dropped.
struct Registry {
    process: Child,
    repository: String,
}

impl Registry {
    fn start() -> Self {
        let address = free_address();
        let mut serve = Command::new(tool("crane"));
        serve
            .args(["registry", "serve", "--address", &address.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let process = serve.spawn().expect("crane can be run: make -C tests/e2e/tools package-tools");
        eventually("the registry listens", || TcpStream::connect(address).is_ok());
        Self { process, repository: format!("{address}/sailplane") }
    }

    /// The reference of a package in the registry.
    fn package(&self, name: &str) -> String {
        format!("{}/{name}:{TAG}", self.repository)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The platforms of an image, in the order of its index. An image for one platform only has no index.
fn platforms(image: &str) -> Vec<String> {
    let read = |what: &str| serde_json::from_slice::<Value>(&crane(&[what, image])).expect("JSON");
    let manifest = read("manifest");
    let platforms: Vec<Value> = match manifest["manifests"].as_array() {
        Some(manifests) => manifests.iter().map(|manifest| manifest["platform"].clone()).collect(),
        None => vec![read("config")],
    };
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    platforms.iter().map(|it| format!("{}/{}", text(&it["os"]), text(&it["architecture"]))).collect()
}

/// The kinds of the objects in a package.
fn kinds(image: &str, architecture: &Architecture) -> Vec<String> {
    let package =
        fs::read_to_string(unpack(image, architecture.name).join("package.yaml")).expect("it is in the package");
    let documents = documents(&package).expect("it is YAML");
    documents.iter().filter_map(|document| document["kind"].as_str().map(str::to_owned)).collect()
}

/// Unpacks an image into a folder of its own.
fn unpack(image: &str, architecture: &str) -> PathBuf {
    let name = image.rsplit('/').next().unwrap_or_default().replace(':', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package").join(format!("{name}-{architecture}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it can be created");
    let archive = folder.with_extension("tar");
    fs::write(&archive, crane(&["export", "--platform", &format!("linux/{architecture}"), image, "-"]))
        .expect("it can be written");
    run(Command::new("tar").arg("--extract").arg("--file").arg(&archive).arg("--directory").arg(&folder));
    fs::remove_file(&archive).expect("it can be removed");
    folder
}

/// The files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

fn example() -> Value {
    let text = fs::read_to_string(workspace().join("examples/llm-inference/llm-qwen.yaml")).expect("an example");
    documents(&text).expect("it is YAML").swap_remove(0)
}

fn crane(arguments: &[&str]) -> Vec<u8> {
    run(Command::new(tool("crane")).args(arguments))
}

/// The output of a command, which must succeed.
fn run(command: &mut Command) -> Vec<u8> {
    let output = command.stderr(Stdio::inherit()).output().expect("it can be run");
    assert!(output.status.success(), "{command:?} failed");
    output.stdout
}

fn tool(name: &str) -> PathBuf {
    let built = workspace().join("target/tools/bin");
    std::env::var_os("TOOLS").map_or(built, PathBuf::from).join(name)
}
