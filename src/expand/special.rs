//! Names that are computed: `$?`, `$#`, `$RANDOM`, `$LINENO` and kin.

use super::Expander;
use crate::value::{EcoString, EcoVec, Value};

impl Expander {
    /// The value of a variable, or of a computed name; `None` where unset.
    pub fn variable(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.session.scope.borrow().get(name) {
            return Some(value.clone());
        }
        self.computed(name)
    }

    #[cold]
    fn computed(&self, name: &str) -> Option<Value> {
        Some(match name {
            "RANDOM" => {
                let mut bytes = [0; 2];
                self.services.host.random(&mut bytes);
                Value::int(i64::from(u16::from_le_bytes(bytes) & 0x7fff))
            }
            "SECONDS" => {
                let seconds = self.services.host.monotonic().as_secs();
                Value::int(i64::try_from(seconds).unwrap_or(i64::MAX))
            }
            "LINENO" => Value::int(i64::from(self.session.last.line.get())),
            "PIPESTATUS" => {
                let statuses = self.session.last.pipe_status.borrow();
                let only = [self.session.last.status.get()];
                let statuses = if statuses.is_empty() { &only } else { statuses.as_slice() };
                let list: EcoVec<Value> =
                    statuses.iter().map(|status| Value::int(i64::from(*status))).collect();
                Value::List(list)
            }
            "PWD" => Value::Text(self.session.cwd.borrow().clone()),
            "OLDPWD" => Value::Text(self.session.previous_cwd.borrow().clone()?),
            // One that was unset is there without a value.
            "IFS" if self.session.scope.borrow().variable(name).is_none() => Value::text(" \t\n"),
            "EPOCHSECONDS" => Value::int(self.services.host.now().seconds),
            "BASH_SOURCE" => {
                let files = self.session.last.sourced.borrow();
                let files = files.iter().rev().cloned().map(Value::Text);
                Value::List(files.chain(self.positional(0)).collect())
            }
            "PPID" | "UID" | "EUID" => Value::int(i64::from(name == "PPID")),
            _ => return None,
        })
    }

    /// The value of `$?`, `$#`, `$$`, `$!`, `$-`; `$@` and `$*` are lists and not answered here.
    pub(super) fn special(&self, name: char) -> Option<Value> {
        let last = &self.session.last;
        Some(match name {
            '?' => Value::int(i64::from(last.status.get())),
            '#' => {
                let count = self.session.scope.borrow().positional().len();
                Value::int(i64::try_from(count).unwrap_or(i64::MAX))
            }
            '$' => Value::int(i64::from(self.services.session_id)),
            '!' => Value::int(i64::from(last.job.get()?)),
            '-' => Value::text(self.session.options.get().letters()),
            _ => return None,
        })
    }

    /// `$1…`, and the script's name for 0.
    pub(super) fn positional(&self, index: u32) -> Option<Value> {
        let scope = self.session.scope.borrow();
        if index == 0 {
            let name = scope.script_name();
            let name = if name.is_empty() { EcoString::from("tabsh") } else { name.clone() };
            return Some(Value::Text(name));
        }
        scope.positional().get(index as usize - 1).cloned()
    }
}
