//! `kaish-ignore`: what walkers skip.

use std::rc::Rc;

use crate::builtins::table::record;
use crate::env::IgnoreConfig;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, Value};

/// `kaish-ignore`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "kaish-ignore",
    about: "what walkers skip",
    topic: Topic::Shell,
    operands: "[add FILE... | remove FILE... | clear | defaults on|off | auto on|off | scope advisory|enforced]",
    completes: Completes::Files,
    notes: "`add .gitignore` makes walkers obey the rules of files of that name, below the directory they\n\
            are in. `defaults` are rules for what tools make: .git, node_modules, target and such. `auto`\n\
            is .gitignore without listing it. With scope enforced, find obeys too. Without words, prints\n\
            the settings; with --json: a record with files, defaults, auto, scope.",
    examples: &[Example {
        script: "kaish-ignore add .gitignore; kaish-ignore",
        output: "files     .gitignore\ndefaults  off\nauto      off\nscope     advisory\n",
    }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operand_texts();
    let mut config = IgnoreConfig::clone(&cx.session.config.ignore.borrow());
    let words: Vec<&str> = words.iter().map(EcoString::as_str).collect();
    match words.as_slice() {
        [] => {
            show(cx, args, &config);
            return OK;
        }
        ["add", names @ ..] if !names.is_empty() => {
            for name in names {
                if !config.files.iter().any(|known| known == name) {
                    config.files.push((*name).into());
                }
            }
        }
        ["remove", names @ ..] if !names.is_empty() => remove(cx, &mut config, names)?,
        ["clear"] => config = IgnoreConfig::default(),
        ["defaults", word] => config.defaults = switch(cx, word)?,
        ["auto", word] => config.auto = switch(cx, word)?,
        ["scope", "advisory"] => config.enforced = false,
        ["scope", "enforced"] => config.enforced = true,
        [word, ..] => {
            return Err(cx.fail(2, format_args!("{word}: the words are {}", SPEC.operands)));
        }
    }
    *cx.session.config.ignore.borrow_mut() = Rc::new(config);
    OK
}

fn remove(cx: &mut ExecContext, config: &mut IgnoreConfig, names: &[&str]) -> Result<(), Stop> {
    for name in names {
        let Some(at) = config.files.iter().position(|known| known == name) else {
            return Err(cx.fail(1, format_args!("{name}: not among the files")));
        };
        config.files.remove(at);
    }
    Ok(())
}

fn switch(cx: &mut ExecContext, word: &str) -> Result<bool, Stop> {
    match word {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(cx.fail(2, format_args!("{word}: on or off"))),
    }
}

fn show(cx: &mut ExecContext, args: &Args, config: &IgnoreConfig) {
    let scope = if config.enforced { "enforced" } else { "advisory" };
    if args.json {
        let files = config.files.iter().cloned().map(Value::Text).collect();
        cx.answer(Value::Record(Rc::new(record([
            ("files", Value::List(files)),
            ("defaults", Value::Bool(config.defaults)),
            ("auto", Value::Bool(config.auto)),
            ("scope", scope.into()),
        ]))));
        return;
    }
    let on = |on: bool| if on { "on" } else { "off" };
    let files = if config.files.is_empty() { "none".into() } else { config.files.join(" ") };
    cx.push_line(format!("files     {files}"));
    cx.push_line(format!("defaults  {}", on(config.defaults)));
    cx.push_line(format!("auto      {}", on(config.auto)));
    cx.push_line(format!("scope     {scope}"));
}
