//! What the parser emits into: segments of operations, labels, and the tables of a program.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::{Function, Op, Program, SPECIALS, Slot, Target};
use super::lex::{Token, Tokens};
use super::value::Value;
use crate::pattern::{Dialect, Regex, Syntax};
use crate::value::EcoString;

/// A message and its line.
pub(super) type ParseError = (String, u32);

/// A list of operations with places that are its own.
#[derive(Default)]
pub(super) struct Segment {
    pub(super) ops: Vec<Op>,
    pub(super) lines: Vec<u32>,
    /// The operations before this place must stay as they are: something jumps here.
    barrier: usize,
}

/// A loop around what is being parsed.
#[derive(Default)]
pub(super) struct Loop {
    pub(super) breaks: Vec<usize>,
    pub(super) continues: Vec<usize>,
    /// `switch` ends `break` but passes `continue` on.
    pub(super) is_switch: bool,
}

/// The state of parsing a program.
pub(super) struct Compiler {
    pub(super) tokens: Tokens,
    pub(super) at: usize,
    pub(super) segment: Segment,
    pub(super) constants: Vec<Value>,
    regexes: Vec<Rc<Regex>>,
    regex_numbers: FxHashMap<EcoString, u32>,
    pub(super) functions: Vec<(Function, Segment)>,
    globals: Vec<EcoString>,
    /// The parameters of the function being parsed.
    pub(super) locals: Option<Vec<EcoString>>,
    pub(super) loops: Vec<Loop>,
    pub(super) ranges: u32,
    pub(super) depth: u32,
    /// Whether `next` may be used: not in BEGIN and END.
    pub(super) in_rules: bool,
    /// Whether `>` is a redirection here.
    pub(super) no_greater: bool,
}

impl Compiler {
    pub(super) fn new(tokens: Tokens) -> Self {
        Self {
            tokens,
            at: 0,
            segment: Segment::default(),
            constants: Vec::new(),
            regexes: Vec::new(),
            regex_numbers: FxHashMap::default(),
            functions: Vec::new(),
            globals: Vec::new(),
            locals: None,
            loops: Vec::new(),
            ranges: 0,
            depth: 0,
            in_rules: true,
            no_greater: false,
        }
    }

    pub(super) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> &Token {
        self.tokens.get(self.at + count).map_or(&Token::End, |(token, _)| token)
    }

