//! `cat`: files or standard input, one after the other, to standard output.

use futures::future::{FutureExt, LocalBoxFuture};

use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `cat`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "cat",
    about: "print files one after the other",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('n', "number", "number all lines"),
        Opt::flag('b', "number-nonblank", "number lines that are not empty"),
        Opt::flag('s', "squeeze-blank", "print one of several empty lines in a row"),
        Opt::flag('E', "show-ends", "mark line ends with $"),
        Opt::flag('T', "show-tabs", "print tabs as ^I"),
        Opt::flag('v', "show-nonprinting", "print control characters as ^X and M-X"),
        Opt::flag('A', "show-all", "the same as -vET"),
        Opt::flag('e', "", "the same as -vE"),
        Opt::flag('t', "", "the same as -vT"),
        Opt::flag('u', "", "ignored"),
    ],
    notes: "Without FILE, or where FILE is -, standard input is read.",
    examples: &[Example { script: "printf 'a\\nb\\n' | cat -n", output: "     1\ta\n     2\tb\n" }],
    ..Spec::DEFAULT
};

/// How lines are shown, and where the numbering stands, across files.
#[expect(clippy::struct_excessive_bools, reason = "one per option")]
struct Lines {
    number: bool,
    number_nonblank: bool,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    nonprinting: bool,
    count: u64,
    blank_before: bool,
    mid_line: bool,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut lines = Lines::new(args);
        let plain = args.given().all(|(key, _)| key == "u");
        let mut operands = args.operand_texts();
        if operands.is_empty() {
            operands.push("-".into());
        }
        let mut status = 0;
        for operand in operands {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            if plain { copy(cx, &stream).await? } else { lines.copy(cx, &stream).await? }
        }
        Reply::status(status)
    }
    .boxed_local()
}

async fn copy(cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        cx.write(&chunk).await?;
    }
}

impl Lines {
    fn new(args: &Args) -> Self {
        let all = args.has("show-all");
        let (e, t) = (args.has("e"), args.has("t"));
        Self {
            number: args.has("number") && !args.has("number-nonblank"),
            number_nonblank: args.has("number-nonblank"),
            squeeze: args.has("squeeze-blank"),
            ends: all || e || args.has("show-ends"),
            tabs: all || t || args.has("show-tabs"),
            nonprinting: all || e || t || args.has("show-nonprinting"),
            count: 0,
            blank_before: false,
            mid_line: false,
        }
    }

    async fn copy(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        let mut line = Vec::new();
        let mut shown = Vec::new();
        while cx.read_line(stream, &mut line).await? {
            self.show(&line, &mut shown);
            cx.write(&shown).await?;
            line.clear();
            shown.clear();
        }
        Ok(())
    }

    fn show(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let (body, ended) = match line.split_last() {
            Some((b'\n', body)) => (body, true),
            _ => (line, false),
        };
        let blank = body.is_empty() && !self.mid_line;
        if self.squeeze && blank && self.blank_before {
            return;
        }
        self.blank_before = blank;
        if !self.mid_line && (self.number || (self.number_nonblank && !blank)) {
            self.count += 1;
            out.extend_from_slice(format!("{:6}\t", self.count).as_bytes());
        }
        for &byte in body {
            self.show_byte(byte, out);
        }
        self.mid_line = !ended;
        if ended {
            if self.ends {
                out.push(b'$');
            }
            out.push(b'\n');
        }
    }

    fn show_byte(&self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            b'\t' if self.tabs => out.extend_from_slice(b"^I"),
            b'\t' => out.push(byte),
            _ if !self.nonprinting => out.push(byte),
            0..=31 => out.extend_from_slice(&[b'^', byte + 64]),
            127 => out.extend_from_slice(b"^?"),
            128.. => {
                out.extend_from_slice(b"M-");
                match byte - 128 {
                    low @ 0..=31 => out.extend_from_slice(&[b'^', low + 64]),
                    127 => out.extend_from_slice(b"^?"),
                    low => out.push(low),
                }
            }
            _ => out.push(byte),
        }
    }
}
