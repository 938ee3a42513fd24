//! The operands of `dd`, and what they come to.

use super::super::size::parse_size;
use crate::builtins::common::quoted;
use crate::tool::{Args, ExecContext, Stop};
use crate::value::EcoString;

/// What the operands say.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) input: Option<EcoString>,
    pub(super) output: Option<EcoString>,
    pub(super) sizes: Sizes,
    pub(super) convert: Convert,
    pub(super) open: Open,
    pub(super) report: Report,
}

/// Blocks and counts.
pub(super) struct Sizes {
    pub(super) input_block: usize,
    pub(super) output_block: usize,
    /// Whether `bs` gave both: blocks are then written as they were read.
    pub(super) as_read: bool,
    /// In blocks, or in bytes.
    pub(super) count: Option<(u64, bool)>,
    pub(super) skip: (u64, bool),
    pub(super) seek: (u64, bool),
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            input_block: 512,
            output_block: 512,
            as_read: false,
            count: None,
            skip: (0, false),
            seek: (0, false),
        }
    }
}

/// What is changed on the way.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent conversions")]
pub(super) struct Convert {
    pub(super) swap: bool,
    pub(super) upper: bool,
    pub(super) lower: bool,
    /// Short blocks are filled up with zeros.
    pub(super) pad: bool,
}

/// How files are opened and closed.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct Open {
    pub(super) keep_rest: bool,
    pub(super) append: bool,
    pub(super) must_be_new: bool,
    pub(super) must_exist: bool,
    pub(super) flush: bool,
    pub(super) full_blocks: bool,
}

/// What is said at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Report {
    #[default]
    All,
    WithoutRate,
    None,
}

/// Largest block.
const MAX_BLOCK: u64 = 256 << 20;

pub(super) fn read(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let mut plan = Plan::default();
    let (mut count_bytes, mut skip_bytes, mut seek_bytes) = (false, false, false);
    for word in args.operand_texts() {
        if word == "--" {
            continue;
        }
        if word.starts_with('-') && word.len() > 1 {
            return Err(cx.misuse(2, format_args!("unrecognized option '{word}'")));
        }
        let Some((name, value)) = word.split_once('=') else {
            return Err(cx.misuse(1, format_args!("unrecognized operand {}", quoted(&word))));
        };
        match name {
            "if" => plan.input = Some(value.into()),
            "of" => plan.output = Some(value.into()),
            "bs" => {
                let size = block(cx, value)?;
                plan.sizes.input_block = size;
                plan.sizes.output_block = size;
                plan.sizes.as_read = true;
            }
            "ibs" => plan.sizes.input_block = block(cx, value)?,
            "obs" => plan.sizes.output_block = block(cx, value)?,
            "cbs" => {
                block(cx, value)?;
            }
            "count" => plan.sizes.count = Some(number(cx, value)?),
            "skip" | "iseek" => plan.sizes.skip = number(cx, value)?,
            "seek" | "oseek" => plan.sizes.seek = number(cx, value)?,
            "conv" => {
                for word in value.split(',') {
                    conversion(cx, &mut plan, word)?;
                }
            }
            "iflag" | "oflag" => {
                for word in value.split(',') {
                    match word {
                        "fullblock" => plan.open.full_blocks = true,
                        "append" => plan.open.append = true,
                        "count_bytes" => count_bytes = true,
                        "skip_bytes" => skip_bytes = true,
                        "seek_bytes" => seek_bytes = true,
                        "direct" | "dsync" | "sync" | "nonblock" | "noatime" | "nocache"
                        | "noctty" | "nofollow" | "directory" => {}
                        _ => {
                            let what = if name == "iflag" { "input" } else { "output" };
                            let message = format!("invalid {what} flag: {}", quoted(word));
                            return Err(cx.misuse(1, message));
                        }
                    }
                }
            }
            "status" => {
                plan.report = match value {
                    "none" => Report::None,
                    "noxfer" => Report::WithoutRate,
                    "progress" => Report::All,
                    _ => {
                        let value = quoted(value);
                        return Err(cx.misuse(1, format_args!("invalid status level: {value}")));
                    }
                };
            }
            _ => {
                return Err(cx.misuse(1, format_args!("unrecognized operand {}", quoted(&word))));
            }
        }
    }
    if let Some((_, in_bytes)) = &mut plan.sizes.count {
        *in_bytes |= count_bytes;
    }
    plan.sizes.skip.1 |= skip_bytes;
    plan.sizes.seek.1 |= seek_bytes;
    if plan.convert.upper && plan.convert.lower {
        return Err(cx.fail(1, "cannot combine lcase and ucase"));
    }
    if plan.open.must_be_new && plan.open.must_exist {
        return Err(cx.fail(1, "cannot combine excl and nocreat"));
    }
    Ok(plan)
}

fn conversion(cx: &mut ExecContext, plan: &mut Plan, word: &str) -> Result<(), Stop> {
    match word {
        "notrunc" => plan.open.keep_rest = true,
        "excl" => plan.open.must_be_new = true,
        "nocreat" => plan.open.must_exist = true,
        "fsync" | "fdatasync" => plan.open.flush = true,
        "noerror" => {}
        "sync" => plan.convert.pad = true,
        "swab" => plan.convert.swap = true,
        "ucase" => plan.convert.upper = true,
        "lcase" => plan.convert.lower = true,
        _ => return Err(cx.misuse(1, format_args!("invalid conversion: {}", quoted(word)))),
    }
    Ok(())
}

/// A number, which factors multiply (`2x512`); whether it counts bytes (`10B`).
fn number(cx: &mut ExecContext, text: &str) -> Result<(u64, bool), Stop> {
    let in_bytes = text.ends_with('B')
        && !text.ends_with("iB")
        && text.len() > 1
        && text.as_bytes().get(text.len() - 2).is_some_and(u8::is_ascii_digit);
    let digits = if in_bytes { text.get(..text.len() - 1).unwrap_or(text) } else { text };
    let mut product = Some(1u64);
    for factor in digits.split('x') {
        let starts = factor.as_bytes().first().is_some_and(u8::is_ascii_digit);
        let value = match factor.strip_suffix('c').or_else(|| factor.strip_suffix('w')) {
            Some(rest) if starts => {
                let unit = if factor.ends_with('w') { 2 } else { 1 };
                rest.parse::<u64>().ok().and_then(|number| number.checked_mul(unit))
            }
            _ if starts => parse_size(factor),
            _ => None,
        };
        product = product.zip(value).and_then(|(a, b)| a.checked_mul(b));
    }
    product
        .map(|product| (product, in_bytes))
        .ok_or_else(|| cx.fail(1, format_args!("invalid number: {}", quoted(text))))
}

fn block(cx: &mut ExecContext, text: &str) -> Result<usize, Stop> {
    let (size, _) = number(cx, text)?;
    if size == 0 || size > MAX_BLOCK {
        let reason = if size == 0 { "" } else { ": larger than the limit of 256M" };
        return Err(cx.fail(1, format_args!("invalid number: {}{reason}", quoted(text))));
    }
    usize::try_from(size).map_err(|_| cx.fail(1, format_args!("invalid number: {}", quoted(text))))
}
