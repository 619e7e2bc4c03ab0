//! The real `crossplane render` and ours, with a function for both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use contract::types::KindRef;
use inference::KINDS;
use tests::artifacts::sailplane;
use tests::files::workspace;
use tests::function::Server;

use crate::cases::Case;
use crate::surroundings::sample;

/// What a command printed to standard output.
#[derive(PartialEq, Eq)]
pub(crate) struct Printed(pub(crate) String);

/// A running function, and the files with which both commands find it.
pub(crate) struct Real {
    pub(crate) functions: PathBuf,
    dir: PathBuf,
    tools: PathBuf,
    _server: Server,
}

impl Real {
    /// Starts the function, and writes the definition of each kind to a file.
    pub(crate) fn start() -> Self {
        let server = Server::start(&[]);
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("render-parity");
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("the directory of tests can be written to");
        let functions = dir.join("functions.yaml");
        let function = format!(
            "apiVersion: pkg.crossplane.io/v1\n\
             kind: Function\n\
             metadata:\n  \
               name: sailplane-function-sailplane\n  \
               annotations:\n    \
                 render.crossplane.io/runtime: Development\n    \
                 render.crossplane.io/runtime-development-target: {}\n\
             spec:\n  \
               package: xpkg.crossplane.io/sailplane/function-sailplane:v0.1.0\n",
            server.grpc
        );
        fs::write(&functions, function).expect("the directory of tests can be written to");
        let tools = env::var_os("TOOLS").map_or_else(|| workspace().join("target/tools"), PathBuf::from).join("bin");
        let real = Self { functions, dir, tools, _server: server };
        for kind in KINDS.entries().into_iter().map(|entry| entry.kind) {
            let name = format!("{}.{}", kind.kind, kind.group());
            let printed = run(Command::new(sailplane()).args(["definitions", &name]));
            let Printed(definition) = printed.expect("definitions are printed");
            fs::write(real.definition(&kind), definition).expect("the directory of tests can be written to");
        }
        real
    }

    /// The file with the definition of a kind. For a kind that is not ours, it is that of the sample.
    pub(crate) fn definition(&self, kind: &KindRef) -> PathBuf {
        let sample = sample();
        let known = if KINDS.find(kind).is_some() { kind } else { &sample };
        self.dir.join(format!("xrd-{}.{}.yaml", known.kind, known.group()))
    }

    /// A directory of this run.
    pub(crate) fn dir(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Writes the files of a case to a folder, and returns the arguments for both commands.
    pub(crate) fn write(&self, case: &Case, dir: &Path) -> Vec<String> {
        fs::create_dir_all(dir).expect("the directory of tests can be written to");
        let file = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("the directory of tests can be written to");
            fs::write(&path, text).expect("the directory of tests can be written to");
            path.display().to_string()
        };
        let mut arguments = vec![
            file("composite.yaml", &case.composite),
            file("composition.yaml", &case.composition),
            self.functions.display().to_string(),
            format!("--xrd={}", self.definition(&case.kind).display()),
        ];
        let mut files: BTreeMap<_, _> = case.files.iter().map(|(name, text)| (*name, file(name, text))).collect();
        files.insert("folder", dir.display().to_string());
        arguments.extend(case.flags.iter().map(|flag| {
            files.iter().fold(flag.clone(), |flag, (name, path)| flag.replace(&format!("{{{name}}}"), path))
        }));
        arguments
    }

    /// Runs `crossplane render`.
    pub(crate) fn crossplane(&self, arguments: &[String]) -> Result<Printed, String> {
        let engine = self.tools.join("crossplane-engine");
        let mut command = Command::new(self.tools.join("crossplane"));
        command.arg("render").args(arguments).arg(format!("--crossplane-binary={}", engine.display()));
        if !arguments.iter().any(|argument| argument.starts_with("--timeout")) {
            // Its default timeout is one minute, which may be too short on a busy machine.
            command.arg("--timeout=10m");
        }
        // It writes its own files into this folder.
        run(command.env("HOME", &self.dir))
    }

    /// Runs `sailplane render`, with the same arguments.
    pub(crate) fn sailplane(&self, arguments: &[String]) -> Result<Printed, String> {
        run(Command::new(sailplane()).arg("render").args(arguments).arg("--crossplane-binary=unused"))
    }
}

fn run(command: &mut Command) -> Result<Printed, String> {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(Printed(String::from_utf8(output.stdout).expect("both print UTF-8")))
}
