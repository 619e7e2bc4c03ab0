//! The commands in blocks.

use std::process;

use super::markdown::{Block, Document};

/// A command that a document shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The document.
    pub document: String,
    /// The anchor of the heading above it.
    pub anchor: String,
    /// Its first line, from 1.
    pub line: usize,
    /// The text for bash.
    pub text: String,
    /// The shown output, if there is any.
    pub output: Option<Output>,
}

/// The shown output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its first line in the document, from 1.
    pub line: usize,
    /// The indent of its lines in the document.
    pub indent: String,
    /// The output.
    pub text: String,
}

impl Document {
    /// The commands of the block, in order.
    pub fn commands(&self) -> Vec<Command> {
        self.blocks.iter().flat_map(Block::commands).collect()
    }
}

impl Block {
    fn commands(&self) -> Vec<Command> {
        match self.language.as_str() {
            "console" => self.transcript(),
            "shell" => self.script(),
            "yaml" => self.steps(),
            _ => Vec::new(),
        }
    }

    fn command(&self, line: usize, text: String) -> Command {
        Command { document: self.document.clone(), anchor: self.anchor.clone(), line, text, output: None }
    }

    fn transcript(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        for (line, text) in (self.line..).zip(self.text.lines()) {
            if let Some(command) = text.strip_prefix("$ ") {
                let output = Output { line: line + 1, indent: self.indent.clone(), text: String::new() };
                commands.push(Command { output: Some(output), ..self.command(line, command.to_owned()) });
                continue;
            }
            let Some(Command { text: command, output: Some(output), .. }) = commands.last_mut() else {
                panic!("{}:{line}: a transcript begins with a command", self.document)
            };
            match text.strip_prefix("> ") {
                Some(more) if output.text.is_empty() => {
                    *command = format!("{command}\n{more}");
                    output.line += 1;
                }
                _ => output.text += &format!("{text}\n"),
            }
        }
        commands
    }

    fn script(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        let mut open = false;
        for (line, text) in (self.line..).zip(self.text.lines()) {
            match commands.last_mut() {
                Some(command) if open => command.text += &format!("\n{text}"),
                _ if text.is_empty() || text.starts_with('#') => continue,
                _ => commands.push(self.command(line, text.to_owned())),
            }
            open = commands.last().is_some_and(|command| !is_complete(&command.text));
        }
        assert!(!open, "{}:{}: the last command has no end", self.document, self.line);
        commands
    }

    fn steps(&self) -> Vec<Command> {
        let step = |text: &str| text.trim_start().trim_start_matches("- ").strip_prefix("run: ").map(str::to_owned);
        let lines = (self.line..).zip(self.text.lines());
        lines.filter_map(|(line, text)| Some(self.command(line, step(text)?))).collect()
    }
}

/// Whether the text is a complete command for bash.
fn is_complete(text: &str) -> bool {
    let read = process::Command::new("bash").args(["-n", "-c", text]).output().expect("bash can be run");
    // For a here-document without an end, bash only prints a warning.
    read.status.success() && read.stderr.is_empty() && !text.ends_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(usize, String, Option<String>)> {
        let commands = Document::parse("a.md", text.to_owned()).commands().into_iter();
        commands.map(|it| (it.line, it.text, it.output.map(|output| output.text))).collect()
    }

    #[test]
    fn transcripts() {
        let text = "```console\n$ a \\\n> b\nc\n\nd\n$ e\n```\n";
        let expected =
            [(2, "a \\\nb".to_owned(), Some("c\n\nd\n".to_owned())), (7, "e".to_owned(), Some(String::new()))];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn scripts() {
        let text = "```shell\n# note\na # b\n\ncat >c <<EOF\nd\nEOF\ne \\\n  f\nwhile g; do\n  h 'i\n  j'\ndone\n```\n";
        let texts: Vec<_> = shown(text).into_iter().map(|(line, text, _)| (line, text)).collect();
        let expected =
            [(3, "a # b"), (5, "cat >c <<EOF\nd\nEOF"), (8, "e \\\n  f"), (10, "while g; do\n  h 'i\n  j'\ndone")];
        assert_eq!(texts, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn steps() {
        let text = "```yaml\nsteps:\n- uses: a\n- run: b --c\n- name: d\n  run: e\n```\n";
        assert_eq!(shown(text), [(4, "b --c".to_owned(), None), (6, "e".to_owned(), None)]);
    }
}
