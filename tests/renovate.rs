//! Renovate finds every version in the tables exactly once, by the expressions in `renovate.json`.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use inference::gpu_cluster::charts;
use inference::gpu_cluster::options::ClusterOptions;
use inference::providers::{HELM, KUBERNETES, releases};
use native::files::workspace;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use serde_json::Value;

/// An entry that an expression finds: data source, name, version.
type Entry = (String, String, String);

fn configuration() -> Value {
    let text = fs::read_to_string(workspace().join("renovate.json")).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|it| it.as_str().expect("text")).collect()
}

/// A pattern for paths, which stands between slashes.
fn pattern(text: &str) -> Regex {
    regex(text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).expect("a regular expression"))
}

/// An expression as Renovate's engine has it: its classes are those of ASCII.
fn regex(text: &str) -> Regex {
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    Regex::builder().syntax(syntax).build(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every source of the crates, and every manifest, by its path from the root.
fn paths() -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                let path = path.strip_prefix(workspace()).expect("it is in the checkout");
                found.push(path.to_str().expect("UTF-8").to_owned());
            }
        }
    }
    let mut found = Vec::new();
    ["crates", "package", "examples"].iter().for_each(|folder| walk(&workspace().join(folder), &mut found));
    found
}

/// What the expressions of `manager` find, with the place of each version.
fn found(manager: &Value) -> Vec<(Entry, (String, usize))> {
    let patterns: Vec<_> = texts(&manager["managerFilePatterns"]).into_iter().map(pattern).collect();
    let source = manager["datasourceTemplate"].as_str().expect("a data source");
    let files: Vec<_> = paths().into_iter().filter(|path| patterns.iter().any(|it| it.is_match(path))).collect();
    assert!(!files.is_empty(), "no file for {}", manager["description"]);
    let mut entries = Vec::new();
    for file in files {
        let text = fs::read_to_string(workspace().join(&file)).expect("UTF-8");
        for expression in texts(&manager["matchStrings"]) {
            let regex = regex(expression);
            let before = entries.len();
            for captures in regex.captures_iter(&text) {
                let group = |name: &str| {
                    let found = captures.get_group_by_name(name).unwrap_or_else(|| panic!("no {name}: {expression}"));
                    (text[found.range()].to_owned(), found.start)
                };
                let (version, at) = group("currentValue");
                entries.push(((source.to_owned(), group("depName").0, version), (file.clone(), at)));
            }
            assert!(entries.len() > before, "nothing is found by {expression}");
        }
    }
    entries
}

/// Every version that stands in a table.
fn wanted() -> Vec<Entry> {
    let entry = |source: &str, name: &str, version: &str| (source.to_owned(), name.to_owned(), version.to_owned());
    let floor = |constraint: &'static str| {
        constraint.strip_prefix(">=").and_then(|it| it.split(',').next()).expect("a constraint has a lower bound")
    };
    let mut wanted = vec![entry("docker", KUBERNETES.package, floor(KUBERNETES.version))];
    for release in releases() {
        wanted.push(entry("docker", release.provider.package, floor(release.provider.version)));
        wanted.push(entry("docker", release.provider.package, release.tag));
    }
    let (helm, tag) = HELM.rsplit_once(':').expect("a tag");
    wanted.push(entry("docker", helm, tag));
    for release in charts::RELEASES {
        let chart = release.chart;
        wanted.push(match chart.url.strip_prefix("oci://") {
            Some(image) => entry("docker", image, chart.version),
            None if chart.url.is_empty() => entry("helm", chart.name, chart.version),
            None => {
                let (_, file) = chart.url.rsplit_once('/').expect("a file");
                let version = file.strip_prefix(chart.name).and_then(|it| it.strip_prefix('-')).expect("a version");
                entry("helm", chart.name, version.strip_suffix(".tgz").expect("an archive"))
            }
        });
    }
    let operator = ClusterOptions::default().vllm_operator_image;
    for image in [&*operator, &served_by()] {
        let (name, tag) = image.rsplit_once(':').expect("a tag");
        wanted.push(entry("docker", name, tag));
    }
    wanted.sort();
    wanted
}

/// The image of vLLM, as a golden answer has it.
fn served_by() -> String {
    let path = workspace().join("tests/golden/llm-inference/example-llm-qwen/response.yaml");
    let text = fs::read_to_string(path).expect("a golden answer");
    let line = text.lines().find_map(|line| line.trim().strip_prefix("name: lmcache/")).expect("an image");
    format!("lmcache/{line}")
}

