//! `sailplane check`: lines, places, exit codes and formats.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tests::admission::{Webhooks, create};
use tests::command::{Done, composite, file, run, run_on};
use tests::files::workspace;

const CRD: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example.org}
spec:
  group: acme.example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              colour: {type: string, enum: [red, green]}
            x-kubernetes-validations:
            - {rule: "self.size < 10 || self.colour == 'red'", message: "large widgets are red"}
"#;

/// The message that the API server adds when mistakes prevent the evaluation of rules.
const RULES_SKIPPED: &str = "1:1 invalid Invalid value: null: some validation rules were not checked because the object \
                             was invalid; correct the existing errors to complete validation";

fn widget(spec: &str) -> String {
    format!("apiVersion: acme.example.org/v1\nkind: Widget\nmetadata: {{name: w, namespace: team-a}}\nspec: {spec}\n")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
}

/// The summary without the duration.
fn summary(done: &Done) -> &str {
    done.err.lines().last().and_then(|line| line.rsplit_once(", ")).map_or("", |(counts, _)| counts)
}

#[test]
fn every_example_is_valid() {
    let done = run(&["check", "examples"]);
    assert!(done.ok && !done.out.contains('×'), "{}{}", done.out, done.err);
    assert!(summary(&done).contains(": 0 errors"), "{}", done.err);
}

/// Each problem has the API server's message and its place.
#[test]
fn findings() {
    let crd = file("widgets.yaml", CRD);
    let ours = |more: &str| composite("qwen") + more;
    //    text                             line:column code           message
    for (text, expected) in [
        (
            ours("  gpu: 0\n"),
            &["9:8 invalid spec.gpu: Invalid value: 0: spec.gpu in body should be greater than or equal to 1"][..],
        ),
        (ours("  gpus: 4\n"), &["9:3 unknown-field unknown field \"spec.gpus\""]),
        (
            ours("  gpus: 4\n  gpu: 0\n"),
            &[
                "9:3 unknown-field unknown field \"spec.gpus\"",
                "10:8 invalid spec.gpu: Invalid value: 0: spec.gpu in body should be greater than or equal to 1",
            ],
        ),
        (widget("{size: 1}"), &[]),
        (
            widget("{size: 0}"),
            &["4:14 invalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"],
        ),
        (widget("{size: 1, color: red}"), &["4:17 unknown-field unknown field \"spec.color\""]),
        (widget("{}"), &[RULES_SKIPPED, "4:1 required spec.size: Required value"]),
        (
            widget("{size: 1, colour: blue}"),
            &[
                RULES_SKIPPED,
                "4:25 not-supported spec.colour: Unsupported value: \"blue\": supported values: \"red\", \"green\"",
            ],
        ),
        (widget("{size: 10, colour: green}"), &["4:1 invalid spec: Invalid value: large widgets are red"]),
        ("a: [\n".to_owned(), &["1:4 syntax not well-formed YAML: `[` is not closed"]),
        (
            "- a\n".to_owned(),
            &["1:1 type-invalid a document is a mapping with `apiVersion`, `kind` and `metadata`, not a list"],
        ),
        (
            format!("a: {}\nb: 1\n", "x".repeat(4 << 20)),
            &["2:1 syntax the document has more than 3145728 characters, the most an API server accepts"],
        ),
    ] {
        let done = run_on(text.as_bytes(), &["check", "-", "--schemas", path(&crd), "--output", "json"]);
        let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
        let findings = found["findings"].as_array().expect("it is an array").iter().map(|finding| {
            let text = |key: &str| finding[key].as_str().expect("it is text").to_owned();
            format!("{}:{} {} {}", finding["line"], finding["column"], text("code"), text("message"))
        });
        let shown: String = text.chars().take(300).collect();
        assert_eq!(findings.collect::<Vec<_>>(), expected, "{shown}");
        assert_eq!(done.ok, expected.is_empty(), "{shown}");
    }
}

