//! Expressions: tokens in, operations that leave one value out. One pass, no tree.

use super::code::{Arith, Builtin, Compare, Op, Source, Step, Target};
use super::compile::{Compiler, ParseError};
use super::lex::Token;

/// An operand whose value need not be on the stack yet.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    Loaded,
    Target(Target),
    Regex(u32),
}

/// Binding strengths from weak to strong.
const OR: u8 = 1;
const AND: u8 = 2;
const IN: u8 = 3;
const MATCH: u8 = 4;
const COMPARE: u8 = 5;
pub(super) const CONCAT: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const UNARY: u8 = 9;

impl Compiler {
    /// Parses an expression and leaves its value on the stack.
    pub(super) fn value(&mut self) -> Result<(), ParseError> {
        let operand = self.expression()?;
        self.load(operand);
        Ok(())
    }

    /// The same, within brackets: `>` compares again.
    pub(super) fn inner_value(&mut self) -> Result<(), ParseError> {
        let operand = self.inner_expression()?;
        self.load(operand);
        Ok(())
    }

    fn inner_expression(&mut self) -> Result<Operand, ParseError> {
        let outer = std::mem::replace(&mut self.no_greater, false);
        let operand = self.expression();
        self.no_greater = outer;
        operand
    }

    pub(super) fn expression(&mut self) -> Result<Operand, ParseError> {
        self.enter()?;
        let condition = self.binary(OR)?;
        let result = if self.take("?") {
            self.load(condition);
            let other = self.emit_jump(Op::JumpIfFalse(0));
            self.skip_newlines();
            self.value()?;
            self.skip_newlines();
            let end = self.emit_jump(Op::Jump(0));
            self.expect(":")?;
            self.land(other);
            self.skip_newlines();
            self.value()?;
            self.land(end);
            Operand::Loaded
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    pub(super) fn load(&mut self, operand: Operand) {
        match operand {
            Operand::Loaded => {}
            Operand::Regex(number) => self.emit(Op::MatchRecord(number)),
            Operand::Target(Target::Variable(slot)) => self.emit(Op::Load(slot)),
            Operand::Target(Target::Special(special)) => self.emit(Op::LoadSpecial(special)),
            Operand::Target(Target::Element(slot)) => self.emit(Op::Element(slot)),
            Operand::Target(Target::Field) => {
                if let Some(Op::Number(number)) = self.last_op().copied()
                    && number.fract() == 0.0
                    && (0.0..1e6).contains(&number)
                {
                    self.unemit();
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "in range"
                    )]
                    self.emit(Op::FieldConst(number as u32));
                } else {
                    self.emit(Op::Field);
                }
            }
        }
    }

