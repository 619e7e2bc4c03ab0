//! Rows of what a composite is made of: an object is a row, and not code. It has a kind, a composition resource name, and tables
//! of rules. A row about zones, pools or anything else that repeats gives an object for each.

use std::rc::Rc;

use contract::catalog::ApiResource;

use crate::builders::remote;
use crate::composed::Composed;
use crate::observed::ReadyWhen;
use crate::rule::{Element, Plan, Rule};
use crate::template;

/// The inputs of rules, which belong to a composite with a name.
pub trait Named {
    /// The name of the composite.
    fn name(&self) -> &str;
}

/// A table of rules about an object, with the path at which its paths start.
pub type RowTable<I> = (&'static str, &'static [Rule<Part<I>>]);

/// A row: an object of a composite with the inputs `I`, or one for each element.
///
/// In texts `{n}` is the name of the composite, and `{e}` that of the element.
pub struct ObjectRow<I: 'static> {
    /// What it is, with its plural and scope.
    pub kind: &'static ApiResource,
    /// Its composition resource name.
    pub key: &'static str,
    /// Its name. Empty where Crossplane makes one, or where a rule gives it.
    pub name: &'static str,
    /// Its external name. Empty where the provider chooses one, or where a rule gives it.
    pub external: &'static str,
    /// What there is one of it for.
    pub each: Each<I>,
    /// Whether it exists.
    pub exists: fn(&I) -> bool,
    /// What it waits for. Once it is observed, it waits no more.
    pub gate: Gate<I>,
    /// Its tables.
    pub tables: &'static [RowTable<I>],
    /// The manifest that it wraps: its kind, and the table of it.
    pub wraps: Option<(&'static ApiResource, &'static [Rule<Part<I>>])>,
    /// When it is ready.
    pub ready: ReadyWhen,
    /// Whether it must be gone before the cluster goes, so that a Usage says so.
    pub needs_cluster: bool,
}

/// What a row has an object for.
pub enum Each<I: 'static> {
    /// The composite.
    Cluster,
    /// Each of these, with texts for its rules.
    Of(&'static [(&'static str, &'static [&'static str])]),
    /// Each of those that the function gives.
    Found(fn(&I) -> Vec<String>),
}

/// What an object waits for before it is desired. What is observed stays desired whatever the gate says, because Crossplane deletes
/// what is not.
pub enum Gate<I: 'static> {
    /// Nothing.
    Open,
    /// What the words say, until the function agrees. All values are known before, so what is observed is composed by its rules also
    /// later.
    Until(&'static str, fn(&I) -> bool),
    /// What the words say: a value of its own, which the function says is known. While it is not, what is observed stays as it is.
    Known(&'static str, fn(&I) -> bool),
}

impl<I> Gate<I> {
    /// What it waits for, for people, as it follows `waits for`. Empty when that is nothing.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Open => "",
            Self::Until(words, _) | Self::Known(words, _) => words,
        }
    }
}

// A derived implementation would ask the same of the inputs.
impl<I> Clone for ObjectRow<I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I> Copy for ObjectRow<I> {}
impl<I> Clone for Each<I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I> Copy for Each<I> {}
impl<I> Clone for Gate<I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I> Copy for Gate<I> {}

impl<I: 'static> ObjectRow<I> {
    /// A row for one object that always exists, without rules of its own.
    pub const fn of(kind: &'static ApiResource, key: &'static str, name: &'static str) -> Self {
        Self {
            kind,
            key,
            name,
            external: "",
            each: Each::Cluster,
            exists: |_| true,
            gate: Gate::Open,
            tables: &[],
            wraps: None,
            ready: ReadyWhen::Holds("Ready"),
            needs_cluster: false,
        }
    }

    /// A row without a name.
    pub const fn unnamed(kind: &'static ApiResource, key: &'static str) -> Self {
        Self::of(kind, key, "")
    }
}

