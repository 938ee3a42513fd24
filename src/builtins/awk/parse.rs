//! Programs: tokens in, a compiled program out.

use super::code::{Op, Program, Redirect, Slot, Target};
use super::compile::{Compiler, Loop, ParseError, Segment};
use super::expr::CONCAT;
use super::lex::{Token, lex};

/// Compiles the text of a program. The given globals get the first numbers.
pub(super) fn parse(text: &[u8], globals: &[&str]) -> Result<Program, ParseError> {
    let mut compiler = Compiler::new(lex(text)?);
    for name in globals {
        compiler.global(name);
    }
    let (mut begin, mut rules, mut end) =
        (Segment::default(), Segment::default(), Segment::default());
    loop {
        compiler.skip_terminators();
        match compiler.peek() {
            Token::End => break,
            Token::Word("BEGIN") => {
                compiler.advance();
                compiler.in_rules = false;
                compiler.within(&mut begin, Compiler::block)?;
            }
            Token::Word("END") => {
                compiler.advance();
                compiler.in_rules = false;
                compiler.within(&mut end, Compiler::block)?;
            }
            Token::Word("function") => compiler.define()?,
            _ => compiler.within(&mut rules, Compiler::rule)?,
        }
        compiler.in_rules = true;
        match compiler.peek() {
            Token::Newline | Token::End | Token::Mark(";" | "}") => {}
            // Another item may follow a block on its line.
            _ if compiler.after_block() => {}
            _ => return Err(compiler.syntax_error()),
        }
    }
    compiler.link(begin, rules, end)
}

impl Compiler {
    fn skip_terminators(&mut self) {
        while matches!(self.peek(), Token::Newline | Token::Mark(";")) {
            self.advance();
        }
    }

