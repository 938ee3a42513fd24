//! The line editor: terminal input bytes in, edits and terminal sequences out; pure.
//!
//! [`Editor::prompt`] starts a line, [`Editor::input`] takes what the terminal sends, and both
//! answer [`Action`]s: bytes to write to the terminal, and what the user asked for. Nothing here
//! waits or does I/O: a completion is an action that the caller answers with
//! [`Editor::completions`] when it can, and the keys that arrive meanwhile wait their turn.
//!
//! On the way of a key: [`key`](Decoder) decodes bytes, `keymap` names the command, `edit` changes
//! the `buffer` (or `search`, `complete`, `paste` while they have the keyboard), `view` says what
//! is to be seen, `layout` makes rows of it, and `screen` writes the difference to what is drawn.
//!
//! [`Cooked`] is the line discipline for programs that read the terminal, and [`OutputFilter`]
//! stands between what programs write and the terminal.
//!
//! Deliberately not here: the language, which comes in through [`Language`]; files and profiles,
//! which keep what [`History::save`] gives; timers, see [`Editor::escape_pending`].

mod buffer;
mod complete;
mod cooked;
mod edit;
mod filter;
mod history;
mod key;
mod keymap;
mod kill;
mod layout;
mod paste;
mod quote;
mod screen;
mod search;
mod style;
#[cfg(test)]
mod tests;
mod view;

use std::ops::Range;

use buffer::Buffer;
use complete::Menu;
use keymap::Prefix;
use kill::KillRing;
use layout::{PromptLines, prompt_lines};
use screen::Screen;
use search::Search;

pub use complete::{Completion, Completions, Ending, Quoting};
pub use cooked::{Cooked, CookedAction, Discipline};
pub use filter::OutputFilter;
pub use history::History;
pub use key::{Code, Decoder, Event, Key, LONGEST_PASTE};
pub use quote::{Quoted, quote};
pub use style::Style;

/// What the editor needs to know of the language.
pub trait Language {
    /// True if Enter should run `text`, false if it should continue on another line.
    fn is_complete(&self, text: &str) -> bool;

    /// Byte ranges of `text` and what they are, sorted, without overlaps; gaps are plain.
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Style)>;

    /// Spells a completed value in source, in the quotes that `typed` began with.
    fn quote(&self, value: &str, typed: &str) -> Quoted {
        quote(value, typed)
    }
}

/// What the caller is to do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write these bytes to the terminal.
    Write(Vec<u8>),
    /// Run this text; the next line starts with [`Editor::prompt`].
    Submit(String),
    /// The line was given up with Control-C; the next one starts with [`Editor::prompt`].
    Interrupt,
    /// Control-D on an empty line.
    EndOfInput,
    /// Complete `line` at the byte `cursor`, and answer with [`Editor::completions`].
    Complete {
        /// All that is in the buffer.
        line: String,
        /// A byte offset in `line`.
        cursor: usize,
    },
    /// The user is asked whether to paste this many lines; [`Editor::accept_paste`] and
    /// [`Editor::reject_paste`] answer in the place of the keyboard.
    ConfirmPaste(usize),
}

/// The terminal's size, and what is fixed for all lines.
#[derive(Clone, Debug)]
pub struct EditorOptions {
    /// Width of the terminal.
    pub columns: usize,
    /// Height of the terminal.
    pub rows: usize,
    /// The prompt of the second and later lines of a text; may hold SGR sequences.
    pub continuation: String,
    /// How many lines the history keeps.
    pub history: usize,
}

impl Default for EditorOptions {
    fn default() -> Self {
        Self { columns: 80, rows: 24, continuation: "\x1b[90m>\x1b[m ".to_owned(), history: 10_000 }
    }
}

/// What has the keyboard.
#[derive(Debug)]
enum Mode {
    /// No line is being edited; input waits for the next one.
    Idle,
    Edit,
    Menu(Menu),
    Search(Search),
    /// A completion was asked for.
    Waiting,
    /// A long paste waits for consent.
    Question(String),
}

/// What the command before left for the next one to go on with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Kill,
    Yank(Range<usize>),
    /// The n-th last argument was put here.
    Argument(usize, Range<usize>),
}

/// The line editor of one terminal.
#[derive(Debug)]
pub struct Editor {
    size: Size,
    prompt: PromptLines,
    continuation: PromptLines,
    decoder: Decoder,
    waiting: Vec<u8>,
    buffer: Buffer,
    kills: KillRing,
    history: History,
    mode: Mode,
    last: Last,
    prefix: Option<Prefix>,
    screen: Screen,
}

/// The terminal's size and the first row of the block that is seen if it is taller.
#[derive(Debug)]
struct Size {
    columns: usize,
    rows: usize,
    top: usize,
}

/// Actions on their way to the caller; writes next to each other become one.
#[derive(Debug, Default)]
struct Output {
    actions: Vec<Action>,
    bytes: Vec<u8>,
}

impl Output {
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn push(&mut self, action: Action) {
        self.flush();
        self.actions.push(action);
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            self.actions.push(Action::Write(std::mem::take(&mut self.bytes)));
        }
    }

    fn finish(mut self) -> Vec<Action> {
        self.flush();
        self.actions
    }
}

