//! Operators by precedence to postfix code, on explicit stacks, so that no chain is too long.

use crate::syntax::{ArithOp, ArithPlace, BinaryOp, UnaryOp};
use crate::value::EcoString;

/// An operator or bracket that waits for its right side.
enum Waiting {
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// `=` or, with an operator, `+=` and kin.
    Assign(ArithPlace, Option<BinaryOp>),
    /// `&&`, with the jump to complete.
    And(usize),
    /// `||`, with the jump to complete.
    Or(usize),
    /// `?`, with the jump to complete.
    Question(usize),
    /// `:` of a conditional, with the jump to complete.
    Colon(usize),
    Paren,
}

const COMMA: u8 = 1;
const ASSIGN: u8 = 2;
const CONDITIONAL: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const UNARY: u8 = 15;

impl Waiting {
    fn precedence(&self) -> u8 {
        match self {
            Self::Unary(_) => UNARY,
            Self::Binary(op) => precedence(*op),
            Self::And(_) => AND,
            Self::Or(_) => OR,
            Self::Colon(_) => CONDITIONAL,
            Self::Assign(..) => ASSIGN,
            Self::Question(_) | Self::Paren => 0,
        }
    }
}

fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::BitOr => 6,
        BinaryOp::BitXor => 7,
        BinaryOp::BitAnd => 8,
        BinaryOp::Equal | BinaryOp::NotEqual => 9,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 10,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 11,
        BinaryOp::Add | BinaryOp::Subtract => 12,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 13,
        BinaryOp::Power => 14,
    }
}

/// An operator as it is written between operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Infix {
    Binary(BinaryOp),
    And,
    Or,
    Question,
    Colon,
    Comma,
    /// `=`, `+=` and kin.
    Assign(Option<BinaryOp>),
    /// `++` or `--` after a name.
    Step(i64),
}

/// The infix operator at the start of the text, and its length.
pub(super) fn infix(text: &[u8]) -> Option<(Infix, usize)> {
    use BinaryOp as B;
    use Infix::{And, Assign, Binary, Colon, Comma, Or, Question, Step};
    const TABLE: [(&[u8], Infix); 35] = [
        (b"<<=", Assign(Some(B::ShiftLeft))),
        (b">>=", Assign(Some(B::ShiftRight))),
        (b"**", Binary(B::Power)),
        (b"++", Step(1)),
        (b"--", Step(-1)),
        (b"&&", And),
        (b"||", Or),
        (b"<<", Binary(B::ShiftLeft)),
        (b">>", Binary(B::ShiftRight)),
        (b"<=", Binary(B::LessEqual)),
        (b">=", Binary(B::GreaterEqual)),
        (b"==", Binary(B::Equal)),
        (b"!=", Binary(B::NotEqual)),
        (b"+=", Assign(Some(B::Add))),
        (b"-=", Assign(Some(B::Subtract))),
        (b"*=", Assign(Some(B::Multiply))),
        (b"/=", Assign(Some(B::Divide))),
        (b"%=", Assign(Some(B::Remainder))),
        (b"&=", Assign(Some(B::BitAnd))),
        (b"^=", Assign(Some(B::BitXor))),
        (b"|=", Assign(Some(B::BitOr))),
        (b"+", Binary(B::Add)),
        (b"-", Binary(B::Subtract)),
        (b"*", Binary(B::Multiply)),
        (b"/", Binary(B::Divide)),
        (b"%", Binary(B::Remainder)),
        (b"<", Binary(B::Less)),
        (b">", Binary(B::Greater)),
        (b"&", Binary(B::BitAnd)),
        (b"^", Binary(B::BitXor)),
        (b"|", Binary(B::BitOr)),
        (b"?", Question),
        (b":", Colon),
        (b",", Comma),
        (b"=", Assign(None)),
    ];
    TABLE.iter().find(|(spelling, _)| text.starts_with(spelling)).map(|(s, op)| (*op, s.len()))
}

/// Builds postfix code while the text is read from left to right.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) ops: Vec<ArithOp>,
    waiting: Vec<Waiting>,
    /// Whether the next thing must be an operand.
    has_operand: bool,
    /// Whether the operand just read is a bare variable, which can be assigned to.
    place: bool,
    pub(super) parens: usize,
    pub(super) questions: usize,
}

/// Why a text is no expression.
pub(super) type Wrong = &'static str;

impl Builder {
    pub(super) fn wants_operand(&self) -> bool {
        !self.has_operand
    }

