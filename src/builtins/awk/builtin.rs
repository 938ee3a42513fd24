//! The functions of the language on values.

use std::cmp::Ordering;
use std::rc::Rc;

use super::code::{Builtin, Slot};
use super::record::{FieldSplit, part};
use super::value::{Array, Str, Value};
use super::vm::{Fatal, MOST_BYTES, Pause, Vm, fatal};
use crate::builtins::common::strftime;
use crate::pattern::Regex;
use crate::value::{InOrder, count_chars, first_chars};

/// The pseudo-random numbers of `rand`.
pub(super) struct Random {
    state: u64,
    pub(super) seed: f64,
}

impl Random {
    pub(super) fn new(seed: i64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a seed is small")]
        let value = seed as f64;
        Self { state: seed.cast_unsigned() ^ 0x9e37_79b9_7f4a_7c15, seed: value }
    }

    /// From 0 up to, but not including, 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The value of the first `length` digits.
pub(super) fn digits(text: &[u8], length: usize, radix: u32) -> f64 {
    text.iter().take(length).fold(0.0, |number, byte| {
        number * f64::from(radix) + f64::from(char::from(*byte).to_digit(radix).unwrap_or(0))
    })
}

impl Vm {
    /// Calls a function with `count` arguments on the stack; its result replaces them, perhaps
    /// after a pause.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        count: usize,
    ) -> Result<Option<Pause>, Fatal> {
        let start = self.stack.len().saturating_sub(count);
        let result = match builtin {
            Builtin::System => return Ok(Some(Pause::System(self.pop_str()))),
            Builtin::Close => {
                self.stack.truncate(start + 1);
                return Ok(Some(Pause::Close(self.pop_str())));
            }
            Builtin::Fflush => {
                let name = (count > 0).then(|| self.pop_str()).filter(|name| !name.is_empty());
                return Ok(Some(Pause::FlushAll(name)));
            }
            Builtin::Rand => Value::Number(self.random.next()),
            Builtin::Systime =>
            {
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                Value::Number(self.host.now().seconds as f64)
            }
            _ => {
                let args = self.stack.split_off(start);
                self.apply(builtin, &args)?
            }
        };
        self.push(result);
        Ok(None)
    }

