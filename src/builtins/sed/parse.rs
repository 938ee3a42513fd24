//! The text of a `sed` script to its program, or the first error in GNU's words.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::escape::{bracket_end, resolve};
use super::program::{Action, Address, Command, Pattern, Program, Until, When};
use crate::pattern::{Dialect, Newlines, Regex, Syntax};
use crate::value::EcoString;

/// A part of a script and where it comes from.
pub(super) struct Piece {
    pub(super) origin: Origin,
    pub(super) text: Vec<u8>,
}

/// Where a part of a script comes from.
#[derive(Clone)]
pub(super) enum Origin {
    /// The nth on the command line.
    Expression(usize),
    /// A file.
    File(EcoString),
}

/// How scripts are read.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) extended: bool,
    /// Whether lines end with NUL.
    pub(super) null_data: bool,
    /// Whether commands that read or write other files are refused.
    pub(super) sandbox: bool,
}

/// What is wrong with a script, and where.
pub(crate) struct ScriptError {
    place: String,
    message: String,
    /// Whether it is an expression that is wrong.
    pub(super) in_pattern: bool,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        f.write_str(&self.message)
    }
}

/// Parses the parts of a script, one after the other.
pub(super) fn parse(pieces: &[Piece], manner: Manner) -> Result<Program, ScriptError> {
    let mut state = State::default();
    for (index, piece) in pieces.iter().enumerate() {
        let mut parser = Parser { piece, at: 0, manner, state: &mut state };
        parser.piece(index == 0)?;
    }
    state.finish()
}

/// A result of parsing.
pub(super) type Parsed<T> = Result<T, ScriptError>;

/// What goes from one part of a script to the next.
#[derive(Default)]
pub(super) struct State {
    pub(super) program: Program,
    /// The open blocks: the command, and what an error says of the place.
    blocks: Vec<(usize, String)>,
    labels: FxHashMap<Vec<u8>, usize>,
    jumps: Vec<(usize, Vec<u8>)>,
    /// A text that the next part goes on with: the command, and its text so far.
    pub(super) pending: Option<(u8, Vec<u8>)>,
    /// The addresses of the command whose text is pending.
    pub(super) pending_command: Option<Command>,
}

impl State {
    fn finish(mut self) -> Parsed<Program> {
        self.end_pending();
        if let Some((_, place)) = self.blocks.pop() {
            return Err(ScriptError { place, message: "unmatched `{'".into(), in_pattern: false });
        }
        for (index, label) in std::mem::take(&mut self.jumps) {
            let target = if label.is_empty() {
                Some(self.program.commands.len())
            } else {
                self.labels.get(&label).copied()
            };
            let Some(target) = target else {
                let label = String::from_utf8_lossy(&label);
                let message = format!("can't find label for jump to `{label}'");
                return Err(ScriptError { place: String::new(), message, in_pattern: false });
            };
            if let Some(Command { action: Action::Branch(_, to), .. }) =
                self.program.commands.get_mut(index)
            {
                *to = target;
            }
        }
        Ok(self.program)
    }

    /// Adds the command whose text is complete.
    pub(super) fn end_pending(&mut self) {
        let Some((kind, text)) = self.pending.take() else { return };
        let Some(mut command) = self.pending_command.take() else { return };
        let text: Rc<[u8]> = text.into();
        command.action = match kind {
            b'a' => Action::Append(text),
            b'i' => Action::Insert(text),
            _ => Action::Change(text),
        };
        self.program.commands.push(command);
    }
}

/// Reads one part of a script.
pub(super) struct Parser<'a> {
    pub(super) piece: &'a Piece,
    pub(super) at: usize,
    pub(super) manner: Manner,
    pub(super) state: &'a mut State,
}

