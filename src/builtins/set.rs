//! `set`: options of the shell, positional parameters, and the list of variables.

use std::fmt::Write as _;
use std::rc::Rc;

use super::size::parse_size;
use super::variables::literal;
use crate::env::{Positional, ShellOption};
use crate::io::Cut;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
    help_text,
};
use crate::value::{Record, Value};

/// `set`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "set",
    about: "set options of the shell and positional parameters",
    topic: Topic::Shell,
    operands: "[-euxfCnva] [-o NAME] [--] [WORD]...",
    binding: Binding::Raw,
    completes: Completes::Nothing,
    notes: "Without words, lists the variables; with -o alone, the options. + in place of - turns an\n\
            option off. Words after the options, or after --, become $1, $2, …\n\n\
            -e  errexit    a failed command ends the script\n\
            -u  nounset    an unset name is an error\n\
            -x  xtrace     commands are shown as they run\n\
            -f             the same as +o glob: patterns are words like others\n\
            -C  noclobber  > does not overwrite a file\n\
            -n  noexec     commands are read and not run\n\
            -o  pipefail glob trash latch output-limit[=SIZE]",
    examples: &[
        Example { script: "set -- a b; echo $2 $#", output: "b 2\n" },
        Example { script: "set -o pipefail; false | true; echo $?", output: "1\n" },
    ],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operands.as_slice();
    match words {
        [] => {
            list_variables(cx);
            return OK;
        }
        [Value::Text(word)] if word == "--help" => {
            cx.push(help_text(&SPEC));
            return OK;
        }
        [Value::Text(word)] if word == "--json" => {
            let value = variables(cx);
            cx.push_line(crate::value::to_json(&value));
            cx.streams.fds.stdout().set_value(&value);
            return OK;
        }
        _ => {}
    }
    let mut rest = words.iter();
    while let Some(word) = rest.as_slice().first() {
        let Value::Text(text) = word else { break };
        let on = match text.chars().next() {
            Some('-') => true,
            Some('+') => false,
            _ => break,
        };
        rest.next();
        match text.as_str() {
            "--" => {
                replace_positional(cx, rest.as_slice());
                return OK;
            }
            "-" => {
                set(cx, ShellOption::XTrace, false);
                set(cx, ShellOption::Verbose, false);
                break;
            }
            "+" => break,
            _ => {}
        }
        for letter in text.chars().skip(1) {
            if letter != 'o' {
                turn_letter(cx, letter, on)?;
            } else if let Some(name) = rest.next() {
                turn_name(cx, &name.to_text_lossy(), on)?;
            } else {
                list_options(cx, on);
            }
        }
    }
    if !rest.as_slice().is_empty() {
        replace_positional(cx, rest.as_slice());
    }
    OK
}

fn replace_positional(cx: &mut ExecContext, words: &[Value]) {
    cx.session.scope.borrow_mut().set_positional(Positional::new(words.to_vec()));
}

fn set(cx: &ExecContext, option: ShellOption, on: bool) {
    let mut options = cx.session.options.get();
    options.set(option, on);
    cx.session.options.set(options);
}

fn turn_letter(cx: &mut ExecContext, letter: char, on: bool) -> Result<(), Stop> {
    match ShellOption::from_letter(letter) {
        Some((option, means)) => {
            set(cx, option, on == means);
            Ok(())
        }
        None => {
            let sign = if on { '-' } else { '+' };
            Err(cx.fail(2, format_args!("invalid option -- '{sign}{letter}'")))
        }
    }
}

fn turn_name(cx: &mut ExecContext, name: &str, on: bool) -> Result<(), Stop> {
    if name == "noglob" {
        set(cx, ShellOption::Glob, !on);
        return Ok(());
    }
    if let Some(size) = name.strip_prefix("output-limit=") {
        let Some(bytes) = parse_size(size).filter(|bytes| *bytes > 0) else {
            return Err(cx.fail(1, format_args!("output-limit: '{size}' is no size")));
        };
        cx.session.config.output_limit.set(Cut::of(bytes));
        set(cx, ShellOption::OutputLimit, on);
        return Ok(());
    }
    let Some(option) = ShellOption::from_name(name) else {
        let names: Vec<&str> = ShellOption::ALL.into_iter().map(ShellOption::name).collect();
        let names = names.join(" ");
        return Err(cx.fail(1, format_args!("{name}: invalid option name; there are {names}")));
    };
    set(cx, option, on);
    Ok(())
}

/// `set -o` as a table, `set +o` as commands that restore the state.
fn list_options(cx: &mut ExecContext, table: bool) {
    let options = cx.session.options.get();
    let mut text = String::new();
    for option in ShellOption::ALL {
        let (name, on) = (option.name(), options.has(option));
        let size = match option {
            ShellOption::OutputLimit if on => {
                format!("={}", cx.session.config.output_limit.get().bytes)
            }
            _ => String::new(),
        };
        let _ = if table {
            writeln!(text, "{:<15}\t{}", format!("{name}{size}"), if on { "on" } else { "off" })
        } else {
            writeln!(text, "set {}o {name}{size}", if on { '-' } else { '+' })
        };
    }
    cx.push(text);
}

fn list_variables(cx: &mut ExecContext) {
    let Value::Record(variables) = variables(cx) else { return };
    for (name, value) in variables.iter() {
        cx.push(name.as_str());
        cx.push("=");
        cx.push_line(literal(value));
    }
}

/// The variables that have a value, by name.
pub(super) fn variables(cx: &ExecContext) -> Value {
    let scope = cx.session.scope.borrow();
    let mut record: Record = scope
        .variables()
        .filter_map(|(name, variable)| Some((name.clone(), variable.value.clone()?)))
        .collect();
    record.sort_unstable_keys();
    Value::Record(Rc::new(record))
}
