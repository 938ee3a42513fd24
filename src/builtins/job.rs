//! Jobs by the words that name them: `%1`, `1`, `%%`, `%-`, `%text`, `%?text`.

use std::rc::Rc;

use crate::jobs::{Job, JobState};
use crate::tool::ExecContext;

/// The job a word names.
pub(super) fn find(cx: &ExecContext, word: &str) -> Option<Rc<Job>> {
    let jobs = &cx.services.jobs;
    let spec = word.strip_prefix('%').unwrap_or(word);
    if let Ok(id) = spec.parse::<u32>() {
        return jobs.get(id);
    }
    if spec.len() == word.len() {
        return None;
    }
    let (current, previous) = current(cx);
    let mut all = jobs.all().into_iter();
    match spec {
        "" | "%" | "+" => current.and_then(|id| jobs.get(id)),
        "-" => previous.and_then(|id| jobs.get(id)),
        _ => match spec.strip_prefix('?') {
            Some(part) => all.find(|job| job.command.contains(part)),
            None => all.find(|job| job.command.starts_with(spec)),
        },
    }
}

/// The numbers of the current and the previous job: the youngest that run.
pub(super) fn current(cx: &ExecContext) -> (Option<u32>, Option<u32>) {
    let jobs = cx.services.jobs.all();
    let mut running = jobs.iter().rev().filter(|job| job.state() == JobState::Running);
    (running.next().map(|job| job.id), running.next().map(|job| job.id))
}

/// What is said of a word that names no job.
pub(super) fn missing(word: &str) -> String {
    if word.starts_with('%') {
        format!("{word}: no such job")
    } else {
        format!("{word}: no such job; `jobs` lists them")
    }
}
