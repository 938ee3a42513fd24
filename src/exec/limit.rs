//! The limit on output: after each statement of the outermost script, what was cut is settled.

use std::rc::Rc;

use super::Machine;
use super::frame::Next;
use crate::env::ShellOption;
use crate::io::{Errno, Excess};
use crate::tool::{BackendError, ExecContext};
use crate::vfs::{Path, WriteMode};

/// Where outputs that were cut are stored whole.
const SPILL: &str = "/tmp/spill";

impl Machine {
    /// Has the output of each statement cut where the shell says so; its standard output must go
    /// through the session's limiter.
    pub fn limit_output(&mut self) {
        self.limits_output = true;
    }

    /// The status of the last command whose output was cut.
    pub fn original_code(&self) -> Option<u8> {
        self.original_code
    }

    /// The outermost script's next statement begins.
    pub(super) fn begin_output(&self) {
        let cut = self.cuts_output().then(|| self.session().config.output_limit.get());
        self.session().last.limiter.begin(cut);
    }

    pub(super) fn cuts_output(&self) -> bool {
        self.limits_output && self.option(ShellOption::OutputLimit)
    }

    /// The statement has ended: `true` where its output was over the limit and the machine now waits
    /// for it to be stored.
    pub(super) fn settle_output(&mut self) -> bool {
        let Some(excess) = self.session().last.limiter.end() else { return false };
        let cx = self.cx.clone();
        let status = self.status();
        self.wait(async move {
            let stored = store(&cx, &excess).await;
            Box::new(move |machine: &mut Self| {
                machine.show_end(&excess, stored);
                machine.original_code = Some(status);
                // A signal's status tells more than that output was cut on the way.
                machine.finish(if status < 124 { 3 } else { status });
                Ok(())
            }) as Next
        });
        true
    }

    fn show_end(&self, excess: &Excess, stored: Result<String, BackendError>) {
        let limit = self.session().config.output_limit.get();
        let hidden = excess.total.saturating_sub(limit.head + excess.tail.len() as u64);
        let place = match stored {
            Ok(path) if excess.whole.len() as u64 == excess.total => {
                format!("the whole is in {path}")
            }
            Ok(path) => format!("the first {} bytes are in {path}", excess.whole.len()),
            Err(error) => format!("the whole could not be stored: {error}"),
        };
        let total = excess.total;
        let marker =
            format!("\n[output limit: {hidden} of {total} bytes are not shown; {place}]\n");
        let limiter = &self.session().last.limiter;
        // A reader that is gone misses nothing.
        let _ = limiter.pass(marker.as_bytes()).and_then(|()| limiter.pass(&excess.tail));
    }
}

/// Stores an output in a new file.
async fn store(cx: &ExecContext, excess: &Excess) -> Result<String, BackendError> {
    let backend = Rc::clone(cx.backend());
    match backend.mkdir(Path::new(SPILL)).await {
        Err(error) if error.errno() != Errno::AlreadyExists => return Err(error),
        _ => {}
    }
    for number in 1u32.. {
        let path = format!("{SPILL}/{number}.txt");
        match backend.write(Path::new(&path), &excess.whole, WriteMode::CreateNew).await {
            Err(error) if error.errno() == Errno::AlreadyExists => {}
            result => return result.map(|()| path),
        }
    }
    Ok(SPILL.into())
}
