//! `checksum` and its namesakes by algorithm: digests of files, made and verified.

mod digest;
mod verify;

use futures::future::{FutureExt, LocalBoxFuture};

use self::digest::{Algorithm, digest};
use super::common::quoted;
use super::input::operands_or_stdin;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `checksum`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "checksum",
        about: "print or verify digests of files",
        topic: Topic::Files,
        operands: "[FILE]...",
        options: &[
            Opt::value('a', "algorithm", "ALG", "md5, sha1, sha224, sha256, sha384, sha512"),
            Opt::flag('\0', "md5", "the same as -a md5"),
            Opt::flag('\0', "sha1", "the same as -a sha1"),
            Opt::flag('\0', "sha224", "the same as -a sha224"),
            Opt::flag('\0', "sha256", "the same as -a sha256, which is the default"),
            Opt::flag('\0', "sha384", "the same as -a sha384"),
            Opt::flag('\0', "sha512", "the same as -a sha512"),
            CHECK,
            BINARY,
            TEXT,
            TAG,
            ZERO,
            QUIET,
            STATUS,
            STRICT,
            WARN,
            IGNORE_MISSING,
        ],
        notes: NOTES,
        examples: &[Example {
            script: "printf abc > f; checksum --md5 f",
            output: "900150983cd24fb0d6963f7d28e17f72  f\n",
        }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(checksum),
};

const CHECK: Opt<'static> = Opt::flag('c', "check", "verify the digests listed in the FILEs");
const BINARY: Opt<'static> = Opt::flag('b', "binary", "mark names with *");
const TEXT: Opt<'static> = Opt::flag('t', "text", "mark names with a blank, which is the default");
const TAG: Opt<'static> = Opt::flag('\0', "tag", "with the algorithm: MD5 (f) = ...");
const ZERO: Opt<'static> = Opt::flag('z', "zero", "end each line with NUL, not newline");
const QUIET: Opt<'static> = Opt::flag('\0', "quiet", "with -c: no OK lines");
const STATUS: Opt<'static> = Opt::flag('\0', "status", "with -c: only the status");
const STRICT: Opt<'static> = Opt::flag('\0', "strict", "with -c: a malformed line is a failure");
const WARN: Opt<'static> = Opt::flag('w', "warn", "with -c: tell of malformed lines");
const IGNORE_MISSING: Opt<'static> =
    Opt::flag('\0', "ignore-missing", "with -c: no failure for missing files");

const NOTES: &str = "A line is the digest, two blanks and the name. --json: a list of such lines.";

const NAMESAKE: Spec = Spec {
    topic: Topic::Files,
    operands: "[FILE]...",
    options: &[CHECK, BINARY, TEXT, TAG, ZERO, QUIET, STATUS, STRICT, WARN, IGNORE_MISSING],
    notes: NOTES,
    ..Spec::DEFAULT
};

