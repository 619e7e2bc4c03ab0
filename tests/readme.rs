//! What the README shows is what people get.

use std::fs;
use std::process::Command;

use tests::command::run_on;
use tests::files::workspace;

#[test]
fn it_shows_real_output() {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a README");
    for arguments in [&["render"][..], &["render", "--output", "tree"]] {
        let mut command = Command::new(tests::artifacts::sailplane());
        let run = command.current_dir(workspace()).args(arguments).arg("examples/llm-inference/llm-qwen.yaml").output();
        let run = run.expect("sailplane runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let output = String::from_utf8(run.stdout).expect("text");
        assert!(readme.contains(&output), "README.md does not show what {arguments:?} prints:\n{output}");
    }
}

#[test]
fn it_shows_real_checks_and_expressions() {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a README");
    let example = workspace().join("examples/llm-inference/llm-qwen.yaml");
    let misspelled = fs::read_to_string(example).expect("an example").replace("gpu:", "gpus:");
    let checked = run_on(misspelled.as_bytes(), &["check", "-"]).err;
    // All but the time that it took.
    let (checked, _) = checked.rsplit_once(", ").expect("a summary");
    assert!(readme.contains(checked), "README.md does not show what `check` prints:\n{checked}");
    let tried = run_on(b"driver: gpu.nvidia.com", &["cel", "device.driver == 'gpu.nvidia.com'", "--device", "-"]).out;
    assert!(readme.contains(&tried), "README.md does not show what `cel` prints:\n{tried}");
}
