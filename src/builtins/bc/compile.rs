//! The text of a program in; one unit after another out, each a line or a definition.

mod expression;

use std::collections::HashMap;
use std::rc::Rc;

use super::code::{Function, Local, Op};
use super::lex::{Lexer, Token};

/// Brackets and blocks within each other.
const MOST_DEPTH: usize = 60;

/// Names and their numbers.
#[derive(Default)]
pub(super) struct Names {
    variables: HashMap<String, usize>,
    arrays: HashMap<String, usize>,
    functions: HashMap<String, usize>,
    pub(super) function_names: Vec<String>,
}

fn number_of(names: &mut HashMap<String, usize>, name: &str) -> usize {
    let next = names.len();
    *names.entry(name.to_owned()).or_insert(next)
}

impl Names {
    pub(super) fn variables(&self) -> usize {
        self.variables.len()
    }

    pub(super) fn arrays(&self) -> usize {
        self.arrays.len()
    }

    fn function(&mut self, name: &str) -> usize {
        let number = number_of(&mut self.functions, name);
        if number == self.function_names.len() {
            self.function_names.push(name.to_owned());
        }
        number
    }
}

/// A part of a program that runs as a whole.
pub(super) enum Unit {
    Code(Rc<[Op]>),
    Define(usize, Function),
    /// `quit`, which counts as soon as it is read.
    Quit,
    /// What cannot be read, in which line.
    Error(usize),
    End,
}

/// What cannot be read.
struct Wrong;

type Parsed<T> = Result<T, Wrong>;

/// Whether an expression is an assignment, which is not printed.
type IsAssignment = bool;

pub(super) struct Compiler<'t> {
    lexer: Lexer<'t>,
    token: Token,
    /// The line that `token` ends in.
    line: usize,
    code: Vec<Op>,
    /// Jumps out of each loop, and where `continue` goes, as far as it is known.
    loops: Vec<Loop>,
    depth: usize,
    quits: bool,
    in_function: bool,
}

#[derive(Default)]
struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

