//! Paths of values, in the formats that the API server prints.

/// One step of a path, for programs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// A key of an object.
    Key(String),
    /// An index of a list.
    Index(usize),
}

/// The place of a value in an object. It allocates nothing until an error needs the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    /// A declared property, printed as `.name`.
    Field(&'a str),
    /// A key that `additionalProperties` allows, printed as `.key` in schema validation and as `[key]` elsewhere.
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The whole object.
    pub(crate) const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    pub(crate) fn field(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Field(name) }
    }

    pub(crate) fn key(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Key(name) }
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.parent.is_none()
    }

    /// The steps from the root.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let mut segments = self.parent.map(Place::segments).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Field(name) | Step::Key(name) => segments.push(Segment::Key(name.to_owned())),
            Step::Index(index) => segments.push(Segment::Index(index)),
        }
        segments
    }

    /// The path as schema validation prints it: with keys of maps like fields, and empty for the root (kube-openapi
    /// `pkg/validation/validate`).
    pub(crate) fn dotted(&self) -> String {
        let parent = self.parent.map(Place::dotted).unwrap_or_default();
        match self.step {
            Step::Root => parent,
            Step::Field(name) if parent.is_empty() => name.to_owned(),
            Step::Field(name) | Step::Key(name) => format!("{parent}.{name}"),
            Step::Index(index) => format!("{parent}[{index}]"),
        }
    }

    /// The path as a `field.Path` prints it (apimachinery `pkg/util/validation/field`): with keys of maps in brackets.
    pub(crate) fn bracketed(&self) -> String {
        let Some(parent) = self.parent else { return NOWHERE.to_owned() };
        let parent = if parent.is_root() { String::new() } else { parent.bracketed() };
        match self.step {
            Step::Root => parent,
            Step::Field("") => format!("{parent}[]"),
            Step::Field(name) if parent.is_empty() => name.to_owned(),
            Step::Field(name) => format!("{parent}.{name}"),
            Step::Key(name) => format!("{parent}[{name}]"),
            Step::Index(index) => format!("{parent}[{index}]"),
        }
    }

    /// The path as errors of unknown fields print it: like [`Self::dotted`], without a leading dot.
    pub(crate) fn unknown(&self) -> String {
        let dotted = self.dotted();
        dotted.strip_prefix('.').map(str::to_owned).unwrap_or(dotted)
    }
}

/// How the API server prints the path of the whole object.
pub(crate) const NOWHERE: &str = "<nil>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let spec = Place::ROOT.field("spec");
        let map = spec.field("labels");
        let key = map.key("a.b/c");
        let item = key.index(2);
        assert_eq!(item.dotted(), "spec.labels.a.b/c[2]");
        assert_eq!(item.bracketed(), "spec.labels[a.b/c][2]");
        assert_eq!(Place::ROOT.dotted(), "");
        assert_eq!(Place::ROOT.bracketed(), "<nil>");
        let top = Place::ROOT.key("k");
        assert_eq!((top.dotted().as_str(), top.bracketed().as_str()), (".k", "[k]"));
        let want = [Segment::Key("spec".into()), Segment::Key("labels".into()), Segment::Key("a.b/c".into())];
        assert_eq!(key.segments(), want);
    }
}
