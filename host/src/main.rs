//! `sailplane`: the command line.

fn main() {}