impl Parser<'_> {
    fn piece(&mut self, is_first: bool) -> Parsed<()> {
        if self.state.pending.is_some() {
            self.text_body();
        } else if is_first {
            self.state.program.quiet = self.piece.text.starts_with(b"#n");
        }
        loop {
            while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b';') {
                self.at += 1;
            }
            if self.peek().is_none() {
                return Ok(());
            }
            self.command()?;
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.piece.text.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() && byte != b'\n') {
            self.at += 1;
        }
    }

    fn place(&self) -> String {
        match &self.piece.origin {
            Origin::Expression(number) => format!("-e expression #{number}, char {}: ", self.at),
            Origin::File(name) => {
                let read = self.piece.text.get(..self.at).unwrap_or_default();
                let line = 1 + memchr::memchr_iter(b'\n', read).count();
                format!("file {name} line {line}: ")
            }
        }
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ScriptError { place: self.place(), message: message.into(), in_pattern: false })
    }

    fn command(&mut self) -> Parsed<()> {
        let from = self.address()?;
        let mut to = None;
        if from.is_some() {
            self.skip_blanks();
            if self.take(b',') {
                self.skip_blanks();
                to = Some(self.until()?);
                self.skip_blanks();
            }
        }
        self.skip_blanks();
        let negated = self.take(b'!');
        while negated && self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b'!')
        {
            if self.next() == Some(b'!') {
                return self.error("multiple `!'s");
            }
        }
        let Some(name) = self.next().filter(|byte| *byte != b'\n') else {
            return self.error("missing command");
        };
        let is_zero = matches!(from, Some(Address::Line(0)));
        if is_zero && !matches!(to, Some(Until::Match(_))) {
            return self.error("invalid usage of line address 0");
        }
        let command = Command { from, to, negated, action: Action::Nothing };
        self.action(name, command)
    }

    pub(super) fn number(&mut self) -> u64 {
        let mut number: u64 = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    fn address(&mut self) -> Parsed<Option<Address>> {
        Ok(Some(match self.peek() {
            Some(b'0'..=b'9') => {
                let first = self.number();
                self.skip_blanks();
                if !self.take(b'~') {
                    return Ok(Some(Address::Line(first)));
                }
                self.skip_blanks();
                match self.number() {
                    0 => Address::Line(first),
                    step => Address::Step(first, step),
                }
            }
            Some(b'$') => {
                self.at += 1;
                Address::Last
            }
            Some(b'/' | b'\\') => Address::Match(self.address_pattern()?),
            _ => return Ok(None),
        }))
    }

    fn until(&mut self) -> Parsed<Until> {
        if let Some(sign @ (b'+' | b'~')) = self.peek() {
            self.at += 1;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                let number = self.number();
                return Ok(if sign == b'+' {
                    Until::More(number)
                } else {
                    Until::Multiple(number)
                });
            }
            return self.error("expected number after +/~");
        }
        match self.address()? {
            Some(Address::Line(line)) => Ok(Until::Line(line)),
            Some(Address::Step(first, step)) => Ok(Until::Step(first, step)),
            Some(Address::Last) => Ok(Until::Last),
            Some(Address::Match(pattern)) => Ok(Until::Match(pattern)),
            None => {
                self.next();
                self.error("unexpected `,'")
            }
        }
    }

    fn address_pattern(&mut self) -> Parsed<Pattern> {
        let mut delimiter = self.next();
        if delimiter == Some(b'\\') {
            delimiter = self.next();
        }
        let part = delimiter.and_then(|delimiter| self.part(delimiter, Part::Pattern));
        let Some(text) = part else { return self.error("unterminated address regex") };
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                Some(b'I') => flags.ignore_case = true,
                Some(b'M') => flags.multiline = true,
                _ => break,
            }
            self.at += 1;
        }
        self.pattern(&text, flags)
    }

    /// Reads up to a delimiter, which a backslash takes in; `None` where there is none.
    pub(super) fn part(&mut self, delimiter: u8, part: Part) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        loop {
            let byte = self.next()?;
            if byte == delimiter {
                return Some(out);
            }
            if byte == b'[' && part == Part::Pattern {
                let start = self.at - 1;
                let Some(end) = bracket_end(&self.piece.text, start) else {
                    self.at = self.piece.text.len();
                    return None;
                };
                let bracket = self.piece.text.get(start..end)?;
                for (at, byte) in bracket.iter().enumerate() {
                    let is_escape = *byte == b'\\' && bracket.get(at + 1) == Some(&delimiter);
                    if !is_escape {
                        out.push(*byte);
                    }
                }
                self.at = end;
                continue;
            }
            out.push(byte);
            if byte == b'\\' {
                let escaped = self.next()?;
                if escaped == delimiter {
                    out.pop();
                }
                out.push(escaped);
            }
        }
    }

    pub(super) fn pattern(&self, text: &[u8], flags: Flags) -> Parsed<Pattern> {
        if text.is_empty() {
            if flags.ignore_case || flags.multiline {
                return self.error("cannot specify modifiers on empty regexp");
            }
            return Ok(None);
        }
        let text = resolve(text);
        let dialect = if self.manner.extended { Dialect::Extended } else { Dialect::Basic };
        let anchors = flags.multiline && !self.manner.null_data;
        let newlines = if anchors { Newlines::Anchors } else { Newlines::Ordinary };
        let syntax = Syntax { ignore_case: flags.ignore_case, newlines, ..Syntax::new(dialect) };
        match Regex::new(&String::from_utf8_lossy(&text), syntax) {
            Ok(regex) => Ok(Some(Rc::new(regex))),
            Err(error) => {
                let (place, message) = (self.place(), error.to_string());
                Err(ScriptError { place, message, in_pattern: true })
            }
        }
    }

    fn action(&mut self, name: u8, mut command: Command) -> Parsed<()> {
        let addressed = command.from.is_some();
        command.action = match name {
            b'#' if addressed => return self.error("comments don't accept any addresses"),
            b'#' => {
                self.line();
                return Ok(());
            }
            b':' if addressed => return self.error(": doesn't want any addresses"),
            b':' => {
                let label = self.label();
                if label.is_empty() {
                    return self.error("\":\" lacks a label");
                }
                let target = self.state.program.commands.len();
                self.state.labels.insert(label, target);
                return Ok(());
            }
            b'{' => {
                let place = match &self.piece.origin {
                    Origin::Expression(number) => format!("-e expression #{number}, char 0: "),
                    Origin::File(_) => self.place(),
                };
                self.state.blocks.push((self.state.program.commands.len(), place));
                Action::Block(0)
            }
            b'}' => return self.close(addressed),
            b'a' | b'i' | b'c' => return self.text(name, command),
            b'b' | b't' | b'T' => {
                let label = self.label();
                self.state.jumps.push((self.state.program.commands.len(), label));
                let when = match name {
                    b'b' => When::Always,
                    b't' => When::Changed,
                    _ => When::Unchanged,
                };
                Action::Branch(when, 0)
            }
            b's' => self.substitute()?,
            b'y' => self.translate()?,
            b'r' | b'R' | b'w' | b'W' => self.file(name)?,
            b'q' | b'Q' if command.to.is_some() => {
                return self.error("command only uses one address");
            }
            _ => self.simple(name)?,
        };
        self.state.program.commands.push(command);
        Ok(())
    }

    /// The commands that have no argument, or a number.
    fn simple(&mut self, name: u8) -> Parsed<Action> {
        let action = match name {
            b'=' => Action::Number,
            b'd' => Action::Delete,
            b'D' => Action::DeleteFirst,
            b'F' => Action::FileName,
            b'g' => Action::Get,
            b'G' => Action::GetMore,
            b'h' => Action::Hold,
            b'H' => Action::HoldMore,
            b'n' => Action::Next,
            b'N' => Action::NextMore,
            b'p' => Action::Print,
            b'P' => Action::PrintFirst,
            b'x' => Action::Exchange,
            b'z' => Action::Zap,
            b'v' => {
                self.label();
                Action::Nothing
            }
            b'l' | b'q' | b'Q' => {
                self.skip_blanks();
                let given = self.peek().is_some_and(|byte| byte.is_ascii_digit());
                let number = self.number();
                let status = (number & 0xff) as u8;
                match name {
                    b'l' => {
                        Action::List(given.then(|| usize::try_from(number).unwrap_or(usize::MAX)))
                    }
                    b'q' => Action::Quit(status),
                    _ => Action::QuitSilent(status),
                }
            }
            b'e' => return self.error("`e' is not supported here: there are no external programs"),
            _ => {
                // The rest of a character belongs to it.
                while self.peek().is_some_and(|byte| name >= 0x80 && byte & 0xc0 == 0x80) {
                    self.at += 1;
                }
                let read = self.piece.text.get(..self.at).unwrap_or_default();
                let text = String::from_utf8_lossy(read);
                let shown = text.chars().next_back().unwrap_or_default();
                return self.error(format!("unknown command: `{shown}'"));
            }
        };
        self.end()?;
        Ok(action)
    }

    /// Sees to it that the command ends here.
    pub(super) fn end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'}' | b'#') => Ok(()),
            Some(b'\n' | b';') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => {
                self.at += 1;
                self.error("extra characters after command")
            }
        }
    }

    fn close(&mut self, addressed: bool) -> Parsed<()> {
        if addressed && !self.state.blocks.is_empty() {
            return self.error("} doesn't want any addresses");
        }
        let Some((open, _)) = self.state.blocks.pop() else {
            return self.error("unexpected `}'");
        };
        let end = self.state.program.commands.len();
        if let Some(command) = self.state.program.commands.get_mut(open) {
            command.action = Action::Block(end);
        }
        self.end()
    }

    fn label(&mut self) -> Vec<u8> {
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(|b| !b.is_ascii_whitespace() && b != b';' && b != b'}') {
            self.at += 1;
        }
        self.piece.text.get(start..self.at).unwrap_or_default().to_vec()
    }

    /// The rest of the line, which is left behind.
    pub(super) fn line(&mut self) -> Vec<u8> {
        let rest = self.piece.text.get(self.at..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += len;
        let line = rest.get(..len).unwrap_or_default().to_vec();
        self.take(b'\n');
        line
    }
}

/// What is read up to a delimiter.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// In brackets the delimiter is a character like others.
    Pattern,
    Replacement,
    Set,
}

/// What stands behind `s/…/…/` and behind an address.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one per flag")]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multiline: bool,
    pub(super) global: bool,
    pub(super) print: bool,
    pub(super) number: Option<u64>,
    pub(super) write: Option<usize>,
}
