//! `stat`: what is known of files.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{OWNER, OWNER_ID, disk_size, mode_letters, quoted, shown_size, strftime};
use crate::tool::{
    Args, Builtin, Example, ExecContext, MountInfo, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, Record, Value};
use crate::vfs::{FileKind, Metadata};

/// `stat`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "stat",
    about: "print what is known of files",
    topic: Topic::Files,
    operands: "FILE...",
    arity: (1, usize::MAX),
    options: &[
        Opt::value('c', "format", "FORMAT", "in this format, with a newline behind"),
        Opt::value('\0', "printf", "FORMAT", "in this format, with escapes and no newline"),
        Opt::flag('L', "dereference", "what links point to, not links"),
        Opt::flag('f', "file-system", "the mount, not the file"),
        Opt::flag('t', "terse", "everything on one line"),
    ],
    notes: "FORMAT: %n name %N quoted %s size %F kind %a octal mode %A letters %y %Y time and \
        seconds %h links %i inode %b blocks %B bytes of each %d device %u %U owner %g %G group; \
        with -f: %n name %T kind %b %f %a blocks, free, available %S bytes of each %m mount.\n\
        --json: a list of records.",
    examples: &[Example {
        script: "printf abc > f; stat -c '%n %s %F' f",
        output: "f 3 regular file\n",
    }],
    ..Spec::DEFAULT
};

const DEFAULT: &str = "  File: %n\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n\
    Device: %d\tInode: %-11i Links: %h\n\
    Access: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n\
    Access: %x\nModify: %y\nChange: %z\n Birth: %w\n";

const TERSE: &str = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";

const MOUNT_DEFAULT: &str = "  File: \"%n\"\n    ID: %i Namelen: %l     Type: %T\n\
    Block size: %-10s Fundamental block size: %S\nBlocks: Total: %-10b Free: %-10f Available: %a\n\
    Inodes: Total: %-10c Free: %d\n";

const MOUNT_TERSE: &str = "%n %i %l %t %s %S %b %f %a %c %d\n";

