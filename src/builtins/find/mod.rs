//! `find`: walks directory trees and does something with the files that fit.

mod actions;
mod compile;
mod primaries;
mod printf;
mod test;
mod walk;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{Args, Binding, Builtin, Example, ExecContext, Opt, Outcome, Run, Spec, Topic};

/// `find`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "find",
    about: "walk directory trees and find files",
    topic: Topic::Files,
    operands: "[-H] [-L] [-P] [PATH]... [EXPRESSION]",
    binding: Binding::Verbatim,
    options: &[
        Opt::flag('P', "", "never follow links, which is the default"),
        Opt::flag('L', "", "follow links"),
        Opt::flag('H', "", "follow links among the PATHs"),
    ],
    notes: "Operators: ( E )  ! E  -not E  E -a E  E E  E -o E  E , E\n\
        Options: -depth -maxdepth N -mindepth N -mount -xdev -daystart -regextype TYPE\n\
        Tests: -name -iname -path -ipath -wholename -regex -iregex -type [fdlc] -xtype -size \
        N[cwbkMG] -empty -newer FILE -newermt TIME -mtime N -mmin N -perm [-/]MODE -links N -inum N \
        -samefile FILE -lname -user -group -readable -writable -executable -true -false\n\
        Numbers: N exactly, +N more, -N less.\n\
        Actions: -print -print0 -printf FORMAT -ls -fprint FILE -exec CMD ; -exec CMD {} + \
        -execdir -ok -okdir -delete -prune -quit\n\
        --json: the list of paths.",
    examples: &[
        Example {
            script: "mkdir d; touch a.txt d/b.txt d/c; find . -name '*.txt'",
            output: "./a.txt\n./d/b.txt\n",
        },
        Example { script: "touch a b; find . -type f -exec echo {} +", output: "./a ./b\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let query = compile::query(cx, args).await?;
        walk::run(cx, query, args.json).await
    }
    .boxed_local()
}
