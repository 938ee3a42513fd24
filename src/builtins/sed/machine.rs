//! A `sed` program at work on one line after the other: it runs until it needs something from outside.

use std::rc::Rc;

use super::program::{
    Action, Address, Command, Pattern, Program, Substitute, Translate, Until, When,
};
use crate::pattern::{Regex, Span};
use crate::value::EcoString;

/// Work after which the machine stops for a moment.
const SLICE: u32 = 4096;

/// What the machine needs before it goes on.
pub(super) enum Step {
    /// The cycle is over; whether the pattern space is printed unless `-n`.
    End { print: bool },
    /// The next cycle begins with what is left (`D`).
    Restart,
    /// The next line in place of this one (`n`).
    Next,
    /// The next line behind this one (`N`).
    NextMore,
    /// Whether this is the last line.
    IsLast,
    /// A line of the nth file of `R`.
    ReadLine(usize),
    /// The end.
    Quit { print: bool, status: u8 },
    /// A pause.
    Rest,
}

/// Why a program cannot go on.
pub(super) type Failure = &'static str;

/// Text on its way out; a last line without its end gets one if more follows.
#[derive(Default)]
pub(super) struct Out {
    pub(super) bytes: Vec<u8>,
    pub(super) unended: bool,
}

impl Out {
    /// Appends text that ends itself.
    pub(super) fn text(&mut self, text: &[u8], line_end: u8) {
        if self.unended {
            self.bytes.push(line_end);
            self.unended = false;
        }
        self.bytes.extend_from_slice(text);
    }

    pub(super) fn line(&mut self, text: &[u8], ended: bool, line_end: u8) {
        self.text(text, line_end);
        if ended {
            self.bytes.push(line_end);
        }
        self.unended = !ended;
    }
}

/// Where `w` writes.
pub(super) enum WriteTo {
    /// Where the program prints.
    Main,
    /// Elsewhere.
    Out(Out),
}

/// What is printed at the end of the cycle.
pub(super) enum Append {
    Text(Rc<[u8]>),
    File(EcoString),
    Line(Vec<u8>),
}

/// How a program prints.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) quiet: bool,
    pub(super) line_end: u8,
    /// Columns of `l`.
    pub(super) columns: usize,
    /// The most bytes a space may hold.
    pub(super) limit: usize,
}

/// A text and whether its last line has an end.
struct Space {
    text: Vec<u8>,
    ended: bool,
}

/// Whether a range has begun, and at which line it ends where that is known.
#[derive(Clone, Copy)]
enum Range {
    Outside,
    Inside(Option<u64>),
}

