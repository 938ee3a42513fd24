//! The plain records that cross the boundary, as `pkg/src/protocol.ts` names them.

use std::collections::BTreeMap;

use js_sys::{Error, Reflect, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsCast, JsValue};

use crate::io::Errno;
use crate::syntax::{Diagnostic, Level};
use crate::tool::BackendError;
use crate::value::{Value, to_json};
use crate::vfs::{FileKind, Metadata};

/// Bytes or text as JavaScript hands them over, not copied before they are wanted.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Content(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue);

impl Content {
    /// The bytes of a `Uint8Array`, or of a string in UTF-8.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self.0.dyn_ref::<Uint8Array>() {
            Some(array) => array.to_vec(),
            None => self.0.as_string().unwrap_or_default().into_bytes(),
        }
    }
}

/// What a kernel is created with.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct KernelOptions {
    /// Variables, exported.
    pub(super) env: BTreeMap<String, String>,
    /// The working directory; created where missing.
    pub(super) cwd: Option<String>,
    /// Files to write first; a path ending in `/` is a directory.
    pub(super) files: BTreeMap<String, Content>,
    /// Columns of output.
    pub(super) columns: Option<u16>,
}

/// What a run is started with, besides its source.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RunRequest {
    /// Standard input, or its beginning.
    pub(super) stdin: Option<Content>,
    /// More input follows.
    pub(super) stdin_open: bool,
    /// When to give up.
    pub(super) timeout_ms: Option<f64>,
    /// Columns of output.
    pub(super) columns: Option<u16>,
}

/// A file operation.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FsOperation {
    /// The content of a file.
    Read,
    /// Creates or replaces a file.
    Write,
    /// The entries of a directory.
    List,
    /// What a path names.
    Stat,
    /// Makes a directory.
    Mkdir,
    /// Removes.
    Remove,
    /// Renames.
    Move,
    /// What an entry is, with a link's target.
    Entry,
    /// Makes a link to `to`.
    Symlink,
    /// Sets permission bits and the time of last modification.
    Set,
    /// Edits in place.
    Patch,
    /// Makes everything durable, against power loss too.
    Sync,
}

/// A request to the files of a shell.
#[derive(Deserialize)]
pub(super) struct FsRequest {
    /// What to do.
    pub(super) op: FsOperation,
    /// On what.
    pub(super) path: String,
    /// Where to.
    #[serde(default)]
    pub(super) to: Option<String>,
    /// What to write.
    #[serde(default)]
    pub(super) bytes: Option<Content>,
    /// With everything below, or with all parents.
    #[serde(default)]
    pub(super) recursive: bool,
    /// More requests follow, of which the last one is not lazy and stores them all.
    #[serde(default)]
    pub(super) lazy: bool,
    /// How to write.
    #[serde(default)]
    pub(super) mode: Option<Mode>,
    /// Permission bits.
    #[serde(default)]
    pub(super) bits: Option<u32>,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub(super) modified: Option<f64>,
    /// Which part to read.
    #[serde(default)]
    pub(super) range: Option<Range>,
    /// The edits.
    #[serde(default)]
    pub(super) ops: Vec<Edit>,
}

/// What a write does about a file that is there or not.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// Only a new file.
    Create,
    /// Either.
    Replace,
    /// Only an old file.
    Update,
    /// Adds to the end.
    Append,
}

/// A part of a file; bytes win over lines.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
pub(super) struct Range {
    pub(super) offset: Option<f64>,
    pub(super) length: Option<f64>,
    pub(super) start_line: Option<f64>,
    pub(super) end_line: Option<f64>,
}

/// One edit: at a byte `offset` with a `length`, or at a `line`; with neither it adds to the end.
#[derive(Deserialize)]
pub(super) struct Edit {
    pub(super) op: EditKind,
    #[serde(default)]
    pub(super) offset: Option<f64>,
    #[serde(default)]
    pub(super) length: f64,
    #[serde(default)]
    pub(super) line: f64,
    #[serde(default)]
    pub(super) content: String,
    #[serde(default)]
    pub(super) expected: Option<String>,
}

/// The kind of an edit.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum EditKind {
    Insert,
    Delete,
    Replace,
    Append,
}