/// The platform's options are used, and mistakes in them have their place.
#[test]
fn options() {
    let large = composite("qwen").replace("Qwen2.5-1.5B", "Qwen2.5-72B");
    let check = |more: &str, ok: bool, part: &str| {
        let head = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n";
        let options = file("options.yaml", &format!("{head}{more}\n"));
        let done = run_on(large.as_bytes(), &["check", "-", "--input", path(&options)]);
        assert!(done.ok == ok && (done.out + &done.err).contains(part), "{more}: no `{part}`");
    };
    check("llmInference: {memoryAdvice: refuse}", true, ": 0 errors, 0 warnings");
    check("{llmInference: {}}", false, "options.yaml:4:1");
    check("llmInference: {memoryAdvice: refuse, gpuMemory: 80Gi}", false, "`Qwen/Qwen2.5-72B-Instruct` cannot fit");
    check("llmInference: {gpuMemory: 80Gi}", true, ": 0 errors, 1 warning");
    check("memoryAdvise: refuse", false, "options.yaml:3:1");
}

/// A grant as it is makes Crossplane refuse everything in a cluster, so every door that knows the options says so.
#[test]
fn every_door_warns_of_a_grant_as_it_is() {
    // Lines for people end there.
    let told = "the options compose the grant of the endpoint picker as it is";
    let service = fs::read_to_string(workspace().join("examples/otterscale/serve-llama.yaml")).expect("an example");
    for (mode, warned) in [("direct", true), ("none", false)] {
        let head = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nmodelService:";
        let options = file(&format!("grant-{mode}.yaml"), &format!("{head} {{clusterRBAC: {mode}}}\n"));
        for command in ["check", "render"] {
            let done = run_on(service.as_bytes(), &[command, "-", "--input", path(&options)]);
            assert!(done.ok, "{command} {mode}: {}{}", done.out, done.err);
            assert_eq!((done.out + &done.err).contains(told), warned, "{command} {mode}");
        }
        let service = yaml::values(&service).remove(0).expect("it is YAML");
        let verdict = Webhooks::start(&["--options", path(&options)]).review("/validate", &create(&service));
        assert_eq!(
            (&verdict["allowed"], verdict.to_string().contains(told)),
            (&json!(true), warned),
            "{mode}: {verdict}"
        );
    }
}

#[test]
fn json_is_one_object() {
    let text = composite("qwen") + "  gpus: 4\n---\napiVersion: v1\nkind: Gadget\nmetadata: {name: a}\n";
    let done = run_on(text.as_bytes(), &["check", "-", "--output", "json"]);
    let expected = json!({
        "files": 1, "errors": 1, "warnings": 0, "unknown": 1,
        "objects": [
            {
                "file": "<stdin>", "document": 0, "line": 1, "name": "qwen", "checked": true,
                "apiVersion": "inference.devopstoolkit.ai/v1alpha1", "kind": "LLMInference", "namespace": "team-a",
            },
            {
                "file": "<stdin>", "document": 1, "line": 11, "name": "a", "checked": false,
                "apiVersion": "v1", "kind": "Gadget", "namespace": "",
            },
        ],
        "findings": [{
            "file": "<stdin>", "document": 0, "line": 9, "column": 3, "endLine": 9, "endColumn": 7,
            "severity": "error", "code": "unknown-field", "path": "spec.gpus",
            "message": "unknown field \"spec.gpus\"", "fix": {"rename": "gpu"},
        }],
    });
    assert_eq!(serde_json::from_str::<Value>(&done.out).expect("it is JSON"), expected);
    assert_eq!(summary(&done), "checked 1 file, 2 objects: 1 error, 0 warnings, 1 object without a schema");
    assert!(done.err.starts_with("no schema of Gadget (v1): a\n"), "{}", done.err);
}

#[test]
fn a_near_miss_shows_what_was_meant() {
    let done = run_on(composite("qwen").replace("LLMInference", "LlmInference").as_bytes(), &["check", "-"]);
    let report = "  × kind: no kind `inference.devopstoolkit.ai/v1alpha1` LlmInference
   ╭─[<stdin>:2:7]
 1 │ apiVersion: inference.devopstoolkit.ai/v1alpha1
 2 │ kind: LlmInference
   ·       ──────┬─────
   ·             ╰── here
 3 │ metadata:
   ╰────
  help: write \"LLMInference\"
";
    assert_eq!((done.ok, done.out.as_str()), (false, report));
}

