//! Objects that contain selectors.

use serde_json::{Value, json};

use crate::made_up::Random;

/// The largest number of selectors in one list (`DeviceSelectorsMaxSize` in `k8s.io/api/resource/v1`).
const MOST_SELECTORS: usize = 32;

/// An object to create.
pub(crate) struct Object {
    kind: Kind,
    pub(crate) lists: Vec<List>,
}

/// The selectors of one list.
pub(crate) struct List {
    /// The path of the list, as the API server prints it.
    place: String,
    pub(crate) selectors: Vec<String>,
}

#[derive(Clone, Copy)]
enum Kind {
    DeviceClass,
    /// A ResourceClaim. Each list belongs to a request.
    Exactly,
    /// A ResourceClaim with one request. Each list belongs to an alternative.
    FirstAvailable,
}

impl Kind {
    fn place(self, index: usize) -> String {
        match self {
            Self::DeviceClass => "spec.selectors".to_owned(),
            Self::Exactly => format!("spec.devices.requests[{index}].exactly.selectors"),
            Self::FirstAvailable => format!("spec.devices.requests[0].firstAvailable[{index}].selectors"),
        }
    }

    fn most_lists(self) -> usize {
        match self {
            Self::DeviceClass => 1,
            Self::Exactly | Self::FirstAvailable => 8,
        }
    }
}

/// Puts the selectors into objects, in their order. An object has one selector, or several in some lists.
pub(crate) fn pack(random: &mut Random, selectors: &[String]) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut rest = selectors;
    while !rest.is_empty() {
        let kind = random.pick(&[Kind::DeviceClass, Kind::Exactly, Kind::FirstAvailable]);
        let alone = random.next(2) == 0;
        let count = if alone { 1 } else { 1 + random.next(kind.most_lists()) };
        let mut lists = Vec::new();
        for index in 0..count {
            let most = if alone { 1 } else { 1 + random.next(MOST_SELECTORS) };
            let (taken, left) = rest.split_at(most.min(rest.len()));
            rest = left;
            lists.push(List { place: kind.place(index), selectors: taken.to_vec() });
        }
        objects.push(Object { kind, lists });
    }
    objects
}

impl Object {
    /// The path of a dry run.
    pub(crate) fn path(&self) -> String {
        let collection = match self.kind {
            Kind::DeviceClass => "deviceclasses",
            Kind::Exactly | Kind::FirstAvailable => "namespaces/default/resourceclaims",
        };
        format!("/apis/resource.k8s.io/v1/{collection}?dryRun=All&fieldValidation=Strict")
    }

    pub(crate) fn json(&self) -> Value {
        let (kind, spec) = match self.kind {
            Kind::DeviceClass => ("DeviceClass", self.lists.first().map(List::json).unwrap_or_default()),
            Kind::Exactly => (
                "ResourceClaim",
                json!({"devices": {"requests": self.requests(|request| {
                    json!({"exactly": request})
                })}}),
            ),
            Kind::FirstAvailable => (
                "ResourceClaim",
                json!({"devices": {"requests": [
                    {"name": "one", "firstAvailable": self.requests(|request| request)},
                ]}}),
            ),
        };
        json!({"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": "case"}, "spec": spec})
    }

    fn requests(&self, wrap: impl Fn(Value) -> Value) -> Value {
        let request = |(index, list): (usize, &List)| {
            let mut request = list.json();
            request["deviceClassName"] = "gpu.example.com".into();
            let mut request = wrap(request);
            request["name"] = format!("r{index}").into();
            request
        };
        self.lists.iter().enumerate().map(request).collect()
    }
}

impl List {
    /// Each selector: its path, as the API server prints it, and its text.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (String, &str)> {
        let field = |index| format!("{}[{index}].cel.expression", self.place);
        self.selectors.iter().enumerate().map(move |(index, text)| (field(index), text.as_str()))
    }

    fn json(&self) -> Value {
        let selector = |text: &String| json!({"cel": {"expression": text}});
        json!({"selectors": self.selectors.iter().map(selector).collect::<Value>()})
    }
}
