//! The job table: numbers, commands, states and recorded output of background jobs.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::Cancel;
use crate::io::Observer;
use crate::value::EcoString;

/// Bytes of output a job's record keeps: the most recent.
const RECORD_LIMIT: usize = 1024 * 1024;

/// How many jobs are remembered: beyond that the oldest that ended are forgotten.
const MOST_KEPT: usize = 1024;

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It runs.
    Running,
    /// It ended with a status.
    Done(u8),
    /// A signal ended it; the status is 128 plus its number.
    Killed(u8),
}

impl JobState {
    /// The text of `/v/jobs/N/status`: `running`, `done:0`, `failed:N`, `killed:143`.
    pub fn text(self) -> String {
        match self {
            Self::Running => "running".into(),
            Self::Done(0) => "done:0".into(),
            Self::Done(status) => format!("failed:{status}"),
            Self::Killed(status) => format!("killed:{status}"),
        }
    }

    /// The exit status, once it ended.
    pub fn status(self) -> Option<u8> {
        match self {
            Self::Running => None,
            Self::Done(status) | Self::Killed(status) => Some(status),
        }
    }
}

/// The last bytes a job wrote to one of its streams.
#[derive(Default)]
pub struct Record(RefCell<VecDeque<u8>>);

impl Record {
    /// Adds bytes, forgetting the oldest beyond 1 MiB.
    pub fn push(&self, bytes: &[u8]) {
        let mut held = self.0.borrow_mut();
        held.extend(bytes);
        let excess = held.len().saturating_sub(RECORD_LIMIT);
        held.drain(..excess);
    }

    /// What is held.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow().iter().copied().collect()
    }
}

impl Observer for Record {
    fn observe(&self, bytes: &[u8]) {
        self.push(bytes);
    }
}

/// A background job.
pub struct Job {
    /// Its number, from 1.
    pub id: u32,
    /// The statement as written.
    pub command: EcoString,
    /// Ends it.
    pub cancel: Cancel,
    /// What it wrote to standard output.
    pub stdout: Rc<Record>,
    /// What it wrote to standard error.
    pub stderr: Rc<Record>,
    state: Cell<JobState>,
    /// How many jobs of the table run.
    running: Rc<Cell<usize>>,
    reported: Cell<bool>,
    wakers: RefCell<Vec<Waker>>,
}

impl Job {
    /// What it is doing.
    pub fn state(&self) -> JobState {
        self.state.get()
    }

    /// Records its end and wakes who waits for it.
    pub fn finish(&self, state: JobState) {
        if self.state.replace(state) == JobState::Running {
            self.running.set(self.running.get().saturating_sub(1));
        }
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    /// Whether a person or the script has been told of its end.
    pub fn is_reported(&self) -> bool {
        self.reported.get()
    }

    /// Notes that its end has been told.
    pub fn report(&self) {
        self.reported.set(true);
    }

    /// Waits for its end and returns its exit status.
    pub async fn wait(&self) -> u8 {
        poll_fn(|cx| match self.state.get().status() {
            Some(status) => Poll::Ready(status),
            None => {
                self.wakers.borrow_mut().push(cx.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}

/// The jobs of a session, shared with its subshells.
#[derive(Default)]
pub struct JobTable {
    jobs: RefCell<BTreeMap<u32, Rc<Job>>>,
    last_id: Cell<u32>,
    running: Rc<Cell<usize>>,
}

impl JobTable {
    /// Enters a new running job under the next number.
    pub fn add(&self, command: impl Into<EcoString>, cancel: Cancel) -> Rc<Job> {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        let job = Rc::new(Job {
            id,
            command: command.into(),
            cancel,
            stdout: Rc::default(),
            stderr: Rc::default(),
            state: Cell::new(JobState::Running),
            running: Rc::clone(&self.running),
            reported: Cell::new(false),
            wakers: RefCell::default(),
        });
        self.running.set(self.running.get() + 1);
        let mut jobs = self.jobs.borrow_mut();
        jobs.insert(id, Rc::clone(&job));
        if jobs.len() > MOST_KEPT {
            let ended = |job: &Rc<Job>| job.state() != JobState::Running;
            let oldest = jobs.values().find(|job| ended(job)).map(|job| job.id);
            oldest.map(|id| jobs.remove(&id));
        }
        job
    }

    /// How many jobs run.
    pub fn running(&self) -> usize {
        self.running.get()
    }

    /// The job of a number.
    pub fn get(&self, id: u32) -> Option<Rc<Job>> {
        self.jobs.borrow().get(&id).cloned()
    }

    /// All jobs by number.
    pub fn all(&self) -> Vec<Rc<Job>> {
        self.jobs.borrow().values().cloned().collect()
    }

    /// Forgets a job that has been waited for.
    pub fn remove(&self, id: u32) {
        self.jobs.borrow_mut().remove(&id);
    }

    /// Jobs that ended since the last call, for the notices before a prompt.
    pub fn take_finished(&self) -> Vec<Rc<Job>> {
        let finished =
            |job: &Rc<Job>| job.state().status().is_some() && !job.reported.replace(true);
        self.jobs.borrow().values().filter(|job| finished(job)).cloned().collect()
    }
}
