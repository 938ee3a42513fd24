//! Tests of the parser as a whole: trees in a short notation, errors, incompleteness, fuzzing.

mod arithmetic;
mod errors;
mod fuzz;
mod notation;
mod statements;
mod words;