#[test]
fn every_version_is_found_exactly_once() {
    let configuration = configuration();
    let managers = configuration["customManagers"].as_array().expect("a list");
    let all: Vec<_> = managers.iter().flat_map(found).collect();
    let places: BTreeSet<_> = all.iter().map(|(_, place)| place).collect();
    assert_eq!(places.len(), all.len(), "a version is found by several expressions: {all:#?}");
    let mut entries: Vec<_> = all.into_iter().map(|(entry, _)| entry).collect();
    entries.sort();
    assert_eq!(entries, wanted());
}

/// The manager that knows Crossplane's manifests reads those that people apply, which the tables make.
#[test]
fn manifests_of_providers_are_read() {
    let configuration = configuration();
    let patterns: Vec<_> =
        texts(&configuration["crossplane"]["managerFilePatterns"]).into_iter().map(pattern).collect();
    let files: BTreeSet<_> = paths().into_iter().filter(|path| patterns.iter().any(|it| it.is_match(path))).collect();
    let (helm, _tag) = HELM.rsplit_once(':').expect("a tag");
    let providers = [("helm", helm), ("kubernetes", KUBERNETES.package)];
    let named = providers.map(|(name, _)| format!("package/install/provider-{name}.yaml"));
    assert_eq!(files, BTreeSet::from(named.clone()));
    for (file, (_, package)) in named.iter().zip(providers) {
        let text = fs::read_to_string(workspace().join(file)).expect("UTF-8");
        assert_eq!(text.matches(&format!("package: {package}:v")).count(), 1);
    }
    // Everything else in the folder of packages is generated, and has versions of our own only.
    assert_eq!(texts(&configuration["ignorePaths"]), ["package/!(install)/**"]);
}

/// A version stands in a table, and in no other source of the kind.
#[test]
fn versions_of_charts_stand_once() {
    let sources: String = paths()
        .into_iter()
        .filter(|path| path.starts_with("crates/inference/src/gpu_cluster") && path.ends_with(".rs"))
        .map(|path| fs::read_to_string(workspace().join(path)).expect("UTF-8"))
        .collect();
    for release in charts::RELEASES.iter().filter(|it| !it.chart.version.is_empty()) {
        let version = format!("\"{}\"", release.chart.version);
        let rows = charts::RELEASES.iter().filter(|it| it.chart.version == release.chart.version).count();
        assert_eq!(sources.matches(&version).count(), rows, "{version}");
    }
}

/// The rules of packages that apply to an update, in order. Of two rules that say the same, the later one counts.
fn rules<'c>(configuration: &'c Value, package: &str) -> Vec<&'c Value> {
    let names = |rule: &Value| {
        texts(&rule["matchPackageNames"]).iter().any(|name| match name.strip_suffix("**") {
            Some(begin) => package.starts_with(begin),
            None => *name == package,
        })
    };
    configuration["packageRules"].as_array().expect("a list").iter().filter(|rule| names(rule)).collect()
}

#[test]
fn what_moves_together_and_what_stays() {
    let configuration = configuration();
    let last = |package: &str, key: &str| -> Value {
        let rules = rules(&configuration, package);
        rules.iter().rev().find_map(|rule| rule.get(key)).cloned().unwrap_or_default()
    };
    let (helm, _) = HELM.rsplit_once(':').expect("a tag");
    let providers = releases().map(|it| it.provider.package).chain([KUBERNETES.package, helm]);
    for package in providers.chain(["github.com/crossplane-contrib/provider-kubernetes"]) {
        assert_eq!(last(package, "groupName"), "providers", "{package}");
    }
    for release in charts::RELEASES.iter().filter_map(|it| it.chart.url.strip_prefix("oci://")) {
        assert_eq!(last(release, "groupName"), "Envoy", "{release}");
    }
    assert_eq!(last("lmcache/vllm-openai", "enabled"), false);
    assert_eq!(last("lmcache/production-stack-operator", "enabled"), Value::Null);
    let majors = |rule: &&Value| texts(&rule["matchUpdateTypes"]) == ["major"];
    let rules = configuration["packageRules"].as_array().expect("a list");
    let held: Vec<_> = rules.iter().filter(majors).collect();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0]["dependencyDashboardApproval"], true);
    assert!(texts(&held[0]["matchFileNames"]).contains(&"crates/inference/src/**"));
}
