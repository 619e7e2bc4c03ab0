//! A look at a component before it is compiled, which takes a moment: whether it is of our world, and how much work it is
//! to compile it.

use std::collections::VecDeque;

use anyhow::{Context as _, Result, anyhow, ensure};
use wasmparser::{CompositeInnerType, DataKind, Encoding, Parser, Payload, TypeRef, TypeSectionReader};

use super::carried::{CoreModule, Signature, code};
use crate::causes::joined;

/// The package of the interfaces that a component of our world exports.
const PACKAGE: &str = "sailplane:composition";
/// Those interfaces.
const INTERFACES: [&str; 7] = ["types", "catalog", "compose", "admit", "preview", "plan", "expressions"];

/// Looks at a component.
///
/// # Errors
/// When it is no component, is not of our world, or is too large to compile.
pub(super) fn inspect(component: &[u8]) -> Result<()> {
    let found = read(component)?;
    none(&found.imports).context("it needs imports, and a module gets none")?;
    none(&missing(&found.exports)).context("it does not export world `composition-module`")
}

/// What a component has.
#[derive(Debug, Default)]
struct Found {
    imports: Vec<String>,
    exports: Vec<String>,
    work: Work,
    /// The core module that is read, and the types of those of its functions whose code is still to come.
    module: CoreModule,
    without_code: VecDeque<u32>,
}

/// What there is to compile.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    /// Modules and components inside of the component, at any depth.
    parts: usize,
    functions: usize,
    /// Bytes of all functions.
    code: usize,
    /// Bytes of the largest function. The time that it takes to compile a function grows faster than its size.
    largest: usize,
    /// Parameters, results and local variables of all functions. A few bytes can declare thousands of them.
    variables: usize,
    /// Values that are carried to other parts of functions and to other functions ([`code`]). A compiler copies each of them,
    /// and a few bytes can carry thousands.
    carried: usize,
    /// Types of core modules.
    types: usize,
    /// Parameters and results of all types. A type that no function has is compiled too.
    typed: usize,
    /// Segments of data. Programs in Go have fifty thousand: their linker begins a new one after each few zeros.
    data: usize,
    /// Segments of tables.
    elements: usize,
    /// Bytes that say what globals, tables and places of data begin with. They may be as long as a function.
    initial: usize,
    /// Blocks inside one another. The time and the memory that they take grow faster than their number.
    nesting: usize,
}

impl Work {
    /// The bounds of a component of so many bytes. The interpreters of large languages have a fifth of them. Compiled programs
    /// carry 0.6 to 1.5 values for each byte, and have a function for each 400 to 1,900 bytes.
    fn most(bytes: usize) -> Self {
        Self {
            functions: (bytes / 32).clamp(10_000, Self::MOST.functions),
            carried: bytes.saturating_mul(8).clamp(1_000_000, Self::MOST.carried),
            ..Self::MOST
        }
    }

    /// The bounds of the largest components.
    const MOST: Self = Self {
        parts: 64,
        functions: 100_000,
        code: 32 << 20,
        largest: 768 << 10,
        variables: 4_000_000,
        carried: 512_000_000,
        types: 10_000,
        typed: 100_000,
        // As many as the validation of WebAssembly allows.
        data: 100_000,
        elements: 10_000,
        // A hundred thousand segments of data have 600,000.
        initial: 768 << 10,
        nesting: 10_000,
    };

    /// Whether a component of so many bytes may have this.
    fn is_bounded(self, bytes: usize) -> Result<()> {
        let bounds = Self::most(bytes);
        for (count, most, what) in [
            (self.parts, bounds.parts, "modules and components inside"),
            (self.functions, bounds.functions, "functions"),
            (self.code, bounds.code, "bytes of code"),
            (self.largest, bounds.largest, "bytes of code in one function"),
            (self.variables, bounds.variables, "parameters, results and local variables"),
            (self.carried, bounds.carried, "values for its blocks, branches and calls"),
            (self.types, bounds.types, "types"),
            (self.typed, bounds.typed, "parameters and results of types"),
            (self.data, bounds.data, "segments of data"),
            (self.elements, bounds.elements, "segments of tables"),
            (self.initial, bounds.initial, "bytes for what globals, tables and places of data begin with"),
            (self.nesting, bounds.nesting, "blocks inside one another"),
        ] {
            ensure!(count <= most, "it has {count} {what}, and may have {most}");
        }
        Ok(())
    }
}

