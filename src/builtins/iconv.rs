//! `iconv`: text from one character encoding to another.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::operands_or_stdin;
use super::output;
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::vfs::OpenOptions;

/// `iconv`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "iconv",
    about: "convert text between character encodings",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('f', "from-code", "NAME", "the encoding of the input (UTF-8)"),
        Opt::value('t', "to-code", "NAME", "the encoding of the output (UTF-8)"),
        Opt::flag('c', "", "leave out what cannot be converted"),
        Opt::value('o', "output", "FILE", "write there"),
        Opt::flag('s', "silent", "ignored"),
        Opt::flag('l', "list", "print the names of encodings"),
    ],
    notes: "After NAME, //IGNORE is -c, and //TRANSLIT puts something like it where a character is\n\
            missing.",
    examples: &[Example {
        script: "printf 'caf\\351' | iconv -f ISO-8859-1 -t UTF-8",
        output: "café",
    }],
    ..Spec::DEFAULT
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Little,
    Big,
    /// Told by a mark at the start; written little, with one.
    Marked,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Utf8,
    Utf16(Order),
    Utf32(Order),
    Ascii,
    Latin1,
    Latin9,
    Windows1252,
}

/// Names of encodings in capitals and without signs; the first of each is the one that is listed.
const NAMES: &[(Encoding, &[&str])] = &[
    (Encoding::Utf8, &["UTF-8", "UTF8"]),
    (Encoding::Utf16(Order::Marked), &["UTF-16", "UTF16", "UCS2", "UCS-2"]),
    (Encoding::Utf16(Order::Little), &["UTF-16LE", "UTF16LE", "UCS2LE"]),
    (Encoding::Utf16(Order::Big), &["UTF-16BE", "UTF16BE", "UCS2BE"]),
    (Encoding::Utf32(Order::Marked), &["UTF-32", "UTF32", "UCS4"]),
    (Encoding::Utf32(Order::Little), &["UTF-32LE", "UTF32LE"]),
    (Encoding::Utf32(Order::Big), &["UTF-32BE", "UTF32BE"]),
    (Encoding::Ascii, &["ASCII", "USASCII", "ANSIX341968", "ISO646US", "646"]),
    (Encoding::Latin1, &["ISO-8859-1", "ISO88591", "LATIN1", "L1", "88591"]),
    (Encoding::Latin9, &["ISO-8859-15", "ISO885915", "LATIN9", "LATIN0"]),
    (Encoding::Windows1252, &["CP1252", "WINDOWS1252", "MSANSI"]),
];

/// Where ISO-8859-15 differs from ISO-8859-1.
const LATIN9: [(u8, char); 8] = [
    (0xa4, '€'),
    (0xa6, 'Š'),
    (0xa8, 'š'),
    (0xb4, 'Ž'),
    (0xb8, 'ž'),
    (0xbc, 'Œ'),
    (0xbd, 'œ'),
    (0xbe, 'Ÿ'),
];