    /// An operand that is no variable.
    pub(super) fn operand(&mut self, op: ArithOp) {
        self.ops.push(op);
        self.has_operand = true;
        self.place = false;
    }

    /// An integer; one past the largest is the smallest, negated.
    pub(super) fn number(&mut self, n: u64) -> Result<(), Wrong> {
        let value = if let Ok(value) = i64::try_from(n) {
            value
        } else if n == i64::MIN.unsigned_abs()
            && matches!(self.waiting.last(), Some(Waiting::Unary(UnaryOp::Negate)))
        {
            self.waiting.pop();
            i64::MIN
        } else {
            return Err("the number does not fit in 64 bits");
        };
        self.operand(ArithOp::Push(value));
        Ok(())
    }

    pub(super) fn variable(&mut self, place: ArithPlace) {
        self.operand(ArithOp::Load(place));
        self.place = true;
    }

    pub(super) fn unary(&mut self, op: UnaryOp) {
        self.waiting.push(Waiting::Unary(op));
    }

    pub(super) fn open(&mut self) {
        self.waiting.push(Waiting::Paren);
        self.parens += 1;
    }

    pub(super) fn close(&mut self) -> Result<(), Wrong> {
        self.reduce(COMMA);
        self.parens = self.parens.saturating_sub(1);
        match self.waiting.pop() {
            Some(Waiting::Paren) => {
                self.place = false;
                Ok(())
            }
            Some(Waiting::Question(_)) => Err("`?` is missing its `:`"),
            _ => Err("`)` without `(`"),
        }
    }

    pub(super) fn infix(&mut self, op: Infix) -> Result<(), Wrong> {
        match op {
            Infix::Step(by) => return self.step_after(by),
            Infix::Assign(op) => self.assign(op)?,
            Infix::Binary(op) => {
                let right = op == BinaryOp::Power;
                self.reduce(precedence(op) + u8::from(right));
                self.waiting.push(Waiting::Binary(op));
            }
            Infix::And => {
                self.reduce(AND);
                self.waiting.push(Waiting::And(self.ops.len()));
                self.ops.push(ArithOp::JumpIfZero(0));
            }
            Infix::Or => {
                self.reduce(OR);
                self.waiting.push(Waiting::Or(self.ops.len()));
                self.ops.push(ArithOp::JumpIfNotZero(0));
            }
            Infix::Question => {
                self.reduce(CONDITIONAL + 1);
                self.waiting.push(Waiting::Question(self.ops.len()));
                self.ops.push(ArithOp::JumpIfZero(0));
                self.questions += 1;
            }
            Infix::Colon => {
                self.reduce(COMMA);
                let Some(Waiting::Question(jump)) = self.waiting.pop() else {
                    return Err("`:` without `?`");
                };
                self.questions = self.questions.saturating_sub(1);
                self.waiting.push(Waiting::Colon(self.ops.len()));
                self.ops.push(ArithOp::Jump(0));
                self.patch(jump);
            }
            Infix::Comma => {
                self.reduce(COMMA);
                self.ops.push(ArithOp::Pop);
            }
        }
        self.has_operand = false;
        self.place = false;
        Ok(())
    }

    fn assign(&mut self, op: Option<BinaryOp>) -> Result<(), Wrong> {
        let free = self.waiting.last().is_none_or(|top| matches!(top.precedence(), 0 | ASSIGN));
        if !self.place || !free {
            return Err("only a variable can be assigned to");
        }
        if let Some(ArithOp::Load(place)) = self.ops.pop() {
            self.waiting.push(Waiting::Assign(place, op));
        }
        Ok(())
    }

    fn step_after(&mut self, by: i64) -> Result<(), Wrong> {
        if !self.place {
            return Err("`++` and `--` need a variable");
        }
        if let Some(ArithOp::Load(place)) = self.ops.pop() {
            self.operand(ArithOp::Step { place, by, prefix: false });
        }
        Ok(())
    }

