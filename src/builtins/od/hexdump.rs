//! `hexdump`: the forms of BSD's.

use futures::future::{FutureExt, LocalBoxFuture};

use super::super::common::quoted;
use super::super::input::operands_or_stdin;
use super::offset;
use super::types::character;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `hexdump`
pub(in crate::builtins) const HEXDUMP: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "hexdump",
    about: "print bytes as hexadecimal and in other forms",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('C', "canonical", "bytes and text beside them"),
        Opt::flag('b', "one-byte-octal", "octal bytes"),
        Opt::flag('c', "one-byte-char", "characters"),
        Opt::flag('d', "two-bytes-decimal", "decimal pairs"),
        Opt::flag('o', "two-bytes-octal", "octal pairs"),
        Opt::flag('x', "two-bytes-hex", "hexadecimal pairs, wide"),
        Opt::value('n', "length", "N", "at most N bytes"),
        Opt::value('s', "skip", "N", "leave out the first N bytes"),
        Opt::flag('v', "no-squeezing", "repeated lines too, not *"),
    ],
    examples: &[Example {
        script: "printf 'Hi!\\n' | hexdump -C",
        output: "00000000  48 69 21 0a                                       |Hi!.|\n00000004\n",
    }],
    ..Spec::DEFAULT
};

/// How bytes are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Canonical,
    Pairs,
    OctalBytes,
    Characters,
    DecimalPairs,
    OctalPairs,
    WidePairs,
}

/// Bytes of a line.
const WIDTH: usize = 16;

/// A dump under way.
struct Dump {
    form: Form,
    repeats: bool,
    skip: u64,
    left: u64,
    place: u64,
    pending: Vec<u8>,
    former: Option<Vec<u8>>,
    starred: bool,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut size = |key: &str, default: u64| match args.text(key) {
            None => Ok(default),
            Some(text) => match offset(&text) {
                Some(size) => Ok(size),
                None => Err(cx.fail(1, format_args!("failed to parse {}", quoted(&text)))),
            },
        };
        let (skip, left) = (size("skip", 0)?, size("length", u64::MAX)?);
        let keys = [
            "canonical",
            "one-byte-octal",
            "one-byte-char",
            "two-bytes-decimal",
            "two-bytes-octal",
            "two-bytes-hex",
        ];
        let form = match args.last_of(&keys) {
            Some("canonical") => Form::Canonical,
            Some("one-byte-octal") => Form::OctalBytes,
            Some("one-byte-char") => Form::Characters,
            Some("two-bytes-decimal") => Form::DecimalPairs,
            Some("two-bytes-octal") => Form::OctalPairs,
            Some(_) => Form::WidePairs,
            None => Form::Pairs,
        };
        let mut dump = Dump {
            form,
            repeats: args.has("no-squeezing"),
            skip,
            left,
            place: skip,
            pending: Vec::new(),
            former: None,
            starred: false,
        };
        let (mut ok, mut any) = (true, false);
        for name in operands_or_stdin(args) {
            match cx.open_input(&name).await? {
                Some(stream) => {
                    any = true;
                    dump.feed(cx, &stream).await?;
                }
                None => ok = false,
            }
        }
        if !any {
            return Err(cx.fail(1, "all input file arguments failed"));
        }
        dump.finish(cx).await?;
        Reply::success(ok)
    }
    .boxed_local()
}

impl Dump {
    async fn feed(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        while self.left > 0 {
            let mut chunk = cx.read_chunk(stream).await?;
            if chunk.is_empty() {
                break;
            }
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(chunk.len());
            chunk.drain(..skipped);
            self.skip -= skipped as u64;
            chunk.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= chunk.len() as u64;
            self.pending.extend_from_slice(&chunk);
            let whole = self.pending.len() - self.pending.len() % WIDTH;
            let rest = self.pending.split_off(whole);
            let lines = std::mem::replace(&mut self.pending, rest);
            let mut out = String::new();
            for line in lines.chunks(WIDTH) {
                self.line(&mut out, line);
            }
            cx.checkpoint(u32::try_from(lines.len()).unwrap_or(u32::MAX)).await?;
            cx.write(out.as_bytes()).await?;
        }
        Ok(())
    }

    async fn finish(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let mut out = String::new();
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.line(&mut out, &rest);
        }
        if self.place > 0 {
            let place = self.place;
            match self.form {
                Form::Canonical => out.push_str(&format!("{place:08x}\n")),
                _ => out.push_str(&format!("{place:07x}\n")),
            }
        }
        cx.write(out.as_bytes()).await
    }

    fn line(&mut self, out: &mut String, bytes: &[u8]) {
        let place = self.place;
        self.place += bytes.len() as u64;
        if !self.repeats && bytes.len() == WIDTH {
            if self.former.as_deref() == Some(bytes) {
                if !std::mem::replace(&mut self.starred, true) {
                    out.push_str("*\n");
                }
                return;
            }
            self.former = Some(bytes.to_vec());
            self.starred = false;
        }
        if self.form == Form::Canonical {
            canonical(out, place, bytes);
            return;
        }
        out.push_str(&format!("{place:07x}"));
        let (size, width) = match self.form {
            Form::Pairs => (2, 5),
            Form::OctalBytes | Form::Characters => (1, 4),
            _ => (2, 8),
        };
        for value in bytes.chunks(size) {
            let pair = u16::from(value.first().copied().unwrap_or(0))
                | u16::from(value.get(1).copied().unwrap_or(0)) << 8;
            let text = match self.form {
                Form::Pairs | Form::WidePairs => format!("{pair:04x}"),
                Form::OctalBytes => format!("{pair:03o}"),
                Form::Characters => character(pair as u8),
                Form::DecimalPairs => format!("{pair:05}"),
                Form::OctalPairs | Form::Canonical => format!("{pair:06o}"),
            };
            out.push_str(&format!("{text:>width$}"));
        }
        // A short line is filled up, as the tool leaves it.
        let missing = (WIDTH - bytes.len()) / size * width;
        out.extend(std::iter::repeat_n(' ', missing));
        out.push('\n');
    }
}

fn canonical(out: &mut String, place: u64, bytes: &[u8]) {
    out.push_str(&format!("{place:08x}"));
    for index in 0..WIDTH {
        if index % 8 == 0 {
            out.push(' ');
        }
        match bytes.get(index) {
            Some(byte) => out.push_str(&format!(" {byte:02x}")),
            None => out.push_str("   "),
        }
    }
    out.push_str("  |");
    out.extend(bytes.iter().map(|byte| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    }));
    out.push_str("|\n");
}
