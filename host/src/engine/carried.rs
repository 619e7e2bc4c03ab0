//! How many values a core module carries to other parts of its functions and to other functions. A compiler copies each
//! of them, so this is what the time and the memory of a compilation depend on where they are out of proportion to the size
//! of the code.

use anyhow::Result;
use wasmparser::{BlockType, FunctionBody, Operator};

/// What a value costs that a call, a block or a branch takes or gives, in variables that are kept at a place.
const GIVEN: usize = 16;

/// The numbers of parameters and of results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signature {
    pub(super) parameters: usize,
    pub(super) results: usize,
}

impl Signature {
    pub(super) fn values(self) -> usize {
        self.parameters + self.results
    }
}

/// What is known of a core module before its code.
#[derive(Debug, Default)]
pub(super) struct CoreModule {
    /// Its types. Those that are not of functions have no values.
    pub(super) types: Vec<Signature>,
    /// The types of its functions, imported ones first.
    pub(super) functions: Vec<u32>,
}

impl CoreModule {
    /// A type. What does not exist, which validation refuses later, has no values.
    pub(super) fn signature(&self, of: u32) -> Signature {
        usize::try_from(of).ok().and_then(|of| self.types.get(of)).copied().unwrap_or_default()
    }

    fn called(&self, function: u32) -> Signature {
        let of = usize::try_from(function).ok().and_then(|function| self.functions.get(function)).copied();
        of.map(|of| self.signature(of)).unwrap_or_default()
    }

    fn block(&self, block: BlockType) -> Signature {
        match block {
            BlockType::Empty => Signature::default(),
            BlockType::Type(_) => Signature { parameters: 0, results: 1 },
            BlockType::FuncType(of) => self.signature(of),
        }
    }
}

/// What the code of a function has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Code {
    /// The number of local variables.
    pub(super) locals: usize,
    /// How deep blocks are inside one another.
    pub(super) nesting: usize,
    /// The values that are carried: all variables to each block and each target of a branch, and what calls, blocks and
    /// branches take and give.
    pub(super) carried: usize,
}

/// Looks at the code of a function of this type.
///
/// # Errors
/// When it cannot be read.
pub(super) fn code(body: &FunctionBody, module: &CoreModule, signature: Signature) -> Result<Code> {
    let mut found = Code::default();
    for locals in body.get_locals_reader()? {
        found.locals = found.locals.saturating_add(usize::try_from(locals?.0)?);
    }
    // What a branch to each of the open blocks takes, and the function's results, which a branch out of it takes.
    let mut open = vec![signature.results];
    let (mut places, mut given) = (0usize, 0usize);
    for operator in body.get_operators_reader()? {
        let branch = |depth: u32| {
            let block = usize::try_from(depth).ok().and_then(|depth| open.iter().rev().nth(depth));
            block.copied().unwrap_or_default()
        };
        match operator? {
            Operator::Block { blockty } | Operator::If { blockty } => {
                let block = module.block(blockty);
                places += 1;
                given = given.saturating_add(block.values());
                open.push(block.results);
            }
            Operator::Loop { blockty } => {
                let block = module.block(blockty);
                places += 1;
                given = given.saturating_add(block.values());
                open.push(block.parameters);
            }
            Operator::Else => places += 1,
            Operator::End => {
                open.pop();
            }
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                places += 1;
                given = given.saturating_add(branch(relative_depth));
            }
            Operator::BrTable { targets } => {
                for target in targets.targets().chain([Ok(targets.default())]) {
                    places += 1;
                    given = given.saturating_add(branch(target?));
                }
            }
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                given = given.saturating_add(module.called(function_index).values());
            }
            Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. } => {
                given = given.saturating_add(module.signature(type_index).values());
            }
            _ => {}
        }
        found.nesting = found.nesting.max(open.len().saturating_sub(1)); // the first is the function
    }
    let variables = signature.parameters.saturating_add(found.locals);
    found.carried = variables.saturating_mul(places).saturating_add(given.saturating_mul(GIVEN));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use wasmparser::BinaryReader;

    use super::*;

    const END: u8 = 0x0b;

    #[test]
    fn what_code_carries() {
        let signature = |parameters, results| Signature { parameters, results };
        // A function of each type.
        let module = CoreModule { types: vec![signature(3, 2), signature(0, 100)], functions: vec![0, 1] };
        let check = |what: &str, body: &[u8], expected: (usize, usize)| {
            let body = FunctionBody::new(BinaryReader::new(body, 0));
            let found = code(&body, &module, signature(3, 2)).unwrap();
            assert_eq!((found.nesting, found.carried), expected, "{what}");
        };
        //    what                               locals           code                         depth  values
        check("nothing", &[&[0][..], &[END]].concat(), (0, 0));
        check("blocks", &[&[0][..], &[0x02, 0x40, END, 0x03, 0x40, END, END]].concat(), (1, 2 * 3));
        check("locals", &[&[1, 7, 0x7e][..], &[0x02, 0x40, 0x02, 0x40, END, END, END]].concat(), (2, 2 * 10));
        check("else", &[&[0][..], &[0x41, 0, 0x04, 0x40, 0x05, END, END]].concat(), (1, 2 * 3));
        check("branches", &[&[0][..], &[0x02, 0x40, 0x41, 0, 0x0d, 0, 0x0c, 0, END, END]].concat(), (1, 3 * 3));
        check("a table", &[&[0][..], &[0x02, 0x40, 0x41, 0, 0x0e, 3, 0, 0, 0, 0, END, END]].concat(), (1, 5 * 3));
        check("a branch out", &[&[0][..], &[0x0c, 0, END]].concat(), (0, 3 + 16 * 2));
        check("a branch too far", &[&[0][..], &[0x0c, 9, END]].concat(), (0, 3));
        check("a block's values", &[&[0][..], &[0x02, 1, 0, END, END]].concat(), (1, 3 + 16 * 100));
        check("a branch to it", &[&[0][..], &[0x02, 1, 0x0c, 0, END, END]].concat(), (1, 2 * 3 + 16 * 200));
        check("a loop takes parameters", &[&[0][..], &[0x03, 0, 0x0c, 0, END, END]].concat(), (1, 6 + 16 * (5 + 3)));
        check("calls", &[&[0][..], &[0x10, 1, 0x10, 0, 0x12, 9, END]].concat(), (0, 16 * 105));
        check("calls by a table", &[&[0][..], &[0x41, 0, 0x11, 1, 0, 0x13, 0, 0, END]].concat(), (0, 16 * 105));
    }
}