impl<I: Named> ObjectRow<I> {
    /// The objects of the row. Of elements with one name the last one has an object, as in dot-kubernetes.
    pub fn parts(&self, of: &Rc<I>) -> Vec<Part<I>> {
        let part = |index: usize, element: &str, texts: &'static [&'static str]| {
            let fill = |text: &str| template::filled(text, of.name(), element);
            Part {
                of: Rc::clone(of),
                key: fill(self.key),
                object: fill(self.name),
                external: fill(self.external),
                element: element.to_owned(),
                index: [index],
                texts,
            }
        };
        match self.each {
            _ if !(self.exists)(of) => Vec::new(),
            Each::Cluster => vec![part(0, "", &[])],
            Each::Of(elements) => {
                elements.iter().enumerate().map(|(at, (name, texts))| part(at, name, texts)).collect()
            }
            Each::Found(names) => {
                let names = names(of);
                let is_last = |(at, name): &(usize, &String)| !names.iter().skip(at + 1).any(|other| other == *name);
                names.iter().enumerate().filter(is_last).map(|(at, name)| part(at, name, &[])).collect()
            }
        }
    }

    /// Whether it may have an object with this composition resource name in the composite with this name.
    pub fn may_have(&self, name: &str, key: &str) -> bool {
        template::may_be(self.key, name, key)
    }

    /// The object for a part, by `first` and then by the tables of the row.
    pub fn composed(&self, first: &[Rule<Part<I>>], part: &Part<I>) -> Composed {
        let mut plan = Plan::of_kind((self.kind.api_version, self.kind.kind)).each(first, part);
        for (path, rules) in self.tables {
            plan = plan.each_at(path, rules, part);
        }
        if let Some((kind, rules)) = self.wraps {
            plan = plan.embed(remote::MANIFEST, Plan::of_kind((kind.api_version, kind.kind)).each(rules, part));
        }
        Composed::new(part.key.as_str(), plan).ready(self.ready)
    }
}

/// What the rules about an object of a composite read.
#[derive(Debug)]
pub struct Part<I> {
    /// The inputs of the whole composite.
    pub of: Rc<I>,
    /// Composition resource name of the object.
    pub key: String,
    /// Name of the object. Empty where the row has none.
    pub object: String,
    /// External name of the object. Empty where the row has none.
    pub external: String,
    /// Name of the element that the object is for: of a zone, a namespace, a release. Empty when it is for the composite.
    pub element: String,
    /// The place of the element among the others.
    pub index: [usize; 1],
    /// Texts of the element.
    pub texts: &'static [&'static str],
}

impl<I> Element for Part<I> {
    const WORD: &'static str = "it";

    fn name(&self) -> &str {
        &self.element
    }

    fn indexes(&self) -> &[usize] {
        &self.index
    }
}

impl<I> Part<I> {
    /// A text of the element.
    pub fn text(&self, at: usize) -> &'static str {
        self.texts.get(at).copied().unwrap_or_default()
    }

    /// The place of the element among the others.
    pub fn place(&self) -> usize {
        let [place] = self.index;
        place
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data;
    use crate::resources::OBJECTS;
    use crate::rule::{constant, rule};

    struct Zoned {
        zones: Vec<String>,
    }

    impl Named for Zoned {
        fn name(&self) -> &'static str {
            "net"
        }
    }

    const NAMESPACES: ApiResource = ApiResource { api_version: "v1", kind: "Namespace", ..OBJECTS };
    #[rustfmt::skip]
    const NAMED: &[Rule<Part<Zoned>>] = &[rule("metadata.name", "zone `{it}`", &[], |p| Some(json!(p.object)))];
    const SPEC: &[Rule<Part<Zoned>>] = &[constant("watch", "always", data!(true))];
    const ROW: ObjectRow<Zoned> = ObjectRow {
        each: Each::Found(|of| of.zones.clone()),
        exists: |of| of.zones.len() < 3,
        tables: &[("spec", SPEC)],
        wraps: Some((&NAMESPACES, NAMED)),
        ..ObjectRow::of(&OBJECTS, "zone-{e}", "{n}-{e}")
    };

    #[test]
    fn rows_give_objects() {
        let network = |zones: &[&str]| Rc::new(Zoned { zones: zones.iter().map(|&zone| zone.to_owned()).collect() });
        let parts = ROW.parts(&network(&["a", "b"]));
        let keys: Vec<_> = parts.iter().map(|part| (part.key.as_str(), part.object.as_str(), part.place())).collect();
        assert_eq!(keys, [("zone-a", "net-a", 0), ("zone-b", "net-b", 1)]);
        let composed = ROW.composed(&[], &parts[1]);
        let manifest = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "net-b"}});
        assert_eq!(composed.plan.object()["spec"], json!({"watch": true, "forProvider": {"manifest": manifest}}));
        assert!(ROW.parts(&network(&["a", "b", "c"])).is_empty());
        assert!(ROW.may_have("net", "zone-z") && !ROW.may_have("net", "other"));
        assert!(ObjectRow::<Zoned>::unnamed(&OBJECTS, "one").may_have("net", "one"));
    }
}