/// A directory entry, or what a path names.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    name: &'a str,
    kind: &'static str,
    size: f64,
    mode: u32,
    modified: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// The record of an entry.
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers; exact to 2^53")]
    pub(super) fn new(name: &'a str, metadata: &Metadata) -> Self {
        let kind = match metadata.kind {
            FileKind::File => "file",
            FileKind::Directory => "directory",
            FileKind::Symlink => "symlink",
            FileKind::Device => "device",
        };
        Self {
            name,
            kind,
            size: metadata.len as f64,
            mode: metadata.mode,
            modified: metadata.modified.as_millis() as f64,
            target: None,
        }
    }

    /// With the target of a link.
    pub(super) fn with_target(self, target: &'a str) -> Self {
        Self { target: Some(target), ..self }
    }
}

/// Reads a record; what is missing or of another type is the page's mistake.
pub(super) fn read<T: for<'de> Deserialize<'de>>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| failure(Errno::Invalid.name(), &error.to_string()))
}

/// Writes a record.
pub(super) fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(|error| failure("internal", &error.to_string()))
}

/// An `Error` with a stable code.
pub(super) fn failure(code: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    // Setting a field of a fresh object cannot fail.
    let _ = Reflect::set(&error, &JsValue::from_str("code"), &JsValue::from_str(code));
    error.into()
}

/// A failed file operation.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn backend_failure(error: BackendError) -> JsValue {
    failure(error.errno().name(), &error.to_string())
}

/// One finding of the parser or the validator.
#[derive(Serialize)]
pub(super) struct Issue<'a> {
    code: &'static str,
    message: &'a str,
    span: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a str>,
}

impl<'a> Issue<'a> {
    fn new(issue: &'a Diagnostic) -> Self {
        let Diagnostic { code, message, span, fix, .. } = issue;
        Self { code, message, span: [span.start, span.end], fix: fix.as_deref() }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExitKind {
    /// By itself.
    Exit,
    /// It never began.
    Rejected,
    /// The page stopped it.
    Aborted,
    /// A limit stopped it.
    Limit,
}

/// What the kernel says of a finished run.
#[derive(Serialize)]
pub(super) struct RunRecord<'a> {
    /// How it ended.
    pub(super) kind: ExitKind,
    /// Its exit status.
    pub(super) code: u8,
    /// Why it never began.
    pub(super) issues: Vec<Issue<'a>>,
    /// The last command's value; `undefined` where it left none.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub(super) data: JsValue,
}

impl<'a> RunRecord<'a> {
    /// A run that ended with a status.
    pub(super) fn ended(kind: ExitKind, code: u8) -> Self {
        Self { kind, code, issues: Vec::new(), data: JsValue::UNDEFINED }
    }

    /// A program that was not run.
    pub(super) fn rejected(issues: &'a [Diagnostic]) -> Self {
        let errors = issues.iter().filter(|issue| issue.level == Level::Error);
        let issues = errors.map(Issue::new).collect();
        Self { issues, ..Self::ended(ExitKind::Rejected, 2) }
    }
}

/// A value as JavaScript has it; what JSON cannot say is lost as `--json` loses it.
pub(super) fn plain(value: Option<&Value>) -> JsValue {
    let json = value.map(to_json).unwrap_or_default();
    js_sys::JSON::parse(&json).unwrap_or(JsValue::UNDEFINED)
}

/// Files have changed.
#[derive(Serialize)]
pub(super) struct Changes<'a> {
    /// Their paths.
    pub(super) paths: Vec<&'a str>,
}

/// A line of a terminal has ended.
#[derive(Serialize)]
pub(super) struct CommandDetail<'a> {
    /// Its text.
    pub(super) source: &'a str,
    /// Its exit status.
    pub(super) code: u8,
    /// The working directory after it.
    pub(super) cwd: &'a str,
}

/// Whether what was written would survive the tab.
#[derive(Serialize)]
pub(super) struct Storage<'a> {
    /// `memory`, `saved`, `saving`, `unsaved` or `readonly`.
    pub(super) state: &'static str,
    /// In words, for a person.
    pub(super) message: &'a str,
}
