//! `dd`: copies a stretch of a file in blocks, converting on the way.

mod copy;
mod operands;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Run, Spec, Topic,
};

/// `dd`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "dd",
    about: "copy a stretch of a file in blocks",
    topic: Topic::Files,
    operands: "[NAME=VALUE]...",
    binding: Binding::Verbatim,
    completes: Completes::Files,
    notes: "if=FILE of=FILE      from and to; standard input and output where left out\n\
        bs=N ibs=N obs=N    bytes of a block (512); N may end with K, M, G, KB, MB, GB, b\n\
        count=N skip=N seek=N    blocks to copy, to leave out of the input, of the output\n\
        conv=LIST           notrunc excl nocreat noerror sync swab ucase lcase fsync fdatasync\n\
        iflag=LIST oflag=LIST    fullblock count_bytes skip_bytes seek_bytes append\n\
        status=WORD         none, noxfer, progress",
    examples: &[Example {
        script: "printf abcdefgh | dd bs=2 skip=1 count=2 status=none",
        output: "cdef",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = operands::read(cx, args)?;
        copy::run(cx, plan).await
    }
    .boxed_local()
}
