//! `whoami`, `id`, `groups`, `logname`: the one user.

use super::common::{OWNER, OWNER_ID, quoted, variable_or};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Topic,
};

const SPEC: Spec = Spec { topic: Topic::System, completes: Completes::Nothing, ..Spec::DEFAULT };

/// `whoami`
pub(super) const WHOAMI: Builtin = Builtin {
    spec: Spec {
        name: "whoami",
        about: "print the name of the user",
        arity: (0, 0),
        examples: &[Example { script: "USER=amy; whoami", output: "amy\n" }],
        ..SPEC
    },
    run: Run::Now(whoami),
};

/// `logname`
pub(super) const LOGNAME: Builtin = Builtin {
    spec: Spec {
        name: "logname",
        about: "print the name of the user",
        arity: (0, 0),
        examples: &[Example { script: "USER=amy; logname", output: "amy\n" }],
        ..SPEC
    },
    run: Run::Now(whoami),
};

/// `groups`
pub(super) const GROUPS: Builtin = Builtin {
    spec: Spec {
        name: "groups",
        about: "print the groups of the user",
        operands: "[USER]...",
        examples: &[Example { script: "USER=amy; groups", output: "amy\n" }],
        ..SPEC
    },
    run: Run::Now(whoami),
};

/// `id`
pub(super) const ID: Builtin = Builtin {
    spec: Spec {
        name: "id",
        about: "print the user and groups",
        operands: "[USER]...",
        options: &[
            Opt::flag('u', "user", "only the user's number"),
            Opt::flag('g', "group", "only the group's number"),
            Opt::flag('G', "groups", "only the groups' numbers"),
            Opt::flag('n', "name", "with -u, -g, -G: names"),
            Opt::flag('r', "real", "accepted"),
            Opt::flag('z', "zero", "end with NUL, not newline"),
        ],
        examples: &[Example { script: "id -u", output: "1000\n" }],
        ..SPEC
    },
    run: Run::Now(id),
};

/// `$USER`, or the name files belong to.
fn user(cx: &ExecContext) -> String {
    variable_or(cx, "USER", OWNER)
}

fn whoami(cx: &mut ExecContext, _: &Args) -> Outcome {
    let name = user(cx);
    cx.push_line(name);
    OK
}

fn id(cx: &mut ExecContext, args: &Args) -> Outcome {
    let name = user(cx);
    for operand in args.operand_texts() {
        if operand != name && operand != OWNER && operand != OWNER_ID {
            return Err(cx.fail(1, format_args!("{}: no such user", quoted(&operand))));
        }
    }
    let only = args.last_of(&["user", "group", "groups"]);
    if only.is_none() && args.has("name") {
        return Err(cx.fail(1, "cannot print only names or real IDs in default format"));
    }
    let text = match only {
        Some(_) if args.has("name") => name,
        Some(_) => OWNER_ID.to_owned(),
        None => {
            format!("uid={OWNER_ID}({name}) gid={OWNER_ID}({name}) groups={OWNER_ID}({name})")
        }
    };
    cx.push(text);
    cx.push(if args.has("zero") { "\0" } else { "\n" });
    Reply::status(0)
}
