//! Builds the default component, wraps it, compiles it for the host's target, and asks it for its catalog. Writes the text of
//! `--version` too.
//!
//! The nested cargo uses its own target directory, because the cargo that runs this script holds the lock of the
//! workspace's. All builds use this directory, whatever their profile, target or wrapper, so the component is compiled
//! once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};
use wasmtime::component::{Component, Linker, Val};

#[path = "src/engine/tuning.rs"]
mod tuning;

fn main() -> Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let workspace = Path::new("..").canonicalize()?;
    for input in ["crates", "wit", "package", "examples", "Cargo.lock", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", workspace.join(input).display());
    }
    let module = build(&workspace, &target_dir(&out)?.join("component"))?;
    let component = wit_component::ComponentEncoder::default().validate(true).module(&module)?.encode()?;
    fs::write(out.join("component.wasm"), &component)?;
    let (code, contents) = compile(&component, &env::var("TARGET")?)?;
    fs::write(out.join("component.cwasm"), code)?;
    fs::write(out.join("contents.json"), contents)?;
    fs::write(out.join("version.txt"), version(&workspace, &component)?)?;
    fs::write(out.join("page.rs"), page(&workspace)?)?;
    Ok(())
}

/// The text of `--version`: the version, the commit when it is known, and the beginning of the component's hash.
fn version(workspace: &Path, component: &[u8]) -> Result<String> {
    let hash: String = Sha256::digest(component).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let commit = commit(workspace)?.map(|commit| format!("commit:    {commit}\n")).unwrap_or_default();
    Ok(format!("{}\n{commit}component: sha256:{hash}", env::var("CARGO_PKG_VERSION")?))
}

/// The commit of the checkout, in 12 digits. Without `.git`, set `SAILPLANE_COMMIT` to the commit. When the variable is
/// empty, there is no commit.
fn commit(workspace: &Path) -> Result<Option<String>> {
    println!("cargo::rerun-if-env-changed=SAILPLANE_COMMIT");
    if let Ok(commit) = env::var("SAILPLANE_COMMIT") {
        return Ok(Some(commit.chars().take(12).collect()).filter(|commit: &String| !commit.is_empty()));
    }
    // Only for release: in development, each commit would otherwise start a new build.
    if env::var("PROFILE")? != "release" || !workspace.join(".git").exists() {
        return Ok(None);
    }
    // The log of HEAD changes with each commit and checkout. Some clones have no such log.
    let watched =
        ["logs/HEAD", "HEAD"].into_iter().filter_map(|name| git(workspace, &["rev-parse", "--git-path", name]));
    if let Some(file) = watched.map(|path| workspace.join(path)).find(|file| file.exists()) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok(git(workspace, &["rev-parse", "--short=12", "HEAD"]))
}

/// The output of git. `None` when git fails or is not installed.
fn git(workspace: &Path, arguments: &[&str]) -> Option<String> {
    let done = Command::new("git").current_dir(workspace).args(arguments).output().ok()?;
    let printed = String::from_utf8(done.stdout).ok()?;
    done.status.success().then(|| printed.trim_end().to_owned())
}

