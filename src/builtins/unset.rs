//! `unset`: removes variables, elements of collections, functions.

use std::rc::Rc;

use super::variables;
use crate::expand::is_name;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic,
};

/// `unset`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "unset",
    about: "remove variables, elements or functions",
    topic: Topic::Shell,
    operands: "[NAME | NAME[KEY]]...",
    completes: Completes::Variables,
    binding: Binding::Leading,
    options: &[Opt::flag('v', "", "variables only"), Opt::flag('f', "", "functions only")],
    notes: "Without an option, a NAME that is no variable is taken for a function.",
    examples: &[Example { script: "xs=[1 2 3]; unset xs[0]; echo $xs", output: "[2,3]\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let (variables, functions) = (args.has("v"), args.has("f"));
    if variables && functions {
        return Err(cx.fail(1, "cannot unset a function and a variable at once"));
    }
    let mut status = 0;
    for name in args.operand_texts() {
        if let Err(message) = remove(cx, &name, variables, functions) {
            cx.warn(message);
            status = 1;
        }
    }
    Reply::status(status)
}

fn remove(cx: &ExecContext, name: &str, variables: bool, functions: bool) -> Result<(), String> {
    if !functions && name.contains('[') {
        return variables::expander(cx).unset_path(name).map_err(|error| error.message);
    }
    let session = &cx.session;
    let is_variable = session.scope.borrow().variable(name).is_some();
    if !functions && (variables || is_variable) {
        if !is_name(name) {
            return Err(format!("'{name}': not a valid identifier"));
        }
        let removed = session.scope.borrow_mut().unset(name);
        return removed.map_err(|_| format!("{name}: cannot unset: readonly variable"));
    }
    if session.functions.borrow().contains_key(name) {
        Rc::make_mut(&mut session.functions.borrow_mut()).remove(name);
    }
    Ok(())
}
