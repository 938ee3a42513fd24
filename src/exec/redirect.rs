//! Redirects: opened left to right, put back afterwards, closed with their errors reported.

use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::{Frame, Next};
use crate::env::ShellOption;
use crate::expand::{ExpandError, ExpandResult, Expander, text_of};
use crate::io::{Descriptors, Errno, OpenFile, Stream};
use crate::syntax::{CompoundCommand, Part, Redirect, RedirectKind, Span, Word};
use crate::value::Value;
use crate::vfs::{OpenOptions, PathBuf};

/// Descriptors as redirects leave them, and the files they opened.
pub(super) struct Opened {
    pub(super) fds: Descriptors,
    pub(super) files: Vec<Rc<OpenFile>>,
}

impl Machine {
    /// Opens the redirects of a compound command, then goes on; a failure fails the command only.
    pub(super) fn with_redirects(
        &mut self,
        node: Rc<CompoundCommand>,
        then: impl FnOnce(&mut Self) -> Flow + 'static,
    ) -> Flow {
        let expander = self.expander();
        let opened = Opened { fds: self.cx.streams.fds.clone(), files: Vec::new() };
        self.wait(async move {
            let opened = open_all(&expander, &node.redirects, opened).await;
            Box::new(move |machine: &mut Self| match opened {
                Ok(opened) => {
                    machine.redirect(opened);
                    then(machine)
                }
                Err(error) => machine.expansion_failed(&error, false),
            }) as Next
        });
        Ok(())
    }

    /// Puts opened redirects in force until the command ends.
    pub(super) fn redirect(&mut self, opened: Opened) {
        let Opened { fds, files } = opened;
        let before = std::mem::replace(&mut self.cx.streams.fds, fds);
        self.frames.push(Frame::Redirect(Box::new((before, files))));
    }

    /// Closes files: what was written is named by them from here on.
    pub(super) fn close(&mut self, files: Vec<Rc<OpenFile>>) {
        if files.is_empty() {
            return;
        }
        self.wait(async move {
            let mut failure = None;
            for file in files {
                if let Err(errno) = file.file().close().await {
                    failure = Some(errno);
                }
            }
            Box::new(move |machine: &mut Self| {
                if let Some(errno) = failure {
                    machine.complain(Span::default(), &format!("write error: {errno}"));
                    machine.finish(1);
                }
                Ok(())
            }) as Next
        });
    }
}

/// Opens redirects that need neither files nor programs; `None` where the general path must go.
pub(super) fn open_fast(
    expander: &Expander,
    redirects: &[Redirect],
    fds: &Descriptors,
) -> ExpandResult<Option<Descriptors>> {
    let mut fds = fds.clone();
    for redirect in redirects {
        if redirect.fd_variable.is_some() {
            return Ok(None);
        }
        match &redirect.kind {
            RedirectKind::Duplicate { source, input } => {
                let Some(value) = expander.fast(source)? else { return Ok(None) };
                duplicate(&mut fds, redirect, &value, *input)?;
            }
            RedirectKind::Close { input } => {
                fds.set(redirect.fd.unwrap_or(u32::from(!input)), Stream::Closed);
            }
            RedirectKind::Write(word)
            | RedirectKind::Append(word)
            | RedirectKind::WriteBoth(word)
                if is_dev_null(word) =>
            {
                fds.set(redirect.fd.unwrap_or(1), Stream::Null);
                if matches!(redirect.kind, RedirectKind::WriteBoth(_)) {
                    fds.set(2, Stream::Null);
                }
            }
            RedirectKind::Read(word) if is_dev_null(word) => {
                fds.set(redirect.fd.unwrap_or(0), Stream::Null);
            }
            RedirectKind::HereDocument(document) => {
                let Some(value) = expander.fast(&document.body)? else { return Ok(None) };
                let text = text_of(&value, redirect.span)?;
                fds.set(redirect.fd.unwrap_or(0), Stream::from_bytes(text.as_bytes()));
            }
            RedirectKind::HereString(word) => {
                let Some(value) = expander.fast(word)? else { return Ok(None) };
                let text = text_of(&value, redirect.span)?;
                fds.set(redirect.fd.unwrap_or(0), here_string(&text));
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(fds))
}

fn is_dev_null(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Literal(path) | Part::Quoted(path)] if path == "/dev/null")
}

fn here_string(text: &str) -> Stream {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(b'\n');
    Stream::from_bytes(bytes)
}

