//! `help`: the commands by topic, or one command.

use std::rc::Rc;

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Topic, help_text,
};
use crate::value::{EcoString, EcoVec, InOrder, Record, Value};

/// `help`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "help",
    about: "list the commands, or explain some",
    topic: Topic::Shell,
    operands: "[COMMAND]...",
    completes: Completes::Commands,
    notes: "--json: a list of records with name, about, topic.",
    examples: &[Example {
        script: "help true | head -n 1",
        output: "true - do nothing, successfully\n",
    }],
    ..Spec::DEFAULT
};

/// What the list needs of a command.
struct Entry {
    name: EcoString,
    about: EcoString,
    topic: Topic,
}

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let names = args.operand_texts();
    if names.is_empty() {
        let entries = entries(cx);
        if args.json {
            cx.answer(json(&entries));
        } else {
            let width = usize::from(cx.services.columns.get()).max(40);
            cx.push(overview(&entries, width));
        }
        return Reply::status(0);
    }
    let registry = Rc::clone(&cx.services.registry);
    let (mut ok, mut first) = (true, true);
    for name in names {
        let text = match registry.builtin(&name) {
            Some(builtin) => help_text(&builtin.spec),
            None => match registry.tool(&name) {
                Some(tool) => help_text(&tool.spec()),
                None => {
                    cx.warn(format_args!("no help for '{name}'; 'help' lists the commands"));
                    ok = false;
                    continue;
                }
            },
        };
        if !std::mem::replace(&mut first, false) {
            cx.push("\n");
        }
        cx.push(text);
    }
    Reply::success(ok)
}

/// Every command, by topic and name.
fn entries(cx: &ExecContext) -> Vec<Entry> {
    let registry = &cx.services.registry;
    let mut entries: Vec<Entry> = Vec::new();
    for name in registry.names() {
        let (about, topic) = match registry.builtin(&name) {
            Some(builtin) => (builtin.spec.about.into(), builtin.spec.topic),
            None => match registry.tool(&name) {
                Some(tool) => (tool.spec().about.into(), tool.spec().topic),
                None => continue,
            },
        };
        entries.push(Entry { name, about, topic });
    }
    entries.order_by_key(|entry| entry.topic);
    entries
}

fn overview(entries: &[Entry], width: usize) -> String {
    let mut text = String::from("Commands; 'help NAME' or 'NAME --help' explains one.\n");
    for topic in Topic::ALL {
        let mut line = String::new();
        for entry in entries.iter().filter(|entry| entry.topic == topic) {
            if line.is_empty() {
                text.push_str(&format!("\n{}\n", topic.title()));
            } else if line.len() + 1 + entry.name.len() > width - 2 {
                text.push_str(&format!("  {line}\n"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&entry.name);
        }
        if !line.is_empty() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn json(entries: &[Entry]) -> Value {
    let row = |entry: &Entry| {
        let mut record = Record::default();
        record.insert("name".into(), Value::Text(entry.name.clone()));
        record.insert("about".into(), Value::Text(entry.about.clone()));
        record.insert("topic".into(), Value::from(entry.topic.title()));
        Value::Record(Rc::new(record))
    };
    Value::List(entries.iter().map(row).collect::<EcoVec<Value>>())
}
