//! `kaish-status`, `kaish-version`, `kaish-tools`, `kaish-vars`, `kaish-mounts`: tables of state.

use std::rc::Rc;

use crate::builtins::table::{count, record, table};
use crate::env::ShellOption;
use crate::jobs::JobState;
use crate::tool::{Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic};
use crate::value::{EcoVec, InOrder, Record, Value};

/// `kaish-status`
pub(in crate::builtins) const STATUS: Builtin = Builtin {
    spec: Spec {
        name: "kaish-status",
        about: "the state of the shell",
        notes: "With --json: a record.",
        examples: &[Example {
            script: "kaish-status | head -n 1",
            output: "cwd        /home/user\n",
        }],
        ..SPEC
    },
    run: Run::Now(status),
};

/// `kaish-version`
pub(in crate::builtins) const VERSION: Builtin = Builtin {
    spec: Spec {
        name: "kaish-version",
        about: "the version of the shell",
        examples: &[Example { script: "kaish-version | cut -d' ' -f1", output: "tabsh\n" }],
        ..SPEC
    },
    run: Run::Now(version),
};

/// `kaish-tools`
pub(in crate::builtins) const TOOLS: Builtin = Builtin {
    spec: Spec {
        name: "kaish-tools",
        about: "the commands there are",
        notes: "With --json: a list of records with name, kind, topic, about.",
        examples: &[Example {
            script: "kaish-tools | head -n 1 | tr -s ' '",
            output: "NAME KIND TOPIC ABOUT\n",
        }],
        ..SPEC
    },
    run: Run::Now(tools),
};

/// `kaish-vars`
pub(in crate::builtins) const VARS: Builtin = Builtin {
    spec: Spec {
        name: "kaish-vars",
        about: "the variables there are",
        notes: "With --json: a list of records with name, type, value, exported, readonly.",
        examples: &[Example {
            script: "xs=[1]; kaish-vars --json | grep -o '\"name\":\"xs\",\"type\":\"list\"'",
            output: "\"name\":\"xs\",\"type\":\"list\"\n",
        }],
        ..SPEC
    },
    run: Run::Now(vars),
};

/// `kaish-mounts`
pub(in crate::builtins) const MOUNTS: Builtin = Builtin {
    spec: Spec {
        name: "kaish-mounts",
        about: "what is mounted where",
        notes: "With --json: a list of records with path, kind, writable, keeps (of links, hard links, \
            modes, times what the mount can keep), used, available.",
        examples: &[Example {
            script: "kaish-mounts | cut -d' ' -f1 | head -n 2",
            output: "PATH\n/\n",
        }],
        ..SPEC
    },
    run: Run::Now(mounts),
};

const SPEC: Spec =
    Spec { topic: Topic::Shell, arity: (0, 0), completes: Completes::Nothing, ..Spec::DEFAULT };

fn status(cx: &mut ExecContext, args: &Args) -> Outcome {
    let session = &cx.session;
    let options = session.options.get();
    let on: Vec<&str> = ShellOption::ALL
        .into_iter()
        .filter(|option| options.has(*option))
        .map(ShellOption::name)
        .collect();
    let running = cx.services.jobs.all();
    let running = running.iter().filter(|job| job.state() == JobState::Running).count();
    let shown = record([
        ("cwd", Value::Text(session.cwd.borrow().clone())),
        ("status", count(session.last.status.get())),
        ("session", count(cx.services.session_id)),
        ("options", Value::text(on.join(" "))),
        ("variables", count(session.scope.borrow().variables().count())),
        ("functions", count(session.functions.borrow().len())),
        ("aliases", count(session.aliases.borrow().len())),
        ("jobs", count(running)),
        ("backend", Value::text(cx.services.backend.backend_type())),
        ("mounts", count(cx.services.backend.mounts().len())),
        ("recursion", count(cx.services.limits.recursion)),
        ("version", Value::text(env!("CARGO_PKG_VERSION"))),
    ]);
    if args.json {
        cx.answer(Value::Record(Rc::new(shown)));
        return OK;
    }
    for (key, value) in &shown {
        cx.push_line(format!("{key:<10} {}", value.to_text_lossy()));
    }
    OK
}

fn version(cx: &mut ExecContext, args: &Args) -> Outcome {
    let version = env!("CARGO_PKG_VERSION");
    if args.json {
        let shown = record([("name", "tabsh".into()), ("version", version.into())]);
        cx.answer(Value::Record(Rc::new(shown)));
    } else {
        cx.push_line(format!("tabsh {version}"));
    }
    OK
}

fn tools(cx: &mut ExecContext, args: &Args) -> Outcome {
    let registry = Rc::clone(&cx.services.registry);
    let row = |spec: &Spec<'_>, kind: &str| {
        record([
            ("name", spec.name.into()),
            ("kind", kind.into()),
            ("topic", spec.topic.title().into()),
            ("about", spec.about.into()),
        ])
    };
    let mut rows = Vec::new();
    for name in registry.names() {
        if let Some(builtin) = registry.builtin(&name) {
            rows.push(row(&builtin.spec, "builtin"));
        } else if let Some(tool) = registry.tool(&name) {
            rows.push(row(&tool.spec(), "page"));
        }
    }
    show(cx, args, &["name", "kind", "topic", "about"], rows);
    OK
}

fn vars(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut rows: Vec<Record> = cx
        .session
        .scope
        .borrow()
        .variables()
        .filter_map(|(name, variable)| {
            let value = variable.value.clone()?;
            Some(record([
                ("name", Value::Text(name.clone())),
                ("type", value.type_name().into()),
                ("value", value),
                ("exported", Value::Bool(variable.exported)),
                ("readonly", Value::Bool(variable.readonly)),
            ]))
        })
        .collect();
    rows.order_by_key(|row| row.get("name").map(Value::to_text_lossy));
    show(cx, args, &["name", "type", "value"], rows);
    OK
}

fn mounts(cx: &mut ExecContext, args: &Args) -> Outcome {
    let rows = cx.services.backend.mounts().into_iter().map(|mount| {
        let (used, available) = match mount.usage {
            Some((used, available)) => (count(used), count(available)),
            None => (Value::Null, Value::Null),
        };
        let able = mount.capabilities;
        let keeps = [
            ("links", able.symlinks),
            ("hard links", able.hard_links),
            ("modes", able.modes),
            ("times", able.times),
        ];
        let keeps = keeps.into_iter().filter(|(_, keeps)| *keeps).map(|(word, _)| word.into());
        record([
            ("path", Value::text(mount.path.as_str())),
            ("kind", Value::Text(mount.kind)),
            ("writable", Value::Bool(able.writing)),
            ("keeps", Value::List(keeps.collect())),
            ("used", used),
            ("available", available),
        ])
    });
    let rows = rows.collect();
    show(cx, args, &["path", "kind", "writable", "used", "available"], rows);
    OK
}

/// Rows as a table, or with `--json` as a list of records.
pub(super) fn show(cx: &mut ExecContext, args: &Args, columns: &[&str], rows: Vec<Record>) {
    if args.json {
        let rows: EcoVec<Value> = rows.into_iter().map(|row| Value::Record(Rc::new(row))).collect();
        cx.answer(Value::List(rows));
    } else {
        cx.push(table(columns, &rows));
    }
}