    /// Completes what waits and binds at least as tightly as `precedence`.
    fn reduce(&mut self, precedence: u8) {
        while self.waiting.last().is_some_and(|top| top.precedence() >= precedence) {
            match self.waiting.pop() {
                Some(Waiting::Unary(op)) => self.ops.push(ArithOp::Unary(op)),
                Some(Waiting::Binary(op)) => self.ops.push(ArithOp::Binary(op)),
                Some(Waiting::Assign(place, None)) => self.ops.push(ArithOp::Store(place)),
                Some(Waiting::Assign(place, Some(op))) => self.ops.push(ArithOp::Update(place, op)),
                Some(Waiting::And(jump)) => self.short_circuit(jump, 0),
                Some(Waiting::Or(jump)) => self.short_circuit(jump, 1),
                Some(Waiting::Colon(jump)) => self.patch(jump),
                Some(Waiting::Question(_) | Waiting::Paren) | None => {}
            }
        }
    }

    /// Ends `&&` or `||`: the result of the right side, or `skipped` where it was not needed.
    fn short_circuit(&mut self, jump: usize, skipped: i64) {
        self.ops.push(ArithOp::Unary(UnaryOp::Truth));
        let end = self.ops.len() + 2;
        self.ops.push(ArithOp::Jump(end));
        self.patch(jump);
        self.ops.push(ArithOp::Push(skipped));
    }

    /// Points a jump to the next operation.
    fn patch(&mut self, jump: usize) {
        let here = self.ops.len();
        if let Some(
            ArithOp::Jump(target) | ArithOp::JumpIfZero(target) | ArithOp::JumpIfNotZero(target),
        ) = self.ops.get_mut(jump)
        {
            *target = here;
        }
    }

    /// Completes the expression; an empty one is well.
    pub(super) fn finish(&mut self) -> Result<(), Wrong> {
        if !self.has_operand {
            let empty = self.ops.is_empty() && self.waiting.is_empty();
            return if empty { Ok(()) } else { Err("expected a number or a variable at the end") };
        }
        self.reduce(COMMA);
        match self.waiting.last() {
            None => Ok(()),
            Some(Waiting::Question(_)) => Err("`?` is missing its `:`"),
            Some(_) => Err("`(` is missing its `)`"),
        }
    }
}

/// Reads an integer as arithmetic writes it: decimal, `0x1f`, `0b101`, `017`, `16#ff`, with a sign.
///
/// `None` for what is no integer or does not fit in 64 bits.
pub fn parse_integer(text: &str) -> Option<i64> {
    let text = text.trim_matches([' ', '\t', '\n']);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let n = magnitude(digits).ok()?;
    if negative { 0i64.checked_sub_unsigned(n) } else { i64::try_from(n).ok() }
}

/// The value of an unsigned integer literal.
pub(super) fn magnitude(text: &str) -> Result<u64, EcoString> {
    let (base, digits) = match text.split_once('#') {
        Some((base, digits)) => match base.parse::<u32>() {
            Ok(base) if (2..=64).contains(&base) => (base, digits),
            _ => return Err(format!("`{base}` is no base: bases are 2 to 64").into()),
        },
        None => match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, text.get(2..).unwrap_or_default()),
            [b'0', b'b' | b'B', ..] => (2, text.get(2..).unwrap_or_default()),
            [b'0', _, ..] => (8, text.get(1..).unwrap_or_default()),
            _ => (10, text),
        },
    };
    if digits.is_empty() {
        return Err(format!("`{text}` is no number").into());
    }
    let mut n = 0u64;
    for c in digits.chars() {
        let digit =
            digit(c, base).filter(|d| *d < base).ok_or_else(|| wrong_digit(text, c, base))?;
        n = n
            .checked_mul(u64::from(base))
            .and_then(|n| n.checked_add(u64::from(digit)))
            .ok_or_else(|| EcoString::from(format!("`{text}` does not fit in 64 bits")))?;
    }
    Ok(n)
}

/// The value of a digit: 0-9, a-z, A-Z, @ and _; up to base 36 the case does not matter.
fn digit(c: char, base: u32) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        'a'..='z' => Some(c as u32 - 'a' as u32 + 10),
        'A'..='Z' if base <= 36 => Some(c as u32 - 'A' as u32 + 10),
        'A'..='Z' => Some(c as u32 - 'A' as u32 + 36),
        '@' => Some(62),
        '_' => Some(63),
        _ => None,
    }
}

#[cold]
fn wrong_digit(text: &str, c: char, base: u32) -> EcoString {
    match base {
        8 if !text.contains('#') => {
            let plain = text.trim_start_matches('0');
            format!("`{text}` begins with 0, so it is octal, where `{c}` is no digit: write {plain} or 10#{text}")
        }
        10 => format!("`{text}` is no number"),
        _ => format!("`{text}`: `{c}` is no digit in base {base}"),
    }
    .into()
}
