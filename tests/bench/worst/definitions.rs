//! Definitions that take long to read, or to judge an object by: half of the bytes are the definition, half are the object.

use super::bytes::{filled, repeated};
use super::input::{Door, Input};

const FILE: &str = "schema.yaml";
const OBJECT: &str = "apiVersion: a.b/v1\nkind: Wide\nmetadata: {name: a, namespace: a}\nspec:\n";

pub(super) fn inputs() -> Vec<Input> {
    let input = |what, object, make| Input { what, make, door: Door::Schema(FILE, object) };
    vec![
        input("properties, and unknown fields", unknown, |size| {
            filled(
                size / 2,
                &spec("type: object, properties: {"),
                |at| format!("p{at}: {{type: string}},"),
                "}}}}}}]}\n",
            )
        }),
        input("properties, and empty items", empty_items, |size| {
            let head = spec("type: array, items: {type: object, properties: {");
            filled(size / 2, &head, |at| format!("p{at}: {{}},"), "}}}}}}}]}\n")
        }),
        input("required fields, and empty items", empty_items, |size| {
            let head = spec("type: array, items: {type: object, required: [");
            filled(size / 2, &head, |at| format!("p{at},"), "]}}}}}}]}\n")
        }),
        input("defaults, and empty items", empty_items, |size| {
            let head = spec("type: array, items: {type: object, properties: {");
            filled(size / 2, &head, |at| format!("p{at}: {{type: integer, default: 1}},"), "}}}}}}}]}\n")
        }),
        input("a large default, and empty items", empty_items, |size| {
            let head = spec(
                "type: array, items: {type: object, properties: {p: {type: array, items: {type: integer}, default: [",
            );
            repeated(size / 2, &head, "1,", "1]}}}}}}}}]}\n")
        }),
        input("allowed values, and wrong ones", ones, |size| {
            let head = spec("type: array, items: {type: string, enum: [");
            filled(size / 2, &head, |at| format!("p{at},"), "p]}}}}}}]}\n")
        }),
        input("alternatives, and wrong items", ones, |size| {
            repeated(size / 2, &spec("type: array, items: {anyOf: ["), "{type: string},", "{type: string}]}}}}}}]}\n")
        }),
        input("alternatives in alternatives", ones, |size| {
            let head = spec(&format!("type: array, items: {}", "{anyOf: [{type: string}, ".repeat(60)));
            let tail = format!("{}}}}}}}}}]}}\n", "]}".repeat(60));
            repeated(size / 2, &head, "{type: string},", &tail)
        }),
        input("unique items", numbers, |size| {
            repeated(size / 2, &spec("uniqueItems: true, type: array, description: '"), " ", "'}}}}}]}\n")
        }),
        input("keys of a list, and items", named, |size| {
            let head = spec(
                "type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [",
            );
            filled(size / 2, &head, |at| format!("p{at},"), "a]}}}}}]}\n")
        }),
        input("a list of type set", ones, |size| {
            repeated(
                size / 2,
                &spec("type: array, x-kubernetes-list-type: set, items: {type: integer}, description: '"),
                " ",
                "'}}}}}]}\n",
            )
        }),
        input("rules, and items", ones, |size| {
            filled(
                size / 2,
                &spec("type: array, items: {type: integer, x-kubernetes-validations: ["),
                |_| "{rule: 'true'},".to_owned(),
                "]}}}}}}]}\n",
            )
        }),
        input("rules that are broken", texts, |size| {
            let head =
                spec("type: array, items: {x-kubernetes-preserve-unknown-fields: true}, x-kubernetes-validations: [");
            filled(size / 2, &head, |_| "{rule: 'false'},".to_owned(), "]}}}}}]}\n")
        }),
        input("rules", small, |size| {
            filled(
                size / 2,
                &spec("type: object, x-kubernetes-validations: ["),
                |_| "{rule: 'true'},".to_owned(),
                "]}}}}}]}\n",
            )
        }),
        input("rules that do not compile", small, |size| {
            filled(
                size / 2,
                &spec("type: object, x-kubernetes-validations: ["),
                |at| format!("{{rule: a{at}}},"),
                "]}}}}}]}\n",
            )
        }),
        input("a rule at each level", small, |size| {
            const LEVELS: usize = 40;
            let level = "type: object, x-kubernetes-validations: [{rule: 'true'}], properties: {a: {";
            let head = spec(&level.repeat(LEVELS));
            let tail = format!("}}}}{}}}}}}}}}]}}\n", "}}".repeat(LEVELS));
            filled(
                size / 2,
                &format!("{head}type: object, properties: {{"),
                |at| format!("p{at}: {{type: string}},"),
                &tail,
            )
        }),
        input("rules, and many types", small, |size| {
            let rules = "{rule: 'true'},".repeat(size / 60);
            let head = spec(&format!("type: object, x-kubernetes-validations: [{rules}], properties: {{"));
            filled(size / 2, &head, |at| format!("p{at}: {{type: object, properties: {{}}}},"), "}}}}}}]}\n")
        }),
        input("patterns", small, |size| {
            filled(
                size / 2,
                &spec("type: object, properties: {"),
                |at| format!("p{at}: {{type: string, pattern: '(x{{0,900}}y{{0,900}})'}},"),
                "}}}}}}]}\n",
            )
        }),
        input("one pattern, and long texts", texts, |size| {
            repeated(
                size / 2,
                &spec("type: array, items: {type: string, pattern: '(x*y*)*z'}, description: '"),
                " ",
                "'}}}}}]}\n",
            )
        }),
        input("a long name of a property", below, |size| {
            let name = "p".repeat(size / 4);
            let head = spec(&format!("type: object, properties: {{? {name}\n : {{type: object, description: '"));
            repeated(size / 2, &head, " ", "'}}}}}}}]}\n")
        }),
        input("versions", small, |size| {
            let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n\
                        spec: {group: a.b, names: {kind: Wide}, versions: [{&v schema: {openAPIV3Schema: {type: object}}},";
            filled(size, &head.replace("{&v ", "&v {"), |at| format!("{{<<: *v, name: v{at}}},"), "*v]}\n")
        }),
        input("versions of a composite", small, |size| {
            let head = "apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nmetadata: {name: a}\n\
                        spec: {group: a.b, names: {kind: Wide}, versions: [&v {schema: {openAPIV3Schema: {type: object}}},";
            filled(size, head, |at| format!("{{<<: *v, name: v{at}}},"), "*v]}\n")
        }),
        input("words, and kinds", kinds, |size| {
            filled(size / 2, "kind: CustomResourceDefinition\na: [", |at| format!("k{at:05x},"), "]\n")
        }),
        input("alternatives without end", ones, |size| {
            repeated(size / 2, &spec("type: array, items: {allOf: ["), "{minimum: 2},", "{minimum: 2}]}}}}}}]}\n")
        }),
    ]
}

/// A definition up to the keywords of `spec`. Five braces and one bracket are left open.
fn spec(keywords: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a}}\nspec: {{group: a.b, \
         scope: Namespaced, names: {{kind: Wide, plural: wides}}, versions: [{{name: v1, served: true, storage: true, \
         schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{{keywords}"
    )
}

fn small(_: usize) -> Vec<u8> {
    format!("{OBJECT}  a: 1\n").into_bytes()
}

fn unknown(size: usize) -> Vec<u8> {
    filled(size / 2, OBJECT, |at| format!("  a{at}:\n"), "")
}

fn empty_items(size: usize) -> Vec<u8> {
    repeated(size / 2, &format!("{OBJECT}  ["), "{},", "{}]\n")
}

fn ones(size: usize) -> Vec<u8> {
    repeated(size / 2, &format!("{OBJECT}  ["), "1,", "1]\n")
}

fn numbers(size: usize) -> Vec<u8> {
    filled(size / 2, &format!("{OBJECT}  ["), |at| format!("{at},"), "a]\n")
}

fn named(size: usize) -> Vec<u8> {
    filled(size / 2, &format!("{OBJECT}  ["), |at| format!("{{a: {at}}},"), "{}]\n")
}

fn texts(size: usize) -> Vec<u8> {
    repeated(size / 2, &format!("{OBJECT}  ["), &format!("{},", "x".repeat(10_000)), "{}]\n")
}

/// Unknown fields below a long name.
fn below(size: usize) -> Vec<u8> {
    let name = "p".repeat(size / 4);
    filled(size / 2, &format!("{OBJECT}  ? {name}\n  :\n"), |at| format!("    a{at}:\n"), "")
}

fn kinds(size: usize) -> Vec<u8> {
    filled(
        size / 2,
        "apiVersion: v1\nkind: List\nitems: [",
        |at| format!("{{apiVersion: a/b,kind: j{at:05x}}},"),
        "]\n",
    )
}