/// A program and its state.
pub(super) struct Machine<'p> {
    program: &'p Program,
    manner: Manner,
    space: Space,
    hold: Space,
    at: usize,
    pub(super) line: u64,
    /// The name of the file for `F`.
    pub(super) file: EcoString,
    /// Whether this is the last line, where that is known.
    pub(super) is_last: Option<bool>,
    changed: bool,
    ranges: Vec<Range>,
    last_pattern: Option<Rc<Regex>>,
    pub(super) out: Out,
    pub(super) writes: Vec<WriteTo>,
    pub(super) appends: Vec<Append>,
    work: u32,
    /// Buffers of substitutions.
    spare: Vec<u8>,
    groups: Vec<Option<Span>>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, manner: Manner, writes: Vec<WriteTo>) -> Self {
        let mut machine = Self {
            program,
            manner,
            space: Space { text: Vec::new(), ended: true },
            hold: Space { text: Vec::new(), ended: true },
            at: 0,
            line: 0,
            file: "-".into(),
            is_last: None,
            changed: false,
            ranges: Vec::new(),
            last_pattern: None,
            out: Out::default(),
            writes,
            appends: Vec::new(),
            work: 0,
            spare: Vec::new(),
            groups: Vec::new(),
        };
        machine.reset();
        machine
    }

    /// Goes back to the state before the first line, for the next of separate files.
    pub(super) fn reset(&mut self) {
        self.line = 0;
        self.hold = Space { text: Vec::new(), ended: true };
        let commands = self.program.commands.iter();
        self.ranges = commands
            .map(|command| match command.from {
                Some(Address::Line(0)) => Range::Inside(None),
                _ => Range::Outside,
            })
            .collect();
    }

    /// Begins a cycle with what is in the pattern space.
    pub(super) fn begin(&mut self) {
        self.at = 0;
    }

    /// Takes a line in place of the pattern space, or behind it.
    pub(super) fn take_line(&mut self, line: &[u8], more: bool) {
        let line_end = self.manner.line_end;
        if more {
            self.space.text.push(line_end);
        } else {
            self.space.text.clear();
        }
        let body = line.strip_suffix(&[line_end]);
        self.space.ended = body.is_some();
        self.space.text.extend_from_slice(body.unwrap_or(line));
        self.line += 1;
        self.changed = false;
    }

    /// The work done since the last call.
    pub(super) fn take_work(&mut self) -> u32 {
        std::mem::take(&mut self.work)
    }

    /// Prints the pattern space.
    pub(super) fn print(&mut self) {
        self.out.line(&self.space.text, self.space.ended, self.manner.line_end);
    }

    fn charge(&mut self, bytes: usize) {
        self.work = self.work.saturating_add(u32::try_from(bytes / 16).unwrap_or(u32::MAX));
    }

    /// Runs until something is needed.
    pub(super) fn run(&mut self) -> Result<Step, Failure> {
        let program = self.program;
        loop {
            if self.work >= SLICE {
                return Ok(Step::Rest);
            }
            self.work += 1;
            let Some(command) = program.commands.get(self.at) else {
                return Ok(Step::End { print: true });
            };
            let Some(selected) = self.selects(command)? else { return Ok(Step::IsLast) };
            if selected == command.negated {
                self.at = match command.action {
                    Action::Block(end) => end,
                    _ => self.at + 1,
                };
                continue;
            }
            let at = self.at;
            self.at += 1;
            if let Some(step) = self.act(command, at)? {
                return Ok(step);
            }
            if self.space.text.len().max(self.hold.text.len()) > self.manner.limit {
                return Err("a space is over the limit of bytes for one value");
            }
        }
    }

    /// Whether the addresses of the present command fit; `None` where it must be known first whether
    /// this is the last line.
    fn selects(&mut self, command: &Command) -> Result<Option<bool>, Failure> {
        let Some(from) = &command.from else { return Ok(Some(true)) };
        let Some(to) = &command.to else { return self.fits(from) };
        let range = self.ranges.get(self.at).copied().unwrap_or(Range::Outside);
        let (selected, next) = match range {
            Range::Outside => match self.fits(from)? {
                None => return Ok(None),
                Some(false) => return Ok(Some(false)),
                Some(true) => (true, self.enter(to)),
            },
            Range::Inside(Some(end)) if self.line < end => return Ok(Some(true)),
            Range::Inside(Some(end)) => (self.line == end, Range::Outside),
            Range::Inside(None) => {
                let ends = match to {
                    Until::Last => self.is_last,
                    Until::Match(pattern) => Some(self.matches(pattern)?),
                    Until::Step(first, step) => Some(is_step(self.line, *first, *step)),
                    Until::Line(_) | Until::More(_) | Until::Multiple(_) => Some(true),
                };
                match ends {
                    None => return Ok(None),
                    Some(false) => return Ok(Some(true)),
                    Some(true) => (true, Range::Outside),
                }
            }
        };
        if let Some(state) = self.ranges.get_mut(self.at) {
            *state = next;
        }
        Ok(Some(selected))
    }

    /// The state of a range that begins with this line.
    fn enter(&self, to: &Until) -> Range {
        let end = match to {
            Until::Last | Until::Match(_) | Until::Step(..) => return Range::Inside(None),
            Until::Line(line) => *line,
            Until::More(count) => self.line.saturating_add(*count),
            Until::Multiple(0) => self.line,
            Until::Multiple(step) => self.line.div_ceil(*step).saturating_mul(*step),
        };
        if end > self.line { Range::Inside(Some(end)) } else { Range::Outside }
    }

    fn fits(&mut self, address: &Address) -> Result<Option<bool>, Failure> {
        Ok(match address {
            Address::Line(line) => Some(*line == self.line),
            Address::Last => self.is_last,
            Address::Step(first, step) => Some(is_step(self.line, *first, *step)),
            Address::Match(pattern) => Some(self.matches(pattern)?),
        })
    }

    fn matches(&mut self, pattern: &Pattern) -> Result<bool, Failure> {
        let regex = self.regex(pattern)?;
        self.charge(self.space.text.len());
        let found = regex.is_match(&self.space.text);
        if !found && regex.gave_up() { Err(GAVE_UP) } else { Ok(found) }
    }

    fn regex(&mut self, pattern: &Pattern) -> Result<Rc<Regex>, Failure> {
        match pattern {
            Some(regex) => {
                self.last_pattern = Some(Rc::clone(regex));
                Ok(Rc::clone(regex))
            }
            None => self
                .last_pattern
                .clone()
                .ok_or("-e expression #1, char 0: no previous regular expression"),
        }
    }

    fn act(&mut self, command: &Command, at: usize) -> Result<Option<Step>, Failure> {
        let line_end = self.manner.line_end;
        match &command.action {
            Action::Block(_) | Action::Nothing => {}
            Action::Number => {
                let number = format!("{}\n", self.line);
                self.out.text(number.as_bytes(), line_end);
            }
            Action::Append(text) => self.appends.push(Append::Text(Rc::clone(text))),
            Action::Insert(text) => self.out.text(text, line_end),
            Action::Change(text) => {
                if !matches!(self.ranges.get(at), Some(Range::Inside(_))) || command.negated {
                    self.out.text(text, line_end);
                }
                return Ok(Some(Step::End { print: false }));
            }
            Action::Branch(when, target) => {
                let taken = match when {
                    When::Always => true,
                    When::Changed => self.changed,
                    When::Unchanged => !self.changed,
                };
                if *when != When::Always {
                    self.changed = false;
                }
                if taken {
                    self.at = *target;
                }
            }
            Action::Delete => return Ok(Some(Step::End { print: false })),
            Action::DeleteFirst => {
                let Some(newline) = memchr::memchr(line_end, &self.space.text) else {
                    return Ok(Some(Step::End { print: false }));
                };
                self.space.text.drain(..=newline);
                return Ok(Some(Step::Restart));
            }
            Action::FileName => {
                let name = self.file.clone();
                self.out.line(name.as_bytes(), true, b'\n');
            }
            Action::List(columns) => self.list(columns.unwrap_or(self.manner.columns)),
            Action::Next => return Ok(Some(Step::Next)),
            Action::NextMore => return Ok(Some(Step::NextMore)),
            Action::Print => self.print(),
            Action::PrintFirst => {
                let first = first_line(&self.space.text, line_end);
                self.out.line(first, true, line_end);
            }
            Action::Quit(status) => return Ok(Some(Step::Quit { print: true, status: *status })),
            Action::QuitSilent(status) => {
                return Ok(Some(Step::Quit { print: false, status: *status }));
            }
            Action::ReadFile(name) => self.appends.push(Append::File(name.clone())),
            Action::ReadLine(index) => return Ok(Some(Step::ReadLine(*index))),
            Action::Substitute(substitute) => self.substitute(substitute)?,
            Action::Write(index) => self.write(*index),
            Action::WriteFirst(index) => {
                let first = first_line(&self.space.text, line_end);
                match self.writes.get_mut(*index) {
                    Some(WriteTo::Out(out)) => out.line(first, true, line_end),
                    _ => self.out.line(first, true, line_end),
                }
            }
            Action::Translate(translate) => self.translate(translate),
            Action::Zap => self.space.text.clear(),
            Action::Get | Action::GetMore | Action::Hold | Action::HoldMore | Action::Exchange => {
                self.hold(&command.action);
            }
        }
        Ok(None)
    }

    /// The commands between the two spaces.
    fn hold(&mut self, action: &Action) {
        let line_end = self.manner.line_end;
        let (space, hold) = (&mut self.space, &mut self.hold);
        match action {
            Action::Get => {
                space.text.clone_from(&hold.text);
                space.ended = hold.ended;
            }
            Action::GetMore => {
                space.text.push(line_end);
                space.text.extend_from_slice(&hold.text);
                space.ended = hold.ended;
            }
            Action::Hold => {
                hold.text.clone_from(&space.text);
                hold.ended = space.ended;
            }
            Action::HoldMore => {
                hold.text.push(line_end);
                hold.text.extend_from_slice(&space.text);
                hold.ended = space.ended;
            }
            _ => std::mem::swap(space, hold),
        }
        self.charge(self.space.text.len());
    }

    fn write(&mut self, index: usize) {
        let line_end = self.manner.line_end;
        match self.writes.get_mut(index) {
            Some(WriteTo::Out(out)) => out.line(&self.space.text, self.space.ended, line_end),
            _ => self.print(),
        }
    }

    fn substitute(&mut self, command: &Substitute) -> Result<(), Failure> {
        let regex = self.regex(&command.pattern)?;
        if command.replacement.highest.is_some_and(|highest| highest > regex.groups()) {
            return Err("invalid reference on `s' command's RHS");
        }
        self.charge(self.space.text.len());
        let text = std::mem::take(&mut self.space.text);
        let mut out = std::mem::take(&mut self.spare);
        let replaced = replace(&regex, command, (&text, &mut self.groups), &mut out);
        if !replaced && regex.gave_up() {
            return Err(GAVE_UP);
        }
        (self.space.text, self.spare) = if replaced { (out, text) } else { (text, out) };
        self.spare.clear();
        if replaced {
            self.charge(self.space.text.len());
            self.changed = true;
            if command.print {
                self.print();
            }
            if let Some(index) = command.write {
                self.write(index);
            }
        }
        Ok(())
    }

    fn translate(&mut self, translate: &Translate) {
        self.charge(self.space.text.len());
        match translate {
            Translate::Bytes(table) => {
                for byte in &mut self.space.text {
                    *byte = table.get(usize::from(*byte)).copied().unwrap_or(*byte);
                }
            }
            Translate::Chars(map) => {
                let text = std::mem::take(&mut self.space.text);
                for chunk in text.utf8_chunks() {
                    let mut utf8 = [0; 4];
                    for ch in chunk.valid().chars() {
                        let ch = map.get(&ch).copied().unwrap_or(ch);
                        self.space.text.extend_from_slice(ch.encode_utf8(&mut utf8).as_bytes());
                    }
                    self.space.text.extend_from_slice(chunk.invalid());
                }
            }
        }
    }

    /// `l`: the pattern space with everything spelled out.
    fn list(&mut self, columns: usize) {
        let width = columns.saturating_sub(1);
        let wraps = columns > 0;
        let mut shown = Vec::new();
        let mut column = 0;
        for byte in &self.space.text {
            let spelled = spell(*byte);
            if wraps && column + spelled.len() > width {
                shown.extend_from_slice(b"\\\n");
                column = 0;
            }
            column += spelled.len();
            shown.extend_from_slice(spelled.as_bytes());
        }
        shown.extend_from_slice(b"$\n");
        self.out.text(&shown, self.manner.line_end);
        self.charge(shown.len());
    }
}

