//! Words to options and operands by a spec, in GNU's manner: clusters, `--name=value`, prefixes.

use super::{Binding, Opt, Spec, Takes};
use crate::value::{EcoString, Value};

/// The parsed words of a call.
#[derive(Clone, Debug, Default)]
pub struct Args {
    given: Vec<(EcoString, Option<Value>)>,
    /// The operands, in order.
    pub operands: Vec<Value>,
    /// Whether `--json` was given.
    pub json: bool,
    /// Whether `--help` was given.
    pub help: bool,
}

/// Words that do not fit the spec; the text follows `name: `.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// No such long option.
    #[error("unrecognized option '--{0}'")]
    UnknownLong(EcoString),
    /// No such letter.
    #[error("invalid option '-{0}'")]
    UnknownLetter(char),
    /// A prefix of several long options.
    #[error("option '--{0}' is ambiguous; possibilities: {1}")]
    Ambiguous(EcoString, String),
    /// An option, written with its dashes, without its value.
    #[error("option '{0}' requires an argument")]
    MissingValue(EcoString),
    /// A value for an option that takes none.
    #[error("option '--{0}' doesn't allow an argument")]
    UnwantedValue(EcoString),
}

impl Args {
    /// Words that are all operands.
    pub fn raw(operands: Vec<Value>) -> Self {
        Self { operands, ..Self::default() }
    }

    /// Whether the option was given; `key` is its long name, or its letter where it has none.
    pub fn has(&self, key: &str) -> bool {
        self.given.iter().any(|(given, _)| given == key)
    }

    /// The last value given for an option.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.given.iter().rev().find(|(given, _)| given == key)?.1.as_ref()
    }

    /// The text of the last value given for an option.
    pub fn text(&self, key: &str) -> Option<EcoString> {
        self.value(key).map(Value::to_text_lossy)
    }

    /// Every value given for an option, in order.
    pub fn values(&self, key: &str) -> impl Iterator<Item = &Value> {
        self.given.iter().filter(move |(given, _)| given == key).filter_map(|(_, v)| v.as_ref())
    }

    /// Options in the order given, by key, with their values.
    pub fn given(&self) -> impl Iterator<Item = (&str, Option<&Value>)> {
        self.given.iter().map(|(key, value)| (key.as_str(), value.as_ref()))
    }

    /// The one of `keys` that was given last: for options that override each other.
    pub fn last_of<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        self.given.iter().rev().find_map(|(given, _)| keys.iter().copied().find(|key| given == key))
    }

    /// The text of operand `index`.
    pub fn operand(&self, index: usize) -> Option<EcoString> {
        self.operands.get(index).map(Value::to_text_lossy)
    }

    /// The texts of all operands.
    pub fn operand_texts(&self) -> Vec<EcoString> {
        self.operands.iter().map(Value::to_text_lossy).collect()
    }

    fn add(&mut self, option: &Opt<'_>, value: Option<Value>) {
        let key = if option.long.is_empty() {
            EcoString::from(option.letter)
        } else {
            EcoString::from(option.long)
        };
        self.given.push((key, value));
    }
}

/// Binds the words after the command name.
pub fn parse_args(spec: &Spec<'_>, words: &[Value]) -> Result<Args, UsageError> {
    let mut args = Args::default();
    match spec.binding {
        Binding::Raw => args.operands = words.to_vec(),
        Binding::Verbatim => bind_verbatim(words, &mut args),
        Binding::Anywhere | Binding::Leading => bind_options(spec, words, &mut args)?,
    }
    Ok(args)
}

fn bind_verbatim(words: &[Value], args: &mut Args) {
    for word in words {
        match word.as_str() {
            Some("--json") => args.json = true,
            Some("--help") if words.len() == 1 => args.help = true,
            _ => args.operands.push(word.clone()),
        }
    }
}

