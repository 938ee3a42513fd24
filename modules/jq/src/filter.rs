//! The text of a filter to something that runs, or to the message that says what is wrong with it.

use std::borrow::Cow;

use jaq_core::compile::Undefined;
use jaq_core::load::lex;
use jaq_core::load::parse::{Def, Term};
use jaq_core::load::{Arena, File, Lexer, Loader, Parser, span};
use jaq_core::{Compiler, Filter};

use crate::natives;
use crate::rewrite;
use crate::shared::Kind;

const DEFINITIONS: &str = include_str!("defs.jq");

/// How deeply brackets nest in a filter.
const MAX_DEPTH: usize = 200;

/// The name of the filter itself among the definitions.
const MAIN: &str = "__main";

/// A filter that can run.
pub(crate) struct Compiled {
    pub(crate) filter: Filter<Kind>,
    /// At least as many as it has terms.
    pub(crate) terms: usize,
    /// Whether it takes inputs itself.
    pub(crate) takes_inputs: bool,
}

/// What is wrong with a filter, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// What is wrong, in jq's words.
    pub message: String,
    /// The byte of the text it is about.
    pub at: usize,
}

impl FilterError {
    /// The lines that jq prints.
    #[must_use]
    pub fn report(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let message = &self.message;
        format!("jq: error: {message} at <top-level>, line {line}:\n{text}\njq: 1 compile error\n")
    }
}

/// Checks the syntax of a filter; names it uses are not looked up.
///
/// # Errors
/// The first place where it is no filter.
pub fn check(text: &str) -> Result<(), FilterError> {
    parse(&spelled_out(text)).map(drop)
}

/// Where a text is while it is scanned.
enum Scan {
    /// In code, within so many parentheses.
    Code(usize),
    Text,
}

/// The text with a zero before each number that begins with its point, which the parser wants.
fn spelled_out(text: &str) -> Cow<'_, str> {
    let mut places = Vec::new();
    let mut stack = vec![Scan::Code(0)];
    let mut before = b' ';
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let next = bytes.peek().map(|(_, byte)| *byte);
        match (stack.last_mut(), byte) {
            (Some(Scan::Text), b'"') => {
                stack.pop();
            }
            (Some(Scan::Text), b'\\') => {
                let escaped = bytes.next().map(|(_, byte)| byte);
                if escaped == Some(b'(') {
                    stack.push(Scan::Code(0));
                }
            }
            (Some(Scan::Code(_)), b'"') => stack.push(Scan::Text),
            (Some(Scan::Code(_)), b'#') => while bytes.next_if(|(_, b)| *b != b'\n').is_some() {},
            (Some(Scan::Code(depth)), b'(') => *depth += 1,
            (Some(Scan::Code(0)), b')') => {
                stack.pop();
            }
            (Some(Scan::Code(depth)), b')') => *depth -= 1,
            (Some(Scan::Code(_)), b'.') => {
                let follows = before.is_ascii_alphanumeric() || b"_.)]}\"'?$@".contains(&before);
                if !follows && next.is_some_and(|byte| byte.is_ascii_digit()) {
                    places.push(at);
                }
            }
            _ => {}
        }
        before = byte;
    }
    let mut out = Cow::Borrowed(text);
    for at in places.into_iter().rev() {
        out.to_mut().insert(at, '0');
    }
    out
}

fn syntax_error(found: &str, at: usize) -> FilterError {
    let message = match found {
        "" => "syntax error, unexpected end of file".into(),
        found => format!("syntax error, unexpected '{found}'"),
    };
    FilterError { message, at }
}

/// The deepest nesting of brackets; those in strings count too.
fn check_depth(text: &str) -> Result<(), FilterError> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            let message = format!("brackets are nested more than {MAX_DEPTH} deep");
            return Err(FilterError { message, at });
        }
    }
    // Chains of prefixes nest as well, without brackets.
    let words = text.split_ascii_whitespace();
    let prefixes = |word: &&str| matches!(*word, "try" | "-" | "if" | "reduce" | "foreach" | "def");
    let runs = text.split(|c: char| c != '-').map(str::len).max().unwrap_or(0);
    if words.filter(prefixes).count() > 10 * MAX_DEPTH || runs > MAX_DEPTH {
        let message = "the filter is nested too deeply".into();
        return Err(FilterError { message, at: 0 });
    }
    Ok(())
}

