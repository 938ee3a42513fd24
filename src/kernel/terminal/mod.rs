//! An interactive session: terminal bytes in, terminal bytes out, a kernel behind the prompt.
//!
//! At the prompt bytes go to the line editor; while a program runs they go through the line
//! discipline to its standard input, and Ctrl-C cancels it. What nobody has read when the program
//! ends is typed at the next prompt. Before each prompt the files are handed to their store.
//!
//! Deliberately not here: how bytes reach the terminal (`web`), what keys do (`editor`).

mod history;
mod language;
mod prompt;
mod tty;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use crate::editor::{Action, Cooked, CookedAction, Editor, EditorOptions};
use crate::io::{OpenFile, Sink, Stream};
use crate::jobs::{Cancel, Signal};
use crate::kernel::{ExecuteOptions, Kernel, KernelError};
use crate::tool::OutputContext;

use history::HistoryFile;
use language::ShellLanguage;
use tty::{Screen, Tty, TypedInput};

/// What a command line came to, for who watches the session.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The text of the line.
    pub source: &'a str,
    /// Its exit status.
    pub code: u8,
    /// The working directory after it.
    pub cwd: &'a str,
}

/// A terminal with a shell.
pub struct Terminal {
    kernel: Rc<Kernel>,
    language: ShellLanguage,
    editor: RefCell<Editor>,
    cooked: Rc<RefCell<Cooked>>,
    screen: Rc<Screen>,
    typed: Rc<TypedInput>,
    stdin: Stream,
    events: RefCell<VecDeque<Event>>,
    waiting: RefCell<Option<Waker>>,
    /// Cancels the program in the foreground, where there is one.
    foreground: RefCell<Option<Cancel>>,
    status: Cell<u8>,
}

/// What the line editor hands to the session.
enum Event {
    Line(String),
    Interrupt,
    EndOfInput,
    Complete(String, usize),
    Hangup,
}

impl Terminal {
    /// A session on a terminal of this size; [`Terminal::run`] starts it.
    pub fn new(kernel: Rc<Kernel>, terminal: Rc<dyn Sink>, columns: u16, rows: u16) -> Rc<Self> {
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let cooked = Rc::new(RefCell::new(Cooked::new(columns)));
        let screen = Rc::new(Screen::new(terminal, Rc::clone(&cooked), columns));
        let typed = Rc::<TypedInput>::default();
        let tty = Rc::new(Tty { input: Rc::clone(&typed), screen: Rc::clone(&screen) });
        let options = EditorOptions { columns, rows, ..EditorOptions::default() };
        Rc::new(Self {
            language: ShellLanguage::new(&kernel),
            kernel,
            editor: RefCell::new(Editor::new(&options)),
            cooked,
            screen,
            typed,
            stdin: Stream::File(Rc::new(OpenFile::new(tty, false))),
            events: RefCell::default(),
            waiting: RefCell::default(),
            foreground: RefCell::default(),
            status: Cell::new(0),
        })
    }

    /// Takes bytes from the terminal.
    pub fn input(&self, bytes: &[u8]) {
        if self.foreground.borrow().is_some() {
            self.input_to_program(bytes);
        } else {
            let actions = self.editor.borrow_mut().input(bytes, &self.language);
            self.act(actions);
        }
    }

    fn input_to_program(&self, bytes: &[u8]) {
        let actions = self.cooked.borrow_mut().input(bytes);
        for action in actions {
            match action {
                CookedAction::Write(bytes) => self.screen.echo(&bytes),
                CookedAction::Data(bytes) => self.typed.push(bytes),
                CookedAction::EndOfInput => self.typed.push_end(),
                CookedAction::Interrupt => self.interrupt(),
            }
        }
    }