/// Opens redirects left to right.
pub(super) async fn open_all(
    expander: &Expander,
    redirects: &[Redirect],
    mut opened: Opened,
) -> ExpandResult<Opened> {
    for redirect in redirects {
        let stream = match &redirect.kind {
            RedirectKind::Duplicate { source, input } => {
                let text = expander.text(source).await?;
                duplicate(&mut opened.fds, redirect, &Value::Text(text), *input)?;
                continue;
            }
            RedirectKind::Close { input } => {
                let fd = close_target(expander, redirect, u32::from(!input))?;
                opened.fds.set(fd, Stream::Closed);
                continue;
            }
            RedirectKind::HereDocument(document) => {
                let text = expander.text(&document.body).await?;
                Stream::from_bytes(text.as_bytes())
            }
            RedirectKind::HereString(word) => here_string(&expander.text(word).await?),
            kind => open_file(expander, redirect, kind, &mut opened).await?,
        };
        let reads = matches!(
            redirect.kind,
            RedirectKind::Read(_)
                | RedirectKind::ReadWrite(_)
                | RedirectKind::HereDocument(_)
                | RedirectKind::HereString(_)
        );
        let fd = match &redirect.fd_variable {
            Some(name) => {
                let fd = opened.fds.free();
                expander.set(name, Value::int(i64::from(fd)), false, redirect.span)?;
                fd
            }
            None => redirect.fd.unwrap_or(u32::from(!reads)),
        };
        if matches!(redirect.kind, RedirectKind::WriteBoth(_) | RedirectKind::AppendBoth(_)) {
            opened.fds.set(2, stream.clone());
        }
        opened.fds.set(fd, stream);
    }
    Ok(opened)
}

/// `{fd}>&-` closes the descriptor that the variable holds.
fn close_target(expander: &Expander, redirect: &Redirect, default: u32) -> ExpandResult<u32> {
    let Some(name) = &redirect.fd_variable else { return Ok(redirect.fd.unwrap_or(default)) };
    let value = expander.variable(name).unwrap_or_default();
    value
        .to_text_lossy()
        .parse()
        .map_err(|_| ExpandError::new(redirect.span, format!("{name} holds no file descriptor")))
}

async fn open_file(
    expander: &Expander,
    redirect: &Redirect,
    kind: &RedirectKind,
    opened: &mut Opened,
) -> ExpandResult<Stream> {
    let (word, options) = match kind {
        RedirectKind::Read(word) => (word, OpenOptions::READ),
        RedirectKind::Write(word) | RedirectKind::WriteBoth(word) => {
            let guarded = expander.session.options.get().has(ShellOption::NoClobber);
            let options = if guarded && matches!(kind, RedirectKind::Write(_)) {
                OpenOptions { create_new: true, truncate: false, ..OpenOptions::WRITE }
            } else {
                OpenOptions::WRITE
            };
            (word, options)
        }
        RedirectKind::Clobber(word) => (word, OpenOptions::WRITE),
        RedirectKind::Append(word) | RedirectKind::AppendBoth(word) => (word, OpenOptions::APPEND),
        RedirectKind::ReadWrite(word) => {
            (word, OpenOptions { read: true, truncate: false, ..OpenOptions::WRITE })
        }
        _ => return Ok(Stream::Closed),
    };
    let target = expander.target(word).await?;
    if let Some(stream) = standard_stream(&target, &opened.fds) {
        return Ok(stream);
    }
    let mut path = PathBuf::from(expander.session.cwd.borrow().as_str());
    path.push(target.as_str());
    let mut result = expander.services.backend.open(&path, options).await;
    // Under noclobber only regular files are protected: devices may be written.
    if options.create_new
        && result.as_ref().is_err_and(|error| error.errno() == Errno::AlreadyExists)
    {
        let found = expander.services.backend.stat(&path).await;
        if found.is_ok_and(|found| !found.is_file()) {
            result = expander.services.backend.open(&path, OpenOptions::WRITE).await;
        }
    }
    let file = result.map_err(|error| {
        let why = match error.errno() {
            Errno::AlreadyExists => {
                "cannot overwrite existing file (noclobber is on; `>|` overwrites)".into()
            }
            errno => errno.to_string(),
        };
        ExpandError::new(redirect.span, format!("{target}: {why}"))
    })?;
    let file = Rc::new(OpenFile::new(file, options.append));
    if options.write {
        opened.files.push(Rc::clone(&file));
    }
    Ok(Stream::File(file))
}

/// The streams behind `/dev/stdin` and kin, which only the opener knows.
fn standard_stream(path: &str, fds: &Descriptors) -> Option<Stream> {
    let fd = match path {
        "/dev/stdin" => 0,
        "/dev/stdout" => 1,
        "/dev/stderr" => 2,
        _ => path.strip_prefix("/dev/fd/")?.parse().ok()?,
    };
    fds.get(fd).cloned()
}

fn duplicate(
    fds: &mut Descriptors,
    redirect: &Redirect,
    source: &Value,
    input: bool,
) -> ExpandResult<()> {
    let text = source.to_text_lossy();
    let target = redirect.fd.unwrap_or(u32::from(!input));
    if text == "-" {
        fds.set(target, Stream::Closed);
        return Ok(());
    }
    let (digits, moves) = match text.strip_suffix('-') {
        Some(digits) => (digits, true),
        None => (text.as_str(), false),
    };
    let number = digits.parse::<u32>().map_err(|_| {
        let message = format!("{text}: not a file descriptor; to write both streams use &>{text}");
        ExpandError::new(redirect.span, message)
    })?;
    let stream = fds.get(number).cloned().ok_or_else(|| {
        ExpandError::new(redirect.span, format!("{number}: {}", Errno::BadDescriptor))
    })?;
    if moves {
        fds.set(number, Stream::Closed);
    }
    fds.set(target, stream);
    Ok(())
}
