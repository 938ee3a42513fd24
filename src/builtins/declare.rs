//! `export`, `readonly`, `local`, `declare`, `typeset`: attributes of variables, and their listing.
//!
//! Arguments of the form `NAME=value` are values to the machine, which declares them itself; what
//! comes here are plain words, as in `export PATH`, `command export X=1`, `export -p`.

use std::fmt::Write as _;

use super::variables::{double_quoted, expander, literal};
use crate::env::Variable;
use crate::expand::{Container, Declaration};
use crate::syntax::Span;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, InOrder, Value};

/// `export`
pub(super) const EXPORT: Builtin = Builtin {
    spec: Spec {
        name: "export",
        about: "pass variables on to scripts called by name",
        options: &[
            Opt::flag('n', "", "no longer pass them on"),
            Opt::flag('p', "", "list what is passed on"),
            Opt::flag('f', "", "refused: functions are not passed on"),
        ],
        notes: "A collection cannot be passed on: export its text, x=$(tojson $r).",
        examples: &[Example { script: "export A=1; env | grep '^A='", output: "A=1\n" }],
        ..SPEC
    },
    run: Run::Now(export),
};

/// `readonly`
pub(super) const READONLY: Builtin = Builtin {
    spec: Spec {
        name: "readonly",
        about: "make variables readonly",
        options: &[
            Opt::flag('p', "", "list readonly variables"),
            Opt::flag('a', "", "as lists"),
            Opt::flag('A', "", "as records"),
            Opt::flag('f', "", "refused: functions are not readonly"),
        ],
        examples: &[Example { script: "readonly x=1; (x=2) 2>/dev/null; echo $x", output: "1\n" }],
        ..SPEC
    },
    run: Run::Now(readonly),
};

/// `local`
pub(super) const LOCAL: Builtin = Builtin {
    spec: Spec {
        name: "local",
        about: "give a function variables of its own",
        options: DECLARE_OPTIONS,
        examples: &[Example {
            script: "f() { local x=in; echo $x; }; x=out; f; echo $x",
            output: "in\nout\n",
        }],
        ..SPEC
    },
    run: Run::Now(local),
};

/// `declare`
pub(super) const DECLARE: Builtin = Builtin {
    spec: Spec {
        name: "declare",
        about: "declare variables, or show them and functions",
        options: DECLARE_OPTIONS,
        notes: "Inside a function the variables are local, unless -g is given.",
        examples: &[Example {
            script: "declare -A r; r[k]=v; declare -p r",
            output: "declare -A r={\"k\":\"v\"}\n",
        }],
        ..SPEC
    },
    run: Run::Now(declare),
};

/// `typeset`
pub(super) const TYPESET: Builtin =
    Builtin { spec: Spec { name: "typeset", ..DECLARE.spec }, run: Run::Now(declare) };

const SPEC: Spec = Spec {
    topic: Topic::Shell,
    operands: "[NAME[=VALUE]]...",
    completes: Completes::Variables,
    binding: Binding::Leading,
    ..Spec::DEFAULT
};

const DECLARE_OPTIONS: &[Opt] = &[
    Opt::flag('a', "", "a name without value starts as a list"),
    Opt::flag('A', "", "a name without value starts as a record"),
    Opt::flag('x', "", "export it"),
    Opt::flag('r', "", "make it readonly"),
    Opt::flag('g', "", "not local to the function"),
    Opt::flag('p', "", "show variables"),
    Opt::flag('f', "", "show functions"),
    Opt::flag('F', "", "show the names of functions"),
    Opt::flag('i', "", "refused: write $(( ))"),
    Opt::flag('l', "", "refused: write ${x,,}"),
    Opt::flag('u', "", "refused: write ${x^^}"),
    Opt::flag('n', "", "refused: there are no references"),
    Opt::flag('I', "", "ignored"),
];

fn export(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.has("f") {
        let way = "a script sources the file that defines them";
        return Err(cx.fail(2, format_args!("functions are not exported; {way}")));
    }
    if args.operands.is_empty() {
        list(cx, |_, variable| variable.exported.then(|| "export".into()));
        return Reply::status(0);
    }
    let export = Some(!args.has("n"));
    declare_all(cx, Declaration { export, ..Declaration::default() }, &args.operand_texts())
}

fn readonly(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.has("f") {
        return Err(cx.fail(2, "functions cannot be readonly"));
    }
    if args.operands.is_empty() {
        list(cx, |_, variable| variable.readonly.then(|| "readonly".into()));
        return Reply::status(0);
    }
    let declaration =
        Declaration { readonly: true, container: container(args), ..Declaration::default() };
    declare_all(cx, declaration, &args.operand_texts())
}

fn local(cx: &mut ExecContext, args: &Args) -> Outcome {
    if !cx.session.scope.borrow().in_function() {
        return Err(cx.fail(1, "can only be used in a function"));
    }
    let declaration = declaration(cx, args, true)?;
    declare_all(cx, declaration, &args.operand_texts())
}

