//! Words to what is known of them before anything runs.

use crate::syntax::{Argument, Part, SimpleCommand, Word};
use crate::value::EcoString;

/// The text of a word without expansions, patterns and braces.
pub(super) fn text_of(word: &Word) -> Option<EcoString> {
    match word.parts.as_slice() {
        [Part::Literal(text) | Part::Quoted(text)] => return Some(text.clone()),
        [] => return None,
        _ => {}
    }
    let mut text = EcoString::new();
    append(&word.parts, &mut text).then_some(text)
}

/// The text of a word without expansions, its pattern characters included.
pub(super) fn pattern_of(word: &Word) -> Option<EcoString> {
    let mut text = EcoString::new();
    for part in &word.parts {
        match part {
            Part::Glob(part) => text.push_str(part),
            part => append(std::slice::from_ref(part), &mut text).then_some(())?,
        }
    }
    Some(text)
}

/// Double quotes do not nest, so this recursion is one level deep.
fn append(parts: &[Part], text: &mut EcoString) -> bool {
    parts.iter().all(|part| match part {
        Part::Literal(part) | Part::Quoted(part) => {
            text.push_str(part);
            true
        }
        Part::DoubleQuoted(parts) => append(parts, text),
        _ => false,
    })
}

/// Whether a word may become none or several: a spread, a pattern, braces, `$@`.
pub(super) fn is_countless(word: &Word) -> bool {
    use crate::syntax::{ParameterName, Subscript};
    let many = |part: &Part| match part {
        Part::Parameter(parameter) => {
            matches!(parameter.name, ParameterName::Special('@' | '*'))
                || parameter.path.iter().any(|key| matches!(key, Subscript::All | Subscript::Star))
        }
        Part::Spread(_) => true,
        _ => false,
    };
    word.traits.globs
        || word.traits.braces
        || word.parts.iter().any(|part| match part {
            Part::DoubleQuoted(parts) => parts.iter().any(many),
            part => many(part),
        })
}

/// The name of a command that is written out.
pub(super) fn name_of(command: &SimpleCommand) -> Option<EcoString> {
    match command.words.first()? {
        Argument::Word(word) => text_of(word),
        Argument::Assignment(_) => None,
    }
}