    pub(super) fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(found) if *found == mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if *found == word)
    }

    /// Passes over a mark if it is next.
    pub(super) fn take(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<(), ParseError> {
        if self.take(mark) { Ok(()) } else { Err(self.syntax_error()) }
    }

    pub(super) fn skip_newlines(&mut self) {
        while *self.peek() == Token::Newline {
            self.advance();
        }
    }

    pub(super) fn syntax_error(&self) -> ParseError {
        let near = match self.peek() {
            Token::Newline | Token::End => "the end of the line".into(),
            Token::Number(number) => format!("{number}"),
            Token::Text(text) => format!("\"{}\"", String::from_utf8_lossy(text)),
            Token::Regex(text) => format!("/{text}/"),
            Token::Name(name) | Token::Call(name) => name.to_string(),
            Token::Builtin(word) | Token::Word(word) | Token::Mark(word) => (*word).to_string(),
        };
        self.error(format!("syntax error at {near}"))
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        (message.into(), self.line())
    }

    /// Enters a construct that nests; native recursion is bounded by it.
    pub(super) fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > 150 { Err(self.error("the program is nested too deeply")) } else { Ok(()) }
    }

    pub(super) fn emit(&mut self, op: Op) {
        let line = self.line();
        self.segment.ops.push(op);
        self.segment.lines.push(line);
    }

    /// Emits a jump whose place [`Compiler::land`] sets.
    pub(super) fn emit_jump(&mut self, op: Op) -> usize {
        self.emit(op);
        self.segment.ops.len() - 1
    }

    /// The place of the next operation.
    pub(super) fn here(&mut self) -> u32 {
        self.segment.barrier = self.segment.ops.len();
        u32::try_from(self.segment.ops.len()).unwrap_or(u32::MAX)
    }

    /// Lets a jump go to the next operation.
    pub(super) fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Some(op) = self.segment.ops.get_mut(jump) {
            set_place(op, here);
        }
    }

    /// The last operation, unless something jumps behind it.
    pub(super) fn last_op(&mut self) -> Option<&mut Op> {
        if self.segment.barrier >= self.segment.ops.len() {
            return None;
        }
        self.segment.ops.last_mut()
    }

    /// Takes back the last operation.
    pub(super) fn unemit(&mut self) {
        self.segment.ops.pop();
        self.segment.lines.pop();
    }

    pub(super) fn constant(&mut self, text: &[u8]) {
        let number = u32::try_from(self.constants.len()).unwrap_or(u32::MAX);
        self.constants.push(Value::text(text));
        self.emit(Op::Constant(number));
    }

    pub(super) fn regex(&mut self, pattern: &EcoString) -> Result<u32, ParseError> {
        if let Some(number) = self.regex_numbers.get(pattern) {
            return Ok(*number);
        }
        let regex = Regex::new(pattern, Syntax::new(Dialect::Awk))
            .map_err(|error| self.error(format!("invalid regexp /{pattern}/: {error}")))?;
        let number = u32::try_from(self.regexes.len()).unwrap_or(u32::MAX);
        self.regexes.push(Rc::new(regex));
        self.regex_numbers.insert(pattern.clone(), number);
        Ok(number)
    }

    /// The variable of a name, made where it is new.
    pub(super) fn variable(&mut self, name: &str) -> Target {
        if let Some(slot) = self.local(name) {
            return Target::Variable(slot);
        }
        match SPECIALS.iter().find(|(special, _)| *special == name) {
            Some((_, special)) => Target::Special(*special),
            None => Target::Variable(self.global(name)),
        }
    }

    /// The array of a name.
    pub(super) fn array(&mut self, name: &str) -> Result<Slot, ParseError> {
        match self.variable(name) {
            Target::Variable(slot) => Ok(slot),
            _ => Err(self.error(format!("attempt to use scalar '{name}' as an array"))),
        }
    }

    fn local(&self, name: &str) -> Option<Slot> {
        let at = self.locals.as_ref()?.iter().position(|local| local == name)?;
        Some(Slot::Local(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    pub(super) fn global(&mut self, name: &str) -> Slot {
        let found = self.globals.iter().position(|global| global == name);
        let at = found.unwrap_or_else(|| {
            self.globals.push(name.into());
            self.globals.len() - 1
        });
        Slot::Global(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The number of a function, which may be defined later.
    pub(super) fn function(&mut self, name: &str) -> usize {
        let found = self.functions.iter().position(|(function, _)| function.name == name);
        found.unwrap_or_else(|| {
            let function = Function { name: name.into(), entry: u32::MAX, parameters: 0 };
            self.functions.push((function, Segment::default()));
            self.functions.len() - 1
        })
    }

    /// Puts the segments together.
    pub(super) fn link(
        mut self,
        mut begin: Segment,
        mut rules: Segment,
        mut end: Segment,
    ) -> Result<Program, ParseError> {
        let (has_rules, has_end) = (!rules.ops.is_empty(), !end.ops.is_empty());
        let mut code = Vec::new();
        let mut lines = Vec::new();
        let mut place = |segment: &mut Segment, last: Op| {
            let base = u32::try_from(code.len()).unwrap_or(u32::MAX);
            segment.ops.push(last);
            segment.lines.push(0);
            for op in &mut segment.ops {
                shift(op, base);
            }
            code.append(&mut segment.ops);
            lines.append(&mut segment.lines);
            base
        };
        let begin = place(&mut begin, Op::Done);
        let rules = place(&mut rules, Op::Done);
        let end = place(&mut end, Op::Done);
        let mut functions = Vec::new();
        for (mut function, mut segment) in std::mem::take(&mut self.functions) {
            if function.entry == u32::MAX {
                return Err((format!("function '{}' not defined", function.name), 0));
            }
            function.entry = place(&mut segment, Op::Return);
            functions.push(function);
        }
        Ok(Program {
            code,
            lines,
            begin,
            rules,
            end,
            has_rules,
            has_end,
            constants: self.constants,
            regexes: self.regexes,
            functions,
            globals: self.globals,
            ranges: self.ranges,
        })
    }
}

fn place_of(op: &mut Op) -> Option<&mut u32> {
    match op {
        Op::Jump(place)
        | Op::JumpIfFalse(place)
        | Op::JumpIfTrue(place)
        | Op::RangeOpen(_, place)
        | Op::ForInNext(place) => Some(place),
        _ => None,
    }
}

fn set_place(op: &mut Op, to: u32) {
    if let Some(place) = place_of(op) {
        *place = to;
    }
}

fn shift(op: &mut Op, base: u32) {
    if let Some(place) = place_of(op) {
        *place += base;
    }
}
