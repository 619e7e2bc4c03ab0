//! Components that take long to compile or to load. They export what our world has, so they are compiled; whether the
//! exports fit is seen only afterwards.

use super::input::{Door, Input};

const DOOR: Door = Door::Command(&["definitions", "--list", "--no-default-module", "--module", "FILE"]);

/// The interfaces of our world.
const INTERFACES: [&str; 7] = ["types", "catalog", "compose", "admit", "preview", "plan", "expressions"];

pub(super) fn inputs() -> Vec<Input> {
    let component = |what, make| Input { what, make, door: DOOR };
    vec![
        component("functions that do nothing", |size| functions(size, NOTHING, &[0, END])),
        component("functions with many locals", |size| functions(size, NOTHING, &[1, 0xd0, 0x86, 0x03, I64, END])),
        component("functions with many parameters", |size| {
            let parameters = [&[0x60][..], &number(1000), &[I64; 1000], &[0]].concat();
            functions(size, &parameters, &[0, END])
        }),
        component("arithmetic in one function", |size| large(size, &[], &[0x42, 1, 0x42, 3, 0x7e, 0x1a])),
        component("blocks in blocks", |size| nested(size, &[0x02, 0x40])),
        component("loops in loops", |size| nested(size, &[0x03, 0x40])),
        component("loops after loops that keep locals", |size| {
            // Each loop may change what the end reads.
            let locals = [&[1][..], &number(1000), &[I64]].concat();
            let reads: Vec<u8> = (0..1000).flat_map(|at| [&[0x20][..], &number(at), &[0x1a]].concat()).collect();
            let body = [0x03, 0x40, 0x41, 0, 0x0d, 0, END].repeat(size.min(LARGEST) / 8);
            module(&[
                (1, section(&[NOTHING])),
                (3, section(&[&[0]])),
                (10, section(&[&sized(&[&locals[..], &body, &reads, &[END]].concat())])),
            ])
        }),
        component("tables of branches", |size| {
            let targets = [&[0x41, 0, 0x0e][..], &number(1000), &[0; 1001]].concat();
            let block = [&[0x02, 0x40][..], &targets, &[END]].concat();
            large(size, &[], &block)
        }),
        component("one table of branches", |size| {
            let count = size.min(LARGEST);
            let targets = [&[0x41, 0, 0x0e][..], &number(count), &vec![0; count + 1]].concat();
            large(1, &[], &[&[0x02, 0x40][..], &targets, &[END]].concat())
        }),
        component("calls", |size| large(size, &[], &[0x10, 0])),
        component("calls in small functions", |size| {
            functions(size, NOTHING, &[&[0][..], &[0x10, 0].repeat(2_500), &[END]].concat())
        }),
        component("calls that give and take many values", |size| {
            typed(size, 1000, 1000, &[0x10, 0], &[&[0x42_u8, 1].repeat(1000)[..], &[0x10, 0]].concat())
        }),
        component("calls by a table", |size| large(size, &[TABLE], &[0x41, 0, 0x11, 0, 0])),
        component("loops that carry many values", |size| {
            typed(size, 1000, 1000, &[0x03, 0, END], &[0x42_u8, 1].repeat(1000))
        }),
        component("alternatives that carry some values", |size| {
            typed(size, 20, 20, &[0x41, 0, 0x04, 0, 0x05, END], &[0x42_u8, 1].repeat(20))
        }),
        component("branches that carry many values", |size| {
            let depths: Vec<u8> = (0..100).collect();
            let table = [&[0x42, 1].repeat(1000)[..], &[0x41, 0, 0x0e, 100], &depths, &[100]].concat();
            let inside = [&[0x02, 0].repeat(101)[..], &table, &[END, 0].repeat(101)].concat();
            typed(size, 0, 1000, &[&[0x02, 0x40, 0x41, 0, 0x0d, 0][..], &inside, &[END]].concat(), &[])
        }),
        component("blocks", |size| large(size, &[], &[0x02, 0x40, END])),
        component("alternatives", |size| large(size, &[], &[0x41, 0, 0x04, 0x40, 0x05, END])),
        component("branches", |size| large(size, &[], &[0x41, 0, 0x0d, 0])),
        component("divisions", |size| large(size, &[GLOBAL], &[0x23, 0, 0x23, 0, 0x7f, 0x24, 0])),
        component("conversions", |size| large(size, &[GLOBAL], &[0x23, 0, 0xb9, 0xfc, 6, 0x24, 0])),
        component("values on the stack", |size| {
            let count = size.min(LARGEST) / 3;
            let body = [&[0x23_u8, 0].repeat(count)[..], &vec![0x7c; count - 1], &[0x24, 0]].concat();
            large(1, &[GLOBAL], &body)
        }),
        component("copies of memory", |size| {
            large(size, &[(5, &[1, 0, 1])], &[0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 10, 0, 0])
        }),
        component("an element of a table for each byte", |size| {
            let segment = [&[0, 0x41, 0, END][..], &number(size.min(LARGEST)), &vec![0; size.min(LARGEST)]].concat();
            large(1, &[TABLE, (9, &section(&[&segment]))], &[1])
        }),
        component("a long constant", |size| {
            let constant = [&[I32, 0, 0x41, 1][..], &[0x41, 1, 0x6a].repeat(size.min(LARGEST) / 3), &[END]].concat();
            module(&[(6, section(&[&constant]))])
        }),
        component("types of a hundred parameters", |size| {
            let types: Vec<Vec<u8>> = (0..(size / 103).min(1_000))
                .map(|at| {
                    let bits: Vec<u8> = (0..100).map(|bit| if at >> (bit % 16) & 1 == 1 { I64 } else { I32 }).collect();
                    [&[0x60, 100][..], &bits, &[0]].concat()
                })
                .collect();
            module(&[(1, section(&types.iter().map(Vec::as_slice).collect::<Vec<_>>()))])
        }),
        component("components in components", |size| {
            // Each instantiates the one before ten times.
            let empty = b"\0asm\x0d\0\x01\0";
            let level = |at: u8| {
                let before = [&[6, 5, 1, 4, 2, 1][..], &[at]].concat();
                let instances = section(&[&[0, 0, 0][..]; 10]);
                sized(&[&empty[..], &before, &[5], &sized(&instances)].concat())
            };
            let levels: u8 = if size < 1000 { 2 } else { 9 };
            let inner = (1..levels).flat_map(|at| [&[4][..], &level(at - 1)].concat());
            let all: Vec<u8> = [&[4][..], &sized(empty)].concat().into_iter().chain(inner).collect();
            component_with(&[], &[], &[&all[..], &[5, 4, 1, 0, levels - 1, 0]].concat())
        }),
        component("memory accesses", |size| large(size, &[(5, &[1, 0, 1])], &[0x41, 0, 0x28, 2, 0, 0x1a])),
        component("types", |size| {
            let types: Vec<Vec<u8>> = (0..size / 24)
                .map(|at| {
                    let bits: Vec<u8> = (0..20).map(|bit| if at >> bit & 1 == 1 { I64 } else { I32 }).collect();
                    [&[0x60, 20][..], &bits, &[0]].concat()
                })
                .collect();
            module(&[(1, section(&types.iter().map(Vec::as_slice).collect::<Vec<_>>()))])
        }),
        component("a large data segment", |size| {
            let segment = [&[0, 0x41, 0, END][..], &number(size), &vec![1; size]].concat();
            module(&[(5, vec![1, 0, 100]), (11, section(&[&segment]))])
        }),
        component("many data segments, far apart", |size| {
            let count = size / 12;
            let segments: Vec<Vec<u8>> = (0..count)
                .map(|at| [&[0, 0x41][..], &signed(at * (64 << 20) / count), &[END, 1, 1]].concat())
                .collect();
            module(&[
                (5, vec![1, 0, 0x80, 0x08]),
                (11, section(&segments.iter().map(Vec::as_slice).collect::<Vec<_>>())),
            ])
        }),
        component("modules in the component", |size| {
            let inner = sized(&core(&[(1, section(&[NOTHING]))]));
            component_of(&vec![inner; (size / 24).min(60)].concat())
        }),
        component("exports of the component", |size| {
            let exports: Vec<u8> = (0..size / 12).flat_map(|at| exported(&format!("a{at}"))).collect();
            let count = size / 12;
            component_with(&[], &[&number(count)[..], &exports].concat(), &[])
        }),
    ]
}

