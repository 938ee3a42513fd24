//! Variable names: Unicode identifiers and emoji sequences, invisible characters, mixed scripts.

use crate::value::EcoString;

/// Whether the whole text is a name.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

/// The length in bytes of the name at the start of the text; 0 for none.
pub(super) fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {}
        Some(b) if b.is_ascii() => return 0,
        Some(_) => {
            return if starts_identifier(text) {
                identifier_length(text)
            } else {
                emoji_length(text)
            };
        }
        None => return 0,
    }
    let n = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    if bytes.get(n).is_some_and(|b| !b.is_ascii()) { identifier_length(text) } else { n }
}

fn starts_identifier(text: &str) -> bool {
    text.chars().next().is_some_and(|c| unicode_ident::is_xid_start(c) && invisible(c).is_none())
}

fn identifier_length(text: &str) -> usize {
    let continues = |c: char| unicode_ident::is_xid_continue(c) && invisible(c).is_none();
    text.find(|c| !continues(c)).unwrap_or(text.len())
}

/// The length of a run of emoji with their modifiers and joiners.
fn emoji_length(text: &str) -> usize {
    let mut length = 0;
    let mut joinable = false;
    for c in text.chars() {
        let modifier = matches!(c, '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}');
        let joiner = c == '\u{200d}';
        if !(is_emoji(c) || (joinable && (modifier || joiner))) {
            break;
        }
        joinable = !joiner;
        length += c.len_utf8();
    }
    length
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21aa}' | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{27bf}'
        | '\u{2934}' | '\u{2935}' | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}'
        | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// The name as it is stored: composed (NFC).
pub(super) fn normalise(name: &str) -> EcoString {
    if name.is_ascii() { name.into() } else { super::nfc::compose(name) }
}

/// What an invisible character is called; `None` for all that can be seen.
pub fn invisible(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' | '\u{202f}' | '\u{2007}' => "a no-break space",
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{1680}' | '\u{3000}' => {
            "a space that is no blank"
        }
        '\u{200b}' | '\u{2060}' | '\u{feff}' => "a zero-width space",
        '\u{200c}' | '\u{200d}' | '\u{34f}' => "a zero-width joiner",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a text direction control"
        }
        '\u{ad}' => "a soft hyphen",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "a filler",
        '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180f}' | '\u{e0100}'..='\u{e01ef}' => {
            "a variation selector"
        }
        '\u{2061}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => "an invisible format character",
        '\u{80}'..='\u{9f}' | '\u{1}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\0' => {
            "a control character"
        }
        _ => return None,
    })
}

/// Whether a name mixes scripts beyond what UAX #39 calls highly restrictive.
pub(super) fn mixes_scripts(name: &str) -> bool {
    if name.is_ascii() {
        return false;
    }
    const LATIN: u64 = 1 << Script::Latin as u32;
    const HAN: u64 = 1 << Script::Han as u32;
    const JAPANESE: u64 = LATIN | HAN | 1 << Script::Hiragana as u32 | 1 << Script::Katakana as u32;
    const CHINESE: u64 = LATIN | HAN | 1 << Script::Bopomofo as u32;
    const KOREAN: u64 = LATIN | HAN | 1 << Script::Hangul as u32;
    let set = name.chars().filter_map(script).fold(0u64, |set, s| set | 1 << s as u32);
    let within = |allowed: u64| set & !allowed == 0;
    set.count_ones() > 1 && !within(JAPANESE) && !within(CHINESE) && !within(KOREAN)
}

/// Scripts that names are written in.
#[derive(Clone, Copy)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Indic,
    Thai,
    Lao,
    Tibetan,
    Myanmar,
    Georgian,
    Hangul,
    Ethiopic,
    Cherokee,
    Khmer,
    Mongolian,
    Hiragana,
    Katakana,
    Bopomofo,
    Han,
}

/// The script of a character by its block; `None` for what all scripts share.
fn script(c: char) -> Option<Script> {
    Some(match c {
        'A'..='Z'
        | 'a'..='z'
        | '\u{aa}'
        | '\u{ba}'
        | '\u{c0}'..='\u{2af}'
        | '\u{1d00}'..='\u{1dbf}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}'
        | '\u{a720}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}'
        | '\u{ff21}'..='\u{ff5a}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}'
        | '\u{1c80}'..='\u{1c8f}'
        | '\u{2de0}'..='\u{2dff}'
        | '\u{a640}'..='\u{a69f}' => Script::Cyrillic,
        '\u{531}'..='\u{58f}' => Script::Armenian,
        '\u{590}'..='\u{5ff}' => Script::Hebrew,
        '\u{600}'..='\u{6ff}'
        | '\u{750}'..='\u{77f}'
        | '\u{8a0}'..='\u{8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' => Script::Arabic,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{980}'..='\u{dff}' => Script::Indic,
        '\u{e00}'..='\u{e7f}' => Script::Thai,
        '\u{e80}'..='\u{eff}' => Script::Lao,
        '\u{f00}'..='\u{fff}' => Script::Tibetan,
        '\u{1000}'..='\u{109f}' => Script::Myanmar,
        '\u{10a0}'..='\u{10ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{2d00}'..='\u{2d2f}' => {
            Script::Georgian
        }
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
            Script::Hangul
        }
        '\u{1200}'..='\u{139f}' => Script::Ethiopic,
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Script::Cherokee,
        '\u{1780}'..='\u{17ff}' => Script::Khmer,
        '\u{1800}'..='\u{18af}' => Script::Mongolian,
        '\u{3041}'..='\u{309f}' => Script::Hiragana,
        '\u{30a1}'..='\u{30fa}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => {
            Script::Katakana
        }
        '\u{3105}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' => Script::Bopomofo,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'
        | '\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}' => Script::Han,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(&text[..name_length(text)], expect, "{text}");
    }

    #[test]
    fn names() {
        check("abc_1-d", "abc_1");
        check("1a", "");
        check("café=1", "café");
        check("名=x", "名");
        check("😺=cat", "😺");
        check("👩\u{200d}🚀x", "👩\u{200d}🚀");
        check("x\u{200b}y", "x");
        check("x\u{a0}y", "x");
        check("-", "");
    }

    #[test]
    fn normalised() {
        let check = |name: &str, expect: &str| assert_eq!(normalise(name), expect, "{name:?}");
        check("cafe\u{301}", "café");
        check("a\u{323}\u{302}", "\u{1ead}");
        check("a\u{302}\u{323}", "\u{1ead}");
        check("q\u{307}\u{323}", "q\u{323}\u{307}");
        check("\u{1100}\u{1161}\u{11a8}", "각");
        check("\u{212b}", "\u{c5}");
        check("\u{958}", "\u{915}\u{93c}");
        check("e\u{327}\u{301}", "\u{229}\u{301}");
        for name in ["名", "привет", "ünï"] {
            check(name, name);
        }
    }

    #[test]
    fn mixed_scripts() {
        for name in ["PАTH2", "αbc", "latinعرب"] {
            assert!(mixes_scripts(name), "{name}");
        }
        for name in ["PATH", "café", "привет_1", "東京tower", "カタカナ名x", "한글han", "😺", "αβγ"]
        {
            assert!(!mixes_scripts(name), "{name}");
        }
    }
}
