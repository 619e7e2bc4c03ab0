//! The scripts of OtterScale's kinds, run by the shells that images have, with a `kit` that records its arguments. What a user
//! writes arrives as it is, whatever a shell would make of it.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use inference::otterscale::shell::{IMPORT, UNPACK, UNPACK_WITH_TLS};
use native::skipped::skip;

/// Shells that images have.
const SHELLS: &[&[&str]] = &[&["sh"], &["dash"], &["busybox", "sh"], &["bash"]];

/// Notes its arguments, each in a line of its own in hexadecimal digits, and fails when it should.
const KIT: &str = r#"#!/bin/sh
{
  for argument in "$@"; do printf %s "$argument" | od -An -v -tx1 | tr -d ' \n'; echo; done
  echo end
} >>"$RECORD"
if [ "$1" = "${FAILS:-}" ]; then echo "$1 failed" >&2; exit 7; fi
if [ "$1" = push ]; then printf '%s\n' "${SAYS:-}"; fi
"#;

/// What would do harm if a shell read it.
const ODD: &str = "a'b\"c $(touch pwned) `touch pwned` ; touch pwned\n-d * $HOME \\";

/// A folder for a run, with `kit` in it.
struct Site {
    folder: PathBuf,
    shell: &'static [&'static str],
}

/// The end of a run: its exit code, the arguments of each `kit`, and what it says at its end.
#[derive(Debug, PartialEq)]
struct Ran {
    code: Option<i32>,
    calls: Vec<Vec<String>>,
    said: Option<String>,
}

impl Site {
    fn all(name: &str) -> Vec<Self> {
        let has = |shell: &[&str]| Command::new(shell[0]).args(&shell[1..]).args(["-c", "true"]).output().is_ok();
        let (found, missing): (Vec<_>, Vec<_>) = SHELLS.iter().copied().partition(|shell| has(shell));
        for shell in missing {
            skip(1, &format!("{name} in {}", shell.join(" ")), &format!("{} (apt)", shell[0]));
        }
        let site = |shell: &'static [&'static str]| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", shell[0]));
            Self { folder, shell }
        };
        found.into_iter().map(site).collect()
    }

    /// Runs a script with these variables, in which folders are those of the run.
    fn run(&self, script: &str, variables: &[(&str, &str)]) -> Ran {
        let at = |name: &str| self.folder.join(name);
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(at("bin")).expect("a folder");
        fs::create_dir_all(at("workspace")).expect("a folder");
        fs::write(at("bin/kit"), KIT).expect("a file");
        fs::set_permissions(at("bin/kit"), fs::Permissions::from_mode(0o755)).expect("a file");
        let text = |path: PathBuf| path.to_str().expect("a path").to_owned();
        let script = script
            .replace("/workspace", &text(at("workspace")))
            .replace("/dev/termination-log", &text(at("said")))
            .replace("/tmp/model-oci", &text(at("home")));
        let path = format!("{}:{}", text(at("bin")), env::var("PATH").expect("a path"));
        let given: BTreeMap<_, _> = variables.iter().copied().collect();
        let output: Output = Command::new(self.shell[0])
            .args(&self.shell[1..])
            .args(["-c", &script])
            .env_clear()
            .envs([("PATH", path.as_str()), ("RECORD", &text(at("record")))])
            .envs(given)
            .current_dir(&self.folder)
            .output()
            .expect("a shell");
        let record = fs::read_to_string(at("record")).unwrap_or_default();
        let mut calls = vec![Vec::new()];
        for line in record.lines() {
            match line {
                "end" => calls.push(Vec::new()),
                digits => calls.last_mut().expect("a call").push(read(digits)),
            }
        }
        calls.pop();
        assert!(
            !at("pwned").exists() && !at("workspace/pwned").exists(),
            "{:?} ran what it should pass on",
            self.shell
        );
        let workspace = text(at("workspace"));
        let calls =
            calls.into_iter().map(|call| call.into_iter().map(|it| it.replace(&workspace, "/workspace")).collect());
        Ran { code: output.status.code(), calls: calls.collect(), said: fs::read_to_string(at("said")).ok() }
    }
}

fn read(digits: &str) -> String {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    let bytes = pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect();
    String::from_utf8(bytes).expect("text")
}

fn calls(calls: &[&[&str]]) -> Vec<Vec<String>> {
    calls.iter().map(|call| call.iter().map(|&it| it.to_owned()).collect()).collect()
}