    /// Cancels the program in the foreground, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.typed.take_rest();
        if let Some(cancel) = &*self.foreground.borrow() {
            cancel.cancel(Signal::Interrupt);
        }
    }

    /// Takes the terminal's new size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.kernel.services().columns.set(columns);
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        self.cooked.borrow_mut().resize(columns);
        self.screen.resize(columns);
        let actions = self.editor.borrow_mut().resize(columns, rows, &self.language);
        self.act(actions);
    }

    /// Ends the session: what runs in the foreground is cancelled.
    pub fn hang_up(&self) {
        self.interrupt();
        self.post(Event::Hangup);
    }

    fn act(&self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Write(bytes) => self.screen.draw(&bytes),
                Action::Submit(line) => self.post(Event::Line(line)),
                Action::Interrupt => self.post(Event::Interrupt),
                Action::EndOfInput => self.post(Event::EndOfInput),
                Action::Complete { line, cursor } => self.post(Event::Complete(line, cursor)),
                // The question stands on the terminal; the next key answers it.
                Action::ConfirmPaste(_) => {}
            }
        }
    }

    fn post(&self, event: Event) {
        self.events.borrow_mut().push_back(event);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    async fn next_event(&self) -> Event {
        poll_fn(|cx| match self.events.borrow_mut().pop_front() {
            Some(event) => Poll::Ready(event),
            None => {
                *self.waiting.borrow_mut() = Some(cx.waker().clone());
                Poll::Pending
            }
        })
        .await
    }

    /// Runs the session to its end and answers its exit status; `watch` is told of every line.
    pub async fn run(&self, watch: impl Fn(Finished<'_>)) -> u8 {
        let history = HistoryFile::of(&self.kernel);
        let lines = history.load().await;
        self.editor.borrow_mut().history_mut().load(&lines);
        self.prompt();
        loop {
            match self.next_event().await {
                Event::Line(line) => {
                    if self.run_line(&line, &history, &watch).await {
                        return self.status.get();
                    }
                    self.prompt();
                }
                Event::Interrupt => {
                    self.status.set(Signal::Interrupt.status());
                    self.prompt();
                }
                Event::EndOfInput => {
                    self.screen.draw(b"exit\r\n");
                    return self.status.get();
                }
                Event::Complete(line, cursor) => {
                    let list = self.kernel.complete(&line, cursor).await;
                    let actions = self.editor.borrow_mut().completions(&list, &self.language);
                    self.act(actions);
                }
                Event::Hangup => return Signal::Number(1).status(),
            }
        }
    }

    fn prompt(&self) {
        self.report_jobs();
        let text = prompt::text(self.kernel.session(), self.status.get());
        let actions = self.editor.borrow_mut().prompt(&text, &self.language);
        self.act(actions);
    }

    /// Says which background jobs ended since the last prompt.
    fn report_jobs(&self) {
        for job in self.kernel.services().jobs.take_finished() {
            self.screen.echo(prompt::notice(&job).as_bytes());
        }
        self.screen.finish();
    }

    /// Runs an accepted line; whether it ended the session.
    async fn run_line(
        &self,
        line: &str,
        history: &HistoryFile,
        watch: &impl Fn(Finished<'_>),
    ) -> bool {
        if line.trim().is_empty() {
            return false;
        }
        self.editor.borrow_mut().history_mut().push(line);
        history.add(line).await;
        let cancel = Cancel::default();
        self.foreground.replace(Some(cancel.clone()));
        let ahead = self.editor.borrow_mut().take_typed_ahead();
        self.input_to_program(&ahead);
        let (code, exited) = self.execute(line, cancel).await;
        self.status.set(code);
        self.save().await;
        self.screen.finish();
        self.foreground.replace(None);
        self.type_rest();
        let cwd = self.kernel.session().cwd.borrow().clone();
        watch(Finished { source: line, code, cwd: &cwd });
        exited
    }

    /// Runs a program on the terminal; its status, and whether `exit` ended it.
    async fn execute(&self, line: &str, cancel: Cancel) -> (u8, bool) {
        let screen = || Stream::Sink(Rc::clone(&self.screen) as Rc<dyn Sink>);
        let options = ExecuteOptions {
            stdin: Some(self.stdin.clone()),
            stdout: Some(screen()),
            stderr: Some(screen()),
            cancel: Some(cancel),
            context: OutputContext::Interactive,
            ..ExecuteOptions::default()
        };
        match self.kernel.execute(line, options).await {
            Ok(result) => (result.code, result.exited),
            Err(KernelError::Rejected { rendered, .. }) => {
                self.screen.echo(rendered.as_bytes());
                (2, false)
            }
        }
    }

    /// Hands what the line wrote to the store: it survives the tab from the prompt on.
    async fn save(&self) {
        if let Err(error) = self.kernel.services().backend.flush(false).await {
            let message = format!("tabsh: not saved: {error}\n");
            self.screen.echo(message.as_bytes());
        }
    }

    /// Gives the line editor what no program has read.
    fn type_rest(&self) {
        let mut rest = self.typed.take_rest();
        rest.extend(self.cooked.borrow_mut().take_line().into_bytes());
        if !rest.is_empty() {
            let actions = self.editor.borrow_mut().input(&rest, &self.language);
            self.act(actions);
        }
    }
}
