//! `file`: what files hold, by their first bytes.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::below_directory;
use super::dirname::parent_of;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, ReadRange, Reply, Run, Spec, Topic,
};
use crate::value::from_json;
use crate::vfs::FileKind;

/// `file`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "file",
    about: "tell what files hold",
    topic: Topic::Files,
    operands: "FILE...",
    arity: (1, usize::MAX),
    options: &[
        Opt::flag('b', "brief", "without the name"),
        Opt::flag('i', "mime", "as a MIME type with the encoding"),
        Opt::flag('\0', "mime-type", "as a MIME type"),
        Opt::flag('\0', "mime-encoding", "only the encoding"),
        Opt::flag('L', "dereference", "what links point to, not links"),
        Opt::flag('h', "no-dereference", "links themselves, which is the default"),
    ],
    examples: &[Example { script: "echo hi > f; file f", output: "f: ASCII text\n" }],
    ..Spec::DEFAULT
};

/// What a file holds: in words, as a MIME type, and its encoding.
struct Verdict {
    words: String,
    mime: &'static str,
    encoding: &'static str,
}

impl Verdict {
    fn binary(words: &str, mime: &'static str) -> Self {
        Self { words: words.into(), mime, encoding: "binary" }
    }
}

/// Bytes looked at.
const LOOK: u64 = 64 * 1024;

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let names = args.operand_texts();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 1;
        for name in &names {
            cx.checkpoint(50).await?;
            let verdict = look(cx, args, name).await;
            let text = if args.has("mime-type") {
                verdict.mime.to_owned()
            } else if args.has("mime-encoding") {
                verdict.encoding.to_owned()
            } else if args.has("mime") {
                format!("{}; charset={}", verdict.mime, verdict.encoding)
            } else {
                verdict.words
            };
            let line = if args.has("brief") {
                text
            } else {
                format!("{:<width$} {text}", format!("{name}:"))
            };
            cx.write_line(line.as_bytes()).await?;
        }
        Reply::status(0)
    }
    .boxed_local()
}

async fn look(cx: &ExecContext, args: &Args, name: &str) -> Verdict {
    let fs = Rc::clone(cx.backend());
    let path = cx.resolve(name);
    let follow = args.last_of(&["dereference", "no-dereference"]) == Some("dereference");
    let found = if follow { fs.stat(&path).await } else { fs.lstat(&path).await };
    let metadata = match found {
        Ok(metadata) => metadata,
        Err(error) => {
            let words = format!("cannot open `{name}' ({})", error.errno());
            return Verdict { words, mime: "cannot open", encoding: "binary" };
        }
    };
    match metadata.kind {
        FileKind::Directory => Verdict::binary("directory", "inode/directory"),
        FileKind::Device => Verdict::binary("character special", "inode/chardevice"),
        FileKind::Symlink => {
            let target = fs.read_link(&path).await.map(|target| target.as_str().to_owned());
            let target = target.unwrap_or_default();
            let full = if target.starts_with('/') {
                target.clone()
            } else {
                below_directory(parent_of(name), &target).to_string()
            };
            let broken = if fs.stat(&cx.resolve(&full)).await.is_ok() { "" } else { "broken " };
            Verdict::binary(&format!("{broken}symbolic link to {target}"), "inode/symlink")
        }
        FileKind::File if metadata.len == 1 => {
            Verdict::binary("very short file (no magic)", "application/octet-stream")
        }
        FileKind::File if metadata.len == 0 => Verdict::binary("empty", "inode/x-empty"),
        FileKind::File => match fs.read(&path, Some(ReadRange::bytes(0, LOOK))).await {
            Ok(bytes) => content(&bytes, metadata.len <= LOOK),
            Err(error) => {
                let words = format!("cannot open `{name}' ({})", error.errno());
                Verdict { words, mime: "cannot open", encoding: "binary" }
            }
        },
    }
}