fn declare(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.has("f") || args.has("F") {
        return functions(cx, args);
    }
    let mut names = args.operand_texts();
    let local = cx.session.scope.borrow().in_function() && !args.has("g");
    let mut declaration = declaration(cx, args, local)?;
    while let Some(sign) = names.first().filter(|name| name.starts_with('+')) {
        match sign.as_str() {
            "+x" => declaration.export = Some(false),
            "+r" => return Err(cx.fail(1, "a readonly variable stays readonly")),
            other => return Err(cx.fail(2, format_args!("invalid option -- '{other}'"))),
        }
        names.remove(0);
    }
    if args.has("p") || names.is_empty() {
        return show(cx, &names, declaration);
    }
    declare_all(cx, declaration, &names)
}

/// What the option letters ask for; those that the language has not are refused, status 2.
fn declaration(cx: &mut ExecContext, args: &Args, local: bool) -> Result<Declaration, Stop> {
    let mut declaration = Declaration { local, ..Declaration::default() };
    for (key, _) in args.given() {
        for letter in key.chars() {
            declaration.option(letter).map_err(|why| cx.fail(2, why))?;
        }
    }
    Ok(declaration)
}

fn container(args: &Args) -> Option<Container> {
    match args.last_of(&["a", "A"])? {
        "a" => Some(Container::List),
        _ => Some(Container::Record),
    }
}

/// Declares each word: `NAME`, `NAME=text` or `NAME+=text`.
fn declare_all(cx: &mut ExecContext, declaration: Declaration, words: &[EcoString]) -> Outcome {
    let expander = expander(cx);
    let mut status = 0;
    for word in words {
        let (name, value) = match word.split_once('=') {
            None | Some(("", _)) => (word.as_str(), None),
            Some((name, text)) => match name.strip_suffix('+') {
                Some(name) => (name, Some((Value::text(text), true))),
                None => (name, Some((Value::text(text), false))),
            },
        };
        if let Err(error) = expander.declare(declaration, name, value, Span::default()) {
            cx.warn(error.message);
            status = 1;
        }
    }
    Reply::status(status)
}

/// Prints every variable that `head` gives the first words for, sorted.
fn list(cx: &mut ExecContext, head: impl Fn(&str, &Variable) -> Option<EcoString>) {
    let mut lines: Vec<String> = Vec::new();
    for (name, variable) in cx.session.scope.borrow().variables() {
        if let Some(head) = head(name, variable) {
            lines.push(line(&head, name, variable));
        }
    }
    lines.order_by(Ord::cmp);
    for line in lines {
        cx.push_line(line);
    }
}

fn line(head: &str, name: &str, variable: &Variable) -> String {
    match &variable.value {
        None => format!("{head} {name}"),
        Some(Value::List(_) | Value::Record(_) | Value::Null | Value::Bytes(_)) => {
            let value = variable.value.as_ref().map(literal).unwrap_or_default();
            format!("{head} {name}={value}")
        }
        Some(scalar) => format!("{head} {name}={}", double_quoted(&scalar.to_text_lossy())),
    }
}

/// `declare -p`: what declares a variable again.
fn attributes(variable: &Variable) -> EcoString {
    let mut head = String::from("declare -");
    match &variable.value {
        Some(Value::List(_)) => head.push('a'),
        Some(Value::Record(_)) => head.push('A'),
        _ => {}
    }
    if variable.readonly {
        head.push('r');
    }
    if variable.exported {
        head.push('x');
    }
    if head.ends_with('-') {
        head.push('-');
    }
    head.into()
}

fn show(cx: &mut ExecContext, names: &[EcoString], filter: Declaration) -> Outcome {
    if names.is_empty() {
        list(cx, |_, variable| {
            let matches = (!filter.readonly || variable.readonly)
                && (filter.export != Some(true) || variable.exported)
                && match filter.container {
                    None => true,
                    Some(Container::List) => matches!(variable.value, Some(Value::List(_))),
                    Some(Container::Record) => matches!(variable.value, Some(Value::Record(_))),
                };
            matches.then(|| attributes(variable))
        });
        return Reply::status(0);
    }
    let mut status = 0;
    for name in names {
        let variable = cx.session.scope.borrow().variable(name).cloned();
        if let Some(variable) = variable {
            cx.push_line(line(&attributes(&variable), name, &variable));
        } else {
            cx.warn(format_args!("{name}: not found"));
            status = 1;
        }
    }
    Reply::status(status)
}

/// `declare -f` and `-F`: functions as they were written, or their names.
fn functions(cx: &mut ExecContext, args: &Args) -> Outcome {
    let functions = cx.session.functions.borrow().clone();
    let mut names = args.operand_texts();
    let all = names.is_empty();
    if all {
        names = functions.keys().cloned().collect();
        names.order_by(Ord::cmp);
    }
    let mut text = String::new();
    let mut status = 0;
    for name in &names {
        let Some(function) = functions.get(name) else {
            status = 1;
            continue;
        };
        let _ = if !args.has("F") {
            writeln!(text, "{}", function.definition.span.text(&function.source.text))
        } else if all {
            writeln!(text, "declare -f {name}")
        } else {
            writeln!(text, "{name}")
        };
    }
    cx.push(text);
    Reply::status(status)
}