#[test]
fn schemas_may_be_required() {
    let text = "apiVersion: v1\nkind: Gadget\nmetadata: {name: a}\n---\napiVersion: inference.devopstoolkit.ai/v1\n\
                kind: LLMInference\nmetadata: {name: a}\n";
    let done = run_on(text.as_bytes(), &["check", "-", "--require-schema", "--output", "github"]);
    let lines = "::error file=<stdin>,line=1,col=1,endLine=1,title=not-found::kind: no schema of `v1` Gadget, \
                 so the object is not checked (give a folder with its schema by --schemas)\n\
                 ::error file=<stdin>,line=5,col=13,endLine=5,title=not-supported::apiVersion: no kind \
                 `inference.devopstoolkit.ai/v1` LLMInference (write \"inference.devopstoolkit.ai/v1alpha1\")\n";
    assert_eq!((done.ok, done.out.as_str()), (false, lines));
}

/// What is ignored is left out, and so are Helm charts, which are mentioned.
#[test]
fn files_are_left_out() {
    let bad = "not: [read";
    for (name, text) in [
        ("one.yaml", composite("one").as_str()),
        ("values-dev.yaml", bad),
        ("drafts/two.yaml", bad),
        ("deep/er/three.yaml", bad),
        ("deep/kept.yaml", &composite("kept")),
        ("deep/.sailplaneignore", "# a comment\n\ner/\nkept*\n!kept.yaml\n"),
        ("chart/Chart.yaml", "apiVersion: v2\nname: c\n"),
        ("chart/values.yaml", "a: 1\n"),
        ("chart/templates/x.yaml", "a: {{ .Values.a }}\n"),
    ] {
        file(&format!("left-out/{name}"), text);
    }
    let folder = file("left-out/notes.txt", "").parent().expect("it has one").to_owned();
    let done = run(&["check", path(&folder), "--ignore", "values*.yaml", "--ignore", "/drafts"]);
    assert!(done.ok, "{}{}", done.out, done.err);
    assert_eq!(summary(&done), "checked 2 files, 2 objects: 0 errors, 0 warnings, 0 objects without a schema");
    let note = format!("note: {}/chart is left out: it is a Helm chart; check what `helm template`", path(&folder));
    assert!(done.err.starts_with(&note), "{}", done.err);

    let chart = folder.join("chart");
    let done = run(&["check", path(&chart)]);
    assert!(!done.ok && done.err.contains("nothing to check"), "{}", done.err);
    let done = run(&["check", path(&folder), "--ignore", "a["]);
    assert!(!done.ok && done.err.contains("invalid value 'a['"), "{}", done.err);
    let empty = file("without-yaml/notes.txt", "");
    // In one line: text is wrapped, and where depends on the path.
    let done = run(&["check", path(empty.parent().expect("it has one")), "--output", "github"]);
    assert!(done.out.contains("their names end with .yaml"), "{}{}", done.out, done.err);
}

/// Objects in different files are compared, in any number of batches and with schemas.
#[test]
fn files_are_compared() {
    let host = |name: &str, host: &str| format!("{}  ingressHost: {host}.example.org\n", composite(name));
    let folder = file("compared/a.yaml", &host("a", "same")).parent().expect("it has one").to_owned();
    for number in 0..20 {
        file(&format!("compared/b/{number:02}.yaml"), &host(&format!("b{number}"), &format!("h{number}")));
    }
    file("compared/c.yaml", &format!("{}---\n{}", host("c", "same"), widget("{size: 1}")));
    file("compared/d.yaml", &widget("{size: 2}"));
    let crd = file("compared-crd.yaml", CRD);
    let done = run(&["check", path(&folder), "--schemas", path(&crd), "--output", "github"]);
    let lines: Vec<_> = done.out.lines().map(|line| line.split_once("title=").map_or("", |(_, title)| title)).collect();
    let expected = [
        "duplicate::spec.ingressHost: host `same.example.org` is that of LLMInference `team-a/a` on the same cluster \
         already; choose another host",
        &format!(
            "duplicate::metadata.name: the same object is at {}/c.yaml:11; when both are applied, only this one stays",
            path(&folder)
        ),
    ];
    assert_eq!(lines, expected, "{}", done.err);
}

