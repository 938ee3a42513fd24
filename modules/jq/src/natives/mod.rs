//! The filters that are not written in the filter language itself, by what they work on.
#![expect(
    clippy::needless_pass_by_value,
    reason = "all filters have one shape, and are handed values"
)]

mod entries;
mod format;
mod math;
mod order;
mod text;
mod time;
mod world;

use jaq_core::native::{Fun, bome, run, v};
use jaq_core::{Native, RunPtr};

pub(crate) use entries::positions;

use crate::fault::{Outcome, Valued};
use crate::shared::Kind;
use crate::value::Json;

/// Name, number of arguments, implementation.
type Entry = (&'static str, usize, RunPtr<Kind>);

/// Every native filter.
pub(crate) fn all() -> Vec<Fun<Kind>> {
    let own = [
        entries::FILTERS,
        format::FILTERS,
        math::FILTERS,
        order::FILTERS,
        text::FILTERS,
        time::FILTERS,
        world::FILTERS,
    ];
    let own = own.into_iter().flatten();
    // Its `range` does not count its steps.
    let core = jaq_core::funs::<Kind>().filter(|(name, ..)| *name != "range");
    core.chain(own.map(|(name, count, filter)| run::<Kind>((*name, v(*count), *filter)))).collect()
}

/// The same names, each ending the run: what a filter goes on in once it is to stop.
pub(crate) fn stops() -> Vec<Fun<Kind>> {
    let stop = || {
        Native::<Kind>::new(|_| Box::new(std::iter::once(Err(jaq_core::Exn::halt(0)))))
            .with_paths(|_| Box::new(std::iter::once(Err(jaq_core::Exn::halt(0)))))
            .with_update(|_, _| Box::new(std::iter::once(Err(jaq_core::Exn::halt(0)))))
    };
    all().into_iter().map(|(name, args, _)| (name, args, stop())).collect()
}

/// The stream of one result.
fn once<'a>(result: Valued) -> Box<dyn Iterator<Item = Outcome<'a>> + 'a> {
    bome(result)
}

/// A filter of its input alone.
macro_rules! plain {
    ($name:expr, $f:expr) => {
        ($name, 0, |cv| $crate::natives::once($f(cv.1)))
    };
}

/// A filter of its input and one value.
macro_rules! unary {
    ($name:expr, $f:expr) => {
        ($name, 1, |mut cv| {
            let argument: $crate::value::Json = cv.0.pop_var();
            $crate::natives::once($f(cv.1, argument))
        })
    };
}

/// A filter of its input and two values.
macro_rules! binary {
    ($name:expr, $f:expr) => {
        ($name, 2, |mut cv| {
            let second: $crate::value::Json = cv.0.pop_var();
            let first: $crate::value::Json = cv.0.pop_var();
            $crate::natives::once($f(cv.1, first, second))
        })
    };
}

use {binary, plain, unary};

/// The text of a string, or the failure `KIND (VALUE) MESSAGE`.
fn text_of<'v>(value: &'v Json, message: &str) -> Result<&'v str, crate::fault::Error> {
    match value {
        Json::Str(text) => Ok(text),
        other => crate::fault::refuse(other, message),
    }
}