/// What Windows-1252 has from 0x80 on; a blank where there is nothing.
const WINDOWS: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// What stands for characters that an encoding lacks.
const LIKENESS: &[(&str, &str)] = &[
    ("ÀÁÂÃÅĀĂĄ", "A"),
    ("àáâãåāăą", "a"),
    ("ÇĆĈĊČ", "C"),
    ("çćĉċč", "c"),
    ("ĎĐ", "D"),
    ("ďđ", "d"),
    ("ÈÉÊËĒĔĖĘĚ", "E"),
    ("èéêëēĕėęě", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ÌÍÎÏĨĪĬĮİ", "I"),
    ("ìíîïĩīĭįı", "i"),
    ("ĹĻĽŁ", "L"),
    ("ĺļľł", "l"),
    ("ÑŃŅŇ", "N"),
    ("ñńņň", "n"),
    ("ÒÓÔÕØŌŎŐ", "O"),
    ("òóôõøōŏő", "o"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠ", "S"),
    ("śŝşš", "s"),
    ("ŢŤ", "T"),
    ("ţť", "t"),
    ("ÙÚÛŨŪŬŮŰŲ", "U"),
    ("ùúûũūŭůűų", "u"),
    ("ÝŸ", "Y"),
    ("ýÿ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
    ("Ä", "A"),
    ("ä", "a"),
    ("Ö", "O"),
    ("ö", "o"),
    ("Ü", "U"),
    ("ü", "u"),
    ("ß", "ss"),
    ("Æ", "AE"),
    ("æ", "ae"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("€", "EUR"),
    ("‘’‚‹›", "'"),
    ("“”„", "\""),
    ("«", "<<"),
    ("»", ">>"),
    ("–—‐‑−", "-"),
    ("…", "..."),
    ("•", "o"),
    ("™", "(TM)"),
    ("©", "(C)"),
    ("®", "(R)"),
    ("×", "x"),
    ("\u{a0}", " "),
];

/// What happens to what cannot be converted.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Stop,
    Skip,
    Translate,
}

fn encoding(name: &str) -> Option<Encoding> {
    let plain = |name: &str| name.to_ascii_uppercase().replace(['-', '_', '.', ':'], "");
    let wanted = plain(name);
    let known = NAMES.iter().find(|(_, names)| names.iter().any(|known| plain(known) == wanted));
    known.map(|(encoding, _)| *encoding)
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.has("list") {
            for (_, names) in NAMES {
                cx.push_line(format!("{}//", names.first().copied().unwrap_or_default()));
            }
            return OK;
        }
        let from = args.text("from-code").unwrap_or_else(|| "UTF-8".into());
        let to = args.text("to-code").unwrap_or_else(|| "UTF-8".into());
        let mut missing = if args.has("c") { Missing::Skip } else { Missing::Stop };
        let (target, suffix) = to.split_once("//").unwrap_or((&to, ""));
        for word in suffix.split("//") {
            match word.to_ascii_uppercase().as_str() {
                "TRANSLIT" => missing = Missing::Translate,
                "IGNORE" => missing = Missing::Skip,
                _ => {}
            }
        }
        let source = from.split_once("//").map_or(from.as_str(), |(name, _)| name);
        let (Some(source_code), Some(target_code)) = (encoding(source), encoding(target)) else {
            let message = match encoding(source) {
                None if encoding(target).is_none() => {
                    format!("conversions from '{source}' and to '{target}' are not supported")
                }
                None => format!("conversion from '{source}' is not supported"),
                Some(_) => format!("conversion to '{target}' is not supported"),
            };
            return Err(cx.misuse(1, message));
        };
        convert_all(cx, args, (source_code, target_code, missing)).await
    }
    .boxed_local()
}

async fn convert_all(
    cx: &mut ExecContext,
    args: &Args,
    (from, to, missing): (Encoding, Encoding, Missing),
) -> Outcome {
    let mut writer = Writer { out: Vec::new(), encoding: to, missing };
    let mut failure = None;
    if matches!(to, Encoding::Utf16(Order::Marked) | Encoding::Utf32(Order::Marked)) {
        writer.unit('\u{feff}');
    }
    let mut status = 0;
    for operand in operands_or_stdin(args) {
        let stream = match super::input::open(cx, &operand).await {
            Ok(stream) => stream,
            Err(errno) => {
                cx.complain(format_args!("cannot open input file '{operand}': {errno}")).await?;
                status = 1;
                continue;
            }
        };
        let bytes = cx.read_all(&stream).await?;
        cx.checkpoint(u32::try_from(bytes.len() / 2).unwrap_or(u32::MAX)).await?;
        failure = decode(&bytes, from, missing, &mut |c| writer.put(c));
        if failure.is_some() {
            break;
        }
    }
    write(cx, args, &writer.out).await?;
    match failure {
        None => Reply::status(status),
        Some(Failure::Illegal(at)) => {
            Err(cx.fail(1, format_args!("illegal input sequence at position {at}")))
        }
        Some(Failure::Incomplete) => {
            Err(cx.fail(1, "incomplete character or shift sequence at end of buffer"))
        }
    }
}

async fn write(cx: &mut ExecContext, args: &Args, bytes: &[u8]) -> Result<(), Stop> {
    let Some(name) = args.text("output") else { return cx.write(bytes).await };
    match output::create(cx, &name, OpenOptions::WRITE).await {
        Ok(stream) => {
            stream.write_all(bytes).await?;
            output::close(&stream).await
        }
        Err(errno) => Err(cx.fail(1, format_args!("unable to open output file '{name}': {errno}"))),
    }
}

/// What ends a conversion.
enum Failure {
    /// At this byte.
    Illegal(usize),
    Incomplete,
}

/// Hands on every character; `put` answers whether it could be written.
fn decode(
    bytes: &[u8],
    from: Encoding,
    missing: Missing,
    put: &mut dyn FnMut(char) -> bool,
) -> Option<Failure> {
    let mut at = 0;
    let (mut rest, big) = strip_mark(bytes, from);
    at += bytes.len() - rest.len();
    while !rest.is_empty() {
        let (character, length) = match from {
            Encoding::Utf8 => decode_utf8(rest),
            Encoding::Utf16(_) => decode_utf16(rest, big),
            Encoding::Utf32(_) => decode_utf32(rest, big),
            single => (decode_byte(single, rest.first().copied().unwrap_or(0)), 1),
        };
        match character {
            Some(character) => {
                if !put(character) {
                    return Some(Failure::Illegal(at));
                }
            }
            None if length == 0 && missing != Missing::Skip => return Some(Failure::Incomplete),
            None if length == 0 => return None,
            None if missing == Missing::Skip => {}
            None => return Some(Failure::Illegal(at)),
        }
        at += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    None
}

/// The text behind a byte order mark, and whether the high byte comes first.
fn strip_mark(bytes: &[u8], from: Encoding) -> (&[u8], bool) {
    match from {
        Encoding::Utf16(Order::Marked) => match bytes {
            [0xff, 0xfe, rest @ ..] => (rest, false),
            [0xfe, 0xff, rest @ ..] => (rest, true),
            _ => (bytes, false),
        },
        Encoding::Utf32(Order::Marked) => match bytes {
            [0xff, 0xfe, 0, 0, rest @ ..] => (rest, false),
            [0, 0, 0xfe, 0xff, rest @ ..] => (rest, true),
            _ => (bytes, false),
        },
        Encoding::Utf16(Order::Big) | Encoding::Utf32(Order::Big) => (bytes, true),
        _ => (bytes, false),
    }
}

/// A character and its length; none where it is illegal, of length 0 where it is cut off.
fn decode_utf8(bytes: &[u8]) -> (Option<char>, usize) {
    let head = bytes.get(..4).unwrap_or(bytes);
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(error) => return (None, error.error_len().unwrap_or(0)),
    };
    let character = valid.chars().next();
    (character, character.map_or(0, char::len_utf8))
}

fn decode_utf16(bytes: &[u8], big: bool) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let pair = <[u8; 2]>::try_from(bytes.get(at..at + 2)?).ok()?;
        Some(u32::from(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }))
    };
    match (unit(0), unit(2)) {
        (None, _) | (Some(0xd800..=0xdbff), None) => (None, 0),
        (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => {
            let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(code), 4)
        }
        (Some(code), _) => (char::from_u32(code), 2),
    }
}