/// The tree of a filter; one without any term is `.`, and definitions alone apply to `.`.
fn parse(text: &str) -> Result<Term<&str>, FilterError> {
    check_depth(text)?;
    let tokens = Lexer::new(text).lex().map_err(|errors| lexical(text, &errors))?;
    if tokens.is_empty() {
        return Ok(Term::Id);
    }
    match Parser::new(&tokens).parse(Parser::term) {
        Ok(term) => Ok(term),
        Err(errors) => {
            if let Ok(definitions) = Parser::new(&tokens).parse(Parser::defs) {
                return Ok(Term::Def(definitions, Box::new(Term::Id)));
            }
            let found = errors.first().and_then(|(_, found)| *found);
            let word = found.map_or("", |token| token.as_str());
            let at = if word.is_empty() { text.len() } else { span(text, word).start };
            let word = if word.len() > 40 { word.get(..1).unwrap_or("?") } else { word };
            Err(syntax_error(word, at))
        }
    }
}

fn lexical(text: &str, errors: &[lex::Error<&str>]) -> FilterError {
    let Some((expect, rest)) = errors.first() else { return syntax_error("", text.len()) };
    let at = span(text, rest).start;
    match expect {
        lex::Expect::Delim(_) => {
            let closes = rest.chars().next().map(String::from).unwrap_or_default();
            syntax_error(&closes, at)
        }
        lex::Expect::Escape | lex::Expect::Unicode => {
            FilterError { message: "syntax error, invalid escape in a string".into(), at }
        }
        _ => syntax_error(&rest.chars().next().map(String::from).unwrap_or_default(), at),
    }
}

/// Compiles a filter; `variables` are the names, with their dollar, that it may use.
pub(crate) fn compile(text: &str, variables: &[String]) -> Result<Compiled, FilterError> {
    let text = &*spelled_out(text);
    let mut term = parse(text)?;
    let mut notes = rewrite::Notes::new(text);
    rewrite::term(&mut term, &mut notes);
    let main = Def { name: MAIN, args: Vec::new(), body: term };
    let definitions = jaq_core::load::parse(DEFINITIONS, |parser| parser.defs());
    let definitions = definitions.unwrap_or_default();
    let loader = Loader::new(definitions.into_iter().chain([main]));
    let arena = Arena::default();
    let broken = |message: &str| FilterError { message: message.into(), at: 0 };
    let modules = loader
        .load(&arena, File { code: MAIN, path: () })
        .map_err(|_| broken("the definitions cannot be loaded"))?;
    let filter = Compiler::default()
        .with_funs(natives::all())
        .with_global_vars(variables.iter().map(String::as_str))
        .compile(modules)
        .map_err(|errors| {
            let first = errors.iter().find_map(|(_, errors)| errors.first());
            first.map_or_else(
                || broken("it does not compile"),
                |(name, what)| undefined(text, name, what),
            )
        })?;
    Ok(Compiled {
        filter,
        terms: 2 * (DEFINITIONS.len() + text.len()) + 1000,
        takes_inputs: notes.takes_inputs,
    })
}

fn undefined(text: &str, name: &str, what: &Undefined) -> FilterError {
    let inside = text.as_bytes().as_ptr_range().contains(&name.as_ptr());
    let at = if inside { span(text, name).start } else { 0 };
    let message = match what {
        Undefined::Filter(arity) => format!("{name}/{arity} is not defined"),
        Undefined::Label => format!("$*label-{} is not defined", name.trim_start_matches('$')),
        _ => format!("{name} is not defined"),
    };
    FilterError { message, at }
}

/// A filter of at least so many terms, each of which ends the run.
pub(crate) fn halting(terms: usize) -> Filter<Kind> {
    let mut code = String::from("_stop");
    let mut leaves = 1;
    while leaves * 2 < terms {
        code = format!("({code},{code})");
        leaves *= 2;
    }
    let arena = Arena::default();
    let loader = Loader::new([]);
    let modules = loader.load(&arena, File { code: code.as_str(), path: () });
    let filter = modules
        .ok()
        .and_then(|modules| Compiler::default().with_funs(natives::stops()).compile(modules).ok());
    filter.unwrap_or_default()
}
