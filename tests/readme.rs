//! What the README shows is what people get.

use std::fs;
use std::process::Command;

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
