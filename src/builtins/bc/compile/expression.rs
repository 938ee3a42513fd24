//! Expressions to operations, by precedence: what binds least comes first.

use super::{Compiler, IsAssignment, Names, Parsed, Wrong, number_of};
use crate::builtins::bc::code::{Argument, Arith, Compare, Op, Target};
use crate::builtins::bc::lex::Token;

impl Compiler<'_> {
    pub(super) fn expression(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        self.deeper(|compiler| compiler.or(names))
    }

    fn or(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.and(names)?;
        while self.accept("||") {
            let jump = self.emit(Op::Or(0));
            self.and(names)?;
            self.emit(Op::Truth);
            self.land(jump);
            plain = false;
        }
        Ok(plain)
    }

    fn and(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.not(names)?;
        while self.accept("&&") {
            let jump = self.emit(Op::And(0));
            self.not(names)?;
            self.emit(Op::Truth);
            self.land(jump);
            plain = false;
        }
        Ok(plain)
    }

    fn not(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut count = 0;
        while self.accept("!") {
            count += 1;
        }
        let plain = self.relation(names)?;
        for _ in 0..count {
            self.emit(Op::Not);
        }
        Ok(plain && count == 0)
    }

    fn relation(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.sum(names)?;
        loop {
            let compare = match self.token {
                Token::Sign("==") => Compare::Equal,
                Token::Sign("!=") => Compare::Unequal,
                Token::Sign("<") => Compare::Less,
                Token::Sign(">") => Compare::Greater,
                Token::Sign("<=") => Compare::LessOrEqual,
                Token::Sign(">=") => Compare::GreaterOrEqual,
                _ => return Ok(plain),
            };
            self.advance();
            self.sum(names)?;
            self.emit(Op::Compare(compare));
            plain = false;
        }
    }

    fn sum(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.product(names)?;
        loop {
            let arith = match self.token {
                Token::Sign("+") => Arith::Add,
                Token::Sign("-") => Arith::Sub,
                _ => return Ok(plain),
            };
            self.advance();
            self.product(names)?;
            self.emit(Op::Arith(arith));
            plain = false;
        }
    }

    fn product(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.power(names)?;
        loop {
            let arith = match self.token {
                Token::Sign("*") => Arith::Mul,
                Token::Sign("/") => Arith::Div,
                Token::Sign("%") => Arith::Rem,
                _ => return Ok(plain),
            };
            self.advance();
            self.power(names)?;
            self.emit(Op::Arith(arith));
            plain = false;
        }
    }

    fn power(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut plain = self.unary(names)?;
        let mut count = 0;
        while self.accept("^") {
            self.unary(names)?;
            count += 1;
            plain = false;
        }
        // The last two are taken first.
        for _ in 0..count {
            self.emit(Op::Arith(Arith::Power));
        }
        Ok(plain)
    }

    fn unary(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        let mut count = 0;
        while self.accept("-") {
            count += 1;
        }
        let plain = self.primary(names)?;
        for _ in 0..count {
            self.emit(Op::Negate);
        }
        Ok(plain && count == 0)
    }

    fn primary(&mut self, names: &mut Names) -> Parsed<IsAssignment> {
        match self.token.clone() {
            Token::Number(digits) => {
                self.advance();
                self.emit(Op::Number(digits.into()));
                Ok(false)
            }
            Token::Sign("(") => {
                self.advance();
                self.expression(names)?;
                self.expect(")")?;
                Ok(false)
            }
            Token::Sign(sign @ ("++" | "--")) => {
                self.advance();
                let Token::Name(name) = self.token.clone() else { return Err(Wrong) };
                self.advance();
                let target = self.target(names, &name)?;
                self.emit(Op::Step { target, up: sign == "++", post: false });
                Ok(false)
            }
            Token::Name(name) => {
                self.advance();
                self.named(names, &name)
            }
            _ => Err(Wrong),
        }
    }

    /// A call, or a variable and what is done with it.
    fn named(&mut self, names: &mut Names, name: &str) -> Parsed<IsAssignment> {
        if self.is("(") {
            self.call(names, name)?;
            return Ok(false);
        }
        let target = self.target(names, name)?;
        let arith = match self.token {
            Token::Sign(sign @ ("++" | "--")) => {
                self.advance();
                self.emit(Op::Step { target, up: sign == "++", post: true });
                return Ok(false);
            }
            Token::Sign("=") => None,
            Token::Sign("+=") => Some(Arith::Add),
            Token::Sign("-=") => Some(Arith::Sub),
            Token::Sign("*=") => Some(Arith::Mul),
            Token::Sign("/=") => Some(Arith::Div),
            Token::Sign("%=") => Some(Arith::Rem),
            Token::Sign("^=") => Some(Arith::Power),
            _ => {
                self.emit(Op::Get(target));
                return Ok(false);
            }
        };
        self.advance();
        self.deeper(|compiler| compiler.sum(names))?;
        self.emit(match arith {
            None => Op::Set(target),
            Some(arith) => Op::Update(target, arith),
        });
        Ok(true)
    }

    /// A variable or element; the index goes on the stack.
    fn target(&mut self, names: &mut Names, name: &str) -> Parsed<Target> {
        if self.accept("[") {
            self.expression(names)?;
            self.expect("]")?;
            return Ok(Target::Element(number_of(&mut names.arrays, name)));
        }
        Ok(match name {
            "scale" => Target::Scale,
            "ibase" => Target::InputBase,
            "obase" => Target::OutputBase,
            "last" => Target::Last,
            "if" | "else" | "while" | "for" | "define" | "return" | "auto" | "print" | "quit"
            | "break" | "continue" | "halt" | "length" | "sqrt" => return Err(Wrong),
            name => Target::Variable(number_of(&mut names.variables, name)),
        })
    }

    fn call(&mut self, names: &mut Names, name: &str) -> Parsed<()> {
        self.advance();
        let own = match name {
            "length" => Some(Op::Length),
            "scale" => Some(Op::ScaleOf),
            "sqrt" => Some(Op::Root),
            _ => None,
        };
        if let Some(op) = own {
            self.expression(names)?;
            self.expect(")")?;
            self.emit(op);
            return Ok(());
        }
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.argument(names)?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        let number = names.function(name);
        self.emit(Op::Call(number, arguments.into()));
        Ok(())
    }

    /// An argument: `a[]` is a whole array.
    fn argument(&mut self, names: &mut Names) -> Parsed<Argument> {
        if let Token::Name(name) = self.token.clone() {
            let before = (self.lexer.clone(), self.token.clone(), self.line);
            self.advance();
            if self.accept("[") && self.accept("]") {
                return Ok(Argument::Array(number_of(&mut names.arrays, &name)));
            }
            (self.lexer, self.token, self.line) = before;
        }
        self.expression(names)?;
        Ok(Argument::Value)
    }
}