#[test]
fn options_are_known() {
    let options = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nttl: 1m\n";
    let done = run_on(options.as_bytes(), &["check", "-", "--require-schema"]);
    assert!(done.ok, "{}{}", done.out, done.err);
    let done = run_on(options.replace("ttl", "tll").as_bytes(), &["check", "-"]);
    assert!(!done.ok && done.out.contains("did you mean `ttl`?"), "{}{}", done.out, done.err);
}

/// `render` and `check` say the same of a composite without a namespace.
#[test]
fn a_missing_namespace_is_the_same_everywhere() {
    let text = composite("qwen").replace("  namespace: team-a\n", "");
    let check = run_on(text.as_bytes(), &["check", "-"]);
    let render = run_on(text.as_bytes(), &["render", "-"]);
    assert!(check.ok && render.ok, "{}{}", check.err, render.err);
    assert!(
        check.out.contains("metadata.namespace: missing: kubectl takes the namespace of its context"),
        "{}",
        check.out
    );
    assert_eq!(check.out, render.err);
    assert!(render.out.contains("  namespace: default\n"), "{}", render.out);
}

/// What `render` prints can be checked.
#[test]
fn check_takes_what_render_prints() {
    let example = "examples/llm-inference/llm-qwen.yaml";
    for flags in [&[][..], &["-x"], &["-r", "-c"], &["--output", "json"], &["--output", "manifests"]] {
        let rendered = run(&[&["render", example], flags].concat());
        let done = run_on(rendered.out.as_bytes(), &["check", "-"]);
        assert!(done.ok, "{flags:?}\n{}{}", done.out, done.err);
    }
}

#[test]
fn a_folder_without_schemas_is_mentioned() {
    let folder = file("no-schemas/a.yaml", "a: 1\n").parent().expect("it has one").to_owned();
    let done = run_on(composite("qwen").as_bytes(), &["check", "-", "--schemas", path(&folder)]);
    let warning = format!("warning: no schema in {}; known are CustomResourceDefinitions", path(&folder));
    assert!(done.ok && done.err.starts_with(&warning), "{}", done.err);
}

#[test]
fn text_shows_the_line_and_what_was_meant() {
    let done = run_on((composite("qwen") + "  gpus: 4\n").as_bytes(), &["check", "-"]);
    let report = "  × unknown field \"spec.gpus\"
   ╭─[<stdin>:9:3]
 8 │   providerConfigName: gpu-cluster
 9 │   gpus: 4
   ·   ──┬─
   ·     ╰── here
   ╰────
  help: did you mean `gpu`?
";
    assert_eq!((done.ok, done.out.as_str()), (false, report));
    assert_eq!(summary(&done), "checked 1 file, 1 object: 1 error, 0 warnings, 0 objects without a schema");
}

#[test]
fn github_gets_workflow_commands() {
    let bad = file("a,b/bad.yaml", &(composite("qwen") + "  gpus: 50%\n"));
    let done = run(&["check", path(&bad), "--output", "github"]);
    let name = path(&bad).replace(',', "%2C");
    let line = "title=unknown-field::unknown field \"spec.gpus\" (did you mean `gpu`?)\n";
    assert_eq!(done.out, format!("::error file={name},line=9,col=3,endLine=9,{line}"));
    assert!(!done.ok);
}