const GAVE_UP: Failure = "a search was given up: the expression needs too long on this line";

/// Whether a line is one of every `step` from `first` on.
fn is_step(line: u64, first: u64, step: u64) -> bool {
    line.checked_sub(first).and_then(|past| past.checked_rem(step)) == Some(0)
}

fn first_line(text: &[u8], line_end: u8) -> &[u8] {
    memchr::memchr(line_end, text).and_then(|newline| text.get(..newline)).unwrap_or(text)
}

fn spell(byte: u8) -> String {
    match byte {
        b'\\' => "\\\\".into(),
        7 => "\\a".into(),
        8 => "\\b".into(),
        12 => "\\f".into(),
        b'\n' => "\\n".into(),
        b'\r' => "\\r".into(),
        b'\t' => "\\t".into(),
        11 => "\\v".into(),
        b' '..=b'~' => char::from(byte).into(),
        _ => format!("\\{byte:03o}"),
    }
}

/// Writes `text` with its matches replaced to `out`; `false`, and `out` of no use, where none is.
fn replace(
    regex: &Regex,
    command: &Substitute,
    (text, groups): (&[u8], &mut Vec<Option<Span>>),
    out: &mut Vec<u8>,
) -> bool {
    let takes_groups = command.replacement.highest.is_some_and(|highest| highest > 0);
    let (mut copied, mut from, mut count) = (0, 0, 0);
    let mut last_end = None;
    let mut replaced = false;
    while from <= text.len() {
        let found = if takes_groups {
            regex.captures_at(text, from, groups).then(|| groups.first().copied().flatten())
        } else {
            let span = regex.find_at(text, from);
            groups.clear();
            groups.push(span);
            Some(span)
        };
        let Some((start, end)) = found.flatten() else { break };
        from = if end > start { end } else { after_char(text, end) };
        // Right behind a match, an empty one does not count.
        if start == end && last_end == Some(start) {
            continue;
        }
        last_end = Some(end);
        count += 1;
        if count < command.number {
            continue;
        }
        replaced = true;
        out.extend_from_slice(text.get(copied..start).unwrap_or_default());
        command.replacement.append(text, groups, out);
        copied = end;
        if !command.global {
            break;
        }
    }
    if replaced {
        out.extend_from_slice(text.get(copied..).unwrap_or_default());
    }
    replaced
}

/// Where the character at `at` ends.
fn after_char(text: &[u8], at: usize) -> usize {
    let rest = text.get(at + 1..).unwrap_or_default();
    at + 1 + rest.iter().take_while(|byte| **byte & 0xc0 == 0x80).count()
}