fn bind_options(spec: &Spec<'_>, words: &[Value], args: &mut Args) -> Result<(), UsageError> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = match word {
            Value::Text(text) => text.clone(),
            // A negative number is typed by now, but may still be `-5` for `head`.
            Value::Number(n) if !spec.typed => n.spelling(),
            _ => {
                args.operands.push(word.clone());
                continue;
            }
        };
        if spec.negatives && is_negative(&text) {
            args.operands.push(word.clone());
            continue;
        }
        if text == "--" {
            args.operands.extend(rest.cloned());
            return Ok(());
        }
        if let Some(long) = text.strip_prefix("--") {
            bind_long(spec, long, &mut rest, args)?;
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            bind_cluster(spec, cluster, &mut rest, args)?;
        } else {
            args.operands.push(word.clone());
            if spec.binding == Binding::Leading {
                args.operands.extend(rest.cloned());
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Whether a word begins like a negative number.
fn is_negative(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or("");
    digits.strip_prefix('.').unwrap_or(digits).starts_with(|c: char| c.is_ascii_digit())
}

fn bind_long<'w>(
    spec: &Spec<'_>,
    long: &str,
    rest: &mut impl Iterator<Item = &'w Value>,
    args: &mut Args,
) -> Result<(), UsageError> {
    let (name, value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(Value::text(value))),
        None => (long, None),
    };
    let option = match find_long(spec, name)? {
        Some(option) => option,
        None if name == "json" && value.is_none() => {
            args.json = true;
            return Ok(());
        }
        None if name == "help" && value.is_none() => {
            args.help = true;
            return Ok(());
        }
        None => return Err(UsageError::UnknownLong(name.into())),
    };
    let missing = || UsageError::MissingValue(format!("--{}", option.long).into());
    let value = match (option.takes, value) {
        (Takes::Nothing, Some(_)) => return Err(UsageError::UnwantedValue(option.long.into())),
        (Takes::Pair(_), first) => {
            let first = first.or_else(|| rest.next().cloned()).ok_or_else(missing)?;
            let second = rest.next().cloned().ok_or_else(missing)?;
            Some(Value::List([first, second].into_iter().collect()))
        }
        (Takes::Value(_), None) => {
            let next = rest.next().cloned();
            Some(next.ok_or_else(missing)?)
        }
        (_, value) => value,
    };
    args.add(option, value);
    Ok(())
}

fn find_long<'s>(spec: &Spec<'s>, name: &str) -> Result<Option<&'s Opt<'s>>, UsageError> {
    if let Some(exact) = spec.options.iter().find(|option| option.long == name) {
        return Ok(Some(exact).filter(|_| !name.is_empty()));
    }
    if name == "json" || name == "help" {
        return Ok(None);
    }
    let mut matches = spec.options.iter().filter(|option| option.long.starts_with(name));
    let first = matches.next();
    if first.is_some() && matches.next().is_some() {
        let names: Vec<String> = spec
            .options
            .iter()
            .filter(|option| option.long.starts_with(name))
            .map(|option| format!("'--{}'", option.long))
            .collect();
        return Err(UsageError::Ambiguous(name.into(), names.join(" ")));
    }
    Ok(first)
}

fn bind_cluster<'w>(
    spec: &Spec<'_>,
    cluster: &str,
    rest: &mut impl Iterator<Item = &'w Value>,
    args: &mut Args,
) -> Result<(), UsageError> {
    if !spec.digits.is_empty() && cluster.bytes().all(|b| b.is_ascii_digit()) {
        args.given.push((spec.digits.into(), Some(Value::text(cluster))));
        return Ok(());
    }
    for (at, letter) in cluster.char_indices() {
        let option = spec.options.iter().find(|option| option.letter == letter);
        let option = option.ok_or(UsageError::UnknownLetter(letter))?;
        let attached = cluster.get(at + letter.len_utf8()..).filter(|text| !text.is_empty());
        let value = match option.takes {
            Takes::Nothing | Takes::Pair(_) => {
                args.add(option, None);
                continue;
            }
            Takes::Optional(_) => attached.map(Value::from),
            Takes::Value(_) => match attached {
                Some(text) => Some(Value::from(text)),
                None => {
                    let next = rest.next().cloned();
                    Some(next.ok_or_else(|| UsageError::MissingValue(format!("-{letter}").into()))?)
                }
            },
        };
        args.add(option, value);
        break;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: Spec = Spec {
        name: "t",
        options: &[
            Opt::flag('n', "number", ""),
            Opt::value('k', "key", "K", ""),
            Opt::optional('i', "", "SUFFIX", ""),
            Opt::value('c', "count", "N", ""),
        ],
        digits: "count",
        ..Spec::DEFAULT
    };

    fn check(words: &[&str], expect: &str) {
        let words: Vec<Value> = words.iter().map(|word| Value::from(*word)).collect();
        let got = match parse_args(&SPEC, &words) {
            Err(error) => error.to_string(),
            Ok(args) => {
                let given: Vec<String> = args
                    .given()
                    .map(|(key, value)| match value {
                        Some(value) => format!("{key}={}", value.to_text_lossy()),
                        None => key.to_string(),
                    })
                    .collect();
                format!("{} | {}", given.join(" "), args.operand_texts().join(" "))
            }
        };
        assert_eq!(got, expect);
    }

    #[test]
    fn gnu_manner() {
        check(&["a", "-nk1", "b", "--", "-x"], "number key=1 | a b -x");
        check(&["-k", "2", "--key=3", "--ke", "4"], "key=2 key=3 key=4 | ");
        check(&["-i", "a"], "i | a");
        check(&["-i.bak", "-5", "-"], "i=.bak count=5 | -");
        check(&["-z"], "invalid option '-z'");
        check(&["--zip"], "unrecognized option '--zip'");
        check(&["-k"], "option '-k' requires an argument");
        check(&["--number=3"], "option '--number' doesn't allow an argument");
    }
}