/// The schema of SARIF 2.1.0, for the parts that are used.
const SARIF: &str = r##"{
  "type": "object", "required": ["version", "runs"],
  "properties": {
    "version": {"const": "2.1.0"},
    "runs": {"type": "array", "items": {
      "type": "object", "required": ["tool"],
      "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
          "type": "object", "required": ["name"], "properties": {"rules": {
            "type": "array", "uniqueItems": true, "items": {
              "type": "object", "required": ["id"],
              "properties": {"shortDescription": {"type": "object", "required": ["text"]}}}}}}}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": {
          "type": "object", "required": ["message", "ruleId", "ruleIndex", "locations"],
          "properties": {
            "level": {"enum": ["none", "note", "warning", "error"]},
            "message": {"type": "object", "required": ["text"]},
            "ruleIndex": {"type": "integer", "minimum": -1},
            "locations": {"type": "array", "minItems": 1, "items": {
              "type": "object", "required": ["physicalLocation"],
              "properties": {"physicalLocation": {
                "type": "object", "required": ["artifactLocation", "region"],
                "properties": {
                  "artifactLocation": {"type": "object", "properties": {"uri": {"type": "string", "format": "uri-reference"}}},
                  "region": {"type": "object", "properties": {
                    "startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1},
                    "endLine": {"type": "integer", "minimum": 1}, "endColumn": {"type": "integer", "minimum": 1}}}}}}}}}}}}}}}
}"##;

#[test]
fn sarif_has_rules_and_regions() {
    let done = run_on((composite("qwen") + "  gpus: 4\n  gpu: 0\n").as_bytes(), &["check", "-", "--output", "sarif"]);
    let log: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.enable_format_assertions();
    let schema = serde_json::from_str(SARIF).expect("it is JSON");
    compiler.add_resource("sarif.json", schema).expect("it is a schema");
    let schema = compiler.compile("sarif.json", &mut schemas).expect("it is a schema");
    schemas.validate(&log, schema).unwrap_or_else(|error| panic!("{error}"));

    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("it is an array");
    assert_eq!(results.len(), 2);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("it is an index")).expect("it is small");
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let region = &results[0]["locations"][0]["physicalLocation"];
    let expected = json!({"startLine": 9, "startColumn": 3, "endLine": 9, "endColumn": 7});
    assert_eq!((&region["artifactLocation"]["uri"], &region["region"]), (&"%3Cstdin%3E".into(), &expected));
}

#[test]
fn warnings_count_when_they_are_asked_to() {
    let example = "examples/llm-inference/llm-kimi.yaml";
    let done = run(&["check", example]);
    assert!(done.ok && done.out.contains("is gated") && done.err.contains("1 warning,"), "{}{}", done.out, done.err);
    assert!(!run(&["check", "--strict", example]).ok);
    // A warning points at its field.
    let found: Value = serde_json::from_str(&run(&["check", "--output", "json", example]).out).expect("it is JSON");
    let warning = &found["findings"][0];
    assert_eq!((&warning["severity"], &warning["path"]), (&json!("warning"), &json!("spec.model")), "{warning}");
    assert!(run(&["check", "--strict", "examples/llm-inference/llm-qwen.yaml"]).ok);
}

#[test]
fn nothing_to_check_is_an_error() {
    for text in ["", "---\n# nothing\n"] {
        let done = run_on(text.as_bytes(), &["check", "-"]);
        assert!(!done.ok && done.err.contains("nothing to check"), "{text:?}: {}", done.err);
    }
}

/// A file that cannot be read or checked is a finding, in every format, and the others are checked.
#[test]
fn one_bad_file_does_not_hide_the_others() {
    let guest = path(tests::artifacts::guest());
    let trap = r#"{"apiVersion": "guest.example.org/v1", "kind": "Puppet", "spec": {"act": "trap"}}"#;
    let trap = file("bad-trap.json", trap);
    let latin = file("bad-latin.yaml", "");
    fs::write(&latin, b"a: \xff\n").expect("it can be written");
    let bomb =
        file("bad-bomb.yaml", &format!("a: &a [{0}]\nb: &b [{1}]\nc: [{1}]\n", "1, ".repeat(999), "*a, ".repeat(999)));
    let (wrong, crd) = (file("bad-wrong.yaml", &widget("{size: 1, color: red}")), file("bad-crd.yaml", CRD));
    let files = ["nowhere.yaml", "/dev/zero", path(&latin), path(&bomb), path(&trap), path(&wrong)];
    let known = [
        "cannot read nowhere.yaml: No such file or directory",
        "cannot read /dev/zero: it is a device, a pipe or a socket, not a file",
        "not UTF-8 text",
        "the text expands to more than is read",
        "the file cannot be checked: the module stopped",
        "unknown field",
    ];
    for format in ["text", "json", "sarif", "github"] {
        let arguments = [
            &["check", "--schemas", path(&crd), "--schemas", "nowhere"][..],
            &["--module", guest, "--output", format],
            &files,
        ]
        .concat();
        let done = run(&arguments);
        let shown: String = done.out.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        for part in known.iter().chain(&["cannot read nowhere: No such file"]) {
            assert!(!done.ok && shown.contains(part), "{format}: no `{part}` in\n{}{}", done.out, done.err);
        }
    }
}