    /// Parses operators that bind at least as strongly as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Result<Operand, ParseError> {
        self.enter()?;
        let mut left = self.unary()?;
        let mut compared = false;
        while let Some(next) = self.operator(least, left, &mut compared)? {
            left = next;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Parses one operator and its right side; `None` where none follows.
    fn operator(
        &mut self,
        least: u8,
        left: Operand,
        compared: &mut bool,
    ) -> Result<Option<Operand>, ParseError> {
        let token = self.peek().clone();
        match token {
            Token::Mark("||") if least <= OR => self.short_circuit(left, true)?,
            Token::Mark("&&") if least <= AND => self.short_circuit(left, false)?,
            Token::Word("in") if least <= IN => {
                self.load(left);
                self.advance();
                let Token::Name(name) = self.peek().clone() else {
                    return Err(self.syntax_error());
                };
                self.advance();
                let array = self.array(&name)?;
                self.emit(Op::In(array));
            }
            Token::Mark(mark @ ("~" | "!~")) if least <= MATCH => {
                self.load(left);
                self.advance();
                match self.binary(COMPARE)? {
                    Operand::Regex(number) => self.emit(Op::Match(number)),
                    other => {
                        self.load(other);
                        self.emit(Op::MatchDynamic);
                    }
                }
                if mark == "!~" {
                    self.emit(Op::Not);
                }
            }
            Token::Mark("|") if least <= COMPARE && *self.ahead(1) == Token::Word("getline") => {
                self.load(left);
                self.advance();
                self.advance();
                let target = self.getline_target()?;
                if target.is_some_and(Target::has_index) {
                    self.emit(Op::Swap);
                }
                self.emit_getline(Source::Command, target);
            }
            Token::Mark(mark) if least <= COMPARE && comparison(mark).is_some() => {
                if (mark == ">" && self.no_greater) || *compared {
                    return if *compared { Err(self.syntax_error()) } else { Ok(None) };
                }
                *compared = true;
                self.load(left);
                self.advance();
                let right = self.binary(CONCAT)?;
                self.load(right);
                self.emit(Op::Compare(comparison(mark).unwrap_or(Compare::Eq)));
            }
            Token::Mark(mark @ ("+" | "-")) if least <= SUM => {
                self.arithmetic(left, PRODUCT, if mark == "+" { Arith::Add } else { Arith::Sub })?;
            }
            Token::Mark(mark @ ("*" | "/" | "%")) if least <= PRODUCT => {
                let operator = match mark {
                    "*" => Arith::Mul,
                    "/" => Arith::Div,
                    _ => Arith::Mod,
                };
                self.arithmetic(left, UNARY, operator)?;
            }
            _ if least <= CONCAT && self.starts_operand() => {
                self.load(left);
                let mut count = 1;
                while self.starts_operand() {
                    let right = self.binary(SUM)?;
                    self.load(right);
                    count += 1;
                }
                self.emit(Op::Concat(count));
            }
            _ => return Ok(None),
        }
        Ok(Some(Operand::Loaded))
    }

    fn short_circuit(&mut self, left: Operand, is_or: bool) -> Result<(), ParseError> {
        self.load(left);
        self.advance();
        self.skip_newlines();
        let decided = self.emit_jump(if is_or { Op::JumpIfTrue(0) } else { Op::JumpIfFalse(0) });
        let right = self.binary(if is_or { AND } else { IN })?;
        self.load(right);
        self.emit(Op::Truth);
        let end = self.emit_jump(Op::Jump(0));
        self.land(decided);
        self.emit(Op::Number(if is_or { 1.0 } else { 0.0 }));
        self.land(end);
        Ok(())
    }

    fn arithmetic(&mut self, left: Operand, level: u8, operator: Arith) -> Result<(), ParseError> {
        self.load(left);
        self.advance();
        let right = self.binary(level)?;
        self.load(right);
        self.as_number();
        self.emit(Op::Arith(operator));
        Ok(())
    }

    /// Only the number of the value on top will be used: a field is read as one.
    fn as_number(&mut self) {
        if let Some(op @ Op::FieldConst(_)) = self.last_op()
            && let Op::FieldConst(number) = *op
        {
            *op = Op::FieldNumber(number);
        }
    }

    /// Whether the next token can begin the right side of a concatenation.
    fn starts_operand(&self) -> bool {
        match self.peek() {
            Token::Number(_)
            | Token::Text(_)
            | Token::Regex(_)
            | Token::Name(_)
            | Token::Call(_)
            | Token::Builtin(_) => true,
            Token::Mark(mark) => matches!(*mark, "$" | "!" | "(" | "++" | "--"),
            _ => false,
        }
    }

    fn unary(&mut self) -> Result<Operand, ParseError> {
        let op = match self.peek() {
            Token::Mark("!") => Op::Not,
            Token::Mark("-") => Op::Negate,
            Token::Mark("+") => Op::Plus,
            _ => return self.power(),
        };
        self.advance();
        self.enter()?;
        let operand = self.unary()?;
        self.load(operand);
        self.depth -= 1;
        match (op, self.last_op()) {
            (Op::Negate, Some(Op::Number(number))) => *number = -*number,
            (op, _) => self.emit(op),
        }
        Ok(Operand::Loaded)
    }

    fn power(&mut self) -> Result<Operand, ParseError> {
        let base = self.primary()?;
        let base = match base {
            Operand::Target(target) => self.assignment(target)?,
            other => other,
        };
        if !self.take("^") {
            return Ok(base);
        }
        self.load(base);
        self.enter()?;
        let exponent = self.unary()?;
        self.load(exponent);
        self.depth -= 1;
        self.emit(Op::Arith(Arith::Pow));
        Ok(Operand::Loaded)
    }

    /// What may follow something assignable: `++`, `--`, `=`, `+=` and the like.
    fn assignment(&mut self, target: Target) -> Result<Operand, ParseError> {
        let Token::Mark(mark) = *self.peek() else { return Ok(Operand::Target(target)) };
        match mark {
            "++" | "--" => {
                self.advance();
                let by = if mark == "++" { 1 } else { -1 };
                self.emit(Op::Step(target, Step { by, post: true }));
                return Ok(Operand::Loaded);
            }
            "=" => {
                self.advance();
                self.skip_newlines();
                self.value()?;
                self.emit(Op::Store(target));
                return Ok(Operand::Loaded);
            }
            _ => {}
        }
        let operator = match mark {
            "+=" => Arith::Add,
            "-=" => Arith::Sub,
            "*=" => Arith::Mul,
            "/=" => Arith::Div,
            "%=" => Arith::Mod,
            "^=" => Arith::Pow,
            _ => return Ok(Operand::Target(target)),
        };
        self.advance();
        self.skip_newlines();
        self.value()?;
        self.as_number();
        self.emit(Op::Update(target, operator));
        Ok(Operand::Loaded)
    }

    fn primary(&mut self) -> Result<Operand, ParseError> {
        match self.peek().clone() {
            Token::Number(number) => {
                self.advance();
                self.emit(Op::Number(number));
            }
            Token::Text(text) => {
                self.advance();
                self.constant(&text);
            }
            Token::Regex(pattern) => {
                let number = self.regex(&pattern)?;
                self.advance();
                return Ok(Operand::Regex(number));
            }
            Token::Mark("(") => self.group()?,
            Token::Mark("$") | Token::Name(_) => return self.lvalue().map(Operand::Target),
            Token::Mark(mark @ ("++" | "--")) => {
                self.advance();
                let target = self.lvalue()?;
                let by = if mark == "++" { 1 } else { -1 };
                self.emit(Op::Step(target, Step { by, post: false }));
            }
            Token::Mark("-" | "+" | "!") => return self.unary(),
            Token::Call(name) => self.call(&name)?,
            Token::Builtin(name) => self.builtin(name)?,
            Token::Word("getline") => {
                self.advance();
                let target = self.getline_target()?;
                if self.take("<") {
                    let file = self.primary()?;
                    self.load(file);
                    self.emit_getline(Source::File, target);
                } else {
                    self.emit_getline(Source::Main, target);
                }
            }
            _ => return Err(self.syntax_error()),
        }
        Ok(Operand::Loaded)
    }

    /// `( expression )`, or `( keys ) in array`.
    fn group(&mut self) -> Result<(), ParseError> {
        self.expect("(")?;
        self.inner_value()?;
        let mut count = 1;
        while self.take(",") {
            self.skip_newlines();
            self.inner_value()?;
            count += 1;
        }
        self.expect(")")?;
        if count == 1 {
            return Ok(());
        }
        let (Token::Word("in"), Token::Name(name)) = (self.peek().clone(), self.ahead(1).clone())
        else {
            return Err(self.syntax_error());
        };
        self.at += 2;
        self.emit(Op::Subscript(count));
        let array = self.array(&name)?;
        self.emit(Op::In(array));
        Ok(())
    }

    /// Something assignable; its index is left on the stack.
    pub(super) fn lvalue(&mut self) -> Result<Target, ParseError> {
        if self.take("$") {
            self.enter()?;
            let index = self.primary()?;
            self.load(index);
            self.depth -= 1;
            return Ok(Target::Field);
        }
        let Token::Name(name) = self.peek().clone() else { return Err(self.syntax_error()) };
        self.advance();
        if !self.is_mark("[") {
            return Ok(self.variable(&name));
        }
        self.subscripts()?;
        Ok(Target::Element(self.array(&name)?))
    }

    /// `[ keys ]`, as one key on the stack.
    pub(super) fn subscripts(&mut self) -> Result<(), ParseError> {
        self.expect("[")?;
        self.inner_value()?;
        let mut count = 1;
        while self.take(",") {
            self.skip_newlines();
            self.inner_value()?;
            count += 1;
        }
        self.expect("]")?;
        if count > 1 {
            self.emit(Op::Subscript(count));
        }
        Ok(())
    }

    fn getline_target(&mut self) -> Result<Option<Target>, ParseError> {
        match self.peek() {
            Token::Mark("$") | Token::Name(_) => self.lvalue().map(Some),
            _ => Ok(None),
        }
    }

    fn emit_getline(&mut self, source: Source, target: Option<Target>) {
        self.emit(Op::Getline(source, target.is_some()));
        if let Some(target) = target {
            self.emit(Op::StoreMade(target));
        }
    }

    fn call(&mut self, name: &str) -> Result<(), ParseError> {
        self.advance();
        self.expect("(")?;
        let mut count = 0;
        self.skip_newlines();
        while !self.take(")") {
            if count > 0 {
                self.expect(",")?;
                self.skip_newlines();
            }
            self.argument()?;
            self.skip_newlines();
            count += 1;
        }
        let function = u32::try_from(self.function(name)).unwrap_or(u32::MAX);
        self.emit(Op::Call(function, count));
        Ok(())
    }

    /// An argument; a bare name may be an array.
    pub(super) fn argument(&mut self) -> Result<(), ParseError> {
        if let (Token::Name(name), Token::Mark("," | ")")) =
            (self.peek().clone(), self.ahead(1).clone())
        {
            self.advance();
            match self.variable(&name) {
                Target::Variable(slot) => self.emit(Op::LoadArgument(slot)),
                other => self.load(Operand::Target(other)),
            }
            return Ok(());
        }
        self.inner_value()
    }

    /// An argument that is a regular expression where it is written as one.
    fn regex_argument(&mut self) -> Result<(), ParseError> {
        match self.inner_expression()? {
            Operand::Regex(number) => self.emit(Op::RegexValue(number)),
            other => self.load(other),
        }
        Ok(())
    }

    fn builtin(&mut self, name: &'static str) -> Result<(), ParseError> {
        self.advance();
        if name == "length" && !self.is_mark("(") {
            self.emit(Op::FieldConst(0));
            self.emit(Op::Builtin(Builtin::Length, 1));
            return Ok(());
        }
        self.expect("(")?;
        self.skip_newlines();
        if name == "sub" || name == "gsub" {
            return self.substitution(name == "gsub");
        }
        let (builtin, least, most) = builtin_of(name);
        let mut count = 0;
        while !self.take(")") {
            if count > 0 {
                self.expect(",")?;
                self.skip_newlines();
            }
            match (builtin, count) {
                (Builtin::Match, 1) | (Builtin::Gensub, 0) | (Builtin::Split, 2) => {
                    self.regex_argument()?;
                }
                (Builtin::Split, 1 | 3)
                | (Builtin::Match, 2)
                | (Builtin::Asort | Builtin::Asorti, 0 | 1)
                | (Builtin::Length, 0) => self.argument()?,
                _ => self.inner_value()?,
            }
            self.skip_newlines();
            count += 1;
        }
        if builtin == Builtin::Length && count == 0 {
            self.emit(Op::FieldConst(0));
            count = 1;
        }
        if count < least || count > most {
            return Err(self.error(format!("{count} is invalid as number of arguments for {name}")));
        }
        self.emit(Op::Builtin(builtin, count));
        Ok(())
    }

    fn substitution(&mut self, global: bool) -> Result<(), ParseError> {
        self.regex_argument()?;
        self.skip_newlines();
        self.expect(",")?;
        self.skip_newlines();
        self.inner_value()?;
        self.skip_newlines();
        let target = if self.take(",") {
            self.skip_newlines();
            self.inner_expression()?
        } else {
            self.emit(Op::Number(0.0));
            Operand::Target(Target::Field)
        };
        self.skip_newlines();
        self.expect(")")?;
        let Operand::Target(target) = target else {
            self.load(target);
            self.emit(Op::Substitute { global, index: false });
            return Ok(());
        };
        if target.has_index() {
            self.emit(Op::Dup);
        }
        self.load(Operand::Target(target));
        self.emit(Op::Substitute { global, index: target.has_index() });
        self.emit(Op::StoreMade(target));
        Ok(())
    }
}

fn comparison(mark: &str) -> Option<Compare> {
    Some(match mark {
        "<" => Compare::Lt,
        "<=" => Compare::Le,
        "==" => Compare::Eq,
        "!=" => Compare::Ne,
        ">" => Compare::Gt,
        ">=" => Compare::Ge,
        _ => return None,
    })
}

/// The function of a name with its least and most arguments.
fn builtin_of(name: &str) -> (Builtin, u32, u32) {
    match name {
        "length" => (Builtin::Length, 0, 1),
        "substr" => (Builtin::Substr, 2, 3),
        "index" => (Builtin::Index, 2, 2),
        "split" => (Builtin::Split, 2, 4),
        "gensub" => (Builtin::Gensub, 3, 4),
        "match" => (Builtin::Match, 2, 3),
        "sin" => (Builtin::Sin, 1, 1),
        "cos" => (Builtin::Cos, 1, 1),
        "atan2" => (Builtin::Atan2, 2, 2),
        "exp" => (Builtin::Exp, 1, 1),
        "log" => (Builtin::Log, 1, 1),
        "sqrt" => (Builtin::Sqrt, 1, 1),
        "int" => (Builtin::Int, 1, 1),
        "rand" => (Builtin::Rand, 0, 0),
        "srand" => (Builtin::Srand, 0, 1),
        "tolower" => (Builtin::Tolower, 1, 1),
        "toupper" => (Builtin::Toupper, 1, 1),
        "system" => (Builtin::System, 1, 1),
        "close" => (Builtin::Close, 1, 2),
        "fflush" => (Builtin::Fflush, 0, 1),
        "systime" => (Builtin::Systime, 0, 0),
        "strftime" => (Builtin::Strftime, 0, 3),
        "mktime" => (Builtin::Mktime, 1, 2),
        "strtonum" => (Builtin::Strtonum, 1, 1),
        "and" => (Builtin::And, 2, 99),
        "or" => (Builtin::Or, 2, 99),
        "xor" => (Builtin::Xor, 2, 99),
        "lshift" => (Builtin::Lshift, 2, 2),
        "rshift" => (Builtin::Rshift, 2, 2),
        "compl" => (Builtin::Compl, 1, 1),
        "asort" => (Builtin::Asort, 1, 3),
        "asorti" => (Builtin::Asorti, 1, 3),
        _ => (Builtin::Sprintf, 1, u32::MAX),
    }
}
