//! What several builtins share: names in messages, permission bits, sizes, dates, durations.
//!
//! Pure where it can be; what needs the context takes it first. A thing used by one builtin stands
//! in that builtin's file.

mod ask;
mod backup;
mod calendar;
mod human;
mod mode;
mod quote;
mod strftime;
pub(super) mod targets;
mod when;

/// The name of the one user and group.
pub(super) const OWNER: &str = "user";

/// The number of the one user and group.
pub(super) const OWNER_ID: &str = "1000";

pub(super) use crate::tool::parse_duration;
pub(super) use ask::{ask, ask_on};
pub(super) use backup::{BACKUP, BACKUP_HOW, Backup, SUFFIX};
pub(super) use calendar::{Civil, DAY, DAYS, MONTHS};
pub(super) use human::{BLOCK, disk_size, human_size, shown_size};
pub(super) use mode::{Mode, mode_letters};
pub(super) use quote::{as_word, bad_choice, quoted, single_quoted};
pub(super) use strftime::strftime;
pub(super) use when::{parse_date, parse_stamp};

/// The text of a variable, or `default` where it is unset or empty.
pub(super) fn variable_or(cx: &crate::tool::ExecContext, name: &str, default: &str) -> String {
    let scope = cx.session.scope.borrow();
    let text = scope.get(name).map(crate::value::Value::to_text_lossy);
    text.filter(|text| !text.is_empty()).map_or_else(|| default.to_owned(), |text| text.to_string())
}