/// An object with many mistakes has a finding for the first 1,000, and one that says how many more there are.
#[test]
fn a_document_has_a_thousand_findings() {
    let crd = file("widgets-many.yaml", CRD);
    let fields: String = (0..100_000).map(|number| format!("  f{number:06}: 1\n")).collect();
    let text =
        format!("apiVersion: acme.example.org/v1\nkind: Widget\nmetadata: {{name: w}}\nspec:\n  size: 1\n{fields}");
    let done = run_on(text.as_bytes(), &["check", "-", "--schemas", path(&crd), "--output", "json"]);
    let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let findings = found["findings"].as_array().expect("it is an array");
    assert_eq!(findings.len(), 1001);
    let last = "spec.f001000: 99000 more problems are not listed; the first of them is here";
    assert_eq!(findings[1000]["message"], json!(last));
    assert_eq!(findings[1000]["line"], json!(1006));

    // Several objects of one document have no more.
    let item = format!("- {}", text.replace('\n', "\n  "));
    let list = format!("apiVersion: v1\nkind: List\nitems:\n{item}\n{item}\n");
    let done = run_on(list.as_bytes(), &["check", "-", "--schemas", path(&crd), "--output", "json"]);
    let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(1001));

    // What is no object is a problem of the list.
    let list = format!("apiVersion: v1\nkind: List\nitems: [{}1]\n", "1,".repeat(2_000));
    let done = run_on(list.as_bytes(), &["check", "-", "--output", "json"]);
    let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(1001));

    // A text of many documents has ten times as many.
    let fields: String = (0..1_000).map(|number| format!("  f{number}: 1\n")).collect();
    let document =
        format!("apiVersion: acme.example.org/v1\nkind: Widget\nmetadata: {{name: w}}\nspec:\n{fields}---\n");
    let done = run_on(document.repeat(11).as_bytes(), &["check", "-", "--schemas", path(&crd), "--output", "json"]);
    let found: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let findings = found["findings"].as_array().expect("it is an array");
    assert_eq!(findings.len(), 10_001);
    let last = findings[10_000]["message"].as_str().unwrap_or_default();
    assert!(last.contains("more problems are not listed"), "{last}");

    // As text, each report needs a few lines, however long the text is.
    let done = run_on(text.as_bytes(), &["check", "-", "--schemas", path(&crd)]);
    assert_eq!(done.out.matches('×').count(), 1001);
    assert!(done.out.contains("╭─[<stdin>:1006:12]"), "{:.3000}", done.out);
}

/// The findings of a file do not depend on the other files, and they are in the order of the files.
#[test]
fn folders_of_hundreds() {
    let folder =
        workspace().join(file("many/crds/widgets.yaml", CRD).parent().and_then(Path::parent).expect("it has one"));
    for index in 0..400 {
        let size = if index % 10 == 3 { 0 } else { 1 };
        let text = if index % 2 == 0 {
            composite(&format!("llm-{index}"))
        } else {
            widget(&format!("{{size: {size}}}")).replace("name: w,", &format!("name: w{index},"))
        };
        file(&format!("many/objects/{}/{index:03}.yaml", index / 100), &text);
    }
    file("many/objects/.hidden/x.yaml", "not: [read");
    let (objects, crds) = (folder.join("objects"), folder.join("crds"));
    let arguments = ["check", path(&objects), "--schemas", path(&crds), "--output", "json"];
    let first = run(&arguments);
    assert_eq!(summary(&first), "checked 400 files, 400 objects: 40 errors, 0 warnings, 0 objects without a schema");
    let found: Value = serde_json::from_str(&first.out).expect("it is JSON");
    let files: Vec<_> = found["findings"].as_array().expect("it is an array").iter().map(|it| &it["file"]).collect();
    let expected: Vec<_> =
        (0..40).map(|n| format!("{}/{}/{:03}.yaml", path(&objects), n / 10, 10 * n + 3)).map(Value::from).collect();
    assert_eq!(files, expected.iter().collect::<Vec<_>>());
    for _ in 0..3 {
        assert_eq!(run(&arguments).out, first.out);
    }
    assert!(fs::metadata(objects.join(".hidden/x.yaml")).is_ok());
}