impl<'t> Compiler<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        let line = lexer.line;
        let (code, loops) = (Vec::new(), Vec::new());
        Self { lexer, token, line, code, loops, depth: 0, quits: false, in_function: false }
    }

    fn advance(&mut self) {
        self.token = self.lexer.next();
        self.line = self.lexer.line;
    }

    fn is(&self, sign: &str) -> bool {
        matches!(&self.token, Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Name(found) if found == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(Wrong) }
    }

    fn skip_newlines(&mut self) {
        while self.token == Token::Newline {
            self.advance();
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }

    /// Lets a jump lead to what comes next.
    fn land(&mut self, jump: usize) {
        let here = self.code.len();
        if let Some(Op::Jump(to) | Op::JumpZero(to) | Op::And(to) | Op::Or(to)) =
            self.code.get_mut(jump)
        {
            *to = here;
        }
    }

    /// The next unit.
    pub(super) fn unit(&mut self, names: &mut Names) -> Unit {
        self.skip_newlines();
        if self.token == Token::End {
            return Unit::End;
        }
        self.code.clear();
        self.loops.clear();
        (self.depth, self.in_function) = (0, false);
        let parsed = if self.is_word("define") {
            self.define(names).map(|(number, function)| Unit::Define(number, function))
        } else {
            self.line_of_statements(names).map(Unit::Code)
        };
        match parsed {
            Ok(_) if self.quits => Unit::Quit,
            Ok(unit) => unit,
            Err(Wrong) => {
                let line = self.line;
                // Reading goes on with the next line.
                if !matches!(self.token, Token::Newline | Token::End) {
                    self.lexer.skip_line();
                    self.advance();
                }
                Unit::Error(line)
            }
        }
    }

    fn line_of_statements(&mut self, names: &mut Names) -> Parsed<Rc<[Op]>> {
        loop {
            while self.accept(";") {}
            if matches!(self.token, Token::Newline | Token::End) || self.quits {
                break;
            }
            self.statement(names)?;
            if self.quits || matches!(self.token, Token::Newline | Token::End) {
                break;
            }
            self.expect(";")?;
        }
        Ok(std::mem::take(&mut self.code).into())
    }

    fn define(&mut self, names: &mut Names) -> Parsed<(usize, Function)> {
        self.advance();
        if self.is_word("void") {
            self.advance();
        }
        let Token::Name(name) = self.token.clone() else { return Err(Wrong) };
        let number = names.function(&name);
        self.advance();
        self.expect("(")?;
        let parameters = self.locals(names, ")")?;
        self.expect(")")?;
        self.skip_newlines();
        self.expect("{")?;
        self.skip_newlines();
        let mut autos = Vec::new();
        while self.is_word("auto") {
            self.advance();
            autos.append(&mut self.locals(names, ";")?);
            if !self.accept(";") && self.token != Token::Newline {
                return Err(Wrong);
            }
            self.skip_newlines();
        }
        self.in_function = true;
        self.block(names)?;
        self.emit(Op::Number("0".into()));
        self.emit(Op::Return);
        let code = std::mem::take(&mut self.code).into();
        Ok((number, Function { parameters, autos, code }))
    }

    fn locals(&mut self, names: &mut Names, end: &str) -> Parsed<Vec<Local>> {
        let mut locals = Vec::new();
        if self.is(end) {
            return Ok(locals);
        }
        loop {
            self.accept("*");
            let Token::Name(name) = self.token.clone() else { return Err(Wrong) };
            self.advance();
            if self.accept("[") {
                self.expect("]")?;
                locals.push(Local::Array(number_of(&mut names.arrays, &name)));
            } else {
                locals.push(Local::Variable(number_of(&mut names.variables, &name)));
            }
            if !self.accept(",") {
                return Ok(locals);
            }
        }
    }

    /// Statements up to the closing brace.
    fn block(&mut self, names: &mut Names) -> Parsed<()> {
        loop {
            while self.token == Token::Newline || self.is(";") {
                self.advance();
            }
            if self.accept("}") {
                return Ok(());
            }
            self.statement(names)?;
            if !self.is("}") && !self.is(";") && self.token != Token::Newline {
                return Err(Wrong);
            }
        }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MOST_DEPTH {
            return Err(Wrong);
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn statement(&mut self, names: &mut Names) -> Parsed<()> {
        self.deeper(|compiler| compiler.statement_here(names))
    }

    fn statement_here(&mut self, names: &mut Names) -> Parsed<()> {
        match self.token.clone() {
            Token::Text(text) => {
                self.advance();
                self.emit(Op::Text(text.into()));
                Ok(())
            }
            Token::Sign("{") => {
                self.advance();
                self.block(names)
            }
            Token::Name(name) => self.word_statement(names, &name),
            _ => self.expression_statement(names),
        }
    }

    fn word_statement(&mut self, names: &mut Names, word: &str) -> Parsed<()> {
        match word {
            "if" => self.if_statement(names),
            "while" => self.while_statement(names),
            "for" => self.for_statement(names),
            "print" => self.print_statement(names),
            "break" | "continue" => {
                self.advance();
                let jump = self.emit(Op::Jump(0));
                let around = self.loops.last_mut().ok_or(Wrong)?;
                let jumps =
                    if word == "break" { &mut around.breaks } else { &mut around.continues };
                jumps.push(jump);
                Ok(())
            }
            "return" if self.in_function => {
                self.advance();
                if matches!(self.token, Token::Newline | Token::Sign(";" | "}")) {
                    self.emit(Op::Number("0".into()));
                } else {
                    self.expression(names)?;
                }
                self.emit(Op::Return);
                Ok(())
            }
            "halt" => {
                self.advance();
                self.emit(Op::Halt);
                Ok(())
            }
            "quit" => {
                self.quits = true;
                Ok(())
            }
            "auto" | "define" | "else" | "return" => Err(Wrong),
            _ => self.expression_statement(names),
        }
    }

    fn expression_statement(&mut self, names: &mut Names) -> Parsed<()> {
        let is_assignment = self.expression(names)?;
        self.emit(if is_assignment { Op::Drop } else { Op::Print });
        Ok(())
    }

    fn print_statement(&mut self, names: &mut Names) -> Parsed<()> {
        self.advance();
        loop {
            if let Token::Text(text) = self.token.clone() {
                self.advance();
                self.emit(Op::Text(unescaped(&text).into()));
            } else {
                self.expression(names)?;
                self.emit(Op::PrintItem);
            }
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    fn if_statement(&mut self, names: &mut Names) -> Parsed<()> {
        self.advance();
        self.expect("(")?;
        self.expression(names)?;
        self.expect(")")?;
        self.skip_newlines();
        let over = self.emit(Op::JumpZero(0));
        self.statement(names)?;
        if self.is_word("else") {
            self.advance();
            self.skip_newlines();
            let end = self.emit(Op::Jump(0));
            self.land(over);
            self.statement(names)?;
            self.land(end);
        } else {
            self.land(over);
        }
        Ok(())
    }

    fn while_statement(&mut self, names: &mut Names) -> Parsed<()> {
        self.advance();
        self.expect("(")?;
        let start = self.code.len();
        self.expression(names)?;
        self.expect(")")?;
        self.skip_newlines();
        let end = self.emit(Op::JumpZero(0));
        self.loops.push(Loop::default());
        self.statement(names)?;
        self.emit(Op::Jump(start));
        self.land(end);
        self.end_loop(start);
        Ok(())
    }

    fn end_loop(&mut self, again: usize) {
        let Some(done) = self.loops.pop() else { return };
        done.breaks.into_iter().for_each(|jump| self.land(jump));
        for jump in done.continues {
            if let Some(op) = self.code.get_mut(jump) {
                *op = Op::Jump(again);
            }
        }
    }

    fn for_statement(&mut self, names: &mut Names) -> Parsed<()> {
        self.advance();
        self.expect("(")?;
        self.optional(names, ";")?;
        self.expect(";")?;
        let start = self.code.len();
        let mut end = None;
        if !self.is(";") {
            self.expression(names)?;
            end = Some(self.emit(Op::JumpZero(0)));
        }
        self.expect(";")?;
        let body = self.emit(Op::Jump(0));
        let step = self.code.len();
        self.optional(names, ")")?;
        self.expect(")")?;
        self.skip_newlines();
        self.emit(Op::Jump(start));
        self.land(body);
        self.loops.push(Loop::default());
        self.statement(names)?;
        self.emit(Op::Jump(step));
        if let Some(end) = end {
            self.land(end);
        }
        self.end_loop(step);
        Ok(())
    }

    /// An expression whose value is dropped, or none at all before `end`.
    fn optional(&mut self, names: &mut Names, end: &str) -> Parsed<()> {
        if !self.is(end) {
            self.expression(names)?;
            self.emit(Op::Drop);
        }
        Ok(())
    }
}

/// The text of a `print`, where a backslash makes other characters.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('f') => out.push('\x0c'),
            Some('q') => out.push('"'),
            Some('\\') => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}
