//! The parts of a document that tests use.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path, relative to the root of the checkout.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The anchors of its headings.
    pub anchors: Vec<String>,
    /// Its links and images.
    pub links: Vec<Link>,
    /// Its fenced blocks, with commands or data.
    pub blocks: Vec<Block>,
    /// Its inline code, with line numbers.
    pub code: Vec<(usize, String)>,
    /// Its HTML, with line numbers.
    pub html: Vec<(usize, String)>,
}

/// A link or an image.
#[derive(Clone, Debug)]
pub struct Link {
    /// The line, from 1.
    pub line: usize,
    /// The target.
    pub target: String,
    /// The text; for an image, the alternative text.
    pub text: String,
    /// The title.
    pub title: String,
    /// Whether it is an image.
    pub image: bool,
    /// Its range in the text.
    pub range: Range<usize>,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The document.
    pub document: String,
    /// The anchor of the heading above it. Empty before the first heading.
    pub anchor: String,
    /// The language after the fence.
    pub language: String,
    /// Its first line after the fence, from 1.
    pub line: usize,
    /// The indent of its lines in the document, e.g. in a list.
    pub indent: String,
    /// The content.
    pub text: String,
}

impl Document {
    /// Reads a document.
    pub fn parse(path: &str, text: String) -> Self {
        let mut document = Self {
            path: path.to_owned(),
            text: String::new(),
            anchors: Vec::new(),
            links: Vec::new(),
            blocks: Vec::new(),
            code: Vec::new(),
            html: Vec::new(),
        };
        document.read(&text);
        document.text = text;
        document
    }

    fn read(&mut self, source: &str) {
        let line = |offset: usize| source[..offset].matches('\n').count() + 1;
        // The parts that are being read, with their text so far.
        let (mut heading, mut link, mut block) = (None, None, None);
        let mut seen = BTreeMap::new();
        for (event, range) in Parser::new_ext(source, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    self.anchors.push(anchor(&heading.take().unwrap_or_default(), &mut seen));
                }
                Event::Start(Tag::Link { dest_url, title, .. }) => link = Some((dest_url, String::new(), title, false)),
                Event::Start(Tag::Image { dest_url, title, .. }) => link = Some((dest_url, String::new(), title, true)),
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    let Some((target, text, title, image)) = link.take() else { continue };
                    let (target, title) = (target.into_string(), title.into_string());
                    self.links.push(Link { line: line(range.start), target, text, title, image, range });
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => language.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    let begin = source[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
                    block = Some(Block {
                        document: self.path.clone(),
                        anchor: self.anchors.last().cloned().unwrap_or_default(),
                        language,
                        line: line(range.start) + 1,
                        indent: " ".repeat(range.start - begin),
                        text: String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => self.blocks.extend(block.take()),
                Event::Text(text) | Event::Code(text) if block.is_none() => {
                    let is_code = source[range.clone()].starts_with('`');
                    heading.iter_mut().chain(link.iter_mut().map(|link| &mut link.1)).for_each(|it| it.push_str(&text));
                    if is_code {
                        self.code.push((line(range.start), text.into_string()));
                    }
                }
                Event::Text(text) => block.iter_mut().for_each(|block| block.text.push_str(&text)),
                Event::Html(text) | Event::InlineHtml(text) => {
                    self.html.push((line(range.start), text.into_string()));
                }
                _ => {}
            }
        }
    }
}

/// The anchor of a heading, as GitHub, GitLab and Gitea make it: in lower case, without punctuation, with dashes for
/// spaces, and with a number when the document has the same anchor already.
fn anchor(heading: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect();
    let count = seen.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
    if *count == 0 { anchor } else { format!("{anchor}-{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors() {
        let mut seen = BTreeMap::new();
        for (heading, expected) in [
            ("What is looked up", "what-is-looked-up"),
            ("Refuse mistakes at kubectl apply", "refuse-mistakes-at-kubectl-apply"),
            ("From `crossplane render`", "from-crossplane-render"),
            ("1. Größe, e.g. 8 GB!", "1-größe-eg-8-gb"),
            ("What is looked up", "what-is-looked-up-1"),
        ] {
            assert_eq!(anchor(heading, &mut seen), expected);
        }
    }

    #[test]
    fn parts() {
        let text = "# A `b`\n\nSee [c](d.md#e) and `--f`.\n\n- g\n\n  ```shell\n  h\n    i\n  ```\n\n![j](k.png)\n<!-- l -->\n";
        let document = Document::parse("m.md", text.to_owned());
        assert_eq!(document.anchors, ["a-b"]);
        let links: Vec<_> = document.links.iter().map(|it| (it.line, it.target.as_str(), it.image)).collect();
        assert_eq!(links, [(3, "d.md#e", false), (12, "k.png", true)]);
        assert_eq!(document.code, [(1, "b".to_owned()), (3, "--f".to_owned())]);
        let [block] = document.blocks.as_slice() else { panic!("{:?}", document.blocks) };
        assert_eq!((block.line, block.anchor.as_str(), block.indent.as_str()), (8, "a-b", "  "));
        assert_eq!((block.language.as_str(), block.text.as_str()), ("shell", "h\n  i\n"));
        assert_eq!(document.html.len(), 1);
    }
}