#[test]
fn unpacking() {
    for site in Site::all("unpacking") {
        let check = |script: &str, variables: &[(&str, &str)], code: i32, want: &[&[&str]]| {
            let ran = site.run(script, variables);
            assert_eq!(ran, Ran { code: Some(code), calls: calls(want), said: None }, "{:?} {variables:?}", site.shell);
        };
        let image = ("OCI_MODEL_IMAGE", "ghcr.io/org/model:v1");
        let folder = ("MODEL_MOUNT_PATH", "/models");
        check(UNPACK, &[image, folder], 0, &[&["unpack", image.1, "--plain-http", "-o", "-d", "/models"]]);
        check(UNPACK_WITH_TLS, &[image, folder], 0, &[&["unpack", image.1, "-o", "-d", "/models"]]);
        assert!(site.folder.join("home").is_dir(), "{:?} made no folder for kit", site.shell);
        let odd = [("OCI_MODEL_IMAGE", ODD), ("MODEL_MOUNT_PATH", ODD)];
        check(UNPACK, &odd, 0, &[&["unpack", ODD, "--plain-http", "-o", "-d", ODD]]);
        check(
            UNPACK,
            &[image, folder, ("FAILS", "unpack")],
            7,
            &[&["unpack", image.1, "--plain-http", "-o", "-d", "/models"]],
        );
        // Without its variables it does nothing.
        for variables in [&[image][..], &[folder], &[]] {
            let ran = site.run(UNPACK, variables);
            assert!(ran.code != Some(0) && ran.calls.is_empty(), "{:?} {variables:?}: {ran:?}", site.shell);
        }
    }
}

#[test]
fn importing() {
    let digest = format!("sha256:{}", "0a".repeat(32));
    let says = format!("Pushing sha256:{}\nPushed {digest}", "f".repeat(64));
    for site in Site::all("importing") {
        let check = |variables: &[(&str, &str)], code: i32, want: &[&[&str]], said: Option<&str>| {
            let ran = site.run(IMPORT, variables);
            let said = said.map(str::to_owned);
            assert_eq!(ran, Ran { code: Some(code), calls: calls(want), said }, "{:?} {variables:?}", site.shell);
        };
        let model = ("HF_REPO", "facebook/opt-125m");
        let target = ("OCI_TARGET", "ghcr.io/org/opt:v1");
        let (pack, kit) = (("FORMAT", "ModelPack"), ("FORMAT", "ModelKit"));
        let says = ("SAYS", says.as_str());
        let import: &[&str] = &["import", model.1, "--tag", "model:latest"];
        let unpack: &[&str] = &["unpack", "model:latest", "-o", "-d", "/workspace/model"];
        let packed: &[&str] = &["pack", "/workspace/model", "--use-model-pack", "-t", target.1];
        let tag: &[&str] = &["tag", "model:latest", target.1];
        let push: &[&str] = &["push", target.1];
        check(&[model, target, pack, says], 0, &[import, unpack, packed, push], Some(&digest));
        check(&[model, target, kit, says], 0, &[import, tag, push], Some(&digest));
        // What `kit` says has no digest.
        check(&[model, target, kit, ("SAYS", "sha256:short")], 0, &[import, tag, push], Some(""));
        let plain: &[&str] = &["push", target.1, "--plain-http"];
        check(&[model, target, kit, says, ("PLAIN_HTTP", "true")], 0, &[import, tag, plain], Some(&digest));
        let odd_import: &[&str] = &["import", ODD, "--tag", "model:latest", "--ref", ODD, "--token", ODD];
        let odd = [("HF_REPO", ODD), ("HF_REVISION", ODD), ("HF_TOKEN", ODD), ("OCI_TARGET", ODD), kit, says];
        check(&odd, 0, &[odd_import, &["tag", "model:latest", ODD], &["push", ODD]], Some(&digest));
        check(&[model, target, pack, ("FAILS", "import")], 7, &[import], None);
        check(&[model, target, pack, ("FAILS", "unpack")], 7, &[import, unpack], None);
        check(&[model, target, pack, ("FAILS", "pack")], 7, &[import, unpack, packed], None);
        check(&[model, target, kit, ("FAILS", "tag")], 7, &[import, tag], None);
        check(&[model, target, kit, says, ("FAILS", "push")], 1, &[import, tag, push], None);
        for missing in ["HF_REPO", "OCI_TARGET", "FORMAT"] {
            let variables: Vec<_> = [model, target, kit].into_iter().filter(|(name, _)| *name != missing).collect();
            let ran = site.run(IMPORT, &variables);
            assert!(ran.code != Some(0) && ran.said.is_none(), "{:?} without {missing}: {ran:?}", site.shell);
        }
    }
}