const I32: u8 = 0x7f;
const I64: u8 = 0x7e;
const END: u8 = 0x0b;
/// A table of ten references to functions.
const TABLE: (u8, &[u8]) = (4, &[1, 0x70, 0, 10]);
/// A variable of the module.
const GLOBAL: (u8, &[u8]) = (6, &[1, I64, 1, 0x42, 1, END]);
/// The type of functions without parameters and results.
const NOTHING: &[u8] = &[0x60, 0, 0];

/// A number in LEB128.
fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A positive number in signed LEB128.
fn signed(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x40 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn sized(bytes: &[u8]) -> Vec<u8> {
    [&number(bytes.len())[..], bytes].concat()
}

/// The contents of a section: entries.
fn section(entries: &[&[u8]]) -> Vec<u8> {
    [&number(entries.len())[..], &entries.concat()].concat()
}

/// A core module.
fn core(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let sections = sections.iter().flat_map(|(id, contents)| [&[*id][..], &sized(contents)].concat());
    b"\0asm\x01\0\0\0".iter().copied().chain(sections).collect()
}

/// A component with a core module.
fn module(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    component_of(&sized(&core(sections)))
}

/// A component with core modules, each with its size before it.
fn component_of(modules: &[u8]) -> Vec<u8> {
    component_with(modules, &[], &[])
}

/// A component with core modules, that exports empty instances with the names of our interfaces, and `more`. It begins with the
/// sections `first`.
fn component_with(modules: &[u8], more: &[u8], first: &[u8]) -> Vec<u8> {
    let mut bytes = [b"\0asm\x0d\0\x01\0", first].concat();
    let mut rest = modules;
    while !rest.is_empty() {
        let (length, prefix) = read(rest);
        let whole = prefix + length;
        bytes.push(1);
        bytes.extend_from_slice(&rest[..whole]);
        rest = &rest[whole..];
    }
    // One instance without exports.
    bytes.extend([5, 3, 1, 1, 0]);
    let exports = INTERFACES.map(|name| exported(&format!("sailplane:composition/{name}@0.1.0")));
    bytes.push(11);
    bytes.extend(sized(&section(&exports.each_ref().map(Vec::as_slice))));
    if !more.is_empty() {
        bytes.push(11);
        bytes.extend(sized(more));
    }
    bytes
}

/// The export of the first instance by a name.
fn exported(name: &str) -> Vec<u8> {
    [&[0][..], &sized(name.as_bytes()), &[5, 0, 0]].concat()
}

/// The number at the start of some bytes, and its length.
fn read(bytes: &[u8]) -> (usize, usize) {
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).expect("it ends") + 1;
    (bytes[..length].iter().rev().fold(0, |number, byte| number << 7 | usize::from(byte & 0x7f)), length)
}

