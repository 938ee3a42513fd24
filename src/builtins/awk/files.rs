//! The streams of a program by name, and the operations that use them, up to where they must wait.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use super::code::{Redirect, Source, Special};
use super::format::{self, FormatError};
use super::record::{FieldSplit, Input, Next, RecordEnd};
use super::value::{Str, Value};
use super::vm::{Fatal, Pause, Vm, fatal, kind_of, source_kind};
use crate::io::Stream;

/// How a stream is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Write,
    Append,
    /// `print | command`
    Pipe,
    Read,
    /// `command | getline`
    Command,
}

/// A command that runs beside the program.
pub(super) struct Child {
    pub(super) future: LocalBoxFuture<'static, u8>,
    pub(super) status: Option<u8>,
}

/// A stream written to.
pub(super) struct Output {
    pub(super) name: Str,
    pub(super) kind: Kind,
    pub(super) stream: Stream,
    pub(super) buffer: Vec<u8>,
    pub(super) child: Option<Child>,
    /// Whether it is standard error: written at once.
    pub(super) at_once: bool,
}

/// A stream read from.
pub(super) struct Reader {
    pub(super) name: Str,
    pub(super) kind: Kind,
    pub(super) input: Input,
    pub(super) child: Option<Child>,
}

/// The streams of a program.
#[derive(Default)]
pub(super) struct Files {
    pub(super) main: Option<Input>,
    /// Whether all operands have been read.
    pub(super) main_done: bool,
    pub(super) outputs: Vec<Output>,
    pub(super) inputs: Vec<Reader>,
    /// The name of an input that could not be opened just now.
    pub(super) denied: Option<Str>,
}

impl Vm {
    /// Takes the next record of the main input, as `$0` or to be stored.
    pub(super) fn next_main(&mut self, as_record: bool) -> Next {
        let Some(input) = &mut self.files.main else {
            return if self.files.main_done { Next::End } else { Next::Wait };
        };
        match input.next(&self.record_end) {
            Next::Record(text, end) => {
                let bytes = input.bytes(text);
                if as_record {
                    self.record.set(bytes);
                } else {
                    self.made = Some(Value::Input(bytes.into()));
                }
                if !matches!(self.record_end, RecordEnd::Byte(_)) {
                    self.plain.rt = Value::text(input.bytes(end));
                }
                self.nr += 1.0;
                self.fnr += 1.0;
                Next::Record(text, end)
            }
            Next::Wait => Next::Wait,
            Next::End => {
                self.files.main = None;
                Next::Wait
            }
        }
    }

    /// Reads a record; `None` once the status is on the stack.
    pub(super) fn getline(&mut self, source: Source, keep: bool) -> Result<Option<Pause>, Fatal> {
        if source == Source::Main {
            let status = match self.next_main(!keep) {
                Next::Record(..) => 1.0,
                Next::Wait => return Ok(Some(Pause::MainInput)),
                Next::End => 0.0,
            };
            self.push_number(status);
            return Ok(None);
        }
        let kind = source_kind(source);
        let name = self.top_name();
        if self.files.denied.take().is_some() {
            self.pop();
            self.push_number(-1.0);
            return Ok(None);
        }
        let found = self.files.inputs.iter_mut().find(|i| i.name == name && i.kind == kind);
        let Some(open) = found else { return Ok(Some(Pause::Open(name, kind))) };
        let status = match open.input.next(&self.record_end) {
            Next::Wait => return Ok(Some(Pause::Fill(name, kind))),
            Next::End => 0.0,
            Next::Record(text, _) => {
                let bytes = open.input.bytes(text);
                if keep {
                    self.made = Some(Value::Input(bytes.into()));
                } else {
                    self.record.set(bytes);
                }
                if source == Source::Command {
                    self.nr += 1.0;
                }
                1.0
            }
        };
        self.pop();
        self.push_number(status);
        Ok(None)
    }

    /// The name on top of the stack, which stays there.
    fn top_name(&self) -> Str {
        let value = self.stack.last();
        value.map_or_else(|| Rc::from(*b""), |value| value.to_str(&self.style.convfmt))
    }

    /// Prints values from the stack. A redirected one whose stream is not open is tried again.
    pub(super) fn print(
        &mut self,
        redirect: Redirect,
        count: usize,
        is_printf: bool,
    ) -> Result<Option<Pause>, Fatal> {
        if redirect == Redirect::Stdout {
            let mut out = std::mem::take(&mut self.out);
            let result = self.format_values(&mut out, count, is_printf);
            self.out = out;
            result?;
            return Ok((self.out.len() >= 32 * 1024).then_some(Pause::Flush(None)));
        }
        let name = self.top_name();
        if &*name == b"/dev/stdout" || &*name == b"-" {
            self.pop();
            return self.print(Redirect::Stdout, count, is_printf);
        }
        let kind = kind_of(redirect);
        let is_pipe = kind == Kind::Pipe;
        let mut outputs = self.files.outputs.iter_mut();
        let found = outputs.find(|o| o.name == name && (o.kind == Kind::Pipe) == is_pipe);
        let Some(output) = found else {
            self.retry();
            return Ok(Some(Pause::Open(name, kind)));
        };
        let mut buffer = std::mem::take(&mut output.buffer);
        self.pop();
        let result = self.format_values(&mut buffer, count, is_printf);
        let mut outputs = self.files.outputs.iter_mut();
        let Some(output) = outputs.find(|o| o.name == name && (o.kind == Kind::Pipe) == is_pipe)
        else {
            return Ok(None);
        };
        let is_full = output.at_once || buffer.len() >= 32 * 1024;
        output.buffer = buffer;
        result?;
        Ok(is_full.then_some(Pause::Flush(Some(name))))
    }

