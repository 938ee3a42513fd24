//! `tr`: characters of standard input replaced, deleted or squeezed.

mod set;

use futures::future::{FutureExt, LocalBoxFuture};
use rustc_hash::FxHashMap;

use self::set::{BYTE, Set, Spelled};
use super::input::complete_prefix;
use crate::pattern::CharClass;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic,
};

/// `tr`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tr",
    about: "replace, delete or squeeze characters",
    topic: Topic::Text,
    operands: "SET1 [SET2]",
    completes: Completes::Nothing,
    options: &[
        Opt::flag('c', "complement", "use all characters that are not in SET1"),
        Opt::flag('C', "", "the same as -c"),
        Opt::flag('d', "delete", "delete the characters of SET1"),
        Opt::flag('s', "squeeze-repeats", "print runs of a character of the last set once"),
        Opt::flag('t', "truncate-set1", "cut SET1 to the length of SET2"),
    ],
    notes: "Sets are characters, ranges such as a-z, classes such as [:alpha:], [=c=], repetitions\n\
            such as [x*3], and escapes: \\n \\t \\\\ \\NNN. A shorter SET2 is filled up with its last\n\
            character. With an escape \\200 or higher, everything is done by bytes.",
    examples: &[
        Example { script: "echo hello | tr a-z A-Z", output: "HELLO\n" },
        Example { script: "echo 'a  b' | tr -s ' '", output: "a b\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut filter = Filter::new(args).map_err(|message| cx.fail(1, message))?;
        let stdin = cx.stdin();
        let mut pending: Vec<u8> = Vec::new();
        loop {
            let chunk = cx.read_chunk(&stdin).await?;
            let ended = chunk.is_empty();
            let bytes = if pending.is_empty() {
                chunk
            } else {
                pending.extend_from_slice(&chunk);
                std::mem::take(&mut pending)
            };
            let whole =
                if ended || filter.by_bytes { bytes.len() } else { complete_prefix(&bytes) };
            let (now, later) = bytes.split_at_checked(whole).unwrap_or((&bytes, &[]));
            filter.feed(now, &mut cx.streams.out);
            pending.extend_from_slice(later);
            checkpoint(cx, bytes.len()).await?;
            if ended {
                return OK;
            }
        }
    }
    .boxed_local()
}

async fn checkpoint(cx: &mut ExecContext, bytes: usize) -> Result<(), Stop> {
    cx.write(b"").await?;
    cx.checkpoint(u32::try_from(bytes / 8).unwrap_or(u32::MAX)).await
}

/// What becomes of each character. Codes are those of characters, or [`BYTE`] and more for bytes.
struct Filter {
    by_bytes: bool,
    /// The first codes, looked up at once.
    table: Vec<Action>,
    rest: Rest,
    /// The last character printed, where it may be squeezed.
    last: Option<u32>,
}

#[derive(Clone, Copy)]
struct Action {
    /// The replacement; `None` deletes.
    to: Option<u32>,
    /// Whether a run of the replacement is printed once.
    squeeze: bool,
}

/// How the characters beyond the table are found out about.
struct Rest {
    delete: Option<Set>,
    translate: Option<Translation>,
    squeeze: Option<Set>,
}

impl Filter {
    fn new(args: &Args) -> Result<Self, String> {
        let (delete, squeeze) = (args.has("delete"), args.has("squeeze-repeats"));
        let complement = args.has("complement") || args.has("C");
        let [first, second @ ..] = args.operands.as_slice() else {
            return Err("missing operand".into());
        };
        let first_text = first.to_text_lossy();
        let most = usize::from(!delete || squeeze);
        if second.is_empty() && delete == squeeze {
            let what = if delete { "deleting and squeezing" } else { "translating" };
            return Err(format!(
                "missing operand after '{first_text}'\nTwo strings must be given when {what}."
            ));
        }
        if let Some(extra) = second.get(most) {
            return Err(format!("extra operand '{}'", extra.to_text_lossy()));
        }
        let mut first = Spelled::parse(&first.to_bytes())?;
        let mut second = match second.first() {
            Some(text) => Some(Spelled::parse(&text.to_bytes())?),
            None => None,
        };
        let by_bytes =
            first.has_high_bytes() || second.as_ref().is_some_and(Spelled::has_high_bytes);
        if by_bytes {
            first = first.into_bytes();
            second = second.map(Spelled::into_bytes);
        }
        let set = first.set(complement);
        let mut rest = Rest { delete: None, translate: None, squeeze: None };
        match (&second, delete) {
            (_, true) => {
                rest.delete = Some(set);
                rest.squeeze = second.filter(|_| squeeze).map(|second| second.set(false));
            }
            (Some(second), false) => {
                let cut = args.has("truncate-set1");
                rest.translate = Some(Translation::new(&first, second, complement, cut)?);
                rest.squeeze = squeeze.then(|| second.set(false));
            }
            (None, false) => rest.squeeze = Some(set),
        }
        let size: u32 = if by_bytes { 256 } else { 128 };
        let table = (0..size).map(|code| rest.action(byte_code(code))).collect();
        Ok(Self { by_bytes, table, rest, last: None })
    }

    fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.by_bytes || bytes.is_ascii() {
            self.feed_table(bytes, out);
            return;
        }
        for chunk in bytes.utf8_chunks() {
            for ch in chunk.valid().chars() {
                let code = u32::from(ch);
                let action = self.table.get(code as usize).copied();
                self.put(action.unwrap_or_else(|| self.rest.action(code)), out);
            }
            for byte in chunk.invalid() {
                self.put(self.rest.action(BYTE + u32::from(*byte)), out);
            }
        }
    }

    fn feed_table(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for byte in bytes {
            match self.table.get(usize::from(*byte)).copied() {
                Some(Action { to: Some(code @ 0..128), squeeze: false }) => {
                    out.push((code & 0x7f) as u8);
                    self.last = None;
                }
                Some(action) => self.put(action, out),
                None => {}
            }
        }
    }

    fn put(&mut self, action: Action, out: &mut Vec<u8>) {
        let Some(code) = action.to else { return };
        if action.squeeze && self.last == Some(code) {
            return;
        }
        self.last = action.squeeze.then_some(code);
        match char::from_u32(code) {
            Some(ch) => out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
            None => out.push((code & 0xff) as u8),
        }
    }
}

/// The code of a byte outside any character.
fn byte_code(byte: u32) -> u32 {
    if byte < 128 { byte } else { BYTE + byte }
}

impl Rest {
    fn action(&self, code: u32) -> Action {
        if self.delete.as_ref().is_some_and(|set| set.contains(code)) {
            return Action { to: None, squeeze: false };
        }
        let to = self.translate.as_ref().map_or(code, |translation| translation.apply(code));
        let squeeze = self.squeeze.as_ref().is_some_and(|set| set.contains(to));
        Action { to: Some(to), squeeze }
    }
}

/// What a class of the first set is replaced by, for characters that have no place of their own.
#[derive(Clone, Copy)]
enum ClassTo {
    Last,
    Lower,
    Upper,
}

/// Replacements of single characters.
struct Translation {
    single: FxHashMap<u32, u32>,
    classes: Vec<(CharClass, ClassTo)>,
    /// With `-c`: all that is not in the set becomes `last`.
    complement: Option<Set>,
    last: u32,
}

impl Translation {
    fn new(first: &Spelled, second: &Spelled, complement: bool, cut: bool) -> Result<Self, String> {
        let from = first.expand(None)?;
        let to = second.expand(Some(from.codes.len()))?;
        let Some(last) = to.codes.last().copied() else {
            if cut {
                let (single, classes) = (FxHashMap::default(), Vec::new());
                return Ok(Self { single, classes, complement: None, last: 0 });
            }
            return Err("when not truncating set1, string2 must be non-empty".into());
        };
        let mut classes = Vec::new();
        for (at, class) in &to.classes {
            let paired = from.classes.iter().any(|(start, class)| {
                start == at && matches!(class, CharClass::Lower | CharClass::Upper)
            });
            if !matches!(class, CharClass::Lower | CharClass::Upper) || complement {
                let kinds = "only character classes that may appear in string2 are";
                return Err(format!("when translating, the {kinds} 'upper' and 'lower'"));
            }
            if !paired {
                return Err("misaligned [:upper:] and/or [:lower:] construct".into());
            }
        }
        for (at, class) in &from.classes {
            let to = match to.classes.iter().find(|(start, _)| start == at) {
                Some((_, CharClass::Lower)) => ClassTo::Lower,
                Some(_) => ClassTo::Upper,
                None => ClassTo::Last,
            };
            classes.push((*class, to));
        }
        let mut single = FxHashMap::default();
        for (index, code) in from.codes.iter().enumerate() {
            match to.codes.get(index) {
                Some(to) => single.insert(*code, *to),
                None if cut => break,
                None => single.insert(*code, last),
            };
        }
        let complement = complement.then(|| first.set(true));
        Ok(Self { single, classes, complement, last })
    }

    fn apply(&self, code: u32) -> u32 {
        if let Some(set) = &self.complement {
            return if set.contains(code) { self.last } else { code };
        }
        if let Some(to) = self.single.get(&code) {
            return *to;
        }
        let Some(ch) = char::from_u32(code).filter(|ch| !ch.is_ascii()) else { return code };
        match self.classes.iter().rev().find(|(class, _)| class.contains(ch)) {
            Some((_, ClassTo::Last)) => self.last,
            Some((_, ClassTo::Lower)) => only(ch.to_lowercase(), code),
            Some((_, ClassTo::Upper)) => only(ch.to_uppercase(), code),
            None => code,
        }
    }
}

/// The one character a case mapping gives, or the character as it was.
fn only(mut forms: impl Iterator<Item = char>, code: u32) -> u32 {
    match (forms.next(), forms.next()) {
        (Some(form), None) => u32::from(form),
        _ => code,
    }
}