    fn after_block(&self) -> bool {
        self.at
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at))
            .is_some_and(|(token, _)| *token == Token::Mark("}"))
    }

    /// Parses into another segment.
    fn within(
        &mut self,
        segment: &mut Segment,
        parse: fn(&mut Self) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        std::mem::swap(&mut self.segment, segment);
        let result = parse(self);
        std::mem::swap(&mut self.segment, segment);
        result
    }

    fn rule(&mut self) -> Result<(), ParseError> {
        if self.is_mark("{") {
            return self.block();
        }
        let skip = if self.is_range() {
            self.range()?
        } else {
            self.value()?;
            self.emit_jump(Op::JumpIfFalse(0))
        };
        if self.is_mark("{") {
            self.block()?;
        } else {
            self.emit(Op::PrintRecord);
        }
        self.land(skip);
        Ok(())
    }

    /// Whether the pattern that follows is two conditions with a comma between.
    fn is_range(&self) -> bool {
        let mut depth = 0usize;
        let mut before = &Token::End;
        for (token, _) in self.tokens.iter().skip(self.at) {
            match token {
                Token::Mark("(" | "[") => depth += 1,
                Token::Mark(")" | "]") => depth = depth.saturating_sub(1),
                Token::Mark(",") if depth == 0 => return true,
                Token::Mark("{" | ";") | Token::End => return false,
                Token::Newline if !matches!(before, Token::Mark("&&" | "||")) => return false,
                _ => {}
            }
            before = token;
        }
        false
    }

    /// `begin, end`: the first condition is looked at while the range is closed, then the second.
    fn range(&mut self) -> Result<usize, ParseError> {
        let number = self.ranges;
        self.ranges += 1;
        let open = self.emit_jump(Op::RangeOpen(number, 0));
        self.value()?;
        let skip = self.emit_jump(Op::JumpIfFalse(0));
        self.emit(Op::RangeSet(number, true));
        self.expect(",")?;
        self.skip_newlines();
        self.land(open);
        self.value()?;
        let stays_open = self.emit_jump(Op::JumpIfFalse(0));
        self.emit(Op::RangeSet(number, false));
        self.land(stays_open);
        Ok(skip)
    }

    fn define(&mut self) -> Result<(), ParseError> {
        self.advance();
        let (Token::Name(name) | Token::Call(name)) = self.peek().clone() else {
            return Err(self.syntax_error());
        };
        self.advance();
        self.expect("(")?;
        let mut parameters = Vec::new();
        self.skip_newlines();
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
                self.skip_newlines();
            }
            let Token::Name(parameter) = self.peek().clone() else {
                return Err(self.syntax_error());
            };
            self.advance();
            self.skip_newlines();
            parameters.push(parameter);
        }
        self.skip_newlines();
        let number = self.function(&name);
        if self.functions.get(number).is_some_and(|(function, _)| function.entry != u32::MAX) {
            return Err(self.error(format!("function '{name}' previously defined")));
        }
        let count = u32::try_from(parameters.len()).unwrap_or(u32::MAX);
        self.locals = Some(parameters);
        let mut segment = Segment::default();
        self.within(&mut segment, Self::function_body)?;
        self.locals = None;
        if let Some((function, body)) = self.functions.get_mut(number) {
            function.parameters = count;
            function.entry = 0;
            *body = segment;
        }
        Ok(())
    }

    fn function_body(&mut self) -> Result<(), ParseError> {
        self.block()?;
        self.emit(Op::Unset);
        Ok(())
    }

    pub(super) fn block(&mut self) -> Result<(), ParseError> {
        self.expect("{")?;
        self.enter()?;
        loop {
            self.skip_terminators();
            if self.take("}") {
                self.depth -= 1;
                return Ok(());
            }
            self.statement()?;
        }
    }

    /// A statement with what ends it.
    fn statement(&mut self) -> Result<(), ParseError> {
        self.enter()?;
        match self.peek().clone() {
            Token::Mark("{") => self.block()?,
            Token::Mark(";") => self.advance(),
            Token::Word("if") => self.if_statement()?,
            Token::Word("while") => self.while_statement()?,
            Token::Word("do") => self.do_statement()?,
            Token::Word("for") => self.for_statement()?,
            Token::Word("switch") => self.switch_statement()?,
            _ => {
                self.simple_statement()?;
                self.end_statement()?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn end_statement(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Token::Newline | Token::Mark(";") => self.advance(),
            Token::Mark("}") | Token::End => {}
            _ => return Err(self.syntax_error()),
        }
        Ok(())
    }

    fn simple_statement(&mut self) -> Result<(), ParseError> {
        let Token::Word(word) = *self.peek() else { return self.expression_statement() };
        if word == "getline" {
            return self.expression_statement();
        }
        if matches!(word, "print" | "printf") {
            self.advance();
            return self.print(word == "printf");
        }
        if word == "in" || word == "BEGIN" || word == "END" || word == "function" || word == "else"
        {
            return Err(self.syntax_error());
        }
        self.advance();
        match word {
            "next" | "nextfile" if !self.in_rules => {
                return Err(self.error(format!("{word} used in a BEGIN or END action")));
            }
            "next" => self.emit(Op::Next),
            "nextfile" => self.emit(Op::NextFile),
            "delete" => self.delete()?,
            "exit" => {
                let has_status = !self.at_end();
                if has_status {
                    self.value()?;
                }
                self.emit(Op::Exit(has_status));
            }
            "return" => {
                if self.locals.is_none() {
                    return Err(self.error("return outside a function"));
                }
                if self.at_end() {
                    self.emit(Op::Unset);
                } else {
                    self.value()?;
                }
                self.emit(Op::Return);
            }
            "break" | "continue" => {
                let jump = self.emit_jump(Op::Jump(0));
                let found = self.loops.iter_mut().rev().find(|l| word == "break" || !l.is_switch);
                match (found, word) {
                    (Some(around), "break") => around.breaks.push(jump),
                    (Some(around), _) => around.continues.push(jump),
                    (None, _) => return Err(self.error(format!("{word} outside a loop"))),
                }
            }
            _ => return Err(self.syntax_error()),
        }
        Ok(())
    }

    fn at_end(&self) -> bool {
        matches!(self.peek(), Token::Newline | Token::Mark(";" | "}") | Token::End)
    }

    fn expression_statement(&mut self) -> Result<(), ParseError> {
        self.value()?;
        match self.last_op() {
            Some(op @ Op::Store(_)) => {
                if let Op::Store(target) = *op {
                    *op = Op::StoreDrop(target);
                }
            }
            _ => self.emit(Op::Drop),
        }
        Ok(())
    }

    fn delete(&mut self) -> Result<(), ParseError> {
        let parens = self.take("(");
        let Token::Name(name) = self.peek().clone() else { return Err(self.syntax_error()) };
        self.advance();
        let array = self.array(&name)?;
        if self.is_mark("[") {
            self.subscripts()?;
            self.emit(Op::Delete(array));
        } else {
            self.emit(Op::DeleteAll(array));
        }
        if parens { self.expect(")") } else { Ok(()) }
    }

    fn print(&mut self, is_printf: bool) -> Result<(), ParseError> {
        let mut count = 0;
        if self.list_in_parens() {
            self.advance();
            let outer = std::mem::replace(&mut self.no_greater, false);
            count = self.values()?;
            self.no_greater = outer;
            self.expect(")")?;
        } else if !self.at_end() && !matches!(self.peek(), Token::Mark(">" | ">>" | "|")) {
            let outer = std::mem::replace(&mut self.no_greater, true);
            count = self.values()?;
            self.no_greater = outer;
        }
        if count == 0 {
            if is_printf {
                return Err(self.syntax_error());
            }
            self.emit(Op::FieldConst(0));
            count = 1;
        }
        let redirect = match self.peek() {
            Token::Mark(">") => Redirect::File,
            Token::Mark(">>") => Redirect::Append,
            Token::Mark("|") => Redirect::Pipe,
            _ => Redirect::Stdout,
        };
        if redirect == Redirect::Stdout
            && !is_printf
            && count == 1
            && let Some(Op::FieldConst(0)) = self.last_op()
        {
            self.unemit();
            self.emit(Op::PrintRecord);
            return Ok(());
        }
        if redirect != Redirect::Stdout {
            self.advance();
            let name = self.binary(CONCAT)?;
            self.load(name);
        }
        self.emit(if is_printf { Op::Printf(redirect, count) } else { Op::Print(redirect, count) });
        Ok(())
    }

    fn values(&mut self) -> Result<u32, ParseError> {
        self.skip_newlines();
        self.value()?;
        let mut count = 1;
        while self.take(",") {
            self.skip_newlines();
            self.value()?;
            count += 1;
        }
        self.skip_newlines_before(")");
        Ok(count)
    }

    fn skip_newlines_before(&mut self, mark: &'static str) {
        let start = self.at;
        self.skip_newlines();
        if !self.is_mark(mark) {
            self.at = start;
        }
    }

    /// Whether all that is printed stands in one pair of parentheses.
    fn list_in_parens(&self) -> bool {
        if !self.is_mark("(") {
            return false;
        }
        let mut depth = 0usize;
        for (offset, (token, _)) in self.tokens.iter().skip(self.at).enumerate() {
            match token {
                Token::Mark("(") => depth += 1,
                Token::Mark(")") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return matches!(
                    self.ahead(offset + 1),
                    Token::Newline | Token::End | Token::Mark(";" | "}" | ">" | ">>" | "|")
                );
            }
        }
        false
    }

    fn condition(&mut self) -> Result<(), ParseError> {
        self.expect("(")?;
        self.inner_value()?;
        self.expect(")")
    }

    /// A statement after `)`, `else` or `do`, perhaps on the next line.
    fn body(&mut self) -> Result<(), ParseError> {
        self.skip_newlines();
        self.statement()
    }

    fn if_statement(&mut self) -> Result<(), ParseError> {
        self.advance();
        self.condition()?;
        let other = self.emit_jump(Op::JumpIfFalse(0));
        self.body()?;
        let start = self.at;
        self.skip_terminators();
        if !self.is_word("else") {
            self.at = start;
            self.land(other);
            return Ok(());
        }
        self.advance();
        let end = self.emit_jump(Op::Jump(0));
        self.land(other);
        self.body()?;
        self.land(end);
        Ok(())
    }

    /// Ends a loop: its `break`s land here.
    fn leave_loop(&mut self) {
        for jump in self.loops.pop().unwrap_or_default().breaks {
            self.land(jump);
        }
    }

    /// The `continue`s of the innermost loop land here.
    fn land_continues(&mut self) {
        let continues = self.loops.last_mut().map(|l| std::mem::take(&mut l.continues));
        for jump in continues.unwrap_or_default() {
            self.land(jump);
        }
    }

    fn while_statement(&mut self) -> Result<(), ParseError> {
        self.advance();
        let start = self.here();
        self.condition()?;
        let end = self.emit_jump(Op::JumpIfFalse(0));
        self.loops.push(Loop::default());
        self.body()?;
        self.land_continues();
        self.emit(Op::Jump(start));
        self.land(end);
        self.leave_loop();
        Ok(())
    }

    fn do_statement(&mut self) -> Result<(), ParseError> {
        self.advance();
        let start = self.here();
        self.loops.push(Loop::default());
        self.body()?;
        self.skip_terminators();
        if !self.is_word("while") {
            return Err(self.syntax_error());
        }
        self.advance();
        self.land_continues();
        self.condition()?;
        self.emit(Op::JumpIfTrue(start));
        self.leave_loop();
        self.end_statement()
    }

    fn for_statement(&mut self) -> Result<(), ParseError> {
        self.advance();
        if let (
            Token::Mark("("),
            Token::Name(name),
            Token::Word("in"),
            Token::Name(array),
            Token::Mark(")"),
        ) = (
            self.peek().clone(),
            self.ahead(1).clone(),
            self.ahead(2).clone(),
            self.ahead(3).clone(),
            self.ahead(4).clone(),
        ) {
            self.at += 5;
            return self.for_in(&name, &array);
        }
        self.expect("(")?;
        if !self.is_mark(";") {
            self.simple_statement()?;
        }
        self.expect(";")?;
        self.skip_newlines();
        let condition = self.here();
        let end = if self.is_mark(";") {
            None
        } else {
            self.inner_value()?;
            Some(self.emit_jump(Op::JumpIfFalse(0)))
        };
        self.expect(";")?;
        self.skip_newlines();
        let body = self.emit_jump(Op::Jump(0));
        let step = self.here();
        if !self.is_mark(")") {
            self.simple_statement()?;
        }
        self.emit(Op::Jump(condition));
        self.expect(")")?;
        self.land(body);
        self.loops.push(Loop::default());
        self.body()?;
        self.land_continues();
        self.emit(Op::Jump(step));
        if let Some(end) = end {
            self.land(end);
        }
        self.leave_loop();
        Ok(())
    }

    fn for_in(&mut self, name: &str, array: &str) -> Result<(), ParseError> {
        let target = self.variable(name);
        let array: Slot = self.array(array)?;
        self.emit(Op::ForInStart(array));
        let start = self.here();
        let end = self.emit_jump(Op::ForInNext(0));
        self.emit(Op::StoreDrop(target));
        self.loops.push(Loop::default());
        self.body()?;
        self.land_continues();
        self.emit(Op::Jump(start));
        self.leave_loop();
        self.emit(Op::ForInEnd);
        self.land(end);
        Ok(())
    }

    /// `switch (value) { case constant: … default: … }`: tests first, then the bodies.
    fn switch_statement(&mut self) -> Result<(), ParseError> {
        self.advance();
        self.condition()?;
        let chosen = self.switch_variable();
        self.emit(Op::StoreDrop(chosen));
        self.skip_newlines();
        self.expect("{")?;
        self.loops.push(Loop { is_switch: true, ..Loop::default() });
        let mut next_test = Some(self.emit_jump(Op::Jump(0)));
        let mut default = None;
        loop {
            self.skip_terminators();
            if self.take("}") {
                break;
            }
            if self.is_word("case") {
                self.advance();
                let fall_through = self.emit_jump(Op::Jump(0));
                if let Some(test) = next_test.take() {
                    self.land(test);
                }
                self.case_test(chosen)?;
                next_test = Some(self.emit_jump(Op::JumpIfFalse(0)));
                self.land(fall_through);
                self.expect(":")?;
            } else if self.is_word("default") {
                self.advance();
                self.expect(":")?;
                default = Some(self.here());
            } else {
                self.statement()?;
            }
        }
        let end = self.emit_jump(Op::Jump(0));
        if let Some(test) = next_test {
            self.land(test);
        }
        if let Some(place) = default {
            self.emit(Op::Jump(place));
        }
        self.land(end);
        let around = self.loops.pop().unwrap_or_default();
        for jump in around.breaks {
            self.land(jump);
        }
        Ok(())
    }

    /// A variable no program can name, one for each depth.
    fn switch_variable(&mut self) -> Target {
        let name = format!("switch {}", self.loops.len());
        Target::Variable(self.global(&name))
    }

    fn case_test(&mut self, chosen: Target) -> Result<(), ParseError> {
        let Target::Variable(slot) = chosen else { return Err(self.syntax_error()) };
        self.emit(Op::Load(slot));
        if let Token::Regex(pattern) = self.peek().clone() {
            let number = self.regex(&pattern)?;
            self.advance();
            self.emit(Op::Match(number));
            return Ok(());
        }
        let value = self.binary(CONCAT)?;
        self.load(value);
        self.emit(Op::Compare(super::code::Compare::Eq));
        Ok(())
    }
}
