//! Trees in a short notation, for tests to compare.

use crate::syntax::{
    Argument, ArithCode, ArithOp, ArithPlace, Assignment, Brace, Command, Element, Field,
    Parameter, ParameterName, ParameterOp, Part, Script, Subscript, ValueExpr, Word, parse,
};
use crate::value::{Value, to_json};

/// The only simple command of a text: its assignments and words, a blank between them.
pub(super) fn command(text: &str) -> String {
    let parsed = parse(text);
    assert!(!parsed.has_errors(), "{text:?}: {:?}", parsed.diagnostics);
    let Command::Simple(simple) = first(&parsed.script) else {
        panic!("{text:?} is no simple command")
    };
    let assignments = simple.assignments.iter().map(assignment);
    let words = simple.words.iter().map(|argument| match argument {
        Argument::Word(w) => word(w),
        Argument::Assignment(a) => assignment(a),
    });
    assignments.chain(words).collect::<Vec<_>>().join(" ")
}

/// The first command of a program.
pub(super) fn first(script: &Script) -> &Command {
    &script.statements[0].first.stages[0].command
}

/// A word as `L(literal)`, `Q(quoted)`, `G(glob)`, `D[…]`, `${…}`, `C(…)`, `A(…)`, `B{…}`, `~`.
pub(super) fn word(word: &Word) -> String {
    parts(&word.parts)
}

fn parts(list: &[Part]) -> String {
    list.iter().map(part).collect()
}

fn part(part: &Part) -> String {
    match part {
        Part::Literal(text) => format!("L({text})"),
        Part::Quoted(text) => format!("Q({text})"),
        Part::Glob(text) => format!("G({text})"),
        Part::Tilde => "~".to_owned(),
        Part::DoubleQuoted(list) => format!("D[{}]", parts(list)),
        Part::Parameter(p) => parameter(p),
        Part::Command(s) => format!("C({})", crate::syntax::print(&s.script).trim_end()),
        Part::Arithmetic(code) => format!("A({})", code.text),
        Part::Brace(brace) => match &**brace {
            Brace::List(list) => {
                format!("B{{{}}}", list.iter().map(|p| parts(p)).collect::<Vec<_>>().join("|"))
            }
            Brace::Numbers { start, end, step, width } => {
                format!("B{{{start}..{end}/{step}w{width}}}")
            }
            Brace::Letters(a, b, step) => format!("B{{{a}..{b}/{step}}}"),
        },
        Part::Spread(part) => format!("...{}", self::part(part)),
    }
}

fn parameter(p: &Parameter) -> String {
    let name = match &p.name {
        ParameterName::Variable(name) => name.to_string(),
        ParameterName::Positional(n) => n.to_string(),
        ParameterName::Special(c) => c.to_string(),
    };
    let path: String = p.path.iter().map(subscript).collect();
    let op = match &p.op {
        ParameterOp::None => String::new(),
        ParameterOp::Default { kind, colon, word: w } => {
            format!(" {kind:?}{} {}", u8::from(*colon), word(w))
        }
        ParameterOp::Trim { end, longest, pattern } => {
            format!(" {end:?}{} {}", u8::from(*longest), word(pattern))
        }
        ParameterOp::Replace { scope, pattern, replacement } => {
            format!(" Replace{scope:?} {} by {}", word(pattern), word(replacement))
        }
        ParameterOp::Case { upper, all, pattern } => {
            format!(" Case{}{} {}", u8::from(*upper), u8::from(*all), word(pattern))
        }
        ParameterOp::Substring(offset, length) => {
            format!(
                " Substring {} {}",
                offset.text,
                length.as_ref().map_or("-", |code| code.text.as_str())
            )
        }
        op => format!(" {op:?}"),
    };
    format!("${{{name}{path}{op}}}")
}

fn subscript(s: &Subscript) -> String {
    let bound = |code: &Option<std::rc::Rc<ArithCode>>| {
        code.as_ref().map_or("", |c| c.text.as_str()).to_owned()
    };
    match s {
        Subscript::Key(w) => format!("[{}]", word(w)),
        Subscript::Slice(from, to, _) => format!("[{}:{}]", bound(from), bound(to)),
        Subscript::All => "[@]".to_owned(),
        Subscript::Star => "[*]".to_owned(),
    }
}

fn assignment(a: &Assignment) -> String {
    let path: String = a.path.iter().map(subscript).collect();
    format!("{}{path}{}{}", a.name, if a.append { "+=" } else { "=" }, value(&a.value))
}

/// A value: a word, or a literal as `text`, `number`, … with its spelling.
pub(super) fn value(v: &ValueExpr) -> String {
    match v {
        ValueExpr::Word(w) => word(w),
        ValueExpr::Literal(Value::Text(text), _) => format!("'{text}'"),
        ValueExpr::Literal(Value::Number(n), _) => n.spelling().to_string(),
        ValueExpr::Literal(v, _) => to_json(v),
        ValueExpr::List(elements, _) => {
            let elements = elements.iter().map(|e| match e {
                Element::Value(v) => value(v),
                Element::Spread(w) => format!("...{}", word(w)),
            });
            format!("[{}]", elements.collect::<Vec<_>>().join(", "))
        }
        ValueExpr::Record(fields, _) => {
            let fields = fields.iter().map(|f| match f {
                Field::Pair(key, v) => format!("{}: {}", word(key), value(v)),
                Field::Spread(w) => format!("...{}", word(w)),
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Postfix code on one line.
pub(super) fn arithmetic(code: &ArithCode) -> String {
    if let Some(error) = &code.error {
        return format!("error: {error}");
    }
    let place = |p: &ArithPlace| {
        let path: String = p
            .path
            .iter()
            .map(|s| format!("[{} | {}]", arithmetic(&s.index), word(&s.key)))
            .collect();
        format!("{}{path}", p.name)
    };
    let op = |op: &ArithOp| match op {
        ArithOp::Push(n) => n.to_string(),
        ArithOp::Load(p) => place(p),
        ArithOp::Expand(p) => part(p),
        ArithOp::Store(p) => format!("={}", place(p)),
        ArithOp::Update(p, op) => format!("{op:?}={}", place(p)),
        ArithOp::Step { place: p, by, prefix } => {
            format!("{}{by:+}{}", if *prefix { "pre" } else { "post" }, place(p))
        }
        ArithOp::Binary(op) => format!("{op:?}"),
        ArithOp::Unary(op) => format!("{op:?}"),
        ArithOp::JumpIfZero(to) => format!("jz{to}"),
        ArithOp::JumpIfNotZero(to) => format!("jnz{to}"),
        ArithOp::Jump(to) => format!("j{to}"),
        ArithOp::Pop => "pop".to_owned(),
    };
    code.ops.iter().map(op).collect::<Vec<_>>().join(" ")
}
