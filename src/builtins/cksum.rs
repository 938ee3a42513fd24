//! `cksum` and `sum`: the check sums of POSIX and of old systems.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::operands_or_stdin;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `cksum`
pub(super) const CKSUM: Builtin = Builtin {
    spec: Spec {
        name: "cksum",
        about: "print the CRC and size of files",
        topic: Topic::Files,
        operands: "[FILE]...",
        notes: "Other digests: checksum, sha256sum and the like.",
        examples: &[Example { script: "printf abc | cksum", output: "1219131554 3\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(cksum),
};

/// `sum`
pub(super) const SUM: Builtin = Builtin {
    spec: Spec {
        name: "sum",
        about: "print an old check sum and the number of blocks of files",
        topic: Topic::Files,
        operands: "[FILE]...",
        options: &[
            Opt::flag('r', "", "the sum of BSD, blocks of 1024 bytes (the default)"),
            Opt::flag('s', "sysv", "the sum of System V, blocks of 512 bytes"),
        ],
        examples: &[Example { script: "printf abc | sum", output: "16556     1\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(sum),
};

/// What is made of the bytes of a file, one by one.
#[derive(Clone, Copy)]
enum Sum {
    Crc,
    Bsd,
    SystemV,
}

impl Sum {
    fn add(self, state: u32, byte: u8) -> u32 {
        match self {
            Self::Crc => crc(state, byte),
            Self::Bsd => {
                let rotated = (state >> 1) | ((state & 1) << 15);
                (rotated + u32::from(byte)) & 0xffff
            }
            Self::SystemV => state.wrapping_add(u32::from(byte)),
        }
    }

    /// The line of a file, without its name.
    fn line(self, mut state: u32, length: u64) -> String {
        match self {
            Self::Crc => {
                // The length counts too, its lowest byte first.
                let mut rest = length;
                while rest > 0 {
                    state = crc(state, rest.to_le_bytes()[0]);
                    rest >>= 8;
                }
                format!("{} {length}", !state)
            }
            Self::Bsd => format!("{state:05} {:5}", length.div_ceil(1024)),
            Self::SystemV => {
                let folded = (state & 0xffff) + (state >> 16);
                let folded = (folded & 0xffff) + (folded >> 16);
                format!("{folded} {}", length.div_ceil(512))
            }
        }
    }
}

/// One step of the CRC with the polynomial of Ethernet, the highest bit first.
fn crc(state: u32, byte: u8) -> u32 {
    TABLE[usize::from(state.to_be_bytes()[0] ^ byte)] ^ (state << 8)
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut state = (index as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            state = if state >> 31 == 1 { (state << 1) ^ 0x04c1_1db7 } else { state << 1 };
            bit += 1;
        }
        table[index] = state;
        index += 1;
    }
    table
}

fn cksum<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    each(cx, args, Sum::Crc)
}

fn sum<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    let is_system_v = args.last_of(&["r", "sysv"]) == Some("sysv");
    each(cx, args, if is_system_v { Sum::SystemV } else { Sum::Bsd })
}

fn each<'a>(cx: &'a mut ExecContext, args: &'a Args, sum: Sum) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut failed = false;
        let names = !args.operands.is_empty();
        for operand in operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                failed = true;
                continue;
            };
            let line = digest(cx, sum, &stream).await?;
            cx.push_line(if names { format!("{line} {operand}") } else { line });
        }
        Reply::success(!failed)
    }
    .boxed_local()
}

async fn digest(cx: &mut ExecContext, sum: Sum, stream: &Stream) -> Result<String, Stop> {
    let (mut state, mut length) = (0, 0u64);
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(sum.line(state, length));
        }
        length += chunk.len() as u64;
        state = chunk.iter().fold(state, |state, byte| sum.add(state, *byte));
    }
}