/// As many functions of a type as fit, and as the host takes.
fn functions(size: usize, of: &[u8], body: &[u8]) -> Vec<u8> {
    let count = (size / (body.len() + 2)).min(100_000);
    let bodies = [&number(count)[..], &sized(body).repeat(count)].concat();
    module(&[(1, section(&[of])), (3, [&number(count)[..], &vec![0; count]].concat()), (10, bodies)])
}

/// The bytes of a function, or of a constant, just below the most that the host takes.
const LARGEST: usize = 780_000;

/// Functions as large as the host takes.
fn large(size: usize, sections: &[(u8, &[u8])], piece: &[u8]) -> Vec<u8> {
    let pieces = vec![piece; (size / piece.len()).max(1)];
    let bodies: Vec<Vec<u8>> = pieces
        .chunks((LARGEST / piece.len()).max(1))
        .map(|some| sized(&[&[0][..], &some.concat(), &[END]].concat()))
        .collect();
    let functions = [&number(bodies.len())[..], &vec![0; bodies.len()]].concat();
    let mut all = vec![(1, section(&[NOTHING])), (3, functions)];
    all.extend(sections.iter().map(|(id, contents)| (*id, contents.to_vec())));
    all.push((10, section(&bodies.iter().map(Vec::as_slice).collect::<Vec<_>>())));
    module(&all)
}

/// A function of things that take and give so many values, each of which is of the function's type. It begins with `first`.
fn typed(size: usize, parameters: usize, results: usize, piece: &[u8], first: &[u8]) -> Vec<u8> {
    let of = [&[0x60][..], &number(parameters), &vec![I64; parameters], &number(results), &vec![I64; results]].concat();
    let count = (size.min(770_000) / piece.len()).max(1);
    let body = [&[0][..], first, &piece.repeat(count), &[0, END]].concat();
    module(&[(1, section(&[&of])), (3, section(&[&[0]])), (10, section(&[&sized(&body)]))])
}

/// One function of things inside of one another.
fn nested(size: usize, open: &[u8]) -> Vec<u8> {
    let count = size.min(LARGEST) / (open.len() + 1);
    let body = [&[0][..], &open.repeat(count), &vec![END; count], &[END]].concat();
    module(&[(1, section(&[NOTHING])), (3, section(&[&[0]])), (10, section(&[&sized(&body)]))])
}
