//! What `grep` shows of a line: its prefix, its text with matches marked, or a record.

use std::rc::Rc;

use super::options::Settings;
use crate::value::{EcoVec, Record, Value};

/// What has been printed, over all inputs.
pub(super) struct Printer {
    /// Whether file names are shown.
    pub(super) shows_names: bool,
    /// Whether a line was printed, which a next group is kept apart from.
    pub(super) used: bool,
    /// What `--json` prints at the end.
    pub(super) records: Option<EcoVec<Value>>,
}

/// A line, or a part of one, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) name: &'a str,
    /// Its number from 1, where numbers are shown.
    pub(super) number: u64,
    /// Where it begins in the input.
    pub(super) offset: u64,
    /// Columns of numbers that are lined up.
    pub(super) width: usize,
    pub(super) selected: bool,
}

impl Printer {
    pub(super) fn new(json: bool, shows_names: Option<bool>) -> Self {
        let records = json.then(EcoVec::new);
        Self { shows_names: shows_names.unwrap_or(false), used: false, records }
    }

    /// Prints the line between groups.
    pub(super) fn separator(&self, settings: &Settings, out: &mut Vec<u8>) {
        if let Some(separator) = &settings.around.separator
            && self.used
            && self.records.is_none()
        {
            painted(out, "36", separator.as_bytes(), settings.color);
            out.push(b'\n');
        }
    }

    /// Prints a file's name and a count, or its name alone.
    pub(super) fn summary(
        &mut self,
        settings: &Settings,
        (name, count): (&str, Option<u64>),
        out: &mut Vec<u8>,
    ) {
        let names = self.shows_names || count.is_none();
        if let Some(records) = &mut self.records {
            let mut record = Record::default();
            if names {
                record.insert("file".into(), Value::from(name));
            }
            if let Some(count) = count {
                record.insert("count".into(), integer(count));
            }
            records.push(Value::Record(Rc::new(record)));
            return;
        }
        if names {
            painted(out, "35", name.as_bytes(), settings.color);
            match count {
                _ if settings.names.null => out.push(0),
                Some(_) => painted(out, "36", b":", settings.color),
                None => out.push(b'\n'),
            }
        }
        if let Some(count) = count {
            out.extend_from_slice(format!("{count}\n").as_bytes());
        }
    }

    /// Prints a line with its prefix, `spans` of it marked.
    pub(super) fn line(
        &mut self,
        settings: &Settings,
        place: Place<'_>,
        (text, spans): (&[u8], &[(usize, usize)]),
        out: &mut Vec<u8>,
    ) {
        self.used = true;
        if let Some(records) = &mut self.records {
            records.push(record(settings, self.shows_names, place, text));
            return;
        }
        self.prefix(settings, place, !text.is_empty(), out);
        let mut at = 0;
        for (start, end) in spans {
            out.extend_from_slice(text.get(at..*start).unwrap_or_default());
            painted(out, "01;31", text.get(*start..*end).unwrap_or_default(), settings.color);
            at = *end;
        }
        out.extend_from_slice(text.get(at..).unwrap_or_default());
        out.push(settings.select.line_end);
    }

    fn prefix(&self, settings: &Settings, place: Place<'_>, tab: bool, out: &mut Vec<u8>) {
        let prefix = settings.prefix;
        if !self.shows_names && !prefix.numbers && !prefix.offsets {
            return;
        }
        let sep: &[u8] = if place.selected { b":" } else { b"-" };
        if self.shows_names {
            painted(out, "35", place.name.as_bytes(), settings.color);
            if settings.names.null {
                out.push(0);
            } else {
                painted(out, "36", sep, settings.color);
            }
        }
        let width = place.width;
        for (shown, number) in [(prefix.numbers, place.number), (prefix.offsets, place.offset)] {
            if shown {
                number_to(out, number, width, settings.color);
                painted(out, "36", sep, settings.color);
            }
        }
        if prefix.tab && tab {
            out.push(b'\t');
        }
    }
}

fn number_to(out: &mut Vec<u8>, number: u64, width: usize, color: bool) {
    let mut digits = [b' '; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        if let Some(digit) = digits.get_mut(at) {
            *digit = b'0' + (rest % 10) as u8;
        }
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let from = at.min(digits.len().saturating_sub(width));
    painted(out, "32", digits.get(from..).unwrap_or_default(), color);
}

fn painted(out: &mut Vec<u8>, code: &str, text: &[u8], color: bool) {
    if !color {
        out.extend_from_slice(text);
        return;
    }
    for part in [b"\x1b[", code.as_bytes(), b"m\x1b[K", text, b"\x1b[m\x1b[K"] {
        out.extend_from_slice(part);
    }
}

fn record(settings: &Settings, names: bool, place: Place<'_>, text: &[u8]) -> Value {
    let mut record = Record::default();
    if names {
        record.insert("file".into(), Value::from(place.name));
    }
    if settings.prefix.numbers {
        record.insert("number".into(), integer(place.number));
    }
    if settings.prefix.offsets {
        record.insert("offset".into(), integer(place.offset));
    }
    record.insert("line".into(), Value::from(&*String::from_utf8_lossy(text)));
    Value::Record(Rc::new(record))
}

fn integer(number: u64) -> Value {
    Value::int(i64::try_from(number).unwrap_or(i64::MAX))
}
