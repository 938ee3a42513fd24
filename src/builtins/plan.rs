//! `plan`: what a program would run, read and write; `kaish-ast`: its tree.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::syntax::{Level, Script, Source, parse, render};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
};
use crate::validate::{self, Facts};
use crate::value::{Value, to_json_pretty};

/// `plan`
pub(super) const PLAN: Builtin = Builtin {
    spec: Spec {
        name: "plan",
        about: "tell what a program would run, read and write, and run nothing",
        answers_value: true,
        notes: "Prints a line a command and the names. The value, and with --json what is printed, is a\n\
                record with statements: text, span, background, commands (name, arguments, redirects),\n\
                reads, writes.",
        examples: &[Example {
            script: "plan 'x=$(date) && cp $src out'",
            output: "x=$(date) && cp $src out\n  runs   date\n  runs   cp $src out\n  reads  src\n  writes x\n",
        }],
        ..SPEC
    },
    run: Run::Now(run_plan),
};

/// `kaish-ast`
pub(super) const AST: Builtin = Builtin {
    spec: Spec {
        name: "kaish-ast",
        about: "the tree of a program",
        answers_value: true,
        notes: "Prints indented JSON: a list of statements, each node with its type, span and text.",
        examples: &[Example {
            script: "t=$(kaish-ast 'echo hi'); echo ${t[0][type]} ${#t[0][words]}",
            output: "simple 2\n",
        }],
        ..SPEC
    },
    run: Run::Now(run_ast),
};

const SPEC: Spec = Spec {
    topic: Topic::Shell,
    operands: "TEXT",
    arity: (1, 1),
    completes: Completes::Nothing,
    ..Spec::DEFAULT
};

fn run_plan(cx: &mut ExecContext, args: &Args) -> Outcome {
    let (text, script) = parsed(cx, args)?;
    let facts = Facts { session: &cx.session, registry: &cx.services.registry, sourced: false };
    let plan = validate::plan(&script, &text, &facts);
    if !args.json {
        let shown = shown(&plan);
        cx.push(shown);
    }
    cx.answer(plan);
    OK
}

fn run_ast(cx: &mut ExecContext, args: &Args) -> Outcome {
    let (text, script) = parsed(cx, args)?;
    let tree = validate::tree(&script, &text);
    if !args.json {
        cx.push_line(to_json_pretty(&tree));
    }
    cx.answer(tree);
    OK
}

/// The program of the operand; errors are printed, status 2.
fn parsed(cx: &mut ExecContext, args: &Args) -> Result<(String, Rc<Script>), Stop> {
    let text = args.operand(0).unwrap_or_default().to_string();
    let parsed = parse(&text);
    if parsed.has_errors() {
        let source = Source::new("", text);
        for error in parsed.diagnostics.iter().filter(|found| found.level == Level::Error) {
            cx.streams.err.extend_from_slice(render(&source, error).as_bytes());
        }
        return Err(Stop::Failed(2));
    }
    Ok((text, parsed.script))
}

fn field<'v>(value: &'v Value, key: &str) -> &'v Value {
    match value {
        Value::Record(record) => record.get(key).unwrap_or(&Value::Null),
        _ => &Value::Null,
    }
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    match field(value, key) {
        Value::List(list) => list,
        _ => &[],
    }
}

fn shown(plan: &Value) -> String {
    let mut text = String::new();
    for statement in items(plan, "statements") {
        let _ = writeln!(text, "{}", field(statement, "text").to_text_lossy());
        for command in items(statement, "commands") {
            let line = field(command, "text").to_text_lossy();
            let _ = writeln!(text, "  runs   {}", line.lines().next().unwrap_or_default());
        }
        for (key, label) in [("reads", "reads "), ("writes", "writes")] {
            let names: Vec<_> = items(statement, key).iter().map(Value::to_text_lossy).collect();
            if !names.is_empty() {
                let _ = writeln!(text, "  {label} {}", names.join(" "));
            }
        }
    }
    text
}
