//! Errors of filters, in the words people know.

use jaq_core::Exn;

use crate::value::Json;

/// An error that `try` catches.
pub(crate) type Error = jaq_core::Error<Json>;
/// A value or an error.
pub(crate) type Valued = Result<Json, Error>;
/// A value, an error, or the end of the filter.
pub(crate) type Outcome<'a> = Result<Json, Exn<'a, Json>>;

/// An error with a message.
pub(crate) fn error(message: impl Into<String>) -> Error {
    Error::new(Json::text(message.into()))
}

/// The failure with a message.
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(error(message))
}

/// `KIND (VALUE) MESSAGE`
pub(crate) fn refuse<T>(value: &Json, message: &str) -> Result<T, Error> {
    fail(format!("{} {message}", value.shown()))
}

/// Two values that an operator does not take.
pub(crate) fn mismatch<T>(left: &Json, right: &Json, message: &str) -> Result<T, Error> {
    fail(format!("{} and {} cannot be {message}", left.shown(), right.shown()))
}

/// A value that has no such index.
pub(crate) fn no_index<T>(value: &Json, index: &Json) -> Result<T, Error> {
    match index {
        Json::Str(key) => fail(format!("Cannot index {} with \"{key}\"", value.kind())),
        _ => fail(format!("Cannot index {} with {}", value.kind(), index.kind())),
    }
}

/// A value that holds no others.
pub(crate) fn no_items(value: &Json) -> Error {
    match value {
        Json::Null => error("Cannot iterate over null"),
        _ => error(format!("Cannot iterate over {}", value.shown())),
    }
}