/// What a format is about.
struct Subject {
    name: EcoString,
    metadata: Metadata,
    target: Option<String>,
    mount: Option<MountInfo>,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let of_mount = args.has("file-system");
        let given = args.last_of(&["format", "printf"]);
        let mut format = match given {
            Some("format") => format!("{}\n", args.text("format").unwrap_or_default()),
            Some(_) => unescape(&args.text("printf").unwrap_or_default()),
            None => match (of_mount, args.has("terse")) {
                (false, false) => DEFAULT.to_owned(),
                (false, true) => TERSE.to_owned(),
                (true, false) => MOUNT_DEFAULT.to_owned(),
                (true, true) => MOUNT_TERSE.to_owned(),
            },
        };
        if format.is_empty() {
            format.push('\n');
        }
        let mut ok = true;
        let mut list = EcoVec::new();
        for name in args.operand_texts() {
            cx.checkpoint(20).await?;
            let Some(subject) = subject(cx, args, &name).await? else {
                ok = false;
                continue;
            };
            if args.json {
                list.push(json(&subject));
            } else {
                cx.write(show(&format, &subject, of_mount).as_bytes()).await?;
            }
        }
        if args.json {
            cx.answer(Value::List(list));
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn subject(
    cx: &mut ExecContext,
    args: &Args,
    name: &EcoString,
) -> Result<Option<Subject>, Stop> {
    let path = cx.resolve(name);
    let fs = Rc::clone(cx.backend());
    let of_mount = args.has("file-system");
    let found = if args.has("dereference") || of_mount {
        fs.stat(&path).await
    } else {
        fs.lstat(&path).await
    };
    let metadata = match found {
        Ok(metadata) => metadata,
        Err(error) => {
            let what = if of_mount { "read file system information for" } else { "statx" };
            let (name, errno) = (quoted(name), error.errno());
            cx.complain(format_args!("cannot {what} {name}: {errno}")).await?;
            return Ok(None);
        }
    };
    let target = if metadata.is_symlink() {
        fs.read_link(&path).await.ok().map(|target| target.as_str().to_owned())
    } else {
        None
    };
    let mount = match fs.canonicalize(&path, true).await {
        Ok(path) => {
            let mounts = fs.mounts().into_iter().filter(|mount| path.starts_with(&mount.path));
            mounts.max_by_key(|mount| mount.path.as_str().len())
        }
        Err(_) => None,
    };
    Ok(Some(Subject { name: name.clone(), metadata, target, mount }))
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\u{7}'),
            Some('e') => out.push('\u{1b}'),
            Some('0') => out.push('\0'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

fn show(format: &str, subject: &Subject, of_mount: bool) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let letters = after.trim_start_matches(['-', '0', '+', ' ', '#', '\'']);
        let flags = after.get(..after.len() - letters.len()).unwrap_or_default();
        let tail = letters.trim_start_matches(|c: char| c.is_ascii_digit());
        let width = letters.get(..letters.len() - tail.len()).unwrap_or_default();
        let mut chars = tail.chars();
        match chars.next() {
            Some('%') if flags.is_empty() && width.is_empty() => out.push('%'),
            Some(letter) => {
                let text =
                    if of_mount { mount_field(subject, letter) } else { field(subject, letter) };
                push_padded(&mut out, &text, flags, width.parse().unwrap_or(0), letter);
            }
            None => out.push('%'),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

fn push_padded(out: &mut String, text: &str, flags: &str, width: usize, letter: char) {
    let missing = width.min(4096).saturating_sub(text.chars().count());
    let is_number = !"nNFAUGTxyzwm".contains(letter);
    let fill = if flags.contains('0') && is_number && !flags.contains('-') { '0' } else { ' ' };
    if flags.contains('-') {
        out.push_str(text);
    }
    out.extend(std::iter::repeat_n(fill, missing));
    if !flags.contains('-') {
        out.push_str(text);
    }
}

fn field(subject: &Subject, letter: char) -> String {
    let metadata = &subject.metadata;
    match letter {
        'n' => subject.name.to_string(),
        'N' => match &subject.target {
            Some(target) => format!("{} -> {}", quoted(&subject.name), quoted(target)),
            None => quoted(&subject.name),
        },
        's' => shown_size(metadata).to_string(),
        'F' => kind(metadata).into(),
        'a' => format!("{:o}", metadata.mode),
        'A' => mode_letters(metadata.kind, metadata.mode),
        'f' => format!("{:x}", type_bits(metadata.kind) | metadata.mode),
        'b' => (disk_size(metadata) / 512).to_string(),
        'B' => "512".into(),
        'o' => "4096".into(),
        'h' => metadata.links.to_string(),
        'i' => metadata.inode.to_string(),
        'd' => metadata.device.to_string(),
        'D' => format!("{:x}", metadata.device),
        'u' | 'g' => OWNER_ID.into(),
        'U' | 'G' => OWNER.into(),
        'x' | 'y' | 'z' => strftime("%Y-%m-%d %H:%M:%S.%N %z", metadata.modified),
        'X' | 'Y' | 'Z' => metadata.modified.seconds.to_string(),
        'w' => "-".into(),
        'W' | 't' | 'T' | 'r' | 'R' => "0".into(),
        'm' => mount_point(subject),
        'C' | 'E' => "?".into(),
        other => format!("?{other}").chars().take(1).collect(),
    }
}

fn mount_point(subject: &Subject) -> String {
    subject.mount.as_ref().map_or_else(|| "?".into(), |mount| mount.path.to_string())
}

fn mount_field(subject: &Subject, letter: char) -> String {
    let usage = subject.mount.as_ref().and_then(|mount| mount.usage);
    let blocks = |bytes: u64| (bytes / super::common::BLOCK).to_string();
    match letter {
        'n' => subject.name.to_string(),
        'i' => subject.metadata.device.to_string(),
        'l' => crate::vfs::MAX_NAME.to_string(),
        'T' => subject.mount.as_ref().map_or_else(|| "?".into(), |mount| mount.kind.to_string()),
        't' => "0".into(),
        's' | 'S' => super::common::BLOCK.to_string(),
        'b' => blocks(usage.map_or(0, |(used, free)| used.saturating_add(free))),
        'f' | 'a' => blocks(usage.map_or(0, |(_, free)| free)),
        'c' | 'd' => "0".into(),
        'm' => mount_point(subject),
        _ => "?".into(),
    }
}

/// The kind in words.
pub(super) fn kind(metadata: &Metadata) -> &'static str {
    match metadata.kind {
        FileKind::File if metadata.len == 0 => "regular empty file",
        FileKind::File => "regular file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symbolic link",
        FileKind::Device => "character special file",
    }
}

fn type_bits(kind: FileKind) -> u32 {
    match kind {
        FileKind::File => 0o100_000,
        FileKind::Directory => 0o040_000,
        FileKind::Symlink => 0o120_000,
        FileKind::Device => 0o020_000,
    }
}

fn json(subject: &Subject) -> Value {
    let metadata = &subject.metadata;
    let number = |n: u64| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    let mut record = Record::default();
    record.insert("name".into(), Value::Text(subject.name.clone()));
    record.insert("kind".into(), Value::from(kind(metadata)));
    record.insert("size".into(), number(metadata.len));
    record.insert("mode".into(), Value::from(format!("{:04o}", metadata.mode)));
    record.insert("modified".into(), Value::from(strftime("%FT%T.%3NZ", metadata.modified)));
    record.insert("mtime".into(), Value::int(metadata.modified.seconds));
    record.insert("links".into(), number(u64::from(metadata.links)));
    record.insert("inode".into(), number(metadata.inode));
    record.insert("device".into(), number(metadata.device));
    if let Some(target) = &subject.target {
        record.insert("target".into(), Value::from(target.as_str()));
    }
    if let Some(mount) = &subject.mount {
        record.insert("mount".into(), Value::from(mount.path.as_str()));
    }
    Value::Record(Rc::new(record))
}
