//! `docs/commands.md` has the help of every command, which shows how the command is used.

use tests::command::run;
use tests::documents;

use crate::none_wrong;

#[test]
fn every_command_is_documented() {
    let page = documents::read("docs/commands.md");
    let shown: Vec<_> = page.commands().into_iter().map(|command| command.text).collect();
    let help = run(&["--help"]).out;
    let listed =
        help.split("Commands:\n").nth(1).and_then(|text| text.split("\n\n").next()).expect("a list of commands");
    let names = listed.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut wrong = Vec::new();
    for name in names {
        if !shown.contains(&format!("sailplane {name} --help")) {
            wrong.push(format!("docs/commands.md does not show `sailplane {name} --help`"));
        }
        if !page.code.iter().any(|(_, code)| code == name) {
            wrong.push(format!("the table of docs/commands.md has no row for `{name}`"));
        }
        if !run(&[name, "--help"]).out.contains("\nExample") {
            wrong.push(format!("sailplane {name} --help has no example"));
        }
    }
    none_wrong(&wrong);
    assert!(shown.len() > 8, "{shown:?}");
}