/// A definition states its kind. For a JSON schema, the file name does.
#[test]
fn schemas_are_recognised() {
    let schema = r#"{"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"},
        "metadata": {"type": "object"}, "spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}"#;
    let xrd = CRD
        .replace("apiextensions.k8s.io/v1", "apiextensions.crossplane.io/v2")
        .replace("CustomResourceDefinition", "CompositeResourceDefinition");
    //   file                                   text    api version             unknown field
    for (number, name, text, api_version, field) in [
        (0, "acme.example.org/widget_v1.json", schema, "acme.example.org/v1", "spec.colour"),
        (1, "core/widget_v1.json", schema, "v1", "spec.colour"),
        (2, "any.yaml", CRD, "acme.example.org/v1", "spec.crossplane"),
        (3, "any.yaml", &xrd, "acme.example.org/v1", "spec.nothing"),
        (4, "widget-acme-v1.json", schema, "acme.example.org/v1", "spec.colour"),
        (5, "widget-v1.json", schema, "v1", "spec.colour"),
    ] {
        let folder = format!("recognised-{number}");
        file(&format!("{folder}/more/{name}"), text);
        let folder = file(&format!("{folder}/notes.txt"), "").parent().expect("it has one").to_owned();
        let key = field.trim_start_matches("spec.");
        let text = widget(&format!("{{size: 1, {key}: {{}}}}")).replace("acme.example.org/v1", api_version);
        let done = run_on(text.as_bytes(), &["check", "-", "--schemas", path(&folder), "--output", "github"]);
        assert!(done.out.contains(&format!("unknown field \"{field}\"")), "{name}\n{}{}", done.out, done.err);
        // Objects of another version have no schema.
        let text = text.replace("/v1", "/v2").replace(": v1\n", ": v2\n");
        let done = run_on(text.as_bytes(), &["check", "-", "--schemas", path(&folder)]);
        let nothing = "checked 1 file, 1 object: 0 errors, 0 warnings, 1 object without a schema";
        assert_eq!((done.ok, summary(&done)), (true, nothing), "{name}");
    }
}

/// The schemas of a cluster's kinds, if they are beside the workspace.
#[test]
fn schemas_of_a_cluster() {
    let schemas = workspace().join("../shared/crds");
    if !schemas.is_dir() {
        println!("skipped: there is no folder ../shared/crds");
        return;
    }
    let deployment =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b}\nspec: {replica: 3, template: {}}\n";
    let done = run_on(deployment.as_bytes(), &["check", "-", "--schemas", path(&schemas)]);
    for line in ["spec.selector: Required value", "unknown field \"spec.replica\"", "did you mean `replicas`?"] {
        assert!(done.out.contains(line), "no `{line}` in\n{}", done.out);
    }
    assert_eq!(summary(&done), "checked 1 file, 1 object: 2 errors, 0 warnings, 0 objects without a schema");
}

/// The module that has a document's kind checks it, in any order of modules.
#[test]
fn several_modules() {
    let (puppet, crd) = (r#"{"apiVersion": "guest.example.org/v1", "kind": "Puppet"}"#, file("several-crd.yaml", CRD));
    let (puppet, widget) = (file("several-1.json", puppet), file("several-2.yaml", &widget("{size: 0}")));
    let guest = tests::artifacts::guest();
    let done = run(&["check", path(&puppet), path(&widget), "--schemas", path(&crd), "--module", path(guest)]);
    assert!(!done.ok, "{}", done.err);
    assert_eq!(summary(&done), "checked 2 files, 2 objects: 1 error, 1 warning, 0 objects without a schema");
    for part in ["it does what it is told", "spec.size in body should be greater than or equal to 1"] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
}