/// `md5sum`
pub(super) const MD5SUM: Builtin = Builtin {
    spec: Spec {
        name: "md5sum",
        about: "print or verify MD5 digests of files",
        examples: &[Example {
            script: "printf abc | md5sum",
            output: "900150983cd24fb0d6963f7d28e17f72  -\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(md5sum),
};

/// `sha1sum`
pub(super) const SHA1SUM: Builtin = Builtin {
    spec: Spec {
        name: "sha1sum",
        about: "print or verify SHA-1 digests of files",
        examples: &[Example {
            script: "printf abc | sha1sum",
            output: "a9993e364706816aba3e25717850c26c9cd0d89d  -\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(sha1sum),
};

/// `sha224sum`
pub(super) const SHA224SUM: Builtin = Builtin {
    spec: Spec {
        name: "sha224sum",
        about: "print or verify SHA-224 digests of files",
        examples: &[Example {
            script: "printf abc | sha224sum",
            output: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7  -\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(sha224sum),
};

/// `sha256sum`
pub(super) const SHA256SUM: Builtin = Builtin {
    spec: Spec {
        name: "sha256sum",
        about: "print or verify SHA-256 digests of files",
        examples: &[Example {
            script: "printf abc > f; sha256sum f | sha256sum -c",
            output: "f: OK\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(sha256sum),
};

/// `sha384sum`
pub(super) const SHA384SUM: Builtin = Builtin {
    spec: Spec {
        name: "sha384sum",
        about: "print or verify SHA-384 digests of files",
        examples: &[Example {
            script: "printf abc > f; sha384sum f | sha384sum -c",
            output: "f: OK\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(sha384sum),
};

/// `sha512sum`
pub(super) const SHA512SUM: Builtin = Builtin {
    spec: Spec {
        name: "sha512sum",
        about: "print or verify SHA-512 digests of files",
        examples: &[Example {
            script: "printf abc > f; sha512sum f | sha512sum -c",
            output: "f: OK\n",
        }],
        ..NAMESAKE
    },
    run: Run::Wait(sha512sum),
};

macro_rules! namesakes {
    ($($name:ident => $algorithm:ident),* $(,)?) => {
        $(fn $name<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
            run(cx, args, Algorithm::$algorithm).boxed_local()
        })*
    };
}

namesakes! {
    md5sum => Md5,
    sha1sum => Sha1,
    sha224sum => Sha224,
    sha256sum => Sha256,
    sha384sum => Sha384,
    sha512sum => Sha512,
}

fn checksum<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let keys = ["algorithm", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
        let name: EcoString = match args.last_of(&keys) {
            Some("algorithm") => args.text("algorithm").unwrap_or_default(),
            Some(key) => key.into(),
            None => "sha256".into(),
        };
        match Algorithm::from_name(&name) {
            Some(algorithm) => run(cx, args, algorithm).await,
            None => {
                let name = quoted(&name);
                let choices = "one of md5, sha1, sha224, sha256, sha384, sha512";
                Err(cx.misuse(1, format_args!("unknown algorithm {name}: {choices}")))
            }
        }
    }
    .boxed_local()
}

async fn run(cx: &mut ExecContext, args: &Args, algorithm: Algorithm) -> Outcome {
    if args.has("check") {
        return verify::run(cx, args, algorithm).await;
    }
    for key in ["quiet", "status", "strict", "warn", "ignore-missing"] {
        if args.has(key) {
            let message = format!("the --{key} option is meaningful only when verifying checksums");
            return Err(cx.misuse(1, message));
        }
    }
    let mut ok = true;
    for name in operands_or_stdin(args) {
        let Some(digest) = of_file(cx, &name, algorithm).await? else {
            ok = false;
            continue;
        };
        let line = line(args, &name, algorithm, &digest);
        cx.write(line.as_bytes()).await?;
    }
    Reply::success(ok)
}

/// The digest of an operand; `None` where it can't be read, which is reported.
async fn of_file(
    cx: &mut ExecContext,
    name: &str,
    algorithm: Algorithm,
) -> Result<Option<String>, Stop> {
    let Some(stream) = cx.open_input(name).await? else { return Ok(None) };
    match digest(cx, &stream, algorithm).await {
        Ok(digest) => Ok(Some(digest)),
        Err(Stop::Io(errno)) => {
            cx.complain(format_args!("{name}: {errno}")).await?;
            Ok(None)
        }
        Err(stop) => Err(stop),
    }
}

fn line(args: &Args, name: &str, algorithm: Algorithm, digest: &str) -> String {
    let end = if args.has("zero") { '\0' } else { '\n' };
    let (lead, shown) = if args.has("zero") { ("", name.to_owned()) } else { escaped(name) };
    if args.has("tag") {
        return format!("{lead}{} ({shown}) = {digest}{end}", algorithm.tag());
    }
    let mark = if args.last_of(&["binary", "text"]) == Some("binary") { '*' } else { ' ' };
    format!("{lead}{digest} {mark}{shown}{end}")
}

/// A name with its backslashes and line ends escaped, and the backslash that says so.
fn escaped(name: &str) -> (&'static str, String) {
    if !name.contains(['\\', '\n', '\r']) {
        return ("", name.to_owned());
    }
    let name = name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    ("\\", name)
}
