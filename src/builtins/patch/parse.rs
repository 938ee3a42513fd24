//! The text of a patch in; for each file its names, its hunks, and what stood before them, out.

use super::hunk::{Broken, Hunk, Lines};
use super::names::{Name, name_of};

/// How a patch is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Unified,
    Context,
    Normal,
    /// Nothing but a header of git: a rename, a mode.
    Header,
}

/// What the lines of a git header say.
#[derive(Clone, Default, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one per kind of line")]
pub(super) struct GitHeader {
    pub(super) old_mode: Option<u32>,
    pub(super) new_mode: Option<u32>,
    pub(super) renames: bool,
    pub(super) copies: bool,
    pub(super) creates: bool,
    pub(super) deletes: bool,
}

/// The changes of one file.
pub(super) struct FilePatch {
    pub(super) format: Format,
    pub(super) old: Option<Name>,
    pub(super) new: Option<Name>,
    pub(super) index: Option<Name>,
    pub(super) git: Option<GitHeader>,
    pub(super) hunks: Vec<Hunk>,
    /// The lines before the first hunk.
    pub(super) lead: Vec<Vec<u8>>,
    /// The number of the first line after those.
    pub(super) line: usize,
    /// What stopped the reading of hunks.
    pub(super) broken: Option<Broken>,
    pub(super) strips_carriage_return: bool,
}

/// Reads one file's changes after another.
pub(super) struct Parser {
    lines: Lines,
    keeps_carriage_return: bool,
}

impl Parser {
    pub(super) fn new(text: &[u8], keeps_carriage_return: bool) -> Self {
        Self { lines: Lines::new(text), keeps_carriage_return }
    }

    /// Whether there is nothing at all.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The changes of the next file; `None` where only other text is left.
    pub(super) fn next(&mut self) -> Option<FilePatch> {
        let start = self.lines.at;
        let header = self.find_start()?;
        let lead = self.lines.since(start);
        let strips = !self.keeps_carriage_return
            && header.format != Format::Header
            && lead.last().is_some_and(|line| line.ends_with(b"\r\n"));
        if strips {
            self.lines.strip_carriage_returns();
        }
        let Header { format, dashes, stars, pluses, index, git, .. } = header;
        let (old, new) = match format {
            Format::Context => (stars, dashes),
            _ => (dashes, pluses),
        };
        let (mut hunks, mut broken) = (Vec::new(), None);
        let line = self.lines.at + 1;
        loop {
            let hunk = match format {
                Format::Header => break,
                Format::Unified => Hunk::unified(&mut self.lines),
                Format::Context => Hunk::context(&mut self.lines),
                _ => Hunk::normal(&mut self.lines),
            };
            match hunk {
                Ok(Some(hunk)) => hunks.push(hunk),
                Ok(None) => break,
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            }
        }
        let [old, new, index] = [old, new, index].map(|name| name.filter(|name| !name.is_empty()));
        let strips_carriage_return = strips;
        Some(FilePatch {
            format,
            old,
            new,
            index,
            git,
            hunks,
            lead,
            line,
            broken,
            strips_carriage_return,
        })
    }

    /// Goes to the first hunk of the next file, gathering the names before it.
    fn find_start(&mut self) -> Option<Header> {
        let mut header = Header::new();
        while let Some(line) = self.lines.peek(0) {
            if header.git.is_some() && line.starts_with(b"diff --git ") {
                return Some(header);
            }
            if let Some(format) = self.format_here(&header) {
                header.format = format;
                return Some(header);
            }
            header.take(line);
            self.lines.at += 1;
        }
        header.git.is_some().then_some(header)
    }

    fn format_here(&self, header: &Header) -> Option<Format> {
        let line = self.lines.peek(0)?;
        let next = self.lines.peek(1).unwrap_or_default();
        if line.starts_with(b"@@ -") {
            return Some(Format::Unified);
        }
        if line.starts_with(b"***************") && next.starts_with(b"*** ") {
            return Some(Format::Context);
        }
        let is_normal = header.git.is_none()
            && (next.starts_with(b"< ") || next.starts_with(b"> "))
            && Hunk::normal_command(line).is_some();
        is_normal.then_some(Format::Normal)
    }
}

/// What the lines before the hunks say.
struct Header {
    format: Format,
    dashes: Option<Name>,
    stars: Option<Name>,
    pluses: Option<Name>,
    index: Option<Name>,
    git: Option<GitHeader>,
}

impl Header {
    fn new() -> Self {
        let format = Format::Header;
        Self { format, dashes: None, stars: None, pluses: None, index: None, git: None }
    }

    fn take(&mut self, line: &[u8]) {
        let line = line.trim_ascii_end();
        if let Some(rest) = line.strip_prefix(b"--- ") {
            self.dashes = Some(name_of(rest));
        } else if let Some(rest) = line.strip_prefix(b"+++ ") {
            self.pluses = Some(name_of(rest));
        } else if let Some(rest) = line.strip_prefix(b"*** ") {
            self.stars = Some(name_of(rest));
        } else if let Some(rest) = line.strip_prefix(b"Index:") {
            self.index = Some(name_of(rest.trim_ascii_start()));
        } else if let Some(rest) = line.strip_prefix(b"diff --git ") {
            self.git = Some(GitHeader::default());
            (self.dashes, self.pluses) = git_names(rest);
        } else if let Some(git) = &mut self.git {
            let text = String::from_utf8_lossy(line);
            git.take(&text, &mut self.dashes, &mut self.pluses);
        }
    }
}

/// `a/x b/x`; where names have blanks, both halves say the same.
fn git_names(rest: &[u8]) -> (Option<Name>, Option<Name>) {
    let half = rest.len() / 2;
    let (old, new) = match rest.split_at_checked(half) {
        Some((old, new)) if rest.len() % 2 == 1 && new.first() == Some(&b' ') => {
            (old, new.trim_ascii_start())
        }
        _ => {
            let at = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
            rest.split_at_checked(at).unwrap_or((rest, &[]))
        }
    };
    (Some(Name::plain(old)), Some(Name::plain(new.trim_ascii_start())))
}

impl GitHeader {
    fn take(&mut self, line: &str, old: &mut Option<Name>, new: &mut Option<Name>) {
        let mode = |text: &str| u32::from_str_radix(text, 8).ok();
        if let Some(text) = line.strip_prefix("new file mode ") {
            (self.creates, self.new_mode) = (true, mode(text));
            *old = Some(Name::nowhere());
        } else if let Some(text) = line.strip_prefix("deleted file mode ") {
            (self.deletes, self.old_mode) = (true, mode(text));
            *new = Some(Name::nowhere());
        } else if let Some(text) = line.strip_prefix("old mode ") {
            self.old_mode = mode(text);
        } else if let Some(text) = line.strip_prefix("new mode ") {
            self.new_mode = mode(text);
        } else if line.starts_with("rename from ") {
            self.renames = true;
        } else if line.starts_with("copy from ") {
            self.copies = true;
        }
    }
}
