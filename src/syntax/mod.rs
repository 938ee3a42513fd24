//! Text to tokens to a tree with spans, diagnostics, and printing back.
//!
//! [`parse`] is pure and total: any text gives a tree, complete even where there are errors, and the
//! list of errors, each saying whether more input could mend it. Arithmetic is compiled to postfix
//! code here, once, so that nothing is parsed again at run time. Nesting is capped (200), so trees
//! are shallow and can be dropped and walked natively.
//!
//! Deliberately not here: what names mean, whether commands exist (`validate`), running (`exec`).

mod arith;
mod ast;
mod diagnostic;
mod highlight;
mod parse;
mod print;
mod render;

pub use arith::*;
pub use ast::*;
pub use diagnostic::*;
pub use highlight::{Kind, highlight};
pub use parse::{MAX_NESTING, Parsed, invisible, is_name, parse, parse_arithmetic, parse_integer};
pub use print::{print, print_function};
pub use render::render;

#[cfg(test)]
mod tests;
