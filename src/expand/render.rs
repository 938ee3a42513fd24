//! Values to the text of a word.

use super::{ExpandError, ExpandResult};
use crate::syntax::Span;
use crate::value::{EcoString, Value};

/// The text of a value in a word; bytes that are not UTF-8 have none.
pub fn text_of(value: &Value, span: Span) -> ExpandResult<EcoString> {
    value.to_text().ok_or_else(|| bytes_error(span))
}

pub(super) fn bytes_error(span: Span) -> ExpandError {
    ExpandError::new(
        span,
        "the value is bytes that are not UTF-8 text; pass it to `write FILE $x`, or encode it \
         where it comes from (base64, xxd)",
    )
}

/// Appends the text of a value.
pub(super) fn push_text(out: &mut EcoString, value: &Value, span: Span) -> ExpandResult<()> {
    match value {
        Value::Text(text) if out.is_empty() => *out = text.clone(),
        Value::Text(text) => out.push_str(text),
        other => out.push_str(&text_of(other, span)?),
    }
    Ok(())
}
