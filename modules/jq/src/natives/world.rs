//! What lies outside of the values: inputs, time, environment, messages, the end.

use super::{Entry, once};
use crate::fault::{Error, Outcome, error};
use crate::meter::{self, Stop};
use crate::shared::Shared;
use crate::value::Json;
use crate::write;
use jaq_core::Exn;

type Outcomes<'a> = Box<dyn Iterator<Item = Outcome<'a>> + 'a>;

pub(super) const FILTERS: &[Entry] = &[
    ("input", 0, |cv| {
        let shared: &Shared = cv.0.data();
        Box::new(std::iter::once(match next_input(shared) {
            Some(result) => result.map_err(Exn::from),
            None => Err(error("No more inputs").into()),
        }))
    }),
    ("inputs", 0, |cv| {
        let shared: &Shared = cv.0.data();
        Box::new(std::iter::from_fn(move || {
            if meter::tick() {
                return None;
            }
            next_input(shared).map(|result| result.map_err(Exn::from))
        }))
    }),
    ("input_filename", 0, |cv| once(Ok(cv.0.data().inputs.borrow().file()))),
    ("input_line_number", 0, |cv| {
        let line = cv.0.data().inputs.borrow().line();
        once(Ok(Json::count(line)))
    }),
    ("now", 0, |cv| once(Ok(Json::num(cv.0.data().now)))),
    ("env", 0, |cv| once(Ok(cv.0.data().env.clone()))),
    ("_debug", 0, |cv| {
        let message = Json::list(vec![Json::text("DEBUG:"), cv.1.clone()]);
        cv.0.data().tell(&format!("{}\n", write::compact(&message)));
        once(Ok(cv.1))
    }),
    ("stderr", 0, |cv| {
        // Without a newline, a string in quotes: as jq 1.6 does it.
        cv.0.data().tell(&write::compact(&cv.1));
        once(Ok(cv.1))
    }),
    // What a filter that is to stop consists of; see `filter::halting`.
    ("_stop", 0, |_| Box::new(std::iter::once(Err(Exn::halt(0))))),
    ("_halt", 1, |mut cv| {
        let status: Json = cv.0.pop_var();
        end(cv.0.data(), None, &status)
    }),
    ("halt_error", 1, |mut cv| {
        let status: Json = cv.0.pop_var();
        let shared: &Shared = cv.0.data();
        end(shared, Some(&cv.1), &status)
    }),
];

fn next_input(shared: &Shared) -> Option<Result<Json, Error>> {
    shared.inputs.borrow_mut().next().map(|result| result.map_err(error))
}

/// Ends the run with a status, after telling a value.
fn end<'a>(shared: &'a Shared, message: Option<&Json>, status: &Json) -> Outcomes<'a> {
    let Json::Num(status, _) = status else {
        return once(Err(error("halt_error/1: number required")));
    };
    match message {
        Some(Json::Str(text)) => shared.tell(text),
        Some(value) => shared.tell(&format!("{}\n", write::compact(value))),
        None => {}
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a status is a byte"
    )]
    shared.status.set(Some((*status as i64 & 0xff) as u8));
    meter::stop(Stop::Halt);
    Box::new(std::iter::once(Err(Exn::halt(0))))
}