/// First bytes, words and MIME type of binary formats.
const MAGIC: &[(usize, &[u8], &str, &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image data", "image/png"),
    (0, b"\xff\xd8\xff", "JPEG image data", "image/jpeg"),
    (0, b"GIF87a", "GIF image data, version 87a", "image/gif"),
    (0, b"GIF89a", "GIF image data, version 89a", "image/gif"),
    (8, b"WEBP", "RIFF (little-endian) data, Web/P image", "image/webp"),
    (8, b"WAVE", "RIFF (little-endian) data, WAVE audio", "audio/x-wav"),
    (0, b"BM", "PC bitmap", "image/bmp"),
    (0, b"\0\0\x01\0", "MS Windows icon resource", "image/vnd.microsoft.icon"),
    (0, b"%PDF-", "PDF document", "application/pdf"),
    (0, b"PK\x03\x04", "Zip archive data", "application/zip"),
    (0, b"PK\x05\x06", "Zip archive data (empty)", "application/zip"),
    (0, b"\x1f\x8b", "gzip compressed data", "application/gzip"),
    (0, b"BZh", "bzip2 compressed data", "application/x-bzip2"),
    (0, b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard compressed data", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed"),
    (257, b"ustar", "POSIX tar archive", "application/x-tar"),
    (0, b"\x7fELF", "ELF", "application/x-executable"),
    (0, b"MZ", "MS-DOS executable", "application/x-dosexec"),
    (0, b"\0asm", "WebAssembly (wasm) binary module", "application/wasm"),
    (0, b"SQLite format 3\0", "SQLite 3.x database", "application/vnd.sqlite3"),
    (0, b"ID3", "Audio file with ID3", "audio/mpeg"),
    (0, b"OggS", "Ogg data", "audio/ogg"),
    (0, b"fLaC", "FLAC audio bitstream data", "audio/flac"),
    (4, b"ftyp", "ISO Media", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "WebM", "video/webm"),
    (0, b"wOFF", "Web Open Font Format", "font/woff"),
    (0, b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
];

fn content(bytes: &[u8], is_whole: bool) -> Verdict {
    for (at, magic, words, mime) in MAGIC {
        if bytes.get(*at..).is_some_and(|rest| rest.starts_with(magic)) {
            let words = match (bytes.get(16..20), bytes.get(20..24)) {
                (Some(w), Some(h)) if *mime == "image/png" => {
                    let number = |b: &[u8]| b.iter().fold(0u32, |n, b| n << 8 | u32::from(*b));
                    format!("{words}, {} x {}", number(w), number(h))
                }
                _ => (*words).to_owned(),
            };
            return Verdict { words, mime, encoding: "binary" };
        }
    }
    let (text, encoding, charset) = match std::str::from_utf8(bytes) {
        Ok(text) => kind_of_text(text),
        // A character cut off at the end of what was read is no error.
        Err(error) if !is_whole && error.error_len().is_none() => kind_of_text(
            std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or(b"")).unwrap_or(""),
        ),
        Err(_) if bytes.iter().all(|byte| is_text_byte(*byte)) => ("", "ISO-8859", "iso-8859-1"),
        Err(_) => return Verdict::binary("data", "application/octet-stream"),
    };
    if encoding.is_empty() {
        return Verdict::binary("data", "application/octet-stream");
    }
    let (what, mime) = text_format(text, is_whole);
    let lines = line_ends(bytes);
    let words = match what {
        "" => format!("{encoding} text{lines}"),
        "JSON" => "JSON text data".to_owned(),
        script if script.ends_with("script") => {
            format!("{script}, {encoding} text executable{lines}")
        }
        other => format!("{other}, {encoding} text{lines}"),
    };
    Verdict { words, mime, encoding: charset }
}

fn kind_of_text(text: &str) -> (&str, &'static str, &'static str) {
    if !text.bytes().all(is_text_byte) {
        return (text, "", "binary");
    }
    if text.is_ascii() {
        (text, "ASCII", "us-ascii")
    } else if text.starts_with('\u{feff}') {
        (text, "Unicode text, UTF-8 (with BOM)", "utf-8")
    } else {
        (text, "Unicode text, UTF-8", "utf-8")
    }
}

fn is_text_byte(byte: u8) -> bool {
    !matches!(byte, 0..=6 | 14..=26 | 28..=31 | 127)
}

/// What a text is written in, where that can be told.
fn text_format(text: &str, is_whole: bool) -> (&'static str, &'static str) {
    let first = text.lines().next().unwrap_or("");
    if let Some(program) = first.strip_prefix("#!") {
        return if program.contains("python") {
            ("Python script", "text/x-script.python")
        } else if program.contains("perl") {
            ("Perl script", "text/x-perl")
        } else if program.contains("node") {
            ("Node.js script", "application/javascript")
        } else if program.contains("bash") {
            ("Bourne-Again shell script", "text/x-shellscript")
        } else {
            ("POSIX shell script", "text/x-shellscript")
        };
    }
    let start = text.trim_start();
    if is_whole && start.starts_with(['{', '[']) && from_json(text).is_ok() {
        return ("JSON", "application/json");
    }
    let head: String = start.chars().take(64).collect::<String>().to_ascii_lowercase();
    if head.starts_with("<!doctype html") || head.starts_with("<html") {
        ("HTML document", "text/html")
    } else if head.starts_with("<?xml") {
        ("XML 1.0 document", "text/xml")
    } else if head.starts_with("<svg") {
        ("SVG Scalable Vector Graphics image", "image/svg+xml")
    } else {
        ("", "text/plain")
    }
}

fn line_ends(bytes: &[u8]) -> &'static str {
    let newlines = memchr::memchr_iter(b'\n', bytes).count();
    let pairs = memchr::memmem::find_iter(bytes, b"\r\n").count();
    let returns = memchr::memchr_iter(b'\r', bytes).count();
    match (newlines, pairs, returns) {
        (0, 0, 0) => ", with no line terminators",
        (n, p, _) if p > 0 && p == n => ", with CRLF line terminators",
        (n, p, _) if p > 0 && p < n => ", with CRLF, LF line terminators",
        (0, 0, _) => ", with CR line terminators",
        _ => "",
    }
}