/// Rust code: a slice with the path and content of each file of the preview page. The files are in the folder that
/// `SAILPLANE_PAGE` names; `make web` writes them. Without the variable, the binary has no page.
fn page(workspace: &Path) -> Result<String> {
    println!("cargo::rerun-if-env-changed=SAILPLANE_PAGE");
    let Some(page) = env::var_os("SAILPLANE_PAGE") else { return Ok("&[]".to_owned()) };
    let page = workspace.join(page);
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    list(&page, &mut files).with_context(|| format!("no page in {}", page.display()))?;
    files.sort();
    let entries = files.iter().map(|file| {
        let name = file.strip_prefix(&page)?.to_str().context("a name that is not UTF-8")?;
        Ok(format!("    ({name:?}, include_bytes!({:?})),\n", file.display().to_string()))
    });
    Ok(format!("&[\n{}]", entries.collect::<Result<String>>()?))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The target directory of the outer cargo. In it, this script's output folder is `[TARGET/]PROFILE/build/PACKAGE/out`.
fn target_dir(out: &Path) -> Result<&Path> {
    let folder = out.ancestors().nth(4).context("OUT_DIR is not where cargo puts it")?;
    let target = env::var("TARGET")?;
    Ok(folder.parent().filter(|_| folder.ends_with(target)).unwrap_or(folder))
}

/// Builds the component's core module.
fn build(workspace: &Path, target_dir: &Path) -> Result<Vec<u8>> {
    let status = Command::new(env::var("CARGO")?)
        .current_dir(workspace)
        // Cargo optimises at link time only when the crate type is cdylib alone. For tests the crate is a library too.
        .args(["rustc", "--quiet", "--locked", "--package=component", "--lib", "--crate-type=cdylib"])
        .args(["--profile=component", "--target=wasm32-unknown-unknown", "--target-dir"])
        .arg(target_dir)
        // Without the first flag, the linker pads references between functions to five bytes. The second is needed
        // because cargo does not strip a package that the profile has settings for.
        .args(["--", "-Clink-arg=--compress-relocations", "-Clink-arg=--strip-all"])
        // Flags of the outer cargo are for the host's code only. The component has the same bytes wherever it is built.
        .env("CARGO_ENCODED_RUSTFLAGS", remap(workspace)?)
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .context("cannot run cargo for the component")?;
    ensure!(status.success(), "building the component failed");
    let module = target_dir.join("wasm32-unknown-unknown/component/component.wasm");
    fs::read(&module).with_context(|| format!("no component at {}", module.display()))
}

/// Flags that keep the paths of this machine out of the compiled code: those of our sources and of dependencies.
fn remap(workspace: &Path) -> Result<String> {
    let home = env::home_dir().context("there is no home directory")?;
    let sources = env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from).join("registry/src");
    let sources = fs::read_dir(&sources).into_iter().flatten().flatten().map(|entry| (entry.path(), "cargo"));
    let flags = sources.chain([(workspace.to_owned(), "sailplane")]);
    let flags = flags.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    Ok(flags.collect::<Vec<_>>().join("\x1f"))
}

/// Compiles the component to code that runs on every processor of the architecture of `target`, and has it describe its
/// kinds. Without a target, wasmtime would use all processor features of the machine that builds.
fn compile(component: &[u8], target: &str) -> Result<(Vec<u8>, String)> {
    let host = env::var("HOST")?;
    let engine = engine(&host)?;
    let compiled = Component::new(&engine, component)?;
    let contents = describe(&engine, &compiled)
        .context("the component cannot describe its kinds; `cargo test -p native --test definitions` says why")?;
    let code =
        if host == target { compiled.serialize()? } else { self::engine(target)?.precompile_component(component)? };
    Ok((code, contents))
}

fn engine(target: &str) -> Result<wasmtime::Engine> {
    let mut config = wasmtime::Config::new();
    config.target(target)?;
    tuning::tune(&mut config);
    Ok(wasmtime::Engine::new(&config)?)
}

/// Has the component describe its kinds, for which it reads all their definitions. A component that cannot would only
/// fail when it is started. It always gives the same answer, so the host need not ask again: returns it as JSON, as the host's
/// types for it are spelled.
fn describe(engine: &wasmtime::Engine, component: &Component) -> Result<String> {
    let mut store = wasmtime::Store::new(engine, ());
    store.set_epoch_deadline(1); // nothing counts epochs here
    let instance = Linker::new(engine).instantiate(&mut store, component)?;
    let catalog = "sailplane:composition/catalog@0.1.0";
    let catalog = instance.get_export_index(&mut store, None, catalog).context("it has no catalog")?;
    let describe = instance.get_export_index(&mut store, Some(&catalog), "describe").context("it has no `describe`")?;
    let describe = instance.get_func(&mut store, describe).context("`describe` is no function")?;
    let mut contents = [Val::Bool(false)];
    describe.call(&mut store, &[], &mut contents)?;
    let mut json = String::new();
    let [contents] = contents;
    spell(&contents, &mut json)?;
    Ok(json)
}

/// Adds a value as JSON. The crate for it is not used, because it would be compiled a second time.
fn spell(value: &Val, json: &mut String) -> Result<()> {
    match value {
        Val::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
        Val::String(text) => quote(text, json),
        // The names of types and fields in WIT have hyphens. In Rust cases are in PascalCase, and fields in snake_case.
        Val::Enum(case) => {
            let capitalized =
                |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
            quote(&case.split('-').map(capitalized).collect::<String>(), json);
        }
        Val::List(items) => {
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                json.push_str(if index > 0 { "," } else { "" });
                spell(item, json)?;
            }
            json.push(']');
        }
        Val::Record(fields) => {
            json.push('{');
            for (index, (name, field)) in fields.iter().enumerate() {
                json.push_str(if index > 0 { "," } else { "" });
                quote(&name.replace('-', "_"), json);
                json.push(':');
                spell(field, json)?;
            }
            json.push('}');
        }
        other => bail!("catalogs have no value like {other:?}"),
    }
    Ok(())
}

fn quote(text: &str, json: &mut String) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
}
