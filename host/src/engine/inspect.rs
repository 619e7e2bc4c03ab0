//! A look at a component before it is compiled, which takes a moment: whether it is of our world, and how much work it is
//! to compile it.

use std::collections::VecDeque;

use anyhow::{Context as _, Result, anyhow, ensure};
use wasmparser::{CompositeInnerType, Encoding, FunctionBody, Operator, Parser, Payload, TypeSectionReader};

use crate::causes::joined;

/// The package of the interfaces that a component of our world exports.
const PACKAGE: &str = "sailplane:composition";
/// Those interfaces.
const INTERFACES: [&str; 6] = ["types", "catalog", "compose", "admit", "preview", "expressions"];

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
    /// The parameters and results of each type of the core module that is read, and the types of its functions.
    types: Vec<usize>,
    signatures: VecDeque<usize>,
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
    /// Types of core modules.
    types: usize,
    /// Segments of data and of tables.
    segments: usize,
    /// Blocks inside one another. The time and the memory that they take grow faster than their number.
    nesting: usize,
}

impl Work {
    /// The bounds. The interpreters of large languages have a fifth of them.
    const MOST: Self = Self {
        parts: 64,
        functions: 100_000,
        code: 32 << 20,
        largest: 1 << 20,
        variables: 4_000_000,
        types: 10_000,
        segments: 10_000,
        nesting: 10_000,
    };

    fn is_bounded(self) -> Result<()> {
        for (count, most, what) in [
            (self.parts, Self::MOST.parts, "modules and components inside"),
            (self.functions, Self::MOST.functions, "functions"),
            (self.code, Self::MOST.code, "bytes of code"),
            (self.largest, Self::MOST.largest, "bytes of code in one function"),
            (self.variables, Self::MOST.variables, "parameters, results and local variables"),
            (self.types, Self::MOST.types, "types"),
            (self.segments, Self::MOST.segments, "segments"),
            (self.nesting, Self::MOST.nesting, "blocks inside one another"),
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
        found.work.is_bounded().context("it is too large to be compiled")?;
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
                self.types.clear();
                self.signatures.clear();
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
                self.types.extend(signatures);
            }
            Payload::DataSection(segments) => self.work.segments += usize::try_from(segments.count())?,
            Payload::ElementSection(segments) => self.work.segments += usize::try_from(segments.count())?,
            Payload::FunctionSection(types) => {
                for function in types {
                    let variables = usize::try_from(function?).ok().and_then(|at| self.types.get(at)).copied();
                    self.signatures.push_back(variables.unwrap_or_default());
                }
            }
            Payload::CodeSectionEntry(body) => {
                let bytes = body.range().len();
                self.work.functions += 1;
                self.work.code += bytes;
                self.work.largest = self.work.largest.max(bytes);
                let signature = self.signatures.pop_front().unwrap_or_default();
                self.work.variables = self.work.variables.saturating_add(signature).saturating_add(locals(&body)?);
                self.work.nesting = self.work.nesting.max(nesting(&body)?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The number of parameters and results of each type. Only functions have any.
fn signatures(types: TypeSectionReader) -> Result<Vec<usize>> {
    let mut counts = Vec::new();
    for group in types {
        counts.extend(group?.types().map(|one| match &one.composite_type.inner {
            CompositeInnerType::Func(function) => function.params().len() + function.results().len(),
            _ => 0,
        }));
    }
    Ok(counts)
}

/// The number of local variables of a function.
fn locals(body: &FunctionBody) -> Result<usize> {
    let mut count = 0usize;
    for locals in body.get_locals_reader()? {
        count = count.saturating_add(usize::try_from(locals?.0)?);
    }
    Ok(count)
}

/// How deep blocks are inside one another in a function.
fn nesting(body: &FunctionBody) -> Result<usize> {
    let (mut deepest, mut depth) = (0usize, 0usize);
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
            Operator::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    Ok(deepest)
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
        let Work { parts, functions, code, largest, variables, types, segments, nesting } = read(OURS).unwrap().work;
        let most = Work::MOST;
        assert!(parts > 0 && parts * 5 < most.parts && functions > 0 && functions * 5 < most.functions);
        assert!(code > 0 && code * 5 < most.code && largest > 0 && largest * 5 < most.largest);
        assert!(variables > 0 && variables * 5 < most.variables && nesting > 0 && nesting * 5 < most.nesting);
        assert!(types > 0 && types * 5 < most.types && segments > 0 && segments * 5 < most.segments);
    }

    #[test]
    fn work_is_bounded() {
        let check = |work: Work, expected: &str| {
            assert_eq!(work.is_bounded().unwrap_err().to_string(), expected);
        };
        let most = Work::MOST;
        most.is_bounded().unwrap();
        check(Work { parts: 65, ..most }, "it has 65 modules and components inside, and may have 64");
        check(Work { functions: 900_000, ..most }, "it has 900000 functions, and may have 100000");
        check(Work { code: 40 << 20, ..most }, "it has 41943040 bytes of code, and may have 33554432");
        check(Work { nesting: 350_000, ..most }, "it has 350000 blocks inside one another, and may have 10000");
        check(Work { types: 40_000, ..most }, "it has 40000 types, and may have 10000");
        check(Work { segments: 80_000, ..most }, "it has 80000 segments, and may have 10000");
        let many = Work { variables: 5_000_000, ..most };
        check(many, "it has 5000000 parameters, results and local variables, and may have 4000000");
        check(Work { largest: 2 << 20, ..most }, "it has 2097152 bytes of code in one function, and may have 1048576");
    }
}