    fn apply(&mut self, builtin: Builtin, args: &[Value]) -> Result<Value, Fatal> {
        let number = |index: usize| args.get(index).map_or(0.0, Value::number);
        let bits = |index: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            let bits = number(index) as u64;
            bits
        };
        let fold = |combine: fn(u64, u64) -> u64| {
            let rest = (1..args.len()).map(bits);
            from_bits(rest.fold(bits(0), combine))
        };
        Ok(match builtin {
            Builtin::Length => return self.length(args.first()),
            Builtin::Substr => self.substr(args),
            Builtin::Index => self.index(args),
            Builtin::Split => return self.split(args),
            Builtin::Gensub => return self.gensub(args),
            Builtin::Match => return self.match_(args),
            Builtin::Sprintf => {
                let mut out = Vec::new();
                self.format(&mut out, args)?;
                Value::Text(out.into())
            }
            Builtin::Sin => Value::Number(number(0).sin()),
            Builtin::Cos => Value::Number(number(0).cos()),
            Builtin::Atan2 => Value::Number(number(0).atan2(number(1))),
            Builtin::Exp => Value::Number(number(0).exp()),
            Builtin::Log => Value::Number(number(0).ln()),
            Builtin::Sqrt => Value::Number(number(0).sqrt()),
            Builtin::Int => Value::Number(number(0).trunc()),
            Builtin::Srand => self.srand(args),
            Builtin::Tolower => self.change_case(args, char::to_lowercase, u8::to_ascii_lowercase),
            Builtin::Toupper => self.change_case(args, char::to_uppercase, u8::to_ascii_uppercase),
            Builtin::Strftime => self.strftime(args),
            Builtin::Mktime => self.mktime(args),
            Builtin::Strtonum => self.strtonum(args),
            Builtin::And => fold(|a, b| a & b),
            Builtin::Or => fold(|a, b| a | b),
            Builtin::Xor => fold(|a, b| a ^ b),
            Builtin::Lshift => from_bits(shifted(bits(0), bits(1), u64::checked_shl)),
            Builtin::Rshift => from_bits(shifted(bits(0), bits(1), u64::checked_shr)),
            Builtin::Compl => from_bits(!bits(0) & ((1 << 53) - 1)),
            Builtin::Asort => {
                return sort_array(
                    args,
                    |(ka, va), (kb, vb)| by_value(va, vb).then_with(|| ka.cmp(kb)),
                    false,
                );
            }
            Builtin::Asorti => return sort_array(args, |(ka, _), (kb, _)| ka.cmp(kb), true),
            _ => Value::Unset,
        })
    }

    pub(super) fn str(&self, args: &[Value], index: usize) -> Str {
        args.get(index).map_or_else(|| Rc::from(*b""), |value| value.to_str(&self.style.convfmt))
    }

    #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
    fn length(&mut self, value: Option<&Value>) -> Result<Value, Fatal> {
        Ok(Value::Number(match value {
            Some(Value::Array(array) | Value::Maybe(array)) => array.borrow().len() as f64,
            Some(value) => count_chars(&value.to_str(&self.style.convfmt)) as f64,
            None => 0.0,
        }))
    }

    /// `substr`: characters from 1; positions are cut to integers, those outside the text left out.
    fn substr(&mut self, args: &[Value]) -> Value {
        let text = self.str(args, 0);
        // A start before the text is the start of the text, as in gawk.
        let start = args.get(1).map_or(0.0, Value::number).trunc().max(1.0);
        let end = match args.get(2) {
            Some(length) => start + length.number().trunc(),
            None => f64::INFINITY,
        };
        if end.is_nan() || start.is_nan() || end <= start {
            return Value::text(b"");
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let place = |position: f64| (position - 1.0) as usize;
        let (from, to) = (place(start), place(end));
        if text.is_ascii() {
            let to = to.min(text.len());
            return Value::text(text.get(from.min(to)..to).unwrap_or_default());
        }
        let skipped = first_chars(&text, from).len();
        let rest = text.get(skipped..).unwrap_or_default();
        Value::text(first_chars(rest, to.saturating_sub(from)))
    }

    #[expect(clippy::cast_precision_loss, reason = "positions are far below 2^53")]
    fn index(&mut self, args: &[Value]) -> Value {
        let (text, part) = (self.str(args, 0), self.str(args, 1));
        let found = memchr::memmem::find(&text, &part);
        Value::Number(found.map_or(0.0, |at| chars_before(&text, at) as f64 + 1.0))
    }

    /// `split`: the parts of a text into an array, the separators into another.
    fn split(&mut self, args: &[Value]) -> Result<Value, Fatal> {
        let text = self.str(args, 0);
        let Some(Value::Array(array) | Value::Maybe(array)) = args.get(1) else {
            return fatal("split: second argument is not an array");
        };
        let splitter = match args.get(2) {
            None => self.style.split.clone(),
            Some(Value::Regex(number)) => match self.program.regexes.get(*number as usize) {
                Some(regex) => FieldSplit::Separator(Rc::clone(regex)),
                None => FieldSplit::Blanks,
            },
            Some(value) => {
                let separator = value.to_str(&self.style.convfmt);
                if separator.len() > 1 {
                    FieldSplit::Separator(self.dynamic_regex(&separator)?)
                } else {
                    FieldSplit::of(&separator, false).unwrap_or(FieldSplit::Blanks)
                }
            }
        };
        let (mut spans, mut gaps) = (Vec::new(), Vec::new());
        splitter.split(&text, &mut spans, Some(&mut gaps));
        fill(
            &mut array.borrow_mut(),
            spans.iter().map(|span| Value::Input(part(&text, *span).into())),
        );
        if let Some(Value::Array(seps) | Value::Maybe(seps)) = args.get(3) {
            fill(&mut seps.borrow_mut(), gaps.iter().map(|span| Value::text(part(&text, *span))));
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        Ok(Value::Number(spans.len() as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "positions are far below 2^53")]
    fn match_(&mut self, args: &[Value]) -> Result<Value, Fatal> {
        let text = self.str(args, 0);
        let regex = self.regex_of(args.get(1).unwrap_or(&Value::Unset))?;
        let mut groups = Vec::new();
        let found = match args.get(2) {
            None => regex.find_at(&text, 0),
            Some(_) if regex.captures_at(&text, 0, &mut groups) => {
                groups.first().copied().flatten()
            }
            Some(_) => None,
        };
        if let Some(Value::Array(array) | Value::Maybe(array)) = args.get(2) {
            let mut array = array.borrow_mut();
            array.clear();
            for (number, group) in groups.iter().enumerate() {
                let Some((from, to)) = *group else { continue };
                let bytes = text.get(from..to).unwrap_or_default();
                let number = number.to_string();
                array.insert(number.as_bytes().into(), Value::Input(bytes.into()));
                let key = |name: &str| -> Str {
                    [number.as_bytes(), &self.subsep, name.as_bytes()].concat().into()
                };
                let start = chars_before(&text, from) as f64 + 1.0;
                array.insert(key("start"), Value::Number(start));
                array.insert(key("length"), Value::Number(count_chars(bytes) as f64));
            }
        }
        (self.plain.rstart, self.plain.rlength) = match found {
            Some((from, to)) => {
                let bytes = text.get(from..to).unwrap_or_default();
                (chars_before(&text, from) as f64 + 1.0, count_chars(bytes) as f64)
            }
            None => (0.0, -1.0),
        };
        Ok(Value::Number(self.plain.rstart))
    }

    /// `sub` and `gsub`: see [`super::code::Op::Substitute`].
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn substitute(&mut self, global: bool, index: bool) -> Result<(), Fatal> {
        let text = self.pop_str();
        let kept = if index { self.pop() } else { Value::Unset };
        let replacement = self.pop_str();
        let pattern = self.pop();
        let regex = self.regex_of(&pattern)?;
        let mut out = Vec::new();
        let only = if global { None } else { Some(1) };
        let count = replace(&regex, &text, only, &mut out, |out, from, to| {
            push_replacement(out, &replacement, text.get(from..to).unwrap_or_default());
        })?;
        self.made = (count > 0).then(|| Value::Text(out.into()));
        if index {
            self.push(kept);
        }
        self.push_number(count as f64);
        Ok(())
    }

    fn gensub(&mut self, args: &[Value]) -> Result<Value, Fatal> {
        let regex = self.regex_of(args.first().unwrap_or(&Value::Unset))?;
        let (replacement, how) = (self.str(args, 1), self.str(args, 2));
        let text = match args.get(3) {
            Some(_) => self.str(args, 3),
            None => self.record.field(0, &self.style).to_str(b""),
        };
        let only = match how.first() {
            Some(b'g' | b'G') => None,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            _ => Some((args.get(2).map_or(1.0, Value::number) as usize).max(1)),
        };
        let mut out = Vec::new();
        let mut groups = Vec::new();
        replace(&regex, &text, only, &mut out, |out, from, _| {
            regex.captures_at(&text, from, &mut groups);
            push_groups(out, &replacement, &text, &groups);
        })?;
        Ok(Value::Text(out.into()))
    }

    fn srand(&mut self, args: &[Value]) -> Value {
        let former = self.random.seed;
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let seed = match args.first() {
            Some(seed) => seed.number() as i64,
            None => self.host.now().seconds,
        };
        self.random = Random::new(seed);
        Value::Number(former)
    }

    fn change_case<F: Iterator<Item = char>>(
        &mut self,
        args: &[Value],
        change: fn(char) -> F,
        change_byte: fn(&u8) -> u8,
    ) -> Value {
        let text = self.str(args, 0);
        if text.is_ascii() {
            return Value::Text(text.iter().map(change_byte).collect());
        }
        let mut out = Vec::with_capacity(text.len());
        for chunk in text.utf8_chunks() {
            for ch in chunk.valid().chars() {
                let mut forms = change(ch);
                // A character whose other case is several stays as it is.
                let form = match (forms.next(), forms.next()) {
                    (Some(form), None) => form,
                    _ => ch,
                };
                out.extend_from_slice(form.encode_utf8(&mut [0; 4]).as_bytes());
            }
            out.extend_from_slice(chunk.invalid());
        }
        Value::Text(out.into())
    }

    fn strftime(&mut self, args: &[Value]) -> Value {
        let format = match args.first() {
            Some(format) => format.to_str(&self.style.convfmt),
            None => Rc::from(*b"%a %b %e %H:%M:%S %Z %Y"),
        };
        let mut time = self.host.now();
        time.nanos = 0;
        if let Some(seconds) = args.get(1) {
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            let seconds = seconds.number() as i64;
            time.seconds = seconds;
        }
        let format = String::from_utf8_lossy(&format);
        Value::text(strftime(&format, time).as_bytes())
    }

    /// `mktime`: the seconds of `YYYY MM DD HH MM SS`, in UTC.
    fn mktime(&mut self, args: &[Value]) -> Value {
        let text = self.str(args, 0);
        let numbers: Vec<i64> = String::from_utf8_lossy(&text)
            .split_whitespace()
            .map_while(|word| word.parse().ok())
            .collect();
        let [year, month, day, hour, minute, second, ..] = numbers.as_slice() else {
            return Value::Number(-1.0);
        };
        let months = year.saturating_mul(12).saturating_add(month - 1);
        let days =
            days_before(months.div_euclid(12), months.rem_euclid(12)).saturating_add(day - 1);
        #[expect(clippy::cast_precision_loss, reason = "as awk's numbers are")]
        Value::Number(days as f64 * 86_400.0 + (hour * 3600 + minute * 60 + second) as f64)
    }

    fn strtonum(&mut self, args: &[Value]) -> Value {
        let Some(Value::Text(text) | Value::Input(text)) = args.first() else {
            return Value::Number(args.first().map_or(0.0, Value::number));
        };
        let body = text.trim_ascii_start();
        let (negative, body) = match body.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, body),
        };
        let number = match body {
            [b'0', b'x' | b'X', hex @ ..] => {
                digits(hex, hex.iter().take_while(|b| b.is_ascii_hexdigit()).count(), 16)
            }
            [b'0', octal @ ..] if !octal.contains(&b'.') => {
                digits(octal, octal.iter().take_while(|b| (b'0'..b'8').contains(*b)).count(), 8)
            }
            _ => super::value::leading_number(body),
        };
        Value::Number(if negative { -number } else { number })
    }

    /// The keys of an array in the order `for … in` takes them.
    pub(super) fn sorted_keys(&mut self, slot: Slot) -> Result<Vec<Str>, Fatal> {
        let array = self.array(slot)?;
        let array = array.borrow();
        let mut keys: Vec<Str> = array.keys().cloned().collect();
        let order = self.sort_order();
        let Some(order) = order else { return Ok(keys) };
        let order = String::from_utf8_lossy(&order).into_owned();
        let numeric = |key: &Str| super::value::leading_number(key);
        match order.as_str() {
            "@ind_str_asc" | "@ind_str_desc" => keys.order_by(Ord::cmp),
            "@ind_num_asc" | "@ind_num_desc" => {
                keys.order_by(|a, b| numeric(a).total_cmp(&numeric(b)).then_with(|| a.cmp(b)));
            }
            "@val_num_asc" | "@val_num_desc" | "@val_type_asc" | "@val_type_desc"
            | "@val_str_asc" | "@val_str_desc" => {
                let by_text = order.contains("str");
                keys.order_by(|a, b| {
                    let (va, vb) = (array.get(a), array.get(b));
                    let (va, vb) = (va.unwrap_or(&Value::Unset), vb.unwrap_or(&Value::Unset));
                    let order = if by_text {
                        va.to_str(b"%.6g").cmp(&vb.to_str(b"%.6g"))
                    } else {
                        by_value(va, vb)
                    };
                    order.then_with(|| a.cmp(b))
                });
            }
            _ => {}
        }
        if order.ends_with("_desc") {
            keys.reverse();
        }
        Ok(keys)
    }

    fn sort_order(&self) -> Option<Str> {
        match self.globals.get(3)? {
            Value::Array(array) => match array.borrow().get(b"sorted_in".as_slice())? {
                Value::Text(order) | Value::Input(order) => Some(Rc::clone(order)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn from_bits(bits: u64) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "as awk's numbers are")]
    Value::Number(bits as f64)
}

fn shifted(bits: u64, by: u64, shift: fn(u64, u32) -> Option<u64>) -> u64 {
    u32::try_from(by).ok().and_then(|by| shift(bits, by)).unwrap_or(0)
}

/// The number of characters before a byte.
fn chars_before(text: &[u8], at: usize) -> usize {
    count_chars(text.get(..at).unwrap_or(text))
}

/// Replaces an array by values numbered from 1.
fn fill(array: &mut Array, values: impl Iterator<Item = Value>) {
    array.clear();
    for (index, value) in values.enumerate() {
        array.insert((index + 1).to_string().as_bytes().into(), value);
    }
}

/// Numbers before texts, each by its own order.
fn by_value(a: &Value, b: &Value) -> Ordering {
    match (a.strict_number(), b.strict_number()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.to_str(b"%.6g").cmp(&b.to_str(b"%.6g")),
    }
}

/// `asort` and `asorti`: the values or keys in order, into the second array or the same.
fn sort_array(
    args: &[Value],
    order: fn((&Str, &Value), (&Str, &Value)) -> Ordering,
    keys: bool,
) -> Result<Value, Fatal> {
    let Some(Value::Array(from) | Value::Maybe(from)) = args.first() else {
        return fatal("asort: first argument is not an array");
    };
    let mut pairs: Vec<(Str, Value)> =
        from.borrow().iter().map(|(key, value)| (Rc::clone(key), value.clone())).collect();
    pairs.order_by(|(ka, va), (kb, vb)| order((ka, va), (kb, vb)));
    let to = match args.get(1) {
        Some(Value::Array(to) | Value::Maybe(to)) => to,
        _ => from,
    };
    let count = pairs.len();
    let values = pairs.into_iter().map(|(key, value)| if keys { Value::Text(key) } else { value });
    fill(&mut to.borrow_mut(), values);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    Ok(Value::Number(count as f64))
}

/// Copies a text with its matches replaced: all of them, or only the one of that number.
fn replace(
    regex: &Regex,
    text: &[u8],
    only: Option<usize>,
    out: &mut Vec<u8>,
    mut put: impl FnMut(&mut Vec<u8>, usize, usize),
) -> Result<usize, Fatal> {
    let (mut at, mut copied, mut found, mut replaced) = (0, 0, 0, 0);
    let mut last_end = None;
    while let Some((from, to)) = regex.find_at(text, at) {
        // Nothing, right after a match, is no match of its own.
        if from < to || last_end != Some(from) {
            found += 1;
            if only.is_none_or(|only| only == found) {
                out.extend_from_slice(text.get(copied..from).unwrap_or_default());
                put(out, from, to);
                copied = to;
                replaced += 1;
            }
            last_end = Some(to);
            if only == Some(found) {
                break;
            }
        }
        let rest = text.get(to..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        at = if from == to { to + first_chars(rest, 1).len() } else { to };
        if out.len() > MOST_BYTES {
            return fatal(format!("a string is over the limit of {MOST_BYTES} bytes"));
        }
    }
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    Ok(replaced)
}

/// The replacement of `sub`: `&` is the match, `\&` an ampersand, `\\&` a backslash and the match.
fn push_replacement(out: &mut Vec<u8>, replacement: &[u8], matched: &[u8]) {
    let mut rest = replacement;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, tail) {
            (b'&', _) => out.extend_from_slice(matched),
            (b'\\', [b'&', tail @ ..]) => {
                out.push(b'&');
                rest = tail;
            }
            (b'\\', [b'\\', b'&', ..]) => {
                out.push(b'\\');
                rest = tail.get(1..).unwrap_or_default();
            }
            _ => out.push(byte),
        }
    }
}

/// The replacement of `gensub`: `\0` to `\9` and `&`.
fn push_groups(
    out: &mut Vec<u8>,
    replacement: &[u8],
    text: &[u8],
    groups: &[Option<(usize, usize)>],
) {
    let put = |out: &mut Vec<u8>, number: usize| {
        if let Some(Some((from, to))) = groups.get(number) {
            out.extend_from_slice(text.get(*from..*to).unwrap_or_default());
        }
    };
    let mut rest = replacement;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, tail.split_first()) {
            (b'&', _) => put(out, 0),
            (b'\\', Some((digit @ b'0'..=b'9', tail))) => {
                put(out, usize::from(digit - b'0'));
                rest = tail;
            }
            (b'\\', Some((other, tail))) => {
                out.push(*other);
                rest = tail;
            }
            _ => out.push(byte),
        }
    }
}

/// Days from 1970 to the first of a month, counted from 0, of a year.
fn days_before(year: i64, month: i64) -> i64 {
    let shifted = if month < 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let day = (153 * ((month + 10) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719_468
}