/// Reads a component, up to the first bound that it exceeds.
fn read(component: &[u8]) -> Result<Found> {
    let mut found = Found::default();
    let mut depth = 0usize;
    for payload in Parser::new(0).parse_all(component) {
        let added = found.add(payload, &mut depth).map_err(|error| anyhow!(joined(&error.to_string())));
        added.context("it is not a WebAssembly component")?;
        found.work.is_bounded(component.len()).context("it is too large to be compiled")?;
    }
    Ok(found)
}

impl Found {
    /// Adds a part of the component at a `depth` of modules and components inside.
    fn add(&mut self, payload: wasmparser::Result<Payload>, depth: &mut usize) -> Result<()> {
        match payload? {
            Payload::Version { encoding, .. } => {
                ensure!(*depth > 0 || encoding == Encoding::Component, "it is a core module");
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                self.work.parts += 1;
                *depth += 1;
                self.module = CoreModule::default();
                self.without_code.clear();
            }
            Payload::End(_) => *depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if *depth == 0 => {
                for import in imports {
                    self.imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(exports) if *depth == 0 => {
                for export in exports {
                    self.exports.push(export?.name.name.to_owned());
                }
            }
            Payload::TypeSection(types) => {
                let signatures = signatures(types)?;
                self.work.types += signatures.len();
                self.work.typed += signatures.iter().copied().map(Signature::values).sum::<usize>();
                self.module.types.extend(signatures);
            }
            Payload::DataSection(segments) => {
                self.work.data += usize::try_from(segments.count())?;
                for segment in segments {
                    if let DataKind::Active { offset_expr, .. } = segment?.kind {
                        self.work.initial += offset_expr.get_binary_reader().bytes_remaining();
                    }
                }
            }
            Payload::ElementSection(segments) => {
                self.work.elements += usize::try_from(segments.count())?;
                self.work.initial += segments.range().len();
            }
            Payload::GlobalSection(globals) => self.work.initial += globals.range().len(),
            Payload::TableSection(tables) => self.work.initial += tables.range().len(),
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    if let TypeRef::Func(of) | TypeRef::FuncExact(of) = import?.ty {
                        self.module.functions.push(of);
                    }
                }
            }
            Payload::FunctionSection(types) => {
                for of in types {
                    let of = of?;
                    self.module.functions.push(of);
                    self.without_code.push_back(of);
                }
            }
            Payload::CodeSectionEntry(body) => {
                let signature = self.without_code.pop_front().map(|of| self.module.signature(of)).unwrap_or_default();
                let (bytes, code) = (body.range().len(), code(&body, &self.module, signature)?);
                self.work.functions += 1;
                self.work.code += bytes;
                self.work.largest = self.work.largest.max(bytes);
                self.work.variables =
                    self.work.variables.saturating_add(signature.values()).saturating_add(code.locals);
                self.work.carried = self.work.carried.saturating_add(code.carried);
                self.work.nesting = self.work.nesting.max(code.nesting);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The parameters and results of each type. Only functions have any.
fn signatures(types: TypeSectionReader) -> Result<Vec<Signature>> {
    let mut signatures = Vec::new();
    for group in types {
        signatures.extend(group?.types().map(|one| match &one.composite_type.inner {
            CompositeInnerType::Func(function) => {
                Signature { parameters: function.params().len(), results: function.results().len() }
            }
            _ => Signature::default(),
        }));
    }
    Ok(signatures)
}

/// The interfaces of our world that are not exported, in any version.
fn missing(exports: &[String]) -> Vec<String> {
    let names = INTERFACES.map(|interface| format!("{PACKAGE}/{interface}"));
    let is_exported = |name: &String| exports.iter().any(|export| export.split('@').next() == Some(name));
    names.into_iter().filter(|name| !is_exported(name)).collect()
}

fn none(names: &[String]) -> Result<()> {
    match names {
        [] => Ok(()),
        [name, ..] => Err(anyhow!("{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/component.wasm"));

    #[test]
    fn ours_is_far_below_the_bounds() {
        inspect(OURS).unwrap();
        let found = read(OURS).unwrap().work;
        let Work {
            parts,
            functions,
            code,
            largest,
            variables,
            carried,
            types,
            typed,
            data,
            elements,
            initial,
            nesting,
        } = found;
        let most = Work::most(OURS.len());
        assert!(parts > 0 && parts * 5 < most.parts && functions > 0 && functions * 5 < most.functions);
        assert!(code > 0 && code * 5 < most.code && largest > 0 && largest * 5 < most.largest);
        assert!(variables > 0 && variables * 5 < most.variables && nesting > 0 && nesting * 5 < most.nesting);
        assert!(carried > 0 && carried * 4 < most.carried, "{carried} values in {} bytes", OURS.len());
        assert!(types > 0 && types * 5 < most.types && typed > 0 && typed * 5 < most.typed);
        assert!(data > 0 && data * 5 < most.data);
        assert!(elements > 0 && elements * 5 < most.elements && initial > 0 && initial * 5 < most.initial);
    }

    #[test]
    fn work_is_bounded() {
        let check = |bytes: usize, work: Work, expected: &str| {
            assert_eq!(work.is_bounded(bytes).unwrap_err().to_string(), expected);
        };
        let (large, most) = (64 << 20, Work::MOST);
        most.is_bounded(large).unwrap();
        check(large, Work { parts: 65, ..most }, "it has 65 modules and components inside, and may have 64");
        check(large, Work { functions: 900_000, ..most }, "it has 900000 functions, and may have 100000");
        check(large, Work { code: 40 << 20, ..most }, "it has 41943040 bytes of code, and may have 33554432");
        check(large, Work { nesting: 350_000, ..most }, "it has 350000 blocks inside one another, and may have 10000");
        check(large, Work { types: 40_000, ..most }, "it has 40000 types, and may have 10000");
        check(
            large,
            Work { typed: 1_000_000, ..most },
            "it has 1000000 parameters and results of types, and may have 100000",
        );
        check(large, Work { data: 100_001, ..most }, "it has 100001 segments of data, and may have 100000");
        check(large, Work { elements: 80_000, ..most }, "it has 80000 segments of tables, and may have 10000");
        let initial = Work { initial: 1 << 20, ..most };
        let what = "bytes for what globals, tables and places of data begin with";
        check(large, initial, &format!("it has 1048576 {what}, and may have 786432"));
        // A program in Go.
        Work { data: 50_731, ..Work::default() }.is_bounded(1_000_000).unwrap();
        let many = Work { variables: 5_000_000, ..most };
        check(large, many, "it has 5000000 parameters, results and local variables, and may have 4000000");
        let one = Work { largest: 2 << 20, ..most };
        check(large, one, "it has 2097152 bytes of code in one function, and may have 786432");
        // These follow the size.
        let of = |functions, carried| Work { functions, carried, ..Work::default() };
        of(10_000, 1_000_000).is_bounded(1_000).unwrap();
        check(1_000, of(10_001, 0), "it has 10001 functions, and may have 10000");
        let carried = "values for its blocks, branches and calls, and may have";
        check(1_000, of(0, 1_000_001), &format!("it has 1000001 {carried} 1000000"));
        of(31_250, 8_000_000).is_bounded(1_000_000).unwrap();
        check(1_000_000, of(31_251, 0), "it has 31251 functions, and may have 31250");
        check(1_000_000, of(0, 8_000_001), &format!("it has 8000001 {carried} 8000000"));
    }
}