impl Editor {
    /// An editor without a line; [`Editor::prompt`] starts one.
    #[must_use]
    pub fn new(options: &EditorOptions) -> Self {
        let columns = options.columns.max(2);
        Self {
            size: Size { columns, rows: options.rows.max(1), top: 0 },
            prompt: PromptLines::new(),
            continuation: prompt_lines(&options.continuation),
            decoder: Decoder::default(),
            waiting: Vec::new(),
            buffer: Buffer::default(),
            kills: KillRing::default(),
            history: History::new(options.history),
            mode: Mode::Idle,
            last: Last::Other,
            prefix: None,
            screen: Screen::new(columns),
        }
    }

    /// Starts a line with this prompt, which may hold SGR sequences and newlines.
    ///
    /// The terminal's cursor must be in the first column. Input that came before is taken now.
    pub fn prompt(&mut self, prompt: &str, language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        if !matches!(self.mode, Mode::Idle) {
            self.screen.erase(&mut out.bytes);
        }
        self.prompt = prompt_lines(prompt);
        self.buffer.clear();
        self.history.rest();
        self.mode = Mode::Edit;
        self.last = Last::Other;
        self.prefix = None;
        self.size.top = 0;
        self.screen.reset();
        out.write(b"\x1b[?2004h\r\x1b[J");
        self.drain(language, out)
    }

    /// Takes bytes from the terminal, in pieces of any size.
    ///
    /// What follows an accepted line waits for the next prompt, or for
    /// [`Editor::take_typed_ahead`].
    pub fn input(&mut self, bytes: &[u8], language: &dyn Language) -> Vec<Action> {
        self.waiting.extend_from_slice(bytes);
        self.drain(language, Output::default())
    }

    /// Input that no line has taken: for the program that runs instead.
    pub fn take_typed_ahead(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.waiting)
    }

    /// True if an ESC has arrived that may be the Escape key; if nothing follows for about 50 ms,
    /// [`Editor::expire_escape`] says that it was.
    #[must_use]
    pub fn escape_pending(&self) -> bool {
        // At the plain prompt ESC and a letter, however slow, are Alt and the letter.
        self.decoder.escape_pending() && !matches!(self.mode, Mode::Idle | Mode::Edit)
    }

    /// Takes a pending ESC as the Escape key.
    pub fn expire_escape(&mut self, language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        if self.escape_pending()
            && let Some(event) = self.decoder.expire()
        {
            self.event(event, language, &mut out);
        }
        self.drain(language, out)
    }

    /// Says that the terminal has another size.
    pub fn resize(&mut self, columns: usize, rows: usize, language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        self.size.columns = columns.max(2);
        self.size.rows = rows.max(1);
        if matches!(self.mode, Mode::Idle) {
            self.screen = Screen::new(self.size.columns);
        } else {
            self.screen.erase_resized(self.size.columns, &mut out.bytes);
            self.draw(language, &mut out);
        }
        out.finish()
    }

    /// Writes `output` above the line being edited; a newline is added if it does not end in one.
    pub fn print_above(&mut self, output: &[u8], language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        let idle = matches!(self.mode, Mode::Idle);
        if !idle {
            self.screen.erase(&mut out.bytes);
        }
        out.write(output);
        if !output.is_empty() && !output.ends_with(b"\n") {
            out.write(b"\r\n");
        }
        if !idle {
            self.draw(language, &mut out);
        }
        out.finish()
    }

    /// Inserts text that did not come through the terminal, as a paste; ignored without a line.
    pub fn paste(&mut self, text: &str, language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        match self.mode {
            Mode::Idle => {}
            Mode::Waiting => self.waiting.extend(paste::bracketed(text)),
            _ => self.event(Event::Paste(text.as_bytes().to_vec()), language, &mut out),
        }
        self.drain(language, out)
    }

    /// The text being edited and the byte offset of the cursor.
    #[must_use]
    pub fn line(&self) -> (&str, usize) {
        (self.buffer.text(), self.buffer.cursor())
    }

    /// True while a line is being edited.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !matches!(self.mode, Mode::Idle)
    }

    /// The history, for saving it.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The history, for loading and clearing it.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// Takes events as long as there is someone to take them, then draws.
    fn drain(&mut self, language: &dyn Language, mut out: Output) -> Vec<Action> {
        let bytes = std::mem::take(&mut self.waiting);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() && !matches!(self.mode, Mode::Idle) {
            if matches!(self.mode, Mode::Waiting) {
                // Control-C ends the waiting for a completion that never comes.
                let Some(interrupt) = memchr::memchr(0x03, rest) else { break };
                rest = rest.get(interrupt..).unwrap_or_default();
                self.mode = Mode::Edit;
            }
            let (taken, event) = self.decoder.next(rest);
            rest = rest.get(taken..).unwrap_or_default();
            if let Some(event) = event {
                self.event(event, language, &mut out);
            }
        }
        self.waiting = rest.to_vec();
        if !matches!(self.mode, Mode::Idle) {
            self.draw(language, &mut out);
        }
        out.finish()
    }
}