    fn format_values(
        &mut self,
        out: &mut Vec<u8>,
        count: usize,
        is_printf: bool,
    ) -> Result<(), Fatal> {
        let start = self.stack.len().saturating_sub(count);
        if !is_printf {
            for (index, value) in self.stack.drain(start..).enumerate() {
                if index > 0 {
                    out.extend_from_slice(&self.style.ofs);
                }
                if let Value::Array(_) = value {
                    return fatal("attempt to use an array in a scalar context");
                }
                value.append_to(out, &self.ofmt);
            }
            out.extend_from_slice(&self.ors);
            return Ok(());
        }
        let values = self.stack.split_off(start);
        let length = out.len();
        self.format(out, &values).inspect_err(|_| out.truncate(length))
    }

    /// Formats values by the first of them.
    pub(super) fn format(&self, out: &mut Vec<u8>, values: &[Value]) -> Result<(), Fatal> {
        let Some((format, values)) = values.split_first() else { return Ok(()) };
        let format = format.to_str(&self.style.convfmt);
        match format::push(out, &format, values, &self.style.convfmt) {
            Ok(()) => Ok(()),
            Err(FormatError::Missing) => {
                let format = String::from_utf8_lossy(&format).into_owned();
                fatal(format!("not enough arguments to satisfy format string '{format}'"))
            }
            Err(FormatError::TooWide) => fatal("a field is over the limit of 1048576 columns"),
        }
    }

    /// The value of a special variable.
    pub(super) fn special(&mut self, special: Special) -> Value {
        match special {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            Special::Nf => Value::Number(self.record.count(&self.style) as f64),
            Special::Nr => Value::Number(self.nr),
            Special::Fnr => Value::Number(self.fnr),
            Special::Fs => self.plain.fs.clone(),
            Special::Ofs => Value::text(&self.style.ofs),
            Special::Ors => Value::text(&self.ors),
            Special::Rs => self.plain.rs.clone(),
            Special::Subsep => Value::text(&self.subsep),
            Special::Convfmt => Value::text(&self.style.convfmt),
            Special::Ofmt => Value::text(&self.ofmt),
            Special::Rstart => Value::Number(self.plain.rstart),
            Special::Rlength => Value::Number(self.plain.rlength),
            Special::Filename => self.plain.filename.clone(),
            Special::Fpat => self.plain.fpat.clone(),
            Special::Rt => match self.record_end {
                RecordEnd::Byte(byte) => Value::text(&[byte]),
                _ => self.plain.rt.clone(),
            },
        }
    }

    /// Assigns a special variable, with what follows from that.
    pub(super) fn set_special(&mut self, special: Special, value: Value) -> Result<(), Fatal> {
        let text = value.to_str(&self.style.convfmt);
        match special {
            Special::Nf => {
                let count = value.number();
                if count.is_nan() || count < 0.0 {
                    return fatal("NF set to a negative value");
                }
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates"
                )]
                if !self.record.set_count(count as usize, &self.style) {
                    return fatal(format!("NF set to {count}, over the limit of fields"));
                }
            }
            Special::Nr => self.nr = value.number(),
            Special::Fnr => self.fnr = value.number(),
            Special::Fs | Special::Rs => {
                self.record.split(&self.style);
                if special == Special::Rs {
                    self.plain.rs = value;
                    self.record_end = RecordEnd::of(&text).map_err(invalid)?;
                } else {
                    self.plain.fs = value;
                }
                let paragraphs = matches!(self.record_end, RecordEnd::Paragraph);
                let fs = self.plain.fs.to_str(&self.style.convfmt);
                self.style.split = FieldSplit::of(&fs, paragraphs).map_err(invalid)?;
            }
            Special::Fpat => {
                self.record.split(&self.style);
                self.style.split = FieldSplit::Content(self.dynamic_regex(&text)?);
                self.plain.fpat = value;
            }
            Special::Ofs => {
                // A record assembled with the former separator keeps it.
                self.record.text(&self.style);
                self.style.ofs = text.to_vec();
            }
            Special::Ors => self.ors = text.to_vec(),
            Special::Subsep => self.subsep = text.to_vec(),
            Special::Convfmt => self.style.convfmt = text.to_vec(),
            Special::Ofmt => self.ofmt = text.to_vec(),
            Special::Rstart => self.plain.rstart = value.number(),
            Special::Rlength => self.plain.rlength = value.number(),
            Special::Filename => self.plain.filename = value,
            Special::Rt => self.plain.rt = value,
        }
        Ok(())
    }
}

fn invalid(error: crate::pattern::RegexError) -> Fatal {
    Fatal(format!("invalid regexp: {error}"))
}