fn decode_utf32(bytes: &[u8], big: bool) -> (Option<char>, usize) {
    let Some(four) = bytes.get(..4).and_then(|four| <[u8; 4]>::try_from(four).ok()) else {
        return (None, 0);
    };
    let code = if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
    (char::from_u32(code), 4)
}

fn decode_byte(encoding: Encoding, byte: u8) -> Option<char> {
    match encoding {
        Encoding::Ascii => byte.is_ascii().then(|| char::from(byte)),
        Encoding::Latin9 => {
            let other = LATIN9.iter().find(|(known, _)| *known == byte);
            Some(other.map_or(char::from(byte), |(_, character)| *character))
        }
        Encoding::Windows1252 if (0x80..0xa0).contains(&byte) => {
            WINDOWS.chars().nth(usize::from(byte - 0x80)).filter(|c| *c != ' ')
        }
        _ => Some(char::from(byte)),
    }
}

fn encode_byte(encoding: Encoding, character: char) -> Option<u8> {
    let byte = u8::try_from(character).ok();
    match encoding {
        Encoding::Ascii => byte.filter(u8::is_ascii),
        Encoding::Latin9 => {
            let other = LATIN9.iter().find(|(_, known)| *known == character);
            let plain = byte.filter(|byte| !LATIN9.iter().any(|(known, _)| known == byte));
            other.map(|(byte, _)| *byte).or(plain)
        }
        Encoding::Windows1252 => {
            let index = WINDOWS.chars().position(|known| known == character && known != ' ');
            let high = index.and_then(|index| u8::try_from(0x80 + index).ok());
            high.or(byte.filter(|byte| !(0x80..0xa0).contains(byte)))
        }
        _ => byte,
    }
}

struct Writer {
    out: Vec<u8>,
    encoding: Encoding,
    missing: Missing,
}

impl Writer {
    /// Writes a character or what stands for it; `false` where that is not to be.
    fn put(&mut self, character: char) -> bool {
        if self.unit(character) {
            return true;
        }
        match self.missing {
            Missing::Stop => false,
            Missing::Skip => true,
            Missing::Translate => {
                let like = LIKENESS.iter().find(|(characters, _)| characters.contains(character));
                for other in like.map_or("?", |(_, text)| text).chars() {
                    self.unit(other);
                }
                true
            }
        }
    }

    /// Writes a character; `false` where the encoding lacks it.
    fn unit(&mut self, character: char) -> bool {
        match self.encoding {
            Encoding::Utf8 => {
                self.out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Encoding::Utf16(order) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let big = order == Order::Big;
                    let pair = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                    self.out.extend_from_slice(&pair);
                }
            }
            Encoding::Utf32(order) => {
                let code = u32::from(character);
                let four =
                    if order == Order::Big { code.to_be_bytes() } else { code.to_le_bytes() };
                self.out.extend_from_slice(&four);
            }
            single => match encode_byte(single, character) {
                Some(byte) => self.out.push(byte),
                None => return false,
            },
        }
        true
    }
}
