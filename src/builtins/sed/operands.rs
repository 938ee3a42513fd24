//! What stands behind a command of `sed`: texts, files, the sides and flags of `s` and `y`.

use super::escape::escape;
use super::parse::{Flags, Parsed, Parser, Part};
use super::program::{Action, Command, Substitute, Translate};
use super::replacement::Replacement;
use crate::value::EcoString;

impl Parser<'_> {
    pub(super) fn file(&mut self, name: u8) -> Parsed<Action> {
        let file = self.file_name()?;
        Ok(match name {
            b'r' => {
                self.state.program.reads_files = true;
                Action::ReadFile(file)
            }
            b'R' => {
                self.state.program.reads_files = true;
                Action::ReadLine(index_of(&mut self.state.program.reads, file))
            }
            b'w' => Action::Write(index_of(&mut self.state.program.writes, file)),
            _ => Action::WriteFirst(index_of(&mut self.state.program.writes, file)),
        })
    }

    fn file_name(&mut self) -> Parsed<EcoString> {
        if self.manner.sandbox {
            return self.error("e/r/w commands disabled in sandbox mode");
        }
        self.skip_blanks();
        if self.peek().is_none_or(|byte| byte == b'\n') {
            return self.error("missing filename in r/R/w/W commands");
        }
        Ok(String::from_utf8_lossy(&self.line()).as_ref().into())
    }

    /// The text of `a`, `i`, `c`: on the same line, or after a backslash and a newline.
    pub(super) fn text(&mut self, name: u8, command: Command) -> Parsed<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'\n') => return self.error("expected \\ after `a', `c' or `i'"),
            Some(b'\\') => {
                self.at += 1;
                let start = self.at;
                self.skip_blanks();
                if self.peek().is_some() && !self.take(b'\n') {
                    self.at = start;
                }
            }
            Some(_) => {}
        }
        self.state.pending = Some((name, Vec::new()));
        self.state.pending_command = Some(command);
        if self.peek().is_some() {
            self.text_body();
        }
        Ok(())
    }

    /// Reads text up to a newline that is not escaped; at the end of this part of the script, after
    /// a backslash, it stays pending.
    pub(super) fn text_body(&mut self) {
        let Some((name, mut text)) = self.state.pending.take() else { return };
        loop {
            match self.next() {
                None | Some(b'\n') => break,
                Some(b'\\') => match self.peek() {
                    None => {
                        text.push(b'\n');
                        self.state.pending = Some((name, text));
                        return;
                    }
                    Some(escaped) => {
                        let rest = self.piece.text.get(self.at..).unwrap_or_default();
                        let known = escape(rest).filter(|_| escaped != b'n' && !text.is_empty());
                        let (byte, len) = known.unwrap_or((escaped, 1));
                        text.push(byte);
                        self.at += len;
                    }
                },
                Some(byte) => text.push(byte),
            }
        }
        text.push(b'\n');
        self.state.pending = Some((name, text));
        self.state.end_pending();
    }

    pub(super) fn substitute(&mut self) -> Parsed<Action> {
        let delimiter = self.next().filter(|byte| !matches!(byte, b'\n' | b'\\'));
        let parts = delimiter.and_then(|delimiter| {
            let pattern = self.part(delimiter, Part::Pattern)?;
            Some((pattern, self.part(delimiter, Part::Replacement)?))
        });
        let Some((pattern, replacement)) = parts else {
            return self.error("unterminated `s' command");
        };
        let flags = self.flags()?;
        let replacement = Replacement::parse(&replacement);
        let pattern = self.pattern(&pattern, flags)?;
        if let (Some(regex), Some(highest)) = (&pattern, replacement.highest)
            && highest > regex.groups()
        {
            return self.error(format!("invalid reference \\{highest} on `s' command's RHS"));
        }
        Ok(Action::Substitute(Box::new(Substitute {
            pattern,
            replacement,
            number: flags.number.unwrap_or(1),
            global: flags.global,
            print: flags.print,
            write: flags.write,
        })))
    }

    fn flags(&mut self) -> Parsed<Flags> {
        let mut flags = Flags::default();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(b'}' | b'#') => return Ok(flags),
                Some(b'0'..=b'9') => {
                    let number = self.number();
                    if flags.number.is_some() {
                        return self.error("multiple number options to `s' command");
                    }
                    if number == 0 {
                        return self.error("number option to `s' command may not be zero");
                    }
                    flags.number = Some(number);
                    continue;
                }
                _ => {}
            }
            match self.next() {
                Some(b'\n' | b';') => return Ok(flags),
                Some(b'g') if flags.global => {
                    return self.error("multiple `g' options to `s' command");
                }
                Some(b'p') if flags.print => {
                    return self.error("multiple `p' options to `s' command");
                }
                Some(b'g') => flags.global = true,
                Some(b'p') => flags.print = true,
                Some(b'i' | b'I') => flags.ignore_case = true,
                Some(b'm' | b'M') => flags.multiline = true,
                Some(b'w') => {
                    let file = self.file_name()?;
                    flags.write = Some(index_of(&mut self.state.program.writes, file));
                    return Ok(flags);
                }
                Some(b'e') => {
                    let why = "there are no external programs";
                    return self.error(format!("`s///e' is not supported here: {why}"));
                }
                _ => return self.error("unknown option to `s'"),
            }
        }
    }

    pub(super) fn translate(&mut self) -> Parsed<Action> {
        let delimiter = self.next().filter(|byte| !matches!(byte, b'\n' | b'\\'));
        let parts = delimiter.and_then(|delimiter| {
            let from = self.part(delimiter, Part::Set)?;
            Some((from, self.part(delimiter, Part::Set)?))
        });
        let Some((from, to)) = parts else { return self.error("unterminated `y' command") };
        let (from, to) = (characters(&from), characters(&to));
        let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
        if from.len() != to.len() {
            return self.error("strings for `y' command are different lengths");
        }
        let translate = if from.iter().chain(&to).all(char::is_ascii) {
            let mut table = std::array::from_fn(|byte| (byte & 0xff) as u8);
            for (from, to) in from.iter().zip(&to).rev() {
                if let Some(entry) = table.get_mut(*from as usize) {
                    *entry = (u32::from(*to) & 0x7f) as u8;
                }
            }
            Translate::Bytes(Box::new(table))
        } else {
            Translate::Chars(from.into_iter().zip(to).rev().collect())
        };
        self.end()?;
        Ok(Action::Translate(translate))
    }
}

/// A side of `y` with its escapes resolved.
fn characters(text: &[u8]) -> String {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        at += 1;
        let rest = text.get(at..).unwrap_or_default();
        match (byte, rest.first()) {
            (b'\\', Some(same @ (b'\\' | b'\n'))) => {
                out.push(*same);
                at += 1;
            }
            (b'\\', Some(_)) => {
                if let Some((byte, len)) = escape(rest) {
                    out.push(byte);
                    at += len;
                }
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The place of a file in a list, where it is added if it is new.
fn index_of(files: &mut Vec<EcoString>, file: EcoString) -> usize {
    if let Some(index) = files.iter().position(|known| *known == file) {
        return index;
    }
    files.push(file);
    files.len() - 1
}
